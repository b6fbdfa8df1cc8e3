"""Values as people read them: win probabilities, percentages, and marks for what was given away.

A value is Player 1's, from -1 (lost) to 1 (won). A win probability is (value + 1) / 2: a game that is drawn, or that
nobody can ever win, counts as half a win.
"""

from __future__ import annotations

MARKS = ((0.20, "blunder"), (0.05, "mistake"), (0.02, "inaccuracy"))
"""How much win probability a decision must lose to be marked so."""
SIGNS = {"blunder": "??", "mistake": "?", "inaccuracy": "?!"}
WORTH_SAYING = MARKS[-1][0]
"""What a decision must lose before the coach speaks up during play."""
SAME = 1e-9
"""Values closer than this are the same to a person."""

SEEN = 0.0005
"""A chance that falls by less than this falls by no tenth of a point, and kept chances are not exact to much more."""


def chance(value: float, seat: int = 0) -> float:
    """The win probability of a seat where the position is worth `value` to Player 1."""
    return (1 + value) / 2 if seat == 0 else (1 - value) / 2


def mark(lost: float) -> str:
    """The mark for a decision that lost so much win probability, or nothing."""
    return next((name for least, name in MARKS if lost >= least - SAME), "")


def no_more_than(shown: str) -> str:
    """`only 69 %`, but `under 1 %` and `0 %`: what is so little says by itself that it is."""
    return shown if shown.startswith(("under", "loses", "0 %", "a little")) else f"only {shown}"


def percent(probability: float) -> str:
    """`62 %`. What is not quite certain is not called so."""
    if probability <= SAME:
        return "0 %"
    if probability >= 1 - SAME:
        return "100 %"
    if probability < 0.005:
        return "under 1 %"
    return "over 99 %" if probability >= 0.995 else f"{100 * probability:.0f} %"


def percents(*probabilities: float) -> list[str]:
    """The same for several at once, with as many decimals as it takes to tell different ones apart.

    Where three do not, they are told as each alone would be.
    """
    different = len({round(each, 9) for each in probabilities})
    certain = [not SAME < each < 1 - SAME for each in probabilities]
    for decimals in range(4):
        # What is certain needs no decimals. What is not quite certain is not called so: one decimal more, or in words.
        told, too_sure = [], False
        for each, sure in zip(probabilities, certain, strict=True):
            rounded = round(100 * each, decimals) in (0, 100)
            told.append(percent(each) if sure or rounded else f"{100 * each:.{decimals}f} %")
            too_sure = too_sure or (rounded and not sure)
        if len(set(told)) == different and not (decimals and too_sure):
            return told
    return [percent(each) for each in probabilities]


def fall(before: float, after: float) -> tuple[str, str, str]:
    """A win probability before and after, and what went: three numbers that add up, with no more decimals than needed.

    What went is rounded as it is. Where the three then do not add up, one of the others gives way, the one that is
    nearer to where it has to go. What is not quite certain is not called so, and what went is never called nothing.
    """
    told = [_fall(before, after, decimals) for decimals in range(4)]
    return next(filter(None, told), None) or _hardly_any_fall(before, after)


def _fall(before: float, after: float, decimals: int) -> tuple[str, str, str] | None:
    """The same with so many decimals; None where they do not do."""
    was, now, gone = (round(100 * each, decimals) for each in (before, after, before - after))
    adds_up = abs(was - now - gone) < 10 ** -(decimals + 1)
    if gone <= 0:
        return None
    if decimals == 0:
        return (percent(before), percent(after), percent(before - after)) if adds_up else None
    if not adds_up:
        sooner, later = round(now + gone, decimals), round(was - gone, decimals)
        nearer = abs(sooner - 100 * before) < abs(later - 100 * after)
        if before < 1 - SAME and not _too_sure(before, sooner) and (nearer or _too_sure(after, later)):
            was = sooner
        else:
            now = later
    if _too_sure(before, was) or _too_sure(after, now):
        return None
    return f"{was:.{decimals}f} %", f"{now:.{decimals}f} %", f"{gone:.{decimals}f} %"


def _too_sure(probability: float, shown: float) -> bool:
    return shown in (0, 100) and SAME < probability < 1 - SAME


def _hardly_any_fall(before: float, after: float) -> tuple[str, str, str]:
    """Where three decimals do not tell the two apart, or one of them from what is certain."""
    was, now, gone = (
        {"0.000": "under 0.001 %", "100.000": "over 99.999 %"}.get(shown := f"{100 * each:.3f}", f"{shown} %")
        for each in (before, after, before - after)
    )
    return percent(before) if before >= 1 - SAME else was, percent(after) if after <= SAME else now, gone


def points(probability: float, decimals: int = 1) -> str:
    """A change of win probability in percentage points, with its sign: `+3.2`, `-0.4`, `0.0`."""
    shown = f"{100 * probability:+.{decimals}f}"
    return shown[1:] if float(shown) == 0 else shown


def adding_up(parts: list[float], decimals: int = 2) -> list[int]:
    """The parts in whole units of the last decimal, rounded so that what is shown adds up just as the parts do."""
    scale = 100 * 10**decimals
    exact = [part * scale for part in parts]
    whole = [round(each) for each in exact]
    missing = round(sum(exact)) - sum(whole)
    step = 1 if missing > 0 else -1
    nearest = sorted(range(len(parts)), key=lambda at: step * (whole[at] - exact[at]))
    for at in nearest[: abs(missing)]:
        whole[at] += step
    return whole

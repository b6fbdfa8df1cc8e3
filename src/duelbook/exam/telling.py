"""An exam in letters for a terminal: the score first, then what it is made of, and what can be trusted about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from duelbook.arena.report.table_text import columns, wrapped
from duelbook.exam.found import Found, Gap, Sat
from duelbook.exam.marks import FAULTS, MISTAKES
from duelbook.exam.score import Score
from duelbook.intervals import Estimate
from duelbook.speech import amount, plain


def points(lost: float) -> str:
    """Win probability as points: 12.3."""
    return f"{100 * lost:.2f}"


def between(found: Estimate) -> str:
    return f"{points(found.low)} to {points(found.high)}"


def lines(taken: Found, width: int | None = None) -> Iterator[str]:
    for at, sat in enumerate(taken.sat):
        if at:
            yield ""
        yield from _edition(sat, taken.repeats, width)
    if taken.gaps:
        yield from ("", "Book and fresh rules", "")
        yield from columns(_gap_rows(taken.gaps), width)
        yield ""
        yield from wrapped(GAP, width)


GAP = (
    "skill: how far of the way from random to perfect, by the book less by the fresh rules. Much above 0, the book was "
    "remembered; what chance can do is as for the scores."
)


def _edition(sat: Sat, repeats: int, width: int | None) -> Iterator[str]:
    yield title(sat)
    yield from wrapped("Points of win probability lost per decision: 0 is perfect, 100 would be every game.", width)
    yield ""
    yield from columns(_score_rows(sat.scores), width)
    yield ""
    yield "On the same questions, exactly:"
    yield ""
    yield from columns(yardstick_rows(sat), width)
    habit = next((each for each in sat.yardsticks if each.about), None)
    if habit is not None:
        yield from wrapped(f"{habit.name}: {habit.about}.", width)
    yield ""
    yield "By duel:"
    yield ""
    yield from columns(duel_rows(sat), width)
    yield ""
    yield "By kind of mistake:"
    yield ""
    yield from columns(mistake_rows(sat.scores), width)
    if any(any(each.faults.values()) for each in sat.scores):
        yield from ("", "Faults:", "")
        yield from columns(fault_rows(sat.scores), width)
    for sentence in notes(sat, repeats):
        yield ""
        yield from wrapped(sentence, width)


def title(sat: Sat) -> str:
    duels = ", ".join(each.name for each in sat.edition.subjects)
    return f"Duelbook exam: {sat.edition.name}, {amount(sat.asked, 'question')} in {duels} (paper {sat.edition.hash})"


def _score_rows(scores: Sequence[Score]) -> list[list[str]]:
    rows = [["player", "lost", "95 % interval", "without faults", "faults"]]
    for each in scores:
        clean = "-" if each.clean is None else points(each.clean.value)
        faults = sum(each.faults.values())
        rows.append([plain(each.candidate.name), points(each.lost.value), between(each.lost), clean, str(faults)])
    used = used_rows(scores)
    return [[*row, *more] for row, more in zip(rows, used, strict=True)] if used else rows


def used_rows(scores: Sequence[Score]) -> list[list[str]]:
    """What the answers took, under its heading: tokens and money, as far as anybody counts them."""
    tokens = [each.usage.tokens_in + each.usage.tokens_out for each in scores]
    if not any(tokens):
        return []
    money = [each.usage.money for each in scores]
    found = [["tokens", *(f"{each:,}" if each else "-" for each in tokens)]]
    if any(each is not None for each in money):
        found.append(["money", *("-" if each is None else f"{each:.4f}" for each in money)])
    return [list(row) for row in zip(*found, strict=True)]


def yardstick_rows(sat: Sat) -> list[list[str]]:
    return [["", *(each.name for each in sat.yardsticks)], ["lost", *(points(each.lost) for each in sat.yardsticks)]]


def duel_rows(sat: Sat) -> list[list[str]]:
    duels = list(sat.scores[0].duels)
    rows = [["player", *duels]]
    rows += [
        [plain(each.candidate.name), *(_with_margin(each.duels.get(duel)) for duel in duels)] for each in sat.scores
    ]
    rows += [[f"  {stick.name}", *(points(stick.duels[duel]) for duel in duels)] for stick in sat.yardsticks]
    return rows


def _with_margin(found: Estimate | None) -> str:
    return "-" if found is None else f"{points(found.value)} ±{points(found.margin)}"


def mistake_rows(scores: Sequence[Score]) -> list[list[str]]:
    kinds = [kind for kind in MISTAKES if any(each.mistakes[kind] for each in scores)]
    rows = [["player", *kinds, "seat 1", "seat 2"]]
    for each in scores:
        lost = (points(each.mistakes[kind]) for kind in kinds)
        rows.append([plain(each.candidate.name), *lost, *map(points, each.seats)])
    return rows


def fault_rows(scores: Sequence[Score]) -> list[list[str]]:
    rows = [["player", "asked", *FAULTS]]
    rows += [
        [plain(each.candidate.name), str(each.asked), *(str(each.faults[kind]) for kind in FAULTS)] for each in scores
    ]
    return rows


def _gap_rows(gaps: Sequence[Gap]) -> list[list[str]]:
    rows = [["player", "book", "fresh rules", "", "book less fresh", "skill"]]
    for each in gaps:
        apart = 100 * (each.book.value - each.fresh.value)
        row = [plain(each.name), points(each.book.value), points(each.fresh.value), each.edition]
        rows.append([*row, f"{apart:+.2f}", f"{100 * each.skill:+.1f} %"])
    return rows


def notes(sat: Sat, repeats: int) -> Iterator[str]:
    """What is exact about these scores, and what is not."""
    if sat.apart is not None:
        yield _apart(sat)
    said = [each for each in sat.scores if all(mark.said for mark in each.marks)]
    asked = [each for each in sat.scores if each not in said]
    if said:
        yield (
            f"{_names(said)} said the whole plan, so each question's loss is exact. The interval is that of the "
            "questions: another paper would ask others."
        )
    if asked:
        yield (
            f"{_names(asked)} answered with moves: once where one player decides"
            + (f", {repeats} times at secret picks." if any(each.secret for each in asked) else ".")
            + " The interval holds that chance, too."
        )
    for each in sat.scores:
        if each.secret is not None and each.planned is not None:
            whose = (
                "the plan it said" if each in said else f"what {repeats} answers show of its plan, which is too much"
            )
            yield (
                f"Secret picks of {plain(each.candidate.name)}: {points(each.secret.value)} lost against a perfect "
                f"opponent, {points(each.planned)} against one who knows {whose}."
            )
    if any(sum(each.faults.values()) for each in sat.scores):
        yield "A fault counts as the worst legal move; the other column leaves it out."


def _apart(sat: Sat) -> str:
    assert sat.apart is not None
    names = [plain(each.candidate.name) for each in sat.scores]
    if sat.apart.lost_more is None:
        return (
            f"{names[0]} and {names[1]} are not told apart after {amount(sat.asked, 'question')}: the bet against "
            f"their being equal is worth {sat.apart.worth:.1f}, and 20 is needed."
        )
    return (
        f"Stopped after {amount(sat.asked, 'question')}: {names[0]} loses less than {names[1]}. The bet against their "
        f"being equal is worth {sat.apart.worth:.1f}; it would be 20 in at most one of twenty exams of equals."
    )


def _names(scores: Sequence[Score]) -> str:
    return ", ".join(plain(each.candidate.name) for each in scores)

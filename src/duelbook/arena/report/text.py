"""A tournament in words, on the terminal. As data it is in `report_json`, as a page for a browser in `report_html`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from duelbook.arena.judge.cross_table import table_lines
from duelbook.arena.judge.findings import Findings
from duelbook.arena.judge.quality import Loss
from duelbook.arena.judge.ratings import Row
from duelbook.arena.judge.sprt import Standing
from duelbook.arena.judge.verdict import percent
from duelbook.arena.play.openings import BOOK, FILE, RANDOM, Begun
from duelbook.arena.play.results import Result
from duelbook.arena.play.schedule import TOURNAMENTS
from duelbook.arena.report.columns import columns, fits, wrapped
from duelbook.coach.words import chance
from duelbook.disk import PUBLIC, write_atomically
from duelbook.intervals import Estimate
from duelbook.speech import amount, either

# On the terminal


def terminal_lines(found: Findings, width: int | None = None) -> Iterator[str]:
    """Everything, section after section, in lines that are no longer than this; without a width in one line each."""
    for sentence in heading_lines(found):
        yield from wrapped(sentence, width)
    sections = (
        list(table_lines(found.table, width)),
        list(rating_lines(found, width)),
        list(loss_lines(found, width)),
        [line for sentence in fault_lines(found) for line in wrapped(sentence, width)],
        list(look_lines(found, width)),
        [line for sentence in test_lines(found) for line in wrapped(sentence, width)],
        [line for sentence in (*found.ratings.notes, *found.cautions) for line in wrapped(sentence, width)],
    )
    for section in sections:
        if section:
            yield ""
            yield from section


def heading_lines(found: Findings) -> Iterator[str]:
    plan = found.plan
    yield f"{plan.event}: {TOURNAMENTS[plan.tournament]}, in {', '.join(found.duels)}"
    yield what_was_done(found)
    yield from opening_lines(found)


def what_was_done(found: Findings) -> str:
    """`400 games played, seed 1. 12 meetings computed exactly.`"""
    games = len(found.finished.results)
    seed = f", seed {found.finished.seed}" if found.finished.seed is not None else ""
    said = f"{amount(games, 'game')} played{seed}." if games else "No game was played."
    known = {(each.duel, frozenset(each.seats)) for each in found.finished.programme.known}
    if known:
        said += f" {amount(len(known), 'meeting')} computed exactly."
    if found.finished.extra:
        said += f" {amount(found.finished.extra, 'game')} more had ended by then and are in the file, not in the table."
    return said


SOURCES = {BOOK: "chosen from the solution", RANDOM: "after random play", FILE: "listed in a file"}


def opening_lines(found: Findings) -> Iterator[str]:
    """`Openings in tower: 10 positions chosen from the solution. With best play the first seat wins 6 and loses 4.`"""
    for duel in found.duels:
        begun = [each for each in found.begun if each.duel == duel]
        if begun:
            kind = found.plan.openings.kind
            said = SOURCES[kind] if kind != RANDOM else f"after {amount(found.plan.openings.plies, 'random turn')}"
            yield f"Openings in {duel}: {amount(len(begun), 'position')} {said}{_worth_of(begun)}."


def _worth_of(begun: Sequence[Begun]) -> str:
    """What openings are worth to the first seat with best play."""
    values = [each.value for each in begun if each.value is not None]
    if not values:
        return ""
    if all(value in (-1, 0, 1) for value in values):
        ends = ((1, "wins {}"), (0, "holds {} even"), (-1, "loses {}"))
        said = [words.format(values.count(value)) for value, words in ends if value in values]
        return f". With best play the first seat {either(said, 'and')}"
    low, high = (100 * chance(value) for value in (min(values), max(values)))
    return f". With best play the first seat wins {low:.1f} to {high:.1f} %"


def rating_lines(found: Findings, width: int | None = None) -> Iterator[str]:
    rows = found.ratings.rows
    longest = max(6, *(len(row.name) for row in rows)) if rows else 6
    lines = [f"{'rating':<{longest}}  {'Elo':>6}  {'95 % interval':>16}  {'better than the next':>20}"]
    cells = [["rating", "Elo", "95 % interval", "better", ""]]
    for row in rows:
        span = "exact" if row.exact else f"{row.low:.0f} to {row.high:.0f}"
        chance = better_than_the_next(found, row)
        remark = "did not play" if row.entrant is None else "a guess, see below" if found.ratings.guessed(row) else ""
        lines.append(f"{row.name:<{longest}}  {row.rating:>6.0f}  {span:>16}  {chance:>20}  {remark}".rstrip())
        cells.append([row.name, f"{row.rating:.0f}", span, chance, remark.partition(",")[0]])
    if fits(lines, width):
        yield from lines
    else:
        yield from columns(cells, width)
        yield from wrapped("better: the chance to be better than the next.", width)
    for duel, seat in found.ratings.seats.items():
        yield from wrapped(f"The first seat in {duel}: {signed(seat)} Elo.", width)
    if found.verdict is not None:
        yield from wrapped(found.verdict.sentence(), width)


def better_than_the_next(found: Findings, row: Row) -> str:
    """How likely somebody is better than the next below; nothing where that cannot be said of the two."""
    rows = found.ratings.rows
    below = rows[rows.index(row) + 1 :]
    return chance_between(found, row, below[0]) if below else ""


def chance_between(found: Findings, one: Row, two: Row) -> str:
    """How likely one is better than another, where that can be said."""
    return percent(found.ratings.better(one, two)) if found.ratings.connected(one, two) else ""


def signed(estimate: Estimate, digits: int = 0) -> str:
    # A plus behind the rounding: there is no minus in front of a zero.
    value, low, high = (f"{round(each, digits) + 0.0:+.{digits}f}" for each in estimate)
    return f"{value} ({low} to {high})"


def loss_lines(found: Findings, width: int | None = None) -> Iterator[str]:
    rows = [
        (each.name, each.overall, score)
        for each, score in zip(found.qualities, found.scores, strict=True)
        if each.overall is not None
    ]
    if not rows:
        return
    losses = [["player", "loss", "interval", "perfect", "decisions"]]
    scored = [["score", "less luck"]]
    for name, loss, score in rows:
        perfect = "" if loss.perfect is None else percent(loss.perfect)
        decisions = str(loss.decisions) if loss.decisions else ""
        losses.append([name, points(loss.mean), loss_span(loss), perfect, decisions])
        scored.append([score_span(score.counted), score_span(score.reduced)])
    yield from wrapped("Loss per decision, in points of win probability, with its 95 % interval:", width)
    whole = columns([[*one, *two] for one, two in zip(losses, scored, strict=True)])
    if fits(whole, width):
        yield from whole
    else:
        yield from columns(losses, width)
        if any(cell for row in scored[1:] for cell in row):
            yield ""
            yield from columns([[one[0], *two] for one, two in zip(losses, scored, strict=True)], width)
    said = "Less luck: the same with the luck taken off, which no play can change."
    yield from wrapped(f"{WHAT_SCORES_ARE} {said}", width)


def points(loss: float) -> str:
    return f"{100 * loss:.2f}"


def loss_span(loss: Loss) -> str:
    if loss.low is None or loss.high is None:
        return "one pair only"
    return "exact" if loss.exact else f"{points(loss.low)} to {points(loss.high)}"


WHAT_SCORES_ARE = "Score: percent of the points in games that were played; what was computed is not among them."


def score_span(estimate: Estimate | None) -> str:
    """`65.0 (54 to 75)`, in percent."""
    if estimate is None:
        return ""
    return f"{100 * estimate.value:.1f} ({100 * estimate.low:.0f} to {100 * estimate.high:.0f})"


def fault_lines(found: Findings) -> Iterator[str]:
    """For every player and kind of fault how often it came, and the first of them."""
    for (name, kind), results in faults_by_kind(found).items():
        assert results[0].fault is not None
        yield f"{name} lost {amount(len(results), 'game')} by a fault ({kind}). {results[0].fault.sentence}"


def faults_by_kind(found: Findings) -> dict[tuple[str, str], list[Result]]:
    grouped: dict[tuple[str, str], list[Result]] = {}
    for result in found.faults:
        assert result.fault is not None
        grouped.setdefault((guilty(found, result), result.fault.kind), []).append(result)
    return dict(sorted(grouped.items()))


def guilty(found: Findings, result: Result) -> str:
    assert result.fault is not None
    return found.plan.entrants[result.task.seats[result.fault.seat]].name


def test_lines(found: Findings) -> Iterator[str]:
    """What was asked of the test, where it stands, and why it ended."""
    stands = found.standing
    if stands is None:
        return
    yield f"The test: {hypotheses(found, stands)}"
    yield f"LLR {stands.llr:.2f}, bounds {stands.lower:.2f} and {stands.upper:.2f}. {pairs_by_score(stands)}"
    yield stands.sentence


def hypotheses(found: Findings, stands: Standing) -> str:
    one, two = (entrant.name for entrant in found.plan.entrants[:2])
    return (
        f"H0, {one} is {stands.elo0:g} Elo or less above {two}; H1, it is {stands.elo1:g} Elo or more. "
        f"alpha {stands.alpha:g}, beta {stands.beta:g}."
    )


def pairs_by_score(stands: Standing) -> str:
    counts = ", ".join(str(count) for count in stands.counts)
    return f"Pairs that scored 0, 0.5, 1, 1.5 and 2 points: {counts}; {100 * stands.score:.1f} % of the points."


def look_lines(found: Findings, width: int | None = None) -> Iterator[str]:
    """Commands are not broken into lines: they are there to be copied."""
    if found.worth_a_look:
        yield "Games worth a look:"
    for each in found.worth_a_look:
        yield from wrapped(f"{title_of(found, each.result)}. {each.sentence}", width, "  ")
        if found.replay(each.result):
            yield f"    {found.replay(each.result)}"


def title_of(found: Findings, result: Result) -> str:
    one, two = (found.plan.entrants[at].name for at in result.task.seats)
    return f"{' '.join((result.task.game, *result.task.rules))}: {one} against {two}"


# For a browser


def write_html(path: Path, found: Findings) -> None:
    """One self-contained page."""
    from duelbook.arena.report.html import page

    write_atomically(path, page(found), mode=PUBLIC)


__all__ = ["terminal_lines", "write_html"]

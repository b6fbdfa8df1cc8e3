"""A tournament in words: on the terminal, and as data for programs. The page for a browser is in `report_html`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from duelbook import __version__
from duelbook.arena.findings import Findings, findings
from duelbook.arena.openings import BOOK, FILE, RANDOM, Begun
from duelbook.arena.quality import Loss, Scores
from duelbook.arena.ratings import Row
from duelbook.arena.results import Entrant, Result
from duelbook.arena.schedule import TOURNAMENTS
from duelbook.arena.sprt import Standing
from duelbook.arena.table import table_lines
from duelbook.coach.worth import chance
from duelbook.core import DuelError
from duelbook.intervals import Estimate
from duelbook.players import ENGINE
from duelbook.speech import amount, either

# On the terminal


def terminal_lines(found: Findings, width: int = 100) -> Iterator[str]:
    """Everything, section after section."""
    yield from heading_lines(found)
    sections = (
        list(table_lines(found.table, width)),
        list(rating_lines(found)),
        list(loss_lines(found)),
        list(fault_lines(found)),
        list(look_lines(found)),
        list(test_lines(found)),
        [*found.ratings.notes, *found.cautions],
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
    plan, games = found.plan, len(found.finished.results)
    said = f"{amount(games, 'game')} played, seed {plan.seed}." if games else "No game was played."
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


def rating_lines(found: Findings) -> Iterator[str]:
    rows = found.ratings.rows
    longest = max(6, *(len(row.name) for row in rows)) if rows else 6
    yield f"{'rating':<{longest}}  {'Elo':>6}  {'95 % interval':>16}  {'better than the next':>20}"
    for row in rows:
        span = "exact" if row.exact else f"{row.low:.0f} to {row.high:.0f}"
        chance = better_than_the_next(found, row)
        remark = "  did not play" if row.entrant is None else "  a guess, see below" if row.floats else ""
        yield f"{row.name:<{longest}}  {row.rating:>6.0f}  {span:>16}  {chance:>20}{remark}".rstrip()
    for duel, seat in found.ratings.seats.items():
        yield f"The first seat in {duel}: {signed(seat)} Elo."


def better_than_the_next(found: Findings, row: Row) -> str:
    """How likely somebody is better than the next below of whom that can be said."""
    rows = found.ratings.rows
    below = [other for other in rows[rows.index(row) + 1 :] if found.ratings.connected(row, other)]
    return chance_between(found, row, below[0]) if below else ""


def chance_between(found: Findings, one: Row, two: Row) -> str:
    """How likely one is better than another, where that can be said."""
    return percent(found.ratings.better(one, two)) if found.ratings.connected(one, two) else ""


def percent(chance: float) -> str:
    """A chance in percent. What is not quite certain is not called so."""
    shown = f"{100 * chance:.1f}"
    shown = {"0.0": "<0.1", "100.0": ">99.9"}.get(shown, shown) if 0 < chance < 1 else f"{100 * chance:.0f}"
    return f"{shown} %"


def signed(estimate: Estimate, digits: int = 0) -> str:
    # A plus behind the rounding: there is no minus in front of a zero.
    value, low, high = (f"{round(each, digits) + 0.0:+.{digits}f}" for each in estimate)
    return f"{value} ({low} to {high})"


def loss_lines(found: Findings) -> Iterator[str]:
    known = [each for each in found.qualities if each.overall is not None]
    if not known:
        return
    longest = max(6, *(len(each.name) for each in known))
    yield "Loss per decision, in points of win probability, with its 95 % interval:"
    head = f"{'player':<{longest}}  {'loss':>7}  {'interval':>16}  {'perfect':>8}  {'decisions':>9}"
    yield f"{head}  {'score':>18}  {'less luck':>18}"
    for each, score in zip(found.qualities, found.scores, strict=True):
        if each.overall is None:
            continue
        perfect = "" if each.overall.perfect is None else percent(each.overall.perfect)
        cells = f"{points(each.overall.mean):>7}  {loss_span(each.overall):>16}  {perfect:>8}"
        decisions = f"{each.overall.decisions:>9}" if each.overall.decisions else f"{'':>9}"
        both = f"{score_span(score.counted):>18}  {score_span(score.reduced):>18}"
        yield f"{each.name:<{longest}}  {cells}  {decisions}  {both}".rstrip()
    yield f"{WHAT_SCORES_ARE} Less luck: the same with the luck taken off, which no play can change."


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


def look_lines(found: Findings) -> Iterator[str]:
    if found.worth_a_look:
        yield "Games worth a look:"
    for each in found.worth_a_look:
        yield f"  {title_of(found, each.result)}. {each.sentence}"
        if found.replay(each.result):
            yield f"    {found.replay(each.result)}"


def title_of(found: Findings, result: Result) -> str:
    one, two = (found.plan.entrants[at].name for at in result.task.seats)
    return f"{' '.join((result.task.game, *result.task.rules))}: {one} against {two}"


# For programs


def as_json(found: Findings) -> dict[str, Any]:
    """Every number, unrounded."""
    plan, ratings = found.plan, found.ratings
    return {
        "duelbook": __version__,
        "event": plan.event,
        "date": plan.date,
        "tournament": plan.tournament,
        "fingerprint": plan.fingerprint(),
        "seed": plan.seed,
        "rounds": plan.rounds,
        "max_turns": plan.max_turns,
        "duels": found.duels,
        "openings": {
            "kind": plan.openings.kind or None,
            "random_turns": plan.openings.plies or None,
            "positions": [each._asdict() for each in found.begun],
        },
        "players": [_player_json(entrant) for entrant in plan.entrants],
        "file": found.file or None,
        "played": len(found.finished.results),
        "computed": len(found.finished.programme.known) * plan.rounds,
        "table": [
            {"name": plan.entrants[at].name, "kind": plan.entrants[at].kind, **found.table.totals[at]._asdict()}
            for at in found.table.order()
        ],
        "meetings": [
            {"player": plan.entrants[me].name, "opponent": plan.entrants[foe].name, **row._asdict()}
            for (me, foe), row in sorted(found.table.cells.items())
        ],
        "ratings": [_rating_json(row) for row in ratings.rows],
        "better": {
            one.name: {
                two.name: ratings.better(one, two) if ratings.connected(one, two) else None
                for two in ratings.rows
                if two is not one
            }
            for one in ratings.rows
        },
        "first_seat": {duel: seat._asdict() for duel, seat in ratings.seats.items()},
        "losses": [_loss_json(found, at) for at in range(len(plan.entrants))],
        "faults": [_fault_json(found, result) for result in found.faults],
        "worth_a_look": [
            {
                "place": found.places.get(each.result.task.number),
                "number": each.result.task.number,
                "title": each.title,
                "sentence": each.sentence,
                "replay": found.replay(each.result) or None,
            }
            for each in found.worth_a_look
        ],
        "sprt": {**found.standing._asdict(), "score": found.standing.score} if found.standing else None,
        "notes": [*ratings.notes, *found.cautions],
    }


def _player_json(entrant: Entrant) -> dict[str, Any]:
    """Who it is, and for a program what it may use."""
    limits = {"limits": entrant.limits._asdict() | {"options": dict(entrant.limits.options)}}
    return {"name": entrant.name, "kind": entrant.kind, **(limits if entrant.kind.startswith(ENGINE) else {})}


def _rating_json(row: Row) -> dict[str, Any]:
    kept = row._asdict()
    return {**kept, "tally": row.tally._asdict(), "entrant": row.entrant is not None}


def _loss_json(found: Findings, at: int) -> dict[str, Any]:
    quality, score = found.qualities[at], found.scores[at]
    parts = [{"duel": duel, "seat": seat + 1, **part._asdict()} for (duel, seat), part in quality.parts.items()]
    overall = quality.overall._asdict() if quality.overall else None
    return {"name": quality.name, "overall": overall, "parts": parts, **_score_json(score)}


def _score_json(score: Scores) -> dict[str, Any]:
    return {
        "score": score.counted._asdict() if score.counted else None,
        "reduced_score": score.reduced._asdict() if score.reduced else None,
    }


def _fault_json(found: Findings, result: Result) -> dict[str, Any]:
    assert result.fault is not None
    return {
        "place": found.places.get(result.task.number),
        "number": result.task.number,
        "duel": " ".join((result.task.game, *result.task.rules)),
        "name": guilty(found, result),
        **result.fault._asdict(),
        "replay": found.replay(result) or None,
    }


# For a browser


def write_html(path: Path, found: Findings) -> None:
    """One self-contained page."""
    from duelbook.arena.report_html import page

    try:
        path.write_text(page(found), encoding="utf-8")
    except OSError as error:
        raise DuelError(f"The report cannot be written to {path}: {error.strerror}.") from None


__all__ = ["Findings", "as_json", "findings", "terminal_lines", "write_html"]

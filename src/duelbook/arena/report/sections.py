"""What a report says, section by section, in words and cells: every way of showing a tournament takes them from here.

The terminal lays them out in letters, the page for a browser in tables with pictures beside them. Numbers for programs
are in `data`, unrounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from duelbook.arena.judge.findings import Findings
from duelbook.arena.judge.quality import Loss
from duelbook.arena.judge.ratings import RatingRow
from duelbook.arena.judge.sprt import Standing
from duelbook.arena.judge.verdict import percent
from duelbook.arena.play.openings import BOOK, FILE, RANDOM, Opening
from duelbook.arena.play.results import Result, duel_name
from duelbook.arena.play.schedule import TOURNAMENTS
from duelbook.coach.words import chance
from duelbook.intervals import Estimate
from duelbook.speech import amount, either

# What was held


def subtitle(found: Findings) -> str:
    return f"{TOURNAMENTS[found.plan.tournament]}, in {', '.join(found.duels)}"


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


def _worth_of(begun: Sequence[Opening]) -> str:
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


# Ratings


class Rated(NamedTuple):
    """A player on the scale, in the words of a table."""

    name: str
    rating: str
    span: str
    better: str
    """The chance to be better than the next below."""
    remark: str


def rated(found: Findings) -> list[Rated]:
    rows = []
    for row in found.ratings.rows:
        span = "exact" if row.exact else f"{row.low:.0f} to {row.high:.0f}"
        guess = "a guess, see below" if found.ratings.guessed(row) else ""
        remark = "did not play" if row.entrant is None else guess
        rows.append(Rated(row.name, f"{row.rating:.0f}", span, better_than_the_next(found, row), remark))
    return rows


def better_than_the_next(found: Findings, row: RatingRow) -> str:
    """How likely somebody is better than the next below; nothing where that cannot be said of the two."""
    rows = found.ratings.rows
    below = rows[rows.index(row) + 1 :]
    return chance_between(found, row, below[0]) if below else ""


def chance_between(found: Findings, one: RatingRow, two: RatingRow) -> str:
    """How likely one is better than another, where that can be said."""
    return percent(found.ratings.better(one, two)) if found.ratings.connected(one, two) else ""


# Losses


def losses(found: Findings) -> list[list[str]]:
    """Of those whose decisions could be weighed: the name, what a decision loses, its interval, the share of perfect
    ones, how many there were, the score and the score with the luck taken off."""
    return [
        [
            each.name,
            points(loss.mean),
            loss_span(loss),
            "" if loss.perfect is None else percent(loss.perfect),
            str(loss.decisions) if loss.decisions else "",
            score_span(score.counted),
            score_span(score.reduced),
        ]
        for each, score in zip(found.qualities, found.scores, strict=True)
        if (loss := each.overall) is not None
    ]


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


# Faults


def faults_by_kind(found: Findings) -> dict[tuple[str, str], list[Result]]:
    grouped: dict[tuple[str, str], list[Result]] = {}
    for result in found.faults:
        assert result.fault is not None
        grouped.setdefault((guilty(found, result), result.fault.kind), []).append(result)
    return dict(sorted(grouped.items()))


def guilty(found: Findings, result: Result) -> str:
    assert result.fault is not None
    return found.plan.entrants[result.task.seats[result.fault.seat]].name


# The test that could stop the games


def hypotheses(found: Findings, stands: Standing) -> str:
    one, two = (entrant.name for entrant in found.plan.entrants[:2])
    return (
        f"H0, {one} is {stands.elo0:g} Elo above {two}, or H1, it is {stands.elo1:g} above: "
        f"which fits the games better? alpha {stands.alpha:g}, beta {stands.beta:g}."
    )


def pairs_by_score(stands: Standing) -> str:
    counts = ", ".join(str(count) for count in stands.counts)
    return f"Pairs that scored 0, 0.5, 1, 1.5 and 2 points: {counts}; {100 * stands.score:.1f} % of the points."


# Games


def title_of(found: Findings, result: Result) -> str:
    one, two = (found.plan.entrants[at].name for at in result.task.seats)
    return f"{duel_name(result.task)}: {one} against {two}"

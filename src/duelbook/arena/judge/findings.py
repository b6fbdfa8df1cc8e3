"""All that a tournament shows, put together once for every kind of report."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import fsum, sqrt
from pathlib import Path
from typing import NamedTuple

from duelbook.arena.judge.instructive import Instructive, instructive
from duelbook.arena.judge.quality import Loss, Quality, Scores, qualities, scores
from duelbook.arena.judge.ratings import HIGHEST, Ratings, rate
from duelbook.arena.judge.sprt import Standing
from duelbook.arena.judge.tally import CrossTable
from duelbook.arena.judge.verdict import Verdict, verdict
from duelbook.arena.play.exact import FROM_THE_USUAL_START, Exact, tabular
from duelbook.arena.play.game_file import places_in
from duelbook.arena.play.openings import RANDOM, Opening, begun_from
from duelbook.arena.play.results import Entrant, Result, counted, duel_name, duels_of, pairs_of, unplayed
from duelbook.arena.play.schedule import Plan
from duelbook.arena.play.tournament import Finished
from duelbook.coach.words import SAME
from duelbook.games import load
from duelbook.intervals import deviation
from duelbook.speech import amount

REPEATED, ENOUGH_TO_SAY = 0.5, 10
"""Where fewer than this share of so many games are different from each other, the report warns."""
FEW_PAIRS = 20
OFTEN = 0.2
"""A share of games that ended without a result, or by a fault, from which on the report says what that does."""
LUCKY, LUCKY_PAIRS = 4.0, 30
"""Where luck favoured a program by more standard errors than this, in so many pairs, the report asks why."""


class Findings(NamedTuple):
    finished: Finished
    standing: Standing | None
    """Of the test that could stop the tournament, if there was one."""
    file: str
    """Where the games are; empty if they were not kept."""
    places: Mapping[int, int]
    """For the number of a game its place in the file, from 1."""
    table: CrossTable
    ratings: Ratings
    qualities: list[Quality]
    """Of games that were played; where none were, of exact chances."""
    scores: list[Scores]
    """For each entrant what it scored, counted and with the luck taken off."""
    worth_a_look: list[Instructive]
    verdict: Verdict | None
    """How the best two of those stand to each other whom games have rated."""
    begun: list[Opening]
    """Where the games began, if not at the usual start."""
    cautions: list[str]
    """Reasons to believe the numbers less than they look, a sentence each."""

    @property
    def plan(self) -> Plan:
        return self.finished.programme.plan

    @property
    def duels(self) -> list[str]:
        return [str(duel) for duel in self.plan.duels]

    @property
    def faults(self) -> list[Result]:
        return [result for result in self.finished.results if result.fault is not None]

    def replay(self, result: Result) -> str:
        """The command that shows a game; empty where it was not kept."""
        place = self.places.get(result.task.number)
        return f"duelbook replay {shlex.quote(self.file)} --game {place}" if place is not None else ""


def findings(finished: Finished, *, standing: Standing | None = None, file: Path | None = None) -> Findings:
    """What came of a tournament: numbers, games to look at, and reasons for doubt."""
    plan, known = finished.programme.plan, finished.programme.known
    results = counted(finished.results)
    weighed = qualities(plan.entrants, results)
    ratings = rate(plan.entrants, results, [str(duel) for duel in plan.duels])
    return Findings(
        finished,
        standing,
        str(file) if file is not None else "",
        places_in(file) if file is not None else {},
        finished.table(),
        ratings,
        [_completed(each, at, plan.entrants[at].kind, known) for at, each in enumerate(weighed)],
        [scores(results, at) for at in range(len(plan.entrants))],
        instructive(plan.entrants, results, weighed),
        verdict(ratings),
        begun_from(plan.openings, results),
        [*_cautions(finished, results), *_stopped(standing)],
    )


def _completed(quality: Quality, entrant: int, kind: str, known: Sequence[Exact]) -> Quality:
    """With the exact losses of meetings that were computed, in duels and seats in which nothing was played."""
    parts, overall = dict(quality.parts), quality.overall
    if kind == HIGHEST and overall is not None:  # it never loses anything: that is known, and no matter of games
        parts, overall = {key: _never(part) for key, part in parts.items()}, _never(overall)
    sums: dict[tuple[str, int], tuple[float, float]] = {}
    for each in known:
        for seat in (0, 1):
            key = (str(each.duel), seat)
            if each.seats[seat] == entrant and key not in parts:
                lost, decisions = sums.get(key, (0.0, 0.0))
                sums[key] = (lost + each.meeting.lost[seat], decisions + each.meeting.decisions[seat])
    parts |= {key: _computed(*sum_) for key, sum_ in sums.items() if sum_[1]}
    if overall is None and parts:
        overall = _computed(sum(lost for lost, _ in sums.values()), sum(decisions for _, decisions in sums.values()))
    return quality._replace(parts=parts, overall=overall)


def _never(loss: Loss) -> Loss:
    return loss._replace(mean=0.0, low=0.0, high=0.0, exact=True, alike=False)


def _computed(lost: float, decisions: float) -> Loss:
    """An exact loss: no decision was made, and nothing is left to chance."""
    mean = lost / decisions
    return Loss(mean, mean, mean, 0, 0, None, exact=True)


# Reasons for doubt


def _cautions(finished: Finished, results: Sequence[Result]) -> Iterator[str]:
    missing = sum(map(unplayed, finished.results))
    if missing:
        yield f"{amount(missing, 'game')} could not be played to the end and count for nothing."
    for reason in finished.programme.refused:
        if reason != FROM_THE_USUAL_START:  # the ratings' note says what that means
            yield reason
    yield from _repeated(finished.programme.plan, results)
    yield from _lucky(finished.programme.plan.entrants, results)
    few = _fewest(results)
    if few is not None and few < FEW_PAIRS:
        yield (
            f"Some opponents met in {amount(few, 'pair')} of games only: intervals from fewer than {FEW_PAIRS} pairs "
            "are rough."
        )
    for duel in duels_of(results):
        here = [result.winner is None for result in results if duel_name(result.task) == duel]
        share = sum(here) / len(here)
        if share >= OFTEN:
            yield (
                f"In {duel} {100 * share:.0f} % of the games ended without a result; a bell that rings early draws "
                "ratings together."
            )
    if results and sum(each.fault is not None for each in results) / len(results) >= OFTEN:
        yield "A fifth of the games or more was lost by faults: ratings then say who runs, not who plays well."


def _stopped(standing: Standing | None) -> Iterator[str]:
    if standing is not None and standing.accepted:
        yield "The test stopped the games when the difference looked clear; scores and ratings overstate it a little."


def _repeated(plan: Plan, results: Iterable[Result]) -> Iterator[str]:
    """Players that always do the same play the same game again and again: a hundred such games say as much as one."""
    games: dict[tuple[frozenset[int], str], list[str]] = {}
    for result in results:
        if result.fault is None and result.record:
            key = (frozenset(result.task.seats), duel_name(result.task))
            games.setdefault(key, []).append(f"{result.task.seats} {result.task.opening} {moves_of(result.record)}")
    for (seats, duel), played in games.items():
        different = len(set(played))
        if len(played) >= ENOUGH_TO_SAY and different < REPEATED * len(played):
            one, two = (plan.entrants[at].name for at in sorted(seats))
            yield (
                f"Only {different} of the {len(played)} games of {one} and {two} in {duel} differ from each other. "
                f"The intervals take every game for a new one, so they are too narrow here. {_how_to_differ(plan)}"
            )


def _how_to_differ(plan: Plan) -> str:
    if not plan.openings.kind:
        return "From other start positions they would play other games: --openings book."
    if plan.openings.kind == RANDOM:
        return f"Longer openings would differ more: --openings random:{plan.openings.plies + 2}."
    return "There are more openings: --openings random:4."


def _lucky(entrants: Sequence[Entrant], results: Iterable[Result]) -> Iterator[str]:
    """Before a card comes, what it changes has the mean 0, whoever plays and however: nobody can be lucky for long.

    Only who knows a card before it comes can make it a good one. The two games of a pair have the same cards, so pairs
    are compared. What favours one program goes against another; only the first of the two is asked.
    """
    dealt = [result for result in results if load(result.task.game).faces]
    programs = [at for at, entrant in enumerate(entrants) if not tabular(entrant)]
    weighed = [(entrants[at].name, *found) for at in programs if (found := _luck(at, dealt)) is not None]
    favoured = [each for each in weighed if each[-1] > LUCKY]
    for name, points, errors in favoured:
        yield (
            f"Luck favoured {name} by {points:.1f} points a game, {errors:.0f} standard errors: more than chance "
            "allows. Does it know the cards to come?"
        )
    for name, points, errors in weighed if not favoured else ():
        if errors < -LUCKY:
            yield (
                f"Luck went against {name} by {-points:.1f} points a game, {-errors:.0f} standard errors: more than "
                "chance allows. Does an opponent know the cards to come?"
            )


def _luck(entrant: int, dealt: Sequence[Result]) -> tuple[float, float] | None:
    """What luck did for a program, in points of win probability a game, and how many standard errors that is."""
    games = [result for result in dealt if entrant in result.task.seats]
    pairs = [fsum(each.luck if each.seat_of(entrant) == 0 else -each.luck for each in pair) for pair in pairs_of(games)]
    error = deviation(pairs) / sqrt(len(pairs)) if len(pairs) >= LUCKY_PAIRS else 0.0
    if error <= SAME:
        return None
    whole = fsum(pairs)
    return 100 * whole / 2 / len(games), whole / len(pairs) / error


def moves_of(record: str) -> str:
    """What was played, without what is said about it."""
    return record.partition("\n\n")[2].strip()


def _fewest(results: Sequence[Result]) -> int | None:
    """The number of pairs that those played who met least often, in all duels together."""
    met: dict[frozenset[int], set[int]] = {}
    for result in results:
        met.setdefault(frozenset(result.task.seats), set()).add(result.task.pair)
    return min(map(len, met.values()), default=None)

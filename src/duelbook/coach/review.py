"""A recorded game weighed: every decision with what it lost, and the result as a sum of luck and skill."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum
from typing import NamedTuple

from duelbook.coach.decision import Decision, decision
from duelbook.coach.odds import Odds, odds_at
from duelbook.coach.reasons import Reason, reason
from duelbook.coach.scales import Weighed, weigh_game
from duelbook.coach.words import MARKS, SAME, mark
from duelbook.core import BOTH, LUCK, DuelError, of_kind
from duelbook.intervals import Estimate, part
from duelbook.match import Match
from duelbook.positions.target import end_value
from duelbook.record import Record, move_text
from duelbook.solving.library import solution_at
from duelbook.solving.solution import Solution
from duelbook.speech import quote

ENOUGH = 20
"""Games, before an average gets an interval: a few say little, and it would look surer than it is."""


class Accounting(NamedTuple):
    """A result as a sum, in Player 1's values: every term but the last adds up to the last."""

    start: float
    luck: float
    player1: float
    """What Player 1's decisions gave away: 0 or less."""
    player2: float
    """What Player 2's decisions gave away: 0 or more."""
    guess: float
    ended: float
    """What an end from outside the rules did: a resignation, a fault, or the bell."""
    result: float


class Review(NamedTuple):
    record: Record
    decisions: tuple[Decision, ...]
    accounting: Accounting
    curve: tuple[float, ...]
    """The value for Player 1 at the start and after every turn; where the game was cut short, the result last."""
    waiting: tuple[str, float] | None
    """Cards that were drawn but not played when the record ends, and what they did for the player who drew them."""
    solution: Solution
    """What everything here was weighed by."""
    odds: Odds | None = None
    """The chances between those who met, where they are at hand."""
    met: tuple[float, ...] = ()
    """And by these Player 1's chance at the start and after every turn."""

    @property
    def match(self) -> Match:
        return self.record.match

    def why(self, decision: Decision) -> Reason:
        """What shows that a decision was a slip: asked for those that are shown, for it takes a while."""
        game, rules = self.match.game, self.match.rules
        state, move = game.read_position(rules, decision.position), game.dialogue.words(rules).index(decision.move)
        against = "" if decision.lost_here is None or self.odds is None else self.odds.label
        return reason(self.solution, state, decision.seat, move, against)

    @property
    def unfinished(self) -> bool:
        return self.match.outcome is None

    @property
    def ends_apart(self) -> bool:
        """Whether the last value of the curve is no turn's, but comes from what cut the game short."""
        return len(self.curve) > 1 + sum(step.turn != LUCK for step in self.match.steps)

    @property
    def cut_short(self) -> str:
        """What ended the game from outside the rules: the bell, a resignation, a fault. Nothing if nothing did."""
        outcome = self.match.outcome
        if outcome is None or outcome.kind == "rules":
            return ""
        return f"the {outcome.kind}"


def review(record: Record) -> Review:
    """Weigh a game. Raises DuelError where its duel, or the position it starts from, cannot be solved."""
    if not isinstance(record, Record):
        raise DuelError(f"A review is of a Record, as read_records and reads give them; {quote(str(record))} is none.")
    match = record.match
    solution = solution_at(match.game, match.rules, match.start)
    weights = weigh_game(solution, match)
    last = result = solution.value(match.state)
    if match.outcome is not None:
        result = 0.0 if match.outcome.winner is None else float(end_value(match.outcome.winner))
    sums = Accounting(
        solution.value(match.start),
        fsum(weight.luck for weight in weights),
        0.0 - fsum(weight.lost[0] for weight in weights),
        fsum(weight.lost[1] for weight in weights),
        fsum(weight.guess for weight in weights),
        result - last,
        result,
    )
    odds = odds_at(solution, record.seats, match.start, match.max_turns)
    decisions, waiting = _decisions(match, solution, weights, odds)
    curve = [weight.after for step, weight in zip(match.steps, weights, strict=True) if step.turn != LUCK]
    cut = [result] if result != last else []
    afters = [*(step.before for step in match.steps), match.state][1:]
    states = [after for step, after in zip(match.steps, afters, strict=True) if step.turn != LUCK]
    met = tuple(odds.wins(state, 0) for state in (match.start, *states)) if odds is not None else ()
    return Review(record, tuple(decisions), sums, (sums.start, *curve, *cut), waiting, solution, odds, met)


def _decisions(
    match: Match, solution: Solution, weights: Sequence[Weighed], odds: Odds | None
) -> tuple[list[Decision], tuple[str, float] | None]:
    found: list[Decision] = []
    turn, cards, luck = 1, "", 0.0
    for step, weight in zip(match.steps, weights, strict=True):
        if step.turn == LUCK:
            cards += move_text(match, step.turn, step.play)
            luck += weight.luck
            continue
        seats = (0, 1) if step.turn == BOTH else (step.turn,)
        told = [decision(match, step, weight, seat, solution, odds) for seat in seats]
        found += [
            each._replace(turn=turn, cards=cards, luck=(1 if each.seat == 0 else -1) * luck / 2 + 0.0) for each in told
        ]
        turn, cards, luck = turn + 1, "", 0.0
    sign = 1 if match.next_seat() == 0 else -1
    return found, (cards, sign * luck / 2) if cards else None


# Several games together


class Average(NamedTuple):
    """What a player loses per decision, in win probability."""

    name: str
    games: int
    decisions: int
    mean: float
    interval: Estimate | None
    """The mean with the interval that holds the truth 95 times out of 100; None where that cannot be said."""
    marks: dict[str, int]
    already_lost: int
    """So many of the decisions could not give anything away: the game was lost before them."""
    mean_here: float | None = None
    """What a decision lost against those very opponents, on average of all of which that is known; None of none."""


def averages(reviews: Iterable[Review]) -> list[Average]:
    """Every player's average loss, by name, in the order in which they turn up."""
    made: dict[str, list[list[Decision]]] = {}
    for each in of_kind(reviews, Iterable, "Averages are of a list of reviews, as in [review(record)]"):
        of_kind(each, Review, "Averages are of reviews, as review(record) gives them")
        names = each.match.names
        for name in dict.fromkeys(names):
            decisions = [decision for decision in each.decisions if names[decision.seat] == name]
            made.setdefault(name, []).append(decisions)
    return [_average(name, games) for name, games in made.items()]


def _average(name: str, made: Sequence[Sequence[Decision]]) -> Average:
    games = [[decision.lost for decision in game] for game in made]
    losses = [lost for game in games for lost in game]
    already_lost = sum(decision.already_lost for game in made for decision in game)
    marked = [mark(each) for each in losses]
    marks = {word: marked.count(word) for _, word in MARKS}
    mean = fsum(losses) / len(losses) if losses else 0.0
    here = [decision.lost_here for game in made for decision in game if decision.lost_here is not None]
    mean_here = fsum(here) / len(here) if here else None
    return Average(name, len(games), len(losses), mean, interval(games), marks, already_lost, mean_here)


def interval(games: Sequence[Sequence[float]]) -> Estimate | None:
    """The average of what decisions lost with its 95 % interval; None where that cannot be said.

    Decisions of one game go together: who made a blunder has less left to lose, and who plays badly today does so more
    than once. So it is games that are compared. Where nothing was lost at all there is nothing to compare.
    """
    decided = [game for game in games if game]
    sums, counts = [fsum(game) for game in decided], [float(len(game)) for game in decided]
    found = part(sums, counts) if len(decided) >= ENOUGH else None
    return found if found is not None and found.value > SAME else None

"""The second number: the exact chance between those who sit here, beside the value under perfect play.

A value says how a game goes if both sides play perfectly from now on. Against an opponent who does not, that misleads:
a position can be lost in theory and nearly won in fact. Where the opponent is a table, as a level is, the chance is
known exactly. A person is taken to follow the perfect plan from here on; a program plays as it does.
"""

from __future__ import annotations

from functools import lru_cache
from math import fsum

from duelbook.coach.words import SAME, chance, percent
from duelbook.core import BOTH, DuelError, SomeState
from duelbook.match import BELL
from duelbook.players import HUMAN, check_kind
from duelbook.policies.chance_table import ChanceTable, Turned, at_hand, worked_out
from duelbook.policies.chances import Chances, Kinds, TooMany
from duelbook.policies.characters import CHARACTERS
from duelbook.policies.levels import TABULAR
from duelbook.policies.plans import plan_by
from duelbook.solving.solution import Solution

PERFECT = "perfect"


def meeting(seats: tuple[str, str], bell: int = BELL) -> Kinds | None:
    """Whose plans are followed beside a game; None where there is no second number to show.

    Of two perfect players there is one number, their value. And the chances count on the usual bell: where another one
    rings they would not be true.
    """
    kinds = _plans(seats)
    return None if kinds == (PERFECT, PERFECT) or bell != BELL else kinds


def _plans(seats: tuple[str, str]) -> Kinds | None:
    """As whom these two play; None where nobody knows somebody's plans."""
    one, two = (PERFECT if kind == HUMAN else kind for kind in seats)
    return (one, two) if one in TABULAR and two in TABULAR else None


def label(seats: tuple[str, str]) -> str:
    """What the second number is: `Against level 3`, `Between these two`."""
    return f"Against {spoken(seats[1 - seats.index(HUMAN)])}" if HUMAN in seats else "Between these two"


def to_come(seats: tuple[str, str]) -> str:
    """`You against level 3: being worked out`, in the place of the number."""
    return f"{f'You {label(seats).lower()}' if HUMAN in seats else label(seats)}: being worked out"


class Odds:
    """The chances of those who sit in these seats, from a position on and from all that can follow it."""

    def __init__(self, seats: tuple[str, str], chances: Chances | ChanceTable | Turned) -> None:
        self.seats, self.chances = seats, chances
        self.alone = HUMAN in seats
        """Whether a person meets a program; otherwise two programs meet."""
        self.whose = seats.index(HUMAN) if self.alone else 0
        """The seat whose chance is told: the person's, and of two programs the first one's."""
        self.label = label(seats)

    @property
    def heading(self) -> str:
        """The same above a column."""
        return f"vs {spoken(self.seats[1 - self.whose])}" if self.alone else "These two"

    def wins(self, state: SomeState, seat: int) -> float:
        one = self.chances.player1(state)
        return one if seat == 0 else 1 - one

    def lost(self, solution: Solution, state: SomeState, seat: int, move: int) -> float | None:
        """What a person's move costs against this opponent; None of a program, which only plays as it does.

        It is the chance before it less the chance after it. Where both pick at once the other picks as they do, so
        that nobody is blamed for a guess. What a perfect player might play costs nothing, even of several picks at
        random one that does less well here: it is the lot that is advised.
        """
        if not self.alone or seat != self.whose:
            return None
        if solution.plan(state, seat)[move] > 0:
            return 0.0
        game, rules = solution.game, solution.rules
        if game.turn(rules, state) == BOTH:
            plan = plan_by(self.seats[1 - seat], solution, state, 1 - seat)
            pairs = [((move, pick) if seat == 0 else (pick, move), share) for pick, share in enumerate(plan) if share]
            left = fsum(share * self.wins(game.resolve(rules, state, *pair), seat) for pair, share in pairs)
        else:
            left = self.wins(game.apply(rules, state, move), seat)
        return max(0.0, self.wins(state, seat) - left)

    def sentence(self, solution: Solution, state: SomeState) -> str:
        """Both numbers, for somebody who has been told what to play."""
        wins = chance(solution.value(state), self.whose), self.wins(state, self.whose)
        here, there = map(percent, wins)
        half = any(SAME < each < 1 - SAME for each in wins)  # of all or nothing there is no half
        counted = "; what nobody wins counts as half" if half else ""
        verb = "scores" if half else "wins"
        if self.seats[1 - self.whose] == PERFECT:  # the value is what it comes to without a bell
            return f"In a match, with the bell after {BELL} turns, whoever plays on like this {verb} {there}{counted}."
        said = f"{here} against perfect play, and {there} {self.label.lower()}{counted}."
        return f"Whoever plays on like this {verb} {said}"

    def words(self, state: SomeState, names: tuple[str, str]) -> str:
        """`You against level 3: 71 %`, `Between these two: Player 1 71 %`."""
        shown = percent(self.wins(state, self.whose))
        return f"You {self.label.lower()}: {shown}" if self.alone else f"{self.label}: {names[self.whose]} {shown}"


def odds_at(solution: Solution, seats: tuple[str, str], start: SomeState, bell: int = BELL) -> Odds | None:
    """The odds of a game that began at this position; None where there is no second number, or it is not at hand."""
    kinds = meeting(seats, bell)
    return None if kinds is None else _soon(solution, seats, kinds, start)


def _soon(solution: Solution, seats: tuple[str, str], kinds: Kinds, start: SomeState) -> Odds | None:
    try:
        return Odds(seats, _chances(solution, kinds, start))
    except TooMany:
        found = at_hand(solution, kinds)
        return None if found is None else Odds(seats, found)


@lru_cache(maxsize=16)
def _chances(solution: Solution, kinds: Kinds, start: SomeState) -> Chances:
    """Many games of the same two are often reviewed together."""
    return Chances(solution, kinds, start)


def work_out(solution: Solution, seats: tuple[str, str]) -> Odds | None:
    """The odds of a large duel, which take a while where nobody has asked for them before; then they are kept."""
    kinds = meeting(seats)
    found = None if kinds is None else worked_out(solution, kinds)
    return None if found is None else Odds(seats, found)


def odds_against(solution: Solution, kind: str, seat: int, state: SomeState) -> Odds:
    """The odds of whoever sits in this seat against that opponent, however long it takes to find them."""
    kind = check_kind(kind)
    seats = (HUMAN, kind) if seat == 0 else (kind, HUMAN)
    kinds = _plans(seats)
    if kinds is None:
        there = ", ".join(TABULAR)
        raise DuelError(
            f"There is no second number against {spoken(kind)}: nobody knows its plans. There is one against {there}."
        )
    soon = _soon(solution, seats, kinds, state)
    if soon is not None:
        return soon
    table = worked_out(solution, kinds)
    if table is None:
        name = solution.game.name
        raise DuelError(f"{name} is too large under these rules to work out the chance against {spoken(kind)}.")
    return Odds(seats, table)


def spoken(kind: str) -> str:
    """`level 3`, `the brawler`."""
    return f"the {kind}" if kind in CHARACTERS else kind.replace(":", " ")

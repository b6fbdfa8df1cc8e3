"""The exact chance between two players from any position on: an absorbing Markov chain, solved backwards.

The ladder carries chances forward, from the start to every end. Here they go the other way, from the ends to every
position at once: at the bell nobody has won, which counts as half; a turn before it a position is worth what the
positions after it are, each by how likely the two players go there; and so on, turn by turn. At the start both ways
must come to the same number, and at every other position this one is what a match that begins there would score.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from duelbook.core import BOTH, LUCK, OVER, SomeState
from duelbook.match import BELL
from duelbook.policies.plans import plan_by
from duelbook.positions.target import end_value
from duelbook.solving.solution import Solution

MOST_POSITIONS = 10_000
"""A duel with more of them is not even begun here."""
MOST_WAYS = 40_000
"""Up to so many ways from all positions together are followed in plain Python, in a second or so."""
STILL = 1e-15
"""When no chance changes by more than this from one turn to the next, none will change any more."""
WHOLE = 65534
"""In a table a chance is kept in so many parts, and one more, since 0 stands where there is no position."""

Kinds = tuple[str, str]
"""Who sits in the first seat and in the second: players that are tables."""
Ways = list[tuple[float, int]]
"""How likely each way on is, and the place it leads to: see `Chances`."""


class TooMany(Exception):
    """More positions than plain Python goes through while somebody waits."""


class Chances:
    """Player 1's wins and half of what nobody wins, from these positions on and from all that can follow them."""

    def __init__(self, solution: Solution, kinds: Kinds, *starts: SomeState) -> None:
        """Raises TooMany where that cannot be found soon."""
        if solution.states > MOST_POSITIONS:
            raise TooMany
        self._solution, self._kinds = solution, kinds
        self._places: dict[SomeState, int] = {}
        """Of all positions at which somebody decides, and of ends."""
        self._states: list[SomeState] = []
        for start in starts:
            self._met(start)
        ways, count = list[Ways](), 0
        for state in self._states:  # grows while it is walked
            on = [way for share, after in self._decided(state) for way in self._met(after, share)]
            count += len(on)
            if count > MOST_WAYS:
                raise TooMany
            ways.append([way for way in on if way[0]])
        self._found = _backwards(ways, [self._at_the_bell(state) for state in self._states])

    def player1(self, state: SomeState) -> float:
        return sum(share * self._found[place] for share, place in self._met(state))

    def _decided(self, state: SomeState) -> Iterator[tuple[float, SomeState]]:
        """Where a decision can lead, and how likely that is: what neither of the two would do has no chance, but who
        plays in their place may do it. Nothing where the game is over."""
        game, rules = self._solution.game, self._solution.rules
        turn = game.turn(rules, state)
        if turn == BOTH:
            one, two = (self._plan(state, seat) for seat in (0, 1))
            for first, second in product(*(game.legal_moves(rules, state, seat) for seat in (0, 1))):
                yield one[first] * two[second], game.resolve(rules, state, first, second)
        elif turn != OVER:
            plan = self._plan(state, turn)
            for move in game.legal_moves(rules, state, turn):
                yield plan[move], game.apply(rules, state, move)

    def _plan(self, state: SomeState, seat: int) -> tuple[float, ...]:
        return plan_by(self._kinds[seat], self._solution, state, seat)

    def _met(self, state: SomeState, share: float = 1.0) -> Ways:
        """The place of a position, or of all those that luck can make of it before anybody decides."""
        game, rules = self._solution.game, self._solution.rules
        if game.turn(rules, state) != LUCK:
            place = self._places.setdefault(state, len(self._states))
            if place == len(self._states):
                self._states.append(state)
            return [(share, place)]
        odds = {face: game.odds(rules, state, face) for face in game.faces}
        part = share / sum(odds.values())
        dealt = [(weight * part, game.deal(rules, state, face)) for face, weight in odds.items() if weight]
        return [way for each, after in dealt for way in self._met(after, each)]

    def _at_the_bell(self, state: SomeState) -> float:
        game, rules = self._solution.game, self._solution.rules
        return (1 + end_value(game.winner(rules, state))) / 2 if game.turn(rules, state) == OVER else 0.5


def _backwards(ways: list[Ways], found: list[float]) -> list[float]:
    """From what every place scores at the bell to what it scores so many turns before."""
    for _turn in range(BELL):
        before = [
            sum([share * found[place] for share, place in on]) if on else score  # an end stays what it is
            for on, score in zip(ways, found, strict=True)
        ]
        moved = max(abs(now - then) for now, then in zip(before, found, strict=True))
        found = before
        if moved < STILL:
            break
    return found

"""What the numbers of a duel's positions can be, found without going to every position.

For each number of a state, the least and the greatest it can be are looked for by going on, again and again, from
the position at which it is least or greatest so far (best-first search), until that brings nothing more for a long
while. It takes about a second where the positions are millions. What is found is the layout of a table, and from it
how large the table will be. That a layout holds every position is for whoever fills the table to see.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from typing import Any, NamedTuple

from duelbook.core import BOTH, LUCK, OVER, DuelError, Game, SomeRules, SomeState
from duelbook.positions.graph import mirrors, seat_swap
from duelbook.positions.layout import Layout, flatten, layout_of
from duelbook.positions.rule_code import rules_key

IDLE_STEPS = 2_000
"""After so many positions that are no further out than the last one a search is over."""
FARTHEST = 1_000_000
"""A search that comes as far as this finds numbers without end."""


class Hull(NamedTuple):
    """A layout for every position that was followed, and whether the duel can be turned round the table."""

    layout: Layout
    turns_round: bool
    branching: float = 1.0
    """To about how many positions one leads."""

    @property
    def positions(self) -> int:
        """About how many positions there can be, at most, mirrors counted once."""
        return (self.layout.size + 1) // 2 if self.turns_round else self.layout.size


def following(game: Game, rules: SomeRules, state: SomeState, *, fouls: bool = False) -> Iterator[Any]:
    """Every position that one step can lead to; with `fouls` also what is played against the rules and counts."""
    turn = game.turn(rules, state)

    def moves(seat: int) -> list[int]:
        found = game.legal_moves(rules, state, seat)
        return found + [move for move in game.moves if fouls and game.foul(rules, state, seat, move)]

    if turn == LUCK:
        yield from (game.deal(rules, state, face) for face in game.faces if game.odds(rules, state, face) > 0)
    elif turn == BOTH:
        seconds = moves(1)
        for one in moves(0):
            yield from (game.resolve(rules, state, one, two) for two in seconds)
    elif turn != OVER:
        yield from (game.apply(rules, state, move) for move in moves(turn))


_known: dict[str, Hull] = {}


def hull(game: Game, rules: SomeRules, roots: Iterable[Any] = ()) -> Hull:
    """The layout of the positions that follow from the start or from `roots`."""
    roots = tuple(roots)
    if roots:
        return _hull(game, rules, roots)
    key = rules_key(game, rules)
    if key not in _known:
        _known[key] = _hull(game, rules, roots)
    return _known[key]


_extents: dict[str, Layout] = {}


def extent(game: Game, rules: SomeRules) -> Layout:
    """What each number of a state can be wherever play from the start can come, ends among them.

    It is looked for as the hull is, and has more room: a table needs no place for an end, an observation does.
    """
    key = rules_key(game, rules)
    if key not in _extents:
        seen = dict.fromkeys([game.start(rules, 0), game.start(rules, 1)])
        for place in range(len(flatten(game.start(rules, 0)))):
            for sign in (1, -1):
                going_on = [state for state in seen if game.turn(rules, state) != OVER]
                seen |= dict.fromkeys(_outwards(game, rules, going_on, place, sign, ends=True))
        _extents[key] = layout_of(seen)
    return _extents[key]


def _hull(game: Game, rules: SomeRules, roots: tuple[Any, ...]) -> Hull:
    swap = seat_swap(game, rules)
    seen = dict.fromkeys([game.start(rules, 0), game.start(rules, 1), *roots])
    for place in range(len(flatten(game.start(rules, 0)))):
        for sign in (1, -1):
            seen |= dict.fromkeys(_outwards(game, rules, list(seen), place, sign))
    found = list(seen)
    some = found[:: len(found) // 500 + 1]
    branching = sum(1 for state in some for _ in following(game, rules, state)) / len(some)
    if swap is None or not all(mirrors(game, rules, state, swap.mirror) for state in some):
        return Hull(layout_of(found), False, branching)
    return Hull(layout_of([*found, *map(swap.mirror, found)]), True, branching)


def _outwards(
    game: Game, rules: SomeRules, roots: list[Any], place: int, sign: int, *, ends: bool = False
) -> list[Any]:
    """The positions met on the way to where a number is greatest, or with the sign turned least; `ends` too, or not."""
    best = max(sign * flatten(root)[place] for root in roots)
    begin = [root for root in roots if sign * flatten(root)[place] == best]
    seen = set(begin)
    waiting = [(-best, order, root) for order, root in enumerate(begin)]
    met, idle = begin, 0
    while waiting and idle < IDLE_STEPS:
        for after in following(game, rules, heappop(waiting)[2], fouls=ends):
            idle += 1
            if after in seen or (game.turn(rules, after) == OVER and not ends):
                continue
            seen.add(after)
            met.append(after)
            reached = sign * flatten(after)[place]
            if reached > best:
                best, idle = reached, 0
                if abs(reached) > FARTHEST:
                    raise DuelError(f"{game.name} has positions without end under these rules: it cannot be solved.")
            heappush(waiting, (-reached, len(met), after))
    return met

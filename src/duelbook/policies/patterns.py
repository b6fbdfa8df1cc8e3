"""What becomes of those who play without looking: one move again and again, or two moves by turns.

A pattern makes the move that is due; where that is not legal it makes its other move, and where neither is legal any
move at all, each as likely as the next. How it fares against every rung is computed as the ladder is, in both seats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from os import cpu_count
from typing import TYPE_CHECKING, Any, NamedTuple

from duelbook.beside import side_by_side
from duelbook.core import Game
from duelbook.policies.forward_picks import AtOnce
from duelbook.policies.forward_turns import Alone
from duelbook.policies.ladder import laid_out
from duelbook.policies.levels import PERFECT, RUNGS
from duelbook.policies.meeting import DIGITS, Meeting
from duelbook.policies.table_plans import table_plan
from duelbook.positions.machine import Machine
from duelbook.positions.numbers import floats

if TYPE_CHECKING:
    from duelbook.positions.numbers import Numbers, Room

Pattern = tuple[int, int]
"""The move that is made first and the one that is made by turns with it, which may be the same."""


class Fared(NamedTuple):
    """How a pattern fares against a rung, half of the matches in each seat."""

    wins: float
    losses: float

    @property
    def score(self) -> float:
        """Wins, and half of what nobody wins."""
        return (1 + self.wins - self.losses) / 2


Patterns = dict[Pattern, dict[str, Fared]]


def patterns(game: Game, rules: object, tell: Callable[[int, int], None] = lambda done, of: None) -> Patterns:
    """Every pattern against every rung. `tell` hears how many are done, of how many."""
    table, machine = laid_out(game, rules)
    tried = tried_on(table, machine)
    rungs = {kind: table_plan(table, machine, game, kind) for kind in RUNGS}
    found: Patterns = {}
    with side_by_side(cpu_count() if machine.compiled else 1) as pool:
        for pattern, fared in zip(
            tried.everyone, pool.map(lambda each: tried.against(each, rungs), tried.everyone), strict=True
        ):
            found[pattern] = fared
            tell(len(found), len(tried.everyone))
    return found


class Tried(NamedTuple):
    """A duel laid out, on which patterns are tried."""

    table: Alone | AtOnce
    machine: Machine
    everyone: list[Pattern]

    def against(self, pattern: Pattern, rungs: Mapping[str, Any]) -> dict[str, Fared]:
        """How a pattern fares against players with these plans."""
        meet: Callable[[Any, Any], Meeting] = self.table.alternating(self.machine)
        due, other = (_plan(self.table, self.machine, *moves) for moves in (pattern, pattern[::-1]))
        return {kind: _fared(meet, self.table.even, due, other, plan) for kind, plan in rungs.items()}


def tried_on(table: Alone | AtOnce, machine: Machine) -> Tried:
    moves = _made(table)
    return Tried(table, machine, list(product(moves, moves)))


def beating(tried: Tried, rungs: Mapping[str, Any], kind: str) -> Iterator[Pattern]:
    """The patterns that beat one of these players; perfect is among them."""
    for pattern in tried.everyone:
        if beats(tried.against(pattern, rungs), kind):
            yield pattern


def _fared(meet: Callable[[Any, Any], Meeting], even: bool, due: Any, other: Any, rung: Any) -> Fared:
    first = meet((due, rung), (other, rung))
    second = first.turned() if even else meet((rung, due), (rung, other))
    return Fared(round((first.win + second.loss) / 2, DIGITS), round((first.loss + second.win) / 2, DIGITS))


def best_itself(fared: Mapping[str, Fared]) -> bool:
    """Whether a pattern is best play itself: perfect is no better."""
    return fared[PERFECT].score >= 0.5 - 1e-9


def beats(fared: Mapping[str, Fared], kind: str) -> bool:
    """Whether a pattern wins more than half of its matches against a rung without being best play."""
    return fared[kind].wins > 0.5 and not best_itself(fared)


def _made(table: Alone | AtOnce) -> list[int]:
    """The moves that can ever be made."""
    if isinstance(table, Alone):
        return sorted({int(table.moves[edge]) for edge in range(len(table.moves))} - {-1})
    anything = table.anything[0]
    return sorted({place % table.picks for place in range(len(anything)) if anything[place] > 0})


def _plan(table: Alone | AtOnce, machine: Machine, due: int, other: int) -> Any:
    """What a pattern does at every position when this move is due."""
    follow = machine.twin(_follow)
    if isinstance(table, Alone):
        return follow(table.starts, table.moves, table.plan(machine, None), due, other)
    starts, picks = table.starts(machine), table.picks_of(machine)
    first, second = (follow(starts, picks, anything, due, other) for anything in table.anything)
    return first, second


def _follow(starts: Numbers[int], moves: Numbers[int], anything: Numbers[float], due: int, other: int) -> Room[float]:
    """The move that is due, or else the other, or else anything."""
    found: Room[float] = floats(len(anything), 0.0)
    for node in range(len(starts) - 1):
        made = -1
        for edge in range(starts[node], starts[node + 1]):
            if anything[edge] > 0.0 and moves[edge] == other and made == -1:
                made = edge
        for edge in range(starts[node], starts[node + 1]):
            if anything[edge] > 0.0 and moves[edge] == due:
                made = edge
        for edge in range(starts[node], starts[node + 1]):
            found[edge] = anything[edge] if made == -1 else 1.0 if edge == made else 0.0
    return found

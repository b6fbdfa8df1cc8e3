"""Duels with luck, solved by iteration from both sides: value iteration, with a lower and an upper bound.

Every position starts with what either seat can be sure of: -1, as if all that is not over were lost. Each sweep plays
one more turn in front of that, so it stays true and only grows. What the second seat is sure of bounds the first from
above; when the two bounds are closer than asked for, the value lies between them: the distance is the stated error.
Positions far from the start are swept first, so that one sweep carries what it learns through a whole deck.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from duelbook.core import Game, SomeRules
from duelbook.positions.branches import Branches, explore_branches
from duelbook.positions.machine import Machine, compiling
from duelbook.positions.numbers import floats
from duelbook.positions.size import there_is_a_compiler

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

CLOSE = 2e-13
"""How close the bounds come before the sweeps stop."""
MANY_EDGES = 4_000_000
"""After so many in plain Python a compiler takes over, if there is one."""


class Bounds(NamedTuple):
    sure: Array
    """What a seat is sure of: at 2 * node the first, behind it the second; so at a target the first, and what it is in
    the other seat is at `target ^ 1`. The ends are at the end: -1 won, -2 lost, -3 and -4 drawn."""
    gap: float
    """No two bounds are further apart, neither at a node nor where a seat chooses behind one."""
    sweeps: int


def nothing_known(nodes: int) -> Array:
    sure: Array = floats(2 * nodes + 4, -1.0)
    sure[-1], sure[-3], sure[-4] = 1.0, 0.0, 0.0
    return sure


def sweep(
    firsts: Array, starts: Array, weights: Array, choosers: Array, widths: Array, targets: Array, sure: Array
) -> tuple[float, bool]:
    """One more turn in front of every bound, the last nodes first.

    How far apart the bounds still are comes back, and whether any of them moved.
    """
    gap, moved = 0.0, False
    for node in range(len(firsts) - 2, -1, -1):
        one, two, total, edge = 0.0, 0.0, 0, starts[node]
        for branch in range(firsts[node], firsts[node + 1]):
            hero = 1 if choosers[branch] == 1 else 0
            mine, theirs = sure[targets[edge] ^ hero], sure[targets[edge] ^ hero ^ 1]
            for other in range(edge + 1, edge + widths[branch]):
                mine = max(mine, sure[targets[other] ^ hero])
                theirs = min(theirs, sure[targets[other] ^ hero ^ 1])
            gap = max(gap, -mine - theirs)
            edge += widths[branch]
            total += weights[branch]
            one += weights[branch] * (mine if hero == 0 else theirs)
            two += weights[branch] * (theirs if hero == 0 else mine)
        one, two = one / total, two / total
        if one > sure[2 * node] or two > sure[2 * node + 1]:
            sure[2 * node], sure[2 * node + 1] = max(sure[2 * node], one), max(sure[2 * node + 1], two)
            moved = True
        gap = max(gap, -sure[2 * node] - sure[2 * node + 1])
    return gap, moved


def sweep_pairs(firsts: Array, targets: Array, hero: int, sure: Array) -> tuple[float, bool]:
    """The same where all branches are alike (see `Branches.in_pairs`), in half the time."""
    gap, moved = 0.0, False
    for node in range(len(firsts) - 2, -1, -1):
        one, two, first, last = 0.0, 0.0, firsts[node], firsts[node + 1]
        for edge in range(2 * first, 2 * last, 2):
            left, right = targets[edge] ^ hero, targets[edge + 1] ^ hero
            mine, theirs = max(sure[left], sure[right]), min(sure[left ^ 1], sure[right ^ 1])
            gap = max(gap, -mine - theirs)
            one += mine
            two += theirs
        one, two, here = one / (last - first), two / (last - first), 2 * node + hero
        if one > sure[here] or two > sure[here ^ 1]:
            sure[here], sure[here ^ 1] = max(sure[here], one), max(sure[here ^ 1], two)
            moved = True
        gap = max(gap, -sure[here] - sure[here ^ 1])
    return gap, moved


def solve_luck(
    game: Game, rules: SomeRules, machine: Machine, next_step: Callable[[], None] = lambda: None
) -> tuple[Branches, Bounds]:
    next_step()
    positions = explore_branches(game, rules, machine)
    next_step()
    one_more: Callable[..., tuple[float, bool]] = sweep
    ways: tuple[Array | int, ...] = positions.ways
    if positions.in_pairs:
        one_more, ways = sweep_pairs, positions.pairs
    sure = machine.twin(nothing_known)(len(positions.numbers))
    gap, moved, sweeps = 2.0, True, 0
    while gap > CLOSE and moved:
        if not machine.compiled and sweeps * len(positions.targets) > MANY_EDGES and there_is_a_compiler():
            # How many sweeps it takes shows only now: small decks take many.
            machine = compiling()
            ways = tuple(column if isinstance(column, int) else machine.array(column) for column in ways)
            sure = machine.array(array("d", sure))
        gap, moved = machine.twin(one_more)(*ways, sure)
        sweeps += 1
    return positions, Bounds(sure, gap, sweeps)

"""How tempting a mistake is: what the levels of the ladder are made of.

A player who is not perfect sees the best moves and is tempted by others. How tempting a move is depends on how it
looks: mostly as the eye sees it, with a share of the truth. What looks as good as the best is as tempting as can be,
and what looks worse is so much less likely, by a factor for every step in log-odds: small mistakes are common, and
throwing the game away is rare. A move without any effect tempts nobody while others have one, and one that lets the
other side win at once has a warning of its own: `alarm`.

A level is the perfect plan and these temptations, so many of them to one of that: `mixed`. All functions are written
over plain numbers: a player asks them about one position, and the ladder, compiled, about millions.
"""

from __future__ import annotations

from array import array
from math import exp, log
from typing import TYPE_CHECKING

from duelbook.positions.machine import Machine

if TYPE_CHECKING:
    from duelbook.positions.numbers import Numbers, Room

SIGHT = 0.15
"""How much of the truth is in how a move looks; the rest is the eye's."""
KEENNESS = 1.4
"""How much less likely a mistake is for looking worse: by the factor e to this for each unit of log-odds."""
STEPS = 4
"""Log-odds are told apart in so many steps for each unit."""
FARTHEST = 32
"""What looks worse by so many steps looks as bad as anything."""
NEARLY = 1 - 2e-5
"""What looks better than this looks won."""
APART = 6.0
"""Where both pick at once, the best and the worst pick look at least so far apart, and the others between them: one
round of many changes the chances little, and yet everybody sees which picks are better."""
MODEL = (SIGHT, KEENNESS, STEPS, FARTHEST, APART)
"""All that temptations depend on, besides the duel: tables that were computed from others do not hold."""
LIKELY = tuple(exp(-KEENNESS * step / STEPS) for step in range(FARTHEST + 1))
"""By how many steps a mistake looks worse how likely it is."""


def look(had: float, lost: float, seen: float) -> float:
    """How a move looks, in log-odds: what the seat had, the win probability that the move loses, what the eye sees."""
    shown = SIGHT * (had - 2 * lost) + (1 - SIGHT) * seen
    shown = min(max(shown, -NEARLY), NEARLY)
    return log((1 + shown) / (1 - shown))


def tempt(
    looks: Numbers[float],
    perfect: Numbers[float],
    able: Numbers[bool],
    begin: int,
    end: int,
    apart: float,
    found: Room[float],
) -> None:
    """How likely each move from `begin` to `end` is among the mistakes there; 0 for a move that is none.

    `perfect` is how likely the perfect player makes each, `able` which of them can be made and have an effect. The best
    and the worst look of them are at least `apart`.
    """
    best, top, bottom, mistakes = -1e9, -1e9, 1e9, 0
    for move in range(begin, end):
        if perfect[move] > 0.0:
            best = max(best, looks[move])
        elif able[move]:
            mistakes += 1
        if able[move] or perfect[move] > 0.0:
            top, bottom = max(top, looks[move]), min(bottom, looks[move])
    wider = max(1.0, apart / (top - bottom)) if top > bottom else 1.0
    for move in range(begin, end):
        found[move] = 0.0
        if able[move] and perfect[move] == 0.0:
            step = min(int(STEPS * wider * max(best - looks[move], 0.0) + 0.5), FARTHEST)
            found[move] = LIKELY[step] / mistakes


def mix(
    perfect: Numbers[float], tempting: Numbers[float], begin: int, end: int, mistakes: float, plan: Room[float]
) -> None:
    """A player's plan: so many temptations to one perfect move."""
    total = 0.0
    for move in range(begin, end):
        plan[move] = perfect[move] + mistakes * tempting[move]
        total += plan[move]
    if total > 0.0:  # luck has no plan
        for move in range(begin, end):
            plan[move] /= total


def plans(
    machine: Machine, starts: Numbers[int], perfect: Numbers[float], tempting: Numbers[float], mistakes: float | None
) -> Numbers[float]:
    """The plans of a rung at all nodes, their moves side by side; None for any move, each as likely as the next."""
    found = machine.array(array("d", bytes(8 * len(perfect))))
    if mistakes is None:
        machine.twin(_any_moves)(starts, found)
    else:
        machine.twin(_mixes)(starts, perfect, tempting, mistakes, found)
    return found  # type: ignore[no-any-return]  # an array of the machine's


def _any_moves(starts: Numbers[int], found: Room[float]) -> None:
    for node in range(len(starts) - 1):
        for move in range(starts[node], starts[node + 1]):
            found[move] = 1.0 / (starts[node + 1] - starts[node])


def _mixes(
    starts: Numbers[int], perfect: Numbers[float], tempting: Numbers[float], mistakes: float, found: Room[float]
) -> None:
    for node in range(len(starts) - 1):
        mix(perfect, tempting, starts[node], starts[node + 1], mistakes, found)

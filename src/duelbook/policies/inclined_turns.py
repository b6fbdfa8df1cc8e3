"""The plans of characters at all positions of a duel in which one acts at a time; see `inclination`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duelbook.core import DRAW, LUCK
from duelbook.policies.inclination import Foreseen, incline
from duelbook.positions.numbers import floats
from duelbook.positions.target import value_at

if TYPE_CHECKING:
    from duelbook.policies.forward_turns import Alone
    from duelbook.positions.numbers import Numbers, Room

MEAN, SQUARE, LEAST, MOST, ONE, TWO = range(6)
"""What is foreseen at a node where any decision is as likely as the next, from the view of Player 1: how what follows
looks on average, squared, at its worst and at its best, and what the two seats have then."""
FACTS = 6


def inclined_turns(table: Alone, style: int) -> Room[float]:
    """For each edge of a decision how likely a character of this style takes it."""
    ahead = _ahead(table)
    plan = floats(len(table.targets), 0.0)
    widest = 1
    for node in range(len(table.kinds)):
        widest = max(widest, table.starts[node + 1] - table.starts[node])
    mean, square, least = floats(widest, 0.0), floats(widest, 0.0), floats(widest, 0.0)
    mine, theirs, made, facts = floats(widest, 0.0), floats(widest, 0.0), floats(widest, 0.0), floats(FACTS, 0.0)
    foreseen, may = Foreseen(mean, square, least, mine, theirs), floats(widest, 0.0)
    for node in range(len(table.kinds)):
        if table.kinds[node] == LUCK:
            continue
        begin, seat = table.starts[node], table.kinds[node]
        side = 1.0 if seat == 0 else -1.0
        width = table.starts[node + 1] - begin
        for move in range(width):
            target = table.targets[begin + move]
            _look_on(target, node, table, ahead, facts)
            mean[move], square[move] = side * facts[MEAN], facts[SQUARE]
            least[move] = facts[LEAST] if seat == 0 else -facts[MOST]
            mine[move] = facts[ONE + seat]
            theirs[move] = had_at(target, node, 1 - seat, table.has)
            may[move] = 1.0 if table.able[begin + move] else 0.0
        incline(style, foreseen, may, width, False, made)
        for move in range(width):
            plan[begin + move] = made[move]
    return plan  # type: ignore[no-any-return]  # room that the machine made


def _ahead(table: Alone) -> Room[float]:
    """The facts of all nodes, side by side: at decisions first, and then wherever luck leads to them."""
    nodes = len(table.kinds)
    ahead, known, facts = floats(FACTS * nodes, 0.0), floats(nodes, 0.0), floats(FACTS, 0.0)
    for node in range(nodes):
        if table.kinds[node] != LUCK:
            known[node], at = 1.0, FACTS * node
            share = 1.0 / (table.starts[node + 1] - table.starts[node])
            ahead[at + LEAST], ahead[at + MOST] = 2.0, -2.0
            for edge in range(table.starts[node], table.starts[node + 1]):
                value = value_at(table.targets[edge], table.seen)
                _add(ahead, at, share, value, value * value, value, value)
                ahead[at + ONE] += share * had_at(table.targets[edge], node, 0, table.has)
                ahead[at + TWO] += share * had_at(table.targets[edge], node, 1, table.has)
    moved = True
    while moved:
        moved = False
        for node in range(nodes - 1, -1, -1):
            if known[node] == 0.0 and _luck_known(table, node, known):
                known[node], moved, total = 1.0, True, 0.0
                at = FACTS * node
                ahead[at + LEAST], ahead[at + MOST] = 2.0, -2.0
                for edge in range(table.starts[node], table.starts[node + 1]):
                    total += table.weights[edge]
                for edge in range(table.starts[node], table.starts[node + 1]):
                    share = table.weights[edge] / total
                    _look_on(table.targets[edge], node, table, ahead, facts)
                    _add(ahead, at, share, facts[MEAN], facts[SQUARE], facts[LEAST], facts[MOST])
                    ahead[at + ONE] += share * facts[ONE]
                    ahead[at + TWO] += share * facts[TWO]
    return ahead  # type: ignore[no-any-return]  # room that the machine made


def _add(ahead: Room[float], at: int, share: float, mean: float, square: float, least: float, most: float) -> None:
    ahead[at + MEAN] += share * mean
    ahead[at + SQUARE] += share * square
    ahead[at + LEAST] = min(ahead[at + LEAST], least)
    ahead[at + MOST] = max(ahead[at + MOST], most)


def _luck_known(table: Alone, node: int, known: Numbers[float]) -> bool:
    """Whether everything is known that luck can lead to from here."""
    for edge in range(table.starts[node], table.starts[node + 1]):
        if table.targets[edge] >= 0 and known[table.targets[edge] // 2] == 0.0:
            return False
    return True


def _look_on(target: int, before: int, table: Alone, ahead: Numbers[float], facts: Room[float]) -> None:
    """The facts at a target, from the view of Player 1 at the node before it."""
    if target < 0:
        value = value_at(target, table.seen)
        facts[MEAN], facts[SQUARE], facts[LEAST], facts[MOST] = value, value * value, value, value
        facts[ONE], facts[TWO] = had_at(target, before, 0, table.has), had_at(target, before, 1, table.has)
        return
    at, turned = FACTS * (target // 2), target % 2
    facts[MEAN], facts[SQUARE] = ahead[at + MEAN], ahead[at + SQUARE]
    facts[LEAST], facts[MOST], facts[ONE], facts[TWO] = (
        ahead[at + LEAST],
        ahead[at + MOST],
        ahead[at + ONE],
        ahead[at + TWO],
    )
    if turned == 1:  # in a mirror the seats have changed sides
        facts[MEAN], facts[LEAST], facts[MOST] = -facts[MEAN], -ahead[at + MOST], -ahead[at + LEAST]
        facts[ONE], facts[TWO] = ahead[at + TWO], ahead[at + ONE]


def had_at(target: int, before: int, seat: int, has: Numbers[float]) -> float:
    """What a seat has at a target: at an end the loser nothing, the winner what they had at the node before."""
    if target >= 0:
        return has[2 * (target // 2) + (seat ^ (target % 2))]
    winner = -1 - target
    return has[2 * before + seat] if winner in (DRAW, seat) else 0.0


def leave_out_wasted(
    kinds: Numbers[int],
    starts: Numbers[int],
    targets: Numbers[int],
    moves: Numbers[int],
    has: Numbers[float],
    about: Numbers[bool],
    able: Room[bool],
) -> None:
    """Moves that change what a seat has elsewhere, but not here, are not worth making while others are."""
    for node in range(len(kinds)):
        if kinds[node] == LUCK:
            continue
        useful = 0
        for edge in range(starts[node], starts[node + 1]):
            if able[edge] and not _wasted(targets[edge], node, about[moves[edge]], has):
                useful += 1
        for edge in range(starts[node], starts[node + 1]):
            if useful > 0 and _wasted(targets[edge], node, about[moves[edge]], has):
                able[edge] = False


def _wasted(target: int, node: int, about: bool, has: Numbers[float]) -> bool:
    if not about or target < 0:
        return False
    return had_at(target, node, 0, has) == has[2 * node] and had_at(target, node, 1, has) == has[2 * node + 1]

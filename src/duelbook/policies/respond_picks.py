"""A best response where both pick at once, against a plan that is known at every position; see `best_response`.

The places are those of the ladder's table: a node as it stands, and behind it its mirror. The hero sits in the first
seat of a node as it stands, so in its mirror the hero makes the picks of the node's second seat. What a place leads to
is not written down for every plan anew: with a hundred pairs of picks at each of a million places it would not fit.
"""

from __future__ import annotations

from duelbook.core import DRAW
from duelbook.policies.best_response import DRAWN, LOST, MOST_SWEEPS, NOWHERE, STILL, WON
from duelbook.policies.forward_picks import AtOnce, Both
from duelbook.positions.numbers import Numbers, Room, floats, ints
from duelbook.positions.target import winner_at


def respond_to_picks(table: AtOnce, plan: Both) -> tuple[Numbers[float], Numbers[int], bool]:
    """The fields of a `Response`; a choice is a pick."""
    nodes = len(table.symmetric)
    stays = _safe(table, plan)
    values, choices = floats(2 * nodes + 3, -1.0), ints(2 * nodes, NOWHERE)
    values[2 * nodes + 3 + WON], values[2 * nodes + 3 + DRAWN] = 1.0, 0.0
    for place in range(2 * nodes):
        if stays[place] != NOWHERE:
            values[place], choices[place] = 0.0, stays[place]
    sweeps, moved = 0, True
    while moved and sweeps < MOST_SWEEPS:
        sweeps, moved, begin = sweeps + 1, False, 0
        for group in range(len(table.group_ends)):
            for place in range(2 * begin, 2 * table.group_ends[group]):
                best, taken = _best(table, plan, group, place, values)
                if best > values[place] + STILL:
                    values[place], moved = min(best, 1.0), True
                    choices[place] = taken
            begin = table.group_ends[group]
    for place in range(2 * nodes):
        if choices[place] == NOWHERE:  # lost whatever is picked
            choices[place] = _first_legal(table, place)
    return values, choices, not moved


def evaluate_picks(table: AtOnce, plan: Both, choices: Numbers[int]) -> tuple[Numbers[float], Numbers[float]]:
    """How likely the hero wins and loses from each place with these picks."""
    nodes = len(table.symmetric)
    wins, losses = floats(2 * nodes + 3, 0.0), floats(2 * nodes + 3, 0.0)
    wins[2 * nodes + 3 + WON], losses[2 * nodes + 3 + LOST] = 1.0, 1.0
    sweeps, moved = 0, True
    while moved and sweeps < MOST_SWEEPS:
        sweeps, moved, begin = sweeps + 1, False, 0
        for group in range(len(table.group_ends)):
            for place in range(2 * begin, 2 * table.group_ends[group]):
                raised = _raise(wins, place, _met(table, plan, group, place, choices[place], wins))
                moved = (
                    _raise(losses, place, _met(table, plan, group, place, choices[place], losses)) or raised or moved
                )
            begin = table.group_ends[group]
    return wins, losses


def _raise(chances: Room[float], place: int, found: float) -> bool:
    if found > chances[place] + STILL:
        chances[place] = min(found, 1.0)
        return True
    return False


def _best(table: AtOnce, plan: Both, group: int, place: int, values: Numbers[float]) -> tuple[float, int]:
    best, taken, mine = -2.0, NOWHERE, table.anything[place % 2]
    for pick in range(table.picks):
        if mine[place // 2 * table.picks + pick] > 0.0:
            found = _met(table, plan, group, place, pick, values)
            if found > best:
                best, taken = found, pick
    return best, taken


def _first_legal(table: AtOnce, place: int) -> int:
    mine = table.anything[place % 2]
    for pick in range(table.picks):
        if mine[place // 2 * table.picks + pick] > 0.0:
            return pick
    return NOWHERE


def _met(table: AtOnce, plan: Both, group: int, place: int, pick: int, values: Numbers[float]) -> float:
    """What a pick of the hero comes to against the plan."""
    turned, row, total = place % 2, place // 2 * table.picks, 0.0
    theirs = plan[1 - turned]
    for answer in range(table.picks):
        if theirs[row + answer] > 0.0:
            total += theirs[row + answer] * values[leads_to(table, group, turned, pick, answer)]
    return total


def leads_to(table: AtOnce, group: int, turned: int, pick: int, answer: int) -> int:
    """The place or the end to which a pick of the hero and an answer lead."""
    one, two = (pick, answer) if turned == 0 else (answer, pick)
    target = table.after[(group * table.picks + one) * table.picks + two]
    if target >= 0:
        # A position that is its own mirror is played as it stands.
        return target if table.symmetric[target // 2] else target ^ turned
    winner = winner_at(target, turned)
    return DRAWN if winner == DRAW else WON if winner == 0 else LOST


def _safe(table: AtOnce, plan: Both) -> Numbers[int]:
    """For each place a pick that keeps play from ever ending, whatever is answered; NOWHERE where there is none."""
    nodes = len(table.symmetric)
    stays, left = ints(2 * nodes, 0), True
    while left:
        left, begin = False, 0
        for group in range(len(table.group_ends)):
            for place in range(2 * begin, 2 * table.group_ends[group]):
                if stays[place] != NOWHERE:
                    stays[place] = _staying(table, plan, group, place, stays)
                    left = left or stays[place] == NOWHERE
            begin = table.group_ends[group]
    return stays  # type: ignore[no-any-return]  # room that the machine made


def _staying(table: AtOnce, plan: Both, group: int, place: int, stays: Numbers[int]) -> int:
    turned, row = place % 2, place // 2 * table.picks
    mine, theirs = table.anything[turned], plan[1 - turned]
    for pick in range(table.picks):
        stay = mine[row + pick] > 0.0
        for answer in range(table.picks):
            if stay and theirs[row + answer] > 0.0:
                target = leads_to(table, group, turned, pick, answer)
                stay = target >= 0 and stays[target] != NOWHERE
        if stay:
            return pick
    return NOWHERE

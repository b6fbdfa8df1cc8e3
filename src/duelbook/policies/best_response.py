"""The most that anybody can get against a player whose every move is known: a best response, found and evaluated.

Once a player's plan is fixed, it is no opponent any more but part of the luck. What is left is one who chooses, the
hero, and chances: a Markov decision process with a reward at the end, where endless play is worth 0. It is solved by
value iteration from below. Every place starts with what the hero is sure of: 0 where play can be kept from ending
whatever comes (a safety game), -1 elsewhere. Each sweep plays one more turn in front of that, so it stays true and only
grows. Where it rests it is the value: nothing gains one more turn, and wherever the hero could stay for ever it is no
less than the 0 of that.

What the hero does at a place is what last raised its value. That makes sure of progress: of moves that look equally
good, one that only puts off the win is never what raised it. `evaluate` then holds the response against the plan by
itself, as an absorbing Markov chain, and knows nothing of how it was found.

All functions are written over plain numbers, so that a compiler takes them as they are.
"""

from __future__ import annotations

from typing import NamedTuple

from duelbook.positions.numbers import Numbers, Room, floats, ints, room_for_ints

CHOICE, CHANCE, CLOSED = 0, 1, 2
"""What a place is: the hero chooses; luck or the player whose plan is known does; or it is worth what is said of it."""
WON, LOST, DRAWN = -1, -2, -3
"""Targets that are no places: how it ended for the hero."""
STILL = 1e-15
"""What would raise a value by less than this is rounding."""
MOST_SWEEPS = 100_000
NOWHERE = -1
"""The way on of a place at which the hero has none to choose."""


class Ways(NamedTuple):
    """Places, and where each of them leads."""

    kinds: Numbers[int]
    begins: Numbers[int]
    """Where the ways on from each place begin in the next two, and below where they end."""
    ends: Numbers[int]
    targets: Numbers[int]
    """A place, or an end."""
    shares: Numbers[float]
    """How likely each way is, where the hero does not choose."""
    worth: Numbers[float]
    """What a closed place is worth to the hero."""


class Response(NamedTuple):
    values: Numbers[float]
    """What each place is worth to the hero; behind the last place stand the ends."""
    choices: Numbers[int]
    """The way that the hero takes from each place, or NOWHERE."""
    rests: bool
    """Whether nothing could be raised any more; otherwise every value is one that the hero gets at least."""


def reached(ways: Ways, start: int, choices: Numbers[int], freely: bool) -> Numbers[int]:
    """Every place that can be met from the start, the nearest first: when the hero does anything, or as chosen."""
    found, seen = room_for_ints(len(ways.kinds)), ints(len(ways.kinds), 0)
    found[0], seen[start], count, at = start, 1, 1, 0
    while at < count:
        place = found[at]
        at += 1
        begin, end = ways.begins[place], ways.ends[place]
        if ways.kinds[place] == CLOSED:
            continue
        if ways.kinds[place] == CHOICE and not freely:
            begin, end = choices[place], choices[place] + 1
        for way in range(begin, end):
            target = ways.targets[way]
            likely = ways.kinds[place] == CHOICE or ways.shares[way] > 0.0
            if target >= 0 and likely and seen[target] == 0:
                found[count], seen[target] = target, 1
                count += 1
    return found[:count]  # type: ignore[no-any-return]  # room that the machine made


def safe(ways: Ways, order: Numbers[int]) -> Numbers[int]:
    """1 for each place from which the hero can keep play from ever ending, whatever else happens; otherwise 0."""
    stays = ints(len(ways.kinds), 0)
    for at in range(len(order)):
        stays[order[at]] = 0 if ways.kinds[order[at]] == CLOSED else 1
    left = True
    while left:
        left = False
        for at in range(len(order) - 1, -1, -1):
            place = order[at]
            if stays[place] == 1 and not _stays(ways, place, stays):
                stays[place], left = 0, True
    return stays  # type: ignore[no-any-return]  # room that the machine made


def _stays(ways: Ways, place: int, stays: Numbers[int]) -> bool:
    chooses = ways.kinds[place] == CHOICE
    for way in range(ways.begins[place], ways.ends[place]):
        target = ways.targets[way]
        on = target >= 0 and stays[target] == 1
        if chooses and on:
            return True
        if not chooses and not on and ways.shares[way] > 0.0:
            return False
    return not chooses


def respond(ways: Ways, order: Numbers[int]) -> tuple[Numbers[float], Numbers[int], bool]:
    """A best response on these places, from which nothing leads to others: the fields of a `Response`."""
    places = len(ways.kinds)
    values, choices, stays = floats(places + 3, -1.0), ints(places, NOWHERE), safe(ways, order)
    values[places + 3 + WON], values[places + 3 + LOST], values[places + 3 + DRAWN] = 1.0, -1.0, 0.0
    for at in range(len(order)):
        place = order[at]
        if ways.kinds[place] == CLOSED:
            values[place] = ways.worth[place]
        elif stays[place] == 1:
            values[place] = 0.0
        if ways.kinds[place] == CHOICE:
            choices[place] = _first(ways, place, stays)
    sweeps, moved = 0, True
    while moved and sweeps < MOST_SWEEPS:
        sweeps, moved = sweeps + 1, False
        for at in range(len(order) - 1, -1, -1):
            place = order[at]
            if ways.kinds[place] == CLOSED:
                continue
            found, way = _ahead(ways, place, values)
            if found > values[place] + STILL:
                values[place], moved = min(found, 1.0), True
                if way != NOWHERE:
                    choices[place] = way
    return values, choices, not moved


def _first(ways: Ways, place: int, stays: Numbers[int]) -> int:
    """What to do where nothing is gained: stay, where that can be done."""
    for way in range(ways.begins[place], ways.ends[place]):
        target = ways.targets[way]
        if target >= 0 and stays[target] == 1:
            return way
    return ways.begins[place]


def _ahead(ways: Ways, place: int, values: Numbers[float]) -> tuple[float, int]:
    """What one more turn makes of a place, and the way that the hero takes."""
    begin, end = ways.begins[place], ways.ends[place]
    if ways.kinds[place] == CHANCE:
        total = 0.0
        for way in range(begin, end):
            total += ways.shares[way] * values[ways.targets[way]]
        return total, NOWHERE
    best, taken = -2.0, NOWHERE
    for way in range(begin, end):
        here = values[ways.targets[way]]
        if here > best:
            best, taken = here, way
    return best, taken


def evaluate(ways: Ways, order: Numbers[int], choices: Numbers[int]) -> tuple[Numbers[float], Numbers[float]]:
    """How likely the hero wins and loses from each place when these ways are taken; a closed place counts by its worth.

    Both grow from 0, so what is neither is drawn or endless.
    """
    places = len(ways.kinds)
    wins, losses = floats(places + 3, 0.0), floats(places + 3, 0.0)
    wins[places + 3 + WON], losses[places + 3 + LOST] = 1.0, 1.0
    for at in range(len(order)):
        place = order[at]
        if ways.kinds[place] == CLOSED:
            wins[place], losses[place] = max(ways.worth[place], 0.0), max(-ways.worth[place], 0.0)
    sweeps, moved = 0, True
    while moved and sweeps < MOST_SWEEPS:
        sweeps, moved = sweeps + 1, False
        for at in range(len(order) - 1, -1, -1):
            place = order[at]
            if ways.kinds[place] != CLOSED:
                raised = _carry(ways, place, choices, wins)
                moved = _carry(ways, place, choices, losses) or raised or moved
    return wins, losses


def _carry(ways: Ways, place: int, choices: Numbers[int], chances: Room[float]) -> bool:
    found = 0.0
    if ways.kinds[place] == CHOICE:
        found = chances[ways.targets[choices[place]]]
    else:
        for way in range(ways.begins[place], ways.ends[place]):
            found += ways.shares[way] * chances[ways.targets[way]]
    if found > chances[place] + STILL:
        chances[place] = min(found, 1.0)
        return True
    return False

"""What happens when two players of known strength meet: exact chances, computed and not played out.

Every rung of the ladder is a mixture. With the chance `slips` it makes any legal move, otherwise the perfect player's
move: random always slips, perfect never does. So at each position it is known how likely every move is, and the
chance of being at a position is carried forward, turn by turn from the start until the bell. Nothing is sampled and
nothing is cut off: a match that the bell ends is counted as one.

What a decision loses is the value of the position less the value after the move, in win probability: half of the
distance on the scale from -1 to 1. A secret pick is measured against the other side's perfect plan. The perfect plan
loses nothing, and so at every position a rung loses its share of slips of what random loses there.

`python -m duelbook.solve.ladder` computes the tables of the five books that ship with the package; it takes minutes.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import product
from os import cpu_count
from typing import Any, NamedTuple, Protocol

import numpy as np
from numba import njit

from duelbook.core import DRAW, LUCK, Game
from duelbook.games import ROOMS, load
from duelbook.match import BELL
from duelbook.solve.chance import explore_luck
from duelbook.solve.graph import explore
from duelbook.solve.layout import Numbering, flatten
from duelbook.solve.levels import FILE, RUNGS, Standings, as_text, entry, steps
from duelbook.solve.library import SHIPPED, solution_for
from duelbook.solve.meeting import Meeting
from duelbook.solve.recursive import ILLEGAL, explore_simultaneous
from duelbook.solve.solution import Solution

EQUAL = 1e-12
"""Values closer than this are the same to a perfect player."""
ROUNDING = 1e-12
"""Nobody gains by a decision of their own: a loss smaller than this is none."""
DUST = 1e-22
"""A position less likely than this is not followed. What all of them have together counts as no result."""


class Table(Protocol):
    """A duel laid out so that any two rungs can meet on it."""

    @property
    def even(self) -> bool:
        """Whether the seats can be swapped without any difference."""

    def meet(self, slips: tuple[float, float]) -> Meeting:
        """A match between players who slip this often, the first of them in the first seat."""


def table_for(solution: Solution) -> Table:
    if solution.kind == "picks":
        return _picks(solution)
    return _cards(solution) if solution.kind == "luck" else _board(solution)


def results(game: Game, rules: Any, tell: Callable[[int, int], None] = lambda done, of: None) -> Standings:
    """Every rung against every rung: the first of a pair sits in the first seat and begins.

    `tell` hears how many matches are done, of how many.
    """
    table = table_for(solution_for(game, rules))
    everyone = list(product(RUNGS, RUNGS))
    pairs = [(one, two) for at, (one, two) in enumerate(everyone) if not table.even or (two, one) not in everyone[:at]]
    found = {}
    with ThreadPoolExecutor(cpu_count()) as pool:
        meetings = pool.map(lambda pair: table.meet((RUNGS[pair[0]], RUNGS[pair[1]])), pairs)
        for (one, two), meeting in zip(pairs, meetings, strict=True):
            found[one, two] = meeting.rounded()
            tell(len(found), len(pairs))
    if table.even:
        found |= {(two, one): meeting.turned() for (one, two), meeting in found.items()}
    return {pair: found[pair] for pair in everyone}


def _meeting(ends: Any, seats: Any) -> Meeting:
    win, loss, draw, no_result = ends.tolist()
    (decisions_1, decisions_2), (lost_1, lost_2) = seats.tolist()
    return Meeting(win, draw, loss, no_result, (decisions_1, decisions_2), (lost_1, lost_2))


# One player at a time, with or without luck


class Alone(NamedTuple):
    """Positions at which one seat or luck acts. Edges are listed as in `chance`; targets are as there."""

    kinds: Any
    starts: Any
    targets: Any
    weights: Any
    perfect: Any
    """For each edge of a decision how likely the perfect player takes it."""
    losses: Any
    """For each node what a random move loses there on average, in win probability."""
    start: int
    """The first position: 2 * node, plus 1 when it is that node's mirror."""

    @property
    def even(self) -> bool:
        return False  # somebody begins

    def meet(self, slips: tuple[float, float]) -> Meeting:
        return _meeting(*_alone(*self, *slips, BELL))


def _board(solution: Solution) -> Alone:
    """An alternating duel without luck."""
    game, rules = solution.game, solution.rules
    start = game.start(rules, 0)
    graph = explore(game, rules, (start, game.start(rules, 1)))
    starts, targets, perfect, values = [0], [], [], []
    for state, seat, edges in zip(graph.states, graph.movers, graph.edges, strict=True):
        plan = solution.plans(state)[seat]
        values.append(solution.value(state))
        perfect += [plan[edge.move] for edge in edges]
        targets += [edge.target if edge.target < 0 else 2 * edge.target + edge.turned for edge in edges]
        starts.append(len(targets))
    found = graph.find(start)
    assert found is not None
    arrays = (
        np.array(graph.movers, np.int8),
        np.array(starts, np.int64),
        np.array(targets, np.int32),
        np.zeros(len(targets), np.int32),
    )
    losses = _losses(*arrays[:3], np.array(values))
    return Alone(*arrays, np.array(perfect), losses, 2 * found[0] + found[1])


def _cards(solution: Solution) -> Alone:
    """A duel with luck: the tables of `chance`, with the values that the solution holds where luck acts."""
    game, rules = solution.game, solution.rules
    drawn = explore_luck(game, rules)
    numbering = Numbering(drawn.layout, type(game.start(rules, 0)), drawn.turns_round)
    values = np.zeros(len(drawn.kinds))
    for node in np.flatnonzero(drawn.kinds == LUCK):
        values[node] = solution.value(numbering.unpack(int(drawn.numbers[node])))
    arrays = (drawn.kinds, drawn.starts, drawn.targets, drawn.weights)
    _carry(*arrays[:3], values)
    perfect = _most_trying(*arrays, values)
    number, turned = numbering.find(game.start(rules, 0))
    start = 2 * int(np.flatnonzero(drawn.numbers == number)[0]) + turned
    return Alone(*arrays, perfect, _losses(*arrays[:3], values), start)


@njit(cache=True)
def _value(target: int, values: Any) -> Any:
    if target < 0:
        return 1.0 if target == -1 else -1.0 if target == -2 else 0.0
    return -values[target // 2] if target % 2 == 1 else values[target // 2]


@njit(cache=True)
def _carry(kinds: Any, starts: Any, targets: Any, values: Any) -> None:
    """From the values where luck acts to those where a seat decides: one look ahead, or as many as it takes."""
    moved = True
    while moved:
        moved = False
        for node in range(len(kinds) - 1, -1, -1):
            if kinds[node] == LUCK:
                continue
            sign = 1.0 if kinds[node] == 0 else -1.0
            best = -2.0
            for edge in range(starts[node], starts[node + 1]):
                best = max(best, sign * _value(targets[edge], values))
            if values[node] != sign * best:
                values[node] = sign * best
                moved = True


@njit(cache=True)
def _losses(kinds: Any, starts: Any, targets: Any, values: Any) -> Any:
    losses = np.zeros(len(kinds))
    for node in range(len(kinds)):
        if kinds[node] == LUCK:
            continue
        sign = 1.0 if kinds[node] == 0 else -1.0
        for edge in range(starts[node], starts[node + 1]):
            losses[node] += sign * (values[node] - _value(targets[edge], values)) / 2
        losses[node] /= starts[node + 1] - starts[node]
    return losses


@njit(cache=True)
def _after_slips(kinds: Any, starts: Any, targets: Any, weights: Any, values: Any) -> Any:
    """after[node, me]: what the node is worth if the seat that is not `me` makes any legal move as soon as it acts."""
    after = np.zeros((len(kinds), 2))
    moved = True
    while moved:
        moved = False
        for node in range(len(kinds) - 1, -1, -1):
            for me in range(2):
                worth, total = 0.0, 0
                for edge in range(starts[node], starts[node + 1]):
                    target = targets[edge]
                    if kinds[node] != LUCK:
                        worth += _value(target, values)
                        total += 1
                        continue
                    total += weights[edge]
                    if target < 0:
                        worth += weights[edge] * _value(target, values)
                    else:
                        turned = target % 2
                        met = after[target // 2, me ^ turned]
                        worth += weights[edge] * (-met if turned == 1 else met)
                worth = values[node] if kinds[node] == me else worth / total
                if worth != after[node, me]:
                    after[node, me] = worth
                    moved = True
    return after


@njit(cache=True)
def _most_trying(kinds: Any, starts: Any, targets: Any, weights: Any, values: Any) -> Any:
    """The perfect player's move at every decision: the best; among equals the one that a slip answers worst.

    The player decides the same way, one position at a time and in plain Python; a test holds the two together.
    """
    after = _after_slips(kinds, starts, targets, weights, values)
    perfect = np.zeros(len(targets))
    for node in range(len(kinds)):
        me = kinds[node]
        if me == LUCK:
            continue
        sign = 1.0 if me == 0 else -1.0
        choice, most = -1, 0.0
        for edge in range(starts[node], starts[node + 1]):
            target = targets[edge]
            if sign * _value(target, values) < sign * values[node] - EQUAL:
                continue
            if target < 0:
                worth = sign * _value(target, values)
            else:
                turned = target % 2
                worth = sign * (-after[target // 2, me ^ turned] if turned == 1 else after[target // 2, me ^ turned])
            if choice < 0 or worth > most:
                choice, most = edge, worth
        perfect[choice] = 1.0
    return perfect


@njit(cache=True, nogil=True)
def _alone(
    kinds: Any,
    starts: Any,
    targets: Any,
    weights: Any,
    perfect: Any,
    losses: Any,
    start: int,
    slips_first: float,
    slips_second: float,
    bell: int,
) -> tuple[Any, Any]:
    """The chances of a win, a loss, a draw and no result, and for each seat its expected decisions and losses."""
    all_ends, all_seats = np.zeros(4), np.zeros((2, 2))
    slips = (slips_first, slips_second)
    chance = np.zeros(2 * len(kinds))
    waiting = np.empty(len(chance), np.int32)  # positions at which a seat decides, in this turn
    drawing = np.empty(len(chance), np.int32)  # and at which luck acts before it
    coming, later = np.zeros(len(chance)), np.empty(len(chance), np.int32)
    later[0], comers = start, 1
    coming[start] = 1.0
    for _turn in range(bell):
        ends, seats = np.zeros(4), np.zeros((2, 2))  # one turn by itself: small numbers keep their digits
        waits = draws = 0
        for at in range(comers):
            place = later[at]
            chance[place], coming[place] = coming[place], 0.0
            if kinds[place // 2] == LUCK:
                drawing[draws] = place
                draws += 1
            else:
                waiting[waits] = place
                waits += 1
        while draws > 0:
            draws -= 1
            place = drawing[draws]
            here, chance[place] = chance[place], 0.0
            node, turned = place // 2, place % 2
            total = 0
            for edge in range(starts[node], starts[node + 1]):
                total += weights[edge]
            for edge in range(starts[node], starts[node + 1]):
                share = here * weights[edge] / total
                if share == 0.0:
                    continue
                target = targets[edge]
                if target < 0:
                    ends[_end(target, turned)] += share
                    continue
                target ^= turned
                if chance[target] == 0.0:
                    if kinds[target // 2] == LUCK:
                        drawing[draws] = target
                        draws += 1
                    else:
                        waiting[waits] = target
                        waits += 1
                chance[target] += share
        comers = 0
        for at in range(waits):
            place = waiting[at]
            here, chance[place] = chance[place], 0.0
            if here < DUST:
                ends[3] += here
                continue
            node, turned = place // 2, place % 2
            seat = kinds[node] ^ turned
            seats[0, seat] += here
            seats[1, seat] += here * slips[seat] * losses[node]
            anything = slips[seat] / (starts[node + 1] - starts[node])
            for edge in range(starts[node], starts[node + 1]):
                share = here * ((1.0 - slips[seat]) * perfect[edge] + anything)
                if share == 0.0:
                    continue
                target = targets[edge]
                if target < 0:
                    ends[_end(target, turned)] += share
                    continue
                target ^= turned
                if coming[target] == 0.0:
                    later[comers] = target
                    comers += 1
                coming[target] += share
        all_ends += ends
        all_seats += seats
        if comers == 0:
            break
    for at in range(comers):
        all_ends[3] += coming[later[at]]
    return all_ends, all_seats


@njit(cache=True)
def _end(target: int, turned: int) -> Any:
    """Who wins at an end: a seat, or DRAW. Seen from the mirror it is the other seat."""
    winner = -1 - target
    return winner if winner == DRAW else winner ^ turned


# Both at once


class AtOnce(NamedTuple):
    """Positions at which both seats pick, from `recursive`, with the solution's plans.

    Where positions differ only in what may be picked, as by the last numbers, a pair of picks leads from all of them
    to the same place. Such neighbours are a group, and their picks are added up before anything is carried on.
    """

    ends: Any
    """Where each group of nodes ends."""
    after: Any
    """after[group, first, second], as in `recursive`."""
    first: Any
    second: Any
    any_first: Any
    """How likely a random player makes each pick."""
    any_second: Any
    losses: Any
    """losses[node, seat]: what a random pick loses there on average, in win probability."""
    symmetric: Any
    """Which nodes are their own mirror."""
    start: int

    @property
    def even(self) -> bool:
        alike = np.array_equal(self.first[self.symmetric], self.second[self.symmetric])
        return bool(self.symmetric[self.start // 2]) and alike

    def meet(self, slips: tuple[float, float]) -> Meeting:
        return _meeting(*_at_once(*self, *slips, BELL))


def _picks(solution: Solution) -> AtOnce:
    game, rules = solution.game, solution.rules
    positions = explore_simultaneous(game, rules)
    numbering = Numbering(positions.layout, type(game.start(rules, 0)), positions.turns_round)
    order = np.argsort(positions.numbers)
    numbers = positions.numbers[order]
    rows = _known(solution, numbering, numbers)
    moves = len(game.moves)
    values = np.ascontiguousarray(rows[:, 0])
    first, second = np.ascontiguousarray(rows[:, 1 : 1 + moves]), np.ascontiguousarray(rows[:, 1 + moves :])
    after = _renumbered(positions.after, order)
    legal = after != ILLEGAL
    any_first, any_second = (may / may.sum(axis=1, keepdims=True) for may in (legal.any(axis=2), legal.any(axis=1)))
    losses = _pick_losses(after, first, second, any_first, any_second, values, 2 * solution.error + ROUNDING)
    state = numbering.unpack(numbers.copy())  # it counts its argument down
    symmetric = np.full(len(numbers), positions.turns_round)
    for one, other in zip(flatten(state), flatten(numbering.mirror(state)), strict=True):
        symmetric &= one == other
    number, turned = numbering.find(game.start(rules, 0))
    start = 2 * int(np.searchsorted(numbers, number)) + turned
    return AtOnce(*_groups(after), first, second, any_first, any_second, losses, symmetric, start)


@njit(cache=True)
def _renumbered(after: Any, order: Any) -> Any:
    rank = np.empty(len(order), np.int32)
    for at in range(len(order)):
        rank[order[at]] = at
    new = np.empty_like(after)
    picks = after.shape[1]
    for at in range(len(order)):
        for one in range(picks):
            for two in range(picks):
                target = after[order[at], one, two]
                new[at, one, two] = target if target < 0 else 2 * rank[target // 2] + target % 2
    return new


@njit(cache=True)
def _groups(after: Any) -> tuple[Any, Any]:
    """Runs of nodes that do not contradict each other, and where a pair of picks leads from any of them."""
    count, picks = after.shape[0], after.shape[1]
    ends, joint = np.empty(count, np.int32), np.empty_like(after)
    groups = 0
    for node in range(count):
        agrees = groups > 0
        for one in range(picks):
            for two in range(picks):
                target = after[node, one, two]
                known = joint[groups - 1, one, two] if agrees else ILLEGAL
                if target != ILLEGAL and known != ILLEGAL and known != target:
                    agrees = False
        if not agrees:
            joint[groups] = after[node]
            groups += 1
        for one in range(picks):
            for two in range(picks):
                if after[node, one, two] != ILLEGAL:
                    joint[groups - 1, one, two] = after[node, one, two]
        ends[groups - 1] = node + 1
    return ends[:groups].copy(), joint[:groups].copy()


def _known(solution: Solution, numbering: Numbering, numbers: Any) -> Any:
    """For every node its value and both perfect plans, in one row."""
    if numbering.layout == solution.numbering.layout and solution.table.typecode == "H":
        facts = np.array([[(fact.low + fact.high) / 2, *fact.first, *fact.second] for fact in solution.facts])
        return facts[np.frombuffer(solution.table, np.uint16)[numbers].astype(np.int64) - 1]
    states = [numbering.unpack(int(number)) for number in numbers]
    plans = [solution.plans(state) for state in states]
    return np.array([[solution.value(state), *one, *two] for state, (one, two) in zip(states, plans, strict=True)])


@njit(cache=True)
def _pick_losses(after: Any, first: Any, second: Any, any_first: Any, any_second: Any, values: Any, same: float) -> Any:
    """What a random pick of each seat loses on average at each node.

    As for the coach, a pick is held against the other seat's plan and against every single pick that keeps all the
    other seat has, and it is worth what the hardest of them leaves it.
    """
    count, picks = after.shape[0], after.shape[1]
    losses = np.zeros((count, 2))
    worth, keeps = np.empty((picks, picks)), np.empty(picks, np.bool_)
    for node in range(count):
        for seat in range(2):
            mine, theirs = (any_first[node], any_second[node]) if seat == 0 else (any_second[node], any_first[node])
            plan = second[node] if seat == 0 else first[node]
            value = values[node] if seat == 0 else -values[node]
            for reply in range(picks):
                keeps[reply] = theirs[reply] > 0.0
                for pick in range(picks):
                    if mine[pick] > 0.0 and theirs[reply] > 0.0:
                        one, two = (pick, reply) if seat == 0 else (reply, pick)
                        met = _value(after[node, one, two], values)
                        worth[pick, reply] = met if seat == 0 else -met
                        if worth[pick, reply] > value + same:
                            keeps[reply] = False
            for pick in range(picks):
                if mine[pick] == 0.0:
                    continue
                mixed, hardest = 0.0, 1.0
                for reply in range(picks):
                    if theirs[reply] > 0.0:
                        mixed += plan[reply] * worth[pick, reply]
                        if keeps[reply]:
                            hardest = min(hardest, worth[pick, reply])
                lost = value - min(mixed, hardest)
                if lost > ROUNDING:
                    losses[node, seat] += mine[pick] * lost / 2
    return losses


@njit(cache=True, nogil=True)
def _at_once(
    ends: Any,
    after: Any,
    first: Any,
    second: Any,
    any_first: Any,
    any_second: Any,
    losses: Any,
    symmetric: Any,
    start: int,
    slips_first: float,
    slips_second: float,
    bell: int,
) -> tuple[Any, Any]:
    """The chances of a win, a loss, a draw and no result, and for each seat its expected decisions and losses."""
    picks = after.shape[1]
    all_outcomes, all_seats = np.zeros(4), np.zeros((2, 2))
    slips = (slips_first, slips_second)
    pairs, twos = np.empty((picks, picks)), np.empty(picks)
    chance, coming = np.zeros(2 * len(first)), np.zeros(2 * len(first))
    chance[start] = 1.0
    for _turn in range(bell):
        outcomes, seats = np.zeros(4), np.zeros((2, 2))  # one turn by itself: small numbers keep their digits
        begin = 0
        for group in range(len(ends)):
            for turned in range(2):
                mine, theirs = slips[turned], slips[1 - turned]
                live = False
                for node in range(begin, ends[group]):
                    here = chance[2 * node + turned]
                    if here < DUST:
                        outcomes[3] += here
                        continue
                    if not live:
                        pairs[:] = 0.0
                        live = True
                    for seat in range(2):
                        seats[0, seat] += here
                        seats[1, seat] += here * slips[seat] * losses[node, seat ^ turned]
                    for two in range(picks):
                        twos[two] = here * ((1.0 - theirs) * second[node, two] + theirs * any_second[node, two])
                    for one in range(picks):
                        share = (1.0 - mine) * first[node, one] + mine * any_first[node, one]
                        if share > 0.0:
                            for two in range(picks):
                                pairs[one, two] += share * twos[two]
                if not live:
                    continue
                for one in range(picks):
                    for two in range(picks):
                        target = after[group, one, two]
                        if target >= 0:
                            # A position that is its own mirror is played as it stands.
                            coming[target ^ turned if not symmetric[target // 2] else target] += pairs[one, two]
                        elif target != ILLEGAL:
                            outcomes[_end(target, turned)] += pairs[one, two]
            begin = ends[group]
        all_outcomes += outcomes
        all_seats += seats
        chance, coming = coming, chance
        coming[:] = 0.0
    all_outcomes[3] += chance.sum()
    return all_outcomes, all_seats


def fingerprint(game: Game) -> str:
    """Which shipped solution a table was computed from."""
    return sha256((SHIPPED / f"{game.id}.solution").read_bytes()).hexdigest()[:16]


def ship() -> None:
    """Compute the tables of the five books and write the file that ships with the package."""
    duels = {}
    for id in ROOMS:
        game = load(id)
        table = results(game, game.book)
        duels[id] = {"solution": fingerprint(game), **entry(game, game.book, table)}
        shown = ", ".join(f"{kind} {share:.4f}" for kind, share in steps(table).items())
        print(f"{id}, each rung against the one below: {shown}", flush=True)
    FILE.write_text(as_text(duels), encoding="utf-8")


if __name__ == "__main__":
    ship()

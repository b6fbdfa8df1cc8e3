"""One entry to the three solvers, chosen by looking at the game."""

from __future__ import annotations

from array import array
from math import nan
from typing import TYPE_CHECKING

from duelbook.core import LUCK, OVER, Game, SomeRules, SomeState
from duelbook.positions.graph import Graph, explore
from duelbook.positions.kind import kind_of
from duelbook.positions.layout import Layout, Numbering, Span, decoded, encoded, joined, layout_of, packing, turned
from duelbook.positions.machine import Machine, machine_for
from duelbook.positions.size import measured
from duelbook.solving.equal_moves import best_moves
from duelbook.solving.equal_with_luck import later_choices
from duelbook.solving.known import Choices, Fact
from duelbook.solving.progress import Progress
from duelbook.solving.retrograde import solve_backwards
from duelbook.solving.solution import Solution

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array


def solve(
    game: Game, rules: SomeRules, roots: tuple[SomeState, ...] = (), progress: Progress | None = None
) -> Solution:
    """Solve the duel under these rules. `roots` adds positions that play from the start does not reach."""
    progress = progress or Progress()
    kind = kind_of(game)
    size = measured(game, rules, kind, roots)  # what cannot be done is refused before it is begun
    roots = (game.start(rules, 0), game.start(rules, 1), *roots)
    if all(game.turn(rules, root) == OVER for root in roots):
        return _over_already(game, rules, kind, roots)
    machine = machine_for(size)
    progress.plan(kind, size.seconds, machine)
    if kind == "backwards":
        return _solve_alternating(game, rules, roots, progress)
    return (_solve_luck if kind == "luck" else _solve_picks)(game, rules, machine, progress)


def _over_already(game: Game, rules: SomeRules, kind: str, roots: tuple[SomeState, ...]) -> Solution:
    """Rules under which nobody can begin: there is no position to be solved."""
    numbering = Numbering(layout_of(roots), type(roots[0]), turns_round=False)
    size = numbering.layout.size
    table = array("d", [nan] * size) if kind == "luck" else array(place_type(0), [0] * size)
    return Solution(game, rules, kind, numbering, table, [], 0, 0.0)


def _solve_alternating(game: Game, rules: SomeRules, roots: tuple[SomeState, ...], progress: Progress) -> Solution:
    progress.next()
    graph: Graph = explore(game, rules, roots)
    progress.next()
    solved = solve_backwards(graph)
    progress.next()
    choices = best_moves(graph, solved)
    moves = len(game.moves)
    nobody, certain = (0.0,) * moves, [tuple(float(each == move) for each in range(moves)) for move in range(moves)]
    layout = layout_of(graph.states)
    if graph.mirror is not None:
        layout = joined(layout, turned(layout))
    numbering = Numbering(layout, type(graph.states[0]), graph.mirror is not None)
    places = array("I", bytes(array("I").itemsize * layout.size))
    facts: dict[Fact, int] = {}
    for node, state in enumerate(graph.states):
        value, plan = float(solved.values[node]), certain[graph.moves[choices[node]]]
        first, second = (plan, nobody) if graph.movers[node] == 0 else (nobody, plan)
        number, turns = numbering.find(state)
        if turns:
            value, first, second = -value, second, first
        fact = Fact(value, value, solved.plies[node], first, second)
        places[number] = facts.setdefault(fact, len(facts)) + 1
    table = array(place_type(len(facts)), places)
    return Solution(game, rules, "backwards", numbering, table, list(facts), len(graph.states), 0.0)


def place_type(facts: int) -> str:
    """The type of a table's numbers, each of which is a place in a list of so many facts, or 0."""
    return "H" if facts < 1 << 16 else "I"


def _solve_luck(game: Game, rules: SomeRules, machine: Machine, progress: Progress) -> Solution:
    from duelbook.solving.chance import solve_luck

    positions, bounds = solve_luck(game, rules, machine, progress.next)
    state_type, states, turns_round = type(game.start(rules, 0)), positions.states, positions.turns_round
    progress.next()
    later = later_choices(positions, bounds, machine)
    held = (positions.layout, positions.numbers, positions.kinds, bounds.sure)
    del positions  # a large one takes more memory than all that follows
    places = dict(zip(*(column.tolist() for column in later), strict=True))
    choices = Choices(Numbering(held[0], state_type, turns_round), places)
    layout, table = values_at_draws(machine, state_type, *held)
    numbering = Numbering(layout, state_type, turns_round)
    return Solution(game, rules, "luck", numbering, table, [], states, float(bounds.gap), choices)


def values_at_draws(
    machine: Machine, state_type: type, whole: Layout, numbers: Array, kinds: Array, sure: Array
) -> tuple[Layout, array[float]]:
    """The layout of the positions where luck acts, and the table of their values; no number where there is none."""
    if machine.compiled:
        return _many_values(whole, numbers, kinds, sure)
    unpack = packing(whole, state_type).unpack
    drawing = [node for node, kind in enumerate(kinds) if kind == LUCK]
    states = [unpack(numbers[node]) for node in drawing]
    layout = layout_of(states)
    pack = packing(layout, state_type).pack
    values = array("d", [nan] * layout.size)
    for node, state in zip(drawing, states, strict=True):
        values[pack(state)] = (sure[2 * node] - sure[2 * node + 1]) / 2
    return layout, values


def _many_values(whole: Layout, numbers: Array, kinds: Array, sure: Array) -> tuple[Layout, array[float]]:
    """The same with arrays, for millions of them."""
    import numpy as np

    drawing = np.flatnonzero(kinds == LUCK)
    columns = decoded(whole, numbers[drawing])
    spans = []
    for digit, (low, step, _) in enumerate(whole.spans):  # which numbers there are shows by counting them
        spans.append(Span.over(low + step * np.flatnonzero(np.bincount((columns[digit] - low) // step))))
    layout = whole._replace(spans=tuple(spans))
    values = np.full(layout.size, np.nan)
    values[encoded(layout, columns)] = (sure[2 * drawing] - sure[2 * drawing + 1]) / 2
    table = array("d")
    table.frombytes(values.data.cast("B"))
    return layout, table


def _solve_picks(game: Game, rules: SomeRules, machine: Machine, progress: Progress) -> Solution:
    from duelbook.solving.equal_picks import solve_simultaneous
    from duelbook.solving.facts import facts_in

    positions, solved = solve_simultaneous(game, rules, machine, progress.next)
    progress.next()
    facts, places = facts_in(solved, len(game.moves), machine)
    table = array(place_type(len(facts)), bytes(array(place_type(len(facts))).itemsize * positions.layout.size))
    if machine.compiled:
        import numpy as np

        np.asarray(table)[positions.numbers] = places
    else:
        for number, place in zip(positions.numbers, places, strict=True):
            table[number] = place
    numbering = Numbering(positions.layout, type(game.start(rules, 0)), positions.turns_round)
    error = max(fact.high - fact.low for fact in facts)
    return Solution(game, rules, "picks", numbering, table, facts, len(positions.numbers), error)

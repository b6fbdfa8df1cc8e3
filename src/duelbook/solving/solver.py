"""One entry to the three solvers, chosen by looking at the game."""

from __future__ import annotations

from array import array
from math import nan
from typing import Any

from duelbook.core import LUCK, OVER, Game
from duelbook.positions.branches import Branches
from duelbook.positions.graph import Graph, explore
from duelbook.positions.kind import kind_of
from duelbook.positions.layout import Layout, Numbering, Span, decoded, encoded, layout_of, packing
from duelbook.positions.machine import Machine, machine_for
from duelbook.positions.size import measured
from duelbook.solving.equal_moves import best_moves
from duelbook.solving.equal_with_luck import later_choices
from duelbook.solving.retrograde import solve_backwards
from duelbook.solving.solution import Choices, Fact, Solution


def solve(game: Game, rules: Any, roots: tuple[Any, ...] = ()) -> Solution:
    """Solve the duel under these rules. `roots` adds positions that play from the start does not reach."""
    kind = kind_of(game)
    size = measured(game, rules, kind, roots)  # what cannot be done is refused before it is begun
    roots = (game.start(rules, 0), game.start(rules, 1), *roots)
    if all(game.turn(rules, root) == OVER for root in roots):
        return _over_already(game, rules, kind, roots)
    if kind == "backwards":
        return _solve_alternating(game, rules, roots)
    machine = machine_for(size)
    return _solve_luck(game, rules, machine) if kind == "luck" else _solve_picks(game, rules, machine)


def _over_already(game: Game, rules: Any, kind: str, roots: tuple[Any, ...]) -> Solution:
    """Rules under which nobody can begin: there is no position to be solved."""
    numbering = Numbering(layout_of(roots), type(roots[0]), turns_round=False)
    size = numbering.layout.size
    table = array("d", [nan] * size) if kind == "luck" else array(place_type(0), [0] * size)
    return Solution(game, rules, kind, numbering, table, [], {"states": 0, "error": 0.0})


def _certain(place: int, moves: int) -> tuple[float, ...]:
    return tuple(1.0 if move == place else 0.0 for move in range(moves))


def _solve_alternating(game: Game, rules: Any, roots: tuple[Any, ...]) -> Solution:
    graph: Graph = explore(game, rules, roots)
    solved = solve_backwards(graph)
    choices = best_moves(graph, solved)
    moves = len(game.moves)
    nobody = (0.0,) * moves
    held = list(graph.states)
    if graph.mirror is not None:
        held += [graph.mirror(state) for state in held]
    numbering = Numbering(layout_of(held), type(held[0]), graph.mirror is not None)
    places = array("I", bytes(array("I").itemsize * numbering.layout.size))
    facts: dict[Fact, int] = {}
    for node, state in enumerate(graph.states):
        value, plan = float(solved.values[node]), _certain(graph.moves[choices[node]], moves)
        first, second = (plan, nobody) if graph.movers[node] == 0 else (nobody, plan)
        number, turned = numbering.find(state)
        if turned:
            value, first, second = -value, second, first
        fact = Fact(value, value, solved.plies[node], first, second)
        places[number] = facts.setdefault(fact, len(facts)) + 1
    table = array(place_type(len(facts)), places)
    return Solution(
        game, rules, "backwards", numbering, table, list(facts), {"states": len(graph.states), "error": 0.0}
    )


def place_type(facts: int) -> str:
    """The type of a table's numbers, each of which is a place in a list of so many facts, or 0."""
    return "H" if facts < 1 << 16 else "I"


def _solve_luck(game: Game, rules: Any, machine: Machine) -> Solution:
    from duelbook.solving.chance import solve_luck

    positions, bounds = solve_luck(game, rules, machine)
    layout, values = (_drawn_compiled if machine.compiled else _drawn_plain)(game, rules, positions, bounds.sure)
    state_type = type(game.start(rules, 0))
    table = array("d")
    table.frombytes(values.tobytes())
    choices = Choices(
        Numbering(positions.layout, state_type, positions.turns_round), later_choices(positions, bounds.sure, machine)
    )
    numbering = Numbering(layout, state_type, positions.turns_round)
    return Solution(
        game, rules, "luck", numbering, table, [], {"states": positions.states, "error": float(bounds.gap)}, choices
    )


def _drawn_plain(game: Game, rules: Any, positions: Branches, sure: Any) -> tuple[Layout, Any]:
    """The layout of the positions where luck acts, and their values."""
    whole = packing(positions.layout, type(game.start(rules, 0)))
    drawing = [node for node, kind in enumerate(positions.kinds) if kind == LUCK]
    states = [whole.unpack(positions.numbers[node]) for node in drawing]
    layout = layout_of(states)
    pack = packing(layout, type(states[0])).pack
    values = array("d", [nan] * layout.size)
    for node, state in zip(drawing, states, strict=True):
        values[pack(state)] = (sure[2 * node] - sure[2 * node + 1]) / 2
    return layout, values


def _drawn_compiled(game: Game, rules: Any, positions: Branches, sure: Any) -> tuple[Layout, Any]:
    """The same with arrays, for millions of them."""
    import numpy as np

    drawing = np.flatnonzero(positions.kinds == LUCK)
    columns = decoded(positions.layout, positions.numbers[drawing])
    spans = [Span.over(np.unique(columns[digit]).tolist()) for digit in range(len(columns))]
    layout = positions.layout._replace(spans=tuple(spans))
    values = np.full(layout.size, np.nan)
    values[encoded(layout, columns)] = (sure[2 * drawing] - sure[2 * drawing + 1]) / 2
    return layout, values


def _solve_picks(game: Game, rules: Any, machine: Machine) -> Solution:
    from duelbook.solving.equal_picks import solve_simultaneous
    from duelbook.solving.facts import facts_in

    positions, solved = solve_simultaneous(game, rules, machine)
    facts, places = facts_in(solved, len(game.moves), machine)
    table = array(place_type(len(facts)), bytes(array(place_type(len(facts))).itemsize * positions.layout.size))
    if machine.compiled:
        import numpy as np

        np.asarray(table)[positions.numbers] = places
    else:
        for number, place in zip(positions.numbers, places, strict=True):
            table[number] = place
    numbering = Numbering(positions.layout, type(game.start(rules, 0)), positions.turns_round)
    about = {"states": len(positions.numbers), "error": max(fact.high - fact.low for fact in facts)}
    return Solution(game, rules, "picks", numbering, table, facts, about)

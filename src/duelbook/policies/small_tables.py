"""Small duels laid out for the ladder in plain Python: every plan and every loss is asked of the solution."""

from __future__ import annotations

from duelbook.core import LUCK, SomeState
from duelbook.policies.forward_picks import AtOnce
from duelbook.policies.forward_turns import Alone
from duelbook.positions.drawn import explore_luck
from duelbook.positions.graph import explore
from duelbook.positions.layout import Numbering
from duelbook.positions.machine import plain
from duelbook.solving.recursive import explore_simultaneous
from duelbook.solving.solution import Solution


def small_table(solution: Solution, bell: int) -> Alone | AtOnce:
    """As `table_for` lays a large one out."""
    if solution.kind == "picks":
        return _picks(solution, bell)
    return _luck(solution, bell) if solution.kind == "luck" else _board(solution, bell)


def _board(solution: Solution, bell: int) -> Alone:
    game, rules = solution.game, solution.rules
    start = game.start(rules, 0)
    graph = explore(game, rules, (start, game.start(rules, 1)))
    perfect, losses = _decisions(solution, graph.states)
    no_weights = [0] * len(graph.targets)
    return Alone(graph.movers, graph.starts, graph.targets, no_weights, perfect, losses, graph.nodes[start], bell)


def _luck(solution: Solution, bell: int) -> Alone:
    game, rules = solution.game, solution.rules
    drawn = explore_luck(game, rules, plain())
    numbering = Numbering(drawn.layout, type(game.start(rules, 0)), drawn.turns_round)
    perfect, losses = _decisions(solution, [numbering.unpack(number) for number in drawn.numbers])
    number, turned = numbering.find(game.start(rules, 0))
    start = 2 * list(drawn.numbers).index(number) + turned
    return Alone(drawn.kinds, drawn.starts, drawn.targets, drawn.weights, perfect, losses, start, bell)


def _decisions(solution: Solution, states: list[SomeState]) -> tuple[list[float], list[float]]:
    """For each edge how likely the perfect player takes it, and for each node what a random move loses there."""
    perfect, losses = list[float](), list[float]()
    for state in states:
        seat = solution.game.turn(solution.rules, state)
        if seat == LUCK:
            perfect += [0.0] * len(solution.draws(state))
            losses.append(0.0)
            continue
        plan = solution.plan(state, seat)
        perfect += [plan[option.move] for option in solution.options(state, seat)]
        losses.append(_lost_at_random(solution, state, seat))
    return perfect, losses


def _picks(solution: Solution, bell: int) -> AtOnce:
    game, rules, moves = solution.game, solution.rules, solution.game.moves
    positions = explore_simultaneous(game, rules, plain())
    numbering = Numbering(positions.layout, type(game.start(rules, 0)), positions.turns_round)
    states = [numbering.unpack(number) for number in positions.numbers]
    first, second = ([share for state in states for share in solution.plan(state, seat)] for seat in (0, 1))
    legal = ([game.legal_moves(rules, state, seat) for state in states] for seat in (0, 1))
    any_first, any_second = (
        [1 / len(able) if move in able else 0.0 for able in seats for move in moves] for seats in legal
    )
    losses = [_lost_at_random(solution, state, seat) for state in states for seat in (0, 1)]
    symmetric = [positions.turns_round and numbering.mirror(state) == state for state in states]
    number, turned = numbering.find(game.start(rules, 0))
    node = list(positions.numbers).index(number)
    even = symmetric[node] and all(
        solution.plan(state, 0) == solution.plan(state, 1)
        for state, mirrored in zip(states, symmetric, strict=True)
        if mirrored
    )
    every_node = range(1, len(states) + 1)  # so few need not be taken in groups
    start = 2 * node + turned
    plans = (first, second, any_first, any_second)
    return AtOnce(len(moves), every_node, positions.after, *plans, losses, symmetric, even, start, bell)


def _lost_at_random(solution: Solution, state: object, seat: int) -> float:
    """What a random move loses on average, in win probability."""
    options = solution.options(state, seat)
    return sum(option.lost for option in options) / len(options)

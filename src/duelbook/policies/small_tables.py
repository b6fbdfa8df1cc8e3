"""Duels laid out for the ladder in plain Python: every plan and every loss is asked of the solution."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from duelbook.core import LUCK, SomeState
from duelbook.policies.eye import eye_of
from duelbook.policies.forward_picks import AtOnce, Both
from duelbook.policies.forward_turns import Alone
from duelbook.policies.holdings import holdings_of, worth_making
from duelbook.policies.plans import any_move, temptations
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
    no_weights = [0] * len(graph.targets)
    decisions = _decisions(solution, graph.states)
    return Alone(
        graph.movers,
        graph.starts,
        graph.targets,
        no_weights,
        graph.moves,
        *decisions,
        *_views(solution, graph.states),
        graph.nodes[start],
        bell,
    )


def _luck(solution: Solution, bell: int) -> Alone:
    game, rules = solution.game, solution.rules
    drawn = explore_luck(game, rules, plain())
    numbering = Numbering(drawn.layout, type(game.start(rules, 0)), drawn.turns_round)
    states = [numbering.unpack(number) for number in drawn.numbers]
    moves = [move for state in states for move in _moves(solution, state)]
    decisions = _decisions(solution, states)
    number, turned = numbering.find(game.start(rules, 0))
    start = 2 * list(drawn.numbers).index(number) + turned
    return Alone(
        drawn.kinds,
        drawn.starts,
        drawn.targets,
        drawn.weights,
        moves,
        *decisions,
        *_views(solution, states),
        start,
        bell,
    )


def _moves(solution: Solution, state: SomeState) -> list[int]:
    """The move of each edge; at luck's turn there is none."""
    game, rules = solution.game, solution.rules
    turn = game.turn(rules, state)
    return [-1] * len(solution.draws(state)) if turn == LUCK else game.legal_moves(rules, state, turn)


def _decisions(solution: Solution, states: list[SomeState]) -> tuple[list[float], list[float], list[float], list[bool]]:
    """For each edge how likely the perfect player takes it, how likely it is among mistakes, what it loses, and whether
    it is worth making."""
    game, rules = solution.game, solution.rules
    perfect, tempting, losses, able = list[float](), list[float](), list[float](), list[bool]()
    for state in states:
        seat = game.turn(rules, state)
        if seat == LUCK:
            nothing = [0.0] * len(solution.draws(state))
            perfect, tempting, losses = perfect + nothing, tempting + nothing, losses + nothing
            able += [False] * len(nothing)
            continue
        options = solution.options(state, seat)
        plan, mistakes = solution.plan(state, seat), temptations(solution, state, seat)
        perfect += [plan[option.move] for option in options]
        tempting += [mistakes[option.move] for option in options]
        losses += [option.lost for option in options]
        moves = [option.move for option in options]
        able += worth_making(solution, state, moves, [game.apply(rules, state, move) for move in moves])
    return perfect, tempting, losses, able


def _views(solution: Solution, states: list[SomeState]) -> tuple[list[float], list[float]]:
    """How each position looks, and what the seats have there, one behind the other."""
    eye, holdings = eye_of(solution), holdings_of(solution)
    return [eye.value(state) for state in states], [number for state in states for number in holdings.at(state)]


def _picks(solution: Solution, bell: int) -> AtOnce:
    game, rules, moves = solution.game, solution.rules, solution.game.moves
    positions = explore_simultaneous(game, rules, plain())
    numbering = Numbering(positions.layout, type(game.start(rules, 0)), positions.turns_round)
    states = [numbering.unpack(number) for number in positions.numbers]

    def both(at: Callable[[SomeState, int], Sequence[float]]) -> Both:
        first, second = ([share for state in states for share in at(state, seat)] for seat in (0, 1))
        return first, second

    def losses(state: SomeState, seat: int) -> list[float]:
        lost = {option.move: option.lost for option in solution.options(state, seat)}
        return [lost.get(move, 0.0) for move in moves]

    players = (
        both(solution.plan),
        both(lambda state, seat: temptations(solution, state, seat)),
        both(lambda state, seat: any_move(game, rules, state, seat)),
        both(losses),
    )
    views = _views(solution, states)
    symmetric = [positions.turns_round and numbering.mirror(state) == state for state in states]
    number, turned = numbering.find(game.start(rules, 0))
    node = list(positions.numbers).index(number)
    even = symmetric[node] and all(
        solution.plan(state, 0) == solution.plan(state, 1)
        for state, mirrored in zip(states, symmetric, strict=True)
        if mirrored
    )
    every_node = range(1, len(states) + 1)  # so few need not be taken in groups
    return AtOnce(len(moves), every_node, positions.after, *players, *views, symmetric, even, 2 * node + turned, bell)

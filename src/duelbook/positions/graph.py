"""Every position that can come up and where each move leads, walked in plain Python from the rule functions.

Where a duel is the same for both seats, a position and its mirror are one node; an edge says whether it leads to the
node as it stands or to its mirror. That the duel is the same for both is not taken on trust: it is checked at every
position.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Any, NamedTuple

from duelbook.core import BOTH, DRAW, LUCK, OVER, DuelError, Game, SomeRules, SomeState
from duelbook.positions.layout import Packing, layout_of, packing
from duelbook.positions.target import winner_at


class Graph(NamedTuple):
    states: list[Any]
    """The nodes; for ends there are none."""
    movers: array[int]
    starts: array[int]
    """Where the edges of each node start, and behind the last node where all edges end."""
    moves: array[int]
    """The move of each edge."""
    targets: array[int]
    """Where each edge leads: 2 * node, plus 1 when it is that node's mirror; or an end, -1 - winner."""
    nodes: dict[Any, int]
    """For every position and every position's mirror what a target says of it."""
    mirror: Any


MOST_STATES = 5_000_000
"""So many positions are walked at most, one by one."""


def mirrors(game: Game, rules: SomeRules, state: SomeState, mirror: Any) -> bool:
    """Whether the rules treat this position and its mirror alike, seats swapped."""
    other = mirror(state)
    turn = game.turn(rules, state)
    if turn == OVER:
        winner = game.winner(rules, state)
        return bool(game.winner(rules, other) == (DRAW if winner == DRAW else 1 - winner))
    if game.turn(rules, other) != (1 - turn if turn < BOTH else turn):
        return False
    if turn == LUCK:
        return all(
            game.odds(rules, state, face) == game.odds(rules, other, face)
            and (
                game.odds(rules, state, face) == 0
                or mirror(game.deal(rules, state, face)) == game.deal(rules, other, face)
            )
            for face in game.faces
        )
    seats = (0, 1) if turn == BOTH else (turn,)
    moves = [(seat, move) for seat in seats for move in game.moves]
    if any(game.legal(rules, state, seat, move) != game.legal(rules, other, 1 - seat, move) for seat, move in moves):
        return False
    if turn == BOTH:
        ones, twos = game.legal_moves(rules, state, 0), game.legal_moves(rules, state, 1)
        return all(
            mirror(game.resolve(rules, state, one, two)) == game.resolve(rules, other, two, one)
            for one in ones
            for two in twos
        )
    return all(
        mirror(game.apply(rules, state, move)) == game.apply(rules, other, move)
        for seat, move in moves
        if game.legal(rules, state, seat, move)
    )


def seat_swap(game: Game, rules: SomeRules) -> Packing | None:
    """How to turn a position round the table, or None where the start alone shows that the duel cannot be turned."""
    start = game.start(rules, 0)
    functions = packing(layout_of([start]), type(start))
    turned = functions.mirror(start)
    return (
        functions if turned in (game.start(rules, 1), start) and mirrors(game, rules, start, functions.mirror) else None
    )


def explore(game: Game, rules: SomeRules, roots: Iterable[Any]) -> Graph:
    """Walk an alternating duel from these positions to every position that can follow."""
    swap = seat_swap(game, rules)
    graph = _explore(game, rules, roots, swap.mirror if swap else None)
    return graph if graph.mirror is None or _turns_round(game, rules, graph) else _explore(game, rules, roots, None)


def _turns_round(game: Game, rules: SomeRules, graph: Graph) -> bool:
    """Whether every mirror leads where its node leads, turned round: what `mirrors` says, from edges that are there."""
    nodes, starts, moves, targets = graph.nodes, graph.starts, graph.moves, graph.targets
    for node, state in enumerate(graph.states):
        other, seat = graph.mirror(state), 1 - graph.movers[node]
        edges = range(starts[node], starts[node + 1])
        legal = [moves[edge] for edge in edges]
        if game.turn(rules, other) != seat or game.legal_moves(rules, other, seat) != legal:
            return False
        for edge in edges:
            after = game.apply(rules, other, moves[edge])
            target = nodes.get(after)
            if target is None:
                target = -1 - game.winner(rules, after) if game.turn(rules, after) == OVER else None
                if target is None or winner_at(target, 1) != winner_at(targets[edge], 0):
                    return False
            elif target != targets[edge] ^ 1:
                return False
    return True


def _explore(game: Game, rules: SomeRules, roots: Iterable[Any], mirror: Any) -> Graph:
    graph = Graph([], array("i"), array("i", [0]), array("i"), array("i"), {}, mirror)
    nodes, states, turn, apply = graph.nodes, graph.states, game.turn, game.apply
    moves, targets = graph.moves, graph.targets

    def add(state: SomeState) -> int:
        target = 2 * len(states)
        if mirror is not None:
            nodes[mirror(state)] = target + 1
        nodes[state] = target
        states.append(state)
        return target

    for root in roots:
        if turn(rules, root) != OVER and root not in nodes:
            add(root)
    for state in states:  # grows while it is walked
        if len(states) > MOST_STATES:
            raise DuelError(
                f"{game.name} has more than {MOST_STATES:,} positions under these rules: too many to solve."
            )
        seat = int(turn(rules, state))
        if seat >= BOTH:
            raise TypeError(f"{game.name} does not alternate at {state}")
        for move in game.legal_moves(rules, state, seat):
            after = apply(rules, state, move)
            target = nodes.get(after)
            if target is None:
                target = -1 - game.winner(rules, after) if turn(rules, after) == OVER else add(after)
            moves.append(move)
            targets.append(target)
        graph.movers.append(seat)
        graph.starts.append(len(targets))
    return graph

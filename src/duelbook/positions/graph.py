"""Every position that can come up and where each move leads, walked in plain Python from the rule functions.

Where a duel is the same for both seats, a position and its mirror are one node; an edge says whether it leads to the
node as it stands or to its mirror. That the duel is the same for both is not taken on trust: it is checked at every
position.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from duelbook.core import BOTH, DRAW, LUCK, OVER, DuelError, Game
from duelbook.positions.layout import Packing, layout_of, packing


class Edge(NamedTuple):
    move: int
    target: int
    """A node, or for an end -1 - winner (the winner of the position as it stands)."""
    turned: bool
    """The edge leads to the target's mirror: seats and values change sides."""


class Graph(NamedTuple):
    states: list[Any]
    """The nodes; for ends there are none."""
    movers: list[int]
    edges: list[list[Edge]]
    nodes: dict[Any, tuple[int, bool]]
    """The node of every position and of every position's mirror, and whether it is the mirror."""
    mirror: Any

    def find(self, state: Any) -> tuple[int, bool] | None:
        """The node of a position that is not over, and whether it is that node's mirror. None if it was not walked."""
        return self.nodes.get(state)


MOST_STATES = 5_000_000
"""So many positions are walked at most, one by one."""
END_VALUES = {0: 1, 1: -1, DRAW: 0}
"""What an end is worth for Player 1."""


def mirrors(game: Game, rules: Any, state: Any, mirror: Any) -> bool:
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


def seat_swap(game: Game, rules: Any) -> Packing | None:
    """How to turn a position round the table, or None where the start alone shows that the duel cannot be turned."""
    start = game.start(rules, 0)
    functions = packing(layout_of([start]), type(start))
    turned = functions.mirror(start)
    return (
        functions if turned in (game.start(rules, 1), start) and mirrors(game, rules, start, functions.mirror) else None
    )


def explore(game: Game, rules: Any, roots: Iterable[Any]) -> Graph:
    """Walk an alternating duel from these positions to every position that can follow."""
    swap = seat_swap(game, rules)
    graph = _explore(game, rules, roots, swap.mirror if swap else None)
    if graph.mirror is not None and not all(mirrors(game, rules, state, graph.mirror) for state in graph.states):
        return _explore(game, rules, roots, None)
    return graph


def _explore(game: Game, rules: Any, roots: Iterable[Any], mirror: Any) -> Graph:
    graph = Graph([], [], [], {}, mirror)
    nodes, states, turn, apply = graph.nodes, graph.states, game.turn, game.apply

    def add(state: Any) -> tuple[int, bool]:
        found = (len(states), False)
        if mirror is not None:
            nodes[mirror(state)] = (found[0], True)
        nodes[state] = found
        states.append(state)
        return found

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
        out = []
        for move in game.legal_moves(rules, state, seat):
            after = apply(rules, state, move)
            found = nodes.get(after)
            if found is None and turn(rules, after) == OVER:
                out.append(Edge(move, -1 - game.winner(rules, after), False))
            else:
                out.append(Edge(move, *(found or add(after))))
        graph.movers.append(seat)
        graph.edges.append(out)
    return graph

"""A duel as a tree whose nodes are values, for tools that search: luck is a node of its own, and so is the bell's end.

A match is one game on its way and is no good for going to a million positions and back. Here a node is a handful of
numbers, and going on from it makes another one. The rules are asked for everything; what the referee adds to them is
the count of turns and the bell, and a test plays both side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from duelbook.core import BOTH, DRAW, LUCK, OVER, Game, IllegalMove, SomeRules, SomeState
from duelbook.match import Step


class Node(NamedTuple):
    """Where a game stands."""

    state: SomeState
    turns: int
    """How many turns were played; luck takes none."""
    turn: int
    """Who acts now; OVER also when the bell has rung."""
    paid: int = 0
    """What Player 1 has got: 1 or -1 after an end by the rules, otherwise 0."""

    def __deepcopy__(self, memo: object) -> Node:
        """It never changes, and searches copy without end."""
        return self


class Tree:
    """One duel under one set of rules. `bell` is the number of turns after which nobody has won; 0 for no bell."""

    def __init__(self, game: Game, rules: SomeRules, bell: int = 0) -> None:
        self.game, self.rules, self.bell = game, rules, bell
        self.root = self._node(game.start(rules, 0), 0)

    def legal(self, node: Node, seat: int) -> list[int]:
        """The moves of a seat that owes a decision; luck's faces have `chances`."""
        return self.game.legal_moves(self.rules, node.state, seat) if node.turn in (seat, BOTH) else []

    def chances(self, node: Node) -> list[tuple[int, float]]:
        """What luck can bring, each face by its place among all, with its probability."""
        weights = [self.game.odds(self.rules, node.state, face) for face in self.game.faces]
        total = sum(weights)
        return [(place, weight / total) for place, weight in enumerate(weights) if weight]

    def deal(self, node: Node, place: int) -> Node:
        """After the face at this place has come."""
        game, rules, chance = self.game, self.rules, self.game.chance
        if not 0 <= place < len(game.faces):
            raise IllegalMove(f"There are {len(game.faces)} {chance.face}s, the first of them 0; {place} is none.")
        face = game.faces[place]
        if not game.odds(rules, node.state, face):
            raise IllegalMove(f"A {face} cannot be {chance.drawn} now: {chance.nowhere}.")
        return self._node(game.deal(rules, node.state, face), node.turns)

    def play(self, node: Node, move: int) -> Node:
        """After a move of the seat on turn."""
        self._check(node, node.turn, move)
        return self._node(self.game.apply(self.rules, node.state, move), node.turns + 1)

    def reveal(self, node: Node, first: int, second: int) -> Node:
        """After both picks of a round."""
        self._check(node, 0, first)
        self._check(node, 1, second)
        return self._node(self.game.resolve(self.rules, node.state, first, second), node.turns + 1)

    def walk(self, actions: Iterable[int]) -> Iterator[Step]:
        """What happened, step by step, from nothing but the numbers of all actions: luck's, moves, picks in pairs."""
        node, waiting = self.root, iter(actions)
        for action in waiting:
            if node.turn == LUCK:
                yield Step(LUCK, self.game.faces[action], node.state)
                node = self.deal(node, action)
            elif node.turn == BOTH:
                picks = (action, next(waiting))
                yield Step(BOTH, picks, node.state)
                node = self.reveal(node, *picks)
            else:
                yield Step(node.turn, action, node.state)
                node = self.play(node, action)

    def text(self, node: Node) -> str:
        """The position as it is typed. With a bell the turns belong to it: how many are left changes what it is worth.

        Without one they do not, so that a tool which knows positions by their text finds the few there are.
        """
        position = self.game.write_position(self.rules, node.state)
        return f"{position} after {node.turns}" if self.bell else position

    def _check(self, node: Node, seat: int, move: int) -> None:
        if move not in self.game.moves:
            raise IllegalMove(f"{self.game.name} has the moves 0 to {len(self.game.moves) - 1}; {move} is none.")
        if not self.game.legal(self.rules, node.state, seat, move):
            raise IllegalMove(self.game.dialogue.why_not(self.rules, node.state, seat, move))

    def _node(self, state: SomeState, turns: int) -> Node:
        turn = self.game.turn(self.rules, state)
        if turn == OVER:
            winner = self.game.winner(self.rules, state)
            return Node(state, turns, OVER, 0 if winner == DRAW else 1 - 2 * winner)
        if self.bell and turns >= self.bell:
            return Node(state, turns, OVER)
        return Node(state, turns, int(turn))

"""Every decision of a duel at once: what each player who is a table loses there, and how often a paper asks for it.

The means over all of them are exact. They are what any paper estimates, so intervals can be held against them, and they
are the exam itself for who can be asked everywhere. Needs NumPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from duelbook.core import LUCK
from duelbook.exam.paper import CERTAIN, Subject
from duelbook.policies.forward_picks import AtOnce
from duelbook.policies.forward_turns import Alone
from duelbook.policies.ladder import laid_out, table_for
from duelbook.policies.levels import RANDOM
from duelbook.policies.table_plans import table_plan
from duelbook.positions.machine import Machine, compiling
from duelbook.positions.size import there_is_a_compiler

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array


class Decisions(NamedTuple):
    """All decisions of a duel at which something is at stake, one place each."""

    subject: Subject
    table: Alone | AtOnce
    machine: Machine
    places: tuple[Array, ...]
    """Which decisions of the table these are: of one seat at a time, or of the first seat and of the second."""
    weights: Array
    """How likely a paper asks for each; together 1."""
    stakes: Array

    def losses(self, kind: str) -> Array:
        """What a player who is a table loses at each, on average over what it does there."""
        return self.moments(kind)[0]

    def moments(self, who: str | int) -> tuple[Array, Array]:
        """The same, and with every loss squared before the average is taken: how much one answer differs from the
        next. Of a kind of player, or of the habit of a move."""
        return self._moments(self.shares(who))

    def moments_of(self, plan: Any) -> tuple[Array, Array]:
        """The same for anybody's plan, as the table lists moves."""
        return self._moments(self._halves(plan))

    def _moments(self, halves: list[Array]) -> tuple[Array, Array]:
        columns = zip(halves, columns_of(self.table), strict=True)
        found = [(shares * losses, shares * losses**2, starts) for shares, (starts, losses, _, _) in columns]
        means, squares = ([np.add.reduceat(each[at], each[2]) for each in found] for at in (0, 1))
        return self._picked(means), self._picked(squares)

    def shares(self, who: str | int) -> list[Array]:
        """How likely somebody makes each move of the whole table: once, or for both seats. A number is the habit of
        that move: it wherever it is legal, and anything elsewhere."""
        if isinstance(who, int):
            return [_always(who, *columns) for columns in columns_of(self.table)]
        return self._halves(table_plan(self.table, self.machine, self.subject.solution.game, who))

    def _halves(self, plan: Any) -> list[Array]:
        """A plan is one column, or one for each seat where both pick at once."""
        return [np.asarray(each) for each in ((plan,) if isinstance(self.table, Alone) else plan)]

    def habit(self, move: int) -> Array:
        """What is lost by making one move wherever it is legal, and anything elsewhere."""
        return self.moments(move)[0]

    def mean(self, losses: Array) -> float:
        return float(self.weights @ losses)

    def variance(self, losses: Array, squares: Array | None = None) -> float:
        """Of one question's loss: the plan's, or of one answer where the squares are given."""
        return float(self.weights @ (losses**2 if squares is None else squares)) - self.mean(losses) ** 2

    def best_habit(self) -> tuple[int, Array]:
        """The move whose habit loses least."""
        found = {move: self.habit(move) for move in self.subject.solution.game.moves}
        best = min(found, key=lambda move: self.mean(found[move]))
        return best, found[best]

    def _picked(self, columns: list[Array]) -> Array:
        return np.concatenate([column[place] for column, place in zip(columns, self.places, strict=True)])


def decisions_of(subject: Subject, *, often: bool = False) -> Decisions:
    """Lay a duel out and weigh every decision as a paper does. What is gone through often is worth a compiler, however
    small the duel is."""
    solution = subject.solution
    if often and there_is_a_compiler():
        table, machine = table_for(solution), compiling()
    else:
        table, machine = laid_out(solution.game, solution.rules)
    drawn = _met_after_luck(table) if isinstance(table, Alone) else np.ones(len(table.symmetric))
    everywhere = tuple(np.arange(len(drawn)) for _ in columns_of(table))
    whole = Decisions(subject, table, machine, everywhere, np.zeros(0), np.zeros(0))
    stakes = np.round(whole.losses(RANDOM), CERTAIN)
    met = np.tile(drawn, len(everywhere))
    kept = stakes * met > 0
    places = tuple(np.flatnonzero(each) for each in np.split(kept, len(everywhere)))
    stakes, met = stakes[kept], met[kept]
    return Decisions(subject, table, machine, places, stakes * met / float(stakes @ met), stakes)


def columns_of(table: Alone | AtOnce) -> list[tuple[Array, Array, Array, Array]]:
    """Where each decision's moves start, what each loses, which move it is and whether it is legal: once, or for both
    seats."""
    if isinstance(table, Alone):
        starts, losses = np.asarray(table.starts)[:-1], np.asarray(table.losses)
        return [(starts, losses, np.asarray(table.moves), np.ones(len(losses), np.bool_))]
    starts = np.arange(0, len(table.losses[0]), table.picks)
    moves = np.tile(np.arange(table.picks), len(starts))
    return [
        (starts, np.asarray(losses), moves, np.asarray(anything) > 0)
        for losses, anything in zip(table.losses, table.anything, strict=True)
    ]


def _always(move: int, starts: Array, losses: Array, moves: Array, legal: Array) -> Array:
    """How likely a habit makes each move."""
    made, lengths = legal & (moves == move), np.diff(np.append(starts, len(losses)))
    can, known = (np.repeat(np.add.reduceat(each.astype(float), starts), lengths) for each in (made, legal))
    shares: Array = np.where(can > 0, made, legal / np.maximum(known, 1.0))
    return shares


def _met_after_luck(table: Alone) -> Array:
    """How often each decision comes up where any position of luck's is as likely as any other; without luck, once."""
    kinds, starts = np.asarray(table.kinds), np.asarray(table.starts)
    by_luck = kinds == LUCK
    if not by_luck.any():
        return np.ones(len(kinds))
    targets, weights = np.asarray(table.targets), np.asarray(table.weights, float)
    totals = np.add.reduceat(weights, starts[:-1])
    edges = np.repeat(by_luck, np.diff(starts))
    shares = weights / np.repeat(np.where(totals > 0, totals, 1.0), np.diff(starts))
    coming = by_luck.astype(float)
    found = np.zeros(len(kinds))
    while coming.any():  # luck may act several times before somebody decides
        sent = shares * np.repeat(coming, np.diff(starts))
        met = np.bincount(targets[edges & (targets >= 0)] // 2, sent[edges & (targets >= 0)], len(kinds))
        found += np.where(by_luck, 0.0, met)
        coming = np.where(by_luck, met, 0.0)
        coming[coming < 1e-12] = 0.0
    return found

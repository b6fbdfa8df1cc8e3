"""Every decision of a duel at once: what each player who is a table loses there, and how often a paper asks for it.

The means over all of them are exact. They are what any paper estimates, so intervals can be held against them, and they
are the exam itself for who can be asked everywhere. Needs NumPy.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from duelbook.core import LUCK
from duelbook.exam.paper import CERTAIN, Subject
from duelbook.policies.forward_picks import AtOnce
from duelbook.policies.forward_turns import Alone
from duelbook.policies.ladder import laid_out
from duelbook.policies.levels import RANDOM
from duelbook.policies.table_plans import table_plan
from duelbook.positions.machine import Machine

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

    def moments(self, kind: str) -> tuple[Array, Array]:
        """The same, and with every loss squared before the average is taken: how much one answer differs from the
        next."""
        plan = table_plan(self.table, self.machine, self.subject.solution.game, kind)
        means, squares = zip(*self._moments(plan), strict=True)
        return self._picked(list(means)), self._picked(list(squares))

    def habit(self, move: int) -> Array:
        """What is lost by making one move wherever it is legal, and anything elsewhere."""
        return self._picked([_always(move, *columns) for columns in _columns(self.table)])

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

    def _moments(self, plan: object) -> Iterable[tuple[Array, Array]]:
        plans = (plan,) if isinstance(self.table, Alone) else plan
        for one, (starts, losses, _, _) in zip(plans, _columns(self.table), strict=True):  # type: ignore[call-overload]  # a plan is one column, or two
            shares = np.asarray(one)
            yield np.add.reduceat(shares * losses, starts), np.add.reduceat(shares * losses**2, starts)


def decisions_of(subject: Subject) -> Decisions:
    """Lay a duel out and weigh every decision as a paper does."""
    solution = subject.solution
    table, machine = laid_out(solution.game, solution.rules)
    drawn = _met_after_luck(table) if isinstance(table, Alone) else np.ones(len(table.symmetric))
    everywhere = tuple(np.arange(len(drawn)) for _ in _columns(table))
    whole = Decisions(subject, table, machine, everywhere, np.zeros(0), np.zeros(0))
    stakes = np.round(whole.losses(RANDOM), CERTAIN)
    often = np.tile(drawn, len(everywhere))
    kept = stakes * often > 0
    places = tuple(np.flatnonzero(each) for each in np.split(kept, len(everywhere)))
    stakes, often = stakes[kept], often[kept]
    return Decisions(subject, table, machine, places, stakes * often / float(stakes @ often), stakes)


def _columns(table: Alone | AtOnce) -> list[tuple[Array, Array, Array, Array]]:
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
    """What a habit loses at each decision."""
    made = legal & (moves == move)
    can = np.add.reduceat(made, starts) > 0
    anything = np.add.reduceat(np.where(legal, losses, 0.0), starts) / np.add.reduceat(legal.astype(float), starts)
    return np.where(can, np.add.reduceat(np.where(made, losses, 0.0), starts), anything)


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

"""Policies, players given as tables: how likely each move is at each position.

A policy is named as any player is (`random`, `level:3`, `perfect`, `brawler`) or is an array with a row for each
position and a column for each move. `policy_table` turns a name into such an array, kept small: equal rows are kept
once.
"""

from __future__ import annotations

from collections.abc import Sequence
from reprlib import repr as shown
from typing import TYPE_CHECKING, Any

import numpy as np

from duelbook.core import DuelError, Game, SomeRules, SomeState
from duelbook.players import UnknownPlayer, check_kind
from duelbook.policies.levels import TABULAR
from duelbook.policies.plans import plan_of
from duelbook.simulate.cells import CLOSE
from duelbook.simulate.plans import PolicyTable, equal_rows, table_by_asking
from duelbook.simulate.positions import Positions, positions, remembered

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

Policy = Any
"""What a seat can be given to: a name, a PolicyTable, or an array of its shape."""


def rung(policy: str) -> str:
    """The tidy name of a player that is a table."""
    try:
        name = check_kind(policy) if isinstance(policy, str) else ""
    except UnknownPlayer:
        name = ""
    if name not in TABULAR:
        known = ", ".join(TABULAR)
        raise UnknownPlayer(f"There is no table for a player called {shown(policy)}. There is one for: {known}.")
    return name


def policy_table(game: Game | str, policy: str, *, rules: SomeRules = None, seat: int = 0) -> PolicyTable:
    """The table of a named player in one seat. Where both pick at once, each seat has a table of its own."""
    name, places = rung(policy), positions(game, rules)
    if seat not in (0, 1):
        raise DuelError(f"The seats are 0 and 1; there is no seat {seat}.")
    return remembered(places.made, ("table", name, seat), lambda: _table(places, name, seat))


def _table(places: Positions, name: str, seat: int) -> PolicyTable:
    if places.kind != "backwards":
        from duelbook.simulate.dense import dense_table

        return dense_table(places, name, seat)
    return table_by_asking(places, name, seat, [number for number, _, mover in places.decisions() if mover == seat])


def given_table(places: Positions, policy: Policy, seat: int) -> PolicyTable:
    """What was handed over as an array, looked at before it is used."""
    moves = len(places.game.moves)
    if isinstance(policy, PolicyTable):
        if policy.positions is not places:
            raise DuelError(f"This table belongs to {policy.positions.game.name}, or to other rules.")
        if policy.seat != seat:
            whose = f"This table is Player {policy.seat + 1}'s and cannot play for Player {seat + 1}"
            raise DuelError(f"{whose}; policy_table makes one with seat={seat}.")
        return policy
    array = _array(policy)
    if array.shape != (places.count, moves) or array.dtype.kind not in "fiub":
        wanted = f"An array for {places.game.name} has {places.count} positions and {moves} moves"
        raise DuelError(f"{wanted}; this one has the shape {array.shape} and holds {array.dtype}.")
    array = np.ascontiguousarray(array, np.float64) + 0.0  # a zero has no minus
    _check_rows(array)
    picked, rows = equal_rows(array)
    return PolicyTable(places, seat, rows, array[picked])


def _array(policy: Policy) -> Array:
    try:
        return np.asarray(policy)
    except ValueError:
        raise DuelError("A policy is a name, a table or an array; rows of different lengths make no array.") from None


def _check_rows(array: Array) -> None:
    """Make sure that every row holds probabilities, or nothing at all."""
    with np.errstate(invalid="ignore"):  # the sum of two infinities may be no number
        sums = array.sum(axis=1)
    fine = (array >= 0).all(axis=1) & ((abs(sums - 1) <= CLOSE) | ~array.any(axis=1))  # no comparison holds for nan
    if not fine.all():
        row = int(fine.argmin())
        held = ", ".join(f"{share:g}" for share in array[row])
        raise DuelError(f"Row {row} of the array holds no probabilities that add up to 1: {held}.")


class Seat:
    """Who sits in a seat: asked for a single plan, or for the whole table."""

    def __init__(self, game: Game, rules: SomeRules, policy: Policy, seat: int) -> None:
        self.game, self.rules, self.seat = game, rules, seat
        self.name = rung(policy) if isinstance(policy, str) else ""
        self.given = None if self.name else given_table(positions(game, rules), policy, seat)

    def plan(self, state: SomeState) -> tuple[float, ...]:
        """The probabilities at a position, made sure to be of legal moves."""
        if self.given is None:
            return plan_of(self.name, self.game, self.rules, state, self.seat)
        plan = self.given.plan(state)
        check_plan(self.game, self.rules, state, self.seat, plan)
        return plan

    def table(self) -> PolicyTable:
        return self.given or policy_table(self.game, self.name, rules=self.rules, seat=self.seat)


def check_plan(game: Game, rules: SomeRules, state: SomeState, seat: int, plan: Sequence[float]) -> None:
    legal = game.legal_moves(rules, state, seat)
    where = game.write_position(rules, state)
    if not any(plan):
        raise DuelError(f"The policy of Player {seat + 1} says nothing at {where}.")
    wrong = [move for move, share in enumerate(plan) if share and move not in legal]
    if wrong:
        words = game.dialogue.words(rules)
        raise DuelError(f"The policy of Player {seat + 1} plays {words[wrong[0]]} at {where}, which is not legal.")

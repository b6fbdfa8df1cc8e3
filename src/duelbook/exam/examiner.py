"""Every decision of a duel put to a policy at once: what it loses and how far it can be exploited, exactly.

For those who train agents. An observation is what the environments show, so a network answers all decisions as one
batch, and a learning curve needs no games and has no noise. Needs NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

try:
    import numpy as np
except ImportError:
    raise ImportError("An Examiner needs NumPy, which is not installed: pip install numpy") from None

from duelbook.core import LUCK, DuelError, Game, SomeRules, rules_given
from duelbook.core import settings as settings_of
from duelbook.envs.encoding import Encoding
from duelbook.exam.everything import decisions_of
from duelbook.exam.learner import Learner
from duelbook.exam.paper import Subject
from duelbook.games import duel_of
from duelbook.policies.exploitability import Exploited, against_seat
from duelbook.policies.forward_turns import Alone
from duelbook.policies.nodes import nodes_of
from duelbook.solving.library import solution_for

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

CLOSE = 1e-3
"""Probabilities that add up to 1 within this do: networks count in few digits."""

Policy = Any
"""An array with a row of probabilities for each decision, or a function from observations and masks to one."""


class Judged(NamedTuple):
    """What came of a policy, in win probability: 0 is perfect."""

    lost: float
    """Per decision at which something is at stake, each weighing as much as is: what the exam estimates."""
    exploited: Exploited
    """What a best response takes in each seat."""

    @property
    def exploitability(self) -> float:
        """The mean over the seats."""
        return self.exploited.mean

    @property
    def exact(self) -> bool:
        """Whether the exploitability is; otherwise it is at least that."""
        return all(seat.exact for seat in self.exploited.seats)


class Examiner:
    """One duel, and all its decisions as an agent sees them: `Examiner("tower")`, `Examiner("tower", "goal=20")`.

    As for the environments, `rules=("goal=20",)` says the same.
    """

    def __init__(self, game: str | Game, *settings: str, rules: SomeRules | str | Iterable[str] = ()) -> None:
        duel = duel_of(game)
        solution = solution_for(duel, rules_given(duel, *settings, *([rules] if rules or not settings else [])))
        self.encoding = Encoding(duel, tuple(settings_of(duel, solution.rules)))
        self._everything = decisions_of(Subject(duel, solution.rules, solution), often=True)
        self._table, self._machine = self._everything.table, self._everything.machine
        self._value = solution.value(duel.start(solution.rules, 0))
        self._radix = _radix(self.encoding)
        self.observations, self.masks, self._rows = self._seen()

    def __len__(self) -> int:
        return len(self.masks)

    def _seen(self) -> tuple[Array, Array, list[Array]]:
        """Every observation once, its mask, and for each seat its row at each decision of the table."""
        states, turns_round = nodes_of(self._everything.subject.solution, self._machine)
        deciding, roles, masks = self._decisions()
        ints = np.empty((len(deciding), states.shape[1] + 1), np.int32)
        for role in (0, 1):
            order, flipped = self.encoding.views[role]
            mine = roles == role
            ints[mine, :-1] = states[deciding[mine]][:, list(order)]
            if flipped >= 0:
                ints[mine, flipped] = 1 - ints[mine, flipped]
        # Whoever is in the same situation in the other seat sees the same, but for the seat.
        seats = [np.full(len(roles), seat) for seat in (0, 1)] if turns_round else [roles]
        everything = [np.column_stack([ints[:, :-1], seat]).astype(np.int32) for seat in seats]
        keys = np.concatenate([self._keys(each) for each in everything])
        self._known, first, back = np.unique(keys, return_index=True, return_inverse=True)
        rows = np.split(back, len(seats))
        return np.concatenate(everything)[first], np.tile(masks, (len(seats), 1))[first], [rows[0], rows[-1]]

    def _decisions(self) -> tuple[Array, Array, Array]:
        """Of each decision of the table its node, whose it is as the node stands, and the mask."""
        table, moves = self._table, self.encoding.moves
        if isinstance(table, Alone):
            kinds = np.asarray(table.kinds)
            deciding = np.flatnonzero(kinds != LUCK)
            masks = np.zeros((len(kinds), moves), np.bool_)
            nodes = np.repeat(np.arange(len(kinds)), np.diff(np.asarray(table.starts)))
            own = kinds[nodes] != LUCK
            masks[nodes[own], np.asarray(table.moves)[own]] = True
            return deciding, kinds[deciding], masks[deciding]
        nodes = np.arange(len(table.symmetric))
        legal = np.concatenate([np.asarray(each).reshape(-1, moves) > 0 for each in table.anything])
        return np.tile(nodes, 2), np.repeat([0, 1], len(nodes)), legal

    def _keys(self, observations: Array) -> Array:
        low, factors = self._radix
        return (observations.astype(np.int64) - low) @ factors

    def rows(self, observations: Array) -> Array:
        """Which row of `observations` each of these is, for policies that are arrays."""
        keys = self._keys(np.asarray(observations))
        found = np.minimum(np.searchsorted(self._known, keys), len(self._known) - 1)
        if (self._known[found] != keys).any():
            raise DuelError(f"Among these observations is one at which nobody decides in {self.encoding.game.name}.")
        return found

    def judge(self, policy: Policy) -> Judged:
        """What a policy loses over all decisions, and what a best response takes from it."""
        plans = self._plans(policy)
        found = [against_seat(self._table, self._machine, plan, self._value, seat) for seat, plan in enumerate(plans)]
        return Judged(self._lost(plans), Exploited((found[0], found[1])))

    def lost(self, policy: Policy) -> float:
        """What it loses, alone: soon found in large duels, too, where a best response takes long."""
        return self._lost(self._plans(policy))

    def _plans(self, policy: Policy) -> list[Any]:
        shares = self.shares(policy)
        return [self._plan(shares[rows]) for rows in self._rows]

    def _lost(self, plans: list[Any]) -> float:
        first, second = (self._everything.mean(self._everything.moments_of(plan)[0]) for plan in plans)
        return (first + second) / 2

    def shares(self, policy: Policy) -> Array:
        """How likely a policy makes each move at each decision, looked at before it is believed."""
        given = np.asarray(policy(self.observations, self.masks) if callable(policy) else policy)
        if given.shape != self.masks.shape or given.dtype.kind not in "fiub":
            wanted = f"A policy for {self.encoding.game.name} is an array of {self.masks.shape[0]} decisions"
            raise DuelError(f"{wanted} and {self.masks.shape[1]} moves; this one has the shape {given.shape}.")
        shares = given.astype(np.float64)
        with np.errstate(invalid="ignore"):
            fine = (shares >= 0).all(axis=1) & (abs(shares.sum(axis=1) - 1) <= CLOSE)
            legal = np.where(self.masks, 0.0, shares).max(axis=1) <= CLOSE
        if not (fine & legal).all():
            row = int((fine & legal).argmin())
            held = ", ".join(f"{share:g}" for share in shares[row])
            wrong = "makes a move that is not legal" if fine[row] else "is no list of probabilities that add up to 1"
            raise DuelError(f"Row {row} of the policy, for {self.observations[row].tolist()}, {wrong}: {held}.")
        shares = np.where(self.masks, shares, 0.0)
        shares /= shares.sum(axis=1, keepdims=True)
        return shares

    def _plan(self, shares: Array) -> Any:
        """As the table lists moves, from rows as its decisions are listed."""
        table = self._table
        if not isinstance(table, Alone):
            plan = tuple(half.ravel() for half in np.split(shares, 2))
            return plan if self._machine.compiled else tuple(half.tolist() for half in plan)
        kinds, widths = np.asarray(table.kinds), np.diff(np.asarray(table.starts))
        places = np.repeat(np.cumsum(kinds != LUCK) - 1, widths)
        found = np.where(np.repeat(kinds, widths) != LUCK, shares[places, np.asarray(table.moves)], 0.0)
        return found if self._machine.compiled else found.tolist()

    def player(self, policy: Policy, seed: int | None = None) -> Learner:
        """A policy as a player: it sits in any seat, meets anybody, takes the exam, and says its plan."""
        if callable(policy):
            return Learner(self.encoding, policy, seed)
        shares = self.shares(policy)
        answer: Callable[[Array, Array], Array] = lambda seen, masks: shares[self.rows(seen)]  # noqa: E731 - one line
        return Learner(self.encoding, answer, seed)


def _radix(encoding: Encoding) -> tuple[Array, Array]:
    """What makes one number of an observation."""
    low, high = np.array(encoding.low, np.int64), np.array(encoding.high, np.int64)
    return low, np.concatenate([np.cumprod((high - low + 1)[::-1])[-2::-1], [1]])

"""Thousands of games of a duel at once, as Gymnasium's vector environments have them.

Lane i under the seed s is the single environment under the seed s + i, step by step and game after game. The opponent
is a player that is a table, or nobody: then both seats are the agent's, and it acts for both in every step.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from reprlib import repr as shown
from typing import TYPE_CHECKING, Any

try:
    from gymnasium.spaces import Box, Dict, MultiDiscrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    needed = "duelbook.envs.vector needs Gymnasium, which is not installed: pip install 'duelbook[gymnasium]'"
    raise ImportError(needed) from None

import numpy as np

from duelbook.core import DuelError, Game, whole
from duelbook.envs.carried import LOSE, REPLACE, check_illegal
from duelbook.envs.draws import MASK, NEVER
from duelbook.envs.encoding import Encoding
from duelbook.envs.lanes import AT_ONCE, BY_HAND, BY_ITSELF, FINE, TIRED, Lanes, Loop, Told
from duelbook.envs.spaces import BITS, NUMBERS, action_space, observation_space
from duelbook.match import BELL, LATEST_BELL
from duelbook.positions.machine import need_compiler

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

SELF = "self"
"""The opponent of who plays both seats."""
DRAWN = 2
"""The seat of who gets one drawn for every game."""
FEW = 1024
"""So few lanes are not worth a second thread."""
MODES = {
    AutoresetMode.NEXT_STEP: BY_ITSELF,
    AutoresetMode.SAME_STEP: AT_ONCE,
    AutoresetMode.DISABLED: BY_HAND,
}


class DuelVectorEnv(VectorEnv):  # type: ignore[misc]  # its types are not there where it is not installed
    """Many games of a duel; in the other seat of each sits `opponent`, a player that is a table.

    Options are those of `DuelEnv`. With the opponent "self" there is none: an action is one for each seat, of which a
    seat that is not on turn waits, observations are those of both, and the reward is the first seat's. `threads` share
    the games; with `copy=False` what a step returns is overwritten by the next.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        *,
        opponent: str = "random",
        seat: int | None = 0,
        rules: Sequence[str] = (),
        max_turns: int = BELL,
        illegal: str = LOSE,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        copy: bool = True,
        render_mode: None = None,
    ) -> None:
        need_compiler("The vector environment")
        self.encoding = Encoding(game, rules)
        self.num_envs = whole(num_envs, "The number of games", 1)
        self.threads, self.copy = whole(threads, "The threads", 1), copy
        self.max_turns = whole(max_turns, "The turns before the bell", 1, LATEST_BELL)
        self.illegal, self.autoreset_mode = check_illegal(illegal), _mode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        if render_mode is not None:
            raise DuelError("Many games at once are not shown; a single environment has render_mode.")
        self._seat = DRAWN if seat is None else whole(seat, "A seat", 0, 1)
        self.both = opponent == SELF
        self._tables, self._loop = self._opposite(opponent)
        self._lay_out()
        self._open()
        self._begun = False

    def _lay_out(self) -> None:
        """Spaces and arrays."""
        encoding, seats = self.encoding, 2 if self.both else 1
        actions = encoding.moves + (self.both and encoding.alternates)
        self.single_observation_space = observation_space(encoding, actions)
        self.single_action_space = action_space(actions)
        if self.both:
            low, high = (np.array([bound, bound], NUMBERS) for bound in (encoding.low, encoding.high))
            self.single_observation_space = Dict(
                {"observation": Box(low, high, dtype=NUMBERS), "action_mask": Box(0, 1, (2, actions), BITS)}
            )
            self.single_action_space = MultiDiscrete([actions, actions])
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._actions, ints = actions, len(encoding.low) - 1
        self._lanes = Lanes.of(self.num_envs, ints)
        self._told = Told.of(self.num_envs, seats, ints, actions)
        self._all = np.ones(self.num_envs, np.bool_)
        self._nothing = np.zeros((self.num_envs, 2) if self.both else self.num_envs, np.int64)

    def _opposite(self, opponent: str) -> tuple[Any, Loop]:
        """The opponent's tables, and the loop that plays against it."""
        from duelbook.envs.kernel import any_legal, by_table, loop_for
        from duelbook.policies.levels import RANDOM
        from duelbook.simulate import policy_table, positions
        from duelbook.simulate.policy import rung

        encoding = self.encoding
        if self.both:
            from duelbook.envs.kernel_both import loop_for_both

            return (), loop_for_both(encoding)
        kind = rung(opponent)
        if kind == RANDOM:
            return (), loop_for(encoding, any_legal(encoding))
        seats = (0, 1) if self._seat == DRAWN else (1 - self._seat,) * 2
        tables = [policy_table(encoding.game, kind, rules=encoding.rules, seat=seat) for seat in seats]
        arrays = [(table.rows.astype(np.int32), np.ascontiguousarray(table.plans, np.float64)) for table in tables]
        return tuple(arrays), loop_for(encoding, by_table(encoding, positions(encoding.game, encoding.rules).pack))

    # Gymnasium's two functions

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Array], dict[str, Any]]:
        """Begin a game in every lane, or in those that `options["reset_mask"]` names.

        A seed is the first lane's, and the others have the next ones; a list has one for each, or None to go on.
        """
        which = _lanes_to_reset(options, self.num_envs)
        seeds = [seed] * self.num_envs if seed is None else _seeds(seed, self.num_envs)
        for lane, given in enumerate(seeds):
            if which[lane] and (given is not None or not self._begun):
                self._lanes.seeds[lane] = (whole(given, "A seed", 0) if given is not None else _any_seed()) & MASK
                self._lanes.games[lane] = 0
        self._begun = True
        self._lanes.done[which] = True  # and so its next step begins a game
        self._play(which, self._nothing, BY_ITSELF)
        return self._observed(self._told.seen, self._told.masks), self._info()

    def step(self, actions: Any) -> tuple[dict[str, Array], Array, Array, Array, dict[str, Any]]:
        chosen = self._checked(actions)
        again, told = MODES[self.autoreset_mode], self._told
        if again == BY_HAND and self._lanes.done.any():
            lane = int(self._lanes.done.argmax())
            raise DuelError(f"Game {lane} is over; reset(options={{'reset_mask': ...}}) begins the next one there.")
        self._play(self._all, chosen, again)
        info = self._info()
        if again == AT_ONCE and (told.over.any() or told.rung.any()):
            self._add_last(info)
        observed = self._observed(told.seen, told.masks)
        return observed, self._own(told.rewards), self._own(told.over), self._own(told.rung), info

    def close_extras(self, **kwargs: Any) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    def __deepcopy__(self, memo: object) -> DuelVectorEnv:
        """The same games as everybody can see them, with luck and opponents' choices of their own from here on."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._lanes = Lanes(*(array.copy() for array in self._lanes))
        other._told = Told(*(array.copy() for array in self._told))
        for array in (other._lanes.seeds, other._lanes.keys):
            array[:] = np.frombuffer(os.urandom(8 * self.num_envs), np.uint64)
        other._open()
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        raise DuelError("A vector environment is not written to a file: what it will draw would be in it.")

    def _open(self) -> None:
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 and self.num_envs > FEW else None

    # What goes in and out

    def _play(self, which: Array, actions: Array, again: int) -> None:
        """A step of the lanes that are named, shared by all threads."""

        def work(low: int, high: int) -> tuple[int, int]:
            replaces, rules, bell = self.illegal == REPLACE, self.encoding.rules, self.max_turns
            lanes, told, tables = self._lanes, self._told, self._tables
            found: tuple[int, int] = self._loop(
                rules, lanes, told, tables, which, actions, self._seat, bell, replaces, again, low, high
            )
            return found

        if self._pool is None:
            found = [work(0, self.num_envs)]
        else:
            borders = [self.num_envs * part // self.threads for part in range(self.threads + 1)]
            found = list(self._pool.map(work, borders[:-1], borders[1:]))
        for went, lane in found:
            if went != FINE:
                self._complain(went, lane)

    def _complain(self, went: int, lane: int) -> None:
        from duelbook.envs.written import written

        if went == TIRED:
            raise DuelError(NEVER)
        game, rules = self.encoding.game, self.encoding.rules
        where = game.write_position(rules, written(self.encoding).load(self._lanes.numbers, lane))
        raise DuelError(f"The position {where} came up, and the table of the opponent has no plan for it.")

    def _checked(self, actions: Any) -> Array:
        if not self._begun:
            raise DuelError("There are no games to act in; reset() begins them.")
        found = np.asarray(actions)
        shape = (self.num_envs, 2) if self.both else (self.num_envs,)
        if found.shape != shape or found.dtype.kind not in "iu":
            raise DuelError(f"Actions are whole numbers of the shape {shape}; these are {found.dtype} {found.shape}.")
        if found.min() < 0 or found.max() >= self._actions:
            raise DuelError(f"An action of {self.encoding.game.name} lies between 0 and {self._actions - 1}.")
        return found.astype(np.int64, copy=False)

    def _own(self, array: Array) -> Array:
        return array.copy() if self.copy else array

    def _observed(self, seen: Array, masks: Array) -> dict[str, Array]:
        if not self.both:
            seen, masks = seen[:, 0], masks[:, 0]
        return {"observation": self._own(seen), "action_mask": self._own(masks)}

    def _info(self) -> dict[str, Any]:
        if self.both:
            return {}
        return {"seat": self._own(self._lanes.seats), "_seat": self._all.copy()}

    def _add_last(self, info: dict[str, Any]) -> None:
        """What was last to be seen of games that have begun again, as Gymnasium hands it over: an object for each."""
        ended = self._told.over | self._told.rung
        last = self._observed(self._told.last_seen, self._told.last_masks)
        final = np.full(self.num_envs, None, object)
        for lane in np.flatnonzero(ended).tolist():
            final[lane] = {name: array[lane].copy() for name, array in last.items()}
        info["final_obs"], info["_final_obs"] = final, ended


def _mode(given: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(given)
    except ValueError:
        known = ", ".join(repr(mode.value) for mode in AutoresetMode)
        raise DuelError(f"Games begin again as one of {known} says; there is no {shown(given)}.") from None


def _any_seed() -> int:
    return int.from_bytes(os.urandom(8), "big")


def _seeds(seed: int | Sequence[int | None], count: int) -> Sequence[int | None]:
    if isinstance(seed, Sequence | np.ndarray):
        if len(seed) != count:
            raise DuelError(f"There are {count} games, and so {count} seeds, not {len(seed)}.")
        return seed
    first = whole(seed, "A seed", 0)
    return range(first, first + count)


def _lanes_to_reset(options: dict[str, Any] | None, count: int) -> Array:
    mask = None if options is None else options.get("reset_mask")
    if mask is None:
        return np.ones(count, np.bool_)
    if not isinstance(mask, np.ndarray) or mask.shape != (count,) or mask.dtype != np.bool_ or not mask.any():
        raise DuelError(f"reset_mask is an array of {count} truth values, at least one of them true.")
    return mask

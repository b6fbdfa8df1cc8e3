"""Spaces and observations as Gymnasium has them, for whoever builds on it: PettingZoo does too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from duelbook.envs.carried import Carried
from duelbook.envs.encoding import Encoding

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

NUMBERS, BITS = np.int32, np.int8


def observation_space(encoding: Encoding, actions: int) -> Dict:
    numbers = Box(np.array(encoding.low, NUMBERS), np.array(encoding.high, NUMBERS), dtype=NUMBERS)
    return Dict({"observation": numbers, "action_mask": Box(0, 1, (actions,), BITS)})


def state_space(encoding: Encoding) -> Box:
    return Box(np.array(encoding.low[:-1], NUMBERS), np.array(encoding.high[:-1], NUMBERS), dtype=NUMBERS)


def action_space(actions: int) -> Discrete:
    return Discrete(actions)


def observation(carried: Carried, seat: int) -> dict[str, Array]:
    """What a seat is shown now. One that may wait has a place for that behind its moves."""
    mask = carried.mask(seat)
    if carried.waits:
        mask.append(int(not carried.over and seat not in carried.match.to_act()))
    seen = carried.encoding.observed(carried.state, seat)
    return {"observation": np.array(seen, NUMBERS), "action_mask": np.array(mask, BITS)}

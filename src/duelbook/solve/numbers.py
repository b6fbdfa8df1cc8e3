"""Room for many numbers: lists in plain Python, arrays of a fixed kind in compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def ints(count: int, value: int) -> Any:
    return [value] * count


def long_ints(count: int, value: int) -> Any:
    return [value] * count


def floats(count: int, value: float) -> Any:
    return [value] * count


def room_for_ints(count: int) -> Any:
    """The numbers are written before they are read; until then memory is not taken for them where it need not be."""
    return [0] * count


def room_for_long_ints(count: int) -> Any:
    return [0] * count


def for_the_compiler() -> dict[str, Callable[..., Any]]:
    """What takes the place of each function above in compiled code."""
    import numpy as np

    return {
        "ints": lambda count, value: np.full(count, value, np.int32),
        "long_ints": lambda count, value: np.full(count, value, np.int64),
        "floats": lambda count, value: np.full(count, value, np.float64),
        "room_for_ints": lambda count: np.empty(count, np.int32),
        "room_for_long_ints": lambda count: np.empty(count, np.int64),
    }

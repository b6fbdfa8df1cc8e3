"""Room for many numbers: lists and arrays in plain Python, arrays of a fixed kind in compiled code."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]
    """An array of NumPy's, by the name that annotations everywhere have for it. Import it for checking only, as here:
    many a room that says what its arrays are is also loaded where NumPy is not installed."""

Number = TypeVar("Number")
Read = TypeVar("Read", covariant=True)


class Numbers(Protocol[Read]):
    """Many numbers: a list, an array of Python's, or one of NumPy's."""

    def __len__(self) -> int: ...
    def __getitem__(self, place: int, /) -> Read: ...


class Room(Numbers[Number], Protocol):
    """Many numbers that can be changed."""

    def __setitem__(self, place: int, number: Number, /) -> None: ...


def ints(count: int, value: int) -> Any:
    return [value] * count


def floats(count: int, value: float) -> Any:
    return [value] * count


def room_for_ints(count: int) -> Any:
    """For what is written before it is read, and is often not needed wholly: it takes as little memory as it can."""
    return array("i", bytes(array("i").itemsize * count))


def room_for_long_ints(count: int) -> Any:
    return array("q", bytes(array("q").itemsize * count))


def room_for_floats(count: int) -> Any:
    return array("d", bytes(array("d").itemsize * count))


def room_for_short_ints(count: int) -> Any:
    return array("h", bytes(array("h").itemsize * count))


def longer(column: Any, count: int) -> Any:
    """The same numbers with room for so many."""
    return column + array(column.typecode, bytes(column.itemsize * (count - len(column))))


def sort_part(column: Any, begin: int, end: int) -> None:
    """Put a part of a column of whole numbers, none below 0, in order."""
    column[begin:end] = array(column.typecode, sorted(column[begin:end]))


def for_the_compiler() -> dict[str, Callable[..., Any]]:
    """What takes the place of each function above in compiled code."""
    import numpy as np

    # Loops: NumPy's own ways to say the same take seconds more to compile.
    def _filled(kind: Any) -> Callable[..., Any]:
        def filled(count: int, value: Any) -> Any:
            room = np.empty(count, kind)
            for place in range(count):
                room[place] = value
            return room

        return filled

    def _longer(column: Any, count: int) -> Any:
        room = np.empty(count, column.dtype)
        for place in range(len(column)):
            room[place] = column[place]
        return room

    def _sort_part(column: Any, begin: int, end: int) -> None:
        # A byte at a time, the lowest first, to and fro (radix sort).
        behind, ends = np.empty(end - begin, column.dtype), np.empty(257, np.int64)
        here, there = column[begin:end], behind
        for shift in range(0, 32 if end - begin > 1 else 0, 8):
            for byte in range(257):
                ends[byte] = 0
            for place in range(len(here)):
                ends[(here[place] >> shift & 255) + 1] += 1
            for byte in range(256):
                ends[byte + 1] += ends[byte]
            for place in range(len(here)):
                byte = here[place] >> shift & 255
                there[ends[byte]] = here[place]
                ends[byte] += 1
            here, there = there, here

    instead: dict[str, Callable[..., Any]] = {
        "ints": _filled(np.int32),
        "floats": _filled(np.float64),
        "room_for_ints": lambda count: np.empty(count, np.int32),
        "room_for_floats": lambda count: np.empty(count, np.float64),
        "room_for_short_ints": lambda count: np.empty(count, np.int16),
        "longer": _longer,
        "sort_part": _sort_part,
        "room_for_long_ints": lambda count: np.empty(count, np.int64),
    }
    for name, function in instead.items():
        # Each has a name of its own: what was compiled and kept of one must not be taken for another.
        function.__qualname__ = f"for_the_compiler.{name}"
    return instead

"""Numbers for positions: a packing of states into whole numbers, made by looking at the states of a game.

A state is a NamedTuple of ints and tuples of ints. Each int gets a range, seen in the states themselves, and a state
becomes one number in a mixed radix. A pair is read as one entry for each seat and a field called `mover` as a seat,
so that a position can be turned round the table: where a duel is the same for both seats, a position and its mirror
share one number and differ only in whose side the value is on.

The functions are written out as source for one layout, so that the same text runs as plain Python and compiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import gcd, prod
from typing import Any, NamedTuple


class Span(NamedTuple):
    """The values one int of a state takes: low, low + step, ... `places` of them."""

    low: int
    step: int
    places: int

    @classmethod
    def over(cls, values: Iterable[int]) -> Span:
        seen = sorted({int(value) for value in values})
        step = gcd(*(value - seen[0] for value in seen)) or 1
        return cls(seen[0], step, (seen[-1] - seen[0]) // step + 1)


class Layout(NamedTuple):
    """Which ints a state is made of and what each of them can be."""

    shape: tuple[int, ...]
    """For each field 0 for an int, otherwise the length of the tuple."""
    mover: int
    """The field that names a seat, or -1."""
    spans: tuple[Span, ...]

    @property
    def size(self) -> int:
        """How many numbers there are, whether or not a position stands behind each."""
        return prod(span.places for span in self.spans)


LONGEST = 64
"""No state is made of more fields than this, and no field of more ints."""
FARTHEST = 10**12
"""No int of a state is as far from 0 as this."""


def check(layout: Layout) -> None:
    """Make sure that this is a layout of whole numbers, none of them too large. Raises ValueError otherwise.

    A layout can come out of a file, and it becomes source that is run.
    """
    shape, mover, spans = layout
    numbers = [*shape, mover, *(number for span in spans for number in span)]
    if not all(type(number) is int and abs(number) <= FARTHEST for number in numbers):
        raise ValueError("its layout holds something other than whole numbers")
    if not (0 < len(shape) <= LONGEST and all(0 <= length <= LONGEST for length in shape)):
        raise ValueError("its layout has no shape that a state can have")
    if not -1 <= mover < len(shape) or (mover >= 0 and shape[mover] != 0):
        raise ValueError("its layout names a mover that is not there")
    if len(spans) != sum(max(1, length) for length in shape) or any(len(span) != 3 for span in spans):
        raise ValueError("its layout does not say what each number of a state can be")
    if any(step < 1 or places < 1 for _, step, places in spans) or layout.size > FARTHEST:
        raise ValueError("its layout has no size that a table can have")


def flatten(state: Any) -> list[int]:
    numbers: list[int] = []
    for field in state:
        numbers.extend(field if isinstance(field, tuple) else (field,))
    return numbers


def layout_of(states: Iterable[Any]) -> Layout:
    """The narrowest layout that holds all these states."""
    states = list(states)
    sample = states[0]
    shape = tuple(len(field) if isinstance(field, tuple) else 0 for field in sample)
    fields = sample._fields
    mover = fields.index("mover") if "mover" in fields else -1
    columns = zip(*map(flatten, states), strict=True)
    return Layout(shape, mover, tuple(Span.over(column) for column in columns))


def joined(one: Layout, other: Layout) -> Layout:
    """The narrowest layout that holds whatever either of the two holds."""
    spans = []
    for spans_here in zip(one.spans, other.spans, strict=True):
        values = [
            low + step * place for low, step, places in spans_here for place in {0, min(1, places - 1), places - 1}
        ]
        spans.append(Span.over(values))
    return one._replace(spans=tuple(spans))


def turned(layout: Layout) -> Layout:
    """The layout of the mirrors of all positions that this one holds."""
    spans, at = list(layout.spans), 0
    for field, length in enumerate(layout.shape):
        if length == 2:
            spans[at : at + 2] = spans[at : at + 2][::-1]
        elif field == layout.mover:
            low, step, places = spans[at]
            spans[at] = Span(1 - low - step * (places - 1), step, places)
        at += max(1, length)
    return layout._replace(spans=tuple(spans))


class Packing(NamedTuple):
    """A layout's functions:

    `pack` gives -1 for a state it does not hold, `unpack` undoes it, `mirror` swaps the seats.
    """

    pack: Callable[[Any], int]
    unpack: Callable[[int], Any]
    mirror: Callable[[Any], Any]


def packing(layout: Layout, state_type: type) -> Packing:
    """The functions of a layout, as plain Python; a compiler can take them as they are."""
    check(layout)  # nothing but whole numbers gets into the source
    source = "\n\n".join([_pack_source(layout), _unpack_source(layout), _mirror_source(layout)])
    names: dict[str, Any] = {"State": state_type}
    exec(compile(source, f"<packing of {state_type.__module__}>", "exec"), names)
    return Packing(names["pack"], names["unpack"], names["mirror"])


def int_places(layout: Layout) -> list[str]:
    """How each int is reached from a state `s`."""
    return [
        f"s[{field}]" if length == 0 else f"s[{field}][{at}]"
        for field, length in enumerate(layout.shape)
        for at in range(max(1, length))
    ]


def _digits(layout: Layout) -> list[int]:
    """The order of the ints in a number. Whose turn it is comes first: one half of the numbers mirrors the other."""
    places = int_places(layout)
    first = places.index(f"s[{layout.mover}]") if layout.mover >= 0 else 0
    return sorted(range(len(places)), key=lambda at: at != first)


def _pack_source(layout: Layout) -> str:
    lines = ["def pack(s):", "    number = 0"]
    places = int_places(layout)
    for digit in _digits(layout):
        low, step, count = layout.spans[digit]
        lines += [
            f"    at = {places[digit]} - {low}",
            f"    if at < 0 or at >= {count * step} or at % {step} != 0:",
            "        return -1",
            f"    number = number * {count} + at // {step}",
        ]
    return "\n".join([*lines, "    return number"])


def _unpack_source(layout: Layout) -> str:
    lines = ["def unpack(number):"]
    for digit in reversed(_digits(layout)):
        low, step, count = layout.spans[digit]
        lines += [f"    v{digit} = number % {count} * {step} + {low}", f"    number //= {count}"]
    parts = [f"v{digit}" for digit in range(len(layout.spans))]
    return "\n".join([*lines, f"    return State({_fields(layout, parts)})"])


def _mirror_source(layout: Layout) -> str:
    places = int_places(layout)
    parts: list[str] = []
    at = 0
    for field, length in enumerate(layout.shape):
        mine = places[at : at + max(1, length)]
        at += max(1, length)
        if field == layout.mover:
            parts.append(f"1 - {mine[0]}")
        else:
            parts.extend(mine[::-1] if length == 2 else mine)
    return f"def mirror(s):\n    return State({_fields(layout, parts)})"


def _fields(layout: Layout, parts: list[str]) -> str:
    """The arguments of a state's constructor, from its ints one by one."""
    fields, at = [], 0
    for length in layout.shape:
        fields.append(parts[at] if length == 0 else f"({', '.join(parts[at : at + length])},)")
        at += max(1, length)
    return ", ".join(fields)


def decoded(layout: Layout, numbers: Any) -> dict[int, Any]:
    """The ints of many positions at once, from an array of their numbers: one array for each int."""
    columns = {}
    for digit in reversed(_digits(layout)):
        low, step, places = layout.spans[digit]
        columns[digit] = numbers % places * step + low
        numbers = numbers // places
    return columns


def encoded(layout: Layout, columns: dict[int, Any]) -> Any:
    """The numbers of many positions at once; the layout must hold them all."""
    numbers = 0
    for digit in _digits(layout):
        low, step, places = layout.spans[digit]
        numbers = numbers * places + (columns[digit] - low) // step
    return numbers


class Numbering:
    """Every position's number in a table, its mirror's number being the same where the duel can be turned round."""

    def __init__(self, layout: Layout, state_type: type, turns_round: bool) -> None:
        self.layout, self.turns_round = layout, turns_round
        self.pack, self.unpack, self.mirror = packing(layout, state_type)

    def find(self, state: Any) -> tuple[int, bool]:
        """The number, -1 for none, and whether the table holds the position turned round."""
        number = self.pack(state)
        if not self.turns_round:
            return number, False
        other = self.pack(self.mirror(state))
        if number < 0:
            return other, True
        return (other, True) if 0 <= other < number else (number, False)

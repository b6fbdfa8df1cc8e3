"""What a step does as small tables: each number that follows, by those numbers alone that it depends on.

A table of every way on from every position would be large: in secret there are four million positions and a hundred
pairs of picks. But the HP that follow depend on few of the numbers before, and the last pick on the pick alone. So each
number that follows has a column of its own. Which numbers it depends on is found by trying, and then every way on from
every position is written into it: where two of them disagree, it depends on more, and is filled again. So in the end a
column holds what the rules say, everywhere, and no rule was restated for it (a factored transition function).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit

from duelbook.core import Game, SomeRules
from duelbook.envs.encoding import Encoding
from duelbook.envs.ways import ALONE, DEAL, HERE, MASKS, NEVER_ASKED, PAIR, Ways, ways_of, words_of
from duelbook.positions.compiler import keep_by
from duelbook.positions.layout import Layout
from duelbook.positions.rule_code import functions_hash, rules_key
from duelbook.positions.size import TooLarge, named
from duelbook.simulate.parts import small, strides_of

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

TRIED = 400_000
"""So many ways are tried to see what a number depends on; ..."""
LEAST_TRIED = 500
"""... from at least so many positions."""
MOST_PLACES = 100_000_000
"""Columns of one kind have no more places than this together."""


class Column(NamedTuple):
    """One number that follows."""

    values: Array
    """As little room as they need; 0 where nobody asks."""
    strides: tuple[int, ...]
    """What a step of each number before adds to the place: those of the position, then the move or both."""

    def stays(self, axis: int) -> bool:
        """Whether it says nothing but what the number at this place was before."""
        alone = all(bool(stride) == (place == axis) for place, stride in enumerate(self.strides))
        return alone and np.array_equal(self.values, np.arange(len(self.values)))


class Columns(NamedTuple):
    """All that a step needs to know of a duel."""

    layout: Layout
    start: tuple[int, ...]
    """The digits of the start."""
    positions: int
    """How many there are, ends and what comes of fouls included."""
    seen: Array
    tickets: int
    in_a_row: bool
    here: tuple[Column, ...]
    """Of a position who acts or who has won, luck's tickets, and the words of the masks: what is legal for each seat,
    then what counts if it is played."""
    alone: tuple[Column, ...]
    """The digits that follow from a move; none where nobody moves alone."""
    pair: tuple[Column, ...]
    deal: tuple[Column, ...]

    @property
    def bytes(self) -> int:
        return sum(column.values.nbytes for way in (self.here, self.alone, self.pair, self.deal) for column in way)


_known: dict[str, Columns] = {}


def columns_of(encoding: Encoding) -> Columns:
    """The columns of a duel under some rules; made once in a run."""
    key = rules_key(encoding.game, encoding.rules)
    if key not in _known:
        _known[key] = _made(encoding)
    return _known[key]


def _made(encoding: Encoding) -> Columns:
    ways, moves = ways_of(encoding), encoding.moves
    layout, ints = ways.layout, len(ways.layout.spans)
    filling = _Filling(encoding.game, encoding.rules, ways)
    return Columns(
        layout,
        tuple(digits_at(layout, ways.start)),
        len(ways.numbers),
        ways.seen,
        ways.tickets,
        ways.in_a_row,
        filling.columns(HERE, 1, 1, MASKS + 4 * words_of(encoding)),
        filling.columns(ALONE, moves, 1, ints) if encoding.alternates else (),
        filling.columns(PAIR, moves, moves, ints) if hasattr(encoding.game.rules_file, "resolve") else (),
        filling.columns(DEAL, ways.tickets, 1, ints) if ways.tickets else (),
    )


def digits_at(layout: Layout, number: int) -> list[int]:
    spans = zip(strides_of(layout), layout.spans, strict=True)
    return [number // stride % span.places for stride, span in spans]


class _Filling:
    def __init__(self, game: Game, rules: SomeRules, ways: Ways) -> None:
        self.game, self.rules, self.ways = game, rules, ways
        self.compare, self.fill = _compiled(ways)

    def columns(self, way: int, ones: int, twos: int, outs: int) -> tuple[Column, ...]:
        """The columns of all numbers that one kind of way leads to."""
        numbers, spans = self.ways.numbers, self.ways.layout.spans
        sizes = np.array([*(span.places for span in spans), ones, twos])
        some = max(LEAST_TRIED, TRIED // (ones * twos))
        tried = numbers if some >= len(numbers) else np.random.default_rng(0).choice(numbers, some, replace=False)
        depends = np.zeros((outs, len(sizes)), np.bool_)
        self.compare(self.rules, tried, self.ways.seen, way, ones, twos, depends)
        while True:
            strides, offsets = _laid_out(depends, sizes)
            if offsets[-1] > MOST_PLACES:
                raise TooLarge(f"{named(self.game, self.rules)} is too large for tables: {offsets[-1]:,} places.")
            table, writers = np.full(offsets[-1], -1, np.int32), np.empty(offsets[-1], np.int64)
            out, here, there = self.fill(
                self.rules, numbers, way, ones, twos, strides, offsets, table, writers, np.empty(outs, np.int64)
            )
            if out < 0:
                break
            differ = np.flatnonzero(self._inputs(here, ones, twos) != self._inputs(there, ones, twos))
            # What decides between them is one of these, or some. The one with the fewest values costs least to try.
            depends[out, min(differ, key=lambda axis: sizes[axis])] = True
        parts = np.split(table.clip(0), offsets[1:-1])
        return tuple(Column(small(part), tuple(map(int, row))) for part, row in zip(parts, strides, strict=True))

    def _inputs(self, code: int, ones: int, twos: int) -> Array:
        """All that a way starts from: the digits of the position, and what is played there."""
        place, one, two = code // (ones * twos), code // twos % ones, code % twos
        return np.array([*digits_at(self.ways.layout, int(self.ways.numbers[place])), one, two])


def _laid_out(depends: Array, sizes: Array) -> tuple[Array, Array]:
    """The strides of every column, and where each begins; behind the last one where all end."""
    strides, offsets = np.zeros(depends.shape, np.int64), [0]
    for out, row in enumerate(depends):
        apart = 1
        for place in np.flatnonzero(row)[::-1]:
            strides[out, place] = apart
            apart *= int(sizes[place])
        offsets.append(offsets[-1] + apart)
    return strides, np.array(offsets)


def _compiled(ways: Ways) -> tuple[Any, Any]:
    told = ways.told
    apart, places = tuple(strides_of(ways.layout)), tuple(span.places for span in ways.layout.spans)
    ints = len(places)

    @njit
    def next_like(rules, number, digit, axis, seen, way, one, two, most, found):  # type: ignore[no-untyped-def]  # the compiler finds the types
        """What follows where one number of it all is the next higher one that there is; whether there is one."""
        if axis >= ints:
            for more in range(digit + 1, most):
                if told(rules, number, way, more if axis == ints else one, more if axis > ints else two, found):
                    return True
            return False
        for more in range(1, places[axis] - digit):
            other = number + more * apart[axis]
            if seen[other] and told(rules, other, way, one, two, found):
                return True
        return False

    @njit
    def compare(rules, numbers, seen, way, ones, twos, depends):  # type: ignore[no-untyped-def]  # the compiler finds the types
        outs = len(depends)
        here, there = np.empty(outs, np.int64), np.empty(outs, np.int64)
        for number in numbers:
            for one in range(ones):
                for two in range(twos):
                    if not told(rules, number, way, one, two, here):
                        continue
                    for axis in range(ints + 2):
                        digit = one if axis == ints else two
                        if axis < ints:
                            digit = number // apart[axis] % places[axis]
                        most = ones if axis == ints else twos
                        if next_like(rules, number, digit, axis, seen, way, one, two, most, there):
                            for out in range(outs):
                                asked = here[out] != NEVER_ASKED and there[out] != NEVER_ASKED
                                if asked and here[out] != there[out]:
                                    depends[out, axis] = True

    @njit
    def fill(rules, numbers, way, ones, twos, strides, offsets, table, writers, found):  # type: ignore[no-untyped-def]  # the compiler finds the types
        """Write every way into the columns; the first that disagrees with another one, and which that is."""
        outs = len(strides)
        bases = np.empty(outs, np.int64)
        for at in range(len(numbers)):
            number = numbers[at]
            for out in range(outs):
                bases[out] = offsets[out]
                for axis in range(ints):
                    bases[out] += number // apart[axis] % places[axis] * strides[out, axis]
            for one in range(ones):
                for two in range(twos):
                    if not told(rules, number, way, one, two, found):
                        continue
                    code = (at * ones + one) * twos + two
                    for out in range(outs):
                        if found[out] == NEVER_ASKED:
                            continue
                        place = bases[out] + one * strides[out, ints] + two * strides[out, ints + 1]
                        if table[place] < 0:
                            table[place], writers[place] = found[out], code
                        elif table[place] != found[out]:
                            return out, code, writers[place]
        return -1, 0, 0

    return keep_by(functions_hash(compare), compare), keep_by(functions_hash(fill), fill)

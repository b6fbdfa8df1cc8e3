"""Solutions as files, for the package and for the user's cache.

A file is a first line that names the format, a checksum of all that follows, a header in JSON and the packed table.
The checksum notices damage, wherever it is. It cannot notice a file that somebody made up, so nothing of a header is
used before it is known to be of the right type and within bounds, and the table is unpacked to the size that the
checked header gives it and no further.
"""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from hashlib import sha256
from itertools import accumulate, chain
from math import isfinite
from operator import sub
from typing import Any

from duelbook.core import DuelError, Game, SomeRules, rules_hash, settings
from duelbook.positions import layout as layouts
from duelbook.positions.kind import kind_of
from duelbook.positions.layout import Layout, Numbering, Span, layout_of
from duelbook.positions.size import MOST_NUMBERS
from duelbook.solving.known import Choices, Fact
from duelbook.solving.solution import BEYOND, Solution

MAGIC = b"duelbook solution 3\n"
OLDER = b"duelbook solution "
LARGEST_FILE = 1 << 29
"""No solution takes more bytes than this; what is larger is not read."""
LARGEST_HEADER = 1 << 26
LONGEST_GAME = 10**9
"""More plies than any game has."""


class BadSolution(DuelError):
    """A file that is no solution of the duel it is meant for, or a damaged one."""


def to_bytes(solution: Solution) -> bytes:
    choices = solution.choices
    numbers = array("q", sorted(choices.places)) if choices else array("q")
    places = bytes(choices.places[number] for number in numbers) if choices else b""
    header = {
        "game": solution.game.id,
        "rules": settings(solution.game, solution.rules),
        "rules_hash": rules_hash(solution.game, solution.rules),
        "kind": solution.kind,
        "states": solution.states,
        "error": solution.error,
        "turns_round": solution.numbering.turns_round,
        "layout": _spelled(solution.numbering.layout),
        "choices": [len(numbers), _spelled(choices.numbering.layout)] if choices else None,
        "type": solution.table.typecode,
        "facts": [[fact.low, fact.high, fact.plies, _thin(fact.first), _thin(fact.second)] for fact in solution.facts],
    }
    payload = zlib.compress(_little(solution.table).tobytes() + _little(_steps(numbers)).tobytes() + places, 9)
    return signed(json.dumps(header, separators=(",", ":")).encode() + b"\n" + payload)


def signed(body: bytes) -> bytes:
    """A file with this body: what it is and its checksum stand before it."""
    return MAGIC + sha256(body).hexdigest().encode() + b"\n" + body


def _spelled(layout: Layout) -> list[Any]:
    return [list(layout.shape), layout.mover, [list(span) for span in layout.spans]]


def _steps(numbers: array[int]) -> array[int]:
    """How far it is from each number to the next, which packs better than the numbers."""
    return array("q", map(sub, numbers, chain((0,), numbers)))


def _thin(plan: tuple[float, ...]) -> list[list[float]]:
    """Only the moves that are played at all."""
    return [[move, share] for move, share in enumerate(plan) if share > 0]


def _little(table: array[Any]) -> array[Any]:
    """The table as files hold it: the lowest byte of a number first, on every machine."""
    if sys.byteorder == "little":
        return table
    swapped = array(table.typecode, table)
    swapped.byteswap()
    return swapped


def from_bytes(game: Game, rules: SomeRules, data: bytes) -> Solution:
    """The solution in a file. Whatever is wrong with the file is said in one sentence."""
    try:
        return _read(game, rules, data)
    except _Wrong as why:
        raise BadSolution(f"This is not a solution of {game.name} under these rules: {why}.") from None
    except (ValueError, KeyError, TypeError, RecursionError, zlib.error):
        raise BadSolution(f"This is not a solution of {game.name} under these rules: it is damaged.") from None


class _Wrong(Exception):
    """Why a file is no solution, as the end of a sentence."""


def _need(holds: bool, why: str = "it is damaged") -> None:
    if not holds:
        raise _Wrong(why)


def _read(game: Game, rules: SomeRules, data: bytes) -> Solution:
    if not data.startswith(MAGIC):
        _need(not data.startswith(OLDER), "another version of Duelbook wrote it")
        raise _Wrong("it does not begin as one")
    digest, line, body = data[len(MAGIC) :].partition(b"\n")
    _need(line == b"\n" and digest == sha256(body).hexdigest().encode())
    text, _, payload = body.partition(b"\n")
    _need(len(text) <= LARGEST_HEADER)
    header = json.loads(text)
    _need(type(header) is dict)
    _need(header["game"] == game.id and header["rules_hash"] == rules_hash(game, rules), "it belongs to other rules")
    _need(header["kind"] == kind_of(game))
    _need(type(header["turns_round"]) is bool)
    states, error = _whole(header["states"], 0, MOST_NUMBERS), _number(header["error"], 0.0, 2.0)
    layout = _layout(game, rules, header["layout"])
    facts = _facts(header["facts"], len(game.moves))
    count, found = 0, layout
    if header["choices"] is not None:
        _need(header["kind"] == "luck")
        said, spelled = _list(header["choices"], 2)
        count, found = _whole(said, 0, MOST_NUMBERS), _layout(game, rules, spelled)
    table, rest = _table(header["kind"], header["type"], layout.size, len(facts), 9 * count, payload)
    state_type = type(game.start(rules, 0))
    numbering = Numbering(layout, state_type, header["turns_round"])
    choices = None
    if header["choices"] is not None:
        places = _places(rest, count, found.size, len(game.moves))
        choices = Choices(Numbering(found, state_type, header["turns_round"]), places)
    return Solution(game, rules, header["kind"], numbering, table, facts, states, error, choices)


def _places(data: bytes, count: int, size: int, moves: int) -> dict[int, int]:
    """For each number of a position the place of a move, from how far apart the numbers are."""
    steps = array("q")
    steps.frombytes(data[: 8 * count])
    steps, places = _little(steps), data[8 * count :]
    _need(all(step >= 0 for step in steps) and (count == 0 or (sum(steps) < size and max(places) < moves)))
    return dict(zip(accumulate(steps), places, strict=True))


def _list(value: Any, length: int | None = None) -> list[Any]:
    _need(type(value) is list and (length is None or len(value) == length))
    return list(value)


def _whole(value: Any, low: int, high: int) -> int:
    _need(type(value) is int and low <= value <= high)
    return int(value)


def _number(value: Any, low: float, high: float) -> float:
    _need(type(value) in (int, float) and isfinite(value) and low <= value <= high)
    return float(value)


def _layout(game: Game, rules: SomeRules, said: Any) -> Layout:
    """The layout: states look as the game's own do, and only what their numbers can be comes from the file."""
    shape, mover, spans = _list(said, 3)
    found = Layout(tuple(_list(shape)), mover, tuple(Span(*_list(span, 3)) for span in _list(spans)))
    layouts.check(found)
    own = layout_of([game.start(rules, 0)])
    _need((found.shape, found.mover) == (own.shape, own.mover))
    _need(found.size <= MOST_NUMBERS)
    return found


def _facts(said: Any, moves: int) -> list[Fact]:
    facts = []
    for fact in _list(said):
        *bounds, plies, first, second = _list(fact, 5)
        low, high = (_number(bound, -1.0 - BEYOND, 1.0 + BEYOND) for bound in bounds)
        _need(low <= high + BEYOND)
        facts.append(Fact(low, high, _whole(plies, -1, LONGEST_GAME), _plan(first, moves), _plan(second, moves)))
    return facts


def _plan(said: Any, moves: int) -> tuple[float, ...]:
    """Chances of the moves that add up to 1, or nothing at all for a seat that has no decision."""
    plan = [0.0] * moves
    for pair in _list(said):
        move, share = _list(pair, 2)
        _need(plan[_whole(move, 0, moves - 1)] == 0.0)
        plan[move] = _number(share, 0.0, 1.0)
    _need(not said or abs(sum(plan) - 1) <= BEYOND)
    return tuple(plan)


def _table(kind: str, code: Any, length: int, facts: int, more: int, payload: bytes) -> tuple[array[Any], bytes]:
    """The table, and so many bytes behind it."""
    _need(code == "d" if kind == "luck" else code in ("H", "I"))
    table = array(code)
    size = length * table.itemsize
    unpacking = zlib.decompressobj()
    unpacked = unpacking.decompress(payload, size + more + 1)
    _need(len(unpacked) == size + more and unpacking.eof and not unpacking.unused_data)
    table.frombytes(unpacked[:size])
    table = _little(table)
    _need(kind == "luck" or max(table) <= facts)
    return table, unpacked[size:]

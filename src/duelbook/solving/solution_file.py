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
from math import isfinite
from typing import Any

from duelbook.core import DuelError, Game, rules_hash, settings
from duelbook.positions import layout as layouts
from duelbook.positions.kind import kind_of
from duelbook.positions.layout import Layout, Numbering, Span, layout_of
from duelbook.positions.size import MOST_NUMBERS
from duelbook.solving.solution import BEYOND, Fact, Solution

MAGIC = b"duelbook solution 2\n"
OLDER = b"duelbook solution "
LARGEST_FILE = 1 << 29
"""No solution takes more bytes than this; what is larger is not read."""
LARGEST_HEADER = 1 << 26
LONGEST_GAME = 10**9
"""More plies than any game has."""


class BadSolution(DuelError):
    """A file that is no solution of the duel it is meant for, or a damaged one."""


def to_bytes(solution: Solution) -> bytes:
    layout = solution.numbering.layout
    header = {
        "game": solution.game.id,
        "rules": settings(solution.game, solution.rules),
        "rules_hash": rules_hash(solution.game, solution.rules),
        "kind": solution.kind,
        "states": solution.states,
        "error": solution.error,
        "turns_round": solution.numbering.turns_round,
        "layout": [list(layout.shape), layout.mover, [list(span) for span in layout.spans]],
        "type": solution.table.typecode,
        "facts": [[fact.low, fact.high, fact.plies, _thin(fact.first), _thin(fact.second)] for fact in solution.facts],
    }
    payload = zlib.compress(_little(solution.table).tobytes(), 9)
    return signed(json.dumps(header, separators=(",", ":")).encode() + b"\n" + payload)


def signed(body: bytes) -> bytes:
    """A file with this body: what it is and its checksum stand before it."""
    return MAGIC + sha256(body).hexdigest().encode() + b"\n" + body


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


def from_bytes(game: Game, rules: Any, data: bytes) -> Solution:
    """The solution in a file. Whatever is wrong with the file is said in one sentence."""
    try:
        return _read(game, rules, data)
    except _Wrong as why:
        raise BadSolution(f"This is no solution of {game.name} under these rules: {why}.") from None
    except (ValueError, KeyError, TypeError, RecursionError, zlib.error):
        raise BadSolution(f"This is no solution of {game.name} under these rules: it is damaged.") from None


class _Wrong(Exception):
    """Why a file is no solution, as the end of a sentence."""


def _need(holds: bool, why: str = "it is damaged") -> None:
    if not holds:
        raise _Wrong(why)


def _read(game: Game, rules: Any, data: bytes) -> Solution:
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
    about = {"states": _whole(header["states"], 0, MOST_NUMBERS), "error": _number(header["error"], 0.0, 2.0)}
    layout = _layout(game, rules, header["layout"])
    facts = _facts(header["facts"], len(game.moves))
    table = _table(header["kind"], header["type"], layout.size, len(facts), payload)
    numbering = Numbering(layout, type(game.start(rules, 0)), header["turns_round"])
    return Solution(game, rules, header["kind"], numbering, table, facts, about)


def _whole(value: Any, low: int, high: int) -> int:
    _need(type(value) is int and low <= value <= high)
    return int(value)


def _number(value: Any, low: float, high: float) -> float:
    _need(type(value) in (int, float) and isfinite(value) and low <= value <= high)
    return float(value)


def _layout(game: Game, rules: Any, said: Any) -> Layout:
    """The layout: states look as the game's own do, and only what their numbers can be comes from the file."""
    _need(type(said) is list and len(said) == 3 and type(said[0]) is list and type(said[2]) is list)
    shape, mover, spans = said
    _need(all(type(span) is list and len(span) == 3 for span in spans))
    found = Layout(tuple(shape), mover, tuple(Span(*span) for span in spans))
    layouts.check(found)
    own = layout_of([game.start(rules, 0)])
    _need((found.shape, found.mover) == (own.shape, own.mover))
    _need(found.size <= MOST_NUMBERS)
    return found


def _facts(said: Any, moves: int) -> list[Fact]:
    _need(type(said) is list)
    facts = []
    for fact in said:
        _need(type(fact) is list and len(fact) == 5)
        low, high = (_number(bound, -1.0 - BEYOND, 1.0 + BEYOND) for bound in fact[:2])
        _need(low <= high + BEYOND)
        plans = (_plan(fact[3], moves), _plan(fact[4], moves))
        facts.append(Fact(low, high, _whole(fact[2], -1, LONGEST_GAME), *plans))
    return facts


def _plan(said: Any, moves: int) -> tuple[float, ...]:
    """Chances of the moves that add up to 1, or nothing at all for a seat that has no decision."""
    _need(type(said) is list)
    plan = [0.0] * moves
    for pair in said:
        _need(type(pair) is list and len(pair) == 2)
        move = _whole(pair[0], 0, moves - 1)
        _need(plan[move] == 0.0)
        plan[move] = _number(pair[1], 0.0, 1.0)
    _need(not said or abs(sum(plan) - 1) <= BEYOND)
    return tuple(plan)


def _table(kind: str, code: Any, length: int, facts: int, payload: bytes) -> array[Any]:
    _need(code == "d" if kind == "luck" else code in ("H", "I"))
    table = array(code)
    size = length * table.itemsize
    unpacking = zlib.decompressobj()
    unpacked = unpacking.decompress(payload, size + 1)
    _need(len(unpacked) == size and unpacking.eof and not unpacking.unused_data)
    table.frombytes(unpacked)
    table = _little(table)
    _need(kind == "luck" or max(table) <= facts)
    return table

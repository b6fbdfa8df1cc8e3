"""What stands in the file of a tournament: where each game is, which are whole, and what a kill left half written."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

from duelbook.arena.play.results import Settings
from duelbook.arena.play.telling import ARENA, FAULT, TASK, WORKER
from duelbook.core import DuelError
from duelbook.games import load_all
from duelbook.record import BadRecord, Record, reads

FIRST_TAG = b'[Game "'
_BEGIN = re.compile(b"^" + re.escape(FIRST_TAG), re.MULTILINE)
_RESULT = re.compile(rb'^\[Result "([^"]*)"\]$', re.MULTILINE)
_SEEN = re.compile(rb"\S")
_TAG = re.compile(rb'\[([A-Za-z0-9]+) "(.*)"\]')
_PLACE = re.compile(rf'^\[(Game|{TASK}|{FAULT}) "([^"\n]*)"\]'.encode(), re.MULTILINE)


def places_in(file: Path) -> dict[int, int]:
    """Where in a file each game of the schedule stands, from 1, without playing them through. What was given up is not
    there; played again, it is the last of its number."""
    found: dict[int, int] = {}
    place, number = 0, -1
    for tag, value in _PLACE.findall(file.read_bytes()):
        if tag == b"Game":
            place, number = place + 1, -1
        elif tag == TASK.encode() and value.isdigit() and len(value) < 20:
            number = int(value)
            found[number] = place
        elif value == WORKER.encode():
            found.pop(number, None)
    return found


def games_kept(path: Path) -> int:
    """How many games a tournament's file holds."""
    try:
        return len(places_in(path))
    except OSError:
        return 0


def pieces(data: bytes) -> Iterator[tuple[int, int]]:
    """Where each record begins and ends. Only a record begins a line with this tag; what stands before is none."""
    begins = [found.start() for found in _BEGIN.finditer(data)]
    if not begins or begins[0] != 0:
        begins.insert(0, 0)
    last = data.rfind(b"\n\n") + 2
    if begins[-1] < last < len(data) and FIRST_TAG.startswith(data[last:]):
        begins.append(last)  # the tag itself is torn
    yield from zip(begins, [*begins[1:], len(data)], strict=True)


def record_in(data: bytes) -> Record:
    """The one record in a piece of the file, if all of it is there, down to the result and the end of its line."""
    if not _is_finished(data):
        raise DuelError("It is not written to its end.")
    try:
        (record,) = reads(data.decode())
    except UnicodeDecodeError:
        raise DuelError("It is not text.") from None
    except BadRecord as error:
        raise DuelError(error.sentence) from None
    return record


def _is_finished(data: bytes) -> bool:
    """Whether a record is there down to its result and the end of that line. People may add comments behind it."""
    said = _RESULT.search(data)
    _, _, moves = data.partition(b"\n\n")
    found = re.search(rb"(?<!\S)" + re.escape(said[1]) + rb"(?!\S)", moves) if said else None
    return found is not None and found.end() < len(moves) and _only_comments(moves[found.end() :])


def _only_comments(data: bytes) -> bool:
    """Whether nothing but space and comments is here: `{ this }` and `; this, to the end of the line`."""
    at = 0
    while (found := _SEEN.search(data, at)) is not None:
        closing = {b"{": b"}", b";": b"\n"}.get(found[0])
        end = data.find(closing, found.end()) if closing else -1
        if end < 0:
            return found[0] == b";"
        at = end + 1
    return True


def is_torn(data: bytes, settings: Settings, names: Collection[str]) -> bool:
    """Is this what a kill leaves of a record, and nothing that a person may have written?

    It is the beginning of a record of this tournament and stops somewhere. After a power cut zeros may follow.
    """
    if b"\0" in data:
        data = data[: data.index(b"\0")]
        return _is_finished(data) or is_torn(data, settings, names)
    head, blank, moves = data.partition(b"\n\n")
    *tags, last = head.split(b"\n")
    words = moves.split()
    stops_within_a_word = data[-1:] not in (b"\n", b" ")
    return (
        all(_is_our_tag(tag, settings, names) for tag in (tags if not blank else [*tags, last]))
        and (last.startswith(FIRST_TAG[:1]) or not last)
        and all(_is_move(word) for word in (words[:-1] if stops_within_a_word else words))
    )


def _is_our_tag(line: bytes, settings: Settings, names: Collection[str]) -> bool:
    found = _TAG.fullmatch(line)
    if found is None:
        return False
    tag, value = found[1].decode(), found[2].decode("utf-8", "replace").replace("\\", "")
    if tag in ("Player1", "Player2"):
        return value in {name.replace("\\", "") for name in names}
    return tag != ARENA or value == settings.fingerprint


def _is_move(word: bytes) -> bool:
    """Whether this can stand among the moves of a duel: `3.`, `build`, `7:attack`, `7/5`."""
    return all(part in _move_words() for part in re.split(rb"[0-9:/.]+", word) if part)


@cache
def _move_words() -> frozenset[bytes]:
    said = [word for game in load_all() for word in game.dialogue.words(game.book)]
    return frozenset(part.encode() for word in said for part in word.split() if not part.isdigit())

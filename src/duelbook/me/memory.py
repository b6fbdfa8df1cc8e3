"""Where the record is: in the saved games themselves, which are the only truth about them.

So a game that is deleted is gone from the record, one whose end was taken back is unfinished again, and one that is
looked at or reviewed, however often, counts once. Nothing need be written down when a game ends, and games that were
played before there was a record are in it.

To read thousands of games anew each time would take seconds, so what was read is kept in the cache, beside what each
file looked like from outside: its size, its number and when it was changed. That only saves time. What was forgotten on
request is a list of its own, by which a game is known under another name too; the games stay, to be looked at.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from duelbook import folders
from duelbook.core import DuelError, variant
from duelbook.disk import SaveError, read_text, write_atomically
from duelbook.games import load
from duelbook.locks import held
from duelbook.me.played import COPY, Played, given_away, played
from duelbook.positions.rule_code import rules_key
from duelbook.record import GAME_ID, Record, reads
from duelbook.saves import LARGEST_GAME, own_folder
from duelbook.solving.library import solution_at_hand
from duelbook.speech import plain

VERSION = 1
"""Of the list of what was forgotten,"""
VERSION_READ = 3
"""and of what was read."""
LARGEST = 100_000_000
"""Bytes of either file: some hundred thousand games."""
Look = tuple[int, int, int]
"""What a file looks like from outside."""
Key = Callable[[str, str], str]
"""What a duel's rules do, in a word."""


class Unread(NamedTuple):
    """A file among the saved games that holds none that can be read."""

    id: str
    why: str


class Read(NamedTuple):
    """What is known of one file."""

    look: Look
    key: str = ""
    """What the rules did when it was read."""
    found: Played | Unread | None = None
    """None for a file that is empty: a place that was taken for a game which never began."""


class Memory(NamedTuple):
    """All that is known of a person's games."""

    games: list[Played]
    unread: list[Unread]
    forgotten: list[Played]
    """Games that are there, but do not count any more, because somebody asked for that."""
    complaint: str = ""


def recall(*, weighed: bool = True, tell: Callable[[int, int], None] = lambda done, of: None) -> Memory:
    """Every game there is. Where they need not be `weighed`, nothing is solved or loaded for that.

    `tell` hears how many of the files that must be read anew are done.
    """
    known, forgotten, complaint = _known(), *_forgotten()
    complaint = " ".join(filter(None, (_no_folder(), complaint)))
    key = cache(_key)
    looks = dict(_looks())
    stale = [name for name, look in looks.items() if not _still_good(known.get(name), look, weighed, key)]
    fresh = {name: known[name] for name in looks.keys() - set(stale)}
    try:
        for done, name in enumerate(stale):
            tell(done, len(stale))
            fresh[name] = _read(name, looks[name], weighed, key)
    finally:  # whoever had enough of waiting need not wait for the same games again
        # Why a file could not be read may be gone without the file having changed, so that is not kept.
        good = {name: each for name, each in fresh.items() if not isinstance(each.found, Unread)}
        if good != known:
            _keep(good)
    found = [each.found for each in fresh.values() if each.found is not None]
    games = _once(each for each in found if isinstance(each, Played))
    gone = {game.id for game in games if forgotten.has(game)}
    return Memory(
        [game for game in games if game.id not in gone],
        sorted(each for each in found if isinstance(each, Unread)),
        [game for game in games if game.id in gone],
        complaint,
    )


def _once(games: Iterable[Played]) -> list[Played]:
    """Of a game that has several names or copies the first one counts."""
    seen, found = set[str](), list[Played]()
    for game in sorted(games, key=lambda game: game.id):
        found.append(game._replace(standing=COPY) if game.counts and game.file in seen else game)
        seen.add(game.file)
    return found


def _no_folder() -> str:
    """A sentence where something else lies in the place of the saved games."""
    folder = own_folder()
    if folder is None or folder.is_dir() or not os.path.lexists(folder):
        return ""
    return f"{plain(folder)} is not a folder, so no saved game is found."


def _looks() -> Iterator[tuple[str, Look]]:
    """The files among the saved games, and what each looks like."""
    folder = own_folder()
    if folder is None or not folder.is_dir():
        return
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".duel") and not entry.name.startswith("."):
                try:
                    status = entry.stat()
                except OSError:  # it is gone, or leads nowhere
                    continue
                yield entry.name, (status.st_size, status.st_mtime_ns, status.st_ino)


def _still_good(read: Read | None, look: Look, weighed: bool, key: Key) -> bool:
    """Whether what was read holds: the file is as it was, and so is what the rules do."""
    if read is None or read.look != look or isinstance(read.found, Unread):
        return False
    game = read.found
    if game is None:
        return True
    return read.key == key(game.duel, game.rules) and not (weighed and game.counts and game.given is None)


def _key(duel: str, rules: str) -> str:
    """Changes with whatever the rules do; nothing for a duel that is not here any more."""
    try:
        game = load(duel)
        return rules_key(game, variant(game, rules.split()))
    except DuelError:
        return ""


def _read(name: str, look: Look, weighed: bool, key: Key) -> Read:
    folder, id = own_folder(), name.removesuffix(".duel")
    assert folder is not None  # the file was seen in it
    try:
        text = read_text(folder / name, LARGEST_GAME)
        if not text:
            return Read(look)
        records = reads(text)
    except UnicodeDecodeError:
        return Read(look, found=Unread(id, "it is not text"))
    except OSError as error:
        return Read(look, found=Unread(id, error.strerror or "it cannot be opened"))
    except DuelError as error:
        return Read(look, found=Unread(id, str(error)))
    if len(records) != 1:
        return Read(look, found=Unread(id, "it holds more than one game"))
    found, match = played(id, records[0])._replace(file=_identity(look, text, records[0])), records[0].match
    solution = solution_at_hand(match.game, match.rules) if weighed and found.counts else None
    if solution is not None:
        found = found._replace(given=given_away(match, found.seat, solution))
    return Read(look, key(found.duel, found.rules), found)


def _identity(look: Look, text: str, record: Record) -> str:
    """What a game is known by under whatever name, in every copy: where it was saved first, and how it went.

    An older record does not say where. It may be another game with the same moves, so there it is the file that counts:
    its number, and what it says, since numbers are given out again.
    """
    match = record.match
    if GAME_ID not in record.extra:
        return f"{look[2]} {sha256(text.encode()).hexdigest()}"
    result = match.outcome.result if match.outcome else "*"
    went = [match.game.id, record.extra[GAME_ID], result, *(f"{step.turn} {step.play}" for step in match.steps)]
    return sha256("\n".join(went).encode()).hexdigest()


# What was read, kept to save time


def _cache_file() -> Path:
    return folders.cache() / "games-read.json"


def _known() -> dict[str, Read]:
    """What was read before; nothing where that cannot be told, whatever the reason."""
    try:
        said = json.loads(read_text(_cache_file(), LARGEST))
        return {name: _from_json(row) for name, row in said["games"].items()} if said["version"] == VERSION_READ else {}
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return {}


def _keep(reads: dict[str, Read]) -> None:
    try:
        path = _cache_file()
        path.parent.mkdir(parents=True, exist_ok=True)
        games = {name: _to_json(each) for name, each in sorted(reads.items())}
        write_atomically(path, json.dumps({"version": VERSION_READ, "games": games}) + "\n")
    except (OSError, SaveError):  # then they are read again
        pass


def _to_json(read: Read) -> list[Any]:
    return [*read.look, read.key, *(read.found or ())]


def _from_json(row: Any) -> Read:
    size, changed, number, key, *found = row
    texts, numbers = [key, *found[:6], *found[9:]], [size, changed, number, *found[6:8]]
    if not all(isinstance(each, str) for each in texts) or not all(type(each) is int for each in numbers):
        raise ValueError("this is not what we would write")
    if found and not (found[8] is None or isinstance(found[8], float)):
        raise ValueError("this is no loss")
    return Read((size, changed, number), key, Played(*found) if found else None)


# What was forgotten


def _forgotten_file() -> Path:
    return folders.state() / "forgotten.json"


class Forgotten(NamedTuple):
    names: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()
    """The same games as they are known under every name."""

    def has(self, game: Played) -> bool:
        return game.id in self.names or game.file in self.files


def _forgotten() -> tuple[Forgotten, str]:
    """The games that do not count any more, and a sentence where that cannot be read."""
    try:
        path = _forgotten_file()
        said = json.loads(read_text(path, LARGEST))
        names, files = said["games"], said.get("files", [])  # there were only names at first
        if said["version"] != VERSION or not all(isinstance(each, str) for each in (*names, *files)):
            raise ValueError
        return Forgotten(frozenset(names), frozenset(files)), ""
    except (FileNotFoundError, NotADirectoryError, folders.NoFolder):
        return Forgotten(), ""
    except OSError as error:
        why = error.strerror
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        why = "it is damaged"
    return Forgotten(), f"{plain(path)} cannot be read ({why}), so games that were forgotten count again."


def forget(games: Iterable[Played]) -> None:
    """Let these games count no more. Raises SaveError where that cannot be written down."""
    path, chosen = _forgotten_file(), list(games)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SaveError(f"{plain(path)} could not be written: {error.strerror}.") from None
    with held(path) as free:  # two who forget at once: what the first has written the second must have read
        if not free:
            raise SaveError(f"{plain(path)} could not be written: another program holds it.")
        before, complaint = _forgotten()
        if complaint:
            raise SaveError(f"{complaint} Remove that file, or mend it, and try again.")
        names = sorted(before.names | {game.id for game in chosen})
        files = sorted(before.files | {game.file for game in chosen})
        write_atomically(path, json.dumps({"version": VERSION, "games": names, "files": files}, indent=1) + "\n")

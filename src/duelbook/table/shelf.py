"""Finding recorded games: by file, or by the id of a saved one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from duelbook import folders
from duelbook.core import DuelError
from duelbook.disk import PUBLIC, read_text, refuse_to_replace, write_atomically
from duelbook.games import example, game_ids, load
from duelbook.players import ENGINE, LLM, people_in
from duelbook.players.whose import briefly
from duelbook.record import BadRecord, Record, iter_games, reads, writes
from duelbook.saves import Listed, Save, SaveError, own_folder, saved, state_folder
from duelbook.speech import plain, quote
from duelbook.table.begun import is_begun

_SAYS_FINISHED = re.compile(r'^\[Result "(1-0|0-1|1/2-1/2)"\]$', re.MULTILINE)


LARGEST_FILE = 256_000_000
"""Bytes of a file of games that is read at once: some hundred thousand games of a tournament."""


def read_file(path: Path) -> list[Record]:
    """The games in a file; every way in which it can fail is a sentence."""
    return list(iter_file(path))


def iter_file(path: Path) -> Iterator[Record]:
    """The same, one game after the other: a file of many games need not be in memory as games."""
    try:
        yield from iter_games(read_text(path, LARGEST_FILE))
    except BadRecord as error:
        raise DuelError(f"{plain(path)}: {error}") from None
    except UnicodeDecodeError:
        raise DuelError(f"{plain(path)} is not text, so it is not a .duel file.") from None
    except OSError as error:
        raise DuelError(f"{plain(path)} cannot be read: {error.strerror}.") from None


def read_records(file: str | Path) -> list[Record]:
    """The games of a file, of a saved game by its id, or of a duel's worked example by the duel's name."""
    return read_file(locate_to_read(folders.name_of(file)))


def write_record(file: str | Path, *records: Record) -> None:
    """Write games to a .duel file, whole or not at all. A file that is there already is not touched."""
    path = folders.named(file)
    refuse_to_replace(path)
    write_atomically(path, "\n".join(map(writes, records)), mode=PUBLIC)


def locate(name: str) -> Path:
    """The file that a path or a saved game's id names."""
    try:
        path = folders.named(name)
        if path.exists():
            return path
        if "/" not in name and (kept := state_folder() / f"{name}.duel").exists():
            return kept
    except (SaveError, OSError):
        pass  # no name that a file can have, so there is none
    raise SaveError(f"There is no file and no saved game called {quote(name)}. Your saved games: duelbook games")


def locate_to_read(name: str) -> Path:
    """The same, and the name of a duel means its rule book's worked example."""
    if name in game_ids() and not Path(name).exists():
        path = example(load(name))
        if not path.exists():
            raise SaveError(f"The duel {name} comes without a worked example.")
        return path
    return locate(name)


def is_own(path: Path) -> bool:
    """Whether a file is one of the user's own saved games."""
    own = own_folder()
    return own is not None and path.resolve().parent == own.resolve()


def take_up(name: str | None) -> tuple[Save, Record]:
    """The named game, or the latest unfinished one that is somebody's own and has begun, or else the latest that is
    kept at all: one that was only watched, or only opened.

    It is held before it is read: nobody can play a move in between.
    """
    if name is not None:
        save = Save(locate(name))
        save.hold()
        try:
            return save, _the_game(save)
        except BaseException:
            save.let_go()
            raise
    busy: SaveError | None = None
    others: list[Save] = []
    for item in saved():
        try:
            item.save.hold()
        except SaveError as error:
            busy = busy or error
            continue
        record = _unfinished(item.save)
        if record is not None and _is_played(record):
            return item.save, record
        item.save.let_go()
        if record is not None:
            others.append(item.save)
    for save in others:
        save.hold()
        record = _unfinished(save)
        if record is not None:
            return save, record
        save.let_go()
    raise busy or SaveError("There is no unfinished game to go on with. Start one with: duelbook play")


def _is_played(record: Record) -> bool:
    """Whether it is somebody's own game, and has begun."""
    return is_begun(record) and bool(people_in(record.seats))


def _the_game(save: Save) -> Record:
    games = read_file(save.file)
    if len(games) != 1:
        raise SaveError(f"{plain(save.path)} holds {len(games)} games; only a file with one game can be resumed.")
    _check_programs(save, games[0])
    return games[0]


def _unfinished(save: Save) -> Record | None:
    """The game that is kept there, if it can be read and gone on with."""
    try:
        (record,) = reads(save.read())
    except (ValueError, OSError):
        return None
    return record if record.match.outcome is None else None


def _check_programs(save: Save, record: Record) -> None:
    """A game from elsewhere may not start a program here, nor ask a language model: whoever wrote the file has chosen
    the command, or where your key is sent."""
    wanted = [kind for kind in record.seats if kind.strip().lower().startswith((ENGINE, LLM))]
    own = own_folder()
    if wanted and (own is None or save.file.parent != own.resolve()):
        does = "ask a language model" if wanted[0].strip().lower().startswith(LLM) else "start a program"
        raise SaveError(f"{plain(save.path)} would {does}: {quote(wanted[0])}. Only your own saved games may do that.")


def latest() -> str:
    """The saved game that was played last, over or not, by the name that `read_records` knows it by. One that was only
    opened was not played."""
    for item in saved():
        if _was_played(item.text):
            return item.save.name
    raise SaveError("There is no saved game yet. Play one with: duelbook play")


def _was_played(text: str) -> bool:
    try:
        (record,) = reads(text)
    except ValueError:
        return False
    return is_begun(record)


def unfinished() -> list[Listed]:
    """The saved games that `resume` does not refuse because they are over, the latest first."""
    return [item for item in saved() if not _is_over(item.text)]


def _is_over(text: str) -> bool:
    if _SAYS_FINISHED.search(text):
        return True
    with suppress(ValueError):
        return all(record.match.outcome is not None for record in reads(text))
    return False  # what cannot be read says so when it is asked for


def latest_unfinished() -> str | None:
    """What `resume` would go on with, in a few words; None where there is nothing."""
    other = None
    for item in saved():
        if _SAYS_FINISHED.search(item.text):  # a player with hundreds of finished games does not wait for them
            continue
        try:
            (record,) = reads(item.text)
        except ValueError:
            continue
        match = record.match
        if match.outcome is None:
            words = f"{match.game.name}, {briefly(record.seats, match.names, match.game.seats)}, turn {match.turns + 1}"
            if _is_played(record):
                return words
            other = other or words
    return other

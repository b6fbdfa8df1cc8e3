"""Finding recorded games: by file, or by the id of a saved one."""

from __future__ import annotations

import re
from pathlib import Path

from duelbook.core import DuelError
from duelbook.games import example, game_ids, load
from duelbook.players import ENGINE
from duelbook.record import BadRecord, Record, reads
from duelbook.saves import Save, SaveError, saved, state_folder
from duelbook.speech import quote

_SAYS_FINISHED = re.compile(r'^\[Result "(1-0|0-1|1/2-1/2)"\]$', re.MULTILINE)


def read_file(path: Path) -> list[Record]:
    """The games in a file; every way in which it can fail is a sentence."""
    try:
        return reads(path.read_text(encoding="utf-8"))
    except BadRecord as error:
        raise DuelError(f"{path}: {error}") from None
    except UnicodeDecodeError:
        raise DuelError(f"{path} is no text, so it is no .duel file.") from None
    except OSError as error:
        raise DuelError(f"{path} cannot be read: {error.strerror}.") from None


def locate(name: str) -> Path:
    """The file that a path or a saved game's id names."""
    try:
        path = Path(name).expanduser()
        kept = state_folder() / f"{name}.duel"
        if path.exists():
            return path
        if "/" not in name and kept.exists():
            return kept
    except (ValueError, RuntimeError, OSError):
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


def take_up(name: str | None) -> tuple[Save, Record]:
    """The named game, or the latest unfinished one, held before it is read: nobody can play a move in between."""
    if name is not None:
        save = Save(locate(name))
        save.hold()
        games = read_file(save.path)
        if len(games) != 1:
            raise SaveError(f"{save.path} holds {len(games)} games; only a file with one game can be gone on with.")
        _check_programs(save, games[0])
        return save, games[0]
    busy: SaveError | None = None
    for item in saved():
        try:
            item.save.hold()
            (record,) = reads(item.save.path.read_text(encoding="utf-8"))
        except SaveError as error:
            busy = busy or error
            continue
        except (ValueError, OSError):
            item.save.release()
            continue
        if record.match.outcome is None:
            return item.save, record
        item.save.release()
    raise busy or SaveError("There is no unfinished game to go on with. Start one with: duelbook play")


def _check_programs(save: Save, record: Record) -> None:
    """A game from elsewhere may not start a program here: whoever wrote the file has chosen the command."""
    programs = [kind for kind in record.seats if kind.strip().lower().startswith(ENGINE)]
    if programs and save.path.resolve().parent != state_folder().resolve():
        save.release()
        raise SaveError(
            f"{save.path} would start a program: {quote(programs[0])}. Only your own saved games may do that."
        )


def latest_unfinished() -> str | None:
    """What `resume` would go on with, in a few words; None where there is nothing."""
    for item in saved():
        if _SAYS_FINISHED.search(item.text):  # a player with hundreds of finished games does not wait for them
            continue
        try:
            (record,) = reads(item.text)
        except ValueError:
            continue
        match = record.match
        if match.outcome is None:
            return f"{match.game.name}, {match.names[0]} against {match.names[1]}, turn {match.turns + 1}"
    return None

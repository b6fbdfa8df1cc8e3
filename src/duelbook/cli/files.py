"""Finding recorded games: by file, or by the id of a saved one."""

from __future__ import annotations

from pathlib import Path

from duelbook.core import DuelError
from duelbook.games import example, game_ids, load
from duelbook.record import BadRecord, Record, reads
from duelbook.saves import Save, SaveError, saved, state_folder
from duelbook.speech import quote


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
    """The file that a path or a saved game's id names; the name of a duel means its rule book's worked example."""
    path = Path(name).expanduser()
    if not path.exists() and name in game_ids():
        path = example(load(name))
    kept = state_folder() / f"{name}.duel"
    if not path.exists() and "/" not in name and kept.exists():
        return kept
    if not path.exists():
        raise SaveError(f"There is no file and no saved game called {quote(name)}. Your saved games: duelbook games")
    return path


def find_record(name: str | None) -> tuple[Save, Record]:
    """The named game, or the latest unfinished one."""
    if name is not None:
        path = locate(name)
        games = read_file(path)
        if len(games) != 1:
            raise SaveError(f"{path} holds {len(games)} games; only a file with one game can be gone on with.")
        return Save(path), games[0]
    for item in saved():
        try:
            (record,) = reads(item.text)
        except ValueError:
            continue
        if record.match.outcome is None:
            return item.save, record
    raise SaveError("There is no unfinished game to go on with. Start one with: duelbook play")

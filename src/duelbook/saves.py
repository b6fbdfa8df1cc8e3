"""Games on disk.

After every move the whole game is written anew and put in place in one step, so that nothing can tear it.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from duelbook.core import DuelError

if sys.platform != "win32":
    import fcntl


class SaveError(DuelError):
    """A game that cannot be written or found."""


def state_folder() -> Path:
    """Where the user's games are: the XDG state folder, or its like on Windows."""
    if os.name == "nt":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    else:
        base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(base) / "duelbook" / "games"


def write_atomically(path: Path, text: str) -> None:
    """Replace the file in one step: whoever reads it, now or after a crash, finds the old text or the new one."""
    draft = path.with_name(f".{path.name}.draft")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        _settle(path.parent)
    except OSError as error:
        raise SaveError(f"The game could not be written to {path}: {error.strerror}.") from None


def _settle(folder: Path) -> None:
    """Have the folder itself written, so that the new name outlives a power cut. Not every system allows it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class Save:
    """The place of one game on disk, held by one terminal at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None

    @property
    def id(self) -> str:
        return self.path.stem

    @property
    def _lock_file(self) -> Path:
        return self.path.with_name(f".{self.path.name}.lock")

    def write(self, text: str) -> None:
        write_atomically(self.path, text)

    def hold(self) -> None:
        """Keep other terminals from playing the same game.

        The system lets go when the process ends, however it ends.
        """
        if sys.platform == "win32":
            return
        try:
            self._lock = os.open(self._lock_file, os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            raise SaveError(f"{self.id} is being played in another terminal.") from None
        except OSError:
            pass  # A folder that cannot hold a lock can still hold a game.

    def release(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def let_go(self, *, over: bool) -> None:
        """Let others play it. Once the game is over nobody will, and the lock's file goes too."""
        if over:
            with suppress(OSError):
                self._lock_file.unlink(missing_ok=True)
        self.release()


def new_save(game_id: str, when: str) -> Save:
    """A place that no other game has."""
    folder = state_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for count in range(1, 10_000):
            path = folder / f"{game_id}-{when}{'' if count == 1 else f'-{count}'}.duel"
            try:
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            except FileExistsError:
                continue
            return Save(path)
    except OSError as error:
        raise SaveError(f"Games cannot be saved in {folder}: {error.strerror}.") from None
    raise SaveError(f"There are too many games of this second in {folder}.")


class Listed(NamedTuple):
    """A saved game as a list shows it."""

    save: Save
    changed: float
    text: str


def saved() -> list[Listed]:
    """Every game in the state folder, the latest first."""
    found = []
    for path in state_folder().glob("*.duel"):
        try:
            found.append(Listed(Save(path), path.stat().st_mtime, path.read_text(encoding="utf-8", errors="replace")))
        except OSError:
            continue
    return sorted(found, key=lambda item: (-item.changed, item.save.id))

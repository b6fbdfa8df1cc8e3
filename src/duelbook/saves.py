"""Games on disk. After every move the whole game is written anew."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from duelbook import folders
from duelbook.disk import SaveError as SaveError
from duelbook.disk import encoded, read_text, reserve, sweep, write_atomically
from duelbook.locks import Lock
from duelbook.speech import plain

LARGEST_GAME = 16_000_000
"""Bytes of a saved game: room for the longest match that there can be, and for words about it."""
LATEST = 250_000_000_000.0
"""Seconds since 1970: a file can say that it was changed in a year that no calendar has."""


def state_folder() -> Path:
    """Where the user's games are. Raises NoFolder for a user who has no folders."""
    return folders.state() / "games"


def own_folder() -> Path | None:
    """The same, or None for such a user."""
    try:
        return state_folder()
    except folders.NoFolder:
        return None


class Save:
    """The place of one game on disk, held by one terminal at a time.

    A link stays a link: what it leads to is read, written and held, so that a game has one lock under all its names.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        """As it was named."""
        self.file = Path(os.path.realpath(path))
        """What that leads to."""
        self._lock = Lock(self.file.with_name(f".{self.file.name}.lock"))
        self._found: tuple[bytes, int] | None = None
        """What stood there before it was first written to, and since when."""

    @property
    def id(self) -> str:
        return self.path.stem

    @property
    def name(self) -> str:
        """What `resume` and `replay` know it by from here: its id among the user's own games, its path elsewhere."""
        if self.path.suffix == ".duel" and self.path.parent == own_folder():
            return self.id
        return f"./{self.path}" if str(self.path).startswith("-") else str(self.path)

    def read(self) -> str:
        """Raises OSError or UnicodeDecodeError."""
        return read_text(self.file, LARGEST_GAME)

    def write(self, text: str) -> None:
        """A game in which nothing has changed, once somebody has looked into it, keeps its time as well: it is not the
        last one that was played."""
        if self._found is None:
            self._found = self._as_found()
        write_atomically(self.file, text)
        before, since = self._found
        if before and encoded(text) == before:
            with suppress(OSError):
                os.utime(self.file, ns=(since, since))

    def _as_found(self) -> tuple[bytes, int]:
        with suppress(OSError):
            status = self.file.stat()
            if stat.S_ISREG(status.st_mode) and status.st_size <= LARGEST_GAME:
                return self.file.read_bytes(), status.st_mtime_ns
        return b"", 0

    def is_empty(self) -> bool:
        """Whether this is a place that was taken for a game of which nothing has been written yet."""
        try:
            return self.file.stat().st_size == 0
        except OSError:
            return False

    def remove(self) -> None:
        """Take the game off the disk; of a link only the link. Nobody else may be playing it."""
        self.hold()
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            raise SaveError(f"{plain(self.path)} could not be removed: {error.strerror}.") from None
        finally:
            self.let_go()

    def hold(self) -> None:
        """Keep other terminals from playing the same game."""
        if self._lock.held:
            return
        try:
            free = self._lock.take()
        except OSError:
            return  # A folder that cannot hold a lock can still hold a game.
        if not free:
            raise SaveError(f"{plain(self.id)} is being played in another terminal.")

    def let_go(self) -> None:
        self._lock.let_go()


def new_save(game_id: str, when: str) -> Save:
    """A place that no other game has."""
    folder = state_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for count in range(1, 10_000):
            path = folder / f"{game_id}-{when}{'' if count == 1 else f'-{count}'}.duel"
            try:
                reserve(path)
            except FileExistsError:
                continue
            return Save(path)
    except OSError as error:
        raise SaveError(f"Games cannot be saved in {plain(folder)}: {error.strerror}.") from None
    raise SaveError(f"There are too many games of this second in {plain(folder)}.")


class Listed(NamedTuple):
    """A saved game as a list shows it."""

    save: Save
    changed: float
    text: str
    problem: str = ""
    """Why it cannot be read."""


def saved() -> list[Listed]:
    """Every game in the state folder, the latest first."""
    folder = own_folder()
    if folder is None:
        return []
    sweep(folder)
    found = []
    for path in folder.glob("*.duel"):
        save = Save(path)
        try:
            changed = max(0.0, min(save.file.stat().st_mtime, LATEST))
        except OSError:  # it is gone, or leads nowhere
            continue
        try:
            found.append(Listed(save, changed, save.read()))
        except UnicodeDecodeError:
            found.append(Listed(save, changed, "", "it is not text"))
        except OSError as error:
            found.append(Listed(save, changed, "", error.strerror or "it cannot be opened"))
    return sorted(found, key=lambda item: (-item.changed, item.save.id))

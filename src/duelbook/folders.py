"""Where a user's own files are: the folders that XDG names, or their like on Windows. Nothing is made here.

A user may have none, as in a container that runs under a bare number: then there is no home folder, and whoever asks
hears it in a sentence.
"""

from __future__ import annotations

import os
from pathlib import Path

from duelbook.core import SaveError, of_kind
from duelbook.speech import quote


class NoFolder(SaveError):
    """There is no place for files of this user."""


def state() -> Path:
    """For what was done: games, tournaments, results of puzzles."""
    return _folder("XDG_STATE_HOME", ".local/state", "LOCALAPPDATA", "AppData/Local")


def cache() -> Path:
    """For what can be computed again."""
    return _folder("XDG_CACHE_HOME", ".cache", "LOCALAPPDATA", "AppData/Local")


def config() -> Path:
    """For settings."""
    return _folder("XDG_CONFIG_HOME", ".config", "APPDATA", "AppData/Roaming")


def _folder(variable: str, below_home: str, windows_variable: str, below_windows_home: str) -> Path:
    if os.name == "nt":
        variable, below_home = windows_variable, below_windows_home
    named = Path(os.environ.get(variable, ""))
    # A relative path is no answer, says XDG: it would mean another folder wherever the command is started.
    return (named if named.is_absolute() else _home() / below_home) / "duelbook"


def _home() -> Path:
    if os.name != "nt" and os.environ.get("HOME") == "":  # Python would take the root of the disk for it
        raise NoFolder("There is no home folder here: HOME is empty.")
    try:
        home = Path.home()
    except RuntimeError:
        raise NoFolder("There is no home folder here: HOME is not set, and the system knows none.") from None
    if not home.is_absolute():
        raise NoFolder(f"There is no home folder here: HOME is {quote(str(home))}, which is not an absolute path.")
    return home


def name_of(file: str | Path) -> str:
    """What a file is called, as somebody gave it."""
    return str(of_kind(file, (str, Path), "A file is named by a text or a Path"))


def named(file: str | Path) -> Path:
    """The path that a person named, with `~` for the home folder. Raises NoFolder for what can be no file's name."""
    name = name_of(file)
    try:
        if "\0" in name:
            raise ValueError
        return Path(name).expanduser()
    except (ValueError, RuntimeError):  # a NUL, or nobody's home
        raise NoFolder(f"{quote(name)} is not a name that a file can have here.") from None

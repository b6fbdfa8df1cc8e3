"""What is computed once and kept in the user's cache. It only saves time: whatever fails here costs nothing else."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from duelbook import folders
from duelbook.core import Game, SomeRules
from duelbook.disk import SaveError, read_bytes, write_atomically
from duelbook.positions.rule_code import rules_key


def cache_folder() -> Path:
    """Where results are kept. Without a home folder it is a place at which nothing can be kept or found."""
    try:
        return folders.cache()
    except folders.NoFolder:
        return Path(os.devnull) / "duelbook"


def kept_file(game: Game, rules: SomeRules, ending: str) -> Path:
    """Where something computed from these rules is kept: what the rules do is part of its name."""
    return cache_folder() / f"{rules_key(game, rules)}{ending}"


def read_kept(path: Path, most: int) -> bytes | None:
    """What a file holds; None if there is none. One that holds more than `most` bytes is an OSError and not read."""
    try:
        return read_bytes(path, most)
    except (FileNotFoundError, NotADirectoryError):
        return None


def keep(path: Path, data: bytes) -> None:
    """Put a result into the cache, wholly or not at all, if that can be done."""
    with suppress(OSError, SaveError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, data)

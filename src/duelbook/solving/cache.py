"""What is computed once and kept in the user's cache. It only saves time: whatever fails here costs nothing else."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp

from duelbook import folders
from duelbook.core import Game, SomeRules
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
    if not path.is_file():  # a pipe in its place would be waited for
        return None
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size > most:
            raise OSError(0, f"it is larger than {most:,} bytes")
        return file.read(most)


def keep(path: Path, data: bytes) -> None:
    """Put a result into the cache, wholly or not at all, if that can be done."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(draft).replace(path)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise

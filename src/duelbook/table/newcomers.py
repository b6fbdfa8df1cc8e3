"""Who was asked about a guided game: once for each duel, and never again, whatever the answer was."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from duelbook import folders
from duelbook.core import Game


def place() -> Path:
    """A folder with an empty file for each duel in which it was offered."""
    return folders.state() / "lessons"


def to_be_offered(game: Game) -> bool:
    """Whether somebody who opens this duel is to be asked. Where that cannot be remembered nobody is."""
    with suppress(OSError, folders.NoFolder):
        place().mkdir(parents=True, exist_ok=True)
        return game.lesson is not None and not (place() / game.id).exists()
    return False


def was_offered(game: Game) -> None:
    with suppress(OSError, folders.NoFolder):
        place().mkdir(parents=True, exist_ok=True)
        (place() / game.id).touch()


def question(game: Game) -> str:
    assert game.lesson is not None, "only what there is can be offered"
    turns = len(game.lesson.tasks)
    return f"Is {game.name} new to you? A guided game of {turns} turns shows the idea that matters."

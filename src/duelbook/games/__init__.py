"""The five duels, and those that others add through the entry-point group `duelbook.games`."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from duelbook.core import DuelError, Game

ROOMS = {
    "conquer": "duelbook.games.conquer",
    "deck": "duelbook.games.deck",
    "energy": "duelbook.games.energy",
    "secret": "duelbook.games.secret",
    "tower": "duelbook.games.tower",
}


class UnknownGame(DuelError):
    """A name that no game has."""


def game_ids() -> list[str]:
    return [*ROOMS, *_guests()]


def _guests() -> dict[str, str]:
    """Games installed by other packages: id to `module:attribute`."""
    from importlib.metadata import entry_points

    return {entry.name: entry.value for entry in entry_points(group="duelbook.games") if entry.name not in ROOMS}


def load(id: str) -> Game:
    """The game with this id. Only the game that is asked for is imported, so that starting stays fast."""
    wanted = id.strip().lower()
    if wanted in ROOMS:
        game: Game = import_module(ROOMS[wanted]).GAME
        return game
    guests = _guests()
    if wanted in guests:
        module, _, attribute = guests[wanted].partition(":")
        try:
            guest: Game = getattr(import_module(module), attribute or "GAME")
        except Exception as error:  # noqa: BLE001 - whatever another package does wrong is no reason to stop
            raise UnknownGame(f"The duel {wanted} cannot be loaded from {module}: {error}.") from None
        return guest
    from duelbook.speech import either, guess, quote

    raise UnknownGame(
        f"There is no game called {quote(id)}. The games are {either(game_ids(), 'and')}.{guess(wanted, ROOMS)}"
    )


def load_all() -> list[Game]:
    """Every game that can be loaded; one that another package gets wrong is left out, with a sentence."""
    games = []
    for id in game_ids():
        try:
            games.append(load(id))
        except UnknownGame as error:
            from duelbook.speech import plain

            print(plain(error), file=sys.stderr)
    return games


def room(game: Game) -> Path:
    """The folder that holds a game's files."""
    return Path(game.rules_file.__file__).parent


def rulebook(game: Game) -> str:
    """The rules for people, in Markdown, with our rulings."""
    return (room(game) / "rulebook.md").read_text(encoding="utf-8")


def example(game: Game) -> Path:
    """The rule book's worked example, as a record."""
    return room(game) / "example.duel"

"""The duels that ship, and those that others add through the entry-point group `duelbook.games`.

This is the only file that knows which duels ship. Everybody else asks for all there are.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path
from reprlib import repr as shown
from typing import TYPE_CHECKING

from duelbook.core import DuelError, Game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ROOMS = {
    "conquer": "duelbook.games.conquer",
    "deck": "duelbook.games.deck",
    "energy": "duelbook.games.energy",
    "secret": "duelbook.games.secret",
    "tower": "duelbook.games.tower",
}

GROUP = "duelbook.games"
"""The group of entry points by which other packages bring duels."""

READINGS = {"secret": (("double_forfeit=void",),)}
"""Readings of a book, besides the book itself, whose solutions ship too: the others are solved in a moment anywhere."""

_loaded: dict[str, Game] = {}
"""Guests that were loaded in this process: whose code may have run."""
_complained: set[str] = set()
"""What was said in this process about guests that cannot be loaded: once is enough."""


class UnknownGame(DuelError):
    """A name that no game has, or whose game cannot be loaded."""


def game_ids() -> list[str]:
    return [*ROOMS, *(id for id in _guests() if id not in ROOMS)]


def _guests() -> dict[str, list[EntryPoint]]:
    """What other packages bring, by id. More than one entry for an id, or one for an id of ours, is a mistake."""
    from importlib.metadata import entry_points

    found: dict[str, list[EntryPoint]] = {}
    try:
        entries = list(entry_points(group=GROUP))
    except Exception:  # noqa: BLE001 - whatever one package has written where its entries belong, the others have theirs
        entries = list(_readable_entries())
    for entry in entries:
        found.setdefault(entry.name.strip().lower(), []).append(entry)
    return found


def _readable_entries() -> Iterator[EntryPoint]:
    """The same of one package after the other; one whose entries cannot be read is left out, and said once."""
    from importlib.metadata import distributions

    for package in distributions():
        try:
            yield from package.entry_points.select(group=GROUP)
        except Exception as error:  # noqa: BLE001 - as above
            _complain(f"The entry points of {package.name} cannot be read ({type(error).__name__}: {error}).")


def duel_of(game: object) -> Game:
    """The duel that a name, or a duel itself, stands for."""
    return game if isinstance(game, Game) else load(game)  # type: ignore[arg-type]  # whatever it is, it is looked at


def load(id: str) -> Game:
    """The game with this id. Only the game that is asked for is imported, so that starting stays fast."""
    if not isinstance(id, str):
        raise UnknownGame(f"A duel is named as in 'tower', or loaded as in load('tower'); {shown(id)} is neither.")
    wanted = id.strip().lower()
    if wanted in ROOMS:
        game: Game = import_module(ROOMS[wanted]).GAME
        return game
    guests = _guests()
    if wanted in guests:
        return _load_guest(wanted, guests[wanted])
    from duelbook.speech import either, guess, quote

    raise UnknownGame(
        f"There is no duel called {quote(id)}. The duels are {either(game_ids(), 'and')}.{guess(wanted, game_ids())}"
    )


def _load_guest(id: str, entries: list[EntryPoint]) -> Game:
    """A guest as its package makes it. Whatever is wrong with it is a sentence, and no reason to stop the others."""
    if len(entries) > 1:
        from duelbook.speech import either

        packages = either([_package(entry) for entry in entries], "and")
        raise UnknownGame(f"The duel {id} cannot be loaded: {packages} both bring one of this name. Uninstall one.")
    (entry,) = entries
    try:
        with redirect_stdout(sys.stderr):  # what is said there is data
            guest = entry.load()
        guest = getattr(guest, "GAME", guest)  # an entry may name the module alone
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever another package does must not stop the rest
        told = str(error) if isinstance(error, DuelError) else f"{type(error).__name__}: {error}"
        raise UnknownGame(f"The duel {id} cannot be loaded from {entry.value}: {told.rstrip('.')}.") from None
    if not isinstance(guest, Game):
        raise UnknownGame(
            f"The duel {id} cannot be loaded: {entry.value} is a {type(guest).__name__}, not a Game that assemble made."
        )
    if guest.id != id:
        raise UnknownGame(
            f"The duel {id} cannot be loaded: {entry.value} calls itself '{guest.id}'. The name of the entry in "
            "duelbook.games and the id must be the same, in lower case."
        )
    if not isinstance(getattr(guest.rules_file, "__file__", None), str):
        raise UnknownGame(f"The duel {id} cannot be loaded: its rules are not in a file of their own, as a module is.")
    if not (room(guest) / "rulebook.md").is_file():
        raise UnknownGame(f"The duel {id} cannot be loaded: its folder {room(guest)} holds no rulebook.md.")
    _loaded[id] = guest
    return guest


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else entry.value


def load_all() -> list[Game]:
    """Every game that can be loaded; one that another package gets wrong is left out, and said once."""
    games = []
    for id in game_ids():
        try:
            games.append(load(id))
        except UnknownGame as error:
            _complain(str(error))
    return games


def _complain(sentence: str) -> None:
    from duelbook.speech import plain

    if sentence not in _complained:
        _complained.add(sentence)
        print(plain(sentence), file=sys.stderr)


def hidden() -> list[str]:
    """A sentence for each guest that cannot be reached, because a duel that ships has its id."""
    return [
        f"{_package(entry)} brings a duel called {id}, as Duelbook does itself; it cannot be reached under that name."
        for id, entries in _guests().items()
        for entry in entries
        if id in ROOMS
    ]


# Whose mistake an error is


def culprit(error: BaseException, game: Game) -> str | None:
    """The function of a duel's own files in which an error arose, as `rules.apply`; None if it arose elsewhere.

    Where they call each other it is the one that Duelbook called.
    """
    folder, trace = str(room(game)), error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        file = Path(code.co_filename)
        if str(file.parent) == folder:
            return f"{file.stem}.{code.co_name}"
        trace = trace.tb_next
    return None


def blame(error: BaseException) -> str | None:
    """The sentence about an error that a guest's code raised; None where no guest had a hand in it."""
    told = f"{type(error).__name__}: {error}".rstrip(".")
    for id, guest in _loaded.items():
        function = culprit(error, guest)
        if function is not None:
            whose = f"The duel {id}, which another package brings, failed in {function}"
            return f"{whose}: {told}. Try: duelbook check-game {id}"
        if _of_the_compiler(error) and f"{room(guest)}/" in str(error):
            whose = f"The rules of the duel {id}, which another package brings, cannot be compiled"
            return f"{whose}: {compiler_says(error)}. Try: duelbook check-game {id}"
    return None


def _of_the_compiler(error: BaseException) -> bool:
    return type(error).__module__.startswith("numba.")


def compiler_says(error: BaseException) -> str:
    """What a compiler's error comes to, in one line: its reason, and the line of the file that it does not take."""
    if not _of_the_compiler(error):
        return f"{type(error).__name__}: {error}".rstrip(".")
    lines = [line.strip() for line in str(error).splitlines()]
    reason = next((line for line in lines if line and not line.startswith("Failed in ")), type(error).__name__)
    place = re.search(r'File ".*?([^/\\"]+)", line (\d+)', str(error))
    return f"{reason.rstrip('.')} ({place[1]}, line {place[2]})" if place else reason.rstrip(".")


def guests_in_use() -> list[Game]:
    """Guests that were loaded in this process."""
    return list(_loaded.values())


# A duel's files


def room(game: Game) -> Path:
    """The folder that holds a game's files."""
    return Path(game.rules_file.__file__).parent


def rulebook(game: Game) -> str:
    """The rules for people, in Markdown, with our rulings. A dialogue that speaks in other words brings its own."""
    said = getattr(game.dialogue, "RULEBOOK", None)
    return said if isinstance(said, str) else (room(game) / "rulebook.md").read_text(encoding="utf-8")


def example(game: Game) -> Path:
    """The rule book's worked example, as a record."""
    return room(game) / "example.duel"

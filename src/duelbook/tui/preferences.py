"""What a player likes, remembered between runs: names, colours, motion, coach."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from duelbook import folders
from duelbook.core import Game
from duelbook.disk import SaveError, read_text, write_atomically
from duelbook.players import HUMAN, people_in
from duelbook.speech import plain
from duelbook.table.invitation import LONGEST_NAME, Invitation

THEMES = ("night", "paper", "contrast")
LETTERS = ("auto", "unicode", "ascii")
PACES = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Seconds that a program takes for a move, so that people can follow."""
PACE_WORDS = [(pace, f"{pace:g} s") for pace in PACES]


@dataclass
class Preferences:
    name: str = ""
    """What the player at this keyboard is called; nothing for the book's name of the seat."""
    guest: str = ""
    """What a second person at this keyboard is called."""
    theme: str = "night"
    motion: bool = True
    coach: bool = False
    letters: str = "auto"
    """auto, unicode or ascii: which letters the pictures are made of."""
    pace: float = 1.0
    opponent: str = "level:2"
    """Whom the player met last."""
    duel: str = ""

    def change_pace(self, by: int) -> None:
        """One step faster or slower, and remembered."""
        at = PACES.index(self.pace) if self.pace in PACES else PACES.index(1.0)
        self.pace = PACES[max(0, min(len(PACES) - 1, at + by))]
        self.keep()

    def against(self, game: Game, seat: int, foe: str) -> Invitation:
        """A duel with the player in this seat, and a program or the guest in the other."""
        kinds, names = [foe, foe], [self.guest if foe == HUMAN else ""] * 2
        kinds[seat], names[seat] = HUMAN, self.name
        return Invitation(game, (kinds[0], kinds[1]), (names[0] or None, names[1] or None))

    def names(self, kinds: Sequence[str], given: tuple[str | None, str | None]) -> tuple[str | None, str | None]:
        """The given names; the people who have none are the player at this keyboard and the guest."""
        known, names = [self.name, self.guest], list(given)
        for seat in people_in(kinds):
            own = known.pop(0)
            if names[seat] is None and own and own.lower() != (names[1 - seat] or "").lower():
                names[seat] = own
        return names[0], names[1]

    def keep(self) -> str | None:
        """Write them down. A sentence comes back if that cannot be done."""
        try:
            path = settings_file()
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, json.dumps(asdict(self), indent=2) + "\n")
        except OSError as error:
            return f"Your settings could not be written: {plain(path.parent)} cannot be made ({error.strerror})."
        except (folders.NoFolder, SaveError) as error:
            return f"Your settings could not be written. {error}"
        return None


def settings_file() -> Path:
    return folders.config() / "settings.json"


LARGEST = 100_000
"""Bytes of that file."""


_ALLOWED = {"theme": THEMES, "letters": LETTERS, "pace": PACES}


def remembered() -> Preferences:
    """What was written down; whatever in it cannot be read or used is as if it had never been said."""
    found = Preferences()
    with suppress(OSError, ValueError, RecursionError):  # no folder or no file, no JSON, a hundred thousand brackets
        said = json.loads(read_text(settings_file(), LARGEST))
        for field in fields(Preferences):
            value = said.get(field.name) if isinstance(said, dict) else None
            usual = getattr(found, field.name)
            if type(value) is not type(usual) or (isinstance(value, str) and not _can_be_shown(value)):
                continue
            if value in _ALLOWED.get(field.name, (value,)):
                setattr(found, field.name, value)
    return found


def _can_be_shown(text: str) -> bool:
    """Names and the like: nothing that a match would refuse."""
    return plain(text) == text and len(text) <= LONGEST_NAME

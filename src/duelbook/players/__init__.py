"""Everything that can sit in a seat.

A person is not here: people talk to a user interface, which talks to the match.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from reprlib import repr as shown
from typing import TYPE_CHECKING

from duelbook.core import DuelError
from duelbook.match import Player
from duelbook.policies.characters import CHARACTERS

if TYPE_CHECKING:
    from duelbook.engine.limits import Limits

HUMAN = "human"
KINDS = {
    HUMAN: "a person at this terminal",
    "random": "plays any legal move, each as likely as the next",
    "level:1": "a novice; up to level:6, an expert",
    "perfect": "never gives anything away",
    **CHARACTERS,
    "engine:COMMAND": "a program of yours that speaks the engine protocol",
}
ENGINE = "engine:"
LONGEST_NAME = 40
PYTHON = "python:"
"""Stands before the class of a Python object that plays."""


class UnknownPlayer(DuelError):
    """A kind of player that is not known."""


def people_in(kinds: Sequence[str]) -> tuple[int, ...]:
    """The seats in which people sit."""
    return tuple(seat for seat, kind in enumerate(kinds) if kind == HUMAN)


def check_kind(kind: str) -> str:
    """The tidy name of a kind of player."""
    if not isinstance(kind, str):
        raise UnknownPlayer(f"A kind of player is a text such as level:3; {shown(kind)} is not.")
    if kind.strip()[: len(ENGINE)].lower() == ENGINE:
        from duelbook.engine.launch import command_of

        command = kind.strip()[len(ENGINE) :].strip()
        command_of(command)
        return f"{ENGINE}{command}"
    wanted = " ".join(kind.lower().split())
    if wanted.startswith("level:"):
        from duelbook.players.level import level_number

        return f"level:{level_number(wanted.removeprefix('level:'))}"
    if wanted not in KINDS:
        known = "; ".join(f"{name} ({meaning})" for name, meaning in KINDS.items())
        raise UnknownPlayer(f"There is no player called '{kind}'. A seat can be taken by: {known}.")
    return wanted


def seat_player(kind: str, seed: int, limits: Limits | None = None) -> Player | None:
    """The player of this kind, or None for a person. The limits are for a program; without any it has the usual."""
    wanted = check_kind(kind)
    if wanted == HUMAN:
        return None
    if wanted == "random":
        from duelbook.players.random import RandomPlayer

        return RandomPlayer(seed)
    if wanted == "perfect":
        from duelbook.players.perfect import PerfectPlayer

        return PerfectPlayer(seed)
    if wanted.startswith(ENGINE):
        from duelbook.players.engine import EnginePlayer

        return EnginePlayer(wanted.removeprefix(ENGINE), limits)
    from duelbook.players.table import TablePlayer

    return TablePlayer(seed, wanted)


def short_kind(kind: str) -> str:
    """`level 3 casual`, `perfect`, `the brawler`, `person`, `mybot.py`."""
    from duelbook.policies.levels import LEVELS

    if kind == HUMAN:
        return "person"
    if kind in CHARACTERS:
        return f"the {kind}"
    rungs = {f"level:{number}": f"level {number} {level.name}" for number, level in enumerate(LEVELS, 1)}
    return rungs.get(kind) or usual_name(kind)  # a record from elsewhere can name a seat that nobody here could take


def usual_name(kind: str) -> str:
    """What a player is called that nobody named: its kind, its class, or the file that an engine is started from."""
    if kind.startswith(PYTHON):
        return kind.removeprefix(PYTHON)[:LONGEST_NAME]
    if not kind.startswith(ENGINE):
        return kind
    words = kind.removeprefix(ENGINE).split()
    if "-m" in words[:-1]:  # `python3 -m mybot` is called mybot
        words = words[words.index("-m") + 1 :]
    files = [word for word in words if not word.startswith("-")]
    # `python3 -u bots/mybot.py --depth 3` is called mybot.py: the first file that is not an interpreter's.
    script = next((word for word in files[1:] if PurePath(word).suffix), files[0] if files else "engine")
    shown = "".join(letter for letter in PurePath(script).name if letter.isprintable())
    return shown[:LONGEST_NAME] or "engine"

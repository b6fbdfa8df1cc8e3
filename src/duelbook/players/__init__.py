"""Everything that can sit in a seat.

A person is not here: people talk to a user interface, which talks to the match.
"""

from __future__ import annotations

from duelbook.core import DuelError
from duelbook.match import Player

HUMAN = "human"
KINDS = {
    HUMAN: "a person at this terminal",
    "random": "plays any legal move, each as likely as the next",
    "level:1": "a novice; up to level:6, an expert",
    "perfect": "never gives anything away",
    "engine:COMMAND": "a program of yours that speaks the engine protocol",
}
ENGINE = "engine:"


class UnknownPlayer(DuelError):
    """A kind of player that is not known."""


def check_kind(kind: str) -> str:
    """The tidy name of a kind of player."""
    if kind.strip()[: len(ENGINE)].lower() == ENGINE:
        from duelbook.players.engine import command_of

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


def seat_player(kind: str, seed: int) -> Player | None:
    """The player of this kind, or None for a person."""
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

        return EnginePlayer(wanted.removeprefix(ENGINE))
    from duelbook.players.level import LevelPlayer, level_number

    return LevelPlayer(seed, level_number(wanted.removeprefix("level:")))

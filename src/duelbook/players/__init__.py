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
}


class UnknownPlayer(DuelError):
    """A kind of player that is not known."""


def check_kind(kind: str) -> str:
    """The tidy name of a kind of player."""
    wanted = kind.strip().lower()
    if wanted not in KINDS:
        known = ", ".join(f"{name} ({meaning})" for name, meaning in KINDS.items())
        raise UnknownPlayer(f"There is no player called '{kind}'. A seat can be taken by: {known}.")
    return wanted


def seat_player(kind: str, seed: int) -> Player | None:
    """The player of this kind, or None for a person."""
    if check_kind(kind) == HUMAN:
        return None
    from duelbook.players.random import RandomPlayer

    return RandomPlayer(seed)

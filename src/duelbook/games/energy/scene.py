"""What lies on the table in Energy Duel."""

from __future__ import annotations

from duelbook.games.energy.rules import Rules, State
from duelbook.scene import Gauge, Scene, Side

EMBLEM = (
    "  __/ ",
    " /_ / ",
    "  //  ",
)


def scene(rules: Rules, s: State) -> Scene:
    one, two = (Side(Gauge("Energy", s.energy[seat], rules.energy), _notes(s, seat)) for seat in (0, 1))
    return Scene((one, two))


def _notes(s: State, seat: int) -> tuple[str, ...]:
    if seat == s.mover:
        return ()
    guard = ("defense stands against the next attack",) if s.guarded else ()
    return (*guard, "has just passed") if s.passes else guard

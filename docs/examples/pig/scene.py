"""What lies on the table in Pig."""

from __future__ import annotations

from duelbook.scene import Gauge, Scene, Side
from pig.rules import Rules, State

EMBLEM = (
    "┌─────┐",
    "│ ⚀ ⚅ │",
    "└─────┘",
)


def scene(rules: Rules, s: State) -> Scene:
    one, two = (Side(Gauge("points", s.points[seat], rules.goal), _notes(s, seat)) for seat in (0, 1))
    return Scene((one, two))


def _notes(s: State, seat: int) -> tuple[str, ...]:
    return (f"{s.pot} in the pot",) if seat == s.mover and s.pot else ()

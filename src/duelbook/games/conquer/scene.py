"""What lies on the table in Command Line Conquer."""

from __future__ import annotations

from duelbook.games.conquer.rules import Rules, State, Status
from duelbook.scene import Gauge, Scene, Side

EMBLEM = (
    r"  /\  ",
    r" |><| ",
    r"  \/  ",
)


def scene(rules: Rules, s: State) -> Scene:
    return Scene((_side(rules, s, 0), _side(rules, s, 1)))


def _side(rules: Rules, s: State, seat: int) -> Side:
    notes = {
        Status.DEFENDING: ("just defended: cannot attack" if s.mover == seat else "defending: blocks an attack",),
        Status.EXPOSED: () if s.mover == seat else (f"healing: exposed to {rules.exposed_damage} damage",),
        Status.COVERED: () if s.mover == seat else ("healing under cover",),
    }
    return Side(Gauge("HP", s.hp[seat], rules.hp), notes.get(Status(s.status[seat]), ()))

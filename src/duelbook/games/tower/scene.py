"""What lies on the table in Tower Defense Duel."""

from __future__ import annotations

from duelbook.games.tower.rules import Rules, State
from duelbook.scene import TOWER, Gauge, Scene, Side

EMBLEM = (
    " █  ▄ ",
    " █  █ ",
    "▄█▄▄█▄",
)


def scene(rules: Rules, s: State) -> Scene:
    one, two = (Side(_tower(rules, height)) for height in s.towers)
    return Scene((one, two))


def _tower(rules: Rules, height: int) -> Gauge:
    return Gauge("Tower", height, rules.goal, TOWER)

"""Pig, a guest of Duelbook with a die."""

from duelbook.core import assemble
from pig import dialogue, notation, rules, scene

GAME = assemble(
    id="pig",
    name="Pig",
    pitch="Roll as often as you dare, hold before a 1 takes it all; first to 20 wins.",
    rules=rules,
    notation=notation,
    dialogue=dialogue,
    scene=scene,
)

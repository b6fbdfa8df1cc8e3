"""Energy Duel."""

from duelbook.core import assemble
from duelbook.games.energy import dialogue, notation, reasons, rules, scene
from duelbook.games.energy.lesson import LESSON

GAME = assemble(
    id="energy",
    name="Energy Duel",
    pitch="Energy pays for every blow and is all the life you have.",
    rules=rules,
    notation=notation,
    dialogue=dialogue,
    scene=scene,
    reasons=reasons,
    lesson=LESSON,
)

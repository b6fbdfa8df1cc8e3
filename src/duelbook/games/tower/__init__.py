"""Tower Defense Duel."""

from duelbook.core import assemble
from duelbook.games.tower import dialogue, notation, reasons, rules, scene
from duelbook.games.tower.lesson import LESSON

GAME = assemble(
    id="tower",
    name="Tower Defense Duel",
    pitch="Build to exactly 15 before the other does, or knock three off their tower.",
    rules=rules,
    notation=notation,
    dialogue=dialogue,
    scene=scene,
    reasons=reasons,
    lesson=LESSON,
)

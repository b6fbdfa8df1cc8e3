"""Command Line Conquer."""

from duelbook.core import assemble
from duelbook.games.conquer import dialogue, notation, reasons, rules, scene
from duelbook.games.conquer.lesson import LESSON

GAME = assemble(
    id="conquer",
    name="Command Line Conquer",
    pitch="Attack, defend or heal: ten HP each, and a heal at the wrong moment costs double.",
    rules=rules,
    notation=notation,
    dialogue=dialogue,
    scene=scene,
    reasons=reasons,
    lesson=LESSON,
)

"""Number Duel (secret)."""

from duelbook.core import assemble
from duelbook.games.secret import dialogue, notation, reasons, rules, scene
from duelbook.games.secret.lesson import LESSON

GAME = assemble(
    id="secret",
    name="Number Duel (secret)",
    pitch="Both pick a number in secret; the higher one deals the difference.",
    rules=rules,
    notation=notation,
    dialogue=dialogue,
    scene=scene,
    reasons=reasons,
    lesson=LESSON,
    seats=notation.SEATS,
)

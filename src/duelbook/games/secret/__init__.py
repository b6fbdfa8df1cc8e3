"""Number Duel (secret)."""

from duelbook.core import assemble
from duelbook.games.secret import dialogue, notation, reasons, rules, scene

GAME = assemble(
    id="secret",
    name="Number Duel (secret)",
    pitch="Both pick a number in secret; the higher one deals the difference.",
    rules=rules,
    notation=notation,
    dialogue=dialogue,
    scene=scene,
    reasons=reasons,
    seats=notation.SEATS,
)

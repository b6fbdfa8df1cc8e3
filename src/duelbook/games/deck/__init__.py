"""Number Duel (deck)."""

from duelbook.core import assemble
from duelbook.games.deck import dialogue, notation, reasons, rules, scene
from duelbook.games.deck.lesson import LESSON

GAME = assemble(
    id="deck",
    name="Number Duel (deck)",
    pitch="Draw a card, see it, then hit with all of it or heal with half.",
    rules=rules,
    notation=notation,
    dialogue=dialogue,
    scene=scene,
    reasons=reasons,
    lesson=LESSON,
)

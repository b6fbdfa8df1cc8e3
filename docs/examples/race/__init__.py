"""Race to 21, a guest of Duelbook."""

from duelbook.core import assemble
from race import dialogue, notation, rules

GAME = assemble(
    id="race",
    name="Race to 21",
    pitch="Add 1, 2 or 3 to one shared total; whoever says 21 wins.",
    rules=rules,
    notation=notation,
    dialogue=dialogue,
)

"""Rock, Paper, Scissors, a guest of Duelbook in which both players act at once."""

from duelbook.core import assemble
from rps import dialogue, notation, rules

GAME = assemble(
    id="rps",
    name="Rock, Paper, Scissors",
    pitch="The old game for hearts, and a rock hits twice as hard.",
    rules=rules,
    notation=notation,
    dialogue=dialogue,
    seats=("Left", "Right"),
)

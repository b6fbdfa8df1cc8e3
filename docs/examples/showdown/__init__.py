"""Showdown, a guest of Duelbook in which both players act at once."""

from duelbook.core import assemble
from showdown import dialogue, notation, rules

GAME = assemble(
    id="showdown",
    name="Showdown",
    pitch="Both load, shoot or shield at once; a shot that finds you loading costs a life.",
    rules=rules,
    notation=notation,
    dialogue=dialogue,
    seats=("Wyatt", "Annie"),
)

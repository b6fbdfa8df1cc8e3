"""Did luck keep its promise? Every card of a game computed anew from the seeds that were published.

A commitment is on disk before the first card falls, and the seed follows when it decides nothing any more. So whoever
has kept a copy of the file can be sure that no card was chosen after the commitment was made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from duelbook.core import LUCK
from duelbook.luck import Stream, Stretch, commitment, pick
from duelbook.match import Match, Step
from duelbook.speech import amount


class Proof(NamedTuple):
    """What can be said of the cards of a game."""

    promised: int = 0
    """Cards that follow from a seed which was committed to before they fell."""
    computed: int = 0
    """Cards that follow from a seed which somebody chose, so that there was nothing to commit to."""
    unknown: int = 0
    """Cards of a seed that was never published, as when the program was killed, or of an older way to draw."""
    broken: str | None = None
    """The sentence that says what was promised and not kept."""
    face: str = "card"
    """What the duel calls what comes."""

    def __str__(self) -> str:
        if self.broken:
            return self.broken
        return " ".join(
            f"{amount(count, self.face)} {'comes' if count == 1 else 'come'} from {what}."
            for count, what in (
                (self.promised, "the seed that was committed to"),
                (self.computed, "the seed that was chosen"),
                (self.unknown, "a seed that is not known"),
            )
            if count
        )


def proof_of_luck(match: Match) -> Proof:
    """Compare every card that luck has dealt with what its stretch of the game promised."""
    stretches = match.luck.stretches(over=match.outcome is not None)
    for _, promised, seed in stretches:
        if promised is not None and seed is not None and commitment(seed) != promised:
            return Proof(broken=f"The seed {seed} is not the one that was committed to.")
    found: Counter[str] = Counter()
    drawn = [step for step in match.steps if step.turn == LUCK]
    for draw, step in enumerate(drawn[len(match.stacked) :], len(match.stacked)):
        verdict, face = _verdict(match, step, stretches, draw)
        if verdict == "broken":
            which = f"{match.game.chance.face.capitalize()} {draw + 1}"
            sentence = f"{which} is a {step.play}, but the seed that was committed to gives a {face}."
            return Proof(broken=sentence)
        found[verdict] += 1
    return Proof(found["promised"], found["computed"], found["unknown"], face=match.game.chance.face)


def _verdict(match: Match, step: Step, stretches: Sequence[Stretch], draw: int) -> tuple[str, int | None]:
    """Which kind of card this is, and what its seed gives."""
    stretch = next((each for each in reversed(stretches) if each.begins <= draw), None)
    if stretch is None or stretch.seed is None:
        return "unknown", None
    weights = [match.game.odds(match.rules, step.before, face) for face in match.game.faces]
    face = match.game.faces[pick(weights, Stream(stretch.seed, "luck").number(draw))]
    if stretch.commitment is not None:
        return "promised" if face == step.play else "broken", face
    return "computed" if face == step.play else "unknown", face

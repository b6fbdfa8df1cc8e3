"""Who can sit in a seat, in the words of the lobby and the table."""

from __future__ import annotations

from typing import NamedTuple

from duelbook.players import HUMAN, short_kind
from duelbook.policies.characters import CHARACTERS
from duelbook.policies.levels import LEVELS


class Opponent(NamedTuple):
    kind: str
    label: str
    about: str

    def spellings(self) -> tuple[str, ...]:
        """How people type who it is: by the kind, with or without what stands in it, or as it is printed."""
        printed = self.label.lower().rpartition(": ")[2]
        also = ["person"] if self.kind == HUMAN else []
        label = self.label.lower()
        return (self.kind.replace(":", " "), self.kind, self.kind.replace(":", ""), printed, label, *also)


def opponents(*, people: bool = True) -> list[Opponent]:
    """Whom one can meet by how strong they are: the ladder from its first rung to perfect."""
    ladder = [
        Opponent(
            f"level:{number}",
            f"Level {number}: {level.name}",
            level.about,
        )
        for number, level in enumerate(LEVELS, 1)
    ]
    person = [Opponent(HUMAN, "A person here", "two people at this keyboard")] if people else []
    return [
        *person,
        Opponent("random", "Random", "any legal move, each as likely as the next"),
        *ladder,
        Opponent("perfect", "Perfect", "gives nothing away, and punishes what you give"),
    ]


def characters() -> list[Opponent]:
    """Those with a style of their own, beside the ladder."""
    return [Opponent(kind, f"The {kind}", about) for kind, about in CHARACTERS.items()]


def described(kind: str, *, alone: bool) -> str:
    """What stands beside a name on the board: whether it is you, or which program."""
    if kind == HUMAN:
        return "you" if alone else ""
    return short_kind(kind)

"""A seat of an online game: who has it, and what they have promised and shown so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from duelbook.players import HUMAN


@dataclass
class Seat:
    kind: str
    """Human, or the kind of player that sits on the server."""
    name: str
    token: str = ""
    """The digest of what whoever sits here shows to prove it; empty while nobody does."""
    anchor: bytes = b""
    links: list[bytes] = field(default_factory=list)
    """Those that were shown, the link of draw 1 first."""
    seal: bytes = b""
    """The promise of a pick in this round."""
    opening: tuple[str, bytes] | None = None
    """The pick and its salt, which nobody else knows until both are there."""
    kept: bool = False
    """Whether the server keeps the secret of the chain for them: they play by forms, without a script."""
    offer: tuple[str, float] | None = None
    """The digest of what lets them go on on another device, and until when."""
    offers: int = 0
    """How many of those there were."""
    program: bool = False
    """Somebody's own program sits here, from wherever it runs; whoever plays it may know."""
    again: bool = False
    """Wants another game."""

    @property
    def is_person(self) -> bool:
        return self.kind == HUMAN

    @property
    def is_taken(self) -> bool:
        return bool(self.anchor)

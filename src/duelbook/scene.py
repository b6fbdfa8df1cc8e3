"""What lies on the table, for anything that draws it: how full each side is, what is said of it, cards, last picks.

A duel describes its own table in `games/<id>/scene.py`; whoever draws it knows no rule. A duel that brings no such
file is drawn from the gauges in its dialogue's status lines.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from duelbook.core import Game

BAR, TOWER = "bar", "tower"
LONGEST_LABEL = 12
"""Letters beside a bar: more would push it off a narrow screen."""


class Gauge(NamedTuple):
    """How full something is."""

    name: str
    value: int
    top: int
    """What counts as full."""
    shape: str = BAR
    """bar, for what is lost as the game goes on; tower, for what is built."""


class Side(NamedTuple):
    gauge: Gauge
    notes: tuple[str, ...] = ()
    """What else is true of this player now, in a few words each."""
    pick: int = 0
    """The number this player showed last; 0 for none."""


class Pile(NamedTuple):
    cards: tuple[int, ...]
    """Every card there is."""
    left: frozenset[int]
    drawn: int = 0
    """The card on the table; 0 for none."""


class Scene(NamedTuple):
    sides: tuple[Side, Side]
    pile: Pile | None = None
    picks: bool = False
    """Whether players of this duel show numbers, so that a drawing keeps a place for them."""


def scene_of(game: Game, rules: Any, state: Any) -> Scene:
    """The duel's own description, or what its dialogue's gauges tell."""
    if game.scene is not None:
        scene: Scene = game.scene.scene(rules, state)
        return scene
    lines = [line for line in game.dialogue.status(rules, state, game.seats) if line.gauge]
    found = [Side(Gauge(_label(line.text, game, line.gauge[0]), *line.gauge)) for line in lines[:2] if line.gauge]
    one, two = (*found, *(Side(Gauge("", 0, 0)),) * 2)[:2]
    return Scene((one, two))


def _label(text: str, game: Game, value: int) -> str:
    """What a status line counts, in a word or two: `hearts` out of `Left: 4 hearts`, `Total` out of `Total: 4`."""
    words = f" {text} "
    for known in (*game.seats, str(value)):
        words = words.replace(known, " ", 1)
    return " ".join("".join(letter if letter.isalnum() else " " for letter in words).split())[:LONGEST_LABEL].rstrip()

"""What lies on the table, for anything that draws it: how full each side is, what is said of it, cards, last picks.

A duel describes its own table in `games/<id>/scene.py`; whoever draws it knows no rule. A duel that brings no such
file is drawn from the gauges in its dialogue's status lines.
"""

from __future__ import annotations

import re

from duelbook.contract import BAR as BAR
from duelbook.contract import TOWER as TOWER
from duelbook.contract import Gauge as Gauge
from duelbook.contract import Pile as Pile
from duelbook.contract import Scene as Scene
from duelbook.contract import Side as Side
from duelbook.core import Game

LONGEST_LABEL = 12
"""Letters beside a bar: more would push it off a narrow screen."""


def scene_of(game: Game, rules: object, state: object) -> Scene:
    """The duel's own description, or what its dialogue's gauges tell."""
    if game.scene is not None:
        return game.scene.scene(rules, state)
    lines = [line for line in game.dialogue.status(rules, state, game.seats) if line.gauge]
    found = [_side(line.text, game, *line.gauge) for line in lines[:2] if line.gauge]
    one, two = (*found, *(Side(Gauge("", 0, 0)),) * 2)[:2]
    return Scene((one, two))


def scene_in_play(game: Game, rules: object, state: object, picks: tuple[int, int] | None) -> Scene:
    """The same during a game: where both pick at once, there is a place for what they showed last."""
    scene = scene_of(game, rules, state)
    if scene.picks or not hasattr(game.rules_file, "resolve"):
        return scene
    words = game.dialogue.words(rules)
    one, two = (
        side._replace(pick=words[picks[seat]]) if picks is not None else side for seat, side in enumerate(scene.sides)
    )
    return scene._replace(sides=(one, two), picks=True)


def _side(text: str, game: Game, value: int, top: int) -> Side:
    """A bar with what its line counts in a word or two, `hearts` out of `Left: 4 hearts`, and what else the line says
    as notes: `3 bullets` out of `Left: 2 lives, 3 bullets`."""
    for name in game.seats:
        text = text.replace(name, " ", 1)
    parts = [part.strip(" :.") for part in re.split("[,;]", text)]
    counted = next((part for part in parts if str(value) in re.findall(r"\w+", part)), parts[0])
    label = " ".join(word for word in re.findall(r"\w+", counted) if not word.isdigit())
    if len(label) > LONGEST_LABEL:
        label = label[: LONGEST_LABEL + 1].rpartition(" ")[0] or label[:LONGEST_LABEL]
    return Side(Gauge(label, value, top), tuple(part for part in parts if part and part is not counted))

"""What a model is told at a decision: all of it from the duel's rules, notation and words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from duelbook.core import BOTH, Game, SomeRules, settings
from duelbook.games import rulebook
from duelbook.llm.kind import Axes
from duelbook.match import View

FOR_THE_KEYBOARD = ("What you type", "Options")
"""Sections of rule books about starting games and typing moves: a model does neither."""
TOGETHER = "Both players choose at the same time, and neither sees the other's choice before."


class Asked(NamedTuple):
    """A question that a model was asked before in the same game, and what it played."""

    number: int
    position: str
    played: str


def told(view: View, axes: Axes, before: Sequence[Asked], *, in_a_game: bool = True) -> dict[str, str]:
    """What stands for each placeholder of the prompt. A question by itself is of no turn."""
    game, rules, state, seat, number = view
    words = game.dialogue.words(rules)
    return {
        "duel": game.name,
        "you": game.seats[seat],
        "opponent": game.seats[1 - seat],
        "rules": rules_text(game, rules) if axes.rules else "",
        "turn": str(number + 1) if in_a_game else "",
        "history": "\n".join(map(_remembered, before)) if axes.history else "",
        "position": game.write_position(rules, state),
        "situation": "\n".join(line.text for line in game.dialogue.status(rules, state, game.seats) if line.text),
        "together": TOGETHER if game.turn(rules, state) == BOTH else "",
        "words": ", ".join(words),
        "moves": ", ".join(words[move] for move in view.legal()) if axes.moves else "",
    }


def rules_text(game: Game, rules: SomeRules) -> str:
    """The rule book, and below it what is otherwise in this game."""
    changes, book = settings(game, rules), without_sections(rulebook(game), FOR_THE_KEYBOARD).strip()
    if not changes:
        return book
    names = [change.partition("=")[0] for change in changes]
    told = [
        f"- {change}: {game.knobs[name].meaning} (the rule book has {game.knobs[name].show(getattr(game.book, name))})"
        for name, change in zip(names, changes, strict=True)
    ]
    return "\n".join([book, "", "In this game these rules are other than the rule book says:", *told])


def without_sections(text: str, titles: Sequence[str]) -> str:
    """A page in Markdown without these sections."""
    sections = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    return "".join(each for each in sections if each.partition("\n")[0].removeprefix("## ").strip() not in titles)


def _remembered(asked: Asked) -> str:
    return f"- turn {asked.number + 1}, position {asked.position}: you played {asked.played}"

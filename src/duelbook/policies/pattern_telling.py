"""How patterns fare, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from duelbook.core import Game, rules_hash, settings
from duelbook.policies.levels import PROMISED, RUNGS
from duelbook.policies.patterns import Pattern, Patterns, beats, best_itself
from duelbook.policies.telling import CELL, percent
from duelbook.positions.size import named

NAME = 80 - CELL * len(RUNGS)
"""The columns of a pattern's name."""


def as_json(game: Game, rules: object, table: Patterns) -> dict[str, Any]:
    words = game.dialogue.words(rules)
    return {
        "game": game.id,
        "rules": settings(game, rules),
        "rules_hash": rules_hash(game, rules),
        "patterns": [
            {
                "moves": [words[move] for move in pattern],
                "best_play": best_itself(fared),
                "against": [
                    {"kind": kind, "wins": each.wins, "losses": each.losses, "score": each.score}
                    for kind, each in fared.items()
                ],
            }
            for pattern, fared in table.items()
        ],
    }


def lines(game: Game, rules: object, table: Patterns) -> Iterator[str]:
    yield f"{named(game, rules)}: playing without looking"
    yield ""
    yield "One move again and again, or two moves by turns, the one that is named first"
    yield "beginning. What is not legal gives way to the other of the two, and then to any."
    yield "How many matches of a hundred each wins against every rung, half in each seat:"
    yield ""
    yield " " * NAME + "".join(f"{kind:>{CELL}}" for kind in RUNGS)
    for pattern, fared in table.items():
        name = _name(game, rules, pattern) + (" *" if best_itself(fared) else "")
        yield f"{name:<{NAME}}" + "".join(f"{percent(fared[kind].wins):>{CELL}}" for kind in RUNGS)
    yield ""
    if any(best_itself(fared) for fared in table.values()):
        yield "* best play itself: perfect scores no more than half against it."
    beaten = [kind for kind in RUNGS[PROMISED:] if any(beats(fared, kind) for fared in table.values())]
    if beaten:
        yield f"Of those from level {PROMISED} up a pattern that is not best play beats {', '.join(beaten)}."
    else:
        yield f"From level {PROMISED} up nobody loses more than half of the matches to one that is not best play."


def _name(game: Game, rules: object, pattern: Pattern) -> str:
    words = game.dialogue.words(rules)
    return ", ".join(words[move] for move in dict.fromkeys(pattern))

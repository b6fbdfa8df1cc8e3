"""A line of play in our words, as a record has it, so that anybody can play it again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from duelbook.core import LUCK, Game
from duelbook.match import Match
from duelbook.record import Record
from duelbook.record.moves import written


def replayed(game: Game, line: Sequence[tuple[int, Any]]) -> Match:
    """The line, played through our referee: what could not be played is no line of ours."""
    match = Match(game, max_turns=len(line) + 1)
    for turn, play in line:
        if turn == LUCK:
            match.deal(play)
        elif isinstance(play, tuple):
            for seat in (0, 1):
                match.play(seat, play[seat])
        else:
            match.play(turn, play)
    return match


def told(game: Game, line: Sequence[tuple[int, Any]], refused: int | None = None) -> str:
    """`1. build 4 build 2`; with a move that our referee refuses, that one last."""
    match = replayed(game, line)
    pieces = written(Record(match))[:-1]
    if refused is not None:
        number = f"{match.turns // 2 + 1}. " if match.turn == 0 else ""
        pieces.append(number + game.dialogue.words(game.book)[refused])
    return " ".join(pieces) or "(the start)"

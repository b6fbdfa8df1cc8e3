"""The law of games that do not end: what can be played over and over is played, far beyond where our bell rings."""

from __future__ import annotations

import re

from duelbook.core import BOTH, Game
from duelbook.foreign.following import END, INSIDE, Done, actions, after, follow
from duelbook.foreign.laws import BREAKS, CANNOT_TELL, KEEPS, Finding, Law
from duelbook.foreign.lines import Play, circle
from duelbook.foreign.parting import UNREAD
from duelbook.foreign.reading import Driven
from duelbook.foreign.telling import told
from duelbook.match import BELL
from duelbook.speech import amount

TURNS = 5 * BELL
"""So long goes a line that is to show that nothing ends it."""
_DRAW = re.compile(r"\b(draw|drawn|tie|tied)\b", re.IGNORECASE)


def endless(game: Game, driven: Driven, law: Law) -> Finding:
    if not driven.readable:
        return Finding(law, CANNOT_TELL, f"{UNREAD}.")
    found = circle(game)
    if found is None:
        return _beyond_the_end(game, driven, law)
    if driven.reading.way == INSIDE:
        return Finding(law, CANNOT_TELL, "Whoever is inside has a hand in when it ends, so no line can be kept up.")
    before, again = found
    line = (*before, *again * TURNS)[:TURNS]
    once = (*before, *again)
    shown = told(game, _ours(game, driven, once))
    begun = follow(game, driven.reading, once, driven.words, driven.play(once))
    if begun.parted or begun.agreed != begun.steps:
        return Finding(
            law, CANNOT_TELL, "The line that could go on for ever parts from ours by something else.", (shown,)
        )
    last = driven.hosted.play(actions(driven.reading.way, line, driven.words), ends=True)[-1]
    per_turn = len(actions(driven.reading.way, once, driven.words)) / len(once)
    turns = int(last.count / per_turn)
    over = f"{_over(again)} over and over"
    if last.raised:
        return Finding(law, BREAKS, f"With {over} it fails after {amount(turns, 'turn')}: {last.raised}.", (shown,))
    if last.truncated and not last.terminated:
        return Finding(law, KEEPS, f"With {over} it is broken off after {amount(turns, 'turn')}.", (shown,))
    if not last.terminated:
        seen = f"With {over} nothing ends it: it goes on after {TURNS:,} turns, where our bell rings after {BELL}."
        return Finding(law, BREAKS, seen, (shown,))
    if last.rewards[0] != (0 if len(last.rewards) == 1 else last.rewards[1]):
        seen = f"With {over} it is over after {amount(turns, 'turn')}, and somebody is said to have won."
        return Finding(law, BREAKS, seen, (shown,))
    if _DRAW.search(last.said):
        seen = f"With {over} it is over after {amount(turns, 'turn')} and called a draw, which the book does not have."
        return Finding(law, BREAKS, seen, (shown,))
    why = (
        f"With {over} it is over after {amount(turns, 'turn')} for nobody: no result or a draw, which it does not say."
    )
    return Finding(law, CANNOT_TELL, why, (shown,))


def _over(again: tuple[Play, ...]) -> str:
    return "the last move" if len(again) == 1 else f"the last {len(again)} moves"


def _ours(game: Game, driven: Driven, line: tuple[Play, ...]) -> tuple[Done, ...]:
    ours: dict[object, tuple[Done, ...]] = {game.start(game.book, 0): ()}
    for play in line:
        ours = after(game, "joint" if isinstance(play, tuple) else driven.reading.way, ours, play) or ours
    return next(iter(ours.values()))


def _beyond_the_end(game: Game, driven: Driven, law: Law) -> Finding:
    """In a duel that always comes to an end: where theirs has gone on beyond it, does anything end it at all?"""
    for line, followed in sorted(driven.games, key=lambda each: len(each[0])):
        for parted in followed.parted:
            if parted.by != END or not parted.line or parted.line[-1][0] == BOTH:
                continue
            cut = line[: len(parted.line)]
            move = cut[-1]
            last = driven.hosted.play(actions(driven.reading.way, (*cut, *[move] * TURNS), driven.words), ends=True)[-1]
            if not (last.terminated or last.truncated or last.raised):
                word = game.dialogue.words(game.book)[parted.line[-1][1]]
                seen = f"By the book it is over there; with {word} again and again it goes on after {TURNS:,} turns."
                return Finding(law, BREAKS, seen, (told(game, parted.line),))
    ended = sum(followed.ended for _, followed in driven.games)
    if not ended:
        return Finding(law, CANNOT_TELL, "No line came to an end before it parted from ours by something else.")
    return Finding(law, KEEPS, f"By the book every line ends, and {amount(ended, 'line')} of it did so there, too.")

"""Short ways to say what a row of a test says: a position, the moves from there, the position they lead to."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from duelbook.core import Game, IllegalMove, Turn, variant
from duelbook.luck import below
from duelbook.match import Match, View

WON = ("player 1 wins", "player 2 wins", "draw")
HANGING = 300.0
"""Seconds after which something hangs. No machine is that slow, so this decides nothing but when to give up."""
ACTS = ("player 1 acts", "player 2 acts", "both act", "luck acts")


def position(game: Game, text: str, *settings: str) -> Any:
    """The state that a position names, under the book's rules changed by `name=value` settings."""
    return game.read_position(variant(game, settings), text)


def opening(game: Game, *settings: str, first: int = 0) -> str:
    """The position in which a game begins."""
    rules = variant(game, settings)
    return written(game, rules, game.start(rules, first))


def written(game: Game, rules: Any, state: Any) -> str:
    """The text of a state, which must say all that is in it."""
    text = game.write_position(rules, state)
    if game.read_position(rules, text) != state:
        raise ValueError(f"{state} is written as {text}, which means something else")
    return text


def verdict(game: Game, text: str, *settings: str) -> str:
    """Who acts in a position or, when it is over, who won: one of ACTS or WON."""
    rules, state = variant(game, settings), position(game, text, *settings)
    turn = game.turn(rules, state)
    return WON[game.winner(rules, state)] if turn == Turn.OVER else ACTS[turn]


def options(game: Game, text: str, *settings: str, seat: int | None = None) -> str:
    """What can happen next, on one line: `attack, defend`, or the cards `1, 2` where one is to be drawn."""
    rules, state = variant(game, settings), position(game, text, *settings)
    turn = game.turn(rules, state) if seat is None else seat
    if turn == Turn.LUCK:
        return ", ".join(str(face) for face in game.faces if game.odds(rules, state, face))
    words = game.dialogue.words(rules)
    return ", ".join(words[move] for move in game.legal_moves(rules, state, turn))


def play(game: Game, before: str, line: str, *settings: str) -> str:
    """Where a line of play leads: a position, with the verdict behind it when it is over.

    Moves stand between commas: `attack, heal`; `7:attack` draws a 7 and attacks with it, `7:` only draws it; `7/5` are
    two picks at once. The referee plays them, and when the last one is not allowed the answer is `refused`.
    """
    match = Match(game, variant(game, settings), start=position(game, before, *settings), max_turns=10**9)
    *words, last = line.split(", ")
    for word in words:
        follow(match, word)
    try:
        follow(match, last)
    except IllegalMove:
        return "refused"
    text = written(game, match.rules, match.state)
    return text if match.outcome is None else f"{text}: {verdict(game, text, *settings)}"


def follow(match: Match, word: str) -> None:
    """Let the referee play one move of a line, written as for `play`."""
    if "/" in word:
        for seat, number in enumerate(word.split("/")):
            match.play(seat, int(number) - 1)
        return
    card, colon, move = word.rpartition(":")
    if colon:
        match.deal(int(card))
    if move:
        match.play(match.turn, match.game.dialogue.words(match.rules).index(move))


def shown_to_matter(game: Game, rows: list[tuple[str, str, str, str]]) -> set[str]:
    """The rules that a table of (setting, before, line, after) shows to matter: by the book some row goes otherwise."""
    names = set()
    for setting, before, line, after in rows:
        try:
            by_the_book = play(game, before, line)
        except ValueError:  # by the book there is no such position, or no such move
            by_the_book = ""
        if by_the_book != after:
            names.add(setting.partition("=")[0])
    return names


def knob_ranges(game: Game) -> dict[str, tuple[int, int] | tuple[str, ...]]:
    """What each number and option of a game can be set to."""
    return {name: knob.choices or (knob.low, knob.high) for name, knob in game.knobs.items()}


def successors(game: Game, rules: Any, state: Any) -> Iterator[Any]:
    """The state behind every legal move, every pair of legal picks or every card that can come."""
    turn = game.turn(rules, state)
    if turn == Turn.LUCK:
        for face in game.faces:
            if game.odds(rules, state, face):
                yield game.deal(rules, state, face)
    elif turn == Turn.BOTH:
        for first in game.legal_moves(rules, state, 0):
            for second in game.legal_moves(rules, state, 1):
                yield game.resolve(rules, state, first, second)
    elif turn != Turn.OVER:
        for move in game.legal_moves(rules, state, turn):
            yield game.apply(rules, state, move)


def reachable(game: Game, rules: Any) -> set[Any]:
    """Every state that legal play can reach, whoever starts."""
    waiting = [game.start(rules, 0), game.start(rules, 1)]
    seen = set(waiting)
    while waiting:
        for after in successors(game, rules, waiting.pop()):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return seen


class CarelessPlayer:
    """Plays at random among the moves that the referee lets through: legal ones and, one time in a hundred, fouls."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, view: View) -> int:
        game, rules, state, seat, number = view
        fouls = [move for move in game.moves if game.foul(rules, state, seat, move)]
        allowed = fouls if fouls and not below(100, self.seed, seat, number, 1) else view.legal()
        return allowed[below(len(allowed), self.seed, seat, number)]


def sampled(game: Game, rules: Any, count: int) -> list[Any]:
    """So many different states, out of games played at random with fixed seeds, fouls and ends included."""
    found: dict[Any, None] = {}
    seed = 0
    while len(found) < count:
        match = Match(game, rules, first=seed % 2, seed=seed)
        match.run((CarelessPlayer(seed), CarelessPlayer(seed)))
        found.update(dict.fromkeys([*(step.before for step in match.steps), match.state]))
        seed += 1
    return list(found)[:count]


def calls(action: Callable[[], object]) -> int:
    """How many functions an action calls: its work, which is the same on every machine, fast or slow, busy or not."""
    count = 0

    def note(_frame: FrameType, event: str, _what: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(before)
    return count

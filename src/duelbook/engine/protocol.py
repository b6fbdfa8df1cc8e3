"""The lines that a referee says to a program, written and read; what programs say is in `replies`.

The protocol is called UDI, the universal duel interface, and has the shape of chess's UCI. Both sides and the checker
use these functions, so a line is spelled in one place. Nothing here talks to anybody; docs/engine-protocol.md is the
page for people.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from duelbook.core import BOTH, LUCK, DuelError, Game, IllegalMove, settings, variant
from duelbook.games import load
from duelbook.match import Match
from duelbook.record import move_text
from duelbook.speech import quote

ENDLESS = 10**9
"""The bell is the referee's business: here a game goes on as long as its moves do."""


class BadLine(DuelError):
    """A line that is not of the protocol, or that cannot mean anything now."""


# Moves: the words of the game, each in one piece


def move_words(game: Game, rules: object) -> tuple[str, ...]:
    """Every move as the protocol spells it: `build 4` is `build_4`."""
    return tuple(word.replace(" ", "_") for word in game.dialogue.words(rules))


def follow(match: Match, word: str) -> None:
    """Let the referee play one word of a line of moves."""
    if match.outcome is not None:
        raise BadLine(f"The game is over, but {quote(word)} follows.")
    words = move_words(match.game, match.rules)
    if match.turn == LUCK:
        card, colon, rest = word.partition(":")
        if not colon or rest or not is_number(card):
            chance = match.game.chance
            raise BadLine(f"A {chance.face} must be {chance.drawn} here, as in 7:; {quote(word)} is not one.")
        match.deal(int(card))
    elif match.turn == BOTH:
        picks = word.split("/")
        if len(picks) != 2 or any(pick not in words for pick in picks):
            raise BadLine(f"Both picks belong here, as in 7/5; {quote(word)} is not that.")
        for seat, pick in enumerate(picks):
            match.play(seat, words.index(pick))
    elif word in words:
        match.play(match.turn, words.index(word))
    else:
        raise BadLine(f"{quote(word)} is not a move of {match.game.name}.")


# What the referee says


def write_new_game(game: Game, rules: object) -> str:
    changed = settings(game, rules)
    return f"newgame {game.id} rules {' '.join(changed)}" if changed else f"newgame {game.id}"


def read_new_game(words: Sequence[str]) -> tuple[Game, Any]:
    """The duel and the rules that `newgame` names."""
    if not words:
        raise BadLine("newgame needs the name of a duel, as in: newgame tower")
    game = load(words[0])
    if len(words) > 1 and words[1] != "rules":
        raise BadLine(f"After newgame {game.id} comes rules or nothing, not {quote(words[1])}.")
    return game, variant(game, words[2:])


def write_position(game: Game, rules: object, state: object) -> str:
    """The position as it stands; what led to it is not needed to go on from it."""
    return f"position at {game.write_position(rules, state)}"


def write_history(match: Match) -> str:
    """The position by what led to it: `build_4 attack`, `7: attack 4: heal`, `7/5 6/8`."""
    by_the_book = match.start == match.game.start(match.rules, 0)
    head = "position start" if by_the_book else write_position(match.game, match.rules, match.start)
    moves = [move_text(match, step.turn, step.play).replace(" ", "_") for step in match.steps]
    return " ".join([head, "moves", *moves]) if moves else head


def read_position(game: Game, rules: object, words: Sequence[str]) -> Match:
    """The match at the position that `position` names, with the moves that it names played."""
    at = words.index("moves") if "moves" in words else len(words)
    head, moves = words[:at], words[at + 1 :]
    if list(head) == ["start"]:
        match = Match(game, rules, max_turns=ENDLESS)
    elif head and head[0] == "at":
        match = Match(game, rules, start=game.read_position(rules, " ".join(head[1:])), max_turns=ENDLESS)
    else:
        raise BadLine("After position comes start, or at and a position; then perhaps moves and the moves.")
    for word in moves:
        try:
            follow(match, word)
        except IllegalMove as error:
            raise BadLine(f"{quote(word)} cannot be played there: {error}") from None
    return match


class Go(NamedTuple):
    """The question for a move: whose, how much time there is, and what is legal. Times are in milliseconds."""

    seat: int
    turn: int = 1
    """Which turn of the game this is, from 1."""
    move_time: int | None = None
    times: tuple[int | None, int | None] = (None, None)
    increments: tuple[int | None, int | None] = (None, None)
    legal: tuple[str, ...] = ()


_LIMITS = ("movetime", "time1", "time2", "inc1", "inc2")
_NUMBERS = ("turn", *_LIMITS, "seat")


def write_go(go: Go) -> str:
    return f"go turn {go.turn} {write_limits(go)}{write_choice(go.seat, go.legal)}"


def write_limits(go: Go) -> str:
    """The times among them, each with a space behind it."""
    limits = zip(_LIMITS, (go.move_time, *go.times, *go.increments), strict=True)
    return "".join(f"{name} {number} " for name, number in limits if number is not None)


def write_choice(seat: int, legal: Sequence[str]) -> str:
    """Who is to decide, and among what: the part of `go` that is the same whenever a position comes up."""
    return f"seat {seat + 1} legal {' '.join(legal)}"


def read_go(words: Sequence[str]) -> Go:
    said = fields(words, (*_NUMBERS, "legal"))
    numbers: dict[str, int] = {}
    for name, value in said.items():
        if name == "legal":
            continue
        if len(value) != 1 or not is_number(value[0]):
            raise BadLine(f"After {name} in go comes one whole number.")
        numbers[name] = int(value[0])
    if numbers.get("seat") not in (1, 2):
        raise BadLine("go names the seat that is to decide: seat 1 or seat 2.")
    return Go(
        numbers["seat"] - 1,
        numbers.get("turn", 1),
        numbers.get("movetime"),
        (numbers.get("time1"), numbers.get("time2")),
        (numbers.get("inc1"), numbers.get("inc2")),
        tuple(said.get("legal", ())),
    )


def read_set_option(words: Sequence[str]) -> tuple[str, str]:
    said = fields(words, ("name", "value"))
    if not said.get("name"):
        raise BadLine("An option is set as in: setoption name Seed value 7")
    return " ".join(said["name"]), " ".join(said.get("value", ()))


def fields(words: Sequence[str], names: Collection[str]) -> dict[str, list[str]]:
    """What stands behind each name; a name that comes again goes on collecting, and words before the first are lost."""
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for word in words:
        if word in names:
            current = found.setdefault(word, [])
        else:
            current.append(word)
    return found


def is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10

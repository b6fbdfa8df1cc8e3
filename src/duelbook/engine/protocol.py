"""The lines that a referee and a program say to each other, written and read.

The protocol is called UDI, the universal duel interface, and has the shape of chess's UCI. Both sides and the checker
use these functions, so a line is spelled in one place. Nothing here talks to anybody; docs/engine-protocol.md is the
page for people.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from duelbook.core import BOTH, LUCK, DuelError, Game, IllegalMove, settings, variant
from duelbook.games import load
from duelbook.match import Match
from duelbook.record import move_text
from duelbook.speech import either, plain, quote

ANY_GAME = "*"
"""What a program says after `game` when it plays whatever it is asked to."""
ENDLESS = 10**9
"""The bell is the referee's business: here a game goes on as long as its moves do."""


class BadLine(DuelError):
    """A line that is not of the protocol, or that cannot mean anything now."""


# Moves: the words of the game, each in one piece


def move_words(game: Game, rules: Any) -> tuple[str, ...]:
    """Every move as the protocol spells it: `build 4` is `build_4`."""
    return tuple(word.replace(" ", "_") for word in game.dialogue.words(rules))


def write_moves(match: Match) -> str:
    """Everything that has happened openly in a match: `build_4 attack`, `7: attack 4: heal`, `7/5 6/8`."""
    return " ".join(move_text(match, step.turn, step.play).replace(" ", "_") for step in match.steps)


def follow(match: Match, word: str) -> None:
    """Let the referee play one word of a line of moves."""
    if match.outcome is not None:
        raise BadLine(f"The game is over, but {quote(word)} follows.")
    words = move_words(match.game, match.rules)
    if match.turn == LUCK:
        card, colon, rest = word.partition(":")
        if not colon or rest or not _is_number(card):
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


def write_new_game(game: Game, rules: Any) -> str:
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


def write_position(game: Game, rules: Any, state: Any) -> str:
    """The position as it stands; what led to it is not needed to go on from it."""
    return f"position at {game.write_position(rules, state)}"


def write_history(match: Match) -> str:
    """The position by what led to it."""
    by_the_book = match.start == match.game.start(match.rules, 0)
    head = "position start" if by_the_book else write_position(match.game, match.rules, match.start)
    return f"{head} moves {write_moves(match)}" if match.steps else head


def read_position(game: Game, rules: Any, words: Sequence[str]) -> Match:
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
    said = _fields(words, (*_NUMBERS, "legal"))
    numbers: dict[str, int] = {}
    for name, value in said.items():
        if name == "legal":
            continue
        if len(value) != 1 or not _is_number(value[0]):
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
    said = _fields(words, ("name", "value"))
    if not said.get("name"):
        raise BadLine("An option is set as in: setoption name Seed value 7")
    return " ".join(said["name"]), " ".join(said.get("value", ()))


# What the program says


class EngineOption(NamedTuple):
    """Something about a program that can be set: check (true or false), spin (a number), combo or string."""

    name: str
    type: str
    default: str = ""
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()
    """For a combo: its values, each one word."""

    def takes(self, value: str) -> bool:
        if self.type == "check":
            return value in ("true", "false")
        if self.type == "combo":
            return value in self.choices
        if self.type != "spin":
            return True
        whole = re.fullmatch(r"-?[0-9]{1,20}", value) is not None
        return whole and (self.low is None or self.low <= int(value)) and (self.high is None or int(value) <= self.high)

    @property
    def wanted(self) -> str:
        """What it takes, for people."""
        if self.type == "check":
            return "true or false"
        if self.type == "combo":
            return f"one of {either(self.choices)}"
        span = "" if self.low is None or self.high is None else f" from {self.low} to {self.high}"
        return f"a number{span}" if self.type == "spin" else "any text"


_BOUND = re.compile(r"(-?[0-9]{1,20})?")
OPTION_TYPES = ("check", "spin", "combo", "string")


def write_option(option: EngineOption) -> str:
    words = ["option name", option.name, "type", option.type, "default", option.default]
    if option.low is not None and option.high is not None:
        words += ["min", str(option.low), "max", str(option.high)]
    return " ".join([*words, *(f"var {choice}" for choice in option.choices)]).rstrip()


def read_option(words: Sequence[str]) -> EngineOption:
    said = _fields(words, ("name", "type", "default", "min", "max", "var"))
    name, type = " ".join(said.get("name", ())), " ".join(said.get("type", ()))
    bounds = [" ".join(said.get(end, ())) for end in ("min", "max")]
    if not name or type not in OPTION_TYPES or not all(map(_BOUND.fullmatch, bounds)):
        raise BadLine("An option is announced as in: option name Seed type spin default 0 min 0 max 99")
    low, high = (int(bound) if bound else None for bound in bounds)
    return EngineOption(name, type, " ".join(said.get("default", ())), low, high, tuple(said.get("var", ())))


MOST_ANNOUNCED = 1000
"""Duels and options that a program may have."""


class Identity(NamedTuple):
    """What a program says of itself in the handshake."""

    name: str = ""
    author: str = ""
    games: tuple[str, ...] = ()
    options: tuple[EngineOption, ...] = ()

    def plays(self, game: Game) -> bool:
        return ANY_GAME in self.games or game.id in self.games


def write_identity(identity: Identity) -> list[str]:
    return [
        f"id name {identity.name}",
        f"id author {identity.author}",
        *(f"game {id}" for id in identity.games),
        *map(write_option, identity.options),
    ]


def read_identity(identity: Identity, line: str) -> Identity:
    """The identity with what one more line of the handshake says."""
    command, *words = line.split()
    if command == "id" and words[:1] == ["name"]:
        return identity._replace(name=" ".join(words[1:]))
    if command == "id" and words[:1] == ["author"]:
        return identity._replace(author=" ".join(words[1:]))
    if command in ("game", "option") and len(identity.games) + len(identity.options) >= MOST_ANNOUNCED:
        raise BadLine(f"More than {MOST_ANNOUNCED:,} duels and options are announced.")
    if command == "game" and len(words) == 1:
        return identity._replace(games=(*identity.games, words[0]))
    if command == "option":
        return identity._replace(options=(*identity.options, read_option(words)))
    raise BadLine(f"{quote(line)} is none of id name, id author, game, option and udiok.")


PREPARING = "preparing"
"""What a program says, with or without words behind it, that needs longer to get ready than it is given at once."""


def read_preparing(line: str) -> str | None:
    """What it is at, in its own words, which may be none; None where the line says something else."""
    command, _, words = line.strip().partition(" ")
    return words.strip() if command == PREPARING else None


class Info(NamedTuple):
    """What a program says of its thinking. Nothing of it is needed, and whatever cannot be read is left out."""

    depth: int | None = None
    score: float | None = None
    """What the program expects for the seat it plays: 1 is won, 0 even, -1 lost."""
    string: str = ""


def read_info(line: str) -> Info:
    words = line.split()[1:]
    at = words.index("string") if "string" in words else len(words)
    said = _fields(words[:at], ("depth", "score"))
    depth, score = ("".join(said.get(name, [])[:1]) for name in ("depth", "score"))
    try:
        worth = float(score) if score else None
    except ValueError:
        worth = None
    if worth is not None and not -1 <= worth <= 1:
        worth = None
    return Info(int(depth) if _is_number(depth) else None, worth, " ".join(words[at + 1 :]))


def info_words(info: Info) -> str:
    """What a program says of its thinking, in a few words for people; nothing where it says nothing."""
    numbers = [f"depth {info.depth}"] if info.depth is not None else []
    numbers += [f"score {info.score:g}"] if info.score is not None else []
    return ": ".join(filter(None, (", ".join(numbers), plain(info.string))))


def _fields(words: Sequence[str], names: Collection[str]) -> dict[str, list[str]]:
    """What stands behind each name; a name that comes again goes on collecting, and words before the first are lost."""
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for word in words:
        if word in names:
            current = found.setdefault(word, [])
        else:
            current.append(word)
    return found


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10

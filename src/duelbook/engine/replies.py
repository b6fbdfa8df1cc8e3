"""The lines that a program says of itself and of its thinking, written and read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from duelbook.core import Game
from duelbook.engine.protocol import BadLine, fields, is_number
from duelbook.speech import either, plain, quote

ANY_GAME = "*"
"""What a program says after `game` when it plays whatever it is asked to."""


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
    said = fields(words, ("name", "type", "default", "min", "max", "var"))
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
    said = fields(words[:at], ("depth", "score"))
    depth, score = ("".join(said.get(name, [])[:1]) for name in ("depth", "score"))
    try:
        worth = float(score) if score else None
    except ValueError:
        worth = None
    if worth is not None and not -1 <= worth <= 1:
        worth = None
    return Info(int(depth) if is_number(depth) else None, worth, " ".join(words[at + 1 :]))


def info_words(info: Info) -> str:
    """What a program says of its thinking, in a few words for people; nothing where it says nothing."""
    numbers = [f"depth {info.depth}"] if info.depth is not None else []
    numbers += [f"score {info.score:g}"] if info.score is not None else []
    return ": ".join(filter(None, (", ".join(numbers), plain(info.string))))

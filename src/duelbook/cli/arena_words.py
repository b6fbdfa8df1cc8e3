"""The words of `duelbook arena`: lists of key=value as chess tournaments are told them, turned into plain values."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import click

from duelbook.arena.play.openings import RANDOM, Openings, openings_named
from duelbook.arena.play.results import Duel
from duelbook.arena.play.schedule import Entry, duel
from duelbook.cli.values import between, number_within, wrong_usage
from duelbook.core import BadRules, DuelError
from duelbook.engine.limits import LEAST_MEMORY_MB, MOST_MEMORY_MB, Limits
from duelbook.games import game_ids, load, load_all
from duelbook.players import ENGINE
from duelbook.speech import either, guess, quote

_OF_PGNOUT = "file notation append nodes seldepth nps hashfull tbhits pv timeleft latency min fi match_line"
FILES_ALONE: dict[str, dict[str, str]] = {
    "--report": {"penta": "Pairs of games are always counted as pairs here, and --json has the counts."},
    "--pgnout": dict.fromkeys(_OF_PGNOUT.split(), "Leave it out."),
}
"""Options that name a file here and take key=value words in fastchess, with what to say to such a word."""
LISTS = {"--engine": "cmd=", "--each": "tc=", "--sprt": "elo0="}
"""Options that take as many key=value words as follow them."""
_PAIR = re.compile(r"(?:option\.[^=]+|[A-Za-z][\w.]*)=.*", re.DOTALL)
"""Options of programs may have spaces in their names."""
_OPTION = re.compile(r"-[a-z][a-z-]+")
"""An option with one dash that is none of ours; those that are have got a second one by then."""
_CLOCK = re.compile(r"(?:(\d{1,4}):)?(\d{1,6}(?:\.\d+)?)(?:\+(\d{1,6}(?:\.\d+)?))?")


class TournamentCommand(click.Command):
    """Takes options as cutechess-cli and fastchess do: with one dash or two, and lists of key=value behind them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = {name for param in self.params for name in param.opts if name.startswith("--")}
        return super().parse_args(ctx, list(_folded(args, known)))


def _folded(args: Sequence[str], known: set[str]) -> Iterable[str]:
    """The same words with every list folded into one, which click can take."""
    at = 0
    while at < len(args):
        word = f"-{args[at]}" if f"-{args[at]}" in known else args[at]
        at += 1
        if word == "--":
            yield from ("--", *args[at:])
            return
        if _OPTION.fullmatch(word):
            raise click.UsageError(f"There is no option {quote(word)}.{guess(f'-{word}', known)}")
        if word in FILES_ALONE and at < len(args):
            args = [*args[:at], _file_alone(word, args[at:]), *args[at + 1 :]]
        yield word
        if word in LISTS:
            behind = at
            while behind < len(args) and _PAIR.fullmatch(args[behind]):
                behind += 1
            if behind == at:
                raise click.UsageError(f"{word} needs words such as {LISTS[word]}... after it.")
            yield shlex.join(args[at:behind])
            at = behind


def _file_alone(option: str, behind: Sequence[str]) -> str:
    """The file behind an option that in other programs takes key=value words: `-pgnout file=games.pgn`."""
    key, equals, value = behind[0].partition("=")
    if not equals or key not in FILES_ALONE[option]:
        return behind[0]
    stray = [word for word in behind[1:] if _PAIR.fullmatch(word) and word.partition("=")[0] in FILES_ALONE[option]]
    if key == "file" and not stray:
        return value
    word = stray[0] if stray else behind[0]
    raise click.UsageError(
        f"{option} takes the name of a file and nothing else; {quote(word)} is a word of fastchess. "
        f"{FILES_ALONE[option][word.partition('=')[0]]}"
    )


def pairs(folded: str, option: str, keys: Iterable[str]) -> dict[str, str]:
    """The key=value words of a folded list; keys that end in a dot stand for all that begin so."""
    found: dict[str, str] = {}
    known = list(keys)
    for word in shlex.split(folded):
        key, equals, value = word.partition("=")
        if not equals:
            raise click.UsageError(f"{option} takes key=value; {quote(word)} is not that.")
        if key not in known and not any(name.endswith(".") and key.startswith(name) for name in known):
            shown = either([f"{name}NAME" if name.endswith(".") else name for name in known], "and")
            raise click.UsageError(f"{option} does not know {quote(key)}; it knows {shown}.{guess(key, known)}")
        found[key] = value
    return found


# Players

LIMITS = ("st", "tc", "memory", "cpu", "option.")


def read_engine(folded: str, each: dict[str, str]) -> Entry:
    """`cmd=./mybot name=Mine st=0.5 option.Depth=3`"""
    said = pairs(folded, "--engine", ("cmd", "args", "dir", "name", "proto", *LIMITS))
    if "dir" in said:
        raise click.UsageError("--engine takes no dir: programs are started where Duelbook is. Let cmd name the path.")
    if said.get("proto", "udi") != "udi":
        raise click.UsageError("Programs speak Duelbook's own protocol here, which is called udi.")
    if not said.get("cmd"):
        raise click.UsageError("--engine needs the program: cmd=./mybot")
    command = f"{said['cmd']} {said['args']}" if said.get("args") else said["cmd"]
    # A time of its own replaces the one for all, whichever kind of time that is.
    common = {key: value for key, value in each.items() if key not in ("st", "tc") or not {"st", "tc"} & said.keys()}
    return Entry(f"{ENGINE}{command}", said.get("name"), read_limits(common | said))


def read_limits(said: dict[str, str]) -> Limits:
    clock = said.get("tc", "inf")
    if "st" in said and clock != "inf":
        raise click.UsageError("A program has a time for each move (st) or for the whole game (tc), not both.")
    limits = Limits(clock=None if clock == "inf" else _clock(clock))
    if "st" in said:
        limits = limits._replace(move_time=_number(said, "st", "seconds for a move", 0.001, 86_400))
    if "memory" in said:
        limits = limits._replace(memory_mb=int(_number(said, "memory", "megabytes", LEAST_MEMORY_MB, MOST_MEMORY_MB)))
    if "cpu" in said:
        limits = limits._replace(cpu_seconds=int(_number(said, "cpu", "seconds for a game", 1, 86_400)))
    options = [(key.removeprefix("option."), value) for key, value in said.items() if key.startswith("option.")]
    return limits._replace(options=tuple(options))


def _number(said: dict[str, str], key: str, meaning: str, low: float, high: float) -> float:
    value = number_within(said[key], low, high)
    if value is None:
        raise click.UsageError(f"{key} is a number of {meaning}, {between(low, high)}; {quote(said[key])} is not.")
    return value


LONGEST_CLOCK = 86_400


def _clock(text: str) -> tuple[float, float]:
    """`60+0.5` seconds, or `1:30+1`."""
    found = _CLOCK.fullmatch(text.strip())
    seconds = 60 * int(found[1] or 0) + float(found[2]) if found else 0.0
    if not found or not seconds:
        raise click.UsageError(
            f"A clock is written as 60+0.5: seconds for the game and for each move; {quote(text)} is not."
        )
    added = float(found[3] or 0)
    if max(seconds, added) > LONGEST_CLOCK:
        raise click.UsageError(f"A clock has at most {LONGEST_CLOCK:,} s for a game or a move; {quote(text)} has more.")
    return seconds, added


# Duels


@wrong_usage()
def read_duels(games: Iterable[str], rules: Sequence[str], variants: Iterable[str]) -> tuple[Duel, ...]:
    """What is played: the duels of `--duels` under the rules of `--rule`, and each `--variant` besides."""
    chosen, extra = list(games), list(variants)
    ids = _ids(chosen or ([] if extra else ["all"]))
    if any(id.isdigit() for id in ids):
        raise click.UsageError(
            "--games and --duels name the duels, as in tower,deck; how many pairs of games is for --rounds."
        )
    found = [duel(id, [rule for rule in rules if _knows(id, rule)]) for id in ids]
    stray = [rule for rule in rules if not any(_knows(id, rule) for id in ids)]
    if stray:
        if len(ids) == 1:
            duel(ids[0], stray)  # says what its rules are
        raise BadRules(f"None of the duels that are played has the rule {quote(stray[0])}.")
    for text in extra:
        try:
            id, *changes = shlex.split(text.replace(":", " ", 1)) or [""]
        except ValueError:  # a quote that is not closed
            raise click.UsageError("A variant is written as 'tower goal=20'.") from None
        found.append(duel(id, changes))
    if not found:
        raise click.UsageError(f"--duels names no duel; there are {either(game_ids(), 'and')}.")
    return tuple(dict.fromkeys(found))


def _ids(words: Iterable[str]) -> list[str]:
    named = [id.strip().lower() for word in words for id in word.split(",") if id.strip()]
    every = [game.id for game in load_all()] if "all" in named else []
    return list(dict.fromkeys(id for name in named for id in (every if name == "all" else [name])))


def _knows(id: str, rule: str) -> bool:
    return rule.partition("=")[0].strip().lower().replace("-", "_") in load(id).knobs


# Where games begin


def read_openings(word: str | None, duels: Sequence[Duel]) -> Openings:
    """`book`, `random:4`, or the name of a file."""
    if word is not None and word.startswith("file="):
        raise click.UsageError("--openings takes the name of a file alone, without file= and the words after it.")
    try:
        return openings_named(word, [str(each) for each in duels])
    except DuelError as error:
        if word is not None and word.partition(":")[0] == RANDOM:
            raise click.UsageError(f"--openings: {error}") from None
        raise


# The test that stops early


MODEL = "logistic"
"""Of the ways to reckon Elo that chess tournaments name, the one that is computed here."""


class Bounds(NamedTuple):
    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05


def read_sprt(folded: str) -> Bounds:
    said = pairs(folded, "--sprt", ("elo0", "elo1", "alpha", "beta", "model"))
    model = said.pop("model", MODEL)
    if model != MODEL:
        raise click.UsageError(
            f"--sprt reckons Elo on the score, which is called the {MODEL} model; {quote(model)} is another scale, "
            f"with other numbers for elo0 and elo1. Leave it out, or say model={MODEL}."
        )
    elo, chance = ("Elo", -2000, 2000), ("chance", 1e-6, 0.5)
    return Bounds(**{key: _number(said, key, *(elo if key.startswith("elo") else chance)) for key in said})

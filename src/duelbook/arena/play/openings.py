"""Where the games of a tournament begin, if not at the usual start: `--openings book|random:N|FILE`.

The two games of a pair share their opening as they share their luck, so whatever it is worth, each player gets both
sides of it. Which one a pair begins with is a function of the plan alone: round by round the positions of a list, the
same for everybody who plays in that round, or for every pair another position after random play.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from duelbook import folders
from duelbook.arena.play.opening_book import book, dice, walked
from duelbook.arena.play.results import Duel, Result, duel_name
from duelbook.core import OVER, DuelError, Game, SomeRules
from duelbook.games import game_ids
from duelbook.solving.library import known_solution
from duelbook.speech import quote

BOOK, RANDOM, FILE = "book", "random", "file"
MOST_PLIES = 100
ATTEMPTS, FIRST_ATTEMPTS, LOOKED_AT = 1000, 50, 20
"""A walk that came to an end is walked anew so often. Before the first game, so many walks of each duel must succeed
with far fewer attempts: then none will fail later."""
LARGEST_FILE = 1 << 20


class Openings(NamedTuple):
    """Plain values, as all of a plan. Without a kind every game begins at the usual start."""

    kind: str = ""
    plies: int = 0
    """Of random play before the game."""
    listed: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Of a book or a file: for each duel, written as `tower goal=20`, its openings in the order they are played."""


USUAL_START = Openings()


def opening_of(openings: Openings, duel: str, pair: int, round: int, seed: int) -> str:
    """The position in which a pair of games begins; empty for the usual start. Rounds count from 1."""
    if openings.kind == RANDOM:
        return _after_random_play(duel, openings.plies, pair, seed, ATTEMPTS)
    positions = dict(openings.listed).get(duel, ())
    return positions[(round - 1) % len(positions)] if positions else ""


# The three kinds


_RANDOM = re.compile(r"random:(\d{1,4})", re.ASCII)


def openings_named(word: str | None, duels: Sequence[str]) -> Openings:
    """`book`, `random:4`, or the name of a file; None for the usual start. The duels are written as `tower goal=20`."""
    if word is None:
        return USUAL_START
    found = _RANDOM.fullmatch(word)
    if word == BOOK:
        return from_book(duels)
    if found is not None:
        return from_random_play(int(found[1]), duels)
    if word.partition(":")[0] == RANDOM:
        raise DuelError(
            f"random:4 is four turns of random play before each pair, and {quote(word)} names no number of turns."
        )
    return from_file(folders.named(word), duels)


def from_book(duels: Iterable[str]) -> Openings:
    return Openings(BOOK, listed=tuple((duel, book(duel)) for duel in duels))


def from_random_play(plies: int, duels: Iterable[str]) -> Openings:
    if not 1 <= plies <= MOST_PLIES:
        raise DuelError(f"Random openings are 1 to {MOST_PLIES} turns long, not {plies}.")
    for duel in duels:
        for pair in range(LOOKED_AT):
            _after_random_play(duel, plies, pair, 0, FIRST_ATTEMPTS)
    return Openings(RANDOM, plies)


def _after_random_play(duel: str, plies: int, pair: int, seed: int, attempts: int) -> str:
    game, rules = _game(duel)
    for attempt in range(attempts):
        # Hashed, so that no opening tells anything about the seed, from which luck comes.
        key = sha256(f"opening {seed} {pair} {attempt} {duel}".encode()).digest()
        state = walked(game, rules, plies, dice(int.from_bytes(key[:8], "big")))
        if state is not None:
            return _written(game, rules, state)
    raise DuelError(f"In {duel} random play is over before {plies} turns too often; choose fewer.")


def from_file(path: Path, duels: Iterable[str]) -> Openings:
    """One position on a line, with the duel's id in front of it where several are played, and comments behind `#`."""
    duels = list(duels)
    found: dict[str, list[str]] = {duel: [] for duel in duels}
    for number, line in enumerate(_text(path).splitlines(), 1):
        text = line.partition("#")[0].strip()
        try:
            for duel, position in _positions(text, duels) if text else ():
                found[duel].append(position)
        except DuelError as error:
            raise DuelError(f"{quote(path.name)}, line {number}: {error}") from None
    for duel, positions in found.items():
        if not positions:
            raise DuelError(f"{quote(path.name)} holds no position of {duel}.")
    return Openings(FILE, listed=tuple((duel, tuple(positions)) for duel, positions in found.items()))


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
        if len(data) > LARGEST_FILE:
            raise DuelError(f"{quote(path.name)} is too large for a list of openings: more than a megabyte.")
        return data.decode("utf-8-sig")
    except OSError as error:
        raise DuelError(
            f"The openings cannot be read from {quote(str(path))}: {error.strerror}. "
            "--openings takes book, random:N or a file with a position on each line."
        ) from None
    except UnicodeDecodeError:
        raise DuelError(f"{quote(path.name)} is not text, so it holds no openings.") from None


def _positions(text: str, duels: list[str]) -> Iterable[tuple[str, str]]:
    """What a line says: for each duel that it is meant for, the position as we write it."""
    word, _, rest = text.partition(" ")
    games = list(dict.fromkeys(duel.split()[0] for duel in duels))
    if word[:1].isalpha():
        if word.lower() not in game_ids():
            raise DuelError(f"There is no duel called {quote(word)}; a line is a position, or an id and a position.")
        id, text = word.lower(), rest.strip()
    elif len(games) > 1:
        raise DuelError(f"Which duel is this a position of? Say it in front, as in: {games[0]} {text[:40]}")
    else:
        id = games[0]
    return [(duel, _checked(duel, text)) for duel in duels if duel.split()[0] == id]


def _checked(duel: str, text: str) -> str:
    game, rules = _game(duel)
    state = game.read_position(rules, text)
    shown = game.write_position(rules, state)
    if game.turn(rules, state) == OVER:
        raise DuelError(f"The position {shown} is over already.")
    solution = known_solution(game, rules)
    if solution is not None and not solution.holds(state):
        raise DuelError(f"The position {shown} cannot come up in play, so nobody knows what it is worth.")
    return _written(game, rules, state)


def _written(game: Game, rules: object, state: object) -> str:
    """A position as a plan holds it. The usual start is empty, wherever it was named: a record does not name it."""
    return "" if state == game.start(rules, 0) else game.write_position(rules, state)


def _game(duel: str) -> tuple[Game, SomeRules]:
    return Duel.named(duel).loaded()


# What was played


class Opening(NamedTuple):
    """A position in which games of a tournament began."""

    duel: str
    position: str
    value: float | None
    """What it is worth to the first seat with best play, from -1 to 1; None where the duel cannot be solved."""
    games: int


def begun_from(openings: Openings, results: Iterable[Result]) -> list[Opening]:
    """Where these games began, in the order of the schedule; nothing where all began at the usual start."""
    counts = Counter((duel_name(result.task), result.task.opening) for result in results)
    return [_begun(duel, opening, games) for (duel, opening), games in counts.items()] if openings.kind else []


def _begun(duel: str, opening: str, games: int) -> Opening:
    game, rules = _game(duel)
    state = game.read_position(rules, opening) if opening else game.start(rules, 0)
    solution = known_solution(game, rules)
    value = None if solution is None else solution.value(state)
    return Opening(duel, game.write_position(rules, state), value, games)

"""Count every position of the five duels.

`python tests/census/take.py` writes the counts into the files beside this one, and a test recomputes and compares them.
When a rule changes, the difference between the old file and the new one says what that did to the game.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from duelbook.core import Game, Turn
from duelbook.games import ROOMS, load
from duelbook.positions.compiled import Compiled, compiled

MILLIONS = ("deck", "secret")
"""The duels that are too large to be walked through in plain Python."""


class Counts(NamedTuple):
    """What was counted, of all positions or of those at one distance from the start."""

    first: int
    second: int
    both: int
    luck: int
    over: int
    won_by_first: int
    won_by_second: int
    drawn: int
    continuations: int

    @property
    def positions(self) -> int:
        return self.first + self.second + self.both + self.luck + self.over


def walk(
    rules: Any,
    start: Any,
    moves: Any,
    faces: Any,
    turn: Any,
    legal: Any,
    winner: Any,
    apply: Any,
    resolve: Any,
    odds: Any,
    deal: Any,
) -> list[list[int]]:
    """Level by level from the start, the numbers of `Counts`. The same lines run as plain Python and compiled.

    Where a game has no such turn, `deal`, `resolve` or `apply` is None; asking for that lets the compiler leave it out.
    """
    levels = []
    seen = {start}
    level = [start]
    while len(level) > 0:
        counts = [0] * 9
        deeper = [start][:0]
        for state in level:
            acts = turn(rules, state)
            counts[acts] += 1
            after = [start][:0]
            if acts == Turn.OVER:
                counts[5 + winner(rules, state)] += 1
            elif acts == Turn.LUCK:
                if deal is not None:
                    after = [deal(rules, state, face) for face in faces if odds(rules, state, face) > 0]
            elif acts == Turn.BOTH:
                if resolve is not None:
                    # From Python 3.12 on a comprehension shares its function's variables, and the compiler wants each
                    # of them known on every way through it: no two comprehensions here share a name.
                    ours = [mine for mine in moves if legal(rules, state, 0, mine)]
                    theirs = [other for other in moves if legal(rules, state, 1, other)]
                    after = [resolve(rules, state, one, two) for one in ours for two in theirs]
            elif apply is not None:
                after = [apply(rules, state, move) for move in moves if legal(rules, state, acts, move)]
            counts[8] += len(after)
            for found in after:
                if found not in seen:
                    seen.add(found)
                    deeper.append(found)
        levels.append(counts)
        level = deeper
    return levels


@cache
def _compiled_walk() -> Any:
    from numba import njit

    return njit(walk)


def count(game: Game, rules: Any, fast: bool) -> list[Counts]:
    """The counts at every distance from the start, Player 1 first."""
    run = _compiled_walk() if fast else walk
    of = compiled(game) if fast else Compiled(*(getattr(game.rules_file, name, None) for name in Compiled._fields))
    begin = game.start(rules, 0)
    functions = (of.turn, of.legal, of.winner, of.apply, of.resolve, of.odds, of.deal)
    return [Counts(*level) for level in run(rules, begin, game.moves, game.faces or (0,), *functions)]


def describe(game: Game, levels: list[Counts]) -> str:
    """A census as a page to read."""
    total = Counts(*map(sum, zip(*levels, strict=True)))
    first = "" if game.start(game.book, 0) == game.start(game.book, 1) else f", {game.seats[0]} first"
    lines = [
        f"{game.name}, by the book{first}: every position that legal play can reach.",
        "Fouls (a repeated number that forfeits) are left out. A continuation is one legal move, one pair of legal",
        "picks or one card that can come. A position's distance is the least number of continuations from the start.",
        "",
        _line("positions", total.positions),
        _line(f"  {game.seats[0]} to move", total.first),
        _line(f"  {game.seats[1]} to move", total.second),
        _line("  both to pick", total.both),
        _line("  a card to come", total.luck),
        _line("  over", total.over),
        _line(f"    won by {game.seats[0]}", total.won_by_first),
        _line(f"    won by {game.seats[1]}", total.won_by_second),
        _line("    drawn", total.drawn),
        _line("continuations", total.continuations),
        "",
        "distance   positions        over   continuations",
    ]
    for distance, level in enumerate(levels):
        lines.append(f"{distance:8}{level.positions:12,}{level.over:12,}{level.continuations:16,}")
    return "\n".join(lines) + "\n"


def _line(what: str, number: int) -> str:
    return f"{what:24}{number:12,}"


def census_file(game: Game) -> Path:
    return Path(__file__).with_name(f"{game.id}.txt")


def take(game: Game) -> str:
    return describe(game, count(game, game.book, fast=game.id in MILLIONS))


def main() -> None:
    for id in ROOMS:
        game = load(id)
        census_file(game).write_text(take(game), encoding="utf-8")
        sys.stdout.write(f"{census_file(game).name}\n")


if __name__ == "__main__":
    main()

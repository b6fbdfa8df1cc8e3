"""`duelbook puzzle`: find the only move."""

from __future__ import annotations

import os
from datetime import date
from typing import TYPE_CHECKING

import click

from duelbook.cli.options import (
    SEED,
    as_json,
    as_plain,
    changed_rules,
    echo_json,
    perhaps_a_duel,
    rules_of,
    state_at,
    warn,
)
from duelbook.cli.values import Typed, read_day, whole, wrong_usage
from duelbook.core import Game
from duelbook.positions.size import named

if TYPE_CHECKING:
    from duelbook.puzzles.puzzle import Puzzle, Verdict
    from duelbook.puzzles.streak import Progress


def today() -> date:
    return date.today()


@click.command
@perhaps_a_duel
@click.option("--daily", "kind", flag_value="daily", help="The puzzle of the day, the same for everybody.  [default]")
@click.option("--random", "kind", flag_value="random", help="Any puzzle, as often as you like.")
@click.option("--date", "day", type=Typed("YYYY-MM-DD", read_day), help="The daily puzzle of another day.")
@click.option("--seed", type=SEED, help="The random puzzle of this seed.")
@click.option("--rating", type=whole(0, 4000), help="A random puzzle about as hard as this.")
@changed_rules
@click.option("--move", metavar="MOVE", help="Answer at once with this move instead of being asked.")
@click.option("--show", is_flag=True, help="Show the puzzle and its solution without asking; nothing is counted.")
@as_plain
@as_json
def command(
    game: Game | None,
    kind: str | None,
    day: date | None,
    seed: int | None,
    rating: int | None,
    rule: tuple[str, ...],
    move: str | None,
    show: bool,
    plain: bool,
    as_json: bool,
) -> None:
    """Show a position of DUEL where only one move is right, and ask for it.

    Without DUEL our own duels take turns, one a day. Puzzles are rated by how tempting the wrong moves are. With
    --rule the puzzle is a random one of changed rules; it does not count, for ratings compare by the book.
    """
    from duelbook.puzzles.source import daily, daily_game, random_puzzle

    at_random = _at_random(kind, day, seed, rating, rule)
    if rule and game is None:
        raise click.UsageError("--rule changes the rules of one duel: say which, as in: duelbook puzzle tower")
    if show and move is not None:
        raise click.UsageError("--show gives the answer and --move asks for a verdict: leave one of them out.")
    when = day if day is not None else today()
    game = game or daily_game(when)
    if at_random:
        seed = int.from_bytes(os.urandom(6), "big") if seed is None else seed
        rules = rules_of(game, rule)
        state_at(game, rules, None)
        puzzle, daily_of = random_puzzle(game, seed, rating, rules), None
        title = f"{named(game, rules)}: puzzle {seed}, rated {puzzle.rating}"
    else:
        puzzle, daily_of = daily(game, when), when
        title = f"{game.name}: the puzzle of {when.isoformat()}, rated {puzzle.rating}"
    if as_json:
        _for_programs(puzzle, daily_of, seed, move, show)
    else:
        _for_people(puzzle, daily_of, title, move, show, plain)


def _at_random(kind: str | None, day: date | None, seed: int | None, rating: int | None, rule: tuple[str, ...]) -> bool:
    """Whether a random puzzle is meant: said, or understood from an option that only a random one has."""
    given = [
        name for name, value in (("--seed", seed), ("--rating", rating), ("--rule", rule or None)) if value is not None
    ]
    if kind == "random":
        given.insert(0, "--random")
    if given and (kind == "daily" or day is not None):
        daily = "--date" if day is not None else "--daily"
        raise click.UsageError(f"{daily} asks for a daily puzzle and {given[0]} for a random one: leave one out.")
    return bool(given)


# For people


def _for_people(puzzle: Puzzle, daily_of: date | None, title: str, move: str | None, show: bool, plain: bool) -> None:
    from duelbook.line import puzzle as page
    from duelbook.line.console import Console
    from duelbook.puzzles.puzzle import judge
    from duelbook.speech import Line

    given = _read(puzzle, move) if move is not None else None
    console = Console(plain=plain)
    page.show(puzzle, title, console, solved=show)
    if show:
        return
    answer, helped = (given, False) if given is not None else page.ask(puzzle, console)
    if answer is None:
        console.say("Nothing was counted.")
        return
    verdict = judge(puzzle, answer)
    console.say("", *(Line(line, "gain" if verdict.right else "calm") for line in verdict.lines))
    if puzzle.rules != puzzle.game.book:
        console.say("A puzzle of changed rules is not counted.")
        return
    progress, counted = _remembered(puzzle, verdict, daily_of, helped)
    if not counted:
        console.say("You have answered this one before; only the first try counts.")
    elif verdict.right and helped:
        console.say("With a hint it does not count as solved.")
    console.say(*page.standing(progress, puzzle, daily_of, today()))


# For programs


def _for_programs(puzzle: Puzzle, daily_of: date | None, seed: int | None, move: str | None, show: bool) -> None:
    from duelbook.puzzles.data import answer_as_json, as_json, progress_as_json
    from duelbook.puzzles.puzzle import judge

    data = as_json(puzzle, daily_of, seed)
    if move is not None:
        verdict = judge(puzzle, _read(puzzle, move))
        progress, counted = _remembered(puzzle, verdict, daily_of, False)
        data |= {"right": verdict.right, "lines": verdict.lines, "counted": counted}
        data["progress"] = progress_as_json(progress, puzzle.game.id, today())
    if show or move is not None:
        data |= answer_as_json(puzzle)
    echo_json(data)


# For both


@wrong_usage()
def _read(puzzle: Puzzle, move: str) -> int:
    from duelbook.puzzles.puzzle import read

    return read(puzzle, move)


def _remembered(puzzle: Puzzle, verdict: Verdict, daily_of: date | None, helped: bool) -> tuple[Progress, bool]:
    """The progress after this answer, written down, and whether it counted. What does not work is said on stderr."""
    from duelbook.puzzles.memory import load, remember
    from duelbook.puzzles.streak import answered

    if puzzle.rules != puzzle.game.book:  # ratings compare by the book
        return load()[0], False
    solved = verdict.right and not helped
    before, after, complaint = remember(
        lambda known: answered(known, puzzle.game.id, puzzle.rating, solved, today=today(), daily=daily_of)
    )
    if complaint:
        warn(complaint)
    return after, after is not before

"""`duelbook puzzle`: find the only move."""

from __future__ import annotations

import os
from datetime import date
from typing import TYPE_CHECKING

import click

from duelbook.cli.options import GameName, Seed, as_json, as_plain, echo_json, say
from duelbook.cli.values import Day, Whole
from duelbook.core import DuelError, Game

if TYPE_CHECKING:
    from duelbook.line.console import Console
    from duelbook.puzzles.puzzle import Puzzle, Verdict
    from duelbook.puzzles.streak import Progress

LEAVING = ("quit", "q", "exit")
COMMANDS = "Or: hint (then it no longer counts as solved), rules, quit."
PRICE = "With a hint the puzzle no longer counts as solved. Say hint once more to have one all the same."


def today() -> date:
    return date.today()


@click.command(short_help="find the only move")
@click.argument("game", type=GameName(), required=False, metavar="[DUEL]")
@click.option("--daily", "kind", flag_value="daily", help="The puzzle of the day, the same for everybody.  [default]")
@click.option("--random", "kind", flag_value="random", help="Any puzzle, as often as you like.")
@click.option("--date", "day", type=Day(), metavar="YYYY-MM-DD", help="The daily puzzle of another day.")
@click.option("--seed", type=Seed(), metavar="N", help="The random puzzle of this seed.")
@click.option("--rating", type=Whole(0, 4000), metavar="N", help="A random puzzle about as hard as this.")
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
    move: str | None,
    show: bool,
    plain: bool,
    as_json: bool,
) -> int:
    """Show a position of DUEL where only one move is right, and ask for it.

    Without DUEL our own duels take turns, one a day. Puzzles are rated by how tempting the wrong moves are.
    """
    from duelbook.puzzles.source import daily, daily_game, random_puzzle

    at_random = _at_random(kind, day, seed, rating)
    if show and move is not None:
        raise click.UsageError("--show gives the answer and --move asks for a verdict: leave one of them out.")
    when = day if day is not None else today()
    game = game or daily_game(when)
    if at_random:
        seed = int.from_bytes(os.urandom(6), "big") if seed is None else seed
        puzzle, daily_of = random_puzzle(game, seed, rating), None
        title = f"{game.name}: puzzle {seed}, rated {puzzle.rating}"
    else:
        puzzle, daily_of = daily(game, when), when
        title = f"{game.name}: the puzzle of {when.isoformat()}, rated {puzzle.rating}"
    if as_json:
        return _for_programs(puzzle, daily_of, seed, move, show)
    return _for_people(puzzle, daily_of, title, move, show, plain)


def _at_random(kind: str | None, day: date | None, seed: int | None, rating: int | None) -> bool:
    """Whether a random puzzle is meant: said, or understood from an option that only a random one has."""
    given = [name for name, value in (("--seed", seed), ("--rating", rating)) if value is not None]
    if kind == "random":
        given.insert(0, "--random")
    if given and (kind == "daily" or day is not None):
        daily = "--date" if day is not None else "--daily"
        raise click.UsageError(f"{daily} asks for a daily puzzle and {given[0]} for a random one: leave one out.")
    return bool(given)


# For people


def _for_people(puzzle: Puzzle, daily_of: date | None, title: str, move: str | None, show: bool, plain: bool) -> int:
    from duelbook.line.console import Console
    from duelbook.puzzles.puzzle import judge, shown
    from duelbook.speech import Line

    given = _read(puzzle, move) if move is not None else None
    console = Console(plain=plain)
    console.say(Line(title, "title"), f"Position: {puzzle.position}", "", *shown(puzzle))
    if show:
        console.say("", *_solution(puzzle))
        return 0
    answer, helped = (given, False) if given is not None else _ask(puzzle, console)
    if answer is None:
        console.say("Nothing was counted.")
        return 0
    verdict = judge(puzzle, answer)
    console.say("", *(Line(line, "gain" if verdict.right else "calm") for line in verdict.lines))
    progress, counted = _remembered(puzzle, verdict, daily_of, helped)
    if not counted:
        console.say("You have answered this one before; only the first try counts.")
    elif verdict.right and helped:
        console.say("With a hint it does not count as solved.")
    console.say(*_standing(progress, puzzle, daily_of))
    return 0


def _solution(puzzle: Puzzle) -> list[str]:
    return [f"The right one is {puzzle.why}", *(f"Not {wrong.word}: it {wrong.refuted}." for wrong in puzzle.wrong)]


def _ask(puzzle: Puzzle, console: Console) -> tuple[int | None, bool]:
    """The answer, None for somebody who leaves, and whether a hint was asked for."""
    from duelbook.line.console import EndOfInput
    from duelbook.line.page import show_rulebook
    from duelbook.puzzles.puzzle import choices, clues, prompt, read

    hints = [PRICE, *clues(puzzle)]
    given = 0
    while True:
        try:
            line = console.ask(prompt(puzzle))
        except EndOfInput:
            raise DuelError("The input ended before the puzzle was answered; nothing was counted.") from None
        word = line.strip().lower().lstrip("/")
        if word in LEAVING:
            return None, False
        if word in ("help", "?"):
            console.say(*choices(puzzle), COMMANDS)
        elif word == "rules":
            show_rulebook(puzzle.game, console)
        elif word == "hint":
            console.say(hints[given] if given < len(hints) else "There are no more hints: two choices are left.")
            given += 1
        else:
            try:
                return read(puzzle, line), given > 1
            except DuelError as error:
                console.complain(f"{error} (Or: help.)")


def _standing(progress: Progress, puzzle: Puzzle, daily_of: date | None) -> list[str]:
    """Where the player stands now: streaks for a daily puzzle, totals and rating for all."""
    from duelbook.puzzles.streak import best_streak, streak, tally
    from duelbook.speech import amount

    now, id, name = today(), puzzle.game.id, puzzle.game.name
    mine = tally(progress, id)
    lines = [f"{name}: {mine.solved} of {amount(mine.tried, 'puzzle')} solved; your rating is {mine.rating:.0f}."]
    if daily_of == now:
        here, anywhere = streak(progress, now, id), streak(progress, now)
        lines.append(
            f"Your streak: {amount(here, 'day')} in a row in this duel (best {best_streak(progress, id)}), "
            f"{anywhere} in any (best {best_streak(progress)})."
        )
    elif daily_of is not None:
        lines.append("For the streak a daily puzzle counts only on its own day.")
    return lines


# For programs


def _for_programs(puzzle: Puzzle, daily_of: date | None, seed: int | None, move: str | None, show: bool) -> int:
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
    return 0


# For both


def _read(puzzle: Puzzle, move: str) -> int:
    from duelbook.puzzles.puzzle import read

    try:
        return read(puzzle, move)
    except DuelError as error:
        raise click.UsageError(str(error)) from None


def _remembered(puzzle: Puzzle, verdict: Verdict, daily_of: date | None, helped: bool) -> tuple[Progress, bool]:
    """The progress after this answer, written down, and whether it counted. What does not work is said on stderr."""
    from duelbook.puzzles.memory import remember
    from duelbook.puzzles.streak import answered

    solved = verdict.right and not helped
    before, after, complaint = remember(
        lambda known: answered(known, puzzle.game.id, puzzle.rating, solved, today=today(), daily=daily_of)
    )
    if complaint:
        say(complaint, err=True)
    return after, after is not before

"""A puzzle at a prompt: shown, asked, and told of afterwards."""

from __future__ import annotations

from datetime import date

from duelbook.core import DuelError
from duelbook.line.console import Console, EndOfInput
from duelbook.line.page import show_rulebook
from duelbook.puzzles.puzzle import Puzzle, choices, clues, prompt, read, shown
from duelbook.puzzles.streak import Progress, best_streak, streak, tally
from duelbook.speech import Line, amount

LEAVING = ("quit", "q", "exit", "leave")
COMMANDS = "Or: hint (then it counts as missed), rules, quit."
PRICE = "With a hint the puzzle counts as missed, for the rating too. Say hint once more to have one all the same."


def show(puzzle: Puzzle, title: str, console: Console, *, solved: bool) -> None:
    """The position and the question; with the solution where nobody is to be asked."""
    console.say(Line(title, "title"), f"Position: {puzzle.position}", "", *shown(puzzle))
    if solved:
        right = puzzle.reason(puzzle.answer).ideas
        console.say("", f"The right one is {puzzle.why}", *right)
        said = set(right)
        for wrong in puzzle.wrong:
            ideas = [idea for idea in puzzle.reason(wrong.move).ideas if idea not in said]
            console.say(f"Not {wrong.word}: it {wrong.refuted}.", *(f"  {idea}" for idea in ideas))
            said |= set(ideas)


def ask(puzzle: Puzzle, console: Console) -> tuple[int | None, bool]:
    """The answer, None for somebody who leaves, and whether a hint was asked for."""
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


def standing(progress: Progress, puzzle: Puzzle, daily_of: date | None, today: date) -> list[str]:
    """Where the player stands now: streaks for a daily puzzle, totals and rating for all."""
    id, name = puzzle.game.id, puzzle.game.name
    mine = tally(progress, id)
    lines = [f"{name}: {mine.solved} of {amount(mine.tried, 'puzzle')} solved; your rating is {mine.rating:.0f}."]
    if daily_of == today:
        here, anywhere = streak(progress, today, id), streak(progress, today)
        lines.append(
            f"Your streak: {amount(here, 'day')} in a row in this duel (best {best_streak(progress, id)}), "
            f"{anywhere} in any (best {best_streak(progress)})."
        )
    elif daily_of is not None:
        lines.append("For the streak a daily puzzle counts only on its own day.")
    return lines

"""`duelbook me`: how you have done so far."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import click

from duelbook.cli.options import as_json, as_plain, echo_json, perhaps_a_duel, say, warn
from duelbook.core import Game
from duelbook.patience import patience

if TYPE_CHECKING:
    from duelbook.me.memory import Memory


def today() -> date:
    return date.today()


@click.command
@perhaps_a_duel
@click.option("--forget", is_flag=True, help="Begin anew: let no game and no puzzle so far count. Games stay saved.")
@click.option("--yes", is_flag=True, help="Do not ask before forgetting.")
@as_plain
@as_json
def command(game: Game | None, forget: bool, yes: bool, plain: bool, as_json: bool) -> int:
    """Show your record: wins, losses and what your decisions gave away, by duel, opponent and month.

    It is found in your own saved games, those between one person and one program, and in your puzzles. With DUEL only
    that duel.
    """
    from shutil import get_terminal_size

    from duelbook.line.console import Console
    from duelbook.me.account import account
    from duelbook.me.data import as_json as to_json
    from duelbook.me.memory import recall
    from duelbook.me.telling import lines
    from duelbook.puzzles.memory import load

    if yes and not forget:
        raise click.UsageError("--yes answers the question that --forget asks: give both, or neither.")
    duel = None if game is None else game.id
    with patience("Looking through your games ...") as told:
        memory = recall(weighed=not forget, tell=lambda done, of: told(f"{done:,} of {of:,}"))
    if forget:
        return _forget(memory, duel, yes)
    progress, complaint = load()
    for sentence in filter(None, (memory.complaint, complaint)):
        warn(sentence)
    record = account(memory, progress, today(), duel)
    if as_json:
        echo_json(to_json(record))
    else:
        console = Console(plain=plain)
        width = get_terminal_size().columns if console.fancy else 80
        console.say(*lines(record, width=width, of="" if game is None else game.name))
    return 0


def _forget(memory: Memory, duel: str | None, yes: bool) -> int:
    """Ask, unless that was answered before; somebody who is not there to be asked forgets nothing."""
    from duelbook.me.forgetting import WHAT_STAYS, forget, what_goes

    question = what_goes(memory, duel)
    if question is None:
        say("There is nothing to forget.")
        return 0
    if not yes:
        warn(WHAT_STAYS)
        if not _agreed(question):
            say("Nothing is forgotten.")
            return 0
    say(forget(memory, duel))
    return 0


def _agreed(question: str) -> bool:
    while True:
        answer = click.prompt(f"{question} [y/N]", default="", show_default=False, err=True).strip().lower()
        if answer in ("y", "yes", "", "n", "no"):
            return answer in ("y", "yes")
        warn("Please answer yes or no. Enter alone forgets nothing.")

"""A guided game line by line, and the offer of one."""

from __future__ import annotations

from duelbook.core import BOTH, DuelError, Game, Misread
from duelbook.line.console import Console, Quit
from duelbook.line.page import show_rulebook
from duelbook.speech import Line
from duelbook.table import newcomers
from duelbook.table.lesson import LEAVING, Guide

COMMANDS = "At every prompt: help, hint, rules, and skip (or quit) to leave the lesson."


def offer(game: Game, console: Console) -> bool:
    """Ask once whether somebody wants to be shown; whatever they say, they are not asked again."""
    if not (console.typing and newcomers.to_be_offered(game)):
        return False
    console.say(newcomers.question(game))
    while True:
        said = console.ask("Play it first? (yes, or just Enter for no) ").strip().lower()
        if said in ("y", "yes", "", "n", "no", *LEAVING):
            break
        console.complain("Please answer yes or no.")
    newcomers.was_offered(game)
    console.say(f"You find it again with: duelbook learn {game.id}")
    if said in LEAVING:
        raise Quit
    return said in ("y", "yes")


def teach(game: Game, console: Console, *, before_a_game: bool = False) -> None:
    """The whole lesson. Raises Quit for somebody who leaves it, and EndOfInput."""
    guide = Guide(game)
    newcomers.was_offered(game)
    console.whole = game.dialogue.words(game.book)
    console.say(*guide.opening(), Line(COMMANDS, "quiet"), "")
    console.say(*game.dialogue.status(game.book, guide.match.state, guide.match.names))
    while (task := guide.task) is not None:
        console.say("", Line(task.says, "turn"))
        _decide(guide, console)
    console.say("", Line(f"That is the idea. {game.lesson.idea}" if game.lesson else "", "calm"))
    onwards = "Now your own game." if before_a_game else f"Now a game of your own: duelbook play {game.id} --p2 level:1"
    console.say(onwards)


def _decide(guide: Guide, console: Console) -> None:
    """Ask until the task is done."""
    match, voice, seat, task = guide.match, guide.game.dialogue, guide.seat, guide.task
    if match.turn != BOTH:
        console.say(*voice.ask(match.rules, match.state, seat, match.names))
    while guide.task is task and task is not None:
        line = console.ask(voice.prompt(match.rules, match.state, seat, match.names))
        word = line.strip().lower().lstrip("/")
        if word in LEAVING and guide.is_free(word):
            raise Quit
        if word in ("help", "?"):
            console.say(task.says, Line(COMMANDS, "quiet"))
        elif word == "hint":
            console.say(guide.hint())
        elif word == "rules":
            show_rulebook(guide.game, console)
        else:
            try:
                console.say(*guide.answer(voice.read(match.rules, match.state, seat, line)).lines)
            except Misread as error:
                console.complain(f"{error} {match.choices(seat)} (Or: help.)")
            except DuelError as error:
                console.complain(str(error))

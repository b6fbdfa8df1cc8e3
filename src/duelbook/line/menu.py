"""The small menu for somebody who just wants to play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from duelbook.core import Game
from duelbook.games import load, load_all
from duelbook.line.console import Console, Quit
from duelbook.policies.characters import CHARACTERS
from duelbook.policies.levels import LEVELS
from duelbook.speech import Line, called, quote


class MenuLine(NamedTuple):
    name: str
    label: str
    about: str = ""


def choose(console: Console, question: str, options: Sequence[MenuLine]) -> str:
    """One of the options, by its number or its name; Enter takes the first."""
    names = [option.name for option in options]
    console.say("", Line(question, "turn"))
    for number, option in enumerate(options, 1):
        console.say(f"  {number}. {option.label}")
        if option.about:
            console.say(Line(f"     {option.about}", "quiet"))
    while True:
        answer = console.ask(f"Enter choice (1-{len(options)}, or just Enter for 1): ").strip().lower()
        if not answer:
            return names[0]
        if answer.isascii() and answer.isdigit() and 1 <= int(answer[:9]) <= len(options):
            return names[int(answer) - 1]
        if answer in ("quit", "exit", "q") and answer not in names:
            raise Quit
        known = [pair for option in options for pair in ((option.name, option.name), (option.label, option.name))]
        if len(found := called(answer, known)) == 1:
            return found[0]
        console.complain(f"{quote(answer)} is not on the list. Type a number from 1 to {len(options)}, or quit.")


def choose_game(console: Console, unfinished: str | None = None) -> Game | None:
    """A duel, or None for going on with the unfinished game that the last line of the menu offers."""
    games = load_all()
    console.say(Line("Duelbook: two-player duels, exactly by the book", "title"))
    options = [MenuLine(game.id, game.name, game.pitch) for game in games]
    if unfinished is not None:
        options.append(MenuLine("resume", "Go on with your last game", unfinished))
    answer = choose(console, "Which duel?", options)
    return None if answer == "resume" else load(answer)


def choose_players(console: Console, game: Game) -> tuple[str, str]:
    one, two = game.seats
    answer = choose(
        console,
        "Who plays?",
        [
            MenuLine("two", "Two people at this keyboard"),
            MenuLine("first", f"You are {one}, against an opponent of your choice"),
            MenuLine("second", f"You are {two}, against an opponent of your choice"),
            MenuLine("watch", "Nobody: watch two opponents"),
        ],
    )
    if answer == "two":
        return "human", "human"
    if answer == "watch":
        return choose_opponent(console, f"Who is {one}?"), choose_opponent(console, f"Who is {two}?")
    opponent = choose_opponent(console, "Against whom?")
    return ("human", opponent) if answer == "first" else (opponent, "human")


def choose_opponent(console: Console, question: str) -> str:
    """A rung of the ladder, whose number on the list is its level, or a character."""
    levels = [MenuLine(level.name, f"{level.name.capitalize()}: {level.about}") for level in LEVELS]
    others = [
        MenuLine("perfect", "Perfect: never gives anything away"),
        MenuLine("random", "Random: makes any legal move, each as likely as the next"),
    ]
    characters = [MenuLine(kind, f"The {kind}: {about}") for kind, about in CHARACTERS.items()]
    answer = choose(console, question, [*levels, *others, *characters])
    return next((f"level:{at}" for at, level in enumerate(LEVELS, 1) if level.name == answer), answer)


def choose_first(console: Console, game: Game) -> str:
    answer = choose(
        console,
        "Who starts?",
        [MenuLine("first", game.seats[0]), MenuLine("second", game.seats[1]), MenuLine("toss", "Toss a coin")],
    )
    return {"first": "1", "second": "2", "toss": "toss"}[answer]

"""The small menu for somebody who just wants to play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from duelbook.core import Game
from duelbook.games import game_ids, load
from duelbook.line.console import Console, Quit
from duelbook.speech import Line, quote


class Option(NamedTuple):
    name: str
    label: str
    about: str = ""


def choose(console: Console, question: str, options: Sequence[Option]) -> str:
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
        if answer in names:
            return answer
        if answer in ("quit", "exit", "q"):
            raise Quit
        console.complain(f"{quote(answer)} is not on the list. Type a number from 1 to {len(options)}, or quit.")


def choose_game(console: Console) -> Game:
    games = [load(id) for id in game_ids()]
    console.say(Line("Duelbook: two-player duels, exactly by the book", "title"))
    return load(choose(console, "Which duel?", [Option(game.id, game.name, game.pitch) for game in games]))


def choose_players(console: Console, game: Game) -> tuple[str, str]:
    one, two = game.seats
    answer = choose(
        console,
        "Who plays?",
        [
            Option("two", "Two people at this keyboard"),
            Option("first", f"You are {one}, against a random opponent"),
            Option("second", f"You are {two}, against a random opponent"),
            Option("watch", "Nobody: watch two random opponents"),
        ],
    )
    return {
        "two": ("human", "human"),
        "first": ("human", "random"),
        "second": ("random", "human"),
        "watch": ("random", "random"),
    }[answer]


def choose_first(console: Console, game: Game) -> str:
    answer = choose(
        console,
        "Who starts?",
        [Option("first", game.seats[0]), Option("second", game.seats[1]), Option("toss", "Toss a coin")],
    )
    return {"first": "1", "second": "2", "toss": "toss"}[answer]

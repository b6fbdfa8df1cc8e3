"""The small menu for somebody who just wants to play."""

from __future__ import annotations

from collections.abc import Sequence

from duelbook.core import Game
from duelbook.games import game_ids, load
from duelbook.line.console import Console
from duelbook.speech import Line, either, quote


def choose(console: Console, question: str, options: Sequence[tuple[str, str]], default: int = 0) -> str:
    """One of the options, by its number or its name; Enter takes the default."""
    names = [name for name, _ in options]
    console.say("", Line(question, "turn"))
    widest = max(map(len, names))
    for number, (name, meaning) in enumerate(options, 1):
        console.say(f"  {number}. {name:{widest}}  {meaning}".rstrip())
    while True:
        answer = console.ask(f"Enter choice (1-{len(options)}, or Enter for {names[default]}): ").strip().lower()
        if not answer:
            return names[default]
        if answer in names:
            return answer
        if answer.isascii() and answer.isdigit() and 1 <= int(answer[:9]) <= len(options):
            return names[int(answer) - 1]
        if answer in ("quit", "exit", "q"):
            raise KeyboardInterrupt
        console.complain(
            f"{quote(answer)} is not on the list. Type a number from 1 to {len(options)}, or {either(names)}."
        )


def choose_game(console: Console) -> Game:
    games = [load(id) for id in game_ids()]
    console.say(Line("Duelbook: five two-player duels, exactly by the book", "title"))
    return load(choose(console, "Which duel?", [(game.id, f"{game.name}: {game.pitch}") for game in games]))


def choose_players(console: Console) -> tuple[str, str]:
    answer = choose(
        console,
        "Who plays?",
        [
            ("two", "two people at this keyboard"),
            ("first", "you are Player 1, against random"),
            ("second", "you are Player 2, against random"),
            ("watch", "random against random"),
        ],
    )
    return {
        "two": ("human", "human"),
        "first": ("human", "random"),
        "second": ("random", "human"),
        "watch": ("random", "random"),
    }[answer]


def choose_first(console: Console) -> str:
    return choose(console, "Who starts?", [("1", "Player 1"), ("2", "Player 2"), ("toss", "toss a coin")])

"""What Pig says and understands."""

from __future__ import annotations

from duelbook.core import Chance
from duelbook.speech import Line, find_word
from pig.rules import BAD, Move, Rules, State, apply, winner

Names = tuple[str, str]
WORDS = ("roll", "hold")
SPELLINGS = {word: move for move, word in enumerate(WORDS)} | {"r": 0, "h": 1}

CHANCE = Chance("roll", "throw", "thrown", "the die has no such side")


def words(rules: Rules) -> tuple[str, ...]:
    return WORDS


def read(rules: Rules, s: State, me: int, text: str) -> int:
    return find_word(text, SPELLINGS)


def why_not(rules: Rules, s: State, me: int, move: int) -> str:
    if move == Move.HOLD:
        return "The pot is empty: there is nothing to hold."
    return "The pot is enough to win: hold it."


def effect(rules: Rules, s: State, me: int, move: int) -> str:
    if move == Move.ROLL:
        return f"2 to {rules.sides} more in the pot, or a 1 and nothing"
    mine = apply(rules, s, move).points[me]
    change = f"you go from {s.points[me]} to {mine} points"
    return f"{change}: you win" if mine == rules.goal else change


def opening(rules: Rules, s: State, names: Names) -> list[Line]:
    return [Line(f"--- Pig to {rules.goal} ---", "title"), *status(rules, s, names)]


def status(rules: Rules, s: State, names: Names) -> list[Line]:
    lines = [
        Line(f"{name}: {points} points", "goal", (points, rules.goal))
        for name, points in zip(names, s.points, strict=True)
    ]
    return [*lines, Line(f"Pot: {s.pot}")]


def ask(rules: Rules, s: State, me: int, names: Names) -> list[Line]:
    return [Line(f"{names[me]}'s Turn, {s.pot} in the pot", "turn")]


def prompt(rules: Rules, s: State, me: int, names: Names) -> str:
    return "Roll or hold? "


def tell(rules: Rules, s: State, move: int, after: State, names: Names, you: bool) -> list[Line]:
    who = "You" if you else names[s.mover]
    if move == Move.ROLL:
        return [Line(f"{who} {'roll' if you else 'rolls'}.", "calm")]
    return [Line(f"{who} {'hold' if you else 'holds'} {s.pot}.", "gain"), *status(rules, after, names)]


def drawer(s: State) -> int:
    return s.mover


def before_draw(rules: Rules, s: State, names: Names) -> list[Line]:
    return []


def draw_prompt(rules: Rules, s: State, names: Names) -> str:
    return "Press Enter to throw the die."


def tell_draw(rules: Rules, s: State, face: int, after: State, names: Names, you: bool) -> list[Line]:
    if face == BAD:
        return [Line(f"A 1! {s.pot} in the pot are lost.", "hurt")]
    return [Line(f"{'You' if you else names[s.mover]} rolled a {face}: {after.pot} in the pot.")]


def ending(rules: Rules, s: State, names: Names) -> str:
    return f"{names[winner(rules, s)]} has {rules.goal} points."


def farewell(rules: Rules, s: State, names: Names) -> list[Line]:
    return [Line(), Line(ending(rules, s, names)), Line(f"{names[winner(rules, s)]} wins!", "end")]

"""What Showdown says and understands. No answer repeats what was typed: it may be somebody's secret."""

from __future__ import annotations

from duelbook.core import Misread
from duelbook.speech import Line, tidy
from showdown.rules import Move, Rules, State, hit, winner

Names = tuple[str, str]
WORDS = ("load", "shoot", "shield")


def words(rules: Rules) -> tuple[str, ...]:
    return WORDS


def read(rules: Rules, s: State, me: int, text: str) -> int:
    word = tidy(text)
    if word not in WORDS:
        raise Misread("That is none of load, shoot and shield.")
    return WORDS.index(word)


def why_not(rules: Rules, s: State, me: int, move: int) -> str:
    return "The gun is full." if move == Move.LOAD else "The gun is empty."


def effect(rules: Rules, s: State, me: int, move: int) -> str:
    if move == Move.LOAD:
        return f"your gun holds {s.bullets[me] + 1}, unless the other shoots: that costs a life too"
    return "hits somebody who loads" if move == Move.SHOOT else "stops every shot"


def opening(rules: Rules, s: State, names: Names) -> list[Line]:
    return [Line("--- Showdown ---", "title"), *status(rules, s, names)]


def status(rules: Rules, s: State, names: Names) -> list[Line]:
    return [
        Line(f"{names[seat]}: lives {s.lives[seat]}, bullets {s.bullets[seat]}", gauge=(s.lives[seat], rules.lives))
        for seat in (0, 1)
    ]


def round_heading(rules: Rules, s: State, number: int) -> list[Line]:
    return [Line(f"=== Round {number} ===", "turn")]


def prompt(rules: Rules, s: State, me: int, names: Names) -> str:
    return f"{names[me]}, load, shoot or shield? "


def tell_round(rules: Rules, s: State, picks: tuple[int, int], after: State, names: Names) -> list[Line]:
    lines = [Line(f"{names[seat]}: {WORDS[picks[seat]]}!") for seat in (0, 1)]
    hurt = [seat for seat in (0, 1) if hit(picks[seat], picks[1 - seat])]
    lines += [Line(f"{names[seat]} is hit.", "hurt") for seat in hurt]
    return [*lines, *([] if hurt else [Line("Nobody is hit.", "calm")]), *status(rules, after, names)]


def ending(rules: Rules, s: State, names: Names) -> str:
    return f"{names[1 - winner(rules, s)]} has no life left."


def farewell(rules: Rules, s: State, names: Names) -> list[Line]:
    return [Line(), Line(ending(rules, s, names)), Line(f"{names[winner(rules, s)]} wins!", "end")]

"""What Rock, Paper, Scissors says and understands. No answer repeats what was typed: it may be somebody's secret."""

from __future__ import annotations

from duelbook.core import Misread
from duelbook.speech import Line, amount, tidy
from rps.rules import Rules, State, beats, blow, winner

Names = tuple[str, str]
WORDS = ("rock", "paper", "scissors")
HITS = ("scissors", "rock", "paper")
"""What each of them beats."""


def words(rules: Rules) -> tuple[str, ...]:
    return WORDS


def read(rules: Rules, s: State, me: int, text: str) -> int:
    word = tidy(text)
    if word not in WORDS:
        raise Misread("That is none of rock, paper and scissors.")
    return WORDS.index(word)


def why_not(rules: Rules, s: State, me: int, move: int) -> str:
    return "Any hand can be shown, as long as both have hearts."


def effect(rules: Rules, s: State, me: int, move: int) -> str:
    return f"takes {amount(blow(rules, move), 'heart')} from {HITS[move]}"


def opening(rules: Rules, s: State, names: Names) -> list[Line]:
    return [Line("--- Rock, Paper, Scissors ---", "title"), *status(rules, s, names)]


def status(rules: Rules, s: State, names: Names) -> list[Line]:
    return [
        Line(f"{names[seat]}: {amount(s.hearts[seat], 'heart')}", gauge=(s.hearts[seat], rules.hearts))
        for seat in (0, 1)
    ]


def round_heading(rules: Rules, s: State, number: int) -> list[Line]:
    return [Line(f"=== Round {number} ===", "turn")]


def prompt(rules: Rules, s: State, me: int, names: Names) -> str:
    return f"{names[me]}, rock, paper or scissors? "


def tell_round(rules: Rules, s: State, picks: tuple[int, int], after: State, names: Names) -> list[Line]:
    lines = [Line(f"{names[seat]}: {WORDS[picks[seat]]}!") for seat in (0, 1)]
    losers = [seat for seat in (0, 1) if beats(picks[1 - seat], picks[seat])]
    told = [
        Line(f"{names[seat]} loses {amount(s.hearts[seat] - after.hearts[seat], 'heart')}.", "hurt") for seat in losers
    ]
    return [*lines, *(told or [Line("The same: nothing happens.", "calm")]), *status(rules, after, names)]


def ending(rules: Rules, s: State, names: Names) -> str:
    return f"{names[1 - winner(rules, s)]} has no heart left."


def farewell(rules: Rules, s: State, names: Names) -> list[Line]:
    return [Line(), Line(ending(rules, s, names)), Line(f"{names[winner(rules, s)]} wins!", "end")]

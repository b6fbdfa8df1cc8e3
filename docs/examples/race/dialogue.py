"""What Race to 21 says and understands."""

from __future__ import annotations

from duelbook.speech import Line, find_word
from race.rules import Move, Rules, State, apply, winner

Names = tuple[str, str]
WORDS = tuple(f"add {move + 1}" for move in Move)
SPELLINGS = {spelling: int(move) for move in Move for spelling in (WORDS[move], f"a {move + 1}", str(move + 1))}


def words(rules: Rules) -> tuple[str, ...]:
    return WORDS


def read(rules: Rules, s: State, me: int, text: str) -> int:
    return find_word(text, SPELLINGS)


def why_not(rules: Rules, s: State, me: int, move: int) -> str:
    if move >= rules.most:
        return f"A turn adds at most {rules.most}."
    return f"The total is {s.total}: adding {move + 1} would pass {rules.goal}."


def effect(rules: Rules, s: State, me: int, move: int) -> str:
    total = apply(rules, s, move).total
    change = f"the total goes from {s.total} to {total}"
    return f"{change}: you win" if total == rules.goal else change


def opening(rules: Rules, s: State, names: Names) -> list[Line]:
    return [Line(f"--- Race to {rules.goal} ---", "title"), *status(rules, s, names)]


def status(rules: Rules, s: State, names: Names) -> list[Line]:
    return [Line(f"Total: {s.total}", gauge=(s.total, rules.goal))]


def ask(rules: Rules, s: State, me: int, names: Names) -> list[Line]:
    return [Line(f"{names[me]}'s Turn", "turn")]


def prompt(rules: Rules, s: State, me: int, names: Names) -> str:
    return "How much do you add? "


def tell(rules: Rules, s: State, move: int, after: State, names: Names, you: bool) -> list[Line]:
    adds = "You add" if you else f"{names[s.mover]} adds"
    return [Line(f"{adds} {move + 1}.", "gain"), *status(rules, after, names)]


def ending(rules: Rules, s: State, names: Names) -> str:
    return f"{names[winner(rules, s)]} brought the total to {rules.goal}."


def farewell(rules: Rules, s: State, names: Names) -> list[Line]:
    return [Line(), Line(ending(rules, s, names)), Line(f"{names[winner(rules, s)]} wins!", "end")]

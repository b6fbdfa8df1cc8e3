"""What Energy Duel says and understands, in its rule book's words.

The menu's digits keep their meaning at every turn.
"""

from __future__ import annotations

import re

from duelbook.core import DRAW, OVER
from duelbook.games.energy.rules import MayPass, Move, Rules, State, apply, emptied_both, legal, turn, winner
from duelbook.speech import Line, Names, amount, either, find_word, gauges

WORDS = ("attack", "defend", "pass")
SPELLINGS = {
    spelling: move
    for move, word in enumerate(WORDS)
    for spelling in (word, word[0], str(move + 1), f"{move + 1}.", f"{move + 1}. {word}")
}

COST = re.compile(r"\s*\(cost: \d+ energy\)\s*$", re.IGNORECASE)


def words(rules: Rules) -> tuple[str, ...]:
    return WORDS


def cost(rules: Rules, move: int) -> int:
    return (rules.attack_cost, rules.defend_cost, 0)[move]


def read(rules: Rules, s: State, me: int, text: str) -> int:
    """As the menu prints it, too: `1. Attack (Cost: 2 energy)`."""
    return find_word(COST.sub("", text), SPELLINGS)


def choices(rules: Rules, s: State, me: int) -> str:
    allowed = [move for move in Move if legal(rules, s, me, move)]
    return f"You can choose {either(f'{move + 1} ({WORDS[move]})' for move in allowed)}."


def why_not(rules: Rules, s: State, me: int, move: int) -> str:
    if move == Move.PASS:
        if rules.may_pass == MayPass.NEVER:
            return "Nobody may pass under these rules."
        return f"You may pass only when you cannot afford an attack, and you have {s.energy[me]} energy."
    act = "attack" if move == Move.ATTACK else "defend"
    return f"Insufficient energy to {act} (needs {cost(rules, move)}, has {s.energy[me]})."


def effect(rules: Rules, s: State, me: int, move: int) -> str:
    after = apply(rules, s, move)
    pays = f"you go from {s.energy[me]} to {after.energy[me]} energy"
    if move == Move.ATTACK:
        through = " through their defense" if s.guarded else ""
        taken = f"{pays}, your opponent from {s.energy[1 - me]} to {after.energy[1 - me]}{through}"
        return f"{taken}{_ended(rules, after, me)}"
    if move == Move.DEFEND:
        guards = f"; damage from your opponent's next attack is reduced by {rules.guard}"
        return f"{pays}{_ended(rules, after, me) or guards}"
    return (
        "nothing changes; a second pass in a row is a stand-off" if s.passes == 0 else "a stand-off: the game is drawn"
    )


def _ended(rules: Rules, after: State, me: int) -> str:
    """Both at 0 may look like a draw, so it is said how it ends; and that nothing comes back to who has paid all."""
    if turn(rules, after) != OVER:
        return ": with 0 at the start of your next turn you lose" if after.energy[me] == 0 else ""
    won = winner(rules, after)
    return ": the game is drawn" if won == DRAW else ": you win" if won == me else ": you lose"


def opening(rules: Rules, s: State, names: Names) -> list[Line]:
    return [Line("--- Energy Duel ---", "title"), *gauges(names, "Energy", s.energy, rules.energy)]


def status(rules: Rules, s: State, names: Names) -> list[Line]:
    lines = gauges(names, "Energy", s.energy, rules.energy)
    if s.guarded:
        lines.append(Line(f"{names[1 - s.mover]}'s defense stands against the next attack.", "calm"))
    if s.passes:
        lines.append(Line(f"{names[1 - s.mover]} has just passed; a second pass would be a stand-off.", "calm"))
    return lines


def ask(rules: Rules, s: State, me: int, names: Names) -> list[Line]:
    return [
        Line(f"{names[me]}'s Turn:", "turn"),
        Line("Choose your action:"),
        *(Line(f"{move + 1}. {listed}") for move, listed in menu(rules, s, me).items()),
    ]


def menu(rules: Rules, s: State, me: int) -> dict[int, str]:
    """Attack and Defend always, affordable or not; Pass only where it is legal."""
    return {
        move: f"{word.capitalize()} (Cost: {cost(rules, move)} energy)"
        for move, word in enumerate(WORDS)
        if move != Move.PASS or legal(rules, s, me, move)
    }


def prompt(rules: Rules, s: State, me: int, names: Names) -> str:
    return f"Enter choice ({either(str(move + 1) for move in menu(rules, s, me))}): "


def tell(rules: Rules, s: State, move: int, after: State, names: Names, you: bool) -> list[Line]:
    lines = [Line(f"{names[s.mover]} {('attacks', 'defends', 'passes')[move]}!", ("hurt", "gain", "calm")[move])]
    both = gauges(names, "Energy", after.energy, rules.energy)
    if move == Move.DEFEND:
        return [*lines, both[s.mover]]
    if move == Move.ATTACK and s.guarded:
        lines.append(Line(f"Defense reduces damage by {min(rules.guard, rules.damage)}!", "calm"))
    return lines + both


def ending(rules: Rules, s: State, names: Names) -> str:
    won = winner(rules, s)
    if s.passes == 2:
        return "Both players passed: a stand-off, and the game is drawn."
    if emptied_both(s):
        verdict = "the game is drawn" if won == DRAW else f"{'the attacker' if won != s.mover else 'the defender'} wins"
        return f"The attack left both players without energy: {verdict}."
    loser = 1 - won
    if s.energy[loser]:
        return f"{names[loser]} has {amount(s.energy[loser], 'unit')} of energy and cannot perform any action."
    if not s.energy[won] and loser == s.mover:  # nobody sees by the numbers who has lost
        return f"Neither has energy left, and it is {names[loser]}'s turn: whoever begins one with 0 has lost."
    return f"{names[loser]} has no energy left."


def former_endings(rules: Rules, s: State, names: Names) -> list[str]:
    """How older records say it."""
    won = winner(rules, s)
    return [] if won == DRAW else [f"{names[1 - won]} has no energy left."]


def farewell(rules: Rules, s: State, names: Names) -> list[Line]:
    won = winner(rules, s)
    verdict = "Nobody wins." if won == DRAW else f"{names[won]} Wins!"
    return [Line(), Line(ending(rules, s, names)), Line(verdict, "end")]

"""What Number Duel (deck) says and understands, in its rule book's words."""

from __future__ import annotations

from duelbook.games.deck.notation import write_cards
from duelbook.games.deck.rules import Move, Rules, State, apply, full_deck, winner
from duelbook.speech import Line, Names, find_word, gauges

WORDS = ("attack", "heal")
SPELLINGS = {
    spelling: move
    for move, word in enumerate(WORDS)
    for spelling in (word, word[0], f"({word[0]}){word[1:]}", f"({word[0]})")  # the last two as the prompt shows them
}


def words(rules: Rules) -> tuple[str, ...]:
    return WORDS


def read(rules: Rules, s: State, me: int, text: str) -> int:
    return find_word(text, SPELLINGS)


def why_not(rules: Rules, s: State, me: int, move: int) -> str:
    return "You draw first and choose when you have seen your card."


def effect(rules: Rules, s: State, me: int, move: int) -> str:
    after = apply(rules, s, move)
    if move == Move.ATTACK:
        lost = s.lp[1 - me] - after.lp[1 - me]
        change = f"your opponent loses {lost} LP ({s.lp[1 - me]} LP → {after.lp[1 - me]} LP)"
        return f"{change}: you win" if after.lp[1 - me] <= 0 else change
    return f"you gain {after.lp[me] - s.lp[me]} LP ({s.lp[me]} LP → {after.lp[me]} LP)"


def opening(rules: Rules, s: State, names: Names) -> list[Line]:
    return [Line("--- Number Duel ---", "title"), *gauges(names, "LP", s.lp, rules.lp, "extra")]


def status(rules: Rules, s: State, names: Names) -> list[Line]:
    gone = full_deck(rules) & ~s.left & ~(1 << s.card if s.card else 0)
    lines = gauges(names, "LP", s.lp, rules.lp)
    if s.card:
        lines.append(Line(f"{names[s.mover]} has drawn: {s.card}"))
    if s.left:
        return [
            *lines,
            Line(f"Cards left: {write_cards(s.left)}"),
            Line(f"Discarded: {write_cards(gone) if gone else 'none'}"),
        ]
    return [*lines, Line("Cards left: none; the next draw shuffles all of them in again")]


def drawer(s: State) -> int:
    """Whose card it is."""
    return s.mover


def before_draw(rules: Rules, s: State, names: Names) -> list[Line]:
    lines = [Line(f"{names[s.mover]}'s Turn", "turn")]
    if s.left == 0:
        lines.append(Line("The deck is empty: the discard pile is shuffled to form a new deck.", "calm"))
    return lines


def draw_prompt(rules: Rules, s: State, names: Names) -> str:
    return "Press Enter to draw a number."


def tell_draw(rules: Rules, s: State, face: int, after: State, names: Names, you: bool) -> list[Line]:
    article = "an" if face == 8 else "a"
    return [Line(f"{'You' if you else names[s.mover]} drew {article} {face}.")]


def ask(rules: Rules, s: State, me: int, names: Names) -> list[Line]:
    return []


def prompt(rules: Rules, s: State, me: int, names: Names) -> str:
    return "Do you want to (A)ttack or (H)eal? "


def tell(rules: Rules, s: State, move: int, after: State, names: Names, you: bool) -> list[Line]:
    me, foe = s.mover, 1 - s.mover
    chose = "You chose" if you else f"{names[me]} chose"
    if move == Move.ATTACK:
        lost = s.lp[foe] - after.lp[foe]
        loss = f"{names[foe]} loses {lost} LP ({s.lp[foe]} LP → {after.lp[foe]} LP)."
        lines = [Line(f"{chose} to Attack."), Line(loss, "hurt")]
    else:
        gains = "You gain" if you else f"{names[me]} gains"
        gain = f"{gains} {after.lp[me] - s.lp[me]} LP ({s.lp[me]} LP → {after.lp[me]} LP)."
        lines = [Line(f"{chose} to Heal."), Line(gain, "gain")]
    return lines + gauges(names, "LP", after.lp, rules.lp, "extra")


def ending(rules: Rules, s: State, names: Names) -> str:
    loser = 1 - winner(rules, s)
    return f"{names[loser]}'s LP is {'below zero' if s.lp[loser] < 0 else 'zero'}."


def farewell(rules: Rules, s: State, names: Names) -> list[Line]:
    return [
        Line(),
        Line(ending(rules, s, names)),
        Line(f"{names[winner(rules, s)]} wins the game!", "end"),
    ]

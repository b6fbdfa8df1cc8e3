"""What Number Duel (secret) says and understands, in its rule book's words.

No answer here ever repeats what was typed: at one keyboard that would show a pick to the other player.
"""

from __future__ import annotations

from duelbook.core import DRAW, Misread
from duelbook.games.secret.rules import DoubleForfeit, Rules, State, foul, winner
from duelbook.speech import Line, Names, bare, tidy, whole_number


def words(rules: Rules) -> tuple[str, ...]:
    return tuple(str(number) for number in range(1, rules.highest + 1))


def read(rules: Rules, s: State, me: int, text: str) -> int:
    number = whole_number(bare(tidy(text)))
    if not 1 <= number <= rules.highest:
        raise Misread("That number is out of range.")
    return number - 1


def choices(rules: Rules, s: State, me: int) -> str:
    low, high, banned = 1, rules.highest, s.last[me]
    if high > 2 and banned in (low, high):  # at an end of the range it is simply left out
        low, high, banned = (low + 1, high, 0) if banned == low else (low, high - 1, 0)
    return f"Pick a whole number from {low} to {high}{f', but not {banned}' if banned else ''}."


def why_not(rules: Rules, s: State, me: int, move: int) -> str:
    if move >= rules.highest:
        return "That number is out of range."
    return "That was your last number; repeating it forfeits the game."


def effect(rules: Rules, s: State, me: int, move: int) -> str:
    number = move + 1
    if number == s.last[me]:
        return "your last number: picking it again forfeits the game"
    deals = f"deals up to {number - 1} to a lower pick" if number > 1 else "no pick is lower"
    takes = f"takes up to {rules.highest - number} from a higher one" if number < rules.highest else "no pick is higher"
    return f"{deals}, {takes}"


def explain(rules: Rules, s: State, me: int) -> list[str]:
    """What `help` says instead of ten lines that differ by a number."""
    lines = [
        choices(rules, s, me),
        "The higher number deals the difference to the other player; equal numbers do nothing.",
    ]
    if s.last[me]:
        lines.append(f"Picking your last number, {s.last[me]}, again would forfeit the game.")
    return lines


def opening(rules: Rules, s: State, names: Names) -> list[Line]:
    return [Line("--- Number Duel ---", "title"), *(line._replace(tone="extra") for line in _health(rules, s, names))]


def _health(rules: Rules, s: State, names: Names) -> list[Line]:
    return [Line(f"- {name} HP: {hp}", gauge=(hp, rules.hp)) for name, hp in zip(names, s.hp, strict=True)]


def status(rules: Rules, s: State, names: Names) -> list[Line]:
    lasts = [Line(f"- {name}'s last number: {number}") for name, number in zip(names, s.last, strict=True) if number]
    return [Line("Health Points:"), *_health(rules, s, names), *lasts]


def round_heading(rules: Rules, s: State, number: int) -> list[Line]:
    return [Line(f"=== Turn {number} ===", "turn")]


def ask(rules: Rules, s: State, me: int, names: Names) -> list[Line]:
    return []


def prompt(rules: Rules, s: State, me: int, names: Names) -> str:
    limit = f"cannot be {s.last[me]}" if s.last[me] else f"1-{rules.highest}, not repeating previous number"
    return f"{names[me]}, enter your attack number ({limit}): "


def foul_warning(rules: Rules, s: State, me: int) -> str:
    unless = ", unless both repeat" if rules.double_forfeit == DoubleForfeit.VOID else ""
    return f"That is your previous number, and repeating it forfeits the game{unless}."


def tell_round(rules: Rules, s: State, picks: tuple[int, int], after: State, names: Names) -> list[Line]:
    one, two = picks[0] + 1, picks[1] + 1
    lines = [
        Line(),
        Line("Result:"),
        Line(f"- {names[0]}'s attack: {one}"),
        Line(f"- {names[1]}'s attack: {two}"),
    ]
    repeats = [seat for seat in (0, 1) if foul(rules, s, seat, picks[seat])]
    if repeats and after == s:
        return [*lines, Line("- Both repeated their previous number: the round is void. Pick again.", "calm")]
    if repeats:
        return lines + [
            Line(f"- {names[seat]} repeated {s.last[seat]} and forfeits the game.", "hurt") for seat in repeats
        ]
    if one == two:
        lines.append(Line("- Both players chose the same number: no damage is dealt.", "calm"))
    else:
        high = 0 if one > two else 1
        lines.append(Line(f"- {names[high]} deals {abs(one - two)} damage to {names[1 - high]}.", "hurt"))
    return [*lines, Line(), Line("Health Points:"), *_health(rules, after, names)]


def ending(rules: Rules, s: State, names: Names) -> str:
    if s.forfeit == (1, 1):
        return "Both players repeated their previous number: both forfeit."
    loser = 1 - winner(rules, s)
    if s.forfeit[loser]:
        return f"{names[loser]} repeated their previous number, which forfeits the game."
    return f"{names[loser]}'s HP has reached 0."


def farewell(rules: Rules, s: State, names: Names) -> list[Line]:
    won = winner(rules, s)
    verdict = "Nobody wins." if won == DRAW else f"{names[won]} is the winner!"
    told = any(s.forfeit)  # the round has just said who forfeits and why
    return [Line(), *([] if told else [Line(ending(rules, s, names))]), Line(verdict, "end")]

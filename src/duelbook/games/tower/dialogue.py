"""What Tower Defense Duel says and understands, in its rule book's words."""

from __future__ import annotations

from duelbook.core import Misread
from duelbook.games.tower.rules import Move, Rules, State, apply, winner
from duelbook.speech import Line, Names, amount, bare, either, find_word, tidy, whole_number


def words(rules: Rules) -> tuple[str, ...]:
    return (*(f"build {units}" for units in rules.builds), "attack")


def read(rules: Rules, s: State, me: int, text: str) -> int:
    """`build 4`, `b 4`, `b4` and plain `4` build, also with `units` and a full stop; `attack` and `a` attack."""
    line = bare(tidy(text))
    line = line.removesuffix(" units").removesuffix(" unit")
    for verb in ("build", "b", ""):
        rest = line.removeprefix(verb).strip()
        if line.startswith(verb) and (not rest or not rest[0].isalpha()):
            break
    if verb and not rest:
        fitting = [units for units in rules.builds if s.towers[me] + units <= rules.goal]  # the others lose at once
        raise Misread(f"Build how many units? Say for example 'build {max(fitting or rules.builds)}'.")
    jumbled = any(letter.isalpha() for letter in rest)  # a number with letters in it is no number that somebody meant
    if jumbled or (not verb and not line[:1].isnumeric()):
        spellings = {"attack": int(Move.ATTACK), "a": int(Move.ATTACK)}
        return find_word(text, spellings | {word: move for move, word in enumerate(words(rules))})
    units = whole_number(rest)
    if units not in rules.builds:
        raise Misread(f"You cannot build {amount(units, 'unit')}: a turn adds {either(map(str, rules.builds))}.")
    return rules.builds.index(units)


def why_not(rules: Rules, s: State, me: int, move: int) -> str:
    height = s.towers[1 - me]
    stands = f"has only {amount(height, 'unit')}" if height else "has none"
    return f"You cannot attack: it removes {rules.knocked} units, and your opponent's tower {stands}."


def effect(rules: Rules, s: State, me: int, move: int) -> str:
    after = apply(rules, s, move)
    if move == Move.ATTACK:
        return f"your opponent's tower falls from {s.towers[1 - me]} to {after.towers[1 - me]}"
    change = f"your tower grows from {s.towers[me]} to {after.towers[me]}"
    if after.towers[me] > rules.goal:
        return f"{change}, over {rules.goal}: you lose"
    return f"{change}: you win" if after.towers[me] == rules.goal else change


def opening(rules: Rules, s: State, names: Names) -> list[Line]:
    return [Line("--- Tower Defense Duel ---", "title"), Line(f"First to stand exactly {rules.goal} units tall wins.")]


def status(rules: Rules, s: State, names: Names) -> list[Line]:
    return [
        Line(f"{name} tower height: {amount(height, 'unit')}", tone="goal", gauge=(height, rules.goal))
        for name, height in zip(names, s.towers, strict=True)
    ]


def ask(rules: Rules, s: State, me: int, names: Names) -> list[Line]:
    mine, theirs = s.towers[me], s.towers[1 - me]
    return [
        Line(f"{names[me]}, it's your turn.", "turn"),
        Line(f"Your tower height: {mine}", tone="goal", gauge=(mine, rules.goal)),
        Line(f"Opponent's tower height: {theirs}", tone="goal", gauge=(theirs, rules.goal)),
    ]


def prompt(rules: Rules, s: State, me: int, names: Names) -> str:
    return "Enter your move: "


def tell(rules: Rules, s: State, move: int, after: State, names: Names, you: bool) -> list[Line]:
    me = s.mover
    if move == Move.ATTACK:
        theirs = after.towers[1 - me]
        owner = "Opponent's" if you else f"{names[1 - me]}'s"
        return [
            Line(f"{names[me]} attacks: {amount(rules.knocked, 'unit')} removed from {names[1 - me]}'s tower.", "hurt"),
            Line(f"{owner} tower height is now {theirs}.", tone="goal", gauge=(theirs, rules.goal)),
        ]
    owner = "Your" if you else f"{names[me]}'s"
    return [
        Line(f"{names[me]} builds {amount(rules.builds[move], 'unit')}.", "gain"),
        Line(f"{owner} tower height is now {after.towers[me]}.", tone="goal", gauge=(after.towers[me], rules.goal)),
    ]


def ending(rules: Rules, s: State, names: Names) -> str:
    tallest = 0 if s.towers[0] > s.towers[1] else 1
    height = s.towers[tallest]
    if height > rules.goal:
        return f"{names[tallest]}'s tower is {height} units tall, over {rules.goal}."
    return f"{names[tallest]}'s tower is now exactly {amount(height, 'unit')} tall."


def farewell(rules: Rules, s: State, names: Names) -> list[Line]:
    return [
        Line(),
        *status(rules, s, names),
        Line(ending(rules, s, names)),
        Line(f"{names[winner(rules, s)]} wins!", "end"),
    ]

"""Positions of Number Duel (secret): `HP1 HP2 last1 last2`, as in `98 96 9 7`.

`-` stands for no last number yet; `x` follows a number whose owner repeated it and so forfeited.
"""

from duelbook.core import BadPosition, Part
from duelbook.games.secret.rules import DoubleForfeit, Rules, State
from duelbook.speech import position_fields, position_number, position_pair, quote

SEATS = ("Player A", "Player B")


def write_position(rules: Rules, s: State) -> str:
    lasts = [f"{number or '-'}{'x' if forfeit else ''}" for number, forfeit in zip(s.last, s.forfeit, strict=True)]
    return f"{s.hp[0]} {s.hp[1]} {lasts[0]} {lasts[1]}"


def read_position(rules: Rules, text: str) -> State:
    one, two, *lasts = position_fields(text.lower(), "'98 96 9 7' (both HP, then both last numbers, - for none)", 4)
    hp = position_pair((one, two), "HP", 0, rules.hp, SEATS)
    if max(hp) == 0:
        raise BadPosition("Only one player can be at 0 HP: the game ends there.")
    numbers, forfeits = [], []
    for word in lasts:
        forfeits.append(int(word.endswith("x")))
        number = word.removesuffix("x")
        numbers.append(0 if number == "-" else position_number(number, "A last number", 1, rules.highest))
        if number == "-" and forfeits[-1]:
            raise BadPosition("Without a last number there is nothing to repeat: '-x' cannot be.")
    if sum(forfeits) == 2 and rules.double_forfeit == DoubleForfeit.VOID:
        raise BadPosition("With double_forfeit=void a round that both repeat is picked again, so only one can forfeit.")
    return State(hp, (numbers[0], numbers[1]), (forfeits[0], forfeits[1]))


def _last(rules: Rules, words: list[str], said: str) -> None:
    numbers = said.replace(",", " ").split()
    if len(numbers) != 2:
        raise BadPosition(
            f"--last takes two numbers, Player A's and Player B's, as in 10,9; it cannot be {quote(said)}."
        )
    words[2:] = numbers


PARTS = {"last": Part("both last numbers; - for none", "10,9", _last)}

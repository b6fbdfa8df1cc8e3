"""Positions of Command Line Conquer: HP and status of both, then the mover, as in `10r 8d 1`."""

from duelbook.core import BadPosition, Part
from duelbook.games.conquer.rules import Rules, State, Status
from duelbook.speech import position_fields, position_mover, position_pair, quote

LETTERS = "rdhc"
"""Ready, defending, healing (exposed), healing (covered): the letter of each `Status`."""


def write_position(rules: Rules, s: State) -> str:
    return f"{s.hp[0]}{LETTERS[s.status[0]]} {s.hp[1]}{LETTERS[s.status[1]]} {s.mover + 1}"


def read_position(rules: Rules, text: str) -> State:
    one, two, mover = position_fields(text.lower(), "'10r 8d 1' (HP and status of both, then whose turn it is)", 3)
    lowest = 1 - max(rules.damage, rules.exposed_damage, 1)
    for word in (one, two):
        if word[-1] not in LETTERS:
            raise BadPosition(
                f"{quote(word)} has no status: r is ready, d defending, h healing, c healing under cover of a Defend."
            )
    hp = position_pair((one[:-1], two[:-1]), "HP", lowest, rules.hp)
    status = (LETTERS.index(one[-1]), LETTERS.index(two[-1]))
    if Status.COVERED in status and not rules.covered_heal:
        raise BadPosition("With covered_heal=false no heal is covered: use h instead of c.")
    if max(hp) <= 0:
        raise BadPosition("Only one player can be at 0 HP or below: the game ends there.")
    return State(hp, status, position_mover(mover))


def _status(rules: Rules, words: list[str], said: str) -> None:
    letters = said.strip().lower()
    if len(letters) != 2:
        raise BadPosition(
            f"--status takes two letters, Player 1's and Player 2's, as in rd; it cannot be {quote(said)}."
        )
    words[:2] = [words[seat].rstrip("rdhc") + letters[seat] for seat in (0, 1)]


PARTS = {"status": Part("both statuses, each r, d, h or c", "rd", _status)}

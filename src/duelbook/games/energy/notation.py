"""Positions of Energy Duel: `E1 E2 mover`, as in `8 6d 1`.

`d` follows the number of a player whose defense stands; a final `p` says the turn before was a pass, `pp` a stand-off.
"""

from duelbook.core import BadPosition, Part
from duelbook.games.energy.rules import Rules, State
from duelbook.speech import position_fields, position_mover, position_pair, quote


def write_position(rules: Rules, s: State) -> str:
    guards = ["", ""]
    guards[1 - s.mover] = "d" if s.guarded else ""
    passed = f" {'p' * s.passes}" if s.passes else ""
    return f"{s.energy[0]}{guards[0]} {s.energy[1]}{guards[1]} {s.mover + 1}{passed}"


def read_position(rules: Rules, text: str) -> State:
    shape = "'8 6d 1' (both energies, d for a standing defense, then whose turn it is)"
    one, two, mover, *rest = position_fields(text.lower(), shape, 3, 4)
    if not rest and mover.endswith("p"):
        bare = mover.rstrip("p")
        mover, rest = bare, [mover[len(bare) :]]
    if rest and rest[0] not in ("p", "pp"):
        raise BadPosition(f"After the mover only p (a pass) or pp (two in a row) can follow, not {quote(rest[0])}.")
    me = position_mover(mover)
    if (one, two)[me].endswith("d"):
        raise BadPosition("Only the player who just moved can have a defense standing.")
    guarded = int((one, two)[1 - me].endswith("d"))
    passes = len(rest[0]) if rest else 0
    if guarded and passes:
        raise BadPosition("The turn before was a pass or a defense, not both.")
    energy = position_pair((one.removesuffix("d"), two.removesuffix("d")), "energy", 0, rules.energy)
    if passes and energy[1 - me] == 0:
        raise BadPosition("A player without energy has lost and cannot have passed.")
    return State(energy, me, guarded, passes)


def _defended(rules: Rules, words: list[str], said: str) -> None:
    just_moved = 1 if words[2] == "1" else 0
    words[just_moved] = words[just_moved].rstrip("d") + "d"


PARTS = {"defended": Part("the defence of the player who just moved stands", "", _defended)}

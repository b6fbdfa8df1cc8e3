"""The chances of `chances` for large duels: found once for two players by a compiler, and kept in a file.

A table holds two numbers of 16 bits for each position that the solution's own table holds, for the position and for its
mirror. It is believed only if its checksum holds, which covers the rules and what the two players do at some positions
all over the duel: a table that was made from other plans is none of theirs.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Iterator
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from threading import Lock

from duelbook.core import BOTH, LUCK, OVER, DuelError, SomeState, rules_hash
from duelbook.match import BELL
from duelbook.policies.chances import WHOLE, Kinds
from duelbook.policies.plans import plan_by
from duelbook.positions.size import there_is_a_compiler
from duelbook.positions.target import end_value
from duelbook.solving.cache import keep, kept_file, read_kept
from duelbook.solving.library import shipped_file
from duelbook.solving.solution import Solution

MAGIC = b"duelbook chances 1\n"
LARGEST_FILE = 1 << 28
_one_at_a_time = Lock()  # who comes second finds what the first has kept
ASKED = 100
"""At so many positions a file's plans are compared with those of today."""
DIGITS = 9


class Turned:
    """A table seen from the other side: the second of its players is Player 1."""

    def __init__(self, table: ChanceTable) -> None:
        self.table = table

    def player1(self, state: SomeState) -> float:
        return 1 - self.table.player1(self.table.solution.numbering.mirror(state))


class ChanceTable:
    """As `Chances`, from a table: Player 1's wins and half of what nobody wins."""

    def __init__(self, solution: Solution, kinds: Kinds, table: array[int], even: bool) -> None:
        self.solution, self.kinds, self.table = solution, kinds, table
        self.even = even
        """Whether the seats can be swapped without any difference, so that the table serves the two in either."""

    def player1(self, state: SomeState) -> float:
        game, rules = self.solution.game, self.solution.rules
        turn = game.turn(rules, state)
        if turn == OVER:
            return float(1 + end_value(game.winner(rules, state))) / 2
        if self.solution.kind == "luck" and turn != LUCK:  # the solution, too, holds only where luck acts
            plan = plan_by(self.kinds[turn], self.solution, state, turn)
            moves = [(move, share) for move, share in enumerate(plan) if share]
            return sum(share * self.player1(game.apply(rules, state, move)) for move, share in moves)
        number, turned = self.solution.numbering.find(state)
        kept = self.table[2 * number + turned] if 0 <= number < len(self.solution.table) else 0
        if not kept:
            raise DuelError(f"The position {game.write_position(rules, state)} cannot come up in play.")
        return (kept - 1) / WHOLE


# Files


def at_hand(solution: Solution, kinds: Kinds) -> ChanceTable | Turned | None:
    """The table of two players, if it was shipped or is kept: as they sit, or the other way round."""
    other = kept_table(solution, (kinds[1], kinds[0])) if solution.numbering.turns_round else None
    return Turned(other) if other is not None and other.even else kept_table(solution, kinds)


def kept_table(solution: Solution, kinds: Kinds) -> ChanceTable | None:
    for path in (shipped_chances(solution, kinds), kept_file(solution.game, solution.rules, _ending(kinds))):
        table = from_bytes(solution, kinds, _read(path))
        if table is not None:
            return table
    return None


def shipped_chances(solution: Solution, kinds: Kinds) -> Path:
    """Where the package has the chances of these two, if it has them."""
    return shipped_file(solution.game, solution.rules).with_suffix(_ending(kinds))


def _read(path: Path) -> bytes:
    try:
        return read_kept(path, LARGEST_FILE) or b""
    except OSError:
        return b""  # whatever is wrong with the file, it can be made anew


def worked_out(solution: Solution, kinds: Kinds) -> ChanceTable | Turned | None:
    """The same, computed now and kept where it is not there; None for a duel where that cannot be done."""
    if solution.kind == "backwards" or not there_is_a_compiler():
        return None
    with _one_at_a_time:
        known = at_hand(solution, kinds)
        if known is None:
            table = computed(solution, kinds)
            if table is not None:
                keep(kept_file(solution.game, solution.rules, _ending(kinds)), to_bytes(table))
            return table
        return known


def computed(solution: Solution, kinds: Kinds) -> ChanceTable | None:
    from duelbook.policies.carried_back import cards_carried_back, picks_carried_back

    found = (picks_carried_back if solution.kind == "picks" else cards_carried_back)(solution, kinds)
    return None if found is None else ChanceTable(solution, kinds, *found)


def _ending(kinds: Kinds) -> str:
    return f".{'-'.join(kinds).replace(':', '')}.chances"


def to_bytes(chances: ChanceTable) -> bytes:
    """Neighbours are much alike, so what is packed is how far each is from the one before; first all low bytes."""
    parts = b""
    for turned in (0, 1):
        column = chances.table[turned::2]
        steps = array("H", ((now - then) & 0xFFFF for now, then in zip(column, [0, *column[:-1]], strict=True)))
        data = _little(steps).tobytes()
        parts += data[0::2] + data[1::2]
    body = (b"1" if chances.even else b"0") + zlib.compress(parts, 9)
    return MAGIC + _checksum(chances.solution, chances.kinds, body) + b"\n" + body


def from_bytes(solution: Solution, kinds: Kinds, data: bytes) -> ChanceTable | None:
    """The table in a file, or None where it is not one of these two players under these rules."""
    digest, _, body = data.removeprefix(MAGIC).partition(b"\n")
    if not data.startswith(MAGIC) or digest != _checksum(solution, kinds, body):
        return None
    count = len(solution.table)
    try:
        parts = zlib.decompressobj().decompress(body[1:], 4 * count + 1)
    except zlib.error:
        return None
    if len(parts) != 4 * count:
        return None
    table = array("H", bytes(4 * count))
    for turned in (0, 1):
        mixed = bytearray(2 * count)
        mixed[0::2], mixed[1::2] = (parts[at * count : (at + 1) * count] for at in (2 * turned, 2 * turned + 1))
        steps = _little(array("H", bytes(mixed)))
        table[turned::2] = array("H", accumulate(steps, lambda then, step: (then + step) & 0xFFFF))
    return ChanceTable(solution, kinds, table, even=body[:1] == b"1")


def _little(column: array[int]) -> array[int]:
    """As files hold it: the lowest byte of a number first, on every machine."""
    if sys.byteorder == "big":
        column.byteswap()
    return column


def _checksum(solution: Solution, kinds: Kinds, body: bytes) -> bytes:
    """Of the file, and of what it was made from."""
    numbering = solution.numbering
    whose = (solution.game.id, rules_hash(solution.game, solution.rules), numbering.layout, numbering.turns_round)
    plans = [
        [round(share, DIGITS) + 0.0 for share in plan_by(kind, solution, state, seat)]
        for state, seat in _some_decisions(solution)
        for kind in kinds
    ]
    return sha256(repr((*whose, len(solution.table), kinds, BELL, plans)).encode() + body).hexdigest().encode()


def _some_decisions(solution: Solution) -> Iterator[tuple[SomeState, int]]:
    """Positions at which somebody decides, from all over the table, and who it is."""
    game, rules, count = solution.game, solution.rules, len(solution.table)
    for part in range(ASKED):
        place = part * (count - 1) // ASKED
        if solution.known(place) is None:
            continue
        state = solution.position(place)
        while game.turn(rules, state) == LUCK:
            able = [face for face in game.faces if game.odds(rules, state, face)]
            state = game.deal(rules, state, able[part % len(able)])
        turn = game.turn(rules, state)
        if turn != OVER:
            yield from ((state, seat) for seat in ((0, 1) if turn == BOTH else (turn,)))

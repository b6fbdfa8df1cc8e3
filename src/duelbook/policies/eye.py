"""How a position looks to somebody who does not look ahead: as it would go if both sides moved at random from then on.

That is what tempts a player who is not perfect. A position in which most ways on are good looks good, also where
the other side has the one answer that wins. It is exact: the expected end of random play, found by going through all
positions until nothing changes (value iteration).

It is found once for a solution, for just the positions that the solution holds. For the books that ship, it ships too;
for other rules it is kept in the user's cache.
"""

from __future__ import annotations

import zlib
from array import array
from hashlib import sha256
from math import log, tanh
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from duelbook.core import LUCK, OVER, SomeState, rules_hash
from duelbook.patience import patience
from duelbook.positions.branches import explore_branches
from duelbook.positions.graph import Graph, explore
from duelbook.positions.kind import kind_of
from duelbook.positions.layout import Layout, packing
from duelbook.positions.machine import Machine, machine_for
from duelbook.positions.size import measured, named
from duelbook.positions.target import end_value, value_at
from duelbook.solving.cache import keep, kept_file, read_kept
from duelbook.solving.library import shipped_file
from duelbook.solving.recursive import ILLEGAL, explore_simultaneous
from duelbook.solving.solution import Solution

if TYPE_CHECKING:
    from duelbook.positions.numbers import Numbers, Room

ENOUGH = 1e-8
"""When no position looks different by more than this after going through all of them, it is done."""
MOST_SWEEPS = 10_000
EVEN = 128
"""How an even position is kept; the others by their log-odds in tenths, around it. 0 stands where there is none."""
TENTHS = 10
FARTHEST = 115
"""No position is kept as further from even than this: a chance of about one in a hundred thousand."""
DECISIONS_AHEAD = 3
"""Where luck has a say, the table holds the positions at which it acts. Of decisions that follow each other so many are
looked at, to what may come of them; whatever lies behind them seems even."""
MAGIC = b"duelbook eye 1\n"
LARGEST_FILE = 1 << 28

SEEN = tuple(tanh((kept - EVEN) / TENTHS / 2) for kept in range(256))
"""By what the table keeps of a position how it looks to Player 1."""


class Eye:
    """How every position of a solution looks to Player 1: from -1, where all seems lost, to 1."""

    def __init__(self, solution: Solution, table: bytes) -> None:
        self.solution, self.table = solution, table

    def value(self, state: SomeState, ahead: int = DECISIONS_AHEAD) -> float:
        game, rules = self.solution.game, self.solution.rules
        turn = game.turn(rules, state)
        if turn == OVER:
            return float(end_value(game.winner(rules, state)))
        if self.solution.kind == "luck" and turn != LUCK:
            moves = game.legal_moves(rules, state, turn) if ahead else []
            return sum(self.value(game.apply(rules, state, move), ahead - 1) for move in moves) / max(1, len(moves))
        number, turned = self.solution.numbering.find(state)
        value = SEEN[self.table[number]]
        return -value if turned else value


_known: WeakKeyDictionary[Solution, Eye] = WeakKeyDictionary()


def eye_of(solution: Solution) -> Eye:
    """The eye for the positions of a solution: shipped, kept, or found now and kept."""
    if solution not in _known:
        _known[solution] = _find(solution)
    return _known[solution]


def shipped_eye(solution: Solution) -> Path:
    """Where the package has the eye of these rules, if it has one."""
    return shipped_file(solution.game, solution.rules).with_suffix(".eye")


def _find(solution: Solution) -> Eye:
    kept = kept_file(solution.game, solution.rules, ".eye")
    for path in (shipped_eye(solution), kept):
        found = from_bytes(solution, _read(path))
        if found is not None:
            return found
    with patience(f"Looking at every position of {named(solution.game, solution.rules)} ..."):
        eye = look(solution)
    keep(kept, to_bytes(eye))
    return eye


def _read(path: Path) -> bytes:
    try:
        return read_kept(path, LARGEST_FILE) or b""
    except OSError:
        return b""  # whatever is wrong with the file, it can be made anew


def to_bytes(eye: Eye) -> bytes:
    body = zlib.compress(eye.table, 9)
    return MAGIC + sha256(_belongs(eye.solution) + body).hexdigest().encode() + b"\n" + body


def from_bytes(solution: Solution, data: bytes) -> Eye | None:
    """The eye in a file, or None where it is not one for the positions of this solution."""
    digest, _, body = data.removeprefix(MAGIC).partition(b"\n")
    if not data.startswith(MAGIC) or digest != sha256(_belongs(solution) + body).hexdigest().encode():
        return None
    try:
        table = zlib.decompressobj().decompress(body, len(solution.table) + 1)
    except zlib.error:
        return None
    return Eye(solution, table) if len(table) == len(solution.table) else None


def _belongs(solution: Solution) -> bytes:
    """Whose eye a file holds: which rules, and how their positions are numbered."""
    numbering = solution.numbering
    whose = (solution.game.id, rules_hash(solution.game, solution.rules), numbering.layout, numbering.turns_round)
    return repr((*whose, len(solution.table))).encode()


# How it is found


def look(solution: Solution) -> Eye:
    """The eye, found now."""
    game, rules = solution.game, solution.rules
    table = bytearray(len(solution.table))
    if solution.states == 0:
        return Eye(solution, bytes(table))
    if solution.kind == "backwards":
        _look_at_turns(solution, table)
        return Eye(solution, bytes(table))
    machine = machine_for(measured(game, rules, kind_of(game)))
    if solution.kind == "picks":
        positions = explore_simultaneous(game, rules, machine)
        values = _nothing(machine, len(positions.numbers))
        machine.twin(settle_picks)(positions.after, len(game.moves) ** 2, values)
        _note(solution, table, positions.layout, positions.numbers, values)
    else:
        branches = explore_branches(game, rules, machine)
        values = _nothing(machine, len(branches.numbers))
        machine.twin(settle)(*branches.ways, values)
        drawn = [node for node, kind in enumerate(branches.kinds) if kind == LUCK]
        numbers, shown = ([column[node] for node in drawn] for column in (branches.numbers, values))
        _note(solution, table, branches.layout, numbers, shown)
    return Eye(solution, bytes(table))


def _nothing(machine: Machine, count: int) -> Any:
    return machine.array(array("d", bytes(8 * count)))


def _look_at_turns(solution: Solution, table: bytearray) -> None:
    numbers = [number for number in range(len(solution.table)) if solution.table[number]]
    unpack = solution.numbering.unpack
    graph: Graph = explore(solution.game, solution.rules, map(unpack, numbers))
    nodes = len(graph.states)
    widths = [graph.starts[node + 1] - graph.starts[node] for node in range(nodes)]
    values = [0.0] * nodes
    settle(range(nodes + 1), graph.starts, [1] * nodes, graph.movers, widths, graph.targets, values)
    for state, value in zip(graph.states, values, strict=True):
        number, turned = solution.numbering.find(state)
        table[number] = _kept(-value if turned else value)


def _kept(value: float) -> int:
    """What the table keeps of a value from -1 to 1."""
    if abs(value) >= 1:
        return EVEN + FARTHEST * round(value)
    return EVEN + max(-FARTHEST, min(FARTHEST, round(TENTHS * log((1 + value) / (1 - value)))))


def _note(solution: Solution, table: bytearray, layout: Layout, numbers: Any, values: Any) -> None:
    """Write down how the positions of these numbers look, each where the solution has it."""
    if layout == solution.numbering.layout:
        for number, value in zip(numbers, values, strict=True):
            table[number] = _kept(value)
        return
    unpack = packing(layout, type(solution.game.start(solution.rules, 0))).unpack
    for number, value in zip(numbers, values, strict=True):
        place, turned = solution.numbering.find(unpack(number))
        table[place] = _kept(-value if turned else value)


def settle(
    firsts: Numbers[int],
    starts: Numbers[int],
    weights: Numbers[int],
    choosers: Numbers[int],
    widths: Numbers[int],
    targets: Numbers[int],
    values: Room[float],
) -> None:
    """Go through all nodes until nothing changes, where luck takes branches by weight and seats move at random."""
    for _sweep in range(MOST_SWEEPS):
        moved = 0.0
        for node in range(len(values) - 1, -1, -1):
            edge, found, total = starts[node], 0.0, 0.0
            for branch in range(firsts[node], firsts[node + 1]):
                part = 0.0
                for _way in range(widths[branch]):
                    part += value_at(targets[edge], values)
                    edge += 1
                total += weights[branch]
                found += weights[branch] * part / widths[branch]
            found /= total
            moved = max(moved, abs(found - values[node]))
            values[node] = found
        if moved < ENOUGH:
            break


def settle_picks(after: Numbers[int], pairs: int, values: Room[float]) -> None:
    """The same where both pick at once: every pair of legal picks is as likely as the next."""
    for _sweep in range(MOST_SWEEPS):
        moved = 0.0
        for node in range(len(values) - 1, -1, -1):
            found, met = 0.0, 0
            for place in range(node * pairs, (node + 1) * pairs):
                if after[place] != ILLEGAL:
                    found += value_at(after[place], values)
                    met += 1
            found /= met
            moved = max(moved, abs(found - values[node]))
            values[node] = found
        if moved < ENOUGH:
            break

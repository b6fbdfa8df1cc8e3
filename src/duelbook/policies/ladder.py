"""What happens when two players of known strength meet: exact chances, computed and not played out.

Every rung of the ladder is a table, and so is every character: at each position it is known how likely every move is,
as `plans` says. So the chance of being at a position is carried forward, turn by turn from the start until the bell.
Nothing is sampled and nothing is cut off: a match that the bell ends is counted as one.

What a decision loses is the value of the position less the value after the move, in win probability: half of the
distance on the scale from -1 to 1. A secret pick is measured against the other side's perfect plan. The perfect plan
loses nothing.

`python -m duelbook.policies` computes the tables of the books that ship with the package; it takes minutes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import product
from os import cpu_count
from typing import Any

from duelbook.beside import side_by_side
from duelbook.core import Game
from duelbook.match import BELL
from duelbook.policies.forward_picks import AtOnce
from duelbook.policies.forward_turns import Alone
from duelbook.policies.levels import TABULAR, Standings
from duelbook.policies.meeting import Meeting
from duelbook.policies.small_tables import small_table
from duelbook.policies.table_plans import table_plan
from duelbook.positions.drawn import explore_luck
from duelbook.positions.kind import kind_of
from duelbook.positions.machine import Machine, compiling, need_compiler, plain
from duelbook.positions.size import measured, named, there_is_a_compiler
from duelbook.solving.library import shipped_file, solution_for
from duelbook.solving.recursive import explore_simultaneous
from duelbook.solving.solution import Solution

FEW_STEPS = 1_000
"""A duel with so many ways on from all positions together is followed in plain Python before a compiler is ready."""
MANY_STEPS = 100_000
"""And with up to so many where there is no compiler: that takes minutes."""


def table_for(solution: Solution) -> Alone | AtOnce:
    """A duel laid out in arrays, for a compiler, so that any two rungs can meet on it."""
    from duelbook.policies.pick_tables import picks_table
    from duelbook.policies.turn_tables import board_table, cards_table

    game, rules = solution.game, solution.rules
    if solution.kind == "picks":
        return picks_table(solution, explore_simultaneous(game, rules, compiling()), BELL)
    if solution.kind == "luck":
        return cards_table(solution, explore_luck(game, rules, compiling()), BELL)
    return board_table(solution, BELL)


def laid_out(game: Game, rules: object) -> tuple[Alone | AtOnce, Machine]:
    """A duel laid out, and the machine that can go through it: a compiler where it is worth the time."""
    steps = measured(game, rules, kind_of(game)).steps
    if steps > MANY_STEPS:
        need_compiler(f"{named(game, rules)} is large: computing its win chances")
    solution = solution_for(game, rules)
    if steps > FEW_STEPS and there_is_a_compiler():
        return table_for(solution), compiling()
    return small_table(solution, BELL), plain()


def results(
    game: Game,
    rules: object,
    tell: Callable[[int, int], None] = lambda done, of: None,
    kinds: Sequence[str] = TABULAR,
) -> Standings:
    """Everybody of these kinds against everybody: the first of a pair sits in the first seat and begins.

    `tell` hears how many matches are done, of how many.
    """
    table, machine = laid_out(game, rules)
    meet: Callable[[Any, Any], Meeting] = table.meeting(machine)
    everyone = list(product(kinds, kinds))
    pairs = [(one, two) for at, (one, two) in enumerate(everyone) if not table.even or (two, one) not in everyone[:at]]
    found = {}
    with side_by_side(cpu_count() if machine.compiled else 1) as pool:
        plan = {kind: pool.submit(table_plan, table, machine, game, kind) for kind in kinds}
        meetings = pool.map(lambda pair: meet(plan[pair[0]].result(), plan[pair[1]].result()), pairs)
        for (one, two), meeting in zip(pairs, meetings, strict=True):
            found[one, two] = meeting.rounded()
            tell(len(found), len(pairs))
    if table.even:
        found |= {(two, one): meeting.turned() for (one, two), meeting in found.items()}
    return Standings({pair: found[pair] for pair in everyone})


def fingerprint(game: Game) -> str:
    """Which shipped solution a table was computed from."""
    return sha256(shipped_file(game, game.book).read_bytes()).hexdigest()[:16]

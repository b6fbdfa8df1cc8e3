"""What proves a solution: everything it says, checked again from the rules alone.

Alternating duels: a won position has a move to a position lost for the other and one ply nearer to the end, every move
of a lost one leads to a position that is won, and where nothing is won there is a move to where nothing is. The plies
go down with every step, so nothing can go round in circles and still be called won.

Luck: the values lie between two bounds that are computed anew from the rules.

Secret picks: at every position each player's plan is held against every reply. The plan must give at least the bound,
with the bounds of what follows. That alone would allow a promise that is put off for ever, so where a player is
promised more than the 0 of endless play, the other must not be able to keep the game among such positions.
"""

from __future__ import annotations

from array import array
from itertools import chain
from typing import NamedTuple

from duelbook.core import OVER, Game, SomeRules, SomeState
from duelbook.positions.graph import explore
from duelbook.positions.machine import Machine, machine_for
from duelbook.positions.size import measured
from duelbook.solving.solution import NotInTable, Solution

TOLERANCE = 1e-9
OTHERWISE = "The table is laid out otherwise than the positions of these rules."
LACKING = "The table does not hold every position."


class Certificate(NamedTuple):
    """What was checked, what it showed, and whether all of it held."""

    good: bool
    states: int
    error: float
    """The most that a value can be off."""
    sentence: str


def check(solution: Solution) -> Certificate:
    """Recompute a solution's proof. Nothing of it is believed but the table itself."""
    if solution.states == 0:
        return _check_nothing(solution)
    checkers = {"backwards": _check_backwards, "luck": _check_luck, "picks": _check_picks}
    return checkers[solution.kind](solution.game, solution.rules, solution)


def _machine(solution: Solution) -> Machine:
    return machine_for(measured(solution.game, solution.rules, solution.kind))


def _check_nothing(solution: Solution) -> Certificate:
    game, rules = solution.game, solution.rules
    over = all(game.turn(rules, game.start(rules, first)) == OVER for first in (0, 1))
    return Certificate(over, 0, 0.0, "The duel is over before it begins." if over else "The table holds nothing.")


def _check_backwards(game: Game, rules: SomeRules, solution: Solution) -> Certificate:
    graph = explore(game, rules, (game.start(rules, 0), game.start(rules, 1)))
    wrong = [state for state in graph.states if not _consistent(game, rules, solution, state)]
    if wrong:
        where = game.write_position(rules, wrong[0])
        return Certificate(
            False, len(graph.states), 2.0, f"{len(wrong)} positions contradict the rules, as {where} does."
        )
    return Certificate(
        True, len(graph.states), 0.0, "Every value and every number of plies follows from the next ones."
    )


def _consistent(game: Game, rules: SomeRules, solution: Solution, state: SomeState) -> bool:
    seat = game.turn(rules, state)
    sign = 1 if seat == 0 else -1
    try:
        mine, plies = sign * solution.value(state), solution.plies(state)
        options = [(sign * option.value, option.plies) for option in solution.options(state, seat)]
        plan = solution.plan(state, seat)
    except NotInTable:
        return False
    best = max(value for value, _ in options)
    if mine != best or (plies is None) != (mine == 0):
        return False
    lengths = [length for value, length in options if value == best and length is not None]
    if mine != 0 and plies != (min(lengths) if mine > 0 else max(lengths)):
        return False
    played = [move for move in game.legal_moves(rules, state, seat) if plan[move] > 0]
    kept = [game.apply(rules, state, move) for move in played]
    if abs(sum(plan) - 1) > TOLERANCE or not played or sum(plan[move] for move in played) < 1 - TOLERANCE:
        return False
    return all(sign * solution.value(after) == mine for after in kept)


def _check_luck(game: Game, rules: SomeRules, solution: Solution) -> Certificate:
    from duelbook.solving.chance import solve_luck
    from duelbook.solving.proof import farthest
    from duelbook.solving.solver import values_at_draws

    machine = _machine(solution)
    positions, bounds = solve_luck(game, rules, machine)
    held = (positions.layout, positions.numbers, positions.kinds, bounds.sure)
    layout, values = values_at_draws(machine, type(game.start(rules, 0)), *held)
    if (solution.numbering.layout, solution.numbering.turns_round) != (layout, positions.turns_round):
        return Certificate(False, positions.states, 2.0, OTHERWISE)
    count, worst = machine.twin(farthest)(machine.array(solution.table), machine.array(values))
    if worst > 1:
        return Certificate(False, positions.states, 2.0, LACKING)
    sentence = f"{count:,} values lie within {worst:.1e} of bounds computed again in {bounds.sweeps} sweeps."
    return Certificate(bool(worst <= TOLERANCE), positions.states, float(worst + bounds.gap), sentence)


def _check_picks(game: Game, rules: SomeRules, solution: Solution) -> Certificate:
    from duelbook.solving.proof import escapes, said_at, shortfall
    from duelbook.solving.recursive import explore_simultaneous

    machine = _machine(solution)
    positions = explore_simultaneous(game, rules, machine)
    picks, count = len(game.moves), len(positions.numbers)
    if (solution.numbering.layout, solution.numbering.turns_round) != (positions.layout, positions.turns_round):
        return Certificate(False, count, 2.0, OTHERWISE)
    facts = solution.facts
    columns = (
        array("d", [fact.low for fact in facts]),
        array("d", [fact.high for fact in facts]),
        array("d", chain.from_iterable(fact.first for fact in facts)),
        array("d", chain.from_iterable(fact.second for fact in facts)),
    )
    table = machine.array(solution.table)
    held, gap, *said = machine.twin(said_at)(positions.numbers, table, *map(machine.array, columns), picks)
    if not held:
        return Certificate(False, count, 2.0, LACKING)
    short = float(machine.twin(shortfall)(positions.after, picks, *said))
    endless = int(machine.twin(escapes)(positions.after, picks, *said))
    good = short <= TOLERANCE and gap <= TOLERANCE and endless == 0
    sentence = (
        f"Both plans, held against every reply, give their bounds to within {short:.1e}; "
        f"the bounds are at most {gap:.1e} apart; at {endless} positions a promise could be put off for ever."
    )
    return Certificate(good, count, max(short, float(gap)), sentence)

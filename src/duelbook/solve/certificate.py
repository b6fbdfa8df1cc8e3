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

from typing import Any, NamedTuple

from duelbook.core import LUCK, Game
from duelbook.solve.graph import explore
from duelbook.solve.solution import NotInTable, Solution
from duelbook.solve.solver import need_numba

TOLERANCE = 1e-9


class Certificate(NamedTuple):
    """What was checked, what it showed, and whether all of it held."""

    good: bool
    states: int
    error: float
    """The most that a value can be off."""
    sentence: str


def check(solution: Solution) -> Certificate:
    """Recompute a solution's proof. Nothing of it is believed but the table itself."""
    if solution.kind != "backwards":
        need_numba(solution.game, "Checking")
    checkers = {"backwards": _check_backwards, "luck": _check_luck, "picks": _check_picks}
    return checkers[solution.kind](solution.game, solution.rules, solution)


def _check_backwards(game: Game, rules: Any, solution: Solution) -> Certificate:
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


def _consistent(game: Game, rules: Any, solution: Solution, state: Any) -> bool:
    seat = game.turn(rules, state)
    sign = 1 if seat == 0 else -1
    try:
        mine, plies = sign * solution.value(state), solution.plies(state)
        options = [(sign * option.value, option.plies) for option in solution.options(state)]
        plan = solution.plans(state)[seat]
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


def _check_luck(game: Game, rules: Any, solution: Solution) -> Certificate:
    import numpy as np

    from duelbook.solve.chance import solve_luck
    from duelbook.solve.layout import decoded, encoded

    positions, bounds = solve_luck(game, rules)
    drawing = np.flatnonzero(positions.kinds == LUCK)
    columns = decoded(positions.layout, positions.numbers[drawing])
    layout = solution.numbering.layout
    for digit, (low, step, places) in enumerate(layout.spans):
        offsets = columns[digit] - low
        if offsets.min() < 0 or offsets.max() >= places * step or (offsets % step).any():
            return Certificate(False, len(positions.numbers), 2.0, "The table does not hold every position.")
    values = np.frombuffer(solution.table)[encoded(layout, columns)]
    worst = float(np.maximum(bounds.high[drawing] - values, values - bounds.low[drawing]).max())
    good = worst <= TOLERANCE
    sentence = f"{len(drawing):,} values lie within {worst:.1e} of bounds computed anew in {bounds.sweeps} sweeps."
    return Certificate(good, len(positions.numbers), worst, sentence)


def _check_picks(game: Game, rules: Any, solution: Solution) -> Certificate:
    import numpy as np

    from duelbook.solve.layout import Numbering
    from duelbook.solve.proof import escapes, shortfall
    from duelbook.solve.recursive import explore_simultaneous

    positions = explore_simultaneous(game, rules)
    numbering = Numbering(positions.layout, type(game.start(rules, 0)), positions.turns_round)
    count, moves = len(positions.numbers), len(game.moves)
    places = np.zeros(count, np.int64)
    same = numbering.layout == solution.numbering.layout
    for node in range(count) if not same else ():
        number, turned = solution.numbering.find(numbering.unpack(int(positions.numbers[node])))
        if turned or not 0 <= number < len(solution.table):
            return Certificate(False, count, 2.0, "The table does not hold every position.")
        places[node] = solution.table[number]
    if same:
        places = np.frombuffer(solution.table, solution.table.typecode)[positions.numbers].astype(np.int64)
    if not len(solution.facts) or places.min() < 1 or places.max() > len(solution.facts):
        return Certificate(False, count, 2.0, "The table does not hold every position.")
    rows = np.array([[fact.low, fact.high, *fact.first, *fact.second] for fact in solution.facts])[places - 1]
    low, high = np.ascontiguousarray(rows[:, 0]), np.ascontiguousarray(rows[:, 1])
    first, second = np.ascontiguousarray(rows[:, 2 : 2 + moves]), np.ascontiguousarray(rows[:, 2 + moves :])
    short = shortfall(positions.after, low, high, first, second)
    gap = float((high - low).max())
    endless = escapes(positions.after, low, high, first, second)
    good = short <= TOLERANCE and gap <= TOLERANCE and endless == 0
    sentence = (
        f"Both plans, held against every reply, give their bounds to within {short:.1e}; "
        f"the bounds are at most {gap:.1e} apart; at {endless} positions a promise could be put off for ever."
    )
    return Certificate(good, count, max(short, gap), sentence)

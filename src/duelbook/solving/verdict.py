"""What a solution says of a position, in a sentence."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

from duelbook.core import OVER, SomeState
from duelbook.solving.solution import Solution
from duelbook.speech import amount


def verdict(solution: Solution, state: SomeState) -> str:
    """Who wins with best play, in a sentence."""
    one, two = solution.game.seats
    value, plies = solution.value(state), solution.plies(state)
    if solution.game.turn(solution.rules, state) == OVER:
        why = solution.game.dialogue.ending(solution.rules, state, solution.game.seats)
        return f"The game is over here. {why} {'Nobody' if value == 0 else one if value > 0 else two} wins."
    if solution.kind == "luck":
        return f"{one} wins {(value + 1) / 2:.5%} with best play (error below {max(solution.error, 1e-15):.0e})."
    if plies is not None:
        return f"{one if value > 0 else two} wins with best play, in at most {amount(plies, 'move')}."
    low, high = solution.bounds(state)
    if low == high == 0:
        if solution.kind == "picks":
            return "Worth 0: either player can keep from losing, for ever."
        return f"Nobody can force a win: {_how_it_stays_even(solution, state)}."
    if abs(value) > 1 - 1e-9:
        return f"{one if value > 0 else two} wins with best play."
    return f"Worth {value:+.6f} to {one}, from -1 (lost) to 1 (won); the bounds are {high - low:.1e} apart."


def _how_it_stays_even(solution: Solution, state: SomeState) -> str:
    """Whether best play among positions that nobody wins can end in a draw, can go on for ever, or both."""
    game, rules = solution.game, solution.rules
    drawn, followed = False, {state: set[SomeState]()}
    for at in (waiting := [state]):  # grows while it is walked
        for option in solution.options(at, game.turn(rules, at)):
            after = game.apply(rules, at, option.move)
            if option.value != 0:
                continue
            if game.turn(rules, after) == OVER:
                drawn = True
                continue
            followed[at].add(after)
            if after not in followed:
                followed[after] = set()
                waiting.append(after)
    try:
        TopologicalSorter(followed).prepare()
    except CycleError:
        return "best play is drawn or never ends" if drawn else "best play never ends"
    return "best play is drawn"

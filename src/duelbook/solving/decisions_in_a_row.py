"""Decisions that follow each other in a duel with luck, before luck acts again: as when a player may pass."""

from __future__ import annotations

from collections.abc import Callable

from duelbook.core import BOTH, Game, SomeRules, SomeState


def value_of_decisions(game: Game, rules: SomeRules, state: SomeState, known: Callable[[SomeState], float]) -> float:
    """What a decision is worth to Player 1, from what is known where luck acts or the game is over.

    Decisions may lead back to each other; to go on so for ever is worth 0. Whatever a player can force is forced within
    as many steps as there are decisions, so after so many sweeps nothing changes any more (backward induction).
    """
    seats = {state: game.turn(rules, state)}
    values: dict[SomeState, float] = {}
    afters: dict[SomeState, list[SomeState]] = {}
    for at in (waiting := [state]):  # grows while it is walked
        afters[at] = [game.apply(rules, at, move) for move in game.legal_moves(rules, at, seats[at])]
        for after in afters[at]:
            turn = game.turn(rules, after)
            if turn >= BOTH:
                values[after] = known(after)
            elif after not in seats:
                seats[after] = turn
                waiting.append(after)
    values |= dict.fromkeys(seats, 0.0)
    for _ in seats:
        values |= {at: (max if seat == 0 else min)(values[after] for after in afters[at]) for at, seat in seats.items()}
    return values[state]

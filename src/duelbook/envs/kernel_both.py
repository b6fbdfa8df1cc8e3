"""Both seats of thousands of games, compiled: whoever is on turn acts, and where both are, both do.

A lane goes where PettingZoo's parallel environment would go with the same actions and the same seed.
"""

from __future__ import annotations

from typing import Any

from numba import njit, uint64

from duelbook.core import BOTH, LUCK, OVER
from duelbook.envs.draws import DEALS
from duelbook.envs.encoding import Encoding
from duelbook.envs.lanes import AT_ONCE, FINE, Loop, luck_of, whole_rules
from duelbook.envs.written import written
from duelbook.positions.compiler import keep_by
from duelbook.positions.rule_code import functions_hash
from duelbook.simulate.choices import stir

FAULT = -1
"""No move: what was played cannot be."""


def chooser_of(encoding: Encoding) -> Any:
    """What an action of a seat comes to: a move that counts, or FAULT."""
    rules_of, moves = whole_rules(encoding), encoding.moves
    legal, foul = rules_of.legal, rules_of.foul

    @njit(forceinline=True)
    def meant(rules, state, seat, action, replaces):  # type: ignore[no-untyped-def]  # the compiler finds the types
        inside = 0 <= action < moves
        if inside and legal(rules, state, seat, action):
            return action
        if replaces:
            for move in range(moves):
                if legal(rules, state, seat, move):
                    return move
        return action if inside and foul(rules, state, seat, action) else FAULT

    return meant


def loop_for_both(encoding: Encoding) -> Loop:
    """The loop of both seats. What belongs to one game goes from function to function by itself, as in `kernel`."""
    rules_of, lies, dealt, meant = whole_rules(encoding), written(encoding), luck_of(encoding), chooser_of(encoding)
    turn, legal, winner = rules_of.turn, rules_of.legal, rules_of.winner
    apply, resolve, start = rules_of.apply, rules_of.resolve, rules_of.start
    load, store, observe = lies.load, lies.store, lies.observe
    moves, waits = encoding.moves, encoding.alternates

    @njit(forceinline=True)
    def go_on(rules, state, key, turns, deals, bell):  # type: ignore[no-untyped-def]  # the compiler finds the types
        """Let luck act until somebody has to decide, or it is over: where that is, and who acts then."""
        acts = turn(rules, state)
        while acts == LUCK and turns < bell:
            state = dealt(rules, state, stir(stir(key, DEALS), deals))
            deals += 1
            acts = turn(rules, state)
        return state, acts, deals

    @njit(forceinline=True)
    def after(rules, state, acts, moved):  # type: ignore[no-untyped-def]  # the compiler finds the types
        return resolve(rules, state, moved[0], moved[1]) if acts == BOTH else apply(rules, state, moved[acts])

    @njit(forceinline=True)
    def show(rules, lane, state, acts, seen, masks, open):  # type: ignore[no-untyped-def]  # the compiler finds the types
        for seat in range(2):
            observe(seen, lane, seat, state, seat)
            mine = open and acts in (seat, BOTH)
            for move in range(moves):
                masks[lane, seat, move] = mine and legal(rules, state, seat, move)
            if waits:
                masks[lane, seat, moves] = open and not mine

    @njit
    def step(rules, lanes, told, tables, which, actions, seat, bell, replaces, again, low, high):  # type: ignore[no-untyped-def]  # the compiler finds the types
        for lane in range(low, high):
            if not which[lane]:
                continue
            begins = lanes.done[lane]
            told.rewards[lane], told.over[lane], told.rung[lane] = 0.0, False, False
            if not begins:
                state = load(lanes.numbers, lane)
                acts = turn(rules, state)
                one = meant(rules, state, 0, int(actions[lane, 0]), replaces) if acts != 1 else 0
                two = meant(rules, state, 1, int(actions[lane, 1]), replaces) if acts != 0 else 0
                if one == FAULT or two == FAULT:
                    told.over[lane] = True
                    told.rewards[lane] = 0.0 if one == two else -1.0 if one == FAULT else 1.0
                else:
                    turns = lanes.turns[lane] + 1
                    state = after(rules, state, acts, (one, two))
                    state, acts, deals = go_on(rules, state, lanes.keys[lane], turns, lanes.dealt[lane], bell)
                    store(lanes.numbers, lane, state)
                    lanes.turns[lane], lanes.dealt[lane] = turns, deals
                    told.over[lane] = acts == OVER
                    told.rung[lane] = acts != OVER and turns >= bell
                    if acts == OVER:
                        won = winner(rules, state)
                        told.rewards[lane] = 1.0 if won == 0 else -1.0 if won == 1 else 0.0
                ends = told.over[lane] or told.rung[lane]
                begins = ends and again == AT_ONCE
                if begins:
                    show(rules, lane, state, acts, told.last_seen, told.last_masks, False)
                else:
                    show(rules, lane, state, acts, told.seen, told.masks, not ends)
                    lanes.done[lane] = ends
            if begins:
                key = stir(stir(uint64(0), lanes.seeds[lane]), lanes.games[lane])
                state, acts, deals = go_on(rules, start(rules, 0), key, 0, 0, bell)
                store(lanes.numbers, lane, state)
                lanes.games[lane] += 1
                lanes.keys[lane], lanes.turns[lane], lanes.dealt[lane] = key, 0, deals
                show(rules, lane, state, acts, told.seen, told.masks, True)
                lanes.done[lane] = False
        return FINE, high

    return keep_by(functions_hash(step), step, brief=True)

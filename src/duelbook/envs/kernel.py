"""One agent against an opponent in thousands of games, compiled: the rules as they stand, luck, and tables of plans.

Each game is a lane of some arrays. A lane draws the numbers that `draws` would draw for it, and must go where `carried`
would go with them: a test plays both, step by step.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, uint64

from duelbook.core import BOTH, LUCK, OVER
from duelbook.envs.draws import CHOICES, DEALS, SEATS, SHARE, TRIES
from duelbook.envs.encoding import Encoding
from duelbook.envs.lanes import AT_ONCE, FINE, STRAY, TIRED, Loop, luck_of, whole_rules
from duelbook.envs.written import written
from duelbook.positions.compiled import compiled
from duelbook.positions.compiler import keep_by
from duelbook.positions.rule_code import functions_hash
from duelbook.simulate.choices import stir

FIXED = 2
"""Up to this a seat is given; from here on it is drawn."""


def any_legal(encoding: Encoding) -> Any:
    """An opponent who plays anything: `move_at` of a plan in which all legal moves have the same share."""
    legal, moves = compiled(encoding.game).legal, encoding.moves

    @njit(forceinline=True)
    def choose(rules, state, seat, bits, tables):  # type: ignore[no-untyped-def]  # the compiler finds the types
        many, first = 0, STRAY
        for move in range(moves - 1, -1, -1):
            if legal(rules, state, seat, move):
                many, first = many + 1, move
        share, at = 1.0 / max(1, many), np.float64(bits >> uint64(11)) * SHARE
        for move in range(moves):
            if legal(rules, state, seat, move):
                at -= share
                if at < 0:
                    return move
        return first

    return choose


def by_table(encoding: Encoding, pack: Any) -> Any:
    """An opponent who is a table: `move_at` of the plan that stands there; -1 where none does."""
    moves, number_of = encoding.moves, njit(pack)

    @njit(forceinline=True)
    def choose(rules, state, seat, bits, tables):  # type: ignore[no-untyped-def]  # the compiler finds the types
        rows, plans = tables[seat]
        number = number_of(state)
        if number < 0:
            return STRAY
        plan, at, best = rows[number], np.float64(bits >> uint64(11)) * SHARE, 0
        for move in range(moves):
            share = plans[plan, move]
            at -= share
            if at < 0 and share > 0:
                return move
            if share > plans[plan, best]:
                best = move
        return best if plans[plan, best] > 0 else STRAY

    return choose


def loop_for(encoding: Encoding, choose: Any) -> Loop:
    """The loop of one agent against an opponent.

    What belongs to one game goes from function to function by itself and not in the arrays of all of them: to hand
    those on, the compiler counts who holds them, and takes longer for it than for the game.
    """
    rules_of, lies, dealt = whole_rules(encoding), written(encoding), luck_of(encoding)
    turn, legal, foul, winner = rules_of.turn, rules_of.legal, rules_of.foul, rules_of.winner
    apply, resolve, start = rules_of.apply, rules_of.resolve, rules_of.start
    load, store, observe, moves = lies.load, lies.store, lies.observe, encoding.moves

    @njit(forceinline=True)
    def go_on(rules, state, me, key, counts, tables, bell):  # type: ignore[no-untyped-def]  # the compiler finds the types
        """Let luck and the opponent act until the agent has to, or it is over: where that is, and who acts then."""
        turns, deals, choices = counts
        acts = turn(rules, state)
        while acts in (LUCK, 1 - me) and turns < bell:
            if acts == LUCK:
                state = dealt(rules, state, stir(stir(key, DEALS), deals))
                deals += 1
            else:
                move = choose(rules, state, 1 - me, stir(stir(key, CHOICES), choices), tables)
                if move < 0:
                    acts = STRAY
                    break
                state = apply(rules, state, move)
                choices += 1
                turns += 1
            acts = turn(rules, state)
        return state, acts, (turns, deals, choices)

    @njit(forceinline=True)
    def act(rules, state, move, me, key, counts, tables, bell):  # type: ignore[no-untyped-def]  # the compiler finds the types
        """The agent's move and all that follows by itself: where that leads, and who acts then."""
        turns, deals, choices = counts
        if turn(rules, state) != BOTH:
            state = apply(rules, state, move)
        else:
            other = choose(rules, state, 1 - me, stir(stir(key, CHOICES), choices), tables)
            if other < 0:
                return state, STRAY, counts
            choices += 1
            state = resolve(rules, state, move, other) if me == 0 else resolve(rules, state, other, move)
        return go_on(rules, state, me, key, (turns + 1, deals, choices), tables, bell)

    @njit(forceinline=True)
    def begin(rules, seed, games, seat, tables, bell):  # type: ignore[no-untyped-def]  # the compiler finds the types
        """Begin the next game in which the agent has a turn: how that went, its seat and key, and where it begins."""
        went, me, key, state, counts = TIRED, np.int64(0), uint64(0), start(rules, 0), (0, 0, 0)
        for _ in range(TRIES):
            key = stir(stir(uint64(0), seed), games)
            games += 1
            me = seat if seat < FIXED else np.int64(stir(stir(key, SEATS), 0) & uint64(1))
            state, acts, counts = go_on(rules, start(rules, 0), me, key, (0, 0, 0), tables, bell)
            if acts == STRAY:
                went = STRAY
                break
            if acts != OVER and counts[0] < bell:
                went = FINE
                break
        return went, games, me, key, state, counts

    @njit(forceinline=True)
    def first_legal(rules, state, seat):  # type: ignore[no-untyped-def]  # the compiler finds the types
        for move in range(moves):
            if legal(rules, state, seat, move):
                return move
        return 0

    @njit(forceinline=True)
    def show(rules, lane, state, me, seen, masks, open):  # type: ignore[no-untyped-def]  # the compiler finds the types
        observe(seen, lane, 0, state, me)
        for move in range(moves):
            masks[lane, 0, move] = open and legal(rules, state, me, move)

    @njit
    def step(rules, lanes, told, tables, which, actions, seat, bell, replaces, again, low, high):  # type: ignore[no-untyped-def]  # the compiler finds the types
        for lane in range(low, high):
            if not which[lane]:
                continue
            went, begins = FINE, lanes.done[lane]
            told.rewards[lane], told.over[lane], told.rung[lane] = 0.0, False, False
            if not begins:
                state, me, move = load(lanes.numbers, lane), lanes.seats[lane], np.int64(actions[lane])
                if replaces and not legal(rules, state, me, move):
                    move = first_legal(rules, state, me)
                if legal(rules, state, me, move) or foul(rules, state, me, move):
                    counts = lanes.turns[lane], lanes.dealt[lane], lanes.chosen[lane]
                    state, acts, counts = act(rules, state, move, me, lanes.keys[lane], counts, tables, bell)
                    store(lanes.numbers, lane, state)
                    lanes.turns[lane], lanes.dealt[lane], lanes.chosen[lane] = counts
                    went = STRAY if acts == STRAY else FINE
                    told.over[lane] = acts == OVER
                    told.rung[lane] = acts != OVER and counts[0] >= bell
                    if acts == OVER:
                        won = winner(rules, state)
                        told.rewards[lane] = 1.0 if won == me else -1.0 if won == 1 - me else 0.0
                else:
                    told.over[lane], told.rewards[lane] = True, -1.0
                ends = told.over[lane] or told.rung[lane]
                begins = ends and again == AT_ONCE
                if begins:
                    show(rules, lane, state, me, told.last_seen, told.last_masks, False)
                else:
                    show(rules, lane, state, me, told.seen, told.masks, not ends)
                    lanes.done[lane] = ends
            if begins:
                went, games, me, key, state, counts = begin(
                    rules, lanes.seeds[lane], lanes.games[lane], seat, tables, bell
                )
                lanes.games[lane], lanes.seats[lane], lanes.keys[lane] = games, me, key
                lanes.turns[lane], lanes.dealt[lane], lanes.chosen[lane] = counts
                store(lanes.numbers, lane, state)
                show(rules, lane, state, me, told.seen, told.masks, True)
                lanes.done[lane] = went != FINE
            if went != FINE:
                return went, lane
        return FINE, high

    return keep_by(functions_hash(step), step, brief=True)

"""Duels with luck or secret picks, compiled: games run on the rule functions as they stand.

Their positions are too many for one table that stays in the processor's caches, while the rules are a few additions.
So several games are kept as the ints of their states, side by side; each in turn is dealt a card or not, asks the
policies' cells for moves and is carried on by the rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from duelbook.core import LUCK, OVER
from duelbook.positions.compiled import compiled
from duelbook.positions.layout import Layout
from duelbook.simulate.bits import PER_WORD
from duelbook.simulate.cells import BLANK, UNDECIDED
from duelbook.simulate.lanes import count, digit, settle, stir
from duelbook.simulate.outcomes import NO_RESULT
from duelbook.simulate.positions import Positions

LANES = 16

_kernels: dict[Any, Any] = {}


def kernel_for(places: Positions) -> Any:
    """The compiled loop of a duel; compiled once for each numbering of its positions."""
    key = (places.game.rules_file, places.layout)
    if key not in _kernels:
        _kernels[key] = (_cards if places.kind == "luck" else _picks)(places)
    return _kernels[key]


def keeping(layout: Layout, state_type: type) -> tuple[Any, Any]:
    """How a state is put into a row of ints and taken out again, written out as source for one layout."""
    puts, takes, at = [], [], 0
    for field, length in enumerate(layout.shape):
        parts = [f"s[{field}]"] if length == 0 else [f"s[{field}][{place}]" for place in range(length)]
        puts += [f"    kept[lane, {at + place}] = {part}" for place, part in enumerate(parts)]
        ints = [f"kept[lane, {at + place}]" for place in range(len(parts))]
        takes.append(ints[0] if length == 0 else f"({', '.join(ints)},)")
        at += len(parts)
    lines = ["def put(kept, lane, s):", *puts, "def take(kept, lane):", f"    return State({', '.join(takes)})"]
    names: dict[str, Any] = {"State": state_type}
    exec(compile("\n".join(lines), f"<keeping of {state_type.__module__}>", "exec"), names)
    return njit(names["put"]), njit(names["take"])


def locating(layout: Layout, lookups: int = 1) -> Any:
    """How a state finds its rows, written out as source: its digits times each lookup's strides; -1 for a stray one."""
    names = [f"strides{number}" for number in range(lookups)]
    lines = [f"def locate(s, {', '.join(names)}):", *(f"    row{number} = 0" for number in range(lookups))]
    nothing, rows = (", ".join(one) for one in (["-1"] * lookups, [f"row{number}" for number in range(lookups)]))
    digit = 0
    for field, length in enumerate(layout.shape):
        for part in [f"s[{field}]"] if length == 0 else [f"s[{field}][{place}]" for place in range(length)]:
            low, step, places = layout.spans[digit]
            lines.append(f"    at = {part} - {low}")
            lines.append(f"    if at < 0 or at >= {places * step}" + (f" or at % {step} != 0:" if step > 1 else ":"))
            lines.append(f"        return {nothing}")
            if places > 1:
                lines += [f"    row{number} += at // {step} * strides{number}[{digit}]" for number in range(lookups)]
            digit += 1
    found: dict[str, Any] = {}
    exec(compile("\n".join([*lines, f"    return {rows}"]), "<locating>", "exec"), found)
    return njit(found["locate"])


@njit
def chosen(key: Any, choice: Any, cell: Any, plan: Any, moves: Any, settled: Any, rests: Any) -> Any:
    """What a choice comes to: a move, or BLANK."""
    move = np.int64(moves[plan, cell])
    return settle(key, choice, cell, plan, settled, rests) if move == UNDECIDED else move


def _cards(places: Positions) -> Any:
    rules_of, locate = compiled(places.game), locating(places.layout)
    turn, apply, winner, deal = rules_of.turn, rules_of.apply, rules_of.winner, rules_of.deal
    put, take = keeping(places.layout, type(places.game.start(places.rules, 0)))
    width, faces = len(places.layout.spans), np.array(places.game.faces)

    @njit(nogil=True)
    def play(  # type: ignore[no-untyped-def]  # the compiler finds the types
        rules, start, luck, policy, seed, low, high, bell, lengths, winners, turns_of
    ):
        kept, game, turns = np.empty((LANES, width), np.int64), np.empty(LANES, np.int64), np.zeros(LANES, np.int64)
        keys, choices = np.empty(LANES, np.uint64), np.zeros(LANES, np.int64)
        luck_rows, luck_strides, luck_moves, luck_settled, luck_rests = luck
        rows, strides, moves, settled, rests = policy
        for lane in range(LANES):
            put(kept, lane, start)
            game[lane] = low + lane
            keys[lane] = stir(seed, low + lane)
        coming, left = low + LANES, high - low
        while left > 0:
            for lane in range(LANES):
                state, key, choice, turned = take(kept, lane), keys[lane], choices[lane], turns[lane]
                acts = turn(rules, state)
                while acts == LUCK:
                    row = locate(state, luck_strides)
                    if row < 0:
                        return False, False, state
                    cell = digit(stir(key, choice // PER_WORD), choice % PER_WORD)
                    state = deal(
                        rules,
                        state,
                        faces[chosen(key, choice, cell, luck_rows[row], luck_moves, luck_settled, luck_rests)],
                    )
                    choice += 1
                    acts = turn(rules, state)
                if acts != OVER:
                    row = locate(state, strides)
                    if row < 0:
                        return False, False, state
                    cell = digit(stir(key, choice // PER_WORD), choice % PER_WORD)
                    move = chosen(key, choice, cell, rows[row], moves, settled, rests)
                    if move == BLANK:
                        return False, True, state
                    state = apply(rules, state, move)
                    choice += 1
                    turned += 1
                    acts = turn(rules, state)
                if acts != OVER and turned < bell:
                    put(kept, lane, state)
                    choices[lane], turns[lane] = choice, turned
                    continue
                if game[lane] < high:
                    end = winner(rules, state) if acts == OVER else NO_RESULT
                    count(game[lane], end, turned, low, lengths, winners, turns_of)
                    left -= 1
                put(kept, lane, start)
                game[lane] = coming
                keys[lane] = stir(seed, coming)
                coming += 1
                choices[lane], turns[lane] = 0, 0
        return True, False, start

    return play


def _picks(places: Positions) -> Any:
    rules_of, locate = compiled(places.game), locating(places.layout, 2)
    turn, resolve, winner = rules_of.turn, rules_of.resolve, rules_of.winner
    put, take = keeping(places.layout, type(places.game.start(places.rules, 0)))
    width, rounds = len(places.layout.spans), PER_WORD // 2

    @njit(nogil=True)
    def play(  # type: ignore[no-untyped-def]  # the compiler finds the types
        rules, start, first, second, seed, low, high, bell, lengths, winners, turns_of
    ):
        kept, game, turns = np.empty((LANES, width), np.int64), np.empty(LANES, np.int64), np.zeros(LANES, np.int64)
        keys = np.empty(LANES, np.uint64)
        rows1, strides1, moves1, settled1, rests1 = first
        rows2, strides2, moves2, settled2, rests2 = second
        for lane in range(LANES):
            put(kept, lane, start)
            game[lane] = low + lane
            keys[lane] = stir(seed, low + lane)
        coming, left = low + LANES, high - low
        while left > 0:
            for lane in range(LANES):
                state, key, turned = take(kept, lane), keys[lane], turns[lane]
                row_one, row_two = locate(state, strides1, strides2)
                if row_one < 0:
                    return False, False, state
                block = np.uint64(turned) // np.uint64(rounds)
                word, place = stir(key, block), turned - np.int64(block) * rounds  # both picks share it
                one = chosen(key, 2 * turned, digit(word, 2 * place), rows1[row_one], moves1, settled1, rests1)
                two = chosen(key, 2 * turned + 1, digit(word, 2 * place + 1), rows2[row_two], moves2, settled2, rests2)
                if one == BLANK or two == BLANK:
                    return False, True, state
                state = resolve(rules, state, one, two)
                turned += 1
                acts = turn(rules, state)
                if acts != OVER and turned < bell:
                    put(kept, lane, state)
                    turns[lane] = turned
                    continue
                if game[lane] < high:
                    end = winner(rules, state) if acts == OVER else NO_RESULT
                    count(game[lane], end, turned, low, lengths, winners, turns_of)
                    left -= 1
                put(kept, lane, start)
                game[lane] = coming
                keys[lane] = stir(seed, coming)
                coming += 1
                turns[lane] = 0
        return True, False, start

    return play

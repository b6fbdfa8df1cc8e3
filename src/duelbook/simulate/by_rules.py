"""Duels that do not come apart into small tables, compiled: games run on the rule functions as they stand.

One game after the other: its state stays in the processor's registers, and the next game is begun before this one's
last look-ups are through.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from duelbook.core import LUCK, OVER
from duelbook.positions.compiled import compiled
from duelbook.positions.compiler import keep_by
from duelbook.positions.layout import Layout
from duelbook.positions.rule_code import functions_hash
from duelbook.simulate.bits import PER_WORD
from duelbook.simulate.cells import BLANK, UNDECIDED
from duelbook.simulate.choices import SHIFT, count, decided, digit, stir
from duelbook.simulate.outcomes import NO_RESULT
from duelbook.simulate.positions import Positions

if TYPE_CHECKING:
    from collections.abc import Callable

FINE, STRAY, SILENT = 0, 1, 2
"""How a choice went: made; at a position without a number; by a plan that says nothing there."""


def loop_of(places: Positions) -> Callable[..., tuple[int, int, Any]]:
    """The compiled loop of a duel: how it went, and the game and the position at which it stopped."""
    rules_of, step = compiled(places.game), (_cards if places.kind == "luck" else _picks)(places)
    turn, winner = rules_of.turn, rules_of.winner

    @njit
    def play(  # type: ignore[no-untyped-def]  # the compiler finds the types
        rules, start, lookups, seed, low, high, bell, lengths, winners, turns_of
    ):
        for game in range(low, high):
            key, state, choice, turned, acts = stir(seed, game), start, 0, 0, turn(rules, start)
            while acts != OVER and turned < bell:
                went, state, chosen, turns = step(rules, state, acts, key, choice, lookups)
                if went != FINE:
                    return went, game, state
                choice += chosen
                turned += turns
                acts = turn(rules, state)
            count(game, winner(rules, state) if acts == OVER else NO_RESULT, turned, low, lengths, winners, turns_of)
        return FINE, high, start

    found: Callable[..., tuple[int, int, Any]] = keep_by(functions_hash(play), play)
    return found


def locating(layout: Layout) -> Any:
    """How a state finds its row, written out as source: its digits times a lookup's strides; -1 for a stray one."""
    lines, digit = ["def locate(s, strides):", "    row = 0"], 0
    for field, length in enumerate(layout.shape):
        for part in [f"s[{field}]"] if length == 0 else [f"s[{field}][{place}]" for place in range(length)]:
            low, step, places = layout.spans[digit]
            lines.append(f"    at = {part} - {low}")
            lines.append(f"    if at < 0 or at >= {places * step}" + (f" or at % {step} != 0:" if step > 1 else ":"))
            lines.append("        return -1")
            if places > 1:
                lines.append(f"    row += at // {step} * strides[{digit}]")
            digit += 1
    found: dict[str, Any] = {}
    exec(compile("\n".join([*lines, "    return row"]), "<locating>", "exec"), found)
    return njit(found["locate"])


@njit
def _chosen(lookup, row, key, choice, cell):  # type: ignore[no-untyped-def]  # the compiler finds the types
    """What the plan of a row makes of a cell: a move, or BLANK."""
    rows, _, moves, finer = lookup
    plan = np.uint64(rows[row])
    move = np.int64(moves[plan << SHIFT | cell])
    return np.int64(decided(key, choice, cell, plan, finer)) if move == UNDECIDED else move


def _cards(places: Positions) -> Any:
    """A card or a move."""
    rules_of, locate, faces = compiled(places.game), locating(places.layout), np.array(places.game.faces)
    apply, deal = rules_of.apply, rules_of.deal

    @njit
    def step(rules, state, acts, key, choice, lookups):  # type: ignore[no-untyped-def]  # the compiler finds the types
        luck, policy = lookups
        cell = digit(stir(key, choice // PER_WORD), choice % PER_WORD)
        row = locate(state, luck[1] if acts == LUCK else policy[1])
        if row < 0:
            return STRAY, state, 0, 0
        if acts == LUCK:
            return FINE, deal(rules, state, faces[_chosen(luck, row, key, choice, cell)]), 1, 0
        move = _chosen(policy, row, key, choice, cell)
        if move == BLANK:
            return SILENT, state, 0, 0
        return FINE, apply(rules, state, move), 1, 1

    return step


def _picks(places: Positions) -> Any:
    """A pick of each seat; both share a word."""
    locate, resolve = locating(places.layout), compiled(places.game).resolve

    @njit
    def step(rules, state, acts, key, choice, lookups):  # type: ignore[no-untyped-def]  # the compiler finds the types
        first, second = locate(state, lookups[0][1]), locate(state, lookups[1][1])
        if first < 0:
            return STRAY, state, 0, 0
        word, place = stir(key, choice // PER_WORD), choice % PER_WORD
        one = _chosen(lookups[0], first, key, choice, digit(word, place))
        two = _chosen(lookups[1], second, key, choice + 1, digit(word, place + 1))
        if one == BLANK or two == BLANK:
            return SILENT, state, 0, 0
        return FINE, resolve(rules, state, one, two), 2, 1

    return step

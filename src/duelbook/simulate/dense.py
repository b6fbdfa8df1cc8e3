"""The tables of named players in duels with millions of positions, by compiled rules and the solver's own arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from duelbook.core import BOTH, Game, SomeRules
from duelbook.policies.levels import RUNGS, level_plan
from duelbook.positions.compiled import compiled
from duelbook.positions.layout import decoded, encoded, packing
from duelbook.positions.machine import compiling, need_compiler
from duelbook.positions.rule_code import functions_hash
from duelbook.simulate.plans import PolicyTable, table_by_asking
from duelbook.simulate.positions import Positions, remembered
from duelbook.solving.library import solution_for

if TYPE_CHECKING:
    from duelbook.positions.drawn import Drawn
    from duelbook.positions.numbers import Array


def dense_table(places: Positions, name: str, seat: int) -> PolicyTable:
    """A seat's plan at every position: few different ones, and a number for each position."""
    need_compiler(f"The table of a player in {places.game.name}")
    masks = legal_masks(places, seat)
    moves = len(places.game.moves)
    if name == "random":
        perfect, plans = np.zeros(places.count, np.int32), np.zeros((1, moves))
    else:
        perfect, plans = _perfect(places, seat)
    # One number for each pair of a perfect plan and a set of legal moves: every such pair has one plan.
    keys = (perfect.astype(np.int64) << moves) | masks
    keys[masks == 0] = 0
    seen = np.zeros(len(plans) << moves, np.bool_)
    seen[keys] = True
    kinds = np.flatnonzero(seen)
    number = np.zeros(len(seen), np.int32)
    number[kinds] = np.arange(len(kinds))
    mixed = [_mixed(name, plans[kind >> moves].tolist(), kind & ((1 << moves) - 1), moves) for kind in kinds.tolist()]
    return PolicyTable(places, seat, number[keys], np.array(mixed))


def _mixed(name: str, perfect: list[float], mask: int, moves: int) -> list[float]:
    """What a rung does with a perfect plan and these legal moves; nothing where there is no decision or no plan."""
    legal = [move for move in range(moves) if mask >> move & 1]
    if not legal or (name != "random" and not any(perfect)):
        return [0.0] * moves
    return level_plan(RUNGS[name], perfect, legal)


def legal_masks(places: Positions, seat: int) -> Array:
    """For every position which moves the seat may make, one bit each; none where it does not decide."""
    return remembered(places.made, ("masks", seat), lambda: _mask_walker(places)(places.rules, seat))


def _mask_walker(places: Positions) -> Any:
    from numba import njit

    from duelbook.positions.compiler import keep_by

    rules_of, unpack = compiled(places.game), njit(places.unpack)
    turn, legal = rules_of.turn, rules_of.legal
    count, moves = places.count, len(places.game.moves)

    @njit
    def walk(rules, seat):  # type: ignore[no-untyped-def]  # the compiler finds the types
        masks = np.zeros(count, np.int32)
        for number in range(count):
            state = unpack(number)
            acts = turn(rules, state)
            if acts in (seat, BOTH):
                for move in range(moves):
                    if legal(rules, state, seat, move):
                        masks[number] |= 1 << move
        return masks

    return keep_by(functions_hash(walk), walk)


def _perfect(places: Positions, seat: int) -> tuple[Array, Array]:
    """For every position the number of the perfect player's plan there, and these plans; the first of them is none."""
    return _perfect_picks(places, seat) if places.kind == "picks" else _perfect_cards(places, seat)


def turned(places: Positions, numbers: Array) -> Array:
    """The number of each position's mirror."""
    state_type = type(places.game.start(places.rules, 0))
    columns = decoded(places.layout, numbers)
    flat = [columns[digit] for digit in range(len(columns))]
    fields, at = [], 0
    for length in places.layout.shape:
        fields.append(flat[at] if length == 0 else tuple(flat[at : at + length]))
        at += max(1, length)
    mirror = packing(places.layout, state_type).mirror(state_type(*fields))
    swapped = [one for field in mirror for one in (field if isinstance(field, tuple) else (field,))]
    found: Array = encoded(places.layout, dict(enumerate(swapped)))
    return found


def _perfect_picks(places: Positions, seat: int) -> tuple[Array, Array]:
    game, rules = places.game, places.rules
    solution = solution_for(game, rules)
    if solution.numbering.layout != places.layout:
        slowly = table_by_asking(places, "perfect", seat, np.flatnonzero(legal_masks(places, seat)).tolist())
        return slowly.rows, slowly.plans
    facts = np.frombuffer(solution.table, solution.table.typecode).astype(np.int32)
    count = len(solution.facts)
    rows = facts
    if solution.numbering.turns_round:
        numbers = np.arange(places.count)
        mirrored = turned(places, numbers)
        # A position whose mirror has the lower number is held there, with the seats swapped.
        held = facts[mirrored]
        rows = np.where(mirrored < numbers, np.where(held > 0, held + count, 0), facts)
    none = (0.0,) * len(game.moves)
    mine = [(fact.first, fact.second)[seat] for fact in solution.facts]
    theirs = [(fact.second, fact.first)[seat] for fact in solution.facts]
    return rows, np.array([none, *mine, *theirs])


def _perfect_cards(places: Positions, seat: int) -> tuple[Array, Array]:
    game, rules = places.game, places.rules
    drawn, edges = remembered(places.made, "laid out", lambda: _laid_out(game, rules))
    deciding = np.flatnonzero(drawn.kinds < BOTH)
    numbers = encoded(places.layout, decoded(drawn.layout, drawn.numbers[deciding]))
    movers = drawn.kinds[deciding]
    rows = np.zeros(places.count, np.int32)
    sides = [(numbers, movers)]
    if drawn.turns_round:
        sides.append((turned(places, numbers), 1 - movers))
    for held, seats in sides:
        mine = seats == seat
        places_among_legal = (edges - drawn.starts[deciding])[mine]
        rows[held[mine]] = 1 + _nth_move(legal_masks(places, seat)[held[mine]], places_among_legal, len(game.moves))
    return rows, np.vstack([np.zeros(len(game.moves)), np.eye(len(game.moves))])


def _nth_move(masks: Array, place: Array, moves: int) -> Array:
    """The move at each place among the legal ones: edges stand in the order of the moves."""
    found, passed = np.zeros(len(masks), np.int32), np.zeros(len(masks), np.int64)
    for move in range(moves):
        legal = masks >> move & 1
        found[(legal == 1) & (passed == place)] = move
        passed += legal
    return found


def _laid_out(game: Game, rules: SomeRules) -> tuple[Drawn, Array]:
    """Its positions laid out, and the edge that the perfect player takes at each decision."""
    from duelbook.policies.turn_tables import perfect_edges
    from duelbook.positions.drawn import explore_luck

    drawn = explore_luck(game, rules, compiling())
    return drawn, perfect_edges(solution_for(game, rules), drawn)

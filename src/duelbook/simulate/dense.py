"""The tables of named players in duels with millions of positions, by compiled rules and the solver's own arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from duelbook.core import BOTH, Game, SomeRules
from duelbook.match import BELL
from duelbook.policies.levels import PERFECT, RANDOM
from duelbook.policies.table_plans import table_plan
from duelbook.positions.compiled import compiled
from duelbook.positions.layout import decoded, encoded, packing
from duelbook.positions.machine import compiling, need_compiler
from duelbook.positions.rule_code import functions_hash
from duelbook.simulate.plans import PolicyTable, equal_rows, table_by_asking
from duelbook.simulate.positions import Positions, remembered
from duelbook.solving.library import solution_for

if TYPE_CHECKING:
    from duelbook.policies.forward_picks import AtOnce
    from duelbook.policies.forward_turns import Alone
    from duelbook.positions.drawn import Drawn
    from duelbook.positions.numbers import Array
    from duelbook.solving.recursive import Simultaneous


def dense_table(places: Positions, name: str, seat: int) -> PolicyTable:
    """A seat's plan at every position: few different ones, and a number for each position."""
    need_compiler(f"The table of a player in {places.game.name}")
    if name == RANDOM:
        return _any_moves(places, seat)
    if name == PERFECT:
        return PolicyTable(places, seat, *_perfect(places, seat))
    return (_level_picks if places.kind == "picks" else _level_cards)(places, name, seat)


def _any_moves(places: Positions, seat: int) -> PolicyTable:
    """Any legal move, each as likely as the next: a plan for every set of legal moves."""
    masks, moves = legal_masks(places, seat), len(places.game.moves)
    sets, rows = np.unique(masks, return_inverse=True)
    legal = (sets[:, None] >> np.arange(moves)) & 1
    return PolicyTable(places, seat, rows.astype(np.int32), legal / np.maximum(1, legal.sum(axis=1, keepdims=True)))


def _level_picks(places: Positions, name: str, seat: int) -> PolicyTable:
    """A level's plans where both pick at once, as the ladder lays them out."""
    game, rules, moves = places.game, places.rules, len(places.game.moves)
    found, table = remembered(places.made, "levels laid out", lambda: _laid_out_picks(game, rules))
    plan = [np.asarray(each) for each in table_plan(table, compiling(), game, name)]
    held = encoded(places.layout, decoded(found.layout, np.sort(found.numbers)))
    if not found.turns_round:
        return _of_rows(places, seat, held, plan[seat].reshape(-1, moves))
    mirrored = turned(places, held)
    numbers = np.concatenate(
        [mirrored, held]
    )  # a position that is its own mirror is played as it stands: the last counts
    return _of_rows(
        places, seat, numbers, np.vstack([plan[1 - seat].reshape(-1, moves), plan[seat].reshape(-1, moves)])
    )


def _level_cards(places: Positions, name: str, seat: int) -> PolicyTable:
    """A level's plans where luck has a say, as the ladder lays them out."""
    game, rules, moves = places.game, places.rules, len(places.game.moves)
    drawn, table = remembered(places.made, "levels laid out", lambda: _laid_out_cards(game, rules))
    plan = np.asarray(table_plan(table, compiling(), game, name))
    numbers, rows = [], []
    shares = np.zeros((len(drawn.kinds), moves))
    made = np.asarray(table.moves)
    chosen = np.flatnonzero(made >= 0)
    shares[np.repeat(np.arange(len(drawn.kinds)), np.diff(drawn.starts))[chosen], made[chosen]] = plan[chosen]
    for nodes, held in _decided_by(places, drawn, seat):
        numbers.append(held)
        rows.append(shares[nodes])
    return _of_rows(places, seat, np.concatenate(numbers), np.vstack(rows))


def _of_rows(places: Positions, seat: int, numbers: Array, shares: Array) -> PolicyTable:
    """A table with these plans at the positions of these numbers, and none elsewhere."""
    picked, kinds = equal_rows(np.ascontiguousarray(shares))
    rows = np.zeros(places.count, np.int32)
    rows[numbers] = kinds + 1
    return PolicyTable(places, seat, rows, np.vstack([np.zeros(shares.shape[1]), shares[picked]]))


def _decided_by(places: Positions, drawn: Drawn, seat: int) -> Iterator[tuple[Array, Array]]:
    """The nodes at which a seat decides, as they stand and then turned round, and their positions' numbers."""
    deciding = np.flatnonzero(drawn.kinds < BOTH)
    numbers = encoded(places.layout, decoded(drawn.layout, drawn.numbers[deciding]))
    mine = drawn.kinds[deciding] == seat
    yield deciding[mine], numbers[mine]
    if drawn.turns_round:
        yield deciding[~mine], turned(places, numbers[~mine])


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
    edge_of = np.zeros(len(drawn.kinds), np.int64)
    edge_of[drawn.kinds < BOTH] = edges
    rows = np.zeros(places.count, np.int32)
    for nodes, held in _decided_by(places, drawn, seat):
        places_among_legal = edge_of[nodes] - drawn.starts[nodes]
        rows[held] = 1 + _nth_move(legal_masks(places, seat)[held], places_among_legal, len(game.moves))
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


def _laid_out_cards(game: Game, rules: SomeRules) -> tuple[Drawn, Alone]:
    from duelbook.policies.turn_tables import cards_table
    from duelbook.positions.drawn import explore_luck

    drawn = explore_luck(game, rules, compiling())
    return drawn, cards_table(solution_for(game, rules), drawn, BELL)


def _laid_out_picks(game: Game, rules: SomeRules) -> tuple[Simultaneous, AtOnce]:
    from duelbook.policies.pick_tables import picks_table
    from duelbook.solving.recursive import explore_simultaneous

    found = explore_simultaneous(game, rules, compiling())
    return found, picks_table(solution_for(game, rules), found, BELL)

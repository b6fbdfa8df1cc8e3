"""What the compiled back end needs made ready: a chain for a board duel, small tables or rules for the others."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from duelbook.core import LUCK, Game, SomeRules, SomeState
from duelbook.positions.kind import kind_of
from duelbook.positions.rule_code import rules_key
from duelbook.simulate import cards, picks
from duelbook.simulate.bits import seed_key
from duelbook.simulate.by_rules import SILENT, STRAY, loop_of
from duelbook.simulate.chain import Chain, chain_of, play_chain
from duelbook.simulate.dense import legal_masks
from duelbook.simulate.lookup import Lookup, luck_lookup, policy_lookup
from duelbook.simulate.outcomes import Play
from duelbook.simulate.plans import PolicyTable, equal_rows
from duelbook.simulate.policy import Seat
from duelbook.simulate.positions import Made, Positions, positions, remembered
from duelbook.simulate.reference import reference_player
from duelbook.simulate.unnumbered import Stray

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

KEPT = 16
"""Of what was made ready for named players, the latest so many."""
_chains: dict[Any, Chain] = {}


def compiled_player(
    game: Game, rules: SomeRules, seats: tuple[Seat, Seat], seed: int, max_turns: int, first: int
) -> Play:
    loop, ready, key = *_made_ready(game, rules, seats, first), seed_key(seed)

    def play(low: int, high: int, lengths: Array, winners: Array, turns_of: Array) -> None:
        silent = loop(*ready, key, low, high, max_turns, lengths, winners, turns_of)
        if silent >= 0:  # the other back end comes to the same place, and says which it is
            reference_player(game, rules, seats, seed, max_turns, first)(silent, silent + 1, lengths, winners, turns_of)

    return play


def _made_ready(
    game: Game, rules: SomeRules, seats: tuple[Seat, Seat], first: int
) -> tuple[Callable[..., int], tuple[Any, ...]]:
    """A loop, and what it reads: one table for a board duel; small tables for others that come apart, or the rules."""
    if kind_of(game) == "backwards":
        names = (seats[0].name, seats[1].name)
        key = (rules_key(game, rules), names, first)
        return play_chain, _kept_for_names(_chains, names, key, lambda: chain_of(game, rules, seats, first))
    places, start = positions(game, rules), game.start(rules, first)
    lookups = _lookups_of(places, seats)
    if places.kind == "picks":
        sides = picks_apart(places)
        if sides is not None:
            return picks.play_picks, picks.made_ready(sides, (lookups[0], lookups[1]), start)
    else:
        luck, apart = cards_apart(places)
        if apart is not None and game.turn(rules, start) == LUCK:
            return cards.play_cards, cards.made_ready(apart, lookups[0], start)
        lookups = (luck, *lookups)
    loop = remembered(places.made, "loop", lambda: loop_of(places))
    return partial(_by_rules, loop), (rules, start, lookups)


def _by_rules(loop: Callable[..., tuple[int, int, SomeState]], *arguments: Any) -> int:
    went, game, state = loop(*arguments)
    if went == STRAY:
        raise Stray(state)
    return game if went == SILENT else -1


def cards_apart(places: Positions) -> tuple[Lookup, cards.Cards | None]:
    """Luck's lookup and, where the duel comes apart, its small tables."""

    def make() -> tuple[Lookup, cards.Cards | None]:
        luck = luck_lookup(places)
        return luck.lookup, cards.taken_apart(places, luck.lookup, luck.still)

    return remembered(places.made, "cards", make)


def picks_apart(places: Positions) -> picks.Sides | None:
    return remembered(places.made, "picks", lambda: picks.taken_apart(places))


def _kept_for_names(store: dict[Any, Any], names: tuple[str, str], key: Hashable, make: Callable[[], Made]) -> Made:
    """What two players need: kept where both are named, for arrays can change."""
    return remembered(store, key, make, KEPT) if all(names) else make()


def _lookups_of(places: Positions, seats: tuple[Seat, Seat]) -> tuple[Lookup, ...]:
    """The policies as lookups: one for both where one seat decides at a time, otherwise one for each."""

    def make() -> tuple[Lookup, ...]:
        one, two = (_legal(places, seat) for seat in seats)
        first, second = (legal_masks(places, seat) != 0 for seat in (0, 1))
        if places.kind == "luck":
            return (policy_lookup(_merged(one, two, second), first | second),)
        return policy_lookup(one, first), policy_lookup(two, second)

    names = (seats[0].name, seats[1].name)
    return _kept_for_names(places.made.setdefault("lookups", {}), names, names, make)


def _legal(places: Positions, seat: Seat) -> PolicyTable:
    """A seat's table. What an array says where it is not legal is left out, so that whoever comes there is told."""
    table = seat.table()
    if seat.given is None:
        return table
    played = (table.plans > 0) @ (1 << np.arange(table.plans.shape[1]))
    masks = legal_masks(places, seat.seat)
    wrong = (masks != 0) & ((played[table.rows] & ~masks) != 0)
    plans = np.vstack([table.plans, np.zeros(table.plans.shape[1])])
    return PolicyTable(places, seat.seat, np.where(wrong, len(table.plans), table.rows), plans)


def _merged(one: PolicyTable, two: PolicyTable, second: Array) -> PolicyTable:
    """Where one seat decides at a time, both tables fit into one."""
    plans = np.vstack([one.plans, two.plans])
    picked, kinds = equal_rows(np.ascontiguousarray(plans))
    rows = kinds[np.where(second, two.rows + len(one.plans), one.rows)]
    return PolicyTable(one.positions, 0, rows, plans[picked])

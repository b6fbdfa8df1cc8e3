"""What the compiled back end needs made ready: a chain for a board duel, small tables or rules for the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from duelbook.core import LUCK, Game
from duelbook.simulate.bits import seed_key
from duelbook.simulate.chain import Chain, chain_of
from duelbook.simulate.dense import legal_masks
from duelbook.simulate.factored import Factored, factored, made_ready, play_factored
from duelbook.simulate.lanes import play_chain
from duelbook.simulate.lookup import Lookup, luck_lookup, policy_lookup
from duelbook.simulate.outcomes import Play
from duelbook.simulate.plans import PolicyTable
from duelbook.simulate.policy import Seat, check_plan, equal_rows
from duelbook.simulate.positions import Positions
from duelbook.simulate.unnumbered import Stray

KEPT = 16
_chains: dict[Any, Chain] = {}
_lookups: dict[Any, Any] = {}
"""What was made ready for named players, the latest last."""


def _kept(store: dict[Any, Any], key: Any, make: Any) -> Any:
    found = store.pop(key) if key in store else make()
    store[key] = found
    if len(store) > KEPT:
        del store[next(iter(store))]
    return found


def chain_player(game: Game, rules: Any, seats: tuple[Seat, Seat], seed: int, max_turns: int, first: int) -> Play:
    def make() -> Chain:
        return chain_of(game, rules, seats, first)

    names = (seats[0].name, seats[1].name)
    chain = _kept(_chains, (game.id, rules, names, first), make) if all(names) else make()
    key = seed_key(seed)

    def play(low: int, high: int, lengths: Any, winners: Any, turns_of: Any) -> None:
        _, after, targets, settled, rests = chain
        play_chain(after, targets, settled, rests, key, low, high, max_turns, lengths, winners, turns_of)

    return play


def cards_player(places: Positions, seats: tuple[Seat, Seat], seed: int, max_turns: int, first: int) -> Play:
    """A duel with luck: by its small tables where it comes apart, otherwise by its rules."""
    luck, tables = taken_apart(places)
    policy = _lookups_of(places, seats)[0]
    start = places.game.start(places.rules, first)
    if tables is None or places.game.turn(places.rules, start) != LUCK:
        return rules_player(places, seats, (luck, policy), seed, max_turns, first)
    ready, key = made_ready(tables, policy), seed_key(seed)
    board, pile = tables.numbers(places.layout, start)

    def play(low: int, high: int, lengths: Any, winners: Any, turns_of: Any) -> None:
        done, *where = play_factored(ready, board, pile, key, low, high, max_turns, lengths, winners, turns_of)
        if not done:
            _say_blank(places, seats, places.unpack(tables.position(places.layout, *where)))

    return play


def taken_apart(places: Positions) -> tuple[Lookup, Factored | None]:
    """Luck's lookup and, where there are any, the small tables of a duel."""

    def make() -> tuple[Lookup, Factored | None]:
        luck = luck_lookup(places)
        return luck.lookup, factored(places, luck.lookup, luck.still)

    found: tuple[Lookup, Factored | None] = _kept(_lookups, (_key(places), "luck"), make)
    return found


def picks_player(places: Positions, seats: tuple[Seat, Seat], seed: int, max_turns: int, first: int) -> Play:
    """A duel of secret picks: by its rules."""
    return rules_player(places, seats, _lookups_of(places, seats), seed, max_turns, first)


def rules_player(
    places: Positions, seats: tuple[Seat, Seat], lookups: Any, seed: int, max_turns: int, first: int
) -> Play:
    from duelbook.simulate.kernel import kernel_for

    kernel, key = kernel_for(places), seed_key(seed)
    start = places.game.start(places.rules, first)

    def play(low: int, high: int, lengths: Any, winners: Any, turns_of: Any) -> None:
        counted = (lengths, winners, turns_of)
        done, blank, state = kernel(places.rules, start, *lookups, key, low, high, max_turns, *counted)
        if blank:
            _say_blank(places, seats, state)
        if not done:
            raise Stray(state)

    return play


def _say_blank(places: Positions, seats: tuple[Seat, Seat], state: Any) -> None:
    """Raise what is wrong with a policy that says nothing, or nothing legal, at a position."""
    for seat in seats:
        if seat.seat in places.seats(state):
            check_plan(places.game, places.rules, state, seat.seat, seat.table().plan(state))


def _key(places: Positions) -> Any:
    return places.game.id, places.rules, places.layout


def _lookups_of(places: Positions, seats: tuple[Seat, Seat]) -> tuple[Lookup, ...]:
    """The policies as lookups: one for both where one seat decides at a time, otherwise one for each."""

    def make() -> tuple[Lookup, ...]:
        one, two = (_legal(places, seat) for seat in seats)
        first, second = (legal_masks(places, seat) != 0 for seat in (0, 1))
        if places.kind == "luck":
            return (policy_lookup(_merged(one, two, second), first | second),)
        return policy_lookup(one, first), policy_lookup(two, second)

    names = (seats[0].name, seats[1].name)
    found: tuple[Lookup, ...] = _kept(_lookups, (_key(places), names), make) if all(names) else make()
    return found


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


def _merged(one: PolicyTable, two: PolicyTable, second: Any) -> PolicyTable:
    """Where one seat decides at a time, both tables fit into one."""
    plans = np.vstack([one.plans, two.plans])
    picked, kinds = equal_rows(np.ascontiguousarray(plans))
    rows = kinds[np.where(second, two.rows + len(one.plans), one.rows)]
    return PolicyTable(one.positions, 0, rows, plans[picked])

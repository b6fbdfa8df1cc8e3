"""What the compiled back end needs made ready: a chain for a board duel, small tables or rules for the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from duelbook.core import LUCK, Game, SomeRules, SomeState
from duelbook.positions.rule_code import rules_key
from duelbook.simulate import cards, picks
from duelbook.simulate.bits import seed_key
from duelbook.simulate.by_rules import FINE, SILENT, loop_of
from duelbook.simulate.chain import Chain, chain_of
from duelbook.simulate.dense import legal_masks
from duelbook.simulate.lanes import play_chain
from duelbook.simulate.lookup import Lookup, luck_lookup, policy_lookup
from duelbook.simulate.outcomes import Play
from duelbook.simulate.plans import PolicyTable
from duelbook.simulate.policy import Seat, check_plan, equal_rows
from duelbook.simulate.positions import Positions, remembered
from duelbook.simulate.unnumbered import Stray

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

KEPT = 16
"""Of what was made ready for named players, the latest so many."""
_chains: dict[Any, Chain] = {}


def chain_player(game: Game, rules: SomeRules, seats: tuple[Seat, Seat], seed: int, max_turns: int, first: int) -> Play:
    """A duel without luck in which one acts at a time: by one table."""

    def make() -> Chain:
        return chain_of(game, rules, seats, first)

    names, key = (seats[0].name, seats[1].name), seed_key(seed)
    chain = remembered(_chains, (rules_key(game, rules), names, first), make, KEPT) if all(names) else make()

    def play(low: int, high: int, lengths: Array, winners: Array, turns_of: Array) -> None:
        _, after, targets, finer = chain
        play_chain(after, targets, finer, key, low, high, max_turns, lengths, winners, turns_of)

    return play


def cards_player(places: Positions, seats: tuple[Seat, Seat], seed: int, max_turns: int, first: int) -> Play:
    """A duel with luck: by its small tables where it comes apart, otherwise by its rules."""
    luck, apart = cards_apart(places)
    (policy,) = _lookups_of(places, seats)
    start, key = places.game.start(places.rules, first), seed_key(seed)
    if apart is None or places.game.turn(places.rules, start) != LUCK:
        return rules_player(places, seats, (luck, policy), seed, max_turns, first)
    ready, rows = cards.made_ready(apart, policy, start)

    def play(low: int, high: int, lengths: Array, winners: Array, turns_of: Array) -> None:
        counted = (lengths, winners, turns_of)
        done, *where = cards.play_cards(ready, rows, policy.cells, key, low, high, max_turns, *counted)
        if not done:
            _say_blank(places, seats, places.unpack(apart.position(*where)))

    return play


def cards_apart(places: Positions) -> tuple[Lookup, cards.Cards | None]:
    """Luck's lookup and, where the duel comes apart, its small tables."""

    def make() -> tuple[Lookup, cards.Cards | None]:
        luck = luck_lookup(places)
        return luck.lookup, cards.taken_apart(places, luck.lookup, luck.still)

    return remembered(places.made, "cards", make)


def picks_player(places: Positions, seats: tuple[Seat, Seat], seed: int, max_turns: int, first: int) -> Play:
    """A duel of secret picks: by its small tables where it comes apart, otherwise by its rules."""
    one, two = _lookups_of(places, seats)
    apart = picks_apart(places)
    if apart is None:
        return rules_player(places, seats, (one, two), seed, max_turns, first)
    key = seed_key(seed)
    ready, rows = picks.made_ready(apart, (one, two), places.game.start(places.rules, first))

    def play(low: int, high: int, lengths: Array, winners: Array, turns_of: Array) -> None:
        counted = (lengths, winners, turns_of)
        done, *where = picks.play_picks(ready, rows, one.cells, two.cells, key, low, high, max_turns, *counted)
        if not done:
            _say_blank(places, seats, places.unpack(apart.position(*where)))

    return play


def picks_apart(places: Positions) -> picks.Sides | None:
    return remembered(places.made, "picks", lambda: picks.taken_apart(places))


def rules_player(
    places: Positions, seats: tuple[Seat, Seat], lookups: tuple[Lookup, ...], seed: int, max_turns: int, first: int
) -> Play:
    loop, key = remembered(places.made, "loop", lambda: loop_of(places)), seed_key(seed)
    start = places.game.start(places.rules, first)

    def play(low: int, high: int, lengths: Array, winners: Array, turns_of: Array) -> None:
        went, state = loop(places.rules, start, lookups, key, low, high, max_turns, lengths, winners, turns_of)
        if went == SILENT:
            _say_blank(places, seats, state)
        if went != FINE:
            raise Stray(state)

    return play


def _say_blank(places: Positions, seats: tuple[Seat, Seat], state: SomeState) -> None:
    """Raise what is wrong with a policy that says nothing, or nothing legal, at a position."""
    for seat in seats:
        if seat.seat in places.seats(state):
            check_plan(places.game, places.rules, state, seat.seat, seat.table().plan(state))


def _lookups_of(places: Positions, seats: tuple[Seat, Seat]) -> tuple[Lookup, ...]:
    """The policies as lookups: one for both where one seat decides at a time, otherwise one for each."""

    def make() -> tuple[Lookup, ...]:
        one, two = (_legal(places, seat) for seat in seats)
        first, second = (legal_masks(places, seat) != 0 for seat in (0, 1))
        if places.kind == "luck":
            return (policy_lookup(_merged(one, two, second), first | second),)
        return policy_lookup(one, first), policy_lookup(two, second)

    names = (seats[0].name, seats[1].name)
    if not all(names):
        return make()
    return remembered(places.made.setdefault("lookups", {}), names, make, KEPT)


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

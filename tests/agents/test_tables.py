"""Games that are held: whoever has a seat's key plays for it, and nobody learns what is hidden."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from duelbook import reads
from duelbook.agents.tables import LONG_AGO, HeldGame, Tables
from duelbook.core import DuelError


def begun(duel: str = "secret", tables: Tables | None = None) -> HeldGame:
    held = (tables or Tables()).begin(duel, [], None, None, 1)
    held.deal()
    return held


def test_a_duel_in_which_nothing_is_hidden_needs_no_game() -> None:
    with pytest.raises(DuelError, match="no luck and no secret picks, so nothing need be held"):
        begun("tower")


def test_a_key_is_that_of_one_seat() -> None:
    tables = Tables()
    held = begun(tables=tables)
    one, two = (seat.game_id for seat in held.seats())
    assert one != two
    assert tables.find(one) == (held, 0)
    assert tables.find(two) == (held, 1)
    with pytest.raises(DuelError, match="There is no game with this game_id"):
        tables.find("guessed")


def test_a_pick_that_is_sealed_changes_nothing_that_the_other_seat_can_see() -> None:
    seen = []
    for pick in ("3", "8"):
        held = begun()
        before = asdict(held.seen(1))
        held.act(0, pick)
        assert asdict(held.seen(1)) == before
        assert not held.seen(0).your_turn
        with pytest.raises(DuelError, match="has already picked"):
            held.act(0, "4")
        seen.append(json.dumps(before))
    assert seen[0] == seen[1]


def test_picks_are_shown_when_both_are_in() -> None:
    held = begun()
    held.act(0, "7")
    held.act(1, "5")
    for seat in (0, 1):
        assert any("7" in line for line in held.seen(seat).happened)
        assert "7/5" in held.seen(seat).record


def test_what_happened_is_what_came_since_the_own_last_move() -> None:
    held = begun()
    for picks in (("7", "5"), ("6", "4")):
        for seat in (0, 1):
            held.act(seat, picks[seat])
    assert not any("7" in line for line in held.seen(1).happened)


def test_the_seed_of_luck_is_in_nothing_that_can_be_asked_until_the_game_is_over() -> None:
    held = begun("deck")
    seed = held.match.luck.seed
    assert seed is not None
    while held.match.outcome is None:
        for seat in (0, 1):
            assert str(seed) not in json.dumps(asdict(held.seen(seat)))
        held.act(held.match.turn, "attack")
        held.deal()
    over = held.seen(0)
    assert f'[Seed "{seed}"]' in over.record
    (record,) = reads(over.record)
    assert record.match.outcome == held.match.outcome
    assert over.standing.turn == "over"


def test_a_wrong_move_changes_nothing() -> None:
    held = begun("deck")
    before = held.seen(0)
    with pytest.raises(DuelError, match="is not"):
        held.act(0, "nonsense")
    with pytest.raises(DuelError, match="turn"):
        held.act(1, "attack")
    assert held.seen(0) == before


def test_a_game_that_is_played_stays_and_one_that_was_left_makes_room() -> None:
    now = [0.0]
    tables = Tables(most=2, clock=lambda: now[0])
    first, second = begun(tables=tables), begun(tables=tables)
    with pytest.raises(DuelError, match="no room for another"):
        begun(tables=tables)
    now[0] = LONG_AGO - 1
    tables.find(second.seats()[0].game_id)
    now[0] = LONG_AGO + 1
    begun(tables=tables)
    with pytest.raises(DuelError, match="There is no game"):
        tables.find(first.seats()[0].game_id)
    assert tables.find(second.seats()[0].game_id)[0] is second


def test_a_game_that_is_over_from_the_start_is_not_begun() -> None:
    with pytest.raises(DuelError, match="there is nothing to play"):
        Tables().begin("secret", [], "0 5 1 2", None, 1)
    with pytest.raises(DuelError, match="A player is 1 or 2"):
        Tables().begin("secret", [], None, "perfect", 3)

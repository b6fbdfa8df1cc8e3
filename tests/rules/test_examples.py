"""The worked examples of the five rule books, replayed by the referee: every turn, every number."""

from __future__ import annotations

import pytest

from duelbook.core import IllegalMove
from duelbook.games import load
from duelbook.match import Match
from helpers import follow

# Turn, player, action, HP of both afterwards, the damage it dealt.
CONQUER = [
    (1, 1, "attack", 10, 8, 2),
    (2, 2, "defend", 10, 8, 0),
    (3, 1, "attack", 10, 8, 0),
    (4, 2, "heal", 10, 9, 0),
    (5, 1, "attack", 10, 7, 2),
    (6, 2, "attack", 8, 7, 2),
    (7, 1, "defend", 8, 7, 0),
    (8, 2, "attack", 8, 7, 0),
    (9, 1, "heal", 9, 7, 0),
    (10, 2, "attack", 7, 7, 2),
    (11, 1, "heal", 8, 7, 0),
    (12, 2, "attack", 4, 7, 4),
    (13, 1, "defend", 4, 7, 0),
    (14, 2, "heal", 4, 8, 0),
    (15, 1, "heal", 5, 8, 0),
    (16, 2, "attack", 3, 8, 2),
    (17, 1, "attack", 3, 6, 2),
    (18, 2, "attack", 1, 6, 2),
    (19, 1, "heal", 2, 6, 0),
    (20, 2, "attack", -2, 6, 4),
]

# Turn, player, what was tried and refused first, the action then taken, energy of both afterwards, the damage it dealt.
# In turn 9 nothing can be done any more: the game is over.
ENERGY = [
    (1, 1, "", "attack", 8, 7, 3),
    (2, 2, "", "defend", 8, 6, 0),
    (3, 1, "", "attack", 6, 5, 1),
    (4, 2, "", "attack", 3, 3, 3),
    (5, 1, "", "defend", 2, 3, 0),
    (6, 2, "", "attack", 1, 1, 1),
    (7, 1, "attack", "defend", 0, 1, 0),
    (8, 2, "attack", "pass", 0, 1, 0),
    (9, 1, "", "", 0, 1, 0),
]

# Turn, player, card drawn, action, LP of both afterwards, how many cards are left in the deck. The last turn
# shuffles: all ten cards were gone.
DECK = [
    (1, 1, 7, "attack", 20, 13, 9),
    (2, 2, 4, "heal", 20, 15, 8),
    (3, 1, 9, "attack", 20, 6, 7),
    (4, 2, 5, "heal", 20, 8, 6),
    (5, 1, 3, "attack", 20, 5, 5),
    (6, 2, 10, "heal", 20, 10, 4),
    (7, 1, 2, "attack", 20, 8, 3),
    (8, 2, 6, "attack", 14, 8, 2),
    (9, 1, 1, "attack", 14, 7, 1),
    (10, 2, 8, "attack", 6, 7, 0),
    (11, 1, 9, "attack", 6, -2, 9),
]

# Turn, both picks, HP of both afterwards, who dealt damage and how much.
SECRET = [
    (1, 7, 5, 100, 98, "A", 2),
    (2, 6, 8, 98, 98, "B", 2),
    (3, 9, 7, 98, 96, "A", 2),
    (4, 5, 6, 97, 96, "B", 1),
]

# Turn, player, command, heights of both afterwards.
TOWER = [
    (1, 1, "build 4", 4, 0),
    (2, 2, "build 4", 4, 4),
    (3, 1, "build 4", 8, 4),
    (4, 2, "attack", 5, 4),
    (5, 1, "build 2", 7, 4),
    (6, 2, "build 4", 7, 8),
    (7, 1, "attack", 7, 5),
    (8, 2, "build 2", 7, 7),
    (9, 1, "build 4", 11, 7),
    (10, 2, "build 4", 11, 11),
    (11, 1, "build 4", 15, 11),
]


def test_command_line_conquer() -> None:
    match = Match(load("conquer"))
    assert match.state.hp == (10, 10)
    for turn, player, action, hp1, hp2, damage in CONQUER:
        assert (match.turns + 1, match.turn + 1) == (turn, player)
        foe = 2 - player
        before = match.state.hp[foe]
        follow(match, action)
        assert match.state.hp == (hp1, hp2)
        assert before - match.state.hp[foe] == damage
        assert (match.outcome is not None) == (turn == 20)
    assert match.outcome is not None
    assert match.outcome.result == "0-1"


def test_energy_duel() -> None:
    match = Match(load("energy"))
    assert match.state.energy == (10, 10)
    for turn, player, refused, action, energy1, energy2, damage in ENERGY[:8]:
        assert (match.turns + 1, match.turn + 1) == (turn, player)
        foe = 2 - player
        before = match.state
        if refused:
            with pytest.raises(IllegalMove, match=r"^Insufficient energy to attack \(needs 2, has 1\)\."):
                follow(match, refused)
            assert match.state == before
            assert (match.turns + 1, match.turn + 1) == (turn, player)
        assert match.outcome is None
        follow(match, action)
        assert match.state.energy == (energy1, energy2)
        assert before.energy[foe] - match.state.energy[foe] == damage
    turn, player, refused, action, energy1, energy2, damage = ENERGY[8]
    assert (match.turns + 1, match.state.mover + 1) == (turn, player)
    assert match.state.energy == (energy1, energy2)
    assert (refused, action, damage) == ("", "", 0)
    assert match.to_act() == ()
    assert match.outcome is not None
    assert match.outcome.result == "0-1"


def test_number_duel_with_a_deck() -> None:
    match = Match(load("deck"), stacked=[row[2] for row in DECK])
    assert match.state.lp == (20, 20)
    for turn, player, drawn, action, lp1, lp2, left in DECK:
        assert match.outcome is None
        assert (match.turns + 1, match.state.mover + 1) == (turn, player)
        assert match.deal() == drawn
        assert match.turn + 1 == player
        follow(match, action)
        assert match.state.lp == (lp1, lp2)
        assert match.state.left.bit_count() == left
    assert match.outcome is not None
    assert match.outcome.result == "1-0"


def test_number_duel_with_secret_picks() -> None:
    match = Match(load("secret"))
    assert match.state.hp == (100, 100)
    for turn, pick_a, pick_b, hp_a, hp_b, dealt_by, damage in SECRET:
        assert match.turns + 1 == turn
        before = match.state.hp
        follow(match, f"{pick_a}/{pick_b}")
        assert match.state.hp == (hp_a, hp_b)
        assert (before[0] - hp_a, before[1] - hp_b) == ((0, damage) if dealt_by == "A" else (damage, 0))
        assert match.state.last == (pick_a, pick_b)
        assert match.outcome is None


def test_tower_defense_duel() -> None:
    match = Match(load("tower"))
    assert match.state.towers == (0, 0)
    for turn, player, command, height1, height2 in TOWER:
        assert match.outcome is None
        assert (match.turns + 1, match.turn + 1) == (turn, player)
        follow(match, command)
        assert match.state.towers == (height1, height2)
    assert match.outcome is not None
    assert match.outcome.result == "1-0"


def test_all_55_turns_are_here() -> None:
    examples = (CONQUER, ENERGY, DECK, SECRET, TOWER)
    assert [len(table) for table in examples] == [20, 9, 11, 4, 11]
    assert sum(len(table) for table in examples) == 55
    assert all([row[0] for row in table] == list(range(1, len(table) + 1)) for table in examples)

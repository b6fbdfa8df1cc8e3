"""What must hold under all rules that the knobs allow, tried at their ends."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from duelbook import Game, game_ids, load, variant
from duelbook.core import BOTH, DRAW, LUCK, OVER
from duelbook.luck import below
from extremes_helper import extremes

DEAD = ["energy=1", "attack_cost=42", "defend_cost=4", "may_pass=never"]
"""Rules under which nobody can pay for anything."""


def wandering(game: Game, rules: Any, seed: int) -> list[Any]:
    """Positions of a game that goes any legal way, its end included."""
    state = game.start(rules, seed % 2)
    met = [state]
    for step in range(60):
        turn = game.turn(rules, state)
        if turn == OVER:
            break
        if turn == LUCK:
            faces = [face for face in game.faces if game.odds(rules, state, face) > 0]
            state = game.deal(rules, state, faces[below(len(faces), seed, step)])
        else:
            seats = (0, 1) if turn == BOTH else (turn,)
            legal = [game.legal_moves(rules, state, seat) for seat in seats]
            moves = [choice[below(len(choice), seed, step, at)] for at, choice in enumerate(legal)]
            step_on = game.resolve if turn == BOTH else game.apply
            state = step_on(rules, state, *moves)
        met.append(state)
    return met


@pytest.mark.parametrize("id", game_ids())
def test_whoever_is_to_act_can_act_and_what_is_over_has_an_outcome(id: str) -> None:
    game = load(id)
    variants = [*extremes(game), *([tuple(DEAD)] if id == "energy" else [])]
    for settings in variants:
        rules = variant(game, settings)
        for state in (state for seed in range(6) for state in islice(wandering(game, rules, seed), 61)):
            turn = game.turn(rules, state)
            if turn == OVER:
                assert game.winner(rules, state) in (0, 1, DRAW)
                assert game.dialogue.ending(rules, state, game.seats).endswith(".")
            elif turn == LUCK:
                assert any(game.odds(rules, state, face) > 0 for face in game.faces), (settings, state)
            else:
                for seat in (0, 1) if turn == BOTH else (turn,):
                    assert game.legal_moves(rules, state, seat), (settings, state)
            assert game.read_position(rules, game.write_position(rules, state)) == state, (settings, state)


def test_only_energy_has_rules_under_which_a_game_is_over_before_it_begins() -> None:
    for id in game_ids():
        game = load(id)
        over = {
            settings
            for settings in extremes(game)
            if game.turn(variant(game, settings), game.start(variant(game, settings), 0)) == OVER
        }
        assert not over or id == "energy", (id, over)
    energy = load("energy")
    rules = variant(energy, DEAD)
    for first in (0, 1):
        start = energy.start(rules, first)
        assert energy.turn(rules, start) == OVER
        assert energy.winner(rules, start) == 1 - first  # who cannot pay for anything has lost

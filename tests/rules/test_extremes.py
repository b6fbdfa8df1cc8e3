"""What must hold under all rules that the knobs allow, tried at their ends."""

from __future__ import annotations

import pytest

from duelbook import game_ids, load, variant
from duelbook.conformance.other_rules import extremes
from duelbook.conformance.rules_laws import PLAYABLE
from duelbook.conformance.speech_laws import everything_that_happens_is_told
from duelbook.conformance.steps import at_random
from duelbook.core import OVER

DEAD = ["energy=1", "attack_cost=42", "defend_cost=4", "may_pass=never"]
"""Rules under which nobody can pay for anything."""


@pytest.mark.slow
@pytest.mark.parametrize("id", game_ids())
def test_whoever_is_to_act_can_act_and_what_is_over_has_an_outcome(id: str) -> None:
    game = load(id)
    variants = [*extremes(game), *([tuple(DEAD)] if id == "energy" else [])]
    for settings in variants:
        rules = variant(game, settings)
        for state in (state for seed in range(6) for state in at_random(game, rules, seed, 60)):
            assert [mistake for law in PLAYABLE for mistake in law(game, rules, state)] == [], settings
            if game.turn(rules, state) == OVER:
                assert list(everything_that_happens_is_told(game, rules, state)) == [], settings


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

"""Every duel as PettingZoo has it: its own tests, and attacks on what an agent must not know."""

from __future__ import annotations

import pickle
from copy import copy, deepcopy
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from duelbook.core import DuelError
from envs_helper import EVERY, LONG, SMALL, duel

pytestmark = [
    pytest.mark.slow,
    # What PettingZoo warns of: observations are a dictionary with a mask, as those of its own board games, which it
    # excepts by name, and the first position of some duels is all zeros.
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:.* numpy array is all zeros:UserWarning"),
]


@pytest.fixture(scope="module")
def duels() -> Any:
    """Imported here and not above: `make test` collects this file too."""
    pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: pip install 'duelbook[pettingzoo]'")
    from duelbook.envs import pettingzoo

    return pettingzoo


@pytest.fixture(scope="module")
def official(duels: Any) -> Any:
    from pettingzoo import test

    return test


@pytest.mark.parametrize("name", EVERY)
def test_in_turn_it_is_what_pettingzoo_asks_for(duels: Any, official: Any, name: str) -> None:
    official.api_test(duels.env(duel(name)), num_cycles=300)
    official.api_test(duels.raw_env(duel(name), rules=SMALL[name]), num_cycles=300)
    official.seed_test(partial(duels.env, duel(name)), num_cycles=300)


@pytest.mark.parametrize("name", EVERY)
def test_all_at_once_it_is_what_pettingzoo_asks_for(duels: Any, official: Any, name: str) -> None:
    official.parallel_api_test(duels.parallel_env(duel(name)), num_cycles=300)
    official.parallel_seed_test(partial(duels.parallel_env, duel(name), illegal="replace"), num_cycles=300)


@pytest.mark.parametrize("name", EVERY)
def test_its_state_its_pictures_and_its_observations_are_accepted(
    duels: Any, official: Any, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    official.state_test(duels.env(duel(name)), duels.parallel_env(duel(name)))
    official.render_test(partial(duels.env, duel(name)))
    assert duel(name).name in capsys.readouterr().out
    official.test_save_obs(duels.env(duel(name)))
    assert "did not save the observations" in capsys.readouterr().out  # they are no pictures


@pytest.mark.parametrize("name", LONG)
def test_the_bell_rings_when_pettingzoo_expects_it(duels: Any, official: Any, name: str) -> None:
    """Its test plays anything, legal or not, and wants all agents to act equally often: in pig they do not."""
    options = {"rules": LONG[name], "illegal": "replace"}
    module = SimpleNamespace(
        env=partial(duels.env, duel(name), **options), parallel_env=partial(duels.parallel_env, duel(name), **options)
    )
    official.max_cycles_test(module)


def test_nobody_acts_more_often_than_the_bell_allows_even_who_rolls_again_and_again(duels: Any) -> None:
    game = duels.env(duel("pig"), rules=("goal=30", "sides=6"), max_cycles=4)
    acted = {"player_0": 0, "player_1": 0}
    game.reset(seed=1)
    for agent in game.agent_iter():
        mask, _, terminated, truncated, _ = game.last()
        if terminated or truncated:
            break
        acted[agent] += 1
        game.step(0 if mask["action_mask"][0] else 1)
    assert game.truncations == {"player_0": True, "player_1": True}
    assert max(acted.values()) == 4


# Rewards and ends


def test_the_winner_gets_one_and_the_loser_loses_it(duels: Any) -> None:
    game = duels.env("conquer")
    game.reset()
    while not game.terminations[game.agent_selection]:
        game.step(0)
    assert game.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert game.infos["player_0"]["reason"] == game.infos["player_1"]["reason"] != ""
    assert not any(game.truncations.values())


def test_who_is_done_has_nothing_left_to_say(duels: Any) -> None:
    game = duels.env("tower")
    game.reset()
    game.step(3)
    with pytest.raises(DuelError, match="its only action is None"):
        game.step(0)


def test_whoever_is_not_on_turn_waits_whatever_it_says(duels: Any) -> None:
    game = duels.parallel_env("tower")
    seen, _ = game.reset()
    assert seen["player_0"]["action_mask"].tolist() == [1, 1, 1, 0, 0]
    assert seen["player_1"]["action_mask"].tolist() == [0, 0, 0, 0, 1]
    seen, *_ = game.step({"player_0": 2, "player_1": 3})
    assert game.state().tolist() == [4, 0, 1]
    _, rewards, over, _, infos = game.step({"player_0": 0, "player_1": 4})
    assert (rewards["player_1"], over["player_1"]) == (-1.0, True)  # waiting on one's turn is illegal
    assert "fault" in infos["player_1"]["reason"]
    with pytest.raises(DuelError, match="reset"):
        game.step({"player_0": 0, "player_1": 0})


def test_where_both_pick_nobody_has_to_wait(duels: Any) -> None:
    game = duels.parallel_env("secret")
    seen, _ = game.reset()
    assert all(mask["action_mask"].tolist() == [1] * 10 for mask in seen.values())
    game.step({"player_0": 9, "player_1": 0})
    assert game.state().tolist() == [100, 91, 10, 1, 0, 0]


# What an agent must not know


def test_a_sealed_pick_changes_nothing_that_the_other_can_see(duels: Any) -> None:
    shown = []
    for pick in range(10):
        game = duels.env("secret", render_mode="ansi")
        game.reset(seed=5)
        game.step(pick)
        assert game.agent_selection == "player_1"
        seen = game.observe("player_1")
        own = game.observe("player_0")
        shown.append(
            (
                seen["observation"].tolist(),
                seen["action_mask"].tolist(),
                own["observation"].tolist(),
                own["action_mask"].tolist(),
                game.state().tolist(),
                game.render(),
                game.infos,
                game.rewards,
            )
        )
    assert all(each == shown[0] for each in shown)


@pytest.mark.parametrize("copied", [deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
def test_a_copy_in_which_one_answers_does_not_tell_what_the_other_has_sealed(duels: Any, copied: Any) -> None:
    """Whoever is asked second copies the game and tries every answer on it: it must look the same for every pick."""
    found = []
    for pick in range(10):
        game = duels.env("secret")
        game.reset(seed=5)
        game.step(pick)
        tried = []
        for answer in range(10):
            peek = copied(game)
            tried.append((peek.agent_selection, peek.state().tolist()))
            peek.step(answer)
            tried.append((peek.agent_selection, peek.state().tolist()))
        found.append(tried)
    assert all(each == found[0] for each in found)


def test_a_copy_draws_cards_of_its_own(duels: Any) -> None:
    game = duels.env("deck")
    game.reset(seed=5)
    peeks = [deepcopy(game) for _ in range(8)]

    def cards(played: Any) -> tuple[int, ...]:
        found = []
        for _ in range(12):
            found.append(int(played.state()[-1]))
            played.step(1)
        return tuple(found)

    futures = [cards(each) for each in (*peeks, game)]
    assert len({future[0] for future in futures}) == 1  # the card on the table is everybody's
    assert len(set(futures)) == len(futures)


def test_a_seed_brings_back_the_same_game_in_a_copy_too(duels: Any) -> None:
    """It is whoever gives the seed who knows what comes of it."""
    game = duels.env("deck")
    game.reset(seed=5)
    other = deepcopy(game)
    other.reset(seed=5)
    assert game.state().tolist() == other.state().tolist()


def test_a_shallow_copy_is_the_same_game_and_stepping_it_is_playing(duels: Any) -> None:
    game = duels.raw_env("deck")
    game.reset(seed=5)
    same = copy(game)
    same.step(0)
    assert same.state().tolist() == game.state().tolist()


def test_what_an_environment_cannot_be_is_said_in_a_sentence(duels: Any) -> None:
    for options, said in (
        ({"illegal": "ignore"}, "There is no 'ignore'"),
        ({"render_mode": "rgb_array"}, "not as 'rgb_array'"),
        ({"max_cycles": 0}, "The cycles before the bell"),
    ):
        for make in (duels.env, duels.parallel_env):
            with pytest.raises(DuelError, match=said):
                make("tower", **options)


def test_whoever_must_act_and_does_not_is_named(duels: Any) -> None:
    env = duels.parallel_env("tower", rules="goal=9 knocked=2")
    with pytest.raises(DuelError, match="reset"):
        env.step({})
    env.reset(seed=1)
    with pytest.raises(DuelError, match="player_0 must act now"):
        env.step({"player_1": 0})

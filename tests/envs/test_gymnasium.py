"""One agent against any player, as Gymnasium has it."""

from __future__ import annotations

import pickle
import sys
from copy import deepcopy
from typing import Any

import pytest

from duelbook import Duel
from duelbook.core import DuelError
from duelbook.match import View
from envs_helper import EVERY, SHIPPED, SMALL, duel

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def gym() -> Any:
    """Imported here and not above: `make test` collects this file too."""
    found = pytest.importorskip("gymnasium", reason="Gymnasium is not installed: pip install 'duelbook[gymnasium]'")
    import duelbook.envs.gymnasium  # noqa: F401 - makes the duels known

    return found


@pytest.fixture(scope="module")
def single(gym: Any) -> Any:
    from duelbook.envs.gymnasium import DuelEnv

    return DuelEnv


@pytest.mark.parametrize("seat", [0, 1, None])
@pytest.mark.parametrize("name", EVERY)
def test_every_duel_is_what_gymnasium_asks_for(gym: Any, single: Any, name: str, seat: int | None) -> None:
    from gymnasium.utils.env_checker import check_env

    for opponent in ("random", "level:3"):
        check_env(single(duel(name), opponent=opponent, seat=seat, rules=SMALL[name]), skip_render_check=True)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_duel_has_a_name_there(gym: Any, name: str) -> None:
    from gymnasium.utils.env_checker import check_env

    env = gym.make(f"duelbook/{name.capitalize()}-v0", opponent="perfect", seat=1, render_mode="ansi")
    check_env(env.unwrapped)
    env.reset(seed=1)
    assert duel(name).name in env.render()
    env.close()


def games(env: Any, many: int, seed: int = 1) -> list[tuple[list[int], float, bool, bool, str]]:
    """What comes of any legal moves."""
    found = []
    env.action_space.seed(seed)
    _, info = env.reset(seed=seed)
    for _ in range(many):
        seen, reward, over, rung, info = env.step(env.action_space.sample(info["action_mask"]))
        found.append((seen["observation"].tolist(), reward, over, rung, info["position"]))
        if over or rung:
            _, info = env.reset()
    return found


@pytest.mark.parametrize("opponent", ["random", "level:2", "brawler", "perfect"])
def test_the_same_seed_brings_the_same_games(single: Any, opponent: str) -> None:
    assert games(single("deck", opponent=opponent), 60) == games(single("deck", opponent=opponent), 60)


def test_a_perfect_opponent_cannot_be_beaten_where_it_has_won(single: Any) -> None:
    """In energy the second player wins."""
    ends = [reward for _, reward, over, _, _ in games(single("energy", opponent="perfect"), 400) if over]
    assert len(ends) > 20
    assert set(ends) == {-1.0}


def test_the_loss_of_an_action_is_that_of_the_solution(single: Any) -> None:
    duel_ = Duel("tower")
    env = single("tower", opponent="level:3", judged=True)
    _, info = env.reset(seed=4)
    env.action_space.seed(4)
    losses = []
    for _ in range(200):
        position, action = info["position"], int(env.action_space.sample(info["action_mask"]))
        *_, over, rung, info = env.step(action)
        assert info["loss"] == duel_.loss(position, env.encoding.words[action])
        losses.append(info["loss"])
        if over or rung:
            _, info = env.reset()
    assert 0 in losses
    assert 1 in losses


def test_what_is_illegal_gives_away_all_there_was(single: Any) -> None:
    env = single("tower", judged=True)
    env.reset(seed=1)
    _, reward, over, _, info = env.step(3)
    assert (reward, over, info["loss"]) == (-1.0, True, 1.0)
    with pytest.raises(DuelError, match="reset"):
        env.step(0)


def test_the_bell_is_truncation(single: Any) -> None:
    env = single("secret", max_turns=2)
    env.reset(seed=1)
    assert env.step(8)[2:4] == (False, False)
    assert env.step(9)[2:4] == (False, True)


def test_a_game_that_is_over_before_the_first_turn_is_skipped_and_counted(single: Any) -> None:
    env = single(duel("pig"), opponent="perfect", seat=1, rules=("goal=8",))
    env.reset(seed=1)
    skipped = [env.reset()[1]["skipped"] for _ in range(200)]
    assert sum(skipped) > 0
    assert not env.unwrapped._carried.over
    with pytest.raises(DuelError, match="had no turn in 1,000 games"):
        single("tower", seat=1, max_turns=1).reset()


def test_masks_are_there_as_others_ask_for_them(single: Any) -> None:
    env = single("tower")
    seen, info = env.reset()
    assert seen["action_mask"].tolist() == info["action_mask"].tolist() == [1, 1, 1, 0]
    assert env.action_masks().tolist() == [True, True, True, False]


# Opponents of all kinds


class Stubborn:
    """Always plays the same, and remembers what it was shown."""

    def __init__(self, move: int) -> None:
        self.move, self.views = move, list[View]()

    def choose(self, view: View) -> int:
        self.views.append(view)
        return self.move


def test_an_object_can_be_the_opponent_and_sees_no_pick(single: Any) -> None:
    other = Stubborn(4)
    env = single("secret", opponent=other)
    env.reset(seed=1)
    seen, *_ = env.step(9)
    assert seen["observation"].tolist() == [100, 95, 10, 5, 0, 0, 0]
    assert [view.state.last for view in other.views] == [(0, 0)]


def test_an_opponent_who_breaks_the_rules_has_lost(single: Any) -> None:
    env = single("tower", opponent=Stubborn(3), illegal="replace")
    env.reset(seed=1)
    _, reward, over, _, info = env.step(0)
    assert (reward, over) == (1.0, True)
    assert "fault" in info["reason"]


def test_a_program_can_be_the_opponent(single: Any) -> None:
    env = single("tower", opponent=f"engine:{sys.executable} -m duelbook engine --player level:3")
    try:
        assert any(over for _, _, over, _, _ in games(env, 40))
    finally:
        env.close()


@pytest.mark.parametrize("opponent", ["human", "nobody", 7])
def test_who_cannot_sit_there_is_refused(single: Any, opponent: object) -> None:
    with pytest.raises(DuelError):
        single("tower", opponent=opponent)


# What an agent must not know


@pytest.mark.parametrize("copied", [deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_has_luck_and_an_opponent_of_its_own(single: Any, copied: Any) -> None:
    env = single("deck", opponent="random", rules=("lp=99",))
    env.reset(seed=1)

    def future(played: Any) -> tuple[str, ...]:
        return tuple(played.step(1)[4]["position"] for _ in range(10))

    peeks = [copied(env) for _ in range(6)]
    assert len({future(each) for each in (*peeks, env)}) == 7


def test_a_copy_does_not_tell_what_the_opponent_will_pick(single: Any) -> None:
    env = single("secret", opponent="random")
    env.reset(seed=1)
    picks = {deepcopy(env).step(9)[0]["observation"][3] for _ in range(60)}
    assert len(picks) == 10

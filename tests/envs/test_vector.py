"""Thousands of games at once, each of which is the game that the single environment plays."""

from __future__ import annotations

import pickle
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest

from duelbook.core import DuelError
from envs_helper import EVERY, SMALL, duel
from guests_helper import GUESTS

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

pytestmark = pytest.mark.slow

LANES, STEPS, BELL = 12, 60, 12


@pytest.fixture(scope="module")
def many() -> Any:
    """Imported here and not above: `make test` collects this file too."""
    pytest.importorskip("gymnasium", reason="Gymnasium is not installed: pip install 'duelbook[gymnasium]'")
    from duelbook.envs.vector import DuelVectorEnv

    return DuelVectorEnv


def played(masks: Array, rng: Any, actions: int) -> Array:
    """A legal action for each, and now and then any at all."""
    import numpy as np

    flat = masks.reshape(-1, masks.shape[-1])
    legal = [rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in flat]
    chosen = np.where(rng.random(len(flat)) < 0.9, legal, rng.integers(0, actions, len(flat)))
    return chosen.reshape(masks.shape[:-1])


def same(one: Any, other: Any) -> bool:
    import numpy as np

    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return bool(np.array_equal(one, other))


def compare(many: Any, name: str, opponent: str, mode: str, **options: Any) -> int:
    """Step both through the same games, and count how many ended."""
    import numpy as np
    from gymnasium.vector import AutoresetMode, SyncVectorEnv

    from duelbook.envs.gymnasium import DuelEnv

    options |= {"opponent": opponent, "rules": SMALL[name], "max_turns": BELL}
    single = SyncVectorEnv([lambda: DuelEnv(duel(name), **options)] * LANES, autoreset_mode=AutoresetMode(mode))
    vector = many(duel(name), LANES, autoreset_mode=mode, **options)
    assert single.observation_space == vector.observation_space
    assert single.action_space == vector.action_space
    rng, ended = np.random.default_rng(1), 0
    (seen, info), (told, facts) = single.reset(seed=5), vector.reset(seed=5)
    for _ in range(STEPS):
        assert same(seen, told)
        assert same(info["seat"], facts["seat"])
        assert vector.observation_space.contains(told)
        actions = played(told["action_mask"], rng, vector.single_action_space.n)
        seen, *ends, info = single.step(actions)
        told, *also, facts = vector.step(actions)
        assert all(same(one, other) for one, other in zip(ends, also, strict=True))
        assert ("final_obs" in info) == ("final_obs" in facts)
        for lane in np.flatnonzero(info.get("_final_obs", [])):
            assert same(info["final_obs"][lane], facts["final_obs"][lane])
        over = also[1] | also[2]
        ended += int(over.sum())
        if mode == AutoresetMode.DISABLED.value and over.any():
            seen, info = single.reset(options={"reset_mask": over})
            told, facts = vector.reset(options={"reset_mask": over})
            info["seat"] = facts["seat"]  # Gymnasium tells only of the lanes that were reset
    return ended


@pytest.mark.parametrize("name", EVERY)
def test_every_lane_is_the_single_environment_against_players_who_are_tables(many: Any, name: str) -> None:
    assert compare(many, name, "level:3", "NextStep", seat=None) > LANES
    assert compare(many, name, "brawler", "SameStep", seat=1) > LANES
    assert compare(many, name, "perfect", "Disabled", seat=0, illegal="replace") > LANES


@pytest.mark.parametrize("name", GUESTS)
def test_every_lane_is_the_single_environment_against_random(many: Any, name: str) -> None:
    for mode in ("NextStep", "SameStep", "Disabled"):
        assert compare(many, name, "random", mode, seat=None) > LANES


@pytest.mark.parametrize("name", EVERY)
def test_both_seats_of_every_lane_are_the_parallel_environment(many: Any, name: str) -> None:
    import numpy as np

    pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: pip install 'duelbook[pettingzoo]'")
    from duelbook.envs.encoding import AGENTS
    from duelbook.envs.pettingzoo import parallel_env

    for illegal in ("lose", "replace"):
        options = {"rules": SMALL[name], "illegal": illegal}
        single = [parallel_env(duel(name), max_cycles=BELL, **options) for _ in range(LANES)]
        vector = many(duel(name), LANES, opponent="self", max_turns=BELL, **options)
        seen, rng = [env.reset(seed=5 + lane)[0] for lane, env in enumerate(single)], np.random.default_rng(1)
        told, _ = vector.reset(seed=5)
        over, ended = np.zeros(LANES, bool), 0
        for _ in range(STEPS):
            for lane, view in enumerate(seen):
                for seat, agent in enumerate(AGENTS):
                    assert all(same(view[agent][key], told[key][lane, seat]) for key in told)
            assert vector.observation_space.contains(told)
            actions = played(told["action_mask"], rng, vector.single_action_space.nvec[0])
            told, rewards, *ends, _ = vector.step(actions)
            for lane, env in enumerate(single):
                if over[lane]:
                    seen[lane] = env.reset()[0]
                    assert (rewards[lane], ends[0][lane], ends[1][lane]) == (0.0, False, False)
                    continue
                seen[lane], reward, *also, _ = env.step(dict(zip(AGENTS, actions[lane].tolist(), strict=True)))
                found = [rewards[lane], ends[0][lane], ends[1][lane]]
                assert [reward[AGENTS[0]], *(each[AGENTS[0]] for each in also)] == found
                assert reward[AGENTS[1]] == -reward[AGENTS[0]]
            over = ends[0] | ends[1]
            ended += int(over.sum())
        assert ended > LANES


def test_threads_share_the_games_and_change_nothing(many: Any) -> None:
    import numpy as np

    envs = [many("tower", 3000, opponent="level:3", seat=None, threads=threads) for threads in (1, 2)]
    seen = [env.reset(seed=9)[0] for env in envs]
    for _ in range(30):
        actions = np.argmax(seen[0]["action_mask"], axis=1)
        steps = [env.step(actions) for env in envs]
        seen = [step[0] for step in steps]
        assert all(same(one, other) for one, other in zip(*(step[:4] for step in steps), strict=True))
    for env in envs:
        env.close()


def test_gymnasium_makes_it_by_name(many: Any) -> None:
    import gymnasium

    import duelbook.envs.gymnasium  # noqa: F401 - makes the duels known

    env = gymnasium.make_vec("duelbook/Tower-v0", 64, vectorization_mode="vector_entry_point", opponent="level:2")
    assert isinstance(env.unwrapped, many)
    seen, _ = env.reset(seed=1)
    assert seen["observation"].shape == (64, 4)
    env.close()


def test_without_a_seed_every_lane_has_its_own_luck(many: Any) -> None:
    env = many("deck", 200, opponent="self")
    one, two = (env.reset()[0]["observation"][:, 0, 4].tolist() for _ in range(2))
    assert set(one) == set(range(1, 11))
    assert one != two


def test_what_is_not_copied_is_overwritten(many: Any) -> None:
    env = many("tower", 4, opponent="self", copy=False)
    seen, _ = env.reset(seed=1)
    before = seen["observation"].copy()
    env.step([[0, 4]] * 4)
    assert not same(before, seen["observation"])


def test_a_copy_has_luck_of_its_own(many: Any) -> None:
    import numpy as np

    env = many("deck", 40, opponent="random", rules=("lp=99",))
    env.reset(seed=1)
    peek = deepcopy(env)
    actions = np.ones(40, int)
    one, two = env.step(actions)[0]["observation"], peek.step(actions)[0]["observation"]
    alike = (one[:, 4] == two[:, 4]).mean()
    assert alike < 0.5
    assert same(one[:, 2], two[:, 2])
    with pytest.raises(DuelError, match="not written to a file"):
        pickle.dumps(env)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"opponent": "engine:python3"}, "There is no table for a player called"),
        ({"autoreset_mode": "Never"}, "there is no 'Never'"),
        ({"render_mode": "human"}, "not shown"),
        ({"seat": 2}, "A seat must be"),
        ({"num_envs": 0}, "The number of games"),
        ({"illegal": "ignore"}, "There is no 'ignore'"),
    ],
)
def test_what_it_cannot_be_is_said_in_a_sentence(many: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(DuelError, match=said):
        many("tower", **options)


def test_what_cannot_be_done_is_said_in_a_sentence(many: Any) -> None:
    env = many("tower", 2, autoreset_mode="Disabled", max_turns=1)
    with pytest.raises(DuelError, match=r"reset\(\) begins them"):
        env.step([0, 0])
    env.reset(seed=1)
    for wrong in ([0], [0.5, 1], [0, 4], [-1, 0]):
        with pytest.raises(DuelError, match="ction"):
            env.step(wrong)
    env.step([0, 0])
    with pytest.raises(DuelError, match="Game 0 is over"):
        env.step([0, 0])
    with pytest.raises(DuelError, match="reset_mask"):
        env.reset(options={"reset_mask": [True, False]})
    with pytest.raises(DuelError, match="2 seeds"):
        env.reset(seed=[1])
    with pytest.raises(DuelError, match="had no turn"):
        many("tower", 2, seat=1, max_turns=1).reset()

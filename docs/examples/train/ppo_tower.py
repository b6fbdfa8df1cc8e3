"""Masked PPO of sb3-contrib learns Tower Defense Duel; its curve is exact loss and exact exploitability.

    python ppo_tower.py                       # against itself, as it was when the rollout began
    python ppo_tower.py --opponent level:3    # against one opponent for ever

Needs: pip install 'duelbook[train]'
"""

import argparse
import json
from pathlib import Path

import gymnasium
import numpy as np
import torch
from gymnasium.spaces import Box
from gymnasium.wrappers import TransformObservation
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv

import duelbook.envs.gymnasium  # noqa: F401 - makes the duels known
from duelbook import Examiner

GAMES, ROLLOUT = 8, 256
EXAMINER = Examiner("tower")
LOW, HIGH = EXAMINER.encoding.low[0], EXAMINER.encoding.high[0]


def features(seen):
    """Both heights, a 1 at the place of each; who looks is always on turn, and the seat makes no difference."""
    return np.eye(HIGH - LOW + 1, dtype=np.float32)[seen[..., :2] - LOW].reshape(*seen.shape[:-1], -1)


class Exactly(BaseCallback):
    """Judges the policy over every decision there is, before each rollout."""

    shares = EXAMINER.masks / EXAMINER.masks.sum(axis=1, keepdims=True)  # how likely each move is at each decision
    curve = ()

    def policy(self, observations, masks):
        with torch.no_grad():
            given = torch.as_tensor(features(observations))
            return self.model.policy.get_distribution(given, masks).distribution.probs.numpy()

    def judge(self):
        self.shares = EXAMINER.shares(self.policy)
        found, ended = EXAMINER.judge(self.shares), self.model.ep_info_buffer
        won = float(np.mean([game["r"] > 0 for game in ended])) if ended else None
        self.curve += ((self.num_timesteps, found.lost, found.exploitability, won),)
        print("{:>9,} steps: {:6.2%} lost, {:6.2%} exploitable".format(*self.curve[-1]), flush=True)

    def _on_rollout_start(self):
        self.judge()

    def _on_step(self):
        return True


def learn(opponent, steps, seed):
    """The callback with its curve, once it is done."""
    torch.set_num_threads(1)
    exactly = Exactly()
    latest = EXAMINER.player(lambda seen, masks: exactly.shares[EXAMINER.rows(seen)], seed)

    def game():
        env = gymnasium.make("duelbook/Tower-v0", opponent=latest if opponent == "self" else opponent, seat=None)
        width = 2 * (HIGH - LOW + 1)
        return Monitor(TransformObservation(env, lambda seen: features(seen["observation"]), Box(0, 1, (width,))))

    options = {"n_steps": ROLLOUT, "batch_size": 256, "gamma": 1.0, "ent_coef": 0.01, "seed": seed, "device": "cpu"}
    options["learning_rate"] = lambda left: 1e-3 * max(left, 0.1)
    model = MaskablePPO("MlpPolicy", DummyVecEnv([game] * GAMES), **options)
    model.learn(steps, callback=exactly)
    exactly.judge()
    return exactly


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opponent", default="self", help="self, or any player, such as level:3")
    parser.add_argument("--steps", type=int, default=120_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path(), help="the folder for the curve and the policy")
    asked = parser.parse_args()
    found = learn(asked.opponent, asked.steps, asked.seed)
    name = f"ppo-tower-{asked.opponent.replace(':', '-')}"
    about = {"duel": "tower", "learner": "PPO", "opponent": asked.opponent, "seed": asked.seed, "curve": found.curve}
    (asked.out / f"{name}.json").write_text(json.dumps(about) + "\n", encoding="utf-8")
    np.save(asked.out / f"{name}.npy", found.shares.astype(np.float32))

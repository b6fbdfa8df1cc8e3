"""Q-learning in plain NumPy, a table that plays itself; its curve is exact loss and exact exploitability.

    python q_learning.py conquer
    python q_learning.py energy --steps 6000 --every 200

Needs: pip install 'duelbook[gymnasium]'
"""

import argparse
import json
from pathlib import Path

import numpy as np

from duelbook import Examiner
from duelbook.envs.vector import DuelVectorEnv

RATE, EXPLORING, PATIENCE = 0.5, 0.9, 0.99
"""How far a value goes to what was seen, how often any move is tried, and how much of a value is left a turn later."""


def either_seat(observations):
    """The same without the seat: what is learnt in one is known in the other."""
    return np.concatenate([observations[:, :-1], np.zeros_like(observations[:, -1:])], axis=1)


def greedy(values):
    """All that looks best, each as likely as the next."""
    best = values >= values.max(axis=1, keepdims=True) - 1e-9
    return best / best.sum(axis=1, keepdims=True)


def learn(duel, steps, every, games, seed):
    """The curve, and how likely each move is made at each decision in the end."""
    examiner, numbers = Examiner(duel), np.random.default_rng(seed)
    moves, lanes = examiner.encoding.moves, np.arange(games)
    values = np.where(examiner.masks, 0.0, -np.inf)  # of each move at each decision, for who makes it
    known = examiner.rows(either_seat(examiner.observations))
    envs = DuelVectorEnv(duel, games, opponent="self", autoreset_mode="SameStep")

    def turn(seen):
        """Who is to move in each game, and at which decision."""
        mover = seen["action_mask"][:, 1, :moves].any(axis=1).astype(int)
        return mover, examiner.rows(either_seat(seen["observation"][lanes, mover]))

    curve, shares = [], None
    mover, here = turn(envs.reset(seed=seed)[0])
    for done in range(0, steps + 1, games):
        if done // every > (done - games) // every:
            shares = greedy(values[known])
            found = examiner.judge(shares)
            curve.append((done, found.lost, found.exploitability))
            print("{:>9,} steps: {:6.2%} lost, {:6.2%} exploitable".format(*curve[-1]), flush=True)
        tried = numbers.random(games) < EXPLORING
        open_to = np.where(tried[:, None], examiner.masks[here], greedy(values[here]) > 0)
        chosen = (numbers.random((games, moves)) * open_to).argmax(axis=1)
        actions = np.full((games, 2), moves)  # who is not on turn waits
        actions[lanes, mover] = chosen
        seen, rewards, over, rung, _ = envs.step(actions)
        next_mover, there = turn(seen)
        ahead = np.where(next_mover == mover, 1, -1) * PATIENCE * values[there].max(axis=1)
        result = np.where(mover == 0, rewards, -rewards)
        values[here, chosen] += RATE * (np.where(over | rung, result, ahead) - values[here, chosen])
        mover, here = next_mover, there
    return curve, shares


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("duel", help="conquer, energy or tower: one in which players move in turn, without cards")
    parser.add_argument("--steps", type=int, default=3_000_000)
    parser.add_argument("--every", type=int, default=50_000, help="steps from one point of the curve to the next")
    parser.add_argument("--games", type=int, default=50, help="so many at once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path(), help="the folder for the curve and the policy")
    asked = parser.parse_args()
    found, policy = learn(asked.duel, asked.steps, asked.every, asked.games, asked.seed)
    name = f"q-{asked.duel}"
    about = {"duel": asked.duel, "learner": "Q-learning", "opponent": "self", "seed": asked.seed, "curve": found}
    (asked.out / f"{name}.json").write_text(json.dumps(about) + "\n", encoding="utf-8")
    np.save(asked.out / f"{name}.npy", policy.astype(np.float32))

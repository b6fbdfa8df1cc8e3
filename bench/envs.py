"""How fast environments step, with masks and with games that end and begin again, beside others in one run.

A step is a decision: in every lane somebody acts, everybody is shown the position and the mask, and a game that is over
begins again. Moves are random legal ones, drawn by compiled code on every side. Beside each other:

- the vector environment of every duel, both seats (`opponent="self"`) and one against random, on two threads;
- PettingZoo's way of stepping the same duel, `duelbook.envs.pettingzoo`, one agent after the other;
- the duels on JAX, `duelbook.envs.jax`, with observations, masks and games that begin again, in a `lax.scan`;
- Pgx on JAX, tic-tac-toe and connect four, in the same scan, its moves drawn in the faster of two ways.

`--device` measures the last two alone, on whatever device JAX finds, with large batches.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from bench.jax_envs import PGX, on_device, on_processor
from bench.report import Aim, alternate, publish, table
from numba import njit

from duelbook import game_ids
from duelbook.simulate.choices import stir

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

LANES = 65_536
THREADS = 2
STEPS = 20
"""Of the vector environment, in a run; ..."""
SECONDS = 0.2
"""... and how long PettingZoo's way is watched."""


@njit(nogil=True)
def any_legal(masks: Array, seed: int, actions: Array, low: int, high: int) -> None:
    """A random legal action for every row from `low` to `high`."""
    for row in range(low, high):
        many = 0
        for action in range(masks.shape[1]):
            many += masks[row, action]
        nth = int((stir(np.uint64(seed), row) >> np.uint64(32)) * np.uint64(many) >> np.uint64(32))
        for action in range(masks.shape[1]):
            if masks[row, action] == 1:
                if nth == 0:
                    actions[row] = action
                nth -= 1


def vector(id: str, opponent: str) -> Callable[[], float]:
    from duelbook.envs.vector import DuelVectorEnv

    envs = DuelVectorEnv(id, LANES, opponent=opponent, threads=THREADS, copy=False)
    shape = (LANES, 2) if opponent == "self" else (LANES,)
    actions, seeds = np.zeros(shape, np.int64), iter(range(10**9))
    seen, _ = envs.reset(seed=1)
    masks = seen["action_mask"].reshape(-1, seen["action_mask"].shape[-1])
    borders = [len(masks) * part // THREADS for part in range(THREADS + 1)]
    pool = ThreadPoolExecutor(THREADS)  # JAX draws moves on all processors, too

    def step() -> None:
        seed = next(seeds)
        list(pool.map(partial(any_legal, masks, seed, actions.reshape(-1)), borders[:-1], borders[1:]))
        envs.step(actions)  # which fills what was seen anew

    for _ in range(60):
        step()

    def seconds_a_step() -> float:
        began = time.perf_counter()
        for _ in range(STEPS):
            step()
        return (time.perf_counter() - began) / (STEPS * LANES)

    return seconds_a_step


def in_turn(id: str) -> Callable[[], float]:
    from duelbook.envs.pettingzoo import env

    game = env(id)
    rng = np.random.default_rng(1)

    def seconds_a_step() -> float:
        steps, began = 0, time.perf_counter()
        while time.perf_counter() - began < SECONDS:
            game.reset(seed=steps)
            for _ in game.agent_iter():
                seen, _, terminated, truncated, _ = game.last()
                if terminated or truncated:
                    break
                game.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
                steps += 1
        return (time.perf_counter() - began) / steps

    return seconds_a_step


def contenders(ids: list[str], peers: bool) -> dict[str, Callable[[], float]]:
    found: dict[str, Callable[[], float]] = {}
    for id in ids:
        found |= {f"both seats, {id}": vector(id, "self"), f"against random, {id}": vector(id, "random")}
        found[f"PettingZoo, {id}"] = in_turn(id)
    return found | on_processor(ids, peers)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--ours", action="store_true", help="leave Pgx out")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--only", help="this duel alone")
    parser.add_argument("--device", action="store_true", help="JAX and Pgx alone, on the device that JAX finds")
    parser.add_argument("--batch", type=int, default=1 << 22, help="games at once, with --device")
    options = parser.parse_args()
    ids = [options.only] if options.only else game_ids()
    if options.device:
        on_device(ids, options.batch, options.rounds, not options.ours, options.json)
        return
    times = alternate(contenders(ids, not options.ours), options.rounds)
    best: dict[str, Any] = {name: 1 / min(seconds) for name, seconds in times.items()}
    median = {name: 1 / float(np.median(seconds)) for name, seconds in times.items()}
    peer = max((rate for name, rate in best.items() if name.startswith(PGX)), default=0.0)
    peer_median = max((rate for name, rate in median.items() if name.startswith(PGX)), default=0.0)
    rows = [
        [id, *(f"{best[f'{way}, {id}'] / 1e6:.1f}" for way in ("both seats", "against random")),
         f"{best[f'PettingZoo, {id}'] / 1e3:.1f}", f"{median[f'both seats, {id}'] / median[f'PettingZoo, {id}']:.0f}x",
         f"{median[f'both seats, {id}'] / peer_median:.1f}x" if peer else "-", f"{best[f'JAX, {id}'] / 1e6:.1f}",
         f"{median[f'JAX, {id}'] / peer_median:.1f}x" if peer else "-"]
        for id in ids
    ]  # fmt: skip
    others = [
        [name, f"{best[name] / 1e6:.2f}", f"{median[name] / 1e6:.2f}"] for name in best if name[:3] in ("Pgx", "JAX")
    ]
    aims = [
        Aim(f"{id}, both seats, beside PettingZoo's way", median[f"both seats, {id}"] / median[f"PettingZoo, {id}"], 20)
        for id in ids
    ]
    if peer:
        for way, said in (("both seats", "both seats"), ("JAX", "on JAX")):
            aims += [Aim(f"{id}, {said}, beside Pgx's best", median[f"{way}, {id}"] / peer_median, 1) for id in ids]
    heading = ["million steps a second", "both seats", "against random", "PettingZoo (thousand)", "of it", "of Pgx"]
    heading += ["JAX", "of Pgx"]
    tables = [table(heading, rows)]
    if others:
        tables.append(table(["on JAX, million steps a second", "best", "median"], others))
    publish("environments", options.json, {"steps_a_second": best, "medians": median}, tables, aims)


if __name__ == "__main__":
    main()

"""Duels and Pgx's games on JAX in the same loop: a scan of steps, random legal moves, games that begin again.

What a step hands over is carried through the scan whole: observation, mask, rewards and ends. `masks` is the same
without observations, which the compiler leaves out where nobody asks for them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from bench.report import Aim, alternate, publish, table

PGX = "Pgx "
PEERS = {"tic_tac_toe": "tic-tac-toe", "connect_four": "connect four"}
BATCHES = {1024: 500, 65_536: 15}
"""On a processor: for each batch the steps of a run."""
DEVICE_STEPS = 200
AIM = 3e10
"""Steps a second of tower with masks and games that begin again, on an H200."""


def nth_legal(legal: Any, key: Any) -> Any:
    """A random legal action for every row, by counting: what was fastest for Pgx, too."""
    import jax
    import jax.numpy as jnp

    columns = [legal[:, action].astype(jnp.int32) for action in range(legal.shape[1])]
    nth = (jax.random.uniform(key, legal.shape[:1]) * sum(columns)).astype(jnp.int32)
    counted, action = jnp.zeros_like(nth), jnp.zeros_like(nth)
    for column in columns:
        counted = counted + column
        action = action + (counted <= nth)
    return action


def rolled(step: Any, init: Any, luck: bool, batch: int, steps: int, whole: bool = True) -> Callable[[], float]:
    """Seconds a step of so many games at once; `luck` where a step needs keys."""
    import jax

    def play(state: Any, key: Any) -> tuple[Any, None]:
        choosing, going_on = jax.random.split(key)
        action = nth_legal(state.legal_action_mask, choosing)
        if not luck:
            return jax.vmap(lambda each, chosen: step(each, chosen))(state, action), None
        return jax.vmap(step)(state, action, jax.random.split(going_on, batch)), None

    def roll(state: Any, key: Any) -> Any:
        after = jax.lax.scan(play, state, jax.random.split(key, steps))[0]
        return after if whole else after.replace(observation=state.observation)

    compiled = jax.jit(roll, donate_argnums=0)
    state = jax.jit(jax.vmap(init))(jax.random.split(jax.random.key(0), batch))
    held = [jax.block_until_ready(compiled(state, jax.random.key(1)))]
    seeds = iter(range(2, 1_000_000))

    def seconds_a_step() -> float:
        key = jax.random.key(next(seeds))
        began = time.perf_counter()
        held[0] = jax.block_until_ready(compiled(held[0], key))
        return (time.perf_counter() - began) / (batch * steps)

    return seconds_a_step


def ours(id: str, batch: int, steps: int, whole: bool = True) -> Callable[[], float]:
    from duelbook.envs.jax import DuelEnv, auto_reset

    env = DuelEnv(id)
    return rolled(auto_reset(env.step, env.init), env.init, bool(env.columns.tickets), batch, steps, whole)


def theirs(id: str, batch: int, steps: int) -> Callable[[], float]:
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(id)
    return rolled(auto_reset(env.step, env.init), env.init, True, batch, steps)


def on_processor(ids: list[str], peers: bool) -> dict[str, Callable[[], float]]:
    found = {f"JAX, {id}": ours(id, *max(BATCHES.items())) for id in ids}
    if peers:
        found |= {
            f"{PGX}{name}, {batch}": theirs(peer, batch, steps)
            for peer, name in PEERS.items()
            for batch, steps in BATCHES.items()
        }
    return found


def on_device(ids: list[str], batch: int, rounds: int, peers: bool, as_json: bool) -> None:
    """Measure on the device that JAX finds, and say which it is."""
    import jax

    device = jax.devices()[0]
    contenders = {}
    for id in ids:
        contenders[f"{id}, all"] = ours(id, batch, DEVICE_STEPS)
        contenders[f"{id}, masks"] = ours(id, batch, DEVICE_STEPS, whole=False)
    if peers:
        contenders |= {f"{PGX}{name}": theirs(id, batch, DEVICE_STEPS) for id, name in PEERS.items()}
    times = alternate(contenders, rounds)
    best = {name: 1 / min(seconds) for name, seconds in times.items()}
    median = {name: 1 / float(np.median(seconds)) for name, seconds in times.items()}
    rows = [[name, f"{best[name] / 1e6:,.1f}", f"{median[name] / 1e6:,.1f}"] for name in contenders]
    aims = []
    if "tower" in ids and device.platform == "gpu":
        aims = [Aim("tower with masks, of 3 x 10^10 steps a second", best["tower, masks"] / AIM, 1)]
    facts = {"device": f"{device.device_kind} ({device.platform})", "batch": batch, "steps_a_second": best}
    heading = [f"million steps a second, {facts['device']}, {batch:,} games", "best", "median"]
    publish("environments on JAX", as_json, facts | {"medians": median}, [table(heading, rows)], aims)

"""How fast games are played for their own sake: steps and whole games a second, beside others in one run.

Duelbook plays random against random with `duelbook.simulate`, a million games and more at a time, counted to the last
one; a step is a turn of the match, so a round of secret picks is one and a card is none. Beside it:

- Pgx on JAX for the processor, tic-tac-toe and connect four, batches of 1,024 and 65,536, compiled, random legal moves,
  games that end begin again. The moves are drawn in the way that was fastest of those tried.
- OpenSpiel's C++ games from Python: random playouts of the same two.
- Deck, secret and tower written out by hand for Numba, each for itself: the limit of what this machine does. Deck and
  secret draw the simulator's numbers and play the very same games.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
from bench.report import Aim, alternate, publish, table

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

GAMES = {"conquer": 500_000, "deck": 1_500_000, "energy": 8_000_000, "secret": 600_000, "tower": 4_000_000}
"""So many make about a quarter of a second on one thread."""
PEERS = {"tic_tac_toe": "tic-tac-toe", "connect_four": "connect four"}
BATCHES = {1024: 500, 65536: 15}
"""For each batch the steps of a run."""
HAND_WORDS = 2_000_000
LIMITS = {"deck": 0.8, "secret": 0.8, "tower": 0.5}
"""What share of the loop written by hand the simulator means to reach."""
FIFTY, TEN = ("conquer", "energy", "tower"), ("deck", "secret")

lengths: dict[str, float] = {}
"""Turns of a game on average, as met."""


def clock_for(threads: int) -> Callable[[], float]:
    """Alone a contender is timed by the processor's time, without what other programs take in between."""
    return time.process_time if threads == 1 else time.perf_counter


def ours(id: str, threads: int) -> Callable[[], float]:
    from duelbook.simulate import simulate

    simulate(id, "random", "random", 1000)  # whatever has to be compiled
    seeds = iter(range(1_000_000))

    def seconds_a_step() -> float:
        clock = clock_for(threads)
        began = clock()
        found = simulate(id, "random", "random", GAMES[id], threads=threads, seed=next(seeds))
        seconds = clock() - began
        assert found.games == GAMES[id]
        lengths[id] = found.turns / found.games
        return seconds / found.turns

    return seconds_a_step


def tower_by_hand(threads: int) -> Callable[[], float]:
    from bench.tower_by_hand import LANES, PER_WORD, walk
    from bench.tower_by_hand import table as hand_table

    after = hand_table()
    one, two = walk(after, 10_000, 1)
    steps = 10_000 * LANES * PER_WORD
    assert abs(one / (one + two) - 0.4944) < 0.02
    assert abs(steps / (one + two) - 21.1) < 0.5

    def seconds_a_step() -> float:
        clock = clock_for(threads)
        began = clock()
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda seed: walk(after, HAND_WORDS // threads, seed), range(threads)))
        return (clock() - began) / (HAND_WORDS // threads * threads * LANES * PER_WORD)

    return seconds_a_step


def played_by_hand(id: str, games: int, seed: int, threads: int = 1) -> Array:
    """Games of deck or secret by the loop written by hand: how many ended with which winner after how many turns."""
    from bench import deck_by_hand, secret_by_hand

    from duelbook.simulate.bits import seed_key

    hand = deck_by_hand if id == "deck" else secret_by_hand
    tables, borders = hand.tables(), [games * part // threads for part in range(threads + 1)]

    def portion(low: int, high: int) -> Array:
        lengths = np.zeros((4, hand.BELL + 1), np.int64)
        hand.walk(*tables, seed_key(seed), low, high, lengths)
        return lengths

    with ThreadPoolExecutor(threads) as pool:
        lengths: Array = np.sum(list(pool.map(portion, borders[:-1], borders[1:])), axis=0)
    return lengths


def by_hand(id: str, threads: int) -> Callable[[], float]:
    from duelbook.simulate import simulate

    if id == "tower":
        return tower_by_hand(threads)
    assert np.array_equal(played_by_hand(id, 20_000, 1), simulate(id, "random", "random", 20_000, seed=1).lengths)
    seeds = iter(range(1_000_000))

    def seconds_a_step() -> float:
        clock = clock_for(threads)
        began = clock()
        lengths = played_by_hand(id, GAMES[id], next(seeds), threads)
        seconds = clock() - began
        return seconds / float(lengths.sum(axis=0) @ np.arange(lengths.shape[1]))

    return seconds_a_step


def pgx(id: str, batch: int) -> Callable[[], float]:
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(id)
    step = jax.vmap(auto_reset(env.step, env.init))
    steps = BATCHES[batch]

    def play(state: Any, key: Any) -> tuple[Any, None]:
        choosing, beginning = jax.random.split(key)
        legal = state.legal_action_mask
        nth = (jax.random.uniform(choosing, (batch,)) * legal.sum(axis=1)).astype(jnp.int32)
        action = jnp.argmax(jnp.cumsum(legal, axis=1) > nth[:, None], axis=1)
        return step(state, action, jax.random.split(beginning, batch)), None

    roll = jax.jit(lambda state, key: jax.lax.scan(play, state, jax.random.split(key, steps))[0])
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), batch))
    held = [jax.block_until_ready(roll(state, jax.random.key(1)))]
    seeds = iter(range(2, 1_000_000))

    def seconds_a_step() -> float:
        key = jax.random.key(next(seeds))
        began = time.perf_counter()
        held[0] = jax.block_until_ready(roll(held[0], key))
        return (time.perf_counter() - began) / (batch * steps)

    return seconds_a_step


def openspiel(id: str) -> Callable[[], float]:
    import pyspiel

    game, choose = pyspiel.load_game(id), random.Random(1).choice

    def seconds_a_step() -> float:
        steps, began = 0, time.perf_counter()
        while time.perf_counter() - began < 0.25:
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(choose(state.legal_actions()))
                steps += 1
        return (time.perf_counter() - began) / steps

    return seconds_a_step


def contenders() -> dict[str, Callable[[], float]]:
    found = {f"{id}, {threads}": ours(id, threads) for id in GAMES for threads in (1, 2)}
    found |= {f"by hand {id}, {threads}": by_hand(id, threads) for id in LIMITS for threads in (1, 2)}
    found |= {f"Pgx {name}, {batch}": pgx(id, batch) for id, name in PEERS.items() for batch in BATCHES}
    return found | {f"OpenSpiel {name}": openspiel(id) for id, name in PEERS.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    times = alternate(contenders(), options.rounds)
    best = {name: 1 / min(seconds) for name, seconds in times.items()}
    median = {name: 1 / float(np.median(seconds)) for name, seconds in times.items()}
    peer = max(rate for name, rate in best.items() if name.startswith("Pgx"))
    rows = [
        [id, *(f"{best[f'{id}, {threads}'] / 1e6:.0f}" for threads in (1, 2)), f"{median[f'{id}, 2'] / 1e6:.0f}",
         f"{lengths[id]:.1f}", *(f"{best[f'{id}, {threads}'] / lengths[id] / 1e6:.2f}" for threads in (1, 2)),
         f"{best[f'{id}, 2'] / peer:.0f}x"]
        for id in GAMES
    ]  # fmt: skip
    others = [[name, f"{best[name] / 1e6:.2f}", f"{median[name] / 1e6:.2f}"] for name in best if name[:1] in "POb"]
    aims = [Aim(f"{id}, two threads beside Pgx's best", best[f"{id}, 2"] / peer, least=50) for id in FIFTY]
    aims += [Aim(f"{id}, two threads beside Pgx's best", best[f"{id}, 2"] / peer, least=10) for id in TEN]
    aims += [
        Aim(f"{id} beside the loop written by hand, threads: {threads}", ratio, least=least)
        for id, least in LIMITS.items()
        for threads in (1, 2)
        for ratio in [median[f"{id}, {threads}"] / median[f"by hand {id}, {threads}"]]
    ]
    publish(
        "Self-play, random against random",
        options.json,
        {"steps_a_second": best, "median": median, "turns_a_game": lengths},
        [
            table(
                ["million a second", "steps, 1 thread", "2 threads", "median", "turns", "games, 1", "games, 2", "Pgx"],
                rows,
            ),
            table(["million steps a second", "best", "median"], others),
        ],
        aims,
    )


if __name__ == "__main__":
    main()

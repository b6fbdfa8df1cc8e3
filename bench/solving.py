"""How long solving takes, from nothing and again, and beside others on the same game.

From nothing means in a new process with no compiled code kept from before: compilation counts. Again means once more in
the same process. Tower is solved side by side, tables included, by Duelbook, by a plain retrograde analysis in Python
over dictionaries, and by OpenSpiel's value iteration on the same game written for OpenSpiel.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

from bench.report import Aim, alternate, publish, table

IN_A_NEW_PROCESS = """
import json, resource, time
from duelbook.games import ROOMS, load
from duelbook.solving.solver import solve
seconds = {}
for again in (False, True):
    for id in ROOMS:
        began = time.perf_counter()
        game = load(id)
        solve(game, game.book)
        seconds[f"{id} {'again' if again else 'from nothing'}"] = time.perf_counter() - began
print(json.dumps({"seconds": seconds, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2}))
"""


def from_nothing() -> Any:
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", IN_A_NEW_PROCESS],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"NUMBA_CACHE_DIR": folder},
        )
    return json.loads(done.stdout)


def steps_of_secret() -> dict[str, float]:
    """What the steps of solving Number Duel take again, in seconds of CPU."""
    from duelbook import load
    from duelbook.positions.machine import compiling
    from duelbook.solving.equal_picks import MOST_SWEEPS, choose_picks
    from duelbook.solving.facts import facts_in
    from duelbook.solving.promises import solve_recursive
    from duelbook.solving.recursive import components, explore_simultaneous

    game, machine = load("secret"), compiling()
    picks, seconds = len(game.moves), dict[str, float]()

    def timed(name: str, step: Callable[..., Any], *given: Any) -> Any:
        began = time.process_time()
        found = step(*given)
        seconds[name] = time.process_time() - began
        return found

    for _ in range(2):  # the first time much of it is compiled
        positions = timed("walk", explore_simultaneous, game, game.book, machine)
        order, ends = timed("groups", machine.twin(components), positions.after, len(positions.numbers))
        solved = timed("bounds and plans", solve_recursive, positions.after, picks, order, ends, machine)
        first, second = solved.first.copy(), solved.second.copy()
        among = (positions.after, picks, order, ends, *solved, first, second, MOST_SWEEPS)
        timed("choice among equals", machine.twin(choose_picks), *among)
        timed("facts", facts_in, solved._replace(first=first, second=second), picks, machine)
    return seconds


def tower_by_duelbook() -> float:
    from duelbook import load
    from duelbook.positions.graph import explore
    from duelbook.solving.retrograde import solve_backwards

    game = load("tower")
    began = time.perf_counter()
    graph = explore(game, game.book, [game.start(game.book, 0)])
    assert solve_backwards(graph).plies[0] == 21
    return time.perf_counter() - began


def tower_by_hand() -> float:
    """The plainest retrograde analysis: sweep over all positions until nothing changes any more."""
    from duelbook import load

    game = load("tower")
    rules = game.book
    began = time.perf_counter()
    start = game.start(rules, 0)
    after = {}
    for state in (queue := [start]):
        turn = game.turn(rules, state)
        moves = game.legal_moves(rules, state, turn) if turn < 2 else []
        after[state] = [game.apply(rules, state, move) for move in moves]
        queue.extend(found for found in dict.fromkeys(after[state]) if found not in after and found not in queue)
    values = {state: 1 - 2 * game.winner(rules, state) for state in after if not after[state]}
    changed = True
    while changed:
        changed = False
        for state, following in after.items():
            if state not in values:
                mine = 1 if state.mover == 0 else -1
                known = [values[found] for found in following if found in values]
                if mine in known:
                    values[state], changed = mine, True
                elif len(known) == len(following):
                    values[state], changed = -mine, True
    assert values[start] == 1
    return time.perf_counter() - began


def tower_by_openspiel() -> float:
    from bench.openspiel_tower import TowerGame
    from open_spiel.python.algorithms import value_iteration

    game = TowerGame()
    began = time.perf_counter()
    values = value_iteration.value_iteration(game, depth_limit=-1, threshold=0.01, cyclic_game=True)
    assert values[str(game.new_initial_state())] == 1
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    whole = from_nothing()
    seconds, peak = whole["seconds"], whole["peak"]
    first = sum(value for name, value in seconds.items() if name.endswith("from nothing"))
    again = sum(value for name, value in seconds.items() if name.endswith("again"))
    ids = [name.split()[0] for name in seconds if name.endswith("again")]
    rows = [[id, f"{seconds[f'{id} from nothing']:.2f}", f"{seconds[f'{id} again']:.2f}"] for id in ids]
    rows.append(["all five", f"{first:.2f}", f"{again:.2f}"])
    steps = steps_of_secret()
    contenders = {
        "Duelbook": tower_by_duelbook,
        "plain Python": tower_by_hand,
        "OpenSpiel value_iteration": tower_by_openspiel,
    }
    best = {name: min(times) for name, times in alternate(contenders, options.rounds).items()}
    beside = [[name, f"{1000 * value:.1f}", f"{value / best['Duelbook']:.1f}x"] for name, value in best.items()]
    publish(
        "Solving",
        options.json,
        {"seconds": seconds, "peak_gib": peak, "secret": steps, "tower": best},
        [
            table(["solving", "from nothing, s", "again, s"], rows) + f"\n\npeak memory {peak:.2f} GiB",
            table(["secret again", "CPU s"], [[name, f"{value:.2f}"] for name, value in steps.items()]),
            table(["tower, tables included", "best ms", "times Duelbook's"], beside),
        ],
        [
            Aim("all five from nothing, beside 30 s", first / 30, most=1),
            Aim("all five again, beside 10 s", again / 10, most=1),
            Aim("peak memory, beside 2 GiB", peak / 2, most=1),
            Aim("tower, OpenSpiel's time beside ours", best["OpenSpiel value_iteration"] / best["Duelbook"], least=20),
        ],
    )


if __name__ == "__main__":
    main()

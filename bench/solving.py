"""How long solving takes, from nothing and again, and beside others on the same game.

From nothing means in a new process with no compiled code kept from before: compilation counts. Kept means in the next
process, which finds that code. Again means once more in the same process. `--beside FOLDER` measures the Duelbook whose
sources are in that folder in the same way and in turn with this one; `--large` adds the largest variants. All of these
are CPU seconds. Tower is solved side by side, tables included, by Duelbook, by a plain retrograde analysis in Python
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

LARGE = ["conquer hp=99", "deck lp=99"]
IN_A_NEW_PROCESS = """
import json, resource, sys, time
from duelbook import load, variant
from duelbook.solving.solver import solve
seconds = {}
for words in sys.argv[2:]:
    for turn in ("first", "again")[:int(sys.argv[1])]:
        began = time.process_time()
        game = load(words.split()[0])
        solve(game, variant(game, words.split()[1:]))
        seconds[f"{words}, {turn}"] = time.process_time() - began
print(json.dumps({"seconds": seconds, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2}))
"""


def in_a_new_process(source: str | None, kept: str, times: int, *words: str) -> Any:
    """CPU seconds of every duel, so many times over, and the peak memory of all."""
    here = {} if source is None else {"PYTHONPATH": source}
    done = subprocess.run(
        [sys.executable, "-c", IN_A_NEW_PROCESS, str(times), *words],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | here | {"NUMBA_CACHE_DIR": kept},
    )
    return json.loads(done.stdout)


def books(sources: dict[str, str | None], ids: list[str]) -> dict[str, Any]:
    """For every Duelbook all duels from nothing, with code kept, and again; and the peak of that."""
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for turn in ("from nothing", "kept"):
            for name, source in sources.items():
                run = in_a_new_process(source, f"{folder}/{name}", 2, *ids)
                columns = found.setdefault(name, {"peak": run["peak"]})
                columns[turn] = {id: run["seconds"][f"{id}, first"] for id in ids}
                columns["again"] = {id: run["seconds"][f"{id}, again"] for id in ids}
    return found


def large(sources: dict[str, str | None]) -> dict[str, Any]:
    """For every Duelbook the largest variants, each in a process of its own that finds its code compiled."""
    found: dict[str, Any] = {name: {} for name in sources}
    with tempfile.TemporaryDirectory() as folder:
        for words in LARGE:
            for name, source in sources.items():
                for _ in range(2):
                    run = in_a_new_process(source, f"{folder}/{name}", 1, words)
                found[name][words] = {"seconds": run["seconds"][f"{words}, first"], "peak": run["peak"]}
    return found


def steps_of_secret() -> dict[str, float]:
    """What the steps of solving Number Duel take again, in seconds of CPU."""
    from duelbook import load
    from duelbook.positions.machine import compiling
    from duelbook.solving.equal_picks import MOST_SWEEPS, choose_picks
    from duelbook.solving.facts import facts_in
    from duelbook.solving.groups import components
    from duelbook.solving.promises import solve_recursive
    from duelbook.solving.recursive import explore_simultaneous

    game, machine = load("secret"), compiling()
    picks, seconds = len(game.moves), dict[str, float]()

    def timed(name: str, step: Callable[..., Any], *given: Any) -> Any:
        began = time.process_time()
        found = step(*given)
        seconds[name] = time.process_time() - began
        return found

    for _ in range(2):  # the first time much of it is compiled
        positions = timed("walk", explore_simultaneous, game, game.book, machine)
        groups = timed("groups", machine.twin(components), positions.after, len(positions.numbers))
        solved = timed("bounds and plans", solve_recursive, positions.after, picks, groups, machine)
        timed("choice among equals", machine.twin(choose_picks), positions.after, picks, *groups, *solved, MOST_SWEEPS)
        timed("facts", facts_in, solved, picks, machine)
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
    from duelbook.games import ROOMS

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--beside", metavar="FOLDER", help="the sources of another Duelbook")
    parser.add_argument("--large", action="store_true", help=f"also {' and '.join(LARGE)}")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    sources = {"Duelbook": None, **({"beside": options.beside} if options.beside else {})}
    ids = list(ROOMS)
    solved, larger = books(sources, ids), large(sources) if options.large else {}
    turns = ("from nothing", "kept", "again")
    tables = []
    for name in sources:
        sums = {turn: sum(solved[name][turn].values()) for turn in turns}
        rows = [[id, *(f"{solved[name][turn][id]:.2f}" for turn in turns)] for id in ids]
        rows.append(["all", *(f"{sums[turn]:.2f}" for turn in turns)])
        heading = [f"solving, CPU s ({name})", *turns]
        tables.append(table(heading, rows) + f"\n\npeak memory {solved[name]['peak']:.2f} GiB")
    if larger:
        rows = [
            [f"{words} ({name})", f"{larger[name][words]['seconds']:.1f}", f"{larger[name][words]['peak']:.2f}"]
            for words in LARGE
            for name in sources
        ]
        tables.append(table(["large, code kept", "CPU s", "peak GiB"], rows))
    steps = steps_of_secret()
    tables.append(table(["secret again", "CPU s"], [[name, f"{value:.2f}"] for name, value in steps.items()]))
    contenders = {
        "Duelbook": tower_by_duelbook,
        "plain Python": tower_by_hand,
        "OpenSpiel value_iteration": tower_by_openspiel,
    }
    best = {name: min(times) for name, times in alternate(contenders, options.rounds).items()}
    beside = [[name, f"{1000 * value:.1f}", f"{value / best['Duelbook']:.1f}x"] for name, value in best.items()]
    tables.append(table(["tower, tables included", "best ms", "times Duelbook's"], beside))
    ours = solved["Duelbook"]
    aims = [
        Aim("all five from nothing, beside 30 s", sum(ours["from nothing"].values()) / 30, most=1),
        Aim("all five again, beside 3 s", sum(ours["again"].values()) / 3, most=1),
        Aim("peak memory, beside 2 GiB", ours["peak"] / 2, most=1),
        Aim("tower, OpenSpiel's time beside ours", best["OpenSpiel value_iteration"] / best["Duelbook"], least=20),
    ]
    if larger:
        aims += [
            Aim("conquer hp=99, beside 5 s", larger["Duelbook"][LARGE[0]]["seconds"] / 5, most=1),
            Aim("deck lp=99, beside 20 s", larger["Duelbook"][LARGE[1]]["seconds"] / 20, most=1),
            Aim("deck lp=99, its peak beside 2 GiB", larger["Duelbook"][LARGE[1]]["peak"] / 2, most=1),
        ]
    publish("Solving", options.json, {"books": solved, "large": larger, "secret": steps, "tower": best}, tables, aims)


if __name__ == "__main__":
    main()

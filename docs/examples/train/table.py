"""The ladder, the characters, the example bots and the trained agents under the exam: the table of docs/train.md.

    python table.py             # put the same paper to everybody, and keep what came out in results/table.json
    python table.py --stored    # only write the table again

Either way the table on the page is replaced. Needs Node and a C compiler for two of the bots.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from duelbook import Examiner, examine
from duelbook.exam.examinee import Candidate, candidate
from duelbook.exam.found import Sat
from duelbook.games import ROOMS
from duelbook.policies.levels import TABULAR

HERE = Path(__file__).parent
RESULTS, PAGE, BOTS = HERE / "results", HERE.parent.parent / "train.md", HERE.parent / "bots"
EACH = 100
"""Questions in each duel."""
TRAINED = {
    "PPO, against itself": ("tower", "ppo-tower-self"),
    "PPO, against level:3": ("tower", "ppo-tower-level-3"),
    "Q-learning": ("conquer", "q-conquer"),
    "Q-learning ": ("energy", "q-energy"),
}
"""The trained agents: the duel that each plays, and its run."""


def trained(name: str) -> Candidate:
    duel, run = TRAINED[name]
    return candidate(Examiner(duel).player(np.load(RESULTS / f"{run}.npy"), seed=1), name)


def taken(players: list[Candidate], duels: list[str]) -> dict[str, dict[str, float]]:
    """By player and duel what is lost, in points. A duel is asked the same whatever else is."""
    (sat,) = examine(players, duels=duels, questions=EACH * len(duels)).sat
    return {each.candidate.name: _points(each.duels) for each in _scores(sat)}


def _scores(sat: Sat) -> tuple[Any, ...]:
    return sat.scores


def _points(duels: Any) -> dict[str, float]:
    return {duel: round(100 * found.value, 2) for duel, found in duels.items()}


def everybody() -> dict[str, dict[str, float]]:
    with tempfile.TemporaryDirectory() as folder:
        brute = Path(folder) / "brute"
        subprocess.run(["cc", "-O2", "-o", brute, BOTS / "brute.c"], check=True)
        bots = {
            "Thumb": f"{sys.executable} {BOTS / 'thumb.py'}",
            "Fickle": f"node {BOTS / 'fickle.js'}",
            "Brute": str(brute),
        }
        players = [*map(candidate, TABULAR), *(candidate(f"engine:{line}", name) for name, line in bots.items())]
        found = taken(players, list(ROOMS))
    for name, (duel, _) in TRAINED.items():
        found |= taken([trained(name)], [duel])
    return found


def table(found: dict[str, dict[str, float]]) -> str:
    """Best first; whoever plays a single duel stands where they stand in it."""
    lines = [f"| | {' | '.join(ROOMS)} | mean |", f"|---|{'---:|' * (len(ROOMS) + 1)}"]
    for name in sorted(found, key=lambda name: (len(found[name]) < len(ROOMS), _mean(found[name]))):
        cells = [f"{found[name][duel]:.2f}" if duel in found[name] else "" for duel in ROOMS]
        mean = f"{_mean(found[name]):.2f}" if len(found[name]) == len(ROOMS) else ""
        lines.append(f"| {name.strip()} | {' | '.join(cells)} | {mean} |")
    return "\n".join(lines)


def _mean(duels: dict[str, float]) -> float:
    return sum(duels.values()) / len(duels)


if __name__ == "__main__":
    kept = RESULTS / "table.json"
    if "--stored" not in sys.argv[1:]:
        kept.write_text(json.dumps(everybody(), indent=1) + "\n", encoding="utf-8")
    text = table(json.loads(kept.read_text(encoding="utf-8")))
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(re.sub(r"^\| \| conquer.*?\n\n", text + "\n\n", page, flags=re.MULTILINE | re.DOTALL), "utf-8")

"""The ladder, the characters, the example bots and the trained agents under the exam: the table of docs/train.md.

    python table.py             # examine everybody, and keep what came out in results/table.json
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

import numpy as np

from duelbook import Examiner, examine
from duelbook.exam.examinee import candidate
from duelbook.exam.whole import examine_all
from duelbook.games import ROOMS
from duelbook.policies.levels import TABULAR

HERE = Path(__file__).parent
RESULTS, PAGE, BOTS = HERE / "results", HERE.parent.parent / "train.md", HERE.parent / "bots"
EACH = 200
"""Questions to a bot in each duel."""
TRAINED = {
    "PPO against itself": ("tower", "ppo-tower-self"),
    "PPO against level:3": ("tower", "ppo-tower-level-3"),
    "Q-learning in conquer": ("conquer", "q-conquer"),
    "Q-learning in energy": ("energy", "q-energy"),
}
"""The trained agents: the duel that each plays, and its run."""

Row = dict[str, list[float]]
"""By duel the points lost; of who was asked, also how far the interval reaches down and up."""


def tables() -> dict[str, Row]:
    """Whoever is a table, exactly."""
    found = examine_all([candidate(kind) for kind in TABULAR], "book").lost
    return {name: {duel: [100 * lost] for duel, lost in row.items()} for name, row in found.items()}


def trained(name: str) -> Row:
    """An agent that has learnt, exactly."""
    duel, run = TRAINED[name]
    return {duel: [100 * Examiner(duel).judge(np.load(RESULTS / f"{run}.npy")).lost]}


def bots() -> dict[str, Row]:
    """The programs of docs/examples/bots, asked."""
    with tempfile.TemporaryDirectory() as folder:
        brute = Path(folder) / "brute"
        subprocess.run(["cc", "-O2", "-o", brute, BOTS / "brute.c"], check=True)
        lines = {"Thumb": f"{sys.executable} {BOTS / 'thumb.py'}", "Fickle": f"node {BOTS / 'fickle.js'}"}
        lines["Brute"] = str(brute)
        entered = [candidate(f"engine:{line}", name) for name, line in lines.items()]
        (sat,) = examine(entered, questions=EACH * len(ROOMS)).sat
    return {
        score.candidate.name: {
            duel: [100 * each for each in (found.value, found.low, found.high)] for duel, found in score.duels.items()
        }
        for score in sat.scores
    }


def written(found: dict[str, Row]) -> str:
    """Best first; behind them those who play a single duel."""
    lines = [f"| | {' | '.join(ROOMS)} | mean |", f"|---|{'---:|' * (len(ROOMS) + 1)}"]
    for name in sorted(found, key=lambda name: (len(found[name]) < len(ROOMS), _mean(found[name]))):
        row = found[name]
        cells = [_cell(row[duel]) if duel in row else "" for duel in ROOMS]
        asked = any(len(points) > 1 for points in row.values())
        mean = f"{_mean(row):.{0 if asked else 2}f}" if len(row) == len(ROOMS) else ""
        lines.append(f"| {name} | {' | '.join(cells)} | {mean} |")
    return "\n".join(lines) + "\n"


def _cell(points: list[float]) -> str:
    if len(points) == 1:
        return f"{points[0]:.2f}"
    value, low, high = points
    return f"{value:.0f} ({low:.0f} to {high:.0f})"


def _mean(row: Row) -> float:
    return sum(points[0] for points in row.values()) / len(row)


if __name__ == "__main__":
    kept = RESULTS / "table.json"
    if "--stored" not in sys.argv[1:]:
        everybody = {**tables(), **bots(), **{name: trained(name) for name in TRAINED}}
        kept.write_text(json.dumps(everybody, indent=1) + "\n", encoding="utf-8")
    table = written(json.loads(kept.read_text(encoding="utf-8")))
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(re.sub(r"(?:^\|.*\n)+(?=\nOf the example bots)", table, page, flags=re.MULTILINE), encoding="utf-8")

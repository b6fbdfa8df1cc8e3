"""Draws the learning curves of docs/train.md from the stored runs, without training anew. Run by `make curves`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RESULTS, PICTURES = HERE / "results", HERE.parent.parent / "pictures"
INK, QUIET, GRID = "#22272e", "#6a6f76", "#e4e2da"
LOOK: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial"],
    "font.size": 10,
    "svg.fonttype": "none",
    "svg.hashsalt": "duelbook",
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
}
BLUE, ORANGE = "#14508c", "#b5570c"
LOST, EXPLOITED = "points lost per decision", "points a best response takes"
CURVES: dict[str, tuple[str, list[tuple[str, str, str]]]] = {
    "train-ppo": (
        "Masked PPO learns tower",
        [("ppo-tower-self", "against itself", BLUE), ("ppo-tower-level-3", "against level:3", ORANGE)],
    ),
    "train-q": ("Q-learning in NumPy", [("q-energy", "energy", BLUE), ("q-conquer", "conquer", ORANGE)]),
}
"""The pictures: what is drawn in each, with which run under which name in which colour."""


def curve(run: str) -> list[list[float]]:
    found: list[list[float]] = json.loads((RESULTS / f"{run}.json").read_text(encoding="utf-8"))["curve"]
    return found


def draw(name: str, path: Path) -> None:
    """One picture. Drawing it again writes the same file."""
    import matplotlib
    from matplotlib.figure import Figure

    title, runs = CURVES[name]
    won = any(len(curve(run)[-1]) > 3 for run, _, _ in runs)
    with matplotlib.rc_context(LOOK):
        figure = Figure(figsize=(9.6, 3.9 if won else 3.6), facecolor="white", layout="constrained")
        panels = figure.subplots(1, 3 if won else 2)
        for column, (axes, says) in enumerate(
            zip(panels, (LOST, EXPLOITED, "% of the last 100 games won"), strict=False)
        ):
            axes.set_title(says, loc="left", fontsize=10, color=INK)
            for run, label, colour in runs:
                points = [point for point in curve(run) if point[1 + column] is not None]
                steps, heights = [point[0] for point in points], [100 * point[1 + column] for point in points]
                axes.plot(steps, heights, color=colour, linewidth=1.8, label=label)
            _dress(axes, log=not won, top=(60, 60, 105)[column])
        for run, label, colour in runs:
            del run
            figure.text(0, 0, "", color=colour, gid=label)
        _labels(panels[0], runs)
        figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold", color=INK)
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None, dpi=110)


def _dress(axes: Any, *, log: bool, top: float) -> None:
    from matplotlib.ticker import FuncFormatter

    if log:
        axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda steps, at: f"{steps:,.0f}"))
    axes.set_ylim(-1, top)
    axes.set_xlabel("steps")
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(QUIET)


def _labels(axes: Any, runs: list[tuple[str, str, str]]) -> None:
    axes.legend(frameon=False, labelcolor="linecolor", handlelength=0, loc="upper right")


if __name__ == "__main__":
    for name in CURVES:
        draw(name, Path(sys.argv[1] if len(sys.argv) > 1 else PICTURES) / f"{name}.svg")

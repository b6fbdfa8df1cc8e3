"""Draws the learning curves of docs/train.md from the stored runs, without training anew. Run by `make curves`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
RESULTS, PICTURES = HERE / "results", HERE.parent.parent / "pictures"
INK, QUIET, GRID = "#22272e", "#6a6f76", "#e4e2da"
BLUE, ORANGE = "#14508c", "#c2620f"
LOOK: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial"],
    "font.size": 10,
    "svg.fonttype": "none",  # letters stay letters: they can be searched and read aloud
    "svg.hashsalt": "duelbook",
    "text.color": INK,
    "axes.labelcolor": QUIET,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
}


class Line(NamedTuple):
    run: str
    label: str
    colour: str
    at: tuple[tuple[float, float], ...]
    """Where its name stands in each panel."""


class Picture(NamedTuple):
    panels: tuple[tuple[str, float], ...]
    """What each column of a curve is, and how far up it goes."""
    log: bool
    """Whether the steps grow by factors."""
    lines: tuple[Line, ...]


LOST, TAKEN = "Points lost per decision", "Points that a best response takes"
CURVES = {
    "train-ppo": Picture(
        ((LOST, 60), (TAKEN, 60), ("Of the last 100 games won, %", 109)),
        False,
        (
            Line("ppo-tower-self", "against itself", BLUE, ((52_000, 4.5), (44_000, 4.5), (46_000, 33))),
            Line("ppo-tower-level-3", "against level:3", ORANGE, ((48_000, 20), (44_000, 52), (46_000, 88))),
        ),
    ),
    "train-q": Picture(
        ((LOST, 60), (TAKEN, 60)),
        True,
        (
            Line("q-energy", "energy", BLUE, ((2_300, 10), (2_500, 30))),
            Line("q-conquer", "conquer", ORANGE, ((190_000, 12), (60_000, 52))),
        ),
    ),
}
"""The pictures in the docs."""


def curve(run: str) -> list[list[Any]]:
    """The stored points: steps, then what the panels show, from 0 to 1."""
    found: list[list[Any]] = json.loads((RESULTS / f"{run}.json").read_text(encoding="utf-8"))["curve"]
    return found


def draw(name: str, path: Path) -> None:
    """One picture. Drawing it again writes the same file."""
    import matplotlib
    from matplotlib.figure import Figure

    picture = CURVES[name]
    with matplotlib.rc_context(LOOK):
        figure = Figure(figsize=(10.2, 3.4), facecolor="white", layout="constrained")
        for column, axes in enumerate(figure.subplots(1, len(picture.panels))):
            says, top = picture.panels[column]
            axes.set_title(says, loc="left", fontsize=10.5, color=INK)
            _dress(axes, picture.log, top)
            for line in picture.lines:
                points = [(at[0], at[1 + column]) for at in curve(line.run)]
                known = [(steps, 100 * share) for steps, share in points if share is not None]
                known = known[1:] if picture.log else known  # there is no place for 0
                axes.plot(*zip(*known, strict=True), color=line.colour, linewidth=1.9, solid_capstyle="round")
                axes.text(*line.at[column], line.label, color=line.colour, fontweight="bold")
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None, dpi=110)


def _dress(axes: Any, log: bool, top: float) -> None:
    from matplotlib.ticker import FuncFormatter, MultipleLocator

    if log:
        axes.set_xscale("log")
        axes.minorticks_off()
    else:
        axes.xaxis.set_major_locator(MultipleLocator(40_000))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda steps, _: f"{steps:,.0f}"))
    axes.set_ylim(-0.01 * top, top)
    axes.set_xlabel("steps")
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(QUIET)


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES
    for each in CURVES:
        draw(each, folder / f"{each}.svg")

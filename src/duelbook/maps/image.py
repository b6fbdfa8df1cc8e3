"""A map as a PNG or SVG file."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from itertools import product
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from duelbook.core import DuelError, of_kind
from duelbook.disk import PUBLIC, refuse_to_replace, write_atomically
from duelbook.folders import named
from duelbook.maps.atlas import Cell, Grid, caption, evenly, finding
from duelbook.speech import quote

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WON = ("#e3eef8", "#a9cfeb", "#5ea3d6", "#2b74b8", "#14508c")
"""Player 1's blues, from a slight advantage to a sure and quick win."""
LOST = ("#fdeedb", "#fcd29b", "#f5a54d", "#dd7a1f", "#b5570c")
"""Player 2's oranges. Nearly everybody can tell blue and orange apart, and dark from light."""
EVEN, HATCH = "#f3f1ea", "#bdb8a8"
INK, QUIET = "#22272e", "#6a6f76"
MOST_LABELS = 24
"""In a larger map the cells are too small to write in."""
ZOOMED = 7
"""How many numbers of each player the magnifying glass of a large map shows."""
LOOK: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial"],
    "hatch.linewidth": 0.8,
    "svg.fonttype": "none",  # letters stay letters: they can be searched and read aloud
    "svg.hashsalt": "duelbook",
}
Window = tuple[tuple[int, ...], tuple[int, ...]]


def draw_map(grid: Grid, file: str | Path) -> None:
    """Write the picture to a new PNG or SVG file, as its name ends."""
    of_kind(grid, Grid, "A map is drawn of a Grid, as Duel('tower').map() gives it")
    path = named(file)
    kind = path.suffix.lower().removeprefix(".")
    if kind not in ("png", "svg"):
        raise DuelError(f"A map is drawn as .png or .svg, which {quote(path.name)} does not end in.")
    refuse_to_replace(path)
    draw(grid, path, kind)


def draw(grid: Grid, path: Path, kind: str) -> None:
    """Write the picture. Drawing the same map again writes the same file."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise DuelError("Drawing a map into a file needs Matplotlib: pip install 'duelbook[plots]'") from None
    with matplotlib.rc_context(LOOK):
        figure = Figure(figsize=(7.2, 7.2), facecolor="white")
        axes = figure.add_axes((0.1, 0.1, 0.88, 0.88), aspect="equal", anchor="NW")
        _fill(grid, axes, grid.numbers, 9.5 if len(grid.numbers[0]) <= 15 else 7.5)
        _name_axes(grid, axes)
        _write_title(grid, axes)
        large = max(map(len, grid.numbers)) > MOST_LABELS
        magnified = large and _magnify(grid, axes)
        _write_key(grid, axes, numbers=magnified or not large)
        drawn = BytesIO()
        figure.savefig(
            drawn,
            format=kind,
            dpi=150,
            bbox_inches="tight",
            pad_inches=0.25,
            metadata={"Date": None} if kind == "svg" else None,
        )
    write_atomically(path, drawn.getvalue(), mode=PUBLIC)  # a disk that is full is left without half a picture


def _fill(grid: Grid, axes: Axes, window: Window, size: float) -> None:
    """The cells of these numbers, with a line wherever the winner changes."""
    ones, twos = window
    axes.set_xlim(ones[0] - 0.5, ones[-1] + 0.5)
    axes.set_ylim(twos[0] - 0.5, twos[-1] + 0.5)
    axes.tick_params(length=0, colors=QUIET, labelsize=9)
    for spine in axes.spines.values():
        spine.set_visible(False)
    large = max(len(ones), len(twos)) > MOST_LABELS
    if not large:
        axes.set_xticks(ones)
        axes.set_yticks(twos)
    _paint(grid, axes, window, 0 if large else size)
    _divide(grid, axes, window, 0.7 if large else 2.4)
    if grid.start is not None:
        _ring(axes, grid.start, 1.5 if large else 0.4)


def _paint(grid: Grid, axes: Axes, window: Window, size: float) -> None:
    """The colours, and the numbers in letters of this size, 0 for none."""
    from matplotlib.patches import Rectangle

    shades: dict[Any, str] = {}
    for one, two, length, cell in _runs(grid, window, not size):
        if cell[1:] not in shades:
            shades[cell[1:]] = _colour(grid, cell)
        shade = shades[cell[1:]]
        hatch = "////" if cell.value == 0 and size else None
        edge, width = (HATCH, 0) if hatch else ("white" if size else shade, 0.8)
        axes.add_patch(
            Rectangle((one - 0.5, two - 0.5), length, 1, facecolor=shade, edgecolor=edge, lw=width, hatch=hatch)
        )
        if size:
            colour = _ink_on(shade)
            axes.text(one, two, _label(grid, cell), ha="center", va="center_baseline", size=size, color=colour)


def _runs(grid: Grid, window: Window, large: bool) -> Iterator[tuple[int, int, int, Cell]]:
    """The cells, row by row; in a large map equal neighbours are one, so that the file stays small."""
    for two in window[1]:
        run: tuple[int, int, int, Cell] | None = None
        for one in window[0]:
            cell = grid.cells.get((one, two))
            if run and cell and large and cell[1:] == run[3][1:]:
                run = (*run[:2], run[2] + 1, run[3])
                continue
            if run:
                yield run
            run = (one, two, 1, cell) if cell else None
        if run:
            yield run


def _colour(grid: Grid, cell: Cell) -> str:
    from matplotlib.colors import LinearSegmentedColormap, to_hex

    tint = grid.tint(cell)
    if tint == 0:
        return EVEN
    shades = LinearSegmentedColormap.from_list("shades", WON if tint > 0 else LOST)
    return str(to_hex(shades(abs(tint))))


def _ink_on(shade: str) -> str:
    """White or dark, whichever is easier to read there."""
    from matplotlib.colors import to_rgb

    red, green, blue = (part**2.2 for part in to_rgb(shade))
    return "white" if 0.21 * red + 0.72 * green + 0.07 * blue < 0.3 else INK


def _label(grid: Grid, cell: Cell) -> str:
    if grid.kind == "backwards":
        return "" if cell.plies is None else str(cell.plies)
    if grid.kind == "luck":
        return f"{(cell.value + 1) / 2:.0%}".rstrip("%")
    return f"{cell.value:+.2g}".replace("-", "−").replace("0.", ".") if cell.value else "0"


def _side(cell: Cell) -> int:
    """Whose the cell is: 1, -1, or 0 for nobody's."""
    return (cell.value > 0) - (cell.value < 0)


def _divide(grid: Grid, axes: Axes, window: Window, width: float) -> None:
    """A line between neighbours that are not the same player's, all in one stroke of the pen."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Stroke

    points = []
    for one, two in product(*window):
        for right, up in ((1, 0), (0, 1)):
            cell, beside = grid.cells.get((one, two)), grid.cells.get((one + right, two + up))
            inside = one + right <= window[0][-1] and two + up <= window[1][-1]
            if inside and cell and beside and _side(cell) != _side(beside):
                points += [(one + 0.5, two + 0.5), (one + 0.5 - up, two + 0.5 - right)]
    if points:
        stroke = Stroke(points, [Stroke.MOVETO, Stroke.LINETO] * (len(points) // 2))
        axes.add_patch(PathPatch(stroke, fill=False, edgecolor=INK, lw=width, capstyle="round"))


def _ring(axes: Axes, pair: tuple[int, int], reach: float) -> None:
    """A frame that can be seen on every colour."""
    from matplotlib.patches import Rectangle

    corner = (pair[0] - reach, pair[1] - reach)
    look: dict[str, Any] = {"fill": False, "clip_on": False, "zorder": 5}
    for colour, width in (("white", 3.6), (INK, 1.4)):
        axes.add_patch(Rectangle(corner, 2 * reach, 2 * reach, edgecolor=colour, lw=width, **look))


def _name_axes(grid: Grid, axes: Axes) -> None:
    moves = [" (to move)" if grid.mover == seat else "" for seat in (0, 1)]
    labels = [f"{name}'s {grid.unit}{note}" for name, note in zip(grid.game.seats, moves, strict=True)]
    axes.set_xlabel(labels[0], color=INK, size=11, labelpad=6)
    axes.set_ylabel(labels[1], color=INK, size=11, labelpad=6)


def _write_title(grid: Grid, axes: Axes) -> None:
    def write(text: str, lift: int, **look: Any) -> None:
        place = {"xycoords": "axes fraction", "textcoords": "offset points", "va": "bottom"}
        axes.annotate(text, (0, 1), (0, lift), **(look | place))

    below = _balanced(caption(grid), 84)
    write(below, 9, size=9.5, color=QUIET)
    lift = 29 + 12 * below.count("\n")
    title = _balanced(finding(grid), 56)
    write(title, lift, size=13.5, weight="bold", color=INK, linespacing=1.25)


def _balanced(text: str, width: int) -> str:
    """As few lines as the width allows, all about as long."""
    count = len(wrap(text, width))
    while width > 1 and len(wrap(text, width - 1)) == count:
        width -= 1
    return "\n".join(wrap(text, width))


def _write_key(grid: Grid, axes: Axes, numbers: bool) -> None:
    from matplotlib.patches import Patch

    one, two = grid.game.seats
    sides = {_side(cell) for cell in grid.cells.values()}
    wins = "is the favourite" if grid.kind == "luck" else "wins" if grid.kind == "backwards" else "is ahead"
    entries = [
        (1, Patch(facecolor=WON[3], label=f"{one} {wins}")),
        (-1, Patch(facecolor=LOST[3], label=f"{two} {wins}")),
        (0, Patch(facecolor=EVEN, edgecolor=HATCH, linewidth=0, hatch="////", label=evenly(grid))),
    ]
    handles = [patch for side, patch in entries if side in sides]
    if grid.start is not None:
        handles.append(Patch(facecolor="white", edgecolor=INK, linewidth=1.4, label="the start"))
    look = {"fontsize": 9.5, "labelcolor": INK, "columnspacing": 1.6, "handlelength": 1.3, "frameon": False}
    place = {"bbox_to_anchor": (-0.01, -0.085), "borderaxespad": 0, "ncols": 4}
    axes.legend(handles=handles, loc="upper left", **(look | place))
    note = {
        "backwards": "Darker is sooner. The numbers: in how many moves it ends with best play.",
        "luck": f"Darker is surer. The numbers: how often {one} wins with best play, in per cent, rounded.",
        "picks": f"Darker is surer. The numbers: what it is worth to {one}, from −1 (lost) to +1 (won).",
    }[grid.kind]
    if not numbers:
        note = note.partition(".")[0] + "."
    axes.annotate(
        note, (0, -0.085), xytext=(0, -31), xycoords="axes fraction", textcoords="offset points", size=9.5, color=QUIET
    )


def _magnify(grid: Grid, axes: Axes) -> bool:
    """The corner where the duel starts, once more and larger, if there is room that only cells of one colour fill."""
    ones, twos = grid.numbers
    place = (0.56, 0.08, 0.38, 0.38)
    hidden = [
        grid.tint(cell)
        for (one, two), cell in grid.cells.items()
        if (one - ones[0]) / len(ones) > place[0] - 0.06 and (two - twos[0]) / len(twos) < place[1] + place[3] + 0.02
    ]
    if grid.start is None or len(set(hidden)) > 1:
        return False
    inset = axes.inset_axes(place, aspect="equal", zorder=6)
    window = tuple(_around(numbers, at) for numbers, at in zip(grid.numbers, grid.start, strict=True))
    _fill(grid, inset, (window[0], window[1]), 7.5)
    inset.tick_params(colors=_ink_on(WON[4]), labelsize=8)
    for spine in inset.spines.values():
        spine.set(visible=True, color="white", linewidth=1.5)
    return True


def _around(numbers: tuple[int, ...], at: int) -> tuple[int, ...]:
    """A few numbers with this one among them."""
    first = max(0, min(numbers.index(at) - ZOOMED // 2, len(numbers) - ZOOMED))
    return numbers[first : first + ZOOMED]

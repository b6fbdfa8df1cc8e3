"""Pictures of ratings and losses as SVG, drawn with a few strokes of our own: a plain install makes them too.

Blue and orange are told apart by nearly everybody, and seats differ in shape as well. All text stays text.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import NamedTuple

from duelbook.speech import plain_html as escape

INK, QUIET, FAINT, PAPER = "#22272e", "#5c636b", "#e3e6ea", "#ffffff"
BLUE, ORANGE = "#0072b2", "#d55e00"
FONT = "font-family=\"system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif\""
SIZE, SMALL = 14, 12.5
LETTER = 0.56
"""How wide a letter is on average, in sizes of the font."""
TOP, FOOT = 14, 46
MOST_TICKS = 7


class Mark(NamedTuple):
    """One value on a line of a plot."""

    value: float
    low: float | None
    high: float | None
    shape: str = "circle"
    """circle, square or diamond. What is exact is a diamond that is not filled."""
    colour: str = BLUE
    loose: bool = False
    """The interval has no say in how far the axis goes. Where it goes on beyond the axis it ends in an arrow."""


class Line(NamedTuple):
    """One player: a name, the marks, and what is written at the right."""

    name: str
    marks: tuple[Mark, ...]
    said: str = ""


def dot_plot(
    lines: Sequence[Line], label: str, width: int, *, title: str, zero: bool = False, rules: Sequence[float] = ()
) -> str:
    """Dots with their intervals, one line for each player, over an axis with a label.

    In a wide plot names stand at the left, in a narrow one above. `zero` makes the axis begin at 0; `rules` are
    values to which a dashed line is drawn.
    """
    narrow = width < 480
    names = (
        0.0 if narrow else min(0.34 * width, SIZE * LETTER * max((len(line.name) for line in lines), default=4) + 14)
    )
    saying = SMALL * LETTER * max((len(line.said) for line in lines), default=0) + (10 if any(lines) else 0)
    left, right = (12.0 if narrow else names + 10), width - (12.0 if narrow else saying + 12)
    step = 50 if narrow else 30
    bottom = TOP + step * len(lines) + (4 if narrow else 0)
    axis = _Axis(_extent(lines, zero, rules), left, right)
    parts = [f'<rect width="{width}" height="{bottom + FOOT}" fill="{PAPER}"/>', *_grid(axis, bottom, label)]
    for value in rules:
        x = axis.place(value)
        parts.append(f'<path d="M{x:.1f} {TOP}V{bottom}" stroke="{QUIET}" stroke-dasharray="3 4" fill="none"/>')
    for at, line in enumerate(lines):
        middle = TOP + step * at + (step * 0.66 if narrow else step / 2)
        parts += _line(line, axis, middle, width, names, step, narrow)
    body = "".join(parts)
    return (
        f'<svg viewBox="0 0 {width} {bottom + FOOT:g}" role="img" xmlns="http://www.w3.org/2000/svg" {FONT} '
        f'font-size="{SIZE}"><title>{escape(title)}</title>{body}</svg>'
    )


def _extent(lines: Sequence[Line], zero: bool, rules: Sequence[float]) -> tuple[float, float]:
    marks = [mark for line in lines for mark in line.marks]
    ends = [end for mark in marks for end in ((mark.value,) if mark.loose else (mark.value, mark.low, mark.high))]
    values = [*(end for end in ends if end is not None), *rules, *([0.0] if zero else [])] or [0.0, 1.0]
    low, high = min(values), max(values)
    room = 0.04 * (high - low) or 1.0
    return (0.0 if zero and low >= 0 else low - room), high + room


class _Axis:
    def __init__(self, extent: tuple[float, float], left: float, right: float) -> None:
        self.low, self.high = extent
        self.left, self.right = left, right
        self.ticks = ticks(self.low, self.high, min(MOST_TICKS, max(3, int((right - left) / 70))))

    def place(self, value: float) -> float:
        return self.left + (value - self.low) / (self.high - self.low) * (self.right - self.left)


def ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers between two values, at most so many."""
    rough = (high - low) / most
    scale: float = 10.0 ** floor(log10(rough))
    step = next(times * scale for times in (1, 2, 2.5, 5, 10) if times * scale >= rough * 0.999)
    first = ceil(low / step - 1e-9)
    return [step * count for count in range(first, floor(high / step + 1e-9) + 1)]


def _grid(axis: _Axis, bottom: float, label: str) -> list[str]:
    parts = []
    for tick in axis.ticks:
        x = axis.place(tick)
        parts.append(f'<path d="M{x:.1f} {TOP}V{bottom}" stroke="{FAINT}" fill="none"/>')
        parts.append(_text(f"{tick:g}".replace("-", "−"), x, bottom + 17, SMALL, QUIET, "middle"))
    parts.append(f'<path d="M{axis.left:.1f} {bottom}H{axis.right:.1f}" stroke="{QUIET}" fill="none"/>')
    parts.append(_text(label, (axis.left + axis.right) / 2, bottom + 37, SMALL, INK, "middle"))
    return parts


def _line(line: Line, axis: _Axis, middle: float, width: int, names: float, step: float, narrow: bool) -> list[str]:
    parts = []
    above = middle - 0.31 * step
    room = 0.55 * width if narrow else names
    name = shortened(line.name, int(room / (SIZE * LETTER)))
    if narrow:
        parts.append(_text(name, axis.left, above, SIZE, INK, "start"))
        parts.append(_text(line.said, axis.right, above, SMALL, QUIET, "end"))
    else:
        parts.append(_text(name, names, middle + 5, SIZE, INK, "end"))
        parts.append(_text(line.said, width - 6, middle + 4.5, SMALL, QUIET, "end"))
    apart = min(11.0, step / 3)
    for at, mark in enumerate(line.marks):
        y = middle + (at - (len(line.marks) - 1) / 2) * apart
        parts += _mark(mark, axis, y)
    return parts


def _mark(mark: Mark, axis: _Axis, y: float) -> list[str]:
    x = axis.place(mark.value)
    parts = []
    if mark.low is not None and mark.high is not None and mark.high > mark.low:
        one, two = axis.place(max(mark.low, axis.low)), axis.place(min(mark.high, axis.high))
        left, right = _end(one, y, mark.low < axis.low, 1), _end(two, y, mark.high > axis.high, -1)
        ends = f"{left}M{one:.1f} {y:.1f}H{two:.1f}{right}"
        parts.append(f'<path d="{ends}" stroke="{mark.colour}" stroke-width="1.8" fill="none"/>')
    return [*parts, shape(mark.shape, x, y, mark.colour)]


def shape(name: str, x: float, y: float, colour: str) -> str:
    if name == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.6" fill="{colour}"/>'
    if name == "square":
        return f'<rect x="{x - 4.2:.1f}" y="{y - 4.2:.1f}" width="8.4" height="8.4" fill="{colour}"/>'
    path = f"M{x:.1f} {y - 5.6:.1f}l5.6 5.6l-5.6 5.6l-5.6 -5.6z"
    return f'<path d="{path}" fill="{PAPER}" stroke="{colour}" stroke-width="1.8"/>'


def _end(x: float, y: float, goes_on: bool, inwards: int) -> str:
    """The end of an interval: a stroke, or an arrow where it goes on."""
    if goes_on:
        return f"M{x + 5 * inwards:.1f} {y - 4:.1f}L{x:.1f} {y:.1f}L{x + 5 * inwards:.1f} {y + 4:.1f}"
    return f"M{x:.1f} {y - 4:.1f}v8"


def _text(words: str, x: float, y: float, size: float, colour: str, anchor: str) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"'
    halo = f'stroke="{PAPER}" stroke-width="4" paint-order="stroke"'  # no line runs through letters
    return f"<text {place} {halo}>{escape(words)}</text>" if words else ""


def shortened(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: max(1, most - 1)]}…"

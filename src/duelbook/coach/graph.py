"""The value of a game over its turns, as a picture of letters and as a picture file."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

from duelbook.coach.review import Review
from duelbook.coach.words import MARKS, SIGNS, chance
from duelbook.core import DuelError
from duelbook.speech import amount, either

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HALF = 5
"""Rows above and below the middle: a row is ten points of win probability."""
MARGIN = 7
FULL, RULE = "█", "-"
END = "end"
"""Stands under the last column of a game that did not end by a turn."""
MOST_PANELS, MOST_NAMED = 12, 4


def text_graph(review: Review, width: int = 80) -> list[str]:
    """Bars up where Player 1 is ahead, down where Player 2 is; one for the start and one for every turn."""
    room = width - MARGIN - 1
    count = len(review.curve)
    each = -(-count // room)  # so many turns share a column where there are more turns than columns
    columns = [review.curve[min(at + each, count) - 1] for at in range(0, count, each)]
    cell = max(1, min(5, room // len(columns)))
    bar = max(1, cell - 1)
    heights = [round(HALF * value) for value in columns]
    one, two = review.match.names
    lines = [f"Win probability of {one}. Bars up: {one} is ahead; bars down: {two} is."]
    for row in range(HALF, -HALF - 1, -1):
        label = f"{50 + 50 * row // HALF} %" if row in (HALF, 0, -HALF) else ""
        gap = (RULE if row == 0 else " ") * (cell - bar)
        body = "".join(_cell(row, height) * bar + gap for height in heights)
        lines.append(f"{label:>{MARGIN - 1}} {body}".rstrip())
    lines.append(" " * MARGIN + _numbers(len(columns), cell, each, ended=review.ends_apart))
    if each > 1:
        lines.append(f"A column stands for {amount(each, 'turn')}.")
    marks = _marks(review, len(columns), cell, each)
    if marks.strip():
        marked = {decision.mark for decision in review.decisions}
        seen = {_sign(name, cell): name for _, name in MARKS if name in marked}
        lines.insert(-1 if each == 1 else -2, " " * MARGIN + marks)
        lines.append("Marks: " + ", ".join(f"{sign} {name}" for sign, name in seen.items()) + ".")
    return lines


def _cell(row: int, height: int) -> str:
    if row == 0:
        return RULE
    return FULL if 0 < row <= height or height <= row < 0 else " "


def _numbers(columns: int, cell: int, each: int, *, ended: bool) -> str:
    """Turn numbers under the columns, as many as there is room for; the end, if the last column is that, has none."""
    widest = len(str(columns * each))
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 1000) if step * cell > widest)
    end = max(0, min((columns - 1) * cell, columns * cell - len(END)))
    line = ""
    for column in range(0, columns - ended, step):
        number = str(column * each)
        if not ended or column * cell + len(number) < end:
            line = line.ljust(column * cell) + number
    return line.ljust(end) + END if ended else line


def _marks(review: Review, columns: int, cell: int, each: int) -> str:
    """The worst mark of each turn, under its column."""
    order = [name for _, name in MARKS]
    line = ""
    for column in range(columns):
        turns = range(column * each, (column + 1) * each)
        marks = [decision.mark for decision in review.decisions if decision.turn in turns and decision.mark]
        if marks:
            line = line.ljust(column * cell) + _sign(min(marks, key=order.index), cell)
    return line


def _sign(mark: str, cell: int) -> str:
    """A mark as wide as a column can hold: `??`, or `b` for a blunder where there is room for one letter."""
    return SIGNS[mark] if cell > 1 else mark[0]


# Picture files

COLOURS = ("#1f6f8b", "#c8553d")
MARK_COLOURS = {"blunder": "#b00020", "mistake": "#e08600", "inaccuracy": "#8a8a8a"}


def drawn(reviews: Sequence[Review], kind: str) -> bytes:
    """The graphs of the games, one below the other, as a PNG or SVG file holds them."""
    if len(reviews) > MOST_PANELS:
        raise DuelError(f"A picture shows at most {MOST_PANELS} games, and these are {len(reviews)}.")
    try:
        import matplotlib as plots
        from matplotlib.figure import Figure
    except ImportError:
        raise DuelError("Pictures need Matplotlib: pip install 'duelbook[plots]'") from None
    usual: dict[Any, Any] = {"svg.hashsalt": "duelbook", "font.size": 10, "axes.unicode_minus": False}
    usual["text.parse_math"] = False  # a name with dollars in it is no formula
    with plots.rc_context(usual):
        figure = Figure(figsize=(9, 3.6 * len(reviews)), layout="constrained")
        panels = figure.subplots(len(reviews), 1, squeeze=False)
        for panel, review in zip(panels[:, 0], reviews, strict=True):
            _panel(panel, review)
        picture = BytesIO()
        figure.savefig(picture, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else {})
    return picture.getvalue()


def _panel(panel: Axes, review: Review) -> None:
    match = review.match
    wins = [100 * chance(value) for value in review.curve]
    turns = [*range(len(wins)), len(wins) - 0.5]  # the last value is a stretch too, not only a point
    drawn = [*wins, wins[-1]]
    for seat, name in enumerate(match.names):
        ahead = [max(50.0, each) if seat == 0 else min(50.0, each) for each in drawn]
        label = f"{name} ahead"
        panel.fill_between(turns, ahead, 50, step="post", color=COLOURS[seat], alpha=0.3, linewidth=0, label=label)
    panel.step(turns, drawn, where="post", color="#333333", linewidth=1.6)
    panel.axhline(50, color="#333333", linewidth=0.8)
    for name, colour in MARK_COLOURS.items():
        marked = [decision for decision in review.decisions if decision.mark == name]
        if marked:
            heights = [wins[decision.turn] for decision in marked]
            panel.scatter([decision.turn for decision in marked], heights, s=42, color=colour, zorder=3, label=name)
    _name_blunders(panel, review, wins)
    panel.set_ylim(-6, 106)
    panel.set_xlim(-0.3, max(1, len(wins) - 0.2))
    panel.set_yticks([0, 25, 50, 75, 100], [f"{each} %" for each in (0, 25, 50, 75, 100)])
    _number_turns(panel, len(wins) - 1, ended=review.ends_apart)
    panel.set_xlabel("turn")
    panel.set_ylabel(f"{match.names[0]} wins")
    ended = match.outcome.result if match.outcome else "unfinished"
    panel.set_title(f"{match.game.name}: {match.names[0]} against {match.names[1]}, {ended}")
    panel.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)


def _number_turns(panel: Axes, last: int, *, ended: bool) -> None:
    """Whole numbers below the turns; the last column has none if what cut the game short has made it."""
    panel.locator_params(axis="x", integer=True)
    if ended:
        far = last - max(1, last / 20)  # so that no number touches the word
        ticks = [at for at in map(int, panel.get_xticks()) if 0 <= at <= far]
        panel.set_xticks([*ticks, last], [*map(str, ticks), END])


def _name_blunders(panel: Axes, review: Review, wins: Sequence[float]) -> None:
    """Write the moves that lost the most beside their marks, a few at most so that they can be read."""
    moves: dict[int, list[str]] = {}
    for decision in sorted(review.decisions, key=lambda each: -each.lost):
        if decision.mark == "blunder" and (decision.turn in moves or len(moves) < MOST_NAMED):
            moves.setdefault(decision.turn, []).append(decision.move)
    for turn, words in moves.items():
        height = wins[turn]
        panel.annotate(
            either(words, "and"),
            (turn, height),
            xytext=(5, 10 if height < 50 else -14),
            textcoords="offset points",
            fontsize=9,
            color=MARK_COLOURS["blunder"],
        )

"""The value of a game over its turns as a picture: up where the first player was ahead, down where the second was.

It is drawn with attributes alone, since no page here may style itself; its colours are in the style sheet. Whoever
cannot see it has its summary as its name, and every number in the table below it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from duelbook.coach.graph import END
from duelbook.coach.words import MARKS, SIGNS, percent
from duelbook.serve.pages.markup import Node, node
from duelbook.speech import amount

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 640, 240, 84, 16, 28
SIGN, WIDE_SIGN = 16, 28
"""How wide a mark is, and on a narrow page, where letters are larger beside the graph."""
END_ROOM = 42
"""The word for the end has so much room there."""
ORDER = [name for _, name in MARKS]


def graph(
    curve: Sequence[float], marks: Sequence[tuple[int, str]], names: Sequence[str], *, ended: bool = False
) -> Node:
    """`curve` are the first player's chances at the start and after every turn, and `ended` says that the last of them
    is no turn's: the game was cut short."""
    room = HEIGHT - TOP - BOTTOM
    step = (WIDTH - LEFT - 8) / len(curve)

    def y(wins: float) -> float:
        return TOP + room * (1 - wins)

    middle = y(0.5)
    columns = []
    for turn, wins in enumerate(curve):
        top, bottom = min(y(wins), middle), max(y(wins), middle)
        kind = "one" if wins >= 0.5 else "two"
        x = LEFT + turn * step
        columns.append(
            node(
                "rect",
                x=f"{x:.1f}",
                y=f"{top:.1f}",
                width=f"{step:.1f}",
                height=f"{max(bottom - top, 1):.1f}",
                class_=kind,
            )
        )
    line = " ".join(
        f"L{LEFT + turn * step:.1f} {y(wins):.1f}H{LEFT + (turn + 1) * step:.1f}" for turn, wins in enumerate(curve)
    )
    path = node("path", d=f"M{line[1:]}", class_="curve")
    rules = [node("path", d=f"M{LEFT} {y(each):.1f}H{WIDTH - 8}", class_="rule") for each in (0.0, 0.5, 1.0)]
    labels = [_text(LEFT - 8, y(each) + 4, f"{100 * each:.0f} %", "end") for each in (0.0, 0.5, 1.0)]
    worst = {turn: min(name, dict(marks).get(turn, name), key=ORDER.index) for turn, name in marks}
    signs = [
        _text(
            LEFT + (turn + 0.5) * step, y(curve[turn]) + (18 if curve[turn] > 0.85 else -6), SIGNS[name], "middle", kind
        )
        for turn, name, kind in _apart({turn: name for turn, name in worst.items() if turn < len(curve)}, step)
    ]
    every = next(each for each in (1, 2, 5, 10, 20, 50, 100, 500) if each * step >= 24)
    last = len(curve) - 1
    end = min(LEFT + (last + 0.5) * step, WIDTH - 8 - END_ROOM / 2)
    numbered = [
        turn for turn in range(0, len(curve), every) if not ended or end - (turn + 0.5) * step - LEFT >= END_ROOM
    ]
    turns = [
        # Every other one makes room on a narrow page, where letters are larger beside the graph.
        _text(LEFT + (turn + 0.5) * step, HEIGHT - 8, str(turn), "middle", "label" if place % 2 == 0 else "label fine")
        for place, turn in enumerate(numbered)
    ]
    turns += [_text(end, HEIGHT - 8, END, "middle")] if ended else []
    turns_played = amount(last - ended, "turn")
    words = f"Chances of {names[0]} over {turns_played}, from {percent(curve[0])} to {percent(curve[-1])}"
    return node(
        "svg",
        *columns,
        *rules,
        path,
        *labels,
        *turns,
        *signs,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=words,
        class_="graph",
    )


def _apart(marks: Mapping[int, str], step: float) -> list[tuple[int, str, str]]:
    """The marks that have room, the worst first: none is written over another, and a narrow page has room for fewer."""
    found: list[tuple[int, str, str]] = []
    for turn, name in sorted(marks.items(), key=lambda each: (ORDER.index(each[1]), each[0])):
        room = [(abs(turn - other) * step, kind) for other, _, kind in found]
        if all(far >= SIGN for far, _ in room):
            wide = all(far >= WIDE_SIGN for far, kind in room if kind == "sign")
            found.append((turn, name, "sign" if wide else "sign fine"))
    return found


def _text(x: float, y: float, words: str, anchor: str, kind: str = "label") -> Node:
    return node("text", words, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, class_=kind)

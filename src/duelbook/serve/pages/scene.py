"""What lies on the table, drawn: a box for each side with its gauge, cards, and what was shown last.

Everything that is drawn is also written beside it: no picture and no colour says anything alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from duelbook.contract import TOWER, Gauge, Pile, Scene, Side
from duelbook.serve.pages.markup import Node, node
from duelbook.serve.pages.words import left_words

MOST_PIPS = 24
"""Up to so many a gauge shows every single one."""


def drawn(
    scene: Scene,
    names: Sequence[str],
    *,
    you: int | None = None,
    due: Sequence[int] = (),
    left: float | None = None,
    about: Sequence[str] = ("", ""),
) -> list[Node]:
    """The table; `left` are the seconds that those who are due have, `about` a word on who each of them is."""
    sides = [
        _side(scene, seat, names[seat], about[seat], you == seat, left if seat in due else None, seat in due)
        for seat in (0, 1)
    ]
    return [node("div", *sides, class_="sides"), *([_pile(scene.pile)] if scene.pile is not None else [])]


def _side(scene: Scene, seat: int, name: str, about: str, mine: bool, left: float | None, due: bool) -> Node:
    side = scene.sides[seat]
    gauge = side.gauge
    words = [word for word in ("you" if mine else "", about) if word]
    who = node("h2", node("span", name, class_="name"), node("small", f" {', '.join(words)}") if words else None)
    value = node("p", f"{gauge.name} ", node("strong", str(gauge.value)), f" of {gauge.top}", class_="amount")
    told = [node("p", note, class_="note") for note in side.notes]
    picks = [_shown(side)] if scene.picks else []
    turn = [node("p", "to move", class_="to-move")] if due else []
    clock = [node("p", left_words(left), class_="clock", data_left=f"{left:.1f}")] if left is not None else []
    kind = f"side {'one' if seat == 0 else 'two'} {'due' if due else ''}".rstrip()
    drawing = node("div", _gauge(gauge), class_=f"gauge {gauge.shape}")
    head = node("div", who, *turn, *clock, class_="who")
    return node("div", head, drawing, value, *told, *picks, class_=kind, data_key=f"side {seat}")


def _shown(side: Side) -> Node:
    if not side.pick:
        return node(
            "p", node("span", "?", class_="card back", aria_hidden="true"), " nothing shown yet", class_="shown"
        )
    return node("p", node("span", str(side.pick), class_="card"), " shown last", class_="shown")


def _gauge(gauge: Gauge) -> Node:
    """As a picture alone: what it says stands beside it."""
    top, value = max(gauge.top, 1), max(0, gauge.value)
    if gauge.shape == TOWER and top <= MOST_PIPS:
        return _tower(value, top)
    return _pips(value, top) if top <= MOST_PIPS else _bar(value, top)


def _svg(width: float, height: float, *inside: Node, **more: str) -> Node:
    return node("svg", *inside, viewBox=f"0 0 {width:g} {height:g}", aria_hidden="true", focusable="false", **more)


def _pips(value: int, top: int) -> Node:
    many = max(value, top)
    pips = [
        node("rect", x=10 * at, y=0, width=8, height=14, rx=2, class_="full" if at < value else "empty")
        for at in range(many)
    ]
    return _svg(10 * many - 2, 14, *pips, preserveAspectRatio="xMinYMid")  # under the name, over the number


def _bar(value: int, top: int) -> Node:
    full = 200 * min(value, top) / top
    return _svg(
        200,
        14,
        node("rect", x=0.5, y=0.5, width=199, height=13, rx=3, class_="empty"),
        node("rect", x=0, y=0, width=f"{full:.1f}", height=14, rx=3, class_="full"),
    )


def _tower(value: int, top: int) -> Node:
    """Bricks from the ground up, and the line that must be met exactly."""
    many = max(value, top)
    bricks = [
        node(
            "rect",
            x=14 if at % 2 else 12,
            y=8 * (many - at) - 3,
            width=36,
            height=7,
            rx=1.5,
            class_="over" if at >= top else "full" if at < value else "empty",
        )
        for at in range(many)
    ]
    goal = 8 * (many - top) + 4
    line = node("path", d=f"M2 {goal}H60", class_="aim")
    return _svg(62, 8 * many + 6, *bricks, line)


def _pile(pile: Pile) -> Node:
    """The card on the table, and which are still in the deck."""
    drawn = [node("p", "On the table: ", node("strong", str(pile.drawn), class_="card large"))] if pile.drawn else []
    cards = [
        node(
            "li",
            node("span", str(card), class_="card small" if card in pile.left else "card small gone"),
            None if card in pile.left else node("span", " is gone", class_="unseen"),
        )
        for card in pile.cards
    ]
    many = f"In the deck: {len(pile.left)} of {len(pile.cards)}"
    deck = node(
        "div", node("p", many, class_="quiet", id="left"), node("ul", *cards, class_="cards", aria_labelledby="left")
    )
    return node("div", *drawn, deck, class_="pile", data_key="pile")

"""A review in words: every game with its decisions, its course and its sum, then everybody's average."""

from __future__ import annotations

from collections.abc import Sequence

from duelbook.coach.graph import text_graph
from duelbook.coach.report import accounting, average_lines, heading, reasons, two_numbers
from duelbook.coach.review import Review, averages, review
from duelbook.coach.rows import legend, table
from duelbook.core import DuelError
from duelbook.line.console import Console
from duelbook.line.session import LEAVING
from duelbook.record import Record
from duelbook.speech import Line, quote

WIDEST, NARROWEST = 80, 20
"""Columns of the picture of a game's course: a wider one says no more, a narrower one nothing."""

OFFER = "The coach can go through this game and say what every decision gave away."


def offer(record: Record, console: Console) -> None:
    """After a game: the coach looks at it once more, if somebody wants that."""
    console.say(OFFER)
    while answer := console.ask("Type review, or press Enter to leave: ").strip():
        said = answer.lower()
        if said in ("review", "r", "yes", "y"):
            try:
                show([review(record)], console, yours=[True])
            except DuelError as error:
                console.complain(f"This game cannot be reviewed: {error}")
            return
        if said in (*LEAVING, "no", "n"):
            return
        console.complain(f"{quote(answer)} is not an answer here.")


def show(games: Sequence[Review], console: Console, *, yours: Sequence[bool]) -> None:
    """`yours` says of each game whether whoever reads this has played it."""
    room = console.width - 1 if console.is_window else None
    width = WIDEST if room is None else max(NARROWEST, min(WIDEST, room))
    for each, own in zip(games, yours, strict=True):
        console.say(Line(heading(each, yours=own), "title"), "")
        if each.decisions or each.waiting:
            console.say(
                *table(each, room), *two_numbers(each, yours=own), *legend(each), "", *text_graph(each, width), ""
            )
        if why := reasons(each):
            console.say(*why, "")
        console.say(*accounting(each, yours=own), "")
    console.say(*average_lines(averages(games)))

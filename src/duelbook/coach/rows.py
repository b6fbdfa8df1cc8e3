"""The table of a review: a row for every decision, as wide as there is room."""

from __future__ import annotations

from collections.abc import Sequence

from duelbook.coach.decision import Decision
from duelbook.coach.odds import Odds
from duelbook.coach.report import MOST_NAMED, in_words
from duelbook.coach.review import Review
from duelbook.coach.words import SAME, SEEN, points
from duelbook.speech import Line, either

TONES = {"blunder": "hurt", "mistake": "calm", "inaccuracy": "calm"}
LONGEST_NAME, SHORT_NAME = 12, 8
"""Letters of a player's name, and where there is little room."""
LEFT_OUT_FIRST = ("Luck", "Guess", "Lost", "Better", "", "Wins")
"""Columns that give way where the window is narrow: the sum tells luck and guess, the mark and the worst slips the
rest. The empty one is the chance against this opponent, whose heading says who that is."""


def table(review: Review, width: int | None = None) -> list[Line]:
    """A row for every decision. Chances are those of the player who decided; changes are in percentage points.

    Where a row would be longer than `width` names are cut and columns left out, as far as they can be spared, which is
    said below.
    """
    columns = _columns(review, LONGEST_NAME, MOST_NAMED)
    missing: list[str] = []
    if width is not None and _width(columns) > width:
        columns = _columns(review, SHORT_NAME, 1)
        here = "" if review.odds is None else review.odds.heading
        for heading in (each or here for each in LEFT_OUT_FIRST):
            if heading in columns and _width(columns) > width:
                missing.append(heading)
                del columns[heading]
    tones = ["title", *(TONES.get(each.mark, "") for each in review.decisions), "quiet"]
    rows = zip(*(_justified(heading, column) for heading, column in columns.items()), strict=True)
    told = [Line("  ".join(row).rstrip(), tone) for row, tone in zip(rows, tones, strict=False)]
    if missing:
        told.append(Line(f"Left out where the window is narrow: {either(missing, 'and')}.", "quiet"))
    return told


def _columns(review: Review, longest: int, most: int) -> dict[str, list[str]]:
    """What stands below each heading, from left to right."""
    match, odds, made = review.match, review.odds, review.decisions
    columns = {
        "Turn": [str(each.turn) for each in made],
        "Player": [_short(match.names[each.seat], longest) for each in made],
        "Move": [f"{each.cards}{each.move}" for each in made],
        "Wins": [f"{100 * each.before:.1f} %" for each in made],
    }
    if odds is not None:
        columns[odds.heading] = [_here(odds, each) for each in made]
    columns["Lost"] = [f"{100 * each.lost:.1f}" if each.lost > SAME else "-" for each in made]
    if match.game.faces:
        columns["Luck"] = [points(each.luck) for each in made]
    if hasattr(match.game.rules_file, "resolve"):
        columns["Guess"] = [points(each.guess) for each in made]
    columns["Better"] = [in_words(each.better, most) for each in made]
    columns["Mark"] = [each.mark or (f"{each.sooner} sooner" if each.sooner else "") for each in made]
    if review.waiting is not None:
        cards, luck = review.waiting
        name = _short(match.names[match.next_seat()], longest)
        waiting = {"Turn": str(match.turns + 1), "Player": name, "Move": cards, "Luck": points(luck)}
        for heading, column in columns.items():
            column.append(waiting.get(heading, ""))
    return columns


def _justified(heading: str, column: Sequence[str]) -> list[str]:
    """Words begin below one another, numbers end so."""
    width = max(map(len, (heading, *column)))
    words = heading in ("Player", "Move", "Better", "Mark")
    return [each.ljust(width) if words else each.rjust(width) for each in (heading, *column)]


def _width(columns: dict[str, list[str]]) -> int:
    return sum(max(map(len, (heading, *column))) + 2 for heading, column in columns.items()) - 2


def _here(odds: Odds, decision: Decision) -> str:
    """Of a program that a person met, nothing: it is the person's chance that is told."""
    if decision.here is None or (odds.alone and decision.seat != odds.whose):
        return ""
    lost = decision.lost_here or 0.0
    return f"{100 * decision.here:.1f} %{f' -{100 * lost:.1f}' if lost >= SEEN else ''}"


def legend(review: Review) -> list[str]:
    """What a mark means that does not say so by itself."""
    if not any(each.sooner and not each.mark for each in review.decisions):
        return []
    return ["Sooner: it was lost already, and what was better would have held out so many moves longer."]


def _short(name: str, longest: int) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}."

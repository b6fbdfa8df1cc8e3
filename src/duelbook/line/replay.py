"""A recorded game told again, in the voice of somebody who watched it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from duelbook.core import Turn
from duelbook.line.console import Console, EndOfInput
from duelbook.record import Record, move_text
from duelbook.speech import Line


class Frame(NamedTuple):
    """One step of a game with what it led to."""

    turn: int
    """The turn it belongs to, from 1; a card belongs to the turn it is drawn for."""
    seat: int | None
    """Who moved; None for luck and for both at once."""
    text: str
    before: Any
    after: Any
    lines: list[Line]
    comment: str


def timeline(record: Record) -> Iterator[Frame]:
    match = record.match
    turn = 1
    states = [step.before for step in match.steps] + [match.state]
    for count, (step, after) in enumerate(zip(match.steps, states[1:], strict=True), 1):
        seat = step.turn if step.turn in (Turn.FIRST, Turn.SECOND) else None
        text = move_text(match, step.turn, step.play)
        yield Frame(
            turn, seat, text, step.before, after, _told(record, step, after, turn), record.comments.get(count, "")
        )
        turn += step.turn != Turn.LUCK


def _told(record: Record, step: Any, after: Any, turn: int) -> list[Line]:
    match = record.match
    voice, rules, names = match.game.dialogue, match.rules, match.names
    if step.turn == Turn.LUCK:
        heading = voice.before_draw(rules, step.before, names)
        return [Line(), *heading, *voice.tell_draw(rules, step.before, step.play, after, names, False)]
    if step.turn == Turn.BOTH:
        heading = voice.round_heading(rules, step.before, turn)
        return [Line(), *heading, *voice.tell_round(rules, step.before, step.play, after, names)]
    told: list[Line] = voice.tell(rules, step.before, step.play, after, names, False)
    return told if hasattr(voice, "drawer") else [Line(), *told]


def show(record: Record, console: Console, only: int | None, *, wait: bool) -> None:
    """Tell the game, waiting for Enter after every turn where a person watches."""
    match = record.match
    voice, rules, names = match.game.dialogue, match.rules, match.names
    console.say(f"{match.game.name}: {names[0]} against {names[1]}, {record.date}")
    if only is not None:
        state = next((frame.after for frame in reversed([*timeline(record)]) if frame.turn == only), match.start)
        _show_position(record, console, only, state)
        return
    console.say(*voice.opening(rules, match.start, names))
    if record.comments.get(0):
        console.say(f"({record.comments[0]})")
    for frame in timeline(record):
        console.say(*frame.lines)
        if frame.comment:
            console.say(Line(f"({frame.comment})", "quiet"))
        if wait and console.typing and not frame.text.endswith(":") and frame.turn < match.turns:
            try:
                if console.ask("-- Enter for the next turn, quit to stop: ").strip().lower() in ("q", "quit", "exit"):
                    return
            except EndOfInput:
                return
    if match.outcome is None:
        console.say("", f"The game is unfinished: turn {match.turns + 1}.")
    elif match.outcome.kind == "rules":
        console.say(*voice.farewell(rules, match.state, names))
    else:
        console.say("", match.outcome.reason, Line(match.verdict(), "end"))


def _show_position(record: Record, console: Console, turn: int, state: Any) -> None:
    match = record.match
    console.say(f"After {turn} of {match.turns} turns:")
    console.say(*match.game.dialogue.status(match.rules, state, match.names))
    console.say(f"Position: {match.game.write_position(match.rules, state)}")

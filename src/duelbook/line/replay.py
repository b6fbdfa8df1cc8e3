"""A recorded game told again, in the voice of somebody who watched it."""

from __future__ import annotations

from duelbook.line.console import Console, EndOfInput
from duelbook.players.whose import who_met
from duelbook.record import UNKNOWN_DATE, Record
from duelbook.speech import Line
from duelbook.table.telling import ending, timeline


def show(record: Record, console: Console, only: int | None, *, wait: bool) -> None:
    """Tell the game, waiting for Enter after every turn where a person watches."""
    match = record.match
    voice, rules, names = match.game.dialogue, match.rules, match.names
    when = "" if record.date == UNKNOWN_DATE else f", {record.date}"
    console.say(f"{match.game.name}: {who_met(record.seats, match.names, match.game.seats)}{when}")
    if only is not None:
        state = next((frame.after for frame in reversed([*timeline(record)]) if frame.turn == only), match.start)
        console.say(f"After {only} of {match.turns} turns:", *voice.status(rules, state, names))
        console.say(f"Position: {match.game.write_position(rules, state)}")
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
    console.say(*ending(match))

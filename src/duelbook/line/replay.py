"""A recorded game told again, in the voice of somebody who watched it."""

from __future__ import annotations

from duelbook.line.console import Console, EndOfInput
from duelbook.line.session import LEAVING
from duelbook.players import people_in
from duelbook.players.whose import who_met, who_played
from duelbook.record import Record
from duelbook.speech import Line, quote
from duelbook.table.telling import ending, timeline


def _goes_on(console: Console) -> bool:
    """Whether somebody who watches wants to see the next turn."""
    try:
        while answer := console.ask("-- Enter for the next turn, quit to stop: ").strip():
            if answer.lower() == "next":
                return True
            if answer.lower() in LEAVING:
                return False
            console.complain(f"{quote(answer)} is not an answer here.")
    except EndOfInput:
        return False
    return True


def show(record: Record, console: Console, only: int | None, *, wait: bool, yours: bool = False) -> None:
    """Tell the game, waiting for Enter after every turn where a person watches; with `yours` to whoever played it."""
    match = record.match
    voice, rules, names = match.game.dialogue, match.rules, match.names
    when = f", {record.day}" if record.day else ""
    people = people_in(record.seats) if yours else ()
    who = who_played(record.seats, names) if len(people) == 1 else who_met(record.seats, names, match.game.seats)
    console.say(f"{match.game.name}: {who}{when}")
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
        waits = wait and console.typing and not frame.text.endswith(":") and frame.turn < match.turns
        if waits and not _goes_on(console):
            return
    console.say(*ending(match, people))

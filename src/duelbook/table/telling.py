"""A game told in its book's words: as it happens, or again from a record."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from duelbook.core import FIRST, SECOND, Turn
from duelbook.match import Dealt, Ended, Event, Match, Played, Revealed, Step, TakenBack
from duelbook.players.whose import why_over
from duelbook.record import Record, move_text
from duelbook.speech import Line
from duelbook.table.standstill import Standstill


def tell(match: Match, event: Event | Standstill, people: Collection[int]) -> list[Line]:
    """What is said of an event to the people who play, or to somebody who watches where there are none."""
    voice, rules, names = match.game.dialogue, match.rules, match.names
    match event:
        case Dealt(before, face, after):
            return list(voice.tell_draw(rules, before, face, after, names, voice.drawer(before) in people))
        case Played(seat, before, move, after):
            told = voice.tell(rules, before, move, after, names, seat in people)
            return told if seat in people or hasattr(voice, "drawer") else [Line(), *told]
        case Revealed(before, picks, after):
            return list(voice.tell_round(rules, before, picks, after, names))
        case Standstill(why, how, _):
            return [Line(), Line(f"{why} {how}", "calm")]
        case TakenBack(steps):
            what = in_words(match, steps[0]) if steps else "the end of the game"
            return [Line(f"Taken back: {what}.", "calm")]
        case Ended(outcome):
            said = [Line(), Line(why_over(outcome, match.names, people)), Line(match.verdict(), "end")]
            if outcome.kind == "rules":
                said = list(voice.farewell(rules, match.state, names))
            return _to_whom_it_concerns(match, said, people)
    return []


def resigning(match: Match, seat: int, people: Collection[int]) -> str:
    """The question before somebody resigns. Whoever plays a program alone knows who is meant."""
    return "Resign and lose this game?" if len(people) == 1 else f"{match.names[seat]}, resign and lose this game?"


def verdict(match: Match, people: Collection[int]) -> str:
    """Who won, in the fewest words; to the only person at the table, whether it is them."""
    won = match.outcome.winner if match.outcome is not None else None
    if len(people) != 1 or won not in (FIRST, SECOND):
        return match.verdict()
    return "You won!" if won in people else "You lost."


def _to_whom_it_concerns(match: Match, said: list[Line], people: Collection[int]) -> list[Line]:
    """A person who plays a program is told whether they won, where the book would name the winner."""
    words = verdict(match, people)
    if words == match.verdict():
        return said
    return [*(line for line in said if line.tone != "end"), Line(words, "end")]


def in_words(match: Match, step: Step) -> str:
    """`Player 1's last move (build 4)`."""
    whose = "the last round" if step.turn == Turn.BOTH else f"{match.names[step.turn]}'s last move"
    return f"{whose} ({move_text(match, step.turn, step.play)})"


class Frame(NamedTuple):
    """One step of a game with what it led to."""

    turn: int
    """The turn it belongs to, from 1; a card belongs to the turn it is drawn for."""
    seat: int | None
    """Who moved; None for luck and for both at once."""
    text: str
    after: object
    lines: list[Line]
    comment: str


def timeline(record: Record, people: Collection[int] = ()) -> Iterator[Frame]:
    """A recorded game, step by step, told to the people in these seats, or in the voice of somebody who watched it."""
    match = record.match
    turn = 1
    states = [step.before for step in match.steps] + [match.state]
    for count, (step, after) in enumerate(zip(match.steps, states[1:], strict=True), 1):
        seat = step.turn if step.turn in (Turn.FIRST, Turn.SECOND) else None
        text = move_text(match, step.turn, step.play)
        lines = heard(match, step, after, turn, people)
        yield Frame(turn, seat, text, after, lines, record.comments.get(count, ""))
        turn += step.turn != Turn.LUCK


def heard(match: Match, step: Step, after: object, turn: int, people: Collection[int] = ()) -> list[Line]:
    """What these people, or whoever watches, hear of one step; a card belongs to the turn it is drawn for."""
    voice, rules, names = match.game.dialogue, match.rules, match.names
    if step.turn == Turn.LUCK:
        heading = voice.before_draw(rules, step.before, names)
        return [Line(), *heading, *tell(match, Dealt(step.before, step.play, after), people)]
    if step.turn == Turn.BOTH:
        heading = voice.round_heading(rules, step.before, turn)
        return [Line(), *heading, *tell(match, Revealed(step.before, step.play, after), people)]
    return tell(match, Played(step.turn, step.before, step.play, after), people)


def ending(match: Match, people: Collection[int] = ()) -> list[Line]:
    """How the game ended, or that it has not; said to the people in these seats, or to whoever watches."""
    if match.outcome is None:
        return [Line(), Line(f"The game is unfinished: turn {match.turns + 1}.")]
    return tell(match, Ended(match.outcome), people)


def as_json(record: Record, turn: int | None = None) -> dict[str, object]:
    """A recorded game for programs, or one turn of it: docs/json.md says what each field is."""
    match = record.match
    frames = [
        {
            "turn": frame.turn,
            "player": None if frame.seat is None else frame.seat + 1,
            "move": frame.text,
            "position": match.game.write_position(match.rules, frame.after),
        }
        for frame in timeline(record)
        if turn is None or frame.turn == turn
    ]
    return {
        "game": match.game.id,
        "players": list(match.names),
        "start": match.game.write_position(match.rules, match.start),
        "result": match.outcome.result if match.outcome else "*",
        "reason": match.outcome.reason if match.outcome else None,
        "steps": frames,
    }

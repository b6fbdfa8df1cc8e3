"""The record as people read it, on the line and on the screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from duelbook.core import DuelError
from duelbook.games import load
from duelbook.me.account import Account, InDuel
from duelbook.me.nudge import Nudge
from duelbook.me.played import NOT_COUNTED
from duelbook.me.tally import Total
from duelbook.players import short_kind
from duelbook.speech import Line, amount, either, plain

NOTHING_YET = "No game against a program counts so far, so there is no record of you."
NOTHING_HERE = "No game of {duel} against a program counts so far."
HEAD = ("Games", "Won", "Lost", "Neither", "Score", "Loss")
WIDTHS = (5, 4, 4, 7, 5, 6)
SHORTEST, LONGEST = 18, 38
"""Letters of what stands before the numbers, as far as there is room."""
LEGEND = (
    "Score: a win is one, a game that nobody won is half.",
    "Loss: points of win probability given away per decision, if both sides played perfectly from there on. What was "
    "thrown away against the opponent you met is another number, and not in it: the review of a game has both.",
)


def lines(record: Account, *, width: int = 80, commands: bool = True, of: str = "") -> list[Line]:
    """All of it, section by section; with the commands to type, where somebody can type them. `of` is the name of the
    duel that it is limited to."""
    numbers = sum(WIDTHS) + len(WIDTHS)
    room = max(SHORTEST, min(width - numbers, LONGEST))
    return [*_games(record, room, commands, of), *_puzzles(record, room), *_left_out(record, commands)]


def _games(record: Account, room: int, commands: bool, of: str) -> list[Line]:
    if not record.total.games:
        nothing = NOTHING_HERE.format(duel=of) if of else NOTHING_YET
        return [Line(f"{nothing}{' Start one with: duelbook play' if commands else ''}")]
    shown = [_heading("Whom you met", room)]
    for each in record.duels:
        shown += _duel(each, room)
        shown += [_row(f"  {short_kind(foe.opponent)}", foe.total, room) for foe in each.opponents]
    if len(record.duels) > 1:
        shown.append(_row("all together", record.total, room, "turn"))
    shown += [Line(), _heading("When", room)]
    shown += [_row(month or "nobody knows when", each, room) for month, each in record.months.items()]
    shown += [Line(), *(Line(words, "quiet") for words in LEGEND)]
    nudges = [Line(f"{title(each)}. {words}", "calm") for each in record.duels if (words := _nudge(each, commands))]
    return [*shown, Line(), *nudges] if nudges else shown


def _nudge(each: InDuel, commands: bool) -> str:
    if each.nudge is None:
        return ""
    return challenge(each.nudge, each.duel, each.rules.split()) if commands else nudge_words(each.nudge)


def title(each: InDuel) -> str:
    """`Tower Defense Duel`, with the rules behind it that are not the book's."""
    return f"{_name(each)}, {each.rules}" if each.rules else _name(each)


def _name(each: InDuel) -> str:
    try:
        return load(each.duel).name
    except DuelError:
        return each.duel


def _duel(each: InDuel, room: int) -> list[Line]:
    """A duel with its numbers. Rules that have no room behind its name stand below it: it is another game by them."""
    if len(title(each)) <= room or not each.rules:
        return [_row(title(each), each.total, room, "turn")]
    return [Line(f"{plain(_name(each))},", "turn"), _row(f"  {each.rules}", each.total, room, "turn")]


def nudge_words(said: Nudge) -> str:
    """Why it is time for the next level, and for which."""
    games = f"You won {said.won} of your last {amount(said.games, 'game')} against {short_kind(said.opponent)}."
    return f"{games} Time for {short_kind(said.upwards)}."


def challenge(said: Nudge, duel: str, rules: Iterable[str]) -> str:
    """The same with the command that begins such a game."""
    changed = "".join(f" --rule {setting}" for setting in rules)
    return f"{nudge_words(said)} Try: duelbook play {duel} --p2 {said.upwards}{changed}"


def _heading(words: str, room: int) -> Line:
    return Line(_cells(words, HEAD, room), "title")


def _row(name: str, each: Total, room: int, tone: str = "") -> Line:
    score = "-" if each.score is None else f"{100 * each.score:.0f} %"
    loss = "-" if each.loss is None else f"{100 * each.loss:.2f}"
    cells = [*map(str, (each.games, each.won, each.lost, each.neither)), score, loss]
    return Line(_cells(name, cells, room), tone)


def _cells(name: str, cells: Sequence[str], room: int) -> str:
    seen = plain(name)
    short = seen if len(seen) <= room else f"{seen[: room - 1]}…"
    return f"{short:<{room}}" + " ".join(f"{cell:>{width}}" for cell, width in zip(cells, WIDTHS, strict=True))


def _puzzles(record: Account, room: int) -> list[Line]:
    if not record.puzzles:
        return []
    days = f"{amount(record.streak, 'day')} in a row, {record.best_streak} at best"
    shown = [Line(), Line(f"Puzzles: {days}", "title")]
    for each in record.puzzles:
        try:
            name = load(each.duel).name
        except DuelError:
            name = plain(each.duel)
        shown.append(Line(f"{name:<{room}} rating {each.rating:.0f}, {each.solved} of {each.tried} solved"))
    return shown


def _left_out(record: Account, commands: bool) -> list[Line]:
    """What is saved and does not count, so that nobody wonders where a game is."""
    parts = [f"{count} {NOT_COUNTED[why]}" for why, count in record.not_counted.items() if why in NOT_COUNTED]
    parts += [f"{record.forgotten} forgotten"] if record.forgotten else []
    shown = [Line(f"Saved, but not counted: {either(parts, 'and')}.", "quiet")] if parts else []
    if record.unweighed:
        words = "has rules that are" if record.unweighed == 1 else "have rules that are"
        shown.append(Line(f"{amount(record.unweighed, 'game')} {words} not solved here, and no loss.", "quiet"))
    if record.unread:
        first, more = record.unread[0], len(record.unread) - 1
        others = f", and {more} more" if more else ""
        words = f"Passed over: {plain(first.id)} ({plain(first.why).removesuffix('.')}){others}."
        shown.append(Line(f"{words}{' See: duelbook games' if commands else ''}", "quiet"))
    return [Line(), *shown] if shown else []

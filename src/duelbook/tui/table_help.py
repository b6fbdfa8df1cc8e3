"""The page of help at a table: what can be done now, and the keys that work at every turn."""

from __future__ import annotations

from collections.abc import Callable

from duelbook.core import LUCK
from duelbook.match import Match
from duelbook.speech import Line
from duelbook.tui.actions import actions_of

COLUMN = 9


def help_page(match: Match, decides: int | None, key_now: Callable[[str], str], *, watching: bool) -> list[Line | str]:
    """`decides` is the seat of the person who is to decide now; `key_now` gives the key for what a letter does."""

    def key(letter: str) -> str:
        now = key_now(letter)
        return f"Shift+{now}" if now.isupper() else now  # the keys of moves stand here in capitals, too

    lines: list[Line | str] = [*_about_moves(match, decides), ""]
    lines += [
        _key("arrows", "walk through the actions; Enter chooses. Everything can be clicked too."),
        _key(key("h"), "a hint: the best move, and why"),
        _key(key("u"), "take back; between two people both must agree"),
        _key(key("r"), f"the rule book beside the game; {key('r')} again closes it. Page Up and Down scroll"),
        _key(key("c"), "the coach on or off: who is ahead, and a word after a slip"),
        _key(key("s"), "save; the game is also saved after every move"),
        _key(key("x"), "resign"),
        _key(key("q"), "leave, also Esc; you can always go on later. Ctrl-C leaves at once."),
    ]
    if watching:
        lines.append(_key("p n + -", "pause, one step, faster, slower"))
        lines.append(_key("t", "take over a seat"))
    return [*lines, "", Line(f"Position: {match.game.write_position(match.rules, match.state)}", "quiet")]


def _about_moves(match: Match, decides: int | None) -> list[str]:
    """What can be done now, as the duel explains it."""
    if match.outcome is not None or decides is None:
        return [match.verdict() if match.outcome else "It is not your turn."]
    if match.turn == LUCK:
        return [
            _key("Enter", f"{match.game.chance.draw}s; you choose once you have seen your {match.game.chance.face}.")
        ]
    explain = getattr(match.game.dialogue, "explain", None)
    if explain is not None:
        return list(explain(match.rules, match.state, decides))
    return [
        _key("/".join(key.upper() for key in action.keys), f"{action.word}: {action.about}")
        for action in actions_of(match, decides)
    ]


def _key(key: str, words: str) -> str:
    """A line of help: the key in its column, what it does beside it."""
    return f"{key:>{COLUMN - 2}}  {words}"

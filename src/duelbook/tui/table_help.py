"""The words and keys that work at every turn, and the page of help that tells them."""

from __future__ import annotations

from collections.abc import Callable, Collection

from duelbook.core import LUCK
from duelbook.match import Match
from duelbook.speech import Line
from duelbook.table.telling import verdict
from duelbook.tui.actions import actions_of
from duelbook.tui.commanding import Word

COLUMN = 9


LOOK_BACK = Word("look_back", "who won and why, and the decisions that mattered; then the review")
LEAVE = Word("leave", "leave; you can always go on later")
HELP = Word("help", "what can be done now, and every key")
WORDS = {
    "help": HELP,
    "?": HELP,
    "hint": Word("hint", "the best move, and why"),
    "undo": Word("undo", "take back the last move"),
    "rules": Word("rules", "the rule book beside the game"),
    "coach": Word("coach", "the coach on or off", takes_a_name=True),
    "status": Word("status", "how the game stands"),
    "save": Word("save", "save; with a name behind it, to a file of that name", takes_a_name=True),
    "resign": Word("resign", "resign and lose this game"),
    "stop": Word("stop", "stop without a result, as the bell does"),
    **dict.fromkeys(("review", "replay", "again", "rematch"), LOOK_BACK),
    "quit": LEAVE,
    "q": LEAVE,
    "exit": LEAVE,
    "leave": LEAVE,
    "back": LEAVE,
    "pause": Word("pause", "pause, or go on"),
    "step": Word("step", "one step"),
    "faster": Word("faster", "less time for a move"),
    "slower": Word("slower", "more time for a move"),
    "take over": Word("take_over", "take over a seat"),
}
"""What can be typed at every turn besides a move: the words of line mode, and what only a screen has."""


def help_page(
    match: Match, decides: int | None, key_for: Callable[[str], str], people: Collection[int]
) -> list[Line | str]:
    """`decides` is the seat of the person who is to decide now; `key_for` gives the key that does something; `people`
    are the seats of those who play."""

    def key(action: str, words: str) -> str:
        return _key(key_for(action), words)

    lines: list[Line | str] = [*_about_moves(match, decides, people), ""]
    lines += [
        _key(
            "type",
            "a move or a word; the line shows what it means, Enter plays it. Backspace and Esc clear it.",
        ),
        _key("arrows", "walk through the actions; Enter or Space plays the highlighted one. A click plays at once."),
        key("hint", "hint: the best move, and why"),
        key(
            "undo", "undo: take back; against a program it waits a second, and Esc calls it off; two people must agree"
        ),
        key("rules", "rules: the rule book beside the game; once more closes it. Page Up and Down scroll"),
        key("coach", "coach: on or off; who is ahead if both play perfectly, and a word after a slip"),
        *(
            [
                _key(
                    "",
                    "You against level 1 or the like: your chance if you play perfectly from here, and they as they do",
                )
            ]
            if len(people) == 1
            else []
        ),
        key("save", "save: the game is also saved after every move"),
        key("resign", "resign"),
        *([_key("stop", "typed: stop without a result, as the bell does")] if match.stands_still and people else []),
        key("leave", "leave, or type quit; you can always go on later. Ctrl-C leaves at once."),
        "Capitals and small letters mean the same.",
    ]
    if not people:
        lines.append(_key("Space", f"pause and go on; {key_for('step')} makes one step, + and - change the speed"))
        lines.append(key("take_over", "take over a seat"))
    return [*lines, "", *(Line(line, "quiet") for line in standing(match)[-1:])]


def online_help(
    match: Match, decides: int | None, key_for: Callable[[str], str], people: Collection[int]
) -> list[Line | str]:
    """The same for a table on a server."""
    lines: list[Line | str] = [*_about_moves(match, decides, people), ""]
    lines += [
        _key("type", "a move or a word; the line shows what it means, Enter sends it. It is done when it is told."),
        _key("arrows", "walk through the actions; Enter or Space sends the highlighted one. A click sends at once."),
        _key(key_for("rules"), "rules: the rule book beside the game; once more closes it. Page Up and Down scroll"),
        _key(key_for("hint"), "hint: the best move, and why; only against a program"),
        _key(key_for("claim"), "claim: end a game whose other player is gone, or out of time"),
        _key(key_for("resign"), "resign"),
        _key(
            key_for("leave"), "leave, or type quit; the game stays on the server, and you can come back to your seat."
        ),
        _key("save", "with a name behind it: a copy of the game for yourself"),
    ]
    return [*lines, "", *(Line(line, "quiet") for line in standing(match)[-1:])]


def standing(match: Match) -> list[str]:
    """How the game stands, in words."""
    status = match.game.dialogue.status(match.rules, match.state, match.names)
    where = match.game.write_position(match.rules, match.state)
    turn = f"Turn {match.turns + 1} of at most {match.max_turns}."
    return [*(line.text for line in status), turn, f"Position: {where}"]


def _about_moves(match: Match, decides: int | None, people: Collection[int]) -> list[str]:
    """What can be done now, as the duel explains it."""
    if match.outcome is not None or decides is None:
        return [verdict(match, people) if match.outcome else "It is not your turn."]
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

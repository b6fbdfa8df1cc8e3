"""From a match to an exit code, line by line: who sits where, and what happens when somebody leaves."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

from duelbook.core import settings
from duelbook.line.console import Console, EndOfInput, Quit
from duelbook.line.session import Session
from duelbook.record import Record
from duelbook.saves import Save
from duelbook.speech import Line
from duelbook.table.host import sit_down
from duelbook.table.keeper import NOT_SAVED, UNSAVED, to_stderr

DONE, FAILED, INTERRUPTED = 0, 1, 130
LEAVING = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _on_signals(handler: Callable[[int, FrameType | None], None] | signal.Handlers) -> None:
    for name in LEAVING:
        if hasattr(signal, name):  # not every system has them all
            signal.signal(getattr(signal, name), handler)


def play_out(
    record: Record,
    save: Save | None,
    copy: Save | None,
    console: Console,
    *,
    coaching: bool = False,
    bar: bool = False,
) -> int:
    """Play the match to its end, or until somebody leaves. The game is on disk either way."""
    host = sit_down(record, save, copy, coaching=coaching)
    code, farewell = _sit(Session(host, console, bar=bar))
    # From here on nothing may stop the game from being written.
    _on_signals(signal.SIG_IGN)
    saved, over = host.leave(), record.match.outcome is not None
    if console.curtain is not None:
        console.curtain.lift()
    code = DONE if over else code
    with suppress(OSError):
        if saved and over:
            if save and console.typing:
                console.say("", host.keeper.how_to_go_on())
                if host.people:
                    code = _look_back(record, console)
        elif saved and farewell is not None:
            to_stderr(f"{farewell}{host.keeper.farewell()}")
        elif not saved and (save or copy):
            code = code or FAILED
            to_stderr(NOT_SAVED)
        elif not saved and farewell is not None:  # it was said at the start that it would not be
            to_stderr(f"{farewell}{UNSAVED}")
    return code


def _look_back(record: Record, console: Console) -> int:
    """Name the next level if it is due, and offer a review. The game is safe: whoever leaves now, in whatever way, has
    only not looked at it. The exit code."""
    from duelbook.line.review import offer
    from duelbook.me.next_level import next_level
    from duelbook.me.telling import challenge

    code = DONE
    try:
        _on_signals(_interrupt)
        said, match = next_level(record), record.match
        if said is not None:
            console.say(Line(challenge(said, match.game.id, settings(match.game, match.rules)), "calm"))
        offer(record, console)
    except (EndOfInput, OSError):
        pass
    except KeyboardInterrupt:
        code = INTERRUPTED
    _on_signals(signal.SIG_IGN)
    if code == INTERRUPTED:
        with suppress(OSError):
            console.say("")  # the shell's prompt begins a line
    return code


def _sit(session: Session) -> tuple[int, str | None]:
    """The exit code, and how the farewell begins where there is somebody to hear it."""
    try:
        _on_signals(_interrupt)
        try:
            session.host.keeper.write()
            session.run()
        finally:
            _on_signals(signal.SIG_IGN)
    except Quit:
        return DONE, ""
    except EndOfInput:
        return FAILED, "The input ended before the game did. "
    except KeyboardInterrupt:  # also a second signal, while the first was being answered
        return INTERRUPTED, "\n"
    except BrokenPipeError:
        return FAILED, None
    except OSError:  # the terminal is gone
        return INTERRUPTED, None
    return DONE, ""

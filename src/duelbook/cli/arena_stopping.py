"""A tournament that is stopped before its end: by what, and how it can go on."""

from __future__ import annotations

import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from duelbook.arena.play.game_file import games_kept
from duelbook.cli.options import warn
from duelbook.speech import plain
from duelbook.table.keeper import command_name


@contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Have the signals that end a program do what Ctrl-C does: a closed terminal sends one, unless nohup is there."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    usual = {number: signal.getsignal(number) for number in numbers}
    for number, handler in usual.items():
        if handler == signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)


def say_how_to_go_on(path: Path, of: int, *, named: bool) -> None:
    """The command that goes on with a tournament whose games are in this file, which the user has `named` or not."""
    words = [word for word in sys.argv[1:] if word not in ("--resume", "-resume")]
    if not named:
        words += ["--out", str(path)]
    done = games_kept(path)  # the file knows: a portion may have been written and not yet counted
    where = f"they are in {plain(path)}" if done else "none is lost"
    warn(f"\nStopped after {done:,} of {of:,} games; {where}.")
    warn(f"Go on with: {command_name()} {shlex.join([*words, '--resume'])}")

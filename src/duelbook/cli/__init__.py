"""The `duelbook` command. Each subcommand is a file of its own, imported only when it is used."""

from __future__ import annotations

import atexit
import errno
import gc
import os
import signal
import sys
import threading
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

import click

from duelbook import __version__
from duelbook.beside import goes_on, uncut
from duelbook.cli.commands import COMMANDS, foot
from duelbook.cli.options import say
from duelbook.core import DuelError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


FEW_THINGS = 20_000
"""So many new things come together before Python looks for rubbish among them. What starting makes all stays: looking
through it every 700 things, as Python does by itself, only delays the first prompt."""
INTERRUPTED = 130
"""The exit code of whoever was interrupted, as shells have it."""
SECONDS_TO_WRITE = 2.0
"""So long whoever leaves waits for a file that is just being written, which takes milliseconds."""
POSITIONS_AFTER_A_FAILURE = 300
"""So many of a guest's positions are looked at once something has failed."""


class Commands(click.Group):
    """Subcommands that are looked up by name, so that starting one does not import the others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS]  # not `list`: once that command is imported, it goes by this name here

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"duelbook.cli.{cmd_name.replace('-', '_')}").command
        command.short_help, command.epilog = COMMANDS[cmd_name].what, foot(cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            from duelbook.games import game_ids
            from duelbook.speech import guess, quote

            hint = f" Did you mean: duelbook play {args[0]}?" if args[0] in game_ids() else guess(args[0], COMMANDS)
            raise click.UsageError(f"There is no command {quote(args[0])}.{hint} Try: duelbook --help", ctx)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Without loading the commands, as click would. A hidden subcommand there is none."""
        from duelbook.cli.completing import commands

        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*commands(ctx, self.params[0], incomplete), *options]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, about.what) for name, about in COMMANDS.items()])


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100, "show_default": True},
)
@click.version_option(__version__, prog_name="duelbook", message="%(prog)s %(version)s")
@click.pass_context
def duelbook(ctx: click.Context) -> int:
    """Two-player duels, exactly by the book.

    Without a command, the lobby opens on the full screen; where that cannot be had, a small menu starts a game. What a
    command does and takes: duelbook help COMMAND. All pages: docs/README.md.
    """
    if ctx.invoked_subcommand is not None:
        return 0
    from duelbook.cli.play import command as play

    code: int = ctx.invoke(play)
    return code


def main() -> None:
    """Run the command and leave with its exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted."""
    gc.set_threshold(FEW_THINGS)
    _open_what_is_closed()
    try:
        code = run()
    except KeyboardInterrupt:  # once more, while the first time was being answered
        code = INTERRUPTED
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever presses Ctrl-C now is about to have what they want
    code = _said(code)
    if goes_on():
        _leave_at_once(code)
    others = [each for each in threading.enumerate() if each is not threading.main_thread() and not each.daemon]
    if others:  # Python waits for these, and whoever does not want to can still leave
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(code)


def _said(code: int) -> int:
    """The code, once all that was said is written; another where nobody is left to read it."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            # Whoever read our output has gone, or the terminal has. Python would complain while closing the stream.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            code = code or 1
    return code


def _leave_at_once(code: int) -> NoReturn:
    """Nobody waits for what was given up, and Python does not end around it: compiled code would not survive that."""
    atexit._run_exitfuncs()
    code = _said(code)
    uncut.acquire(timeout=SECONDS_TO_WRITE)
    os._exit(code)


def _open_what_is_closed() -> None:
    """Whoever starts us may have closed a stream; Python has nothing in its place then. Nobody speaks or hears there.

    In this order each gets its own number again, so that no file of ours is taken for it.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - open until we leave


def run() -> int:
    try:
        code = duelbook.main(prog_name="duelbook", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        say(error.ctx.get_help() if error.ctx else error.format_message())
        return 2
    except click.ClickException as error:
        _complain_as_click_does(error)
        return 2
    except DuelError as error:
        _complain(f"Error: {error}")
        return 1
    except BrokenPipeError:
        return 1
    except (KeyboardInterrupt, click.Abort):
        _complain("")
        return INTERRUPTED
    except MemoryError:
        _complain("Error: There is not enough memory here for what was asked.")
        return 1
    except Exception as error:  # a mistake of ours must not end in a traceback
        if os.environ.get("DUELBOOK_DEBUG"):
            raise
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            _complain(f"Error: The output could not be written: {error.strerror}.")
            return 1
        _complain(_whose_mistake(error))
        _complain("Saved games are safe. With DUELBOOK_DEBUG=1 set, the same command shows where it happened.")
        return 1


def _whose_mistake(error: Exception) -> str:
    """Where a guest had a hand in it, and the error arose in our code, the guest is tried on every law before we say
    that the mistake is ours."""
    from duelbook.games import blame, guests_in_use

    told, named = f"{type(error).__name__}: {error}", blame(error)
    if named:
        return named
    for guest in guests_in_use():
        from duelbook.conformance import check_game

        seen = check_game(guest, POSITIONS_AFTER_A_FAILURE)
        if not seen.good:
            whose = f"The duel {guest.id}, which another package brings, breaks a law, and this failed ({told})"
            return f"{whose}. {seen.mistakes[0]} Try: duelbook check-game {guest.id}"
    return f"Duelbook made a mistake, and it is not yours: {told}"


def _complain(sentence: str) -> None:
    with suppress(OSError):  # there may be nobody left to hear it
        say(sentence, err=True)


def _complain_as_click_does(error: click.ClickException) -> None:
    """What was typed is part of such a complaint, and may hold anything."""
    from io import StringIO

    words = StringIO()
    error.show(words)
    _complain(words.getvalue().rstrip("\n"))

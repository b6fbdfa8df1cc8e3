"""A person at a real terminal, for tests: a pseudo-terminal, a screen to look at and keys to press.

Nothing here sleeps. A test presses keys once it has seen what it waits for.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import termios
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pexpect
import pyte

from duelbook.games import ROOMS
from duelbook.record import Record, reads
from helpers import HANGING

CTRL_C, CTRL_D, CTRL_BACKSLASH, TAB, ENTER = "\x03", "\x04", "\x1c", "\t", "\r"
UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"

PROMPTS = {
    "conquer": r"Choose your action \([a-z, ]+\): ",
    "deck draw": r"Press Enter to draw a number\.",
    "deck": r"\(H\)eal\? ",
    "energy": r"Enter choice \([0-9a-z ,]+\): ",
    "secret": r"enter your attack number \([^)]*\): ",
    "tower": r"Enter your move: ",
}


def without_colours(sent: bytes) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", sent.decode())


def on_one_line(text: str) -> str:
    """The words alone, however the window broke them into lines."""
    return " ".join(text.split())


class Terminal:
    """One terminal window with `duelbook` in it.

    Everything that the program sends goes to the screen, which remembers what has scrolled away.
    """

    def __init__(
        self,
        words: tuple[str, ...],
        home: Path,
        columns: int,
        rows: int,
        settings: dict[str, str],
        newcomer: bool,
        program: tuple[str, ...],
    ) -> None:
        """`home` is where this terminal's user keeps their games; `settings` are environment variables.

        `program` is what Python is told to run before the words.

        Unless it is a newcomer, they have opened every duel before, and are offered no guided game.
        """
        self.home = home
        if not newcomer:
            (home / "duelbook" / "lessons").mkdir(parents=True, exist_ok=True)
            for id in ROOMS:
                (home / "duelbook" / "lessons" / id).touch()
        self.sent = bytearray()
        """Every byte that the program has sent."""
        self._screen = pyte.HistoryScreen(columns, rows, history=10_000)
        self._stream = pyte.ByteStream(self._screen)
        environment = (
            os.environ
            | {
                "PYTHONUTF8": "1",
                "INPUTRC": os.devnull,
                "HOME": str(home),
                "XDG_STATE_HOME": str(home),
                "XDG_CONFIG_HOME": str(home),
                "TERM": "xterm-256color",
            }
            | settings
        )
        with warnings.catch_warnings():
            # Newer Pythons warn of forks in processes with threads; the test runner has some, and exec follows at once.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._child = pexpect.spawn(
                sys.executable,
                [*program, *words],
                env=environment,
                dimensions=(rows, columns),
                timeout=HANGING,
                cwd=str(home),
            )
        self._child.delaybeforesend = None
        self._child.delayafterread = None
        self._child.logfile_read = self

    # What pexpect tells of everything that it reads

    def write(self, piece: bytes) -> None:
        self.sent += piece
        self._stream.feed(piece)

    def flush(self) -> None:
        pass

    # What a person does

    def wait_for(self, pattern: str) -> str:
        """Wait until the program has sent this, and say what came before it and what it was."""
        self._child.expect(pattern.encode())
        return without_colours(self._child.before + self._child.after)

    def watch(self, seen: Callable[[], bool]) -> None:
        """Wait until what is in the window is as it should be."""
        give_up = time.monotonic() + HANGING
        while not seen():
            if time.monotonic() > give_up:
                raise TimeoutError("What should have come is not there:\n" + "\n".join(self.screen))
            with suppress(pexpect.TIMEOUT, pexpect.EOF):
                self._child.read_nonblocking(65536, timeout=0.1)

    def resize(self, columns: int, rows: int) -> None:
        """Drag the window to another size."""
        self._screen.resize(rows, columns)
        self._child.setwinsize(rows, columns)

    def press(self, keys: str) -> None:
        self._settle()
        self._child.send(keys)

    def interrupt(self) -> None:
        """Press Ctrl-C at once, whatever the program is at."""
        self._child.send(CTRL_C)

    def _settle(self) -> None:
        """Wait until the program waits.

        A prompt is on the screen a moment before the program listens, and Python forgets a signal that comes between:
        it is noticed with the next key. No person is that fast, but a test is.
        """
        status = Path(f"/proc/{self._child.pid}/stat")
        give_up = time.monotonic() + HANGING
        while status.exists() and status.read_text().rpartition(")")[2].split()[0] not in "ST":
            if time.monotonic() > give_up:
                raise TimeoutError("The program asks and asks, but it does not wait for an answer.")

    def enter(self, line: str) -> None:
        self.press(line + ENTER)

    def play(self, game: str, *lines: str) -> None:
        """Answer the game's prompt with each of these lines, then wait until it asks once more."""
        for line in lines:
            self.wait_for(PROMPTS[game])
            self.enter(line)
        self.wait_for(PROMPTS[game])

    def ends(self) -> int:
        """Wait until the program has ended, and say with which exit code; minus a signal's number if that ended it."""
        if not self._child.closed:
            self._child.expect(pexpect.EOF)
        self._child.wait()
        return -self._child.signalstatus if self._child.signalstatus else int(self._child.exitstatus)

    def leaves_the_finished_game(self) -> int:
        """Say no to the review that is offered after a game, and wait for the end."""
        self.wait_for("press Enter to leave: ")
        self.enter("")
        return self.ends()

    def signal(self, number: int) -> None:
        self._settle()
        os.kill(self._child.pid, number)

    def stop(self) -> None:
        """Stop the program as a shell's job control does, and wait until it stands still."""
        self.signal(signal.SIGSTOP)
        os.waitpid(self._child.pid, os.WUNTRACED)

    def hang_up(self) -> None:
        """Close the window. The program gets SIGHUP, and nothing that it writes arrives anywhere."""
        self._settle()
        self._child.ptyproc.fileobj.close()
        self._child.ptyproc.closed = self._child.closed = True
        self._child.ptyproc.fd = self._child.child_fd = -1

    def close(self) -> None:
        """Leave nothing behind, however the test went."""
        if self._child.isalive():
            self.signal(signal.SIGKILL)
            self._child.wait()
        if not self._child.closed:
            self.hang_up()

    # What there is to see

    @property
    def screen(self) -> list[str]:
        """The lines in the window, without the spaces behind them."""
        return [line.rstrip() for line in self._screen.display]

    @property
    def everything(self) -> str:
        """What can be seen in the window and by scrolling back."""
        gone = ["".join(row[at].data for at in range(self._screen.columns)) for row in self._screen.history.top]
        return "\n".join(line.rstrip() for line in [*gone, *self._screen.display])

    @property
    def said(self) -> str:
        """All that the program has sent, without colours."""
        return without_colours(bytes(self.sent))

    @property
    def settings(self) -> list[Any]:
        """The terminal's own settings, as termios has them."""
        return termios.tcgetattr(self._child.child_fd)

    @property
    def echoes(self) -> bool:
        return bool(self.settings[3] & termios.ECHO)

    @property
    def sane(self) -> bool:
        """Whether a shell that gets the terminal back can be used: keys echo, lines end, Ctrl-C interrupts."""
        iflag, oflag, _, lflag = self.settings[:4]
        wanted = termios.ECHO | termios.ICANON | termios.ISIG
        return bool(lflag & wanted == wanted and iflag & termios.ICRNL and oflag & termios.OPOST)

    def set_echo(self, on: bool) -> None:
        """Change the echo from outside, as a shell may."""
        settings = self.settings
        settings[3] = settings[3] | termios.ECHO if on else settings[3] & ~termios.ECHO
        termios.tcsetattr(self._child.child_fd, termios.TCSANOW, settings)

    def set(self, settings: list[Any]) -> None:
        """Give the terminal these settings, as a shell does that has them."""
        termios.tcsetattr(self._child.child_fd, termios.TCSANOW, settings)

    # What is on disk

    @property
    def files(self) -> list[Path]:
        return sorted((self.home / "duelbook" / "games").glob("*.duel"))

    def record(self) -> Record:
        """The one saved game."""
        (file,) = self.files
        (record,) = reads(file.read_text(encoding="utf-8"))
        return record

    def moves(self) -> str:
        """The moves in the one saved game's file, on one line."""
        (file,) = self.files
        return " ".join(file.read_text(encoding="utf-8").partition("\n\n")[2].split())


@contextmanager
def terminal(
    *words: str,
    home: Path,
    columns: int = 80,
    rows: int = 24,
    settings: dict[str, str] | None = None,
    newcomer: bool = False,
    program: tuple[str, ...] = ("-m", "duelbook"),
) -> Iterator[Terminal]:
    """A terminal window that is closed again when the test is done with it."""
    window = Terminal(words, home, columns, rows, settings or {}, newcomer, program)
    try:
        yield window
    finally:
        window.close()

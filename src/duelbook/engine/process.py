"""One program with its pipes: how it is talked to and heard.

A program that is not trusted must not be able to disturb whoever started it. It gets a session of its own, so that it
has no terminal; what it says is read in bounded pieces; no wait is without a deadline. All of it happens on the
caller's thread, with one poll for each answer: a thread in between would cost more than the pipe.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from os import read, write
from pathlib import Path
from shlex import join
from time import monotonic

from duelbook.core import DuelError
from duelbook.engine.fault import CRASH, PROTOCOL, TIME, EngineFault
from duelbook.engine.launch import launch, short_name, why_not
from duelbook.engine.limits import Limits
from duelbook.engine.log import FROM, NOTE, TO, Log
from duelbook.engine.memory import forget, watch
from duelbook.speech import plain, quote

PIECE = 1 << 16
LONGEST_LINE = 1 << 14
MOST_OUTPUT = 1 << 20
"""Bytes that a program may say before one answer is in."""
KEPT_STDERR = 1 << 16
QUICK = 50
"""Milliseconds for an answer by the short way; whoever thinks for longer is also heard on standard error meanwhile."""
LATE = 0.1
"""Seconds that an answer may come late: its way through the system is not the program's fault."""
LONGEST_WAIT = 86_400.0
"""Seconds for one wait; the system cannot count much further, and a clock may show more."""
GRACE = 0.25
"""Seconds between asking a program to end and making it."""
LAST_WORDS = 120
SIGNALLED = 128
"""A program that was started for another one ends with this and the number of the signal that ended the other one."""
OUT_OF_CPU = (-signal.SIGXCPU, SIGNALLED + signal.SIGXCPU) if hasattr(signal, "SIGXCPU") else ()
"""How a program ends whose processor time is used up: by the signal, or as the shell script that started it says it."""


class Process:
    """A running program. Every way in which it can fail is an EngineFault, and a fault ends it."""

    def __init__(
        self,
        command: Sequence[str],
        limits: Limits,
        slack: float = 0.0,
        log: Log | None = None,
    ) -> None:
        """`slack` is added to every time that it is given, for machines that have much else to do."""
        self._log = log
        self.late = LATE + slack
        self.name = quote(short_name(command))
        """What the program is called in sentences."""
        self.limits = limits
        self.unread: deque[bytes] = deque()
        """Lines that were said and that nobody has taken yet."""
        self._rest = bytearray()
        """What was said of a line that has not come to its end."""
        self._stderr = bytearray()
        self._asked = ("", 0.0, 0.0)
        self._overdue = ""
        """What is awaited, within how many seconds, and when these are over."""
        self._heard = 0
        if not hasattr(select, "poll"):
            raise DuelError("Programs cannot take a seat on this system: it lacks poll, which Linux and macOS have.")
        if shutil.which(command[0]) is None:
            raise EngineFault(CRASH, f"{self.name} cannot be started: {why_not(Path(command[0]))}")
        try:
            self.launched = launch(command, limits, owner=self)
        except OSError as error:
            raise EngineFault(CRASH, f"{self.name} cannot be started: {error.strerror}.") from None
        self._child = self.launched.child
        self._ration = watch(self.launched, limits.memory_mb) if limits.memory_mb is not None else None
        pipes = (self._child.stdin, self._child.stdout, self._child.stderr)
        self._in, self._out, self._err = (pipe.fileno() for pipe in pipes if pipe)
        os.set_blocking(self._in, False)
        os.set_blocking(self._err, False)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        quick = select.poll()
        quick.register(self._out, select.POLLIN)
        self._wait = quick.poll
        self._an_answer: list[tuple[int, int]] | None = [(self._out, int(select.POLLIN))]
        self.ended = False
        if log is not None:
            self._an_answer = None  # what is written down takes the long way, where there is time for it
            self._note(f"started in a sandbox by {self.launched.means.name or 'nobody'}: {join(command)}")

    # Talking

    def ask(self, question: bytes, awaited: str, seconds: float) -> bytes:
        """Say something that is to be answered within so many seconds. The first line of the answer comes back, and
        `line` reads what follows.

        What nearly always happens is one line in one piece. Arenas ask millions of times, so it has a short way here.
        """
        self._asked = (awaited, seconds, monotonic() + seconds + self.late)
        self._overdue, self._heard = "", 0
        piece = None
        if self._log is not None:
            self._log.write(TO, question, self._child.pid)
        try:
            sent = write(self._in, question)
        except (BlockingIOError, BrokenPipeError):
            sent = 0
        if sent == len(question) and self._wait(QUICK) == self._an_answer:
            piece = read(self._out, PIECE)
            if piece.find(b"\n") + 1 == len(piece) < LONGEST_LINE and piece and not self._rest:
                return piece[:-1]
        if piece is not None:
            self._take_in(piece)
        self._tell(question[sent:])
        return self.line()

    def wait_longer(self, seconds: float, overdue: str = "") -> None:
        """Give it so many seconds from now on for what is awaited; `overdue` says what it did if they pass."""
        self._asked = (self._asked[0], seconds, monotonic() + seconds + self.late)
        self._overdue = overdue

    def tell(self, text: bytes, seconds: float) -> None:
        """Say something that needs no answer, within so many seconds."""
        self._asked = ("anything", seconds, monotonic() + seconds + self.late)
        self._overdue, self._heard = "", 0
        if self._log is not None:
            self._log.write(TO, text[:LONGEST_LINE], self._child.pid)
        self._tell(text)

    def _tell(self, text: bytes) -> None:
        """Say it all, and listen while the pipe has no room for it: the program may be waiting to be heard, too."""
        if not text:
            return
        self._poll.register(self._in, select.POLLOUT)
        try:
            while text:
                if self._in in self._listen():
                    text = text[write(self._in, text[:PIECE]) :]
        except BrokenPipeError:
            raise self._gone() from None
        finally:
            if not self.ended:
                self._poll.unregister(self._in)

    def has_said(self) -> bool:
        """Whether it said something that nobody has taken yet. What is in the pipe already was not asked for.

        A pipe that was closed has nothing in it: whoever asks next finds that out, and can say what was awaited.
        """
        if self._wait(0) and (piece := read(self._out, PIECE)):
            self._asked = ("anything more", 0.0, 0.0)
            self._take_in(piece)
        return bool(self.unread)

    def line(self) -> bytes:
        """The next line that the program says, without its end."""
        while not self.unread:
            self._listen()
        return self.unread.popleft()

    def _listen(self) -> list[int]:
        """Wait until something happens, and take in what was said. The files that were ready come back."""
        awaited, seconds, deadline = self._asked
        left = deadline - monotonic()
        ready = self._poll.poll(min(left, LONGEST_WAIT) * 1000) if left > 0 else []
        if not ready and left <= LONGEST_WAIT:
            overdue = self._overdue or f"did not say {awaited} within {max(seconds, 0):g} s."
            raise self.fault(TIME, f"{self.name} {overdue}")
        files = [file for file, _ in ready]
        if self._err in files:
            self._hear_stderr()
        if self._out in files:
            self._take_in(read(self._out, PIECE))
        return files

    def _take_in(self, piece: bytes) -> None:
        if not piece:
            raise self._gone()
        self._heard += len(piece)
        lines: list[bytes] = []
        self._rest += piece
        if b"\n" in piece:  # a line that comes letter by letter is looked through once, at its end
            *lines, rest = bytes(self._rest).split(b"\n")
            self._rest = bytearray(rest)
            self.unread.extend(lines)
            if self._log is not None:
                self._log.write(FROM, b"\n".join(lines), self._child.pid)
        if len(self._rest) > LONGEST_LINE or max(map(len, lines), default=0) > LONGEST_LINE:
            raise self.fault(PROTOCOL, f"{self.name} said a line of more than {LONGEST_LINE:,} bytes.")
        if self._heard > MOST_OUTPUT:
            what = f"said more than {MOST_OUTPUT:,} bytes without {self._asked[0]} among them"
            raise self.fault(PROTOCOL, f"{self.name} {what}.")

    def _hear_stderr(self) -> bool:
        """Keep the last of it. False when there is no more to come now."""
        try:
            piece = read(self._err, PIECE)
        except BlockingIOError:
            return False
        if not piece:
            with suppress(KeyError):
                self._poll.unregister(self._err)
            return False
        if self._log is not None:
            self._log.error(piece, self._child.pid)
        self._stderr += piece
        del self._stderr[:-KEPT_STDERR]
        return True

    # Failing

    def fault(self, kind: str, sentence: str) -> EngineFault:
        """End the program and make the fault that says why. What a program said is shown as what it is: letters that
        cannot be seen, or that would steer a terminal, as escapes."""
        sentence = plain(sentence)
        self._note(f"fault ({kind}): {sentence}")
        self.end(politely=False)
        return EngineFault(kind, sentence, self.stderr())

    def _gone(self) -> EngineFault:
        """The program closed a pipe: because it ended, or for reasons of its own."""
        before = f"before it said {self._asked[0]}"
        try:
            code = self._child.wait(GRACE)
        except subprocess.TimeoutExpired:
            return self.fault(PROTOCOL, f"{self.name} closed its input or output {before}, and went on running.")
        self.end(politely=False)
        if self._ration is not None and self._ration.exceeded:
            return self.fault(CRASH, f"{self.name} used more than {self._ration.megabytes:,} MB of memory.")
        if self.limits.cpu_seconds is not None and code in OUT_OF_CPU:
            return self.fault(TIME, f"{self.name} used more than {self.limits.cpu_seconds} s of processor time.")
        words = self.stderr().strip().rpartition("\n")[2].strip()
        said = f" Its last words: {words[:LAST_WORDS].strip()}" if words else ""
        return self.fault(CRASH, f"{self.name} {self._ending(code)} {before}.{said}")

    def _ending(self, code: int) -> str:
        if self.launched.means.name and code > SIGNALLED:  # what keeps it in says so how it ended
            code = SIGNALLED - code
        if code >= 0:
            return f"ended with exit code {code}"
        try:
            return f"was ended by {signal.Signals(-code).name}"
        except ValueError:
            return f"was ended by signal {-code}"

    def stderr(self) -> str:
        """The last of what the program wrote to its standard error."""
        return self._stderr.decode("utf-8", "replace")

    # Ending

    def end(self, *, politely: bool = True) -> int:
        """End the program and everything it started, and say its exit code. Politely, it is told to quit first."""
        if self.ended:
            return int(self._child.returncode or 0)
        self.ended = True
        if self._ration is not None:
            forget(self._ration)
        if politely and self._child.stdin and not self._child.stdin.closed:
            with suppress(OSError):
                write(self._in, b"quit\n")
        self.launched.close_input()
        if not (politely and self.launched.over_within(GRACE)):
            self.launched.signal_all(signal.SIGTERM)
            self.launched.over_within(GRACE)
        self.launched.finish()
        for _ in range(MOST_OUTPUT // PIECE):  # what has left the group may go on talking for ever
            if not self._hear_stderr():
                break
        if self._log is not None:
            self._log.error(b"", self._child.pid, last=True)
        self._note(f"ended, exit code {self._child.returncode}")
        self.launched.close()
        return self._child.returncode

    def _note(self, words: str) -> None:
        if self._log is not None:
            self._log.write(NOTE, words.encode("utf-8", "replace"), self._child.pid)

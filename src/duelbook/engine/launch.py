"""How a program is started, within its limits and in its sandbox, and how it is ended with all that it has started.

Nothing that was started is ever out of sight: from the first moment to the last it is among those that run, and
whoever ends itself can end them all.
"""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from shlex import join, split
from typing import Any, NamedTuple

from duelbook.core import DuelError
from duelbook.engine.family import MARK, family, kill, marked
from duelbook.engine.limits import Limits
from duelbook.engine.sandbox import CHILDREN, Enclosed, Means, enclosed, means_for
from duelbook.speech import quote

ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))

Child = subprocess.Popen[bytes]


class Launched(NamedTuple):
    """A program that was started."""

    child: Child
    means: Means
    """What keeps it in."""
    mark: str
    """What all that it starts is marked with."""
    inside: Enclosed

    @property
    def contained(self) -> bool:
        """Whether all that it starts ends with it, because the system sees to it."""
        return CHILDREN not in self.means.lacking

    def signal_all(self, number: int) -> None:
        """Signal the program and its group. Safe from another thread, which then sees it end."""
        if self.child in _running:  # afterwards its number may be another program's
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.child.pid, number)

    def over_within(self, seconds: float) -> bool:
        """Whether the program is over by then; what it started may not be."""
        try:
            self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def others_left(self) -> bool:
        """Whether something that the program started goes on without it. Only asked once the program itself is over;
        in a sandbox nothing can."""
        if self.contained:
            return False
        try:
            with suppress(PermissionError):
                os.killpg(self.child.pid, 0)
        except ProcessLookupError:
            return False
        return True

    def close_input(self) -> None:
        assert self.child.stdin
        with suppress(OSError):
            self.child.stdin.close()

    def finish(self) -> None:
        """Kill the program and all that it has started, as far as it can be found, and take in the exit code."""
        strays = [] if self.contained else family(self.child.pid)[1:]
        self.signal_all(signal.SIGKILL)
        kill(strays)
        self.child.wait()
        if not self.contained:
            kill(marked(self.mark))
        self.inside.clear()
        _running.pop(self.child, None)

    def close(self) -> None:
        for stream in (self.child.stdin, self.child.stdout, self.child.stderr):
            if stream:
                with suppress(OSError):
                    stream.close()


_running: dict[Child, Launched] = {}
"""All programs from their first moment to their last, whoever holds them: those that still shake hands, too."""
_starting = threading.Lock()
"""Held from before a program begins until it is among those that run."""


def launch(command: Sequence[str], limits: Limits, owner: object) -> Launched:
    """Start a program. An OSError says why it could not be. When its owner is forgotten or we leave in the middle of a
    game, it is ended."""
    means = means_for(limits.around)
    mark = secrets.token_hex(8)
    inside = enclosed(limited(command, limits), means, limits.around, program=command)
    environment = {**(os.environ if inside.environment is None else inside.environment), MARK: mark}

    def start() -> Child:
        return subprocess.Popen(
            inside.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            env=environment,
        )

    with _undisturbed():
        launched = Launched(_in_a_lasting_thread(start) if means.name else start(), means, mark, inside)
        _running[launched.child] = launched
        weakref.finalize(owner, _abandon, launched, os.getpid())
    return launched


def limited(command: Sequence[str], limits: Limits) -> list[str]:
    """The command behind a shell that lowers its own limits and then becomes the program.

    Limits that are set before the program begins hold for all that it starts; and to set them in a forked copy of this
    process would not be safe beside other threads. The shell sees the command as arguments and reads none of it.
    A system that lacks a limit goes without it. Memory is the writable kind: some languages reserve far more addresses
    than they use. The hard limit of processor time lies a second higher, so that the signal says what happened.
    """
    lowered = ["-c 0"]
    if limits.memory_mb is not None:
        lowered.append(f"-d {limits.memory_mb * 1024}")
    if limits.cpu_seconds is not None:
        lowered += [f"-H -t {limits.cpu_seconds + 1}", f"-S -t {limits.cpu_seconds}"]
    script = "".join(f"ulimit {limit} 2>/dev/null || :; " for limit in lowered)
    return ["/bin/sh", "-c", f'{script}exec "$@"', "engine", *command]


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Hold back what would end us until it is known what we have started.

    In the main thread, for handlers run there. A signal mask would do the same, but the program would inherit it.
    """
    came: list[int] = []
    usual: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        usual = {number: handler for number in ENDING if callable(handler := signal.getsignal(number))}
    for number in usual:
        signal.signal(number, lambda number, frame: came.append(number))
    try:
        with _starting:
            yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)
        for number in came:
            signal.raise_signal(number)


_orders: SimpleQueue[tuple[Callable[[], Child], Future[Child]]] = SimpleQueue()
_lasting: threading.Thread | None = None


def _in_a_lasting_thread(start: Callable[[], Child]) -> Child:
    """Start it in a thread that lives as long as we do. A sandbox ends with whoever started it, so that nothing stays
    behind when we are killed; but for Linux that is the thread, not the process."""
    global _orders, _lasting
    if threading.current_thread() is threading.main_thread():
        return start()
    if _lasting is None or not _lasting.is_alive():  # the first time; and after a fork, which copies no threads
        _orders = SimpleQueue()
        _lasting = threading.Thread(target=_take_orders, args=(_orders,), name="starts programs", daemon=True)
        _lasting.start()
    done: Future[Child] = Future()
    _orders.put((start, done))
    return done.result()


def _take_orders(orders: SimpleQueue[tuple[Callable[[], Child], Future[Child]]]) -> None:
    while True:
        start, done = orders.get()
        try:
            done.set_result(start())
        except BaseException as error:  # noqa: BLE001 - the one who waits for it will hear of it
            done.set_exception(error)


# Ending


def _abandon(launched: Launched, owner: int) -> None:
    if launched.child in _running and os.getpid() == owner:  # a forked copy of the owner has the pipes, but not the say
        launched.finish()
        launched.close()


def kill_all() -> None:
    """Kill every program that this process has started, at once and unasked: for one that is about to end itself.
    Afterwards it cannot start another."""
    _starting.acquire()
    for launched in tuple(_running.values()):
        launched.signal_all(signal.SIGKILL)
        if not launched.contained:
            kill(marked(launched.mark))


# Names


def command_of(text: str) -> list[str]:
    """The program and its arguments in `./mybot --flag`, split as a shell would, without one."""
    try:
        command = split(text)
    except ValueError:
        raise DuelError(f"A quote in {quote(text)} is not closed.") from None
    if not command:
        raise DuelError("engine: needs a command after it, as in engine:./mybot")
    return command


def short_name(command: Sequence[str]) -> str:
    """A command without where its files lie."""
    return join(Path(word).name if word.startswith("/") else word for word in command)


def why_not(program: Path) -> str:
    """Why something cannot be started that the system does not count among its programs."""
    if program.is_dir():
        return "it is a folder."
    if program.is_file():
        return f"it is a file that may not be run. Try: chmod +x {program}"
    return "there is no such program."

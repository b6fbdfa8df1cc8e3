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
from queue import SimpleQueue
from typing import Any, NamedTuple

from duelbook.engine.family import MARK, family, kill, marked
from duelbook.engine.limits import Limits
from duelbook.engine.sandbox import CHILDREN, Enclosed, Means, enclosed, means_for

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


def signal_all(launched: Launched, number: int) -> None:
    """Signal a program and its group. Safe from another thread, which then sees it end."""
    if launched.child in _running:  # afterwards its number may be another program's
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(launched.child.pid, number)


def others_in_group(launched: Launched) -> bool:
    """Whether something that the program started is still there. Only asked once the program itself is over."""
    try:
        os.killpg(launched.child.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def finish(launched: Launched) -> None:
    """Kill the program and all that it has started, as far as it can be found, and take in the exit code."""
    strays = [] if launched.contained else family(launched.child.pid)[1:]
    signal_all(launched, signal.SIGKILL)
    kill(strays)
    launched.child.wait()
    if not launched.contained:
        kill(marked(launched.mark))
    launched.inside.clear()
    _running.pop(launched.child, None)


def close(child: Child) -> None:
    for stream in (child.stdin, child.stdout, child.stderr):
        if stream:
            with suppress(OSError):
                stream.close()


def _abandon(launched: Launched, owner: int) -> None:
    if launched.child in _running and os.getpid() == owner:  # a forked copy of the owner has the pipes, but not the say
        finish(launched)
        close(launched.child)


def kill_all() -> None:
    """Kill every program that this process has started, at once and unasked: for one that is about to end itself.
    Afterwards it cannot start another."""
    _starting.acquire()
    for launched in tuple(_running.values()):
        signal_all(launched, signal.SIGKILL)
        if not launched.contained:
            kill(marked(launched.mark))

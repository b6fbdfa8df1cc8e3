"""Who plays: this process, processes of this machine, a Dask cluster, or Ray.

All that the arena knows of them is what `Workers` says.
"""

from __future__ import annotations

import os
import secrets
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import current_process, get_context
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, NoReturn, Protocol

HERE, LOCAL, DASK, RAY = "one process", "local", "dask://", "ray"
REFEREE = "DUELBOOK_REFEREE"
SECONDS_TO_CONNECT = 15
"""Seconds to wait for a cluster's scheduler to answer."""
IDLE = 60.0
"""Seconds after which a process that got no work ends its programs and itself: who gave it out may be gone."""

Call = tuple[Callable[..., Any], tuple[Any, ...]]
"""What is to be done, and with what."""


class Workers(Protocol):
    def submit(self, work: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """Have this done."""

    def rest(self, run: str) -> None:
        """End the programs of a tournament, but go on."""

    def stop(self, run: str = "", *, hurry: bool = False) -> None:
        """End the programs of a tournament and the work; in a hurry what was begun is broken off."""


class Crew(NamedTuple):
    """A way to get workers, and how many games they play at once."""

    open: Callable[[], Workers]
    size: int
    here: bool = True
    """Whether the games are played on this machine."""


def processors() -> int:
    """How many this process may use, which on a shared machine are fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


class Here:
    """No workers at all: what is submitted is done at once."""

    def submit(self, work: Callable[..., Any], /, *args: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(work(*args))
        except Exception as error:  # noqa: BLE001 - the one who asks for the result will hear of it
            future.set_exception(error)
        return future

    def rest(self, run: str) -> None:
        from duelbook.arena.play.seats import close_all

        close_all(run)

    def stop(self, run: str = "", *, hurry: bool = False) -> None:
        self.rest(run)


class WorkerDied(Exception):
    """The worker ended before its work did."""

    def __init__(self, traces: dict[int, str] | None = None) -> None:
        super().__init__(traces)
        self.traces = traces
        """What it left of the pairs that it was given, where only its own machine can know."""


class LocalWorkers:
    """Processes of this machine, each started from nothing, so that it holds nothing of ours.

    The standard library's pool shares one pipe among its processes. When one of them is killed while it writes, the
    others wait for ever, and so does the pool. Here each process has a pipe of its own: its death is seen at once,
    costs what it was doing and no more, and another process takes its place. When the pipe falls silent at the other
    end, because we are killed or want no more, the worker ends its programs and itself: nobody is left behind.
    """

    def __init__(self, size: int) -> None:
        self._threads = ThreadPoolExecutor(size)
        """Each waits for one worker at a time."""
        self._lock = threading.Lock()
        self._idle = [Worker() for _ in range(size)]
        self._busy: set[Worker] = set()
        self._stopped = False

    def submit(self, work: Callable[..., Any], /, *args: Any) -> Future[Any]:
        return self._threads.submit(self._do, (work, args))

    def _do(self, call: Call) -> Any:
        """Hand work to a worker that has none. One that died is not asked again; another comes when it is needed."""
        with self._lock:
            if self._stopped:
                raise WorkerDied
            while self._idle and not self._idle[-1].process.is_alive():
                self._idle.pop().end()  # it had nothing to do for long
            worker = self._idle.pop() if self._idle else Worker()
            self._busy.add(worker)
        died = False
        try:
            done, answer = worker.do(call)
        except (EOFError, OSError):
            died = True
            worker.end()
            raise WorkerDied from None
        finally:
            with self._lock:
                self._busy.remove(worker)
                self._idle += [] if died else [worker]
        if not done:
            raise answer
        return answer

    def rest(self, run: str = "") -> None:
        """End every worker that has nothing to do, with all that it started; new ones come when there is work."""
        with self._lock:
            resting, self._idle = self._idle, []
        for worker in resting:
            worker.end()

    def stop(self, run: str = "", *, hurry: bool = False) -> None:
        if hurry:
            with self._lock:
                self._stopped, busy = True, tuple(self._busy)
            self._threads.shutdown(wait=False, cancel_futures=True)
            for worker in busy:
                with suppress(ValueError):  # it was found dead meanwhile
                    worker.process.terminate()
        self._threads.shutdown()
        self.rest()


class Worker:
    """One process and our end of its pipe."""

    def __init__(self) -> None:
        start = get_context("spawn")
        self.pipe, theirs = start.Pipe()
        self.mark = secrets.token_hex(8)
        """By this the programs that it has started are known when it is not there any more to end them."""
        self.process = start.Process(target=_work, args=(theirs, self.mark), daemon=True)
        mine = current_process()
        daemon, mine.daemon = mine.daemon, False  # a cluster's worker may be one, and would not be let have children
        try:
            with _no_ctrl_c():
                self.process.start()
        finally:
            mine.daemon = daemon
        theirs.close()

    def do(self, call: Call) -> tuple[bool, Any]:
        """Whether it was done, and the answer or the error."""
        self.pipe.send(call)
        done, answer = self.pipe.recv()
        return done, answer

    def end(self) -> None:
        self.pipe.close()
        self.process.join(SECONDS_TO_CONNECT)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        if self.process.exitcode:  # it was killed, and what it had started lives on
            from duelbook.engine.family import kill, marked

            kill(marked(self.mark, REFEREE))
        self.process.close()


@contextmanager
def _no_ctrl_c() -> Iterator[None]:
    """Have a process that is started now not hear of Ctrl-C until it can ignore it; it is for whoever gives out work.

    What comes meanwhile is held back, here and there; it must not be lost.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)


# Inside a worker


def _work(pipe: Connection, mark: str) -> None:
    """Do what comes through the pipe, one piece after another, until it is closed."""
    os.environ[REFEREE] = mark  # which programs inherit
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT,))  # programs would inherit it
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: _leave())
    calls: SimpleQueue[Call] = SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, calls), name="is anybody there", daemon=True).start()
    while True:
        try:
            work, args = calls.get(timeout=IDLE)
        except Empty:
            _leave()
        answer: tuple[bool, Any]
        try:
            answer = True, work(*args)
        except Exception as error:  # noqa: BLE001 - the one who gave it out will hear of it
            answer = False, error
        try:
            pipe.send(answer)
        except OSError:
            _leave()
        except Exception as error:  # noqa: BLE001 - an answer that cannot be sent is an error that can
            pipe.send((False, TypeError(f"The answer cannot be sent: {error}")))


def _listen(pipe: Connection, calls: SimpleQueue[Call]) -> None:
    """Take in what is to be done. A worker in the middle of a game hears in this way that nobody waits for it."""
    while True:
        try:
            calls.put(pipe.recv())
        except (EOFError, OSError):
            _leave()
        except Exception as error:  # noqa: BLE001 - what cannot be read is an answer, too
            calls.put((_refuse, (error,)))


def _refuse(error: Exception) -> None:
    raise error


def _leave() -> NoReturn:
    """End at once, but leave no program behind."""
    from duelbook.arena.play.seats import close_all
    from duelbook.arena.play.traces import note_no_more
    from duelbook.engine.launch import kill_all

    note_no_more()
    with suppress(Exception):
        close_all()
    kill_all()  # those too that were in the middle of something
    os._exit(0)

"""Somebody who thinks: one process beside the server, asked one question after the other, each with a time limit.

What it is asked may take a while: a table to be read, or other rules to be solved. Whoever waits holds up nobody else,
what takes too long is stopped for good, and each address is answered in its turn, however much another one asks.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import sys
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import ParamSpec, TypeVar, cast

from duelbook.core import DuelError
from duelbook.serve.events import Busy, Refused
from duelbook.serve.limits import less
from duelbook.serve.turns import Turns

LONGEST = 30.0
"""Seconds for one question."""
PATIENCE = 25.0
"""Seconds that it waits for its turn; both together are less than anybody is left without an answer."""
IDLE = 300.0
"""Seconds after which nobody needs it any more, and it leaves."""
MOST_WAITING = 20
MOST_KNOWN = 500
"""Answers that are remembered."""

HEAVY = 2 << 30
"""Bytes of memory after which it makes room: solutions of other rules are kept on the disk."""

P = ParamSpec("P")
T = TypeVar("T")


class Adviser:
    def __init__(
        self,
        *,
        longest: float = LONGEST,
        patience: float = PATIENCE,
        most_waiting: int = MOST_WAITING,
        most_of_one: int = MOST_WAITING,
    ) -> None:
        """`most_of_one` questions of one address may wait: whoever asks what takes long leaves room for the others."""
        self.longest, self.patience = longest, patience
        self.most_waiting, self.most_of_one = most_waiting, most_of_one
        self._of_address: Counter[str] = Counter()
        self._turns = Turns()
        self._closed = False
        self._changing = threading.Lock()
        """Whoever stops the server and whoever waits for an answer are two threads."""
        self._process: SpawnProcess | None = None
        self._talk: Connection | None = None
        self._known: OrderedDict[Hashable, asyncio.Task[object]] = OrderedDict()

    async def ask(self, work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """What a function of some module answers to these things. The same is asked once, whoever wants to know.

        Raises Busy where too many wait, Refused where it takes too long, and whatever sentence the work itself ends
        with.
        """
        return await self.ask_for("", work, *given, **named)

    async def ask_for(self, address: str, work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """The same for somebody at this address."""
        key = (work, given, tuple(sorted(named.items())))
        task, gives_up = self._known.get(key), asyncio.get_running_loop().time() + self.patience
        if task is not None and not task.cancelled():
            with suppress(_Waited):  # in the line of another address, which may be long: this one has a turn of its own
                return cast(T, await asyncio.shield(task))
        if self._of_address.total() >= self.most_waiting:
            raise Busy("Too many people ask the coach just now. Try again in a moment.")
        if address and self._of_address[address] >= self.most_of_one:
            raise Busy("So much is asked of the coach from there that this has to wait. Try again in a moment.")
        task = self._known[key] = asyncio.ensure_future(self._asked(address, gives_up, work, given, named))
        task.add_done_callback(self._forget_failures(key))
        self._of_address[address] += 1
        task.add_done_callback(lambda _: less(self._of_address, address))
        while len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
        return cast(T, await asyncio.shield(task))

    def _forget_failures(self, key: Hashable) -> Callable[[asyncio.Task[object]], None]:
        def forget(task: asyncio.Task[object]) -> None:
            failed = task.cancelled() or task.exception() is not None
            if failed and self._known.get(key) is task:
                del self._known[key]

        return forget

    async def _asked(
        self,
        address: str,
        gives_up: float,
        work: Callable[..., object],
        given: tuple[object, ...],
        named: dict[str, object],
    ) -> object:
        try:
            async with self._turns.of(address, gives_up - asyncio.get_running_loop().time()):
                return await asyncio.to_thread(self._answer, work, given, named)
        except TimeoutError:
            raise _Waited("Others have asked before, and that takes long. Try again in a moment.") from None

    def _answer(self, work: Callable[..., object], given: tuple[object, ...], named: dict[str, object]) -> object:
        for again in (True, False):
            try:
                talk = self._started()
                talk.send((work, given, named))
                if not talk.poll(self.longest):
                    self._let_go()
                    raise Refused("That takes too long to work out here. `duelbook solve` on your own machine can.")
                answer = talk.recv()
            except (EOFError, OSError):  # it had left, was killed, or cannot be started
                self._let_go()
                if again:
                    continue
                raise Busy("The coach is not there just now. Try again in a moment.") from None
            if isinstance(answer, Sentence):
                raise DuelError(str(answer))
            return answer
        raise AssertionError("it was tried twice")

    def _started(self) -> Connection:
        with self._changing:
            if self._talk is not None and self._process is not None and self._process.is_alive():
                return self._talk
        self._let_go()
        spawn = multiprocessing.get_context("spawn")
        talk, theirs = spawn.Pipe()
        process = spawn.Process(target=answer_questions, args=(theirs,), daemon=True)
        with self._changing:
            if self._closed:
                raise Busy("The server stops; it may be back soon.")
            process.start()
            self._process, self._talk = process, talk
        theirs.close()
        return talk

    def close(self) -> None:
        """Stop it for good, whatever it is doing; nobody is asked any more."""
        self._closed = True
        self._let_go()

    def _let_go(self) -> None:
        with self._changing:
            process, talk, self._process, self._talk = self._process, self._talk, None, None
        if process is not None:
            process.kill()
            process.join()
            process.close()
        if talk is not None:
            talk.close()


class _Waited(Busy):
    """It was not this question's turn in time."""


class Sentence(str):
    """An answer that says why there is none."""


def answer_questions(talk: Connection) -> None:
    """What the process does until nobody has asked for a while. Ctrl-C is for whoever asks, and they end it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while talk.poll(IDLE):
        try:
            work, given, named = talk.recv()
        except EOFError:
            return
        try:
            answer = work(*given, **named)
        except DuelError as error:
            answer = Sentence(error)
        except Exception as error:  # noqa: BLE001 - whatever it was, whoever asked gets a sentence
            answer = Sentence(f"The coach cannot say: {type(error).__name__}.")
        talk.send(answer)
        if _is_heavy():  # of all that was asked for; another begins anew
            return


def _is_heavy() -> bool:
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:  # Windows keeps no such account
        return False
    return getrusage(RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024) > HEAVY

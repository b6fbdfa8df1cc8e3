"""A language model as a player."""

from __future__ import annotations

import asyncio
from collections import Counter
from concurrent.futures import CancelledError, Future
from hashlib import sha256
from threading import Lock
from time import monotonic

from duelbook.core import DuelError
from duelbook.engine.log import FROM, NOTE, TO, Log, LogFile
from duelbook.llm.asking import Asking, check_asking, usual_asking
from duelbook.llm.cache import keep, kept, key_of
from duelbook.llm.carrying import Pause, carry
from duelbook.llm.faults import CLOSED, ModelFault, Unreachable
from duelbook.llm.interface import Interface, Question
from duelbook.llm.loop import begin, wait_for
from duelbook.llm.prompt import Messages, filled
from duelbook.llm.reaching import interface_for
from duelbook.llm.reply import Reply, read_move
from duelbook.llm.told import Asked, told
from duelbook.llm.transcript import Decision, Transcript, check_folder
from duelbook.llm.usage import Ledger, Usage
from duelbook.match import View
from duelbook.speech import quote

LABEL = 8
"""Letters that stand for a seed in the number of a sample."""


class LlmPlayer:
    """Asks a language model for every move. Any number of threads may ask it at once.

    A fault of the model is raised as ModelFault out of `choose`. A server that cannot be reached and a limit that is
    used up are no faults: they are raised as other DuelErrors, and the game can go on later.
    """

    def __init__(self, kind: str, seed: int = 0, asking: Asking | None = None, log: LogFile | None = None) -> None:
        self.asking = usual_asking() if asking is None else asking
        check_asking(self.asking)
        self.model = self.asking.model(kind)
        self.tokens = self.asking.tokens(self.model)
        price = self.asking.price(self.model)
        if price is None and self.asking.total_money is not None:
            raise DuelError(
                f"What {quote(self.model.name)} costs is not known, so its cost has no limit: name its price."
            )
        self.ledger = Ledger(self.model.kind, self.asking, price)
        self.pause: Pause = asyncio.sleep
        """How it waits before a question is sent again."""
        self.log = Log(log, self.model.short_name) if log else None
        self._lock = Lock()
        self._interface: Interface | None = None
        self._transcript: Transcript | None = None
        self._on_their_way: set[Future[Reply]] = set()
        self._before: list[Asked] = []
        """What it was asked in this game."""
        self._in_a_game = True
        self.begin_with(seed)

    def begin_with(self, seed: int) -> None:
        """Whoever begins with the same seed gets the same samples: from the cache, if they were drawn before."""
        with self._lock:
            self._seed = sha256(str(seed).encode()).hexdigest()[:LABEL]
            self._samples: Counter[tuple[int, Messages]] = Counter()

    @property
    def usage(self) -> Usage:
        """What it has used so far."""
        return self.ledger.mine

    def get_ready(self) -> None:
        """Have all that it takes to ask; what is missing is said before anything is asked."""
        if self.asking.transcripts:
            check_folder(self.asking.transcripts)
        self._open().parameters(Question(self.model, Messages("", ""), self.tokens))

    def prepare(self, view: View) -> None:
        """Get ready for a new game."""
        self.get_ready()
        with self._lock:
            self._before, self._in_a_game = [], True
            if self._transcript is not None:
                self._transcript.begin_anew()

    def ask_apart(self) -> None:
        """What comes now is no game: the questions have nothing to do with each other, as those of an exam."""
        with self._lock:
            self._before, self._in_a_game = [], False
            if self._transcript is not None:
                self._transcript.begin_anew()

    def _open(self) -> Interface:
        with self._lock:
            if self._interface is None:
                self._interface = interface_for(self.model)
                if self.asking.transcripts:
                    self._transcript = Transcript(self.asking.transcripts, self.model, self._interface.url)
            return self._interface

    def choose(self, view: View) -> int:
        interface = self._open()
        in_a_game = self._in_a_game
        known = told(view, self.model.axes, self._remembered(view), in_a_game=in_a_game)
        messages = filled(self.asking.text(), known)
        sample = self._next_sample(view.number, messages)
        begun = monotonic()
        reply, cached, move, fault = Reply(""), False, None, None
        try:
            reply, cached = self._answer(interface, messages, sample)
            move = read_move(view, reply, self.model.short_name)
        except ModelFault as error:
            fault, reply = error, reply if reply.text or reply.refusal else reply._replace(text=error.reply)
            raise
        finally:
            if move is not None or fault is not None:
                took = monotonic() - begun
                self._write_down(Decision(view, messages, reply, sample, took, cached, move, fault, in_a_game))
        self._remember(view, move)
        return move

    # What it remembers

    def _remembered(self, view: View) -> list[Asked]:
        """Earlier questions of the game; those of a turn that was taken back are forgotten."""
        with self._lock:
            self._before = [asked for asked in self._before if asked.number < view.number]
            return list(self._before)

    def _remember(self, view: View, move: int) -> None:
        where = view.game.write_position(view.rules, view.state)
        with self._lock:
            if self._in_a_game:
                self._before.append(Asked(view.number, where, view.game.dialogue.words(view.rules)[move]))

    # Asking

    def _next_sample(self, number: int, messages: Messages) -> str:
        """The number of a sample: who asks the same again wants another answer, not the same from the cache."""
        with self._lock:
            count = self._samples[number, messages]
            self._samples[number, messages] += 1
            return f"{self._seed}.{number}.{count}"

    def _answer(self, interface: Interface, messages: Messages, sample: str) -> tuple[Reply, bool]:
        """The answer, and whether it was at hand."""
        question = Question(self.model, messages, self.tokens)
        asked = {
            "provider": self.model.provider,
            "url": interface.url,
            "prompt": self.model.prompt,
            "sample": sample,
            **interface.parameters(question),
        }
        key = key_of(asked)
        if self.asking.cache and (reply := kept(key)) is not None:
            self.ledger.note(Usage(cached=1))
            return reply, True
        reply = self._asked(interface, question)
        if self.asking.cache:
            keep(key, asked, reply)
        limited = self.asking.total_tokens is not None or self.asking.total_money is not None
        if limited and (reply.tokens_in is None or reply.tokens_out is None):
            raise Unreachable(f"{interface.url} does not say how many tokens it took, so no total can be kept to.")
        return reply, False

    def _asked(self, interface: Interface, question: Question) -> Reply:
        future = begin(carry(interface, question, self.asking, self.ledger, self.pause))
        with self._lock:
            self._on_their_way.add(future)
        try:
            return wait_for(future)
        except (CancelledError, Unreachable) as error:
            with self._lock:
                closed = interface is not self._interface
            if isinstance(error, Unreachable) and not closed:  # else the line broke because it was let go of
                raise
            raise ModelFault(CLOSED, f"{self.model.short_name} was ended while it was asked.") from None
        finally:
            with self._lock:
                self._on_their_way.discard(future)

    # Writing down

    def _write_down(self, decision: Decision) -> None:
        if self._transcript is not None:
            self._transcript.add(decision)
        if self.log is None:
            return
        self.log.write(NOTE, f"{self.model.kind} turn {decision.view.number + 1} sample {decision.sample}".encode())
        for text in decision.messages:
            if text:
                self.log.write(TO, text.encode())
        self.log.write(FROM, (decision.reply.refusal or decision.reply.text).encode())
        if decision.fault is not None:
            self.log.write(NOTE, f"{decision.fault.kind}: {decision.fault.sentence}".encode())

    def close(self) -> None:
        """Let go of the line. Where another thread waits for an answer, that wait ends too, as a fault."""
        with self._lock:
            interface, self._interface = self._interface, None
            waiting = list(self._on_their_way)
        for future in waiting:
            future.cancel()
        if interface is not None:
            wait_for(begin(interface.close()))
        if self.log is not None:
            self.log.close()

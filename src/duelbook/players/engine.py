"""A program in any language as a player."""

from __future__ import annotations

import signal
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Any, NamedTuple

from duelbook.core import DuelError, Game
from duelbook.engine.client import Engine
from duelbook.engine.fault import TIME, EngineFault
from duelbook.engine.launch import command_of, short_name
from duelbook.engine.limits import AUTO, Limits, usual_limits
from duelbook.engine.log import Log
from duelbook.engine.process import LATE, Process
from duelbook.engine.protocol import Go, move_words, write_choice, write_limits, write_position
from duelbook.engine.replies import Identity, info_words, read_info
from duelbook.engine.sandbox import means_for
from duelbook.match import View

MOST_QUESTIONS = 10_000
LONGEST_TIME = 999_999_999
"""Milliseconds that a clock shows a program at most: eleven days, in nine digits."""


class Answers(NamedTuple):
    """What one may choose from: how it is said at the end of a question, and the moves behind the right answers."""

    said: bytes
    answers: dict[bytes, int]


class Question(NamedTuple):
    """What is said at a position before the number of the turn, and what follows it."""

    before: bytes
    choice: Answers


def kept_in() -> str:
    """What keeps programs in here and what does not, in one line; empty where somebody has said how it is to be."""
    around = usual_limits().around
    return means_for(around).sentence if around.sandbox == AUTO else ""


class EnginePlayer:
    """Asks a program for every move. One process plays game after game; after a fault the next game gets a new one.

    A fault is raised as EngineFault out of `prepare` or `choose`. Positions are sent as they stand, not by their moves:
    a short line however long the game, and nothing for a simple program to keep track of.
    """

    def __init__(self, command: str, limits: Limits | None = None) -> None:
        self.command = command_of(command)
        self.limits = usual_limits() if limits is None else limits
        self._seconds, self._clock = self.limits.move_time, self.limits.clock
        self.preparing: Callable[[str], None] = lambda words: None
        """Hears what the program is at while it gets ready."""
        log = self.limits.around.log
        self.log = Log(log, short_name(self.command)) if log else None
        self._info = b""
        """The last `info` of a program that has ended."""
        self._engine: Engine | None = None
        self._process: Process | None = None
        """The program from its first moment on, while it shakes hands and while it is being ended, too."""
        self._table: tuple[Game, Any] | None = None
        """The duel and the rules that the program was last told."""
        self._words: tuple[str, ...] = ()
        self._asked: dict[tuple[Any, int], Question] = {}
        """Questions asked before: the same positions come up game after game."""
        self._choices: dict[tuple[int, ...], Answers] = {}
        """Choices given before, by the seat and the moves: many positions share one."""
        self._fresh = False
        """The program was told of a new game, and has been asked nothing since."""
        self.time_left = 0.0
        """Seconds left on the clock of this game. To set it is for a game that goes on after a break."""
        self._busy = Lock()
        self._unwanted = False
        """It was closed while it was busy; whoever is busy with it then ends it."""

    @property
    def engine(self) -> Engine | None:
        """The program as it runs now; None when it does not."""
        return self._engine if self._engine is not None and not self._engine.process.ended else None

    @property
    def thoughts(self) -> str:
        """What the program last said of its thinking when it was asked, in a few words; mostly nothing."""
        info = self._info if self._engine is None else self._engine.info
        return info_words(read_info(info.decode("utf-8", "replace"))) if info else ""

    @property
    def thoughts_to_keep(self) -> str:
        """The same for a record, where that was asked for."""
        return self.thoughts if self.limits.around.keep_info else ""

    def meet(self) -> Identity:
        """What the program says of itself. It is started for that, and takes its options."""
        with self._busy:
            return (self.engine or self._start()).identity

    def prepare(self, view: View) -> None:
        """Have the program running and ready for a new game."""
        try:
            with self._busy:
                self._new_game(view)
        finally:
            if self._unwanted:
                self.close()

    def _new_game(self, view: View) -> Engine:
        if self.limits.cpu_seconds is not None and not self._fresh:
            self._end()
        engine = self._quiet_engine() or self._start()
        if self._table != (view.game, view.rules):
            self._table = None
            self._asked.clear()
            self._choices.clear()
            self._words = move_words(view.game, view.rules)
            self._fresh = False
        if not self._fresh:
            engine.new_game(view.game, view.rules)
        self._fresh = True
        self._table = (view.game, view.rules)
        self.time_left = self._clock[0] if self._clock else 0.0
        return engine

    def _quiet_engine(self) -> Engine | None:
        """The program as it runs now. One that crashed or talked after its last game was over is not in a game, so no
        game is lost by it: the next one gets a new process."""
        engine = self.engine
        if engine is not None:
            try:
                engine.hear_nothing_but_info()
            except EngineFault:
                return None
        return engine

    def _start(self) -> Engine:
        engine = Engine(self.command, self.limits, log=self.log, started=self._note, preparing=self._hear)
        try:
            for name, value in self.limits.options:
                engine.set_option(name, value)
        except DuelError:
            engine.end()
            raise
        self._engine, self._fresh = engine, False
        return engine

    def _hear(self, words: str) -> None:
        self.preparing(words)  # whoever listens by then

    def _note(self, process: Process) -> None:
        self._process = process
        if self._unwanted:  # it was closed while the program was being started
            process.launched.signal_all(signal.SIGKILL)

    def choose(self, view: View) -> int:
        try:
            with self._busy:
                game, rules, state, seat, number = view
                engine = self._engine
                if engine is None or engine.process.ended or self._table != (game, rules):
                    engine = self._new_game(view)
                engine.info, self._fresh = b"", False
                asked = self._asked.get((state, seat)) or self._make_question(view)
                question = asked.before + b"%d " % (number + 1)
                said, answers = asked.choice
                if self._clock is not None:
                    line = self._answer_by_the_clock(engine, seat, question, said, self._clock[1])
                else:
                    line = engine.best_move(question + said, self._seconds)
                move = answers.get(line)
                return self._unusual(engine, view, line) if move is None else move
        finally:
            if self._unwanted:
                self.close()

    def _make_question(self, view: View) -> Question:
        if len(self._asked) >= MOST_QUESTIONS:
            self._asked.clear()
        game, rules, state, seat, _ = view
        legal = view.legal()
        choice = self._choices.get((seat, *legal)) or self._make_choice(seat, legal)
        where = f"{write_position(game, rules, state)}\ngo turn "
        asked = self._asked[state, seat] = Question(where.encode(), choice)
        return asked

    def _make_choice(self, seat: int, legal: list[int]) -> Answers:
        # The move time is the same every time; what a clock shows comes in front when it is asked.
        limits = "" if self._clock else write_limits(Go(seat, move_time=round(self._seconds * 1000)))
        said = limits + write_choice(seat, [self._words[move] for move in legal])
        answers = {f"bestmove {self._words[move]}".encode(): move for move in legal}
        choice = self._choices[seat, *legal] = Answers(f"{said}\n".encode(), answers)
        return choice

    def _answer_by_the_clock(self, engine: Engine, seat: int, before: bytes, after: bytes, added: float) -> bytes:
        limits = write_limits(Go(seat, times=_mine(seat, self.time_left), increments=_mine(seat, added)))
        begun = monotonic()
        try:
            line = engine.best_move(before + limits.encode() + after, self.time_left)
        except EngineFault as fault:
            if fault.kind == TIME:
                raise EngineFault(TIME, f"{engine.process.name} used up its clock.", fault.stderr) from None
            raise
        # What the way through the system costs is borne once a game, not anew at every move.
        self.time_left -= monotonic() - begun
        if self.time_left < -LATE:
            raise engine.fault("used up its clock.", TIME)
        self.time_left += added
        return line

    def _unusual(self, engine: Engine, view: View, line: bytes) -> int:
        """The move in an answer that is not just a legal one: oddly spaced, a foul that counts, or a fault."""
        game, rules, state, seat, _ = view
        word = engine.move_in(line)
        move = self._words.index(word) if word in self._words else -1
        legal = view.legal()
        if move in legal or (move >= 0 and game.foul(rules, state, seat, move)):
            return move
        raise engine.illegal(word, game.write_position(rules, state), [self._words[each] for each in legal])

    def close(self) -> None:
        """End the program. Where another thread waits for a move, that wait ends too, as a crash."""
        self._unwanted = True
        if self._busy.acquire(blocking=False):
            try:
                self._end()
                self._unwanted = False
            finally:
                self._busy.release()
        elif (process := self._process) is not None:
            process.launched.signal_all(signal.SIGKILL)

    def _end(self) -> None:
        if self._engine is not None:
            self._info = self._engine.info
            self._engine.end()
        elif self._process is not None:  # it was left while it shook hands
            self._process.end(politely=False)
        self._engine = self._process = None
        if self.log is not None:
            self.log.close()


def _mine(seat: int, seconds: float) -> tuple[int | None, int | None]:
    """A time in milliseconds at its owner's place. What the other player has left is not known here."""
    time = round(max(0.0, min(seconds * 1000, LONGEST_TIME)))
    return (time, None) if seat == 0 else (None, time)

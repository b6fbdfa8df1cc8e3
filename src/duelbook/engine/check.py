"""Does a program keep to the protocol? Every point is tried with a process of its own and says what was seen."""

from __future__ import annotations

import random
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

from duelbook.core import BOTH, LUCK, OVER, DuelError, Game, variant
from duelbook.engine.client import Engine
from duelbook.engine.fault import EngineFault
from duelbook.engine.limits import MEMORY_MB, MOVE_TIME, START_TIME
from duelbook.engine.log import Log
from duelbook.engine.process import short_name
from duelbook.engine.protocol import Go, Identity, move_words, write_go, write_history, write_new_game, write_position
from duelbook.engine.surroundings import Surroundings
from duelbook.games import load_all
from duelbook.match import Match, View
from duelbook.speech import amount, either

SOON = 1.0
"""Seconds within which a program must stop, or end."""
LITTLE = 0.1
"""Seconds for a move where there is little time."""
GARBAGE = ("", "   ", "xyzzy", "go_home", "positio", "bestmove build_4", "setoption", "=)(/&%$")
HUGE = 1 << 20
TURNS = 60
"""A game of the check is cut off here; endless play is possible in all duels."""
LONG = 200


class Point(NamedTuple):
    name: str
    passed: bool
    seen: str


class Failed(Exception):
    """A point is not met; the message is what was seen."""


def check_engine(command: str | Sequence[str], **limits: Any) -> list[Point]:
    """Try a program on every point of the protocol; `limits` are those of `Checker`."""
    words = shlex.split(command) if isinstance(command, str) else list(command)
    return list(Checker(words, **limits).points())


class Checker:
    def __init__(
        self,
        command: Sequence[str],
        *,
        move_time: float = MOVE_TIME,
        start_time: float = START_TIME,
        memory_mb: int | None = MEMORY_MB,
        around: Surroundings | None = None,
        slack: float = 0.0,
    ) -> None:
        """`slack` is what every answer may come late, on a machine that is busy."""
        self.slack = slack
        self.command, self.move_time, self.start_time = list(command), move_time, start_time
        self.memory_mb = memory_mb
        """The limit under which it will play, too: what passes here must not run out of memory there."""
        self.around = around
        self.log = Log(around.log, short_name(self.command)) if around is not None and around.log else None
        self.identity = Identity()

    def points(self) -> Iterator[Point]:
        """Try one point after the other. Without a handshake there is nothing more to try."""
        first = self.attempt("handshake", self.handshake)
        yield first
        if first.passed:
            for name, attempt in self.attempts().items():
                yield self.attempt(name, attempt)

    def attempts(self) -> dict[str, Callable[[], str]]:
        """What is tried once hands were shaken."""
        return {
            "isready": self._ready,
            "options": self._options,
            **dict(self._games()),
            "newgame again and again": self._games_in_a_row,
            "a long game in one line": self._long_game,
            "go with a clock": self._clock,
            "go with little time": self._little_time,
            "stop": self._stop,
            "stop with nothing to stop": self._idle_stop,
            "lines that mean nothing": self._garbage,
            "a huge line": self._huge_line,
            "silence when nothing is asked": self._silence,
            "quit": self._quit,
            "quit while thinking": self._quit_thinking,
            "end of input": self._end_of_input,
        }

    def attempt(self, name: str, attempt: Callable[[], str]) -> Point:
        if self.log is not None:
            self.log.where = name
        try:
            return Point(name, True, attempt())
        except EngineFault as fault:
            return Point(name, False, f"{fault.kind}: {fault.sentence}")
        except (DuelError, Failed) as error:
            return Point(name, False, str(error))

    @contextmanager
    def _running(self) -> Iterator[Engine]:
        engine = Engine(
            self.command,
            start_time=self.start_time,
            memory_mb=self.memory_mb,
            around=self.around,
            slack=self.slack,
            log=self.log,
        )
        try:
            yield engine
        finally:
            engine.process.end(politely=False)

    @property
    def _played(self) -> list[Game]:
        return [game for game in load_all() if self.identity.plays(game)]

    # Before the game

    def handshake(self) -> str:
        with self._running() as engine:
            self.identity = engine.identity
        if not self._played:
            raise Failed(f"It plays {either(self.identity.games, 'and')}, and none of these is a duel here.")
        games = either([game.id for game in self._played], "and")
        return f"{self.identity.name} by {self.identity.author}; plays {games}"

    def _ready(self) -> str:
        with self._running() as engine:
            for _ in range(3):
                engine.wait_until_ready()
        return "readyok, three times"

    def _options(self) -> str:
        with self._running() as engine:
            for option in self.identity.options:
                engine.set_option(option.name, option.default)
            engine.wait_until_ready("setoption name No such option value 1")
        names = either([option.name for option in self.identity.options], "and") if self.identity.options else "none"
        return f"options: {names}; an unknown one is passed over"

    # Games

    def _games(self) -> Iterator[tuple[str, Callable[[], str]]]:
        for game in self._played:
            yield f"{game.id}: a whole game", partial(self._whole_game, game)
            yield f"{game.id}: moves from the start", partial(self._by_history, game)
            if other_rules(game):
                yield f"{game.id}: other rules", partial(self._other_rules, game)

    def _whole_game(self, game: Game) -> str:
        with self._running() as engine:
            match = self._play(engine, game, game.book)
        return f"{_kind(game)}; {amount(match.turns, 'turn')}, both seats, every answer legal and in time"

    def _by_history(self, game: Game) -> str:
        with self._running() as engine:
            match = self._play(engine, game, game.book, write_history)
        return f"{amount(match.turns, 'turn')} by position start moves ..."

    def _other_rules(self, game: Game) -> str:
        settings = other_rules(game)
        with self._running() as engine:
            match = self._play(engine, game, variant(game, settings))
        return f"{' '.join(settings)}: {amount(match.turns, 'turn')}"

    def _games_in_a_row(self) -> str:
        with self._running() as engine:
            for game in self._played:
                engine.wait_until_ready(*[write_new_game(game, game.book)] * 3)
                self._play(engine, game, game.book, most=4)
                self._play(engine, game, game.book, most=4)
        return f"{2 * len(self._played)} games with one process"

    def _long_game(self) -> str:
        """Legal moves at random up to the bell, all in one line: no buffer may be too short for that."""
        game = self._played[0]
        match = max((_random_match(game, seed) for seed in range(20)), key=lambda match: len(match.steps))
        with self._running() as engine:
            engine.new_game(game, game.book)
            self._ask(engine, match, write_history(match))
        return f"{game.id}, {amount(match.turns, 'turn')}, a line of {len(write_history(match)):,} bytes"

    # Time

    def _clock(self) -> str:
        with self._running() as engine:
            match = self._first_question(engine)
            self._ask(engine, match, limits=Go(0, times=(2000, 2000), increments=(100, 100)))
        return "answered with 2 s on the clock"

    def _little_time(self) -> str:
        with self._running() as engine:
            match = self._first_question(engine)
            self._ask(engine, match, limits=Go(0, move_time=round(LITTLE * 1000)))
        return f"answered within {LITTLE:g} s"

    def _stop(self) -> str:
        with self._running() as engine:
            match = self._first_question(engine)
            self._ask(engine, match, limits=Go(0, move_time=3_600_000), then="stop", seconds=SOON)
            engine.wait_until_ready()
        return f"answered within {SOON:g} s after it"

    def _idle_stop(self) -> str:
        with self._running() as engine:
            engine.wait_until_ready("stop")
            match = self._first_question(engine)
            self._ask(engine, match)
            engine.wait_until_ready("stop")
        return "passed over"

    # What is not asked

    def _garbage(self) -> str:
        with self._running() as engine:
            engine.wait_until_ready(*GARBAGE)
            self._ask(engine, self._first_question(engine))
            engine.wait_until_ready(*GARBAGE)
        return f"{2 * len(GARBAGE)} lines passed over"

    def _huge_line(self) -> str:
        with self._running() as engine:
            engine.wait_until_ready("x" * HUGE)
            self._ask(engine, self._first_question(engine))
        return f"a line of {HUGE:,} bytes passed over"

    def _silence(self) -> str:
        """Between an answer and the next question there is nothing to say."""
        with self._running() as engine:
            match = self._first_question(engine)
            for _ in range(5):
                self._ask(engine, match)
                engine.wait_until_ready()
        return "nothing but answers"

    # Leaving

    def _quit(self) -> str:
        with self._running() as engine:
            self._ask(engine, self._first_question(engine))
            return self._leaves(engine, b"quit\n")

    def _quit_thinking(self) -> str:
        with self._running() as engine:
            match = self._first_question(engine)
            go = write_go(Go(match.to_act()[0], move_time=3_600_000, legal=_legal(match, match.to_act()[0])))
            return self._leaves(engine, f"{write_history(match)}\n{go}\nquit\n".encode())

    def _end_of_input(self) -> str:
        with self._running() as engine:
            self._ask(engine, self._first_question(engine))
            return self._leaves(engine, b"")

    def _leaves(self, engine: Engine, text: bytes) -> str:
        """Whether the program ends by itself, and takes with it what it has started."""
        process = engine.process
        if text:
            process.tell(text, SOON)
        process.close_input()
        if not process.over_within(SOON + self.slack):
            raise Failed(f"It went on running for more than {SOON:g} s.")
        left = process.others_in_group()
        code = process.end()
        if left:
            raise Failed("It ended, but something that it had started went on running.")
        if code:
            raise Failed(f"It ended with exit code {code}, where 0 means that all is well.")
        return f"ended within {SOON:g} s, exit code 0"

    # Asking

    def _first_question(self, engine: Engine) -> Match:
        game = self._played[0]
        engine.new_game(game, game.book)
        match = Match(game)
        while match.turn == LUCK:
            match.deal()
        return match

    def _play(
        self,
        engine: Engine,
        game: Game,
        rules: Any,
        where: Callable[[Match], str] | None = None,
        most: int = TURNS,
    ) -> Match:
        """A game in which the program decides for both seats."""
        engine.new_game(game, rules)
        match = Match(game, rules, max_turns=most)

        def choose(view: View) -> int:
            position = where(match) if where else write_position(game, rules, view.state)
            return self._ask(engine, match, position, view.seat)

        match.run((_Asked(choose), _Asked(choose)))
        if match.failed is not None:
            raise match.failed
        return match

    def _ask(
        self,
        engine: Engine,
        match: Match,
        position: str | None = None,
        seat: int | None = None,
        *,
        limits: Go | None = None,
        then: str = "",
        seconds: float = 0.0,
    ) -> int:
        seat = match.to_act()[0] if seat is None else seat
        limits = limits or Go(seat, move_time=round(self.move_time * 1000))
        where = position or write_position(match.game, match.rules, match.state)
        go = write_go(limits._replace(seat=seat, turn=match.turns + 1, legal=_legal(match, seat)))
        time = (limits.move_time or limits.times[seat] or 0) / 1000
        question = "\n".join(filter(None, [where, go, then])) + "\n"
        word = engine.move_in(engine.best_move(question.encode(), seconds or time))
        if word not in _legal(match, seat):
            raise engine.illegal(word, match.game.write_position(match.rules, match.state), _legal(match, seat))
        return move_words(match.game, match.rules).index(word)


class _Asked:
    """A player that decides as it is told here."""

    def __init__(self, choose: Callable[[View], int]) -> None:
        self.choose = choose


def _legal(match: Match, seat: int) -> tuple[str, ...]:
    words = move_words(match.game, match.rules)
    return tuple(words[move] for move in match.game.legal_moves(match.rules, match.state, seat))


def other_rules(game: Game) -> tuple[str, ...]:
    """Rules that are not the book's, under which it can still be played: a number and an option, or two numbers."""
    turned: tuple[str, ...] = ()
    numbers = [name for name, knob in game.knobs.items() if not knob.choices]
    options = [name for name, knob in game.knobs.items() if knob.choices]
    for name in (*numbers[:1], *options, *numbers[1:]):
        more = (*turned, f"{name}={game.knobs[name].another(getattr(game.book, name))}")
        rules = variant(game, more)
        if len(more) <= 2 and rules != game.book and game.turn(rules, game.start(rules, 0)) != OVER:
            turned = more
    return turned


def _kind(game: Game) -> str:
    """What kind of turns a duel has, in a word or two."""
    if game.turn(game.book, game.start(game.book, 0)) == BOTH:
        return "secret picks"
    return "turns with luck" if game.faces else "turns one after the other"


def _random_match(game: Game, seed: int) -> Match:
    """Legal moves at random, to the bell or to the last decision before the end."""
    dice = random.Random(seed)
    match = Match(game, seed=seed, max_turns=LONG)
    anybody = _Asked(lambda view: dice.choice(view.legal()))
    match.run((anybody, anybody))
    match.take_back()
    while match.turn == LUCK:
        match.deal()
    return match

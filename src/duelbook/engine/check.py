"""Does a program keep to the protocol? Every point is tried with a process of its own and says what was seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from reprlib import repr as shown
from typing import Any, NamedTuple

from duelbook.core import BOTH, OVER, DuelError, Game, of_kind, variant
from duelbook.engine.candidate import Candidate, legal_words, random_match
from duelbook.engine.fault import EngineFault
from duelbook.engine.launch import command_of, short_name
from duelbook.engine.limits import Limits, check_limits, usual_limits
from duelbook.engine.log import Log
from duelbook.engine.protocol import Go, write_go, write_history, write_new_game
from duelbook.engine.replies import Identity
from duelbook.games import load_all
from duelbook.speech import amount, either, quote

SOON = 1.0
"""Seconds within which a program must stop, or end."""
LITTLE = 0.1
"""Seconds for a move where there is little time."""
AN_HOUR = 3_600_000
"""Milliseconds."""
GARBAGE = ("", "   ", "xyzzy", "go_home", "positio", "bestmove build_4", "setoption", "=)(/&%$")
HUGE = 1 << 20

Attempt = Callable[[Candidate], str]
"""Tries a program that was started for it, and says what was seen."""


class Point(NamedTuple):
    name: str
    passed: bool
    seen: str


def check_engine(command: str | Sequence[str], *, slack: float = 0.0, **limits: Any) -> list[Point]:  # fields of Limits
    """Try a program on every point of the protocol; `limits` are those of `Limits`, as in `move_time=0.5`."""
    of_kind(command, (str, Sequence), "A program is a text such as './mybot', or a list of its words")
    words = command_of(command) if isinstance(command, str) else list(command)
    if not words or not all(isinstance(word, str) for word in words):
        raise DuelError(f"A program is a command, as in ['python3', 'mybot.py']; {shown(command)} is not.")
    of_kind(slack, (int, float), "The slack is a number of seconds")
    unknown = sorted(limits.keys() - set(Limits._fields))
    if unknown:
        raise DuelError(f"There is no limit called {quote(unknown[0])}: there are {', '.join(Limits._fields)}.")
    within = usual_limits()._replace(**limits)
    check_limits(within)
    return list(Checker(words, within, slack).points())


class Checker:
    def __init__(self, command: Sequence[str], limits: Limits | None = None, slack: float = 0.0) -> None:
        """The limits are those under which it will play: what passes here must not run out of memory there. `slack` is
        what every answer may come late, on a machine that is busy."""
        self.command, self.slack = list(command), slack
        self.limits = usual_limits() if limits is None else limits
        log = self.limits.around.log
        self.log = Log(log, short_name(self.command)) if log else None
        self.identity = Identity()

    def points(self) -> Iterator[Point]:
        """Try one point after the other. Without a handshake there is nothing more to try."""
        first = self.attempt("handshake", self.handshake)
        yield first
        if first.passed:
            for name, attempt in self.attempts().items():
                yield self.attempt(name, attempt)

    def attempts(self) -> dict[str, Attempt]:
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

    def attempt(self, name: str, attempt: Attempt) -> Point:
        if self.log is not None:
            self.log.where = name
        try:
            bot = Candidate(self.command, self.limits, slack=self.slack, log=self.log)
            try:
                return Point(name, True, attempt(bot))
            finally:
                bot.process.end(politely=False)
        except EngineFault as fault:
            return Point(name, False, f"{fault.kind}: {fault.sentence}")
        except DuelError as error:
            return Point(name, False, str(error))

    @property
    def _played(self) -> list[Game]:
        return [game for game in load_all() if self.identity.plays(game)]

    # Before the game

    def handshake(self, bot: Candidate) -> str:
        self.identity = bot.identity
        if not self._played:
            raise DuelError(f"It plays {either(self.identity.games, 'and')}, and none of these is a duel here.")
        games = either([game.id for game in self._played], "and")
        return f"{self.identity.name} by {self.identity.author}; plays {games}"

    def _ready(self, bot: Candidate) -> str:
        for _ in range(3):
            bot.wait_until_ready()
        return "readyok, three times"

    def _options(self, bot: Candidate) -> str:
        for option in self.identity.options:
            bot.set_option(option.name, option.default)
        bot.wait_until_ready("setoption name No such option value 1")
        names = either([option.name for option in self.identity.options], "and") if self.identity.options else "none"
        return f"options: {names}; an unknown one is passed over"

    # Games

    def _games(self) -> Iterator[tuple[str, Attempt]]:
        for game in self._played:
            yield f"{game.id}: a whole game", partial(_whole_game, game)
            yield f"{game.id}: moves from the start", partial(_by_history, game)
            if changed := other_rules(game):
                yield f"{game.id}: other rules", partial(_other_rules, game, changed)

    def _games_in_a_row(self, bot: Candidate) -> str:
        for game in self._played:
            bot.wait_until_ready(*[write_new_game(game, game.book)] * 3)
            bot.play(game, game.book, most=4)
            bot.play(game, game.book, most=4)
        return f"{2 * len(self._played)} games with one process"

    def _long_game(self, bot: Candidate) -> str:
        """Legal moves at random up to the bell, all in one line: no buffer may be too short for that."""
        game = self._played[0]
        match = max((random_match(game, seed) for seed in range(20)), key=lambda match: len(match.steps))
        bot.new_game(game, game.book)
        bot.ask(match, write_history(match))
        return f"{game.id}, {amount(match.turns, 'turn')}, a line of {len(write_history(match)):,} bytes"

    # Time

    def _ask(self, bot: Candidate, limits: Go | None = None, then: str = "", seconds: float = 0.0) -> None:
        bot.ask(bot.first_question(self._played[0]), limits=limits, then=then, seconds=seconds)

    def _clock(self, bot: Candidate) -> str:
        self._ask(bot, Go(0, times=(2000, 2000), increments=(100, 100)))
        return "answered with 2 s on the clock"

    def _little_time(self, bot: Candidate) -> str:
        self._ask(bot, Go(0, move_time=round(LITTLE * 1000)))
        return f"answered within {LITTLE:g} s"

    def _stop(self, bot: Candidate) -> str:
        self._ask(bot, Go(0, move_time=AN_HOUR), then="stop", seconds=SOON)
        bot.wait_until_ready()
        return f"answered within {SOON:g} s after it"

    def _idle_stop(self, bot: Candidate) -> str:
        bot.wait_until_ready("stop")
        self._ask(bot)
        bot.wait_until_ready("stop")
        return "passed over"

    # What is not asked

    def _garbage(self, bot: Candidate) -> str:
        bot.wait_until_ready(*GARBAGE)
        self._ask(bot)
        bot.wait_until_ready(*GARBAGE)
        return f"{2 * len(GARBAGE)} lines passed over"

    def _huge_line(self, bot: Candidate) -> str:
        bot.wait_until_ready("x" * HUGE)
        self._ask(bot)
        return f"a line of {HUGE:,} bytes passed over"

    def _silence(self, bot: Candidate) -> str:
        """Between an answer and the next question there is nothing to say."""
        match = bot.first_question(self._played[0])
        for _ in range(5):
            bot.ask(match)
            bot.wait_until_ready()
        return "nothing but answers"

    # Leaving

    def _quit(self, bot: Candidate) -> str:
        self._ask(bot)
        return self._leaves(bot, b"quit\n")

    def _quit_thinking(self, bot: Candidate) -> str:
        match = bot.first_question(self._played[0])
        (seat, *_) = match.to_act()
        go = write_go(Go(seat, move_time=AN_HOUR, legal=legal_words(match, seat)))
        return self._leaves(bot, f"{write_history(match)}\n{go}\nquit\n".encode())

    def _end_of_input(self, bot: Candidate) -> str:
        self._ask(bot)
        return self._leaves(bot, b"")

    def _leaves(self, bot: Candidate, text: bytes) -> str:
        """Whether the program ends by itself, and takes with it what it has started."""
        process = bot.process
        if text:
            process.tell(text, SOON)
        process.launched.close_input()
        if not process.launched.over_within(SOON + self.slack):
            raise DuelError(f"It went on running for more than {SOON:g} s.")
        left = process.launched.others_left()
        code = process.end()
        if left:
            raise DuelError("It ended, but something that it had started went on running.")
        if code:
            raise DuelError(f"It ended with exit code {code}, where 0 means that all is well.")
        return f"ended within {SOON:g} s, exit code 0"


def _whole_game(game: Game, bot: Candidate) -> str:
    match = bot.play(game, game.book)
    return f"{_kind(game)}; {amount(match.turns, 'turn')}, both seats, every answer legal and in time"


def _by_history(game: Game, bot: Candidate) -> str:
    match = bot.play(game, game.book, write_history)
    return f"{amount(match.turns, 'turn')} by position start moves ..."


def _other_rules(game: Game, changed: Sequence[str], bot: Candidate) -> str:
    match = bot.play(game, variant(game, changed))
    return f"{' '.join(changed)}: {amount(match.turns, 'turn')}"


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

"""The referee's side of the protocol: a conversation with one program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import monotonic

from duelbook.core import DuelError, Game
from duelbook.engine.fault import PROTOCOL, TIME, EngineFault
from duelbook.engine.limits import Limits
from duelbook.engine.log import Log
from duelbook.engine.process import Process
from duelbook.engine.protocol import BadLine, write_new_game
from duelbook.engine.replies import Identity, read_identity, read_preparing
from duelbook.match import ILLEGAL
from duelbook.speech import either, plain, quote


class Engine:
    """A program that speaks the protocol. It is started and has shaken hands once this is made.

    A program says what the protocol says and nothing else: a stray line is more often a mistake than a harmless one,
    and is better heard of at once. Anything else it wants to tell goes after `info string`, or to its standard error.
    """

    def __init__(
        self,
        command: Sequence[str],
        limits: Limits,
        *,
        slack: float = 0.0,
        log: Log | None = None,
        started: Callable[[Process], None] = lambda process: None,
        preparing: Callable[[str], None] = lambda words: None,
    ) -> None:
        """`started` hears of the process before it has said anything, so that somebody else can end it meanwhile;
        `preparing` hears what it is at while it gets ready.
        """
        self.process = Process(command, limits, slack, log)
        started(self.process)
        self.preparing = preparing
        self.limits = limits
        self.start_time = limits.around.start_time
        self.start_limit = max(self.start_time, limits.around.start_limit)
        self.info = b""
        """The last `info` line that came; `protocol.read_info` reads it."""
        self.identity = self._shake_hands()

    def _shake_hands(self) -> Identity:
        identity = Identity()
        for line in self._answers("udi", "udiok"):
            try:
                identity = read_identity(identity, line)
            except BadLine as error:
                raise self.fault(f"did not shake hands: {error}") from None
        missing = [
            word
            for word, said in (("id name", identity.name), ("id author", identity.author), ("game", identity.games))
            if not said
        ]
        if missing:
            raise self.fault(f"shook hands without {either(missing, 'and')}.")
        return identity

    def wait_until_ready(self, *before: str) -> None:
        """Say these lines and wait until the program has digested them."""
        for line in self._answers("\n".join([*before, "isready"]), "readyok"):
            raise self.fault(f"said {quote(line)} where readyok was awaited.")

    def set_option(self, name: str, value: str) -> None:
        known = [option.name for option in self.identity.options]
        if name not in known:
            offered = plain(f"Its options are {either(known, 'and')}.") if known else "It has none."
            raise DuelError(f"{self.process.name} has no option called {quote(name)}. {offered}")
        option = self.identity.options[known.index(name)]
        if not option.takes(value):
            raise DuelError(f"{self.process.name}: {plain(name)} is {plain(option.wanted)}, not {quote(value)}.")
        self.wait_until_ready(f"setoption name {name} value {value}")

    def new_game(self, game: Game, rules: object) -> None:
        if not self.identity.plays(game):
            plays = either(self.identity.games, "and")
            raise self.fault(f"does not play {game.id}. It plays {plays}.")
        self.wait_until_ready(write_new_game(game, rules))

    def best_move(self, question: bytes, seconds: float) -> bytes:
        """The line that answers `position` and `go`, which the question holds. `move_in` reads it."""
        if self.process.has_said():
            self.hear_nothing_but_info()
        line = self.process.ask(question, "bestmove", seconds)
        return line if line.startswith(b"bestmove") else self.after_info(line)

    def after_info(self, line: bytes) -> bytes:
        """The `bestmove` that follows this line and more `info`."""
        while not (line := line.strip()).startswith(b"bestmove"):
            if line.split()[:1] == [b"info"]:
                self.info = line
            elif line:
                raise self.fault(f"said {quote(self._text(line))} where bestmove was awaited.")
            line = self.process.line()
        return line

    def move_in(self, line: bytes) -> str:
        """The move as the program spelled it."""
        words = self._text(line).split()
        if len(words) != 2 or words[0] != "bestmove":
            raise self.fault(f"said {quote(self._text(line))}; after bestmove comes one word, the move.")
        return words[1]

    def hear_nothing_but_info(self) -> None:
        """What came since the last answer may only be `info`."""
        while self.process.has_said():
            line = self._text(self.process.line()).strip()
            if line and line.split()[0] != "info":
                raise self.fault(f"said {quote(line)} when nothing was asked.")

    def _answers(self, question: str, last: str) -> Iterator[str]:
        """The lines that come before the last one; `info` and empty lines are passed over.

        A program that is still getting ready says so, and is waited for as long as it goes on saying it, up to a limit:
        many compile, load or work something out first, and nobody can know how long that takes on a machine.
        """
        self.hear_nothing_but_info()
        over = monotonic() + self.start_limit
        line = self._text(self.process.ask(f"{question}\n".encode(), last, self.start_time)).strip()
        while line != last:
            words = read_preparing(line)
            if words is not None:
                self._wait_longer(over - monotonic())
                self.preparing(words)
            elif line and line.split()[0] != "info":
                yield line
            line = self._text(self.process.line()).strip()

    def _wait_longer(self, left: float) -> None:
        overdue = f"was still getting ready after {self.start_limit:g} s, the most that --start-limit allows."
        if left <= 0:
            raise self.fault(overdue, TIME)
        if left < self.start_time:
            self.process.wait_longer(left, overdue)
        else:
            self.process.wait_longer(self.start_time)

    def _text(self, line: bytes) -> str:
        try:
            return line.decode("utf-8")
        except UnicodeDecodeError:
            raise self.fault("said a line that is not UTF-8 text.") from None

    def illegal(self, word: str, where: str, legal: Sequence[str]) -> EngineFault:
        return self.fault(f"played {quote(word)} at {where}, where {either(legal)} can be played.", ILLEGAL)

    def fault(self, what: str, kind: str = PROTOCOL) -> EngineFault:
        """End the program for what it did, a sentence without its subject."""
        return self.process.fault(kind, f"{self.process.name} {what}")

    def end(self) -> None:
        self.process.end()

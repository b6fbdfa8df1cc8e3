"""The program's side of the protocol: one of our own players, answering on standard output."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any, BinaryIO

from duelbook.core import DuelError, Game, check_beginning
from duelbook.engine.protocol import BadLine, move_words, read_go, read_new_game, read_position, read_set_option
from duelbook.engine.replies import PREPARING, EngineOption, Identity, write_identity
from duelbook.match import Match, Player, Prepared, View
from duelbook.speech import quote

LONGEST_LINE = 1 << 20
LONGEST_SENTENCE = 2000
"""Letters of an explanation: who asks with a megabyte of nonsense does not get it back."""
HEARTBEAT = 2.0
"""Seconds between two words that the next game is still being prepared."""

Make = Callable[[dict[str, str], int], Player]
"""Builds a player from the values of the options and the number of the game, from 0."""


class Server:
    """Answers line by line. A line that makes no sense is answered with an `info string` and changes nothing."""

    def __init__(
        self,
        name: str,
        games: Sequence[str],
        options: Sequence[EngineOption],
        make: Make,
        stand_in: Make,
        say: Callable[[str], None],
        score: Callable[[Player, View], float | None] = lambda player, view: None,
        heartbeat: float = HEARTBEAT,
    ) -> None:
        """`stand_in` builds a player for what the one of `make` cannot play; `score` knows what a position is worth to
        a seat.
        """
        self.identity = Identity(name, "Duelbook", tuple(games), tuple(options))
        self.values = {option.name: option.default for option in options}
        self.make, self.stand_in, self.say, self.score = make, stand_in, say, score
        self.heartbeat = heartbeat
        self._number = -1
        """Which game this is, from 0. Players are made from it, or a seed would play one game again and again."""
        self._table: tuple[Game, Any] | None = None
        self._match: Match | None = None
        self._player: Player | None = None

    def run(self, lines: BinaryIO) -> None:
        """Answer until `quit` or the end of the input."""
        while line := lines.readline(LONGEST_LINE):
            if not line.endswith(b"\n") and len(line) == LONGEST_LINE:
                self._pass_over(lines)
                continue
            if line.split() == [b"quit"]:
                return
            self.hear(line.decode("utf-8", "replace"))

    def _pass_over(self, lines: BinaryIO) -> None:
        """Leave out the rest of a line that is longer than anything there is to say."""
        while (piece := lines.readline(LONGEST_LINE)) and not piece.endswith(b"\n"):
            pass
        self.say(f"info string That line was longer than {LONGEST_LINE:,} bytes and was not read.")

    def hear(self, line: str) -> None:
        words = line.split()
        if not words:
            return
        answer = getattr(self, f"_hear_{words[0]}", None) if words[0].isascii() else None
        try:
            if answer is None:
                raise BadLine(f"{quote(words[0])} means nothing here.")
            answer(words[1:])
        except DuelError as error:
            self._explain(str(error))

    def _explain(self, sentence: str) -> None:
        self.say(f"info string {' '.join(sentence[:LONGEST_SENTENCE].split())}")

    def _hear_udi(self, words: Sequence[str]) -> None:
        for line in write_identity(self.identity):
            self.say(line)
        self.say("udiok")

    def _hear_isready(self, words: Sequence[str]) -> None:
        self.say("readyok")

    def _hear_stop(self, words: Sequence[str]) -> None:
        """Every answer is out before the next line is read, so there is never anything to stop."""

    def _hear_setoption(self, words: Sequence[str]) -> None:
        name, value = read_set_option(words)
        known = {option.name.lower(): option for option in self.identity.options}
        if name.lower() not in known:
            raise BadLine(f"There is no option called {quote(name)}.")
        option = known[name.lower()]
        if not option.takes(value):
            raise BadLine(f"{option.name} is {option.wanted}, not {quote(value)}.")
        changed = self.values | {option.name: value}
        self.make(changed, self._number)  # what it cannot be made from is refused now, not at the next game
        self.values, self._player = changed, None

    def _hear_newgame(self, words: Sequence[str]) -> None:
        game, rules = read_new_game(words)
        self._table = (game, rules)
        self._match = Match(game, rules)
        self._player = None
        self._number += 1
        check_beginning(game, rules)  # what is refused is said; a position that is not over may still follow
        with self._preparing(f"{game.id}, what is best under its rules"):
            self._seat(self._match.view(0))

    @contextmanager
    def _preparing(self, what: str) -> Iterator[None]:
        """Say from time to time that this is still going on. Nothing of it is said once it is over."""
        done = Event()

        def keep_saying() -> None:
            while not done.wait(self.heartbeat):
                self.say(f"{PREPARING} {what}")

        saying = Thread(target=keep_saying, name="still preparing", daemon=True)
        saying.start()
        try:
            yield
        finally:
            done.set()
            saying.join()

    def _hear_position(self, words: Sequence[str]) -> None:
        if self._table is None:
            raise BadLine("newgame comes before position.")
        self._match = read_position(*self._table, words)

    def _hear_go(self, words: Sequence[str]) -> None:
        go, match = read_go(words), self._match
        if match is None:
            raise BadLine("newgame comes before go.")
        if go.seat not in match.to_act():
            raise BadLine(f"Seat {go.seat + 1} has nothing to decide at this position.")
        view = match.view(go.seat)._replace(number=go.turn - 1)
        move, worth = self._decide(view)
        if worth is not None:
            self.say(f"info score {round(worth, 6) + 0.0:g}")  # a zero has no sign
        self.say(f"bestmove {move_words(match.game, match.rules)[move]}")

    def _decide(self, view: View) -> tuple[int, float | None]:
        """A legal move, and what the position is worth if that is known. Whoever asks waits, so an answer must come:
        where the player has none, as where a duel cannot be solved here, another one takes its place.
        """
        try:
            player = self._seat(view)
            return player.choose(view), self.score(player, view)
        except DuelError as error:
            self._explain(f"Any legal move must do here: {error}")
            return self.stand_in(self.values, self._number).choose(view), None

    def _seat(self, view: View) -> Player:
        """The player, made and ready: what it has to load or to work out does not cost it time at its first move."""
        if self._player is None:
            player = self.make(self.values, self._number)
            if isinstance(player, Prepared):
                player.prepare(view)
            self._player = player
        return self._player

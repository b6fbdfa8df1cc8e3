"""A seat at a table somewhere else, or a place beside it: what comes and what goes, each in a thread of its own.

Whoever shows the game never waits for the network: it is told that there is news, and takes it in when it likes. What
was sent is not done before the server has said so; until then `sending` has it. What a seat owes without anybody's
decision (its part of a draw, the opening of a pick that it has promised) goes out by itself.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Condition, Thread
from typing import NamedTuple

from duelbook.core import BOTH, LUCK, DuelError
from duelbook.honest.chains import Chain
from duelbook.honest.seals import seal
from duelbook.honest.writing import LENGTH
from duelbook.locks import Lock
from duelbook.serve.belongings import Belongings, Pick, keep, seen_file
from duelbook.serve.connection import Connection, Gone
from duelbook.serve.events import Event, Json, Refused
from duelbook.serve.online import Online
from duelbook.serve.witness import Disagrees, Memory

UNKNOWN = "Perhaps this Duelbook is older than the server's: bring both up to date, or play in a browser."


class Letter(NamedTuple):
    """What comes in: events, why there are none, or neither, where only the state of the line has changed."""

    events: Sequence[Event] = ()
    act: str = ""
    """The name of the act that this answers."""
    error: DuelError | None = None


class Wire:
    def __init__(
        self, connection: Connection, mine: Belongings | None, known: Sequence[Event], lock: Lock | None = None
    ) -> None:
        """`mine` is None for somebody who watches; `known` are the events so far; `lock` is let go with the seat."""
        self.connection, self.mine, self.lock = connection, mine, lock
        self.online = Online()
        self.trouble = ""
        """Why the server cannot be reached just now."""
        self.refusals: list[str] = []
        """What the server refused; whoever shows the game tells and clears them."""
        self.failed: DuelError | None = None
        """What cannot be followed here; no more comes then."""
        self.news: Callable[[], object] = lambda: None
        """Called in any thread when there is something to take in."""
        self._inbox: SimpleQueue[Letter] = SimpleQueue()
        self._outbox: SimpleQueue[tuple[str, dict[str, Json]] | None] = SimpleQueue()
        self._arrived = Condition()
        self._waiting = 0
        """Letters that nobody has taken in."""
        self._early: dict[int, Event] = {}
        """Events whose predecessors are still on their way."""
        self._pending: dict[str, tuple[str, int | None]] = {}
        """Acts that are not done yet: in words, and the event that they led to, once that is known."""
        self._owed: set[tuple[str, int]] = set()
        """What has gone out by itself: each once."""
        self._follows = False
        self.memory = Memory(None if mine is None else seen_file(connection.place.game))
        """What was seen of it here, this time and before."""
        self._take(known)
        if self.failed is not None:
            raise self.failed
        self.chain = None if mine is None else Chain(mine.secret, self.online.links)

    @property
    def seat(self) -> int | None:
        return None if self.mine is None else self.mine.seat

    @property
    def link(self) -> str:
        return self.connection.place.link

    @property
    def last(self) -> int:
        """The number of the last event that is known here."""
        return self.online.last.seq if self.online.last else 0

    @property
    def sending(self) -> str:
        """What was said here and is not acknowledged yet, in words."""
        return next((words for words, _ in reversed(self._pending.values()) if words), "")

    @property
    def between_people(self) -> bool:
        """Nobody is helped then."""
        return all(seat.is_person and not seat.program for seat in self.online.seats)

    # Coming and going

    def start(self) -> None:
        """Begin to follow the game."""
        if self._follows:
            return
        self._follows = True
        self.connection.trouble = self._hear_of_trouble
        Thread(target=self._follow, args=(self.last,), daemon=True).start()
        if self.mine is not None:
            Thread(target=self._send_all, daemon=True).start()
            self._do_what_is_owed()

    def stop(self) -> None:
        """Follow it no longer. The game goes on, and the seat stays whose it is."""
        self.connection.give_up()
        self._outbox.put(None)
        if self.lock is not None:
            self.lock.let_go()

    def _follow(self, after: int) -> None:
        while True:
            try:
                events = self.connection.events(after, wait=True)
            except Gone:
                return
            except DuelError as error:
                self._put(Letter(error=error))
                return
            if events:
                after = events[-1].seq
                self._put(Letter(events))

    def _send_all(self) -> None:
        while (letter := self._outbox.get()) is not None:
            name, act = letter
            try:
                try:
                    self._put(Letter(self.connection.act(name, act), name))
                except Refused as refused:
                    self._put(Letter(self.connection.events(self.last), name, refused))  # what made it impossible
            except Gone:
                return
            except DuelError as error:
                self._put(Letter((), name, error))

    def _hear_of_trouble(self, sentence: str) -> None:
        self.trouble = sentence
        self._put(Letter())

    def _put(self, letter: Letter) -> None:
        with self._arrived:
            self._inbox.put(letter)
            self._waiting += 1
            self._arrived.notify_all()
        self.news()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until there is something to take in. False where nothing came in time."""
        with self._arrived:
            return self._arrived.wait_for(lambda: self._waiting > 0, seconds)

    # What has come

    def take_in(self) -> None:
        """Take in all that has come so far."""
        while self.wait(0):
            with self._arrived:
                self._waiting -= 1
                letter = self._inbox.get()
            self._take(letter.events)
            if isinstance(letter.error, Refused) and letter.act:
                self._pending.pop(letter.act, None)
                if not self.online.over:  # otherwise the other side was faster to end it, and that is what is told
                    self.refusals.append(str(letter.error))
            elif letter.error is not None:
                self.failed = self.failed or letter.error
            elif letter.act in self._pending:
                words, _ = self._pending[letter.act]
                self._pending[letter.act] = words, max((event.seq for event in letter.events), default=0)
            self._pending = {
                act: (words, seq) for act, (words, seq) in self._pending.items() if seq is None or seq > self.last
            }
        self._do_what_is_owed()

    def _take(self, events: Sequence[Event]) -> None:
        """Each once, in their order, by whichever way they come."""
        self._early |= {event.seq: event for event in events if event.seq > self.last}
        while (event := self._early.pop(self.last + 1, None)) is not None and self.failed is None:
            try:
                self.memory.saw(event)
                self.online.take(event)
            except Disagrees as error:
                self.failed = error
                return
            except (DuelError, KeyError, ValueError, AssertionError) as error:
                self.failed = DuelError(f"This game cannot be followed here: {error} {UNKNOWN}")
                return
            if event.kind == "over":
                self.online.secret = bytes.fromhex(str(event.body["key"]))

    # What goes

    def send(self, act: dict[str, Json], words: str = "") -> None:
        """Send an act under a name of its own; it is sent until it is answered, and happens once."""
        if self.failed is not None:
            raise self.failed
        name = secrets.token_hex(16)
        self._pending[name] = words, None
        self._outbox.put((name, act))

    def pick(self, turn: int, word: str) -> None:
        """Promise a pick; it is opened when both have promised."""
        assert self.mine is not None, "who watches does not pick"
        pick = Pick(turn, word, secrets.token_bytes(LENGTH))
        earlier = tuple(each for each in self.mine.picks if each.turn == turn)
        self.mine = self.mine._replace(picks=(*earlier, pick))
        keep(self.online.id, self.mine)  # before it is promised: who comes back can open it
        self.send({"do": "seal", "seal": self._sealed(pick).hex()}, word)

    def _sealed(self, pick: Pick) -> bytes:
        assert self.mine is not None
        return seal(self.online.id, pick.turn, self.mine.seat, pick.word, pick.salt)

    def next_link(self) -> dict[str, Json]:
        """This seat's part of the next draw, as long as it has not been shown."""
        online, chain = self.online, self.chain
        if chain is None or self.seat is None or len(online.seats[self.seat].links) > online.draws:
            return {}
        return {"link": chain.link(online.draws + 1).hex()}

    def _do_what_is_owed(self) -> None:
        """The part of a toss or of the other's draw, and the opening of a pick; a draw of one's own is a decision.

        What was seen until now is kept first: it is what binds the others before anything of ours goes out.
        """
        self.memory.keep()
        online, match, seat = self.online, self.online.match, self.seat
        if seat is None or not self._follows or self.failed is not None or seat not in online.due():
            return
        if match is None or match.turn == LUCK:
            if match is None or match.next_seat() != seat:
                self._owe("link", online.draws + 1, {"do": "link", **self.next_link()})
        elif match.turn == BOTH and online.seats[seat].seal:
            self._open(match.turns + 1, online.seats[seat].seal)

    def _open(self, turn: int, promised: bytes) -> None:
        assert self.mine is not None
        for pick in self.mine.picks:
            if pick.turn == turn and self._sealed(pick) == promised:
                self._owe("open", turn, {"do": "open", "pick": pick.word, "salt": pick.salt.hex()})
                return
        if ("lost", turn) not in self._owed:
            self._owed.add(("lost", turn))
            self.refusals.append("The pick that was promised for this turn is not kept here, so it cannot be opened.")

    def _owe(self, what: str, number: int, act: dict[str, Json]) -> None:
        if (what, number) not in self._owed:
            self._owed.add((what, number))
            self.send(act)

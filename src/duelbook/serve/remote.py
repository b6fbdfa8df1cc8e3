"""A table whose other side is somewhere else: the same questions and answers as at any table, over a connection.

Whoever shows it is asked for what is due here, and waits where it is due elsewhere. Nothing that was decided here is
told before the server has it on disk.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from duelbook.core import BOTH, LUCK, DuelError, IllegalMove
from duelbook.honest.chains import Chain
from duelbook.honest.seals import seal
from duelbook.honest.writing import LENGTH
from duelbook.match import Match, PlayerFault, View
from duelbook.players import HUMAN
from duelbook.record import Record
from duelbook.serve.belongings import Belongings, keep
from duelbook.serve.connection import Connection
from duelbook.serve.events import Refused
from duelbook.table.host import Due, Happening, Host, TakeBack, What
from duelbook.table.keeper import Keeper


class _Elsewhere:
    """Whoever sits there decides there."""

    def choose(self, view: View) -> int:
        raise PlayerFault("away", "Nobody decides here for somebody who sits elsewhere.")


class Remote(Host):
    def __init__(self, connection: Connection, mine: Belongings) -> None:
        """A game that has begun, for the person whose belongings these are."""
        self.connection, self.seat, self.mine = connection, mine.seat, mine
        self.chain = Chain(mine.secret, connection.online.links)
        online = connection.online
        assert online.match is not None, "a game begins when both are there"
        match = Match(
            online.duel, online.rules, start=online.match.start, max_turns=online.turns, names=online.match.names
        )
        kinds = (online.seats[0].kind, online.seats[1].kind)
        super().__init__(Keeper(Record(match, kinds), None, None), [None, None])
        self.players[1 - self.seat] = _Elsewhere()
        for step in online.match.steps:  # what happened before this terminal came
            self._follow(step.play)
        self._happened()
        if online.match.outcome is not None:
            self._take_ending()
        elif match.turn == BOTH and online.seats[self.seat].seal:  # promised before this terminal left
            match.play(self.seat, match.game.dialogue.words(match.rules).index(self._promised()[0]))
        self._happened()

    def _promised(self) -> tuple[str, str]:
        """The pick of this turn and its salt."""
        if self.mine.pick is None or self.mine.pick[0] != self.match.turns + 1:
            raise DuelError("The pick that was promised for this turn is not kept here, so it cannot be opened.")
        return self.mine.pick[1], self.mine.pick[2]

    # What comes next

    def due(self) -> tuple[Due, ...]:
        """The person here first where both pick: what was promised there is opened when this pick is in."""
        due = super().due()
        return tuple(sorted(due, key=lambda each: each.what is not What.ASK))[:1]

    def question(self, due: Due) -> Callable[[], int | PlayerFault]:
        """What waits for the other side, in whatever thread."""

        def wait() -> int | PlayerFault:
            return self._their_pick() if self.match.turn == BOTH else self._their_move()

        return wait

    # Answers

    def answer(self, due: Due, said: int | PlayerFault) -> list[Happening]:
        if due not in self.due():
            return []
        if isinstance(said, PlayerFault):
            return self._ended()
        if due.seat == self.seat and not self._send_decision(due.seat, said):
            return self._ended()
        return super().answer(due, said)

    def _send_decision(self, seat: int, move: int) -> bool:
        """Have the server take it. False where the game is over meanwhile."""
        match = self.match
        if not (
            match.game.legal(match.rules, match.state, seat, move)
            or match.game.foul(match.rules, match.state, seat, move)
        ):
            raise IllegalMove(
                f"{match.game.dialogue.why_not(match.rules, match.state, seat, move)} {match.choices(seat)}"
            )
        word = match.game.dialogue.words(match.rules)[move]
        if match.turn == BOTH:
            salt = secrets.token_bytes(LENGTH)
            self.mine = self.mine._replace(pick=(match.turns + 1, word, salt.hex()))
            keep(self.connection.place.game, self.mine)  # before it is promised: who comes back can open it
            return self._send(
                {"do": "seal", "seal": seal(self.connection.place.game, match.turns + 1, seat, word, salt).hex()}
            )
        return self._send({"do": "move", "move": word, **self._next_link()})

    def _next_link(self) -> dict[str, str]:
        """In a duel with luck the next link goes along, so that nobody waits for it."""
        return {"link": self.chain.link(self.match.draws + self._toss() + 1).hex()} if self.match.game.faces else {}

    def _toss(self) -> int:
        return int(self.connection.online.toss)

    def _send(self, act: dict[str, str]) -> bool:
        try:
            self.connection.act(act)
        except Refused:
            self.connection.catch_up()
            if self.connection.online.over:
                return False
            raise
        self.connection.catch_up()
        return True

    def draw(self, due: Due) -> list[Happening]:
        """Bring this seat's part of the draw, and wait for the other's."""
        if due not in self.due():
            return []
        online = self.connection.online
        number = self.match.draws + self._toss() + 1
        if len(online.seats[self.seat].links) < number and not self._send(
            {"do": "link", "link": self.chain.link(number).hex()}
        ):
            return self._ended()
        while not self._has_more() and not online.over:
            self.connection.catch_up(wait=True)
        if not self._has_more():
            return self._ended()
        assert online.match is not None
        self._follow(online.match.steps[len(self.match.steps)].play)
        return self._happened()

    def resign(self, seat: int) -> list[Happening]:
        self._send({"do": "resign"})
        return self._ended()

    # The other side

    def _has_more(self) -> bool:
        match = self.connection.online.match
        return match is not None and len(match.steps) > len(self.match.steps)

    def _their_move(self) -> int | PlayerFault:
        online = self.connection.online
        while not self._has_more() and not online.over:
            self.connection.catch_up(wait=True)
        if not self._has_more():
            return PlayerFault("over", "The game has ended.")
        assert online.match is not None
        play = online.match.steps[len(self.match.steps)].play
        assert isinstance(play, int)
        return play

    def _their_pick(self) -> int | PlayerFault:
        """Open what was promised as soon as both have promised, and wait until both are open."""
        online = self.connection.online
        while not online.over and not all(seat.seal for seat in online.seats) and not self._has_more():
            self.connection.catch_up(wait=True)
        if not online.over and not self._has_more() and online.seats[self.seat].opening is None:
            word, salt = self._promised()
            self._send({"do": "open", "pick": word, "salt": salt})
        while not online.over and not self._has_more():
            self.connection.catch_up(wait=True)
        if not self._has_more():
            return PlayerFault("over", "The game has ended.")
        assert online.match is not None
        play = online.match.steps[len(self.match.steps)].play
        assert isinstance(play, tuple)
        return int(play[1 - self.seat])

    def _follow(self, play: int | tuple[int, int]) -> None:
        """One step that was made elsewhere."""
        match = self.match
        if match.turn == LUCK:
            assert isinstance(play, int)
            match.deal(play)
        elif isinstance(play, tuple):
            for seat in (0, 1):
                match.play(seat, play[seat])
        else:
            match.play(match.turn, play)

    def _ended(self) -> list[Happening]:
        """The game has come to an end that is no move: somebody resigned, or was out of time."""
        self.connection.catch_up()
        self._take_ending()
        return self._happened()

    def _take_ending(self) -> None:
        told = self.connection.online.match
        if told is None or told.outcome is None or self.match.outcome is not None:
            return
        assert told.outcome.winner is not None
        self.match.adjudicate(told.outcome.winner, told.outcome.reason, told.outcome.kind)

    # What there is not between people who sit apart

    def may_take_back(self, seat: int) -> TakeBack:
        raise DuelError("Online a move stands: the other side has seen it.")

    def hint(self, seat: int) -> list[str]:
        if self.connection.online.seats[1 - self.seat].kind == HUMAN:
            raise DuelError("In a game between two people nobody is helped.")
        return super().hint(seat)

    def leave(self) -> bool:
        self.left = True
        return True

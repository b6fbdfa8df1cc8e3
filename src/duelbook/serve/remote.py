"""A table whose other side is somewhere else: the same questions and answers as at any table, over a wire.

It never waits. What is decided here goes out, and has happened when the server has it on disk; until then, and while
somebody elsewhere decides, what is due is to wait. Whoever shows the game takes in what has come when there is news.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from duelbook.core import BOTH, LUCK, DuelError, IllegalMove, of_kind
from duelbook.honest.proof import prove
from duelbook.match import PlayerFault, View
from duelbook.record import Record
from duelbook.saves import Save
from duelbook.serve.online import GONE
from duelbook.serve.recorded import record_of
from duelbook.serve.wire import Wire
from duelbook.table.host import DUE, NOBODY, Due, Happening, Host, TakeBack, What
from duelbook.table.keeper import Keeper, command_name, to_stderr

NO_COACH = "Online the coach is silent while a game goes on; afterwards he goes through it with you."


class Elsewhere:
    """Whoever sits there decides there."""

    def choose(self, view: View) -> int:
        raise PlayerFault("away", "Nobody decides here for somebody who sits elsewhere.")


class ServersCopy(Keeper):
    """The server keeps the game; here is a copy for those who want one."""

    def __init__(self, wire: Wire, copy: Save | None, complain: Callable[[str], None]) -> None:
        self.wire = wire
        super().__init__(_record(wire), None, copy, complain)
        self.record = _record(wire)  # without a commitment of ours: no card of this game comes from it

    def keep(self, target: str | None) -> str:
        if target is None:
            return f"The server has kept every move of this game. A copy for yourself: save FILE. {self.how_to_go_on()}"
        return super().keep(target)

    def how_to_go_on(self) -> str:
        if self.record.match.outcome is not None:
            return f"See it again at {self.wire.link}"
        what = "join" if self.wire.mine is not None else "join --watch"
        return f"Come back with: {command_name()} {what} {self.wire.link}"

    def farewell(self) -> str:
        return f"The game goes on without you. {self.how_to_go_on()}"

    def close(self) -> bool:
        """The copy alone is closed: the game is not ours to put aside."""
        self.write()
        if self.copy is not None:
            self.copy.let_go()
        return self.copy not in self.complained_of


class Remote(Host):
    def __init__(self, wire: Wire, *, copy: Save | None = None, complain: Callable[[str], None] = to_stderr) -> None:
        """A game that has begun, for whoever holds this end of the wire; `copy` is kept here as it goes on."""
        assert wire.online.match is not None, "a game begins when both are there"
        self.wire, self.seat = wire, wire.seat
        players = [None if seat == self.seat else Elsewhere() for seat in (0, 1)]
        super().__init__(ServersCopy(wire, copy, complain), players)
        self.proof = ""
        """What the evidence of a game that is over shows, in a sentence."""
        self.proved = True
        """Whether it fits."""
        self._quiet_since = monotonic()
        self._look_at_the_end()

    # What comes next

    def due(self) -> tuple[Due, ...]:
        """What is due here; to wait, where it is due elsewhere or on its way."""
        if self.left:
            return ()
        what, seat = self._what_is_due()
        return (Due(what, seat, self._moment),)

    def _what_is_due(self) -> tuple[What, int]:
        match, online, me = self.match, self.wire.online, self.seat
        if match.outcome is not None:
            return What.OVER, NOBODY
        if me is None or self.wire.sending or me not in online.due():
            return What.WAIT, NOBODY
        if match.turn == LUCK:
            return (What.DRAW, me) if match.next_seat() == me else (What.WAIT, NOBODY)
        return (What.WAIT, NOBODY) if online.seats[me].seal else (What.ASK, me)

    def waits_for(self) -> str:
        """Whom or what it waits for, in words."""
        wire, match = self.wire, self.match
        if wire.sending:
            return f"Sending {wire.sending} ..."
        others = [seat for seat in wire.online.due() if seat != self.seat]
        names = " and ".join(match.names[seat] for seat in others)
        return f"Waiting for {names} ..." if names else "Waiting ..."

    def question(self, due: Due) -> Callable[[], int | PlayerFault]:
        raise DuelError(f"Nobody thinks here. {self._waits()}")

    # Answers

    def answer(self, due: Due, said: int | PlayerFault) -> list[Happening]:
        """Send a decision. What comes of it is told when it has come back. Raises IllegalMove, and sends nothing."""
        if of_kind(due, Due, DUE) not in self.due() or isinstance(said, PlayerFault) or due.what is not What.ASK:
            return []
        match, seat = self.match, due.seat
        where = (match.rules, match.state, seat)
        if not (match.game.legal(*where, said) or match.game.foul(*where, said)):
            raise IllegalMove(f"{match.game.dialogue.why_not(*where, said)} {match.choices(seat)}")
        word = match.game.dialogue.words(match.rules)[said]
        if match.turn == BOTH:
            self.wire.pick(match.turns + 1, word)
        else:  # in a duel with luck the next link goes along, so that nobody waits for it
            self.wire.send({"do": "move", "move": word, **(self.wire.next_link() if match.game.faces else {})}, word)
        return []

    def draw(self, due: Due) -> list[Happening]:
        """Bring this seat's part of the draw."""
        if of_kind(due, Due, DUE) in self.due() and due.what is What.DRAW:
            self.wire.send({"do": "link", **self.wire.next_link()}, self.match.game.chance.draw)
        return []

    def resign(self, seat: int) -> list[Happening]:
        if self.match.outcome is None and not self.left:
            self.wire.send({"do": "resign"}, "resign")
        return []

    def claim(self) -> None:
        """Ask for the game because the other one is gone; the server knows whether they are."""
        if self.seat is None:
            raise DuelError("Who watches claims nothing.")
        if self.match.outcome is not None:
            raise DuelError("The game is over.")
        self.wire.send({"do": "claim"}, "claim")

    def take_in(self) -> list[Happening]:
        """What has happened since, by whomever."""
        self.wire.take_in()
        self._look_at_the_end()
        happened = self._happened()
        if happened:
            self._quiet_since = monotonic()
        return happened

    @property
    def may_be_gone(self) -> bool:
        """Whether the other side has been silent so long that the game may be claimed; the server knows for sure."""
        online = self.wire.online
        waits = self.seat is not None and self.match.outcome is None and self.seat not in online.due()
        return waits and monotonic() - self._quiet_since > (online.pace or GONE)

    def _look_at_the_end(self) -> None:
        """With the end come the secrets: whether every card and every pick was what was promised is seen at once."""
        if not self.wire.online.over or self.proof:
            return
        self.keeper.record = _record(self.wire)
        self.proved, self.proof = what_is_proved(self.wire)
        if self.keeper.copy is not None:
            self.keeper.write()

    # What there is not between people who sit apart

    def may_take_back(self, seat: int) -> TakeBack:
        raise DuelError("Online a move stands: the other side has seen it.")

    @property
    def may_stop(self) -> bool:
        return False  # the server rings the bell

    def hint(self, seat: int) -> list[str]:
        if self.wire.between_people:
            raise DuelError("In a game between two people nobody is helped.")
        return super().hint(seat)

    def take_over(self, seat: int) -> None:
        raise DuelError("Who watches a game on a server cannot sit down in the middle of it.")

    def leave(self) -> bool:
        """Go away. The game stays where it is."""
        self.left = True
        self.wire.stop()
        return self.keeper.close()


def _record(wire: Wire) -> Record:
    return record_of(wire.online)


def what_is_proved(wire: Wire) -> tuple[bool, str]:
    """Whether a game that is over was what was promised, computed again from what was seen here; and that in words."""
    try:
        return not wire.memory.missing, f"{prove(_record(wire))} {wire.memory.testimony}"
    except DuelError as error:
        return False, f"THIS GAME DOES NOT PROVE ITSELF: {error}"

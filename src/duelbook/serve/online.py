"""An online game, as its events tell it: who sits where, how it stands, and whom it waits for.

It knows no network, no disk and no clock; what somebody may do in it is in `acts.py`. A process that did not see what
happened reads the events and is where the others are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from duelbook.core import BOTH, LUCK, DuelError, settings, variant
from duelbook.games import load
from duelbook.match import Match
from duelbook.serve.events import Body, Event, Json
from duelbook.serve.seat import Seat
from duelbook.serve.story import Story

Act = Mapping[str, Json]
"""What somebody in a seat does: `do`, and what belongs to that."""
GONE = 60.0
"""Seconds that somebody who is due must have been away before the other may claim the game, where there is no clock."""
TOSS = "toss"


class Online:
    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.last: Event | None = None
        self.match: Match | None = None
        """None until both seats are taken and it is known who begins."""
        self.draws = 0
        """Draws so far; the toss is one."""
        self.asked_at = 0.0
        """Since when it waits for whom it waits for now."""
        self.revealed: list[tuple[bytes, bytes]] = []
        """The salts of every round."""
        self.seals: list[tuple[bytes, bytes]] = []
        self.over, self.reason = False, ""
        self.withdrawn: int | None = None
        """The seat that has withdrawn the game before it began: then it is over, and nobody has lost it."""
        self.next_game = ""
        self.story = Story()
        for event in events:
            self.take(event)

    def take(self, event: Event) -> None:
        """What has happened is taken in, as every process does that serves this game."""
        self.happen(event.body, event.at)
        self.last = event

    # Whom it waits for

    @property
    def begun(self) -> bool:
        return self.match is not None

    @property
    def hides(self) -> bool:
        """Whether anything in it is drawn or picked in secret, so that there are secrets to keep."""
        return self.toss or bool(self.duel.faces) or hasattr(self.duel.rules_file, "resolve")

    def due(self) -> tuple[int, ...]:
        """The seats that owe something now: a move, a promise, an opening, or their part of a draw."""
        match = self.match
        if match is None:
            waits = self.toss and self.withdrawn is None and all(seat.is_taken for seat in self.seats)
            return self._owing_links() if waits else ()
        if match.outcome is not None:
            return ()
        if match.turn == LUCK:
            return self._owing_links()
        if match.turn == BOTH:
            unsealed = tuple(seat for seat in (0, 1) if not self.seats[seat].seal)
            return unsealed or tuple(seat for seat in (0, 1) if self.seats[seat].opening is None)
        return (match.turn,)

    def without_link(self) -> tuple[int, ...]:
        """The seats whose part of the next draw is missing."""
        return tuple(seat for seat in (0, 1) if len(self.seats[seat].links) <= self.draws)

    def _owing_links(self) -> tuple[int, ...]:
        """Those among them who have to bring it themselves."""
        return tuple(seat for seat in self.without_link() if not self.brings(seat))

    def brings(self, seat: int) -> bool:
        """Whether the server brings this seat's links: a program's, and those of somebody whose chain it keeps, but
        for a draw of their own. That they ask for."""
        place, drawer = self.seats[seat], self.match.next_seat() if self.match is not None else None
        return not place.is_person or (place.kept and seat != drawer)

    def programs_due(self) -> tuple[int, ...]:
        """Seats in which the server has to let a program decide now."""
        deciding = self.match is not None and self.match.turn != LUCK
        return tuple(seat for seat in self.due() if deciding and not self.seats[seat].is_person)

    def may_claim(self, seat: int, now: float, away: float) -> bool:
        """Whether this seat may end a game that waits for the other one alone, and has waited long enough."""
        left = self.claim_in(seat, now, away)
        return left is not None and left < 0

    def claim_in(self, seat: int, now: float, away: float) -> float | None:
        """Seconds until this seat may claim the game if nothing happens; None where it waits not for the other alone.

        `away` are the seconds since the other was last heard of.
        """
        if self.match is None or self.match.outcome is not None or seat in self.due() or not self.due():
            return None
        waited = now - self.asked_at
        if self.pace:
            return self.pace - waited
        return GONE - (waited if self.needs_no_decision() else min(waited, away))

    def needs_no_decision(self) -> bool:
        """Whether what is owed is done by itself wherever somebody is there: to open what was promised, or to bring a
        part of the other's draw. Who is there and does not do it only wants the other to wait."""
        match = self.match
        if match is None or match.outcome is not None:
            return False
        if match.turn == LUCK:
            return match.next_seat() not in self.due()
        return match.turn == BOTH and all(seat.seal for seat in self.seats)

    # What has happened

    def happen(self, body: Body, at: float) -> None:
        """This has happened, whether it is written down yet or not."""
        kind = body["kind"]
        if kind == "created":
            self._created(body)
            self.asked_at = at
            return
        seat = body.get("seat")
        place = self.seats[seat] if isinstance(seat, int) else None
        before = self.due()
        if kind == "joined" and place is not None:
            place.name, place.token = str(body["name"]), str(body.get("token", ""))
            place.anchor, place.kept = bytes.fromhex(str(body["anchor"])), body.get("kept") is True
            place.program = body.get("program") is True
            if place.kept:
                self.secrets[int(str(seat))] = bytes.fromhex(str(body.get("chain", "")))
        elif kind == "link" and place is not None:
            place.links.append(bytes.fromhex(str(body["link"])))
        elif kind == "began":
            self._began(int(str(body["first"])))
        elif kind == "sealed" and place is not None:
            place.seal = bytes.fromhex(str(body["seal"]))
        elif kind == "opened" and place is not None:
            place.opening = (str(body.get("pick", "")), bytes.fromhex(str(body.get("salt", ""))))
        elif kind == "offered" and place is not None:
            place.offer = (str(body.get("offer", "")), float(str(body.get("until", 0))))
            place.offers += 1
        elif kind == "handed" and place is not None:
            place.offer, place.token = None, str(body.get("token", ""))
        elif kind == "rematch" and place is not None:
            place.again = True
        elif kind == "withdrawn":
            self.withdrawn = int(str(seat))
        elif kind == "again":
            self.next_game = str(body["game"])
        elif kind == "over":
            self.over, self.reason = True, str(body.get("reason", ""))
        else:
            self._played(kind, body)
        if self.due() != before or kind in ("moved", "dealt", "revealed", "began"):
            self.asked_at = at

    def _created(self, body: Body) -> None:
        self.id, self.duel = str(body["game"]), load(str(body["duel"]))
        self.rules = variant(self.duel, [str(rule) for rule in _list(body["rules"])])
        self.differs = tuple(settings(self.duel, self.rules))
        """What of the rules differs from the book, each as `name=value`."""
        self.toss = body["first"] == TOSS
        self.first = 0 if self.toss else int(str(body["first"]))
        self.pace = float(str(body["pace"]))
        self.turns, self.links = int(str(body["turns"])), int(str(body["links"]))
        self.is_open = bool(body["open"])
        self.invitations = [str(digest) for digest in _list(body["invitations"])]
        self.promise = bytes.fromhex(str(body["promise"]))
        self.secret = bytes.fromhex(str(body["key"]))
        self.secrets = [bytes.fromhex(str(secret)) for secret in _list(body["secrets"])]
        self.seats = [
            Seat(str(kind), str(name)) for kind, name in zip(_list(body["kinds"]), _list(body["names"]), strict=True)
        ]
        for place, anchor in zip(self.seats, _list(body["anchors"]), strict=True):
            place.anchor = bytes.fromhex(str(anchor))

    def _began(self, first: int) -> None:
        self.draws += self.toss
        start = self.duel.start(self.rules, first)
        names = (self.seats[0].name, self.seats[1].name)
        self.match = Match(self.duel, self.rules, start=start, max_turns=self.turns, names=names)

    def _played(self, kind: Json, body: Body) -> None:
        match = self.match
        if match is None:
            raise DuelError(f"Something happened in game {self.id} before it began: {kind}.")
        words = match.game.dialogue.words(match.rules)
        if kind == "moved":
            match.play(int(str(body["seat"])), words.index(str(body["move"])))
        elif kind == "dealt":
            match.deal(int(str(body["face"])))
            self.draws += 1
        elif kind == "revealed":
            for seat, pick in enumerate(_list(body["picks"])):
                match.play(seat, words.index(str(pick)))
            one, two = (bytes.fromhex(str(salt)) for salt in _list(body["salts"]))
            self.revealed.append((one, two))
            self.seals.append((self.seats[0].seal, self.seats[1].seal))
            for place in self.seats:
                place.seal, place.opening = b"", None
        elif kind == "resigned":
            match.resign(int(str(body["seat"])))
        elif kind == "faulted":
            match.fault(int(str(body["seat"])), str(body["fault"]), str(body["sentence"]))
        else:
            raise DuelError(f"Game {self.id} holds an event that is not known: {kind}.")


def _list(value: Json) -> list[Json]:
    assert isinstance(value, list)
    return value

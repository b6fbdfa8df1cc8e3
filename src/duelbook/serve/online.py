"""An online game, as its events tell it: who sits where, whom it waits for, and what an act leads to.

It knows no network, no disk and no clock. A server hands it acts, writes down what they lead to, and only then tells
anybody; a process that did not see them reads the events and is where the others are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from duelbook.core import BOTH, LUCK, DuelError, rules_hash, settings, variant
from duelbook.games import load
from duelbook.honest.chains import Chain, leads_to
from duelbook.honest.draws import drawn
from duelbook.honest.seals import seal
from duelbook.honest.writing import LENGTH
from duelbook.match import Match
from duelbook.serve.events import Body, Event, Json, Refused
from duelbook.serve.seat import Seat
from duelbook.speech import quote

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
        self.over = False
        self.next_game = ""
        for event in events:
            self.take(event)

    def take(self, event: Event) -> None:
        """What has happened is taken in, as every process does that serves this game."""
        self._take(event.body, event.at)
        self.last = event

    # Whom it waits for

    @property
    def begun(self) -> bool:
        return self.match is not None

    def due(self) -> tuple[int, ...]:
        """The seats that owe something now: a move, a promise, an opening, or their part of a draw."""
        match = self.match
        if match is None:
            waits = self.toss and all(seat.is_taken for seat in self.seats)
            return self._without_link() if waits else ()
        if match.outcome is not None:
            return ()
        if match.turn == LUCK:
            return self._without_link()
        if match.turn == BOTH:
            unsealed = tuple(seat for seat in (0, 1) if not self.seats[seat].seal)
            return unsealed or tuple(seat for seat in (0, 1) if self.seats[seat].opening is None)
        return (match.turn,)

    def _without_link(self) -> tuple[int, ...]:
        return tuple(seat for seat in (0, 1) if len(self.seats[seat].links) <= self.draws)

    def programs_due(self) -> tuple[int, ...]:
        """Seats in which the server has to let a program decide now."""
        deciding = self.match is not None and self.match.turn != LUCK
        return tuple(seat for seat in self.due() if deciding and not self.seats[seat].is_person)

    def may_claim(self, seat: int, now: float, away: float) -> bool:
        """Whether this seat may end a game that waits for the other one alone, and has waited long enough.

        `away` are the seconds since the other was last heard of.
        """
        if self.match is None or self.match.outcome is not None or seat in self.due() or not self.due():
            return False
        waited = now - self.asked_at
        return waited > self.pace if self.pace else min(waited, away) > GONE

    # Acts

    def join(self, seat: int, name: str, anchor: bytes, token: str) -> list[Body]:
        """Somebody sits down; `token` is the digest of what they will show."""
        if self.seats[seat].is_taken:
            raise Refused("Somebody has taken that seat already.")
        body: Body = {"kind": "joined", "seat": seat, "name": name, "anchor": anchor.hex(), "token": token}
        return self._all_that_follows([body], self.asked_at)

    def act(self, seat: int, act: Act, now: float, away: float = 0.0) -> list[Body]:
        """Everything that an act leads to; the game is there afterwards. Raises Refused, and nothing has changed."""
        doing = {
            "link": self._show_link,
            "move": self._move,
            "seal": self._promise,
            "open": self._open,
            "resign": self._resign,
            "claim": lambda seat, act: self._claim(seat, now, away),
            "rematch": self._want_another,
        }
        do = act.get("do")
        if not isinstance(do, str) or do not in doing:
            raise Refused(f"There is no act {quote(str(do)[:40])}. There are {', '.join(doing)}.")
        return self._all_that_follows(doing[do](seat, act), now)

    def program_acts(self, seat: int, move: int, salt: bytes, now: float) -> list[Body]:
        """What a program in a seat of the server has decided. It promises first, and its opening waits in the dark."""
        match = self._running()
        word = match.game.dialogue.words(match.rules)[move]
        if match.turn != BOTH:
            return self.act(seat, {"do": "move", "move": word}, now)
        promised = seal(self.id, match.turns + 1, seat, word, salt).hex()
        bodies = [*self._promise(seat, {"seal": promised}), _opened(seat, word, salt)]
        return self._all_that_follows(bodies, now)

    def fail(self, seat: int, fault: str, sentence: str, now: float) -> list[Body]:
        """A program on the server that failed loses by that."""
        self._running()
        return self._all_that_follows([_faulted(seat, fault, sentence)], now)

    def goes_on_in(self, game: str, now: float) -> list[Body]:
        """The game that both wanted after this one has been made."""
        return self._all_that_follows([{"kind": "again", "game": game}], now)

    def _running(self) -> Match:
        if self.match is None:
            raise Refused("The game has not begun: a seat is empty, or it is not known yet who begins.")
        if self.match.outcome is not None:
            raise Refused("The game is over.")
        return self.match

    def _show_link(self, seat: int, act: Act) -> list[Body]:
        link, place = _bytes(act, "link"), self.seats[seat]
        if self.match is not None:
            self._running()
        if len(place.links) > self.draws:
            raise Refused("The link of the next draw is there already.")
        if not leads_to(link, 1, place.links[-1] if place.links else place.anchor):
            raise Refused("That is not the next link of the chain that was promised.")
        return [{"kind": "link", "seat": seat, "number": len(place.links) + 1, "link": link.hex()}]

    def _move(self, seat: int, act: Act) -> list[Body]:
        match = self._running()
        if match.turn in (BOTH, LUCK) or match.turn != seat:
            raise Refused("It is not your turn.")
        word, words = act.get("move"), match.game.dialogue.words(match.rules)
        if not isinstance(word, str) or word not in words:
            raise Refused(f"{quote(str(word)[:40])} is not a move of {match.game.name}. {match.choices(seat)}")
        move = words.index(word)
        if not match.game.legal(match.rules, match.state, seat, move):
            why = match.game.dialogue.why_not(match.rules, match.state, seat, move)
            raise Refused(f"{why} {match.choices(seat)}")
        link = self._show_link(seat, act) if act.get("link") else []
        return [*link, {"kind": "moved", "seat": seat, "move": word}]

    def _promise(self, seat: int, act: Act) -> list[Body]:
        match = self._running()
        if match.turn != BOTH:
            raise Refused("Nobody picks in secret now.")
        if self.seats[seat].seal:
            raise Refused("You have promised your pick already; it cannot be changed.")
        return [{"kind": "sealed", "seat": seat, "turn": match.turns + 1, "seal": _bytes(act, "seal").hex()}]

    def _open(self, seat: int, act: Act) -> list[Body]:
        match, place, salt, pick = self._running(), self.seats[seat], _bytes(act, "salt"), act.get("pick")
        if match.turn != BOTH or not all(each.seal for each in self.seats):
            raise Refused("Picks are opened when both are promised, and not before.")
        if place.opening is not None:
            raise Refused("You have opened your pick already.")
        if not isinstance(pick, str) or seal(self.id, match.turns + 1, seat, pick, salt) != place.seal:
            raise Refused("That pick and salt are not what you promised.")
        return [_opened(seat, pick, salt)]

    def _resign(self, seat: int, act: Act) -> list[Body]:
        self._running()
        return [{"kind": "resigned", "seat": seat}]

    def _claim(self, seat: int, now: float, away: float) -> list[Body]:
        self._running()
        if not self.may_claim(seat, now, away):
            raise Refused("The game waits for you, or has not waited long enough for the other player.")
        return [_faulted(1 - seat, "time", "No move came in time, and the game was claimed.")]

    def _want_another(self, seat: int, act: Act) -> list[Body]:
        if not self.over:
            raise Refused("Another game is for after this one.")
        if self.seats[seat].again or self.next_game:
            raise Refused("You have said so already.")
        return [{"kind": "rematch", "seat": seat}]

    # What follows by itself

    def _all_that_follows(self, bodies: Sequence[Body], now: float) -> list[Body]:
        done: list[Body] = []
        while bodies:
            for body in bodies:
                self._take(body, now)
            done += bodies
            bodies = self._consequences()
        return done

    def _consequences(self) -> list[Body]:
        """What happens because of what has happened, without anybody's act."""
        match = self.match
        if match is None:
            return self._beginning()
        if match.outcome is not None:
            return [] if self.over else [self._end(match)]
        if match.turn == LUCK:
            return self._links_of_programs() or ([] if self.due() else [self._deal(match)])
        if match.turn == BOTH and all(seat.opening for seat in self.seats):
            return self._reveal(match)
        return []

    def _beginning(self) -> list[Body]:
        if not all(seat.is_taken for seat in self.seats):
            return []
        if not self.toss:
            return [{"kind": "began", "first": self.first}]
        return self._links_of_programs() or ([] if self.due() else [{"kind": "began", "first": self._drawn((1, 1))}])

    def _links_of_programs(self) -> list[Body]:
        """A program on the server brings its link when the person has; its chain was promised like any other."""
        waits = self._without_link()
        if any(self.seats[seat].is_person for seat in waits):
            return []
        number = self.draws + 1
        return [
            {"kind": "link", "seat": seat, "number": number, "link": self._chain(seat).link(number).hex()}
            for seat in waits
        ]

    def _chain(self, seat: int) -> Chain:
        return Chain(self.secrets[seat], self.links)

    def _drawn(self, weights: Sequence[int]) -> int:
        number = self.draws + 1
        links = [seat.links[number - 1] for seat in self.seats]
        return drawn(self.secret, self.id, rules_hash(self.duel, self.rules), number, links, weights)

    def _deal(self, match: Match) -> Body:
        faces = match.game.faces
        weights = [match.game.odds(match.rules, match.state, face) for face in faces]
        return {"kind": "dealt", "number": self.draws + 1, "face": faces[self._drawn(weights)]}

    def _reveal(self, match: Match) -> list[Body]:
        """Both picks at once. One that could not be picked is a fault, which only its opening shows."""
        words, openings = match.game.dialogue.words(match.rules), [seat.opening for seat in self.seats]
        for seat, opening in enumerate(openings):
            assert opening is not None, "both are opened"
            move = words.index(opening[0]) if opening[0] in words else None
            if move is None or not (
                match.game.legal(match.rules, match.state, seat, move)
                or match.game.foul(match.rules, match.state, seat, move)
            ):
                return [_faulted(seat, "illegal", "What was promised is not a pick of this duel.")]
        picks: list[Json] = [opening[0] for opening in openings if opening]
        salts: list[Json] = [opening[1].hex() for opening in openings if opening]
        return [{"kind": "revealed", "turn": match.turns + 1, "picks": picks, "salts": salts}]

    def _end(self, match: Match) -> Body:
        """The end is told with every secret of the server's, so that all draws can be computed again."""
        assert match.outcome is not None
        return {
            "kind": "over",
            "result": match.outcome.result,
            "reason": match.outcome.reason,
            "key": self.secret.hex(),
        }

    # What has happened

    def _take(self, body: Body, at: float) -> None:
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
            place.anchor = bytes.fromhex(str(body["anchor"]))
        elif kind == "link" and place is not None:
            place.links.append(bytes.fromhex(str(body["link"])))
        elif kind == "began":
            self._began(int(str(body["first"])))
        elif kind == "sealed" and place is not None:
            place.seal = bytes.fromhex(str(body["seal"]))
        elif kind == "opened" and place is not None:
            place.opening = (str(body.get("pick", "")), bytes.fromhex(str(body.get("salt", ""))))
        elif kind == "rematch" and place is not None:
            place.again = True
        elif kind == "again":
            self.next_game = str(body["game"])
        elif kind == "over":
            self.over = True
        else:
            self._played(kind, body)
        if self.due() != before or kind in ("moved", "dealt", "revealed", "began"):
            self.asked_at = at

    def _created(self, body: Body) -> None:
        self.id, self.duel = str(body["game"]), load(str(body["duel"]))
        self.rules = variant(self.duel, [str(rule) for rule in _list(body["rules"])])
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

    @property
    def differs(self) -> list[str]:
        """What of the rules differs from the book, each as `name=value`."""
        return list(settings(self.duel, self.rules))


def _opened(seat: int, pick: str, salt: bytes) -> Body:
    return {"kind": "opened", "seat": seat, "pick": pick, "salt": salt.hex()}


def _faulted(seat: int, fault: str, sentence: str) -> Body:
    return {"kind": "faulted", "seat": seat, "fault": fault, "sentence": sentence}


def _list(value: Json) -> list[Json]:
    assert isinstance(value, list)
    return value


def _bytes(act: Act, name: str) -> bytes:
    """What an act holds under this name, as 64 digits and letters from a to f."""
    text = act.get(name)
    if isinstance(text, str) and len(text) == 2 * LENGTH and set(text) <= set("0123456789abcdef"):
        return bytes.fromhex(text)
    raise Refused(f"{name} must be {2 * LENGTH} digits and letters from a to f.")

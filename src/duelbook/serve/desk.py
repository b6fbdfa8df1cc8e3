"""The games that this process serves: who may sit down, look and act in them.

An act comes in, what it leads to is written down, and only then is it told: `served.py` does that for one game.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from itertools import islice
from typing import NamedTuple

from duelbook.serve import acts
from duelbook.serve.adviser import Adviser
from duelbook.serve.chain import chained
from duelbook.serve.events import Body, Event, Json, Refused
from duelbook.serve.limits import NONE, Limits
from duelbook.serve.makers import Makers
from duelbook.serve.metrics import Metrics
from duelbook.serve.names import cleaned, look_alike
from duelbook.serve.news import News
from duelbook.serve.online import GONE, Act, Online
from duelbook.serve.opening import Wish, another, created
from duelbook.serve.presence import EVERY, OFFERED, Presence
from duelbook.serve.programs import Programs, ready
from duelbook.serve.served import Change, Done, Listener, Served
from duelbook.serve.served import NoGame as NoGame
from duelbook.serve.served import NotYours as NotYours
from duelbook.serve.store import Store, appended
from duelbook.solving.library import shipped_file

LONGEST_ACT = 64
"""Letters of the sender's own name for an act."""
LONGEST_ID = 64
"""Letters and digits of a game's name."""
MOST_IN_MEMORY = 5000
"""Games; the rest is read again when somebody asks."""
OFFER_LASTS = 600.0
"""Seconds in which a seat can be taken up on another device."""


class Created(NamedTuple):
    game: str
    invitations: tuple[str, str]
    """What lets somebody sit down in each seat, once."""


class Seated(NamedTuple):
    game: str
    seat: int
    token: str
    """Shown with every act; only its digest is kept."""


class Offer(NamedTuple):
    """A game in which somebody waits for whoever comes."""

    online: Online
    seat: int
    """Theirs."""
    away: float
    """Seconds since they were there."""

    @property
    def is_away(self) -> bool:
        return self.away > GONE


def token_digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()


class Ear(asyncio.Event):
    """Somebody who only wants to know that something happened."""

    def hear(self, news: News) -> None:
        self.set()


class Desk:
    def __init__(
        self,
        store: Store,
        *,
        engines: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.time,
        limits: Limits = NONE,
        offered: float = OFFERED,
        every: float = EVERY,
    ) -> None:
        """`engines` are the programs that the operator has named: what is asked for, and what is started. An open
        game is offered so long after whoever opened it was there; 0 for ever."""
        self.store, self.engines, self.clock = store, engines or {}, clock
        self.makers = Makers(limits, clock)
        self.presence, self._offered = Presence(store, clock, every), offered
        # Whoever asks for hints keeps no program from thinking, and whoever has other rules solved neither of them.
        self.adviser, self.coach, self.solver = (Adviser(most_of_one=limits.questions) for _ in range(3))
        self._served: OrderedDict[str, Served] = OrderedDict()
        self.metrics = Metrics()
        self.programs = Programs(self)
        self._beginning_again: dict[str, asyncio.Task[None]] = {}

    # Beginning

    async def make(self, wish: Wish, address: str) -> Created:
        """A new game for somebody at this address, who may want too many of them, or too much. Raises DuelError."""
        self.makers.check(address, waits=wish.is_open)
        created(wish, ("", ""), self.engines)  # what is asked for can be had, as far as that is seen at once
        await ready(self.solver, wish, self.engines, address)
        made = await self.create(wish)
        self.makers.remember(made.game, address, waits=wish.is_open)
        return made

    async def create(self, wish: Wish, invitations: tuple[str, str] | None = None) -> Created:
        """A new game with nobody in it yet, and what lets somebody sit down in each of its seats.

        `invitations` are digests of what people have already: they need no others.
        """
        invites = (secrets.token_urlsafe(24), secrets.token_urlsafe(24))
        digests = invitations or (token_digest(invites[0]), token_digest(invites[1]))
        body = created(wish, digests, self.engines)
        (event,) = chained(str(body["game"]), None, "", self.clock(), [body])
        await asyncio.wrap_future(appended(self.store, [event]))
        return Created(event.game, invites)

    async def join(
        self,
        game: str,
        invitation: str,
        name: str,
        anchor: bytes,
        chain: bytes = b"",
        *,
        token: str = "",
        program: bool = False,
    ) -> Seated:
        """Sit down in the seat that an invitation is for; in an open game the free one needs none. It works once.

        With `chain`, the secret of theirs, the server keeps the secrets of whoever sits down. Who brings a token of
        their own and asks again, because the answer was lost, is told the same seat again.
        """
        token = token or secrets.token_urlsafe(24)
        shown = token_digest(invitation)

        def sit(online: Online) -> list[Body]:
            seats = [seat for seat in (0, 1) if secrets.compare_digest(online.invitations[seat], shown)]
            if not seats and online.is_open and not invitation:
                seats = [seat for seat in (1, 0) if not online.seats[seat].is_taken][:1]
            if not seats:
                raise NotYours("That invitation is for no seat of this game.")
            seat = seats[0]
            tidy = cleaned(name or online.seats[seat].name)
            other = online.seats[1 - seat].name
            if look_alike(tidy, other):
                raise Refused(f"The other player is called {other}; choose another name.")
            return acts.join(online, seat, tidy, anchor, token_digest(token), chain, program=program)

        events = await self.change(game, f"join {token_digest(token)}", sit)
        return Seated(game, int(str(events[0].body["seat"])), token)

    async def offer(self, game: str, seat: int, shown: str = "") -> str:
        """What lets somebody go on in their seat on another device, once and soon; `shown` is as in `begin_act`."""
        offer, now = secrets.token_urlsafe(24), self.clock()
        new = token_digest(offer)

        def decide(online: Online) -> list[Body]:
            _check_seat(online, seat, shown)
            return acts.offer(online, seat, new, now + OFFER_LASTS, now)

        await self.change(game, f"offer {new}", decide)
        return offer

    async def hand_over(self, game: str, offer: str) -> Seated:
        """Go on in a seat that was offered; whoever sat there until now only watches."""
        token, now = secrets.token_urlsafe(24), self.clock()
        shown, new = token_digest(offer), token_digest(token)
        events = await self.change(game, f"handed {new}", lambda online: acts.hand_over(online, shown, new, now))
        return Seated(game, int(str(events[0].body["seat"])), token)

    # Asking

    async def online(self, game: str) -> Online:
        """The game as it is on disk, until whoever asked waits for something else. It is not to be changed."""
        try:
            return await self._get(game).online()
        except NoGame:
            self._served.pop(game, None)
            raise

    async def events(self, game: str, after: int = 0) -> list[Event]:
        await self.online(game)
        return self._get(game).events[after:]

    async def wait_for_news(self, game: str, after: int, seconds: float) -> list[Event]:
        """The events behind this one, as soon as there are some; none if nothing happened for so long."""
        found = await self.events(game, after)
        if found or not seconds:
            return found
        ear = self.listen(game)
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(ear.wait(), seconds)
            return await self.events(game, after)
        finally:
            self.stop_listening(game, ear)

    def let_go(self) -> None:
        """Answer whoever waits for news at once: this process stops, and another one has what comes."""
        for served in self._served.values():
            for listener in served.listeners:
                if isinstance(listener, Ear):
                    listener.set()

    async def seat_of(self, game: str, token: str) -> int:
        """The seat that a token is for. Raises NotYours."""
        shown = token_digest(token)
        for _ in range(2):
            for seat, place in enumerate((await self.online(game)).seats):
                if place.token and secrets.compare_digest(place.token, shown):
                    self.hear_from(game, seat)
                    return seat
            await self.catch_up([game])  # they may have sat down at another process
        raise NotYours("That token is for no seat of this game.")

    def close(self) -> None:
        """Nobody thinks here any more."""
        for thinker in (self.adviser, self.coach, self.solver):
            thinker.close()

    def coach_of(self, online: Online) -> Adviser:
        """Who knows the rules of this game, or works them out beside those that came with Duelbook."""
        return self.coach if shipped_file(online.duel, online.rules).exists() else self.solver

    def follow(self, game: str, listener: Listener) -> Served:
        """Have somebody hear whatever happens in the game from now on, until they are taken from its listeners."""
        served = self._get(game)
        served.listeners.add(listener)
        return served

    def listen(self, game: str) -> Ear:
        """Set whenever something happened in the game; whoever listens clears it and reads what is new."""
        ear = Ear()
        self.follow(game, ear)
        return ear

    def stop_listening(self, game: str, ear: Ear) -> None:
        self._get(game).listeners.discard(ear)

    def hear_from(self, game: str, seat: int) -> None:
        self._get(game).heard[seat] = self.clock()

    def away(self, game: str, seat: int) -> float:
        """Seconds since somebody in this seat was last heard of, here or at another process that serves the game."""
        return self.presence.away(self._get(game), seat)

    async def mark(self) -> None:
        """Write down who is there, again and again."""
        await self.presence.write(lambda: self._served.values())

    async def offers(self) -> list[Offer]:
        """Games in which anybody may take the free seat, first those whose opener was there last. Who has been away
        for long is not waited for any more, until they come back."""
        listed = await asyncio.to_thread(self.store.games, waiting=True)
        known = {each.game: len(self._get(each.game).events) for each in listed}
        await self.catch_up([each.game for each in listed if 0 < known[each.game] < each.last.seq])
        found = []
        for each in listed:
            online = await self.online(each.game)
            taken = [seat for seat, place in enumerate(online.seats) if place.is_taken]
            if len(taken) != 1 or online.over:
                continue
            there = self._get(each.game).heard.get(taken[0], 0.0)
            away = max(0.0, self.clock() - max(there, each.heard, each.last.at))
            if not self._offered or away < self._offered:
                found.append(Offer(online, taken[0], away))
        return sorted(found, key=lambda offer: offer.away)

    # Acting

    async def act(self, game: str, seat: int, act_id: str, act: Act, shown: str = "") -> Sequence[Event]:
        """What an act has led to; the same one sent again is answered with that, and nothing happens twice."""
        answered: asyncio.Future[Sequence[Event]] = asyncio.get_running_loop().create_future()
        self.begin_act(game, seat, act_id, act, partial(_answer, answered), shown)
        events = await answered
        if game in self._beginning_again:  # whoever asked for another game finds it made
            await asyncio.shield(self._beginning_again[game])
        return events

    def begin_act(self, game: str, seat: int, act_id: str, act: Act, done: Done, shown: str = "") -> None:
        """The same for whoever does not wait; `done` hears of it when it is on disk. Raises Refused.

        `shown` is the digest of the token by which they came to sit there, which may be another's seat by now: a
        process that did not hear of that learns it when it writes, and only then is it decided.
        """
        if not isinstance(act_id, str) or not 0 < len(act_id) <= LONGEST_ACT:
            raise Refused(f"Every act has an `act` of its own, a text of at most {LONGEST_ACT} letters.")
        self.hear_from(game, seat)
        now, away = self.clock(), self.away(game, 1 - seat)

        def decide(online: Online) -> list[Body]:
            _check_seat(online, seat, shown)
            return acts.act(online, seat, act, now, away)

        self._get(game).change(Change(f"{seat} {act_id}", decide, partial(self._count, act.get("do"), done)))

    def _count(self, do: Json, done: Done, said: Sequence[Event] | BaseException) -> None:
        kind = do if isinstance(do, str) and do in acts.KINDS else "other"
        self.metrics.acts[kind, "refused" if isinstance(said, BaseException) else "done"] += 1
        done(said)

    async def change(self, game: str, name: str, decide: Callable[[Online], list[Body]]) -> Sequence[Event]:
        """What is done in a game by nobody's seat: somebody sits down, a program decides."""
        answered: asyncio.Future[Sequence[Event]] = asyncio.get_running_loop().create_future()
        self._get(game).change(Change(name, decide, partial(_answer, answered)))
        return await answered

    # What goes on by itself

    def _has_grown(self, online: Online) -> None:
        """A game was read, or something happened in it: programs may be due in it, or the next one after it."""
        if online.over:
            self.makers.is_over(online.id)
        elif online.begun:
            self.makers.has_begun(online.id)
        if online.programs_due():
            self.programs.think(online.id)
        if online.over and not online.next_game and all(seat.again or not seat.is_person for seat in online.seats):
            self._begin_again(online)

    def _begin_again(self, online: Online) -> None:
        """Both want another game: it is made once, with the seats swapped, and both are told its name.

        What each of them sits here by lets them sit down there, and nobody else.
        """
        if online.id in self._beginning_again:
            return
        wish, game, (one, two) = another(online), online.id, online.seats

        async def begin() -> None:
            new = await self.create(wish, (two.token, one.token))
            with suppress(Refused):
                await self.change(game, "again", lambda online: acts.go_on_in(online, new.game, self.clock()))

        task = self._beginning_again[game] = asyncio.ensure_future(begin())
        task.add_done_callback(lambda _: self._beginning_again.pop(game, None))

    async def rest(self) -> None:
        """Wait until nothing goes on by itself any more."""
        while self.programs.thinking or self._beginning_again:
            going_on = [*self.programs.thinking.values(), *self._beginning_again.values()]
            await asyncio.gather(*going_on, return_exceptions=True)

    # Games in memory

    def _get(self, game: str) -> Served:
        served = self._served.get(game)
        if served is None:
            if not (0 < len(game) <= LONGEST_ID and game.isascii() and game.isalnum()):
                raise NoGame("There is no such game here.")  # and there are names that no store can look for
            served = self._served[game] = Served(game, self.store, self.clock, self.metrics, self._has_grown)
            self._forget_some()
        self._served.move_to_end(game)
        return served

    def _forget_some(self) -> None:
        """Those that nobody has asked for the longest, unless somebody listens there or waits for the disk."""
        spare = len(self._served) - MOST_IN_MEMORY
        if spare > 0:
            for game in [game for game, served in islice(self._served.items(), 2 * spare + 100) if served.idle][:spare]:
                del self._served[game]

    def counted(self) -> tuple[int, int]:
        """How many games somebody follows here, and how many are in memory."""
        return len(self.listened()), len(self._served)

    def is_followed(self, game: str) -> bool:
        return game in self._served and bool(self._served[game].listeners)

    def listened(self) -> dict[str, int]:
        """The games that somebody follows here, and how many events of each are known."""
        return {game: len(served.events) for game, served in self._served.items() if served.listeners}

    async def catch_up(self, games: Iterable[str]) -> None:
        """Take in what other processes have written of these games, as far as they are in memory here."""
        known = {game: len(self._served[game].events) for game in games if game in self._served}
        if not known:
            return
        found = await asyncio.to_thread(self.store.read_all, known)
        for game, events in found.items():
            if game in self._served:
                served = self._served[game]
                await served.online()
                served.take_in(events)


def _check_seat(online: Online, seat: int, shown: str) -> None:
    if shown and online.seats[seat].token != shown:
        raise NotYours("This seat has moved to another device.")


def _answer(answered: asyncio.Future[Sequence[Event]], said: Sequence[Event] | BaseException) -> None:
    if answered.done():  # whoever asked is gone
        return
    if isinstance(said, BaseException):
        answered.set_exception(said)
    else:
        answered.set_result(said)

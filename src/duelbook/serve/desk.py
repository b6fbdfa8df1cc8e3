"""The games that this process serves: an act comes in, what it leads to is written down, and only then is it told.

Nothing here is kept that the store does not have. A game in memory is thrown away whenever writing went wrong or
another process was faster, and read again.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import NamedTuple

from duelbook.core import DuelError
from duelbook.honest.writing import LENGTH
from duelbook.match import PlayerFault, View
from duelbook.players import seat_player
from duelbook.serve.events import Body, Event, Refused, chained
from duelbook.serve.online import TOSS, Act, Online
from duelbook.serve.opening import Wish, cleaned, created
from duelbook.serve.store import Store, Taken

LONGEST_ACT = 64
"""Letters of the sender's own name for an act."""
TRIES = 50
"""How often an act is decided again when others are faster, before it is given up."""
MOST_IN_MEMORY = 5000
"""Games; the rest is read again when somebody asks."""


class NoGame(DuelError):
    """There is no such game."""


class NotYours(DuelError):
    """Whoever says this does not sit there."""


class Created(NamedTuple):
    game: str
    invitations: tuple[str, str]
    """What lets somebody sit down in each seat, once."""


class Seated(NamedTuple):
    game: str
    seat: int
    token: str
    """Shown with every act; only its digest is kept."""


def token_digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()


class _Served:
    """A game in memory, whose turn it is to change it, and who waits for news of it."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.online: Online | None = None
        self.events: list[Event] = []
        self.news: set[asyncio.Event] = set()
        self.heard: dict[int, float] = {}
        """When each seat was last heard of."""


class Desk:
    def __init__(
        self,
        store: Store,
        *,
        engines: frozenset[str] = frozenset(),
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.store, self.engines, self.clock = store, engines, clock
        self._served: OrderedDict[str, _Served] = OrderedDict()
        self._thinking: set[asyncio.Task[None]] = set()

    # Beginning

    async def create(self, wish: Wish, invitations: tuple[str, str] | None = None) -> Created:
        """A new game with nobody in it yet, and what lets somebody sit down in each of its seats.

        `invitations` are digests of what people have already: they need no others.
        """
        invites = (secrets.token_urlsafe(24), secrets.token_urlsafe(24))
        digests = invitations or (token_digest(invites[0]), token_digest(invites[1]))
        body = created(wish, digests, self.engines)
        (event,) = chained(str(body["game"]), None, "", self.clock(), [body])
        await self._written([event])
        return Created(event.game, invites)

    async def join(self, game: str, invitation: str, name: str, anchor: bytes) -> Seated:
        """Sit down in the seat that an invitation is for; in an open game the free one needs none. It works once."""
        token = secrets.token_urlsafe(24)
        shown = token_digest(invitation)
        chosen: list[int] = []

        def sit(online: Online) -> list[Body]:
            seats = [seat for seat in (0, 1) if secrets.compare_digest(online.invitations[seat], shown)]
            if not seats and online.is_open and not invitation:
                seats = [seat for seat in (1, 0) if not online.seats[seat].is_taken][:1]
            if not seats:
                raise NotYours("That invitation is for no seat of this game.")
            seat = seats[0]
            tidy = cleaned(name or online.seats[seat].name)
            if tidy.lower() == online.seats[1 - seat].name.lower():
                raise Refused(f"The other player is called {tidy}; choose another name.")
            chosen[:] = [seat]
            return online.join(seat, tidy, anchor, token_digest(token))

        await self._change(game, f"join {token_digest(token)}", sit)
        self._let_programs_decide(game)
        return Seated(game, chosen[0], token)

    # Asking

    async def online(self, game: str) -> Online:
        """The game as it stands. It is not to be changed."""
        served = self._get(game)
        async with served.lock:
            return self._current(game, served)

    async def events(self, game: str, after: int = 0) -> list[Event]:
        await self.online(game)
        return self._get(game).events[after:]

    async def seat_of(self, game: str, token: str) -> int:
        """The seat that a token is for. Raises NotYours."""
        shown = token_digest(token)
        for _ in range(2):
            for seat, place in enumerate((await self.online(game)).seats):
                if place.token and secrets.compare_digest(place.token, shown):
                    self._get(game).heard[seat] = self.clock()
                    return seat
            await self.catch_up(game)  # they may have sat down at another process
        raise NotYours("That token is for no seat of this game.")

    def listen(self, game: str) -> asyncio.Event:
        """Set whenever something happened in the game; whoever listens clears it and reads what is new."""
        news = asyncio.Event()
        self._get(game).news.add(news)
        return news

    def stop_listening(self, game: str, news: asyncio.Event) -> None:
        self._get(game).news.discard(news)

    def away(self, game: str, seat: int) -> float:
        """Seconds since somebody in this seat was last heard of by this process."""
        return self.clock() - self._get(game).heard.get(seat, 0.0)

    # Acting

    async def act(self, game: str, seat: int, act_id: str, act: Act) -> list[Event]:
        """What an act has led to; the same one sent again is answered with that, and nothing happens twice."""
        if not isinstance(act_id, str) or not 0 < len(act_id) <= LONGEST_ACT:
            raise Refused(f"Every act has an `act` of its own, a text of at most {LONGEST_ACT} letters.")
        now, away = self.clock(), self.away(game, 1 - seat)
        events = await self._change(game, f"{seat} {act_id}", lambda online: online.act(seat, act, now, away))
        self._let_programs_decide(game)
        if act.get("do") == "rematch":
            await self._begin_again(game)
        return events

    async def _change(self, game: str, name: str, decide: Callable[[Online], list[Body]]) -> list[Event]:
        """Decide, write, tell. It goes on to its end even if whoever asked is gone."""
        return await asyncio.shield(asyncio.ensure_future(self._decide_and_write(game, name, decide)))

    async def _decide_and_write(self, game: str, name: str, decide: Callable[[Online], list[Body]]) -> list[Event]:
        served = self._get(game)
        async with served.lock:
            for _ in range(TRIES):
                online = self._current(game, served)
                known = [event for event in served.events if event.act == name]
                if known:
                    return known
                try:
                    bodies = decide(online)
                    events = list(chained(game, online.last, name, self.clock(), bodies))
                    await self._written(events)
                except Taken:
                    served.online = None
                    continue
                except (Refused, NotYours):
                    if not self._take_in(game, served):
                        raise
                    continue  # another process knew more, so what was refused may be right
                except BaseException:
                    served.online = None  # what is in memory may be more than what is written
                    raise
                online.last = events[-1] if events else online.last
                served.events += events
                for news in served.news:
                    news.set()
                return events
        raise Refused("The game is so busy that this could not be done; try again.")

    async def _written(self, events: Sequence[Event]) -> None:
        if events:
            await asyncio.wrap_future(self.store.append(events))

    def _get(self, game: str) -> _Served:
        served = self._served.get(game)
        if served is None:
            served = self._served[game] = _Served()
            self._forget_some()
        self._served.move_to_end(game)
        return served

    def _forget_some(self) -> None:
        for game in list(self._served)[: max(0, len(self._served) - MOST_IN_MEMORY)]:
            served = self._served[game]
            if not served.news and not served.lock.locked():
                del self._served[game]

    def _current(self, game: str, served: _Served) -> Online:
        """The game with everything that is written of it, by whomever."""
        if served.online is None:
            served.events = self.store.read(game)
            if not served.events:
                self._served.pop(game, None)
                raise NoGame("There is no such game here.")
            served.online = Online(served.events)
            self._let_programs_decide(game)  # whoever served it before may have been killed while one thought
        return served.online

    async def catch_up(self, game: str) -> None:
        """Take in what other processes have written since."""
        served = self._get(game)
        async with served.lock:
            self._take_in(game, served)

    def _take_in(self, game: str, served: _Served) -> bool:
        """Whether anything was written that was not known here; it is now."""
        online = self._current(game, served)
        new = self.store.read(game, online.last.seq if online.last else 0)
        for event in new:
            online.take(event)
        served.events += new
        if new:
            for news in served.news:
                news.set()
        return bool(new)

    def hear_of(self, game: str) -> None:
        """Something was written of this game, perhaps by another process."""
        served = self._served.get(game)
        if served is not None and served.news:
            self._later(self.catch_up(game))

    async def follow_others(self, every: float = 1.0) -> None:
        """Look again and again what other processes have written of the games that somebody listens to here."""
        while True:
            await asyncio.sleep(every)
            listened = [game for game, served in self._served.items() if served.news and served.online is not None]
            for at in range(0, len(listened), 500):
                some = listened[at : at + 500]
                lasts = await asyncio.to_thread(self.store.lasts, some)
                for game in some:
                    if lasts.get(game, 0) > len(self._get(game).events):
                        await self.catch_up(game)

    # Programs, and games after games

    def _let_programs_decide(self, game: str) -> None:
        self._later(self._programs_decide(game))

    def _later(self, what: Coroutine[None, None, None]) -> None:
        task = asyncio.ensure_future(what)
        self._thinking.add(task)
        task.add_done_callback(self._thinking.discard)

    async def _programs_decide(self, game: str) -> None:
        """As long as it is a program's turn: let it think in a thread, and play what it says."""
        while True:
            online = await self.online(game)
            due = online.programs_due()
            if not due:
                return
            seat, match = due[0], online.match
            assert match is not None
            moment, kind, view = online.last, online.seats[seat].kind, match.view(seat)
            said: int | DuelError
            try:
                said = await asyncio.to_thread(_decided, kind, view, online.secrets[seat])
            except DuelError as error:
                said = error
            name = f"program {seat} {moment.seq if moment else 0}"
            with suppress(Refused):
                await self._change(game, name, partial(self._program_says, moment, seat, said))

    def _program_says(self, moment: Event | None, seat: int, said: int | DuelError, online: Online) -> list[Body]:
        """What its word leads to, unless the game has gone on while it thought."""
        if online.last != moment or seat not in online.programs_due():
            return []
        now = self.clock()
        if isinstance(said, int):
            return online.program_acts(seat, said, secrets.token_bytes(LENGTH), now)
        return online.fail(seat, said.kind if isinstance(said, PlayerFault) else "failed", str(said), now)

    async def _begin_again(self, game: str) -> None:
        """Both want another game: it is made once, with the seats swapped, and both are told its name."""
        online = await self.online(game)
        if online.next_game or not all(seat.again or not seat.is_person for seat in online.seats):
            return
        one, two = online.seats
        first, names = TOSS if online.toss else str(online.first + 1), (two.name, one.name)
        wish = Wish(online.duel.id, tuple(online.differs), (two.kind, one.kind), names, first, int(online.pace))
        # What each of them sits here by lets them sit down there, and nobody else.
        new = await self.create(wish, (two.token, one.token))
        with suppress(Refused):
            await self._change(game, "again", lambda online: online.goes_on_in(new.game, self.clock()))

    async def rest(self) -> None:
        """Wait until no program thinks any more."""
        while self._thinking:
            await asyncio.gather(*self._thinking, return_exceptions=True)


def _decided(kind: str, view: View, secret: bytes) -> int:
    """What a program says. Its chance is its own: it follows from a secret of this game and from the turn."""
    seed = int.from_bytes(sha256(secret + str(view.number).encode()).digest()[:15], "big")
    player = seat_player(kind, seed)
    assert player is not None, "a person decides for themselves"
    return int(player.choose(view))

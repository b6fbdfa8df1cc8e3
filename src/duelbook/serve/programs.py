"""Programs in seats of the server: as long as it is their turn somewhere, they are asked, beside everything else."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import Protocol

from duelbook.core import DuelError, Game, SomeRules, SomeState, settings, variant
from duelbook.games import load
from duelbook.honest.writing import LENGTH
from duelbook.match import ILLEGAL, Closable, PlayerFault, Prepared, View
from duelbook.players import ENGINE, HUMAN, check_kind, seat_player
from duelbook.serve import acts
from duelbook.serve.adviser import Adviser
from duelbook.serve.events import Body, Busy, Event, Refused
from duelbook.serve.online import Online
from duelbook.serve.opening import Wish
from duelbook.solving.library import shipped_file

RANDOM = "random"
AGAIN = 5
"""How often a program is asked again whose answer takes too long."""
PAUSE = 2.0
"""Seconds before that."""


class Games(Protocol):
    """What programs need of whoever serves the games."""

    adviser: Adviser
    engines: Mapping[str, str]
    clock: Callable[[], float]

    async def online(self, game: str) -> Online: ...

    async def change(self, game: str, name: str, decide: Callable[[Online], list[Body]]) -> Sequence[Event]: ...


class Programs:
    def __init__(self, games: Games) -> None:
        self._games = games
        self.thinking: dict[str, asyncio.Task[None]] = {}
        """By the games in which they think."""

    def think(self, game: str) -> None:
        """Let the programs of this game decide, if they do not already."""
        if game not in self.thinking:
            task = self.thinking[game] = asyncio.ensure_future(self._decide(game))
            task.add_done_callback(lambda _: self.thinking.pop(game, None))

    async def _decide(self, game: str) -> None:
        """As long as it is a program's turn: let it think in a thread, and play what it says."""
        while True:
            online = await self._games.online(game)
            due = online.programs_due()
            if not due:
                return
            seat, match, moment = due[0], online.match, online.last
            assert match is not None
            assert moment is not None
            kind = online.seats[seat].kind
            wanted = self._games.engines.get(kind, kind)
            said = await self._said(wanted, match.view(seat), _seed(online.secrets[seat], match.view(seat)))
            with suppress(Refused):
                says = partial(self._says, moment.seq, seat, said)
                await self._games.change(game, f"program {seat} {moment.seq}", says)

    async def _said(self, kind: str, view: View, seed: int) -> int | DuelError:
        """What a program says: in a thread, or where rules are solved, if the tables for them are not ours."""
        left = AGAIN
        while True:
            try:
                if not needs_solving(kind, view.game, view.rules):
                    return await asyncio.to_thread(_decided, kind, view, seed)
                where = (view.game.id, tuple(settings(view.game, view.rules)), view.state, view.seat, view.number)
                return await self._games.adviser.ask(decide, kind, *where, seed)
            except Busy:
                pass  # others ask so much: that is no fault of the program, and its game waits
            except Refused as error:
                if not left:
                    return error
                left -= 1
            except DuelError as error:
                return error
            await asyncio.sleep(PAUSE)

    def _says(self, moment: int, seat: int, said: int | DuelError, online: Online) -> list[Body]:
        """What its word leads to, unless the game has gone on while it thought."""
        if online.last is None or online.last.seq != moment or seat not in online.programs_due():
            return []
        now = self._games.clock()
        if isinstance(said, int):
            try:
                return acts.program_acts(online, seat, said, secrets.token_bytes(LENGTH), now)
            except (Refused, IndexError) as error:
                said = PlayerFault(ILLEGAL, str(error))
        return acts.fail(online, seat, said.kind if isinstance(said, PlayerFault) else "failed", str(said), now)


def needs_solving(kind: str, game: Game, rules: SomeRules) -> bool:
    """Whether this player knows the solution, and it did not come with Duelbook."""
    return kind != RANDOM and not kind.startswith(ENGINE) and not shipped_file(game, rules).exists()


async def ready(adviser: Adviser, wish: Wish, engines: Mapping[str, str], address: str = "") -> None:
    """See to it that the programs of a game that somebody at this address wants can play by its rules. Raises Refused
    where they are not solved in time."""
    game = load(wish.duel)
    rules = variant(game, wish.rules)
    for kind in wish.kinds:
        if kind != HUMAN and needs_solving(engines.get(kind) or check_kind(kind), game, rules):
            try:
                await adviser.ask_for(address, prepare, check_kind(kind), game.id, tuple(settings(game, rules)))
            except DuelError as error:
                raise Refused(f"Nobody here can play {check_kind(kind)} by these rules. {error}") from None


def prepare(kind: str, duel: str, rules: tuple[str, ...]) -> None:
    """Solve what this player needs, in the adviser's process: it is kept, there and on the disk."""
    game = load(duel)
    player, book = seat_player(kind, 0), variant(game, rules)
    assert isinstance(player, Prepared)
    player.prepare(View(game, book, game.start(book, 0), 0, 0))


def decide(kind: str, duel: str, rules: tuple[str, ...], state: SomeState, seat: int, number: int, seed: int) -> int:
    """What this player says, in the adviser's process."""
    game = load(duel)
    return _decided(kind, View(game, variant(game, rules), state, seat, number), seed)


def _seed(secret: bytes, view: View) -> int:
    """The chance of a program is its own: it follows from a secret of this game and from the turn."""
    return int.from_bytes(sha256(secret + str(view.number).encode()).digest()[:15], "big")


def _decided(kind: str, view: View, seed: int) -> int:
    """What a program says. It is made for this decision and let go after it, so that no process stays behind whatever
    becomes of the game."""
    player = seat_player(kind, seed)
    assert player is not None, "a person decides for themselves"
    try:
        if isinstance(player, Prepared):
            player.prepare(view)
        return int(player.choose(view))
    finally:
        if isinstance(player, Closable):
            player.close()

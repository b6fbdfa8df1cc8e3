"""Who waits in the lobby: a game is withdrawn by whoever opened it, and not offered when they have long gone."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import wait

import pytest

from duelbook.serve.chain import chained
from duelbook.serve.desk import Desk, Offer
from duelbook.serve.events import Body, Event, Refused
from duelbook.serve.guard import Guard
from duelbook.serve.limits import NONE
from duelbook.serve.online import GONE
from duelbook.serve.opening import LINKS, Wish, created
from duelbook.serve.presence import EVERY, OFFERED
from duelbook.serve.sqlite import Sqlite
from duelbook.serve.store import appended
from online_helper import Guest
from pages_helper import Clock, Visitor, run

HOUR = 3600.0
OPEN = Wish("tower", is_open=True)


async def opened(desk: Desk, name: str = "Ann", wish: Wish = OPEN) -> tuple[str, str]:
    """An open game with somebody in it, and what they show."""
    made = await desk.make(wish, "here")
    seated = await desk.join(made.game, made.invitations[0], name, Guest(0).chain_of(LINKS).anchor)
    return made.game, seated.token


def somebody_waits(at: float) -> list[Event]:
    """The same as it is written, by somebody who has gone since."""
    body = created(OPEN, ("one", "two"))
    joined: Body = {"kind": "joined", "seat": 0, "name": "Cy", "anchor": "00" * 32, "token": "theirs"}
    return list(chained(str(body["game"]), None, "", at, [body, joined]))


async def games(desk: Desk) -> list[str]:
    return [offer.online.id for offer in await desk.offers()]


async def written(desk: Desk) -> None:
    """Have it written who is there, once."""
    desk.presence.every = 0.0
    task = asyncio.ensure_future(desk.mark())
    until = desk.clock()
    while desk.presence._written < until:
        await asyncio.sleep(0)
    task.cancel()
    desk.presence.every = EVERY


# Withdrawing


def test_who_opened_a_game_withdraws_it_and_nobody_sits_down_any_more(desk: Desk, store: Sqlite) -> None:
    async def tale() -> None:
        game, _ = await opened(desk)
        assert await games(desk) == [game]
        await desk.act(game, 0, "1", {"do": "withdraw"})
        assert await games(desk) == []
        assert [event.kind for event in store.read(game)] == ["created", "joined", "withdrawn", "over"]
        assert store.games(waiting=True) == []
        with pytest.raises(Refused, match="withdrawn before it began"):
            await desk.join(game, "", "Bo", Guest(1).chain_of(LINKS).anchor)
        for act in ({"do": "withdraw"}, {"do": "resign"}, {"do": "link", "link": "00" * 32}, {"do": "claim"}):
            with pytest.raises(Refused, match="withdrawn before it began"):
                await desk.act(game, 0, f"more {act['do']}", act)
        with pytest.raises(Refused, match="for after this one"):
            await desk.act(game, 0, "again", {"do": "rematch"})

    run(tale)


def test_a_game_that_has_begun_is_resigned_and_not_withdrawn(desk: Desk) -> None:
    """So nobody takes back a game that goes badly, however soon they try."""

    async def tale() -> None:
        game, _ = await opened(desk)
        await desk.join(game, "", "Bo", Guest(1).chain_of(LINKS).anchor)
        for seat in (0, 1):
            with pytest.raises(Refused, match="has begun, so it cannot be withdrawn"):
                await desk.act(game, seat, "1", {"do": "withdraw"})
        assert not (await desk.online(game)).over

    run(tale)


def test_one_who_sits_down_while_the_other_withdraws_either_plays_or_is_told(desk: Desk) -> None:
    async def tale() -> None:
        for turn in range(8):
            game, _ = await opened(desk)
            sits = desk.join(game, "", "Bo", Guest(1).chain_of(LINKS).anchor)
            takes_back = desk.act(game, 0, "1", {"do": "withdraw"})
            both = [sits, takes_back] if turn % 2 else [takes_back, sits]
            done = await asyncio.gather(*both, return_exceptions=True)
            online = await desk.online(game)
            assert sum(isinstance(each, Refused) for each in done) == 1
            assert online.begun != (online.withdrawn is not None)

    run(tale)


def test_a_withdrawn_game_makes_room_for_another(store: Sqlite, clock: Clock) -> None:
    async def tale() -> None:
        desk = Desk(store, clock=clock, limits=NONE._replace(challenges=1))
        game, _ = await opened(desk)
        with pytest.raises(Refused, match="withdraw one"):
            await opened(desk)
        await desk.act(game, 0, "1", {"do": "withdraw"})
        await opened(desk)

    run(tale)


def test_who_watches_or_has_no_seat_withdraws_nothing(app: Guard) -> None:
    async def tale() -> None:
        ann, bo = Visitor(app), Visitor(app)
        await ann.post("/new", duel="tower", opponent="open", name="Ann")
        assert "Withdraw" not in await bo.get(ann.way)
        await bo.post(f"{ann.way}/do", do="withdraw", act="1", sure="1")
        assert bo.code == 403
        assert "Ann waits at" in await bo.get("/")

    run(tale)


def test_a_page_withdraws_a_game_once_whoever_presses_it_is_sure(app: Guard) -> None:
    async def tale() -> None:
        ann, bo = Visitor(app), Visitor(app)
        await ann.post("/new", duel="tower", opponent="open", name="Ann")
        way = ann.way
        assert f'href="{way}"' in await bo.get("/")
        await ann.press("withdraw")
        assert "Are you sure?" in ann.page
        assert f'href="{way}"' in await bo.get("/")
        await ann.press("sure")
        assert ann.standing == "You have withdrawn this game before it began."
        assert "Resign" not in ann.page
        assert "Another game" not in ann.page
        assert f'href="{way}"' not in await bo.get("/")
        await bo.get(way)
        assert bo.standing == "Ann has withdrawn this game before it began."
        assert "Sit down" not in bo.page
        for page in ("review", "replay"):
            assert "nothing to look back at" in await bo.get(f"{way}/{page}")
        assert f'href="{way}"' not in await ann.get("/")

    run(tale)


# The toss that somebody withholds


@pytest.mark.parametrize("quitter", [0, 1])
def test_who_waits_for_the_others_part_of_the_toss_leaves_without_a_loss(quitter: int, desk: Desk) -> None:
    """And so does who withholds it: before the toss there is no game, so neither can claim one."""

    async def tale() -> None:
        game, _ = await opened(desk, wish=OPEN._replace(first="toss"))
        guests = [Guest(0), Guest(1)]
        await desk.join(game, "", "Bo", guests[1].chain_of(LINKS).anchor)
        await desk.act(game, 0, "link", guests[0].wants(await desk.online(game)))
        assert (await desk.online(game)).due() == (1,)
        desk.clock.now += 100 * GONE  # type: ignore[attr-defined]  # it is a test's
        for seat in (0, 1):
            with pytest.raises(Refused, match="has not begun"):
                await desk.act(game, seat, "claim", {"do": "claim"})
        events = await desk.act(game, quitter, "leave", {"do": "withdraw"})
        assert [event.kind for event in events] == ["withdrawn", "over"]
        online = await desk.online(game)
        assert events[-1].body["result"] == "*"
        assert events[-1].body["key"] == online.secret.hex()  # what stopped is published like what was played
        assert online.due() == ()
        with pytest.raises(Refused, match="withdrawn before it began"):
            await desk.act(game, 1, "late", guests[1].wants(online))

    run(tale)


# Who has gone


def test_a_game_of_somebody_who_has_long_gone_is_not_offered_until_they_come_back(desk: Desk, clock: Clock) -> None:
    async def tale() -> None:
        game, token = await opened(desk)
        clock.now += OFFERED - 1
        assert await games(desk) == [game]
        clock.now += 2
        assert await games(desk) == []
        await desk.seat_of(game, token)
        assert await games(desk) == [game]

    run(tale)


@pytest.mark.parametrize(("hours", "offered"), [(1.0, False), (48.0, True), (0.0, True)])
def test_the_operator_says_for_how_long(hours: float, offered: bool, store: Sqlite, clock: Clock) -> None:
    async def tale() -> None:
        desk = Desk(store, clock=clock, offered=hours * HOUR)
        await opened(desk)
        clock.now += 30 * HOUR
        assert bool(await games(desk)) is offered

    run(tale)


def test_the_lobby_says_who_is_away_and_shows_them_last(app: Guard, desk: Desk, clock: Clock) -> None:
    async def tale() -> None:
        await opened(desk, "Ann")
        clock.now += 3 * HOUR
        game, _ = await opened(desk, "Bo")
        page = await Visitor(app).get("/")
        assert re.findall(r">(Ann|Bo) waits at", page) == ["Bo", "Ann"]
        assert re.findall(r"(\w+) waits at [^<]*</a><span[^>]*> away for 3 hours<", page) == ["Ann"]
        offers: list[Offer] = await desk.offers()
        assert [(offer.online.id == game, offer.is_away) for offer in offers] == [(True, False), (False, True)]

    run(tale)


def test_a_server_that_starts_again_knows_who_had_gone(store: Sqlite, clock: Clock) -> None:
    """Else every start would offer every game that was ever opened, and forget who waited only a moment ago."""

    async def tale() -> None:
        before = Desk(store, clock=clock)
        gone, _ = await opened(before, "Ann")
        here, token = await opened(before, "Bo")
        clock.now += OFFERED - HOUR
        await before.seat_of(here, token)
        await written(before)
        clock.now += 2 * HOUR
        assert await games(Desk(store, clock=clock)) == [here]
        assert {listed.game: listed.heard > 0 for listed in store.games(waiting=True)} == {here: True, gone: False}

    run(tale)


def test_who_waits_is_found_however_many_others_have_gone_or_play(store: Sqlite, clock: Clock) -> None:
    """It was so: only the 200 latest games were looked at, and whoever waited longer was in no lobby."""

    async def tale() -> None:
        desk = Desk(store, clock=clock)
        game, token = await opened(desk)
        clock.now += 10.0
        wait([appended(store, somebody_waits(clock.now)) for _ in range(250)])
        clock.now += 2 * EVERY
        await desk.seat_of(game, token)
        await written(desk)
        assert (await games(desk))[0] == game
        again = Desk(store, clock=clock)
        assert (await games(again))[0] == game

    run(tale)

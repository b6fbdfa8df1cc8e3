"""A seat whose secrets the server keeps, for pages without a script, and a seat that moves to another device."""

from __future__ import annotations

import asyncio
import json
import secrets

import pytest

from duelbook.core import BOTH, LUCK
from duelbook.honest.chains import Chain
from duelbook.honest.proof import prove
from duelbook.record import reads, writes
from duelbook.serve.desk import OFFER_LASTS, Desk, NotYours, Seated
from duelbook.serve.events import Refused
from duelbook.serve.online import Act, Online
from duelbook.serve.opening import LINKS, Wish
from duelbook.serve.public import public
from duelbook.serve.recorded import record_of
from duelbook.serve.sqlite import Sqlite
from online_helper import Guest
from slow_helper import one_of_each_kind


async def sits_by_forms(desk: Desk, game: str, invitation: str, name: str) -> tuple[Seated, bytes]:
    chain = secrets.token_bytes(32)
    return await desk.join(game, invitation, name, Chain(chain, LINKS).anchor, chain), chain


def by_forms(online: Online, seat: int) -> Act:
    """What a form says: a word, or that the card be drawn. No secret is in it."""
    match = online.match
    assert match is not None
    if match.turn == LUCK:
        return {"do": "link"}
    move = match.game.legal_moves(match.rules, match.state, seat)[0]
    return {"do": "move", "move": match.game.dialogue.words(match.rules)[move]}


@pytest.mark.parametrize("id", one_of_each_kind())
@pytest.mark.parametrize("first", ["1", "2", "toss"])
def test_whoever_leaves_their_secrets_to_the_server_plays_a_game_that_verifies_and_says_so(
    id: str, first: str, store: Sqlite
) -> None:
    async def tale() -> None:
        desk = Desk(store)
        made = await desk.create(Wish(id, first=first))
        kept, chain = await sits_by_forms(desk, made.game, made.invitations[0], "Ann")
        guest = Guest(1)
        anchor = guest.chain(await desk.online(made.game)).anchor
        await desk.join(made.game, made.invitations[1], "Bo", anchor)
        number, hidden = 0, False
        while not (online := await desk.online(made.game)).over:
            seat, number = online.due()[0], number + 1
            if online.match is not None and number > 60:  # some duels never end by themselves
                await desk.act(made.game, seat, "enough", {"do": "resign"})
                continue
            hidden = hidden or online.toss or (online.match is not None and online.match.turn in (BOTH, LUCK))
            act = by_forms(online, 0) if seat == kept.seat else guest.wants(online)
            await desk.act(made.game, seat, str(number), act)
        text = writes(record_of(online))
        (record,) = reads(text)
        assert ("kept the secrets of Ann, who played without a script" in prove(record)) == bool(hidden)
        assert [event.body.get("kept") for event in await desk.events(made.game) if event.kind == "joined"] == [
            True,
            None,
        ]
        shown = json.dumps([public(event, viewer) for event in await desk.events(made.game) for viewer in (None, 0, 1)])
        assert chain.hex() not in shown
        assert chain.hex() not in text

    asyncio.run(tale())


def test_a_pick_that_was_left_to_the_server_is_in_no_news_before_both_are_in(store: Sqlite) -> None:
    async def tale() -> None:
        desk = Desk(store)
        made = await desk.create(Wish("secret"))
        await sits_by_forms(desk, made.game, made.invitations[0], "Ann")
        await desk.join(made.game, made.invitations[1], "Bo", Guest(1).chain(await desk.online(made.game)).anchor)
        known = len(await desk.events(made.game))
        await desk.act(made.game, 0, "1", {"do": "move", "move": "7"})
        told = [public(event, 1) for event in await desk.events(made.game, known)]
        assert [set(event) - {"seq", "at"} for event in told] == [{"kind", "seat", "turn", "seal"}, {"kind", "seat"}]

    asyncio.run(tale())


def test_a_seat_goes_over_to_another_device_once_and_soon(store: Sqlite) -> None:
    now = [1000.0]

    async def tale() -> None:
        desk = Desk(store, clock=lambda: now[0])
        made = await desk.create(Wish("tower"))
        seated, _ = await sits_by_forms(desk, made.game, made.invitations[0], "Ann")
        offer = await desk.offer(made.game, 0)
        handed = await desk.hand_over(made.game, offer)
        assert await desk.seat_of(made.game, handed.token) == 0
        with pytest.raises(NotYours):
            await desk.seat_of(made.game, seated.token)
        for wrong in (offer, "", "made up"):
            with pytest.raises(Refused, match="has been used, or is too old"):
                await desk.hand_over(made.game, wrong)
        late = await desk.offer(made.game, 0)
        now[0] += OFFER_LASTS + 1
        with pytest.raises(Refused, match="too old"):
            await desk.hand_over(made.game, late)
        known = json.dumps([public(event, 1) for event in await desk.events(made.game)])
        assert "offer" not in known.replace("offered", "")
        assert Online(store.read(made.game)).seats[0].token == Online(await desk.events(made.game)).seats[0].token

    asyncio.run(tale())

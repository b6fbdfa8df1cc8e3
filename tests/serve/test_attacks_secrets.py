"""What others see before they may: every byte that is sent of a game, held against everything in it that is secret."""

from __future__ import annotations

import asyncio
import os
import re
import secrets as chance
import sys
from pathlib import Path
from typing import NamedTuple

import httpx2 as httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from duelbook import game_ids
from duelbook.core import BOTH, LUCK
from duelbook.honest.chains import Chain
from duelbook.honest.seals import seal
from duelbook.record import writes
from duelbook.serve.app import application
from duelbook.serve.desk import Desk
from duelbook.serve.events import Refused
from duelbook.serve.news import News
from duelbook.serve.online import Act, Online
from duelbook.serve.opening import LINKS, Wish
from duelbook.serve.public import SHOWN
from duelbook.serve.recorded import record_of
from duelbook.serve.sqlite import Sqlite, backup
from duelbook.serve.store import appended
from duelbook.serve.told import table_text
from online_helper import Guest

VIEWERS = (None, 0, 1)
HOST = "duels.test"


class Listening:
    """Somebody who follows a game, and keeps every byte that they get."""

    def __init__(self, viewer: int | None) -> None:
        self.viewer = viewer
        self.frames: list[bytes] = []

    def hear(self, news: News) -> None:
        self.frames.append(news.frame(self.viewer))


class Sitting(NamedTuple):
    """Somebody at the table, with what is known of them."""

    guest: Guest
    kept: bool
    token: str


def wants(sitting: Sitting, online: Online, word: str = "") -> Act:
    """What they do next: with secrets of their own, or by a form."""
    if not sitting.kept:
        return sitting.guest.wants(online)
    match = online.match
    if match is None or match.turn == LUCK:
        return {"do": "link"}
    moves = match.game.legal_moves(match.rules, match.state, sitting.guest.seat)
    move = sitting.guest.random.choice(moves)
    return {"do": "move", "move": word or match.game.dialogue.words(match.rules)[move]}


async def sat_down(desk: Desk, game: str, invitations: tuple[str, str], kept: tuple[bool, bool]) -> list[Sitting]:
    people = []
    for seat, name in enumerate(("Ann", "Bo")):
        guest = Guest(seat, chance.randbelow(1 << 30))
        anchor = guest.chain_of(LINKS).anchor
        sat = await desk.join(game, invitations[seat], name, anchor, guest.secret if kept[seat] else b"")
        people.append(Sitting(guest, kept[seat], sat.token))
    return people


def hidden(online: Online, people: list[Sitting], invitations: tuple[str, str]) -> set[str]:
    """Everything in a running game that nobody but its owner may see, as it would be written."""
    found = {online.secret.hex(), *online.invitations, *invitations}
    for sitting in people:
        seat = online.seats[sitting.guest.seat]
        chain = Chain(sitting.guest.secret, LINKS)
        found |= {sitting.token, seat.token, sitting.guest.secret.hex()}
        found |= {chain.link(number).hex() for number in range(len(seat.links) + 1, len(seat.links) + 4)}
        if seat.offer is not None:
            found.add(seat.offer[0])
        if seat.opening is not None:
            found.add(seat.opening[1].hex())
        if sitting.guest.promised[1]:
            found.add(sitting.guest.promised[1].hex())
    return {each for each in found if each} - {salt.hex() for pair in online.revealed for salt in pair}


async def goes_on(desk: Desk, id: str, kept: tuple[bool, bool], first: str, steps: int) -> None:
    """A game of so many steps, and after each of them every byte that was sent to anybody."""
    made = await desk.create(Wish(id, first=first))
    listening = [Listening(viewer) for viewer in VIEWERS]
    for each in listening:
        desk.follow(made.game, each)
    people = await sat_down(desk, made.game, made.invitations, kept)
    await desk.offer(made.game, 0)
    read = 0
    for number in range(steps):
        online = await desk.online(made.game)
        if online.over:
            break
        sent = b"".join(frame for each in listening for frame in each.frames[read:])
        sent += b"".join(table_text(online, viewer).encode() for viewer in VIEWERS)
        sent += writes(record_of(online)).encode() if online.begun else b""
        read = len(listening[0].frames)
        for secret in hidden(online, people, made.invitations):
            assert secret.encode() not in sent, (id, online.last)
        seat = online.due()[0]
        await desk.act(made.game, seat, f"{number}", wants(people[seat], online))


@pytest.mark.parametrize(("id", "kept"), [("deck", (False, True)), ("secret", (True, False))])
def test_no_secret_is_in_any_byte_that_is_sent(id: str, kept: tuple[bool, bool], store: Sqlite) -> None:
    asyncio.run(goes_on(Desk(store), id, kept, "toss", 8))


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    id=st.sampled_from(game_ids()),
    kept=st.tuples(st.booleans(), st.booleans()),
    first=st.sampled_from(["1", "2", "toss"]),
    steps=st.integers(1, 25),
)
def test_no_secret_is_in_any_byte_that_is_sent_in_any_game(
    store: Sqlite, id: str, kept: tuple[bool, bool], first: str, steps: int
) -> None:
    asyncio.run(goes_on(Desk(store), id, kept, first, steps))


def test_no_page_shows_a_secret_either(store: Sqlite) -> None:
    """Nor do the sentences that refuse something: whatever can be asked for, as everybody who can ask."""

    async def tale() -> None:
        desk = Desk(store)
        made = await desk.create(Wish("deck"))
        people = await sat_down(desk, made.game, made.invitations, (True, False))
        for number in range(4):
            online = await desk.online(made.game)
            seat = online.due()[0]
            await desk.act(made.game, seat, f"{number}", wants(people[seat], online))
        guard = application(desk, [HOST])
        transport = httpx.ASGITransport(app=guard)
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as http:
            said = ""
            for token in ("", people[0].token, people[1].token, "made up"):
                headers = {"authorization": f"Bearer {token}"} if token else {}
                for way in ("", "/events", "/record"):
                    answer = await http.get(f"/api/games/{made.game}{way}", headers=headers)
                    said += answer.text + str(answer.headers)
                for way in ("", "/parts", "/review", "/replay", "/aftermath", "/coach"):
                    answer = await http.get(f"/game/{made.game}{way}", headers=headers)
                    said += answer.text + str(answer.headers)
            said += (await http.get("/")).text + (await http.get("/api/games")).text
        for secret in hidden(await desk.online(made.game), people, made.invitations):
            assert secret not in said

    asyncio.run(tale())


def test_two_people_are_not_helped_by_any_page_while_they_play(store: Sqlite) -> None:
    async def tale() -> None:
        desk = Desk(store)
        made = await desk.create(Wish("tower"))
        people = await sat_down(desk, made.game, made.invitations, (False, False))
        await desk.act(made.game, 0, "1", {"do": "move", "move": "build 4"})
        transport = httpx.ASGITransport(app=application(desk, [HOST]))
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as http:
            for token in ("", people[0].token):
                headers = {"authorization": f"Bearer {token}"} if token else {}
                for way in ("/review", "/aftermath", "/coach", "/coach?coach=hint", "?coach=hint"):
                    answer = await http.get(f"/game/{made.game}{way}", headers=headers)
                    assert answer.status_code == 409, way
        thinkers = (desk.adviser, desk.coach, desk.solver)
        assert all(each._process is None for each in thinkers)  # they were not even asked

    asyncio.run(tale())


# A pick


DIGEST = re.compile(rb"[0-9a-f]{64}")


async def seen_of(store: Sqlite, pick: str, *, kept: bool) -> list[list[bytes]]:
    """What the other seat and a spectator get of a round in which the first seat picks this, up to the last moment."""
    desk = Desk(store, clock=lambda: 1000.0)
    game = store.games()[0].game
    listening = [Listening(None), Listening(1)]
    for each in listening:
        desk.follow(game, each)
    online = await desk.online(game)
    assert online.match is not None
    assert online.match.turn == BOTH
    salt, other = bytes(32), Guest(1)
    if kept:
        await desk.act(game, 0, "pick", {"do": "move", "move": pick})
    else:
        await desk.act(game, 0, "pick", {"do": "seal", "seal": seal(game, 1, 0, pick, salt).hex()})
    await desk.act(game, 1, "pick", other.wants(online))
    if not kept:
        await desk.act(game, 0, "open", {"do": "open", "pick": pick, "salt": salt.hex()})
    online = await desk.online(game)
    for each in listening:
        each.frames.append(table_text(online, each.viewer).encode())
    listening[0].frames.append(writes(record_of(online)).encode())
    assert online.due() == (1,)
    with pytest.raises(Refused):
        await desk.act(game, 1, "early", {"do": "move", "move": pick})
    return [each.frames for each in listening]


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize("pair", [("1", "10"), ("5", "6")])
def test_games_that_differ_in_a_pick_alone_are_told_alike_until_it_is_revealed(
    pair: tuple[str, str], kept: bool, tmp_path: Path
) -> None:
    """To the opponent and to whoever watches: the same messages in the same order, byte for byte but for the digest."""

    async def begin(store: Sqlite) -> None:
        desk = Desk(store, clock=lambda: 1000.0)
        made = await desk.create(Wish("secret"))
        for seat, name in enumerate(("Ann", "Bo")):
            guest = Guest(seat)
            anchor = guest.chain_of(LINKS).anchor
            await desk.join(made.game, made.invitations[seat], name, anchor, guest.secret if kept and not seat else b"")

    first = Sqlite(tmp_path / "one.db")
    asyncio.run(begin(first))
    begun = first.read(first.games()[0].game)
    second = Sqlite(tmp_path / "two.db")
    appended(second, begun).result()
    try:
        told = [asyncio.run(seen_of(store, pick, kept=kept)) for store, pick in zip((first, second), pair, strict=True)]
    finally:
        first.close()
        second.close()
    for one, two in zip(*told, strict=True):
        assert [len(frame) for frame in one] == [len(frame) for frame in two]
        assert [DIGEST.sub(b"#", frame) for frame in one] == [DIGEST.sub(b"#", frame) for frame in two]


def test_a_new_field_of_an_event_is_a_secret_until_somebody_says_otherwise() -> None:
    from duelbook.serve.events import Event
    from duelbook.serve.public import public

    for kind in [*SHOWN, "unheard of"]:
        event = Event("g", 1, 1.0, "0 x", {"kind": kind, "seat": 0, "surprise": "secret"}, "")
        for viewer in VIEWERS:
            assert "secret" not in str(public(event, viewer))


def test_no_secret_is_logged_and_no_token_is_kept(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever goes well or wrong: who reads the log or the file of a server takes no seat by that."""

    async def tale() -> None:
        store = Sqlite(tmp_path / "games.db")
        desk = Desk(store)
        made = await desk.create(Wish("secret"))
        people = await sat_down(desk, made.game, made.invitations, (False, False))
        offered = await desk.offer(made.game, 0)
        transport = httpx.ASGITransport(app=application(desk, [HOST]), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as http:
            for sitting in people:
                headers = {"authorization": f"Bearer {sitting.token}"}
                for act in (sitting.guest.wants(await desk.online(made.game)), {"do": "fly"}, {"do": "claim"}):
                    await http.post(
                        f"/api/games/{made.game}/act", json={"act": chance.token_hex(4), **act}, headers=headers
                    )
                await http.get(f"/api/games/{made.game}/events?after=x", headers=headers)
        secrets = hidden(await desk.online(made.game), people, made.invitations)
        store.close()
        assert not [secret for secret in secrets if secret in caplog.text]
        kept = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
        for token in (*made.invitations, offered, *(sitting.token for sitting in people)):
            assert token.encode() not in kept

    with caplog.at_level("DEBUG"):
        asyncio.run(tale())


@pytest.mark.skipif(sys.platform == "win32", reason="who may read a file is said otherwise there")
def test_no_other_user_of_the_machine_reads_the_secrets_of_games_that_go_on(tmp_path: Path) -> None:
    """Who plays on a server and has an account on its machine could: the next card follows from what is in there."""
    before = os.umask(0o022)
    try:
        store = Sqlite(tmp_path / "games.db")
        asyncio.run(Desk(store).create(Wish("deck")))
        backup(tmp_path / "games.db", tmp_path / "copy.db")
        kept = [file for file in tmp_path.iterdir() if file.suffix != ".lock"]
        assert len(kept) >= 3, "the file, its log, and the copy"
        assert [file.name for file in kept if file.stat().st_mode & 0o077] == []
        store.close()
    finally:
        os.umask(before)

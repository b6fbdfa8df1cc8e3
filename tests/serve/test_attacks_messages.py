"""Messages made by somebody who wants to break the server, or what it has written down."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2 as httpx
import pytest

from duelbook.serve.app import application
from duelbook.serve.desk import Desk
from duelbook.serve.guard import Guard
from duelbook.serve.limits import PAGE, Rate
from duelbook.serve.online import Online
from duelbook.serve.sqlite import Sqlite

HOST = "duels.test"


class Table:
    """A game of two people on a server, for whoever tries something at it."""

    def __init__(self, http: httpx.AsyncClient, store: Sqlite) -> None:
        self.http, self.store, self.tokens = http, store, ["", ""]
        self.game = ""

    async def set_up(self, **asked: object) -> None:
        made = (await self.http.post("/api/games", json={"duel": "tower", **asked})).json()
        self.game = made["game"]
        for seat, which in enumerate(("mine", "friend")):
            wish = {
                "invitation": made["invitations"][which],
                "name": ("Ann", "Bo")[seat],
                "anchor": "00" * 32,
                "keep": True,
            }
            self.tokens[seat] = (await self.http.post(f"/api/games/{self.game}/join", json=wish)).json()["token"]

    async def send(self, seat: int, raw: bytes) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.tokens[seat]}"}
        return await self.http.post(f"/api/games/{self.game}/act", content=raw, headers=headers)

    def kept(self) -> Online:
        """The game as a process that has seen nothing of it reads it."""
        return Online(self.store.read(self.game))


@pytest.fixture
def guard(store: Sqlite) -> Guard:
    return application(Desk(store), [HOST])


def client(guard: Guard, **more: Any) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=guard, **more), base_url=f"http://{HOST}")


HALVES = [rb"\ud800", rb"\udfff", b"\xed\xa0\x80", rb"\ud800\ud800"]
"""Halves of letters, as JSON can spell them: text that no file can hold."""


@pytest.mark.parametrize("half", HALVES)
def test_half_a_letter_in_the_name_of_an_act_is_no_way_to_skip_the_others_turn(
    half: bytes, guard: Guard, store: Sqlite
) -> None:
    """It was: the move had happened in memory and was on no disk, and after the next one the game could not be read."""

    async def tale() -> None:
        async with client(guard) as http:
            table = Table(http, store)
            await table.set_up()
            refused = await table.send(0, b'{"act": "' + half + b'", "do": "move", "move": "build 4"}')
            assert (refused.status_code, refused.json()["refused"]) == (400, "That is not JSON.")
            assert (await table.send(1, b'{"act": "1", "do": "move", "move": "build 4"}')).status_code == 409
            assert (await table.send(0, b'{"act": "1", "do": "move", "move": "build 1"}')).status_code == 200
            assert table.kept().match is not None

    asyncio.run(tale())


def test_an_act_that_cannot_be_written_down_has_not_happened(store: Sqlite) -> None:
    """Even if such a name came through: the game in memory is the one on disk."""

    async def tale() -> None:
        desk = Desk(store)
        async with client(application(desk, [HOST])) as http:
            table = Table(http, store)
            await table.set_up()
            with pytest.raises(UnicodeEncodeError):
                await desk.act(table.game, 0, "\ud800", {"do": "move", "move": "build 4"})
            assert (await desk.online(table.game)).due() == table.kept().due() == (0,)

    asyncio.run(tale())


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize(
    "message",
    [
        b'{"duel": "%s"}',
        b'{"duel": "tower", "opponent": "%s"}',
        b'{"duel": "tower", "first": "%s"}',
        b'{"duel": "tower", "rules": ["%s=1"]}',
        b'{"duel": "tower", "rules": ["goal=%s"]}',
        b'{"duel": "tower", "%s": 1}',
    ],
)
def test_half_a_letter_is_refused_wherever_it_stands(half: bytes, message: bytes, guard: Guard) -> None:
    async def tale() -> None:
        async with client(guard) as http:
            answer = await http.post("/api/games", content=message.replace(b"%s", half))
            assert (answer.status_code, answer.json()["refused"]) == (400, "That is not JSON.")

    asyncio.run(tale())


@pytest.mark.parametrize(
    "raw",
    [
        b'{"act": "1", "do": ["move"]}',
        b'{"act": "1", "do": {"move": 1}}',
        b'{"act": 1, "do": "resign"}',
        b'{"act": "' + b"x" * 65 + b'", "do": "resign"}',
        b'{"act": "", "do": "resign"}',
        b'{"act": "1", "do": "move", "move": 1e999}',
        b'{"act": "1", "do": "move", "move": NaN}',
        b'{"act": "1", "do": "move", "move": ' + b"9" * 4000 + b"}",
        b'{"act": "1", "do": "move", "said": "' + b"build " * 600 + b'"}',
        b'{"act": "1", "do": "move", "move": "build 4", "link": "0"}',
        b'{"act": "1", "do": "move", "move": "build 4", "link": [["00"]]}',
        b'{"act": "1", "do": "open", "pick": "build 4", "salt": "' + b"0" * 64 + b'"}',
        b'{"act": "1", "do": "seal", "seal": "' + "٠".encode() * 64 + b'"}',
        b'{"act": "1", "do": "claim"}',
        b'{"act": "1", "do": "again"}',
        b'{"act": "1", "do": "program"}',
        '{"act": "1", "do": "resign"}'.encode("utf-16"),
        '{"act": "1", "do": "resign"}'.encode("utf-32"),
        b"[" * 4000,
        b'{"a":' * 800,
        b'"resign"',
    ],
)
def test_nonsense_in_a_seat_is_refused_and_changes_nothing(raw: bytes, guard: Guard, store: Sqlite) -> None:
    async def tale() -> None:
        async with client(guard) as http:
            table = Table(http, store)
            await table.set_up()
            before = store.read(table.game)
            answer = await table.send(0, raw)
            assert answer.status_code in (400, 409)
            assert answer.json()["refused"].endswith((".", "?"))
            assert store.read(table.game) == before

    asyncio.run(tale())


@pytest.mark.parametrize("name", ["join x", "program 0 5", "program 1 5", "again", "offer x", "handed x", "1 1", "0 1"])
def test_no_name_of_an_act_is_that_of_somebody_elses(name: str, guard: Guard, store: Sqlite) -> None:
    """Neither an act of the other seat nor what the server does itself is answered or kept from happening by it."""

    async def tale() -> None:
        async with client(guard) as http:
            table = Table(http, store)
            await table.set_up()
            raw = b'{"act": "%s", "do": "move", "move": "build 1"}' % name.encode()
            for seat in (0, 1, 0, 1):  # the same name again in the same seat is answered, and does nothing
                assert (await table.send(seat, raw)).status_code == 200
            assert [event.act for event in store.read(table.game)][-2:] == [f"0 {name}", f"1 {name}"]
            for seat in (0, 1):
                assert (await table.send(seat, b'{"act": "end %d", "do": "resign"}' % seat)).status_code in (200, 409)
            for seat in (0, 1):
                assert (await table.send(seat, b'{"act": "more", "do": "rematch"}')).status_code == 200
            assert table.kept().next_game

    asyncio.run(tale())


def test_the_other_seat_does_not_see_how_an_act_was_named(guard: Guard, store: Sqlite) -> None:
    async def tale() -> None:
        async with client(guard) as http:
            table = Table(http, store)
            await table.set_up()
            await table.send(0, b'{"act": "a name of my own", "do": "resign"}')
            for token in (table.tokens[1], ""):
                headers = {"authorization": f"Bearer {token}"} if token else {}
                seen = (await http.get(f"/api/games/{table.game}/events", headers=headers)).text
                assert "a name of my own" not in seen

    asyncio.run(tale())


class TestWhereFrom:
    @pytest.mark.parametrize(
        ("headers", "code"),
        [
            ([("origin", f"http://{HOST}")], 201),
            ([], 201),
            ([("sec-fetch-site", "same-origin")], 201),
            ([("origin", f"https://{HOST}")], 403),
            ([("origin", f"http://{HOST}:80")], 403),
            ([("origin", f"http://{HOST}/")], 403),
            ([("origin", f"HTTP://{HOST}")], 403),
            ([("origin", f"http://x@{HOST}")], 403),
            ([("origin", f"ws://{HOST}")], 403),
            ([("origin", HOST)], 403),
            ([("origin", "")], 403),
            ([("origin", "http://localhost:8765")], 403),
            ([("origin", f"http://{HOST}"), ("origin", "http://evil.test")], 403),
            ([("sec-fetch-site", "same-site")], 403),
            ([("sec-fetch-site", "new-word")], 403),
            ([("origin", f"http://{HOST}"), ("sec-fetch-site", "cross-site")], 403),
            ([("host", HOST), ("host", "evil.test")], 421),
            ([("host", f"{HOST}:80")], 421),
            ([("host", f"{HOST}.")], 421),
            ([("host", "")], 421),
            ([("x-forwarded-host", HOST), ("host", "evil.test")], 421),
            ([("x-forwarded-proto", "https"), ("origin", f"https://{HOST}")], 403),
        ],
    )
    def test_only_the_exact_origin_and_host_change_anything(
        self, headers: list[tuple[str, str]], code: int, guard: Guard
    ) -> None:
        async def tale() -> None:
            async with client(guard) as http:
                answer = await http.post("/api/games", content=b'{"duel": "tower"}', headers=headers)
                assert answer.status_code == code

        asyncio.run(tale())

    def test_another_name_of_this_server_is_another_origin(self, store: Sqlite) -> None:
        """Names that lead here share no pages: who is asked for as one is not played from the other."""

        async def tale() -> None:
            async with client(application(Desk(store), [HOST, "other.test"])) as http:
                headers = {"host": HOST, "origin": "http://other.test"}
                assert (await http.post("/api/games", json={"duel": "tower"}, headers=headers)).status_code == 403

        asyncio.run(tale())

    def test_behind_a_proxy_that_speaks_tls_pages_come_by_https_and_by_nothing_else(self, store: Sqlite) -> None:
        async def tale() -> None:
            async with client(application(Desk(store), [HOST], trust_proxy=True)) as http:
                for scheme, code in (("https", 201), ("http", 403)):
                    headers = {"x-forwarded-proto": "https", "origin": f"{scheme}://{HOST}"}
                    answer = await http.post("/api/games", json={"duel": "tower"}, headers=headers)
                    assert answer.status_code == code
                made = (await http.post("/api/games", json={"duel": "tower"})).json()
                wish = {"invitation": made["invitations"]["mine"], "name": "Ann", "anchor": "00" * 32}
                way = f"/api/games/{made['game']}/join"
                sat = await http.post(way, json=wish, headers={"x-forwarded-proto": "https"})
                assert "secure" in sat.headers["set-cookie"].lower()

        asyncio.run(tale())

    def test_a_page_by_https_that_the_server_knows_nothing_of_hears_what_is_missing(self, guard: Guard) -> None:
        async def tale() -> None:
            async with client(guard) as http:
                answer = await http.post("/api/games", json={"duel": "tower"}, headers={"origin": f"https://{HOST}"})
                assert "--trust-proxy" in answer.json()["refused"]

        asyncio.run(tale())


class TestAddresses:
    """Who asks too often cannot pass for somebody else."""

    async def codes(self, guard: Guard, headers: list[list[tuple[str, str]]], peer: str = "192.0.2.1") -> list[int]:
        guard.rate = Rate(2, 0, lambda: 0.0)
        async with client(guard, client=(peer, 1)) as http:
            return [
                (await http.post("/api/games", content=b"{}", headers=[*each, ("host", HOST)])).status_code
                for each in headers
            ]

    def test_without_a_trusted_proxy_nobody_is_believed(self, guard: Guard) -> None:
        forged = [[("x-forwarded-for", f"198.51.100.{number}")] for number in range(4)]
        assert asyncio.run(self.codes(guard, forged)) == [400, 400, 429, 429]

    @pytest.mark.parametrize("lines", [1, 2])
    def test_with_one_only_what_the_proxy_has_added_is_believed(self, lines: int, store: Sqlite) -> None:
        """Some proxies add to the line that a client has sent, and some add a line."""
        trusting = application(Desk(store), [HOST], trust_proxy=True)

        def said(number: int) -> list[tuple[str, str]]:
            forged = f"198.51.100.{number}"
            name = "x-forwarded-for"
            return [(name, f"{forged}, 192.0.2.9")] if lines == 1 else [(name, forged), (name, "192.0.2.9")]

        assert asyncio.run(self.codes(trusting, [said(number) for number in range(4)])) == [400, 400, 429, 429]

    def test_a_network_of_ipv6_is_one_address(self, store: Sqlite) -> None:
        trusting = application(Desk(store), [HOST], trust_proxy=True)
        same = [[("x-forwarded-for", f"2001:db8::{number:x}")] for number in (1, 2, 3)]
        other = [[("x-forwarded-for", "2001:db8:0:1::1")], [("x-forwarded-for", "::ffff:192.0.2.4")]]
        assert asyncio.run(self.codes(trusting, same + other)) == [400, 400, 429, 400, 400]

    def test_looking_has_a_limit_too(self, guard: Guard) -> None:
        async def tale() -> None:
            guard.looks = Rate(3, 0, lambda: 0.0)
            async with client(guard) as http:
                assert [(await http.get("/health")).status_code for _ in range(5)] == [200, 200, 200, 429, 429]

        asyncio.run(tale())

    def test_a_page_weighs_more_than_a_plain_question(self, guard: Guard) -> None:
        """It takes as long to draw as some dozen of them to answer."""

        async def tale() -> None:
            guard.looks = Rate(2 * PAGE + 1, 0, lambda: 0.0)
            async with client(guard) as http:
                assert [(await http.get("/rules")).status_code for _ in range(3)] == [200, 200, 429]
                assert [(await http.get("/health")).status_code for _ in range(2)] == [200, 429]

        asyncio.run(tale())

    def test_questions_that_wait_for_their_answers_have_one(self, store: Sqlite) -> None:
        async def tale() -> None:
            guard = application(Desk(store), [HOST])
            guard.at_once = 2
            async with client(guard) as http:
                game = (await http.post("/api/games", json={"duel": "tower"})).json()["game"]
                way = f"/api/games/{game}/events?after=1&wait=25"
                waiting = [asyncio.ensure_future(http.get(way)) for _ in range(2)]
                await asyncio.sleep(0)  # both are on their way
                while guard._asking.total() < 2:
                    await asyncio.sleep(0)
                assert (await http.get("/health")).status_code == 429
                for each in waiting:
                    each.cancel()
                await asyncio.gather(*waiting, return_exceptions=True)
                assert (await http.get("/health")).status_code == 200

        asyncio.run(tale())


@pytest.mark.parametrize(
    "message", [{"seat": True}, {"seat": 3}, {"pace": True}, {"pace": "5"}, {"rules": "goal=9"}, {"opponent": 5}]
)
def test_what_is_no_wish_is_called_that(message: dict[str, object], guard: Guard) -> None:
    """And not something that might be asked for later: 400, as the protocol's page has it."""

    async def tale() -> None:
        async with client(guard) as http:
            answer = await http.post("/api/games", json={"duel": "tower", **message})
            assert answer.status_code == 400, answer.text

    asyncio.run(tale())


@pytest.mark.parametrize("after", ["-1", "9999999999", "1e3", "٣", "", "0x1", "1;", "%00"])
def test_events_behind_no_number_are_refused(after: str, guard: Guard) -> None:
    async def tale() -> None:
        async with client(guard) as http:
            game = (await http.post("/api/games", json={"duel": "tower"})).json()["game"]
            assert (await http.get(f"/api/games/{game}/events?after={after}")).status_code == 400
            assert (await http.get(f"/api/games/{game}/events?after=999999999")).json() == {"events": []}

    asyncio.run(tale())

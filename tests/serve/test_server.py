"""The server as it is asked over HTTP and WebSocket: games to their end, and every kind of attack on them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2 as httpx
import pytest

from duelbook.core import DuelError
from duelbook.honest.proof import prove
from duelbook.record import reads
from duelbook.serve import told
from duelbook.serve.app import application
from duelbook.serve.desk import Desk, NotYours
from duelbook.serve.events import Event, Json, Refused
from duelbook.serve.guard import Guard
from duelbook.serve.limits import LARGEST_MESSAGE, Rate
from duelbook.serve.online import Online
from duelbook.serve.opening import Wish
from duelbook.serve.store import Store
from duelbook.table.telling import ending
from online_helper import Guest, played
from slow_helper import one_of_each_kind

HOST = "duels.test"


@pytest.fixture
def app(store: Store) -> Guard:
    return application(Desk(store), [HOST])


def client(app: Guard) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=f"http://{HOST}")


def run(tale: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(tale())  # type: ignore[arg-type]  # a coroutine is what it is


async def made(http: httpx.AsyncClient, **asked: Any) -> tuple[str, dict[str, str]]:
    answer = await http.post("/api/games", json={"duel": "tower", **asked})
    assert answer.status_code == 201, answer.text
    return answer.json()["game"], answer.json()["invitations"]


async def seated(http: httpx.AsyncClient, game: str, invitation: str, guest: Guest, name: str = "") -> dict[str, str]:
    """Sit down, and get what is shown with every act from then on."""
    anchor = guest.chain(Online(await events_of(http, game))).anchor.hex()
    asked = {"invitation": invitation, "name": name, "anchor": anchor, "keep": True}
    answer = await http.post(f"/api/games/{game}/join", json=asked)
    assert answer.status_code == 200, answer.text
    guest.seat = answer.json()["seat"]
    return {"authorization": f"Bearer {answer.json()['token']}"}


async def events_of(http: httpx.AsyncClient, game: str) -> list[Event]:
    """All events, from the desk itself: what a client may see is not enough to carry a game on for both."""
    desk: Desk = http._transport.app.app.state.desk  # type: ignore[attr-defined]  # the guard's app's
    return await desk.events(game)


async def plays_on(http: httpx.AsyncClient, game: str, sides: list[tuple[Guest, dict[str, str]]]) -> Online:
    """Both do what they owe until the game is over; every act is sent twice, as from a network that stutters."""
    number = 0
    while True:
        online = Online(await events_of(http, game))
        if online.over:
            return online
        waiting = [side for side in sides if side[0].seat in online.due()]
        if not waiting:
            await http._transport.app.app.state.desk.rest()  # type: ignore[attr-defined]  # a program thinks
            continue
        guest, token = waiting[0]
        number += 1
        act = {"act": f"{number}", **guest.wants(online)}
        answers = [await http.post(f"/api/games/{game}/act", json=act, headers=token) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [200, 200], answers[0].text
        assert answers[0].json() == answers[1].json()


@pytest.mark.parametrize("id", one_of_each_kind())
def test_two_people_play_a_duel_to_its_end(id: str, app: Guard) -> None:
    async def tale() -> None:
        async with client(app) as http:
            game, invitations = await made(http, duel=id, first="toss")
            one, two = Guest(0), Guest(1)
            sides = [(one, await seated(http, game, invitations["mine"], one, "Ann"))]
            sides.append((two, await seated(http, game, invitations["friend"], two, "Bo")))
            online = await plays_on(http, game, sides)
            text = (await http.get(f"/api/games/{game}/record")).text
            (record,) = reads(text)
            assert online.match is not None
            assert record.match.steps == online.match.steps
            assert prove(record).startswith("Online: ")
            table = (await http.get(f"/api/games/{game}")).json()
            assert table["over"]
            assert table["you"] is None
            assert any("Ann" in line["text"] for line in table["story"])

    run(tale)


@pytest.mark.parametrize("id", ["tower", "secret"])
def test_a_person_plays_a_program_on_the_server(id: str, app: Guard) -> None:
    async def tale() -> None:
        async with client(app) as http:
            game, invitations = await made(http, duel=id, opponent="level:2", seat=2)
            assert "friend" not in invitations
            guest = Guest(1)
            await plays_on(http, game, [(guest, await seated(http, game, invitations["mine"], guest, "Ann"))])

    run(tale)


def test_another_process_on_the_same_file_goes_on_where_the_first_was(store: Store) -> None:
    async def tale() -> None:
        apps = [application(Desk(store), [HOST]) for _ in range(2)]
        async with client(apps[0]) as http, client(apps[1]) as other:
            game, invitations = await made(http, duel="tower")
            one, two = Guest(0), Guest(1)
            tokens = [await seated(http, game, invitations["mine"], one, "Ann")]
            await other.get(f"/api/games/{game}")  # it knows the game from now on, and not what comes
            tokens.append(await seated(other, game, invitations["friend"], two, "Bo"))
            for number in range(6):
                online = Online(store.read(game))
                guest = (one, two)[online.due()[0]]
                act = {"act": str(number), **guest.wants(online)}
                asked = (http, other)[number % 2]
                answer = await asked.post(f"/api/games/{game}/act", json=act, headers=tokens[guest.seat])
                assert answer.status_code in (200, 409), answer.text
            seen = [event.seq for event in store.read(game)]
            assert seen == list(range(1, len(seen) + 1))

    run(tale)


def test_a_rematch_swaps_the_seats_and_nobody_else_gets_in(app: Guard) -> None:
    async def tale() -> None:
        async with client(app) as http:
            game, invitations = await made(http)
            one, two = Guest(0), Guest(1)
            tokens = [
                await seated(http, game, invitations["mine"], one, "Ann"),
                await seated(http, game, invitations["friend"], two, "Bo"),
            ]
            await http.post(f"/api/games/{game}/act", json={"act": "x", "do": "resign"}, headers=tokens[0])
            for seat in (0, 1):
                again = {"act": f"again {seat}", "do": "rematch"}
                assert (await http.post(f"/api/games/{game}/act", json=again, headers=tokens[seat])).status_code == 200
            table = (await http.get(f"/api/games/{game}")).json()
            new = table["next"]
            assert (await http.get(f"/api/games/{new}")).json()["names"] == ["Bo", "Ann"]
            stranger = {"invitation": "guessed", "name": "Cy", "anchor": "00" * 32}
            assert (await http.post(f"/api/games/{new}/join", json=stranger)).status_code == 403
            for old, seat in ((1, 0), (0, 1)):
                mine = tokens[old]["authorization"].partition(" ")[2]
                asked = {"invitation": mine, "name": "", "anchor": "00" * 32, "keep": True}
                assert (await http.post(f"/api/games/{new}/join", json=asked)).json()["seat"] == seat

    run(tale)


class TestAttacks:
    def test_an_invitation_works_once_and_only_for_its_seat(self, app: Guard) -> None:
        async def tale() -> None:
            async with client(app) as http:
                game, invitations = await made(http)
                await seated(http, game, invitations["friend"], Guest(1), "Bo")
                asked = {"invitation": invitations["friend"], "name": "Cy", "anchor": "00" * 32}
                assert (await http.post(f"/api/games/{game}/join", json=asked)).status_code == 409
                asked["invitation"] = ""
                assert (await http.post(f"/api/games/{game}/join", json=asked)).status_code == 403

        run(tale)

    @pytest.mark.parametrize("token", ["", "x", "0" * 64])
    def test_nobody_acts_without_their_own_token(self, token: str, app: Guard) -> None:
        async def tale() -> None:
            async with client(app) as http:
                game, invitations = await made(http)
                await seated(http, game, invitations["mine"], Guest(0), "Ann")
                await seated(http, game, invitations["friend"], Guest(1), "Bo")
                headers = {"authorization": f"Bearer {token}"} if token else {}
                act = {"act": "1", "do": "resign"}
                answer = await http.post(f"/api/games/{game}/act", json=act, headers=headers)
                assert answer.status_code == 403
                assert not (await http.get(f"/api/games/{game}")).json()["over"]

        run(tale)

    def test_who_has_one_seat_cannot_act_in_the_other(self, app: Guard) -> None:
        async def tale() -> None:
            async with client(app) as http:
                game, invitations = await made(http)
                await seated(http, game, invitations["mine"], Guest(0), "Ann")
                two = await seated(http, game, invitations["friend"], Guest(1), "Bo")
                act = {"act": "1", "do": "move", "move": "build 4", "seat": 0}
                answer = await http.post(f"/api/games/{game}/act", json=act, headers=two)
                assert (answer.status_code, answer.json()["refused"]) == (409, "It is not your turn.")

        run(tale)

    @pytest.mark.parametrize(
        ("headers", "code"),
        [
            ({"host": "evil.test"}, 421),
            ({"host": f"{HOST}.evil.test"}, 421),
            ({"origin": "http://evil.test"}, 403),
            ({"origin": "null"}, 403),
            ({"origin": f"http://{HOST}.evil.test"}, 403),
            ({"sec-fetch-site": "cross-site"}, 403),
            ({"content-length": "99999999"}, 413),
            ({"content-length": "many"}, 413),
        ],
    )
    def test_what_comes_from_elsewhere_is_turned_away(self, headers: dict[str, str], code: int, app: Guard) -> None:
        async def tale() -> None:
            async with client(app) as http:
                answer = await http.post("/api/games", content=b'{"duel": "tower"}', headers=headers)
                assert answer.status_code == code

        run(tale)

    def test_a_body_that_is_longer_than_it_says(self, app: Guard) -> None:
        async def tale() -> None:
            async def endless() -> Any:
                for _ in range(10):
                    yield b" " * LARGEST_MESSAGE

            async with client(app) as http:
                answer = await http.post("/api/games", content=endless())
                assert answer.status_code == 413
                assert answer.json()["refused"] == f"A message has at most {LARGEST_MESSAGE:,} bytes."

        run(tale)

    @pytest.mark.parametrize(
        "body",
        [b"", b"{", b"[]", b"null", b'{"duel": 7}', b'{"duel": "chess"}', b'{"duel": "tower", "rules": ["goal=x"]}',
         b'{"duel": "tower", "rules": "goal=7"}', b'{"duel": "tower", "opponent": "engine:rm -rf x"}',
         b'{"duel": "tower", "opponent": "human", "pace": 1}', b'{"duel": "tower", "pace": true}',
         b'{"duel": "tower", "seat": 3}', b'{"duel": "tower", "first": "3"}', b"[" * 4000, b'{"duel": "\xff"}'],
    )  # fmt: skip
    def test_nonsense_is_answered_in_a_sentence(self, body: bytes, app: Guard) -> None:
        async def tale() -> None:
            async with client(app) as http:
                answer = await http.post("/api/games", content=body)
                assert answer.status_code in (400, 409)
                assert answer.json()["refused"].endswith((".", "?"))

        run(tale)

    def test_too_often_is_too_often(self, store: Store) -> None:
        async def tale() -> None:
            now = [0.0]
            app = application(Desk(store), [HOST])
            app.rate = Rate(3, 1, lambda: now[0])
            async with client(app) as http:
                codes = [(await http.post("/api/games", content=b"{}")).status_code for _ in range(5)]
                assert codes == [400, 400, 400, 429, 429]
                now[0] = 1.0
                assert (await http.post("/api/games", content=b"{}")).status_code == 400

        run(tale)

    def test_pages_run_nothing_but_their_own_scripts(self, app: Guard) -> None:
        async def tale() -> None:
            async with client(app) as http:
                for path in ("/", "/rules/tower", "/game/none", "/static/table.js"):
                    policy = (await http.get(path)).headers["content-security-policy"]
                    assert "default-src 'none'; script-src 'self'" in policy
                    assert "unsafe" not in policy

        run(tale)

    def test_a_name_that_is_a_script_is_a_name(self, app: Guard) -> None:
        async def tale() -> None:
            async with client(app) as http:
                game, invitations = await made(http, open=True)
                name = "<script>x</script>\u202e\x1b[31m"
                await seated(http, game, invitations["mine"], Guest(0), name)
                page = (await http.get("/")).text
                assert "&lt;script&gt;x&lt;/script&gt;" in page
                assert "<script>x" not in page
                assert not set("\u202e\x1b") & set(page)
                title = (await http.get(f"/game/{game}")).text
                assert "<script>x" not in title

        run(tale)

    def test_a_cookie_is_not_for_scripts_or_other_places(self, app: Guard) -> None:
        async def tale() -> None:
            async with client(app) as http:
                game, invitations = await made(http)
                asked = {"invitation": invitations["mine"], "name": "Ann", "anchor": "00" * 32}
                answer = await http.post(f"/api/games/{game}/join", json=asked)
                assert "token" not in answer.json()
                cookie = answer.headers["set-cookie"].lower()
                assert "httponly" in cookie
                assert "samesite=strict" in cookie

        run(tale)

    def test_a_game_that_is_not_there(self, app: Guard) -> None:
        async def tale() -> None:
            async with client(app) as http:
                for path in ("", "/events", "/record"):
                    assert (await http.get(f"/api/games/none{path}")).status_code == 404

        run(tale)


@pytest.mark.parametrize("id", one_of_each_kind())
def test_a_story_that_grows_is_the_one_that_is_told_from_the_beginning(id: str) -> None:
    """Line by line with the game, and by somebody who comes at its end."""
    heard: list[Json] = []

    def listen(online: Online) -> None:
        heard.extend(told.story(online, len(heard)))

    online, log = played(id, "toss", after=listen)
    assert heard == told.story(Online(log)) == json.loads(told.table_text(online, None))["story"]
    assert online.match is not None
    assert [line["text"] for line in heard if isinstance(line, dict)][-len(ending(online.match)) :] == [
        line.text for line in ending(online.match)
    ]


def test_programs_that_the_operator_named_may_sit_down_and_no_others(store: Store) -> None:
    async def tale() -> None:
        desk = Desk(store, engines={"engine:mine": "engine:./mine"})
        made = await desk.create(Wish("tower", kinds=("human", "engine:mine")))
        assert (await desk.online(made.game)).seats[1].kind == "engine:mine"
        for kind in ("engine:./mine", "engine:rm -rf x", "engine: mine"):
            with pytest.raises(DuelError, match="the server's operator has named"):
                await desk.create(Wish("tower", kinds=("human", kind)))

    run(tale)


def test_a_token_is_of_one_game(store: Store) -> None:
    async def tale() -> None:
        desk = Desk(store)
        one, two = await desk.create(Wish("tower")), await desk.create(Wish("tower"))
        seated = await desk.join(one.game, one.invitations[0], "Ann", bytes(32))
        assert await desk.seat_of(one.game, seated.token) == 0
        with pytest.raises(NotYours):
            await desk.seat_of(two.game, seated.token)
        with pytest.raises(Refused):
            await desk.act(one.game, 0, "", {"do": "resign"})

    run(tale)

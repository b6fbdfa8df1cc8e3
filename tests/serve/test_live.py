"""Sockets of a real server: what they tell, what they take, and who is let go."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from uvicorn.server import ServerState
from websockets.client import ClientProtocol
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection, connect
from websockets.uri import parse_uri

from duelbook.games.tower.rules import Move
from duelbook.serve.app import application
from duelbook.serve.desk import Desk, NotYours
from duelbook.serve.limits import LARGEST_MESSAGE, NONE, Limits
from duelbook.serve.live import Live
from duelbook.serve.news import framed
from duelbook.serve.opening import Wish
from duelbook.serve.sockets import Patience, Sockets
from duelbook.serve.sqlite import Sqlite
from duelbook.serve.told import story
from online_helper import Server, served

HOST = "duels.test"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("live")) as server:
        yield server


def ask(server: Server, path: str, message: object = None, token: str = "") -> Any:
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
    body = None if message is None else json.dumps(message).encode()
    with urlopen(Request(f"{server.address}{path}", body, headers)) as answer:
        return json.load(answer)


def new_game(server: Server, *names: str, **asked: object) -> tuple[str, list[str]]:
    """A game of tower with these people in it, and their tokens."""
    made = ask(server, "/api/games", {"duel": "tower", **asked})
    tokens = []
    for name, which in zip(names, ("mine", "friend"), strict=False):
        wish = {"invitation": made["invitations"][which], "name": name, "anchor": "00" * 32, "keep": True}
        tokens.append(ask(server, f"/api/games/{made['game']}/join", wish)["token"])
    return made["game"], tokens


@contextmanager
def live(server: Server, game: str, token: str = "", **more: Any) -> Iterator[ClientConnection]:
    address = f"{server.address.replace('http', 'ws')}/api/games/{game}/live"
    headers = {"authorization": f"Bearer {token}"} if token else {}
    with connect(address, additional_headers={**headers, **more.pop("headers", {})}, **more) as opened:
        yield opened


def told(side: ClientConnection, what: str = "table") -> Any:
    """The next message that has this in it."""
    while what not in (message := json.loads(side.recv(timeout=60))):
        pass
    return message


def say(side: ClientConnection, act: str, do: str, **more: object) -> None:
    side.send(json.dumps({"act": act, "do": do, **more}))


def test_news_come_and_acts_go_back(server: Server) -> None:
    game, (ann, bo) = new_game(server, "Ann", "Bo")
    with live(server, game, ann) as one, live(server, game, bo) as two, live(server, game) as watching:
        first = [told(side) for side in (one, two, watching)]
        assert [each["table"]["you"] for each in first] == [0, 1, None]
        assert [each["story"]["from"] for each in first] == [0, 0, 0]
        assert all("story" not in each["table"] for each in first)
        whole = ask(server, f"/api/games/{game}")["story"]
        assert all(each["story"]["lines"] == whole for each in first)
        say(one, "1", "move", move="fly")
        assert "'fly' is not a move" in told(one, "answer")["refused"]
        say(one, "2", "move", move="build 4")
        mine, theirs, seen = told(one), told(two), told(watching)
        assert mine["answer"] == "2"  # the news are the answer
        assert mine["events"][0].pop("act") == "0 2"
        assert mine["events"] == theirs["events"] == seen["events"]
        assert mine["events"][0]["kind"] == "moved"
        assert mine["story"] == theirs["story"] == seen["story"]
        assert mine["story"]["from"] == len(whole)
        assert [*whole, *mine["story"]["lines"]] == ask(server, f"/api/games/{game}")["story"]
        assert [each["table"]["moves"] == [] for each in (mine, theirs, seen)] == [True, False, True]
        say(one, "2", "move", move="build 4")
        assert told(one, "answer") == {"answer": "2", "seq": mine["table"]["seq"]}


def test_what_is_told_alike_to_all_is_what_each_would_be_told_alone(server: Server) -> None:
    """The table that comes with news is the one that is asked for, but for its story."""
    game, tokens = new_game(server, "Ann", "Bo")
    with live(server, game, tokens[0]) as one, live(server, game, tokens[1]) as two, live(server, game) as watching:
        sides = ((one, tokens[0]), (two, tokens[1]), (watching, ""))
        for side, _ in sides:
            told(side)
        for number in range(6):
            say((one, two)[number % 2], str(number), "move", move="build 1")
            for side, token in sides:
                asked = ask(server, f"/api/games/{game}", token=token)
                del asked["story"]
                assert told(side)["table"] == asked


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65535, 65536, 200_000])
def test_a_message_is_framed_as_the_protocol_has_it(size: int) -> None:
    text = "é" * (size // 2) + "x" * (size % 2)
    assert framed(text) == Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


def test_nonsense_is_answered_in_a_sentence(server: Server) -> None:
    game, (ann,) = new_game(server, "Ann")
    with live(server, game, ann) as side:
        told(side)
        for text in ("nonsense", "[]", "7", '{"act": 7}', '{"act": "1", "do": "fly"}', '{"do": "resign"}'):
            side.send(text)
            assert told(side, "refused")["refused"].endswith(".")
        side.send(["{", '"act": "1", ', '"do": "ping"}'])  # in pieces
        assert told(side, "answer")["answer"] == "1"


@pytest.mark.parametrize(("sent", "code"), [("x" * (LARGEST_MESSAGE + 1), 1009), (b"bytes", 1003)])
def test_what_is_too_long_or_no_text_ends_it(server: Server, sent: str | bytes, code: int) -> None:
    game, (ann,) = new_game(server, "Ann")
    with live(server, game, ann) as side:
        told(side)
        side.send(sent)
        assert closed(side) == code


def test_who_watches_can_do_nothing(server: Server) -> None:
    game, _ = new_game(server, "Ann", "Bo")
    with live(server, game) as side:
        assert told(side)["table"]["you"] is None
        say(side, "1", "resign")
        assert "Only somebody who sits there" in told(side, "refused")["refused"]
    assert not ask(server, f"/api/games/{game}")["over"]


@pytest.mark.parametrize(
    ("game", "token", "headers", "code"),
    [
        ("none", "", {}, 404),
        ("", "wrong", {}, 403),
        ("", "", {"origin": "http://evil.test"}, 403),
        ("", "", {"origin": "null"}, 403),
        ("", "", {"sec-fetch-site": "cross-site"}, 403),
    ],
)
def test_nobody_is_let_in_from_elsewhere(
    server: Server, game: str, token: str, headers: dict[str, str], code: int
) -> None:
    game = game or new_game(server)[0]
    with pytest.raises(InvalidStatus) as refused, live(server, game, token, headers=headers):
        pass
    assert refused.value.response.status_code == code


def test_after_a_gap_the_whole_state_comes(server: Server) -> None:
    game, (ann, bo) = new_game(server, "Ann", "Bo")
    with live(server, game, ann) as one:
        reached = told(one)["table"]["seq"]
        say(one, "1", "move", move="build 1")
        told(one)
    with live(server, game, bo) as two:
        everything = told(two)
        assert [event["seq"] for event in everything["events"]] == list(range(1, reached + 2))
    address = f"{server.address.replace('http', 'ws')}/api/games/{game}/live?after={reached}"
    with connect(address) as watching:
        gap = told(watching)
        assert [event["seq"] for event in gap["events"]] == [reached + 1]
        assert gap["story"] == everything["story"]


def test_a_seat_that_moved_to_another_device_is_no_longer_theirs(tmp_path: Path) -> None:
    async def tale() -> None:
        store = Sqlite(tmp_path / "games.db")
        desk, game = await begun(store)
        old = (await desk.online(game)).seats[0].token
        await desk.hand_over(game, await desk.offer(game, 0))
        answered: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        desk.begin_act(game, 0, "1", {"do": "resign"}, answered.set_result, old)
        assert isinstance(await answered, NotYours)
        assert not (await desk.online(game)).over
        store.close()

    asyncio.run(tale())


def test_an_old_token_is_refused_and_who_says_that_they_watch_sees_what_everybody_sees(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        game, _ = new_game(server, "Ann", "Bo")
        for path in (f"/api/games/{game}?", f"/api/games/{game}/events?after=0&"):
            with pytest.raises(OSError, match="403"):
                ask(server, path, token="old")
            assert ask(server, f"{path}watch", token="old") == ask(server, path)
        with pytest.raises(OSError, match="403"):
            ask(server, f"/api/games/{game}/act?watch", {"act": "1", "do": "resign"}, token="old")


def closed(side: ClientConnection) -> int:
    """The code with which the server ends it."""
    try:
        while True:
            side.recv(timeout=60)
    except ConnectionClosed as end:
        return end.rcvd.code if end.rcvd is not None else 0


class TestBounds:
    def test_who_says_too_much_is_refused(self, tmp_path: Path) -> None:
        with served(tmp_path, Limits(a_second=0.001, burst=5)) as server:
            game, (ann,) = new_game(server, "Ann")  # which were two of five
            with live(server, game, ann) as side:
                told(side)
                for number in range(6):
                    say(side, str(number), "ping")
                answers = [told(side, "answer") for _ in range(6)]
            assert ["refused" in answer for answer in answers] == [False] * 5 + [True]
            assert "too often" in answers[-1]["refused"]

    def test_so_many_may_watch_and_so_many_come_from_one_address(self, tmp_path: Path) -> None:
        with served(tmp_path, NONE._replace(watchers=1, sockets=2)) as server:
            game, (ann, bo) = new_game(server, "Ann", "Bo")
            with live(server, game) as watching:
                told(watching)
                with pytest.raises(InvalidStatus, match="503"), live(server, game):
                    pass
                with live(server, game, ann) as one:
                    told(one)
                    with pytest.raises(InvalidStatus, match="503"), live(server, game, bo):
                        pass


def frozen(server: Server, game: str, token: str = "") -> socket.socket:
    """Somebody who has opened a socket and does nothing any more, as a laptop that was closed."""
    host, port = server.address.removeprefix("http://").split(":")
    side = socket.create_connection((host, int(port)), timeout=60)
    shown = f"Authorization: Bearer {token}\r\n" if token else ""
    side.sendall(
        f"GET /api/games/{game}/live HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n{shown}\r\n".encode()
    )
    return side


class TestHeartbeat:
    def test_the_bounds_that_are_used_find_the_dead_within_ten_seconds(self) -> None:
        """What is heard is noted at the last tick, and who is gone is seen at the next."""
        patience = Patience()
        assert patience.gone + patience.tick <= 10
        assert patience.slow + patience.tick <= 10
        assert patience.quiet + 2 * patience.tick < patience.gone

    def test_who_does_not_answer_is_let_go_and_who_does_stays(self, tmp_path: Path) -> None:
        with served(tmp_path, patience=Patience(0.01, 0.05, 0.5, 0.5)) as server:
            game, (ann, _) = new_game(server, "Ann", "Bo")
            with live(server, game, ann) as alive, frozen(server, game) as dead:
                while dead.recv(65536):  # its pings, until the server has enough
                    pass
                beat = told(alive, "seq")
                say(alive, "1", "move", move="build 1")
                assert told(alive)["table"]["seq"] == beat["seq"] + 1


class Small:
    """A socket to a desk in this very loop, through the smallest buffers that the system gives."""

    def __init__(self, sockets: Sockets, game: str) -> None:
        self._mine, theirs = socket.socketpair()
        for end in (self._mine, theirs):
            for buffer in (socket.SO_SNDBUF, socket.SO_RCVBUF):
                end.setsockopt(socket.SOL_SOCKET, buffer, 1)
            end.setblocking(False)
        self._sockets, self._theirs, self._game = sockets, theirs, game
        self._wire = ClientProtocol(parse_uri(f"ws://{HOST}/api/games/{game}/live"))

    async def open(self) -> None:
        loop = asyncio.get_running_loop()
        state = ServerState()
        await loop.connect_accepted_socket(lambda: Live(self._sockets, state), self._theirs)
        self._wire.send_request(self._wire.connect())
        await loop.sock_sendall(self._mine, b"".join(self._wire.data_to_send()))

    async def messages(self) -> AsyncIterator[Any]:
        """What it reads, until it is let go."""
        while data := await asyncio.get_running_loop().sock_recv(self._mine, 65536):
            self._wire.receive_data(data)
            pieces: list[bytes] = []
            for event in self._wire.events_received():
                if isinstance(event, Frame) and event.opcode in (Opcode.TEXT, Opcode.CONT):
                    pieces.append(bytes(event.data))
                    if event.fin:
                        yield json.loads(b"".join(pieces))
                        pieces.clear()

    def close(self) -> None:
        self._mine.close()


async def begun(store: Sqlite) -> tuple[Desk, str]:
    desk = Desk(store)
    made = await desk.create(Wish("tower"))
    for invitation, name in zip(made.invitations, ("Ann", "Bo"), strict=True):
        await desk.join(made.game, invitation, name, bytes(32))
    return desk, made.game


async def goes_on(desk: Desk, game: str, turns: int) -> None:
    """Whoever can knocks the other's tower down, so that it goes on."""
    for number in range(turns):
        match, seat = (await desk.online(game)).match, number % 2
        assert match is not None
        attacks = match.game.legal(match.rules, match.state, seat, Move.ATTACK)
        await desk.act(game, seat, f"{number}", {"do": "move", "move": "attack" if attacks else "build 1"})


class TestSlowReader:
    def test_who_does_not_read_holds_up_nobody_and_is_let_go(self, tmp_path: Path) -> None:
        async def tale() -> None:
            store = Sqlite(tmp_path / "games.db")
            desk, game = await begun(store)
            sockets = Sockets(desk, application(desk, [HOST]), NONE, Patience(slow=60.0, gone=1e9, quiet=1e9))
            deaf = Small(sockets, game)
            await deaf.open()
            while not desk.is_followed(game):
                await asyncio.sleep(0)
            await goes_on(desk, game, 180)
            (live,) = sockets.here
            assert live.stuck is not None
            sockets.tick(live.stuck + 59)
            assert sockets.here
            sockets.tick(live.stuck + 61)
            async for _ in deaf.messages():  # what was on its way, and then the end
                pass
            assert not sockets.here
            assert desk.metrics.dropped["slow"] == 1
            deaf.close()
            store.close()

        asyncio.run(tale())

    def test_who_reads_again_in_time_has_missed_nothing(self, tmp_path: Path) -> None:
        async def tale() -> None:
            store = Sqlite(tmp_path / "games.db")
            desk, game = await begun(store)
            sockets = Sockets(desk, application(desk, [HOST]), NONE, Patience(gone=1e9, quiet=1e9))
            late = Small(sockets, game)
            await late.open()
            while not desk.is_followed(game):
                await asyncio.sleep(0)
            await goes_on(desk, game, 180)
            (live,) = sockets.here
            assert live.stuck is not None
            heard: list[int] = []
            lines: list[object] = []
            last = (await desk.events(game))[-1].seq
            async for message in late.messages():
                heard += [event["seq"] for event in message["events"]]
                lines = [*lines[: message["story"]["from"]], *message["story"]["lines"]]
                if heard[-1] == last:
                    break
            assert heard == list(range(1, last + 1))
            assert lines == story(await desk.online(game))
            late.close()
            store.close()

        asyncio.run(tale())

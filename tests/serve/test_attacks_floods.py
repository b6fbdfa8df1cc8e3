"""A real server under somebody who wants it to have no room, no time or no memory left for the others."""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection, connect

from duelbook.serve.callers import Deadlines
from duelbook.serve.limits import NONE, Limits
from duelbook.serve.logs import speak
from duelbook.serve.sockets import Patience
from online_helper import Server, served

SOON = Deadlines(ask=0.2, take=60.0)
OFTEN = Patience(tick=0.05)


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One that waits for nobody for long."""
    with served(tmp_path_factory.mktemp("hasty"), NONE, OFTEN, SOON) as server:
        yield server


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One that gives everybody their time, on a busy machine, too."""
    with served(tmp_path_factory.mktemp("patient"), NONE, OFTEN) as server:
        yield server


def ask(server: Server, path: str, message: object = None) -> Any:
    body = None if message is None else json.dumps(message).encode()
    headers = {"content-type": "application/json"}
    with urlopen(Request(f"{server.address}{path}", body, headers), timeout=60) as answer:
        return json.load(answer)


def call(server: Server, said: bytes = b"") -> socket.socket:
    host, port = server.address.removeprefix("http://").split(":")
    called = socket.create_connection((host, int(port)), timeout=60)
    called.sendall(said.replace(b"HOST", f"{host}:{port}".encode()))
    return called


def is_let_go(called: socket.socket) -> bool:
    """Wait until the server has hung up without a word."""
    try:
        return called.recv(1) == b""
    except ConnectionResetError:
        return True


def new_game(server: Server) -> tuple[str, str]:
    made = ask(server, "/api/games", {"duel": "tower"})
    wish = {"invitation": made["invitations"]["mine"], "name": "Ann", "anchor": "00" * 32, "keep": True}
    return made["game"], ask(server, f"/api/games/{made['game']}/join", wish)["token"]


def live(server: Server, game: str, token: str = "", **more: Any) -> ClientConnection:
    address = f"{server.address.replace('http', 'ws')}/api/games/{game}/live"
    headers = {"authorization": f"Bearer {token}"} if token else {}
    opened: ClientConnection = connect(address, additional_headers={**headers, **more.pop("headers", {})}, **more)
    return opened


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"G",
        b"GET / HTTP/1.1\r\nHost: HOST\r\nX-Slow: ",
        b"POST /api/games HTTP/1.1\r\nHost: HOST\r\nContent-Length: 100\r\n\r\n{",
        b"POST /api/games HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
    ],
)
def test_who_calls_and_does_not_ask_is_let_go(said: bytes, hasty: Server) -> None:
    with closing(call(hasty, said)) as called:
        assert is_let_go(called)
    assert ask(hasty, "/health") == {"ok": True}


def test_nonsense_of_strangers_fills_no_log(
    hasty: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No rate bounds what never becomes a question, so a line for each would fill the disk."""
    for speaker in map(logging.getLogger, ("duelbook", "uvicorn.error", "websockets")):
        for what in ("handlers", "propagate", "level"):
            monkeypatch.setattr(speaker, what, getattr(speaker, what))  # and as it was afterwards
    speak(in_json=True)
    for said in (
        b"nonsense\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: HOST\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
    ):
        with closing(call(hasty, said)) as called:
            while called.recv(10_000):
                pass
    logging.getLogger("uvicorn.error").error("What goes wrong is still told.")
    (line,) = capsys.readouterr().err.splitlines()
    assert "still told" in line


def test_a_message_that_ends_in_two_ways_hides_no_other_one(patient: Server) -> None:
    """A proxy that believes in the length takes for its body what would be another question here."""
    two_ends = b"Host: HOST\r\nContent-Length: 60\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    hidden = b"GET /health HTTP/1.1\r\nHost: HOST\r\n\r\n"
    answer = b""
    with closing(call(patient, b"POST /api/games HTTP/1.1\r\n" + two_ends + hidden)) as called:
        while piece := called.recv(10_000):
            answer += piece
    assert b" 400 " in answer.partition(b"\r\n")[0]
    assert answer.count(b"HTTP/1.1") == 1


def test_who_asks_drop_by_drop_is_let_go(hasty: Server) -> None:
    with closing(call(hasty, b"GET / HTTP/1.1\r\nHost: HOST\r\n")) as called:
        called.settimeout(0.02)
        for _ in range(100_000):
            try:
                called.sendall(b"X-Slow: 1\r\n")
                if called.recv(1) == b"":
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        else:
            pytest.fail("it was listened to for ever")


def test_who_is_answered_and_then_begins_another_question_is_let_go_too(hasty: Server) -> None:
    with closing(call(hasty, b"GET /health HTTP/1.1\r\nHost: HOST\r\n\r\n")) as called:
        answer = b""
        while b'{"ok":true}' not in answer:
            answer += called.recv(1000)
        called.sendall(b"GET /hea")
        assert is_let_go(called)


@pytest.mark.slow
def test_news_are_waited_for_though_questions_are_not(hasty: Server) -> None:
    game, _ = new_game(hasty)
    assert ask(hasty, f"/api/games/{game}/events?after=2&wait=1") == {"events": []}


def test_an_answer_that_nobody_takes_is_not_kept_for_ever(tmp_path: Path) -> None:
    """News that are waited for longer than anybody may take stand for a reader that never reads."""
    with served(tmp_path, NONE, OFTEN, Deadlines(ask=60.0, take=0.2)) as server:
        game, _ = new_game(server)
        way = f"GET /api/games/{game}/events?after=2&wait=1 HTTP/1.1\r\nHost: HOST\r\n\r\n"
        with closing(call(server, way.encode())) as called:
            assert is_let_go(called)


def test_one_address_has_so_many_connections_and_no_more(tmp_path: Path) -> None:
    with served(tmp_path, NONE._replace(sockets=5), OFTEN) as server:
        with ExitStack() as open_ones:
            for _ in range(5):
                open_ones.enter_context(closing(call(server)))
            with closing(call(server, b"GET /health HTTP/1.1\r\nHost: HOST\r\n\r\n")) as called:
                assert is_let_go(called)
        until(lambda: ask(server, "/health") == {"ok": True})


def until(it_works: Callable[[], bool]) -> None:
    """Those who hung up are forgotten as soon as the server has heard of it."""
    for _ in range(10_000):
        try:
            if it_works():
                return
        except OSError:
            continue
    pytest.fail("it never worked")


class TestSockets:
    @pytest.mark.parametrize(
        "frame",
        [
            Frame(Opcode.PING, b""),
            Frame(Opcode.PONG, b"x" * 125),
            Frame(Opcode.CONT, b"", fin=False),
            Frame(Opcode.TEXT, b"{}"),
            Frame(Opcode.TEXT, b'{"act": "1", "do": "ping"}'),
        ],
    )
    def test_who_sends_without_end_is_let_go(self, frame: Frame, tmp_path: Path) -> None:
        """Whatever it is: what the protocol answers by itself, or pieces of a message that never ends."""
        limits = NONE._replace(a_second=0.001, burst=1000.0)
        with served(tmp_path, limits) as server, live(server, new_game(server)[0], max_size=None) as side:
            side.recv(timeout=60)
            raw = frame.serialize(mask=True) * 100
            begin = Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True) if frame.opcode is Opcode.CONT else b""
            try:
                side.socket.sendall(begin)
                for _ in range(1000):
                    side.socket.sendall(raw)
            except OSError:
                pass  # it has hung up
            with pytest.raises(ConnectionClosed):
                list(iter(lambda: side.recv(timeout=60), None))
            assert ask(server, "/health") == {"ok": True}

    def test_acts_count_for_the_address_however_many_sockets_it_has(self, tmp_path: Path) -> None:
        with served(tmp_path, NONE._replace(a_second=0.001, burst=20.0)) as server:
            game, ann = new_game(server)
            said = []
            with ExitStack() as open_ones:
                sides = [open_ones.enter_context(live(server, game, ann)) for _ in range(3)]
                for number in range(30):
                    side = sides[number % 3]
                    side.send(json.dumps({"act": str(number), "do": "claim"}))
                    while "refused" not in (told := json.loads(side.recv(timeout=60))):
                        pass
                    said.append(told["refused"])
            allowed = [each for each in said if "too often" not in each]
            assert 0 < len(allowed) < 20
            assert said[-5:] == ["That was too often; wait a second and try again."] * 5

    def test_somebody_who_has_played_much_can_still_follow_a_game(self, patient: Server) -> None:
        """Their browser shows a cookie for each game: more than a socket's head may hold, if all of them came along."""
        game, ann = new_game(patient)
        others = [f"seat-{number:016}={'x' * 32}" for number in range(170)]
        cookies = "; ".join([*others[:85], f"seat-{game}={ann}", *others[85:]])
        with live(patient, game, headers={"cookie": cookies}) as side:
            assert json.loads(side.recv(timeout=60))["table"]["you"] == 0

    def test_a_cookie_of_another_game_is_no_seat_in_this_one(self, patient: Server) -> None:
        game, _ = new_game(patient)
        other, ann = new_game(patient)
        with live(patient, game, headers={"cookie": f"seat-{other}={ann}"}) as side:
            assert json.loads(side.recv(timeout=60))["table"]["you"] is None
        with pytest.raises(InvalidStatus), live(patient, game, headers={"cookie": f"seat-{game}={ann}"}):
            pass

    @pytest.mark.parametrize("origin", ["https://HOST", "http://evil.test", "http://HOST:80", "null", "http://HOST/"])
    def test_no_page_of_another_origin_opens_a_socket(self, origin: str, patient: Server) -> None:
        game, _ = new_game(patient)
        said = origin.replace("HOST", patient.address.removeprefix("http://"))
        with pytest.raises(InvalidStatus) as refused, live(patient, game, origin=said):
            pass
        assert refused.value.response.status_code == 403


def test_what_breaks_off_in_the_middle_is_no_error_of_the_servers(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody fills its log by hanging up."""
    with caplog.at_level(logging.WARNING), served(tmp_path, NONE, OFTEN) as server:
        for _ in range(3):
            call(server, b"POST /api/games HTTP/1.1\r\nHost: HOST\r\nContent-Length: 100\r\n\r\n{").close()
        assert ask(server, "/health") == {"ok": True}
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def test_too_much_at_once_is_refused_in_words(tmp_path: Path) -> None:
    with served(tmp_path, Limits(a_second=0.001, burst=3.0)) as server:
        for _ in range(3):
            ask(server, "/api/games", {"duel": "tower"})
        with pytest.raises(HTTPError) as refused:
            ask(server, "/api/games", {"duel": "tower"})
        with refused.value as answer:
            assert (answer.code, "too often" in json.load(answer)["refused"]) == (429, True)

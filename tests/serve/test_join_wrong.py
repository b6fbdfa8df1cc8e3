"""Whatever is wrong with a server, an address or a file is said in a sentence."""

from __future__ import annotations

import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from duelbook.core import DuelError
from duelbook.serve import arriving
from duelbook.serve.arriving import Challenge, challenge, sit_down, watch, who_waits
from duelbook.serve.belongings import folder
from duelbook.serve.connection import Place, read_address
from online_helper import Guest, Talk, served


@pytest.fixture(autouse=True)
def _at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@contextmanager
def somebody_else(answer: Callable[[BaseHTTPRequestHandler], None], tls: Path | None = None) -> Iterator[str]:
    """A web server that is none of ours."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self)

        def do_POST(self) -> None:
            answer(self)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if tls is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(tls)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"{'https' if tls else 'http'}://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def says(code: int, body: bytes, **headers: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(DuelError, match=r"cannot be reached .* Is the address right, and does the server run"):
        who_waits("http://127.0.0.1:9")


@pytest.mark.parametrize(
    ("code", "body"), [(200, b"<html>"), (200, b"[]"), (404, b"<html>"), (200, b'{"events": 7}'), (200, b'{"a": 1}')]
)
def test_a_server_that_is_none_of_ours(code: int, body: bytes) -> None:
    with (
        somebody_else(says(code, body)) as address,
        pytest.raises(DuelError, match="does not answer as a Duelbook server does"),
    ):
        watch(Place(address, "abc"))


def test_nobody_is_followed_elsewhere() -> None:
    with (
        somebody_else(says(302, b"", Location="http://127.0.0.1:9/")) as address,
        pytest.raises(DuelError, match=r"sends us on to http://127\.0\.0\.1:9/"),
    ):
        watch(Place(address, "abc"))


def test_events_of_tomorrow_are_not_guessed_at() -> None:
    event = b'{"events": [{"seq": 1, "at": 1.0, "kind": "created", "game": "abc", "duel": "chess"}]}'
    with somebody_else(says(200, event)) as address, pytest.raises(DuelError, match="bring both up to date"):
        watch(Place(address, "abc"))


@pytest.mark.slow
def test_a_certificate_that_nobody_vouches_for(tmp_path: Path) -> None:
    pem = tmp_path / "own.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1", "-days", "1"]
    try:
        subprocess.run([*command, "-keyout", pem, "-out", tmp_path / "c.pem"], check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("there is no openssl here to make a certificate")
    pem.write_bytes(pem.read_bytes() + (tmp_path / "c.pem").read_bytes())
    with (
        somebody_else(says(200, b"{}"), pem) as address,
        pytest.raises(DuelError, match=r"is not one that this machine trusts .* nothing was sent"),
    ):
        who_waits(address)
    with (
        somebody_else(says(200, b"{}")) as address,
        pytest.raises(DuelError, match=r"does not speak TLS\. Try http"),
    ):
        who_waits(address.replace("http:", "https:"))


@pytest.mark.parametrize(
    ("text", "server", "game"),
    [
        ("127.0.0.1:8765", "http://127.0.0.1:8765", ""),
        ("localhost:1/game/abc", "http://localhost:1", "abc"),
        ("duels.example.org", "https://duels.example.org", ""),
        ("http://x/", "http://x", ""),
    ],
)
def test_an_address_is_read(text: str, server: str, game: str) -> None:
    assert read_address(text) == Place(server, game)


@pytest.mark.parametrize("text", ["", "tower", "http://x/rules/tower", "http://u:p@x/game/a", "http://x:99999/game/a"])
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(DuelError, match="A link to a game looks like"):
        read_address(text)


def test_two_terminals_do_not_share_a_seat(tmp_path: Path) -> None:
    with served(tmp_path / "server") as server:
        wire = challenge(server.address, Challenge("tower"), "Ann")
        place = Place(server.address, wire.online.id)
        with pytest.raises(DuelError, match="in another terminal already"):
            sit_down(place, "")
        wire.stop()
        again = sit_down(place, "")
        assert again.seat == 0
        again.stop()


def test_a_token_that_does_not_hold_any_more_is_said(tmp_path: Path) -> None:
    with served(tmp_path / "server") as server:
        wire = challenge(server.address, Challenge("tower"), "Ann")
        wire.stop()
        (file,) = folder().glob("*.json")
        assert wire.mine is not None
        file.write_text(file.read_text().replace(wire.mine.token, "x" * 32))
        with pytest.raises(DuelError, match="That token is for no seat of this game"):
            sit_down(Place(server.address, wire.online.id), "")


def test_a_folder_that_cannot_be_written_keeps_one_from_sitting_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    with served(tmp_path / "server") as server:
        talk = Talk(Place(server.address, read_address(server.new_game("tower")).game))
        with pytest.raises(DuelError, match="cannot be"):
            sit_down(read_address(server.new_game("tower")), "Ann")
        assert not any(seat.is_taken for seat in talk.online.seats)


def test_somebody_who_has_the_name_already(tmp_path: Path) -> None:
    with served(tmp_path / "server") as server:
        talk = Talk(read_address(server.new_game("tower", open=True)))
        talk.join("Ann", Guest(0))
        with pytest.raises(DuelError, match="The other player is called Ann; choose another name"):
            sit_down(Place(server.address, talk.online.id), "ann")
        wire = sit_down(Place(server.address, talk.online.id), "Bo")  # what was refused has spoilt nothing
        assert wire.seat == 1
        wire.stop()


def test_who_waits_is_told_with_rules_and_kind(tmp_path: Path) -> None:
    with served(tmp_path / "server") as server:
        wish = Challenge("tower", rules=("goal=11",), pace=60, is_open=True)
        wire = challenge(server.address, wish, "Rob", program=True)
        (waiting,) = arriving.who_waits(server.address)
        assert (waiting.duel, waiting.words) == ("tower", "Rob (a program, goal=11, 60 s a move)")
        wire.stop()

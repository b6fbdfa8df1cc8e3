"""A line that is cut before, during and after a move, or that freezes: the game goes on, and nothing happens twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from urllib.parse import urlsplit

import pytest

from cut_helper import AFTER, BEFORE, DURING, FROZEN, Proxy, proxied
from duelbook.serve import connection
from duelbook.serve.arriving import Challenge, challenge, invitation_link, sit_down, watch
from duelbook.serve.connection import Place, read_link
from duelbook.serve.events import Event
from duelbook.serve.wire import Wire
from helpers import HANGING
from online_helper import Server, served


@pytest.fixture(autouse=True)
def _at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "ann"))


@pytest.fixture
def line(tmp_path: Path) -> Iterator[tuple[Server, Proxy]]:
    with served(tmp_path / "server") as server, proxied(urlsplit(server.address).port or 0) as proxy:
        yield server, proxy


def until(true: Callable[[], bool], *wires: Wire) -> None:
    """Take in what comes at these ends until it is so."""
    give_up = monotonic() + HANGING
    while not true():
        assert monotonic() < give_up, [(wire.last, wire.sending, wire.trouble) for wire in wires]
        for wire in wires:
            wire.wait(0.05)
            wire.take_in()


def two(line: tuple[Server, Proxy], monkeypatch: pytest.MonkeyPatch, home: Path, duel: str) -> tuple[Wire, Wire]:
    """Ann, whose line can be cut, and Bo, who sits beside the server."""
    server, proxy = line
    ann = challenge(f"http://127.0.0.1:{proxy.port}", Challenge(duel), "Ann")
    link = read_link(invitation_link(ann))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "bo"))
    bo = sit_down(link._replace(server=server.address), "Bo")
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "ann"))
    ann.start()
    bo.start()
    until(lambda: ann.online.begun and bo.online.begun, ann, bo)
    return ann, bo


def written(server: Server, wire: Wire) -> list[Event]:
    """The events as somebody sees them who comes anew."""
    seen = watch(Place(server.address, wire.online.id))
    return list(seen.connection.events(0))


@pytest.mark.parametrize(
    "how", [(BEFORE,), (DURING,), (AFTER,), pytest.param((AFTER, BEFORE, DURING, AFTER), marks=pytest.mark.slow)]
)
def test_a_move_whose_line_is_cut_happens_once(
    line: tuple[Server, Proxy], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, how: tuple[str, ...]
) -> None:
    ann, bo = two(line, monkeypatch, tmp_path, "tower")
    line[1].fail(b"POST", *how)
    ann.send({"do": "move", "move": "build 4"}, "build 4")
    assert ann.sending == "build 4"
    until(lambda: not ann.sending, ann)
    assert ann.refusals == []
    assert line[1].failed == list(how)
    until(lambda: bo.online.last is not None and bo.online.last.kind == "moved", bo)
    assert [event.kind for event in written(line[0], ann)].count("moved") == 1
    assert ann.online.match is not None
    assert bo.online.match is not None
    assert ann.online.match.steps == bo.online.match.steps
    ann.stop()
    bo.stop()


@pytest.mark.parametrize("how", [AFTER, pytest.param(BEFORE, marks=pytest.mark.slow)])
def test_a_seat_whose_answer_was_lost_is_had_all_the_same(
    line: tuple[Server, Proxy], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, how: str
) -> None:
    server, proxy = line
    place = read_link(server.new_game("tower", "random"))._replace(server=f"http://127.0.0.1:{proxy.port}")
    proxy.fail(b"/join", how)
    wire = sit_down(place, "Ann")
    assert (wire.seat, proxy.failed) == (0, [how])
    assert [event.kind for event in written(server, wire)].count("joined") == 1
    wire.stop()


@pytest.mark.slow
def test_a_frozen_line_is_given_up_and_what_was_sent_is_sent_again(
    line: tuple[Server, Proxy], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ann, bo = two(line, monkeypatch, tmp_path, "tower")
    monkeypatch.setattr(connection, "SLOW", 0.3)
    line[1].fail(b"POST", FROZEN)
    ann.send({"do": "move", "move": "build 4"}, "build 4")
    until(lambda: bool(ann.trouble), ann)
    assert ann.sending == "build 4"
    until(lambda: not ann.sending, ann)
    assert [event.kind for event in written(line[0], ann)].count("moved") == 1
    ann.stop()
    bo.stop()


def test_news_that_do_not_come_are_fetched_when_the_line_is_back(
    line: tuple[Server, Proxy], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ann, bo = two(line, monkeypatch, tmp_path, "tower")
    ann.send({"do": "move", "move": "build 4"}, "build 4")
    until(lambda: bo.online.due() == (1,), bo)
    until(lambda: not ann.sending, ann)
    line[1].refusing.set()
    bo.send({"do": "move", "move": "build 4"}, "build 4")
    until(lambda: not bo.sending, bo)
    until(lambda: bool(ann.trouble), ann)
    line[1].refusing.clear()
    until(lambda: ann.online.due() == (0,), ann)
    until(lambda: not ann.trouble, ann)
    ann.stop()
    bo.stop()


def test_a_pick_whose_line_is_cut_at_every_step_is_opened_once(
    line: tuple[Server, Proxy], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ann, bo = two(line, monkeypatch, tmp_path, "secret")
    line[1].fail(b'"seal"', AFTER)
    line[1].fail(b'"open"', AFTER)
    ann.pick(1, "10")
    bo.pick(1, "9")
    until(lambda: all(wire.online.seals and not wire.sending for wire in (ann, bo)), ann, bo)
    assert line[1].failed == [AFTER, AFTER]
    kinds = [event.kind for event in written(line[0], ann)]
    assert (kinds.count("sealed"), kinds.count("opened"), kinds.count("revealed")) == (2, 2, 1)
    ann.stop()
    bo.stop()

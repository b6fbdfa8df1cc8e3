"""Getting ready: a program that says it is still at it is waited for, up to a limit, and only before it plays."""

from __future__ import annotations

import io

import pytest

from duelbook.engine import client, process
from duelbook.engine.fault import EngineFault
from duelbook.engine.limits import Limits
from duelbook.engine.replies import EngineOption, read_preparing
from duelbook.engine.server import Server
from duelbook.match import Player, View
from duelbook.players.engine import EnginePlayer
from duelbook.players.random import RandomPlayer
from engine_helper import FREE, bad, first_view


class Clock:
    """Time that passes only when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    for module in (client, process):
        monkeypatch.setattr(module, "monotonic", clock)
    return clock


def waiting(how: str, clock: Clock, passes: float, *, limit: float = 600.0) -> tuple[EnginePlayer, list[str]]:
    """A program, and what it says that it is at; each time so many seconds have passed."""
    player, heard = EnginePlayer(bad(how), Limits(around=FREE._replace(start_limit=limit))), []

    def hear(words: str) -> None:
        heard.append(words)
        clock.now += passes

    player.preparing = hear
    return player, heard


def test_one_that_says_so_is_waited_for(clock: Clock) -> None:
    player, heard = waiting("prepare", clock, 8.0)
    player.prepare(first_view())
    assert clock.now == 40.0, "four times as long as it is given at once"
    assert heard == ["the board \x1b[2J"] * 5
    player.close()


def test_one_that_says_no_more_is_not_waited_for(clock: Clock) -> None:
    player, _ = waiting("prepare-and-hang", clock, 11.0)
    with pytest.raises(EngineFault, match=r"did not say readyok within 10 s\.") as caught:
        player.prepare(first_view())
    assert caught.value.kind == "time"


def test_nobody_is_waited_for_for_ever(clock: Clock) -> None:
    player, heard = waiting("prepare-for-ever", clock, 9.0, limit=100.0)
    with pytest.raises(EngineFault, match="still getting ready after 100 s, the most that --start-limit") as caught:
        player.prepare(first_view())
    assert caught.value.kind == "time"
    assert len(heard) == 12


def test_a_move_is_not_prepared() -> None:
    player = EnginePlayer(bad("prepare-a-move"), Limits(around=FREE))
    player.prepare(first_view())
    with pytest.raises(EngineFault, match="said 'preparing a move' where bestmove was awaited") as caught:
        player.choose(first_view())
    assert caught.value.kind == "protocol"


@pytest.mark.parametrize(
    ("line", "words"),
    [("preparing", ""), (" preparing  book 3 of 9 ", "book 3 of 9"), ("prepared", None), ("info preparing", None)],
)
def test_how_it_is_said(line: str, words: str | None) -> None:
    assert read_preparing(line) == words


def test_our_own_players_say_so() -> None:
    """As long as they need, and not once they are ready."""
    said: list[str] = []

    class Slow(RandomPlayer):
        def prepare(self, view: View) -> None:
            while said.count("preparing tower, what is best under its rules") < 3:
                pass

    def make(values: dict[str, str], number: int) -> Player:
        return Slow(1)

    server = Server("Slow", ["tower"], [EngineOption("Seed", "spin")], make, make, said.append, heartbeat=0.001)
    server.run(io.BytesIO(b"newgame tower\nisready\nposition start\ngo seat 1\n"))
    at = said.index("readyok")
    assert set(said[:at]) == {"preparing tower, what is best under its rules"}
    assert [line.split()[0] for line in said[at:]] == ["readyok", "bestmove"]

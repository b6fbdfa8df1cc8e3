"""A table on a server, on the full screen: keys are pressed on one side, and somebody else sits on the other."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual.pilot import Pilot

from duelbook.serve.arriving import Challenge, challenge, sit_down, watch, who_waits
from duelbook.serve.connection import Place, read_link
from duelbook.serve.wire import Wire
from duelbook.tui.keybar import KeyBar
from duelbook.tui.lobby import Lobby
from duelbook.tui.lounge import Lounge
from duelbook.tui.meeting import Meeting
from duelbook.tui.online import OnlineTable
from duelbook.tui.online_aftermath import OnlineAftermath
from duelbook.tui.opening import open_wire
from online_helper import Guest, Talk, served
from tui_helper import at_home, press, run, say, seen, told, wait_until


@pytest.fixture(autouse=True)
def _at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    at_home(monkeypatch, tmp_path)


class Across:
    """Whoever sits at the other side, without a screen. What takes time is done beside the one that is looked at."""

    def __init__(self, wire: Wire) -> None:
        assert wire.mine is not None
        self.talk = Talk(wire.connection.place._replace(invitation=wire.mine.friend))
        self.guest = Guest(1)

    async def sit_down(self) -> None:
        await asyncio.to_thread(self.talk.join, "Bo", self.guest)

    async def plays(self) -> None:
        await asyncio.to_thread(self._wait_and_act)

    def _wait_and_act(self) -> None:
        while self.guest.seat not in self.talk.online.due():
            self.talk.catch_up(wait=True)
        self.talk.act(self.guest.wants(self.talk.online))

    async def does(self, what: str) -> None:
        await asyncio.to_thread(self.talk.act, {"do": what})


@pytest.mark.slow
def test_a_friend_is_awaited_played_and_met_again(tmp_path: Path) -> None:
    with served(tmp_path / "server") as server:
        wire = challenge(server.address, Challenge("tower"), "Ann")
        bo = Across(wire)

        async def tale(pilot: Pilot[int]) -> None:
            assert isinstance(pilot.app.screen, Lounge)
            await seen(pilot, "it works once")
            await bo.sit_down()
            await wait_until(pilot, lambda: isinstance(pilot.app.screen, OnlineTable))
            await seen(pilot, "Ann to move")
            await say(pilot, "attack")  # nobody has anything yet
            assert told(pilot, "You cannot attack")
            await say(pilot, "build 4")
            await seen(pilot, "Waiting for Bo ...")
            await say(pilot, "build 4")
            assert told(pilot, "It is not your turn.")
            await press(pilot, "o")  # the rules can be read meanwhile
            await seen(pilot, "Tower Defense Duel")
            await press(pilot, "o")
            await say(pilot, "undo")
            assert told(pilot, "Online a move stands")
            await bo.plays()
            await seen(pilot, "turn 3")
            await press(pilot, "i")  # between two people nobody is helped
            assert "does nothing here" in pilot.app.screen.query_one(KeyBar).said
            await press(pilot, "x", "y")
            await seen(pilot, "You lost. You resigned.")
            await press(pilot, "enter")
            await wait_until(pilot, lambda: isinstance(pilot.app.screen, OnlineAftermath))
            await bo.does("rematch")
            await wait_until(pilot, lambda: told(pilot, "Bo wants another game: N plays it."))
            await press(pilot, "n")
            await wait_until(pilot, lambda: isinstance(pilot.app.screen, Lounge))  # Bo has not come yet

        run(tale, opening=lambda app: open_wire(app, wire))


def test_a_game_that_nobody_has_come_to_is_withdrawn(tmp_path: Path) -> None:
    with served(tmp_path / "server") as server:
        wire = challenge(server.address, Challenge("tower", is_open=True), "Ann")

        async def tale(pilot: Pilot[int]) -> None:
            await seen(pilot, "Whoever comes to the server")
            await press(pilot, "w", "n")
            assert isinstance(pilot.app.screen, Lounge)
            await press(pilot, "w", "y")
            await wait_until(pilot, lambda: isinstance(pilot.app.screen, Lobby))
            assert told(pilot, "Ann withdrew before the game began.")

        run(tale, opening=lambda app: open_wire(app, wire))
        assert who_waits(server.address) == []


@pytest.mark.slow
def test_a_seat_that_was_left_is_come_back_to(tmp_path: Path) -> None:
    with served(tmp_path / "server") as server:
        wire = challenge(server.address, Challenge("deck", "random"), "Ann")
        place = Place(server.address, wire.online.id)

        async def leaves(pilot: Pilot[int]) -> None:
            await seen(pilot, "Press Enter to draw")
            await press(pilot, "enter")
            await seen(pilot, "You drew")
            await press(pilot, "escape")
            assert told(pilot, f"Come back with: duelbook join {place.link}") or told(pilot, place.link)
            assert isinstance(pilot.app.screen, Lobby)

        async def comes_back(pilot: Pilot[int]) -> None:
            await seen(pilot, "(A)ttack or (H)eal?")
            await say(pilot, "hint")  # against a program one may ask
            await wait_until(pilot, lambda: len(pilot.app.screen_stack) > 3)
            await press(pilot, "escape")
            await press(pilot, "ctrl+c")

        run(leaves, opening=lambda app: open_wire(app, wire))
        again = sit_down(place, "")
        run(comes_back, opening=lambda app: open_wire(app, again))


@pytest.mark.slow
def test_who_watches_sees_and_does_nothing(tmp_path: Path) -> None:
    with served(tmp_path / "server") as server:
        ann = challenge(server.address, Challenge("secret"), "Ann")
        bo = Across(ann)
        ann.start()

        async def tale(pilot: Pilot[int]) -> None:
            await bo.sit_down()
            await seen(pilot, "You watch. Waiting for Ann and Bo")
            await say(pilot, "10")
            assert told(pilot, "You watch this game")
            ann.take_in()
            ann.pick(1, "10")
            await seen(pilot, "You watch. Waiting for Bo")
            await bo.plays()
            ann.wait()
            ann.take_in()
            await bo.plays()
            await seen(pilot, "turn 2")
            ann.stop()

        watching = watch(Place(server.address, ann.online.id))
        run(tale, opening=lambda app: open_wire(app, watching))


@pytest.mark.slow
def test_the_lobby_leads_to_a_server_and_to_whoever_waits_there(tmp_path: Path) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "o")
        await seen(pilot, "Play online.")
        await press(pilot, "ctrl+u")
        await say(pilot, "nonsense")
        assert told(pilot, "A link to a game looks like")
        await press(pilot, "ctrl+u")
        await say(pilot, server.address)
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, Meeting))
        await seen(pilot, "Zoe (a program): Energy Duel")
        await press(pilot, "1")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, OnlineTable))
        await seen(pilot, "a program")

    with served(tmp_path / "server") as server:
        zoe = Talk(read_link(server.new_game("energy", open=True)))
        zoe.connection.join("Zoe", Guest(0).chain(zoe.online).anchor, "z" * 32, program=True)
        run(tale)

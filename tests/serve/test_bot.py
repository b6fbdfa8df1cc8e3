"""A program that dials in, plays whoever comes, and comes back after it was stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from threading import Thread

import pytest

from duelbook.core import DuelError
from duelbook.serve.arriving import who_waits
from duelbook.serve.bot import Bot, Table, play_whoever_comes
from duelbook.serve.connection import Place, read_link
from helpers import HANGING
from online_helper import Guest, Talk, served

BAD = """
import sys

for line in sys.stdin:
    words = line.split()
    if words[:1] == ["udi"]:
        print("id name Bad\\nid author Me\\ngame *\\nudiok", flush=True)
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["go"]:
        print("bestmove castle", flush=True)
    elif words[:1] == ["quit"]:
        break
"""


@pytest.fixture(autouse=True)
def _at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_a_bot_plays_whoever_comes(tmp_path: Path) -> None:
    told: list[str] = []
    with served(tmp_path / "server") as server, server.somebody_who_resigns():
        (played,) = play_whoever_comes(Bot(server.address, ("deck",), "random", "Rob"), 1, tell=told.append)
    assert (played.opponent, played.won) == ("Bo", True)
    assert told[0].startswith("Rob waits at http://")
    assert "Bo resigned. Online: " in told[1]
    assert "Proved from what this terminal saw; fingerprint " in told[1]


def test_a_bot_that_somebody_keeps_waiting_for_the_toss_leaves_that_game_and_opens_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was so: whoever sat down and said nothing more had the bot's table of that duel for ever."""
    monkeypatch.setattr(Table, "patience", 0.0)
    told: list[str] = []
    with served(tmp_path / "server") as server:

        def bother_and_play() -> None:
            stuck = Talk(Place(server.address, first_that_waits(server.address)))
            stuck.join("Troll", Guest(1))
            while not stuck.online.over:
                stuck.catch_up(wait=True)
            monkeypatch.setattr(Table, "patience", inf)  # or it would leave whoever takes a moment, too
            talk, guest = Talk(Place(server.address, first_that_waits(server.address))), Guest(1)
            talk.join("Bo", guest)
            while not talk.online.begun:
                talk.catch_up()
                if guest.seat in talk.online.due() and not talk.online.begun:
                    talk.act(guest.wants(talk.online))
            talk.act({"do": "resign"})

        thread = Thread(target=bother_and_play)
        thread.start()
        (played,) = play_whoever_comes(Bot(server.address, ("tower",), "random", "Rob"), 1, tell=told.append)
        thread.join()
    assert (played.opponent, played.won) == ("Bo", True)
    assert "Rob withdrew before the game began." in told[1]


def first_that_waits(server: str) -> str:
    while not (waiting := who_waits(server)):
        pass
    return waiting[0].game


@pytest.mark.slow
def test_a_bot_plays_every_kind_of_duel_to_its_end(tmp_path: Path) -> None:
    with served(tmp_path / "server") as server:
        for id in ("deck", "secret", "tower"):
            told: list[str] = []

            def bot(id: str = id, told: list[str] = told) -> None:
                play_whoever_comes(Bot(server.address, (id,), "random", "Rob"), 1, tell=told.append)

            thread = Thread(target=bot)
            thread.start()
            while not told:
                pass
            talk, guest = Talk(read_link(told[0].rpartition(" ")[2])), Guest(1)
            talk.join("Bo", guest)
            talk.play(guest)
            thread.join()
            assert "Rob against Bo" in told[1]


class Calling:
    """A bot in a process of its own, as its author starts it."""

    def __init__(self, server: str, home: Path, *words: str) -> None:
        command = [sys.executable, "-m", "duelbook", "bot", server, "--name", "Rob", "--sandbox", "off", *words]
        environment = {**os.environ, "XDG_STATE_HOME": str(home)}
        self.process = subprocess.Popen(
            command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=environment
        )

    def says(self, words: str) -> str:
        """The next line that has these words."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if words in line:
                return line.strip()
        raise AssertionError(f"it never said {words!r}")

    def stop(self) -> str:
        self.process.send_signal(signal.SIGINT)
        _, said = self.process.communicate(timeout=HANGING)
        assert self.process.returncode == 130
        return said


@contextmanager
def calling(server: str, home: Path, *words: str) -> Iterator[Calling]:
    bot = Calling(server, home, *words)
    try:
        yield bot
    finally:
        bot.process.kill()
        bot.process.communicate()


def test_a_program_that_plays_what_it_cannot_loses_by_its_fault_and_plays_on(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text(BAD)
    with (
        served(tmp_path / "server") as server,
        calling(server.address, tmp_path, "--engine", f"{sys.executable} {bad}", "--duels", "tower") as bot,
    ):
        place = read_link(bot.says("Rob waits at").rpartition(" ")[2])
        (waiting,) = who_waits(server.address)
        assert (waiting.name, waiting.program) == ("Rob", True)
        talk, guest = Talk(place), Guest(1)
        talk.join("Bo", guest)
        talk.play(guest)
        assert talk.online.match is not None
        assert talk.online.match.outcome is not None
        assert "Rob lost by a fault (illegal): " in talk.online.match.outcome.reason
        assert "castle" in talk.online.match.outcome.reason
        assert bot.says("Rob waits at").rpartition(" ")[2] != place.link  # the next one


@pytest.mark.slow
def test_a_bot_that_is_stopped_comes_back_to_its_seats_and_grants_a_rematch(tmp_path: Path) -> None:
    with served(tmp_path / "server") as server:
        words = ("--player", "random", "--duels", "secret")
        with calling(server.address, tmp_path, *words) as bot:
            place = read_link(bot.says("Rob waits at").rpartition(" ")[2])
            talk, guest = Talk(place), Guest(1)
            talk.join("Bo", guest)
            assert bot.says("Rob waits at").rpartition(" ")[2] != place.link  # for whoever comes meanwhile
            for _ in range(6):
                talk.catch_up(wait=guest.seat not in talk.online.due())
                if guest.seat in talk.online.due():
                    talk.act(guest.wants(talk.online))
            said = bot.stop()
            assert "has stopped and resigned nothing" in said
        with calling(server.address, tmp_path, *words) as bot:
            assert bot.says("Rob comes back to") == f"Rob comes back to {place.link}"
            talk.play(guest)
            talk.act({"do": "rematch"})
            while not talk.online.next_game:
                talk.catch_up(wait=True)
            assert talk.online.next_game in bot.says("Rob plays again at")


def test_who_is_to_play_must_be_said() -> None:
    for words in ((), ("--engine", "x", "--player", "random")):
        command = [sys.executable, "-m", "duelbook", "bot", "http://127.0.0.1:9", *words]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=HANGING)
        assert ran.returncode == 2
        assert "Say who plays: --engine COMMAND" in ran.stderr


def test_a_bot_is_no_person() -> None:
    with pytest.raises(DuelError, match="A bot is a program"):
        play_whoever_comes(Bot("http://127.0.0.1:1", ("tower",), "human", "Rob"), 1, tell=print)

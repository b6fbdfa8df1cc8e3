"""A terminal at a table on a server: real processes, real HTTP."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from threading import Thread
from urllib.request import urlopen

import pytest

from duelbook.core import DuelError
from duelbook.honest.proof import prove
from duelbook.record import reads
from duelbook.serve.bot import play_whoever_comes
from duelbook.serve.connection import Connection, Place, read_link
from helpers import HANGING
from online_helper import Guest, served
from slow_helper import slow_if

SCRIPTS = {
    "conquer": "attack\n" * 30,
    "deck": "\nattack\n" * 40,
    "energy": "1\n" * 30,
    "secret": "10\n9\n" * 80,
    "tower": "build 4\nattack\nbuild 1\n" * 30,
}


def join(link: str, home: Path, typed: str, *more: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HOME": str(home), "XDG_STATE_HOME": str(home), "XDG_CONFIG_HOME": str(home)}
    command = [sys.executable, "-m", "duelbook", "join", link, *more]
    return subprocess.run(command, input=typed, capture_output=True, text=True, env=environment, timeout=HANGING)


@pytest.mark.parametrize("id", [slow_if(id != "deck", id) for id in SCRIPTS])
def test_a_duel_is_played_to_its_end_and_its_record_proves_itself(id: str, tmp_path: Path) -> None:
    with served(tmp_path / "server") as server:
        link = server.new_game(id, "random", first="toss")
        ran = join(link, tmp_path, SCRIPTS[id], "--name", "Ann")
        record = link.partition("#")[0].replace("/game/", "/api/games/") + "/record"
        with urlopen(record) as answer:
            (found,) = reads(answer.read().decode())
    assert ran.stderr in (
        "",
        "The game goes on without you. Come back with: duelbook join " + link.partition("#")[0] + "\n",
    )
    assert (ran.returncode == 0) == (found.match.outcome is not None)
    if found.match.outcome is not None:
        assert prove(found).startswith("Online: ")
        assert any(verdict in ran.stdout for verdict in ("You won!", "You lost.", "No result.", "Nobody wins."))


def test_who_leaves_comes_back_to_the_same_seat(tmp_path: Path) -> None:
    with served(tmp_path / "server") as server:
        link = server.new_game("tower", "random")
        first = join(link, tmp_path, "build 4\n", "--name", "Ann")
        assert (first.returncode, first.stderr.partition(". ")[0]) == (1, "The game goes on without you")
        again = join(link.partition("#")[0], tmp_path, "status\nresign\nyes\n")
    assert again.returncode == 0
    assert "Ann resigned." in again.stdout
    assert "Turn 3 of at most 200." in again.stdout
    kept = next((tmp_path / "duelbook" / "online").iterdir())
    assert kept.stat().st_mode & 0o077 == 0


def test_nothing_is_taken_back_and_wrong_words_are_answered(tmp_path: Path) -> None:
    with served(tmp_path / "server") as server:
        ran = join(server.new_game("tower", "random"), tmp_path, "build 9\nfly\nattack\nbuild 4\nundo\nquit\n")
    assert ran.returncode == 0
    assert "You cannot build 9 units" in ran.stdout
    assert "You cannot attack" in ran.stdout
    assert "Online a move stands: the other side has seen it." in ran.stdout


def test_a_seat_that_is_taken_or_a_game_that_is_not_there(tmp_path: Path) -> None:
    with served(tmp_path / "server") as server:
        link = server.new_game("tower", "random")
        assert join(link, tmp_path / "one", "quit\n").returncode == 0
        late = join(link, tmp_path / "two", "quit\n")
        assert (late.returncode, late.stderr) == (1, "Error: Somebody has taken that seat already.\n")
        none = join(f"{server.address}/game/none", tmp_path / "two", "")
        assert (none.returncode, none.stderr) == (1, "Error: There is no such game here.\n")


@pytest.mark.parametrize(
    "text", ["", "tower", "ftp://x/game/a", "http:///game/a", "http://x/a", "http://x/game/", "http://x/game/a/b"]
)
def test_what_is_no_link(text: str) -> None:
    with pytest.raises(DuelError, match="A link to a game looks like"):
        read_link(text)


def test_a_link_is_read() -> None:
    assert read_link(" http://x:1/game/abc#i=xyz ") == Place("http://x:1", "abc", "xyz")
    assert read_link("https://x/game/abc") == Place("https://x", "abc")


def test_a_bot_plays_whoever_comes(tmp_path: Path) -> None:
    told: list[str] = []
    with served(tmp_path / "server") as server, server.somebody_who_resigns():
        (played,) = play_whoever_comes(server.address, "deck", "random", "Rob", 1, tell=told.append)
    assert (played.opponent, played.won) == ("Bo", True)
    assert told[0].startswith("Rob waits at http://")
    assert told[1].endswith("Bo resigned.")


@pytest.mark.slow
def test_two_bots_play_every_kind_of_duel_to_its_end(tmp_path: Path) -> None:
    """The one opens a game, and the other is a terminal that types what comes to mind."""
    with served(tmp_path / "server") as server:
        for id in ("deck", "secret", "tower"):
            told: list[str] = []

            def bot(id: str = id, told: list[str] = told) -> None:
                play_whoever_comes(server.address, id, "random", "Rob", 1, tell=told.append)

            thread = Thread(target=bot)
            thread.start()
            while not told:
                pass
            link = told[0].rpartition(" ")[2]
            connection = Connection(read_link(link))
            connection.catch_up()
            guest = Guest(1)
            guest.seat = connection.join("Bo", guest.chain(connection.online).anchor)
            while not connection.online.over:
                connection.catch_up(wait=guest.seat not in connection.online.due())
                if guest.seat in connection.online.due():
                    connection.act(guest.wants(connection.online))
            thread.join()
            assert "Rob against Bo" in told[1]


def test_a_bot_is_no_person() -> None:
    with pytest.raises(DuelError, match="A bot is a program"):
        play_whoever_comes("http://127.0.0.1:1", "tower", "human", "Rob", 1, tell=print)

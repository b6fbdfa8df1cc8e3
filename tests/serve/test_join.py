"""A terminal at a table on a server: real processes, real HTTP."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from duelbook.core import DuelError
from duelbook.honest.proof import prove
from duelbook.record import reads
from duelbook.serve.connection import Place, read_link
from duelbook.table.verify import verify
from helpers import HANGING
from online_helper import served
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
    command = [sys.executable, "-m", "duelbook", "join", link, "--line", *more]
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
        "The game goes on without you. Come back with: python -m duelbook join " + link.partition("#")[0] + "\n",
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
    assert "You resigned." in again.stdout
    assert "Turn 3 of at most 200." in again.stdout
    kept = next((tmp_path / "duelbook" / "online").iterdir())
    assert kept.stat().st_mode & 0o077 == 0


def test_a_copy_of_a_game_that_goes_on_promises_what_the_server_did_and_nothing_else(tmp_path: Path) -> None:
    """It had a commitment of the terminal's own, to a seed of which no card came."""
    with served(tmp_path / "server") as server:
        ran = join(
            server.new_game("deck", "random", first="1"), tmp_path, "\nattack\n", "--save", str(tmp_path / "a.duel")
        )
    assert ran.returncode == 1, ran.stderr  # what was typed came to its end before the game did
    text = (tmp_path / "a.duel").read_text(encoding="utf-8")
    assert "[LuckPromise " in text
    assert "Commitment" not in text
    (game,) = verify(tmp_path / "a.duel").games
    assert "can be proved when it is" in game.summary


def test_nothing_is_taken_back_and_wrong_words_are_answered(tmp_path: Path) -> None:
    with served(tmp_path / "server") as server:
        ran = join(server.new_game("tower", "random"), tmp_path, "build 9\nfly\nattack\nbuild 4\nundo\nquit\n")
    assert ran.returncode == 0
    assert "You cannot build 9 units" in ran.stdout
    assert "You cannot attack" in ran.stdout
    assert "Online a move stands: the other side has seen it." in ran.stdout


@pytest.mark.slow
def test_a_seat_that_is_taken_or_a_game_that_is_not_there(tmp_path: Path) -> None:
    with served(tmp_path / "server") as server:
        link = server.new_game("tower", "random")
        assert join(link, tmp_path / "one", "quit\n").returncode == 0
        late = join(link, tmp_path / "two", "quit\n")
        assert late.returncode == 1
        assert late.stderr.startswith("Error: Somebody has taken that seat already. If you sit there: come back from")
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


@pytest.mark.slow
def test_a_terminal_needs_nothing_that_a_server_needs() -> None:
    """Who only plays has installed no extra."""
    script = """
import sys

class Missing:
    def find_spec(self, name, *_):
        if name.partition(".")[0] in ("msgspec", "starlette", "uvicorn", "websockets", "httptools", "psycopg"):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Missing())
import duelbook.serve.arriving, duelbook.serve.bot, duelbook.serve.remote, duelbook.line.online, duelbook.tui.opening
"""
    assert subprocess.run([sys.executable, "-c", script], timeout=HANGING).returncode == 0

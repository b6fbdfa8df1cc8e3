"""Two real terminals at one table on a real server: whole games, left and come back to, a server that is killed."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from duelbook.honest.proof import prove
from duelbook.record import reads
from duelbook.serve.arriving import who_waits
from helpers import HANGING
from online_helper import served
from terminal_helper import CTRL_C, ENTER, Terminal, on_one_line, terminal

pytestmark = pytest.mark.slow


class Serving:
    """A server in a process of its own, which can be killed and started again where it was."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        self.folder = folder
        self.start()

    def start(self) -> None:
        data = str(self.folder / "games.db")
        command = [sys.executable, "-m", "duelbook", "serve", "--port", str(self.port), "--data", data]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        assert self.process.stdout.readline()

    def end(self, number: int) -> None:
        self.process.send_signal(number)
        self.process.wait(HANGING)
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def serving(folder: Path) -> Iterator[Serving]:
    server = Serving(folder)
    try:
        yield server
    finally:
        server.end(signal.SIGKILL)


def shows(window: Terminal, words: str) -> bool:
    return words in on_one_line("\n".join(window.screen))


def link_in(window: Terminal) -> str:
    """What is to be sent to a friend."""
    window.watch(lambda: "#i=" in "".join(window.screen))
    row = next(at for at, line in enumerate(window.screen) if "http://" in line)
    return "".join(line.strip() for line in window.screen[row : row + 2]).strip()


def both(server: str, home: Path, duel: str, stack: ExitStack, *more: str) -> tuple[Terminal, Terminal]:
    """Ann has asked for a game on the full screen, and Bo has opened her link; `more` is for Bo's command."""
    (home / "ann").mkdir()
    (home / "bo").mkdir()
    options = ("--name1", "Ann", "--first", "1") if duel != "secret" else ("--name1", "Ann")
    ann = stack.enter_context(terminal("play", duel, "--online", server, *options, home=home / "ann"))
    bo = stack.enter_context(terminal("join", link_in(ann), "--name", "Bo", *more, home=home / "bo"))
    return ann, bo


def record_of(server: str, window: Terminal) -> str:
    (kept,) = (window.home / "duelbook" / "online").glob("*.json")
    with urlopen(f"{server}/api/games/{kept.stem}/record") as answer:
        return str(answer.read().decode())


def over(*windows: Terminal) -> bool:
    return any(shows(window, word) for window in windows for word in ("You won!", "You lost.", "No result."))


def test_two_full_screens_play_deck_to_its_end(tmp_path: Path) -> None:
    with served(tmp_path / "server") as server, ExitStack() as stack:
        ann, bo = both(server.address, tmp_path, "deck", stack)
        windows = [ann, bo]
        while not over(ann, bo):
            mover, other = windows
            mover.watch(lambda mover=mover: shows(mover, "Press Enter to draw") or over(mover))  # type: ignore[misc]
            if over(mover):
                break
            mover.press("\x1b[B")  # an Enter soon after the last one would be left over from it
            mover.press(ENTER)
            mover.watch(lambda mover=mover: shows(mover, "(A)ttack or (H)eal?"))  # type: ignore[misc]  # bound now
            mover.enter("attack")
            mover.watch(lambda mover=mover: shows(mover, "Waiting for") or over(mover))  # type: ignore[misc]
            windows = [other, mover]
        for window in (ann, bo):
            window.watch(lambda window=window: over(window))  # type: ignore[misc]  # bound now
        (found,) = reads(record_of(server.address, ann))
        assert found.match.outcome is not None
        assert prove(found).startswith("Online: ")


def test_a_full_screen_and_a_line_play_secret_to_its_end(tmp_path: Path) -> None:
    """Their picks are sealed, and both see the same rounds."""
    with served(tmp_path / "server") as server, ExitStack() as stack:
        ann, bo = both(server.address, tmp_path, "secret", stack, "--line")
        for turn in range(1, 200):
            ann.watch(lambda turn=turn: shows(ann, f"turn {turn} ") or over(ann))  # type: ignore[misc]  # bound now
            if over(ann):
                break
            ann.watch(lambda: shows(ann, "attack number"))
            ann.enter("10" if turn % 2 else "9")
            bo.wait_for(r"attack number \([^)]*\): ")
            bo.enter("9" if turn % 2 else "1")
        assert over(ann)
        (found,) = reads(record_of(server.address, ann))
        assert "round" in prove(found)
        assert "10/9" in record_of(server.address, ann)


def test_a_server_that_is_killed_in_the_middle_is_gone_on_with(tmp_path: Path) -> None:
    with serving(tmp_path) as server, ExitStack() as stack:
        ann, bo = both(f"http://127.0.0.1:{server.port}", tmp_path, "tower", stack)
        ann.watch(lambda: shows(ann, "Ann to move"))
        server.end(signal.SIGKILL)
        ann.watch(lambda: shows(ann, "cannot be reached"))
        ann.enter("build 4")
        ann.watch(lambda: shows(ann, "Sending build 4 ..."))
        server.start()
        bo.watch(lambda: shows(bo, "Bo to move"))
        ann.watch(lambda: shows(ann, "Waiting for Bo"))
        assert not shows(ann, "cannot be reached")
        bo.enter("build 4")
        ann.watch(lambda: shows(ann, "turn 3"))
        assert record_of(f"http://127.0.0.1:{server.port}", ann).count("build 4") == 2


def test_who_leaves_by_ctrl_c_is_told_how_to_come_back_and_does(tmp_path: Path) -> None:
    with served(tmp_path / "server") as server, ExitStack() as stack:
        ann, bo = both(server.address, tmp_path, "tower", stack)
        ann.watch(lambda: shows(ann, "Ann to move"))
        ann.enter("build 4")
        bo.watch(lambda: shows(bo, "Bo to move"))
        bo.press(CTRL_C)
        assert bo.ends() == 130
        assert bo.sane
        assert "The game goes on without you. Come back with:" in on_one_line(bo.everything)
        link = next(line for line in on_one_line(bo.everything).split() if line.startswith("http"))
        again = stack.enter_context(terminal("join", link, "--line", home=bo.home))
        again.wait_for("Enter your move: ")
        again.enter("resign")
        again.wait_for("yes/no")
        again.enter("yes")
        again.wait_for("You lost.")
        ann.watch(lambda: shows(ann, "You won!"))


def test_who_waits_withdraws_line_by_line(tmp_path: Path) -> None:
    with served(tmp_path / "server") as server, ExitStack() as stack:
        asked = ("play", "tower", "--online", server.address, "--open", "--line", "--name1", "Ann")
        ann = stack.enter_context(terminal(*asked, home=tmp_path))
        ann.wait_for("Waiting for Player 2 ...")
        ann.enter("build 4")
        ann.wait_for(r"withdraw\.")
        assert [each.name for each in who_waits(server.address)] == ["Ann"]
        ann.enter("withdraw")
        ann.wait_for("Ann withdrew before the game began.")
        assert ann.ends() == 0
        assert who_waits(server.address) == []


def test_a_narrow_window_and_one_that_changes(tmp_path: Path) -> None:
    with served(tmp_path / "server") as server, ExitStack() as stack:
        ann, bo = both(server.address, tmp_path, "energy", stack)
        ann.resize(60, 18)
        ann.watch(lambda: shows(ann, "Ann to move"))
        ann.enter("1")
        bo.watch(lambda: shows(bo, "Bo to move"))
        ann.resize(120, 40)
        ann.watch(lambda: shows(ann, "Waiting for Bo ..."))


def test_a_line_that_waits_hears_what_is_typed(tmp_path: Path) -> None:
    with served(tmp_path / "server") as server, ExitStack() as stack:
        ann, bo = both(server.address, tmp_path, "tower", stack, "--line")
        bo.wait_for("Waiting for Ann")
        bo.enter("build 4")
        bo.wait_for("It is not your turn.")
        bo.enter("undo")
        bo.wait_for("Online a move stands")
        bo.enter("claim")
        bo.wait_for("not waited long enough")
        bo.enter("quit")
        assert bo.ends() == 0
        ann.watch(lambda: shows(ann, "Ann to move"))

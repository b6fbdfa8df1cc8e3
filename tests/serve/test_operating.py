"""Running a server: figures, logs, stopping, copies, forms of the file, programs of the operator."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from click.testing import CliRunner

from duelbook.cli import duelbook
from duelbook.cli.serve import command as serve
from duelbook.core import DuelError
from duelbook.honest.proof import prove
from duelbook.record import reads
from duelbook.serve.app import application
from duelbook.serve.chain import chained, unbroken
from duelbook.serve.desk import Desk
from duelbook.serve.events import Body, Refused
from duelbook.serve.export import export
from duelbook.serve.figures import Figures
from duelbook.serve.limits import NONE
from duelbook.serve.opening import Wish
from duelbook.serve.sockets import Sockets
from duelbook.serve.sqlite import STEPS, VERSION, Sqlite, every_game
from duelbook.serve.store import appended
from helpers import HANGING
from online_helper import Server, played
from serve.test_live import ask, closed, live, new_game, say, told

HOST = "duels.test"


class TestOneServerForAFile:
    def test_a_second_one_is_turned_away_in_a_sentence(self, tmp_path: Path) -> None:
        first = Sqlite(tmp_path / "games.db")
        with pytest.raises(DuelError, match=r"Another server has the games in .* open"):
            Sqlite(tmp_path / "games.db")
        first.close()
        Sqlite(tmp_path / "games.db").close()
        assert not list(tmp_path.glob(".*"))

    def test_several_processes_need_a_database(self, tmp_path: Path) -> None:
        asked = ["serve", "--port", "0", "--data", str(tmp_path / "games.db"), "--processes", "2", "--check"]
        done = CliRunner().invoke(duelbook, asked, standalone_mode=False)
        assert "postgresql://" in str(done.exception)


class TestForms:
    def test_a_file_of_the_first_form_is_brought_to_that_of_today(self, tmp_path: Path) -> None:
        """With every event in it, and with what can be asked of the new form."""
        file = tmp_path / "games.db"
        waiting: list[Body] = [{"kind": "created", "open": True}, {"kind": "joined", "seat": 0}]
        logs: dict[str, list[Body]] = {
            "waits": waiting,
            "began": [*waiting, {"kind": "joined", "seat": 1}, {"kind": "began", "first": 0}],
            "closed": [{"kind": "created", "open": False}],
        }
        with sqlite3.connect(file) as old:
            old.executescript(f"{STEPS[1]} PRAGMA user_version=1;")
            for game, bodies in logs.items():
                events = list(chained(game, None, "", 1.5, bodies))
                rows = [(game, event.seq, event.at, event.act, event.text, event.hash) for event in events]
                old.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)", rows)
                old.execute("INSERT INTO game VALUES (?, ?, ?)", (game, len(rows), 1.5))
        old.close()
        store = Sqlite(file)
        assert [listed.game for listed in store.games(waiting=True)] == ["waits"]
        for game, bodies in logs.items():
            kept = store.read(game)
            assert [event.body for event in kept] == bodies
            assert unbroken(kept)
        (began,) = chained("waits", store.read("waits")[-1], "", 2.5, [{"kind": "began", "first": 0}])
        appended(store, [began]).result()
        assert store.games(waiting=True) == []
        store.close()
        with sqlite3.connect(file) as new:
            assert new.execute("PRAGMA user_version").fetchone() == (VERSION,)
        new.close()


def kept(file: Path) -> Sqlite:
    """A deck game and a secret game, both over, in a file that is open."""
    store = Sqlite(file)
    for id in ("deck", "secret"):
        appended(store, played(id, "toss")[1]).result()
    return store


class TestCopies:
    def test_all_games_are_copied_while_the_server_goes_on(self, tmp_path: Path) -> None:
        store = kept(tmp_path / "games.db")
        asked = ["serve", "--data", str(tmp_path / "games.db"), "--backup", str(tmp_path / "copy.db")]
        done = CliRunner().invoke(duelbook, asked, standalone_mode=False)
        assert done.exception is None
        again = CliRunner().invoke(duelbook, asked, standalone_mode=False)
        assert "is there already" in str(again.exception)
        copy = Sqlite(tmp_path / "copy.db")
        for listed in store.games():
            assert copy.read(listed.game) == store.read(listed.game)
        copy.close()
        store.close()

    def test_every_game_is_written_as_a_record_that_proves_itself(self, tmp_path: Path) -> None:
        store = kept(tmp_path / "games.db")
        asked = ["serve", "--data", str(tmp_path / "games.db"), "--export", str(tmp_path / "out")]
        done = CliRunner().invoke(duelbook, asked, standalone_mode=False)
        assert done.output.startswith("2 games written to ")
        for file in (tmp_path / "out").glob("*.duel"):
            (record,) = reads(file.read_text(encoding="utf-8"))
            assert "as they were promised" in prove(record) or "computed again" in prove(record)
        store.close()

    def test_a_game_that_has_not_begun_is_no_record(self, tmp_path: Path) -> None:
        store = Sqlite(tmp_path / "games.db")
        asyncio.run(_made(store))
        assert export(every_game(tmp_path / "games.db"), tmp_path / "out") == (0, [])
        store.close()

    @pytest.mark.parametrize("option", ["--backup", "--export"])
    def test_where_there_are_no_games_that_is_said(self, option: str, tmp_path: Path) -> None:
        asked = ["serve", "--data", str(tmp_path / "none.db"), option, str(tmp_path / "out")]
        done = CliRunner().invoke(duelbook, asked, standalone_mode=False)
        assert isinstance(done.exception, DuelError)
        assert "There are no games in" in str(done.exception)


async def _made(store: Sqlite) -> str:
    return (await Desk(store).create(Wish("tower"))).game


class TestFigures:
    def test_what_was_done_is_counted_and_nobody_is_named(self, tmp_path: Path) -> None:
        async def tale() -> None:
            store = Sqlite(tmp_path / "games.db")
            desk = Desk(store)
            made = await desk.create(Wish("tower"))
            for invitation, name in zip(made.invitations, ("Ann", "Bo"), strict=True):
                await desk.join(made.game, invitation, name, bytes(32))
            await desk.act(made.game, 0, "1", {"do": "move", "move": "build 1"})
            for act in ({"do": "move", "move": "build 1"}, {"do": 'x"} 7\n'}):
                with pytest.raises(Refused):
                    await desk.act(made.game, 0, str(act), act)
            figures = Figures(desk, Sockets(desk, application(desk, [HOST]), NONE))
            async with await figures.listen(0) as shown:
                port = shown.sockets[0].getsockname()[1]
                told = await _asked(port, "/metrics")
                assert "404" in (await _asked(port, "/")).splitlines()[0]
            lines = told.splitlines()
            assert lines[0] == "HTTP/1.1 200 OK"
            assert 'duelbook_acts_total{do="move",outcome="done"} 1' in lines
            assert 'duelbook_acts_total{do="move",outcome="refused"} 1' in lines
            assert 'duelbook_acts_total{do="other",outcome="refused"} 1' in lines
            assert "duelbook_games_in_memory 1" in lines
            assert "duelbook_append_seconds_count 3" in lines  # two sat down, and one moved
            assert 'duelbook_append_seconds_bucket{le="+Inf"} 3' in lines
            assert not any(word in told for word in (made.game, "Ann", "Bo", HOST))
            store.close()

        asyncio.run(tale())

    def test_a_port_that_is_taken_is_said(self, tmp_path: Path) -> None:
        async def tale() -> None:
            store = Sqlite(tmp_path / "games.db")
            desk = Desk(store)
            figures = Figures(desk, Sockets(desk, application(desk, [HOST]), NONE))
            async with await figures.listen(0) as shown:
                with pytest.raises(DuelError, match="The figures cannot be shown at port"):
                    await figures.listen(shown.sockets[0].getsockname()[1])
            store.close()

        asyncio.run(tale())


async def _asked(port: int, path: str) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    found = (await reader.read()).decode()
    writer.close()
    return found


def test_who_is_told_to_stop_answers_what_was_sent_and_says_nothing_secret(tmp_path: Path) -> None:
    """Figures of acts are not among what the public can ask; the log is JSON and holds no name of a game or a token."""
    file = tmp_path / "games.db"
    asked = ["serve", "--port", "0", "--data", str(file), "--log", "json", "--rate", "0"]
    command = [sys.executable, "-m", "duelbook", *asked]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as serving:
        assert serving.stdout is not None
        assert serving.stderr is not None
        try:
            server = Server(serving.stdout.readline().split()[-1])
            game, tokens = new_game(server, "Ann", "Bo")
            for path in ("/metrics", "/health/metrics"):
                with pytest.raises(OSError, match="404"):
                    ask(server, path)
            with live(server, game, tokens[0]) as one, live(server, game, tokens[1]) as two:
                sides = (one, two)
                for side in sides:
                    told(side)
                for number in range(20):
                    say(one, str(number), "ping")
                say(one, "move", "move", move="build 1")
                assert told(one)["answer"] == "move"
                os.kill(serving.pid, signal.SIGTERM)
                assert [closed(side) for side in sides] == [1012, 1012]
            said = serving.stderr.read()
            assert serving.wait() == 0
        finally:
            serving.kill()
    lines = [json.loads(line) for line in said.splitlines()]
    assert [line["message"] for line in lines] == ["serving", "stopped"]
    assert not any(secret in said for secret in (game, *tokens))
    assert not list(tmp_path.glob("*-wal")) + list(tmp_path.glob(".*"))  # the file was closed, and nobody holds it
    store = Sqlite(file)
    assert [event.kind for event in store.read(game)][-1] == "moved"
    store.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there Python opens the one browser that the system has")
def test_ctrl_c_is_answered_in_a_sentence_and_no_browser_of_the_terminal_holds_the_server_up(tmp_path: Path) -> None:
    """One that lives in a terminal would not come back before whoever reads has left it. A terminal sends Ctrl-C to
    all processes in front: the one that thinks beside the server has nothing to say to it."""
    opened = tmp_path / "opened"
    browser = tmp_path / "bin" / "www-browser"
    browser.parent.mkdir()
    browser.write_text(f"#!/bin/sh\necho >{shlex.quote(str(opened))}\nexec sleep 600\n")
    browser.chmod(0o755)
    there = {name: text for name, text in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")}
    there |= {"PATH": str(browser.parent), "TERM": "xterm"}
    command = [sys.executable, "-m", "duelbook", "serve", "--port", "0", "--data", str(tmp_path / "games.db"), "--open"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=there, start_new_session=True) as serving:
        assert serving.stdout is not None
        try:
            with urlopen(f"{serving.stdout.readline().split()[-1]}/puzzle/tower") as puzzle:
                assert b"Which?" in puzzle.read()
            os.killpg(serving.pid, signal.SIGINT)
            _, said = serving.communicate()
        finally:
            serving.kill()
    assert serving.returncode == 130
    assert said.splitlines()[1:] == ["", "Stopped. Every game is kept, and goes on when the server is started again."]
    assert not opened.exists()


class TestEngines:
    @pytest.mark.slow
    def test_a_program_of_the_operator_plays_under_its_name(self, tmp_path: Path) -> None:
        async def tale() -> None:
            program = shlex.join([sys.executable, "-m", "duelbook", "engine", "--player", "random", "--seed", "7"])
            store = Sqlite(tmp_path / "games.db")
            desk = Desk(store, engines={"engine:mine": f"engine:{program}"})
            made = await desk.make(Wish("tower", kinds=("human", "engine:mine")), "")
            await desk.join(made.game, made.invitations[0], "Ann", bytes(32))
            await desk.act(made.game, 0, "1", {"do": "move", "move": "build 1"})
            await desk.rest()
            events = await desk.events(made.game)
            assert [event.kind for event in events][-2:] == ["moved", "moved"]
            assert program not in str([event.body for event in events])
            store.close()

        asyncio.run(tale())

    @pytest.mark.parametrize("text", ["mine", "=./x", "a b=./x", "A=./x", "<b>=./x"])
    def test_a_name_that_is_none_is_refused(self, text: str, tmp_path: Path) -> None:
        asked = ["serve", "--port", "0", "--data", str(tmp_path / "games.db"), "--check", "--engine", text]
        done = CliRunner().invoke(duelbook, asked)
        assert done.exit_code == 2
        assert "--engine needs a name and a command" in done.output

    def test_a_program_that_is_not_there_is_said_at_once(self, tmp_path: Path) -> None:
        asked = ["serve", "--port", "0", "--data", str(tmp_path / "games.db"), "--check", "--engine", "x=./not-there"]
        done = CliRunner().invoke(duelbook, asked, standalone_mode=False)
        assert isinstance(done.exception, DuelError)
        assert "not-there" in str(done.exception)


def test_what_starts_a_server_elsewhere_asks_for_what_there_is() -> None:
    """The unit and the container file name no option that the command does not have, and every example passes on what
    a proxy must."""
    deploy = Path(__file__).parent.parent.parent / "deploy"
    unit = next(
        line for line in (deploy / "duelbook.service").read_text().splitlines() if line.startswith("ExecStart=")
    )
    entry = next(line for line in (deploy / "Containerfile").read_text().splitlines() if line.startswith("ENTRYPOINT"))
    for words in (shlex.split(unit.partition("=")[2]), json.loads(entry.partition(" ")[2])):
        assert words[1] == "serve"
        asked = serve.make_context("serve", words[2:]).params
        assert (asked["log"], asked["port"]) == ("json", 8765)
    proxy = (deploy / "nginx.conf").read_text()
    for header in ("Host", "X-Forwarded-For", "X-Forwarded-Proto", "Upgrade", "Connection"):
        assert f"proxy_set_header {header} " in proxy


def test_who_is_told_to_stop_before_anything_is_served_stops() -> None:
    """The signal came to nothing where it fell between two who listen for it, and the server stayed for ever."""
    code = (
        "import os, signal, socket, tempfile\n"
        "from duelbook.serve import house\n"
        "from duelbook.serve.sqlite import Sqlite\n"
        "from pathlib import Path\n"
        "house.tell = lambda *_, **__: os.kill(os.getpid(), signal.SIGTERM)\n"
        "listening = socket.create_server(('127.0.0.1', 0))\n"
        "with tempfile.TemporaryDirectory() as folder:\n"
        "    store = Sqlite(Path(folder) / 'games.db')\n"
        "    house.House(store, {'127.0.0.1'}).run(listening)\n"
        "    store.close()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=HANGING, check=False)
    assert (done.returncode, done.stderr) == (0, "")


SEVERAL = """
import os, signal, socket, threading
from multiprocessing.process import BaseProcess
from duelbook.serve import running

def child(*_):
    threading.Event().wait()

if __name__ == "__main__":
    running._one_of_several, begin, begun = child, BaseProcess.start, []

    def start(process):
        begin(process)
        begun.append(process)
        if len(begun) == 2:
            os.kill(os.getpid(), signal.SIGTERM)

    BaseProcess.start = start
    asked = running.Serving("postgresql://nowhere", "127.0.0.1", 0, (), processes=8)
    running._run_several(asked, set(), socket.create_server(("127.0.0.1", 0)))
"""


def test_several_processes_that_are_stopped_before_all_have_begun_stop(tmp_path: Path) -> None:
    """They waited for each other for ever: the first for its children, and the children for it."""
    script = tmp_path / "several.py"
    script.write_text(SEVERAL, encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=HANGING, check=False)
    assert (done.returncode, done.stderr) == (0, "")

"""A seat is for playing: programs that try something else, and what they get, in each kind of sandbox and in none."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from duelbook.core import DuelError
from duelbook.engine import sandbox
from duelbook.engine.family import family
from duelbook.engine.fault import EngineFault
from duelbook.engine.limits import AUTO, OFF, REQUIRE, Limits, Surroundings
from duelbook.engine.places import SCRATCH_MB
from duelbook.engine.replies import read_info
from duelbook.players.engine import EnginePlayer
from engine_helper import BOTS, MARK, alive, first_view, invoke, until
from helpers import HANGING

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc, which Linux has")

SECRET = "the cards to come"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with a game that is going on, a place to be, and a mark on whatever is started."""
    home = tmp_path / "home"
    games = home / "state" / "duelbook" / "games"
    games.mkdir(parents=True)
    (games / "now.duel").write_text(SECRET, encoding="utf-8")
    (home / "here").mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.setenv(MARK, str(tmp_path))
    monkeypatch.setenv("SECRET_KEY", SECRET)
    monkeypatch.chdir(home / "here")
    return home


SECOND_CHOICE = [pytest.mark.slow] if shutil.which("bwrap") else []
"""What nobody uses here is tried where everything is."""


@pytest.fixture(params=["bubblewrap", pytest.param("namespaces", marks=SECOND_CHOICE)])
def inside(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Surroundings:
    """Surroundings with each kind of sandbox that keeps all promises."""
    use(request.param, monkeypatch)
    assert not sandbox.best_means().lacking
    return Surroundings(REQUIRE, variables=(MARK,))


@pytest.fixture
def landlocked(monkeypatch: pytest.MonkeyPatch) -> Surroundings:
    """Surroundings where the system lets nobody make views of it."""
    use("Landlock", monkeypatch)
    return Surroundings(AUTO, variables=(MARK,))


def use(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = tried_means(name)
    if isinstance(found, str):
        pytest.skip(f"this system has no such sandbox: {found}")
    monkeypatch.setattr(sandbox, "best_means", lambda: found)


@cache
def tried_means(name: str) -> sandbox.Means | str:
    return sandbox.MEANS[name]()


OUTSIDE = Surroundings(OFF)


def command_of(how: object, *what: object) -> str:
    arguments = json.dumps([str(each) for each in what]).encode().hex()
    return shlex.join([sys.executable, str(BOTS / "intruder.py"), str(how), arguments])


@contextmanager
def intruder(around: Surroundings, *what: object, memory_mb: int = 1024) -> Iterator[EnginePlayer]:
    player = EnginePlayer(command_of(*what), Limits(around=around, move_time=30.0, memory_mb=memory_mb))
    player.prepare(first_view())
    try:
        yield player
    finally:
        player.close()


def got(player: EnginePlayer) -> Any:
    """What the program got when it was asked for a move."""
    player.choose(first_view())
    assert player.engine is not None
    return json.loads(read_info(player.engine.info.decode()).string)


def tried(around: Surroundings, *what: object) -> Any:
    with intruder(around, *what) as player:
        return got(player)


def number_of(player: EnginePlayer) -> int:
    """The number that the program itself has on this machine."""
    assert player.engine is not None
    (found,) = [
        pid
        for pid in family(player.engine.process.launched.child.pid)
        if (Path("/proc") / str(pid) / "cmdline").read_bytes().split(b"\0")[1].endswith(b"intruder.py")
    ]
    return found


# Other processes


def test_it_sees_nobody_but_itself(inside: Surroundings) -> None:
    with intruder(inside, "nothing"):
        seen, rivals = tried(inside, "see", "nothing")
        assert seen <= 2, "itself and what keeps it in"
        assert rivals == 0
    with intruder(OUTSIDE, "nothing"):
        assert tried(OUTSIDE, "see", "nothing")[1] > 0


def test_it_cannot_stop_its_rival_or_its_referee(inside: Surroundings) -> None:
    with intruder(inside, "nothing") as rival:
        pids = (number_of(rival), os.getpid())
        assert tried(inside, "stop", *pids) == ["ProcessLookupError"] * 2
        assert got(rival) is None
    with intruder(OUTSIDE, "nothing") as rival:
        assert tried(OUTSIDE, "stop", number_of(rival)) == ["done"]


def test_it_can_kill_nobody_but_itself(inside: Surroundings) -> None:
    with intruder(inside, "nothing") as rival:
        outcome = tried(inside, "kill-all", Path("/proc/self/ns/pid").readlink())
        assert outcome in ("done", "ProcessLookupError"), outcome
        assert got(rival) is None
    assert tried(OUTSIDE, "kill-all", Path("/proc/self/ns/pid").readlink()) == "the processes of the whole machine"


def test_it_cannot_read_its_rival_or_its_referee(inside: Surroundings) -> None:
    with intruder(inside, "nothing") as rival:
        for pid in (number_of(rival), os.getpid()):
            nothing = {"mem": "FileNotFoundError", "environ": "FileNotFoundError", "trace": "ProcessLookupError"}
            assert tried(inside, "spy", pid) == nothing
    with intruder(OUTSIDE, "nothing") as rival:
        assert tried(OUTSIDE, "spy", number_of(rival))["environ"] > 0


@pytest.mark.parametrize("how", ["leave-a-child", "leave-a-grandchild"])
def test_what_it_leaves_behind_ends_with_it(inside: Surroundings, how: str, tmp_path: Path) -> None:
    """Without a sandbox, too, as long as it does not hide where it comes from."""
    for around in (inside, OUTSIDE):
        with intruder(around, how) as player:
            assert got(player) == "left"
            assert len(alive(str(tmp_path))) > 1
        assert until(lambda: not alive(str(tmp_path)))


def test_it_ends_when_its_referee_is_killed(inside: Surroundings, tmp_path: Path) -> None:
    code = (
        "import os, sys; sys.path.insert(0, sys.argv[1])\n"
        "from engine.test_sandbox import *\n"
        "import threading\n"
        "def start():\n"
        "    global player\n"
        "    found = sandbox.MEANS[sys.argv[2]]()\n"
        "    sandbox.best_means = lambda: found\n"
        f"    around = Surroundings(REQUIRE, variables=({MARK!r},))\n"
        "    command = shlex.join([sys.executable, str(BOTS / 'bad.py'), 'ignore-quit'])\n"
        "    player = EnginePlayer(command, Limits(around=around))\n"
        "    player.prepare(first_view())\n"
        "thread = threading.Thread(target=start)\n"
        "thread.start(); thread.join()\n"
        "player.choose(first_view())\n"  # it outlives the thread that started it
        "os.kill(os.getpid(), 9)\n"
    )
    means = sandbox.best_means().name
    folder = str(Path(__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, "-c", code, folder, means], timeout=HANGING, check=False, capture_output=True
    )
    assert done.returncode == -9, done.stderr
    assert until(lambda: not alive(str(tmp_path)))


# Files


def test_it_reads_no_saved_games(inside: Surroundings, home: Path) -> None:
    games = home / "state" / "duelbook"
    assert tried(inside, "list", games) == []
    assert tried(OUTSIDE, "list", games) == ["now.duel"]
    (secret,) = tried(inside, "read", games / "games" / "now.duel")
    assert secret == "FileNotFoundError"


def test_a_game_that_begins_later_is_hidden_too(inside: Surroundings, home: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "here" / "state"))
    late = home / "here" / "state" / "duelbook" / "games" / "late.duel"
    with intruder(inside, "read", late) as player:
        late.parent.mkdir(parents=True)
        late.write_text(SECRET, encoding="utf-8")
        assert got(player) == ["FileNotFoundError"]


def test_what_lies_in_a_hidden_folder_is_hidden_with_it(inside: Surroundings, home: Path) -> None:
    games = home / "state" / "duelbook"
    around = inside._replace(hidden=(str(games / "games" / "now.duel"), str(games / "games")))
    assert tried(around, "list", games) == []


def test_files_that_are_hidden_from_it_cannot_be_read(inside: Surroundings, home: Path) -> None:
    hidden, open_to_all = home / "here" / "games.duel", home / "here" / "book.txt"
    hidden.write_text(SECRET, encoding="utf-8")
    open_to_all.write_text("a book", encoding="utf-8")
    around = inside._replace(hidden=(str(hidden),))
    assert tried(around, "read", "games.duel", "book.txt") == ["PermissionError", "a book"]


def test_the_file_of_a_seed_cannot_be_read(inside: Surroundings, home: Path) -> None:
    (home / "here" / "seed").write_text("1234567", encoding="utf-8")
    seats = ("--p1", f"engine:{command_of('read', 'seed')}", "--p2", "random", "--seed", "@seed", "--log", "log")
    assert invoke("play", "deck", "--line", "--max-turns", "4", *seats).exit_code == 0
    log = (home / "here" / "log").read_text(encoding="utf-8")
    assert 'info string ["PermissionError"]' in log
    assert "1234567" not in log


def test_it_writes_nowhere_but_to_its_scratch_folder(inside: Surroundings, home: Path) -> None:
    places = [home / "here" / "x", Path("x"), BOTS / "x", Path("/var/tmp/x"), home / "state" / "duelbook" / "x"]
    assert set(tried(inside, "write", *places)) <= {"OSError", "FileNotFoundError"}
    tried(inside, "write", home / "x")  # this home lies in /tmp, where it has a folder of its own
    assert not any(place.exists() for place in (*places, home / "x"))
    assert tried(inside, "write", "/tmp/x", "/dev/shm/x") == [10, 10]
    assert tried(OUTSIDE, "write", home / "here" / "x") == [10]


def test_nothing_passes_from_one_process_to_the_next(inside: Surroundings, home: Path) -> None:
    """In a tournament one process of a program plays first games and another one second games, with the same cards."""
    names = [folder / "message" for folder in (home, home / "here", Path("/tmp"), Path("/dev/shm"), Path("/var/tmp"))]
    with intruder(inside, "write", *names) as one, intruder(inside, "read", *names) as two:
        assert "OSError" in got(one)
        assert set(got(two)) == {"FileNotFoundError"}
    assert set(tried(inside, "read", *names)) == {"FileNotFoundError"}


def test_its_files_lie_in_memory_and_are_few(inside: Surroundings) -> None:
    for folder in ("/tmp", "/dev/shm"):
        assert tried(inside, "fill", folder, 2 * SCRATCH_MB) <= SCRATCH_MB
    assert tried(inside, "write", "/dev/x", "/run/x") == ["OSError"] * 2


def test_it_finds_its_own_files_where_they_are(inside: Surroundings, home: Path) -> None:
    """By a path from here, beside its own file, and with an interpreter that lies in the home folder."""
    (home / "here" / "weights").write_text("42", encoding="utf-8")
    assert tried(inside, "read", "weights", home / "here" / "weights", BOTS / "bad.py")[:2] == ["42", "42"]
    interpreter = home / "python" / "bin" / "python"
    interpreter.parent.mkdir(parents=True)
    interpreter.symlink_to(sys.executable)
    script = home / "here" / "bot.py"
    script.write_text((BOTS / "intruder.py").read_text(encoding="utf-8"), encoding="utf-8")
    player = EnginePlayer(f"{interpreter} bot.py surroundings", Limits(around=inside, move_time=30.0))
    assert got(player)["here"] == str(home / "here")
    player.close()


# The network

REFUSED = ("ConnectionRefusedError", "PermissionError", "OSError")


@contextmanager
def listening(home: Path) -> Iterator[dict[str, Any]]:
    with ExitStack() as stack:
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        udp.settimeout(10)
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
        abstract.bind(f"\0duelbook-{os.getpid()}-{home}"[:100])
        abstract.listen()
        name = abstract.getsockname()[1:].decode()
        yield {"tcp": tcp.getsockname()[1], "abstract": name, "udp": udp}


def test_a_program_that_lies_in_a_folder_of_all_is_found_there(inside: Surroundings) -> None:
    with tempfile.NamedTemporaryFile("w", dir="/tmp", suffix=".sh", delete=False, encoding="utf-8") as file:
        file.write("#!/bin/sh\necho here\n")
    program = Path(file.name)
    try:
        program.chmod(0o755)
        started = sandbox.enclosed([str(program)], sandbox.means_for(inside), inside)
        done = subprocess.run(started.command, env=started.environment, capture_output=True, text=True, check=False)
        assert (done.stdout, done.stderr) == ("here\n", "")
    finally:
        program.unlink()


def test_it_makes_no_spaces_of_its_own_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one it could mount folders of any size, and nobody would count them."""
    use("bubblewrap", monkeypatch)
    unshare = "import ctypes; libc = ctypes.CDLL(None, use_errno=True); print(libc.unshare(0x10000000))"
    started = sandbox.enclosed([sys.executable, "-c", unshare], sandbox.best_means(), Surroundings())
    done = subprocess.run(started.command, env=started.environment, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("-1\n", "")


@pytest.mark.parametrize("kind", ["tcp", "abstract"])
def test_it_reaches_nobody(inside: Surroundings, home: Path, kind: str) -> None:
    with listening(home) as addresses:
        assert tried(inside, "call", kind, addresses[kind]) in REFUSED
        assert tried(OUTSIDE, "call", kind, addresses[kind]) == "connected"


def test_what_it_sends_reaches_nobody(inside: Surroundings, home: Path) -> None:
    """Whatever it sends to itself: a network without a way out is its own."""
    with listening(home) as addresses:
        line = addresses["udp"]
        tried(inside, "call", "udp", line.getsockname()[1], "from inside")
        tried(OUTSIDE, "call", "udp", line.getsockname()[1], "from outside")
        assert line.recv(100) == b"from outside"


def test_it_reaches_no_service_of_the_system(inside: Surroundings) -> None:
    """Their sockets lie in /run and /tmp, which a program has to itself."""
    folder = Path("/tmp") / f"duelbook-{os.getpid()}"
    folder.mkdir()
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as service:
            service.bind(str(folder / "s"))
            service.listen()
            assert tried(inside, "call", "file", folder / "s") == "FileNotFoundError"
            assert tried(OUTSIDE, "call", "file", folder / "s") == "connected"
    finally:
        (folder / "s").unlink()
        folder.rmdir()


# Memory, and what it is given


@pytest.mark.parametrize("kind", ["shared", "nameless", "children"])
@pytest.mark.parametrize("way", ["inside", "outside"])
def test_memory_is_counted_however_it_is_taken(inside: Surroundings, way: str, kind: str) -> None:
    around = inside if way == "inside" else OUTSIDE
    with intruder(around, "take", kind, 96, memory_mb=64) as player:
        with pytest.raises(EngineFault, match=r"used more than 64 MB of memory\.") as caught:
            player.choose(first_view())
        assert caught.value.kind == "crash"


def test_it_is_given_no_more_than_it_needs(inside: Surroundings, home: Path) -> None:
    with socket.socket() as held:
        os.set_inheritable(held.fileno(), True)
        seen = tried(inside, "surroundings")
    assert seen["files"] == ["0", "1", "2"]
    assert "SECRET_KEY" not in seen["variables"]
    assert {"PATH", "HOME", "TMPDIR"} <= set(seen["variables"])
    assert seen["here"] == str(home / "here")
    assert seen["uid"] == os.getuid()
    passed = inside._replace(variables=("SECRET_KEY",))
    assert "SECRET_KEY" in tried(passed, "surroundings")["variables"]


# Where there is only Landlock: less, and it is said


@pytest.mark.slow
def test_landlock_keeps_what_it_says(landlocked: Surroundings, home: Path) -> None:
    keeps = sandbox.best_means().keeps
    here = home / "here"
    (here / "weights").write_text("42", encoding="utf-8")
    with intruder(landlocked, "nothing") as rival, listening(home) as addresses:
        pids = (number_of(rival), os.getpid())
        for pid in pids:
            denied = {"mem": "PermissionError", "environ": "PermissionError", "trace": "PermissionError"}
            assert tried(landlocked, "spy", pid) == denied
        if "stop other processes" in keeps:
            assert tried(landlocked, "stop", *pids) == ["PermissionError"] * 2
            assert tried(landlocked, "call", "abstract", addresses["abstract"]) == "PermissionError"
        if "use TCP" in keeps:
            assert tried(landlocked, "call", "tcp", addresses["tcp"]) == "PermissionError"
        assert got(rival) is None
    secret = home / "state" / "duelbook" / "games" / "now.duel"
    hidden = landlocked._replace(hidden=(str(here / "hidden"),))
    (here / "hidden").write_text(SECRET, encoding="utf-8")
    assert tried(hidden, "read", secret, "hidden", "weights") == ["PermissionError", "PermissionError", "42"]
    places = [home / "x", here / "x", Path("x"), BOTS / "x", Path("/tmp/x"), Path("/dev/shm/x"), Path("/var/tmp/x")]
    assert set(tried(landlocked, "write", *places)) == {"PermissionError"}


def test_landlock_has_a_folder_to_write_to_that_goes_with_the_program(landlocked: Surroundings) -> None:
    with intruder(landlocked, "scribble") as player:
        (path,) = got(player)
        assert Path(path).read_text(encoding="utf-8") == "I was here"
    assert not Path(path).parent.exists()


@pytest.mark.parametrize("how", ["leave-a-child", "leave-a-grandchild"])
def test_landlock_ends_what_can_be_found(landlocked: Surroundings, how: str, tmp_path: Path) -> None:
    with intruder(landlocked, how) as player:
        assert got(player) == "left"
    assert until(lambda: not alive(str(tmp_path)))


def test_landlock_alone_is_not_the_whole(landlocked: Surroundings) -> None:
    said = sandbox.best_means().sentence
    assert "A program cannot read other processes" in said
    assert "It can see which processes there are" in said
    with pytest.raises(DuelError, match="no whole sandbox"):
        sandbox.means_for(Surroundings(REQUIRE))


def test_landlock_counts_memory(landlocked: Surroundings) -> None:
    with (
        intruder(landlocked, "take", "shared", 96, memory_mb=64) as player,
        pytest.raises(EngineFault, match=r"used more than 64 MB of memory\."),
    ):
        player.choose(first_view())


# What is said of it


BOT = shlex.join([sys.executable, str(BOTS / "intruder.py"), "nothing"])


@pytest.fixture
def nothing_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "best_means", lambda: sandbox.NOTHING._replace(why="bubblewrap is not installed"))


def test_auto_says_in_one_line_what_holds(inside: Surroundings) -> None:
    said = invoke("play", "tower", "--line", "--p1", f"engine:{BOT}", "--p2", "random").stderr
    assert said.startswith(f"Sandbox: {sandbox.best_means().name}. A program cannot see, stop or read other processes,")
    assert said.count("\n") == 1


@pytest.mark.usefixtures("nothing_here")
def test_auto_says_in_one_line_that_there_is_none() -> None:
    done = invoke("play", "tower", "--line", "--p1", f"engine:{BOT}", "--p2", "random")
    assert done.exit_code == 0
    assert done.stderr == (
        "Sandbox: none, because bubblewrap is not installed. Programs run with all your rights; to keep them in, "
        "install bubblewrap (on Debian and Ubuntu: apt install bubblewrap).\n"
    )


@pytest.mark.usefixtures("nothing_here")
@pytest.mark.parametrize(
    "words",
    [
        ("play", "tower", "--line", "--p1", f"engine:{BOT}", "--p2", "random"),
        ("arena", f"engine:{BOT}", "random", "--games", "tower", "--rounds", "1", "--on", "one-process"),
        ("check-engine", BOT),
    ],
    ids=lambda words: words[0],
)
def test_what_is_required_and_cannot_be_had_is_refused(words: tuple[str, ...]) -> None:
    name, *others = words
    done = invoke(name, "--sandbox", "require", *others)
    assert isinstance(done.exception, DuelError)
    assert "There is no whole sandbox on this system: here a program can see, stop" in str(done.exception)
    assert "install bubblewrap" in str(done.exception)


def test_off_says_nothing() -> None:
    assert invoke("play", "tower", "--line", "--p1", f"engine:{BOT}", "--p2", "random", "--sandbox", "off").stderr == ""


def test_nobody_speaks_of_a_sandbox_where_no_program_plays() -> None:
    assert invoke("play", "tower", "--line", "--p1", "random", "--p2", "random").stderr == ""


@pytest.mark.slow
def test_an_arena_plays_inside_and_shows_nobody_its_games(inside: Surroundings, home: Path) -> None:
    """Neither the file of games nor the folder with those that are going on."""
    look = f"engine:{command_of('look-around', '.')}"
    words = ("arena", look, "random", "--games", "deck", "--rounds", "1", "--on", "one-process", "--log", "log")
    done = invoke(*words, "--out", "games.duel")
    assert done.exit_code == 0, done.output
    assert "2 games played" in done.stdout
    seen = re.findall("info string (.*)", (home / "here" / "log").read_text(encoding="utf-8"))
    assert seen
    assert all(json.loads(each) == {"games.duel": "PermissionError", "log": "PermissionError"} for each in seen)
    (home / "here" / "games.duel").unlink()
    invoke(*words, "--out", "games.duel", "--sandbox", "off")
    seen = re.findall("info string (.*)", (home / "here" / "log").read_text(encoding="utf-8"))
    assert any(name.startswith(".games.duel.") for name in json.loads(seen[-1])), "a game that is going on"


def test_our_own_players_play_inside(inside: Surroundings) -> None:
    command = f"{shlex.quote(sys.executable)} -m duelbook engine --player level:3"
    player = EnginePlayer(command, Limits(around=inside, move_time=30.0))
    player.prepare(first_view())
    assert player.choose(first_view()) in first_view().legal()
    player.close()

"""Programs that are refuted: the example bots, and bots that are hard to pin down. The command, too."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import duelbook
from duelbook.core import DuelError
from duelbook.engine.limits import Limits
from duelbook.exam.examinee import candidate
from duelbook.exam.refutation import EXACT, SAMPLED, Refutation
from duelbook.games import ROOMS
from duelbook.table.verify import verify
from engine_helper import EXAMPLES
from helpers import HANGING
from slow_helper import first_now

LANGUAGES = {"thumb.py": sys.executable, "fickle.js": "node", "brute.c": "cc"}
PATIENT = Limits(move_time=HANGING)

BOT = """
import os, random, sys
for line in sys.stdin:
    words = line.split() or [""]
    if words[0] == "udi":
        print("id name Bot", "id author Me", "game *", "udiok", sep="\\n", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        at = " ".join(words[2:])
    elif words[0] == "go":
        legal = words[words.index("legal") + 1 :]
        print("bestmove", {choice}, flush=True)
    elif words[0] == "quit":
        break
"""


def bot(folder: Path, choice: str) -> str:
    """The command of a bot that makes this choice."""
    file = folder / "bot.py"
    file.write_text(BOT.replace("{choice}", choice), encoding="utf-8")
    return f"engine:{shlex.join([sys.executable, str(file)])}"


def refuted(kind: str, duel: str, **more: object) -> Refutation:
    return duelbook.refute(candidate(kind, limits=PATIENT), duel, **more)  # type: ignore[arg-type]  # options by name


@pytest.fixture(params=first_now(LANGUAGES), scope="module")
def example(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    name: str = request.param
    tool = shutil.which(LANGUAGES[name])
    if tool is None:
        pytest.skip(f"{LANGUAGES[name]} is not installed here")
    if not name.endswith(".c"):
        return f"engine:{shlex.join([tool, str(EXAMPLES / name)])}"
    program = tmp_path_factory.mktemp("bots") / "brute"
    subprocess.run([tool, "-O2", "-o", program, EXAMPLES / name], check=True)
    return f"engine:{program}"


def is_refuted(found: Refutation, tmp_path: Path) -> None:
    assert found.refuted
    for seat in found.seats:
        # Who sits where the duel is lost anyway can lose no more than that; the sample is below that by its margin.
        if not seat.refuted and seat.game < 1:  # right only of who errs nowhere, by tables that know of no response
            assert seat.how == EXACT, found.report()
            assert not seat.lost.slips, found.report()
        if seat.sample is not None:
            assert seat.sample.wins > seat.sample.games / 2
    assert any(seat.refuted for seat in found.seats), found.report()
    found.write(tmp_path / "proof.duel", replace=True)
    checked = verify(tmp_path / "proof.duel")
    assert checked.ok, checked.error


def test_every_example_bot_is_refuted_in_tower(example: str, tmp_path: Path) -> None:
    is_refuted(refuted(example, "tower", games=30, seed=1), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("id", [id for id in ROOMS if id != "tower"])
def test_every_example_bot_is_refuted_in_every_duel(example: str, id: str, tmp_path: Path) -> None:
    is_refuted(refuted(example, id, games=60, seed=1, positions=20_000), tmp_path)


def test_thumb_is_known_exactly_where_it_has_a_rule(tmp_path: Path) -> None:
    found = refuted(f"engine:{shlex.join([sys.executable, str(EXAMPLES / 'thumb.py')])}", "tower", seat=0)
    (seat,) = found.seats
    assert seat.how == EXACT
    assert seat.beaten
    assert seat.forced
    assert seat.record is not None
    assert seat.record.match.turns == 10


def test_a_program_that_differs_from_process_to_process_is_told_so(tmp_path: Path) -> None:
    random = bot(tmp_path, "legal[random.Random(os.urandom(8)).randrange(len(legal))]")
    assert refuted(random, "energy", seat=1, games=20).seats[0].how == SAMPLED
    once = "random.Random(START + at).choice(legal)"
    file = tmp_path / "bot.py"
    file.write_text(
        BOT.replace("{choice}", once).replace(
            "import os, random, sys", "import os, random, sys\nSTART = str(os.urandom(8))"
        ),
        encoding="utf-8",
    )
    found = refuted(f"engine:{shlex.join([sys.executable, str(file)])}", "tower", seat=0, games=20)
    assert found.seats[0].how == SAMPLED
    assert not found.seats[0].same


def test_a_program_that_fails_at_one_position_is_led_there(tmp_path: Path) -> None:
    kind = bot(tmp_path, "legal[0] if at != '2 1 2' else sys.exit(3)")
    (seat,) = refuted(kind, "tower", seat=1).seats
    (fault,) = seat.faults
    assert (fault.position, fault.kind) == ("2 1 2", "crashed")
    assert seat.record is not None
    assert seat.record.match.outcome is not None
    assert seat.record.match.outcome.kind == "fault"


def test_an_illegal_move_is_named(tmp_path: Path) -> None:
    (seat,) = refuted(bot(tmp_path, "'castle' if at == '0 0 1' else legal[0]"), "tower", seat=0).seats
    assert seat.faults[0].kind == "illegal"
    assert "castle" in seat.faults[0].sentence
    assert seat.beaten


def test_what_is_no_program_is_refused() -> None:
    with pytest.raises(DuelError):
        refuted(f"engine:{sys.executable} -c pass", "tower")


# The command


def command(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "duelbook", "refute", *words]
    return subprocess.run(line, capture_output=True, text=True, timeout=HANGING, check=False, cwd=folder)


def test_the_command_writes_a_file_and_json(tmp_path: Path) -> None:
    kind = bot(tmp_path, "legal[0]")
    done = command(kind, "--duels", "tower,energy", "--out", "proof.duel", "--json", "--st", "60", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [each["duel"] for each in found] == ["tower", "energy"]
    assert all(each["refuted"] for each in found)
    checked = verify(tmp_path / "proof.duel")
    assert checked.ok
    assert len(checked.games) == 4
    again = command(kind, "--duels", "tower", "--out", "proof.duel", folder=tmp_path)
    assert again.returncode == 1
    assert again.stdout == ""


@pytest.mark.parametrize(
    "words",
    [
        ("human",),
        ("random", "--seat", "3"),
        ("random", "--duels", "chess"),
        ("random", "--rule", "goal=20"),
        ("random", "--duels", "tower", "--rule", "goal=x"),
        ("llm:openai/some-model", "--duels", "tower"),
        (),
    ],
)
def test_wrong_usage_ends_with_2(words: tuple[str, ...], tmp_path: Path) -> None:
    done = command(*words, folder=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_stopped_it_leaves_nothing_half_written(tmp_path: Path) -> None:
    """The bot tells by a file that it is being asked; then whoever waits gives up."""
    kind = bot(tmp_path, "(open('asked', 'w').close(), legal[0])[1] if at != '1 1 1' else sys.stdin.read()")
    line = [sys.executable, "-m", "duelbook", "refute", kind, "--duels", "tower", "--out", "proof.duel", "--st", "600"]
    with subprocess.Popen(
        [*line, "--sandbox", "off"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as running:
        while not (tmp_path / "asked").exists():
            assert running.poll() is None
        os.kill(running.pid, signal.SIGINT)
        out, _ = running.communicate(timeout=HANGING)
    assert running.returncode == 130
    assert out == b""
    assert not (tmp_path / "proof.duel").exists()

"""A program that misbehaves is caught: with the right fault, in time, with nothing of it left, in little memory."""

from __future__ import annotations

import gc
import os
import pickle
import select
import signal
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from duelbook import Match, load
from duelbook.core import DuelError
from duelbook.engine import limits
from duelbook.engine.fault import EngineFault
from duelbook.engine.limits import Limits, Surroundings, usual_limits
from duelbook.engine.process import KEPT_STDERR
from duelbook.engine.sandbox import best_means
from duelbook.players.engine import EnginePlayer
from duelbook.players.random import RandomPlayer
from engine_helper import FREE, MARK, alive, bad, first_view, until
from helpers import HANGING
from slow_helper import first_now

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc to see what is left")

MOVE_TIME = 0.3
LATE = ("hang", "hang-and-ignore-terminate", "late", "flood-stderr")
"""Those whose fault is their time. All others get as much as they need: a slow machine is no fault of theirs."""


@pytest.fixture(autouse=True)
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Whatever a test starts carries this mark, and nothing with it is left when the test is over."""
    name = tmp_path.name + str(id(tmp_path))
    monkeypatch.setenv(MARK, name)
    monkeypatch.setattr(limits, "_usual", FREE)
    yield name
    gc.collect()
    assert until(lambda: not alive(name)), alive(name)


def fault_of(
    how: str,
    *,
    memory_mb: int | None = 1024,
    cpu_seconds: int | None = None,
    around: Surroundings = FREE,
    late: bool = False,
) -> EngineFault:
    player = EnginePlayer(
        bad(how),
        Limits(
            move_time=MOVE_TIME if late or how in LATE else HANGING,
            memory_mb=memory_mb,
            cpu_seconds=cpu_seconds,
            around=around._replace(start_time=0.5 if how == "silent" else HANGING),
        ),
    )
    with pytest.raises(EngineFault) as caught:
        play(player)
    assert player.engine is None  # the fault itself ended it
    return caught.value


def play(player: EnginePlayer) -> None:
    player.prepare(first_view())
    for _ in range(3):
        player.choose(first_view())


FAULTS = pytest.mark.parametrize(
    ("how", "kind", "words"),
    [
        ("crash-at-start", "crash", "ended with exit code 1 before it said udiok. Its last words: There is no conf"),
        ("crash", "crash", "ended with exit code 3 before it said bestmove. Its last words: Traceback: I have divided"),
        ("segfault", "crash", "was ended by SIGSEGV before it said bestmove."),
        ("silent", "time", "did not say udiok within 0.5 s."),
        ("hang", "time", "did not say bestmove within 0.3 s."),
        ("hang-and-ignore-terminate", "time", "did not say bestmove within 0.3 s."),
        ("late", "time", "did not say bestmove within 0.3 s."),
        ("flood-stderr", "time", "did not say bestmove within 0.3 s."),
        ("flood-stdout", "protocol", "said more than 1,048,576 bytes without bestmove among them."),
        ("huge-line", "protocol", "said a line of more than 16,384 bytes."),
        ("binary", "protocol", "not UTF-8 text."),
        ("garbage", "protocol", "said 'I would rather build.' where bestmove was awaited."),
        ("greet", "protocol", "'Welcome to my bot!' is none of id name, id author, game, option and udiok."),
        ("nameless", "protocol", "shook hands without id name."),
        ("no-move", "protocol", "after bestmove comes one word, the move."),
        ("two-answers", "protocol", "said 'bestmove build_1' when nothing was asked."),
        ("close-stdout", "protocol", "closed its input or output before it said bestmove, and went on running."),
        ("illegal", "illegal", "played 'attack' at 0 0 1, where build_1, build_2 or build_4 can be played."),
        ("unknown-move", "illegal", "played 'castle' at 0 0 1"),
    ],
)


@FAULTS
def test_every_way_to_fail_has_its_fault(how: str, kind: str, words: str) -> None:
    fault = fault_of(how)
    assert fault.kind == kind
    assert words in fault.sentence
    assert str(fault) == fault.sentence


@pytest.mark.slow
@FAULTS
def test_a_sandbox_changes_no_fault(how: str, kind: str, words: str) -> None:
    """But for a program that closes its output: what keeps it in has that open, too, so it is only late."""
    only_late = how == "close-stdout" and best_means().name == "bubblewrap"
    fault = fault_of(how, around=Surroundings(variables=(MARK,)), late=only_late)
    if only_late:
        kind, words = "time", "did not say bestmove within 0.3 s."
    assert fault.kind == kind
    assert words in fault.sentence


@pytest.mark.slow
def test_memory_runs_out_where_it_was_limited() -> None:
    fault = fault_of("eat-memory", memory_mb=256)
    assert fault.kind == "crash"
    assert "MemoryError" in fault.stderr


@pytest.mark.slow
def test_processor_time_runs_out_where_it_was_limited() -> None:
    fault = fault_of("burn", cpu_seconds=1)
    assert fault.kind == "time"
    assert "used more than 1 s of processor time." in fault.sentence


def test_processor_time_that_runs_out_behind_a_shell_is_called_by_its_name() -> None:
    player = EnginePlayer("sh -c 'exit 152'", usual_limits()._replace(cpu_seconds=7))
    with pytest.raises(EngineFault, match=r"used more than 7 s of processor time\.") as caught:
        player.prepare(first_view())
    assert caught.value.kind == "time"


def test_an_answer_that_nobody_asked_for_is_not_taken_for_the_next_one() -> None:
    """Even where it comes a moment after the first, and not in one piece with it."""
    player = EnginePlayer(bad("two-answers-apart"))
    player.prepare(first_view())
    player.choose(first_view())
    assert player.engine is not None
    process = player.engine.process
    assert process.unread or select.select([process._out], [], [], 10)[0]
    with pytest.raises(EngineFault, match="said 'bestmove build_1' when nothing was asked") as caught:
        player.choose(first_view())
    assert caught.value.kind == "protocol"


def test_what_is_said_after_a_game_costs_nobody_the_next() -> None:
    player = EnginePlayer(bad("two-answers"))
    player.prepare(first_view())
    player.choose(first_view())
    before = player.engine
    player.prepare(first_view())
    player.choose(first_view())
    assert player.engine is not before
    player.close()


def test_a_clock_that_is_used_up_has_lost_however_little_each_move_oversteps_it() -> None:
    player = EnginePlayer(bad("slow"), usual_limits()._replace(clock=(0.2, 0.0)))
    player.prepare(first_view())
    moves = (player.choose(first_view()) for _ in range(5))
    with pytest.raises(EngineFault) as caught:
        list(moves)
    assert caught.value.kind == "time"


def test_a_program_has_a_session_of_its_own_and_no_terminal() -> None:
    player = EnginePlayer(bad("nothing"))
    player.prepare(first_view())
    assert player.engine is not None
    group = player.engine.process.launched.child.pid
    assert os.getsid(group) == group
    player.close()


def test_something_that_is_no_program_is_called_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text("print()", encoding="utf-8")
    with pytest.raises(EngineFault, match=r"it is a file that may not be run\. Try: chmod \+x .*bot.py"):
        EnginePlayer(str(path)).prepare(first_view())
    with pytest.raises(EngineFault, match=r"cannot be started: it is a folder\."):
        EnginePlayer(str(tmp_path)).prepare(first_view())


def test_a_program_that_is_not_there_says_so() -> None:
    with pytest.raises(EngineFault, match=r"'\./no-such-bot' cannot be started: there is no such program\.") as caught:
        EnginePlayer("./no-such-bot").prepare(first_view())
    assert caught.value.kind == "crash"


def test_a_duel_that_it_does_not_play_is_refused() -> None:
    player = EnginePlayer(bad("only-tower"))
    player.prepare(first_view("tower"))
    with pytest.raises(EngineFault, match=r"does not play deck\. It plays tower\."):
        player.prepare(first_view("deck"))


@pytest.mark.slow
@pytest.mark.parametrize("how", first_now(["flood-stdout", "flood-stderr", "huge-line"]))
def test_a_flood_does_not_fill_memory(how: str) -> None:
    tracemalloc.start()
    try:
        fault = fault_of(how)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 16 * 2**20
    assert len(fault.stderr) <= KEPT_STDERR


def test_talk_on_stderr_harms_nobody_and_the_last_of_it_is_kept() -> None:
    player = EnginePlayer(bad("chatter-on-stderr"), usual_limits()._replace(move_time=5.0))
    for _ in range(3):
        assert player.choose(first_view()) == 0
    engine = player.engine
    assert engine is not None
    player.close()
    kept = engine.process.stderr()
    assert kept.endswith("thinking aloud\n")
    assert len(kept) == KEPT_STDERR


@pytest.mark.parametrize("how", ["ignore-quit", "child"])
def test_closing_ends_all_that_was_started(how: str, mark: str) -> None:
    player = EnginePlayer(bad(how))
    player.choose(first_view())
    assert until(lambda: len(alive(mark)) == (2 if how == "child" else 1))
    player.close()
    assert until(lambda: not alive(mark))


def test_a_player_that_is_forgotten_leaves_nothing_behind(mark: str) -> None:
    player = EnginePlayer(bad("nothing"))
    player.choose(first_view())
    assert alive(mark)
    del player
    gc.collect()
    assert until(lambda: not alive(mark))


def test_a_program_that_leaves_in_the_middle_takes_its_players_along(mark: str) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from duelbook.players.engine import EnginePlayer\n"
        "from engine_helper import bad, first_view\n"
        "player = EnginePlayer(bad('ignore-quit'))\n"
        "player.choose(first_view())\n"
    )
    folder = str(Path(__file__).parent.parent)
    subprocess.run([sys.executable, "-c", code, folder], check=True, timeout=HANGING)
    assert until(lambda: not alive(mark))


def test_after_a_fault_the_next_game_gets_a_new_process() -> None:
    player = EnginePlayer(bad("illegal"), usual_limits()._replace(move_time=5.0))
    with pytest.raises(EngineFault):
        player.choose(first_view())
    attack = load("tower").read_position(load("tower").book, "5 8 1")
    assert player.choose(first_view()._replace(state=attack)) == 3
    player.close()


@pytest.mark.parametrize("how", ["hang", "silent"])
def test_a_player_can_be_closed_while_another_thread_waits_for_it(how: str) -> None:
    """For its move, or for its first word."""
    player = EnginePlayer(bad(how), Limits(move_time=2 * HANGING, around=FREE._replace(start_time=2 * HANGING)))
    if how == "hang":
        player.prepare(first_view())
    faults: list[EngineFault] = []

    def wait() -> None:
        try:
            player.choose(first_view())
        except EngineFault as fault:
            faults.append(fault)

    thread = threading.Thread(target=wait)
    thread.start()
    assert until(lambda: player._busy.locked() and player._process is not None)
    player.close()
    thread.join(timeout=HANGING)
    assert not thread.is_alive()
    assert [fault.kind for fault in faults] == ["crash"]
    player.close()


def test_ctrl_c_waits_until_a_program_that_begins_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the moment between its beginning and our knowing of it, nobody could end it."""
    real = subprocess.Popen

    def interrupted(*args: Any, **kwargs: Any) -> Any:
        child = real(*args, **kwargs)
        signal.raise_signal(signal.SIGINT)
        return child

    monkeypatch.setattr(subprocess, "Popen", interrupted)
    player = EnginePlayer(bad("ignore-quit"))
    with pytest.raises(KeyboardInterrupt):
        player.prepare(first_view())


def test_the_referee_ends_the_game_with_the_fault() -> None:
    match = Match(load("tower"), names=("Ann", "Bot"))
    players = (RandomPlayer(1), EnginePlayer(bad("garbage"), usual_limits()._replace(move_time=5.0)))
    outcome = match.run(players)
    assert (outcome.winner, outcome.kind) == (0, "fault")
    assert outcome.reason.startswith("Bot lost by a fault (protocol): '")


def test_a_fault_can_be_sent_to_another_process() -> None:
    fault = pickle.loads(pickle.dumps(EngineFault("time", "It was late.", "zzz")))
    assert (fault.kind, fault.sentence, fault.stderr, str(fault)) == ("time", "It was late.", "zzz", "It was late.")


def test_an_option_that_is_not_there_is_refused_before_the_game() -> None:
    with pytest.raises(DuelError, match=r"has no option called 'Mood'\. Its options are Temper\."):
        EnginePlayer(bad("nothing"), usual_limits()._replace(options=(("Mood", "1"),))).prepare(first_view())
    with pytest.raises(DuelError, match=r"Temper is a number from 1 to 5, not 'furious'\."):
        EnginePlayer(bad("nothing"), usual_limits()._replace(options=(("Temper", "furious"),))).prepare(first_view())
    player = EnginePlayer(bad("nothing"), usual_limits()._replace(options=(("Temper", "5"),)))
    player.prepare(first_view())
    player.close()

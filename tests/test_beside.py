"""Work beside the main thread: an interruption reaches whoever waits for it, and never the work."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numba
import pytest

from duelbook import beside as place
from duelbook.beside import beside, goes_on, side_by_side
from duelbook.positions import compiler
from duelbook.positions.compiler import keep_by, kept
from helpers import HANGING


@pytest.fixture(autouse=True)
def nothing_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other tests have left behind is none of this one's business."""
    monkeypatch.setattr(place, "_given_up", [])


def doubled(number: int) -> int:
    return 2 * number


def test_whoever_waits_is_interrupted_and_the_work_is_not() -> None:
    unwound, heard = threading.Event(), list[bool]()

    def work() -> None:
        signal.raise_signal(signal.SIGINT)
        heard.append(unwound.wait(HANGING))

    with pytest.raises(KeyboardInterrupt):
        beside(work)
    assert goes_on()
    unwound.set()
    works = [thread for thread in threading.enumerate() if isinstance(thread, place.Work)]
    assert all(work.over_within(HANGING) for work in works)
    assert not goes_on()
    assert heard == [True]


def test_what_is_made_and_what_goes_wrong_comes_back() -> None:
    assert beside(doubled, 21) == 42
    assert beside(doubled, number=2) == 4
    with pytest.raises(ZeroDivisionError):
        beside(lambda: 1 // 0)
    assert not goes_on()


def test_in_another_thread_it_is_done_at_once_for_no_signal_is_heard_there() -> None:
    threads = beside(lambda: (threading.current_thread(), beside(threading.current_thread)))
    assert threads[0] is threads[1] is not threading.main_thread()


@pytest.mark.parametrize("brief", [False, True])
def test_an_interruption_while_something_is_compiled_spoils_nothing(
    brief: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Neither what is being compiled nor what is done with it afterwards; and it is kept whole."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    over, load = threading.Event(), compiler._Cache.load_overload

    def interrupted(self: Any, *asked: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        assert threading.current_thread() is not threading.main_thread()
        found = load(self, *asked)
        over.set()
        return found

    monkeypatch.setattr(compiler._Cache, "load_overload", interrupted)
    function = keep_by("key", numba.njit(doubled), brief=brief)
    with pytest.raises(KeyboardInterrupt):
        function(21)
    assert over.wait(HANGING)
    monkeypatch.setattr(compiler._Cache, "load_overload", load)
    assert function(21) == 42
    assert not list(tmp_path.rglob("*.tmp.*"))
    assert keep_by("key", numba.njit(doubled))(4) == 8


def test_a_compiled_function_runs_where_no_signal_is_heard() -> None:
    """And without holding up the thread that hears them."""
    function = kept(doubled)
    assert function(21) == 42
    assert function.targetoptions["nogil"]
    assert type(function).__call__ is not numba.core.registry.CPUDispatcher.__call__


def test_a_mistake_in_shared_work_is_no_interruption() -> None:
    def share() -> None:
        with side_by_side(1) as pool:
            list(pool.map(lambda number: 1 // number, [1, 0]))

    with pytest.raises(ZeroDivisionError):
        share()
    assert not goes_on()


def test_whoever_shares_work_and_is_interrupted_does_not_wait() -> None:
    unwound, begun = threading.Event(), threading.Event()

    def work(_: int) -> bool:
        begun.set()
        return unwound.wait(HANGING)

    def share() -> None:
        with side_by_side(1) as pool:
            answers = pool.map(work, range(1000))
            begun.wait(HANGING)
            signal.raise_signal(signal.SIGINT)
            list(answers)

    with pytest.raises(KeyboardInterrupt):
        share()
    assert goes_on()
    unwound.set()


LEAVES = """
import atexit, sys, threading
from duelbook import cli
from duelbook.beside import Work, uncut

leaving, writing = threading.Event(), threading.Event()
atexit.register(leaving.set)

def work():
    with uncut:
        writing.set()
        leaving.wait()
        print("written whole", flush=True)
    threading.Event().wait()

def interrupted():
    Work(work, daemon=False).start()
    writing.wait()
    print("said")
    return 130

cli.run, cli.SECONDS_TO_WRITE = interrupted, 300.0
cli.main()
"""


def test_a_command_that_is_left_ends_at_once_but_cuts_off_no_file() -> None:
    """What ends with Python, such as programs that were started, ends here too."""
    left = subprocess.run([sys.executable, "-c", LEAVES], capture_output=True, text=True, timeout=HANGING, check=False)
    assert (left.returncode, left.stdout, left.stderr) == (130, "said\nwritten whole\n", "")

"""Whoever waits for a solution hears what is being done and about how long it will still take."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Lock

import pytest

from duelbook import load, patience, variant
from duelbook.positions.kind import kind_of
from duelbook.positions.machine import plain
from duelbook.solving import progress as room
from duelbook.solving.library import solution_for
from duelbook.solving.progress import STEPS, Progress
from duelbook.solving.solver import solve


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def planned(clock: Clock, seconds: float = 10.0) -> Progress:
    """Three steps, of which half, a fifth and three tenths of the time are expected."""
    progress = Progress(clock)
    progress.plan("backwards", seconds, plain())
    return progress


@pytest.mark.parametrize("kind", STEPS)
def test_the_steps_together_are_the_whole(kind: str) -> None:
    assert sum(step.share for step in STEPS[kind]) == pytest.approx(1)


@pytest.mark.parametrize("words", ["tower goal=7", "deck lp=3 cards=3", "secret hp=3 highest=3"])
def test_a_solver_tells_of_every_step(words: str) -> None:
    id, *settings = words.split()
    game, progress = load(id), Progress()
    solve(game, variant(game, settings), progress=progress)
    assert len(progress.begun) == len(progress.steps) == len(STEPS[kind_of(game)])


def test_before_anything_is_done_the_guess_is_all_there_is() -> None:
    clock = Clock()
    progress = planned(clock)
    assert (progress.left, progress.part, str(progress)) == (10, 0, "Getting ready, about 10 s more")
    progress.next()
    clock.now += 2
    assert (progress.left, progress.part) == (8, 0.2)
    assert str(progress) == "Finding every position (1 of 3), about 8 s more"
    clock.now += 50  # far longer than was guessed: the next steps are still to come
    assert progress.left == pytest.approx(5)


@pytest.mark.parametrize("pace", [0.5, 1, 20])
def test_what_was_measured_corrects_the_guess(pace: float) -> None:
    clock = Clock()
    progress = planned(clock)
    progress.next()
    clock.now += 5 * pace
    progress.next()
    assert progress.left == pytest.approx(5 * pace)
    clock.now += 2 * pace
    progress.next()
    assert progress.left == pytest.approx(3 * pace)
    assert progress.part == pytest.approx(0.7)
    clock.now += 100 * pace
    assert str(progress) == "Choosing among equal moves (3 of 3), a moment more"


def test_what_is_compiled_already_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = plain()._replace(compiled=True)
    guesses = {}
    for ready in (False, True):
        monkeypatch.setattr(room, "is_compiled", lambda twin, ready=ready: ready)
        progress = Progress()
        progress.plan("picks", 1.0, compiled)
        guesses[ready] = progress.left
    walk = STEPS["picks"][0].to_compile  # which is another one for every variant
    assert guesses[True] == pytest.approx(1 + walk)
    assert guesses[False] == pytest.approx(1 + sum(step.to_compile for step in STEPS["picks"]))


def test_seconds_and_minutes() -> None:
    assert [patience.still(seconds) for seconds in (0, 1.4, 2, 89, 100, 600)] == [
        "a moment more",
        "a moment more",
        "about 2 s more",
        "about 89 s more",
        "about 2 min more",
        "about 10 min more",
    ]


class SoonOver:
    """Not over at first, and not for so many looks afterwards; then it goes on to the next step each time."""

    def __init__(self, progress: Progress, steps: int) -> None:
        self.progress, self.steps = progress, steps

    def wait(self, _seconds: float) -> bool:
        if self.steps == 0:
            return True
        self.steps -= 1
        self.progress.next()
        return False


@pytest.mark.parametrize("drawn", [False, True])
def test_every_step_is_shown(monkeypatch: pytest.MonkeyPatch, drawn: bool) -> None:
    said = io.StringIO()
    monkeypatch.setattr("sys.stderr", said)
    progress = planned(Clock(), 100)
    patience._follow("Solving this.", progress, SoonOver(progress, 3), drawn)
    assert said.getvalue().startswith("Solving this.\n")
    if not drawn:
        assert said.getvalue().splitlines()[1:] == [
            "Finding every position (1 of 3), about 2 min more",
            "Going back from the ends (2 of 3), a moment more",
            "Choosing among equal moves (3 of 3), a moment more",
        ]


@pytest.fixture
def nothing_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whatever other tests have solved before."""
    for name in ("_known", "_locks"):
        monkeypatch.setattr(f"duelbook.solving.library.{name}", {})
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


@pytest.mark.usefixtures("nothing_known")
def test_who_asks_for_what_is_being_solved_waits_for_that(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the full screen the bar asks and a hint asks, or somebody gives up and asks again."""
    begun, waits, go_on, calls = Event(), Event(), Event(), []

    def slow(*arguments: object) -> object:
        calls.append(arguments)
        begun.set()
        go_on.wait()
        return solve(*arguments)  # type: ignore[arg-type]  # handed on as they come

    class Watched:
        """A lock that tells when somebody waits for it."""

        def __init__(self) -> None:
            self.lock = Lock()

        def __enter__(self) -> None:
            if self.lock.locked():
                waits.set()
            self.lock.acquire()

        def __exit__(self, *_: object) -> None:
            self.lock.release()

    monkeypatch.setattr("duelbook.solving.solver.solve", slow)
    monkeypatch.setattr("duelbook.solving.library.Lock", Watched)
    game = load("tower")
    rules = variant(game, ["goal=6", "knocked=3"])
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(solution_for, game, rules)
        begun.wait()
        second = pool.submit(solution_for, game, rules)
        waits.wait()
        go_on.set()
        assert first.result() is second.result()
    assert len(calls) == 1


@pytest.mark.usefixtures("nothing_known")
def test_a_screen_of_its_own_asks_how_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    real = solve

    def watched(*arguments: object) -> object:
        seen.append(patience.standing())
        return real(*arguments)  # type: ignore[arg-type]  # handed on as they come

    monkeypatch.setattr("duelbook.solving.solver.solve", watched)
    game = load("tower")
    solution_for(game, variant(game, ["goal=6", "knocked=2"]))
    assert seen == ["Getting ready, a moment more"]
    assert patience.standing() == ""

"""A function of a duel that never comes back: it is named, and whoever checks the duel does not wait for ever."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace

import pytest

from duelbook.conformance import check_game, watching
from duelbook.games import load
from guests_helper import spoilt

HELD: list[Event] = []


@pytest.fixture(autouse=True)
def let_go() -> Iterator[None]:
    """Whatever hangs in a test goes on when the test is over."""
    yield
    while HELD:
        HELD.pop().set()


def halt() -> None:
    HELD.append(Event())
    HELD[-1].wait()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "old", "function", "at"),
    [
        ("rules.py", "    return State(s.total + move + 1, 1 - s.mover)", "rules.apply", ""),
        ("dialogue.py", '    return "How much do you add? "', "dialogue.prompt", "'0 1'"),
    ],
)
def test_a_function_that_does_not_come_back_is_named(
    file: str, old: str, function: str, at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "LONGEST_CALL", 2.0)
    monkeypatch.setitem(sys.modules, "a_halt", SimpleNamespace(halt=halt))
    game = spoilt(monkeypatch, tmp_path, "race", file, old, f"    import a_halt\n\n    a_halt.halt()\n{old}")
    seen = check_game(game)
    (found,) = seen.mistakes
    assert found.function == function
    assert found.position == at
    assert found.sentence == "it has not come back after 2 s; every function must give its answer at once."
    assert not seen.good
    assert not seen.complete


def test_it_is_one_call_that_is_timed_not_all_of_them_together() -> None:
    now = [0.0]
    watch = watching.Watch(load("tower"), lambda: now[0])
    game = load("tower")

    inside, halted = Event(), Event()

    class Goal(int):
        """A number that takes its time: what is compared with it is in a call of the rules."""

        def __le__(self, other: int) -> bool:
            inside.set()
            halted.wait()
            return int(self) <= other

    def called() -> Thread:
        inside.clear()
        halted.clear()
        rules = game.book._replace(goal=Goal(15))
        calling = Thread(target=lambda: game.turn(rules, game.start(game.book, 0)), daemon=True)
        calling.start()
        inside.wait()
        return calling

    for _ in range(3):
        calling = called()
        watch.look(calling.ident or 0)
        now[0] += watching.LONGEST_CALL - 1
        watch.look(calling.ident or 0)
        watch.check()
        halted.set()
        calling.join()
        watch.look(calling.ident or 0)
        assert watch.call is None
        now[0] += 10 * watching.LONGEST_CALL  # in which Duelbook does something else
        watch.check()
    calling = called()
    watch.look(calling.ident or 0)
    now[0] += watching.LONGEST_CALL + 1
    watch.look(calling.ident or 0)
    with pytest.raises(watching.Hangs) as hangs:
        watch.check()
    assert hangs.value.function == "rules.turn"
    halted.set()
    calling.join()


def test_what_is_raised_in_the_work_is_raised_to_who_waits() -> None:
    def fail() -> None:
        raise KeyError("lost")

    with pytest.raises(KeyError, match="lost"):
        watching.watched(load("tower"), fail)
    assert watching.watched(load("tower"), lambda: 7) == 7

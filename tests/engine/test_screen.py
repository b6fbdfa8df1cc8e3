"""A program at the table of the full screen: it plays, it may fail, and one may leave while it thinks."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from textual.pilot import Pilot

from duelbook.engine import limits
from duelbook.engine.limits import Surroundings
from duelbook.match import Match
from duelbook.record import reads
from duelbook.tui.table import Table
from engine_helper import EXAMPLES, MARK, alive, bad, until
from slow_helper import first_row_now
from tui_helper import at_home, match_of, press, run, say, settle, wait_until

THUMB = f"engine:{shlex.join([sys.executable, str(EXAMPLES / 'thumb.py')])}"


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    at_home(monkeypatch, tmp_path)
    monkeypatch.setenv(MARK, str(tmp_path))
    monkeypatch.setattr(limits, "_usual", Surroundings(variables=(MARK,)))
    return tmp_path


def match_at(pilot: Pilot[int]) -> Match:
    return next(screen for screen in pilot.app.screen_stack if isinstance(screen, Table)).match


async def until_turns(pilot: Pilot[int], turns: int) -> Match:
    match = match_at(pilot)
    await wait_until(pilot, lambda: match.turns >= turns or match.outcome is not None)
    await settle(pilot)
    return match


def test_a_program_answers_a_move(home: Path) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "4")
        match = await until_turns(pilot, 2)
        assert match.state.towers == (4, 4)

    run(tale, opening=match_of("tower", "human", THUMB))
    assert until(lambda: not alive(str(home)))


@pytest.mark.parametrize(("id", "number"), first_row_now([("tower", "4"), ("secret", "7")]))
def test_a_program_that_fails_loses(id: str, number: str, home: Path) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, number)
        match = await until_turns(pilot, 2)
        assert match.outcome is not None
        assert (match.outcome.kind, match.outcome.winner) == ("fault", 0)

    run(tale, opening=match_of(id, "human", f"engine:{bad('garbage')}"))
    (file,) = (home / "duelbook" / "games").glob("*.duel")
    (record,) = reads(file.read_text(encoding="utf-8"))
    assert record.match.outcome is not None
    assert "lost by a fault (protocol)" in record.match.outcome.reason


@pytest.mark.slow
def test_two_programs_that_fail_at_once_end_the_round_once(home: Path) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        match = await until_turns(pilot, 1)
        assert match.outcome is not None
        assert match.outcome.kind == "fault"

    kind = f"engine:{bad('garbage')}"
    run(tale, opening=match_of("secret", kind, kind))


@pytest.mark.slow
def test_leaving_while_it_thinks_is_no_fault(home: Path) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await pilot.press("4", "enter")  # not until all is quiet: it thinks for ever
        await wait_until(pilot, lambda: match_at(pilot).turns == 1)
        assert until(lambda: bool(alive(str(home))))
        await press(pilot, "escape")

    run(tale, opening=match_of("tower", "human", f"engine:{bad('hang')}"))
    (file,) = (home / "duelbook" / "games").glob("*.duel")
    (record,) = reads(file.read_text(encoding="utf-8"))
    assert record.match.outcome is None
    assert record.match.turns == 1
    assert until(lambda: not alive(str(home)))

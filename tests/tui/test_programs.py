"""A program at the table: what it is called, and what keeps it in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from duelbook.engine.limits import OFF, Surroundings
from duelbook.games import load
from duelbook.players.engine import kept_in
from duelbook.table.invitation import Invitation, accept
from duelbook.table.keeper import start_record
from duelbook.tui.app import DuelbookApp
from slow_helper import first_row_now
from tui_helper import at_home, rows, run, settle, told

BOT = "engine:python3 a_program_with_a_name_of_forty_letters.py"


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    at_home(monkeypatch, tmp_path)


def against(kind: str) -> Callable[[DuelbookApp], None]:
    """A person to move; the program has nothing to do yet and is not started."""

    def sit_down(app: DuelbookApp) -> None:
        app.sit_down(start_record(*accept(Invitation(load("tower"), ("human", kind)))), None)

    return sit_down


@pytest.mark.slow
def test_it_is_said_once_what_keeps_programs_in() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert isinstance(pilot.app, DuelbookApp)
        assert kept_in().startswith("Sandbox: ")
        assert told(pilot, kept_in())
        pilot.app.clear_notifications()
        against(BOT)(pilot.app)
        await settle(pilot)
        assert not told(pilot, "Sandbox")

    run(tale, opening=against(BOT))


@pytest.mark.parametrize(("kind", "sandbox"), first_row_now([("level:2", "auto"), (BOT, OFF)]))
def test_nothing_is_said_without_a_program_or_where_somebody_chose(
    kind: str, sandbox: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duelbook.engine.limits._usual", Surroundings(sandbox=sandbox))

    async def tale(pilot: Pilot[int]) -> None:
        assert not told(pilot, "Sandbox")

    run(tale, opening=against(kind))


@pytest.mark.slow
def test_a_name_too_long_for_its_tower_shows_that_it_is_cut() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        pilot.app.clear_notifications()
        await settle(pilot)
        (line,) = [row for row in rows(pilot.app) if "a_program_w" in row]
        assert "…" in line

    run(tale, opening=against(BOT))

"""Rows that are clicked: nothing moves between press and release, and the row that was pressed does its work."""

from __future__ import annotations

from math import inf
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from duelbook.games import example, load
from duelbook.record import reads
from duelbook.tui import leftover
from duelbook.tui.app import DuelbookApp
from duelbook.tui.dialogs import Page
from duelbook.tui.ladder import Ladder, Rung
from duelbook.tui.lesson import LessonScreen
from duelbook.tui.menu import Dial, Row
from duelbook.tui.setup import Setup
from duelbook.tui.table import Table
from slow_helper import first_now, first_row_now
from tui_helper import at_home, match_of, press, rows, run, settle, text, wait_until

WINDOWS = [(60, 18), (70, 20)]


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    at_home(monkeypatch, tmp_path)
    return tmp_path


async def button(pilot: Pilot[int], kind: type[events.MouseDown | events.MouseUp], at: tuple[int, int]) -> None:
    """The mouse button goes down or up, as a terminal reports it, and the screen has time to draw what comes of it."""
    pilot.app.post_message(kind(None, *at, 0, 0, 1, False, False, False, *at))
    await settle(pilot)


async def click_slowly(pilot: Pilot[int], at: tuple[int, int]) -> None:
    before = rows(pilot.app)
    await button(pilot, events.MouseDown, at)
    assert rows(pilot.app) == before
    await button(pilot, events.MouseUp, at)


def place(pilot: Pilot[int], row: Row) -> tuple[int, int] | None:
    """Where the first line of a row is, beside its key; None where it is out of sight."""
    seen = pilot.app.screen.find_widget(row)
    top = row.region.offset
    return (top.x + 2, top.y) if seen.clip.contains_point(top) else None


async def bring(pilot: Pilot[int], row: Row) -> tuple[int, int]:
    """Scroll as the wheel does, which moves no focus, until this row is in sight."""
    await pilot.app.animator.wait_until_complete()  # the last row that was walked to has come into sight
    row.scroll_visible(animate=False, immediate=True)
    await settle(pilot)
    at = place(pilot, row)
    assert at is not None
    return at


SCREENS = [("5",), ("2", "o"), ("s",), ("w",), ()]


@pytest.mark.parametrize("window", first_now(WINDOWS))
@pytest.mark.parametrize("keys", first_now(SCREENS))
def test_every_row_that_is_pressed_is_the_one_that_is_clicked(keys: tuple[str, ...], window: tuple[int, int]) -> None:
    """From wherever one is: the row that has the focus may be longer, and closes up when it loses it."""

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *keys)
        screen = pilot.app.screen
        for row in [row for row in screen.query(Row) if row.can_focus and row.display]:
            before = screen.focused
            at = await bring(pilot, row)
            await click_slowly(pilot, at)
            if screen.is_current and screen.is_attached:
                assert screen.focused is row, (row, before)
            elif screen.is_attached:  # what it opens is closed again
                await wait_until(pilot, lambda: not isinstance(pilot.app.screen, type(screen)))
                await press(pilot, "escape")
            else:
                return  # it was the way back

    run(tale, size=window)


@pytest.mark.parametrize("window", first_now(WINDOWS))
def test_every_opponent_that_is_clicked_is_chosen(window: tuple[int, int]) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5")
        ladder = pilot.app.screen.query_one(Ladder)
        for rung in (*ladder.query(Rung), *reversed(ladder.query(Rung))):
            meant = ladder.behind(rung.opponent.kind)
            await click_slowly(pilot, await bring(pilot, rung))
            assert ladder.chosen == meant

    run(tale, size=window)


@pytest.mark.parametrize(("window", "before"), first_row_now([((70, 20), "3"), ((60, 18), "c"), ((60, 18), "0")]))
def test_a_click_on_a_seat_takes_that_seat_from_wherever_one_is(window: tuple[int, int], before: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5", before)
        seat = pilot.app.screen.query_one("#seat", Dial)
        await bring(pilot, seat)
        for value, words in ((1, "Player 2"), (0, "Player 1")):
            (row,) = [at for at, line in enumerate(rows(pilot.app)) if "You are" in line]
            await click_slowly(pilot, (rows(pilot.app)[row].index(words), row))
            assert seat.value == value

    run(tale, size=window)


def test_the_start_is_clicked_where_it_stands_when_the_foot_has_two_lines() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5", "c")
        await click_slowly(pilot, await bring(pilot, pilot.app.screen.query_one("#start", Row)))
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, Table))

    run(tale, size=(60, 18))


def test_the_second_half_of_a_double_click_does_nothing_to_a_row_that_has_moved_under_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(leftover, "DOUBLE", inf)

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5", "3")  # its sentence takes a line of its own, and what is below moves up without it
        setup = pilot.app.screen
        assert isinstance(setup, Setup)
        rung = next(rung for rung in setup.query(Rung) if rung.opponent.kind == "level:6")
        at = await bring(pilot, rung)
        for _ in range(2):
            await button(pilot, events.MouseDown, at)
            await button(pilot, events.MouseUp, at)
        assert place(pilot, rung) != at
        assert setup.query_one(Ladder).chosen == "level:6"

    run(tale, size=(60, 18), held=inf)


# The keys at the foot


SAID = ("Nothing is highlighted. You can play: attack, defend or heal.", "Nothing is highlighted.")


@pytest.mark.parametrize(("window", "said"), first_row_now([*zip(WINDOWS, SAID, strict=False), ((60, 18), SAID[1])]))
def test_what_is_said_of_a_key_leaves_the_help_at_the_foot(window: tuple[int, int], said: str) -> None:
    def lesson(app: DuelbookApp) -> None:
        app.push_screen(LessonScreen(load("conquer")))

    opening = match_of("conquer", "human", "level:2") if said == SAID[0] else lesson

    async def tale(pilot: Pilot[int]) -> None:
        before = rows(pilot.app)
        await press(pilot, "enter")
        assert f"{said} ? Help" in text(pilot.app)
        assert rows(pilot.app)[:-2] == before[:-2]
        await press(pilot, "left")
        await press(pilot, "right")
        assert len([row for row in rows(pilot.app) if row.strip()]) == len([row for row in before if row.strip()])

    run(tale, size=window, opening=opening)


def test_the_way_out_stays_at_the_foot_where_there_is_room_beside_what_is_said() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter")
        assert f"{SAID[0]} ? Help Esc Quit" in text(pilot.app)

    run(tale, size=(100, 30), opening=match_of("conquer", "human", "level:2"))

    async def replay(pilot: Pilot[int]) -> None:
        await press(pilot, "x")
        assert "X does nothing here. ? Help Q Leave" in text(pilot.app)

    (record,) = reads(example(load("tower")).read_text(encoding="utf-8"))
    run(replay, opening=lambda app: app.open_replay(record))


def test_a_key_at_the_foot_is_clicked_where_it_stands_beside_what_is_said() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter")
        at = next((line.index("? Help"), row) for row, line in enumerate(rows(pilot.app)) if "? Help" in line)
        await click_slowly(pilot, at)
        assert isinstance(pilot.app.screen, Page)
        await press(pilot, "escape")
        assert "Nothing is highlighted" not in text(pilot.app)
        assert rows(pilot.app)[-1].strip()  # no empty line stays where it was said

    run(tale, size=(60, 18), opening=match_of("conquer", "human", "level:2"))

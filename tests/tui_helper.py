"""The full screen under test: keys are pressed, clicks are made, and the screen is looked at. Nothing here sleeps."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import monotonic
from typing import Any, cast

import pytest
from textual import events
from textual.pilot import Pilot
from textual.worker import Worker

from duelbook import patience
from duelbook.games import ROOMS, load
from duelbook.table import newcomers
from duelbook.table.invitation import Invitation
from duelbook.tui.app import DuelbookApp
from duelbook.tui.preferences import Preferences
from helpers import HANGING
from textual_helper import at_rest, is_over

Tale = Callable[[Pilot[int]], Awaitable[None]]
SMALL, LARGE = (80, 24), (120, 40)


def at_home(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """A user of their own: no settings, no saved games, nothing that depends on the terminal the tests run in."""
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("COLORTERM", "truecolor")
    for name in ("LC_ALL", "LC_CTYPE", "NO_COLOR", "TMUX", "STY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(home)
    for id in ROOMS:  # a player who has seen every duel: nobody is offered a guided game
        newcomers.was_offered(load(id))


def still() -> Preferences:
    """A player who wants no motion, so that a test never waits for it."""
    return Preferences(motion=False, pace=0.25)


def run(
    tale: Tale,
    *,
    opening: Callable[[DuelbookApp], object] | None = None,
    size: tuple[int, int] = SMALL,
    preferences: Preferences | None = None,
    held: float = 0.0,
) -> None:
    """Open the full screen in a window of this size and let the tale happen in it.

    Enter and Space that follow each other sooner than `held` are one press; here no two are, unless a test wants it.
    """

    async def happen() -> None:
        app = DuelbookApp(opening, still() if preferences is None else preferences)
        app.left_over.held = app.pause = held
        async with app.run_test(size=size, notifications=True) as pilot:
            await settle(pilot)
            if opening is not None:  # until what was asked for is there, or is refused
                await wait_until(pilot, lambda: len(app.screen_stack) > 2 or bool(app._notifications))
            await settle(pilot)
            await tale(pilot)

    patience.aloud = False  # as where the program opens its screen: who waits is told there, and nowhere else
    try:
        asyncio.run(happen())
    finally:
        patience.aloud = True


def match_of(
    game: str, *kinds: str, position: str | None = None, seed: int = 3, coach: bool = False
) -> Callable[[DuelbookApp], object]:
    """An opening that sits two players down at a duel."""
    seats = (kinds[0], kinds[1]) if kinds else ("human", "human")
    wish = Invitation(load(game), seats, position=position, seed=seed)
    return lambda app: app.begin(wish, coach=coach)


async def wait_until(pilot: Pilot[int], true: Callable[[], bool]) -> None:
    """Wait as long as it takes, unless it takes for ever."""
    give_up = monotonic() + HANGING
    while not true():
        if monotonic() > give_up:
            raise AssertionError(f"what should have come never came:\n{text(pilot.app)}")
        await asyncio.sleep(0.001)  # what is awaited may be done in a thread of its own
        await pilot.pause()


async def settle(pilot: Pilot[int]) -> None:
    """Wait until nothing is under way but what waits for a person, or for the next move of a game being watched."""
    app, quiet, give_up = pilot.app, 0, monotonic() + HANGING
    while quiet <= 3:
        if is_over(app):
            return  # a mistake is raised at the end of the tale
        busy = [worker for worker in app.workers if worker.is_running and not _waits(worker)]
        quiet = quiet + 1 if not busy and at_rest(app) else 0
        if monotonic() > give_up:
            raise AssertionError(f"this never came to rest: {busy}; {_where()}\n{text(app)}")
        await asyncio.sleep(0.005 if busy else 0)  # what is worked out in a thread needs the processor more
    await pilot.pause()


def _where() -> list[str]:
    """What every task is waiting for, innermost last: how two that wait for each other are found."""
    places = []
    for task in asyncio.all_tasks():
        frames, inner = [], cast(Any, task.get_coro())
        while inner is not None:
            frame = getattr(inner, "cr_frame", None)
            frames += [] if frame is None else [f"{frame.f_code.co_name}:{frame.f_lineno}"]
            inner = getattr(inner, "cr_await", None)
        places.append(" > ".join(frames))
    return places


def _waits(worker: Worker[Any]) -> bool:
    return worker.group == "curtain" or (worker.group == "drive" and bool(getattr(worker.node, "watching", False)))


async def press(pilot: Pilot[int], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


async def say(pilot: Pilot[int], *lines: str) -> None:
    """Type these lines, each with Enter behind it."""
    for line in lines:
        await press(pilot, *("space" if letter == " " else letter for letter in line), "enter")


async def burst(pilot: Pilot[int], *keys: str) -> None:
    """Keys that come at once, as from a quick hand: none waits until the one before has done its work."""
    for key in keys:
        pilot.app.post_message(events.Key(key, " " if key == "space" else key if len(key) == 1 else None))
    await settle(pilot)


async def seen(pilot: Pilot[int], words: str) -> None:
    """Wait until the screen shows these words."""
    await wait_until(pilot, lambda: words in text(pilot.app))


def told(pilot: Pilot[int], words: str) -> bool:
    """Whether a note at the edge of the screen says this; on the screen its lines are broken beside others."""
    return any(words in note.message for note in pilot.app._notifications)


def rows(app: object) -> list[str]:
    """The lines on the screen, as letters."""
    assert isinstance(app, DuelbookApp)
    strips = app.screen._compositor.render_strips(app.size)
    return ["".join(segment.text for segment in strip).replace("\u00a0", " ") for strip in strips]


def text(app: object) -> str:
    """All words on the screen, single spaces between them, wherever lines were broken."""
    return re.sub(r"\s+", " ", " ".join(rows(app)))


async def click_words(pilot: Pilot[int], words: str) -> None:
    """Click where these words stand on the screen, lowest row first: keys are at the foot."""
    lines = rows(pilot.app)
    row = max(at for at, line in enumerate(lines) if words in line)
    await pilot.click(offset=(lines[row].index(words), row))
    await settle(pilot)


async def resize(pilot: Pilot[int], columns: int, rows_: int) -> None:
    """Drag the window to another size, and wait until everything has found its place in it."""
    await pilot.resize_terminal(columns, rows_)
    await settle(pilot)
    await wait_until(pilot, lambda: pilot.app.screen.size == (columns, rows_) and len(rows(pilot.app)) == rows_)
    await settle(pilot)

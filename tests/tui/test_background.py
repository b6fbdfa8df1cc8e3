"""Work beside a screen: what becomes of it when the screen is left."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from textual.app import App
from textual.screen import Screen
from textual.worker import WorkerFailed

from duelbook.tui.background import keep_busy


def look(leaves: bool) -> None:
    """Let a screen be busy with looking for a part that it does not have, after it was left or not."""

    async def happen() -> None:
        app, screen = App[None](), Screen[Any]()

        async def work() -> None:
            if leaves:
                app.pop_screen()
            screen.query_one("#nothing")

        async with app.run_test() as pilot:
            await app.push_screen(screen)
            keep_busy(screen, "look", work)
            await pilot.pause()

    asyncio.run(happen())


def test_what_is_not_found_on_a_screen_that_was_left_nobody_misses() -> None:
    """A watched game that was left between two moves ended in a traceback, on a busy machine."""
    look(leaves=True)


def test_what_is_not_found_on_a_screen_that_stands_is_a_mistake() -> None:
    with pytest.raises(WorkerFailed, match="nothing"):
        look(leaves=False)

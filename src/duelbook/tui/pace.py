"""How fast a game goes on where no person decides: by itself, one step at a time, or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Pace:
    def __init__(self) -> None:
        self.paused = False
        self._stepping = False
        self._nudge = asyncio.Event()

    async def wait(self, seconds: Callable[[], float]) -> None:
        """Wait so long, or until a step is asked for. Who changes the pace meanwhile has it asked for anew."""
        while True:
            self._nudge.clear()
            pause = None if self.paused else seconds()
            if pause == 0.0:
                return
            try:
                await asyncio.wait_for(self._nudge.wait(), pause)
            except TimeoutError:
                return
            if self._stepping:
                self._stepping = False
                return

    def pause_or_go_on(self) -> None:
        self.paused = not self.paused
        self.changed()

    def step(self) -> None:
        """Make one step and pause again."""
        self.paused = self._stepping = True
        self.changed()

    def changed(self) -> None:
        """Have whoever waits look again."""
        self._nudge.set()

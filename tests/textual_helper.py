"""Textual as the suite runs it: hundreds of apps in one process, each of them waited for after every key.

It does what it does elsewhere. What changes is how long a test looks on: a stylesheet is read once and not by every
app, and whether everybody is done is seen and not asked. Importing this is enough.
"""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from time import monotonic
from typing import Any

from textual import _wait
from textual import app as textual_app
from textual import pilot as textual_pilot
from textual._queue import Queue
from textual.app import App
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.message import Message
from textual.message_pump import MessagePump
from textual.pilot import Pilot

from helpers import HANGING

# Textual looks whether the process is idle every 20 ms; keys are pressed thousands of times here, so look more often.
_wait.SLEEP_GRANULARITY, _wait.SLEEP_IDLE = 0.004, 0.001


async def _wait_for_idle(*_: float) -> None:
    """As Textual has it, but a process that gets no processor time is not taken for one that is done."""
    for _turn in range(10):
        await asyncio.sleep(0)
    await _wait.wait_for_idle(0)


def is_over(app: App[Any]) -> bool:
    """Whether it has ended, by itself or by a mistake: then nobody in it does anything any more."""
    return app._exception is not None or app._exit


def at_rest(app: App[Any]) -> bool:
    """Whether the screen is drawn, and the app and everybody on it have nothing to do and wait for a message."""
    return not app.screen._callbacks and all(_rests(pump) for pump in (app, *app.screen.walk_children(with_self=True)))


def _rests(pump: MessagePump) -> bool:
    queue: Queue[Message | None] = pump._message_queue
    return pump._closing or pump._closed or (queue.empty() and bool(queue.ready_event._waiters))


async def _wait_for_screen(pilot: Pilot[Any], timeout: float = HANGING) -> bool:
    """As Textual has it, but without a message to everybody, which each of them would have to work off.

    Textual waits until each has answered once, so this waits until all rest at the same moment.
    """
    give_up = monotonic() + timeout
    while not is_over(pilot.app):
        await asyncio.sleep(0)
        if at_rest(pilot.app):
            return True
        if monotonic() > give_up:
            raise textual_pilot.WaitForScreenTimeout("the screen never came to rest")
    return False


_read: dict[Hashable, list[RuleSet]] = {}
_read_rules = Stylesheet._parse_rules


def _read_rules_once(
    sheet: Stylesheet,
    css: str,
    read_from: tuple[str, str],
    is_default_rules: bool = False,
    tie_breaker: int = 0,
    scope: str = "",
) -> list[RuleSet]:
    """As Textual has it, which keeps the rules too, but those of one app only and not all of them."""
    key = (css, read_from, is_default_rules, tie_breaker, scope, tuple(sheet._variables.items()))
    if key not in _read:
        _read[key] = _read_rules(sheet, css, read_from, is_default_rules, tie_breaker, scope)
    return _read[key]


textual_app.wait_for_idle = textual_pilot.wait_for_idle = _wait_for_idle  # type: ignore[assignment, attr-defined]  # private names
Pilot._wait_for_screen = _wait_for_screen  # type: ignore[method-assign, assignment]  # in all tests alike
Stylesheet._parse_rules = _read_rules_once  # type: ignore[method-assign, assignment]  # in all tests alike

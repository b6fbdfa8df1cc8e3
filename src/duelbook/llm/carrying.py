"""One question carried to a server and its answer back: in time, and again only where the line or the server failed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic

from duelbook.llm.asking import Asking
from duelbook.llm.faults import CUT, TIME, ModelFault, Unreachable
from duelbook.llm.interface import Heard, Interface, Question, Trouble
from duelbook.llm.keys import without_keys
from duelbook.llm.reply import Reply
from duelbook.llm.usage import Ledger, Usage

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 8.0
"""Seconds before a question is sent again, where the server does not say; each time twice as long."""
LONGEST_WAIT = 60.0
"""A server that wants to be left alone for longer is left alone."""

Pause = Callable[[float], Awaitable[None]]


async def carry(
    interface: Interface, question: Question, asking: Asking, ledger: Ledger, pause: Pause = asyncio.sleep
) -> Reply:
    """The answer to a question.

    The time for a move begins anew whenever the question is sent again: what the line costs is not the model's fault. A
    bad answer is an answer, and is never asked for again.
    """
    name = question.model.short_name
    for attempt in range(asking.retries + 1):
        ledger.check()
        heard, begun = Heard(), monotonic()
        try:
            async with asyncio.timeout(asking.move_time):
                await interface.ask(question, heard)
            return heard.reply()
        except TimeoutError:
            late = f"{name} had not answered within {asking.move_time:g} s."
            raise ModelFault(TIME, late, without_keys(heard.text)) from None
        except Trouble as trouble:
            if attempt == asking.retries or not trouble.passing or (trouble.wait or 0.0) > LONGEST_WAIT:
                raise _given_up(trouble, heard, name, attempt) from None
            wait = min(FIRST_PAUSE * 2**attempt, LONGEST_PAUSE) if trouble.wait is None else trouble.wait
        finally:
            ledger.note(_used(heard, monotonic() - begun, again=attempt > 0))
        await pause(wait)
    raise AssertionError("the last attempt was the last")


def _given_up(trouble: Trouble, heard: Heard, name: str, attempt: int) -> Exception:
    """An answer that broke off time and again is a fault of the player; a server that does not answer is nobody's."""
    if heard.anything and trouble.passing:
        return ModelFault(CUT, f"{name} was cut off in the middle of its answer.", without_keys(heard.text))
    tried = f" It was tried {attempt + 1} times." if attempt else ""
    waits = f" It asks to wait {trouble.wait:.0f} s." if trouble.wait and trouble.wait > LONGEST_WAIT else ""
    return Unreachable(f"{trouble.sentence}{waits}{tried}")


def _used(heard: Heard, seconds: float, *, again: bool) -> Usage:
    known = heard.tokens_in is not None and heard.tokens_out is not None
    return Usage(
        tokens_in=heard.tokens_in or 0,
        tokens_out=heard.tokens_out or 0,
        requests=1,
        retries=int(again),
        seconds=seconds,
        uncounted=int(not known),
    )

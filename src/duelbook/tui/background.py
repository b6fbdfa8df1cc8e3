"""Work that takes its time, done beside the screen, and what is shown meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.css.query import NoMatches
from textual.dom import DOMNode
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from duelbook.beside import Work
from duelbook.patience import standing
from duelbook.tui.base import BaseScreen

T = TypeVar("T")


def keep_busy(screen: DOMNode, group: str, work: Callable[..., Awaitable[None]], *arguments: object) -> None:
    """Let a screen be busy with this, in place of what it was busy with before of the same group.

    The work is begun only when its turn comes: what is given up before that has not begun at all. A screen that is left
    loses its parts before its work is stopped; what the work cannot find then, nobody misses.
    """

    async def begin() -> None:
        try:
            await work(*arguments)
        except NoMatches:
            if not _is_left(screen):
                raise

    beginning: Any = begin  # Textual's own type does not know a function of no arguments that gives nothing
    screen.run_worker(beginning, group=group, exclusive=True)


def _is_left(screen: DOMNode) -> bool:
    app = screen.app
    return not app.is_running or (isinstance(screen, Screen) and screen not in app.screen_stack)


async def in_background(work: Callable[..., T], *arguments: object) -> T:
    """What the work gives, with the keys alive all the while.

    The thread does not keep the program from ending: who leaves while a duel is being solved leaves at once. The
    event loop's own threads would be waited for.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def tell(settle: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the screen has gone
            loop.call_soon_threadsafe(lambda: None if done.done() else settle())

    def labour() -> None:
        try:
            result = work(*arguments)
        except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
            problem = error
            tell(lambda: done.set_exception(problem))
        else:
            tell(lambda: done.set_result(result))

    Work(labour, daemon=True).start()
    return await done


async def patiently(node: DOMNode, group: str, words: str, work: Callable[..., T], *arguments: object) -> T:
    """The same, with a screen that says how it stands. Escape gives up on it, as on all that the group is busy with."""
    waiting = Patience(words, lambda: node.workers.cancel_group(node, group))
    node.app.push_screen(waiting)
    try:
        return await in_background(work, *arguments)
    finally:
        waiting.dismiss()


class Patience(ModalScreen[None], BaseScreen[None]):
    """Says that something is being worked out. Escape gives up on it. What is typed meanwhile is answered here, and
    none of it, nor the rest of a word that was begun here, means anything on the screen that comes."""

    drops_words = True
    BINDINGS = [Binding("escape,q", "give_up", "Give up", show=False)]

    def __init__(self, words: str, give_up: Callable[[], object]) -> None:
        super().__init__()
        self.words, self.give_up = words, give_up
        self.seconds = 0

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(id="patience")
            yield Static(classes="dialog-typed")

    def on_mount(self) -> None:
        self._tick()
        self.set_interval(1, self._tick)

    def _tick(self) -> None:
        self.write(
            "patience",
            Content.assemble(
                (self.words, "bold"),
                f" {self.seconds} s\n",
                f"{standing()}\n\n",
                ("Esc: give up      Ctrl-C: leave", "$text-muted"),
            ),
        )
        self.seconds += 1

    def is_key(self, letter: str) -> bool:
        return letter.lower() == "q"

    def before_key(self, event: events.Key) -> bool:
        if event.key.lower() == "q":
            self.duelbook.rest_of_a_word.follows(event, ("quit",))
        return False

    def answer(self, words: str) -> None:
        """In the box, which is all that is seen."""
        line = self.query_one(".dialog-typed", Static)
        line.update("Not ready yet: what is typed now is dropped.")
        line.display = True

    def action_give_up(self) -> None:
        self.give_up()
        self.dismiss()

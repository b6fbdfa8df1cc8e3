"""The full-screen game as a whole: what opens first, how one leaves, where games go when one does."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol, runtime_checkable

from textual import events, work
from textual.app import App, InvalidThemeError, ScreenStackError
from textual.binding import Binding
from textual.filter import LineFilter
from textual.screen import Screen
from textual.widgets._toast import Toast, ToastHolder

from duelbook import patience
from duelbook.core import DuelError
from duelbook.letters import knows_unicode
from duelbook.match import Match
from duelbook.players import ENGINE
from duelbook.record import Record
from duelbook.saves import Save
from duelbook.solving.library import ask_for
from duelbook.speech import plain_lines
from duelbook.table.invitation import Invitation, accept
from duelbook.table.keeper import make_ready, open_save, start_record, to_stderr
from duelbook.tui import hangup, themes
from duelbook.tui.background import in_background, patiently
from duelbook.tui.base import BaseScreen
from duelbook.tui.keybar import KeyBar
from duelbook.tui.leftover import LeftOver, RestOfAWord, SecondClicks
from duelbook.tui.letters import PlainLetters
from duelbook.tui.naming import PAUSE
from duelbook.tui.preferences import Preferences, remembered
from duelbook.tui.slow_words import SlowWords
from duelbook.tui.wrapping import keep_together

DONE, FAILED, INTERRUPTED = 0, 1, 130
LONG_NOTE, IN_PASSING = 12, 8
"""Seconds for a note of several lines, and for one that is only of this moment."""
PAGES = {"pagedown": "PgDn", "pageup": "PgUp"}
"""Keys that are written as on a keyboard."""
WITH_LOBBY = 2
"""Screens that there are before anything is opened: Textual's own, and the lobby."""
LEAVING = ("SIGTERM", "SIGHUP", "SIGQUIT")
WAYS_OUT = ("ctrl+c", "ctrl+q", "ctrl+z")
"""Keys that work at every moment."""


@runtime_checkable
class PutAway(Protocol):
    """A screen with a game on it, which is put away before the screen goes."""

    lost: bool

    def put_away(self) -> str: ...


class DuelbookApp(App[int]):
    """Opens the lobby, and over it whatever was asked for."""

    TITLE = "Duelbook"
    CSS_PATH = ["duelbook.tcss", "lobby.tcss", "recorded.tcss", "puzzles.tcss", "online.tcss"]
    VERTICAL_BREAKPOINTS = [(0, "-few-rows"), (24, "-rows")]
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = [
        Binding("ctrl+c", "interrupt", "Leave", show=False, priority=True, system=True),
        Binding("ctrl+q", "interrupt", "Leave", show=False, priority=True, system=True),
        Binding("ctrl+z", "suspend_process", "Stop", show=False, priority=True, system=True),
    ]

    def __init__(
        self,
        opening: Callable[[DuelbookApp], object] | None = None,
        preferences: Preferences | None = None,
    ) -> None:
        """`opening` is called once the lobby is there, to open something over it at once."""
        super().__init__()
        keep_together()
        self.opening, self._to_open = opening, opening is not None
        self.preferences = remembered() if preferences is None else preferences
        self.farewell = ""
        """What is said once the terminal is back as it was."""
        self.left_over, self.pause = LeftOver(), PAUSE
        self.second_clicks, self.rest_of_a_word = SecondClicks(self.left_over), RestOfAWord(self.left_over)
        self.slow_words = SlowWords(self, self.left_over)
        self._told_of_the_sandbox = False
        self._stood: set[str] = set()
        """The notes that could be read when the last key or click came."""
        self._plain = PlainLetters(enabled=False)
        for theme in themes.ALL:
            self.register_theme(theme)
        self.apply_preferences()

    def apply_preferences(self) -> None:
        """Let the screen look as the player likes it."""
        liked = self.preferences
        with suppress(InvalidThemeError):
            self.theme = liked.theme
        self.animation_level = "full" if liked.motion else "none"
        self._plain.enabled = liked.letters == "ascii" or (liked.letters == "auto" and not knows_unicode())
        if self.is_running:
            self.refresh(layout=True)

    def get_line_filters(self) -> Sequence[LineFilter]:
        filters = list(super().get_line_filters())
        return [*filters, self._plain] if self._plain.enabled else filters

    def on_mount(self) -> None:
        from duelbook.tui.lobby import Lobby

        self.push_screen(Lobby())
        with suppress(NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
            for name in LEAVING:
                asyncio.get_running_loop().add_signal_handler(getattr(signal, name), self._told_to_leave)
            hangup.wake_only_where_there_is_one(self)
        if self.opening is not None:
            self.call_after_refresh(self._open)

    def _open(self) -> None:
        assert self.opening is not None
        self.opening(self)
        self._to_open = False

    @property
    def _arriving(self) -> bool:
        """Whether what was asked for is about to open over the lobby: keys are meant for that, not for the lobby."""
        lobby = len(self.screen_stack) <= WITH_LOBBY
        return lobby and (self._to_open or any(each.group == "begin" and not each.is_finished for each in self.workers))

    # Keys

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.InputEvent) and not event.is_forwarded:
            if self._is_past(event):
                return
            if isinstance(event, events.Key):
                self._take_answers_back()
            if isinstance(event, events.Key | events.MouseDown):
                self._stood = {note.identity for note in self._notifications}
            if isinstance(event, events.Key) and await self.slow_words.takes(event):
                return
            if isinstance(event, events.Key) and isinstance(self.screen, BaseScreen):
                begun = self.rest_of_a_word.broken_off()
                if begun:
                    self.screen.begin_with(begun)
                if self.screen.before_key(event):
                    return
        released = isinstance(event, events.MouseUp) and not event.is_forwarded
        await super().on_event(event)
        if released:
            self._take_answers_back()  # only now: no key at the foot may move from under the mouse that presses it

    def _take_answers_back(self) -> None:
        for bar in self.screen.query(KeyBar):
            bar.answer("")

    def _is_past(self, event: events.InputEvent) -> bool:
        """Whether a key or a click belongs to what was decided before, or comes before what it is meant for."""
        if isinstance(event, events.MouseEvent):
            return self.second_clicks.swallows(event, self.screen) or (
                self._arriving and isinstance(event, events.MouseDown | events.MouseUp)
            )
        if not isinstance(event, events.Key):
            return self._arriving and isinstance(event, events.Paste)
        if self.left_over.is_left_over(event, self.screen):
            return True
        if self.rest_of_a_word.takes(event, self.screen):
            return True
        return self._arriving and event.key not in WAYS_OUT

    async def _check_bindings(self, key: str, priority: bool = False) -> bool:
        """A capital means what its small letter means. A key that nobody has taken is answered."""
        done = await super()._check_bindings(key, priority)
        if not done and not priority:
            done = len(key) == 1 and key.isupper() and await super()._check_bindings(key.lower())
            if not done and isinstance(self.screen, BaseScreen):
                self.screen.means_nothing(self.get_key_display(Binding(key, "")))
        return done

    def get_key_display(self, binding: Binding) -> str:
        """Keys are written as they stand on a keyboard."""
        shown = super().get_key_display(binding)
        if binding.key == "enter":
            return "Enter"
        if binding.key in PAGES:
            return PAGES[binding.key]
        if len(shown) == 2 and shown[0] == "^":
            return f"Ctrl-{shown[1].upper()}"
        return shown[:1].upper() + shown[1:]

    # Games

    def begin(self, wish: Invitation, *, coach: bool | None = None, instead_of: Screen[None] | None = None) -> None:
        """Start a match. What cannot be had is said in a sentence, and nothing else changes.

        The table takes the place of `instead_of`, so that leaving it leads to where that screen was opened from.
        """
        self.clear_notifications()  # what was said elsewhere would only cover the new game
        self._begin(wish, coach, instead_of)

    @work(group="begin", exclusive=True)
    async def _begin(self, wish: Invitation, coach: bool | None, instead_of: Screen[None] | None) -> None:
        try:
            match, kinds = accept(wish)
            ask_for(match.game, match.rules)
            await self._make_ready(match, kinds)
        except DuelError as error:
            self.complain(str(error))
            return
        toss = f"The coin says that {match.names[match.next_seat()]} starts." if wish.first == "toss" else ""
        record, save = start_record(match, kinds), open_save(match, self.complain)
        self.sit_down(record, save, coach=coach, toss=toss, instead_of=instead_of)

    async def _make_ready(self, match: Match, kinds: tuple[str, str]) -> None:
        """Have the programs load what they need; under other rules than the book's that can take a while."""
        if match.rules == match.game.book:
            await in_background(make_ready, match, kinds)
        else:
            await patiently(self, "begin", "Working out these rules ...", make_ready, match, kinds)

    @work(group="begin", exclusive=True)
    async def take_up(self, name: str | None) -> None:
        """Go on with a saved game, the latest one where none is named."""
        from duelbook.table.shelf import is_own, take_up

        try:
            save, record = take_up(name)
        except DuelError as error:
            self.complain(str(error))
            return
        if record.match.outcome is not None:
            save.let_go()
            self.open_replay(record, yours=is_own(save.file))
            return
        self.clear_notifications()
        try:
            await self._make_ready(record.match, record.seats)
            self.sit_down(record, save)
        except DuelError as error:
            save.let_go()
            self.complain(str(error))
        except asyncio.CancelledError:
            save.let_go()
            raise

    def sit_down(
        self,
        record: Record,
        save: Save | None,
        copy: Save | None = None,
        *,
        coach: bool | None = None,
        toss: str = "",
        instead_of: Screen[None] | None = None,
    ) -> None:
        """Open the table for a match that is ready to be played."""
        from duelbook.table.host import was_coached
        from duelbook.tui.table import Table

        wanted = next(each for each in (coach, was_coached(record), self.preferences.coach) if each is not None)
        table = Table(record, save, copy, coaching=wanted, preface=toss)
        if instead_of is not None and self.screen is instead_of:
            self.switch_screen(table)
        else:
            self.push_screen(table)
        self._tell_of_the_sandbox(record)

    def _tell_of_the_sandbox(self, record: Record) -> None:
        """Say once what keeps programs in: what the command has said of it lies hidden under the full screen."""
        if self._told_of_the_sandbox or not any(kind.startswith(ENGINE) for kind in record.seats):
            return
        from duelbook.players.engine import kept_in

        self._told_of_the_sandbox = True
        words = kept_in()
        if words:
            self.notify(plain_lines(words), timeout=LONG_NOTE, markup=False)

    def open_replay(self, record: Record, turn: int = 0, *, yours: bool = False) -> None:
        """Look through a recorded game, from the start or from right after a turn; with `yours` as who played it."""
        from duelbook.tui.replay import Replay

        self.push_screen(Replay(record, turn, yours=yours))

    def remember(self) -> None:
        """Write down what the player likes, and say so where that cannot be done."""
        trouble = self.preferences.keep()
        if trouble:
            self.complain(trouble)

    # Talk

    def complain(self, sentence: str) -> None:
        self.notify(plain_lines(sentence), severity="warning", timeout=IN_PASSING, markup=False)

    def say(self, sentence: str) -> None:
        self.notify(plain_lines(sentence), timeout=5, markup=False)

    def on_notify(self) -> None:
        """A note takes the place of the one before, for each takes room from what is read. What failed stays."""
        for note in list(self._notifications):
            if note.severity != "error":
                self._unnotify(note, refresh=False)

    def let_old_notes_go(self) -> None:
        """Something was decided, or another screen has come: what was said in passing before that is true no more.

        A note that the same key or click has brought is news, however fast the screen changes after it.
        """
        for note in list(self._notifications):
            if note.identity in self._stood and note.severity != "error" and note.timeout <= IN_PASSING:
                self._unnotify(note, refresh=False)
        self._refresh_notifications()

    def take_complaint_away(self) -> bool:
        """Whether there was one: whoever was refused and presses Escape wants to be rid of that, and not to leave."""
        refused = [note for note in self._notifications if note.severity == "warning"]
        for note in refused:
            self._unnotify(note, refresh=False)
        self._refresh_notifications()
        return bool(refused)

    def _refresh_notifications(self) -> None:
        """What holds a note goes with it: Textual takes away only the note, and an empty row would stay."""
        with suppress(ScreenStackError):
            for holder in self.screen.query(ToastHolder):
                if not any(toast._notification in self._notifications for toast in holder.query(Toast)):
                    holder.remove()
        super()._refresh_notifications()

    # Mistakes of ours

    def panic(self, *renderables: object) -> None:
        """Leave without a traceback on the user's screen; `run` tells what happened in a sentence."""
        if self.is_headless or os.environ.get("DUELBOOK_DEBUG"):
            super().panic(*renderables)  # type: ignore[arg-type]  # handed on as they came
        else:
            self._close_messages_no_wait()

    def _fatal_error(self) -> None:
        if self.is_headless or os.environ.get("DUELBOOK_DEBUG"):
            super()._fatal_error()
        else:
            self._close_messages_no_wait()

    # Leaving

    def _told_to_leave(self) -> None:
        hangup.give_up_drawing(self)
        self.action_interrupt()

    def action_interrupt(self) -> None:
        self._leave(INTERRUPTED)

    def action_quit_game(self) -> None:
        self._leave(DONE)

    def _leave(self, code: int) -> None:
        """Leave from wherever one is: every game on the screen is on disk before the screen goes."""
        for screen in self.screen_stack:
            if isinstance(screen, PutAway):
                self.farewell = screen.put_away() or self.farewell
                code = code or (FAILED if screen.lost else DONE)
        self.exit(code, return_code=code)


def run(opening: Callable[[DuelbookApp], object] | None = None) -> int:
    """Open the full screen and come back with an exit code, the terminal as it was."""
    patience.aloud = False
    app = DuelbookApp(opening)
    try:
        code = app.run()
    finally:
        hangup.let_go(app)
    if app._exception is not None:  # the command line says it as it says every mistake of ours
        raise app._exception
    if app.farewell:
        with suppress(OSError):
            to_stderr(app.farewell)
    return code if isinstance(code, int) else app.return_code or DONE

"""Waiting for somebody to sit down: the link to send, and nothing that has to be done meanwhile."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from duelbook.saves import Save
from duelbook.serve.arriving import invitation_link
from duelbook.serve.wire import Wire
from duelbook.speech import amount
from duelbook.table.keeper import command_name
from duelbook.tui.book import BookBeside
from duelbook.tui.dialogs import Ask
from duelbook.tui.heading import Heading
from duelbook.tui.keybar import KeyBar
from duelbook.tui.news import LONG, News, OpenWire


class Lounge(BookBeside):
    gives_way = "#lounge"
    BINDINGS = [
        Binding("c", "copy", "Copy the link"),
        Binding("o,f4", "rules", "Rules"),
        Binding("w", "withdraw", "Withdraw"),
        Binding("q,escape", "leave", "Leave", key_display="Esc"),
    ]
    lost = False

    def __init__(self, wire: Wire, copy: Save | None, go_on: OpenWire) -> None:
        """`go_on` shows the table in place of this screen, when the game has begun."""
        super().__init__()
        self._open_table = go_on
        self.wire, self.copy, self.game = wire, copy, wire.online.duel
        self._trouble, self._left = "", False

    def compose(self) -> ComposeResult:
        yield Heading()
        with Horizontal(id="middle"), VerticalScroll(id="lounge", can_focus=False):
            yield Static(id="lounge-words")
            yield Static(id="lounge-link")
            yield Static(id="lounge-more")
        yield KeyBar()

    def on_mount(self) -> None:
        online = self.wire.online
        self.query_one(Heading).say(Content.assemble((self.game.name, "bold"), "   ", (self._waits(), "bold $accent")))
        self.write("lounge-words", Content(self._what_to_do()))
        self.write("lounge-link", Content.styled(invitation_link(self.wire), "bold $accent"))
        about = [f"Rules: {', '.join(online.differs)}."] if online.differs else []
        about += [f"{amount(int(online.pace), 'second')} for every decision."] if online.pace else []
        about += ["The game begins by itself. Leave whenever you like: the same link brings you back to your seat."]
        self.write("lounge-more", Content("\n".join(about)))
        self.wire.news = lambda: self.post_message(News())
        self.wire.start()
        self.post_message(News())

    def _waits(self) -> str:
        free = [
            seat.name for at, seat in enumerate(self.wire.online.seats) if at != self.wire.seat and not seat.is_taken
        ]
        return f"waiting for {' and '.join(free)} ..." if free else "about to begin ..."

    def _what_to_do(self) -> str:
        if self.wire.mine is None:
            return "You watch. The game begins when both are there."
        if self.wire.online.is_open:
            return "Whoever comes to the server may sit down across from you. The table is at:"
        if self.wire.mine.friend:
            return "Send this link to whoever is to play you; it works once:"
        return "The other player is on the way. The table is at:"

    def on_news(self) -> None:
        if self._left or not self.is_mounted:
            return
        self.wire.take_in()
        if self.wire.trouble != self._trouble:
            self._trouble = self.wire.trouble
            self.app.clear_notifications()
            if self._trouble:
                self.app.notify(self._trouble, severity="error", timeout=LONG, markup=False)
        if self.wire.failed is not None:
            self.duelbook.complain(str(self.wire.failed))
        elif self.wire.online.begun and self.is_current:
            self._left = True
            self._open_table(self.wire, self)
        elif self.wire.online.over and self.is_current:
            self.put_away()
            self.duelbook.say(self.wire.online.reason)
            self.dismiss()
        refusals, self.wire.refusals = self.wire.refusals, []
        for sentence in refusals:
            self.duelbook.complain(sentence)

    def on_screen_resume(self) -> None:
        self.post_message(News())

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(invitation_link(self.wire))
        self.duelbook.say("The link is in the clipboard, where this terminal lets programs put something there.")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "withdraw":
            return self.wire.mine is not None
        return super().check_action(action, parameters)

    def action_withdraw(self) -> None:
        """Nobody sits down at it any more, and nobody has lost it: it has not begun."""

        def answered(said: str | None) -> None:
            if said == "y" and not self._left:
                self.wire.send({"do": "withdraw"}, "withdraw")

        question = "Withdraw this game? Nobody can sit down at it any more; nobody has lost it."
        self.app.push_screen(Ask(question, [("y", "Withdraw"), ("n", "Go on waiting")], grave=True), answered)

    def leave(self) -> None:
        self.duelbook.say(self.put_away())
        self.dismiss()

    def put_away(self) -> str:
        """Go away; the seat stays. What comes back says how to come back."""
        if self._left:
            return ""
        self._left = True
        self.wire.stop()
        if self.copy is not None:
            self.copy.let_go()
        what = "join" if self.wire.mine is not None else "join --watch"
        return f"The game waits for you. Come back with: {command_name()} {what} {self.wire.link}"

    def on_unmount(self) -> None:
        self.put_away()

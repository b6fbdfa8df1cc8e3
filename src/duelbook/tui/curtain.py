"""The curtain between two people at one keyboard: who is to look, who is to look away, and the reveal.

Until both picks are in, nothing that is sent to the terminal depends on what was pressed: no button lights up, no
cursor moves, no number is echoed. The one exception is the warning before a pick that breaks the rules, which the
rules themselves demand.
"""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Center, Horizontal, Middle, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Digits, Static

from duelbook.core import BOTH
from duelbook.match import Match, Sealed
from duelbook.record import move_text
from duelbook.speech import Line
from duelbook.table.host import Advice, Happening, Host
from duelbook.table.telling import tell
from duelbook.tui.actions import Action, ActionButton, Actions, actions_of
from duelbook.tui.base import BaseScreen
from duelbook.tui.dialogs import Ask
from duelbook.tui.story import styled
from duelbook.tui.themes import SEATS

SUSPENSE = 0.5
"""Seconds between the dots before a reveal."""


class Curtain(BaseScreen[int | None]):
    """One player's turn behind the curtain. Gives the pick, or None if they leave."""

    BINDINGS = [
        Binding("enter,space", "ready", "Ready", show=False),
        Binding("q,escape", "dismiss", "Leave", show=False),
    ]

    def __init__(self, match: Match, seat: int) -> None:
        super().__init__()
        self.match, self.seat = match, seat
        self.looking = False
        """The right player has said that only they look at the screen."""
        self.actions: list[Action] = []

    def compose(self) -> ComposeResult:
        with Middle(), Center(), Vertical(id="curtain"):
            yield Static(id="curtain-title")
            yield Static(id="curtain-text")
            yield Actions()
            yield Static(id="curtain-keys")

    def on_mount(self) -> None:
        me, foe = self.match.names[self.seat], self.match.names[1 - self.seat]
        self._say(
            Content.assemble("Hand over the keyboard to ", (me, f"bold {SEATS[self.seat]}")),
            f"{foe}, look away. {me}, press Enter once only you can see the screen.",
            "Enter or a click: I am ready      Q: leave, the game is saved",
        )

    def _say(self, title: Content, text: str, keys: str) -> None:
        self.write("curtain-title", title)
        self.write("curtain-text", Content(text))
        self.write("curtain-keys", Content(keys))

    async def on_click(self, event: events.Click) -> None:
        if not self.looking:
            await self.action_ready()

    async def action_ready(self) -> None:
        if self.looking:
            return
        self.looking = True
        match = self.match
        self.actions = actions_of(match, self.seat)
        prompt = match.game.dialogue.prompt(match.rules, match.state, self.seat, match.names)
        self._say(
            Content.styled(prompt.strip(), f"bold {SEATS[self.seat]}"),
            f"{_how(self.actions)} The screen will not show it.",
            "Q: leave, the game is saved",
        )
        self.query_one(Actions).offer(self.actions, secret=True)

    def on_key(self, event: events.Key) -> None:
        action = self.query_one(Actions).with_key(event.character or "") if self.looking else None
        if action is not None:
            event.stop()
            self._pick(action)

    def on_action_button_pressed(self, event: ActionButton.Pressed) -> None:
        self._pick(event.action)

    def _pick(self, action: Action) -> None:
        match = self.match
        question = (match.rules, match.state, self.seat)
        if match.game.foul(*question, action.move):
            warning = match.game.dialogue.foul_warning(*question)

            def forfeit(said: str | None) -> None:
                if said == "y":
                    self.dismiss(action.move)

            self.app.push_screen(Ask(warning, [("y", "Forfeit"), ("n", "Choose another")], grave=True), forfeit)
        elif action.legal:
            self.dismiss(action.move)


def _how(actions: list[Action]) -> str:
    """How a pick is made: numbers by their digit, words by the letter that stands beside them."""
    if not all(action.word.isdigit() for action in actions):
        return "Press the key of your choice or click it."
    odd = [f"{action.keys[0]} for {action.word}" for action in actions if action.keys and action.keys[0] != action.word]
    return f"Press the number's key{f' ({odd[0]})' if odd else ''} or click it."


class Reveal(ModalScreen[None], BaseScreen[None]):
    """Both picks, shown together after a moment of suspense."""

    BINDINGS = [Binding("enter,space,escape", "go_on", "Go on", show=False)]

    def __init__(self, names: tuple[str, str], picks: tuple[str, str], lines: list[Line], *, suspense: bool) -> None:
        super().__init__()
        self.names, self.picks = names, picks
        self.numbers = all(pick.isdigit() for pick in picks)
        """Numbers are drawn large; a word is as large as other words."""
        self.lines = [line for line in lines if line.text and line.tone != "extra"]
        self.waiting = 3 if suspense else 0
        self.open = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog", id="reveal"):
            yield Static(id="reveal-title")
            with Horizontal(id="reveal-picks"):
                for seat in (0, 1):
                    with Vertical():
                        yield Static(Content.styled(self.names[seat], f"bold {SEATS[seat]}"))
                        yield Digits("", id=f"pick-{seat}") if self.numbers else Static("", id=f"pick-{seat}")
            yield Static(id="reveal-text")

    def on_mount(self) -> None:
        self._count()

    def _count(self) -> None:
        if not self.waiting:
            self._show()
        elif not self.open:
            self.write("reveal-title", Content("Both picks are in " + ". " * (4 - self.waiting)))
            self.waiting -= 1
            self.set_timer(SUSPENSE, self._count)

    def _show(self) -> None:
        self.open = True
        self.write("reveal-title", Content("Both picks are in:"))
        for seat in (0, 1):
            if self.numbers:
                self.query_one(f"#pick-{seat}", Digits).update(self.picks[seat])
            else:
                self.write(f"pick-{seat}", Content.styled(self.picks[seat], f"bold {SEATS[seat]}"))
        told = [*(styled(line) for line in self.lines), Content(), Content.styled("Enter: go on", "$text-muted")]
        self.write("reveal-text", Content("\n").join(told))

    def action_go_on(self) -> None:
        if self.open:
            self.dismiss()
        else:
            self._show()

    on_click = action_go_on


async def pick_in_secret(app: App[object], host: Host, sealed: Callable[[], None]) -> list[Happening] | None:
    """One player after the other picks; then both picks are shown at once. What came of it, or None if one leaves.

    `sealed` is called when the first pick is in.
    """
    match, told = host.match, list[Happening]()
    while not told:
        (due,) = host.due()
        pick = await app.push_screen_wait(Curtain(match, due.seat))
        if pick is None:
            return None
        told = [each for each in host.answer(due, pick) if not isinstance(each, Sealed)]
        if not told:
            sealed()
    words = move_text(match, BOTH, match.steps[-1].play).split("/")
    lines = [line for each in told if not isinstance(each, Advice) for line in tell(match, each, host.people)]
    suspense = app.animation_level != "none"
    await app.push_screen_wait(Reveal(match.names, (words[0], words[1]), lines, suspense=suspense))
    return told

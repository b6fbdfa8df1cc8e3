"""The curtain between two people at one keyboard: who is to look, who is to look away, and the reveal.

A pick is typed, or a card is clicked, and nothing is chosen before Enter. What was typed is hidden: until both picks
are in, nothing that is sent to the terminal depends on it, no button lights up and no number is echoed, unless whoever
sits there asks to see it. It is gone from the screen before the keyboard changes hands. The one exception is the
warning before a pick that breaks the rules, which the rules themselves demand.
"""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Center, Horizontal, Middle, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.style import Style
from textual.widgets import Digits, Static

from duelbook.core import BOTH, DuelError
from duelbook.match import Match, Sealed
from duelbook.record import move_text
from duelbook.speech import Line
from duelbook.table.host import Advice, Happening, Host
from duelbook.table.telling import tell
from duelbook.tui.actions import Action, ActionButton, Actions, actions_of
from duelbook.tui.base import BaseScreen
from duelbook.tui.dialogs import Ask, Page
from duelbook.tui.keybar import between_keys
from duelbook.tui.story import styled
from duelbook.tui.themes import SEATS

SUSPENSE = 0.5
"""Seconds between the dots before a reveal."""
HIDDEN = "● ● ●"
"""What stands for a pick, whichever it is and however many letters it has."""
LONGEST = 40
HELP = (
    "Type your pick, or click its card. Nothing is chosen before you press Enter.",
    "",
    "Tab        shows what you have typed, and hides it again; it is hidden before the keyboard changes hands",
    "Backspace  takes the last letter away; Esc takes all of it",
    "Enter      confirms it; once both picks are in, they are shown together",
    "Esc        with nothing typed: leave; the game is saved, a pick that waits is forgotten",
)


def ask_about_foul(match: Match, seat: int) -> Ask:
    """The question before a move that costs the game, with what its two keys do."""
    warning = match.game.dialogue.foul_warning(match.rules, match.state, seat)
    answers = [("y", "Forfeit"), ("n", "Choose another")]
    return Ask(f"{warning} Y forfeits, N or Enter lets you choose another.", answers, grave=True)


class Curtain(BaseScreen[int | None]):
    """One player's turn behind the curtain. Gives the pick, or None if they leave."""

    heeds_held_keys = False
    BINDINGS = [
        Binding("enter,space", "ready", "Ready", show=False),
        Binding("question_mark", "help", "Help", show=False),
        Binding("q,escape", "dismiss", "Leave", show=False),
    ]

    def __init__(self, match: Match, seat: int) -> None:
        super().__init__()
        self.match, self.seat = match, seat
        self.looking = False
        """The right player has said that only they look at the screen."""
        self.typed, self.shown = "", False

    def compose(self) -> ComposeResult:
        with Middle(), Center(), Vertical(id="curtain"):
            yield Static(id="curtain-title")
            yield Static(id="curtain-text")
            yield Actions()
            yield Static(id="curtain-pick")
            yield Static(id="curtain-keys")

    def on_mount(self) -> None:
        me, foe = self.match.names[self.seat], self.match.names[1 - self.seat]
        self._say(
            Content.assemble("Hand over the keyboard to ", (me, f"bold {SEATS[self.seat]}")),
            f"{foe}, look away. {me}, press Enter once only you can see the screen.",
        )
        self.query_one("#curtain-pick").display = False
        self._show_keys()

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_keys)

    def _say(self, title: Content, text: str) -> None:
        self.write("curtain-title", title)
        self.write("curtain-text", Content(text))

    def _show_keys(self) -> None:
        """The keys that work now; each can be clicked."""
        if self.looking:
            keys = [
                ("Enter", "confirm", "confirm"),
                ("Tab", "hide it" if self.shown else "see it", "look"),
                ("Backspace", "mend", "mend"),
            ]
        else:
            keys = [("Enter", "or a click: I am ready", "ready")]
        pieces = []
        for key, words, action in [*keys, ("?", "help", "help"), ("Esc", "leave, the game is saved", "give_up")]:
            click = Style.from_meta({"@click": f"screen.{action}"})
            pieces.append(Content.assemble((key, "bold $accent"), f" {words}").stylize(click))
        self.write("curtain-keys", between_keys(pieces, self.query_one("#curtain-keys").content_size.width or 60))

    async def on_click(self, event: events.Click) -> None:
        if self.is_current and not self.looking:
            self.action_ready()

    def action_ready(self) -> None:
        if self.looking:
            return
        self.looking = True
        match = self.match
        actions = actions_of(match, self.seat)
        prompt = match.game.dialogue.prompt(match.rules, match.state, self.seat, match.names)
        self._say(
            Content.styled(prompt.strip(), f"bold {SEATS[self.seat]}"),
            "Type it or click its card, then Enter. The screen shows it only if you ask.",
        )
        self.query_one(Actions).offer(actions, secret=True)
        self.query_one("#curtain-pick").display = True
        self._show_keys()
        self._show_pick()

    # What is typed

    def means_nothing(self, key: str) -> None:
        """Said of every such key alike: what is pressed here is nobody else's business."""
        self.answer("That key does nothing here.")

    def on_key(self, event: events.Key) -> None:
        if not self.looking:
            return
        letter = event.character if event.is_printable and event.character else ""
        if event.key == "enter":
            self.action_confirm()
        elif event.key == "tab":
            self.action_look()
        elif event.key in ("backspace", "ctrl+h"):
            self.action_mend()
        elif event.key in ("escape", "ctrl+u") and self.typed:
            self._type("")
        elif letter and (self.typed or self._begins(letter)):
            self._type(self.typed + letter)
        elif event.key != "space":
            return
        event.stop()
        event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        if self.looking:
            self._type(event.text.partition("\n")[0].strip())

    def on_action_button_pressed(self, event: ActionButton.Pressed) -> None:
        """A click chooses as typing does: it can be seen and changed until Enter."""
        self._type(event.action.word)

    def _begins(self, letter: str) -> bool:
        offered = self.query_one(Actions).offered
        return any(letter.lower() in (action.word[:1].lower(), *action.keys) for action in offered)

    def _type(self, typed: str) -> None:
        self.typed = typed[:LONGEST]
        self._show_pick()

    def _show_pick(self, trouble: str = "") -> None:
        if trouble:
            said = Content.styled(trouble, "bold $warning")
        elif not self.typed:
            said = Content.styled("Nothing is chosen yet.", "$text-muted")
        elif not self.shown:
            said = Content.assemble("Your pick: ", (HIDDEN, "bold $accent"))
        else:
            none = "" if self._meant() else ", which is none of the choices"
            said = Content.assemble("Your pick: ", (self.typed, "bold $accent"), none)
        self.write("curtain-pick", said)

    def _meant(self) -> Action | None:
        """The action that is spelled by what was typed."""
        match, actions = self.match, self.query_one(Actions)
        try:
            move = match.game.dialogue.read(match.rules, match.state, self.seat, self.typed)
        except DuelError:
            return actions.with_key(self.typed.strip().lower())
        return next((action for action in actions.offered if action.move == move), None)

    # What can be done

    def action_look(self) -> None:
        self.shown = not self.shown
        self._show_keys()
        self._show_pick()

    def action_mend(self) -> None:
        self._type(self.typed[:-1])

    def action_give_up(self) -> None:
        self.dismiss()

    def action_help(self) -> None:
        self.app.push_screen(Page("Behind the curtain", HELP))

    def action_confirm(self) -> None:
        if not self.typed or not self.is_current:
            self._show_pick("" if self.typed else "Nothing is chosen yet: type your pick first, then press Enter.")
            return
        match, action = self.match, self._meant()
        if action is None:
            self.typed = ""
            self._show_pick("That is none of the choices. Type one of them, then press Enter.")
        elif match.game.foul(match.rules, match.state, self.seat, action.move):
            self.app.push_screen(ask_about_foul(match, self.seat), lambda said: self._forfeit(action, said))
        elif not action.legal:
            self.typed = ""
            self._show_pick(f"That cannot be picked now: {action.about}")
        else:
            self.dismiss(action.move)

    def _forfeit(self, action: Action, said: str | None) -> None:
        if said == "y":
            self.dismiss(action.move)
        else:
            self._type("")


class Reveal(ModalScreen[None], BaseScreen[None]):
    """Both picks, shown together after a moment of suspense."""

    heeds_held_keys = False
    BINDINGS = [Binding("enter,space,escape,question_mark", "go_on", "Go on", show=False)]

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
            with VerticalScroll(id="reveal-story", can_focus=False):
                yield Static(id="reveal-text")
            yield Static(id="reveal-keys")

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
        self.write("reveal-text", Content("\n").join(styled(line) for line in self.lines))
        self.write("reveal-keys", Content.styled("Enter: go on", "$text-muted"))

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

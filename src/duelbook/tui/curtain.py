"""The curtain between two people at one keyboard: who is to look, who is to look away, and the reveal.

A pick is typed, or a card is clicked, and nothing is chosen before Enter. What was typed is hidden: until both picks
are in, nothing that is sent to the terminal depends on it, no button lights up and no number is echoed, unless whoever
sits there asks to see it. It is gone from the screen before the keyboard changes hands. The one exception is the
warning before a pick that breaks the rules, which the rules themselves demand.
"""

from __future__ import annotations

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Center, Middle, Vertical
from textual.content import Content
from textual.style import Style
from textual.widgets import Static

from duelbook.core import BOTH, DuelError
from duelbook.match import Match, Sealed
from duelbook.record import move_text
from duelbook.table.host import Advice, Happening, Host
from duelbook.table.standstill import Standstill
from duelbook.table.telling import tell
from duelbook.tui.actions import Action, ActionButton, Actions, actions_of
from duelbook.tui.base import BaseScreen
from duelbook.tui.command import CommandLine, first_line
from duelbook.tui.dialogs import Ask, Page
from duelbook.tui.keybar import between_keys
from duelbook.tui.reveal import Reveal
from duelbook.tui.table_help import HELP, LEAVE, WORDS
from duelbook.tui.themes import SEATS

ABOUT = (
    "Type your pick, or click its card. Nothing is chosen before you press Enter.",
    "",
    "Tab        shows what you have typed, and hides it again; it is hidden before the keyboard changes hands",
    "Backspace  takes the last letter away; Esc takes all of it",
    "Enter      confirms it; once both picks are in, they are shown together",
    "Esc        with nothing typed: leave; the game is saved as it was when this turn began, without any pick of it",
)

READY = ("ready", "yes")
"""Words, or the last ones of a sentence, that say it as Enter alone does."""


def ask_about_foul(match: Match, seat: int, *, hidden: bool = False) -> Ask:
    """The question before a move that costs the game, with what its two keys do; `hidden` where others look on."""
    warning = match.game.dialogue.foul_warning(match.rules, match.state, seat)
    answers = [("y", "Forfeit"), ("n", "Choose another")]
    return Ask(f"{warning} Y forfeits, N or Enter lets you choose another.", answers, final=True, hidden=hidden)


class Curtain(BaseScreen[list[Happening] | None]):
    """One player picks after the other. Gives what came of both picks, or None if they leave.

    It stays drawn while the keyboard changes hands, and its lines stay in their places.
    """

    heeds_held_keys = False
    ALLOW_SELECT = False  # a click would mark the letters below it, and so tell which card was clicked
    BINDINGS = [
        Binding("enter", "ready", "Ready", show=False),  # and no space: there is one in every sentence
        Binding("question_mark", "help", "Help", show=False),
        Binding("q,escape", "dismiss", "Leave", show=False),
    ]

    def __init__(self, host: Host) -> None:
        super().__init__()
        self.host, self.match = host, host.match
        (self.due,) = host.due()
        self.looking = False
        """The right player has said that only they look at the screen."""
        self._troubled = False
        """Whether a pick has just been refused: who presses Esc then has not seen that nothing is typed any more."""
        self._keys = Content()
        self._word = ""
        """What has been typed while the keyboard changes hands."""

    @property
    def seat(self) -> int:
        return self.due.seat

    @property
    def line(self) -> CommandLine:
        return self.query_one(CommandLine)

    def compose(self) -> ComposeResult:
        with Middle(), Center(), Vertical(id="curtain"):
            yield Static(id="curtain-title")
            yield Static(id="curtain-text")
            yield Actions()
            yield CommandLine(id="curtain-pick")
            yield Static(id="curtain-keys")

    def on_mount(self) -> None:
        self._hand_over()

    def _hand_over(self) -> None:
        self.looking = False
        me, foe = self.match.names[self.seat], self.match.names[1 - self.seat]
        self._say(
            Content.assemble("Hand over the keyboard to ", (me, f"bold {SEATS[self.seat]}")),
            f"{foe}, look away. {me}, press Enter once only you can see the screen.",
        )
        self.query_one(Actions).offer([], secret=True)
        self.line.clear()
        self.line.ask("")
        self.line.hide(True)
        self._show_keys()

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_keys)

    def _say(self, title: Content, text: str) -> None:
        self.write("curtain-title", title)
        self.write("curtain-text", Content(text))

    def _show_keys(self) -> None:
        """The keys that work now; each can be clicked, and where anything can, none needs to."""
        keys = [("Enter", "or a click: I am ready", "")]
        if self.looking:
            keys = [
                ("Enter", "confirm", "confirm"),
                ("Tab", "see it" if self.line.hidden else "hide it", "look"),
                ("Backspace", "correct it", "mend"),
            ]
        pieces = []
        back = "take it back" if self.line.text else "clear this" if self._troubled else self._leaving()
        for key, words, action in [*keys, ("?", "help", "help"), ("Esc", back, "give_up")]:
            piece = Content.assemble((key, "bold $accent"), f" {words}")
            pieces.append(piece.stylize(Style.from_meta({"@click": f"screen.{action}"})) if action else piece)
        self._draw_keys(between_keys(pieces, self.query_one("#curtain-keys").content_size.width or 60))

    def _leaving(self) -> str:
        """What comes of the game if one leaves now."""
        if len(self.match.to_act()) == 1:
            return f"leave, {self.match.names[1 - self.seat]}'s pick is forgotten"
        return "leave, nothing is kept yet" if self.host.keeper.only_opened else "leave, the game is saved"

    def _draw_keys(self, keys: Content) -> None:
        """Keys that stand there already are not sent again: how often they are would tell how much was typed."""
        if not keys.is_same(self._keys):
            self._keys = keys
            self.write("curtain-keys", keys)

    async def on_click(self, event: events.Click) -> None:
        """The second half of a double click belongs to the player before."""
        if self.is_current and not self.looking and event.chain == 1:
            self.action_ready()

    def action_ready(self) -> None:
        if self.looking:
            return
        self.looking = True
        self.duelbook.let_old_notes_go()
        match = self.match
        actions = actions_of(match, self.seat)
        prompt = match.game.dialogue.prompt(match.rules, match.state, self.seat, match.names)
        self._say(
            Content.styled(prompt.strip(), f"bold {SEATS[self.seat]}"),
            "Type it or click its card, then Enter. The screen shows it only if you ask.",
        )
        self.query_one(Actions).offer(actions, secret=True)
        self._show_pick()

    # What is typed

    def means_nothing(self, key: str) -> None:
        """Said of every such key alike: what is pressed here is nobody else's business."""
        self.answer("That key does nothing here.")

    def answer(self, words: str) -> None:
        """In the pick's own line: a note that comes and goes would move the cards, and go at a time of its own."""
        if self.line.text:
            self.line.explain(words)
        else:
            self._troubled = False
            self.line.ask(f"{words} Below stands what works.", "bold $warning")
            self._show_keys()

    def writes(self, key: str) -> bool:
        return key.isalnum() or key == "-" or (key.isspace() and bool(self.line.text))

    def begin_with(self, letters: str) -> None:
        if self.looking:
            self._type(letters)

    def before_key(self, event: events.Key) -> bool:
        """Q leaves while the keyboard changes hands; the rest of `quit` says nothing more at the table."""
        if not self.looking and event.key.lower() == "q":
            self.duelbook.rest_of_a_word.follows(event, ("quit",))
        return False

    def on_key(self, event: events.Key) -> None:
        if not self.has_the_keys:  # pressed before a question came that is to be answered first
            event.stop()
            return
        letter = event.character if event.is_printable and event.character else ""
        if not self.looking:
            if event.key in ("tab", "shift+tab"):  # it would walk where there is nothing to walk to
                self.means_nothing(event.key)
                event.stop()
                event.prevent_default()
                return
            word, self._word = self._word, self._word + letter if letter.isalpha() else ""
            if word and event.key == "enter":  # somebody typed something: that they are ready is another Enter
                self._obey_before(word.lower())
                event.stop()
                event.prevent_default()
            return
        if event.key == "enter":
            self.action_confirm()
        elif event.key == "tab":
            self.action_look()
        elif event.key == "escape" and self._troubled:
            self._type("")
        elif letter == "?":  # the foot says that it helps, with something typed too
            return
        elif (self.line.text or not letter or self.writes(letter)) and self.line.take(event):
            self._show_pick()
        elif event.key not in ("space", "backspace", "ctrl+h"):
            return
        event.stop()
        event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        if self.looking:
            self._type(first_line(event.text))

    def on_action_button_pressed(self, event: ActionButton.Pressed) -> None:
        """A click chooses as typing does: it can be seen and changed until Enter."""
        self._type(event.action.word)

    def _type(self, typed: str) -> None:
        self._troubled = False
        self.line.put(typed)
        self._show_pick()

    def _show_pick(self, trouble: str = "") -> None:
        line = self.line
        if line.text:
            line.ask("Your pick:", "$foreground")
            line.explain("" if line.hidden or self._meant() else "which is none of the choices")
        elif trouble:
            line.ask(trouble, "bold $warning")
        else:
            line.ask("Nothing is chosen yet.", "$text-muted")
        self._show_keys()

    def _refuse(self, why: str) -> None:
        self._troubled = bool(self.line.text)
        self.line.clear()
        self._show_pick(why)

    def _meant(self) -> Action | None:
        """The action that is spelled by what was typed."""
        match, actions, typed = self.match, self.query_one(Actions), self.line.text
        try:
            move = match.game.dialogue.read(match.rules, match.state, self.seat, typed)
        except DuelError:
            return actions.with_key(typed.strip().lower())
        return next((action for action in actions.offered if action.move == move), None)

    # What can be done

    def action_look(self) -> None:
        self.line.hide(not self.line.hidden)
        self._show_pick()

    def action_mend(self) -> None:
        self._type(self.line.text[:-1])

    def action_give_up(self) -> None:
        """What Esc does: it takes away what is typed or was just refused, and leaves where there is neither."""
        if self.line.text or self._troubled:
            self._type("")
        else:
            self.dismiss()

    def action_help(self) -> None:
        self.app.push_screen(Page("Behind the curtain", ABOUT))

    def action_confirm(self) -> None:
        if not self.has_the_keys:
            return
        match, action = self.match, self._meant()
        if not self.line.text:
            self._refuse("Nothing is chosen yet: type your pick first, then press Enter.")
        elif action is None:
            self._obey(self.line.text.strip().lower().lstrip("/"))
        elif match.game.foul(match.rules, match.state, self.seat, action.move):
            question = ask_about_foul(match, self.seat, hidden=True)
            self.app.push_screen(question, lambda said: self._forfeit(action, said))
        elif not action.legal:
            self._refuse(f"That cannot be picked now: {action.about}")
        else:
            self._pick(action.move)

    def _obey_before(self, word: str) -> None:
        """A word that was typed before the right player was there."""
        told = WORDS.get(word)
        if told is HELP:
            self.action_help()
        elif told is LEAVE:
            self.dismiss()
        elif word in READY:
            self.action_ready()
        else:
            self.answer("No pick can be typed yet.")

    def _obey(self, word: str) -> None:
        """A word that is no pick: one of those that work at every turn, or none."""
        told = WORDS.get(word)
        if told is HELP:
            self.line.clear()
            self._show_pick()
            self.action_help()
        elif told is LEAVE:
            self.dismiss()
        elif told is not None:
            self._refuse("Not behind the curtain. Type your pick, then press Enter.")
        else:
            self._refuse("That is none of the choices. Type one of them, then press Enter.")

    def _forfeit(self, action: Action, said: str | None) -> None:
        if said == "y":
            self._pick(action.move)
        else:
            self._type("")

    def _pick(self, move: int) -> None:
        """Seal the pick. The keyboard changes hands, or both picks are in."""
        told: list[Happening] = [each for each in self.host.answer(self.due, move) if not isinstance(each, Sealed)]
        if told:
            self.dismiss(told)
        else:
            (self.due,) = self.host.due()
            self.duelbook.let_old_notes_go()
            self._hand_over()


async def pick_in_secret(app: App[object], host: Host) -> list[Happening] | None:
    """One player after the other picks; then both picks are shown at once. What came of it, or None if one leaves."""
    told = await app.push_screen_wait(Curtain(host))
    if told is None:
        return None
    match = host.match
    words = move_text(match, BOTH, match.steps[-1].play).split("/")
    lines = [
        line for each in told if not isinstance(each, Advice | Standstill) for line in tell(match, each, host.people)
    ]
    suspense = app.animation_level != "none"
    await app.push_screen_wait(Reveal(match.names, (words[0], words[1]), lines, suspense=suspense))
    return told

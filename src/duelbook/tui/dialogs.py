"""Small windows over the screen: a question, a page to read, a name to type."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option

from duelbook.core import Game
from duelbook.speech import Line
from duelbook.table import answers
from duelbook.tui import CONFIRMING
from duelbook.tui.base import PATIENT, BaseScreen
from duelbook.tui.command import HIDDEN
from duelbook.tui.ladder import key_of
from duelbook.tui.leftover import ERASING, READING, SLOWEST, now
from duelbook.tui.menu import key_cap
from duelbook.tui.naming import Name, Named
from duelbook.tui.people import Opponent, characters, opponents
from duelbook.tui.prose import Prose
from duelbook.tui.typed import TypedLine

ALSO_SAID = {
    **answers.ALSO_SAID,
    "go on watching": ("no", "keep watching"),
    "a clue": ("yes", "clue"),
    "show it": ("show me",),
    "no, thanks": ("no thanks",),
    "choose another": ("another",),
    "stop, no result": ("yes",),
    "play on": ("no",),
}
"""How else people say an answer, as line by line."""


FINAL = 4.3
"""So many times as long as elsewhere a letter waits for the next one where its answer cannot be set back."""
NO_AT_ALL = ("nope", "nah", "never", "never mind", "not now", "nothing")
"""What else begins like `no`, and says the same."""
CLOSING = ("quit", "back", "close")
"""What closes a page, beside its keys."""


class Ask(ModalScreen[str], Named[str]):
    """A question with a few answers, each a button and a key. Escape gives the last of them.

    A letter waits for the next one as everywhere: of what people type in surprise no first letter is an answer. A word
    is seen below the question, and answers it with Enter if it is an answer. Enter and Space alone answer only where
    that changes nothing, and only if they were pressed when the question could be read; elsewhere an arrow chooses
    first.
    """

    heeds_held_keys = False
    takes_quick_keys = False  # of what people type in surprise no letter is an answer
    space_is_a_key = False
    AUTO_FOCUS = ""  # Textual would choose the first button, which a grave question must not have chosen for a moment
    BINDINGS = [
        Binding("escape", "give_up", "Back", show=False),
        Binding("right,down", "app.focus_next", show=False),
        Binding("left,up", "app.focus_previous", show=False),
    ]

    def __init__(
        self,
        question: str,
        answers: Sequence[tuple[str, str]],
        title: str = "",
        *,
        grave: bool = False,
        final: bool = False,
        hidden: bool = False,
    ) -> None:
        """`answers` are pairs of a key and a label; the chosen key comes back.

        With `grave` Enter alone gives the last answer, which changes nothing. So it does with `final`, where the others
        cannot be set back. With `hidden` nobody sees what is typed: it may be somebody's secret.
        """
        super().__init__()
        self.question, self.answers, self.heading = question, answers, title
        self.grave, self.final, self.hidden = grave or final, final, hidden
        self._seen = inf
        """When it came to be seen."""
        self._refused_until = -inf
        """Until when an Enter belongs to the key before it, which meant nothing."""
        self._last: events.Key | None = None
        """The last key that came."""

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            if self.heading:
                yield Static(Content.styled(self.heading, "bold"), classes="dialog-title")
            yield Static(Content(self.question), classes="dialog-text")
            yield Static(classes="dialog-typed")
            with Horizontal(classes="dialog-answers"):
                for key, label in self.answers:
                    yield Button(Content.assemble((f" {key.upper()} ", "bold reverse"), f" {label}"), name=key)

    def on_mount(self) -> None:
        if self.grave:
            self.set_focus(self.query(Button).last())
        self.call_after_refresh(self._is_seen)

    def _is_seen(self) -> None:
        self._seen = now()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.name)

    # What is typed

    async def on_key(self, event: events.Key) -> None:
        """What `Named` does not hear: keys that come when it is answered or not read yet, and who thinks again."""
        confirms = event.key in CONFIRMING and not self.typed
        too_early = confirms and event.time < self._seen + min(READING, self.duelbook.left_over.held)
        meant_nothing = event.time < self._refused_until
        refused = confirms and (meant_nothing or (self.focused is None and not too_early))
        if refused:
            self.show_typed(self.refusal("", ()))
            self._seen = now()
        self._refused_until = -inf
        mends = len(self.typed) == 1 and event.key in (*ERASING, "escape")
        if mends:
            self.forget()
        if mends or not self.is_current or too_early or refused:
            event.stop()
            event.prevent_default()
        self._last = event

    def writes(self, key: str) -> bool:
        return key.isalpha() or super().writes(key)

    def names(self) -> dict[str, Name]:
        return {word: Name(f"say({key!r})", label) for key, label in self.answers for word in self._words(key)}

    def _words(self, key: str) -> tuple[str, ...]:
        """What people type for this answer."""
        label = dict(self.answers)[key].lower()
        back = ("cancel", "back") if key == self.answers[-1][0] else ()
        agreed = {"y": ("yes",), "n": ("no", *NO_AT_ALL)}.get(key, ())
        return (key, label, *agreed, *ALSO_SAID.get(label, ()), *back)

    def also_keys(self) -> str:
        return "".join(key for key, _ in self.answers)

    def may_begin(self, letter: str) -> bool:
        """A digit alone, too: refused by itself it would leave its Enter to answer."""
        return letter.isalpha() or (letter.isdigit() and not self.typed)

    def waits(self, key: str) -> float:
        """The last answer waits no longer than any key where it changes nothing: one goes on below. To keep a slip lets
        the opponent reply, and `got it` begins like `go on`."""
        if key.lower() == self.answers[-1][0] and self.grave:
            return super().waits(key)
        return self.duelbook.pause * (FINAL if self.final else PATIENT)

    def take_key(self, key: str) -> bool:
        """Answer. The rest of its word, if it comes late, and its Enter are no keys of what lies below."""
        said = key.lower()
        if said not in dict(self.answers):
            return False
        if self._last is not None and self._last.key.lower() == said:
            self.duelbook.rest_of_a_word.follows(self._last, self._words(said))
        self.dismiss(said)
        return True

    def _meaning(self, typed: str) -> str:
        """A letter that is none of the keys is no answer, so nothing is promised of its Enter."""
        return "" if len(typed) == 1 and typed.lower() not in dict(self.answers) else super()._meaning(typed)

    def show_typed(self, words: str) -> None:
        """Below the question. What is hidden looks the same whatever it is."""
        line = self.query_one(".dialog-typed", Static)
        hidden = f"{HIDDEN}  Enter ends a word, Esc clears it."
        line.update(Content(hidden if self.hidden and self.typed else words))
        line.display = bool(words)

    async def _obey(self, typed: str) -> None:
        """A letter that is none of the keys is no answer, even where one begins so: `a` buys no clue."""
        if len(typed) == 1 and typed.lower() not in dict(self.answers):
            self.show_typed(self.refusal(typed, ()))
        else:
            await super()._obey(typed)

    def refusal(self, typed: str, found: Sequence[Name]) -> str:
        """The word is not named: over the curtain it may be somebody's secret."""
        return f"That is no answer here. {self.what_works()}."

    def means_nothing(self, key: str) -> None:
        """The key is not named, either. Its Enter is refused: whoever typed a move wants no answer by it."""
        self.answer("That key does nothing here.")
        self._refused_until = now() + SLOWEST * self.duelbook.left_over.held

    def what_works(self) -> str:
        return ", ".join(f"{key.upper()}: {label}" for key, label in self.answers)

    def action_say(self, key: str) -> None:
        self.dismiss(key)

    def action_give_up(self) -> None:
        self.dismiss(self.answers[-1][0])


class Page(ModalScreen[None], BaseScreen[None]):
    """Something to read. Any of the usual keys closes it, and so does the first letter of what is typed below it."""

    heeds_held_keys = False
    BINDINGS = [
        Binding("escape,enter,space,q,question_mark", "dismiss", "Close", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("up", "scroll(-1)", show=False),
        Binding("pagedown", "turn_page('.dialog-page', 1)", show=False),
        Binding("pageup", "turn_page('.dialog-page', -1)", show=False),
        Binding("home", "scroll_to(0)", show=False),
        Binding("end", "scroll_to(1)", show=False),
    ]

    def __init__(self, title: str, lines: Iterable[Line | str]) -> None:
        super().__init__()
        self.heading = title
        self.lines = [Line(line) if isinstance(line, str) else line for line in lines]

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog wide"):
            yield Static(Content.styled(self.heading, "bold"), classes="dialog-title")
            with VerticalScroll(classes="dialog-page", can_focus=False):
                yield self.body()
            yield Button("Close (Enter)", classes="dialog-close")

    def body(self) -> Widget:
        return Prose(self.lines)

    def on_click(self, event: events.Click) -> None:
        """Beside the page, whoever clicks has read it, as whoever types has."""
        if self.get_widget_at(event.screen_x, event.screen_y)[0] is self:
            self.dismiss()

    def on_mount(self) -> None:
        self.query_one(Button).focus()

    def on_button_pressed(self) -> None:
        self.dismiss()

    def writes(self, key: str) -> bool:
        """Whoever goes on typing has read it: a hint, and then the move, or whatever comes to mind.

        A letter that is a key below makes way, too: held back here, it would act there in the middle of its word.
        """
        below = self.app.screen_stack[-2]
        return key.lower() != "q" and isinstance(below, BaseScreen) and below.gathers(key)

    def before_key(self, event: events.Key) -> bool:
        """Make way for the line below. Q closes the page, and so do `quit`, `back` and `close`; `question` goes on
        below, whole, and so does a word that begins like a key or a command of what lies there."""
        letter = event.character if event.is_printable and event.character else ""
        words = [word for word in CLOSING if letter and word.startswith(letter.lower())]
        closes = bool(words) and not self._means_something_below(letter)
        if closes:
            self.duelbook.rest_of_a_word.follows(event, words, kept=True)
        if closes or (letter and self.writes(letter)):
            self.dismiss()
        return closes

    def _means_something_below(self, letter: str) -> bool:
        below = self.app.screen_stack[-2]
        known = isinstance(below, BaseScreen) and (below.is_key(letter) or below.writes(letter))
        return letter.lower() != "q" and known

    def what_works(self) -> str:
        return "Enter or Esc closes this page; up, down, PgUp and PgDn scroll."

    def action_scroll(self, by: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=by, animate=False)

    def action_scroll_to(self, end: int) -> None:
        page = self.query_one(VerticalScroll)
        page.scroll_to(y=end * page.max_scroll_y, animate=False)


class RulePage(Page):
    """A duel's rule book, where no game lies beside it."""

    def __init__(self, game: Game) -> None:
        super().__init__(game.name, ())
        self.game = game

    def body(self) -> Widget:
        from textual.widgets import Markdown

        from duelbook.games import rulebook

        return Markdown(rulebook(self.game))


class AskForText(ModalScreen[str | None], BaseScreen[str | None]):
    """A line to type, such as the name of a file. Escape gives None."""

    BINDINGS = [Binding("escape", "dismiss", "Back", show=False)]

    def __init__(self, question: str, suggestion: str = "", *, replaced: bool = False) -> None:
        """With `replaced` the first letter takes the place of what is suggested, as for a number that is to change."""
        super().__init__()
        self.question, self.suggestion, self.replaced = question, suggestion, replaced

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Content(self.question), classes="dialog-text")
            yield TypedLine(self.suggestion, select_on_focus=self.replaced)
            with Horizontal(classes="dialog-answers"):
                yield Button("OK (Enter)", name="ok")
                yield Button("Back (Esc)", name="back")

    def what_works(self) -> str:
        return "Type the line, then press Enter. Esc goes back and changes nothing."

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip() or None)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss((self.query_one(Input).value.strip() or None) if event.button.name == "ok" else None)


class ChooseOpponent(ModalScreen[str | None], Named[str | None]):
    """Everybody one can meet, with a word about the highlighted one. They have the keys that they have where a game is
    set up, and can be called by their names, too."""

    BINDINGS = [Binding("escape,q", "dismiss", "Back", show=False)]

    def __init__(self, question: str, liked: str) -> None:
        super().__init__()
        self.question, self.liked = question, liked
        self.known = [*opponents(), *characters()]

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Content.styled("Try another move", "bold"), classes="dialog-title")
            yield Static(Content(self.question), classes="dialog-text")
            yield OptionList(*map(_option, self.known), id="meet-list", compact=True)
            yield Static(id="meet-about")
            with Horizontal(classes="dialog-answers"):
                yield Button("Back (Esc)", name="back")

    def what_works(self) -> str:
        return "Up and down walk, or press a key of the list; Enter chooses, Esc goes back; or type a name, as level 4."

    def on_mount(self) -> None:
        choices = self.query_one(OptionList)
        choices.highlighted = next((at for at, each in enumerate(self.known) if each.kind == self.liked), 0)
        choices.focus()

    def names(self) -> dict[str, Name]:
        known = dict.fromkeys(("back", "cancel", "leave", "quit", "exit"), Name("dismiss", "back to the replay"))
        for each in self.known:
            known |= dict.fromkeys(each.spellings(), Name(f"meet({each.kind!r})", f"against {each.label}"))
        return known

    def also_keys(self) -> str:
        return "".join({key_of(each.kind).lower() for each in self.known})

    def take_key(self, key: str) -> bool:
        """Go to whoever has this key; where several have it, to the next of them."""
        choices = self.query_one(OptionList)
        meant = [at for at, each in enumerate(self.known) if key_of(each.kind) == key.upper()]
        if meant:
            here = -1 if choices.highlighted is None else choices.highlighted
            choices.highlighted = next((at for at in meant if at > here), meant[0])
            self.show_typed("")
        return bool(meant)

    def show_typed(self, words: str) -> None:
        """Where the highlighted one is spoken of; with nothing typed it is again."""
        at = self.query_one(OptionList).highlighted
        self.write("meet-about", Content(words or ("" if at is None else self.known[at].about)))

    def action_meet(self, kind: str) -> None:
        self.dismiss(kind)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self.write("meet-about", Content(self.known[event.option_index].about))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self.known[event.option_index].kind)

    def on_button_pressed(self) -> None:
        self.dismiss()


def _option(opponent: Opponent) -> Option:
    return Option(Content.assemble(key_cap(key_of(opponent.kind)), f" {opponent.label}"))

"""Every action as a button and a key, with what it would do, or why it cannot be done now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import NamedTuple

from textual.containers import Container
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from duelbook.core import Game
from duelbook.match import Match
from duelbook.table.keys import keys_of

MOST_IN_A_LIST = 6
"""More choices than this stand side by side, and one line explains the highlighted one."""
NARROWEST = 6
"""Columns of the smallest card, as the style sheet has it."""
SIDES = 3
"""Columns of a list that its actions do not have: its padding, and the bar at the left of each."""
NO_MOVE = -1


class Action(NamedTuple):
    move: int
    word: str
    keys: tuple[str, ...]
    about: str
    """What it would do; for one that cannot be played, why not."""
    legal: bool = True
    does: str = ""
    """What the screen does where this is no move of the game."""


def command_words(game: Game, rules: object) -> list[str]:
    """The words of this duel that are played, at any moment of it."""
    return [*game.dialogue.words(rules), *([game.chance.draw] if game.faces else [])]


def first_letters(game: Game, rules: object) -> set[str]:
    """What can begin a command of this duel, at any moment of it."""
    words = command_words(game, rules)
    keys = keys_of(game, rules, game.start(rules, 0), 0)
    return {word[0].lower() for word in words if word} | {key for each in keys.values() for key in each}


def _shown(keys: Sequence[str]) -> str:
    """The key that a button shows: one of its own, or Enter."""
    return keys[0].upper() if keys and len(keys[0]) == 1 else "Enter" if keys else " "


def _begun(word: str) -> str:
    """With a capital, and the rest as it is."""
    return word[:1].upper() + word[1:]


def actions_of(match: Match, seat: int) -> list[Action]:
    """What the book lists for the seat now, each with what it would do, or with why it cannot be done."""
    game, where = match.game, (match.rules, match.state, seat)
    keys = keys_of(game, *where)
    return [action_of(game, where, move, word, keys[move]) for move, word in game.menu(*where).items()]


def action_of(
    game: Game, where: tuple[object, object, int], move: int, word: str, keys: tuple[str, ...] = ()
) -> Action:
    """A move as an action, listed or not; `where` are the rules, the position and the seat."""
    legal = game.legal(*where, move)
    playable = legal or game.foul(*where, move)
    about = game.dialogue.effect(*where, move) if playable else game.dialogue.why_not(*where, move)
    return Action(move, word, keys, about, legal)


class ActionButton(Widget):
    """One action: type it, click it, or walk to it and press Enter. It never has the focus: its screen has the keys."""

    @dataclass
    class Pressed(Message):
        action: Action

    @dataclass
    class Pointed(Message):
        """The mouse has come over an action, or has left it."""

        action: Action | None

    def __init__(self) -> None:
        super().__init__(classes="action")
        self.action, self.small, self.longest = Action(NO_MOVE, "", (), ""), False, 0

    def show(self, action: Action, *, small: bool, width: int) -> None:
        """Stand for this action from now on. `width` is that of the longest word beside it: explanations line up."""
        self.action, self.small, self.longest = action, small, width
        self.set_class(not action.legal, "refused")
        self.set_class(small, "small")
        self.display = True
        self.refresh(layout=True)

    def render(self) -> Content:
        if self.small:
            return Content.styled(self._label, "bold")
        key, word = f" {_shown(self.action.keys)} ", _begun(self.action.word).ljust(self.longest)
        about = self._about(self.content_size.width)
        if not self.action.legal:
            return Content.assemble(key, " ", word, "  ", about)
        return Content.assemble((key, "bold reverse"), " ", (word, "bold"), "  ", (about, "$text-muted"))

    @property
    def _label(self) -> str:
        """A small button's word, and its key where that is another."""
        word, keys = self.action.word, self.action.keys
        return word if not keys or keys[0] == word else f"{word} ({keys[0]})"

    @property
    def broad(self) -> int:
        """Columns of a small button with its border."""
        return max(NARROWEST, len(self._label) + 2)

    def _about(self, width: int) -> str:
        """The explanation, broken between words so that it stays in its own column."""
        said = self.action.about if self.action.legal else f"not now. {self.action.about}"
        head = len(_shown(self.action.keys)) + 2 + self.longest + 3
        return ("\n" + " " * head).join(wrap(said, max(16, width - head)))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self.rows(width)

    def rows(self, width: int) -> int:
        return 1 if self.small else self._about(width).count("\n") + 1

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return len(self._label) if self.small else container.width

    def on_click(self) -> None:
        self.post_message(self.Pressed(self.action))

    def on_enter(self) -> None:
        self.post_message(self.Pointed(self.action))

    def on_leave(self) -> None:
        self.post_message(self.Pointed(None))


class Actions(Container):
    """All actions of the seat whose turn it is, in a list, or side by side where there are many."""

    @dataclass
    class Highlighted(Message):
        """What is highlighted has changed, or what the mouse points at; None where nothing is."""

        action: Action | None

    def __init__(self) -> None:
        super().__init__(id="actions")
        self.offered: list[Action] = []
        self.highlighted: Action | None = None
        """What an arrow has walked to, or the typed line means. Nothing, when a decision begins."""
        self.secret = False
        self.buttons: list[ActionButton] = []
        """Buttons stay and are used again: new ones at every turn could be felt."""

    def offer(self, actions: Sequence[Action], *, secret: bool = False) -> None:
        """Show these instead of what was there. With `secret` nothing on the screen follows what is highlighted."""
        self.offered, self.secret = list(actions), secret
        small = secret or len(actions) > MOST_IN_A_LIST
        width = max((len(action.word) for action in actions), default=0)
        self.set_class(small, "row")
        self.set_class(secret, "secret")
        new = [ActionButton() for _ in range(len(actions) - len(self.buttons))]
        self.buttons += new
        if new:
            self.mount_all(new)
        for button, action in zip(self.buttons, actions, strict=False):
            button.show(action, small=small, width=width)
        for button in self.buttons[len(actions) :]:
            button.display = False
        self._fit()
        self.highlight(None)
        self.screen.refresh_bindings()

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        """Cards side by side close up where the window is too narrow for gaps between them."""
        shown = self.buttons[: len(self.offered)]
        needed = sum(button.broad + 1 for button in shown)
        self.set_class(0 < self.content_size.width < needed, "tight")
        self._scroll_if_long(shown)

    def _scroll_if_long(self, shown: Sequence[ActionButton]) -> None:
        """A list scrolls only where it is longer than it may become. Left to itself, a bar that comes up while the
        list still grows makes it narrower, and so long that the bar stays and hides its last line."""
        most, width = self.styles.max_height, self.outer_size.width - SIDES
        rows = sum(button.rows(width) for button in shown if not button.small) if width > 0 else 0
        self.styles.overflow_y = "auto" if most is not None and rows > most.value else "hidden"

    def highlight(self, action: Action | None) -> None:
        """Let this one stand out, or none."""
        self.highlighted = None if self.secret else action
        for button, each in zip(self.buttons, self.offered, strict=False):
            lit = each is self.highlighted
            button.set_class(lit, "lit")
            if lit:
                button.scroll_visible(animate=False)
        self.post_message(self.Highlighted(self.highlighted))

    def on_action_button_pointed(self, event: ActionButton.Pointed) -> None:
        """The mouse shows what an action would do, and chooses nothing."""
        if not self.secret:
            self.post_message(self.Highlighted(event.action or self.highlighted))

    def step(self, by: int) -> None:
        """Highlight the next one, or the one before."""
        if not self.offered or self.secret:
            return
        at = next((at for at, action in enumerate(self.offered) if action is self.highlighted), min(0, -by))
        self.highlight(self.offered[(at + by) % len(self.offered)])

    def with_key(self, key: str) -> Action | None:
        return next((action for action in self.offered if key in action.keys), None)

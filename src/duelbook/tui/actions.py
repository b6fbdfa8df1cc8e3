"""Every action as a button and a key, with what it would do, or why it cannot be done now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import NamedTuple

from textual.binding import Binding
from textual.containers import Container
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from duelbook.core import DuelError, Game
from duelbook.match import Match

MOST_IN_A_LIST = 6
"""More choices than this stand side by side, and one line explains the highlighted one."""
NARROWEST = 6
"""Columns of the smallest card, as the style sheet has it."""
KEYS = "abcdefghijklmnopqrstuvwxyz0123456789"
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


def keys_of(game: Game, rules: object, state: object, seat: int) -> dict[int, tuple[str, ...]]:
    """The keys of every move: each single letter or digit that the duel's own dialogue reads as it.

    A move without such a letter takes one of its word that is free: 0 for 10, otherwise the first there is.
    """
    found: dict[int, list[str]] = {move: [] for move in game.moves}
    taken = set()
    for key in KEYS:
        try:
            found[game.dialogue.read(rules, state, seat, key)].append(key)
            taken.add(key)
        except DuelError:
            continue
    for move, word in enumerate(game.dialogue.words(rules)):
        letters = word[-1:] if word.isdigit() else [letter for letter in word if letter in KEYS]
        free = [letter for letter in letters if letter not in taken]
        if not found[move] and free:
            found[move].append(free[0])
            taken.add(free[0])
    return {move: tuple(sorted(keys)) for move, keys in found.items()}  # digits first, as on the books' menus


def _shown(keys: Sequence[str]) -> str:
    """The key that a button shows: one of its own, or Enter."""
    return keys[0].upper() if keys and len(keys[0]) == 1 else "Enter" if keys else " "


def _begun(word: str) -> str:
    """With a capital, and the rest as it is."""
    return word[:1].upper() + word[1:]


def actions_of(match: Match, seat: int) -> list[Action]:
    """What the book lists for the seat now, each with what it would do, or with why it cannot be done."""
    game, rules, state = match.game, match.rules, match.state
    keys = keys_of(game, rules, state, seat)
    voice = game.dialogue
    found = []
    for move, word in game.menu(rules, state, seat).items():
        legal = game.legal(rules, state, seat, move)
        playable = legal or game.foul(rules, state, seat, move)
        about = voice.effect(rules, state, seat, move) if playable else voice.why_not(rules, state, seat, move)
        found.append(Action(move, word, keys[move], about, legal))
    return found


class ActionButton(Widget, can_focus=True):
    """One action: press its key, click it, or walk to it and press Enter."""

    BINDINGS = [Binding("enter,space", "press", "Choose", show=False)]

    @dataclass
    class Pressed(Message):
        action: Action

    class Highlighted(Pressed):
        """The action was walked to, or the mouse is over it."""

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
        if self.has_focus:
            self.on_focus()

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
        said = self.action.about if self.action.legal else f"not now: {self.action.about}"
        head = len(_shown(self.action.keys)) + 2 + self.longest + 3
        return ("\n" + " " * head).join(wrap(said, max(16, width - head)))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return 1 if self.small else self._about(width).count("\n") + 1

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return len(self._label) if self.small else container.width

    def action_press(self) -> None:
        self.post_message(self.Pressed(self.action))

    def on_click(self) -> None:
        self.action_press()

    def on_focus(self) -> None:
        self.post_message(self.Highlighted(self.action))

    on_enter = on_focus


class Actions(Container):
    """All actions of the seat whose turn it is, in a list, or side by side where there are many."""

    BINDINGS = [
        Binding("down,right", "step(1)", "Next", show=False),
        Binding("up,left", "step(-1)", "Previous", show=False),
    ]

    def __init__(self) -> None:
        super().__init__(id="actions")
        self.offered: list[Action] = []
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
            button.can_focus = not secret
            button.show(action, small=small, width=width)
        for button in self.buttons[len(actions) :]:
            button.display = False
        self._fit()
        if actions and not secret:
            first = next((at for at, action in enumerate(actions) if action.legal), 0)
            self.buttons[first].focus(scroll_visible=False)
        self.screen.refresh_bindings()

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        """Cards side by side close up where the window is too narrow for gaps between them."""
        shown = self.buttons[: len(self.offered)]
        needed = sum(button.broad + 1 for button in shown)
        self.set_class(0 < self.content_size.width < needed, "tight")

    def action_step(self, by: int) -> None:
        """Highlight the next one, or the one before."""
        if not self.offered or self.secret:
            return
        buttons = self.buttons[: len(self.offered)]
        at = next((at for at, button in enumerate(buttons) if button.has_focus), min(0, -by))
        buttons[(at + by) % len(buttons)].focus()

    def with_key(self, key: str) -> Action | None:
        return next((action for action in self.offered if key in action.keys), None)

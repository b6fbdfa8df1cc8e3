"""Letters that give way: where a move has a letter of its own, what the screen does with that letter needs Shift.

Which letters the moves have is up to the duel, so any of the screen's own may be taken. The foot of the screen and the
page of help always show the key that works now.
"""

from __future__ import annotations

from collections.abc import Sequence
from inspect import isawaitable

from textual import events
from textual.binding import Binding, BindingType

from duelbook.tui.actions import Action, ActionButton, Actions
from duelbook.tui.book import BookBeside


def with_shift(bindings: Sequence[Binding]) -> list[BindingType]:
    """These bindings, and for each single letter among them the same with Shift, if that means nothing else."""
    keys = {key for binding in bindings for key in binding.key.split(",")}
    found: list[BindingType] = []
    for binding in bindings:
        found.append(binding)
        letter = binding.key.partition(",")[0]
        if len(letter) == 1 and letter.islower() and letter.upper() not in keys:
            shifted = f"shifted({letter!r}, {binding.action!r})"
            found.append(Binding(letter.upper(), shifted, binding.description, binding.show, letter.upper()))
    return found


class GivesWay(BookBeside):
    """A screen with moves on offer, whose own letters are used only as far as no move has them."""

    async def do(self, action: Action) -> None:
        """What a key or a click asks for."""
        raise NotImplementedError

    async def on_action_button_pressed(self, event: ActionButton.Pressed) -> None:
        await self.do(event.action)

    async def on_key(self, event: events.Key) -> None:
        """The keys of the actions on offer come before every other meaning of a key."""
        offered = self.query_one(Actions)
        action = offered.with_key(event.character or "") or offered.with_key(event.key)
        if action is not None:
            event.stop()
            event.prevent_default()
            await self.do(action)

    def taken(self) -> set[str]:
        """The letters of the moves that are on offer."""
        offered = (action for actions in self.query(Actions) for action in actions.offered)
        return {key for action in offered if action.move >= 0 for key in action.keys}

    def key_now(self, letter: str) -> str:
        """What to press for what this letter does on the screen."""
        return letter.upper() if letter in self.taken() else letter

    def works(self, action: str, parameters: tuple[object, ...]) -> str | None:
        """The action that a binding stands for now; None for the one of two keys that does not work."""
        if action == "shifted":
            letter, name = map(str, parameters)
            return name if letter in self.taken() else None
        return None if self._letter(action) in self.taken() else action

    def _letter(self, action: str) -> str:
        found = (key for key, bound in self._bindings if bound.action == action and len(key) == 1)
        return next(found, "")

    async def action_shifted(self, letter: str, action: str) -> None:
        done = getattr(self, f"action_{action}")()
        if isawaitable(done):
            await done

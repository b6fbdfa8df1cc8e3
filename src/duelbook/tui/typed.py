"""A line that is typed: what comes out is what stood there when Enter was pressed, however fast the keys came."""

from __future__ import annotations

from textual import events
from textual.widgets import Input


class TypedLine(Input):
    """Textual's line takes letters at once, while keys with a meaning, such as Backspace and Enter, first travel up to
    the app: letters typed after them overtake them. Here each key has done its work before the next one is looked at.
    """

    async def _on_key(self, event: events.Key) -> None:
        for binding in self._bindings.key_to_bindings.get(event.key, ()):
            if await self.app.run_action(binding.action, self):
                event.stop()
                event.prevent_default()
                return

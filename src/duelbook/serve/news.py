"""What everybody who follows a game is told of some events: made once for all who see the same, ready to be sent."""

from __future__ import annotations

from collections.abc import Sequence

from duelbook.serve.events import Event
from duelbook.serve.online import Online
from duelbook.serve.public import public
from duelbook.serve.told import for_everybody, standing, story
from duelbook.serve.writing import written

TEXT = 0x81
"""The first byte of a message: its only piece, and text."""


class News:
    def __init__(self, online: Online, events: Sequence[Event], line: int) -> None:
        """`online` stands as these events have left it; those who listen have had the story up to this line."""
        self.events, self._online, self._line = events, online, line
        self.handed = [event.body["seat"] for event in events if event.kind == "handed"]
        """Seats that have moved to another device."""
        self._shared = self._story = self._seen = ""
        self._inside: dict[int | None, str] = {}
        self._frames: dict[int | None, bytes] = {}

    def frame(self, viewer: int | None) -> bytes:
        found = self._frames.get(viewer)
        if found is None:
            found = self._frames[viewer] = framed(f"{{{self._text(viewer)}")
        return found

    def answering(self, viewer: int, act: str) -> bytes:
        """The same for whoever has done it, as the answer to their act."""
        return framed(f'{{"answer":{written(act)},{self._text(viewer)}')

    def _text(self, viewer: int | None) -> str:
        """The message but for its first bracket."""
        found = self._inside.get(viewer)
        if found is None:
            found = self._inside[viewer] = self._made(viewer)
        return found

    def _made(self, viewer: int | None) -> str:
        if not self._shared:
            self._shared = for_everybody(self._online)
            self._story = written({"from": self._line, "lines": story(self._online, self._line)})
            self._seen = written([public(event) for event in self.events])
        events = self._seen
        if viewer is not None and any(event.act.startswith(f"{viewer} ") for event in self.events):
            events = written([public(event, viewer) for event in self.events])  # with the names of their own acts
        return f'"events":{events},"table":{standing(self._online, viewer, self._shared)},"story":{self._story}}}'


def framed(text: str) -> bytes:
    """A message as it goes over a WebSocket: whole, as text, and not masked (RFC 6455, 5.2)."""
    data = text.encode()
    size = len(data)
    if size < 126:
        return bytes((TEXT, size)) + data
    if size < 65536:
        return bytes((TEXT, 126, size >> 8, size & 255)) + data
    return bytes((TEXT, 127)) + size.to_bytes(8, "big") + data

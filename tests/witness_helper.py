"""Somebody who watches a terminal all the time, and forgets nothing that it showed."""

from __future__ import annotations

import pyte

Letters = set[tuple[object, ...]]


class Witness(pyte.Screen):
    """Remembers every letter that was ever shown: where, which, in what colours."""

    def __init__(self, columns: int, lines: int) -> None:
        super().__init__(columns, lines)
        self.seen: Letters = set()

    def draw(self, data: str) -> None:
        for letter in data:
            look = self.cursor.attrs
            self.seen.add((self.cursor.y, self.cursor.x, letter, look.fg, look.bg, look.bold, look.reverse))
            super().draw(letter)


def letters_before_and_after(sent: bytes, at: int) -> tuple[Letters, Letters]:
    """Everything that these bytes showed up to there, and from there on, however repainting was cut into pieces."""
    witness = Witness(80, 24)
    stream = pyte.ByteStream(witness)
    stream.feed(sent[:at])
    before, witness.seen = witness.seen, set()
    stream.feed(sent[at:])
    return before, witness.seen

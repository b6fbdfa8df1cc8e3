"""Pictures for terminals that know ASCII only: every other letter is replaced as it leaves for the screen.

Everything is drawn once, with the letters of Unicode. Where they cannot be shown, a filter puts a plain letter of the
same width in the place of each, so that nothing moves.
"""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from duelbook.letters import in_ascii


class PlainLetters(LineFilter):
    """Keeps everything that is sent to the terminal within ASCII."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(in_ascii(segment.text), segment.style, segment.control) for segment in segments]

"""Where line mode reads and writes.

Colours and bars only where a terminal shows them; the words alone say everything.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn, TextIO

from duelbook.letters import cells, showable
from duelbook.line.comeback import asked_again
from duelbook.line.curtain import Curtain
from duelbook.speech import Line, plain, plain_lines
from duelbook.window import columns, folded

STYLES = {
    "title": "bold",
    "turn": "bold cyan",
    "hurt": "red",
    "gain": "green",
    "calm": "yellow",
    "end": "bold magenta",
    "error": "yellow",
    "quiet": "dim",
}
ANSWER = 6
"""Room that a prompt leaves for the answer, in a window that has it: the longest of a book then fits 80 columns."""
BAR_COLUMN, LONGEST_BAR = 36, 20
"""Every bar begins at the same column and has the same scale, or is not there: two bars can always be compared."""


class EndOfInput(Exception):
    """Nobody is there to answer any more: end of file, Ctrl-D, or a terminal that was closed."""


class Quit(Exception):
    """The player said that they leave."""


class Console:
    def __init__(self, *, plain: bool = False, source: TextIO | None = None, sink: TextIO | None = None) -> None:
        self.source = sys.stdin if source is None else source
        self.sink = sys.stdout if sink is None else sink
        if hasattr(self.source, "reconfigure"):
            with suppress(ValueError):  # the menu has read from it already, and did the same before it did
                self.source.reconfigure(errors="replace")
        self.typing = self.source.isatty()
        """A person types here; otherwise a script is being read."""
        self.is_window = self.sink.isatty()
        self.fancy = self.is_window and not plain and os.environ.get("TERM") not in ("dumb", "unknown")
        self.coloured = self.fancy and not os.environ.get("NO_COLOR")
        self._paint = _painter() if self.coloured else None
        self.curtain: Curtain | None = None
        self.whole: tuple[str, ...] = ()
        """What can be typed here and has a space in it: lines do not end there."""
        if self.typing:
            with suppress(ImportError):
                import readline  # noqa: F401 - gives `input` line editing

    def say(self, *lines: Line | str) -> None:
        for line in lines:
            line = Line(line) if isinstance(line, str) else line
            # Whoever's words are in it, they steer nothing.
            line = line._replace(text=showable(plain_lines(line.text), self.sink))
            if line.tone == "extra" and not self.fancy:
                continue
            bar = self._bar(cells(line.text), line.tone, *line.gauge) if line.gauge and self.fancy else ""
            if bar:
                self.write(self._painted(line.text, line.tone) + bar + "\n")
                continue
            for piece in self._folded(line.text):
                self.write(self._painted(piece, line.tone) + "\n")
        self.sink.flush()

    def write(self, text: str) -> None:
        """Everything that is written goes this way: nothing arrives that cannot be shown there."""
        self.sink.write(showable(text, self.sink))

    def _folded(self, text: str, spare: int = 0) -> list[str]:
        """Long lines broken between words, as wide as the window is; a pipe gets them whole."""
        return folded(text, max(1, self.width - 1 - spare) if self.is_window else None, self.whole).split("\n")

    def _painted(self, text: str, tone: str) -> str:
        return self._paint(text, STYLES[tone]) if self._paint and tone in STYLES and text else text

    def _bar(self, used: int, tone: str, value: int, top: int) -> str:
        """A bar beside the text, or none where the window is too narrow or the text too long."""
        if used >= BAR_COLUMN or self.width <= BAR_COLUMN + LONGEST_BAR or top <= 0:
            return ""
        width = min(LONGEST_BAR, top)
        full = max(int(value > 0), min(width, value * width // top))
        share = value / top
        colour = "cyan" if tone == "goal" else "green" if share > 0.5 else "yellow" if share > 0.25 else "red"
        bar, rest = "█" * full, "░" * (width - full)
        if self._paint:
            bar, rest = self._paint(bar, colour), self._paint(rest, "dim")
        return " " * (BAR_COLUMN - used) + bar + rest

    @property
    def width(self) -> int:
        """Columns of the window."""
        return columns(sys.__stdout__)

    def complain(self, sentence: str) -> None:
        self.say(Line(sentence, "error"))

    def ask(self, prompt: str, *, hidden: bool = False) -> str:
        """One line of input, without its end.

        What a script says is written out too, so that the output reads as a conversation.
        """
        prompt = showable(plain_lines(prompt), self.sink)
        room = ANSWER if self.width > 3 * ANSWER else 0
        *above, prompt = self._folded(prompt, room) if cells(prompt) + ANSWER > self.width else [prompt]
        if above:
            self.say(*above)
            prompt = f"{prompt.rstrip()} "
        if self.typing and not hidden:
            return self._typed(prompt)
        if self.typing and os.name == "nt":
            from getpass import getpass

            return getpass(prompt)
        if hidden and self.curtain is not None:
            self.curtain.hush(prompt)
        self.write(prompt)
        self.sink.flush()
        line = self.source.readline()
        if not line:
            self._end()
        answer = line.rstrip("\r\n")
        gap = " " if answer and prompt and not prompt.endswith(" ") else ""
        self.write("\n" if hidden else f"{gap}{_shown(answer)}\n")
        self.sink.flush()  # what is said on standard error next comes after it, also where both go to one file
        return answer

    def _typed(self, prompt: str) -> str:
        try:
            with asked_again(prompt, self.source, self.sink):
                return input(prompt)
        except EOFError:
            self._end()

    def _end(self) -> NoReturn:
        """The input is over. A closed terminal looks the same at first, but it cannot be asked anything more."""
        if self.typing and os.name != "nt":
            import termios

            try:
                termios.tcgetattr(self.source.fileno())
            except termios.error:
                raise OSError("the terminal is gone") from None
        self.sink.write("\n")
        self.sink.flush()
        raise EndOfInput

    @contextmanager
    def showing(self) -> Iterator[None]:
        """For a question whose answer everybody may see, asked while picks are hidden."""
        curtain = self.curtain
        if curtain is not None:
            curtain.lift()
        try:
            yield
        finally:
            if curtain is not None:
                curtain.draw()

    @contextmanager
    def hiding(self) -> Iterator[None]:
        """Show nothing of what is typed until both picks are in."""
        if not self.typing:
            yield
            return
        self.curtain = Curtain(self.source.fileno())
        self.curtain.draw()
        try:
            yield
        finally:
            self.curtain.lift()
            self.curtain = None


def _shown(answer: str) -> str:
    """A script's line as it may be shown: nothing in it can move the cursor or ring a bell."""
    return plain(answer[:200]) + ("..." if len(answer) > 200 else "")


def _painter() -> Callable[[str, str], str]:
    from rich.color import ColorSystem
    from rich.style import Style

    styles: dict[str, Style] = {}

    def paint(text: str, style: str) -> str:
        if style not in styles:
            styles[style] = Style.parse(style)
        return styles[style].render(text, color_system=ColorSystem.STANDARD)

    return paint

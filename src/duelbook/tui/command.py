"""The line in which a command is gathered: what is typed can be seen, mended and taken away before Enter plays it."""

from __future__ import annotations

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.widgets import Static

LONGEST = 60
"""More letters than any command has; what is typed beyond them is not taken."""
CURSOR = "▏"
HIDDEN = "● ● ●"
"""What stands for a hidden line, whatever was typed and however many letters it has."""
DROPPED = "What was typed is dropped."
"""Said where a key takes the line away that is not known for it."""
BEFORE = "> "
"""Stands before what is typed where the question leaves no room for it."""


def first_line(pasted: str) -> str:
    """Of what was pasted, all that one line can take. Terminals end lines with a carriage return."""
    return next(iter(pasted.strip().splitlines()), "")


class CommandLine(Static):
    """A question, behind it what has been typed, and what that means.

    It never has the focus: its screen hands it the keys, so that they come in the order in which they were pressed.
    """

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.question, self.tone, self.text, self.meaning = "", "bold", "", ""
        self.hidden = False
        """Whether what has been typed is nobody else's business."""
        self._ended = False
        self._drawn = Content()

    def ask(self, question: str, tone: str = "bold") -> None:
        """Show this question. What has been typed stays."""
        self.question, self.tone = question.strip(), tone
        self._draw()

    def explain(self, meaning: str) -> None:
        """Say what the line means, or what is highlighted while nothing is typed."""
        self.meaning = meaning
        self._draw()

    def hide(self, hidden: bool) -> None:
        self.hidden = hidden
        self._draw()

    def end(self) -> None:
        """Enter came too early to be obeyed: what stands here waits for another one, and a letter begins a new line."""
        self._ended = True

    @property
    def has_ended(self) -> bool:
        """Whether the next letter begins a new line."""
        return self._ended

    def clear(self) -> None:
        self.text, self.meaning, self._ended = "", "", False
        self._draw()

    def take(self, event: events.Key) -> bool:
        """Let a key write. False for one that does not: with nothing typed also for Backspace, Escape and Space."""
        letter = event.character if event.is_printable else None
        if letter is not None and (self.text or not letter.isspace()):
            self.write(letter)
        elif self.text and event.key in ("backspace", "ctrl+h"):
            self.text, self._ended = self.text[:-1], False
        elif self.text and event.key in ("escape", "ctrl+u"):
            self.text = ""
        else:
            return False
        self.explain("")
        return True

    def write(self, letters: str) -> None:
        """Type these letters, as far as they can be seen and there is room for them."""
        seen = "".join(letter for letter in letters if letter.isprintable())
        before, self._ended = "" if self._ended else self.text, False
        self.text = (before + seen)[:LONGEST]
        self._draw()

    def put(self, letters: str) -> None:
        """Type these letters in place of what was typed before."""
        self.text = ""
        self.write(letters)

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        """What is drawn already is not sent again, so that nobody can count the letters of a hidden line."""
        content = self._content()
        if not content.is_same(self._drawn):
            self._drawn = content
            self.update(content)

    def _content(self) -> Content:
        if not self.text:
            return Content.styled(self.meaning or self.question, self.tone)
        line = HIDDEN if self.hidden else f"{self.text}{CURSOR}"
        room = self.content_size.width - cell_len(self.question) - cell_len(line) - cell_len(self.meaning) - 3
        before = (f"{self.question} ", self.tone) if room >= 0 else (BEFORE, self.tone)
        meaning = (f"  {self.meaning}" if self.meaning else "", "$text-muted")
        return Content.assemble(before, (line, "bold $accent"), meaning)

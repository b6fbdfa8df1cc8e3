"""Pictures for terminals that know ASCII only: every other letter is replaced as it leaves for the screen.

Everything is drawn once, with the letters of Unicode. Where they cannot be shown, a filter puts a plain letter of the
same width in the place of each, so that nothing moves.
"""

from __future__ import annotations

import os
import unicodedata
from functools import lru_cache

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

_ROUGHLY = {
    "#": "█▇▆▓■▀▐▌▍▎▋▊▉▙▟▛▜▄▅●◆◉⬤",
    "=": "═▬",
    ":": "▒⋮",
    ".": "░▁▂·…▏▕○◌",
    "_": "▃",
    "-": "─━╌┄–—╴╶−▔",
    "|": "│┃║╎┆╵╷▎",
    "+": "┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝╠╣╦╩╬┏┓┗┛┣┫┳┻╋",
    ">": "→▶▸›⏵❯➜",
    "<": "←◀◂‹⏴",
    "^": "↑▲△",
    "v": "↓▼▽",
    "*": "•★✓✔✦☆",
    "'": "’‘",
    '"': "“”",
    "x": "☠✗✘×",
}
_PLAIN = {ord(letter): plain for plain, letters in _ROUGHLY.items() for letter in letters}


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """The text in ASCII, every letter as wide as it was."""
    if text.isascii():
        return text
    return "".join(_letter(letter) for letter in text.translate(_PLAIN))


def _letter(letter: str) -> str:
    if letter.isascii():
        return letter
    base = unicodedata.normalize("NFKD", letter)[:1]
    return base if base.isascii() and base.isprintable() else "?" * cell_len(letter)


class PlainLetters(LineFilter):
    """Keeps everything that is sent to the terminal within ASCII."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(plain(segment.text), segment.style, segment.control) for segment in segments]


def knows_unicode() -> bool:
    """Whether the terminal is likely to show letters beyond ASCII.

    Python itself turns LC_CTYPE from C into C.UTF-8, so that variable counts only where the others do not say C. With
    nothing said at all most terminals of today do know Unicode; tmux and screen, asked in such a shell, do not show it.
    """
    said = {name: os.environ.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG")}
    if said["LC_CTYPE"] == "C.UTF-8" and not said["LC_ALL"]:
        said["LC_CTYPE"] = ""
    locale = said["LC_ALL"] or said["LC_CTYPE"] or said["LANG"]
    if locale:
        return "utf" in locale.lower()
    return not (os.environ.get("TMUX") or os.environ.get("STY"))

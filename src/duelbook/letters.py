"""Letters beyond ASCII: whether they can be shown here, how wide they are, and what stands in for them elsewhere."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TextIO

_ROUGHLY = {
    "#": "█▇▆▓■▀▐▌▍▎▋▊▉▙▟▛▜▄▅●◆◉⬤",
    "=": "═▬",
    ":": "▒⋮",
    ".": "░▁▂·…▕○◌",
    "_": "▃▏",
    "-": "─━╌┄–—╴╶−▔",
    "|": "│┃║╎╏┆╵╷▎",
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
_IN_SENTENCES = {"→": "->", "…": "..."}
"""Where nothing has to stay in its column, an arrow may be as long as people type it."""


def cells(text: str) -> int:
    """Columns that a text takes on a terminal: some letters take two, and marks above or below others none."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text)


@lru_cache(maxsize=4096)
def in_ascii(text: str) -> str:
    """The text in ASCII, every letter as wide as it was."""
    if text.isascii():
        return text
    return "".join(_letter(letter) for letter in text.translate(_PLAIN))


def _letter(letter: str) -> str:
    if letter.isascii():
        return letter
    from unicodedata import normalize

    base = normalize("NFKD", letter)[:1]
    return base if base.isascii() and base.isprintable() else "?" * cells(letter)


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


def encoding_of(stream: TextIO) -> str:
    """What whoever reads there can show.

    In a locale that knows ASCII alone Python writes UTF-8 all the same, and the terminal shows rubbish. Somebody who
    has told Python what to write is believed.
    """
    encoding: str | None = getattr(stream, "encoding", None)
    if encoding is None:  # no bytes are written there at all
        return "utf-8"
    told = os.environ.get("PYTHONUTF8") == "1" or bool(os.environ.get("PYTHONIOENCODING"))
    unlikely = encoding.lower().replace("-", "") == "utf8" and not told and not knows_unicode()
    return "ascii" if unlikely else encoding


def showable(text: str, stream: TextIO) -> str:
    """A sentence with nothing in it that cannot be shown there: what cannot is said in plainer letters."""
    if text.isascii():
        return text
    encoding = encoding_of(stream)
    return "".join(letter if _has(encoding, letter) else _IN_SENTENCES.get(letter, in_ascii(letter)) for letter in text)


@lru_cache(maxsize=4096)
def _has(encoding: str, letter: str) -> bool:
    try:
        letter.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True

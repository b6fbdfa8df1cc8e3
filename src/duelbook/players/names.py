"""What a player is called that nobody named."""

from __future__ import annotations

from pathlib import PurePath

from duelbook.players import ENGINE

LONGEST_NAME = 40
PYTHON = "python:"
"""Stands before the class of a Python object that plays."""


def usual_name(kind: str) -> str:
    """What a player is called that nobody named: its kind, its class, or the file that an engine is started from."""
    if kind.startswith(PYTHON):
        return kind.removeprefix(PYTHON)[:LONGEST_NAME]
    if not kind.startswith(ENGINE):
        return kind
    words = kind.removeprefix(ENGINE).split()
    if "-m" in words[:-1]:  # `python3 -m mybot` is called mybot
        words = words[words.index("-m") + 1 :]
    files = [word for word in words if not word.startswith("-")]
    # `python3 -u bots/mybot.py --depth 3` is called mybot.py: the first file that is not an interpreter's.
    script = next((word for word in files[1:] if PurePath(word).suffix), files[0] if files else "engine")
    shown = "".join(letter for letter in PurePath(script).name if letter.isprintable())
    return shown[:LONGEST_NAME] or "engine"

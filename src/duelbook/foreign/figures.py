"""The whole numbers in what an environment shows, each with a name that finds it again in the next thing it shows.

A number of a list is found by its place, one in a text by the words before it. A text that grows, as a history does,
is counted from both ends. Which of them is a player's HP is for others to find out.
"""

from __future__ import annotations

import re
from typing import Any

LONGEST_LIST = 60
MOST_NUMBERS = 40
"""So many numbers of one text are looked at from each end; a longer one is a book of rules, not a position."""
_TOKEN = re.compile(r"[A-Za-z]+|(?<![\w.])-?\d+(?:\.\d+)?|\d+")
_WHOSE = {"player", "agent", "p", "seat"}
"""A number after one of these words says whose something is, and is nothing that changes."""


def figures(**shown: Any) -> dict[str, int]:
    """Every number of what was shown, by its name: that of the thing, and its place there."""
    found: dict[str, int] = {}
    for name, value in shown.items():
        _gather(value, name, found)
    return found


def _gather(value: Any, name: str, found: dict[str, int]) -> None:
    if isinstance(value, str):
        _in_text(value, name, found)
    elif isinstance(value, dict):
        for key, part in value.items():
            if key != "action_mask":
                _gather(part, f"{name}.{key}", found)
    elif isinstance(value, list):
        if len(value) <= LONGEST_LIST:
            for at, part in enumerate(value):
                _gather(part, f"{name}[{at}]", found)
    elif isinstance(value, int | float) and not isinstance(value, bool) and value == int(value):
        found[name] = int(value)


def _in_text(text: str, name: str, found: dict[str, int]) -> None:
    by_words: dict[str, list[int]] = {}
    for line in text.splitlines():
        words: list[str] = []
        for token in _TOKEN.findall(line):
            if token[0].isalpha():
                words.append(token.lower())
            elif words and words[-1] in _WHOSE and len(token) == 1:
                words[-1] += token
            elif float(token) == int(float(token)):
                for many in (1, 2, 3):
                    if len(words) >= many:
                        by_words.setdefault(" ".join(words[-many:]), []).append(int(float(token)))
                if not words:
                    by_words.setdefault("", []).append(int(float(token)))
    for label, numbers in by_words.items():
        for at, number in enumerate(numbers[:MOST_NUMBERS]):
            found[f"{name} '{label}' {at + 1}"] = number
        for at, number in enumerate(numbers[: -MOST_NUMBERS - 1 : -1]):
            found[f"{name} '{label}' {at + 1} from the end"] = number

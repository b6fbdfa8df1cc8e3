"""The prompt: a file that anybody can read and change.

What stands above a line of three dashes goes to the model as the system message, what stands below as the question. A
word in braces is a placeholder. A paragraph whose placeholder has nothing to say here is left out, so that a rule book
that is not told leaves no heading behind.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from duelbook import folders
from duelbook.core import DuelError
from duelbook.disk import read_text
from duelbook.speech import either, plain

SHIPPED = Path(__file__).with_name("prompt.md")
MOST_BYTES = 1 << 18
HASH = 12
"""Letters of a prompt's hash."""
LINE = "---"
FORM = "move:"
PLACEHOLDERS = {
    "duel": "the name of the duel",
    "you": "what the model's seat is called",
    "opponent": "what the other seat is called",
    "rules": "the rule book, and what of it is changed",
    "turn": "the number of the turn",
    "history": "what the model was asked before in this game, and what it played",
    "position": "the position in the duel's notation",
    "situation": "the position in the duel's own words",
    "together": "where both choose at once, that they do",
    "words": "every move of the duel",
    "moves": "the moves that are legal now",
}
_PLACE = re.compile(r"\{([A-Za-z_]+)\}")


class Messages(NamedTuple):
    """What a model is sent."""

    system: str
    user: str


@cache
def shipped() -> str:
    """The prompt that comes with Duelbook."""
    return SHIPPED.read_text(encoding="utf-8")


def read_prompt(file: str) -> str:
    """The prompt in a file, if it can be one."""
    try:
        text = read_text(folders.named(file), MOST_BYTES)
    except OSError as error:
        raise DuelError(f"The prompt {plain(file)} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise DuelError(f"The prompt {plain(file)} cannot be read: it is not text in UTF-8.") from None
    try:
        check_prompt(text)
    except DuelError as error:
        raise DuelError(f"{plain(file)}: {error}") from None
    return text


def check_prompt(text: str) -> None:
    """Refuse a prompt that cannot be filled in, or after which no answer could be read."""
    unknown = [name for name in _PLACE.findall(text) if name not in PLACEHOLDERS]
    if unknown:
        known = either([f"{{{name}}}" for name in PLACEHOLDERS], "and")
        raise DuelError(f"The prompt has {{{plain(unknown[0])}}}, and nothing stands for that. It can have {known}.")
    if FORM not in text:
        raise DuelError(f"The prompt never says that an answer ends with a line such as '{FORM} MOVE', so none would.")


def prompt_hash(text: str) -> str:
    """By which a prompt is known in names, records, logs and transcripts."""
    return sha256(text.encode()).hexdigest()[:HASH]


def filled(text: str, values: Mapping[str, str]) -> Messages:
    """The prompt with everything in its place."""
    parts: list[list[str]] = [[]]
    for paragraph in re.split(r"\n[ \t]*\n", text.strip()):
        if paragraph.strip() == LINE and len(parts) == 1:
            parts.append([])
        elif all(values[name] for name in _PLACE.findall(paragraph)):
            parts[-1].append(_PLACE.sub(lambda place: values[place[1]], paragraph).strip("\n"))
    *before, last = ("\n\n".join(each) for each in parts)
    return Messages("".join(before), last)

"""What a tool is called with, taken as it was meant where that is clear, and otherwise refused in a sentence.

Models write numbers where a text is asked for, and null for what they leave out. Both are as good as what the schema
says. Everything else is told what was given and what would have worked, in our words and not in those of the library
that looks at it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from duelbook.core import DuelError
from duelbook.speech import either, guess, plain, quote

LONGEST = 60
"""Letters of what was given that are shown again."""
ENDLESS = "a number of thousands of digits"
"""What is shown instead of one, or of a list in which one stands."""
KINDS = {"string": "a text", "integer": "a whole number", "array": "a list of texts"}

Schema = Mapping[str, Any]
"""Of one parameter, as agents are shown it."""


def taken(tool: str, known: Mapping[str, Schema], given: Mapping[str, object]) -> dict[str, object]:
    """The arguments of a call as the tool takes them; those that it does not know are refused."""
    for name in given:
        if name not in known:
            takes = f"takes {either(known, 'and')}" if known else "takes nothing"
            raise DuelError(f"{tool} takes no {quote(name)}.{guess(name, known)} It {takes}.")
    for name, value in given.items():
        # For Python true is a number, for whoever calls it is none; and some are too long to be anything at all.
        if isinstance(value, bool) or (isinstance(value, int) and _written(value) == ENDLESS):
            raise DuelError(_wrong(tool, name, known[name], value))
    return {name: _meant(known[name], value) for name, value in given.items() if value is not None}


def _meant(known: Schema, value: object) -> object:
    """A number as a text where one is asked for. 4.0 is 4 there, as it is where a whole number is asked for."""
    if not isinstance(value, int | float) or _kinds(known) != ["string"]:
        return value
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


def refusal(tool: str, known: Mapping[str, Schema], given: Mapping[str, object], wrong: Iterable[str]) -> str:
    """What is wrong with these parameters, each in a sentence."""
    return " ".join(
        _wrong(tool, name, known[name], given[name])
        if name in given
        else f"{tool} needs {name}: {known[name]['description']}."
        for name in dict.fromkeys(wrong)
    )


def _wrong(tool: str, name: str, known: Schema, value: object) -> str:
    text = _written(value)
    shown = plain(text if len(text) <= LONGEST else f"{text[:LONGEST]}...")
    kind = either(KINDS[each] for each in _kinds(known))
    return f"{tool} cannot take {shown} as {name}, which is {kind}: {known['description']}."


def _written(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except ValueError:  # Python writes no number of more than some thousand digits
        return ENDLESS


def _kinds(known: Schema) -> list[str]:
    """What a parameter may be, besides left out."""
    return [each["type"] for each in known.get("anyOf", [known]) if each["type"] != "null"]

"""What a tool is called with, as it was meant, without any server in front of it."""

from __future__ import annotations

from typing import Any

import pytest

from duelbook.agents.given import refusal, taken
from duelbook.core import DuelError

KNOWN: dict[str, dict[str, Any]] = {
    "move": {"type": "string", "description": "a move in the words of the duel"},
    "seat": {"anyOf": [{"type": "integer"}, {"type": "null"}], "description": "who decides"},
    "rules": {"type": "array", "description": "rules other than the book's"},
}
ENDLESS = 10**5000
"""Python refuses to write this down."""


@pytest.mark.parametrize(("number", "text"), [(4, "4"), (4.0, "4"), (-0.0, "0"), (1.5, "1.5"), (1e22, "1" + "0" * 22)])
def test_a_number_is_a_text_where_one_is_asked_for(number: float, text: str) -> None:
    assert taken("play", KNOWN, {"move": number}) == {"move": text}


@pytest.mark.parametrize(
    ("name", "kind"), [("move", "a text: a move in the words of the duel"), ("seat", "a whole number: who decides")]
)
def test_a_number_too_long_to_be_written_is_refused_in_a_sentence(name: str, kind: str) -> None:
    with pytest.raises(DuelError) as error:
        taken("play", KNOWN, {name: ENDLESS})
    assert str(error.value) == f"play cannot take a number of thousands of digits as {name}, which is {kind}."


@pytest.mark.parametrize("value", [[ENDLESS], {"goal": [ENDLESS]}])
def test_so_is_one_inside_of_something_else(value: object) -> None:
    said = refusal("play", KNOWN, {"rules": value}, ["rules"])
    assert said.startswith("play cannot take a number of thousands of digits as rules, which is a list of texts: ")

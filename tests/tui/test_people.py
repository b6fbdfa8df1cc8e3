"""Who sits in a seat, in words: a record from elsewhere may name anybody."""

from __future__ import annotations

import pytest

from duelbook.players import short_kind
from duelbook.tui.people import described


@pytest.mark.parametrize("kind", ["level:99", "level:²", "level:0", "level:", "level:-1", "level:" + "9" * 5000, "Bob"])
def test_a_seat_that_nobody_here_can_take_is_shown_as_it_is_written(kind: str) -> None:
    assert short_kind(kind) == described(kind, alone=False) == kind


def test_the_rungs_of_the_ladder_are_shown_with_their_names() -> None:
    assert short_kind("level:3") == "level 3 casual"
    assert short_kind("human") == "person"
    assert described("human", alone=True) == "you"


def test_a_program_is_called_by_its_file_as_in_a_tournament() -> None:
    assert described("engine:python3 -u bots/mybot.py --depth 3", alone=True) == "mybot.py"

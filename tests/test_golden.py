"""The golden dialogues come out word for word."""

import os
from pathlib import Path

import pytest

from golden_case import cases, load, run
from slow_helper import slow_if


@pytest.mark.parametrize("forked", [slow_if(hasattr(os, "fork"), False), True], ids=["started", "forked"])
@pytest.mark.parametrize("path", cases(), ids=lambda path: path.stem)
def test_dialogue_is_word_for_word(path: Path, forked: bool, tmp_path: Path) -> None:
    if forked and not hasattr(os, "fork"):
        pytest.skip("a process cannot make a copy of itself here")
    case = load(path)
    assert run(case, tmp_path, forked=forked) == case.expected

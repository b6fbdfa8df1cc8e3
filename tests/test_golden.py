"""The golden dialogues come out word for word."""

from pathlib import Path

import pytest

from golden_case import cases, load, run


@pytest.mark.parametrize("path", cases(), ids=lambda path: path.stem)
def test_dialogue_is_word_for_word(path: Path, tmp_path: Path) -> None:
    case = load(path)
    assert run(case, tmp_path) == case.expected

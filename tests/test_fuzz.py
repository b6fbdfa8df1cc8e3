"""Fuzzed lines and files, so that the tool cannot rot: hundreds in `make test`, thousands in `make test-all`."""

from __future__ import annotations

import pytest

from slow_helper import slow
from torture.fuzz import fuzz
from torture.small_files import torture


@pytest.mark.parametrize("lines", [600, slow(6_000)])
def test_noise_at_the_prompts_changes_nothing_and_is_answered(lines: int) -> None:
    report = fuzz(lines=lines, files=0, seed=5)
    assert report.broken == []
    assert report.lines >= lines
    assert report.refused > lines / 3


@pytest.mark.parametrize("files", [600, slow(6_000)])
def test_a_broken_file_is_refused_with_its_place_or_reads_as_the_same_game_twice(files: int) -> None:
    report = fuzz(lines=0, files=files, seed=6)
    assert report.broken == []
    assert files / 20 < report.readable < files * 5 / 6


@pytest.mark.slow
def test_nonsense_in_settings_and_results_raises_nothing() -> None:
    assert torture(files=150, seed=7) == []

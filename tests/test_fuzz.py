"""A few thousand fuzzed lines and files, so that the tool cannot rot. In full: `python tests/torture/fuzz.py`."""

from __future__ import annotations

from torture.fuzz import fuzz
from torture.small_files import torture


def test_noise_at_the_prompts_changes_nothing_and_is_answered() -> None:
    report = fuzz(lines=6_000, files=0, seed=5)
    assert report.broken == []
    assert report.lines >= 6_000
    assert report.refused > 2_000


def test_a_broken_file_is_refused_with_its_place_or_reads_as_the_same_game_twice() -> None:
    report = fuzz(lines=0, files=6_000, seed=6)
    assert report.broken == []
    assert 300 < report.readable < 5_000


def test_nonsense_in_settings_and_results_raises_nothing() -> None:
    assert torture(files=150, seed=7) == []

"""The census beside these tests is what the rules say today."""

from __future__ import annotations

import pytest

from census.take import MILLIONS, census_file, count, take
from duelbook.core import variant
from duelbook.games import ROOMS, load
from slow_helper import slow, slow_if


@pytest.mark.parametrize("id", [slow_if(id in MILLIONS, id) for id in ROOMS])
def test_the_census_stands(id: str) -> None:
    game = load(id)
    assert take(game) == census_file(game).read_text(encoding="utf-8")


def test_every_game_is_counted_and_nothing_else() -> None:
    files = census_file(load("tower")).parent.glob("*.txt")
    assert sorted(file.stem for file in files) == sorted(ROOMS)


# The two large games are counted by compiled rules; on a small variant, plain Python must count the same.
@pytest.mark.parametrize(("id", "settings"), [slow("deck", ["lp=6", "cards=4"]), slow("secret", ["hp=6", "highest=4"])])
def test_the_compiled_walk_counts_what_the_plain_one_counts(id: str, settings: list[str]) -> None:
    game = load(id)
    assert id in MILLIONS
    rules = variant(game, settings)
    assert count(game, rules, fast=True) == count(game, rules, fast=False)

"""The long tail: rows of a table that `make test` leaves to `make test-all`."""

from __future__ import annotations

from typing import Any

import pytest

from duelbook import game_ids, load


def slow(*values: Any) -> Any:
    """A row that is tried in `make test-all` only."""
    return pytest.param(*values, marks=pytest.mark.slow)


def slow_if(late: bool, *values: Any) -> Any:
    return slow(*values) if late else pytest.param(*values)


def one_of_each_kind() -> list[Any]:
    """Every duel; beyond the last one of each kind (turns alone, luck, secret picks) only in `make test-all`."""
    kinds: dict[tuple[bool, bool], str] = {}
    for id in game_ids():
        game = load(id)
        kinds[bool(game.faces), hasattr(game.rules_file, "resolve")] = id
    return [slow_if(id not in kinds.values(), id) for id in game_ids()]

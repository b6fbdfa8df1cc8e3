"""The long tail: rows of a table, and examples, that `make test` leaves to `make test-all`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pytest

from duelbook import game_ids, load

if TYPE_CHECKING:
    from hypothesis import settings

whole = True
"""Whether this run is one of the long tail too; conftest.py says."""


def examples(count: int) -> settings:
    """So many examples of Hypothesis, and a tenth of them in `make test`."""
    from hypothesis import settings

    return settings(max_examples=count if whole else count // 10, deadline=None)


def slow(*values: Any) -> Any:
    """A row that is tried in `make test-all` only."""
    return pytest.param(*values, marks=pytest.mark.slow)


def slow_if(late: bool, *values: Any) -> Any:
    return slow(*values) if late else pytest.param(*values)


def first_now(values: Iterable[Any], now: int = 1) -> list[Any]:
    """Rows of one value each: the first, or so many, are tried in `make test`, the others in `make test-all` only."""
    return [slow_if(at >= now, value) for at, value in enumerate(values)]


def first_row_now(rows: Iterable[tuple[Any, ...]], now: int = 1) -> list[Any]:
    """The same with rows of several values."""
    return [slow_if(at >= now, *row) for at, row in enumerate(rows)]


def one_of_each_kind() -> list[Any]:
    """Every duel; beyond the last one of each kind (turns alone, luck, secret picks) only in `make test-all`."""
    kinds: dict[tuple[bool, bool], str] = {}
    for id in game_ids():
        game = load(id)
        kinds[bool(game.faces), hasattr(game.rules_file, "resolve")] = id
    return [slow_if(id not in kinds.values(), id) for id in game_ids()]

"""Where solutions are found: shipped with the package for the five books, kept in the user's cache for other rules."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from duelbook import folders
from duelbook.core import Game, rules_hash
from duelbook.patience import patience
from duelbook.solve.solution import BadSolution, NotInTable, Solution, from_bytes

SHIPPED = Path(__file__).parent / "shipped"


def cache_folder() -> Path:
    """Where solutions are kept. Without a home folder it is a place at which nothing can be kept or found."""
    try:
        return folders.cache()
    except folders.NoFolder:
        return Path(os.devnull) / "duelbook"


_known: dict[tuple[str, Any], Solution] = {}


def solution_for(game: Game, rules: Any) -> Solution:
    """The solution of a duel under these rules: shipped, cached, or solved now and cached."""
    key = (game.id, rules)
    if key not in _known:
        _known[key] = _find(game, rules)
    return _known[key]


def _find(game: Game, rules: Any) -> Solution:
    if rules == game.book:
        found = _read(game, rules, SHIPPED / f"{game.id}.solution")
        if found is not None:
            return found
    kept = cache_folder() / f"{game.id}-{rules_hash(game, rules)}.solution"
    found = _read(game, rules, kept)
    if found is not None:
        return found
    from duelbook.solve.solver import solve

    with patience(f"Solving {game.name} under these rules ..."):
        solution = solve(game, rules)
    with suppress(OSError):  # a cache that cannot be written only costs time
        kept.parent.mkdir(parents=True, exist_ok=True)
        draft = kept.with_name(f".{kept.name}.{os.getpid()}")
        draft.write_bytes(solution.to_bytes())
        draft.replace(kept)
    return solution


def solution_at(game: Game, rules: Any, state: Any) -> Solution:
    """A solution that holds this position, which play from the start may not reach."""
    solution = solution_for(game, rules)
    if solution.holds(state):
        return solution
    from duelbook.solve.solver import kind_of, solve

    if kind_of(game) != "backwards":
        where = game.write_position(rules, state)
        raise NotInTable(f"The position {where} cannot come up in play, so it was not solved.")
    return solve(game, rules, (state,))


def _read(game: Game, rules: Any, path: Path) -> Solution | None:
    """The solution in a file, or None when there is none that can be used; a bad one is said and made anew."""
    try:
        return from_bytes(game, rules, path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        print(f"{path} cannot be read ({error.strerror}); solving {game.name} anew.", file=sys.stderr)
    except BadSolution as error:
        print(f"{path}: {error} Solving it anew.", file=sys.stderr)
    return None

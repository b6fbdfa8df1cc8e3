"""Where the table of a ladder is found: shipped, kept in the user's cache, or computed now.

The tables of the books that ship are shipped too, so that a plain install shows them. Those of other rules are computed
by `ladder` when they are asked for. A table is believed only if its file is (see `table_file`), and if everything in it
is a number of the kind it should be.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

from duelbook.core import Game, check_beginning
from duelbook.policies import table_file
from duelbook.policies.levels import RUNGS, TABULAR, Standings
from duelbook.policies.meeting import from_row
from duelbook.policies.table_file import as_text, table_in
from duelbook.positions.kind import kind_of
from duelbook.solving.cache import keep, kept_file
from duelbook.solving.library import SHIPPED

FILE = SHIPPED / "levels.json"


def standings(
    game: Game,
    rules: object,
    tell: Callable[[int, int], None] = lambda done, of: None,
    *,
    characters: bool = False,
) -> Standings:
    """The table of a duel under these rules: shipped, cached, or computed now and cached.

    `tell` hears how many matches are computed, of how many. In duels with luck or secret picks that takes minutes, and
    twice as long with the characters: there they are computed only for whoever wants them.
    """
    kinds = TABULAR if characters or kind_of(game) == "backwards" else RUNGS
    check_beginning(game, rules)
    kept = kept_file(game, rules, ".levels.json")
    for path in (FILE, kept):
        found = read(game, rules, path)
        if found is not None and set(product(kinds, kinds)) <= found.keys():
            return found
    from duelbook.policies.ladder import results

    table = results(game, rules, tell, kinds)
    keep(kept, as_text({game.id: entry(game, rules, table)}).encode())
    return table


def read(game: Game, rules: object, path: Path) -> Standings | None:
    """The table in a file, or None when it holds none for these rules and rungs, or a damaged one."""
    return table_in(path, game, rules, "matches", _made)


def _made(matches: Any) -> Standings | None:
    table = Standings({(str(one), str(two)): from_row(row) for one, two, *row in matches})
    return table if table.keys() in (set(product(RUNGS, RUNGS)), set(product(TABULAR, TABULAR))) else None


def entry(game: Game, rules: object, table: Standings) -> dict[str, Any]:
    """A table as a file holds it."""
    return table_file.entry(game, rules, "matches", [[*pair, *meeting.row()] for pair, meeting in table.items()])

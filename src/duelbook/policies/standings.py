"""Where the table of a ladder is found: shipped, kept in the user's cache, or computed now.

The tables of the books that ship are shipped too, so that a plain install shows them. Those of other rules are computed
by `ladder` when they are asked for. A table is believed only if it belongs to the same rules and the same rungs, if its
checksum holds, and if everything in it is a number of the kind it should be.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

from duelbook.core import Game, check_beginning, rules_hash
from duelbook.policies import inclination
from duelbook.policies.levels import RUNGS, TABULAR, Standings, mistakes_of
from duelbook.policies.meeting import from_row
from duelbook.policies.temptation import MODEL
from duelbook.positions.kind import kind_of
from duelbook.solving.cache import keep, kept_file, read_kept
from duelbook.solving.library import SHIPPED

FILE = SHIPPED / "levels.json"
LARGEST_FILE = 1 << 24


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
    try:
        data = json.loads(read_kept(path, LARGEST_FILE) or b"")
        known = data["duels"][game.id]
        matches = known["matches"]
        if known["rungs"] != rungs(game) or known["rules_hash"] != rules_hash(game, rules):
            return None
        if known["sha256"] != checksum(known["rules_hash"], matches):
            return None
        table = Standings({(str(one), str(two)): from_row(row) for one, two, *row in matches})
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return table if table.keys() in (set(product(RUNGS, RUNGS)), set(product(TABULAR, TABULAR))) else None


def entry(game: Game, rules: object, table: Standings) -> dict[str, object]:
    """A table as a file holds it."""
    matches = [[*pair, *meeting.row()] for pair, meeting in table.items()]
    belongs = rules_hash(game, rules)
    return {"rules_hash": belongs, "rungs": rungs(game), "sha256": checksum(belongs, matches), "matches": matches}


def rungs(game: Game) -> dict[str, Any]:
    """Who the rungs and characters of a duel are: tables of others are not believed."""
    return {"model": list(MODEL), "characters": list(inclination.MODEL), **mistakes_of(game)}


def checksum(belongs: str, matches: object) -> str:
    return sha256(json.dumps([belongs, matches]).encode()).hexdigest()


def as_text(duels: Mapping[str, Mapping[str, Any]]) -> str:
    """A file of tables, one line for each match."""
    blocks = []
    for id, known in duels.items():
        head = "".join(f"   {json.dumps(key)}: {json.dumps(known[key])},\n" for key in known if key != "matches")
        lines = ",\n".join(f"    {json.dumps(match)}" for match in known["matches"])
        blocks.append(f'  {json.dumps(id)}: {{\n{head}   "matches": [\n{lines}\n   ]\n  }}')
    inside = ",\n".join(blocks)
    return f'{{\n "duels": {{\n{inside}\n }}\n}}\n'

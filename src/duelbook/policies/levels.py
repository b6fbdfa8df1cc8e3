"""The ladder of opponents, and its table: exact chances between every two rungs, for both seats.

The tables of our own books are shipped, so that a plain install shows them. Those of other rules are computed by
`ladder` when they are asked for, and kept in the user's cache. A table is believed only if it belongs to the same
rules and the same rungs, if its checksum holds, and if everything in it is a number of the kind it should be.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from duelbook.core import DuelError, Game, check_beginning, rules_hash
from duelbook.policies.meeting import Meeting, from_row
from duelbook.solving.cache import cache_folder, keep, read_kept
from duelbook.solving.library import SHIPPED

FILE = SHIPPED / "levels.json"
LARGEST_FILE = 1 << 24


class Level(NamedTuple):
    name: str
    slips: float
    """The chance of any legal move instead of a perfect one: also the share of a random player's losses."""


LEVELS = (
    Level("novice", 0.87),
    Level("beginner", 0.75),
    Level("casual", 0.62),
    Level("club player", 0.48),
    Level("strong", 0.33),
    Level("expert", 0.17),
)
"""From the first rung to the last.

The slips are such that in each duel that ships every rung scores at least 55 % against the one below it, both seats
taken together. Deck asks for the widest steps: with so much luck perfect itself scores only 82 % against random.
"""

RUNGS = {"random": 1.0} | {f"level:{number}": level.slips for number, level in enumerate(LEVELS, 1)} | {"perfect": 0.0}
"""The whole ladder: every kind of player, with how often it slips."""


def level_plan(slips: float, perfect: Sequence[float], legal: Sequence[int]) -> list[float]:
    """How likely a player who slips this often makes each move."""
    any_move = slips / len(legal)
    return [(1 - slips) * share + (any_move if move in legal else 0.0) for move, share in enumerate(perfect)]


Standings = dict[tuple[str, str], Meeting]
"""For each pair of rungs what happens when the first of them is Player 1 and begins."""


def standings(game: Game, rules: Any, tell: Callable[[int, int], None] = lambda done, of: None) -> Standings:
    """The table of a duel under these rules: shipped, cached, or computed now and cached.

    `tell` hears how many matches are computed, of how many.
    """
    check_beginning(game, rules)
    kept = cache_folder() / f"{game.id}-{rules_hash(game, rules)}.levels.json"
    for path in (FILE, kept):
        found = read(game, rules, path)
        if found is not None:
            return found
    try:
        from duelbook.policies.ladder import results
    except ImportError:
        raise DuelError(
            f"The win chances of {game.name} under these rules have to be computed, and that needs Numba: "
            "pip install 'duelbook[fast]'"
        ) from None
    table = results(game, rules, tell)
    keep(kept, as_text({game.id: entry(game, rules, table)}).encode())
    return table


def score(table: Standings, one: str, two: str) -> float:
    """What a rung scores against another, half of the matches in each seat: wins, and half of what nobody won."""
    return (table[one, two].score + 1 - table[two, one].score) / 2


def steps(table: Standings) -> dict[str, float]:
    """What each rung scores against the one below it."""
    return {higher: score(table, higher, lower) for lower, higher in pairwise(RUNGS)}


def loss_per_decision(table: Standings, kind: str, against: str = "perfect") -> float:
    """How much win probability a decision of a rung loses on average, half of the matches in each seat."""
    first, second = table[kind, against], table[against, kind]
    decisions = first.decisions[0] + second.decisions[1]
    return (first.lost[0] + second.lost[1]) / decisions if decisions else 0.0


# Files


def read(game: Game, rules: Any, path: Path) -> Standings | None:
    """The table in a file, or None when it holds none for these rules and rungs, or a damaged one."""
    try:
        data = json.loads(read_kept(path, LARGEST_FILE) or b"")
        known = data["duels"][game.id]
        matches = known["matches"]
        if data["rungs"] != RUNGS or known["rules_hash"] != rules_hash(game, rules):
            return None
        if known["sha256"] != _checksum(known["rules_hash"], matches):
            return None
        table = {(str(one), str(two)): from_row(row) for one, two, *row in matches}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return table if table.keys() == {(one, two) for one in RUNGS for two in RUNGS} else None


def entry(game: Game, rules: Any, table: Standings) -> dict[str, Any]:
    """A table as a file holds it."""
    matches = [[*pair, *meeting.row()] for pair, meeting in table.items()]
    belongs = rules_hash(game, rules)
    return {"rules_hash": belongs, "sha256": _checksum(belongs, matches), "matches": matches}


def _checksum(belongs: str, matches: Any) -> str:
    return sha256(json.dumps([belongs, matches]).encode()).hexdigest()


def as_text(duels: Mapping[str, Mapping[str, Any]]) -> str:
    """A file of tables, one line for each match."""
    blocks = []
    for id, known in duels.items():
        head = "".join(f"   {json.dumps(key)}: {json.dumps(known[key])},\n" for key in known if key != "matches")
        lines = ",\n".join(f"    {json.dumps(match)}" for match in known["matches"])
        blocks.append(f'  {json.dumps(id)}: {{\n{head}   "matches": [\n{lines}\n   ]\n  }}')
    inside = ",\n".join(blocks)
    return f'{{\n "rungs": {json.dumps(RUNGS)},\n "duels": {{\n{inside}\n }}\n}}\n'

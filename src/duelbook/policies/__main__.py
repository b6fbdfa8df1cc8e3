"""`python -m duelbook.policies`: compute what ships for the levels of the books, and write the files.

How positions look and the ladders of all books take minutes; with `calibrate` and the ids of duels, how many mistakes
their levels make is found anew first, and that takes longer.
"""

from __future__ import annotations

import sys

from duelbook.core import variant
from duelbook.games import READINGS, ROOMS, load
from duelbook.policies import levels, pattern_file
from duelbook.policies.alarm import alarm_of
from duelbook.policies.calibrate import calibrated
from duelbook.policies.eye import look, shipped_eye, to_bytes
from duelbook.policies.ladder import fingerprint, results
from duelbook.policies.patterns import patterns
from duelbook.policies.standings import FILE, entry
from duelbook.policies.table_file import as_text
from duelbook.solving.library import solution_for

if __name__ == "__main__":
    for id in ROOMS:
        for settings in ((), *READINGS.get(id, ())):
            solution = solution_for(load(id), variant(load(id), settings))
            shipped_eye(solution).write_bytes(to_bytes(look(solution)))
    for id in sys.argv[2:] if sys.argv[1:2] == ["calibrate"] else []:
        game, heard = load(id), -1.0
        while heard != alarm_of(game):  # it follows from the mistakes, and they from it
            heard = alarm_of(game)
            levels.write(game, calibrated(game))
            print(f"{id}, mistakes of each level: {levels.mistakes_of_levels(game)}", flush=True)
    duels = {}
    for id in ROOMS:
        game = load(id)
        table = results(game, game.book)
        duels[id] = {"solution": fingerprint(game), **entry(game, game.book, table)}
        shown = ", ".join(f"{kind} {share:.4f}" for kind, share in levels.steps(table).items())
        print(f"{id}, each rung against the one below: {shown}", flush=True)
    FILE.write_text(as_text(duels), encoding="utf-8")
    tried = {id: pattern_file.entry(load(id), load(id).book, patterns(load(id), load(id).book)) for id in ROOMS}
    pattern_file.FILE.write_text(as_text(tried), encoding="utf-8")

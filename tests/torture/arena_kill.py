"""Kill a tournament, again and again, and see whether it ends as if nothing had happened.

    python tests/torture/arena_kill.py --kills 20 --seed 1

A real `duelbook arena` plays with two worker processes. At random moments it is killed with a signal that it cannot
catch: while it starts, while it plays, while it writes. Each time its workers must end by themselves, and the next
program goes on with --resume. When a tournament is through, its table and its games must be those of one that nobody
disturbed; then the next one begins, until there were kills enough.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from duelbook.record import Record, reads, writes

PATIENCE = 600.0
"""Seconds after which a worker that does not end counts as left behind."""
PLAYERS = ("random", "level:2", "level:5")


class Report(NamedTuple):
    kills: int
    torn: int
    """How often a game was half written."""
    begun: int
    """How often the file held games already, but not all."""
    tournaments: int
    games: int
    wrong: list[str]


def arena(folder: Path, file: str, rounds: int, seed: int, *more: str) -> subprocess.Popen[str]:
    """A tournament with games of every kind, in a process of its own."""
    words = ["--rounds", str(rounds), "--seed", str(seed), "--out", str(folder / file), "--play", "--json", "--resume"]
    return subprocess.Popen(
        [sys.executable, "-m", "duelbook", "arena", *PLAYERS, "--games", "tower,deck,energy,conquer", *words, *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "XDG_STATE_HOME": str(folder), "PYTHONUTF8": "1"},
        start_new_session=True,
    )


def children(parent: int) -> list[int]:
    """The processes that a process has started and that still run."""
    with suppress(OSError):
        return [int(word) for word in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]
    return []


def ends(pid: int, patience: float = PATIENCE) -> bool:
    """Whether a process that is not our child ends in time."""
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([watched], [], [], patience)[0])
    finally:
        os.close(watched)


def finish(process: subprocess.Popen[str]) -> dict[str, Any]:
    said, complaint = process.communicate(timeout=600)
    if process.returncode:
        raise AssertionError(f"The arena left with {process.returncode}: {complaint}")
    found: dict[str, Any] = json.loads(said)
    return found


def games_in(path: Path) -> list[str]:
    """Every game of a file, without its date, in one order."""
    return sorted(_dateless(record) for record in reads(path.read_text(encoding="utf-8")))


def _dateless(record: Record) -> str:
    return writes(record._replace(date="????.??.??"))


def without_file(found: Any) -> Any:
    """What was found, but for where the games are: in a file that was killed they stand in another order."""
    if isinstance(found, dict):
        return {key: without_file(value) for key, value in found.items() if key not in ("file", "replay", "place")}
    return [without_file(each) for each in found] if isinstance(found, list) else found


def torture(kills: int, seed: int, rounds: int, *, longest: float = 2.5, progress: bool = False) -> Report:
    random = Random(seed)
    report = Report(0, 0, 0, 0, 0, [])
    while report.kills < kills:
        with tempfile.TemporaryDirectory() as name:
            report = _one_tournament(Path(name), random, report, kills, rounds, longest)
        if progress:
            print(f"{report.kills} kills, {report.tournaments} tournaments, {len(report.wrong)} wrong", flush=True)
    return report


def _one_tournament(folder: Path, random: Random, report: Report, kills: int, rounds: int, longest: float) -> Report:
    seed = random.randrange(10**9)
    path = folder / "killed.duel"
    found: dict[str, Any] | None = None
    while found is None:
        process = arena(folder, path.name, rounds, seed, "--concurrency", "2")
        if report.kills >= kills or not _runs_for(process, random.uniform(0.0, longest)):
            found = finish(process)
            break
        left_behind = kill(process)
        data = path.read_bytes() if path.exists() else b""
        torn, whole = not data.endswith(b"\n\n") and bool(data), data.count(b"[ArenaTask ")
        report = report._replace(
            kills=report.kills + 1,
            torn=report.torn + torn,
            begun=report.begun + bool(whole),
            wrong=report.wrong + left_behind,
        )
    untouched = finish(arena(folder, "whole.duel", rounds, seed, "--on", "one-process"))
    wrong = list(report.wrong)
    if without_file(found) != without_file(untouched):
        wrong.append(f"seed {seed}: the table differs")
    if games_in(path) != games_in(folder / "whole.duel"):
        wrong.append(f"seed {seed}: the games differ")
    return report._replace(
        tournaments=report.tournaments + 1, games=report.games + int(untouched["played"]), wrong=wrong
    )


def _runs_for(process: subprocess.Popen[str], seconds: float) -> bool:
    """Whether a process still runs after so many seconds."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return True
    return False


def kill(process: subprocess.Popen[str]) -> list[str]:
    """Kill the arena, and say which of its workers did not follow."""
    workers = children(process.pid)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return [f"process {worker} was left behind" for worker in workers if not ends(worker)]


def main() -> int:
    parser = argparse.ArgumentParser(description="Kill tournaments at random moments and compare their ends.")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=150)
    options = parser.parse_args()
    started = time.perf_counter()
    report = torture(options.kills, options.seed, options.rounds, progress=True)
    for sentence in report.wrong:
        print(sentence)
    print(
        f"{report.kills} kills in {report.tournaments} tournaments of {report.games} games in all, "
        f"{time.perf_counter() - started:.0f} seconds: {report.begun} with games on disk, {report.torn} with a torn "
        f"game; {len(report.wrong)} wrong"
    )
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())

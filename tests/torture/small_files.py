"""Nonsense in the small files that Duelbook keeps for a player: settings, and results of puzzles.

    python tests/torture/small_files.py --files 100000 --seed 1

Whatever stands in them, reading raises nothing: what cannot be used is as if it were not there, or is put aside; what
can be used has the right types, can be shown, and can be written again.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from dataclasses import asdict
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

from duelbook.puzzles import memory
from duelbook.puzzles.streak import answered, best_streak, streak
from duelbook.speech import plain
from duelbook.tui.preferences import Preferences, remembered, settings_file

TODAY = date(2026, 1, 5)
STRANGE: tuple[Any, ...] = (
    *(
        "",
        "x",
        "\x1b]0;x\x07",
        "\x9b",
        "\u202e",
        "\ud800",
        "night",
        "2026-01-05",
        "9999-12-31",
        "0001-01-01",
        "x" * 999,
    ),
    *(0, 1, -1, 10**9, 10**30, 10**4000, 0.0, -0.0, 1.0, 1e308, float("nan"), float("inf"), True, False, None),
    *([], {}, [[]], [1], {"tried": 1}, {"version": 1}),
)
LETTERS = '[]{}",:0123456789.eE+-\\truefalsn \x00\x1b\x9b\u202e'


def settings(random: Random) -> Any:
    said: dict[str, Any] = asdict(Preferences(name="Ann", theme="paper", pace=2.0))
    said[random.choice([*said, "other"])] = random.choice(STRANGE)
    return random.choice((said, said, said, random.choice(STRANGE)))


def results(random: Random) -> Any:
    tally: dict[str, Any] = {"dailies": {"2026-01-05": True}, "tried": 2, "solved": 1, "rating": 1216.0}
    said: dict[str, Any] = {"version": 1, "games": {"tower": tally, "deck": dict(tally)}}
    place = random.choice((said, said["games"], tally, tally, tally["dailies"]))
    if random.random() < 0.8:
        place[random.choice([*place, "other", "\x1b"])] = random.choice(STRANGE)
    return random.choice((said, said, said, random.choice(STRANGE)))


def text_of(random: Random, value: Any) -> bytes:
    """The value as JSON, often with something done to it."""
    text = json.dumps(value, ensure_ascii=random.random() < 0.5)
    for _ in range(random.choice((0, 0, 1, 2))):
        at = random.randrange(len(text) + 1)
        text = text[:at] + random.choice(("", *LETTERS)) + text[at + random.randrange(3) :]
    if random.random() < 0.02:
        text = random.choice("[{") * 100_000
    data = text.encode("utf-8", "surrogatepass")
    return data[: random.randrange(len(data) + 1)] if random.random() < 0.1 else data


def look_at_settings() -> None:
    found = asdict(remembered())
    usual = asdict(Preferences())
    assert {key: type(value) for key, value in found.items()} == {key: type(value) for key, value in usual.items()}
    assert all(plain(value) == value for value in found.values() if isinstance(value, str))
    assert Preferences(**found).keep() is None
    assert asdict(remembered()) == found


def look_at_results() -> None:
    progress, complaint = memory.load()
    assert plain(complaint) == complaint
    assert streak(progress, TODAY) <= best_streak(progress)
    kept = memory.remember(lambda known: answered(known, "tower", 1500, True, today=TODAY))
    assert kept.before == progress
    assert kept.complaint == ""
    again, complaint = memory.load()
    assert complaint == ""
    assert again == kept.after or again["tower"].tried == memory.MOST


def torture(files: int, seed: int) -> list[str]:
    """What was broken, each with the file that broke it."""
    random, broken = Random(seed), list[str]()
    before = dict(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder}
        try:
            for _ in range(files):
                for path, make, look in (
                    (settings_file(), settings, look_at_settings),
                    (memory.place(), results, look_at_results),
                ):
                    data = text_of(random, make(random))
                    _try(path, data, look, broken)
        finally:
            os.environ.clear()
            os.environ.update(before)
    return broken


def _try(path: Path, data: bytes, look: Any, broken: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    try:
        look()
    except Exception as error:  # noqa: BLE001 - whatever it is, it must not happen
        broken.append(f"{type(error).__name__}: {error}, with {path.name}: {data[:300]!r}")
    for aside in path.parent.glob("*.broken*"):
        aside.unlink()


def main() -> int:
    parser = argparse.ArgumentParser(description="Noise in settings and results.")
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    broken = torture(options.files, options.seed)
    print(*broken[:20], sep="\n")
    print(f"{options.files} files of each kind, {len(broken)} faults")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

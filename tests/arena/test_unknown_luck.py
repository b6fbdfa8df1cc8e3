"""A bot that reads the file of games, the list of processes and all that lies about learns nothing of luck to come."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from duelbook.luck import derive
from duelbook.record import reads

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it looks at processes as Linux shows them")

PEEKER = Path(__file__).parent / "bots" / "peeker.py"
ROUNDS = 3


def arena(folder: Path, *words: str, said: str = "") -> dict[str, Any]:
    """A tournament in a process of its own, in this folder and nowhere else, whose bot may look wherever it likes."""
    work = folder / "work"
    work.mkdir()
    bot = shlex.join([sys.executable, str(PEEKER), str(folder / "notes"), str(work)])
    command = ["arena", f"engine:{bot}", "random", "--games", "deck", "--rounds", str(ROUNDS), "--out", "games.duel"]
    done = subprocess.run(
        [sys.executable, "-m", "duelbook", *command, "--on", "one-process", "--json", "--sandbox", "off", *words],
        cwd=work,
        capture_output=True,
        text=True,
        input=said,
        env={**os.environ, "XDG_STATE_HOME": str(work / "state"), "HOME": str(work)},
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def seeds_found(folder: Path) -> list[int]:
    """The seeds of pairs that the bot knew, or could work out, before the pair was over."""
    games = reads((folder / "work" / "games.duel").read_text(encoding="utf-8"))
    seeds = [game.match.luck.past[0].seed for game in games]
    assert seeds[::2] == seeds[1::2]
    found = []
    for note in (folder / "notes").read_text().splitlines():
        written, *numbers = map(int, note.split())
        assert written % 2 == 0, "one game of a pair was written before the other"
        for at in range(written, len(games), 2):  # pairs that nobody has seen the end of
            pair = int(games[at].extra["ArenaTask"]) // 2
            known = {*numbers, *(derive(number, "luck", pair, "deck") for number in numbers)}
            found += [seed for seed in (seeds[at],) if seed in known]
    return found


@pytest.mark.slow
def test_no_seed_lies_about_and_in_the_end_it_is_told(tmp_path: Path) -> None:
    told = arena(tmp_path)
    assert seeds_found(tmp_path) == []
    games = reads((tmp_path / "work" / "games.duel").read_text(encoding="utf-8"))
    seats = [next(at for at, kind in enumerate(game.seats) if kind.startswith("engine:")) for game in games]
    asked = sum(step.turn == seat for game, seat in zip(games, seats, strict=True) for step in game.match.steps)
    assert (tmp_path / "notes").read_text().count("\n") == asked, "it looked at every move"
    for game in games:
        pair = int(game.extra["ArenaTask"]) // 2
        assert game.match.luck.past[0].seed == derive(int(told["seed"]), "luck", pair, "deck")


@pytest.mark.slow
def test_a_seed_from_standard_input_is_nowhere_either(tmp_path: Path) -> None:
    told = arena(tmp_path, "--seed", "@-", said="220134567890123456789\n")
    assert told["seed"] == "220134567890123456789"
    assert seeds_found(tmp_path) == []


@pytest.mark.slow
def test_a_seed_among_the_words_of_the_command_is_seen_by_everybody(tmp_path: Path) -> None:
    """So the bot looks well, and the page says why there are other ways to give one."""
    arena(tmp_path, "--seed", "220134567890123456789")
    assert len(set(seeds_found(tmp_path))) == ROUNDS

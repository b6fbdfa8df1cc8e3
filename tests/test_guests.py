"""Duels of other packages, installed: every command serves them, and one that is broken stops nobody."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from duelbook.cli import run as run_command
from duelbook.games import ROOMS, UnknownGame, game_ids, load, load_all
from guests_helper import GUESTS, arrive, install
from slow_helper import first_now, slow_if

Command = Callable[..., tuple[int, str, str]]

SOLVING = [slow_if(id != "race", id) for id in GUESTS]
"""Luck and picks are compiled first, which takes seconds."""
FIRST_MOVES = {"race": "add 1", "pig": "roll", "rps": "rock"}


@pytest.fixture
def duelbook(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """The command in this process, in a folder of its own, with nothing installed beside Duelbook yet."""
    (tmp_path / "site").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def call(*words: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["duelbook", *words])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        monkeypatch.setattr("duelbook.games._complained", set())  # as in a process of its own
        monkeypatch.setattr("duelbook.games._loaded", {})
        code = run_command()
        out, err = capsys.readouterr()
        assert "made a mistake" not in err
        return code, out, err

    return call


@pytest.fixture
def guests(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, duelbook: Command) -> Command:
    """The same with one guest of each kind."""
    for guest in GUESTS:
        install(tmp_path / "site", guest)
    arrive(monkeypatch, tmp_path / "site")
    return duelbook


def test_they_are_on_the_list_behind_our_own(guests: Command) -> None:
    code, out, _ = guests("list")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == [*ROOMS, *sorted(GUESTS)]


@pytest.mark.slow
@pytest.mark.parametrize("id", first_now(GUESTS))
def test_rules_and_check_game(id: str, guests: Command) -> None:
    assert guests("rules", id)[1].startswith("# ")
    assert json.loads(guests("rules", id, "--json")[1])["game"] == id
    code, out, _ = guests("check-game", id, "--positions", "100")
    assert (code, "keeps every law" in out) == (0, True)


@pytest.mark.parametrize("id", GUESTS)
def test_a_game_is_played_left_resumed_replayed_and_verified(id: str, guests: Command) -> None:
    play = ("play", id, "--p2", "random", "--seed", "3", "--plain", "--save", "g.duel")
    code, _, err = guests(*play, typed=f"help\nstatus\nrules\n{FIRST_MOVES[id]}\n\nquit\n")
    assert code == 0
    assert "The game is saved." in err
    assert guests("resume", "g.duel", "--plain", typed="quit\n")[0] == 0
    assert guests("play", id, "--p1", "random", "--p2", "random", "--seed", "3", "--save", "whole.duel")[0] == 0
    assert load(id).name in guests("replay", "whole.duel")[1]
    assert guests("verify", "whole.duel")[1].startswith("whole.duel: good. ")


@pytest.mark.slow
@pytest.mark.parametrize("id", SOLVING)
def test_what_is_solved(id: str, guests: Command) -> None:
    assert guests("solve", id)[0] == 0
    assert json.loads(guests("hint", id, "--json")[1])["game"] == id
    assert "level:6  expert" in guests("levels", id)[1]
    guests("play", id, "--p1", "level:3", "--p2", "perfect", "--seed", "3", "--save", "whole.duel")
    assert "Average loss per decision" in guests("review", "whole.duel")[1]
    code, out, err = guests("arena", "random", "level:3", "--games", id, "--rounds", "2", "--seed", "5")
    assert (code, "level:3" in out) == (0, True), err


def test_maps(guests: Command) -> None:
    assert "no number for each player" in guests("map", "race")[2]


@pytest.mark.slow
def test_maps_of_numbers_that_are_plural_already(guests: Command) -> None:
    assert "at every pair of points" in guests("map", "pig", "--mover", "2")[1].splitlines()[0]
    assert "at every pair of hearts\n" in guests("map", "rps")[1]


@pytest.mark.parametrize("id", [slow_if(id == "pig", id) for id in ("race", "pig")])
def test_puzzles(id: str, guests: Command) -> None:
    code, out, _ = guests("puzzle", id, "--date", "2026-01-02", "--show")
    assert (code, "the puzzle of 2026-01-02" in out) == (0, True)


@pytest.mark.slow
@pytest.mark.parametrize("id", first_now(GUESTS))
def test_programs_play_them(id: str, guests: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    from duelbook.engine.check import Checker

    checker = Checker([sys.executable, "-m", "duelbook", "engine", "--player", "random"], slack=60)
    assert checker.attempt("handshake", checker.handshake).passed
    assert id in checker.identity.games
    for name, attempt in checker.attempts().items():
        if name.startswith(f"{id}: "):
            assert checker.attempt(name, attempt).passed


@pytest.mark.parametrize("id", GUESTS)
def test_they_are_simulated(id: str, guests: Command) -> None:
    from duelbook.simulate import simulate

    played = simulate(id, "random", "random", 50, backend="numpy")
    assert played.wins1 + played.wins2 == 50


@pytest.mark.parametrize(("typed", "meant"), [("raec", "race"), ("pgi", "pig")])
def test_did_you_mean(typed: str, meant: str, guests: Command) -> None:
    assert f"Did you mean '{meant}'?" in guests("play", typed)[2] or meant == "pig"
    assert f"Did you mean: duelbook play {meant}?" in guests(meant)[2]


# Guests that are broken


def broken(site: Path, name: str, code: str, entry: str = "") -> None:
    (site / f"{name}.py").write_text(code, encoding="utf-8")
    info = site / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[duelbook.games]\n{entry or name} = {name}:GAME\n", encoding="utf-8")


HOMELESS = """
from types import SimpleNamespace
from duelbook.core import assemble
from duelbook.games.tower import dialogue, notation, rules
named = {name: value for name, value in vars(rules).items() if name != "__file__"}
files = {"rules": SimpleNamespace(**named), "notation": notation, "dialogue": dialogue}
GAME = assemble(id="homeless", name="x", pitch="x", **files)
"""

BROKEN = {
    "homeless": (HOMELESS, "The duel homeless cannot be loaded: its rules are not in a file of their own"),
    "escapes": ("raise BaseException('x')", "The duel escapes cannot be loaded from escapes:GAME: BaseException: x."),
    "raises": (
        "raise RuntimeError('no luck today')",
        "The duel raises cannot be loaded from raises:GAME: RuntimeError: no",
    ),
    "leaves": ("import sys; sys.exit(3)", "The duel leaves cannot be loaded from leaves:GAME: SystemExit: 3."),
    "nothing": ("GAME = {}", "nothing:GAME is a dict, not a Game that assemble made."),
    "empty": ("", "The duel empty cannot be loaded from empty:GAME: AttributeError"),
    "wanting": ("import numba_that_is_not_there", "ModuleNotFoundError: No module named 'numba_that_is_not_there'"),
    "impostor": ("from duelbook.games.tower import GAME", "impostor:GAME calls itself 'tower'."),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_guest_is_left_out_with_a_sentence(
    name: str, duelbook: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, said = BROKEN[name]
    broken(tmp_path / "site", name, code)
    arrive(monkeypatch, tmp_path / "site")
    assert name in game_ids()
    exit_code, out, err = duelbook("list")
    assert (exit_code, len(out.splitlines())) == (0, len(ROOMS))
    assert said in err
    assert [game.id for game in load_all()] == list(ROOMS)
    assert duelbook("check-game", name)[0] == 2
    exit_code, out, err = duelbook("arena", "random", "level:3", "--games", "all", "--rounds", "2", "--seed", "5")
    assert (exit_code, said in err) == (0, True)


def test_what_a_guest_prints_is_not_among_the_data(
    duelbook: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = install(tmp_path / "site", "race")
    text = (folder / "rules.py").read_text(encoding="utf-8")
    (folder / "rules.py").write_text(f"{text}\nprint('hello')\n", encoding="utf-8")
    arrive(monkeypatch, tmp_path / "site")
    code, out, err = duelbook("list", "--json")
    assert (code, "race" in out, err.strip()) == (0, True, "hello")
    assert "hello" not in out


def test_what_is_wrong_with_a_guest_is_said_once(
    duelbook: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken(tmp_path / "site", "raises", "raise RuntimeError('no luck today')")
    arrive(monkeypatch, tmp_path / "site")
    assert duelbook("list")[2].count("no luck today") == 1
    load_all()
    load_all()
    assert capsys.readouterr().err == ""


def test_an_id_that_two_packages_bring_is_nobodys(
    duelbook: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path / "site", "race")
    install(tmp_path / "site", "pig", entry="race", package="hog")
    arrive(monkeypatch, tmp_path / "site")
    with pytest.raises(UnknownGame, match=r"duelbook-race and hog|hog and duelbook-race"):
        load("race")
    assert duelbook("list")[0] == 0


def test_entries_that_cannot_be_read_are_left_out(
    duelbook: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path / "site", "race")
    install(tmp_path / "site", "pig", package="hog")
    (tmp_path / "site" / "hog-1.0.dist-info" / "entry_points.txt").write_text("[duelbook.games]\npig\n")
    arrive(monkeypatch, tmp_path / "site")
    code, out, err = duelbook("list")
    assert (code, "race" in out, "pig" in out) == (0, True, False)
    assert "The entry points of hog cannot be read" in err


def test_a_guest_without_a_rule_book_is_left_out(
    duelbook: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (install(tmp_path / "site", "race") / "rulebook.md").unlink()
    arrive(monkeypatch, tmp_path / "site")
    assert "holds no rulebook.md" in duelbook("list")[2]


def test_an_error_in_a_guests_code_names_the_guest_and_the_function(
    duelbook: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = install(tmp_path / "site", "race")
    text = (folder / "dialogue.py").read_text(encoding="utf-8")
    (folder / "dialogue.py").write_text(
        text.replace('return "How much do you add? "', "return 1 / 0"), encoding="utf-8"
    )
    arrive(monkeypatch, tmp_path / "site")
    code, _, err = duelbook("play", "race", "--plain", typed="1\n")
    assert code == 1
    assert (
        "The duel race, which another package brings, failed in dialogue.prompt: ZeroDivisionError: division by zero. "
        "Try: duelbook check-game race" in err
    )


def test_an_error_that_a_broken_law_leads_to_names_the_law(
    duelbook: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It arises in our own code, where nothing shows whose mistake it is."""
    folder = install(tmp_path / "site", "race")
    text = (folder / "rules.py").read_text(encoding="utf-8")
    (folder / "rules.py").write_text(text.replace("return 1 - s.mover\n", "return None\n"), encoding="utf-8")
    arrive(monkeypatch, tmp_path / "site")
    code, _, err = duelbook("solve", "race")
    assert code == 1
    assert "The duel race, which another package brings, breaks a law, and this failed (TypeError: " in err
    assert "rules.winner at '21 2': it gives None; it must give the winner's seat, 0 or 1, or DRAW (2)." in err

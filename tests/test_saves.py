"""Games on disk: found again, gone on with, never overwritten, and a bad folder never stops a game."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import forked_helper
from duelbook import Match, load
from duelbook.record import Record, reads
from duelbook.saves import Save, SaveError, saved, state_folder
from duelbook.table.begun import is_begun
from duelbook.table.keeper import NOT_SAVED, Keeper, open_copy, usable_path
from duelbook.table.listing import _row
from duelbook.table.shelf import latest_unfinished
from helpers import HANGING


class Shell:
    """Runs the real command with a state folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.state = folder / "state"

    def __call__(self, *arguments: str, typed: str = "", code: int = 0) -> str:
        environment = os.environ | {"XDG_STATE_HOME": str(self.state)}
        done = forked_helper.run(list(arguments), typed, self.folder, environment)
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        assert "made a mistake" not in done.stderr
        return done.stdout + done.stderr

    def files(self) -> list[Path]:
        return sorted((self.state / "duelbook" / "games").glob("*.duel"))


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def test_an_interrupted_game_goes_on_where_it_was(shell: Shell) -> None:
    shell("play", "tower", typed="build 4\nbuild 2\n", code=1)
    (file,) = shell.files()
    assert reads(file.read_text(encoding="utf-8"))[0].match.state.towers == (4, 2)
    shown = shell("resume", typed="build 1\nquit\n")
    assert f"Going on with {file.stem}, turn 3." in shown
    assert "Your tower height is now 5." in shown
    assert reads(file.read_text(encoding="utf-8"))[0].match.state.towers == (5, 2)


def test_players_names_rules_and_bell_come_back(shell: Shell) -> None:
    options = ["--p2", "random", "--name1", "Ann", "--seed", "5", "--max-turns", "7", "--rule", "covered_heal=false"]
    shell("play", "conquer", *options, typed="attack\n", code=1)
    shown = shell("resume", typed="status\nquit\n")
    assert "Ann's Turn" in shown
    assert "of at most 7." in shown
    record = reads(shell.files()[0].read_text(encoding="utf-8"))[0]
    assert (record.seats, record.match.rules.covered_heal) == (("human", "random"), 0)


def test_a_drawn_card_stays_drawn(shell: Shell) -> None:
    first = shell("play", "deck", "--seed", "8", typed="\n", code=1)
    card = first.partition("You drew a")[2].strip("n ").partition(".")[0]
    again = shell("resume", typed="status\n", code=1)
    assert f"Player 1 has drawn: {card}" in again
    assert "Press Enter" not in again


def test_a_stacked_deck_goes_on(shell: Shell) -> None:
    shell("play", "deck", "--deck", "7,4,9", typed="\na\n", code=1)
    shown = shell("resume", typed="\nh\n\n", code=1)
    assert "You drew a 4." in shown
    assert "You drew a 9." in shown


def test_a_sealed_pick_is_forgotten(shell: Shell) -> None:
    shell("play", "secret", typed="7\n5\n6\n", code=1)
    assert "6" not in shell.files()[0].read_text(encoding="utf-8").splitlines()[-1]
    shown = shell("resume", typed="9\n8\n", code=1)
    assert "- Player A's attack: 9" in shown


def test_games_lists_what_is_unfinished(shell: Shell) -> None:
    shell("play", "energy", typed="resign\n")
    shell("play", "tower", typed="build 4\n", code=1)
    assert len(shell("games").splitlines()) == 1
    rows = json.loads(shell("games", "--all", "--json"))
    assert [row["game"] for row in rows] == ["tower", "energy"]
    assert rows[0]["position"] == "4 0 2"
    assert rows[1]["result"] == "0-1"


def test_a_list_says_who_it_was_from_which_seat_how_it_ended_and_when(shell: Shell) -> None:
    shell("play", "tower", "--p1", "level:3", "--seed", "1", typed="resign\n")
    (row,) = json.loads(shell("games", "--all", "--json"))
    assert (row["you"], row["seats"], row["result"]) == (2, ["level:3", "human"], "1-0")
    assert row["date"] == row["changed"][:10].replace("-", ".")
    told = "Tower Defense Duel, you (Player 2) against level 3 casual, you lost: Player 2 resigned"
    assert row["summary"] == f"{told}, {row['changed']}"
    assert told in " ".join(shell("games", "--all").split())


@pytest.mark.parametrize(
    ("players", "ends"),
    [
        (("--p2", "random"), "You lost."),
        (("--p1", "random"), "You lost."),
        ((), "Player 2 wins!"),
    ],
)
def test_a_person_who_plays_a_program_is_told_whether_they_won(
    shell: Shell, players: tuple[str, ...], ends: str
) -> None:
    assert shell("play", "--line", "tower", *players, typed="resign\n").rstrip().splitlines()[-1] == ends


def test_who_wins_by_the_rules_against_a_program_is_told_so(shell: Shell) -> None:
    shown = shell("play", "--line", "tower", "--p2", "random", "--at", "11 0 1", typed="build 4\n").splitlines()
    assert shown[-2:] == ["Player 1's tower is now exactly 15 units tall.", "You won!"]
    shown = shell("play", "--line", "energy", "--p1", "random", "--at", "8 1 2", typed="resign\n").splitlines()
    assert shown[-2:] == ["You resigned.", "You lost."]


def test_a_finished_game_is_not_gone_on_with_but_can_be_seen(shell: Shell) -> None:
    shell("play", "energy", typed="resign\n")
    name = shell.files()[0].stem
    assert "is over: Player 1 resigned." in shell("resume", name, code=1)
    assert "Player 2 wins!" in shell("replay", name)


def test_any_file_with_one_unfinished_game_can_be_gone_on_with(shell: Shell) -> None:
    shell("play", "tower", "--save", "mine.duel", typed="build 4\n", code=1)
    shell("resume", "mine.duel", typed="build 1\n", code=1)
    assert reads((shell.folder / "mine.duel").read_text(encoding="utf-8"))[0].match.state.towers == (4, 1)


def test_a_copy_is_kept_up_with_every_move_and_overwrites_nothing(shell: Shell) -> None:
    shell("play", "tower", "--save", "mine.duel", typed="build 4\nbuild 4\nbuild 4\n", code=1)
    assert (shell.folder / "mine.duel").read_text(encoding="utf-8") == shell.files()[0].read_text(encoding="utf-8")
    assert [path.name for path in shell.folder.glob(".*")] == []
    assert "exists already" in shell("play", "tower", "--save", "mine.duel", code=2)
    assert "does not exist" in shell("play", "tower", "--save", "no/such/mine.duel", code=2)


def test_a_copy_that_fails_does_not_stop_the_save(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = Match(load("tower"))
    keeper = Keeper(Record(match), Save(tmp_path / "game.duel"), Save(tmp_path / "gone" / "copy.duel"))
    match.play(0, 2)
    match.play(1, 1)
    assert reads((tmp_path / "game.duel").read_text(encoding="utf-8"))[0].match.turns == 2
    assert keeper.write() is True
    assert capsys.readouterr().err.count("could not be written") == 1


def test_damaged_and_empty_files_are_said_and_passed_over(shell: Shell) -> None:
    shell("play", "tower", typed="build 4\n", code=1)
    good = shell.files()[0]
    (good.parent / "tower-19990101-000000.duel").write_text('[Game "tower"]\n\n1. build 9 *\n', encoding="utf-8")
    (good.parent / "tower-19990101-000001.duel").write_text("", encoding="utf-8")
    (good.parent / "tower-19990101-000002.duel").write_bytes(b"\xff\xfe\x00")
    listed = shell("games")
    assert "damaged: line 3" in listed
    assert good.stem in listed
    assert f"Going on with {good.stem}" in shell("resume", typed="quit\n")


def test_a_folder_that_cannot_be_written_does_not_stop_a_game(shell: Shell) -> None:
    shell.state.write_text("a file where the folder should be", encoding="utf-8")
    shown = shell("play", "tower", typed="build 4\nbuild 4\nresign\n")
    assert "Games cannot be saved in" in shown
    assert "Player 2 wins!" in shown


def test_verify_tells_good_from_bad(shell: Shell) -> None:
    (shell.folder / "good.duel").write_text('[Game "tower"]\n\n1. build 4 build 4 *\n', encoding="utf-8")
    (shell.folder / "bad.duel").write_text('[Game "tower"]\n\n1. build 4 build 4 2. build 3 *\n', encoding="utf-8")
    (shell.folder / "noise.duel").write_bytes(bytes(range(256)))
    shown = shell("verify", "good.duel", "bad.duel", "noise.duel", "none.duel", ".", code=1)
    assert "good.duel: good. Tower Defense Duel, 2 turns, *: Unfinished." in shown
    assert "bad.duel: line 3, column 23: Turn 3, Player 1: 'build 3' is not a move" in shown
    assert "noise.duel is not text" in shown
    assert "There is no file and no saved game called 'none.duel'." in shown
    reports = json.loads(shell("verify", "good.duel", "--json"))
    assert reports[0]["ok"] is True
    assert reports[0]["games"][0]["position"] == "4 4 1"


def test_replay_chooses_among_several_games(shell: Shell) -> None:
    games = [f'[Game "tower"]\n\n1. build {units} *\n' for units in (1, 2)]
    (shell.folder / "two.duel").write_text("\n".join(games), encoding="utf-8")
    assert "Player 1 builds 2 units." in shell("replay", "two.duel", "--game", "2")
    assert "there is no number 3" in shell("replay", "two.duel", "--game", "3", code=1)
    assert "holds 2 games" in shell("resume", "two.duel", code=1)


def test_output_without_unicode_says_it_plainer(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "duelbook", "play", "deck", "--deck", "7"],
        input=b"\nA\n\xff\xfe\n",
        capture_output=True,
        env=os.environ | {"XDG_STATE_HOME": str(shell.state), "PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert b"(20 LP -> 13 LP)" in done.stdout
    assert b"Traceback" not in done.stderr


def test_a_reader_who_leaves_is_no_crash(shell: Shell) -> None:
    duelbook = f"'{sys.executable}' -m duelbook"
    watch = "play --line conquer --p1 random --p2 random --seed 3"
    done = subprocess.run(
        ["bash", "-c", f"{duelbook} rules tower | head -1; {duelbook} {watch} | head -1"],
        capture_output=True,
        text=True,
        env=os.environ | {"XDG_STATE_HOME": str(shell.state)},
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["# Tower Defense Duel", "--- Command Line Conquer ---"]


def test_the_menu_offers_to_go_on_with_the_last_game(shell: Shell) -> None:
    assert "Go on with your last game" not in shell("play", typed="quit\n")
    shell("play", "tower", typed="build 4\n", code=1)
    shown = shell("play", typed="6\nbuild 2\nquit\n")
    assert "Tower Defense Duel, Player 1 against Player 2, turn 2" in shown
    assert "Going on with tower-" in shown
    assert "Your tower height is now 2." in shown


# Leaving, and a disk that fails


def test_the_advice_names_the_path_of_a_game_from_elsewhere(shell: Shell) -> None:
    (shell.folder / "sub folder").mkdir()
    (shell.folder / "sub folder" / "g.duel").write_text('[Game "tower"]\n\n1. build 4 *\n', encoding="utf-8")
    shown = shell("resume", "sub folder/g.duel", typed="build 1\nquit\n")
    assert shown.endswith("resume 'sub folder/g.duel'\n")
    words = shlex.split(shown.rpartition("Go on later with: ")[2])[-2:]
    assert "turn 3" in shell(*words, typed="quit\n")
    (shell.folder / "-g.duel").write_text('[Game "tower"]\n\n1. build 4 *\n', encoding="utf-8")
    assert shell("resume", "--", "-g.duel", typed="quit\n").endswith("resume ./-g.duel\n")


def full_disk(folder: Path, *words: str, typed: str) -> subprocess.CompletedProcess[str]:
    """The real command where no file can have more than 400 bytes, as on a disk that is full."""
    code = (
        "import resource, sys\n"
        "from duelbook.cli import main\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (400, 400))\n"
        f"sys.argv = ['duelbook', *{words!r}]\n"
        "main()\n"
    )
    return subprocess.run(
        [sys.executable, "-c", code],
        input=typed,
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | {"XDG_STATE_HOME": str(folder / "state"), "PYTHONDONTWRITEBYTECODE": "1"},
        timeout=HANGING,
        check=False,
    )


LONG = "build 4\nattack\n" * 30


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no limits on the size of files")
@pytest.mark.parametrize(("last", "copy"), [("quit\n", []), ("resign\n", []), ("quit\n", ["--save", "copy.duel"])])
def test_a_full_disk_is_not_left_silently(last: str, copy: list[str], tmp_path: Path) -> None:
    done = full_disk(tmp_path, "play", "tower", *copy, typed=LONG + last)
    assert done.returncode == 1
    assert f"{NOT_SAVED}\n" in done.stderr
    assert "Go on later with" not in done.stderr
    assert done.stderr.count("could not be written: File too large.") == 1 + len(copy) // 2
    (file,) = (tmp_path / "state" / "duelbook" / "games").iterdir()  # and no draft
    assert reads(file.read_text(encoding="utf-8"))[0].match.turns > 3  # what there was room for is whole


def test_where_one_place_fails_the_other_is_named(tmp_path: Path) -> None:
    match = Match(load("tower"))
    keeper = Keeper(Record(match), Save(tmp_path / "gone" / "g.duel"), Save(tmp_path / "copy.duel"), lambda said: None)
    match.play(0, 2)
    assert keeper.write() is True
    assert keeper.how_to_go_on().endswith(f" resume {tmp_path / 'copy.duel'}")


def test_a_game_that_is_over_is_not_gone_on_with(tmp_path: Path) -> None:
    match = Match(load("tower"))
    keeper = Keeper(Record(match), Save(tmp_path / "g.duel"), None)
    assert "Go on later with: " in keeper.keep(None)
    match.resign(0)
    assert keeper.keep(None).endswith(f" replay {tmp_path / 'g.duel'}")
    assert keeper.keep(None).startswith("Saved. See it again with: ")


def test_a_copy_is_not_written_through_a_link_that_leads_nowhere(shell: Shell) -> None:
    (shell.folder / "g.duel").symlink_to(shell.folder / "victim")
    assert "exists already" in shell("play", "tower", "--save", "g.duel", code=2)
    shell("play", "tower", typed="build 4\nsave g.duel\nquit\n")
    assert (shell.folder / "g.duel").is_symlink()
    assert not (shell.folder / "victim").exists()


def test_a_copy_that_came_in_between_is_not_written_over(tmp_path: Path) -> None:
    path = usable_path(str(tmp_path / "g.duel"))
    path.write_text("somebody else's", encoding="utf-8")
    with pytest.raises(SaveError, match="exists already; choose another name"):
        open_copy(path)
    assert path.read_text(encoding="utf-8") == "somebody else's"


# What is no file


@pytest.mark.skipif(os.name == "nt", reason="no pipes with names")
def test_pipes_folders_and_huge_files_are_said_and_not_waited_for(shell: Shell) -> None:
    folder = shell.state / "duelbook" / "games"
    folder.mkdir(parents=True)
    for place in (folder, shell.folder):
        os.mkfifo(place / "pipe.duel")
        (place / "folder.duel").mkdir()
        with (place / "huge.duel").open("wb") as file:
            file.truncate(5_000_000_000)
        (place / "noise.duel").write_bytes(b"\xff")
    listed = shell("games")
    assert "cannot be read: it is a pipe or a device" in listed
    assert "cannot be read: it is a folder" in listed
    assert "cannot be read: it has more than 16,000,000 bytes" in listed
    assert "cannot be read: it is not text" in listed
    shown = shell("verify", "pipe.duel", "folder.duel", "huge.duel", "noise.duel", code=1)
    assert "pipe.duel cannot be read: it is a pipe or a device, not a file." in shown
    assert "folder.duel cannot be read: it is a folder." in shown
    assert "huge.duel cannot be read: it has more than 256,000,000 bytes" in shown
    assert "noise.duel is not text" in shown
    assert "There is no unfinished game" in shell("resume", code=1)
    assert "is a pipe or a device" in shell("resume", "pipe.duel", code=1)


def test_a_file_from_a_year_that_no_calendar_has_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    file = state_folder() / "g.duel"
    file.parent.mkdir(parents=True)
    file.write_text("no game", encoding="utf-8")
    os.utime(file, (0, 300_000_000_000))
    (item,) = saved()
    assert _row(item)["id"] == "g"


# What was only opened


def test_a_game_that_was_only_opened_is_not_kept_and_a_copy_that_was_named_is(shell: Shell) -> None:
    assert "Nothing was decided in this game, so it is not kept." in shell("play", "tower", typed="quit\n")
    assert shell.files() == []
    assert not list((shell.state / "duelbook" / "games").iterdir())  # nor is a lock left
    shown = shell("play", "tower", "--save", "copy.duel", typed="quit\n")
    assert "The game is saved. Go on later with: " in shown
    assert shell.files() == []
    assert "Going on with copy" in shell("resume", "copy.duel", typed="quit\n")


def test_a_game_that_was_saved_before_anything_was_decided_is_taken_where_no_other_waits(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(shell.state))
    shell("play", "tower", typed="build 4\nresign\ny\n")
    over = shell.files()
    shell("play", "energy", typed="save\nquit\n")
    (opened,) = set(shell.files()) - set(over)
    assert "Tower" in shell("review")
    assert "Player 1 builds 4 units." in shell("replay", "--fast")
    assert f"Going on with {opened.stem}" in shell("resume", typed="quit\n")
    assert latest_unfinished() == "Energy Duel, Player 1 against Player 2, turn 1"
    assert opened.exists()  # it was there before
    shell("play", "conquer", typed="attack\nquit\n")
    os.utime(opened)  # the latest, but nothing has been decided in it
    assert "Command Line Conquer" in shell("resume", typed="quit\n")
    assert (latest_unfinished() or "").startswith("Command Line Conquer")


def test_a_game_that_was_only_watched_is_taken_where_none_of_ones_own_waits(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever looked on while two programs played, and left, came back to their game and not to the own one."""
    monkeypatch.setenv("XDG_STATE_HOME", str(shell.state))
    shell("play", "conquer", typed="attack\nquit\n")
    (own,) = shell.files()
    watched = own.with_stem("watched")
    watched.write_text(own.read_text(encoding="utf-8").replace('"human"', '"level:1"'), encoding="utf-8")
    os.utime(watched, (0, 300_000_000_000))  # the latest
    assert latest_unfinished() == "Command Line Conquer, Player 1 against Player 2, turn 2"
    assert f"Going on with {own.stem}" in shell("resume", typed="quit\n")
    own.unlink()
    assert latest_unfinished() == "Command Line Conquer, level 1 against level 1, turn 2"


def test_a_game_that_a_program_has_begun_is_kept(shell: Shell) -> None:
    """Whoever leaves then comes back to the same first move, and the same first card."""
    assert "The game is saved." in shell("play", "tower", "--p1", "level:3", typed="quit\n")
    (begun,) = shell.files()
    assert f"Going on with {begun.stem}" in shell("resume", typed="quit\n")
    shell("play", "deck", "--p1", "level:3", typed="quit\n")
    (cards,) = set(shell.files()) - {begun}
    assert re.search(r"^1\. \d+:(attack|heal)", cards.read_text(encoding="utf-8"), re.MULTILINE)


def test_once_somebody_has_moved_or_a_card_is_drawn_there_is_something_to_keep() -> None:
    for seats in (("random", "random"), ("human", "random"), ("random", "human")):
        match = Match(load("tower"))
        assert not is_begun(Record(match, seats))
        match.play(0, 0)
        assert is_begun(Record(match, seats))
    match = Match(load("deck"), seed=1)
    match.deal()
    assert is_begun(Record(match, ("human", "random")))

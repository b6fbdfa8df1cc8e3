"""Games on disk: they grow, they come back the same, a torn end is cut off, and nobody else's file is touched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from bench.rehearsal import play_task

from arena_helper import fake_players, plan
from duelbook.arena.play import seats
from duelbook.arena.play.game_file import games_kept, places_in
from duelbook.arena.play.results import Entrant, Result
from duelbook.arena.play.schedule import Entry, Plan, Schedule, enter
from duelbook.arena.play.store import Store
from duelbook.arena.play.telling import given_up
from duelbook.arena.play.tournament import programme
from duelbook.record import reads
from duelbook.saves import SaveError

ASKED = plan("random level:3", "tower deck secret", rounds=2)
TASKS = programme(ASKED).tasks


@pytest.fixture(scope="module")
def results() -> list[Result]:
    return [play_task(task, ASKED.entrants, ASKED.settings()) for task in TASKS]


@pytest.fixture
def path(tmp_path: Path, results: list[Result]) -> Path:
    """A file with every game, in an order of its own."""
    path = tmp_path / "games.duel"
    assert open_and_read(path) == []
    store = Store(path, ASKED.settings())
    store.open(TASKS, ASKED.entrants, resume=False)
    store.append(results[6:])
    store.append(results[:6])
    store.close()
    return path


def open_and_read(path: Path, asked: Plan = ASKED, *, resume: bool = True) -> list[Result]:
    store = Store(path, asked.settings())
    try:
        return store.open(programme(asked).tasks, asked.entrants, resume=resume)
    finally:
        store.close()


def test_what_was_written_comes_back_to_the_last_digit(path: Path, results: list[Result]) -> None:
    assert sorted(open_and_read(path)) == sorted(results)


def test_it_is_a_file_of_records_like_any_other(path: Path) -> None:
    assert len(reads(path.read_text(encoding="utf-8"))) == len(TASKS)


def test_faults_come_back_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "seat_player", fake_players)
    entrants = (Entrant("bot", "failing:time"), Entrant("other", "random"), Entrant("none", "failing:absent"))
    asked = ASKED._replace(entrants=entrants)
    tasks = programme(asked).tasks
    played = [play_task(task, entrants, asked.settings()) for task in tasks]
    seats.close_all()  # whoever plays next is not to meet them
    store = Store(tmp_path / "games.duel", asked.settings())
    store.open(tasks, entrants, resume=False)
    store.append(played)
    store.close()
    assert open_and_read(tmp_path / "games.duel", asked) == played


@pytest.mark.slow
def test_a_torn_end_is_cut_off_wherever_it_is_torn(path: Path, results: list[Result]) -> None:
    data = path.read_bytes()
    last = data.rindex(b"[Game ")
    pair = data.rindex(b"[Game ", 0, last)
    by_number = {result.task.number: result for result in results}
    numbers = [*range(6, len(TASKS)), *range(6)]
    for end in [*range(last + 1, len(data) - 9, 7), *range(len(data) - 9, len(data))]:
        path.write_bytes(data[:end])
        found = open_and_read(path)
        whole = end >= len(data) - 1  # all but the empty line behind it
        assert found == [by_number[number] for number in (numbers if whole else numbers[:-2])]
        assert path.read_bytes() == (data[:end] if whole else data[:pair])


def test_half_a_pair_is_played_again_and_then_counts_once(path: Path, results: list[Result]) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: data.rindex(b"[Game ")])
    assert sorted(open_and_read(path)) == sorted(each for each in results if each.task.number not in (4, 5))
    with path.open("ab") as file:
        file.write("".join(f"{result.record}\n" for result in results[4:6]).encode())
    assert sorted(open_and_read(path)) == sorted(results)


def test_a_file_torn_in_its_first_game_begins_anew(path: Path) -> None:
    data = path.read_bytes()
    for end in range(data.index(b"[Game ", 1) - 2):
        path.write_bytes(data[:end])
        assert open_and_read(path) == []
        assert path.read_bytes() == b""


def test_garbage_at_the_end_is_cut_off_with_the_pair_before_it(path: Path, results: list[Result]) -> None:
    """After a power cut there may be zeros where something was to be written."""
    path.write_bytes(path.read_bytes() + bytes(100))
    assert len(open_and_read(path)) == len(results) - 2
    assert path.read_bytes().endswith(b"\n\n")


def test_what_a_person_adds_behind_the_games_is_never_cut_off(path: Path, results: list[Result]) -> None:
    data = path.read_bytes()
    path.write_bytes(data + b"; a note about\n{ all of this }\n")
    assert sorted(open_and_read(path)) == sorted(results)
    assert path.read_bytes() == data + b"; a note about\n{ all of this }\n"
    for note in (b"; no end of line", b"{ none here }"):
        path.write_bytes(data + note)
        assert sorted(open_and_read(path)) == sorted(results)
        assert path.read_bytes() == data + note + b"\n"
    path.write_bytes(data + b"Dear diary,\n")
    line = data[: data.rindex(b"[Game ")].count(b"\n") + 1
    with pytest.raises(SaveError, match=f"the game at line {line} is bad"):
        open_and_read(path)
    assert path.read_bytes() == data + b"Dear diary,\n"


@pytest.mark.parametrize(
    "words", [b"\nDear diary,\n", b"\n; today\n", b" { today", b'\n\n[Game "tower"]\n[Player1 "Ann"]\n']
)
def test_nor_behind_a_game_that_is_torn(path: Path, words: bytes) -> None:
    data = path.read_bytes()
    torn = data[: data.rindex(b" ")] + words
    path.write_bytes(torn)
    with pytest.raises(SaveError, match="is bad"):
        open_and_read(path)
    assert path.read_bytes() == torn


def test_games_that_were_given_up_are_not_among_those_that_are_kept(path: Path, results: list[Result]) -> None:
    assert games_kept(path) == len(results)
    hopeless = [given_up(TASKS[0], ASKED.entrants, ASKED.settings()).record, results[1].record]
    path.write_text("\n".join(hopeless) + "\n", encoding="utf-8")
    assert games_kept(path) == 1
    path.write_text("\n".join([*hopeless, results[0].record]), encoding="utf-8")
    assert (games_kept(path), places_in(path)) == (2, {0: 3, 1: 2})


def test_a_pair_of_which_a_game_was_given_up_is_played_again(tmp_path: Path, results: list[Result]) -> None:
    path = tmp_path / "games.duel"
    store = Store(path, ASKED.settings())
    store.open(TASKS, ASKED.entrants, resume=False)
    store.append([given_up(TASKS[0], ASKED.entrants, ASKED.settings()), *results[1:]])
    store.close()
    assert open_and_read(path) == results[2:]
    store.open(TASKS, ASKED.entrants, resume=True)
    store.append(results[:2])
    store.close()
    assert sorted(open_and_read(path)) == sorted(results)


def test_a_file_goes_on_after_it_was_torn(path: Path, results: list[Result]) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:-10])
    store = Store(path, ASKED.settings())
    found = store.open(TASKS, ASKED.entrants, resume=True)
    missing = [result for result in results if result not in found]
    assert len(missing) == 2
    store.append(missing)
    store.close()
    assert path.read_bytes() == data


def test_a_game_that_is_there_twice_counts_once(path: Path, results: list[Result]) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(results[0].record + "\n")
    assert sorted(open_and_read(path)) == sorted(results)


def test_a_file_that_is_there_is_not_written_to_unasked(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(
        SaveError, match=r"games.duel exists already. Go on with it by --resume, or choose another name."
    ):
        open_and_read(path, resume=False)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "other",
    [
        ASKED._replace(seed=1),
        ASKED._replace(max_turns=150),
        ASKED._replace(entrants=enter(["random", "level:4"])),
        ASKED._replace(entrants=enter([Entry("random", "Ada"), "level:3"])),
        ASKED._replace(duels=ASKED.duels[:2]),
    ],
)
def test_a_file_of_another_tournament_is_refused(path: Path, other: Plan) -> None:
    before = path.read_bytes()
    with pytest.raises(SaveError, match="belongs to another tournament"):
        open_and_read(path, other)
    assert path.read_bytes() == before


def test_a_file_with_more_rounds_is_refused_and_one_with_fewer_goes_on(path: Path) -> None:
    assert len(open_and_read(path, ASKED._replace(rounds=5))) == len(TASKS)
    with pytest.raises(SaveError, match="Does it have fewer rounds now"):
        open_and_read(path, ASKED._replace(rounds=1))


@pytest.mark.parametrize(
    "text",
    [
        "Dear diary,\ntoday I wrote\n",
        '[Game "tower"]\n\n1. build 4 *\n',
        '[Game "tower"]\n[Result "*"]\n\n1. build 4 *\n',
        '[Game "tower"]\n[Result "*"]\n\n1. build 5 *\n',
    ],
)
def test_a_file_that_is_no_tournaments_is_refused_and_stays_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SaveError):
        open_and_read(path)
    assert path.read_text(encoding="utf-8") == text


def test_a_bad_game_in_the_middle_is_refused_with_its_place(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    second = text.index("[Game ", 10)
    path.write_text(text[:second].replace("1. ", "1. heel ") + text[second:], encoding="utf-8")
    with pytest.raises(SaveError, match="the game at line 1 is bad"):
        open_and_read(path)


def test_two_arenas_do_not_write_to_one_file(path: Path) -> None:
    store = Store(path, ASKED.settings())
    store.open(TASKS, ASKED.entrants, resume=True)
    try:
        with pytest.raises(SaveError, match="Another arena is writing to"):
            open_and_read(path)
    finally:
        store.close()


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="The games cannot be kept in"):
        open_and_read(tmp_path / "nowhere" / "games.duel")


def test_nothing_is_appended_to_a_file_that_is_not_open(tmp_path: Path, results: list[Result]) -> None:
    with pytest.raises(SaveError, match="is not open"):
        Store(tmp_path / "games.duel", ASKED.settings()).append(results)


def test_the_schedule_is_the_plans() -> None:
    assert list(Schedule(Plan(ASKED.entrants, ASKED.duels, rounds=2, seed=0))) == list(TASKS)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_or_a_device_keeps_no_games_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(SaveError, match="it is a pipe or a device, not a file"):
            open_and_read(path, resume=False)

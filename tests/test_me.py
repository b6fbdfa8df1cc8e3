"""The record of a person: which games count and for what, what is forgotten, and when the next level is due."""

from __future__ import annotations

import json
import os
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from duelbook import Match, load, locks
from duelbook.cli import duelbook
from duelbook.coach.review import averages, review
from duelbook.core import variant
from duelbook.disk import SaveError, write_atomically
from duelbook.games import example
from duelbook.locks import Lock
from duelbook.me import memory
from duelbook.me.account import Account, account
from duelbook.me.memory import recall
from duelbook.me.next_level import next_level
from duelbook.me.nudge import CLEAR, Nudge, chance_of_an_equal, nudge
from duelbook.me.played import DRAWN, LOST, WON, Played
from duelbook.players import seat_player
from duelbook.puzzles.memory import remember
from duelbook.puzzles.streak import Tally
from duelbook.record import TAKEN_OVER, Record, reads, writes
from duelbook.saves import Save, state_folder
from duelbook.table.host import sit_down
from duelbook.table.keeper import Keeper, open_save, start_record

TODAY = date(2026, 11, 16)


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    for name in ("STATE", "CACHE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(id: str, text: str) -> Path:
    path = state_folder() / f"{id}.duel"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def ended(
    result: int | None = 0,
    kinds: tuple[str, str] = ("human", "level:2"),
    day: str = "2026.11.02",
    duel: str = "tower",
    rules: tuple[str, ...] = (),
    **more: Any,
) -> Record:
    """A game that ended at once, by whatever end: one seat resigned, or it goes on."""
    game = load(duel)
    match = Match(game, variant(game, rules), **more)
    if result in (0, 1):
        match.resign(1 - result)
    return Record(match, kinds, day)


def belled() -> Record:
    match = Match(load("tower"), max_turns=1)
    match.play(0, 0)
    return Record(match, ("human", "level:2"), "2026.11.02")


def drawn() -> Record:
    game = load("energy")
    match = Match(game, variant(game, ["both_empty=draw", "energy=2"]))
    match.play(0, 0)  # an attack that leaves both with nothing
    return Record(match, ("human", "level:2"), "2026.11.02")


def played_out(duel: str, seed: int, kinds: tuple[str, str] = ("human", "level:2")) -> Record:
    """A whole game; a weak player sits in the person's seat."""
    match = Match(load(duel), seed=seed)
    players = [seat_player("level:1" if kind == "human" else kind, seed + at) for at, kind in enumerate(kinds)]
    match.run([player for player in players if player is not None])
    return Record(match, kinds, "2026.10.31")


def record_of(duel: str | None = None, **options: Any) -> Account:
    return account(recall(**options), {}, TODAY, duel)


def run(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(duelbook, ["me", *words], input=typed, standalone_mode=False)


# Which games count


@pytest.mark.parametrize(
    ("record", "counts"),
    [
        (ended(0), (1, 0, 0, 0)),
        (ended(1), (0, 1, 0, 0)),
        (ended(0, ("level:2", "human")), (0, 1, 0, 0)),
        (ended(1, ("level:2", "human")), (1, 0, 0, 0)),
        (belled(), (0, 0, 0, 1)),
        (drawn(), (0, 0, 1, 0)),
    ],
)
def test_a_game_is_won_lost_or_neither_from_the_seat_of_the_person(
    record: Record, counts: tuple[int, int, int, int]
) -> None:
    put("g", writes(record))
    total = record_of().total
    assert (total.won, total.lost, total.drawn, total.no_result) == counts
    assert total.score == {0: 1.0, 1: 0.0}.get(counts.index(1), 0.5)


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (ended(None), "unfinished"),
        (ended(0, ("human", "human")), "two people"),
        (ended(0, ("random", "perfect")), "two programs"),
        (ended(0, start=load("tower").read_position(load("tower").book, "5 8 1")), "set up"),
        (ended(0, duel="deck", stacked=(7, 4)), "set up"),
        (ended(0)._replace(extra={TAKEN_OVER: "1 after 3 turns"}), "taken over"),
    ],
)
def test_what_does_not_count_is_told_apart(record: Record, why: str) -> None:
    put("g", writes(record))
    found = record_of()
    assert (found.total.games, found.not_counted) == (0, {why: 1})


def test_who_begins_is_no_chosen_position() -> None:
    put("g", writes(ended(0, first=1)))
    assert record_of().total.games == 1


def test_a_seat_that_was_taken_over_is_noted_in_the_game() -> None:
    host = sit_down(Record(Match(load("tower")), ("random", "perfect")))
    (due,) = host.due()
    host.answer(due, host.question(due)())
    host.take_over(1)
    assert reads(writes(host.keeper.record))[0].extra == {TAKEN_OVER: "2 after 1 turn"}


def test_an_end_that_is_taken_back_is_none() -> None:
    record = ended(0)
    put("g", writes(record))
    assert record_of().total.won == 1
    record.match.take_back()
    put("g", writes(record))
    found = record_of()
    assert (found.total.games, found.not_counted) == (0, {"unfinished": 1})


def test_a_game_that_is_deleted_is_gone_and_one_that_is_read_twice_counts_once() -> None:
    path = put("g", writes(ended(0)))
    put("h", writes(ended(0)))
    assert [record_of().total.won for _ in range(2)] == [2, 2]
    path.unlink()
    assert record_of().total.won == 1


def test_what_a_decision_loses_is_what_a_review_says() -> None:
    records = [played_out(duel, seed) for duel in ("tower", "deck", "energy") for seed in (1, 2)]
    for at, record in enumerate(records):
        put(f"g{at}", writes(record))
    (me, _) = averages(map(review, records))
    total = record_of().total
    assert me.mean > 0
    assert total.loss == pytest.approx(me.mean, abs=1e-12)
    assert total.decisions == me.decisions


def test_rules_that_nobody_has_solved_here_are_not_solved_for_the_record() -> None:
    record = ended(0, duel="secret", rules=("hp=60",))
    put("g", writes(record))
    found = record_of()
    assert (found.total.won, found.total.loss, found.unweighed) == (1, None, 1)
    assert [each.rules for each in found.duels] == ["hp=60"]


# By duel, opponent and month


def test_games_are_added_up_by_duel_opponent_and_month() -> None:
    put("tower-1", writes(ended(0, day="2026.09.30")))
    put("tower-2", writes(ended(1, ("human", "perfect"), day="2026.10.01")))
    put("tower-3", writes(ended(0, ("random", "human"), day="2026.10.31")))
    put("energy-1", writes(ended(0, day="????.??.??", duel="energy")))
    found = record_of()
    assert [(each.duel, each.total.won, each.total.lost) for each in found.duels] == [("energy", 1, 0), ("tower", 1, 2)]
    assert [foe.opponent for foe in found.duels[1].opponents] == ["random", "level:2", "perfect"]
    assert [(month, each.games) for month, each in found.months.items()] == [("2026-10", 2), ("2026-09", 1), ("", 1)]
    assert found.total.score == 0.5
    tower = record_of("tower")
    assert (tower.total.games, list(tower.months)) == (3, ["2026-10", "2026-09"])


# Files that are not as they should be


@pytest.mark.parametrize("looped", [False, True])
def test_what_lies_in_the_place_of_the_games_is_named(looped: bool) -> None:
    assert recall().complaint == ""
    state_folder().parent.mkdir(parents=True)
    if looped:
        state_folder().symlink_to(state_folder())
    else:
        state_folder().write_text("no folder", encoding="utf-8")
    assert "games is not a folder, so no saved game is found." in " ".join(run().stderr.split())


@pytest.mark.parametrize(
    ("day", "month"), [("2026.99.01", ""), ("0000.00.00", ""), ("????.??.??", ""), ("2026.11.??", "2026-11")]
)
def test_a_month_that_no_calendar_has_is_unknown(day: str, month: str) -> None:
    put("g", writes(ended(0, day=day)))
    assert list(record_of().months) == [month]


def test_damaged_and_foreign_files_are_passed_over_with_a_word() -> None:
    put("good", writes(ended(0)))
    put("torn", writes(ended(0))[:-20])
    put("empty", "")
    put("two", example(load("tower")).read_text(encoding="utf-8") * 2)
    put("guest", '[Game "chess"]\n\n*\n')
    (state_folder() / "noise.duel").write_bytes(b"\xff\xfe\x00")
    (state_folder() / "folder.duel").mkdir()
    (state_folder() / "notes.txt").write_text("mine", encoding="utf-8")
    for _ in range(2):  # read, and remembered
        found = record_of()
        assert found.total.games == 1
        assert [each.id for each in found.unread] == ["folder", "guest", "noise", "torn", "two"]
    shown = run("--plain").stdout
    assert "Passed over: folder (it is a folder), and 4 more. See: duelbook games" in shown


@pytest.mark.skipif(os.name == "nt", reason="no pipes with names")
def test_a_pipe_is_not_waited_for() -> None:
    put("good", writes(ended(0)))
    os.mkfifo(state_folder() / "pipe.duel")
    assert [each.id for each in record_of().unread] == ["pipe"]


@pytest.mark.parametrize("noise", ["", "{", "[]", '{"version": 1, "games": {"g.duel": [1, 2]}}', '{"version": 9}'])
def test_a_damaged_cache_costs_nothing_but_time(noise: str, home: Path) -> None:
    put("g", writes(played_out("tower", 1)))
    before = record_of()
    (file,) = (home / "cache" / "duelbook").glob("games-read.json")
    file.write_text(noise, encoding="utf-8")
    assert record_of() == before


def test_what_was_read_is_not_read_again_until_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    for at in range(5):
        put(f"g{at}", writes(ended(0)))
    before = record_of()
    opened: list[str] = []
    reads_file = memory._read

    def noting(name: str, *more: Any) -> Any:
        opened.append(name)
        return reads_file(name, *more)

    monkeypatch.setattr(memory, "_read", noting)
    assert record_of() == before
    assert opened == []
    put("g3", writes(ended(1)))
    assert record_of().total.lost == 1
    assert opened == ["g3.duel"]


def test_whoever_breaks_off_need_not_wait_for_the_same_games_again() -> None:
    for at in range(5):
        put(f"g{at}", writes(ended(0)))

    def enough(done: int, of: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        recall(tell=enough)
    left: list[int] = []
    recall(tell=lambda done, of: left.append(of))
    assert left == [2, 2]


def test_a_file_that_can_be_read_again_counts_although_it_has_not_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    put("g", writes(ended(0)))

    def refused(path: Path, most: int) -> str:
        raise PermissionError(13, "not now")

    with monkeypatch.context() as closed:
        closed.setattr(memory, "read_text", refused)
        assert recall().unread == [("g", "not now")]
    assert record_of().total.won == 1


def test_games_that_were_read_without_weighing_are_weighed_when_that_is_wanted() -> None:
    put("g", writes(played_out("tower", 1)))
    assert record_of(weighed=False).total.loss is None
    assert record_of().total.loss is not None
    assert record_of(weighed=False).total.loss is not None


def test_nobody_who_has_no_folders_has_a_record(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", "nowhere")
    assert recall() == ([], [], [], "")
    assert "No game against a program counts so far" in run().stdout


# Forgetting


def test_forgetting_asks_first_and_keeps_the_games() -> None:
    path = put("g", writes(ended(0)))
    assert "Nothing is forgotten." in run("--forget", typed="n\n").stdout
    assert record_of().total.games == 1
    unsure = run("--forget", typed="maybe\nno\n")
    assert "Please answer yes or no. Enter alone forgets nothing." in unsure.stderr
    assert "Nothing is forgotten." in unsure.stdout
    shown = run("--forget", typed="y\n")
    assert "Forget 1 game?" in shown.stderr
    assert "Forgotten." in shown.stdout
    assert path.exists()
    found = record_of()
    assert (found.total.games, found.forgotten) == (0, 1)
    assert "1 forgotten" in run("--plain").stdout
    put("h", writes(ended(1)))
    assert record_of().total.lost == 1
    assert "There is nothing to forget." in run("energy", "--forget", "--yes").stdout


def test_a_game_that_was_not_over_when_all_was_forgotten_counts_once_it_is() -> None:
    put("g", writes(ended(0)))
    put("going", writes(ended(None)))
    assert run("--forget", "--yes").exit_code == 0
    put("going", writes(ended(1)))
    assert (record_of().total.won, record_of().total.lost) == (0, 1)


def test_one_duel_is_forgotten_alone_with_its_puzzles() -> None:
    put("a", writes(ended(0)))
    put("b", writes(ended(0, duel="energy")))
    tally = Tally({TODAY: True}, 3, 2, 1250.0)
    remember(lambda progress: {"tower": tally, "energy": tally})
    shown = run("tower", "--forget", typed="y\n")
    assert "Forget 1 game and 3 puzzles?" in shown.stderr
    data = json.loads(run("--json").stdout)
    assert [each["game"] for each in data["duels"]] == ["energy"]
    assert [each["game"] for each in data["puzzles"]["duels"]] == ["energy"]


def test_forgetting_answers_nobody_who_is_not_there() -> None:
    put("g", writes(ended(0)))
    run("--forget", typed="")
    assert record_of().total.games == 1
    assert run("--yes").exception is not None


def test_a_damaged_list_of_what_was_forgotten_is_said_and_not_written_over(home: Path) -> None:
    put("g", writes(ended(0)))
    run("--forget", "--yes")
    file = home / "state" / "duelbook" / "forgotten.json"
    file.write_text("{", encoding="utf-8")
    assert "cannot be read (it is damaged), so games that were forgotten count again" in run().stderr
    with pytest.raises(SaveError, match="Remove that file"):
        memory.forget(recall().games)
    assert file.read_text(encoding="utf-8") == "{"


def test_two_who_forget_at_once_forget_what_both_asked_for(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list is held from before it is read until it is written."""
    put("a", writes(ended(0)))
    put("b", writes(ended(0, duel="energy")))
    lock = Lock(home / "state" / "duelbook" / ".forgotten.json.lock")
    free: list[bool] = []

    def write(path: Path, text: str) -> None:
        free.append(lock.take())
        write_atomically(path, text)

    games = recall().games
    monkeypatch.setattr(memory, "write_atomically", write)
    memory.forget(games[:1])
    assert free == [False]
    assert lock.take()
    monkeypatch.setattr(locks, "SECONDS_TO_WAIT", 0.0)
    with pytest.raises(SaveError, match="another program holds it"):
        memory.forget(games[1:])
    lock.let_go()
    memory.forget(games[1:])
    assert len(recall().forgotten) == 2
    assert recall().games == []


def test_a_file_counts_once_under_however_many_names_and_no_other_name_brings_it_back() -> None:
    text = writes(ended(0))
    first, second = put("a", text), put("b", text)  # the same moves on the same day: two games
    first.with_name("c.duel").symlink_to(first)
    first.with_name("d.duel").hardlink_to(second)
    found = record_of()
    assert (found.total.games, found.not_counted) == (2, {"copy": 2})
    assert "Saved, but not counted: 2 counted already under another name." in run("--plain").stdout
    assert run("--forget", "--yes").exit_code == 0
    first.rename(first.with_name("renamed.duel"))
    assert record_of().total.games == 0
    put("e", text)
    assert record_of().total.games == 1, "the same moves again, in a game that was played since"


def test_a_copy_of_a_saved_game_counts_once_and_the_same_moves_again_count_twice() -> None:
    game = ended(0)
    told = [writes(game._replace(extra={"GameId": id})) for id in ("tower-1", "tower-1", "tower-2")]
    for id, text in zip(("a", "b", "c"), told, strict=True):
        put(id, text)
    put("d", told[0].replace("1. ", "{ a word about it } 1. ", 1))
    found = record_of()
    assert (found.total.games, found.not_counted) == (2, {"copy": 2})
    assert run("--forget", "--yes").exit_code == 0
    put("e", told[0])
    assert record_of().total.games == 0, "a copy does not bring back what was forgotten"


def test_a_saved_game_says_where_it_was_saved_first() -> None:
    match = Match(load("tower"))
    save = open_save(match)
    assert save is not None
    keeper = Keeper(start_record(match, ("human", "level:1")), save, None)
    match.play(0, 2)
    assert f'[GameId "{save.id}"]' in save.read()
    copy = Save(save.path.with_name("copy.duel"))
    copy.write(save.read())
    again = Keeper(reads(copy.read())[0], copy, None)
    again.write()
    assert f'[GameId "{save.id}"]' in copy.read(), "a copy that is gone on with keeps it"
    keeper.close()


def test_the_loss_says_what_it_is_of() -> None:
    """A 0.00 was read as: nothing was thrown away."""
    put("a", writes(ended(0)))
    told = " ".join(run("--plain").stdout.split())
    assert "if both sides played perfectly from there on" in told
    assert "against the opponent you met is another number" in told


def test_a_list_that_holds_names_alone_is_read_as_before(home: Path) -> None:
    put("g", writes(ended(0)))
    file = home / "state" / "duelbook" / "forgotten.json"
    file.write_text('{"version": 1, "games": ["g"]}', encoding="utf-8")
    found = record_of()
    assert (found.total.games, found.forgotten) == (0, 1)


# The next level


def games(standings: str, opponent: str = "level:2") -> list[Played]:
    """`w`, `l` and `d`, the earliest first."""
    names = {"w": WON, "l": LOST, "d": DRAWN}
    return [Played(f"{at:03}", "tower", "", "2026-11-02", names[each], opponent) for at, each in enumerate(standings)]


@pytest.mark.parametrize(
    ("standings", "due"),
    [
        ("", False),
        ("wwww", False),
        ("wwwww", True),
        ("lwwwwwww", True),
        ("llwwwwwwww", False),
        ("lwwwwwwwww", True),
        ("llllllllwwwwwwwwww", True),
        ("wwwwwwwwwwllllllllll", False),
        ("dwwwwdw", True),
        ("dddddddddd", False),
    ],
)
def test_the_next_level_is_named_when_the_last_ten_are_clearly_above_half(standings: str, due: bool) -> None:
    assert (nudge(games(standings)) is not None) is due


def test_the_chance_of_an_equal_is_exact() -> None:
    assert chance_of_an_equal(9, 10) == Fraction(11, 1024)
    assert chance_of_an_equal(0, 10) == 1
    assert chance_of_an_equal(8, 10) > CLEAR >= chance_of_an_equal(8, 9)
    assert sum(chance_of_an_equal(won, 7) - chance_of_an_equal(won + 1, 7) for won in range(8)) == 1


def test_the_nudge_is_to_the_rung_above_whoever_was_met_last() -> None:
    assert nudge(games("wwwwww", "random")) == Nudge("random", "level:1", 6, 0, 6)
    assert nudge(games("wwwwww", "level:6")) == Nudge("level:6", "perfect", 6, 0, 6)
    assert nudge(games("wwwwww", "perfect")) is None
    assert nudge(games("wwwwww", "engine:./mybot")) is None
    later = [each._replace(day="2026-11-03") for each in games("l", "level:3")]
    assert nudge([*games("wwwwww"), *later]) is None


# The command


def test_the_command_tells_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbook.cli.me.today", lambda: TODAY)
    for at in range(6):
        put(f"tower-{at}", writes(ended(0, rules=("goal=14",))))
    put("energy-1", writes(ended(1, ("perfect", "human"), duel="energy")))
    remember(lambda progress: {"tower": Tally({TODAY: True}, 3, 2, 1250.0)})
    shown = run("--plain").stdout.splitlines()
    assert shown[0].split() == ["Whom", "you", "met", "Games", "Won", "Lost", "Neither", "Score", "Loss"]
    rows = {line[:38].strip(): line[38:].split() for line in shown if line[38:].strip()}
    assert rows["Tower Defense Duel, goal=14"][:4] == ["6", "6", "0", "0"]
    assert rows["perfect"] == ["1", "1", "0", "0", "100", "%", "-"]
    assert rows["all together"][:6] == ["7", "7", "0", "0", "100", "%"]
    assert rows["2026-11"][:4] == ["7", "7", "0", "0"]
    assert rows["Tower Defense Duel"] == ["rating", "1250,", "2", "of", "3", "solved"]
    text = " ".join(" ".join(shown).split())
    assert "You won 6 of your last 6 games against level 2 beginner. Time for level 3 casual." in text
    assert "Try: duelbook play tower --p2 level:3 --rule goal=14" in text
    assert "Puzzles: 1 day in a row, 1 at best" in text
    assert max(map(len, shown[: shown.index("")])) <= 80
    only = run("energy", "--plain").stdout
    assert "Tower" not in only
    data = json.loads(run("tower", "--json").stdout)
    assert data["duels"][0]["next"] == {"player": "level:3", "after": "level:2", "games": 6, "won": 6, "lost": 0}
    assert data["total"]["games"] == 6


# Told to the one who played


def test_a_review_of_ones_own_game_says_you_and_of_a_friends_game_does_not(home: Path) -> None:
    put("mine", writes(ended(0, ("level:3", "human"))))
    (home / "theirs.duel").write_text(writes(ended(0, ("level:3", "human"))), encoding="utf-8")

    def reviewed(*names: str) -> str:
        return CliRunner().invoke(duelbook, ["review", *names, "--plain"], standalone_mode=False).stdout

    mine, theirs = reviewed("mine"), reviewed("theirs.duel")
    assert mine.startswith("Tower Defense Duel: you (Player 2) against level 3 casual, you lost. You resigned.")
    assert "(you lost)" in mine
    assert theirs.startswith("Tower Defense Duel: Player 1 (level 3 casual) against Player 2, 1-0. Player 2 resigned.")
    assert "(Player 1 wins)" in theirs
    assert reviewed("theirs.duel", "mine").count("you lost") == 2


def test_a_review_of_two_people_names_them() -> None:
    put("both", writes(ended(0, ("human", "human"))))
    shown = CliRunner().invoke(duelbook, ["review", "both", "--plain"], standalone_mode=False).stdout
    assert "Player 1 against Player 2, 1-0" in shown
    assert "(Player 1 wins)" in shown


def test_the_next_level_is_due_after_the_game_that_makes_it_clear_and_no_other() -> None:
    for at in range(5):
        put(f"tower-{at}", writes(ended(0)))
    assert next_level(ended(0)) == Nudge("level:2", "level:3", 5, 0, 5)
    assert next_level(ended(0, ("human", "level:1"))) is None
    assert next_level(ended(0, duel="energy")) is None
    assert next_level(ended(0, rules=("goal=14",))) is None
    assert next_level(ended(None)) is None
    assert next_level(ended(0, ("human", "human"))) is None

"""The front door: every name is there, lazily, under one spelling, and answers as the rooms behind it do."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import duelbook
from duelbook import Duel, DuelError, Entry, IllegalMove, Limits, Misread, View

SOURCE = Path(duelbook.__file__).read_text(encoding="utf-8")


def test_every_name_leads_somewhere() -> None:
    names = vars(duelbook)["__all__"]
    assert all(getattr(duelbook, name) is not None for name in names)
    assert {*names, "__all__"} <= set(dir(duelbook))
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        duelbook.nothing  # noqa: B018 - asking is what is tried


def test_checkers_of_types_see_the_names_that_are_loaded_late() -> None:
    """What stands under TYPE_CHECKING is the table that `__getattr__` reads."""
    seen, _ = (node for node in ast.parse(SOURCE).body if isinstance(node, ast.If))
    said = {
        alias.asname: node.module
        for node in seen.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname == alias.name  # as an import is spelled that is for others
    }
    assert said == duelbook._WHERE
    assert set(vars(duelbook)["__all__"]) == set(said)


def test_importing_loads_nothing_else() -> None:
    code = "import duelbook, sys; print(*(name for name in sys.modules if name.startswith('duelbook')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["duelbook"]


def test_positions_are_texts_or_states() -> None:
    tower = Duel("tower")
    state = tower.state("5 8 1")
    assert tower.value(state) == tower.value("5 8 1") == 1
    assert tower.value("5 8 2") == -tower.value("8 5 1")
    assert tower.state() == tower.game.start(tower.rules, 0)


def test_a_position_that_play_does_not_reach_is_answered_too() -> None:
    assert Duel("tower").value("14 14 1") == 1


@pytest.mark.parametrize("id", ["conquer", "deck", "energy", "secret", "tower"])
def test_plans_and_losses_agree_in_every_kind_of_duel(id: str) -> None:
    duel = Duel(id)
    state = duel.state()
    if duel.game.faces:
        state = duel.game.deal(duel.rules, state, duel.game.faces[3])
    plan = duel.plan(state)
    assert sum(plan.values()) == pytest.approx(1)
    assert set(duel.best(state)) >= set(plan)
    assert all(duel.loss(state, move) == pytest.approx(0, abs=1e-9) for move in plan)
    assert all(0 <= duel.loss(state, move) <= 1 for move in duel.legal(state))


def test_where_nobody_decides_there_is_no_plan() -> None:
    with pytest.raises(DuelError, match="Nobody decides at 20 20 1 1-10: a card comes first"):
        Duel("deck").plan()
    with pytest.raises(DuelError, match="the game is over"):
        Duel("tower").best("15 3 2")
    with pytest.raises(DuelError, match="Seat 1 does not decide at 5 8 1"):
        Duel("tower").best("5 8 1", seat=1)


def test_a_move_that_cannot_be_played_is_a_sentence() -> None:
    with pytest.raises(Misread, match="You can play"):
        Duel("tower").loss("5 8 1", "jump")
    with pytest.raises(IllegalMove, match="You can play"):
        Duel("tower").loss("5 2 1", "attack")


def test_a_seed_gives_the_same_game_as_the_command(tmp_path: Path) -> None:
    file = tmp_path / "game.duel"
    words = ["play", "deck", "--line", "--p1", "random", "--p2", "level:2", "--seed", "5", "--save", str(file)]
    home = os.environ | {"XDG_STATE_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-m", "duelbook", *words], capture_output=True, check=False, env=home)
    assert done.returncode == 0
    (said,) = duelbook.read_records(file)
    assert Duel("deck").play("random", "level:2", seed=5).match.steps == said.match.steps


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "game.duel"
    record = Duel("tower").play("random", "random", seed=1)
    duelbook.write_record(file, record, record)
    assert len(duelbook.read_records(file)) == 2
    with pytest.raises(DuelError, match="exists already"):
        duelbook.write_record(file, record)


def test_a_broken_record_is_told_and_not_raised(tmp_path: Path) -> None:
    file = tmp_path / "game.duel"
    text = duelbook.writes(Duel("tower").play("random", "random", seed=1))
    file.write_text(text.replace("build 1", "build 9"), encoding="utf-8")
    found = duelbook.verify(file)
    assert not found.ok
    assert found.error is not None
    assert "line" in found.error


class Stuck:
    """Plays what is not there."""

    closed = False

    def choose(self, view: View) -> int:
        return 99

    def close(self) -> None:
        self.closed = True


def test_a_player_of_ones_own_that_breaks_a_rule_loses_and_is_let_go() -> None:
    stuck = Stuck()
    outcome = Duel("tower").play("random", stuck, seed=1).match.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.kind, stuck.closed) == (0, "fault", True)


def test_a_person_cannot_sit_down_here() -> None:
    with pytest.raises(DuelError, match="needs a terminal"):
        Duel("tower").play("human", "random")


def test_daily_puzzles_go_by_the_book() -> None:
    with pytest.raises(DuelError, match="go by the book"):
        Duel("tower", "goal=20").daily()
    assert Duel("tower", "goal=20").puzzle(3).rules == Duel("tower", "goal=20").rules


def test_a_tournament_keeps_its_games_and_goes_on_with_them(tmp_path: Path) -> None:
    file = tmp_path / "games.duel"
    players = [Entry("random", "Ann"), Entry("random", "Bob")]
    first = duelbook.tournament(players, ["tower"], rounds=1, seed=1, play=True, file=file)
    more = duelbook.tournament(players, ["tower"], rounds=2, seed=1, play=True, file=file, resume=True)
    assert (len(list(first.records())), len(list(more.records()))) == (2, 4)
    assert [each.match.steps for each in more.records()][:2] == [each.match.steps for each in first.records()]
    more.write_pgn(tmp_path / "games.pgn")
    assert '[White "Ann"]' in (tmp_path / "games.pgn").read_text(encoding="utf-8")


def test_only_games_that_end_now_are_heard_of(tmp_path: Path) -> None:
    heard: list[int] = []
    for rounds, ended in ((1, [2]), (3, [4])):
        heard.clear()
        duelbook.tournament(
            ["random", "level:1"],
            ["tower"],
            rounds=rounds,
            seed=1,
            play=True,
            file=tmp_path / "games.duel",
            resume=rounds > 1,
            hear=lambda results: heard.append(len(results)),
        )
        assert [sum(heard)] == ended
        assert min(heard) > 0


def test_a_program_is_limited_from_here() -> None:
    entry = Entry("engine:false", "Slow", Limits(move_time=5, memory_mb=64))
    held = duelbook.tournament([entry, "random"], ["tower"], rounds=1, seed=1)
    assert held.found.plan.entrants[0].limits.move_time == 5


@pytest.mark.parametrize("id", ["deck", "secret", "tower"])
def test_there_is_one_unit_for_what_a_move_gives_away(id: str) -> None:
    duel = Duel(id)
    state = duel.state({"deck": "20 13 2 1-3,5,6,8-10:4", "secret": "98 96 9 7", "tower": "5 8 1"}[id])
    lost = {move: option.lost for move, option in duel.options(state).items()}
    assert lost == {move: duel.loss(state, move) for move in duel.legal(state)}
    assert any(lost.values())


def test_what_is_given_wrongly_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    tower = Duel("tower")
    with pytest.raises(DuelError, match=r"A review is of a Record, .*; 'tower' is none"):
        duelbook.review("tower")  # type: ignore[arg-type]  # the mistake that is tried
    with pytest.raises(DuelError, match="'yesterday' is not a day, written as 2026-11-15"):
        tower.daily("yesterday")
    with pytest.raises(DuelError, match=r"no meeting called \('level:3', 'nobody'\): it has pairs of random, level:1,"):
        tower.ladder()["level:3", "nobody"]
    with pytest.raises(DuelError, match="A position is a text such as '0 0 1', or a state; '5' is neither"):
        tower.value(5)
    monkeypatch.setitem(sys.modules, "duelbook.simulate", None)
    with pytest.raises(DuelError, match=r"duelbook\.simulate"):
        tower.simulate("perfect", "random", 10)


def test_a_day_can_be_written() -> None:
    assert Duel("tower").daily("2026-11-15") == Duel("tower").daily(date(2026, 11, 15))


def test_what_is_large_prints_in_a_line() -> None:
    tower = Duel("tower")
    assert repr(tower.daily(date(2026, 11, 15))) == "Puzzle('tower', '6 8 1', rating=1076)"
    assert len(repr(tower.map())) < 80


def test_reports_and_maps_are_not_written_over_what_is_there(tmp_path: Path) -> None:
    there = tmp_path / "there.svg"
    there.write_text("mine", encoding="utf-8")
    held = duelbook.tournament(["random", "perfect"], ["tower"], rounds=1)
    grid = Duel("tower").map()
    for write in (held.write_report, held.write_pgn, lambda file: duelbook.draw_map(grid, file)):
        with pytest.raises(DuelError, match="exists already"):
            write(there)
    assert there.read_text(encoding="utf-8") == "mine"
    held.write_report(there, replace=True)
    assert there.read_text(encoding="utf-8") != "mine"


def test_a_test_needs_two_players_and_a_list_of_duels_is_no_text() -> None:
    with pytest.raises(DuelError, match="compares two players"):
        duelbook.tournament(["random", "perfect", "level:1"], ["tower"], test=(0, 10))
    with pytest.raises(DuelError, match="a list of texts"):
        duelbook.tournament(["random", "perfect"], "tower")


@pytest.mark.slow
def test_a_map_is_drawn_as_its_file_is_called(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    grid = Duel("tower").map("5 8 1")
    duelbook.draw_map(grid, tmp_path / "map.png")
    assert (tmp_path / "map.png").read_bytes()[1:4] == b"PNG"
    with pytest.raises(DuelError, match=r"\.png or \.svg"):
        duelbook.draw_map(grid, tmp_path / "map.jpg")


def recorded(**changed: Any) -> duelbook.Record:
    match = Duel("tower").match()
    match.resign(0)
    return duelbook.Record(match)._replace(**changed)


def arena(**changed: Any) -> object:
    return duelbook.tournament(["random", "level:1"], ["tower"], **{"rounds": 1, "play": True, **changed})


WRONG: dict[str, Callable[[], object]] = {
    "a duel": lambda: Duel(3),  # type: ignore[arg-type]
    "a rule": lambda: Duel("tower", 20),  # type: ignore[arg-type]
    "a match of a name": lambda: duelbook.Match("tower"),  # type: ignore[arg-type]
    "names for players": lambda: Duel("tower").match().run(("random", "random")),  # type: ignore[arg-type]
    "a number for a player": lambda: Duel("tower").play(3, "random"),  # type: ignore[arg-type]
    "a seed of letters": lambda: Duel("deck").play("random", "random", seed="x"),  # type: ignore[arg-type]
    "a seed that no record holds": lambda: Duel("deck").play("random", "random", seed=10**40),
    "no turns": lambda: Duel("tower").match(max_turns=0),
    "half a turn": lambda: Duel("tower").match(max_turns=1.5),  # type: ignore[arg-type]
    "a bell that no record holds": lambda: Duel("tower").match(max_turns=10**6),
    "a third seat resigns": lambda: Duel("tower").match().resign(2),
    "a seat from the end": lambda: Duel("tower").match().resign(-1),
    "a seat from the end fails": lambda: Duel("tower").match().fault(-1, "time", "It was late."),
    "a third seat picks": lambda: Duel("secret").match().play(2, 0),
    "a third seat is hinted": lambda: Duel("secret").hint("1 1 - -", seat=2),
    "a seat that is not to move is hinted": lambda: Duel("tower").hint("5 8 1", seat=1),
    "a state of other numbers": lambda: Duel("tower").value(Duel("tower").state()._replace(mover=7)),
    "a state below nothing": lambda: Duel("tower").value(Duel("tower").state()._replace(towers=(-5, 3))),
    "a state of text": lambda: Duel("tower").legal(Duel("tower").state()._replace(towers=("a", 1))),
    "a state that is too short": lambda: Duel("tower").text(Duel("tower").state()._replace(towers=(1,))),
    "a move's number for its word": lambda: Duel("tower").loss("5 8 1", 3),  # type: ignore[arg-type]
    "a puzzle by letters": lambda: Duel("tower").puzzle("x"),  # type: ignore[arg-type]
    "a kind of player": lambda: duelbook.seat_player(3, 1),  # type: ignore[arg-type]
    "bytes for a record": lambda: duelbook.reads(b"[Game]"),  # type: ignore[arg-type]
    "a tournament's seed": lambda: duelbook.tournament(["random", "level:1"], ["tower"], seed="x"),  # type: ignore[arg-type]
    "a tournament's rounds": lambda: duelbook.tournament(["random", "level:1"], ["tower"], rounds=1.5),  # type: ignore[arg-type]
    "a tournament's duel": lambda: duelbook.tournament(["random", "level:1"], [3]),  # type: ignore[list-item]
    "a tournament's test": lambda: duelbook.tournament(["random", "level:1"], ["tower"], test=("0", "1")),  # type: ignore[arg-type]
    "a number for a name": lambda: duelbook.tournament([Entry("random", 3), "level:1"], ["tower"]),  # type: ignore[arg-type]
    "a number for a record": lambda: duelbook.writes(3),  # type: ignore[arg-type]
    "a match for a record": lambda: duelbook.writes(Duel("tower").match()),  # type: ignore[arg-type]
    "a record of a number": lambda: duelbook.writes(duelbook.Record(3)),  # type: ignore[arg-type]
    "one kind of player": lambda: duelbook.writes(recorded(seats=("random",))),
    "a number for a date": lambda: duelbook.writes(recorded(date=3)),
    "a list of comments": lambda: duelbook.writes(recorded(comments=["a"])),
    "a number for a comment": lambda: duelbook.writes(recorded(comments={0: 3})),
    "a number for a file of records": lambda: duelbook.write_record(3, recorded()),  # type: ignore[arg-type]
    "a number for a file that is read": lambda: duelbook.read_records(3),  # type: ignore[arg-type]
    "a number for a file that is verified": lambda: duelbook.verify(3),  # type: ignore[arg-type]
    "averages of a number": lambda: duelbook.averages(3),  # type: ignore[arg-type]
    "averages of numbers": lambda: duelbook.averages([3]),  # type: ignore[list-item]
    "averages of records": lambda: duelbook.averages([recorded()]),  # type: ignore[list-item]
    "a map of a number": lambda: duelbook.draw_map(3, "x.png"),  # type: ignore[arg-type]
    "a map's file": lambda: duelbook.draw_map(Duel("tower").map(), 3),  # type: ignore[arg-type]
    "a tournament on a number": lambda: arena(on=3),
    "a tournament's kind": lambda: arena(kind=3),
    "a tournament's openings": lambda: arena(openings=3),
    "a tournament's event": lambda: arena(event=3),
    "a tournament's file": lambda: arena(file=3),
    "a tournament's listener": lambda: arena(hear=3),
    "a tournament's listener to warnings": lambda: arena(warn=3),
    "a tournament's test of one number": lambda: arena(test=3),
    "a tournament's games at a time": lambda: arena(on="local", concurrency="x"),
    "no game at a time": lambda: arena(on="local", concurrency=0),
    "a tournament of a number": lambda: duelbook.tournament(3, ["tower"]),  # type: ignore[arg-type]
    "a tournament of numbers of duels": lambda: duelbook.tournament(["random", "level:1"], 3),  # type: ignore[arg-type]
    "a number for a program": lambda: duelbook.check_engine(3),  # type: ignore[arg-type]
    "no program": lambda: duelbook.check_engine([]),
    "a program of numbers": lambda: duelbook.check_engine([3]),  # type: ignore[list-item]
    "a limit that there is not": lambda: duelbook.check_engine("true", patience=3),
    "a slack of letters": lambda: duelbook.check_engine("true", slack="x"),  # type: ignore[arg-type]
    "a simulation from somewhere": lambda: Duel("tower").simulate("random", "random", 5, start="5 8 1"),
    "a simulation by other rules": lambda: Duel("tower").simulate("random", "random", 5, rules=3),
    "rules of a number": lambda: duelbook.variant(3, []),  # type: ignore[arg-type]
    "a number for settings": lambda: duelbook.variant(duelbook.load("tower"), 3),  # type: ignore[arg-type]
    "one name": lambda: duelbook.Match(duelbook.load("tower"), names=("Ann",)),  # type: ignore[arg-type]
    "a number for a player's name": lambda: duelbook.Match(duelbook.load("tower"), names=("Ann", 3)),  # type: ignore[arg-type]
    "a number for names": lambda: duelbook.Match(duelbook.load("tower"), names=3),  # type: ignore[arg-type]
    "a number for luck": lambda: duelbook.Match(duelbook.load("deck"), stacked=3),  # type: ignore[arg-type]
    "a number for a state": lambda: duelbook.Match(duelbook.load("tower"), start=3),
    "a number for rules": lambda: duelbook.Match(duelbook.load("tower"), 3),
    "a seventh seat begins": lambda: duelbook.Match(duelbook.load("tower"), first=7),
    "a check of nothing": lambda: duelbook.check_game(3),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("wrong", WRONG)
def test_whatever_is_of_the_wrong_kind_is_a_sentence(wrong: str) -> None:
    with pytest.raises(DuelError, match=r"\w+ \w+.*[.:]"):
        WRONG[wrong]()


def named(*names: str) -> duelbook.Record:
    match = duelbook.Match(duelbook.load("tower"), names=(names[0], names[1]))
    match.resign(0)
    return duelbook.Record(match)


UNREADABLE: dict[str, Callable[[], duelbook.Record]] = {
    "a long name": lambda: named("a" * 1001, "b"),
    "a tag of two words": lambda: recorded(extra={"My tag": "x"}),
    "a tag without a name": lambda: recorded(extra={"": "x"}),
    "a tag that is a number": lambda: recorded(extra={3: "x"}),
    "a tag of our own": lambda: recorded(extra={"Game": "x"}),
    "a number in a tag": lambda: recorded(extra={"Event": 3}),
    "a long tag": lambda: recorded(extra={"Event": "x" * 200_001}),
    "many tags": lambda: recorded(extra={f"Tag{number}": "x" for number in range(201)}),
    "a list of tags": lambda: recorded(extra=["Event"]),
    "a late bell": lambda: duelbook.Record(duelbook.Match(duelbook.load("tower"), max_turns=10**6)),
    "a stack that cannot be": lambda: duelbook.Record(duelbook.Match(duelbook.load("deck"), stacked=(1, 1))),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_could_not_be_read_again_is_not_written(what: str) -> None:
    with pytest.raises(DuelError, match=r"\w+ \w+.*\."):
        duelbook.writes(UNREADABLE[what]())


def test_what_is_just_allowed_reads_back() -> None:
    record = named("a" * 1000, 'A "quoted"\\ name')._replace(extra={f"Tag{number}": "x" * 50 for number in range(200)})
    (again,) = duelbook.reads(duelbook.writes(record))
    assert (again.match.names, again.extra) == (record.match.names, record.extra)


@pytest.mark.parametrize(
    "limits",
    [
        Limits(move_time=0),
        Limits(move_time=float("nan")),
        Limits(move_time="x"),  # type: ignore[arg-type]
        Limits(clock=(1.0,)),  # type: ignore[arg-type]
        Limits(clock=(0.0, 1.0)),
        Limits(memory_mb=1),
        Limits(cpu_seconds=1.5),  # type: ignore[arg-type]
        Limits(options=("a",)),  # type: ignore[arg-type]
        Limits(options=(("depth", "4\nquit"),)),
        Limits(around=3),  # type: ignore[arg-type]
        "fast",
    ],
)
def test_limits_that_no_program_can_be_held_to_are_refused_before_a_game(limits: Limits) -> None:
    with pytest.raises(DuelError, match="imit"):
        duelbook.tournament([Entry("engine:false", "bot", limits), "random"], ["tower"], rounds=1)


@pytest.mark.slow
def test_what_the_front_door_takes_as_a_name_the_kit_takes_too() -> None:
    assert duelbook.check_game("tower").good

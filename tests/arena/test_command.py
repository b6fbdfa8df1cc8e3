"""`duelbook arena` as a person types it."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from duelbook.arena.play.results import Duel
from duelbook.arena.play.schedule import Entry, enter
from duelbook.cli.arena import command
from duelbook.cli.arena_progress import Running, progress
from duelbook.cli.arena_stopping import stopped_by_signals
from duelbook.cli.arena_words import Bounds, pairs, read_duels, read_engine, read_limits, read_sprt
from duelbook.core import DuelError
from duelbook.engine.limits import Limits
from engine_helper import bad
from torture.arena_kill import without_file


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.chdir(tmp_path)


def arena(words: str, *more: str) -> Result:
    return CliRunner().invoke(command, [*words.split(), *more], standalone_mode=False)


def said(words: str, *more: str) -> str:
    done = arena(words, *more)
    if done.exception:
        raise done.exception
    return done.output


def found(words: str, *more: str) -> dict[str, Any]:
    done = arena(f"{words} --json --on one-process", *more)
    if done.exception:
        raise done.exception
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_tables_are_computed_and_that_is_said() -> None:
    text = said("random level:3 perfect --games tower")
    assert "No game was played. 3 meetings computed exactly." in text
    assert "nothing was played: their chances (=) are computed exactly" in text


def test_play_plays_what_could_be_computed() -> None:
    answer = found("random level:3 --games tower,energy --rounds 3 --play")
    assert (answer["played"], answer["computed"]) == (12, 0)
    assert [(row["games"], row["computed"]) for row in answer["table"]] == [(12, 0), (12, 0)]


@pytest.mark.slow
def test_the_table_is_the_same_however_it_is_played() -> None:
    words = "random level:3 perfect --games tower,deck --rounds 2 --play --seed 9 --json"
    answers = [json.loads(said(f"{words} {where}")) for where in ("--on one-process", "--concurrency 2")]
    assert without_file(answers[0]) == without_file(answers[1])


def test_every_game_is_in_the_file(tmp_path: Path) -> None:
    answer = found("random level:3 --games tower --rounds 3 --play --out games.duel")
    assert answer["file"] == "games.duel"
    assert (tmp_path / "games.duel").read_text(encoding="utf-8").count("[ArenaTask ") == 6


def test_without_a_name_the_file_is_in_the_state_folder_and_resume_finds_it(tmp_path: Path) -> None:
    words = "random level:3 --games tower --rounds 3 --play"
    first = found(words)
    assert Path(first["file"]).parent == tmp_path / "state" / "duelbook" / "arena"
    assert found(f"{words} --resume") == {**first, "seed": None}  # it was published then; another part has another
    assert found(words)["file"] != first["file"]


def test_a_tournament_can_go_on_for_longer() -> None:
    words = "random level:3 --games tower --play --seed 4 --out games.duel"
    found(f"{words} --rounds 3")
    longer = found(f"{words} --rounds 6 --resume")
    whole = found("random level:3 --games tower --play --seed 4 --rounds 6 --out other.duel")
    assert without_file(longer) == without_file(whole)


def test_a_file_that_is_there_is_refused_without_resume() -> None:
    words = "random level:3 --games tower --rounds 1 --play --out games.duel"
    found(words)
    with pytest.raises(DuelError, match="exists already"):
        found(words)
    with pytest.raises(DuelError, match="belongs to another tournament"):
        found(f"{words} --resume --seed 3")


def test_results_as_pgn(tmp_path: Path) -> None:
    found("random level:3 --games tower --rounds 2 --play --pgnout games.pgn")
    text = (tmp_path / "games.pgn").read_text(encoding="utf-8")
    assert text.count('[White "random"]') == text.count('[Black "random"]') == 2


def test_a_gauntlet() -> None:
    answer = found("perfect random level:1 --games tower --rounds 2 --play --tournament gauntlet")
    assert {(each["player"], each["opponent"]) for each in answer["meetings"]} == {
        ("perfect", "random"),
        ("random", "perfect"),
        ("perfect", "level:1"),
        ("level:1", "perfect"),
    }


@pytest.mark.slow
def test_the_test_stops_when_it_is_clear() -> None:
    words = "level:6 level:1 --games tower --rounds 1000 --play --seed 5"
    answer = found(words, "--sprt", "elo0=0", "elo1=50", "alpha=0.01")
    assert answer["sprt"]["accepted"] == "H1"
    assert answer["played"] == 2 * answer["sprt"]["pairs"] < 200
    assert (answer["sprt"]["stopped"], answer["sprt"]["alpha"], answer["sprt"]["beta"]) == ("bound reached", 0.01, 0.05)
    text = said(f"{words} --concurrency 2", "-sprt", "elo0=0", "elo1=50", "alpha=0.01")
    assert answer["sprt"]["sentence"] in text
    assert "H0, level:6 is 0 Elo above level:1, or H1, it is 50 above: which fits the games better? alpha 0.01" in text


def test_a_test_that_is_not_clear_says_that_the_rounds_are_used_up() -> None:
    answer = found("level:4 level:3 --games tower --rounds 5 --play", "--sprt", "elo0=0", "elo1=50")
    assert (answer["sprt"]["accepted"], answer["sprt"]["stopped"]) == (None, "rounds used up")
    assert (answer["sprt"]["pairs"], sum(answer["sprt"]["counts"])) == (5, 5)


def test_a_test_of_tables_is_not_needed() -> None:
    done = arena("level:6 level:1 --games tower", "--sprt", "elo0=0", "elo1=50")
    assert "Everything is known exactly" in done.stderr
    assert "accepted" not in done.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("random", "A tournament needs at least two players"),
        ("random human", "A tournament is for programs"),
        ("random nobody", "There is no player called 'nobody'"),
        ("random perfect --games ,", "--duels names no duel; there are conquer, deck,"),
        ("random perfect level:1 --tournament duel", "A duel has two players, not 3"),
        ("random perfect --sprt elo0=10 elo1=0", "elo0 must be less than elo1; 10 and 0 are not."),
        (
            "random perfect --on moon",
            "Games can be played on: local, one-process, dask://HOST:PORT, ray; not on 'moon'.",
        ),
        ("random perfect --on one-process --concurrency 2", "One process plays one game at a time, not 2"),
        ("random --engine cmd=x memory=1", "memory is a number of megabytes, from 16 to 1,048,576; '1' is not."),
        ("random perfect -games 2", "--games and --duels name the duels, as in tower,deck; how many pairs of games is"),
        ("random perfect -openings file=x", "--openings takes the name of a file alone"),
        ("random perfect -draw x", "There is no option '-draw'."),
        ("random perfect -round 3", "There is no option '-round'. Did you mean '--rounds'?"),
        ("random perfect --games chess", "There is no duel called 'chess'"),
        ("random perfect --games tower --rule foo=1", "Tower Defense Duel has no rule called 'foo'"),
        ("random perfect --rule foo=1", "None of the duels that are played has the rule 'foo=1'"),
        ("random perfect level:1 --sprt elo0=0", "--sprt compares two players"),
        ("random perfect --sprt", "--sprt needs words such as elo0=... after it."),
        ("random perfect --sprt elo2=3", "--sprt does not know 'elo2'; it knows elo0, elo1, alpha, beta and model."),
        ("random perfect --sprt elo0=0 model=normalized", "the logistic model; 'normalized' is another scale"),
        ("random --engine name=x", "--engine needs the program: cmd=./mybot"),
        ("random --engine cmd=x proto=uci", "Programs speak Duelbook's own protocol here"),
        ("random --engine cmd=x dir=y", "--engine takes no dir"),
        ("random --engine cmd=x depth=y", "--engine does not know 'depth'"),
        ("random perfect --st 1 --tc 10", "not both"),
        ("random perfect --st soon", "st is a number of seconds for a move"),
        ("random perfect --tc soon", "A clock is written as 60+0.5"),
    ],
)
def test_what_is_said_wrongly_is_answered_with_a_sentence(words: str, sentence: str) -> None:
    done = arena(words)
    assert isinstance(done.exception, click.UsageError)
    assert sentence in str(done.exception.message)


# Before the first game


def test_a_program_that_is_not_there_is_said() -> None:
    with pytest.raises(DuelError, match=r"'\./nobody' cannot be started: there is no such program\."):
        said("random engine:./nobody --games tower")


@pytest.mark.parametrize("option", ["report", "pgnout"])
def test_a_file_that_cannot_be_written_is_said(option: str, tmp_path: Path) -> None:
    with pytest.raises(DuelError, match=r"nowhere/x cannot be written: .* Nothing was played\."):
        said(f"random level:3 --games tower --play --out a.duel --{option} nowhere/x")
    with pytest.raises(click.UsageError, match=r"does not go into a \.duel file"):
        said(f"random level:3 --games tower --play --{option} old.duel")
    with pytest.raises(click.UsageError, match=rf"--out and --{option} both name a; each needs a file of its own"):
        said(f"random level:3 --games tower --play --out a --{option} ./a")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="links as Unix has them")
@pytest.mark.parametrize("option", ["report", "pgnout"])
def test_a_link_to_a_report_stays_a_link_also_one_that_leads_nowhere(option: str, tmp_path: Path) -> None:
    Path("link").symlink_to("page")
    for again in ("", "--resume"):  # a tournament that goes on makes its report again
        said(f"random level:3 --games tower --play --rounds 1 --seed 1 --{option} link --on one-process {again}")
        assert Path("link").is_symlink()
        assert Path("page").stat().st_size > 100
        assert Path("page").stat().st_mode & 0o077 == 0o066 & ~umask()


def umask() -> int:
    now = os.umask(0o022)
    os.umask(now)
    return now


def test_a_program_is_not_made_to_play_what_it_does_not() -> None:
    with pytest.raises(click.UsageError, match=r"does not play deck\. Say --duels tower, or leave it out\."):
        said("--games tower,deck random", f"engine:{bad('only-tower')}")


def test_an_option_that_the_program_cannot_take_is_said() -> None:
    with pytest.raises(click.UsageError, match=r"Temper is a number from 1 to 5, not '9'\."):
        said("--games tower random --engine", f"cmd={bad('nothing')}", "option.Temper=9")
    with pytest.raises(click.UsageError, match="has no option called 'Log File'"):
        said("--games tower random --engine", f"cmd={bad('nothing')}", "option.Log File=a b")


def test_a_program_that_fails_at_once_loses_its_games_by_that() -> None:
    done = arena("--games tower random --rounds 1 --json --on one-process", f"engine:{bad('crash-at-start')}")
    assert "does not start properly, and will lose its games if that goes on" in done.stderr
    assert json.loads(done.stdout)["played"] == 2


def test_who_needs_a_solution_that_cannot_be_had_is_told_so_and_nothing_is_played(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from duelbook.arena.play import ready

    def refuse(*args: object) -> None:
        raise DuelError("It cannot be solved.")

    monkeypatch.setattr(ready, "solution_for", refuse)
    with pytest.raises(DuelError, match=r"^It cannot be solved\.$"):
        said("random level:3 --games tower --play --out a.duel")
    assert list(tmp_path.iterdir()) == []
    done = arena("random random --games tower --play --rounds 1 --json --on one-process")
    assert "It cannot be solved. Decisions in tower are not weighed." in done.stderr


# Words


def test_engines_as_chess_tournaments_name_them() -> None:
    entry = read_engine("cmd=./mybot 'args=--depth 3' name=Mine st=0.5 option.Hash=8", {"tc": "60", "memory": "64"})
    assert entry == Entry("engine:./mybot --depth 3", "Mine", Limits(0.5, None, memory_mb=64, options=(("Hash", "8"),)))


def test_limits() -> None:
    assert read_limits({}) == Limits()
    assert read_limits({"tc": "inf", "st": "2"}) == Limits(2.0)
    assert read_limits({"tc": "1:30+0.5"}) == Limits(clock=(90.0, 0.5))
    assert read_limits({"tc": "10", "cpu": "5"}) == Limits(clock=(10.0, 0.0), cpu_seconds=5)


def test_duels() -> None:
    assert read_duels(["tower, deck", "tower"], [], []) == (Duel("tower"), Duel("deck"))
    assert len(read_duels([], [], [])) == len(read_duels(["all"], [], [])) >= 5
    assert read_duels([], [], ["tower goal=20", "tower:goal=21"]) == (
        Duel("tower", ("goal=20",)),
        Duel("tower", ("goal=21",)),
    )
    assert read_duels(["tower,energy"], ["goal=20"], []) == (Duel("tower", ("goal=20",)), Duel("energy"))


def test_tests() -> None:
    assert read_sprt("elo0=-5 elo1=5 model=logistic") == Bounds(-5.0, 5.0, 0.05, 0.05)
    assert pairs("a=1 b=x=y", "--x", ("a", "b")) == {"a": "1", "b": "x=y"}


def test_programs_come_first_and_options_may_have_one_dash(monkeypatch: pytest.MonkeyPatch) -> None:
    from duelbook.cli import arena as module

    plans = []

    def stop(plan: Any) -> None:
        plans.append(plan)
        raise DuelError("enough")

    monkeypatch.setattr(module, "programme", stop)
    words = ["perfect", "-engine", "cmd=./a", "name=A", "-engine", "cmd=./b", "-each", "st=0.1", "-rounds", "7"]
    assert isinstance(arena("", *words).exception, DuelError)
    (plan,) = plans
    assert [entrant.name for entrant in plan.entrants] == ["A", "b", "perfect"]
    assert [entrant.limits.move_time for entrant in plan.entrants] == [0.1, 0.1, 1.0]
    assert plan.rounds == 7


# While it runs


def test_the_state_of_the_table_while_it_runs() -> None:
    from arena_helper import plan
    from duelbook.arena.play.crews import crew
    from duelbook.arena.play.results import Fault
    from duelbook.arena.play.tournament import hold, programme

    asked = plan("random level:3 perfect", "tower", rounds=1)
    results = hold(programme(asked), crew("one-process")).results
    running = Running(asked.entrants)
    assert list(running.lines()) == []
    running.add([results[0]._replace(winner=0), results[1]._replace(winner=0, fault=Fault(1, "time", "late"))])
    running.note = lambda: "Not clear yet."
    assert list(running.lines()) == [
        "  random    50.0 %  1 of 2, 1 lost by a fault",
        "  level:3   50.0 %  1 of 2",
        "  Not clear yet.",
    ]


def test_where_no_bar_can_be_drawn_a_line_says_now_and_then_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from duelbook.cli import arena_progress

    monkeypatch.setattr(arena_progress, "EVERY", 0.0)
    with progress(enter(["random", "perfect"]), 4) as running:
        running.add([])
        running.add([])
    assert capsys.readouterr().err == "0 of 4 games are played.\n" * 2


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_signals_that_end_a_program_stop_the_games_as_ctrl_c_does(name: str) -> None:
    usual = signal.getsignal(getattr(signal, name))
    with pytest.raises(KeyboardInterrupt), stopped_by_signals():
        signal.raise_signal(getattr(signal, name))
    assert signal.getsignal(getattr(signal, name)) == usual

"""An exam from its beginning to its end: order, folder, resuming, stopping by itself, editions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import duelbook
from duelbook.core import DuelError, SaveError
from duelbook.exam.folder import ANSWERS, REPORT
from duelbook.match import View
from duelbook.policies.levels import RUNGS

FEW = ["energy", "tower"]


class Last:
    """Always the last move of the list, and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, view: View) -> int:
        self.asked += 1
        return view.legal()[-1]


class Tired(Last):
    """Gives up the whole program after so many questions, as a kill does."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after = after

    def choose(self, view: View) -> int:
        if self.asked == self.after:
            raise KeyboardInterrupt
        return super().choose(view)


def test_the_ladder_comes_out_in_its_order() -> None:
    (sat,) = duelbook.examine(RUNGS, questions=80, duels=FEW).sat
    assert [each.candidate.name for each in sat.scores] == list(reversed(RUNGS))
    assert sat.scores[0].lost.value == 0
    beside = {each.name: each.lost for each in sat.yardsticks}
    for each in sat.scores:
        assert each.lost.value == pytest.approx(beside[each.candidate.name])


def test_the_same_exam_twice_is_the_same() -> None:
    first, second = (duelbook.examine([Last(), "level:3"], questions=20, duels=FEW).data() for _ in range(2))
    assert first == second


def test_everything_is_in_the_folder(tmp_path: Path) -> None:
    taken = duelbook.examine([Last(), "perfect"], questions=20, duels=FEW, folder=tmp_path / "one")
    rows = [json.loads(line) for line in (tmp_path / "one" / ANSWERS).read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 40
    assert {row["player"] for row in rows} == {"Last", "perfect"}
    assert all(row["lost"] == 0 for row in rows if row["player"] == "perfect")
    page = (tmp_path / "one" / REPORT).read_text(encoding="utf-8")
    assert "Last" in page
    assert taken.report().startswith("Duelbook exam: book, 20 questions in energy, tower")


def test_who_goes_on_asks_only_what_was_not_answered(tmp_path: Path) -> None:
    whole = duelbook.examine([Last()], questions=20, duels=FEW).data()["editions"]
    with pytest.raises(KeyboardInterrupt):
        duelbook.examine([_named(Tired(7))], questions=20, duels=FEW, folder=tmp_path)
    again = Last()
    resumed = duelbook.examine([again], questions=20, duels=FEW, folder=tmp_path, resume=True)
    assert again.asked == 13
    assert resumed.data()["editions"] == whole


def _named(player: Last) -> duelbook.Player:
    """The same name and kind as the player that goes on."""
    from duelbook.exam.examinee import Candidate

    return Candidate("Last", "python:Last", player)  # type: ignore[return-value]  # a candidate is taken, too


@pytest.mark.parametrize("cut", [1, 30, 90])
def test_half_an_answer_is_cut_off_and_asked_again(tmp_path: Path, cut: int) -> None:
    duelbook.examine([Last()], questions=20, duels=FEW, folder=tmp_path)
    file = tmp_path / ANSWERS
    before = file.read_bytes()
    file.write_bytes(before[:-cut])
    again, said = Last(), list[str]()
    duelbook.examine([again], questions=20, duels=FEW, folder=tmp_path, resume=True, warn=said.append)
    assert again.asked == 1
    assert file.read_bytes() == before
    assert len(said) == 1


def test_a_folder_with_answers_is_not_written_to_unasked(tmp_path: Path) -> None:
    duelbook.examine(["perfect"], questions=20, duels=FEW, folder=tmp_path)
    with pytest.raises(SaveError, match="--resume"):
        duelbook.examine(["perfect"], questions=20, duels=FEW, folder=tmp_path)
    with pytest.raises(SaveError, match="holds an exam in energy, tower"):
        duelbook.examine(["perfect"], questions=20, duels=["tower"], folder=tmp_path, resume=True)


def test_answers_to_another_paper_are_refused(tmp_path: Path) -> None:
    duelbook.examine(["perfect"], questions=20, duels=FEW, folder=tmp_path)
    file = tmp_path / ANSWERS
    file.write_text(file.read_text(encoding="utf-8").replace("seat 2", "seat 1"), encoding="utf-8")
    with pytest.raises(SaveError, match="answers another paper"):
        duelbook.examine(["perfect"], questions=20, duels=FEW, folder=tmp_path, resume=True)


@pytest.mark.parametrize("line", ["nonsense", "[]", '{"edition": "book"}', '{"edition": "book", "question": "x"}'])
def test_a_damaged_line_is_named(tmp_path: Path, line: str) -> None:
    duelbook.examine(["perfect"], questions=20, duels=FEW, folder=tmp_path)
    file = tmp_path / ANSWERS
    first, rest = file.read_text(encoding="utf-8").split("\n", 1)
    file.write_text(f"{first}\n{line}\n{rest}", encoding="utf-8")
    with pytest.raises(SaveError, match="line 2, is damaged"):
        duelbook.examine(["perfect"], questions=20, duels=FEW, folder=tmp_path, resume=True)


def test_more_questions_can_be_asked_later(tmp_path: Path) -> None:
    duelbook.examine([Last()], questions=20, duels=FEW, folder=tmp_path)
    again = Last()
    taken = duelbook.examine([again], questions=32, duels=FEW, folder=tmp_path, resume=True)
    assert again.asked == 12
    assert taken.data()["editions"] == duelbook.examine([Last()], questions=32, duels=FEW).data()["editions"]


def test_it_stops_when_two_are_told_apart() -> None:
    (sat,) = duelbook.examine(["random", "perfect"], questions=200, duels=FEW, until_separated=True).sat
    assert sat.apart is not None
    assert sat.apart.lost_more == 0
    assert sat.asked == sat.apart.questions < 200
    assert sat.asked % sat.edition.lap == 0
    assert len(sat.scores[0].marks) == sat.asked


def test_equals_are_not_told_apart() -> None:
    taken = duelbook.examine(["level:3", "level:3"], questions=40, duels=FEW, until_separated=True)
    (sat,) = taken.sat
    assert sat.apart is not None
    assert sat.apart.lost_more is None
    assert sat.asked == 40
    assert "not told apart" in taken.report()
    assert [each.candidate.name for each in sat.scores] == ["level:3", "level:3 #2"]


def test_what_cannot_be_asked_for_is_refused() -> None:
    with pytest.raises(DuelError, match="at least one player"):
        duelbook.examine([])
    with pytest.raises(DuelError, match="exactly two"):
        duelbook.examine(["random"], until_separated=True)
    with pytest.raises(DuelError, match="number of questions"):
        duelbook.examine(["random"], questions=0)
    with pytest.raises(DuelError, match="needs an edition"):
        duelbook.examine(["random"], [])


def test_a_program_that_cannot_be_started_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    with pytest.raises(DuelError, match=r"no-such-bot cannot play: .* cannot be started: there is no such program"):
        duelbook.examine([f"engine:{tmp_path}/no-such-bot"], duels=["tower"], questions=2, folder=tmp_path / "kept")
    assert not (tmp_path / "kept").exists()

"""What stands beside an exam: comparing two, what it costs, and every decision at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import duelbook
from duelbook.cli import duelbook as command
from duelbook.core import DuelError
from duelbook.exam.compare import compare, lines
from duelbook.exam.cost import cost_between, ladder_costs
from duelbook.exam.editions import edition
from duelbook.exam.examinee import candidate
from duelbook.exam.whole import examine_all

FEW = ["energy", "tower"]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kept")
    duelbook.examine(["level:1", "level:5"], questions=40, duels=FEW, folder=folder / "both")
    duelbook.examine(["level:5"], questions=60, duels=FEW, folder=folder / "one")
    return folder


def test_two_are_compared_on_the_questions_that_both_were_asked(kept: Path) -> None:
    (found,) = compare(f"{kept / 'both'}:level:1", kept / "one")
    assert found.questions == 40
    assert found.difference.low > 0
    assert found.difference.value == pytest.approx(found.first.lost.value - found.second.lost.value)
    assert "  level:5 loses less." in list(lines([found]))


def test_the_same_answers_are_not_apart(kept: Path) -> None:
    (found,) = compare(f"{kept / 'both'}:level:5", kept / "one")
    assert found.difference.value == 0
    assert "  They lost exactly the same." in list(lines([found]))


def test_what_cannot_be_compared_is_said(kept: Path, tmp_path: Path) -> None:
    with pytest.raises(DuelError, match=r"Which player of .*Say .*both:level:1 or .*both:level:5"):
        compare(kept / "both", kept / "one")
    with pytest.raises(DuelError, match="There is no folder"):
        compare(kept / "none", kept / "one")
    with pytest.raises(DuelError, match="holds no exam"):
        compare(tmp_path, kept / "one")
    duelbook.examine(["level:5"], questions=40, duels=["tower"], folder=tmp_path / "tower")
    with pytest.raises(DuelError, match="in other duels"):
        compare(tmp_path / "tower", kept / "one")


def test_the_command_compares(kept: Path) -> None:
    done = CliRunner().invoke(command, ["exam", "compare", f"{kept / 'both'}:level:1", str(kept / "one")])
    assert done.exit_code == 0
    assert done.output.startswith("book, 40 questions that both were asked:")
    assert CliRunner().invoke(command, ["exam", "compare", "one"], standalone_mode=True).exit_code == 2


def test_what_it_costs_is_known_of_tables() -> None:
    questions = edition("book", 80, FEW).questions
    near = cost_between(questions, candidate("level:3"), candidate("level:4"))
    far = cost_between(questions, candidate("random"), candidate("perfect"))
    assert near is not None
    assert far is not None
    assert near.asked is not None
    assert far.asked is not None
    assert near.asked > 10 * far.asked
    assert near.said is not None
    assert near.said < near.asked
    assert cost_between(questions, candidate("level:3"), candidate("engine:./none")) is None
    assert len(ladder_costs(questions[:8])) == 7


def test_everything_at_once_is_what_papers_estimate() -> None:
    """Each mean over all decisions lies in the interval of a long paper."""
    entered = [candidate(kind) for kind in ("level:2", "level:5", "perfect")]
    found = examine_all(entered, "book", FEW)
    (sat,) = duelbook.examine(entered, questions=400, duels=FEW).sat
    for each in entered:
        scored = sat.score_of(each.name).lost
        assert scored.low <= found.mean(each.name) <= scored.high
    assert found.mean("perfect") == 0


def test_who_is_no_table_cannot_be_asked_everywhere() -> None:
    with pytest.raises(DuelError, match="one by one"):
        examine_all([candidate("engine:./none")], "book", FEW)

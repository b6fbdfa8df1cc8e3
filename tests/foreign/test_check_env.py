"""Environments of our own, right and wrong: each law that one breaks is found, by a line that our own referee plays."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from duelbook import game_ids, load
from duelbook.cli import duelbook
from duelbook.core import DuelError
from duelbook.foreign import BREAKS, KEEPS, Finding, check_env, laws_of
from duelbook.record import RESULTS, BadRecord, reads
from slow_helper import slow_if

GIVEN = Path(__file__).parent / "given"
RULINGS = (Path(__file__).parents[2] / "docs" / "rulings.md").read_text(encoding="utf-8")
LAWS = ("moves", "sight", "endless", "opponent", "end", "effect")
SLOW = {"deck", "secret"}
"""What luck or a second pick may be is followed in all its branches."""
NO_ENVIRONMENT = {"Round"}


def classes(duel: str) -> list[str]:
    tree = ast.parse((GIVEN / f"{duel}.py").read_text(encoding="utf-8"))
    return [node.name for node in tree.body if isinstance(node, ast.ClassDef) and node.name not in NO_ENVIRONMENT]


def law_in(name: str) -> str:
    """The law that the name of a wrong environment tells; nothing for a right one."""
    word = re.match(r"[A-Z][a-z]+", name)
    return word[0].lower() if word and word[0].lower() in LAWS else ""


ALL = [(duel, name) for duel in ("conquer", "deck", "energy", "secret", "tower") for name in classes(duel)]


def can_be_played(duel: str, line: str) -> bool:
    """Whether our referee plays this line, however the game stands after it."""
    for result in RESULTS:
        try:
            reads(f'[Game "{duel}"]\n\n{line} {result}\n')
        except BadRecord:
            continue
        return True
    return False


def replays(duel: str, finding: Finding) -> None:
    """Our referee plays every line that is shown; only a move that the book does not allow is refused, at its end."""
    for line in finding.lines:
        text = "" if line == "(the start)" else line
        if finding.law.name == "moves" and "does not allow" in finding.seen:
            assert not can_be_played(duel, text)
            words = load(duel).dialogue.words(load(duel).book)
            cut = next(text[: -len(word)] for word in sorted(words, key=len, reverse=True) if text.endswith(word))
            text = re.sub(r"[0-9]+[.] $", "", cut)
        assert can_be_played(duel, text), text


@pytest.mark.parametrize(("duel", "name"), [each for each in ALL if not law_in(each[1])])
def test_a_right_environment_breaks_nothing(duel: str, name: str) -> None:
    seen = check_env(duel, GIVEN / f"{duel}.py", name=name)
    assert [(each.law.name, each.verdict) for each in seen.findings] == [(law, KEEPS) for law in LAWS]


@pytest.mark.parametrize(("duel", "name"), [slow_if(each[0] in SLOW, *each) for each in ALL if law_in(each[1])])
def test_a_wrong_environment_is_found_out_by_a_line_of_play(duel: str, name: str) -> None:
    seen = check_env(duel, GIVEN / f"{duel}.py", name=name)
    broken = {each.law.name: each for each in seen.findings if each.verdict == BREAKS}
    assert law_in(name) in broken, seen.findings
    assert broken[law_in(name)].lines
    for finding in broken.values():
        replays(duel, finding)


def test_the_line_is_the_one_that_a_person_would_show() -> None:
    wrong = {
        ("conquer", "MovesAttackAfterDefending", "moves"): "1. defend attack 2. attack",
        ("conquer", "EffectHealIsSafe", "effect"): "1. heal attack",
        ("energy", "MovesPassAlways", "moves"): "1. pass",
        ("secret", "EndRepeatGoesOn", "end"): "1. 1/1 2. 1/1",
        ("tower", "MovesAttackOnALowTower", "moves"): "1. build 1 attack",
    }
    for (duel, name, law), line in wrong.items():
        seen = check_env(duel, GIVEN / f"{duel}.py", name=name)
        assert [each.lines for each in seen.findings if each.law.name == law] == [(line,)]


def test_every_duel_has_its_laws_and_they_rest_on_rulings_that_are_there() -> None:
    for duel in game_ids():
        laws = laws_of(load(duel))
        assert tuple(laws) == LAWS
        for law in laws.values():
            assert law.question.endswith("?")
            assert law.law.endswith(".")
            assert law.book
            assert not law.ruling or f"### {law.ruling}\n" in RULINGS


# Files that cannot be driven


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("x = 1\n", "It has no class with reset and step; name what makes an environment with --class."),
        ("raise SystemExit(3)\n", "It fails with SystemExit: 3."),
        ("import no_such_module_here\n", "It needs no_such_module_here, which is not here"),
        ("import os\nos._exit(0)\n", "It ended its own process, while it was loaded."),
        ("def step(:\n", "It fails with SyntaxError"),
        (
            "class A:\n    def reset(self): return 1\n    def step(self, a): return 1\n\n\nclass B(object):\n"
            "    def reset(self): return 1\n    def step(self, a): return 1\n",
            "It has several classes with reset and step (A, B); name one with --class.",
        ),
        ("class A:\n    def reset(self): return 1\n    def step(self, a): return 1\n", "step gave a int, not ("),
    ],
)
def test_what_cannot_be_driven_is_answered_with_a_sentence(tmp_path: Path, source: str, sentence: str) -> None:
    file = tmp_path / "env.py"
    file.write_text(source, encoding="utf-8")
    with pytest.raises(DuelError, match="cannot be checked") as error:
        check_env("tower", file)
    assert sentence in str(error.value)
    assert [each.name for each in tmp_path.iterdir()] == ["env.py"]


def test_a_file_that_hangs_is_ended(tmp_path: Path) -> None:
    file = tmp_path / "env.py"
    file.write_text("while True:\n    pass\n", encoding="utf-8")
    with pytest.raises(DuelError, match=r"It had not answered after 0\.5 seconds, while it was loaded\."):
        check_env("tower", file, seconds=0.5)


# The command


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(duelbook, ["check-env", *words], standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return done.return_value, done.output


def test_the_command_tells_verdicts_and_line_and_ends_with_1() -> None:
    code, out = run("conquer", str(GIVEN / "conquer.py"), "--class", "MovesAttackAfterDefending")
    assert code == 1
    assert "BREAKS  moves: May one attack after defending? It plays attack there" in out
    assert "\n    1. defend attack 2. attack\n" in out
    assert "keeps  opponent: Who is the opponent?" in out


def test_the_command_ends_with_0_where_everything_is_kept() -> None:
    code, out = run("tower", str(GIVEN / "tower.py"), "--class", "Tower", "--json")
    assert code == 0
    assert [law["verdict"] for law in json.loads(out)["laws"]] == [KEEPS] * len(LAWS)


def test_moves_can_be_named_and_wrong_names_are_refused() -> None:
    named = ["--move", "attack=2", "--move", "defend=0", "--move", "heal=1"]
    code, _ = run("conquer", str(GIVEN / "conquer.py"), "--class", "InAnotherOrder", *named)
    assert code == 0
    with pytest.raises(DuelError, match="'jump' is no move of Command Line Conquer: attack, defend, heal"):
        run("conquer", str(GIVEN / "conquer.py"), "--class", "Conquer", "--move", "jump=2")
    with pytest.raises(DuelError, match="is not the form of an action"):
        run("conquer", str(GIVEN / "conquer.py"), "--class", "Conquer", "--action", "{word}")

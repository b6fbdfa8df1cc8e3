"""The conformance kit: every mistake that an author can make is named, and a duel without one passes."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

import duelbook.positions.hull
from duelbook.cli import duelbook as command
from duelbook.conformance import Mistake, check_game
from duelbook.games import ROOMS, UnknownGame, blame, load
from duelbook.positions.compiled import compiled
from duelbook.positions.size import NOT_HERE
from guests_helper import GUESTS, arrive, install, spoilt
from slow_helper import first_now, slow_if

EXPLAINED = "def explain(rules: Rules, s: State, me: int) -> int:\n    return 5\n\n\n"
CLOCKED = 'from time import perf_counter_ns\n    return f"{names[winner(rules, s)]} won at {perf_counter_ns()}."'
"""A sentence that is another one each time."""
DRAWN = "from random import random\n    return State(s.total + int(random() * 2) * move"
"""Luck that no referee drew."""

# A file of an example, what stands there, what an author wrote instead; the function that is named, and what is said.
MISTAKES = [
    ("race", "notation.py", "s.mover + 1}", "2 - s.mover}", "notation.read_position", "where State(total=0, mover=0)"),
    ("race", "notation.py", 'f"{s.total} ', 'f"{s.total}\\n', "notation.write_position", "one line of text"),
    ("race", "notation.py", "0, rules.goal)", "0, 9)", "notation.read_position", "fails with BadPosition"),
    ("race", "rules.py", "s.total + move + 1, 1", "s.total + move + 1.0, 1", "rules.State", ".0; a state holds"),
    ("race", "rules.py", "s.total + move + 1, 1", "(s.total,), 1", "rules.State", "(0,) and was 0 at the start"),
    ("race", "rules.py", "s.total + move + 1, 1", "[s.total], 1", "rules.State", "total is [0]"),
    ("race", "rules.py", "return State(s.total", "return (s.total", "rules.State", "is not a State"),
    ("race", "rules.py", "1 - s.mover)\n\n\ndef winner", "2)\n\n\ndef winner", "rules.State", "mover is 2"),
    ("race", "rules.py", "return 1 - s.mover", "return 3", "rules.winner", "gives 3"),
    ("race", "rules.py", "return 1 - s.mover", "return None", "rules.winner", "gives None"),
    ("race", "rules.py", "return Turn.OVER", "return 7", "rules.turn", "gives 7"),
    ("pig", "rules.py", "    return s.mover\n", "    return 7\n", "rules.turn", "gives 7"),
    ("race", "rules.py", "return Turn.OVER", "return Turn.LUCK", "rules.turn", "no function deal"),
    ("race", "rules.py", "<= rules.goal", "< rules.goal", "rules.legal", "nothing is legal for seat"),
    ("race", "rules.py", "return move < rules.most", "return move and move", "rules.legal", "True or False"),
    (
        "race",
        "rules.py",
        "s.total + move + 1, 1",
        "s.total + move + 1 + 0 // (5 - s.total), 1",
        "rules.apply",
        "ZeroDivisionError",
    ),
    ("race", "rules.py", "return State(0, first)", "return State(0, 1 - first)", "rules.start", "with seat 0 to begin"),
    ("race", "rules.py", "return State(s.total + move", DRAWN, "rules.apply", "may not vary"),
    ("race", "rules.py", '"the total that wins when reached", 1, 99', '"the total", 1, 9', "rules.KNOBS", "goal is 21"),
    ("race", "rules.py", 'one turn", 1, 3', 'one turn", 0, 3', "rules.legal", "with --rule most=0"),
    ("pig", "rules.py", "HOLD = 1", "HOLD = 2", "rules.Move", "counts from 0 without gaps"),
    (
        "race",
        "dialogue.py",
        'f"add {move + 1}"',
        'f"add {min(2, move + 1)}"',
        "dialogue.words",
        "of move 1 and of move 2",
    ),
    ("race", "dialogue.py", 'f"add {move + 1}"', 'f"add_{move + 1}"', "dialogue.words", "cannot stand in a record"),
    ("race", "dialogue.py", 'f"add {move + 1}"', '("undo", "save", "hint")[move]', "dialogue.words", "belongs to the"),
    ("race", "dialogue.py", "(WORDS[move], ", "(", "dialogue.read", "fails with Misread"),
    ("race", "dialogue.py", "return WORDS\n", "return WORDS[:2]\n", "dialogue.words", "gives 2 words, but move 2"),
    ("race", "dialogue.py", 'return "How much do you add? "', "return None", "dialogue.prompt", "gives None"),
    (
        "race",
        "dialogue.py",
        '[Line(f"Total: {s.total}", gauge=(s.total, rules.goal))]',
        '["Total"]',
        "dialogue.status",
        "list of Lines",
    ),
    ("race", "dialogue.py", '"gain")', '"cheerful")', "dialogue.tell", "the tone 'cheerful'"),
    ("race", "dialogue.py", "brought the total to {rules.goal}.", "won", "dialogue.ending", "not a whole sentence"),
    (
        "race",
        "dialogue.py",
        'return f"{names[winner(rules, s)]} brought the total to {rules.goal}."',
        CLOCKED,
        "dialogue.ending",
        "the record of a game that was played cannot be read",
    ),
    (
        "race",
        "rules.py",
        "return State(s.total + move + 1, 1 - s.mover)",
        "return s._replace(total=s.total + move + 1, mover=1 - s.mover)",
        "rules.apply",
        "does not take it: Unknown attribute '_replace' of type State(int64 x 2) (rules.py, line 51)",
    ),
    (
        "race",
        "rules.py",
        "return move < rules.most",
        "return 10**18 * (move + 10) > 0 and move < rules.most",
        "rules.legal",
        "compiled it gives False, in plain Python True",
    ),
    ("race", "dialogue.py", "def prompt(", f"{EXPLAINED}def prompt(", "dialogue.explain", "list of sentences"),
    (
        "race",
        "rules.py",
        "return State(0, first)",
        "return State(rules.goal, first)",
        "rules.start",
        "before anybody has",
    ),
    ("race", "rulebook.md", "# Race to 21", "Race to 21", "rulebook.md", "begin with a title"),
    ("race", "__init__.py", 'name="Race to 21"', 'name=""', "assemble", "the name is ''"),
    ("pig", "rules.py", "return 1 if face <= rules.sides else 0", "return face - 2", "rules.odds", "-1 for the face 1"),
    ("pig", "rules.py", "return 1 if face <= rules.sides else 0", "return 0", "rules.odds", "0 for every face"),
    ("pig", "rules.py", "return 1 if face <= rules.sides else 0", "return 1 / 6", "rules.odds", "whole number"),
    (
        "pig",
        "rules.py",
        "if face == BAD:",
        "if face == 2:\n        return s\n    if face == BAD:",
        "rules.deal",
        "luck acts",
    ),
    ("pig", "rules.py", "range(1, 7)", "(1, 2, 3, 4, 5, 5)", "rules.FACES", "different whole numbers"),
    ("pig", "dialogue.py", "return s.mover\n", "return 2\n", "dialogue.drawer", "gives 2"),
    ("pig", "scene.py", "return Scene((one, two))", "return (one, two)", "scene.scene", "must give a Scene"),
    ("rps", "dialogue.py", '"paper", "scissors")', '"paper", "a scissor")', "dialogue.words", "spaces and /"),
    (
        "race",
        "dialogue.py",
        "return find_word(text, SPELLINGS)",
        "return SPELLINGS[text]",
        "dialogue.read",
        "at '0 1': it fails with KeyError for ''; it must refuse that",
    ),
    (
        "race",
        "dialogue.py",
        "return find_word(text, SPELLINGS)",
        "return SPELLINGS.get(text)",
        "dialogue.read",
        "takes '' for None, which is not a move",
    ),
    (
        "race",
        "notation.py",
        "position_fields(text, \"'17 2' (the total, then whose turn it is)\", 2)",
        "text.split()",
        "notation.read_position",
        "fails with ValueError for ''",
    ),
    ("race", "dialogue.py", "gauge=(s.total, rules.goal)", "gauge=3", "dialogue.opening", "the gauge 3"),
    ("race", "dialogue.py", "gauge=(s.total, rules.goal)", "gauge=(1, 0)", "dialogue.opening", "the gauge (1, 0)"),
    ("race", "dialogue.py", 'f"{adds} {move + 1}."', '"a\\x1b[31m"', "dialogue.tell", "letters that can be seen"),
    ("race", "__init__.py", 'pitch="Add', 'seats="AB", pitch="Add', "assemble", "two different names"),
    ("rps", "dialogue.py", "for seat in losers", "for seat in looser", "dialogue.tell_round", "NameError"),
]


def found(mistakes: tuple[Mistake, ...], function: str, said: str) -> bool:
    return any(function in each.function and said in str(each) for each in mistakes)


@pytest.mark.parametrize(("example", "file", "old", "new", "function", "said"), MISTAKES)
def test_a_mistake_is_named(
    example: str,
    file: str,
    old: str,
    new: str,
    function: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = spoilt(monkeypatch, tmp_path, example, file, old, new)
    seen = check_game(game, 150)
    assert not seen.good
    assert found(seen.mistakes, function, said), "\n".join(map(str, seen.mistakes))


@pytest.mark.parametrize("example", first_now(GUESTS))
def test_the_examples_keep_every_law(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = check_game(spoilt(monkeypatch, tmp_path, example), 500)
    assert seen.mistakes == ()
    assert seen.variants > 10


@pytest.mark.parametrize("id", [slow_if(id != "tower", id) for id in ROOMS])
def test_our_own_duels_keep_every_law(id: str) -> None:
    assert check_game(load(id), 300).mistakes == ()


def test_positions_without_end_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A duel that nobody can end grows for ever; the search for its largest number is cut short here."""
    monkeypatch.setattr(duelbook.positions.hull, "FARTHEST", 3_000)
    endless = spoilt(monkeypatch, tmp_path, "race", "rules.py", "if s.total >= rules.goal", "if s.total < 0")
    text = (tmp_path / endless.id / "rules.py").read_text(encoding="utf-8")
    (tmp_path / endless.id / "rules.py").write_text(text.replace(" and s.total + move + 1 <= rules.goal", ""))
    text = (tmp_path / endless.id / "notation.py").read_text(encoding="utf-8")
    (tmp_path / endless.id / "notation.py").write_text(text.replace("0, rules.goal", "0, 10**9"))
    arrive(monkeypatch, tmp_path)
    (mistake,) = check_game(load(endless.id), 100).mistakes
    assert "positions without end" in str(mistake)


def test_a_mistake_has_function_position_and_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = spoilt(monkeypatch, tmp_path, "race", "rules.py", "return 1 - s.mover", "return s.total")
    (mistake,) = check_game(game).mistakes
    assert (mistake.function, mistake.value) == ("rules.winner", "21")
    assert mistake.position in ("'21 1'", "'21 2'")
    assert mistake.law == "an end has a winner or is a draw"


MISSING = [
    ("race", "rules.py", "def turn", "def turns", "rules.py has no turn"),
    ("rps", "rules.py", "def resolve", "def resolved", "rules.py has neither apply nor resolve"),
    ("race", "dialogue.py", "def ask", "def asks", "dialogue.py has no ask"),
    ("pig", "dialogue.py", "def drawer", "def draws", "dialogue.py has no drawer"),
    ("pig", "rules.py", "def odds", "def chances", "rules.py has no odds"),
    ("rps", "dialogue.py", "def tell_round", "def tells", "dialogue.py has no tell_round"),
    ("race", "notation.py", "def read_position", "def reads", "notation.py has no read_position"),
    ("pig", "scene.py", "def scene", "def scenery", "scene.py has no scene"),
    ("race", "rules.py", '    "most": Knob', '    "least": Knob', "Rules has no field for the knob least"),
    ("race", "rules.py", "    most: int = 3", "    most: int = 3\n    more: int = 3", "nothing for the field more"),
    ("race", "notation.py", '"""Positions', 'PARTS = 3\n"""Positions', "PARTS of notation.py is not a dictionary"),
    ("race", "notation.py", '"""Positions', 'PARTS = {"a b": 3}\n"""Positions', "PARTS of notation.py is not"),
]


@pytest.mark.parametrize(("example", "file", "old", "new", "said"), MISSING)
def test_what_a_file_lacks_is_said_when_it_is_loaded(
    example: str, file: str, old: str, new: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UnknownGame, match=said):
        spoilt(monkeypatch, tmp_path, example, file, old, new)


# The command


def test_the_command_says_what_it_saw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = spoilt(monkeypatch, tmp_path, "race")
    bad = spoilt(monkeypatch, tmp_path, "race", "rules.py", "return 1 - s.mover", "return 5")
    done = CliRunner().invoke(command, ["check-game", good.id], standalone_mode=False)
    assert (done.return_value, done.stdout) == (0, "Race to 21 keeps every law at all 44 positions and 11 variants.\n")
    done = CliRunner().invoke(command, ["check-game", bad.id], standalone_mode=False)
    assert done.return_value == 1
    assert "MISTAKE  rules.winner at '21 2': it gives 5; " in done.stdout
    assert done.stdout.endswith("Race to 21 has 1 mistake, found at all 44 positions.\n")
    done = CliRunner().invoke(command, ["check-game", bad.id, "--json", "--positions", "50"], standalone_mode=False)
    report = json.loads(done.stdout)
    assert not report["good"]
    assert report["mistakes"][0]["function"] == "rules.winner"


def test_that_the_compiler_was_not_tried_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = spoilt(monkeypatch, tmp_path, "race")
    monkeypatch.setattr("duelbook.conformance.check.there_is_a_compiler", lambda: False)
    done = CliRunner().invoke(command, ["check-game", game.id, "--positions", "50"], standalone_mode=False)
    assert done.return_value == 0
    assert done.stdout.splitlines()[1:] == [
        f"Whether its rules can be compiled was not tried: that needs Numba, {NOT_HERE}."
    ]
    assert not check_game(game, 50).compiled


def test_rules_that_cannot_be_compiled_are_a_mistake_of_their_author(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = "return 1 - s.mover", "return s._replace(total=1).mover"
    game = spoilt(monkeypatch, tmp_path, "race", "rules.py", old, new)
    with pytest.raises(Exception, match="nopython") as failed:
        compiled(game).winner(game.book, game.start(game.book, 0))
    said = blame(failed.value)
    assert said is not None
    assert said.startswith(f"The rules of the duel {game.id}, which another package brings, cannot be compiled: ")
    assert said.endswith(f"(rules.py, line 55). Try: duelbook check-game {game.id}")


def test_an_id_that_ships_cannot_be_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "race", "rival", entry="tower")
    arrive(monkeypatch, tmp_path)
    done = CliRunner().invoke(command, ["check-game", "tower", "--positions", "50"], standalone_mode=False)
    assert "duelbook-rival brings a duel called tower, as Duelbook does itself" in done.stderr


# Before it is run

STATUS = "def status(rules: Rules, s: State, names: Names) -> str"
UNFIT = [
    ("race", "notation.py", "text: str) -> State:", "text: str) -> tuple[int, int]:", "StateT"),
    ("race", "dialogue.py", "me: int, names: Names) -> str:", "me: int, names: Names) -> list[str]:", "prompt"),
    (
        "pig",
        "rules.py",
        "def legal(rules: Rules, s: State, me: int, move: int)",
        "def legal(rules: Rules, s: State)",
        "legal",
    ),
    ("pig", "scene.py", "def scene(rules: Rules, s: State) -> Scene", "def scene(s: State) -> Scene", "scene"),
    ("rps", "dialogue.py", "def status(rules: Rules, s: State, names: Names) -> list[Line]", STATUS, "status"),
]


@pytest.mark.slow
def test_a_checker_of_types_finds_what_does_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every mistake in one run, at `assemble`: the function that does not fit, or the type that would be two."""
    from mypy import api

    packages = []
    for number, (example, file, old, new, _) in enumerate(UNFIT):
        folder = install(tmp_path, example, f"{example}unfit{number}")
        text = (folder / file).read_text(encoding="utf-8")
        assert old in text
        (folder / file).write_text(text.replace(old, new), encoding="utf-8")
        packages.append(str(folder / "__init__.py"))
    monkeypatch.setenv("MYPYPATH", f"{tmp_path}{os.pathsep}{Path(duelbook.__file__).parent.parent}")
    said, _, _ = api.run(["--explicit-package-bases", "--cache-dir", str(tmp_path / "cache"), *packages])
    for number, (example, _, _, _, function) in enumerate(UNFIT):
        about = [line for line in said.splitlines() if f"{example}unfit{number}/__init__.py" in line]
        assert any(" error: " in line and "assemble" in line for line in about), said
        assert any(function in line for line in about), said

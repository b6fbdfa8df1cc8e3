"""The page of JSON fields is whole and true: all that commands print is on it with type and scale, and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest
from click.testing import CliRunner

from duelbook.arena.judge.findings import findings
from duelbook.arena.judge.sprt import Sprt
from duelbook.arena.play.openings import BOOK, FILE, RANDOM, Openings
from duelbook.arena.play.results import FAULTS, Fault, pairs_of
from duelbook.arena.play.tournament import Finished
from duelbook.arena.report.data import as_json
from duelbook.cli import duelbook
from duelbook.cli.commands import COMMANDS
from duelbook.engine.limits import Limits
from duelbook.exam.cost import as_json as costs_as_json
from duelbook.exam.cost import cost_between
from duelbook.exam.editions import edition
from duelbook.exam.examinee import Answer, Candidate, Usage
from duelbook.exam.refutation import refute
from duelbook.exam.taken import examine
from duelbook.games import example, load
from duelbook.match import PlayerFault, View
from duelbook.puzzles.memory import remember
from duelbook.puzzles.streak import Tally
from duelbook.saves import state_folder
from duelbook.speech import either
from guests_helper import spoilt
from slow_helper import slow_if
from verdicts_helper import held

PAGE = (Path(__file__).parent.parent / "docs" / "json.md").read_text(encoding="utf-8")
OPEN = {
    "strategies.player1": "MOVE",
    "strategies.player2": "MOVE",
    "better": "NAME",
    "better.NAME": "NAME",
    "difference": "NAME",
    "difference.NAME": "NAME",
    "first_seat": "DUEL",
    "editions[].players[].duels": "DUEL",
    "editions[].players[].mistakes": "KIND",
    "editions[].players[].faults": "KIND",
    "editions[].yardsticks[].duels": "DUEL",
    "compared[].duels": "DUEL",
    "everything[].players[].duels": "DUEL",
    "players[].limits.options": "NAME",
}
"""Objects whose keys are no fields, but names of players, duels, moves or options."""


class Field(NamedTuple):
    path: str
    types: str
    scale: str


def documented(command: str) -> dict[str, Field]:
    (section,) = re.findall(rf"^## {command}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    rows = re.findall(r"^\| `([^`]+)` \| ([^|]+) \| ([^|]*) \| [^|]+ \|$", section, re.MULTILINE)
    fields = [Field(*(cell.strip() for cell in row)) for row in rows]
    assert len({field.path for field in fields}) == len(fields), "a field stands on the page twice"
    return {field.path: field for field in fields}


EMPTY = object()
"""In place of what is in an empty list."""


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every number, word, truth and nothing in a document, with the way to it."""
    if isinstance(value, dict):
        for key, part in value.items():
            name = OPEN.get(path, str(key))
            yield from leaves(part, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for part in value or [EMPTY]:
            yield from leaves(part, f"{path}[]")
    else:
        yield path, value


TYPES: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str),
    "whole number": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "true or false": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}
DUST = 1e-9


def is_of_type(value: Any, types: str) -> bool:
    return any(TYPES[name](value) for name in types.split(", "))


def is_on_scale(value: Any, scale: str) -> bool:
    """Scales that are said in numbers are held against what is printed; words such as `Elo` say what the unit is."""
    if isinstance(value, str | bool) or value is None:
        return True
    between = re.fullmatch(r"(-?\d+) to (-?\d+)(?: .*)?", scale)
    least = re.fullmatch(r"(\d+) or more(?: .*)?|.*, (\d+) or more", scale)
    if between:
        return bool(int(between[1]) - DUST <= value <= int(between[2]) + DUST)
    if least:
        return bool(value >= int(least[1] or least[2]))
    return True


# What is printed


def printed(*words: str) -> Any:
    done = CliRunner().invoke(duelbook, list(words), standalone_mode=False)
    assert done.stdout, (words, done.exception)
    return json.loads(done.stdout)


def tournaments(tmp_path: Path) -> Iterator[Any]:
    """Bots with options, a fault, a test, openings, games that were kept: all that can be said of one."""
    yield printed("arena", "random", "level:3", "--games", "tower", "--json")
    known = held(("level:5", "level:3", "perfect"), ("tower", "deck"), 4, bots=2)
    plan = known.programme.plan
    limits = Limits(clock=(60.0, 0.5), cpu_seconds=9, options=(("Depth", "3"),))
    entrants = (plan.entrants[0]._replace(limits=limits), *plan.entrants[1:])
    plan = plan._replace(entrants=entrants, openings=Openings(RANDOM, 3))
    results = [result for result in known.results if result.task.game == "tower"]
    results = [each._replace(task=each.task._replace(opening="5 8 1")) for each in results]
    results[0] = results[0]._replace(winner=1, fault=Fault(0, "crash", "It ended.", "Traceback"))
    test = Sprt(0, 50)
    for pair in pairs_of(result for result in results if set(result.task.seats) == {0, 1}):
        test.judge(pair)
    file = tmp_path / "games.duel"
    file.write_text("".join(result.record for result in results), encoding="utf-8")
    finished = Finished(known.programme._replace(plan=plan), results)
    yield json.loads(json.dumps(as_json(findings(finished, standing=test.ended(), file=file))))
    apart = held(("level:5", "level:3"), ("deck",), 1, bots=2)
    yield json.loads(json.dumps(as_json(findings(apart))))
    unsolved = [result._replace(losses=((), ())) for result in apart.results]
    yield json.loads(json.dumps(as_json(findings(Finished(apart.programme, unsolved)))))


def saved_games(tmp_path: Path) -> Iterator[Any]:
    folder = state_folder()
    folder.mkdir(parents=True)
    (folder / "tower-1.duel").write_text(example(load("tower")).read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "tower-2.duel").write_text("nonsense", encoding="utf-8")
    unusual = '[Game "deck"]\n[Rules "lp=30"]\n[Position "30 12 1 1-10"]\n[Result "*"]\n\n1. 7:attack *\n'
    (folder / "deck-1.duel").write_text(unusual, encoding="utf-8")
    yield printed("games", "--all", "--json")


def records_of_me(tmp_path: Path) -> Iterator[Any]:
    """Nothing, then enough wins for the next level, games of an unknown day, a damaged file and a puzzle."""
    yield printed("me", "--json")
    list(saved_games(tmp_path))
    over = '[Game "{}"]\n[Seat2 "level:2"]\n[Result "1-0"]\n[Termination "Player 2 resigned."]\n{}\n1-0\n'
    for at in range(6):
        (state_folder() / f"energy-{at}.duel").write_text(over.format("energy", ""), encoding="utf-8")
    unsolved = over.format("tower", '[Rules "goal=99"]\n')
    (state_folder() / "tower-3.duel").write_text(unsolved, encoding="utf-8")
    remember(lambda progress: {"tower": Tally({}, 3, 2, 1250.0)})
    yield printed("me", "--json")


def reviews(tmp_path: Path) -> Iterator[Any]:
    many = tmp_path / "many.duel"
    many.write_text("\n".join(20 * [example(load("tower")).read_text(encoding="utf-8")]), encoding="utf-8")
    for words in (["tower", "deck"], ["secret"], [str(many)]):
        yield printed("review", *words, "--json")


def solutions(tmp_path: Path) -> Iterator[Any]:
    yield printed("solve", "tower", "--check", "--rule", "goal=14", "--json")
    yield from printed("solve", "--all", "--json")


class Sleepy:
    """Late every so many questions."""

    def __init__(self, every: int) -> None:
        self.every = every

    def choose(self, view: View) -> int:
        if view.number % self.every == 0:
            raise PlayerFault("time", "It slept.")
        return view.legal()[0]


def exams(tmp_path: Path) -> Iterator[Any]:
    """Faults, a folder, editions to compare, and two that were to be told apart."""
    words = ["--duels", "tower,energy", "--questions", "8", "--json"]
    yield printed("exam", "level:3", "perfect", *words, "--edition", "book", "--edition", "fresh:1", "--out", "kept")
    yield printed("exam", "level:3", "perfect", *words, "--until-separated")
    printed("exam", "level:4", *words, "--out", "other")
    yield printed("exam", "compare", "kept:level:3", "other", "--json")
    yield printed("exam", "level:3", *words, "--all")
    yield printed("exam", "level:3", "level:4", *words, "--cost")
    questions = edition("book", 8, ["tower"]).questions
    used = [[Answer(at, 0, 0, usage=Usage(100, 10, 0.01)) for at in range(8)], []]
    known = cost_between(questions, Candidate("mine", "python:Mine"), Candidate("perfect", "perfect"), used)
    assert known is not None
    yield json.loads(json.dumps(costs_as_json([known])))
    same = cost_between(questions, Candidate("perfect", "perfect"), Candidate("perfect", "perfect"))
    assert same is not None
    yield json.loads(json.dumps(costs_as_json([same])))
    for every in (1, 3):
        yield json.loads(json.dumps(examine([Sleepy(every)], questions=4, duels=["secret"]).data()))


class Turncoat(Sleepy):
    """Makes another move each time that it is asked, and sleeps at times."""

    def choose(self, view: View) -> int:
        self.asked = getattr(self, "asked", 0) + 1
        super().choose(view._replace(number=view.number + 1))
        return view.legal()[self.asked % len(view.legal())]


def refutations(tmp_path: Path) -> Iterator[Any]:
    """A table, whoever fails at times, and whoever does not always do the same."""
    yield printed("refute", "level:3", "--duels", "tower,energy", "--json")
    for player in (Sleepy(4), Turncoat(4)):
        yield json.loads(json.dumps([refute(player, "tower", games=5, seed=1).data()]))


def checked_games(tmp_path: Path) -> Iterator[Any]:
    yield printed("check-game", "tower", "--json", "--positions", "20")
    with pytest.MonkeyPatch.context() as monkeypatch:
        bad = spoilt(monkeypatch, tmp_path, "race", "rules.py", "return 1 - s.mover", "return 5")
        yield printed("check-game", bad.id, "--json")


def checked_environments(tmp_path: Path) -> Iterator[Any]:
    file = Path(__file__).parent / "foreign" / "given" / "tower.py"
    yield printed("check-env", "tower", str(file), "--class", "EndlessNoBell", "--json")


RUNS: dict[str, Callable[[Path], Iterator[Any]]] = {
    "games": saved_games,
    "me": records_of_me,
    "review": reviews,
    "solve": solutions,
    "arena": tournaments,
    "exam": exams,
    "refute": refutations,
    "check-game": checked_games,
    "check-env": checked_environments,
}
WORDS = {
    "list": [""],
    "rules": ["tower"],
    "replay": ["deck", "tower"],
    "verify": ["deck none.duel"],
    "hint": ["tower --rule goal=14", "deck", "secret"],
    "levels": ["tower", "tower --rule goal=14", "energy --patterns"],
    "map": ["tower --rule goal=14", "secret"],
    "puzzle": ["tower --date 2026-01-02 --move attack", "secret --random --seed 3 --show"],
    "check-engine": ["false"],
}
"""What a command must be told for every field to come up at least once; the others do it above."""


def documents(command: str, tmp_path: Path) -> list[Any]:
    if command in RUNS:
        return list(RUNS[command](tmp_path))
    return [printed(command, "--json", *words.split()) for words in WORDS[command]]


@pytest.fixture(autouse=True)
def own_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


# The page and what is printed


def has_json(name: str) -> bool:
    command = duelbook.get_command(click.Context(duelbook), name)
    assert command is not None
    return any("--json" in param.opts for param in command.params)


WITH_JSON = [name for name in COMMANDS if has_json(name)]


def test_every_command_with_json_is_on_the_page() -> None:
    assert re.findall(r"^## ([a-z-]+)$", PAGE, re.MULTILINE) == WITH_JSON
    assert [name for name in COMMANDS if name in RUNS or name in WORDS] == WITH_JSON


def test_the_page_names_every_kind_of_fault_and_of_opening() -> None:
    assert f"| {either(FAULTS)} |" in PAGE
    assert f"| {either((BOOK, RANDOM, FILE))}; null for the usual start |" in PAGE


@pytest.mark.parametrize("command", [slow_if(name in ("levels", "exam"), name) for name in WITH_JSON])
def test_the_page_names_every_field_and_no_other(command: str, tmp_path: Path) -> None:
    fields = documented(command)
    seen = set()
    for path, value in (leaf for document in documents(command, tmp_path) for leaf in leaves(document)):
        if value is EMPTY and any(name.startswith((f"{path}.", f"{path}[")) for name in fields):
            continue
        assert path in fields, f"{path} is printed and not on the page"
        seen.add(path)
        field = fields[path]
        assert value is EMPTY or is_of_type(value, field.types), f"{path} is {value!r}, and no {field.types}"
        assert value is EMPTY or is_on_scale(value, field.scale), f"{path} is {value}, and not {field.scale}"
    assert set(fields) - seen == set(), "on the page, and never printed"

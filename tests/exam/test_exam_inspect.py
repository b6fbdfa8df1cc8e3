"""The exam as tasks of Inspect: by its own command, with its own mock model, and with the same verdict as ours."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from duelbook import examine
from duelbook.exam.editions import edition
from duelbook.exam.marks import FAULTS
from duelbook.exam.paper import Question
from duelbook.match import View
from helpers import HANGING
from model_server_helper import ModelServer, Request, Said, first_move, model_server

pytest.importorskip("inspect_ai", reason="inspect-ai is not installed: pip install 'duelbook[inspect]'")
pytestmark = pytest.mark.slow
BIN = Path(sys.executable).parent
MOCK = """
import json, sys
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model

name, words, answers = json.loads(sys.stdin.read())

def answer(messages, tools, choice, config):
    text, ended = answers[messages[-1].content]
    output = ModelOutput.from_content("mockllm/model", text, ended)
    output.usage = ModelUsage(input_tokens=1, output_tokens=1)  # it would count them with a table from elsewhere
    return output

model = get_model("mockllm/model", custom_outputs=answer)
(log,) = eval(name, model=model, task_args=words, display="none", log_dir="logs", log_format="json")
assert log.status == "success", log.error
"""
"""Inspect's mock model, which answers every question as it was told."""


def logged(here: Path, command: list[str], given: str = "", **more: str) -> dict[str, Any]:
    """What Inspect wrote down of an evaluation in a process of its own."""
    surroundings = os.environ | {"INSPECT_LOG_DIR": str(here / "logs"), **more}
    done = subprocess.run(
        command, cwd=here, env=surroundings, input=given, capture_output=True, encoding="utf-8", timeout=HANGING
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (file,) = (here / "logs").glob("*.json")
    return dict(json.loads(file.read_text(encoding="utf-8")))


def metrics(log: dict[str, Any]) -> dict[str, float]:
    (scores,) = log["results"]["scores"]
    return {name: found["value"] for name, found in scores["metrics"].items()}


def question_text(question: Question) -> str:
    """What a model reads of a question, below the rule book."""
    from duelbook.llm.kind import Axes
    from duelbook.llm.prompt import filled, shipped
    from duelbook.llm.told import told

    return filled(shipped(), told(question.view, Axes(), (), in_a_game=False)).user


class First:
    """As the model does that the server plays when nobody says otherwise."""

    def choose(self, view: View) -> int:
        return view.legal()[0]


class Last:
    """Always the last move of the list."""

    def choose(self, view: View) -> int:
        return view.legal()[-1]


def word(question: Question, move: int) -> str:
    return question.subject.game.dialogue.words(question.subject.rules)[move]


@pytest.mark.parametrize("name", ["book", "renamed", "fresh:3"])
def test_it_is_the_score_of_our_own_exam(name: str, tmp_path: Path) -> None:
    duels = ["secret", "tower"]
    paper = edition(name, 12, duels)
    answers = {question_text(each): (f"move: {word(each, each.view.legal()[-1])}", "stop") for each in paper.questions}
    kind, _, seed = name.partition(":")
    words = {"questions": 12, "duels": ",".join(duels), "repeats": 2} | ({"seed": int(seed)} if seed else {})
    log = logged(tmp_path, [sys.executable, "-c", MOCK], json.dumps([f"duelbook/exam_{kind}", words, answers]))
    found = metrics(log)
    (sat,) = examine([Last()], name, questions=12, duels=duels, repeats=2).sat
    (ours,) = sat.scores
    assert log["eval"]["task_version"] == paper.hash
    assert len(log["samples"]) == ours.asked
    assert [found[each] / 100 for each in ("lost", "from", "to")] == pytest.approx(ours.lost)
    assert found["without_faults"] == pytest.approx(found["lost"])
    beside = {each.name: 100 * each.lost for each in sat.yardsticks}
    assert (found["random"], found["level_3"]) == pytest.approx((beside["random"], beside["level:3"]))
    if kind == "renamed":
        assert "tower" not in json.dumps([each["input"] for each in log["samples"]]).lower()


def test_faults_are_counted_by_their_kinds(tmp_path: Path) -> None:
    paper = edition("book", 20, ["tower", "energy"])
    best = {
        question_text(each): (
            f"move: {word(each, next(option.move for option in each.options if not option.lost))}",
            "stop",
        )
        for each in paper.questions
    }
    spoiled = [("I ramble.", "stop"), ("I was", "max_tokens"), ("No.", "content_filter"), ("move: fly", "stop")]
    answers = best | dict(zip(best, spoiled, strict=False))
    words = {"questions": 20, "duels": "tower,energy"}
    log = logged(tmp_path, [sys.executable, "-c", MOCK], json.dumps(["duelbook/exam_book", words, answers]))
    found = metrics(log)
    times = [sum(question_text(each) == text for each in paper.questions) for text in list(best)[:4]]
    assert found["without_faults"] == 0 < found["lost"]
    assert [found[each] for each in ("unreadable", "cut_off", "refused")] == [times[0] + times[3], times[1], times[2]]
    assert sum(found[each.replace(" ", "_")] for each in FAULTS) == sum(times)
    kinds = [score["metadata"]["fault"] for each in log["samples"] for score in each["scores"].values()]
    assert kinds.count("refused") == times[2]


PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ (inspect eval .*)$", PAGE, re.MULTILINE)


def test_the_page_has_commands_and_every_metric() -> None:
    assert [each.split()[2] for each in COMMANDS] == ["duelbook/exam_book", "duelbook/exam_fresh"]
    assert {each.replace(" ", "_") for each in FAULTS} <= set(re.findall(r"`([a-z_]+)`", PAGE))


@pytest.mark.parametrize("command", COMMANDS)
def test_its_own_command_finds_the_exam_and_asks_a_server(command: str, tmp_path: Path) -> None:
    """As on the page, with a server of ours."""
    pytest.importorskip("openai", reason="openai is not installed: pip install 'duelbook[llm]'")

    def plays(request: Request) -> Said:
        return Said("I ramble.") if request.number == 3 else first_move(request)

    words = [str(BIN / "inspect"), *shlex.split(command)[1:], "--display", "plain", "--log-format", "json"]
    with model_server(plays) as server:
        log = logged(tmp_path, words, LOCAL_BASE_URL=server.url(), LOCAL_API_KEY="none")
        assert len(server.requests) == len(log["samples"]) == 20
    found = metrics(log)
    assert found["unreadable"] == 1
    assert found["from"] < found["lost"] < found["to"]


@pytest.mark.parametrize(
    ("task", "wrong", "said"),
    [
        ("book", "duels=nonsense", "There is no duel called 'nonsense'"),
        ("book", "questions=many", "The number of questions must be a whole number; 'many' is not one."),
        ("book", "questions=1", "A paper has at least 10 questions"),
        ("book", "question=20", "The exam takes no 'question'. Did you mean 'questions'? It takes questions, duels,"),
        ("book", "seed=7", "The exam takes no 'seed'."),
        ("book", "repeats=0", "How often a secret pick is asked must be a whole number from 1 to"),
        ("renamed", "rules=maybe", "rules is true or false; 'maybe' is neither."),
        ("renamed", "prompt=nowhere.md", "The prompt nowhere.md cannot be read"),
        ("fresh", "seed=x", "There is no edition 'fresh:x'."),
    ],
)
def test_what_cannot_be_asked_for_is_said_in_a_sentence(task: str, wrong: str, said: str, tmp_path: Path) -> None:
    command = [str(BIN / "inspect"), "eval", f"duelbook/exam_{task}", "--model", "mockllm/model", "-T", wrong]
    wide = os.environ | {"COLUMNS": "400"}
    done = subprocess.run(command, cwd=tmp_path, env=wide, capture_output=True, encoding="utf-8", timeout=HANGING)
    assert done.returncode != 0
    told = done.stdout + done.stderr
    assert said in " ".join(told.split())
    assert "Traceback" not in told


def inspected(here: Path, server: ModelServer, words: str) -> dict[str, Any]:
    pytest.importorskip("openai", reason="openai is not installed: pip install 'duelbook[llm]'")
    command = [str(BIN / "inspect"), *words.split(), "--display", "plain"]
    return logged(here, command, LOCAL_BASE_URL=server.url(), LOCAL_API_KEY="none")


EVAL = (
    "eval duelbook/exam_book --model openai-api/local/m --log-format json "
    "-T questions=8 -T duels=tower,secret -T repeats=2"
)


def test_epochs_count_every_answer_and_every_fault(tmp_path: Path) -> None:
    """Every second time a question is put it is not answered; Inspect asks in any order."""
    heard = Counter[str]()

    def plays(request: Request) -> Said:
        heard[request.question] += 1
        return Said("I ramble.") if heard[request.question] % 2 == 0 else first_move(request)

    paper = edition("book", 8, ["tower", "secret"])
    with model_server(plays) as server:
        log = inspected(tmp_path, server, f"{EVAL} --epochs 2")
    found = metrics(log)
    assert len(log["samples"]) == sum(2 * (2 if each.secret else 1) for each in paper.questions)
    assert found["unreadable"] == sum(count // 2 for count in heard.values())
    (ours,) = examine([First()], questions=8, duels=["tower", "secret"], repeats=2).sat[0].scores
    assert found["without_faults"] == pytest.approx(100 * ours.lost.value)
    assert found["lost"] > found["without_faults"]


@pytest.mark.parametrize("before", ["", " --no-score", " --epochs 2"])
def test_a_log_is_scored_again(before: str, tmp_path: Path) -> None:
    with model_server() as server:
        first = inspected(tmp_path, server, EVAL + before)
        (file,) = (tmp_path / "logs").glob("*.json")
        asked = len(server.requests)
        again = inspected(tmp_path, server, f"score {file} --scorer duelbook/exact_loss --action overwrite --overwrite")
        assert len(server.requests) == asked
    (ours,) = examine([First()], questions=8, duels=["tower", "secret"], repeats=2).sat[0].scores
    assert metrics(again)["lost"] == pytest.approx(100 * ours.lost.value)
    if not before.endswith("--no-score"):
        assert metrics(again) == metrics(first)

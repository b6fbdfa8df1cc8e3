"""A language model takes the exam, in a process of its own, from a server that fails in every way that servers do."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from duelbook.exam.editions import Edition, edition
from duelbook.exam.folder import ABOUT, ANSWERS, REPORT
from duelbook.exam.marks import CRASHED, CUT, LATE, REFUSED, UNREADABLE, is_answer
from duelbook.exam.paper import Question
from duelbook.llm.kind import ANTHROPIC, OPENAI, PROVIDERS
from duelbook.match import ILLEGAL
from model_command_helper import Stuck, going_on, left, ran, started
from model_server_helper import BROKEN, STALL, TOKENS, ModelServer, Request, Said, first_move, model_server

pytestmark = pytest.mark.slow
RETRY, GOOD = "sent again", "answered"
AT_ONCE = (("retry-after", "0"),)
"""What a server says that does not want us to wait before we ask again."""
RAMBLING = "On the one hand one could build. On the other hand, <b>what is a tower?</b>"
PATIENCE = "8"
"""Seconds after which an answer is late; all others come at once."""
EACH = sum(TOKENS)


@pytest.fixture(scope="module", autouse=True)
def packages() -> None:
    for name in PROVIDERS:
        pytest.importorskip(name, reason=f"{name} is not installed: pip install 'duelbook[llm]'")


def words(server: ModelServer, *more: str, provider: str = OPENAI, duels: str = "tower,energy") -> list[str]:
    where = ["--base-url", server.url(provider), "--duels", duels]
    return ["exam", f"llm:{provider}/x", *where, *more]


def player(out: str) -> dict[str, Any]:
    ((found,),) = (each["players"] for each in json.loads(out)["editions"])
    return dict(found)


def rows(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / ANSWERS).read_text(encoding="utf-8").splitlines()]


# Every way to fail


def asked(request: Request) -> tuple[str, str]:
    """Which duel a request is about, and which position of it."""
    name = re.search(r"player of (.*?), a game", request.system)
    where = re.search(r"in the notation of the rule book: (.*)", request.question)
    assert name is not None
    assert where is not None
    return name[1], where[1]


def key_of(question: Question) -> tuple[str, str]:
    return question.subject.game.name, question.position


def forbidden(question: Question) -> str | None:
    """A word of the duel that cannot be played here, if there is any."""
    known = question.subject.game.dialogue.words(question.subject.rules)
    return next((word for move, word in enumerate(known) if not is_answer(question, move)), None)


class Failing:
    """A model that fails at each question in a way of its own; the same one every time it is asked."""

    def __init__(self, paper: Edition) -> None:
        self.heard = Counter[tuple[str, str]]()
        self.ways: dict[tuple[str, str], str] = {}
        self.illegal: dict[tuple[str, str], str] = {}
        left = [LATE, CUT, BROKEN, REFUSED, UNREADABLE, RETRY, CUT, REFUSED, UNREADABLE, RETRY, UNREADABLE]
        for question in paper.questions:
            word = forbidden(question)
            if key_of(question) in self.ways:
                continue
            if word is not None and len(self.illegal) < 2:
                self.ways[key_of(question)], self.illegal[key_of(question)] = ILLEGAL, word
            else:
                self.ways[key_of(question)] = left.pop(0) if left else GOOD

    def __call__(self, request: Request) -> Said:
        here = asked(request)
        self.heard[here] += 1
        way = self.ways[here]
        if way == RETRY and self.heard[here] < 3:
            return Said(status=(429, 500)[self.heard[here] - 1], headers=AT_ONCE)
        return {
            LATE: Said("I look, and look", then=STALL),
            CUT: Said("I look, and", ended="length"),
            BROKEN: Said("I look, and", then=BROKEN),
            REFUSED: Said(ended="refusal", refusal="I do not play games about towers."),
            UNREADABLE: Said(RAMBLING),
            ILLEGAL: Said(f"move: {self.illegal.get(here)}"),
        }.get(way) or first_move(request)


def test_every_way_to_fail_has_its_column(tmp_path: Path) -> None:
    paper = edition("book", 24, ["tower", "energy"])
    model = Failing(paper)
    wanted = Counter({BROKEN: CUT}.get(way, way) for way in (model.ways[key_of(each)] for each in paper.questions))
    assert set(wanted) == {ILLEGAL, UNREADABLE, LATE, REFUSED, CUT, RETRY, GOOD}
    with model_server(model) as server:
        said = words(server, "--questions", "24", "--out", "kept", "--reply-time", PATIENCE, "--retries", "2")
        said += ["--price", "1,10", "--concurrency", "4", "--no-cache"]
        out, err = ran(tmp_path, [*said, "--json"])
        found = player(out)
        assert found["faults"] == {
            ILLEGAL: 2,
            **{kind: wanted[kind] for kind in (UNREADABLE, LATE, REFUSED, CUT, CRASHED)},
        }
        assert found["asked"] == 24
        assert found["lost"]["value"] > found["without_faults"]["value"]
        times = Counter(map(key_of, paper.questions))  # a position may come twice
        for here, way in model.ways.items():
            assert model.heard[here] == {RETRY: 2 + times[here], BROKEN: 3 * times[here]}.get(way, times[here])
        counted = 24 - sum(model.ways[key_of(each)] in (LATE, BROKEN) for each in paper.questions)
        assert found["usage"]["tokens_in"] + found["usage"]["tokens_out"] == counted * EACH
        assert found["usage"]["money"] == pytest.approx(counted * (TOKENS[0] + 10 * TOKENS[1]) / 1e6)
        assert "of unknown tokens" in err

        # What was said in place of an answer is kept with it, and shown as text in the report.
        faults = [each for each in rows(tmp_path / "kept") if "fault" in each]
        assert {each["reply"] for each in faults if each["fault"] == UNREADABLE} == {RAMBLING}
        assert {each["reply"] for each in faults if each["fault"] == REFUSED} == {"I do not play games about towers."}
        assert {each["reply"] for each in faults if each["fault"] == LATE} == {"I look, and look"}
        page = (tmp_path / "kept" / REPORT).read_text(encoding="utf-8")
        assert "&lt;b&gt;what is a tower?&lt;/b&gt;" in page
        assert f"{counted * EACH:,}" in page

        # Whoever asks for the report again, or for what more would cost, has nothing asked again.
        before = len(server.requests)
        shown, _ = ran(tmp_path, [*said, "--resume"])
        assert re.search(rf"^player .* tokens +money\n.* {counted * EACH:,} +0\.\d+$", shown, re.MULTILINE)
        assert re.search(r"^Faults:\n\n.*\n.*\b24 +2 +", shown, re.MULTILINE)
        told, _ = ran(tmp_path, [*said[:2], "level:3", *said[2:], "--cost"])
        assert re.search(r"questions each\n  by what was used so far, about [\d,]+ tokens and \d+\.\d+ of money", told)
        alone, _ = ran(tmp_path, [*said, "--cost"])
        assert "nothing is known" not in alone
        assert re.search(r"level:3 from level:4, .*\n  by what was used so far, about [\d,]+ tokens and", alone)
        assert len(server.requests) == before


@pytest.mark.parametrize("provider", PROVIDERS)
def test_however_many_are_asked_at_once_it_is_the_same_exam(provider: str, tmp_path: Path) -> None:
    with model_server() as server:
        said = words(
            server, "--questions", "8", "--repeats", "2", "--json", "--no-cache", provider=provider, duels="secret"
        )
        one, many = (ran(tmp_path, [*said, "--concurrency", count])[0] for count in ("1", "5"))
        assert player(one) == player(many)
        assert len(server.requests) == 2 * 16
        assert player(one)["usage"]["tokens_in"] == 16 * TOKENS[0]


# Nobody's fault


def goes_on(here: Path, server: ModelServer, stopped: str, extra: tuple[str, ...] = ()) -> tuple[str, int]:
    """What the rest of an exam comes to that stopped by itself, and how many questions were still asked for it."""
    before, kept = len(server.requests), rows(here / "kept")
    assert kept
    assert not any("fault" in each for each in kept)
    out, _ = ran(here, [*going_on(stopped), *extra])
    return out, len(server.requests) - before


@pytest.mark.parametrize("concurrency", ["1", "3"])
def test_a_server_that_is_down_stops_the_exam_and_is_no_fault(concurrency: str, tmp_path: Path) -> None:
    with model_server() as server:
        server.script = lambda request: first_move(request) if request.number < 7 else Said(status=503, headers=AT_ONCE)
        said = words(server, "--questions", "20", "--out", "kept", "--retries", "1", "--no-cache", "--json")
        said += ["--concurrency", concurrency]
        out, err = ran(tmp_path, said, ends=1)
        assert out == ""
        assert re.search(
            r"^Error: .* answered 503: The server is out of sorts\. It was tried 2 times\.$", err, re.MULTILINE
        )
        assert len(rows(tmp_path / "kept")) == 7  # whatever was answered is there
        server.script = first_move
        out, more = goes_on(tmp_path, server, err)
        assert more == 13
        whole, _ = ran(tmp_path, words(server, "--questions", "20", "--json"))
        assert player(out) == player(whole)
        assert sum(player(out)["faults"].values()) == 0
        assert player(out)["usage"]["money"] is None  # nobody has said a price


def test_a_total_that_is_used_up_stops_the_exam(tmp_path: Path) -> None:
    with model_server() as server:
        said = words(server, "--questions", "12", "--out", "kept", "--total-tokens", str(5 * EACH), "--json")
        _, err = ran(tmp_path, said, ends=1)
        assert f"Error: The {5 * EACH:,} tokens that models may use are used up" in err
        assert len(rows(tmp_path / "kept")) == len(server.requests) == 5
        out, more = goes_on(tmp_path, server, err, ("--total-tokens", str(100 * EACH)))
        assert more == 7
        assert player(out)["usage"]["tokens_in"] == 12 * TOKENS[0]
        _, err = ran(
            tmp_path,
            words(server, "--questions", "12", "--no-cache", "--total-money", "0.0001", "--price", "1,1"),
            ends=1,
        )
        assert "is spent" in err
        assert "nothing of it is kept. With --out FOLDER every answer is" in err


@pytest.mark.parametrize(("concurrency", "after"), [("1", 9), ("4", 17)])
def test_killed_in_the_middle_it_goes_on_where_it_was(concurrency: str, after: int, tmp_path: Path) -> None:
    """A signal that nobody can hear; nothing is left to tidy up."""
    stuck = Stuck(after)
    with model_server(stuck) as server:
        said = words(server, "--questions", "12", "--no-cache", "--json", "--reply-time", "86400", duels="tower,secret")
        said += ["--concurrency", concurrency]
        with started(tmp_path, [*said, "--out", "kept"]) as process:
            left(process, subprocess.Popen.kill, stuck)
        assert process.returncode == -signal.SIGKILL
        kept = rows(tmp_path / "kept")
        assert after - int(concurrency) <= len(kept) <= after
        before = len(server.requests)
        server.script = first_move
        out, _ = ran(tmp_path, [*said, "--out", "kept", "--resume"])
        assert len(server.requests) - before == 6 + 4 * 6 - len(kept)
        whole, _ = ran(tmp_path, said)
        assert player(out) == player(whole)
        assert len(rows(tmp_path / "kept")) == len(
            {(each["question"], each["ask"]) for each in rows(tmp_path / "kept")}
        )


@pytest.mark.parametrize("concurrency", ["1", "4"])
def test_ctrl_c_waits_for_no_answer(concurrency: str, tmp_path: Path) -> None:
    stuck = Stuck(8)
    with model_server(stuck) as server:
        said = words(
            server, "--questions", "12", "--reply-time", "86400", "--concurrency", concurrency, "--out", "kept"
        )
        with started(tmp_path, said) as process:
            err = left(process, lambda running: running.send_signal(signal.SIGINT), stuck)
        assert process.returncode == 130
        assert going_on(err) == [*said, "--resume"]


# Before anything is asked


def test_a_missing_key_is_said_before_anything_is_asked(tmp_path: Path) -> None:
    out, err = ran(
        tmp_path, ["exam", "llm:anthropic/x", "--out", "kept", "--questions", "4", "--duels", "tower"], ends=1
    )
    assert out == ""
    assert "x#" in err
    assert "cannot play: To ask a model of anthropic, put your key into the environment as ANTHROPIC_API_KEY" in err
    assert not (tmp_path / "kept" / ABOUT).exists()


@pytest.mark.parametrize("more", [["--tell-history", "yes"], []])
def test_there_is_no_history_in_an_exam(more: list[str], tmp_path: Path) -> None:
    model = "llm:openai/x" if more else "llm:openai/x history=yes"
    _, err = ran(tmp_path, ["exam", model, *more, "--base-url", "http://127.0.0.1:1/v1"], ends=2)
    assert "there is no history to tell a model: leave out history=yes." in " ".join(err.split())


def test_another_prompt_is_another_player(tmp_path: Path) -> None:
    """So answers to one are never taken for answers to the other."""
    prompt = tmp_path / "mine.md"
    prompt.write_text(
        "This is turn {turn}.\n\nYou are at {position} in {duel}.\n\n{moves}\n\nmove: MOVE\n", encoding="utf-8"
    )
    with model_server(lambda request: Said(f"move: {request.question.split(chr(10) * 2)[1].split(', ')[0]}")) as server:
        said = words(server, "--questions", "4", "--out", "kept", "--json", "--prompt", str(prompt), duels="tower")
        out, _ = ran(tmp_path, said)
        assert sum(player(out)["faults"].values()) == 0
        assert not any("turn" in each.question for each in server.requests)  # a question by itself is of no turn
        server.script = first_move
        again, _ = ran(
            tmp_path, [*words(server, "--questions", "4", "--out", "kept", "--resume", "--json", duels="tower")]
        )
        assert len(server.requests) == 8
        assert player(again)["name"] != player(out)["name"]


def test_transcripts_have_the_best_move_and_the_loss_under_other_names_too(tmp_path: Path) -> None:
    with model_server() as server:
        said = words(
            server, "--questions", "6", "--edition", "renamed", "--transcripts", "written", "--concurrency", "2"
        )
        ran(tmp_path, said)
        assert not any("tower" in each.system.lower() for each in server.requests)
    texts = [each.read_text(encoding="utf-8") for each in (tmp_path / "written").iterdir()]
    assert all(each.name.startswith("questions-x-") for each in (tmp_path / "written").iterdir())
    together = "".join(texts)
    assert len(re.findall(r"^## .*, Player [12] at ", together, re.MULTILINE)) == 6
    assert len(re.findall(r"^- best: (?!not known)", together, re.MULTILINE)) == 6
    assert len(re.findall(r"^- loss: ", together, re.MULTILINE)) == 6
    assert ANTHROPIC not in together

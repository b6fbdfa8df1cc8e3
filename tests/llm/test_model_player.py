"""A model asked over HTTP, by the packages of both interfaces, from a server that does all that servers do."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from duelbook import Asking, Axes, DuelError, Price, View, load
from duelbook.engine.log import begin
from duelbook.llm.carrying import LONGEST_WAIT
from duelbook.llm.faults import ModelFault, Spent, Unreachable
from duelbook.llm.kind import ANTHROPIC, OPENAI, PROVIDERS
from duelbook.players.llm import LlmPlayer
from engine_helper import until
from helpers import HANGING
from model_server_helper import (
    BROKEN,
    CLEAN,
    ENDLESS,
    MALFORMED,
    STALL,
    ModelServer,
    Request,
    Said,
    first_move,
    model_server,
)

pytestmark = pytest.mark.slow
KEY = "sk-duelbook-0123456789-secret"
TOWER = load("tower")
SHORT = 0.2
"""Seconds after which an answer that never comes is late."""


@pytest.fixture(scope="module", autouse=True)
def packages() -> None:
    for name in PROVIDERS:
        pytest.importorskip(name, reason=f"{name} is not installed: pip install 'duelbook[llm]'")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


Seat = Callable[..., LlmPlayer]


@pytest.fixture
def seat() -> Iterator[Seat]:
    """Makes players that do not wait before they ask again; how long they would have is in `waited`."""
    made: list[LlmPlayer] = []

    def make(server: ModelServer, provider: str = OPENAI, words: str = "", seed: int = 0, **asked: Any) -> LlmPlayer:
        asking = Asking()._replace(**asked)
        player = LlmPlayer(f"llm:{provider}/the-model url={server.url(provider)} {words}", seed, asking)
        waited: list[float] = []

        async def pause(seconds: float) -> None:
            waited.append(seconds)

        player.pause = pause
        player.waited = waited  # type: ignore[attr-defined]  # for the tests alone
        made.append(player)
        return player

    yield make
    for player in made:
        player.close()


def at(position: str, number: int = 0, id: str = "tower") -> View:
    game = load(id)
    state = game.read_position(game.book, position)
    turn = game.turn(game.book, state)
    return View(game, game.book, state, turn if turn < 2 else 0, number)


START = at("0 0 1")


def fault_of(player: LlmPlayer, view: View = START) -> ModelFault:
    with pytest.raises(ModelFault) as caught:
        player.choose(view)
    assert caught.value.sentence.endswith(".")
    return caught.value


# What is sent


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_model_is_asked_and_its_move_is_played(provider: str, seat: Seat) -> None:
    with model_server() as server:
        player = seat(server, provider)
        assert player.choose(START) == 0
        (request,) = server.requests
        assert (request.interface, request.body["model"], request.body["stream"]) == (provider, "the-model", True)
        assert "Tower Defense Duel" in request.system
        assert request.legal() == ["build 1", "build 2", "build 4"]
        assert player.usage._replace(seconds=0) == (100, 7, 1, 0, 0, None, 0, 0)
        assert player.usage.seconds > 0


@pytest.mark.parametrize(
    ("provider", "words", "sent"),
    [
        (OPENAI, "thinking=low", {"reasoning_effort": "low", "max_tokens": 8000}),
        (OPENAI, "thinking=high", {"reasoning_effort": "high", "max_tokens": 32000}),
        (OPENAI, "thinking=off temperature=0.5", {"reasoning_effort": "none", "temperature": 0.5, "max_tokens": 4000}),
        (OPENAI, "", {"reasoning_effort": None, "temperature": None}),
        (ANTHROPIC, "thinking=low", {"thinking": {"type": "adaptive"}, "output_config": {"effort": "low"}}),
        (ANTHROPIC, "thinking=high", {"output_config": {"effort": "high"}, "max_tokens": 32000}),
        (ANTHROPIC, "thinking=2048", {"thinking": {"type": "enabled", "budget_tokens": 2048}, "max_tokens": 6048}),
        (ANTHROPIC, "thinking=off temperature=0", {"thinking": {"type": "disabled"}, "temperature": 0}),
        (ANTHROPIC, "", {"thinking": None, "output_config": None, "temperature": None}),
    ],
)
def test_each_axis_reaches_the_server(provider: str, words: str, sent: dict[str, object], seat: Seat) -> None:
    with model_server() as server:
        seat(server, provider, words).choose(START)
        body = server.requests[0].body
        assert {name: body.get(name) for name in sent} == sent


def test_a_number_of_tokens_to_think_is_refused_where_the_interface_has_none(seat: Seat) -> None:
    with model_server() as server, pytest.raises(DuelError, match="say thinking=low or high"):
        seat(server, OPENAI, "thinking=2048").prepare(START)


def test_history_is_what_it_was_asked_before_in_this_game(seat: Seat) -> None:
    with model_server() as server:
        player = seat(server, words="history=yes")
        player.prepare(START)
        player.choose(START)
        player.choose(at("1 4 1", 2))
        player.choose(at("1 4 1", 2))  # taken back
        player.prepare(START)
        player.choose(START)
        remembered = ["- turn" in request.question for request in server.requests]
        assert remembered == [False, True, True, False]
        assert server.requests[1].question == server.requests[2].question
        assert "- turn 1, position 0 0 1: you played build 1" in server.requests[1].question


def test_a_game_that_nobody_announces_has_a_history_too(seat: Seat) -> None:
    """A table at which people sit asks for moves from the start."""
    with model_server() as server:
        player = seat(server, words="history=yes")
        player.choose(START)
        player.choose(at("1 4 1", 2))
        assert "- turn 1" in server.requests[1].question


def test_questions_outside_a_game_have_no_history(seat: Seat) -> None:
    with model_server() as server:
        player = seat(server, words="history=yes")
        player.ask_apart()
        player.choose(START)
        player.choose(at("1 4 1", 2))
        assert "- turn" not in server.requests[1].question


def test_an_address_can_come_from_the_environment(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    with model_server() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url(OPENAI))
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url(ANTHROPIC))
        for provider in PROVIDERS:
            player = LlmPlayer(f"llm:{provider}/m")
            assert player.choose(START) == 0
            assert "url" not in player.model.kind
            player.close()
        assert [request.interface for request in server.requests] == list(PROVIDERS)


# Answers that are faults


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    ("said", "kind", "kept"),
    [
        (Said("I would build, I think, but who knows?"), "unreadable", "who knows?"),
        (Said(""), "unreadable", ""),
        (Said("move: attack"), "illegal", "move: attack"),
        (Said("Let me think about it at length", ended="length"), "cut", "at length"),
        (Said(refusal="I do not play games.", ended="refusal"), "refused", "I do not play games."),
        (Said(ended="refusal"), "refused", ""),
    ],
)
def test_a_bad_answer_is_a_fault_and_never_asked_for_again(
    provider: str, said: Said, kind: str, kept: str, seat: Seat
) -> None:
    with model_server([said]) as server:
        player = seat(server, provider)
        fault = fault_of(player)
        assert fault.kind == kind
        assert fault.reply.endswith(kept)
        assert len(server.requests) == player.usage.requests == 1


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("then", [STALL, ENDLESS])
def test_who_is_late_is_cut_off_at_the_limit_even_while_tokens_flow(provider: str, then: str, seat: Seat) -> None:
    with model_server([Said("Well, ", then=then)]) as server:
        player = seat(server, provider, move_time=10 * SHORT)  # the first words must be there by then
        fault = fault_of(player)
        assert fault.kind == "time"
        assert fault.reply.startswith("Well, ")
        assert len(server.requests) == 1
        assert player.usage.uncounted == 1


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("then", [BROKEN, CLEAN, MALFORMED])
def test_an_answer_that_breaks_off_time_and_again_is_cut(provider: str, then: str, seat: Seat) -> None:
    with model_server([Said("move: build 1", then=then)]) as server:
        player = seat(server, provider, retries=2)
        fault = fault_of(player)
        assert (fault.kind, fault.reply) == ("cut", "move: build 1")
        assert len(server.requests) == 3
        assert (player.usage.requests, player.usage.retries) == (3, 2)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_an_answer_that_breaks_off_once_is_asked_for_again(provider: str, seat: Seat) -> None:
    with model_server([Said("move: bui", then=BROKEN), Said("move: build 4")]) as server:
        assert seat(server, provider).choose(START) == 2
        assert server.requests[0].body == server.requests[1].body


# Trouble on the way


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    ("status", "headers", "wait"), [(429, (("Retry-After", "7"),), 7.0), (500, (), 0.5), (503, (), 0.5)]
)
def test_a_server_in_trouble_is_asked_again_after_what_it_says(
    provider: str, status: int, headers: tuple[tuple[str, str], ...], wait: float, seat: Seat
) -> None:
    with model_server([Said(status=status, headers=headers), Said("move: build 2")]) as server:
        player = seat(server, provider)
        assert player.choose(START) == 1
        assert player.waited == [wait]  # type: ignore[attr-defined]
        assert (player.usage.requests, player.usage.retries) == (2, 1)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_trouble_that_stays_is_nobodys_fault(provider: str, seat: Seat) -> None:
    with model_server([Said(status=500)]) as server:
        player = seat(server, provider, retries=3)
        with pytest.raises(
            Unreachable, match=r"answered 500: The server is out of sorts\. It was tried 4 times\."
        ) as caught:
            player.choose(START)
        assert not isinstance(caught.value, ModelFault)
        assert player.waited == [0.5, 1.0, 2.0]  # type: ignore[attr-defined]


def test_a_server_that_wants_to_be_left_alone_for_long_is(seat: Seat) -> None:
    with model_server([Said(status=429, headers=(("Retry-After", str(LONGEST_WAIT + 1)),))]) as server:
        player = seat(server)
        with pytest.raises(Unreachable, match="asks to wait 61 s"):
            player.choose(START)
        assert len(server.requests) == 1


@pytest.mark.parametrize("error", ["insufficient_quota", "You exceeded your current quota: insufficient_quota"])
def test_no_money_is_not_waited_for(error: str, seat: Seat) -> None:
    with model_server([Said(status=429, error=error)]) as server, pytest.raises(Unreachable, match="429"):
        seat(server).choose(START)
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_what_the_server_refuses_is_not_sent_again(status: int, seat: Seat) -> None:
    with model_server([Said(status=status)]) as server:
        player = seat(server)
        with pytest.raises(Unreachable, match=f"answered {status}"):
            player.choose(START)
        assert len(server.requests) == 1


@pytest.mark.parametrize("provider", PROVIDERS)
def test_nobody_there_is_said_in_a_sentence(provider: str, seat: Seat) -> None:
    with model_server() as server:
        player = seat(server, provider, retries=1)
    with pytest.raises(
        Unreachable, match=r"The line to http://127\.0\.0\.1:\d+\S* failed: .*\. It was tried 2 times\."
    ):
        player.choose(START)


# Keys


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("where", ["answer", "split", "refusal", "error", "thinking", "broken", "late"])
def test_a_key_is_sent_to_the_server_and_is_nowhere_else(
    provider: str, where: str, seat: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even from a server that says it aloud."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)

    def parrot(request: Request) -> Said:
        found = request.headers.get("x-api-key") or request.headers["authorization"].removeprefix("Bearer ")
        return {
            "answer": Said(f"Your key is {found}."),
            "split": Said(f"Your key is\n{found[:9]}{found[9:]} and {found}{found}\nmove: build 1"),
            "refusal": Said(refusal=f"Not with {found}.", ended="refusal"),
            "error": Said(status=400, error=f"Bad request with {found}."),
            "thinking": Said("move: build 1", thinking=f"So {found} is the key."),
            "broken": Said(f"{found} ", then=BROKEN),
            "late": Said(f"{found} ", then=STALL),
        }[where]

    with model_server(parrot) as server:
        log = begin(str(tmp_path / "log"), "a test")
        asking = Asking(
            transcripts=str(tmp_path / "transcripts"), move_time=SHORT if where == "late" else HANGING, retries=0
        )
        player = LlmPlayer(f"llm:{provider}/m url={server.url(provider)}", 0, asking, log)
        told = player.model.kind
        try:
            player.choose(START)
        except DuelError as error:
            told += f"{error} {error!r} {error.args} {getattr(error, 'reply', '')} {error.__cause__!r}"
        player.close()
        request = server.requests[0]
        assert KEY in (request.headers.get("x-api-key") or request.headers["authorization"])
        assert KEY not in json.dumps(request.body)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert where == "error" or len(files) > 1
    assert KEY not in told
    assert [path.name for path in files if KEY in path.read_text(encoding="utf-8")] == []


def test_a_server_of_ones_own_needs_no_key(seat: Seat) -> None:
    with model_server() as server:
        for provider in PROVIDERS:
            assert seat(server, provider).choose(START) == 0
        sent = [each.headers.get("x-api-key") or each.headers["authorization"] for each in server.requests]
        assert [each.removeprefix("Bearer ") for each in sent] == ["none", "none"]


# Limits


def test_a_total_of_tokens_ends_the_asking(seat: Seat) -> None:
    with model_server() as server:
        player = seat(server, total_tokens=200)
        for number in (0, 2):
            player.choose(at("0 0 1", number))
        with pytest.raises(Spent, match=r"200 tokens .* used up: 2 requests"):
            player.choose(at("0 0 1", 4))
        assert len(server.requests) == 2


def test_a_total_of_money_ends_the_asking(seat: Seat) -> None:
    with model_server() as server:
        player = seat(server, total_money=1.0, prices=(Price("openai/the-model", 5_000.0, 1_000_000.0),))
        player.choose(START)
        assert player.usage.money == pytest.approx(7.5)
        with pytest.raises(Spent, match="money"):
            player.choose(at("0 0 1", 2))
        assert len(server.requests) == 1


def test_a_server_that_does_not_count_cannot_be_held_to_a_total(seat: Seat) -> None:
    with model_server([Said("move: build 1", tokens=None)]) as server:
        assert seat(server).choose(START) == 0
        with pytest.raises(Unreachable, match="does not say how many tokens"):
            seat(server, seed=1, total_tokens=10**6).choose(START)


# The cache and samples


def test_what_was_answered_is_not_asked_again_but_another_sample_is(seat: Seat) -> None:
    with model_server() as server:
        player = seat(server)
        for _ in range(2):
            player.choose(START)
        assert len(server.requests) == 2
        again = seat(server)
        for _ in range(3):
            again.choose(START)
        assert len(server.requests) == 3
        assert (again.usage.requests, again.usage.cached, again.usage.tokens_in) == (1, 2, 100)
        seat(server, seed=7).choose(START)
        seat(server, words="temperature=1").choose(START)
        seat(server, move_tokens=99).choose(START)
        assert len(server.requests) == 6
        seat(server, cache=False).choose(START)
        assert len(server.requests) == 7


def test_a_bad_answer_is_kept_as_the_answer_it_was(seat: Seat) -> None:
    with model_server([Said("Hm."), Said("move: build 1")]) as server:
        assert [fault_of(seat(server)).kind for _ in range(2)] == ["unreadable"] * 2
        assert len(server.requests) == 1


def test_what_was_late_is_asked_again(seat: Seat) -> None:
    with model_server([Said(then=STALL), Said("move: build 1")]) as server:
        assert fault_of(seat(server, move_time=SHORT)).kind == "time"
        assert seat(server).choose(START) == 0


# Several at once


@pytest.mark.parametrize("provider", PROVIDERS)
def test_any_number_of_threads_may_ask_one_player(provider: str, seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server answers none before all have asked, so they were asked at once."""
    many = 8
    together = Barrier(many)

    def all_at_once(request: Request) -> Said:
        return Said(f"move: {request.legal()[-1]}")

    with model_server(all_at_once) as server:
        hear = server.hear

        def wait_for_all(*asked: Any) -> Said:
            together.wait(HANGING)
            return hear(*asked)

        monkeypatch.setattr(server, "hear", wait_for_all)
        player = seat(server, provider)
        views = [at(f"{height} 2 1", number) for number, height in enumerate(range(many))]
        with ThreadPoolExecutor(many) as threads:
            assert list(threads.map(player.choose, views)) == [2] * many
        assert player.usage.requests == many
        assert player.usage.tokens_in == 100 * many


class Forgotten(set[Any]):
    """Answers on their way that nobody can call off."""

    def add(self, answer: object) -> None:
        pass


@pytest.mark.parametrize("called_off", [True, False])
def test_who_is_closed_while_it_is_asked_stops_waiting(called_off: bool, seat: Seat) -> None:
    """Also where the line is gone before the answer could be called off: nobody but us has let go of it."""
    with model_server([Said("Hm ", then=STALL)]) as server:
        player = seat(server)
        if not called_off:
            player._on_their_way = Forgotten()
        with ThreadPoolExecutor(1) as thread:
            asked = thread.submit(player.choose, START)
            assert until(lambda: bool(server.requests))
            player.close()
            error = asked.exception()
        assert isinstance(error, ModelFault)
        assert error.kind == "crash"
        server.script = first_move
        assert player.choose(at("0 0 1", 2)) == 0


# Transcripts and logs


def test_a_transcript_tells_everything_of_a_decision(seat: Seat, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "transcripts"
    answers = [
        Said("Tall is good.\n```\nmove: build 4\n```\nmove: build 4", thinking="Hm."),
        Said("\x1b[2JI forgot."),
    ]
    with model_server(answers) as server:
        player = seat(server, transcripts=str(folder))
        player.prepare(START)
        player.choose(at("11 0 1"))
        fault_of(player, at("5 3 1", 2))
        player.prepare(START)
        fault_of(player)
    first, second = sorted(folder.iterdir())
    assert (first.name, second.name) == ("tower-the-model-0001.md", "tower-the-model-0002.md")
    text = first.read_text(encoding="utf-8")
    assert text.startswith(f"# Tower Defense Duel: {player.model.kind}\n")
    assert f"prompt: {player.model.prompt}" in text
    for part in (
        "## Turn 1 at 11 0 1",
        "## Turn 3 at 5 3 1",
        server.requests[0].question,
        "Thinking:\n\n```text\nHm.\n",
    ):
        assert part in text
    assert "````text\nTall is good.\n```\nmove: build 4\n```\nmove: build 4\n````\n" in text
    assert "- move: build 4\n- best: build 4\n- loss: nothing\n" in text
    assert "- fault (unreadable): the-model did not end with" in text
    assert "\\x1b[2JI forgot." in text
    assert "\x1b" not in text


def test_a_transcript_says_what_a_bad_move_lost(seat: Seat, tmp_path: Path) -> None:
    with model_server([Said("move: build 2")]) as server:
        seat(server, transcripts=str(tmp_path / "t")).choose(at("14 9 1"))
    (file,) = (tmp_path / "t").iterdir()
    assert "- move: build 2\n- best: build 1\n- loss: 1.0000 of a win\n" in file.read_text(encoding="utf-8")


def test_a_folder_that_cannot_be_written_is_said_before_anything_is_asked(seat: Seat, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with model_server() as server:
        with pytest.raises(DuelError, match="Transcripts cannot be written"):
            seat(server, transcripts=str(tmp_path / "file" / "below")).prepare(START)
        assert server.requests == []


def test_a_log_holds_what_was_asked_and_answered_with_the_hash_of_the_prompt(tmp_path: Path) -> None:
    with model_server([Said("Hm.")]) as server:
        file = tmp_path / "log"
        player = LlmPlayer(f"llm:openai/m url={server.url()}", 0, None, begin(str(file), "a test"))
        fault_of(player)
        player.close()
    text = file.read_text(encoding="utf-8")
    assert f"# {player.model.kind} turn 1 sample" in text
    assert player.model.prompt in text
    assert "m > You are Player 1, and it is for you to decide." in text
    assert "m < Hm." in text
    assert "m # unreadable: " in text


def test_a_prompt_of_ones_own_is_sent_and_known_by_its_hash(seat: Seat) -> None:
    with model_server([Said("move: build 1")]) as server:
        player = seat(server, prompt="Be brief.\n\n---\n\nHere: {position}\n\nmove: WHAT", axes=Axes(rules=False))
        player.choose(START)
        other = seat(server)
        assert (server.requests[0].system, server.requests[0].question) == ("Be brief.", "Here: 0 0 1\n\nmove: WHAT")
        assert player.model.prompt != other.model.prompt
        assert "rules=no" in player.model.kind

"""A language model is refuted, in a process of its own, whose server stands in the environment."""

from __future__ import annotations

import json
import random
import signal
from pathlib import Path
from typing import Any

import pytest

from duelbook.exam.marks import LATE, REFUSED, UNREADABLE
from duelbook.llm.kind import PROVIDERS
from duelbook.table.verify import verify
from model_command_helper import Stuck, going_on, left, ran, started
from model_server_helper import STALL, TOKENS, ModelServer, Said, model_server

pytestmark = pytest.mark.slow
EACH = sum(TOKENS)


@pytest.fixture(scope="module", autouse=True)
def packages() -> None:
    for name in PROVIDERS:
        pytest.importorskip(name, reason=f"{name} is not installed: pip install 'duelbook[llm]'")


def words(*more: str, seat: str = "1") -> list[str]:
    return ["refute", "llm:openai/x", "--duels", "tower", "--seat", seat, *more]


def where(server: ModelServer) -> dict[str, str]:
    return {"OPENAI_BASE_URL": server.url()}


def seat_of(out: str) -> dict[str, Any]:
    (found,) = json.loads(out)
    (seat,) = found["seats"]
    return dict(seat)


def test_whatever_it_is_asked_twice_is_asked_of_the_model_twice(tmp_path: Path) -> None:
    """What is at hand from the first time would prove nothing; but the whole command again costs nothing."""
    said = words("--positions", "500", "--seed", "5", "--json")
    with model_server() as server:
        out, _ = ran(tmp_path, [*said, "--out", "proof.duel"], around=where(server))
        seat = seat_of(out)
        assert (seat["how"], seat["refuted"], seat["same"]) == ("exact", True, True)
        assert len(server.requests) == seat["times"]
        again, err = ran(tmp_path, said, around=where(server))
        assert again == out
        assert len(server.requests) == seat["times"]
        assert f"0 requests, {seat['times']} answers at hand" in err
    assert verify(tmp_path / "proof.duel").ok


def test_a_line_that_ends_where_it_was_asked_no_more_says_so(tmp_path: Path) -> None:
    with model_server() as server:
        out, _ = ran(tmp_path, words("--positions", "30"), around=where(server))
    assert "Refuted: against the best answer it always loses in the end" in out
    assert "A way to where it has lost, whatever it does, 10 turns: 1. build 1 build 1" in out
    assert ". That is 5 9 1." in out


def test_games_of_a_sample_do_not_depend_on_what_was_learnt_before(tmp_path: Path) -> None:
    """Each answer in them is a new one. In the second seat of tower everybody can be beaten."""
    lot = random.Random(1)
    with model_server(lambda request: Said(f"move: {lot.choice(request.legal())}")) as server:
        said = words("--positions", "4", "--games", "5", "--seed", "5", seat="2")
        out, err = ran(tmp_path, said, around=where(server))
        assert "at hand" not in err
        assert f"{len(server.requests)} times in all" in out.replace(",", "")
    assert "Nothing to refute: it can be beaten, but so can anybody, for the duel is won for Player 1. 5 won" in out
    assert "It does not always answer the same." in out


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Said("I do not know."), UNREADABLE),
        (Said("", ended="refusal", refusal="No."), REFUSED),
        (Said("I look", then=STALL), LATE),
    ],
)
def test_a_model_that_fails_is_refuted_by_that(answer: Said, kind: str, tmp_path: Path) -> None:
    with model_server([answer]) as server:
        more = ["--reply-time", "1"] if kind == LATE else []
        out, _ = ran(tmp_path, words("--positions", "20", *more), around=where(server))
        assert f"It fails ({kind}) at 0 0 1: x " in out
        assert "The shortest way to beat it, at once: x#" in out
        assert "0 decisions" not in out
        second, _ = ran(tmp_path, words("--positions", "20", *more, seat="2"), around=where(server))
    assert "It fails, and a fault loses the game; but anybody can be beaten here" in second
    assert f"It fails ({kind}) at 1 0 2 after build 1: x " in second


def test_a_server_that_is_out_of_sorts_refutes_nobody(tmp_path: Path) -> None:
    with model_server([Said(status=500)]) as server:
        out, err = ran(tmp_path, words("--positions", "20", "--retries", "0"), ends=1, around=where(server))
    assert out == ""
    assert "answered 500: The server is out of sorts." in err


def test_a_limit_on_tokens_stops_it_and_it_can_go_on(tmp_path: Path) -> None:
    with model_server() as server:
        said = words("--positions", "30", "--total-tokens", str(9 * EACH), "--out", "proof.duel")
        out, err = ran(tmp_path, said, ends=1, around=where(server))
        assert out == ""
        assert "tokens that models may use are used up" in err
        assert not (tmp_path / "proof.duel").exists()
        assert len(server.requests) == 9
        _, err = ran(tmp_path, [*going_on(err), "--total-tokens", str(1000 * EACH)], around=where(server))
        assert ", 9 answers at hand," in err
        (tmp_path / "proof.duel").unlink()
        asked = len(server.requests)
        ran(tmp_path, [*said[:-4], "--seed", "5"], around=where(server))
        assert len(server.requests) == 2 * asked  # nothing was asked twice for having been stopped


@pytest.mark.parametrize("after", [0, 40])
def test_ctrl_c_waits_for_no_answer(after: int, tmp_path: Path) -> None:
    stuck = Stuck(after)
    with model_server(stuck) as server:
        said = words("--positions", "30", "--reply-time", "86400", "--out", "proof.duel")
        with started(tmp_path, said, around=where(server)) as process:
            err = left(process, lambda running: running.send_signal(signal.SIGINT), stuck)
        assert process.returncode == 130
        assert "Traceback" not in err
        assert going_on(err)[:-2] == said
        assert not (tmp_path / "proof.duel").exists()

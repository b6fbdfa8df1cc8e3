"""Every decision put to a policy at once: the same loss and the same exploitability as asked one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from duelbook import Duel, DuelError, Examiner, View, examine, load, refute, variant
from duelbook.envs.encoding import Encoding
from duelbook.exam import everything
from duelbook.exam.examinee import candidate
from duelbook.exam.whole import examine_all
from duelbook.games import ROOMS
from duelbook.policies import best_response
from duelbook.policies.nodes import nodes_of
from duelbook.policies.plans import plan_of
from duelbook.positions.machine import plain
from duelbook.simulate import positions
from duelbook.solving.library import solution_for
from slow_helper import slow_if

SMALL = {
    "conquer": ("hp=2",),
    "deck": ("lp=3", "cards=3"),
    "energy": ("energy=4",),
    "secret": ("hp=2", "highest=2"),
    "tower": ("goal=6",),
}


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """In plain Python: these are too few to wait for a compiler."""
    monkeypatch.setattr(everything, "there_is_a_compiler", lambda: False)


def uniform(observations: Any, masks: Any) -> Any:
    return masks / masks.sum(axis=1, keepdims=True)


def as_played_by(kind: str, examiner: Examiner) -> Any:
    """What a player who is a table does at every decision, found by going through all positions."""
    encoding = examiner.encoding
    shares = np.full(examiner.masks.shape, np.nan)
    for _, state, seat in positions(encoding.game, encoding.rules).decisions():
        try:
            (row,) = examiner.rows(np.array([encoding.observed(state, seat)]))
        except DuelError:
            continue  # a row of the numbering that cannot come up
        shares[row] = plan_of(kind, encoding.game, encoding.rules, state, seat)
        assert examiner.masks[row].tolist() == list(map(bool, encoding.mask(state, seat)))
    return shares


@pytest.mark.parametrize("id", SMALL)
@pytest.mark.parametrize("kind", ["random", "level:2", "perfect"])
def test_a_table_loses_what_it_loses_and_is_exploited_as_it_is(id: str, kind: str) -> None:
    duel, examiner = Duel(id, *SMALL[id]), Examiner(id, *SMALL[id])
    found, known = examiner.judge(as_played_by(kind, examiner)), duel.exploitability(kind)
    assert found.exploitability == pytest.approx(known.mean, abs=1e-9)
    for one, other in zip(found.exploited.seats, known.seats, strict=True):
        assert one == pytest.approx(other, abs=1e-9)
    assert found.exact
    assert kind != "perfect" or found.lost == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("id", [slow_if(id not in ("energy", "tower"), id) for id in ROOMS])
def test_by_the_book_it_is_what_the_exam_finds_over_everything(id: str) -> None:
    examiner, found = Examiner(id), examine_all([candidate("random")], "book", [id])
    assert examiner.lost(uniform) == pytest.approx(found.lost["random"][id], abs=1e-12)


@pytest.mark.parametrize("id", SMALL)
def test_nodes_are_the_positions_that_the_table_has_them_for(id: str) -> None:
    """What a compiler lays out and what plain Python does stand in the same order as their nodes."""
    game = load(id)
    solution = solution_for(game, variant(game, SMALL[id]))
    states, turns_round = nodes_of(solution, plain())
    assert turns_round
    assert len({tuple(state) for state in states.tolist()}) == len(states)


def seat_taught(examiner: Examiner, good: int) -> Any:
    """Perfect in one seat, anything in the other."""
    perfect = as_played_by("perfect", examiner)
    own = examiner.observations[:, -1:] == good
    return np.where(own, perfect, uniform(None, examiner.masks))


@pytest.mark.parametrize("id", SMALL)
def test_each_seat_is_judged_by_what_is_done_in_it(id: str) -> None:
    examiner, known = Examiner(id, *SMALL[id]), Duel(id, *SMALL[id]).exploitability("random")
    random = examiner.judge(uniform)
    for good in (0, 1):
        found = examiner.judge(seat_taught(examiner, good))
        assert found.exploited.seats[good].exploitability == pytest.approx(0, abs=1e-9)
        assert found.exploited.seats[1 - good].exploitability == pytest.approx(
            known.seats[1 - good].exploitability, abs=1e-9
        )
        assert found.lost == pytest.approx(random.lost / 2, abs=1e-9)


def test_observations_are_those_of_the_environments() -> None:
    encoding, examiner = Encoding("tower"), Examiner("tower")
    start = encoding.game.start(encoding.rules, 0)
    (row,) = examiner.rows(np.array([encoding.observed(start, 0)]))
    assert examiner.observations[row].tolist() == encoding.observed(start, 0)
    assert len(examiner) == len(np.unique(examiner.observations, axis=0)) == 444
    with pytest.raises(DuelError, match="at which nobody decides in Tower Defense Duel"):
        examiner.rows(np.array([[15, 0, 0, 0]]))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda shares: shares[1:], "is an array of 444 decisions and 4 moves; this one has the shape"),
        (lambda shares: shares * 2, "Row 0 of the policy, for .* is no list of probabilities"),
        (lambda shares: shares * np.nan, "is no list of probabilities that add up to 1: nan"),
        (lambda shares: np.eye(4)[np.full(len(shares), 3)], "makes a move that is not legal: 0, 0, 0, 1"),
    ],
)
def test_a_policy_that_is_none_is_refused(spoil: Any, said: str) -> None:
    examiner = Examiner("tower")
    with pytest.raises(DuelError, match=said):
        examiner.judge(spoil(uniform(None, examiner.masks)))


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        (("goal=6", "knocked=2"), {}),
        (("goal=6 knocked=2",), {}),
        ((["goal=6", "knocked=2"],), {}),
        ((variant(load("tower"), ["goal=6", "knocked=2"]),), {}),
        ((), {"rules": "goal=6 knocked=2"}),
        ((), {"rules": ("goal=6", "knocked=2")}),
        ((), {"rules": variant(load("tower"), ["goal=6", "knocked=2"])}),
        (("goal=6",), {"rules": ["knocked=2"]}),
    ],
)
def test_other_rules_are_said_as_anybody_would(texts: Any, named: Any) -> None:
    assert Examiner("tower", *texts, **named).encoding.rules == variant(load("tower"), ["goal=6", "knocked=2"])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (20, "Rules are texts, as in 'goal=20', or a list of such; 20 is not"),
        ([20], "A rule is a text such as name=value; 20 is not"),
        ("gaol=20", "has no rule called 'gaol'"),
    ],
)
def test_rules_that_are_none_are_refused(given: Any, said: str) -> None:
    with pytest.raises(DuelError, match=said):
        Examiner("tower", rules=given)
    with pytest.raises(DuelError, match=said):
        refute("perfect", "tower", rules=given)


def test_what_networks_round_is_put_right() -> None:
    examiner = Examiner("tower")
    rough = uniform(None, examiner.masks).astype(np.float32) * np.float32(1.0001) + np.float32(1e-6)
    assert examiner.judge(rough).lost == pytest.approx(examiner.judge(uniform).lost, abs=1e-4)


def test_a_policy_sits_down_as_a_player_and_takes_the_exam() -> None:
    examiner = Examiner("tower")
    perfect = examiner.player(as_played_by("perfect", examiner), seed=1)
    assert Duel("tower").play(perfect, "level:6", seed=1).match.outcome.winner == 0  # type: ignore[union-attr]
    taken = examine([perfect, examiner.player(uniform, seed=2)], duels=["tower"], questions=40)
    best, worst = taken.sat[0].scores
    assert best.lost.value == pytest.approx(0, abs=1e-9)
    assert worst.lost.value > 0.3
    assert not any(fault for each in (best, worst) for fault in each.faults.values())


def test_a_policy_plays_the_duel_that_it_was_learnt_for() -> None:
    player = Examiner("tower").player(uniform)
    energy = load("energy")
    with pytest.raises(DuelError, match="was learnt for Tower Defense Duel"):
        player.plan(View(energy, energy.book, energy.start(energy.book, 0), 0, 0))


def test_it_is_said_where_a_response_does_not_come_to_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is then what a response gets at least."""
    known = Examiner("tower", "goal=6").judge(uniform)
    monkeypatch.setattr(best_response, "MOST_SWEEPS", 2)
    found = Examiner("tower", "goal=6").judge(uniform)
    assert known.exact
    assert not found.exact
    assert found.exploitability <= known.exploitability


@pytest.mark.slow
@pytest.mark.parametrize("id", SMALL)
def test_with_a_compiler_it_is_the_same(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    uncompiled = Examiner(id, *SMALL[id])
    monkeypatch.undo()
    compiled = Examiner(id, *SMALL[id])
    assert (compiled.observations == uncompiled.observations).all()
    for policy in (uniform, seat_taught(compiled, 0)):
        one, other = compiled.judge(policy), uncompiled.judge(policy)
        assert one.lost == pytest.approx(other.lost, abs=1e-9)
        assert one.exploitability == pytest.approx(other.exploitability, abs=1e-9)

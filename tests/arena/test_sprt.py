"""The sequential test: the likeliest ratio, a verdict that depends on the schedule alone, and errors that are rare."""

from __future__ import annotations

import re
from collections.abc import Generator
from functools import partial
from math import fsum, log
from pathlib import Path
from random import Random
from statistics import pvariance

import pytest
from bench.rehearsal import drawn_match, drawn_test, elo_of, pair_chances, table_of

from arena_helper import plan
from duelbook.arena.judge.sprt import (
    BOUND,
    FEW,
    ROUNDS,
    SCORES,
    Sprt,
    Standing,
    expected_score,
    log_likelihood_ratio,
)
from duelbook.arena.play.crews import crew
from duelbook.arena.play.results import Fault, Result, Task
from duelbook.arena.play.tournament import hold, programme
from duelbook.core import DRAW, DuelError
from duelbook.luck import below, mix
from duelbook.policies.levels import score
from slow_helper import slow

MATCHES = 1000


def standing(test: Sprt, *scores: float) -> Standing:
    """After pairs with these scores."""
    for each in scores:
        test.add(each)
    return test.standing


def pair(one: int | None, two: int | None, turns: int = 200) -> tuple[Result, Result]:
    """Two games with these winners, entrant 0 in the first seat and then in the second."""
    games = [Task(number, 0, "tower", (), (number, 1 - number), 1, 200) for number in (0, 1)]
    return Result(games[0], one, "", turns), Result(games[1], two, "", turns)


def test_elo_and_score_are_two_ways_to_say_the_same() -> None:
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)
    assert elo_of(expected_score(123)) == pytest.approx(123)


def test_the_bounds_are_walds() -> None:
    stands = Sprt(0, 10, alpha=0.05, beta=0.1).standing
    assert stands.lower == pytest.approx(log(0.1 / 0.95))
    assert stands.upper == pytest.approx(log(0.9 / 0.05))
    assert (stands.elo0, stands.elo1, stands.alpha, stands.beta) == (0, 10, 0.05, 0.1)
    assert stands.pairs == 0
    assert (stands.accepted, stands.stopped) == (None, None)


@pytest.mark.parametrize("counts", [(3, 5, 20, 8, 4), (0, 0, 10, 0, 30), (40, 0, 0, 0, 2), (1, 2, 3, 4, 5)])
def test_the_ratio_takes_the_likeliest_chances_with_the_mean_asked_for(counts: tuple[int, ...]) -> None:
    """Held against a search that knows nothing of Lagrange: the likeliest of many chances with that mean."""
    pairs = sum(counts)
    found = log_likelihood_ratio(counts, 0.5, 0.6) * pairs / (pairs - 3)
    assert found == pytest.approx(_searched(counts, 0.6) - _searched(counts, 0.5), abs=0.02)


def _searched(counts: tuple[int, ...], mean: float) -> float:
    """The largest log-likelihood under a mean, by plain halving; no chances nearby with the same mean do better."""
    seen = [max(count, 1e-3) for count in counts]
    shares = [count / sum(seen) for count in seen]
    away = [score / 2 - mean for score in SCORES]
    low, high = -1 / max(away) + 1e-12, -1 / min(away) - 1e-12
    for _ in range(200):
        middle = (low + high) / 2
        lean = sum(share * a / (1 + middle * a) for share, a in zip(shares, away, strict=True))
        low, high = (middle, high) if lean > 0 else (low, middle)
    chances = [share / (1 + low * a) for share, a in zip(shares, away, strict=True)]
    assert sum(chances) == pytest.approx(1, abs=1e-6)
    assert sum(chance * score / 2 for chance, score in zip(chances, SCORES, strict=True)) == pytest.approx(mean)
    best = sum(count * log(chance) for count, chance in zip(seen, chances, strict=True))
    for nudged in _with_the_same_mean(chances):
        assert sum(count * log(chance) for count, chance in zip(seen, nudged, strict=True)) <= best + 1e-9
    return best


def _with_the_same_mean(chances: list[float]) -> list[list[float]]:
    """The chances, moved a little so that their sum and their mean stay."""
    found = []
    for at in (0, 1, 2):
        for sign in (1, -1):
            size = sign * min(chances[at : at + 3]) / 10
            moved = list(chances)
            moved[at] += size
            moved[at + 1] -= 2 * size
            moved[at + 2] += size
            found.append(moved)
    return found


def test_swapping_the_players_and_the_hypotheses_turns_the_ratio_round() -> None:
    counts = (3, 5, 20, 8, 9)
    assert log_likelihood_ratio(counts, 0.5, 0.6) == pytest.approx(-log_likelihood_ratio(counts[::-1], 0.4, 0.5))


def test_three_pairs_say_nothing_yet() -> None:
    assert standing(Sprt(0, 400), 2.0, 2.0, 2.0).llr == 0
    assert standing(Sprt(0, 400), 2.0, 2.0, 2.0, 2.0).llr > 0


def test_it_stops_at_the_first_pair_that_reaches_a_bound_and_says_why() -> None:
    names = ("mybot", "level:3")
    won = standing(Sprt(0, 200, names=names), *[2.0] * 100)
    assert (won.accepted, won.stopped) == ("H1", BOUND)
    assert won.pairs < 20
    assert won.llr >= won.upper
    assert won.counts == (0, 0, 0, 0, won.pairs)
    assert won.sentence == (
        f"Stopped after {won.pairs} pairs: the LLR {won.llr:.2f} reached the upper bound 2.94, "
        "so H1 is accepted: 200 Elo above level:3 fits the games of mybot better than 0."
    )
    lost = standing(Sprt(0, 200, names=names), *[0.0] * 100)
    assert (lost.accepted, lost.stopped) == ("H0", BOUND)
    assert "lower bound -2.94" in lost.sentence
    assert "so H0 is accepted: 0 Elo above level:3 fits the games of mybot better than 200." in lost.sentence


def test_it_says_whether_pairs_may_still_come_or_the_rounds_are_used_up() -> None:
    test = Sprt(0, 200)
    running = standing(test, 1.0, 2.0, 1.0, 0.5, 1.0)
    assert running.stopped is None
    assert running.sentence.startswith("Not clear after 5 pairs: the LLR ")
    ended = test.ended()
    assert ended == running._replace(stopped=ROUNDS, sentence=ended.sentence)
    assert ended.sentence == (
        f"The rounds were used up after 5 pairs: the LLR {running.llr:.2f} lies between -2.94 and 2.94, "
        "so neither H0 nor H1 is accepted."
    )
    assert standing(test, *[2.0] * 100) == test.ended()
    assert test.ended().stopped == BOUND


def test_what_comes_after_the_verdict_changes_nothing() -> None:
    test = Sprt(0, 200)
    for _ in range(100):
        test.add(2.0)
    stands = test.standing
    for _ in range(50):
        assert test.add(0.0) == stands


@pytest.mark.parametrize(
    ("winners", "counts"),
    [
        ((0, 1), (0, 0, 0, 0, 1)),
        ((0, 0), (0, 0, 1, 0, 0)),
        ((1, 0), (1, 0, 0, 0, 0)),
        ((DRAW, 1), (0, 0, 0, 1, 0)),
        ((None, 0), (0, 1, 0, 0, 0)),
    ],
)
def test_a_pair_counts_by_what_entrant_0_scored_in_both_seats(
    winners: tuple[int | None, int | None], counts: tuple[int, ...]
) -> None:
    test = Sprt(0, 10)
    assert test.judge(pair(*winners)) is False
    assert test.standing.counts == counts


def test_a_fault_is_a_loss_and_a_game_that_could_not_be_played_takes_its_pair_out() -> None:
    test = Sprt(0, 10)
    assert test.judge(pair(None, 1, turns=3)) is False
    assert test.standing.pairs == 0
    failed, other = pair(1, 1)
    test.judge((failed._replace(turns=3, fault=Fault(0, "crash", "It ended.")), other))
    assert test.standing.counts == (0, 0, 1, 0, 0)


def ending(results: list[Result], order: int, *_: object, **more: object) -> Generator[list[Result], None, None]:
    """Games as they end when several are played at once, in one order of many."""
    keys = {number: number // 8 * 100 + below(100, order, number) for number in range(len(results))}
    ended = sorted(results, key=lambda result: keys[result.task.number])
    for at in range(0, len(ended), 7):
        yield ended[at : at + 7]


def test_the_order_in_which_games_end_cannot_change_the_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tournament whose games end in five different orders, with the test for a judge as `duelbook arena` has it."""
    work = programme(plan("level:5 level:3", "tower", rounds=200))
    drawn = drawn_match("tower", ("level:5", "level:3"), 200, 3)
    results = [result._replace(task=task) for result, task in zip(drawn, work.tasks, strict=True)]
    verdicts = []
    for order in range(5):
        monkeypatch.setattr("duelbook.arena.play.tournament.Work.results", partial(ending, results, order))
        test = Sprt(0, 60)
        finished = hold(work, crew("one-process"), judge=test.judge)
        verdicts.append((test.ended(), finished.results))
        assert len(finished.results) == 2 * test.standing.pairs < len(results)
    assert verdicts[0][0].accepted == "H1"
    assert all(verdict == verdicts[0] for verdict in verdicts)


@pytest.mark.parametrize("wrong", [{"elo0": 5, "elo1": 5}, {"elo0": 0, "elo1": 5, "alpha": 0.7}])
def test_bounds_that_make_no_sense_are_refused_in_a_sentence(wrong: dict[str, float]) -> None:
    with pytest.raises(DuelError, match=r"\.$"):
        Sprt(**wrong)  # type: ignore[arg-type]
    with pytest.raises(DuelError, match=r"0\.7"):
        Sprt(0, 5).add(0.7)


@pytest.mark.parametrize(("game", "matches"), [slow("secret", MATCHES), slow("tower", 4 * MATCHES)])
def test_the_error_rates_lie_within_their_bounds(game: str, matches: int) -> None:
    """Thousands of matches at each hypothesis, drawn from exact chances. `bench/verdicts.py` does all five duels."""
    elo1 = elo_of(score(table_of(game), "level:4", "level:3"))
    for truth, kinds in (("H0", ("level:3", "level:3")), ("H1", ("level:4", "level:3"))):
        chances = pair_chances(game, kinds)
        verdicts = [drawn_test(Sprt(0, elo1), chances, mix(7, match)).accepted for match in range(matches)]
        assert sum(verdict != truth for verdict in verdicts) <= 0.05 * matches


# The factor (n - 3) / n, as docs/verdicts.md explains it

PAGE = Path(__file__).parent.parent.parent.joinpath("docs", "verdicts.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("times", [2, 3, 10])
def test_the_ratio_is_multiplied_by_what_the_page_says(times: int) -> None:
    """So many times the same pairs make the bare ratio so many times as large; what differs besides is the factor."""
    counts = [1, 2, 3, 3, 1]
    more = [times * count for count in counts]
    pairs = sum(counts)
    few, many = (log_likelihood_ratio(each, 0.5, expected_score(50)) for each in (counts, more))
    factor = [(number - 3) / number for number in (pairs, times * pairs)]
    assert many / few == pytest.approx(times * factor[1] / factor[0])


def test_the_page_says_how_much_the_factor_is() -> None:
    said = " ".join(PAGE.split())
    assert f"multiplied by (n - {FEW}) / n" in said
    for pairs in (10, 100):
        assert re.search(rf"after {pairs} pairs (it is )?{100 * (pairs - FEW) / pairs:.0f} %", said)


@pytest.mark.slow
def test_one_over_a_measured_variance_is_too_large_by_what_the_factor_takes_back() -> None:
    dice = Random(1)
    pairs = 10
    inverse = [1 / pvariance([dice.gauss(0, 1) for _ in range(pairs)]) for _ in range(20_000)]
    assert fsum(inverse) / len(inverse) == pytest.approx(pairs / (pairs - FEW), rel=0.02)


@pytest.mark.slow
def test_the_factor_keeps_the_promise_where_it_is_close(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two who share nine pairs of ten evenly. The rates are on the page."""
    chances = [0.02, 0, 0.88, 0, 0.10]
    elo1 = elo_of(sum(x * chance for x, chance in zip(SCORES, chances, strict=True)) / 2)

    def wrong() -> float:
        ends = [drawn_test(Sprt(0, elo1), chances, mix(1, match)) for match in range(4000)]
        return sum(end.accepted == "H0" for end in ends) / 4000

    with_it = wrong()
    monkeypatch.setattr("duelbook.arena.judge.sprt.FEW", 0)
    without = wrong()
    assert with_it <= 0.05 < without
    assert f"in {100 * without:.1f} % of 4,000 matches" in " ".join(PAGE.split())
    assert f"and in {100 * with_it:.1f} % with it" in " ".join(PAGE.split())

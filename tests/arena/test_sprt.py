"""The sequential test: the likeliest ratio, a verdict that depends on the schedule alone, and errors that are rare."""

from __future__ import annotations

from math import log

import pytest

from duelbook.arena.rehearsal import drawn_match, drawn_test, pair_chances, table_of
from duelbook.arena.results import Result, Task
from duelbook.arena.sprt import SCORES, Sprt, elo_of, expected_score, log_likelihood_ratio, pair_scores
from duelbook.core import DuelError
from duelbook.luck import below, mix
from duelbook.solve.levels import score

MATCHES = 1000


def test_elo_and_score_are_two_ways_to_say_the_same() -> None:
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)
    assert elo_of(expected_score(123)) == pytest.approx(123)


def test_the_bounds_are_walds() -> None:
    standing = Sprt(0, 10, alpha=0.05, beta=0.1).standing
    assert standing.lower == pytest.approx(log(0.1 / 0.95))
    assert standing.upper == pytest.approx(log(0.9 / 0.05))
    assert standing.pairs == 0
    assert standing.accepted is None


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
    assert Sprt(0, 400).of([2.0, 2.0, 2.0]).llr == 0
    assert Sprt(0, 400).of([2.0] * 4).llr > 0


def test_it_stops_at_the_first_pair_that_reaches_a_bound_and_says_why() -> None:
    test = Sprt(0, 200, names=("mybot", "level:3"))
    standing = test.of([2.0] * 100)
    assert standing.accepted == "H1"
    assert standing.pairs < 20
    assert standing.llr >= standing.upper
    assert standing.sentence == (
        f"Stopped after {standing.pairs} pairs: the LLR {standing.llr:.2f} reached the upper bound 2.94, "
        "so H1 is accepted: mybot is 200 Elo or more above level:3."
    )
    lost = test.of([0.0] * 100)
    assert lost.accepted == "H0"
    assert "lower bound -2.94" in lost.sentence
    assert "so H0 is accepted: mybot is 0 Elo or less above level:3." in lost.sentence
    assert "Not clear after 5 pairs" in test.of([1.0] * 5).sentence


def test_what_comes_after_the_verdict_changes_nothing() -> None:
    test = Sprt(0, 200)
    for _ in range(100):
        test.add(2.0)
    standing = test.standing
    for _ in range(50):
        assert test.add(0.0) == standing
    assert test.of([2.0] * 100 + [0.0] * 50) == standing


def test_pairs_count_in_the_order_of_the_schedule_up_to_the_first_that_is_not_complete() -> None:
    test = Sprt(0, 10)
    assert test.of([1.0, 2.0, None, 0.0]) == test.of([1.0, 2.0])
    tasks = [Task(number, number // 2, "tower", (), (number % 2, 1 - number % 2), 1, 200) for number in range(8)]
    results = [Result(task, 0, "", 9) for task in tasks]
    assert pair_scores(tasks, results) == [1.0] * 4
    assert pair_scores(tasks, [result for result in results if result.task.number != 3]) == [1.0, None, 1.0, 1.0]


def test_a_game_that_could_not_be_played_takes_its_pair_out() -> None:
    tasks = [Task(number, number // 2, "tower", (), (number % 2, 1 - number % 2), 1, 200) for number in range(4)]
    results = [Result(tasks[0], None, "", 3), *(Result(task, 0, "", 9) for task in tasks[1:])]
    assert pair_scores(tasks, results) == [1.0]
    bell = [Result(tasks[0], None, "", 200), *results[1:]]
    assert pair_scores(tasks, bell) == [0.5, 1.0]


def test_the_order_in_which_games_end_cannot_change_the_verdict() -> None:
    """As workers see it: whenever a game ends, the test is asked; the first verdict is always the same."""
    results = drawn_match("tower", ("level:5", "level:3"), 200, 3)
    tasks = [result.task for result in results]
    verdicts = set()
    for order in range(5):
        ended = sorted(
            results, key=lambda result: result.task.number // 8 * 100 + below(100, order, result.task.number)
        )
        for count in range(8, len(ended), 8):
            standing = Sprt(0, 60).of(pair_scores(tasks, ended[:count]))
            if standing.accepted:
                verdicts.add(standing)
                break
    assert len(verdicts) == 1


@pytest.mark.parametrize("wrong", [{"elo0": 5, "elo1": 5}, {"elo0": 0, "elo1": 5, "alpha": 0.7}])
def test_bounds_that_make_no_sense_are_refused_in_a_sentence(wrong: dict[str, float]) -> None:
    with pytest.raises(DuelError, match=r"\.$"):
        Sprt(**wrong)  # type: ignore[arg-type]
    with pytest.raises(DuelError, match=r"0\.7"):
        Sprt(0, 5).add(0.7)


@pytest.mark.parametrize("game", ["conquer", "secret", "tower"])
def test_the_error_rates_lie_within_their_bounds(game: str) -> None:
    """A thousand matches at each hypothesis, drawn from exact chances. `bench/verdicts.py` does all five duels."""
    elo1 = elo_of(score(table_of(game), "level:4", "level:3"))
    for truth, kinds in (("H0", ("level:3", "level:3")), ("H1", ("level:4", "level:3"))):
        chances = pair_chances(game, kinds)
        verdicts = [drawn_test(Sprt(0, elo1), chances, mix(7, match)).accepted for match in range(MATCHES)]
        assert sum(verdict != truth for verdict in verdicts) <= 0.05 * MATCHES

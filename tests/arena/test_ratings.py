"""Ratings: the model by itself, the scale, and intervals that hold what they promise."""

from __future__ import annotations

from math import comb, exp, log, sqrt
from pathlib import Path

import pytest
from bench.rehearsal import drawn_match, table_of, true_difference

from duelbook.arena.judge.anchors import ladder
from duelbook.arena.judge.bradley_terry import ELO, TIE_PRIOR, Fit, Games, fit, inverted, product, solved
from duelbook.arena.judge.ratings import rate
from duelbook.arena.judge.tally import Tally
from duelbook.arena.judge.verdict import percent, verdict
from duelbook.arena.play.results import Entrant, Fault, Result, Task
from duelbook.luck import mix
from duelbook.policies.levels import RUNGS, TABULAR
from duelbook.policies.meeting import Meeting
from slow_helper import slow
from verdicts_helper import BOTS, KINDS, held

REPEATS = 1000


def games(*ends: tuple[tuple[int, int], int | None], game: str = "tower") -> list[Result]:
    """Results of games with these seats and winners, two by two."""
    return [
        Result(Task(number, number // 2, game, (), seats, 1, 200), winner, "", 200)
        for number, (seats, winner) in enumerate(ends)
    ]


# The model


def test_without_ties_the_difference_is_the_mean_of_both_seats_log_odds() -> None:
    found = fit([Games(0, 1, 0, 70, 0, 30), Games(1, 0, 0, 45, 0, 55)], {1: 0.0}, prior=1e-9)
    assert found.of("player", 0) == pytest.approx((log(70 / 30) - log(45 / 55)) / 2, abs=1e-6)
    assert found.of("seat", 0) == pytest.approx((log(70 / 30) + log(45 / 55)) / 2, abs=1e-6)
    assert found.of("tie", 0) is None


def test_ties_say_that_two_are_close() -> None:
    plain = fit([Games(0, 1, 0, 30, 0, 10), Games(1, 0, 0, 10, 0, 30)], {1: 0.0})
    tied = fit([Games(0, 1, 0, 30, 40, 10), Games(1, 0, 0, 10, 40, 30)], {1: 0.0})
    one, two = plain.of("player", 0), tied.of("player", 0)
    assert one is not None
    assert two is not None
    assert two == pytest.approx(one, abs=0.02)  # a win stays as much likelier than a loss
    assert tied.of("tie", 0) is not None


def test_the_fit_is_where_expected_and_counted_points_agree() -> None:
    counted = [Games(0, 1, 0, 9, 2, 4), Games(1, 0, 0, 6, 3, 7), Games(1, 2, 0, 8, 1, 2), Games(2, 0, 0, 2, 1, 9)]
    found = fit(counted, {0: 0.0}, prior=1e-9)
    for player in (1, 2):
        expected = earned = 0.0
        for each in counted:
            if player in each[:2]:
                win, tie, loss = _chances(found, each)
                mine = win if each.first == player else loss
                expected += each.total * (mine + tie / 2)
                earned += (each.wins if each.first == player else each.losses) + each.ties / 2
        assert expected == pytest.approx(earned, abs=1e-6)


def _chances(found: Fit, each: Games) -> tuple[float, float, float]:
    strength = {0: 0.0} | {number: found.of("player", number) or 0.0 for number in (1, 2)}
    d = strength[each.first] - strength[each.second] + (found.of("seat", 0) or 0.0)
    raw = (exp(d / 2), exp(found.of("tie", 0) or 0.0), exp(-d / 2))
    return raw[0] / sum(raw), raw[1] / sum(raw), raw[2] / sum(raw)


def test_the_algebra() -> None:
    matrix = [[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]]
    back = product(matrix, inverted(matrix))
    assert all(
        back[row][column] == pytest.approx(float(row == column), abs=1e-12) for row in range(3) for column in range(3)
    )
    assert solved(matrix, [5.0, 5.0, 3.0]) == pytest.approx([1.0, 1.0, 1.0])


# The scale


@pytest.mark.parametrize("game", ["conquer", "deck", "energy", "secret", "tower"])
def test_the_ladder_stands_in_its_order_with_random_at_zero(game: str) -> None:
    rungs = ladder({game: 1.0})
    assert rungs is not None
    assert set(rungs) == set(TABULAR)
    assert rungs["random"] == 0
    assert sorted(RUNGS, key=rungs.__getitem__) == list(RUNGS)


def test_a_character_stands_where_its_exact_chances_put_it_and_does_not_move_the_ladder() -> None:
    rungs = ladder({"tower": 1.0})
    assert rungs is not None
    assert rungs["level:4"] < rungs["brawler"] < rungs["level:5"]
    known = table_of("tower")
    games = [Games(RUNGS.index(one), RUNGS.index(two), 0, *_ends(known[one, two])) for one in RUNGS for two in RUNGS]
    alone = fit(games, {0: 0.0})
    assert [rungs[kind] for kind in RUNGS[1:]] == pytest.approx([alone.of("player", at) for at in range(1, 8)])


def _ends(meeting: Meeting) -> tuple[float, float, float]:
    return 1000 * meeting.win, 1000 * (meeting.draw + meeting.no_result), 1000 * meeting.loss


def test_random_and_perfect_are_on_the_scale_even_if_they_did_not_play() -> None:
    ratings = rate(BOTS, drawn_match("tower", KINDS, 20, 1))
    assert {row.name for row in ratings.rows if row.entrant is None} == {"random", "perfect"}
    assert ratings.row("random").rating == 0
    assert ratings.row("perfect").exact
    assert "where they stand on the scale is a guess" in ratings.notes[0]


@pytest.mark.slow
def test_a_bot_is_placed_beside_the_ladder_and_the_ladder_is_not_estimated() -> None:
    finished = held(("level:4", "random", "level:3", "level:5", "perfect"), ("tower", "energy"), 50, bots=1, seed=2)
    ratings = rate(finished.programme.plan.entrants, finished.results)
    rungs = ladder({"tower": 0.5, "energy": 0.5})
    assert rungs is not None
    bot = ratings.row("bot level:4")
    assert not ratings.notes
    assert bot.low < ELO * rungs["level:4"] < bot.high
    assert ratings.row("level:3").rating == pytest.approx(ELO * rungs["level:3"])
    assert ratings.row("level:3").low == ratings.row("level:3").high
    assert ratings.better("perfect", "random") == 1
    assert ratings.better("bot level:4", "random") > 0.99
    assert ratings.better("bot level:4", "level:3") + ratings.better("level:3", "bot level:4") == pytest.approx(1)


def test_who_wins_everything_gets_a_finite_rating_and_a_wide_interval() -> None:
    entrants = (Entrant("winner", "engine:w"), Entrant("level:3", "level:3"))
    ratings = rate(entrants, games(*[((0, 1), 0), ((1, 0), 1)] * 10))
    row = ratings.row("winner")
    known = ratings.row("level:3").rating
    assert known + 200 < row.rating < known + 1500
    assert row.high - row.low > 500
    assert row.low > known
    assert ratings.notes == (
        "winner won every game: the upper end of its interval is the prior's word, not the games'.",
    )


def test_who_met_nobody_but_perfect_is_told_that_it_says_little() -> None:
    entrants = (Entrant("bot", "engine:b"), Entrant("perfect", "perfect"))
    assert "nobody but perfect" in rate(entrants, games(*[((0, 1), 0), ((1, 0), 0)] * 10)).notes[0]


def test_bots_of_one_kind_are_told_apart() -> None:
    """The same program twice, with other options perhaps: who met its twin met somebody."""
    entrants = (Entrant("bot", "engine:b"), Entrant("bot (2)", "engine:b"), Entrant("perfect", "perfect"))
    ends = [((0, 1), 0), ((1, 0), 0), ((0, 2), 1), ((2, 0), 0)]
    assert not any("nobody but perfect" in note for note in rate(entrants, games(*ends * 5)).notes)


@pytest.mark.parametrize("taken", ["perfect", "Random"])
def test_a_bot_may_be_called_as_one_of_the_ladder_is(taken: str) -> None:
    """Its name says nothing about how it plays, and nothing of it rubs off on the real one."""
    ends = [((0, 1), 0), ((1, 0), 0), ((0, 1), 1), ((1, 0), 0)]
    known = rate((Entrant("bot", "engine:b"), Entrant("level:3", "level:3")), games(*ends * 5))
    ratings = rate((Entrant(taken, "engine:b"), Entrant("level:3", "level:3")), games(*ends * 5))
    (bot,) = (row for row in ratings.rows if row.entrant == 0)
    assert bot == known.row("bot")._replace(name=taken)
    assert len(ratings.rows) == 4
    for kind in ("random", "perfect", "level:3"):
        one, two = (next(row for row in each.rows if row.kind == kind) for each in (ratings, known))
        assert 0 < ratings.better(bot, one) == known.better("bot", two) < 1
        assert ratings.difference(bot, one) == known.difference("bot", two)


def test_two_of_one_name_are_still_two() -> None:
    ends = [((0, 1), 0), ((1, 0), 1)] * 10
    ratings = rate((Entrant("twin", "engine:a"), Entrant("twin", "engine:b")), games(*ends))
    best, worse = (row for row in ratings.rows if row.entrant is not None)
    assert (best.entrant, worse.entrant) == (0, 1)
    assert ratings.better(best, worse) > 0.95
    assert ratings.difference(best, worse).low > 0


def test_groups_that_never_met_are_said_to_float() -> None:
    entrants = tuple(Entrant(name, f"engine:{name}") for name in "abcde")
    played = games(*[((0, 1), 0), ((1, 0), 0)] * 5, *[((2, 3), 0), ((3, 2), 1)] * 5)
    ratings = rate(entrants, played)
    assert len(ratings.notes) == 5
    assert ratings.notes[0].startswith("a and b met nobody of the ladder")
    assert ratings.notes[2] == "e played nobody whose rating is known, so its own is a guess."
    assert {row.name for row in ratings.rows if row.floats} == set("abcde")
    assert ratings.better("a", "b") == pytest.approx(0.5)
    assert ratings.better("a", "e") == pytest.approx(0.5)
    assert ratings.better("c", "d") > 0.99
    # Nothing ties a to c, so what their games say is drowned by how little is known of where their groups stand.
    assert 0.1 < ratings.better("a", "c") < 0.35
    assert ratings.difference("a", "c").margin > 1.96 * 600
    assert ratings.connected("a", "b")
    assert not ratings.connected("a", "c")
    assert not ratings.connected("a", "e")
    assert not ratings.connected("a", "random")


def test_no_results_and_faults_are_counted_apart() -> None:
    entrants = (Entrant("one", "engine:1"), Entrant("two", "engine:2"))
    played = games(((0, 1), 0), ((1, 0), None), ((0, 1), 2), ((1, 0), 0))
    played[3] = played[3]._replace(fault=Fault(1, "crash", "It ended."))
    row = rate(entrants, played).row("one")
    assert row.tally == Tally(4, wins=1, draws=1, losses=0, no_results=1, faults=1)
    assert (row.games, row.score, row.tally.lost) == (4, 0.5, 1)
    assert rate(entrants, played).row("two").tally.faults == 0


def test_a_game_that_could_not_be_played_counts_for_nothing() -> None:
    played = games(((0, 1), 0), ((1, 0), 0))
    lost = played[0]._replace(winner=None, turns=3)
    assert rate(BOTS, [lost, played[1]]).row("four").games == 1


def test_without_games_only_the_ladder_is_rated() -> None:
    ratings = rate((*BOTS, Entrant("level:3", "level:3")), [], ["tower"])
    assert ratings.notes == ("No game was played, so nothing is rated but the ladder.",)
    assert 0 < ratings.row("level:3").rating < ratings.row("perfect").rating
    assert rate(BOTS, []).row("four").high - rate(BOTS, []).row("four").low > 1000


def test_the_first_seat_has_an_advantage_in_each_duel() -> None:
    seats = rate(BOTS, games(*[((0, 1), 0), ((1, 0), 0)] * 20)).seats["tower"]
    assert seats.low > 100


@pytest.mark.parametrize("advantage", [0, 180, -500])
def test_intervals_of_a_seat_hold_the_truth_even_where_it_decides_nearly_everything(advantage: int) -> None:
    """Exactly: every way in which ten pairs of two equals can end, with its chance. The promise is 95 %."""
    pairs, win = 10, 1 / (1 + 10 ** (-advantage / 400))
    chances = [comb(pairs, wins) * win**wins * (1 - win) ** (pairs - wins) for wins in range(pairs + 1)]
    held_it = 0.0
    for one, here in enumerate(chances):
        for two, there in enumerate(chances):
            if here * there < 1e-5:
                continue  # all of these together are no more than a thousandth
            found = fit([Games(0, 1, 0, one, 0, pairs - one), Games(1, 0, 0, two, 0, pairs - two)], {})
            place = found.places["seat", 0]
            off = found.values[place] - advantage / ELO
            held_it += here * there * (abs(off) <= 1.96 * sqrt(found.covariance[place][place]))
    assert held_it > 0.95


def test_the_prior_says_less_than_one_game() -> None:
    """Of two equals a game says a quarter about their difference and about the seat, in natural units."""
    (alone,) = fit([Games(0, 1, 0, 1, 0, 0)], {0: 0.0, 1: 0.0}).covariance
    assert 1 / alone[0] < 2 * 0.25


@pytest.mark.slow
def test_shared_luck_makes_differences_surer() -> None:
    """In deck the two games of a pair have the same cards, and that is worth games."""
    finished = held(("level:4", "level:3"), ("deck",), 150, bots=2)
    entrants = finished.programme.plan.entrants
    together = rate(entrants, finished.results)
    names = [entrant.name for entrant in entrants]
    apart = rate(
        entrants,
        [result._replace(task=result.task._replace(pair=result.task.number)) for result in finished.results],
    )
    assert together.difference(*names[:2]).value == pytest.approx(apart.difference(*names[:2]).value)
    assert together.difference(*names[:2]).margin < 0.9 * apart.difference(*names[:2]).margin
    assert together.seats["deck"].margin > apart.seats["deck"].margin


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tower", slow("energy")])
def test_intervals_hold_the_exactly_known_difference(game: str) -> None:
    """A thousand matches of 30 pairs, drawn from exact chances. `bench/verdicts.py` does all five duels."""
    truth = true_difference(game, KINDS)
    held_it = 0
    for repeat in range(REPEATS):
        found = rate(BOTS, drawn_match(game, KINDS, 30, mix(11, repeat))).difference("four", "three")
        held_it += found.low <= truth <= found.high
    assert 0.93 <= held_it / REPEATS <= 0.97


@pytest.mark.parametrize("t", [0.1, 1.0, 4.0])
def test_equals_tie_with_the_chance_that_the_page_names(t: float) -> None:
    """t / (2 + t), which docs/verdicts.md explains, for each duel apart."""
    tied = t / (2 + t)
    games = [Games(0, 1, 0, 5e4 * (1 - tied), 1e5 * tied, 5e4 * (1 - tied)), Games(0, 1, 1, 500, 0, 500)]
    found = fit(games, {0: 0.0})
    assert exp(found.of("tie", 0) or 0.0) == pytest.approx(t, rel=0.01)
    assert found.of("tie", 1) is None, "a duel that was never tied has none"
    assert found.of("player", 1) == pytest.approx(0.0, abs=1e-6), "ties move nobody up or down"


def test_the_page_names_the_width_of_the_prior() -> None:
    page = Path(__file__).parent.parent.parent.joinpath("docs", "verdicts.md").read_text(encoding="utf-8")
    assert f"is wide, {TIE_PRIOR:g} to either side of 0." in page


def test_however_many_games_nothing_that_they_say_is_certain() -> None:
    entrants = (Entrant("a", "engine:a"), Entrant("b", "engine:b"))
    ratings = rate(entrants, games(*[((0, 1), 0), ((1, 0), 1)] * 4000))
    assert percent(ratings.better("a", "b")) == ">99.9 %"
    assert percent(ratings.better("b", "a")) == "<0.1 %"
    found = verdict(ratings)
    assert found is not None
    assert "with a chance of >99.9 %" in found.sentence()

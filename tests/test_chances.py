"""The exact chance against this very opponent: held against the ladder, against the rules themselves, and shown."""

from __future__ import annotations

from array import array
from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from duelbook import load
from duelbook.coach.coach import Coach
from duelbook.coach.data import hints_as_json, reviews_as_json
from duelbook.coach.hint import hint
from duelbook.coach.odds import Odds, meeting, odds_against, odds_at
from duelbook.coach.report import average_lines, cost, two_numbers, worst
from duelbook.coach.review import Review, averages, review
from duelbook.coach.rows import table
from duelbook.coach.words import SAME, chance, fall, percent
from duelbook.core import BOTH, LUCK, OVER, DuelError, Game, variant
from duelbook.games import ROOMS
from duelbook.match import BELL, Match
from duelbook.policies import chance_table, chances
from duelbook.policies.chance_table import ChanceTable, at_hand, computed, from_bytes, to_bytes
from duelbook.policies.chances import WHOLE, Chances, TooMany
from duelbook.policies.levels import RUNGS
from duelbook.policies.plans import plan_by
from duelbook.policies.standings import standings
from duelbook.positions.kind import kind_of
from duelbook.record import Record
from duelbook.solving.cache import keep, kept_file
from duelbook.solving.library import solution_for
from duelbook.solving.solution import Solution
from duelbook.tui.aftermath import Aftermath
from duelbook.tui.value import ValueBar
from helpers import follow, position
from slow_helper import first_now, first_row_now, slow, slow_if
from tui_helper import match_of, press, rows, run, settle, text

BOARDS = [id for id in ROOMS if kind_of(load(id)) == "backwards"]
SMALL_RULES = {"deck": ("lp=3", "cards=3"), "secret": ("hp=3", "highest=3")}


def of_book(id: str) -> Solution:
    return solution_for(load(id), load(id).book)


@pytest.mark.slow
@pytest.mark.parametrize("id", [slow_if(id == "conquer", id) for id in BOARDS])
def test_backwards_and_forwards_come_to_the_same_at_the_start(id: str) -> None:
    solution, known = of_book(id), standings(load(id), load(id).book)
    start = solution.game.start(solution.rules, 0)
    for kinds in [("perfect", "level:3"), ("level:3", "perfect"), ("level:1", "level:6"), ("random", "random")]:
        assert Chances(solution, kinds, start).player1(start) == pytest.approx(known[kinds].score, abs=1e-11)


def by_the_rules(solution: Solution, kinds: tuple[str, str], start: Any, bell: int) -> float:
    """What a match scores, from the rules and the plans alone: every way that it can go, to the bell."""
    game, rules = solution.game, solution.rules

    @cache
    def score(state: Any, left: int) -> float:
        turn = game.turn(rules, state)
        if turn == OVER:
            return {0: 1.0, 1: 0.0}.get(game.winner(rules, state), 0.5)
        if left == 0:
            return 0.5
        if turn == LUCK:
            odds = {face: game.odds(rules, state, face) for face in game.faces}
            dealt = [weight * score(game.deal(rules, state, face), left) for face, weight in odds.items() if weight]
            return sum(dealt) / sum(odds.values())
        plans = [plan_by(kinds[seat], solution, state, seat) for seat in ((0, 1) if turn == BOTH else (turn,))]
        if turn != BOTH:
            moves = enumerate(plans[0])
            return sum(share * score(game.apply(rules, state, move), left - 1) for move, share in moves if share)
        return sum(
            share * other * score(game.resolve(rules, state, one, two), left - 1)
            for one, share in enumerate(plans[0])
            for two, other in enumerate(plans[1])
            if share and other
        )

    return score(start, bell)


def small(id: str) -> tuple[Game, Any]:
    game = load(id)
    return game, variant(game, SMALL_RULES.get(id, ()))


@pytest.mark.parametrize("id", ROOMS)
def test_every_way_that_a_match_can_go(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Luck and secret picks included, with an early bell, so that it rings in many of these matches."""
    monkeypatch.setattr(chances, "BELL", 4)
    game, rules = small(id)
    solution, start = solution_for(game, rules), game.start(rules, 0)
    for kinds in [("perfect", "level:2"), ("level:4", "random")]:
        found = Chances(solution, kinds, start)
        after = next(iter(found._states[3:]))
        for state in (start, after):
            assert found.player1(state) == pytest.approx(by_the_rules(solution, kinds, state, 4), abs=1e-12)
    assert BELL == 200


def test_positions_that_only_a_slip_leads_to_have_a_chance_too() -> None:
    """Perfect never goes there, but the person in its place can."""
    solution = of_book("tower")
    game, rules = solution.game, solution.rules
    found = Chances(solution, ("perfect", "level:3"), game.start(rules, 0))
    lost = position(game, "6 8 2")
    assert solution.value(lost) == -1
    assert 0.5 < found.player1(lost) < 1


def test_a_duel_too_large_for_plain_python_is_not_begun() -> None:
    solution = of_book("secret")
    with pytest.raises(TooMany):
        Chances(solution, ("perfect", "random"), solution.game.start(solution.rules, 0))


@pytest.mark.parametrize(
    ("seats", "kinds"),
    [
        (("human", "level:3"), ("perfect", "level:3")),
        (("random", "human"), ("random", "perfect")),
        (("level:1", "level:2"), ("level:1", "level:2")),
        (("human", "human"), None),
        (("human", "perfect"), None),
        (("perfect", "perfect"), None),
        (("human", "engine:mybot"), None),
    ],
)
def test_who_is_met(seats: tuple[str, str], kinds: tuple[str, str] | None) -> None:
    """Against perfect play one number is shown; of a stranger's program nothing is known."""
    assert meeting(seats) == kinds


def test_every_player_that_is_a_table_is_known() -> None:
    assert all(meeting(("human", kind)) for kind in RUNGS if kind != "perfect")


def coach_at(id: str, at: str, *seats: str) -> Coach:
    game = load(id)
    coach = Coach(Match(game, start=position(game, at), names=("Ann", "Bo")), (seats[0], seats[1]))
    coach.find_odds()
    return coach


def shown(odds: Odds | None, coach: Coach) -> float:
    assert odds is not None
    return round(100 * odds.wins(coach.match.state, odds.whose))


def test_the_bar_has_both_numbers_and_says_which_is_which() -> None:
    coach = coach_at("tower", "6 8 2", "human", "level:4")
    wins = shown(coach.odds, coach)
    assert coach.bar() == [f"Perfect play: Ann 0 % |{'.' * 20}| 100 % Bo", f"You against level 4: {wins} %"]
    assert 50 < wins < 100
    assert coach_at("tower", "6 8 2", "human", "human").bar() == [f"Perfect play: Ann 0 % |{'.' * 20}| 100 % Bo"]
    coach = coach_at("tower", "6 8 2", "level:2", "level:3")
    assert coach.bar()[1] == f"Between these two: Ann {shown(coach.odds, coach)} %"
    assert len(coach_at("tower", "6 8 2", "human", "perfect").bar()) == 1


def test_a_hint_and_a_remark_tell_both() -> None:
    coach = coach_at("tower", "5 8 1", "human", "level:4")
    assert coach.hint(0)[-1] == "Whoever plays on like this wins 100 % against perfect play, and 100 % against level 4."
    coach.match.play(0, 0)
    (remark,) = coach.remarks()
    assert remark.sentence.endswith(f" Against level 4: 100 % before, {shown(coach.odds, coach)} % now.")
    assert "perfect play, and" not in coach.hint(1)[-1]


def test_a_chance_that_rises_after_a_slip_says_how_that_can_be() -> None:
    """Defending gives half of it away here, and yet a novice does worse against it than against what is best."""
    coach = coach_at("energy", "6 6 1", "human", "level:1")
    before = shown(coach.odds, coach)
    coach.match.play(0, 1)
    (remark,) = coach.remarks()
    now = shown(coach.odds, coach)
    assert now > before
    told = f" Against level 1: {before} % before, {now} % now, for level 1 does not always find the best answer."
    assert remark.sentence.endswith(told)


@pytest.mark.parametrize("seats", [("human", "level:1"), ("hoarder", "human")])
def test_a_chance_that_rises_after_a_poor_pick_says_whose_doing_it_is(seats: tuple[str, str]) -> None:
    """What they picked did not punish it only where it cost nothing; otherwise they could still make it tell.

    Of every pair of picks at every position of a small duel.
    """
    game = load("secret")
    rules = game.book._replace(hp=4, highest=4)
    seat = seats.index("human")
    match = Match(game, rules, names=("Ann", "Bo"))
    coach = Coach(match, seats)
    coach.find_odds()
    assert coach.odds is not None
    said = Counter[str]()
    ahead, known = [match.state], {match.state}
    while ahead:
        state = ahead.pop()
        for pair in product(game.legal_moves(rules, state, 0), game.legal_moves(rules, state, 1)):
            then = Match(game, rules, names=("Ann", "Bo"), start=state)
            coach.match = then
            then.play(0, pair[0])
            then.play(1, pair[1])
            if then.outcome is None and then.state not in known:
                ahead.append(then.state)
                known.add(then.state)
            for remark in coach.remarks():
                if remark.seat != seat:
                    continue
                value = [chance(coach.solution.value(each), seat) for each in (state, then.state)]
                odds = [coach.odds.wins(each, seat) for each in (state, then.state)]
                unpunished = "what they picked did not punish it" in remark.sentence
                may_err = "does not always find the best answer" in remark.sentence
                if unpunished or may_err:
                    assert odds[1] > odds[0]
                    assert unpunished == (value[1] >= value[0] - SAME), (state, pair)
                    assert "against perfect play" in remark.why[-1]
                said["unpunished"] += unpunished
                said["may err"] += may_err
    assert min(said["unpunished"], said["may err"]) > 0


def test_between_two_programs_nobody_is_named_whose_doing_it_is() -> None:
    coach = coach_at("energy", "6 6 1", "level:3", "level:1")
    coach.match.play(0, 1)
    assert all("always find" not in remark.sentence for remark in coach.remarks())


@pytest.mark.slow
def test_a_hint_calls_nothing_a_win_that_nobody_wins() -> None:
    """Perfect players of Conquer never end: that scores half, and is no win of anybody."""
    coach = coach_at("conquer", "10r 10r 1", "human", "level:2")
    here = shown(coach.odds, coach)
    assert coach.hint(0)[-1] == (
        "Whoever plays on like this scores 50 % against perfect play, "
        f"and {here} % against level 2; what nobody wins counts as half."
    )


def test_a_number_that_is_being_worked_out_has_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    coach = coach_at("deck", "20 20 1 1-10", "human", "level:3")
    assert coach.odds_take_a_while
    assert len(coach.bar()) == 1, "nobody is at it"
    coach.odds_promised = True
    first, second = coach.bar()
    assert first.startswith("Perfect play: Ann 62 % ")
    assert second == "You against level 3: being worked out"
    monkeypatch.setattr("duelbook.coach.coach.work_out", lambda *_: None)
    coach.work_out_odds()
    assert len(coach.bar()) == 1, "it was not to be had"
    coach.seats, coach.odds_promised = ("level:2", "level:3"), True
    assert coach.bar()[1] == "Between these two: being worked out"


def test_who_sits_down_later_is_met_then() -> None:
    coach = coach_at("tower", "0 0 1", "level:2", "level:3")
    coach.seats = ("human", "level:3")
    assert coach.odds is None
    assert coach.odds_wanted
    coach.find_odds()
    assert coach.odds is not None
    assert coach.odds.label == "Against level 3"


def test_the_odds_of_the_second_seat() -> None:
    solution = of_book("tower")
    start = solution.game.start(solution.rules, 0)
    odds = odds_at(solution, ("level:3", "human"), start)
    assert odds is not None
    assert odds.wins(start, odds.whose) == pytest.approx(
        1 - standings(solution.game, solution.rules)["level:3", "perfect"].score
    )


@pytest.mark.parametrize("width", first_now([70, 80, 120]))
def test_the_full_screen_shows_both(width: int) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        bar = pilot.app.screen.query_one(ValueBar)
        bar.known = 1.0  # as wide as it gets
        await settle(pilot)
        assert "Perfect play: Player 1 100 % " in text(pilot.app)
        assert width < 80 or "Player 1 100 % ░░░░░░" in text(pilot.app)
        assert bar.beside.startswith("You against level 3: ")
        assert bar.beside in text(pilot.app)
        bar.names = ("A name that somebody thought about for long", "Bo")
        await settle(pilot)
        assert "Perfect play: " in text(pilot.app)
        assert bar.beside in text(pilot.app)

    run(tale, opening=match_of("energy", "human", "level:3", coach=True), size=(width, 24))


@pytest.mark.parametrize(
    ("beside", "alone", "shown"),
    first_row_now(
        [
            ("You against level 2: being worked out", True, "Perfect: you 62 %  You against level 2: being worked out"),
            ("You against level 2: 96 %", True, "Perfect play: Player 1 62 %  You against level 2: 96 %"),
            ("Between these two: Player 1 0 %", False, "Perfect: Player 1 62 %  Between these two: Player 1 0 %"),
        ],
        3,
    ),
)
def test_in_a_small_window_it_is_said_whose_number_each_is(beside: str, alone: bool, shown: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        bar = pilot.app.screen.query_one(ValueBar)
        bar.known, bar.beside, bar.alone = 0.62, beside, alone
        await settle(pilot)
        assert rows(pilot.app)[1].strip() == shown
        bar.names = ("A name that somebody thought about", "Bo")
        await settle(pilot)
        assert "you 62 %" in text(pilot.app) or "about 62 %" in text(pilot.app)

    run(tale, opening=match_of("energy", "human", "level:3", coach=True), size=(60, 18))


@pytest.mark.parametrize("width", first_now([80, 60]))
def test_between_two_people_it_is_said_as_well_that_nobody_errs_in_it(width: int) -> None:
    """Who is two HP behind in secret reads 0 %, and may win all the same."""

    async def tale(pilot: Pilot[int]) -> None:
        assert "Perfect play: Player A 0 % ░░░░" in text(pilot.app)
        assert "100 % Player B" in text(pilot.app)
        bar = pilot.app.screen.query_one(ValueBar)
        bar.names = ("A name of many words that leaves no room", "Bo")
        await settle(pilot)
        assert "A name of many words that leaves no room 0 % ░░░░" in text(pilot.app)

    run(tale, opening=match_of("secret", position="98 100 8 8", coach=True), size=(width, 24))


@pytest.mark.slow
def test_who_takes_over_sees_their_own_chance() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert "Between these two: Player 1" in text(pilot.app)
        await press(pilot, "space", "t", "1")
        await settle(pilot)
        assert "You against level 3: " in text(pilot.app)

    run(tale, opening=match_of("energy", "level:2", "level:3", coach=True))


# Large duels: tables that are kept


def small_table_of(id: str, *kinds: str) -> ChanceTable:
    """The table of a small variant, made from what plain Python finds there."""
    game, rules = small(id)
    solution = solution_for(game, rules)
    places = [place for place in range(len(solution.table)) if solution.known(place) is not None]
    states = [solution.position(place) for place in places]
    found = Chances(solution, (kinds[0], kinds[1]), *states, *map(solution.numbering.mirror, states))
    table = array("H", bytes(4 * len(solution.table)))
    for place, state in zip(places, states, strict=True):
        table[2 * place] = 1 + round(WHOLE * found.player1(state))
        table[2 * place + 1] = 1 + round(WHOLE * found.player1(solution.numbering.mirror(state)))
    return ChanceTable(solution, (kinds[0], kinds[1]), table, even=True)


@pytest.mark.parametrize("id", SMALL_RULES)
def test_a_table_is_kept_and_found_again(id: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    table = small_table_of(id, "perfect", "level:2")
    solution, start = table.solution, table.solution.game.start(table.solution.rules, 0)
    assert at_hand(solution, table.kinds) is None
    keep(kept_file(solution.game, solution.rules, ".perfect-level2.chances"), to_bytes(table))
    known = at_hand(solution, table.kinds)
    assert isinstance(known, ChanceTable)
    assert known.table == table.table
    exact = Chances(solution, table.kinds, start).player1(start)
    assert known.player1(start) == pytest.approx(exact, abs=1e-5)
    turned = at_hand(solution, ("level:2", "perfect"))
    assert turned is not None
    assert turned.player1(start) == pytest.approx(
        Chances(solution, ("level:2", "perfect"), start).player1(start), abs=1e-5
    )
    assert at_hand(solution, ("perfect", "level:3")) is None


@pytest.mark.slow
@pytest.mark.parametrize(("id", "step"), [("deck", 90), *(slow(id, 9) for id in SMALL_RULES)])
def test_a_damaged_table_is_none(id: str, step: int) -> None:
    table = small_table_of(id, "perfect", "level:2")
    data = to_bytes(table)
    assert from_bytes(table.solution, table.kinds, data) is not None
    for at in [*range(len(chance_table.MAGIC) + 70), *range(90, len(data), step)]:
        broken = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        assert from_bytes(table.solution, table.kinds, broken) is None
    assert from_bytes(table.solution, table.kinds, data[:-1]) is None
    assert from_bytes(table.solution, table.kinds, b"") is None


def test_a_table_of_other_plans_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever changes what a level does need not think of files that were kept."""
    table = small_table_of("secret", "perfect", "level:2")
    data = to_bytes(table)
    monkeypatch.setattr(chance_table, "plan_by", lambda kind, *rest: plan_by(kind.replace("2", "3"), *rest))
    assert from_bytes(table.solution, table.kinds, data) is None


@pytest.mark.slow
@pytest.mark.parametrize("id", SMALL_RULES)
def test_the_compiler_finds_what_plain_python_finds(id: str) -> None:
    game, rules = small(id)
    solution, start = solution_for(game, rules), game.start(rules, 0)
    for kinds in [("perfect", "level:2"), ("level:4", "random")]:
        exact, table = Chances(solution, kinds, start), computed(solution, kinds)
        assert table is not None
        for state in exact._states:
            assert table.player1(state) == pytest.approx(exact.player1(state), abs=1 / WHOLE)


@pytest.mark.slow
@pytest.mark.parametrize("id", SMALL_RULES)
def test_the_books_tables_agree_with_the_ladder(id: str) -> None:
    solution, known = of_book(id), standings(load(id), load(id).book)
    start = solution.game.start(solution.rules, 0)
    table = computed(solution, ("perfect", "level:6"))
    assert table is not None
    assert table.player1(start) == pytest.approx(known["perfect", "level:6"].score, abs=1 / WHOLE)


# Games that are looked back at


def reviewed(*seats: str) -> Review:
    game = load("tower")
    match = Match(game, start=position(game, "5 8 1"), names=("Ann", "Bo"))
    match.play(0, 0)
    match.play(1, 2)
    return review(Record(match, (seats[0], seats[1])))


def test_a_review_has_both_numbers() -> None:
    found = reviewed("human", "level:3")
    assert found.odds is not None
    assert [round(100 * wins) for wins in found.met] == [
        round(100 * found.odds.wins(state, 0)) for state in visited(found)
    ]
    head, slip, answer = (line.text for line in table(found))
    cost = found.met[0] - found.met[1]
    assert f"100.0 %  100.0 % -{100 * cost:.1f}  100.0  build 4" in slip
    assert "vs level 3   Lost" in head
    assert answer.count("%") == 1, "what Bo wins against Ann is not what the column tells"
    *_, told = two_numbers(found)
    low = min(found.met)
    assert told.startswith("Against level 3 Ann had 100 % at the start, and ")
    assert told.endswith(f"{100 * low:.0f} % at the least, after turn {found.met.index(low)}.")


def test_of_a_lost_game_it_is_told_when_the_chance_went() -> None:
    """That a loser had 0 % at the least says nothing."""
    found = reviewed("human", "level:3")
    told = two_numbers(found._replace(met=(0.95, 0.9, 0.51, 0.5, 0.003, 0.0)))[-1]
    assert told.endswith("had 95 % at the start, and it fell furthest in turn 4, from 50 % to under 1 %.")


@pytest.mark.parametrize(
    ("met", "told"),
    [
        ((0.999, 0.999, 1.0), "had over 99 % at the start, and 100 % when Ann resigned."),
        ((0.85, 0.42, 0.59), "had 85 % at the start, and 42 % at the least, after turn 1, and 59 % when Ann resigned."),
    ],
)
def test_what_a_resignation_threw_away_against_this_opponent_is_told(met: tuple[float, ...], told: str) -> None:
    """It said `over 99 % at the start, and never less` of a game that was lost."""
    match = Match(load("tower"), names=("Ann", "Bo"))
    match.play(0, 2)
    match.play(1, 2)
    match.resign(0)
    found = review(Record(match, ("human", "level:3")))
    assert two_numbers(found._replace(met=met))[-1].endswith(told)


def test_a_chance_that_never_sank_is_not_told_twice() -> None:
    found = reviewed("human", "level:3")
    told = two_numbers(found._replace(met=(0.75, 0.75, 1.0)))[-1]
    assert told == "Against level 3 Ann had 75 % at the start, and never less."


# What a decision costs against this opponent where the value under perfect play says nothing


def along(match: Match, *words: str) -> Match:
    for word in words:
        follow(match, word)
    return match


def energy_thrown_away(*seats: str) -> Review:
    """The first seat of Energy is lost against perfect play from the start, and 97 % against level 2."""
    match = along(Match(load("energy"), names=("Ann", "Bo")), "defend", "defend", "attack", "attack")
    return review(Record(match, (seats[0], seats[1])))


def test_who_throws_a_lost_game_away_against_a_weak_opponent_is_told() -> None:
    coach = coach_at("energy", "10 10 1", "human", "level:3")
    along(coach.match, "defend", "defend")
    assert coach.remarks() == [], "what a perfect player does is no slip, and of programs nobody is told"
    assert coach.odds is not None
    was = coach.odds.wins(coach.match.state, 0)
    along(coach.match, "attack")
    now = coach.odds.wins(coach.match.state, 0)
    (remark,) = coach.remarks()
    before, after, gone = fall(was, now)
    assert remark.sentence == (
        "Against perfect play this was lost anyway, but against level 3 that gave away "
        f"{gone} (a blunder: {before} before, {after} after)."
    )
    assert remark.why[-1].startswith("Against level 3 rather defend. ")
    assert was - now > 0.5


@pytest.mark.slow
def test_who_gives_away_a_little_where_nobody_can_force_a_win_is_told() -> None:
    coach = coach_at("conquer", "10r 10r 1", "human", "level:2")
    along(coach.match, "heal")
    (remark,) = coach.remarks()
    assert remark.sentence.startswith("Against perfect play nothing changed, but against level 2 that gave away ")


def test_a_person_who_meets_a_program_is_told_of_their_own_pick() -> None:
    coach = coach_at("secret", "98 96 9 7", "human", "perfect")
    along(coach.match, "5/6")
    assert [each.sentence.partition(" gave")[0] for each in coach.remarks()] == ["Your pick"]
    coach = coach_at("secret", "98 96 9 7", "human", "human")
    along(coach.match, "5/6")
    assert [each.sentence.partition(" gave")[0] for each in coach.remarks()] == ["Ann's pick"]


def test_between_two_people_holding_out_is_what_counts() -> None:
    coach = coach_at("energy", "10 10 1", "human", "human")
    along(coach.match, "defend", "defend", "attack")
    (remark,) = coach.remarks()
    assert remark.sentence == (
        "Against perfect play this was lost anyway, but it can be over 8 moves sooner now than it need be."
    )


def test_a_review_has_what_a_move_cost_against_this_opponent() -> None:
    found = energy_thrown_away("human", "level:2")
    slip = found.decisions[2]
    assert (slip.lost, slip.mark, slip.better) == (0, "blunder", ("defend",))
    here = found.met[2] - found.met[3]
    assert slip.lost_here == pytest.approx(here)
    assert cost(found, slip) == f"lost {100 * here:.1f} % against level 2"
    assert worst(found.decisions) == [slip]
    assert f" -{100 * here:.1f}     -  defend  blunder" in table(found)[3].text
    assert [each.lost_here for each in found.decisions] == [0, None, slip.lost_here, None]
    told = for_programs(found)["decisions"][2]
    assert (told["lost"], told["lost_here"], told["plies_sooner"], told["mark"]) == (0, slip.lost_here, 0, "blunder")
    ann, bo = averages([found])
    assert (ann.mean, ann.mean_here) == pytest.approx((0, here / 2))
    assert bo.mean_here is None
    assert average_lines([ann])[1].endswith(f"; against this very opponent {50 * here:.2f}")


@pytest.mark.parametrize("id", ["energy", "tower"])
def test_the_advice_is_never_a_slip(id: str) -> None:
    solution = of_book(id)
    game, rules = solution.game, solution.rules
    odds = odds_at(solution, ("human", "level:2"), game.start(rules, 0))
    assert odds is not None
    weighed = slips = 0
    for place in range(len(solution.table)):
        if solution.known(place) is None or game.turn(rules, state := solution.position(place)) != 0:
            continue
        if state not in odds.chances._places:  # type: ignore[union-attr]  # a small duel has no table
            continue
        for move in game.legal_moves(rules, state, 0):
            lost = odds.lost(solution, state, 0, move)
            assert lost is not None
            fell = odds.wins(state, 0) - odds.wins(game.apply(rules, state, move), 0)
            advised = solution.plan(state, 0)[move] > 0
            assert lost == (0 if advised else max(0.0, fell))
            weighed, slips = weighed + 1, slips + (lost > 0)
        assert odds.lost(solution, state, 1, move) is None
    assert 0 < slips < weighed


def test_of_secret_picks_nobody_is_blamed_for_a_guess() -> None:
    """What a pick costs is weighed against all that the other might have picked, each as likely as it was."""
    game, rules = small("secret")
    solution, start = solution_for(game, rules), game.start(rules, 0)
    odds = odds_at(solution, ("human", "level:2"), start)
    assert odds is not None
    plan, answers = solution.plan(start, 0), plan_by("level:2", solution, start, 1)
    for pick in game.legal_moves(rules, start, 0):
        met = [(game.resolve(rules, start, pick, each), share) for each, share in enumerate(answers) if share]
        left = sum(share * odds.wins(after, 0) for after, share in met)
        lost = odds.lost(solution, start, 0, pick)
        assert lost == pytest.approx(0 if plan[pick] else max(0.0, odds.wins(start, 0) - left), abs=1e-12)


def visited(found: Review) -> list[Any]:
    return [*(step.before for step in found.match.steps), found.match.state]


def for_programs(found: Review) -> dict[str, Any]:
    document: Any = reviews_as_json([("file", found)])
    return dict(document["games"][0])


def test_a_review_of_two_programs_and_of_two_people() -> None:
    found = reviewed("level:2", "level:3")
    assert "Wins  These two" in table(found)[0].text
    assert two_numbers(found)[-1].startswith("Between these two Ann had ")
    assert all(line.text.count("%") == 2 for line in table(found)[1:])
    alone = reviewed("human", "human")
    assert (alone.odds, alone.met, two_numbers(alone)) == (None, (), [])
    game = for_programs(alone)
    assert (game["opponents"], game["wins_here"]) == ([], [])
    game = for_programs(found)
    assert game["opponents"] == ["level:2", "level:3"]
    assert game["wins_here"] == list(found.met)
    assert [each["wins_here"] for each in game["decisions"]] == [each.here for each in found.decisions]


@pytest.mark.parametrize("size", first_now([(80, 24), (120, 40)]))
def test_the_page_after_a_game_tells_the_second_number(size: tuple[int, int]) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        sums = pilot.app.screen.query_one("#after-sums", Static)
        assert "Against level 3 you had 100 % at the start" in " ".join(str(sums.render()).split())

    record = reviewed("human", "level:3").record
    run(tale, opening=lambda app: app.push_screen(Aftermath(record, None)), size=size)


def test_a_hint_against_somebody() -> None:
    """In a duel of two seats, from both; and of whom nothing more is known, a sentence."""
    solution = of_book("tower")
    state = position(solution.game, "6 8 2")
    odds = odds_against(solution, "level:3", 1, state)
    assert (odds.whose, odds.label) == (1, "Against level 3")
    assert odds.wins(state, 1) == pytest.approx(1 - Chances(solution, ("level:3", "perfect"), state).player1(state))
    document: Any = hints_as_json(solution, state, [hint(solution, state)], [odds])
    assert document["hints"][0]["wins_here"] == odds.wins(state, 1)
    with pytest.raises(DuelError, match="nobody knows its plans"):
        odds_against(solution, "engine:mybot", 0, state)


def test_a_hint_against_perfect_tells_what_is_won_before_the_bell(monkeypatch: pytest.MonkeyPatch) -> None:
    """The value is what a game comes to that goes on for as long as it takes."""
    game, rules = small("secret")
    solution, state = solution_for(game, rules), game.read_position(rules, "2 3 2 3")
    monkeypatch.setattr(chances, "BELL", 1)
    odds = odds_against(solution, "perfect", 1, state)
    assert solution.value(state) == -1
    assert odds.wins(state, 1) == pytest.approx(1 - by_the_rules(solution, ("perfect", "perfect"), state, 1))
    assert 0.5 <= odds.wins(state, 1) < 1
    assert odds.sentence(solution, state) == (
        "In a match, with the bell after 200 turns, whoever plays on like this scores "
        f"{percent(odds.wins(state, 1))}; what nobody wins counts as half."
    )


@pytest.mark.slow
def test_in_secret_what_is_won_in_the_end_is_not_always_won_before_the_bell() -> None:
    solution = of_book("secret")
    state = position(solution.game, "98 100 8 8")
    assert solution.value(state) == -1
    match = by_the_rules(solution, ("perfect", "perfect"), state, BELL)
    assert 0.01 < match < 0.1
    assert odds_against(solution, "perfect", 0, state).wins(state, 0) == pytest.approx(match, abs=1 / WHOLE)


@pytest.mark.slow
@pytest.mark.parametrize("bell", first_now([4, 300]))
def test_where_another_bell_rings_there_is_no_second_number(bell: int) -> None:
    """It counts on the usual bell: two attacks cannot win a duel of conquer, and it said 100 %."""
    game, seats = load("conquer"), ("human", "level:1")
    match = Match(game, max_turns=bell)
    coach = Coach(match, seats)
    coach.find_odds()
    assert coach.odds is None
    assert not coach.odds_take_a_while
    for _ in range(4):
        match.play(match.turn, 0)
    assert review(Record(match, seats)).met == ()
    match = Match(game, max_turns=BELL)
    match.play(0, 0)
    assert len(review(Record(match, seats)).met) == 2


def test_a_second_number_that_has_not_changed_is_not_told() -> None:
    """Against a novice a slip may cost nothing: "100 % before, 100 % now" says little."""
    coach = coach_at("tower", "3 4 1", "human", "level:1")
    coach.match.play(0, 0)
    (remark,) = coach.remarks()
    assert remark.sentence == "That gave away 100 % (a blunder: 100 % before, 0 % after, under perfect play)."

"""What a solution answers, asked at every position of a small duel of each kind."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from duelbook import load, variant
from duelbook.core import BOTH, LUCK, OVER, DuelError, IllegalMove
from duelbook.positions.hull import following
from duelbook.solving.library import solution_for
from duelbook.solving.loss import given_away
from duelbook.solving.solution import Solution
from duelbook.solving.solver import solve

SMALL = {
    "conquer": ("hp=3",),
    "tower": ("goal=7",),
    "energy": ("energy=5",),
    "secret": ("hp=5", "highest=4"),
    "deck": ("lp=4", "cards=3"),
}


@cache
def small(id: str) -> Solution:
    game = load(id)
    return solve(game, variant(game, SMALL[id]))


def everywhere(solution: Solution) -> Iterator[Any]:
    """Every position that can follow from either start, ends included."""
    game, rules = solution.game, solution.rules
    waiting = [game.start(rules, 0), game.start(rules, 1)]
    seen = set(waiting)
    while waiting:
        state = waiting.pop()
        yield state
        fresh = set(following(game, rules, state)) - seen
        seen |= fresh
        waiting += fresh


def deciders(solution: Solution, state: Any) -> tuple[int, ...]:
    turn = solution.game.turn(solution.rules, state)
    return (0, 1) if turn == BOTH else () if turn in (LUCK, OVER) else (turn,)


@pytest.mark.parametrize("id", SMALL)
def test_every_question_has_an_answer_at_every_position(id: str) -> None:
    solution = small(id)
    game, rules = solution.game, solution.rules
    for state in everywhere(solution):
        low, high = solution.bounds(state)
        assert low - 1e-12 <= solution.value(state) <= high + 1e-12
        for seat in (0, 1):
            plan, options = solution.plan(state, seat), solution.options(state, seat)
            assert len(plan) == len(game.moves)
            if seat not in deciders(solution, state):
                assert not any(plan)
                assert options == []
                with pytest.raises(DuelError, match="nothing to decide"):
                    solution.loss(state, seat, 0)
                continue
            assert [option.move for option in options] == game.legal_moves(rules, state, seat)
            assert sum(plan) == pytest.approx(1)
            assert {move for move, share in enumerate(plan) if share > 0} <= {option.move for option in options}


@pytest.mark.parametrize("id", SMALL)
def test_a_perfect_plan_loses_nothing_and_no_move_gains(id: str) -> None:
    solution = small(id)
    for state in everywhere(solution):
        for seat in deciders(solution, state):
            sign = 1 if seat == 0 else -1
            plan = solution.plan(state, seat)
            for move, value, _, lost in solution.options(state, seat):
                loss = solution.loss(state, seat, move)
                assert loss == 2 * lost >= 0  # of the way from lost to won, which is 2 on the scale of values
                assert loss == pytest.approx(sign * (solution.value(state) - value), abs=1e-9)
                assert plan[move] == 0 or loss <= solution.same


@pytest.mark.parametrize("id", ["tower", "deck"])
def test_what_a_move_loses_is_what_the_position_falls_by(id: str) -> None:
    solution = small(id)
    game, rules = solution.game, solution.rules
    for state in everywhere(solution):
        for seat in deciders(solution, state):
            sign = 1 if seat == 0 else -1
            for move in game.legal_moves(rules, state, seat):
                after = solution.value(game.apply(rules, state, move))
                assert solution.loss(state, seat, move) == given_away(sign * solution.value(state), sign * after)


def test_what_a_pick_loses_is_what_the_hardest_perfect_answer_takes() -> None:
    solution = small("secret")
    game, rules = solution.game, solution.rules
    for state in everywhere(solution):
        for seat in deciders(solution, state):
            sign, answers = 1 if seat == 0 else -1, game.legal_moves(rules, state, 1 - seat)
            met = {pick: solution.meetings(state, seat, pick) for pick in game.legal_moves(rules, state, seat)}
            plan = solution.plan(state, 1 - seat)
            certain = [
                answer
                for answer in answers
                if all(sign * row[answer] <= sign * solution.value(state) + 1e-9 for row in met.values())
            ]
            for pick, row in met.items():
                left = [sum(plan[answer] * sign * row[answer] for answer in answers)]
                left += [sign * row[answer] for answer in certain]
                lost = max(0.0, sign * solution.value(state) - min(left))
                assert solution.loss(state, seat, pick) == pytest.approx(lost, abs=1e-9)


def test_in_deck_there_is_a_plan_at_the_start_and_after_a_card() -> None:
    game = load("deck")
    solution = solution_for(game, game.book)
    start = game.start(game.book, 0)
    assert solution.plan(start, 0) == solution.plan(start, 1) == (0.0, 0.0)
    for card in game.faces:
        assert solution.plan(game.deal(game.book, start, card), 0) == (1.0, 0.0)
        assert solution.plan(game.deal(game.book, start, card), 1) == (0.0, 0.0)


def test_luck_brings_each_face_as_often_as_it_is_in_the_deck_and_keeps_the_value_on_average() -> None:
    solution = small("deck")
    game, rules = solution.game, solution.rules
    met = 0
    for state in everywhere(solution):
        draws = solution.draws(state)
        if game.turn(rules, state) != LUCK:
            assert draws == []
            continue
        met += 1
        odds = {face: game.odds(rules, state, face) for face in game.faces}
        assert [draw.face for draw in draws] == [face for face in game.faces if odds[face]]
        assert [draw.chance * sum(odds.values()) for draw in draws] == pytest.approx([odds[d.face] for d in draws])
        mean = sum(draw.chance * draw.value for draw in draws)
        assert mean == pytest.approx(solution.value(state), abs=1e-9)
    assert met > 30


def test_a_foul_pick_costs_what_the_rules_say_and_an_illegal_move_is_refused() -> None:
    secret = load("secret")
    solution = solution_for(secret, secret.book)
    state = secret.read_position(secret.book, "98 96 9 7")
    assert 8 not in [option.move for option in solution.options(state, 0)]
    assert solution.loss(state, 0, 8) == 2
    tower = small("tower")
    with pytest.raises(IllegalMove):
        tower.loss(tower.game.start(tower.rules, 0), 0, 3)


def test_a_choice_among_equals_that_is_none_of_them_is_not_played() -> None:
    """A file could name any move: what it says is only asked among moves that give nothing away."""
    game = load("deck")
    solution = solve(game, variant(game, SMALL["deck"]))
    assert solution.choices is not None
    asked = [state for state in everywhere(solution) if game.turn(solution.rules, state) in (0, 1)]
    for state in asked:
        solution.choices.places[solution.choices.numbering.find(state)[0]] = len(game.moves)
    for state in asked:
        seat = game.turn(solution.rules, state)
        assert solution.loss(state, seat, solution.plan(state, seat).index(1.0)) == 0


@pytest.mark.parametrize("id", SMALL)
def test_a_table_is_known_by_its_places(id: str) -> None:
    """Every place that holds something holds a position, and the position and its mirror lead back to it."""
    solution = small(id)
    held = [place for place in range(len(solution.table)) if solution.known(place) is not None]
    assert len(held) >= 8
    for place in held:
        state = solution.position(place)
        mirror = solution.mirror(state)
        assert solution.place(state) == place
        assert mirror is None or (solution.place(mirror) == place and solution.value(mirror) == -solution.value(state))

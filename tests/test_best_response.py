"""A best response against a plan that is known: held against every response there is, and against the rules alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duelbook import load
from duelbook.core import LUCK, OVER, Game, variant
from duelbook.games import ROOMS
from duelbook.match import BELL
from duelbook.policies.best_response import CHANCE, CHOICE, CLOSED, DRAWN, LOST, WON, Response, Ways, evaluate, reached
from duelbook.policies.best_response import respond as respond_to
from duelbook.policies.exploitability import Against, Exploited, exploitability, exploited
from duelbook.policies.levels import PERFECT, RUNGS, TABULAR
from duelbook.policies.plans import plan_by
from duelbook.policies.small_tables import small_table
from duelbook.policies.table_plans import table_plan
from duelbook.positions.kind import kind_of
from duelbook.positions.machine import compiling, plain
from duelbook.positions.target import end_value
from duelbook.solving.library import solution_for
from slow_helper import examples, first_row_now, slow, slow_if

SMALL = {
    "conquer": ("hp=2",),
    "deck": ("lp=3", "cards=3"),
    "energy": ("energy=4",),
    "secret": ("hp=2", "highest=2"),
    "tower": ("goal=6",),
}
WORTH = {WON: 1.0, LOST: -1.0, DRAWN: 0.0}


def small(id: str) -> tuple[Game, Any]:
    game = load(id)
    return game, variant(game, SMALL[id])


def uncompiled(game: Game, rules: Any, kinds: Sequence[str]) -> dict[str, Exploited]:
    """As `exploitability`, in plain Python: these are too few to wait for a compiler."""
    solution = solution_for(game, rules)
    table, value = small_table(solution, BELL), solution.value(game.start(rules, 0))
    return {kind: exploited(table, plain(), table_plan(table, plain(), game, kind), value) for kind in kinds}


# Every response there is


@st.composite
def mazes(draw: st.DrawFn) -> list[tuple[int, list[tuple[int, float]], float]]:
    """A few places that lead to each other: each with its kind, its ways and what it is worth where it is closed."""
    count = draw(st.integers(1, 5))
    places = []
    for _place in range(count):
        kind = draw(st.sampled_from([CHOICE, CHOICE, CHANCE, CHANCE, CLOSED]))
        targets = draw(st.lists(st.integers(DRAWN, count - 1), min_size=1, max_size=3))
        weights = draw(st.lists(st.integers(0, 3), min_size=len(targets), max_size=len(targets)))
        total = sum(weights) or 1
        shares = [weight / total for weight in weights] if sum(weights) else [1.0, *[0.0] * (len(targets) - 1)]
        places.append((kind, list(zip(targets, shares, strict=True)), draw(st.integers(-4, 4)) / 4))
    return places


def laid_out(places: list[tuple[int, list[tuple[int, float]], float]]) -> Ways:
    ends, ways = [0], list[tuple[int, float]]()
    for _kind, on, _worth in places:
        ways += on
        ends.append(len(ways))
    kinds, worth = [kind for kind, _, _ in places], [each for _, _, each in places]
    return Ways(kinds, ends[:-1], ends[1:], [to for to, _ in ways], [share for _, share in ways], worth)


def worth_of(places: list[tuple[int, list[tuple[int, float]], float]], taken: tuple[int, ...]) -> float:
    """What the first place is worth when the hero takes these ways: chances pushed on until none is left to push."""
    here, total = {0: 1.0}, 0.0
    for _step in range(3000):
        after: dict[int, float] = {}
        for place, chance in here.items():
            kind, ways, worth = places[place]
            if kind == CLOSED:
                total += chance * worth
                continue
            for to, share in [(ways[taken[place]][0], 1.0)] if kind == CHOICE else ways:
                if to < 0:
                    total += chance * share * WORTH[to]
                elif share:
                    after[to] = after.get(to, 0.0) + chance * share
        here = {place: chance for place, chance in after.items() if chance > 1e-13}
        if not here:
            break
    return total


@examples(300)
@given(mazes())
def test_no_response_of_all_there_are_gets_more(places: list[tuple[int, list[tuple[int, float]], float]]) -> None:
    ways = laid_out(places)
    order = reached(ways, 0, ways.kinds, True)
    found = Response(*respond_to(ways, order))
    choosing = [range(len(on)) if kind == CHOICE else range(1) for kind, on, _ in places]
    best = max(worth_of(places, taken) for taken in product(*choosing))
    assert found.rests
    assert found.values[0] == pytest.approx(best, abs=1e-9)
    wins, losses = evaluate(ways, order, found.choices)
    assert wins[0] - losses[0] == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("compiled", [False, slow(True)])
def test_a_win_that_can_be_put_off_for_ever_is_taken(compiled: bool) -> None:
    """Going round and winning look equally good at both places; only one of them gets there."""
    ways = laid_out([(CHOICE, [(1, 1.0), (WON, 1.0)], 0.0), (CHOICE, [(0, 1.0)], 0.0)])
    for machine in (plain(), *([compiling()] if compiled else [])):
        there = Ways(*map(machine.array, ways))
        order = machine.twin(reached)(there, 0, there.kinds, True)
        found = Response(*machine.twin(respond_to)(there, order))
        assert (found.values[0], found.choices[0]) == (1.0, 1)
        assert machine.twin(evaluate)(there, order, found.choices)[0][0] == 1.0


def test_staying_is_better_than_losing_and_no_better_than_a_draw() -> None:
    assert respond_to(ways := laid_out([(CHOICE, [(LOST, 1.0), (0, 1.0)], 0.0)]), [0])[0][0] == 0.0
    assert ways.targets[respond_to(ways, [0])[1][0]] == 0
    assert respond_to(laid_out([(CHOICE, [(0, 1.0), (DRAWN, 1.0)], 0.0)]), [0])[0][0] == 0.0


# From the rules alone


def by_the_rules(game: Game, rules: Any, plan: Callable[[Any, int], Any], seat: int) -> float:
    """What can be had against a plan in this seat: ever more turns before an end that is worth 0, until no turn more
    changes anything."""
    hero = 1 - seat
    start = game.start(rules, 0)
    ways: dict[Any, Any] = {}
    waiting = [start]
    for state in waiting:  # grows while it is walked
        turn = game.turn(rules, state)
        if state in ways or turn == OVER:
            continue
        if turn == LUCK:
            odds = {face: game.odds(rules, state, face) for face in game.faces}
            likely = [(odd / sum(odds.values()), game.deal(rules, state, face)) for face, odd in odds.items() if odd]
            options = [likely]
        elif turn == hero:
            options = [[(1.0, game.apply(rules, state, move))] for move in game.legal_moves(rules, state, hero)]
        elif turn == seat:
            options = [
                [(share, game.apply(rules, state, move)) for move, share in enumerate(plan(state, seat)) if share]
            ]
        else:
            shares = list(enumerate(plan(state, seat)))
            options = [
                [
                    (share, game.resolve(rules, state, *((mine, theirs) if hero == 0 else (theirs, mine))))
                    for theirs, share in shares
                    if share
                ]
                for mine in game.legal_moves(rules, state, hero)
            ]
        ways[state] = options
        waiting += [after for option in options for _, after in option]

    def worth(state: Any, values: dict[Any, float]) -> float:
        if state in ways:
            return values[state]
        return float(end_value(game.winner(rules, state))) * (1 if hero == 0 else -1)

    values = dict.fromkeys(ways, 0.0)
    for _turn in range(5000):
        now = {
            state: max(sum(share * worth(after, values) for share, after in option) for option in options)
            for state, options in ways.items()
        }
        moved = max(abs(now[state] - values[state]) for state in ways)
        values = now
        if moved < 1e-14:
            break
    return values[start]


@pytest.mark.parametrize(
    ("id", "kind"),
    first_row_now([(id, kind) for kind in ("level:2", "random", "perfect", "gambler") for id in ROOMS], 5),
)
def test_a_best_response_gets_what_the_rules_allow(id: str, kind: str) -> None:
    game, rules = small(id)
    solution = solution_for(game, rules)
    found = uncompiled(game, rules, [kind])[kind]
    for seat in (0, 1):
        best = by_the_rules(game, rules, lambda state, me: plan_by(kind, solution, state, me), seat)
        assert found.seats[seat].value == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("id", [slow_if(id == "conquer", id) for id in ROOMS])
def test_nobody_gets_less_than_the_duel_is_worth_and_against_perfect_nobody_gets_more(id: str) -> None:
    game, rules = small(id)
    for kind, found in uncompiled(game, rules, TABULAR).items():
        for against in found.seats:
            assert against.value >= against.game - 1e-9
            assert against.wins + against.losses <= 1 + 1e-9
            assert 0 <= against.exploitability <= 1
        assert found.mean <= 1e-9 or kind != PERFECT


@pytest.mark.parametrize("id", [slow_if(kind_of(load(id)) != "backwards" or id == "conquer", id) for id in ROOMS])
def test_by_the_book_nobody_gets_more_against_perfect(id: str) -> None:
    game = load(id)
    found = exploitability(game, game.book, [PERFECT])[PERFECT]
    assert found.mean <= 2 * solution_for(game, game.book).same
    assert [each.exploitability for each in found.seats] == pytest.approx([0.0, 0.0], abs=1e-9)


@pytest.mark.parametrize("id", ["energy", slow("tower")])
def test_the_higher_of_the_top_rungs_is_the_harder_to_exploit(id: str) -> None:
    """Further down a rung that makes one mistake again and again can be exploited more than one that makes any."""
    game = load(id)
    means = [found.mean for found in exploitability(game, game.book, RUNGS[3:]).values()]
    assert means == sorted(means, reverse=True)


def test_what_nobody_wins_is_neither_won_nor_lost() -> None:
    assert Against(0.0, 0.0, 0.25, 0.25).neither == 0.5

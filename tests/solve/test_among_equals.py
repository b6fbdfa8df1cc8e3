"""Among moves of equal value: the smallest chance of losing against the reference opponent, however small it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from duelbook import load, variant
from duelbook.core import OVER
from duelbook.positions.graph import explore
from duelbook.positions.layout import Numbering
from duelbook.positions.machine import Machine, compiling, plain
from duelbook.solving import equal_picks, library
from duelbook.solving.certificate import check
from duelbook.solving.chance import nothing_known, solve_luck, sweep
from duelbook.solving.equal_moves import best_moves, keeping_moves
from duelbook.solving.equal_with_luck import later_choices
from duelbook.solving.groups import components
from duelbook.solving.promises import solve_recursive
from duelbook.solving.recursive import ILLEGAL, explore_simultaneous
from duelbook.solving.retrograde import solve_backwards
from duelbook.solving.solution import Solution
from duelbook.solving.solution_file import from_bytes
from duelbook.solving.solver import solve


def shipped(id: str) -> Solution:
    game = load(id)
    return from_bytes(game, game.book, (library.SHIPPED / f"{id}.solution").read_bytes())


PICKS = {"98 100 8 8": 10, "97 100 10 9": 9, "98 100 9 8": 10, "95 100 9 10": 10, "80 100 3 10": 9}


@pytest.mark.parametrize("position", PICKS)
def test_in_secret_no_hp_are_thrown_away_where_all_is_lost_on_paper(position: str) -> None:
    solution = shipped("secret")
    state = solution.game.read_position(solution.rules, position)
    assert solution.value(state) == -1
    assert solution.plan(state, 0).index(1.0) + 1 == PICKS[position]


@pytest.mark.slow
def test_in_secret_whoever_is_lost_picks_the_highest_number_or_keeps_it_while_nothing_beats_the_next() -> None:
    """That is all: no pick of a lost player throws HP away."""
    solution = shipped("secret")
    lost = kept = 0
    for place in range(len(solution.table)):
        if solution.known(place) is None:
            continue
        state, fact = solution.position(place), solution.facts[solution.table[place] - 1]
        for me, plan, sure in ((0, fact.first, fact.high), (1, fact.second, -fact.low)):
            mine, theirs = state.last[me], state.last[1 - me]
            if sure > -1 + 1e-9:
                continue
            lost += 1
            highest = 10 if mine != 10 else 9
            # While they may not pick 10, nothing beats a 9, and 10 is there when they may pick it again.
            safe = theirs == 10 and mine < 9 and plan[8] == 1.0
            last_chance = (state.hp[me], state.hp[1 - me], mine, theirs, plan[7]) == (1, 3, 10, 9, 1.0)
            kept += safe
            assert plan[highest - 1] == 1.0 or safe or last_chance, state
    assert (lost, kept) == (589_951, 43_659)


def reference_picks(after: Any, picks: int, low: Any, high: Any, reference: Any) -> None:
    """Put in place of the plans that guarantee the bounds what the reference opponent picks when it does not slip.

    `reference` holds the first seat's plan at 2 * node and the second's behind it. Any of the picks that keep by
    themselves what is sure for the seat, each as likely as the other; where there are none, the plan stays.
    """
    for node in range(len(low)):
        for seat in range(2):
            sure, keeping = (low[node] if seat == 0 else -high[node]), []
            for pick in range(picks):
                least = 2.0
                for reply in range(picks):
                    one, two = (pick, reply) if seat == 0 else (reply, pick)
                    target = after[(node * picks + one) * picks + two]
                    if target == ILLEGAL:
                        continue
                    if target < 0:
                        first = 1.0 if target == -1 else -1.0 if target == -2 else 0.0
                        worth = first if seat == 0 else -first
                    else:
                        worth = low[target // 2] if (target + seat) % 2 == 0 else -high[target // 2]
                    least = min(least, worth)
                if sure - 1e-12 <= least < 2.0:
                    keeping.append(pick)
            if len(keeping) > 0:
                begin = (2 * node + seat) * picks
                for pick in range(picks):
                    reference[begin + pick] = 0.0
                for pick in keeping:
                    reference[begin + pick] = 1.0 / len(keeping)


def chances_of_losing(
    after: Any, picks: int, order: Any, ends: Any, low: Any, high: Any, plans: Any, reference: Any, lose: Any
) -> tuple[int, float]:
    """How many lost players have a pick that loses less than the one advised, and by which factor at most.

    `plans` and `reference` hold what is advised and what the reference opponent plays: the first seat's at 2 * node.
    `lose` has room for the chance of losing of a hero in either seat, and for ends.
    """
    beaten, factor, begin = 0, 1.0, 0
    for group in range(len(ends)):
        for last in (False, True):
            moved = True
            while moved:
                moved = False
                for at in range(begin, ends[group]):
                    node = order[at]
                    for hero in range(2):
                        sure = low[node] if hero == 0 else -high[node]
                        if sure > 1 - 1e-9:
                            continue
                        legal = 0
                        for reply in range(picks):
                            for pick in range(picks):
                                one, two = (pick, reply) if hero == 0 else (reply, pick)
                                if after[(node * picks + one) * picks + two] != ILLEGAL:
                                    legal += 1
                                    break
                        advised, least = 0.0, 2.0
                        for pick in range(picks):
                            chance, may = 0.0, False
                            for reply in range(picks):
                                one, two = (pick, reply) if hero == 0 else (reply, pick)
                                target = after[(node * picks + one) * picks + two]
                                if target != ILLEGAL:
                                    may = True
                                    share = 0.38 * reference[(2 * node + 1 - hero) * picks + reply] + 0.62 / legal
                                    chance += share * lose[target ^ hero]
                            if may:
                                least = min(least, chance)
                                advised += plans[(2 * node + hero) * picks + pick] * chance
                        if abs(advised - lose[2 * node + hero]) > 1e-13 * advised:
                            moved = True
                        lose[2 * node + hero] = advised
                        if last and sure < -1 + 1e-9 and advised > least * (1 + 1e-8):
                            beaten += 1
                            factor = max(factor, advised / least)
        begin = ends[group]
    return beaten, factor


def held_against_the_reference(solution: Solution, machine: Machine, twin: Any = lambda law: law) -> tuple[int, float]:
    game, rules = solution.game, solution.rules
    positions = explore_simultaneous(game, rules, machine)
    picks, count = len(game.moves), len(positions.numbers)
    order, ends, _ = groups = machine.twin(components)(positions.after, count)
    low, high, first, second = solve_recursive(positions.after, picks, groups, machine)
    numbering = Numbering(positions.layout, type(game.start(rules, 0)), positions.turns_round)
    assert numbering.layout == solution.numbering.layout
    facts = np.array([[*fact.first, *fact.second] for fact in solution.facts])
    plans = facts[np.array(solution.table)[np.array(positions.numbers)].astype(np.int64) - 1].ravel()
    reference = np.hstack([np.reshape(first, (-1, picks)), np.reshape(second, (-1, picks))]).ravel()
    twin(reference_picks)(positions.after, picks, low, high, reference)
    lose = np.array([0.0] * (2 * count) + [0.0, 0.0, 1.0, 0.0])
    law = twin(chances_of_losing)
    return law(positions.after, picks, order, ends, low, high, plans, reference, lose)  # type: ignore[no-any-return]


def test_in_a_small_secret_no_pick_loses_less_than_the_one_advised() -> None:
    game = load("secret")
    solution = solve(game, variant(game, ["hp=5", "highest=4"]))
    assert held_against_the_reference(solution, plain()) == (0, 1.0)


@pytest.mark.slow
def test_nowhere_in_secret_does_a_pick_lose_less_than_the_one_advised() -> None:
    """So no other pick is better in HP and in chance at once, either."""
    from numba import njit

    assert held_against_the_reference(shipped("secret"), compiling(), njit) == (0, 1.0)


def chances_in(solution: Solution) -> dict[tuple[Any, int], float]:
    """For every position and each hero the chance of losing against the reference, by plain value iteration."""
    game, rules = solution.game, solution.rules
    lose: dict[tuple[Any, int], float] = {}
    shares: dict[tuple[Any, int], list[tuple[float, Any]]] = {}
    """Where the reference acts, how likely it leads where; where the hero does, what may be chosen, with no number."""
    for state in explore(game, rules, [game.start(rules, 0), game.start(rules, 1)]).nodes:
        seat = seat_at(state)
        afters = {move: game.apply(rules, state, move) for move in game.legal_moves(rules, state, seat)}
        good = [after for after in afters.values() if solution.value(after) == solution.value(state)]
        slips = [(0.62 / len(afters), after) for after in afters.values()]
        lose |= {(state, 0): 0.0, (state, 1): 0.0}
        shares[state, seat] = [(0.0, after) for after in longest(solution, state, afters)]
        shares[state, 1 - seat] = slips + [(0.38 / len(good), after) for after in good]
    for following in shares.values():
        for _, after in following:
            if game.turn(rules, after) == OVER:
                lose |= {(after, me): float(game.winner(rules, after) == 1 - me) for me in (0, 1)}
    moved = True
    while moved:
        moved = False
        for (state, me), following in shares.items():
            if seat_at(state) == me:
                new = min(lose[after, me] for _, after in following)
            else:
                new = sum(share * lose[after, me] for share, after in following)
            moved = moved or new - lose[state, me] > 1e-13 * new
            lose[state, me] = new
    return lose


def seat_at(state: Any) -> int:
    return int(state.mover)


def longest(solution: Solution, state: Any, afters: dict[int, Any]) -> list[Any]:
    """What follows from the moves that keep the value and the number of plies."""
    value, plies = solution.value(state), solution.plies(state)
    good = [after for after in afters.values() if solution.value(after) == value]
    return [after for after in good if plies is None or (solution.plies(after) or 0) + 1 == plies]


@pytest.mark.slow
@pytest.mark.parametrize("id", ["tower", "energy"])
def test_whoever_is_lost_makes_the_move_after_which_the_chance_of_losing_is_smallest(id: str) -> None:
    solution = shipped(id)
    game, rules = solution.game, solution.rules
    lose = chances_in(solution)
    for state, me in lose:
        if game.turn(rules, state) == me and solution.value(state) == (-1 if me == 0 else 1):
            choice = game.apply(rules, state, solution.plan(state, me).index(1.0))
            assert lose[choice, me] <= lose[state, me] * (1 + 1e-9)


class TestChancesThatDoNotSettle:
    """Where sweeps are bounded, chances are compared as far as they have come; what is chosen keeps the value."""

    @pytest.mark.parametrize("id", ["tower", "energy", "conquer"])
    def test_one_sweep_chooses_among_moves_that_keep_the_value_and_the_plies(self, id: str) -> None:
        game = load(id)
        graph = explore(game, game.book, [game.start(game.book, 0), game.start(game.book, 1)])
        solved = solve_backwards(graph)
        hasty, settled = best_moves(graph, solved, most_sweeps=1), best_moves(graph, solved)
        columns = (graph.movers, graph.starts, graph.targets, solved.values, solved.plies)
        kept = keeping_moves(*map(np.asarray, columns))[1]
        assert all(kept[edge] == 1 for edge in hasty)
        if id != "energy":  # where chances settle at once
            assert list(hasty) != list(settled)

    def test_with_luck_too(self) -> None:
        game = load("deck")
        rules = variant(game, ["lp=6", "cards=4"])
        positions, bounds = solve_luck(game, rules, plain())
        solution = solve(game, rules)
        hasty, settled = (
            dict(zip(*later_choices(positions, bounds, plain(), *bound), strict=True)) for bound in ((1,), ())
        )
        assert solution.choices is not None
        assert hasty != settled == solution.choices.places
        for number, place in hasty.items():
            state = solution.choices.numbering.unpack(number)
            assert solution.options(state, game.turn(rules, state))[place].lost == 0

    @pytest.mark.parametrize("words", [("lp=6", "cards=4"), ("lp=9", "cards=3")])
    def test_with_luck_chances_that_start_from_perfect_play_settle_where_those_do_that_start_from_nothing(
        self, words: tuple[str, str]
    ) -> None:
        game = load("deck")
        positions, bounds = solve_luck(game, variant(game, words), plain())
        found = [
            dict(zip(*later_choices(positions, bounds._replace(gap=gap), plain()), strict=True))
            for gap in (bounds.gap, 2.0)
        ]
        assert bounds.gap < 1e-12
        assert found[0] == found[1] != {}

    def test_branches_that_are_alike_are_swept_as_all_others_are(self) -> None:
        game = load("deck")
        positions, bounds = solve_luck(game, variant(game, ["lp=6", "cards=4"]), plain())
        assert positions.in_pairs
        chosen = dict(zip(*later_choices(positions, bounds, plain()), strict=True))
        anyhow = positions._replace(in_pairs=False)
        assert dict(zip(*later_choices(anyhow, bounds, plain()), strict=True)) == chosen != {}
        sure = nothing_known(len(positions.numbers))
        for _ in range(bounds.sweeps):
            gap, _ = plain().twin(sweep)(*positions.ways, sure)
        assert (list(sure), gap) == (list(bounds.sure), bounds.gap)


@pytest.mark.slow
def test_plain_python_and_the_compiler_choose_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("conquer")
    graph = explore(game, game.book, [game.start(game.book, 0), game.start(game.book, 1)])
    solved = solve_backwards(graph)
    in_python = list(best_moves(graph, solved))
    monkeypatch.setattr("duelbook.solving.equal_moves.MANY_EDGES", 0)
    assert list(best_moves(graph, solved)) == in_python


@pytest.mark.slow
def test_chances_that_have_not_settled_choose_among_picks_that_keep_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("secret")
    rules = variant(game, ["hp=6", "highest=4"])
    settled = solve(game, rules)
    monkeypatch.setattr(equal_picks, "MOST_SWEEPS", 1)
    hasty = solve(game, rules)
    assert (hasty.facts, hasty.table) != (settled.facts, settled.table)
    assert bounds_in(hasty) == bounds_in(settled)
    assert check(hasty).good


def bounds_in(solution: Solution) -> list[tuple[float, float]]:
    held = [solution.facts[place - 1] for place in solution.table if place > 0]
    return [(fact.low, fact.high) for fact in held]

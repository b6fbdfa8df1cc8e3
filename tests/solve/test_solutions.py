"""The five books, solved: the known facts, the shipped files and the certificates."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from array import array
from pathlib import Path
from typing import Any

import pytest

from duelbook import DRAW, Match, Turn, game_ids, load, variant
from duelbook.core import rules_hash
from duelbook.positions import size
from duelbook.positions.graph import explore, mirrors
from duelbook.positions.layout import layout_of, packing
from duelbook.solving import library
from duelbook.solving.certificate import check
from duelbook.solving.retrograde import solve_backwards
from duelbook.solving.solution import NotInTable, Solution
from duelbook.solving.solution_file import from_bytes
from duelbook.solving.solver import solve
from slow_helper import first_now, slow

ALTERNATING = ["conquer", "energy", "tower"]


def shipped(id: str) -> Solution:
    game = load(id)
    return from_bytes(game, game.book, (library.SHIPPED / f"{id}.solution").read_bytes())


def at(solution: Solution, position: str) -> Any:
    return solution.game.read_position(solution.rules, position)


class TestFacts:
    """Known beforehand and computed elsewhere: ours must agree."""

    def test_conquer_never_ends(self) -> None:
        solution = shipped("conquer")
        start = solution.game.start(solution.rules, 0)
        assert (solution.value(start), solution.plies(start)) == (0, None)

    def test_in_conquer_the_mover_wins_exactly_where_an_attack_kills_and_never_loses(self) -> None:
        solution = shipped("conquer")
        game, rules = solution.game, solution.rules
        for state in explore(game, rules, [game.start(rules, 0)]).states:
            seat = game.turn(rules, state)
            mine = solution.value(state) * (1 if seat == 0 else -1)
            kills = any(
                game.turn(rules, game.apply(rules, state, move)) == Turn.OVER
                for move in game.legal_moves(rules, state, seat)
            )
            assert mine == (1 if kills else 0)

    def test_in_deck_the_first_player_wins_62_percent(self) -> None:
        solution = shipped("deck")
        value = solution.value(solution.game.start(solution.rules, 0))
        assert (value + 1) / 2 == pytest.approx(0.6217988601732, abs=1e-12)
        assert solution.error <= 1e-12

    def test_in_energy_the_second_player_wins_in_16_plies(self) -> None:
        solution = shipped("energy")
        start = solution.game.start(solution.rules, 0)
        assert (solution.value(start), solution.plies(start)) == (-1, 16)

    def test_secret_is_worth_nothing_and_both_play_10_9_10_9(self) -> None:
        solution = shipped("secret")
        state = solution.game.start(solution.rules, 0)
        assert solution.bounds(state) == (0, 0)
        for number in (10, 9, 10, 9):
            assert [solution.plan(state, seat).index(1.0) + 1 for seat in (0, 1)] == [number, number]
            state = solution.game.resolve(solution.rules, state, number - 1, number - 1)
            assert solution.bounds(state) == (0, 0)

    def test_in_tower_the_first_player_wins_in_21_plies_and_every_position_is_decided(self) -> None:
        solution = shipped("tower")
        start = solution.game.start(solution.rules, 0)
        assert (solution.value(start), solution.plies(start)) == (1, 21)
        assert all(fact.low == fact.high != 0 for fact in solution.facts)

    @pytest.mark.parametrize(
        ("setting", "value"),
        [
            ("both_empty=attacker", -1),
            ("both_empty=defender", 1),
            ("both_empty=draw", 0),
            ("may_pass=broke", -1),
            ("may_pass=always", 0),
            ("may_pass=never", -1),
            ("zero=turn", -1),
            ("zero=now", -1),
        ],
    )
    def test_the_options_of_energy_decide_who_wins(self, setting: str, value: int) -> None:
        game = load("energy")
        rules = variant(game, [setting])
        assert solve(game, rules).value(game.start(rules, 0)) == value

    @pytest.mark.slow
    def test_the_other_options_change_nothing_from_the_start(self) -> None:
        conquer = load("conquer")
        rules = variant(conquer, ["covered_heal=false"])
        assert solve(conquer, rules).value(conquer.start(rules, 0)) == 0
        secret = load("secret")
        rules = variant(secret, ["hp=6", "double_forfeit=void"])
        assert solve(secret, rules).bounds(secret.start(rules, 0)) == (0, 0)


class TestShipped:
    @pytest.mark.parametrize("id", game_ids())
    def test_a_file_belongs_to_the_rules_of_its_book(self, id: str) -> None:
        head = (library.SHIPPED / f"{id}.solution").read_bytes().split(b"\n")[2]
        assert json.loads(head)["rules_hash"] == rules_hash(load(id), load(id).book)

    @pytest.mark.parametrize("id", ALTERNATING)
    def test_solving_anew_gives_the_same_file_to_the_letter(self, id: str) -> None:
        game, kept = load(id), shipped(id)
        fresh = solve(game, game.book)
        assert (fresh.facts, fresh.table, fresh.numbering.layout) == (kept.facts, kept.table, kept.numbering.layout)

    @pytest.mark.slow
    def test_solving_deck_anew_gives_the_same_values(self) -> None:
        game, kept = load("deck"), shipped("deck")
        fresh = solve(game, game.book)
        assert fresh.numbering.layout == kept.numbering.layout
        assert fresh.states == kept.states
        assert max(abs(one - two) for one, two in zip(fresh.table, kept.table, strict=True)) <= 1e-12

    @pytest.mark.slow
    def test_solving_secret_anew_gives_the_same_bounds_and_plans(self) -> None:
        game, kept = load("secret"), shipped("secret")
        fresh = solve(game, game.book)
        assert fresh.numbering.layout == kept.numbering.layout
        pairs = set(zip(fresh.table, kept.table, strict=True))
        for one, two in pairs - {(0, 0)}:
            mine, theirs = fresh.facts[one - 1], kept.facts[two - 1]
            assert mine.low == pytest.approx(theirs.low, abs=1e-12)
            assert mine.high == pytest.approx(theirs.high, abs=1e-12)
            assert mine.first == pytest.approx(theirs.first, abs=1e-9)
            assert mine.second == pytest.approx(theirs.second, abs=1e-9)

    @pytest.mark.parametrize("id", game_ids())
    def test_a_position_and_its_mirror_are_worth_the_same_to_the_other_seat(self, id: str) -> None:
        solution = shipped(id)
        game, rules = solution.game, solution.rules
        start = game.start(rules, 0)
        mirror = packing(layout_of([start]), type(start)).mirror
        match = Match(game, seed=4)
        from duelbook.players.random import RandomPlayer

        match.run((RandomPlayer(1), RandomPlayer(2)))
        for step in match.steps:
            assert mirrors(game, rules, step.before, mirror)
            assert solution.value(mirror(step.before)) == -solution.value(step.before)


class TestCertificates:
    @pytest.mark.parametrize("id", ALTERNATING)
    def test_the_shipped_solution_is_certified(self, id: str) -> None:
        """The two large ones are certified by the page on solving, which runs `solve --all --check`."""
        certificate = check(shipped(id))
        assert certificate.good, certificate.sentence
        assert certificate.error <= 1e-9

    @pytest.mark.parametrize("id", first_now(ALTERNATING))
    def test_a_flipped_value_is_caught_in_alternating_duels(self, id: str) -> None:
        solution = shipped(id)
        for place, fact in enumerate(solution.facts):
            solution.facts[place] = fact._replace(low=-fact.low or 1.0, high=-fact.high or 1.0)
            assert not check(solution).good
            solution.facts[place] = fact

    def test_a_wrong_number_of_plies_and_a_wrong_move_are_caught(self) -> None:
        solution = shipped("tower")
        fact = solution.facts[0]
        solution.facts[0] = fact._replace(plies=fact.plies + 1)
        assert not check(solution).good
        solution.facts[0] = fact
        state = at(solution, "14 14 1")  # building 1 wins at once, and building 4 loses at once
        place = solution.table[solution.numbering.find(state)[0]] - 1
        solution.facts[place] = solution.facts[place]._replace(first=(0.0, 0.0, 1.0, 0.0))
        assert not check(solution).good

    @pytest.mark.slow
    def test_a_changed_value_is_caught_in_deck(self) -> None:
        solution = shipped("deck")
        solution.table[1000] += 1e-6
        assert not check(solution).good

    @pytest.mark.slow
    def test_changed_bounds_and_plans_are_caught_in_secret(self) -> None:
        game = load("secret")
        solution = solve(game, variant(game, ["hp=8", "highest=6"]))  # the same proof as for the book's 100
        for place in (0, len(solution.facts) // 2, len(solution.facts) - 1):
            fact = solution.facts[place]
            higher = min(1.0, fact.low + 0.1) if fact.low < 1 else 0.9
            solution.facts[place] = fact._replace(low=higher, high=higher)
            assert not check(solution).good
            solution.facts[place] = fact
        mixed = next(place for place, fact in enumerate(solution.facts) if max(fact.first) < 1 and fact.low > -1)
        fact = solution.facts[mixed]
        solution.facts[mixed] = fact._replace(first=fact.first[1:] + fact.first[:1])
        assert not check(solution).good

    def test_a_promise_that_can_be_put_off_for_ever_is_caught(self) -> None:
        """Equal picks come back, unequal ones win: the same pick each time looks won, and can be matched for ever."""
        from duelbook.solving.proof import escapes, shortfall

        after, promised, reply = [0, -1, -1, 0], [1.0], [0.5, 0.5]
        for plan, stalled in (([1.0, 0.0], 1), ([0.5, 0.5], 0)):
            assert shortfall(after, 2, promised, promised, plan, reply) == 0
            assert escapes(after, 2, promised, promised, plan, reply) == stalled


def test_a_position_that_cannot_come_up_is_solved_for_itself_or_refused() -> None:
    game = load("conquer")
    state = game.read_position(game.book, "10c 1c 1")
    assert library.solution_at(game, game.book, state).value(state) in (-1, 0, 1)
    deck = load("deck")
    with pytest.raises(NotInTable, match="cannot come up"):
        library.solution_at(deck, deck.book, deck.start(deck.book, 0)._replace(lp=(50, 50)))


def test_the_plain_walk_and_its_mirror_agree_with_a_walk_without_mirrors() -> None:
    from duelbook.positions.graph import _explore

    for id in ALTERNATING:
        game = load(id)
        start = game.start(game.book, 0)
        half, whole = explore(game, game.book, [start]), _explore(game, game.book, [start], None)
        solved, plain = solve_backwards(half), solve_backwards(whole)
        for node, state in enumerate(whole.states):
            held, turned = divmod(half.nodes[state], 2)
            sign = -1 if turned else 1
            assert (sign * solved.values[held], solved.plies[held]) == (plain.values[node], plain.plies[node])


WITHOUT_NUMBA = """
import sys
for name in ("numba", "numpy", "matplotlib"):
    sys.modules[name] = None
from duelbook import Match, load, game_ids
from duelbook.players import seat_player
for id in game_ids():
    match = Match(load(id), seed=3)
    match.run((seat_player("perfect", 1), seat_player("level:2", 2)))
    print(id, match.outcome.result)
from duelbook.cli import main
for words in (["secret", "--rule", "double_forfeit=void"], ["deck", "--rule", "lp=6", "--rule", "cards=4", "--check"],
              ["secret", "--rule", "hp=6", "--rule", "highest=4", "--check"], ["deck", "--rule", "lp=40"]):
    sys.argv = ["duelbook", "solve", *words]
    try:
        main()
    except SystemExit as left:
        code = left.code
print("code", code)
"""


@pytest.mark.slow
def test_without_numba_play_is_perfect_small_variants_are_solved_and_large_ones_say_why_not(
    tmp_path: Path,
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMBA],
        capture_output=True,
        text=True,
        env=os.environ | {"XDG_CACHE_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)},
        check=False,
    )
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines[: len(game_ids())]] == game_ids()
    assert "Number Duel (secret) with double_forfeit=void, at 100 100 - -" in lines
    assert done.stdout.count("Certificate good") == 2
    assert lines[-1] == "code 1"
    assert "Number Duel (deck) with lp=40 is too large to be solved without Numba" in done.stderr
    assert "pip install numba" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        pytest.param("secret hp=5", marks=pytest.mark.slow),
        slow("deck lp=6 cards=4"),
        pytest.param("secret hp=7 highest=3", marks=pytest.mark.slow),
        pytest.param("secret hp=12 double_forfeit=void", marks=pytest.mark.slow),
        pytest.param("deck lp=9 cards=1", marks=pytest.mark.slow),
        pytest.param("deck lp=15 cards=6", marks=pytest.mark.slow),
    ],
)
def test_plain_python_and_the_compiler_find_the_same(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    id, *settings = words.split()
    game = load(id)
    rules = variant(game, settings)
    plain = solve(game, rules)
    monkeypatch.setattr(size, "FEW_STEPS", 0)
    compiled = solve(game, rules)
    assert compiled.numbering.layout == plain.numbering.layout
    assert compiled.states == plain.states
    if plain.kind == "luck":
        assert list(compiled.table) == pytest.approx(list(plain.table), abs=1e-12, nan_ok=True)
        monkeypatch.undo()
        monkeypatch.setattr("duelbook.solving.chance.MANY_EDGES", 1)  # the compiler takes over after the first sweep
        assert solve(game, rules).table == plain.table
        return
    for one, two in set(zip(plain.table, compiled.table, strict=True)) - {(0, 0)}:
        mine, theirs = plain.facts[one - 1], compiled.facts[two - 1]
        for field in ("low", "high", "first", "second"):
            assert getattr(mine, field) == pytest.approx(getattr(theirs, field), abs=1e-9)


@pytest.mark.parametrize("id", game_ids())
def test_a_shipped_table_loads_into_a_plain_array_that_holds_the_start(id: str) -> None:
    solution = shipped(id)
    assert isinstance(solution.table, array)
    start = solution.game.start(solution.rules, 0)
    assert solution.holds(start)
    assert -1 <= solution.value(start) <= 1


def test_ends_are_worth_what_they_are() -> None:
    solution = shipped("energy")
    for position, value in [("0 5 1", -1), ("5 0 2", 1), ("1 1 1 pp", 0)]:
        state = at(solution, position)
        assert solution.value(state) == value
        assert solution.game.winner(solution.rules, state) in (0, 1, DRAW)


def test_in_tower_the_mover_loses_exactly_below_a_higher_storey() -> None:
    """What the page on best play says."""
    solution = shipped("tower")

    def storey(height: int) -> int:
        return (height + 3) // 4

    for mine in range(15):
        for theirs in range(15):
            state = at(solution, f"{mine} {theirs} 1")
            lost = storey(theirs) > storey(mine) and mine not in (11, 13, 14)
            held = library.solution_at(solution.game, solution.rules, state)
            assert held.value(state) == (-1 if lost else 1), (mine, theirs)


def test_in_secret_whoever_alone_has_just_played_ten_is_lost_at_equal_hp() -> None:
    solution = shipped("secret")
    for hp in (20, 60, 100):
        for other in range(1, 10):
            assert solution.value(at(solution, f"{hp} {hp} 10 {other}")) == -1
            assert solution.value(at(solution, f"{hp} {hp} {other} 10")) == 1


def test_in_deck_attacking_is_right_with_every_card_from_the_start() -> None:
    solution = shipped("deck")
    game, rules = solution.game, solution.rules
    for card in game.faces:
        attack, heal = solution.options(game.deal(rules, game.start(rules, 0), card), 0)
        assert attack.value > heal.value


def test_in_conquer_there_is_always_a_move_that_cannot_be_punished() -> None:
    solution = shipped("conquer")
    game, rules = solution.game, solution.rules
    for state in explore(game, rules, [game.start(rules, 0)]).states:
        seat = game.turn(rules, state)
        sign = 1 if seat == 0 else -1
        assert max(sign * option.value for option in solution.options(state, seat)) >= 0


@pytest.mark.parametrize(("id", "seat"), [("conquer", 0), ("conquer", 1), ("energy", 1), ("tower", 0)])
def test_perfect_never_loses_to_random_where_it_cannot_be_beaten(id: str, seat: int) -> None:
    from duelbook.players import seat_player

    won = 0
    for seed in range(500):
        players = [seat_player("random", seed), seat_player("random", seed)]
        players[seat] = seat_player("perfect", seed)
        match = Match(load(id), seed=seed)
        outcome = match.run([player for player in players if player is not None])
        assert outcome.winner != 1 - seat
        won += outcome.winner == seat
    assert won >= 475


@pytest.mark.parametrize("id", ALTERNATING)
def test_two_perfect_players_reach_the_solved_value(id: str) -> None:
    from duelbook.players import seat_player

    solution = shipped(id)
    start = solution.game.start(solution.rules, 0)
    one, two = seat_player("perfect", 1), seat_player("perfect", 2)
    assert one is not None
    assert two is not None
    match = Match(solution.game)
    outcome = match.run((one, two))
    assert {0: 1, 1: -1, None: 0}[outcome.winner] == solution.value(start)
    if solution.plies(start) is not None:
        assert match.turns == solution.plies(start)

"""The characters: each a table for every duel, guests included, playing in a style that can be seen."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from duelbook import game_ids, load
from duelbook.coach.odds import odds_against
from duelbook.core import BOTH, LUCK, OVER
from duelbook.players import check_kind, seat_player, short_kind
from duelbook.players.whose import who_played
from duelbook.policies.characters import CHARACTERS
from duelbook.policies.holdings import holdings_of
from duelbook.policies.levels import RUNGS, place
from duelbook.policies.plans import plan_by
from duelbook.policies.standings import standings
from duelbook.simulate import simulate
from duelbook.solving.library import solution_for
from duelbook.solving.solution import Solution
from guests_helper import GUESTS, arrive, install
from slow_helper import slow_if


def solved(id: str) -> Solution:
    game = load(id)
    return solution_for(game, game.book)


def met(solution: Solution, games: int = 30) -> Iterator[tuple[Any, int]]:
    """Decisions that come up in games at random."""
    game, rules = solution.game, solution.rules
    for seed in range(games):
        luck, state = random.Random(seed), game.start(rules, seed % 2)
        for _turn in range(100):
            turn = game.turn(rules, state)
            if turn == OVER:
                break
            if turn == LUCK:
                state = game.deal(rules, state, luck.choice([f for f in game.faces if game.odds(rules, state, f)]))
                continue
            seats = (0, 1) if turn == BOTH else (turn,)
            yield from ((state, seat) for seat in seats)
            moves = [luck.choice(game.legal_moves(rules, state, seat)) for seat in seats]
            state = game.resolve(rules, state, *moves) if turn == BOTH else game.apply(rules, state, *moves)


def plan(kind: str, solution: Solution, text: str, seat: int = 0) -> dict[str, float]:
    """How likely each move is at a position, by its words."""
    state = solution.game.read_position(solution.rules, text)
    words = solution.game.dialogue.words(solution.rules)
    return {words[move]: share for move, share in enumerate(plan_by(kind, solution, state, seat))}


@pytest.mark.slow
@pytest.mark.parametrize("id", [slow_if(id in ("conquer", "secret"), id) for id in game_ids()])
def test_every_two_play_differently_where_there_is_a_choice(id: str) -> None:
    """On average over the decisions at which a level has a choice, by how much of a plan would have to be moved. And
    none of them is one fixed pattern: it is seldom certain what comes."""
    solution, apart, count = solved(id), dict.fromkeys(combinations(CHARACTERS, 2), 0.0), 0
    certain = dict.fromkeys(CHARACTERS, 0)
    for state, seat in met(solution, 12):
        plans = {kind: plan_by(kind, solution, state, seat) for kind in CHARACTERS}
        if max(plan_by("level:2", solution, state, seat)) < 0.99:
            count += 1
            for kind in CHARACTERS:
                certain[kind] += max(plans[kind]) > 0.98
            for one, two in apart:
                apart[one, two] += sum(abs(a - b) for a, b in zip(plans[one], plans[two], strict=True)) / 2
    assert count > 20
    assert all(each < count / 2 for each in certain.values()), certain
    assert all(each / count > 0.15 for each in apart.values()), {pair: each / count for pair, each in apart.items()}


@pytest.mark.parametrize("id", game_ids())
def test_a_win_that_is_there_is_taken(id: str) -> None:
    solution, seen = solved(id), 0
    game, rules = solution.game, solution.rules
    for state, seat in met(solution):
        if game.turn(rules, state) == BOTH:
            continue
        afters = {move: game.apply(rules, state, move) for move in game.legal_moves(rules, state, seat)}
        ends = {move: game.winner(rules, each) for move, each in afters.items() if game.turn(rules, each) == OVER}
        if seat in ends.values() and len(afters) > 1:
            seen += 1
            for kind in CHARACTERS:
                chosen = plan_by(kind, solution, state, seat)
                assert sum(chosen[move] for move, winner in ends.items() if winner == seat) > 0.9
                assert sum(chosen[move] for move, winner in ends.items() if winner != seat) < 0.01
    assert seen > 5 or id == "secret"


class TestStyles:
    """Positions at which a style shows, read and agreed with."""

    @pytest.mark.parametrize(
        ("id", "position", "kind", "move"),
        [
            ("tower", "4 4 1", "hoarder", "build 4"),
            ("tower", "4 4 1", "brawler", "attack"),
            ("tower", "4 4 1", "cautious", "build 1"),
            ("tower", "10 13 1", "cautious", "attack"),
            ("conquer", "8r 8r 1", "hoarder", "defend"),
            ("conquer", "8r 8r 1", "brawler", "attack"),
            ("conquer", "2r 6r 1", "cautious", "defend"),
            ("conquer", "8r 8r 1", "gambler", "heal"),
            ("energy", "10 10 1", "hoarder", "defend"),
            ("energy", "5 5 1", "brawler", "attack"),
            ("energy", "5 5 1", "cautious", "defend"),
            ("energy", "5 5 1", "gambler", "attack"),
            ("deck", "12 12 1 1-3,5-10:4", "hoarder", "heal"),
            ("deck", "12 12 1 1-3,5-10:4", "brawler", "attack"),
            ("secret", "100 100 - -", "brawler", "10"),
            ("secret", "100 100 - -", "cautious", "10"),
        ],
    )
    def test_it_mostly_does_what_it_likes(self, id: str, position: str, kind: str, move: str) -> None:
        assert plan(kind, solved(id), position)[move] > 0.5

    def test_in_secret_the_gambler_goes_for_the_ends_and_the_hoarder_picks_nothing_low(self) -> None:
        gambler, hoarder = (plan(kind, solved("secret"), "100 100 - -") for kind in ("gambler", "hoarder"))
        assert gambler["1"] > 0.1
        assert gambler["1"] + gambler["10"] > 0.8
        assert sum(hoarder[str(number)] for number in range(1, 6)) < 0.1
        assert max(hoarder.values()) < 0.5

    @pytest.mark.parametrize("kind", [*RUNGS[1:], *CHARACTERS])
    def test_nobody_heals_with_nothing_to_heal(self, kind: str) -> None:
        for seat, position in enumerate(("10r 10r 1", "10r 10r 2")):
            assert plan(kind, solved("conquer"), position, seat)["heal"] == 0


def test_what_the_seats_have_is_what_the_gauges_show() -> None:
    for id in game_ids():
        solution = solved(id)
        state = solution.game.start(solution.rules, 0)
        assert holdings_of(solution).at(state) == tuple(map(float, state[0]))


class TestGuests:
    @pytest.mark.parametrize("example", [slow_if(example == "pig", example) for example in GUESTS])
    def test_characters_play_a_guest_and_have_their_place(
        self, example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        install(tmp_path / "site", example)
        arrive(monkeypatch, tmp_path / "site")
        solution = solved(example)
        for state, seat in met(solution, 2):
            for kind in CHARACTERS:
                assert sum(plan_by(kind, solution, state, seat)) == pytest.approx(1)
        if example == "race":
            table = standings(solution.game, solution.rules)
            assert all(place(table, kind) in (None, *RUNGS) for kind in CHARACTERS)


class TestDoors:
    def test_it_is_named_as_any_player_is(self) -> None:
        assert check_kind(" Brawler") == "brawler"
        assert seat_player("gambler", 1) is not None
        assert short_kind("hoarder") == "the hoarder"
        assert who_played(("human", "cautious"), ("Ann", "Player 2")) == "you (Ann) against the cautious"

    def test_the_chance_against_it_is_told_with_its_article(self) -> None:
        solution = solved("tower")
        start = solution.game.start(solution.rules, 0)
        odds = odds_against(solution, "brawler", 0, start)
        assert odds.label == "Against the brawler"
        table = standings(solution.game, solution.rules)
        assert odds.wins(start, 0) == pytest.approx(table["perfect", "brawler"].score)

    def test_simulated_games_come_out_as_computed(self) -> None:
        exact = standings(load("tower"), load("tower").book)["brawler", "level:3"]
        found = simulate("tower", "brawler", "level:3", games=2000, seed=1, backend="numpy")
        assert found.wins1 / 2000 == pytest.approx(exact.win, abs=0.05)

"""Simulated games: as likely as computed, the same everywhere, every one counted once."""

from __future__ import annotations

import subprocess
import sys
from math import sqrt
from typing import Any

import numpy as np
import pytest

from duelbook import DuelError, Match, game_ids, load, variant
from duelbook.core import LUCK
from duelbook.luck import mix, stir
from duelbook.policies.ladder import table_for
from duelbook.policies.plans import plan_of
from duelbook.policies.standings import standings
from duelbook.positions.layout import Span
from duelbook.positions.machine import compiling
from duelbook.positions.rule_code import rules_key
from duelbook.positions.size import NOT_HERE
from duelbook.simulate import NO_RESULT, Outcomes, policy_table, positions, simulate
from duelbook.simulate.bits import CELLS, DIGIT, FINE, FINE_BITS, PER_WORD
from duelbook.simulate.cells import stretched, weights
from duelbook.simulate.positions import Positions
from duelbook.simulate.positions import _known as numberings
from duelbook.solving.library import solution_for
from slow_helper import first_now, slow, slow_if

PAIRS = [("random", "random"), ("level:3", "level:5"), ("random", "perfect")]
FEW = {"deck": 300, "secret": 300}
QUICK = ("energy", "tower")


def same(one: Outcomes, two: Outcomes) -> bool:
    return (
        np.array_equal(one.winners, two.winners)
        and np.array_equal(one.turns_of, two.turns_of)
        and np.array_equal(one.lengths, two.lengths)
    )


def surprise(seen: int, games: int, chance: float) -> float:
    """How many standard deviations a count lies from what is expected; nothing is expected of what cannot happen."""
    spread = sqrt(games * chance * (1 - chance))
    return abs(seen - games * chance) / spread if spread > 1e-3 else abs(seen - games * chance)


class TestChances:
    @pytest.mark.slow
    @pytest.mark.parametrize("id", [slow_if(id != "tower", id) for id in game_ids()])
    @pytest.mark.parametrize("pair", first_now(PAIRS), ids=" against ".join)
    def test_games_end_as_often_as_computed(self, id: str, pair: tuple[str, str]) -> None:
        game, games = load(id), 200_000
        exact = standings(game, game.book)[pair]
        found = simulate(game, *pair, games, seed=2026, threads=2)
        counts = (found.wins1, found.draws, found.wins2, found.no_results)
        assert sum(counts) == found.games == games
        for seen, chance in zip(counts, exact[:4], strict=True):
            assert surprise(seen, games, chance) < 4

    @pytest.mark.slow
    @pytest.mark.parametrize("id", [slow_if(id not in QUICK, id) for id in game_ids()])
    def test_games_are_as_long_as_computed(self, id: str) -> None:
        """Short games are not counted more often than long ones, as they are where lanes run for a number of steps."""
        game, games = load(id), 200_000
        exact = standings(game, game.book)["level:2", "level:2"].decisions
        found = simulate(game, "level:2", "level:2", games, seed=7)
        expected = exact[0] if id == "secret" else sum(exact)
        lengths = np.arange(len(found.histogram))
        mean = found.turns / games
        spread = sqrt((found.histogram * (lengths - mean) ** 2).sum() / games)
        assert abs(mean - expected) < 4 * spread / sqrt(games)

    @pytest.mark.slow
    def test_other_rules_are_played_by_other_rules(self) -> None:
        game = load("energy")
        rules = variant(game, ["both_empty=draw", "energy=7"])
        board: Any = table_for(solution_for(game, rules))
        anything = board.plan(compiling(), None)
        exact = board.meeting(compiling())(anything, anything)
        found = simulate(game, "random", "random", 200_000, rules=rules, seed=1)
        assert surprise(found.wins1, found.games, exact.win) < 4
        assert surprise(found.draws, found.games, exact.draw) < 4


class TestReproducible:
    @pytest.mark.slow
    @pytest.mark.parametrize("id", [slow_if(id not in QUICK, id) for id in game_ids()])
    @pytest.mark.parametrize("pair", PAIRS, ids=" against ".join)
    def test_both_back_ends_play_the_same_games(self, id: str, pair: tuple[str, str]) -> None:
        games = FEW.get(id, 4000)
        numba = simulate(id, *pair, games, seed=11, per_game=True, backend="numba")
        assert same(numba, simulate(id, *pair, games, seed=11, per_game=True, backend="numpy"))

    @pytest.mark.parametrize("id", [slow_if(id not in QUICK, id) for id in game_ids()])
    def test_threads_change_nothing(self, id: str) -> None:
        alone = simulate(id, "level:1", "level:4", 120_001, seed=-3, per_game=True)
        for threads in (2, 3):
            assert same(alone, simulate(id, "level:1", "level:4", 120_001, seed=-3, per_game=True, threads=threads))

    @pytest.mark.parametrize("id", [slow_if(id not in QUICK, id) for id in game_ids()])
    def test_game_k_is_the_same_game_among_few_and_many(self, id: str) -> None:
        many = simulate(id, "random", "random", 5000, seed=4, per_game=True)
        for games in (1, 7, 8, 9, 1000):
            few = simulate(id, "random", "random", games, seed=4, per_game=True)
            assert np.array_equal(few.winners, many.winners[:games])
            assert np.array_equal(few.turns_of, many.turns_of[:games])

    def test_another_seed_plays_other_games(self) -> None:
        one, two = (simulate("tower", "random", "random", 1000, seed=seed, per_game=True) for seed in (1, 2))
        assert not np.array_equal(one.turns_of, two.turns_of)

    @pytest.mark.parametrize("id", [slow("conquer"), slow("deck"), "tower"])
    def test_the_referee_agrees_with_every_game(self, id: str) -> None:
        """A match in which both players and luck take their bits as the simulator does ends as the simulated game."""
        game = load(id)
        found = simulate(game, "level:2", "random", 40, seed=9, per_game=True)
        for number in range(40):
            key = mix(9, number)
            match = Match(game, seed=0)
            while match.outcome is None:
                choice, state = match.turns + match.draws, match.state
                if match.turn == LUCK:
                    odds = [game.odds(game.book, state, face) for face in game.faces]
                    match.deal(game.faces[drawn(stretched([odds])[0].tolist(), key, choice)])
                else:
                    plan = plan_of(("level:2", "random")[match.turn], game, game.book, state, match.turn)
                    match.play(match.turn, drawn(weights([plan])[0].tolist(), key, choice))
            winner = NO_RESULT if match.outcome.winner is None else match.outcome.winner
            assert (winner, match.turns) == (found.winners[number], found.turns_of[number])


def drawn(row: list[int], key: int, choice: int) -> int:
    """What the bits of a choice make of some weights, written down once more in plain numbers."""
    cell = stir(key, choice // PER_WORD) >> (DIGIT * (choice % PER_WORD)) & (CELLS - 1)
    for move, weight in enumerate(row):
        cell -= weight >> FINE_BITS
        if cell < 0:
            return move
    at = (cell << FINE_BITS) + (stir(key, FINE + choice) >> (64 - FINE_BITS))
    for move, weight in enumerate(row):
        at -= weight % (1 << FINE_BITS)
        if at < 0:
            return move
    raise AssertionError("the weights fill all cells")


class TestBell:
    @pytest.mark.parametrize("id", [slow_if(id not in QUICK, id) for id in game_ids()])
    @pytest.mark.parametrize("bell", [1, 7, 10, 13])
    def test_a_game_that_goes_on_for_longer_has_no_result(self, id: str, bell: int) -> None:
        whole = simulate(id, "random", "random", 2000, seed=6, per_game=True)
        cut = simulate(id, "random", "random", 2000, seed=6, per_game=True, max_turns=bell)
        late = whole.turns_of > bell
        assert np.array_equal(cut.winners, np.where(late, NO_RESULT, whole.winners))
        assert np.array_equal(cut.turns_of, np.minimum(whole.turns_of, bell))
        assert cut.no_results == late.sum()

    def test_perfect_conquer_never_ends(self) -> None:
        found = simulate("conquer", "perfect", "perfect", 100, max_turns=5000)
        assert found.no_results == 100
        assert found.turns == 500_000


class TestArrays:
    @pytest.mark.parametrize("id", ["energy", slow("secret")])
    def test_an_array_plays_as_the_player_it_was_made_from(self, id: str) -> None:
        game = load(id)
        one, two = (policy_table(game, "level:4", seat=seat).array() for seat in (0, 1))
        by_name = simulate(game, "level:4", "level:4", 1000, per_game=True)
        assert same(by_name, simulate(game, one, two, 1000, per_game=True))
        assert same(by_name, simulate(game, policy_table(game, "level:4"), "level:4", 1000, per_game=True))

    def test_an_array_of_ones_own(self) -> None:
        """Whoever only ever adds one to the own tower gets there if nobody is in the way."""
        game = load("tower")
        places = positions(game)
        policy = np.zeros((places.count, len(game.moves)))
        policy[:, 0] = 1
        for backend in ("numpy", "numba"):
            found = simulate(game, policy, policy, 10, backend=backend)
            assert (found.wins1, found.turns) == (10, 290)

    @pytest.mark.parametrize("first", [0, 1])
    def test_who_begins(self, first: int) -> None:
        found = simulate("tower", "perfect", "perfect", 5, first=first)
        assert (found.wins1, found.wins2) == ((5, 0), (0, 5))[first]


class TestErrors:
    def refused(self, one: Any, two: Any, id: str = "tower", games: int = 5, **options: Any) -> str:
        with pytest.raises(DuelError) as caught:
            simulate(id, one, two, games, **options)
        return str(caught.value)

    def test_a_policy_without_a_table(self) -> None:
        known = "There is one for: random, level:1, level:2, level:3, level:4, level:5, level:6, perfect, "
        known += "hoarder, brawler, cautious, gambler."
        assert self.refused("human", "random") == f"There is no table for a player called 'human'. {known}"
        assert known in self.refused("random", "nobody")
        assert "There is no level '9'." in self.refused("random", "level:9")

    def test_an_array_of_another_shape(self) -> None:
        said = self.refused(np.zeros((3, 4)), "random")
        assert said.startswith("An array for Tower Defense Duel has 450 positions and 4 moves; this one has the shape")

    def test_a_table_of_another_duel(self) -> None:
        assert "belongs to Energy Duel" in self.refused(policy_table(load("energy"), "random"), "random")

    def test_rows_that_are_no_probabilities(self) -> None:
        array = policy_table(load("tower"), "random").array()
        array[7, 0] += 0.5
        assert self.refused(array, "random").startswith("Row 7 of the array holds no probabilities that add up to 1: ")

    @pytest.mark.parametrize("share", [np.nan, np.inf, -np.inf, -0.5])
    def test_rows_that_are_no_numbers_from_0_to_1(self, share: float) -> None:
        array = policy_table("tower", "random").array()
        array[7:9, 0], array[9, 1] = share, np.inf
        assert self.refused(array, "random") == (
            f"Row 7 of the array holds no probabilities that add up to 1: {share:g}, 0.25, 0.25, 0.25."
        )
        assert "Row 0 of the array" in self.refused(np.full((450, 4), share), "random")

    def test_what_is_no_policy_at_all(self) -> None:
        assert "rows of different lengths make no array" in self.refused([[1.0], [0.5, 0.5]], "random")
        assert "this one has the shape ()" in self.refused(None, "random")
        with pytest.raises(DuelError, match="There is no table for a player called 5"):
            policy_table("tower", 5)  # type: ignore[arg-type]  # on purpose

    def test_a_table_of_the_other_seat(self) -> None:
        said = "This table is Player 1's and cannot play for Player 2; policy_table makes one with seat=1."
        assert self.refused("random", policy_table("tower", "random")) == said

    @pytest.mark.slow
    @pytest.mark.parametrize("backend", first_now(["numpy", "numba"]))
    def test_rows_that_play_what_is_not_legal(self, backend: str) -> None:
        array = np.zeros((450, 4))
        array[:, 3] = 1
        said = self.refused(array, "random", backend=backend)
        assert said == "The policy of Player 1 plays attack at 0 0 1, which is not legal."
        secret = np.zeros((positions(load("secret")).count, 10))
        secret[:, 4] = 1
        said = self.refused(secret, "random", id="secret", backend=backend)
        assert "The policy of Player 1 plays 5 at" in said
        assert simulate("secret", secret, "random", 5, backend=backend, max_turns=1).no_results == 5, "not asked there"

    @pytest.mark.slow
    @pytest.mark.parametrize("backend", ["numpy", slow("numba")])
    def test_rows_that_say_nothing_where_they_are_asked(self, backend: str) -> None:
        starts = {"tower": "0 0 2", "secret": "100 100 - -"} | ({"deck": "20"} if backend == "numba" else {})
        for id, start in starts.items():
            places = positions(load(id))
            nothing = np.zeros((places.count, len(places.game.moves)))
            said = self.refused("random", nothing, id=id, backend=backend, first=1)
            assert said.startswith(f"The policy of Player 2 says nothing at {start}")

    def test_numbers_that_make_no_sense(self) -> None:
        assert self.refused("random", "random", games=0) == "At least one game has to be played, not 0."
        assert self.refused("random", "random", threads=0) == "At least one thread has to play, not 0."
        assert self.refused("random", "random", max_turns=0).startswith("The bell rings after 1 to 1,000,000 turns")
        assert self.refused("random", "random", first=2) == "The seats are 0 and 1; 2 cannot begin."
        assert "There is no back end called 'gpu'." in self.refused("random", "random", backend="gpu")
        assert "At most 1,000,000,000,000,000 games" in self.refused("random", "random", games=2**64)

    @pytest.mark.parametrize("wrong", ["10", None, 1.5, [3]], ids=str)
    @pytest.mark.parametrize("what", ["games", "seed", "threads", "max_turns", "first"])
    def test_what_is_no_whole_number(self, what: str, wrong: Any) -> None:
        assert self.refused("random", "random", **{what: wrong}).endswith(
            f" must be a whole number; {wrong!r} is not one."
        )

    def test_whole_numbers_of_numpy_are_whole_numbers(self) -> None:
        five, three = np.array([5, 3])
        found = simulate("tower", "random", "random", five, seed=three, backend="numpy")
        assert found.turns == simulate("tower", "random", "random", 5, seed=3, backend="numpy").turns

    @pytest.mark.parametrize("rules", ["goal=20", ["goal=20"], {"goal": 20}, 5, load("energy").book], ids=str)
    def test_what_is_no_rules_of_the_duel(self, rules: Any) -> None:
        wanted = "Rules of Tower Defense Duel are made as in variant(load('tower'), ['goal=15']); "
        assert self.refused("random", "random", rules=rules).startswith(wanted)
        with pytest.raises(DuelError, match="Rules of Tower Defense Duel are made as in"):
            positions("tower", rules)

    def test_rules_with_values_that_they_cannot_have(self) -> None:
        tower, energy = load("tower").book, load("energy").book
        assert "'-5' is not allowed for goal" in self.refused("random", "random", rules=tower._replace(goal=-5))
        said = self.refused("random", "random", id="energy", rules=energy._replace(both_empty=17))
        assert said.endswith("holds what they cannot be.")

    def test_what_is_no_duel(self) -> None:
        said = "A duel is named as in 'tower', or loaded as in load('tower'); 7 is neither."
        assert self.refused("random", "random", id=7) == said  # type: ignore[arg-type]  # on purpose

    @pytest.mark.slow
    def test_without_numba_numpy_plays_the_same(self) -> None:
        code = (
            "import sys; sys.modules['numba'] = None\n"
            "from duelbook.simulate import simulate\n"
            "for id in ('deck', 'secret', 'tower'):\n"
            "    found = simulate(id, 'random', 'level:3', 50, seed=3)\n"
            "    print(found.wins1, found.wins2, found.turns)\n"
            "try:\n    simulate('tower', 'random', 'random', 5, backend='numba')\n"
            "except Exception as error:\n    print(error)\n"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        *lines, said = done.stdout.splitlines()
        for id, line in zip(("deck", "secret", "tower"), lines, strict=True):
            found = simulate(id, "random", "level:3", 50, seed=3)
            assert line == f"{found.wins1} {found.wins2} {found.turns}"
        assert said == f"This back end needs Numba, {NOT_HERE}."

    def test_without_numpy_a_sentence_says_what_to_install(self) -> None:
        code = "import sys; sys.modules['numpy'] = None\nimport duelbook.simulate"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        said = "ImportError: duelbook.simulate needs NumPy, which is not installed: pip install numpy"
        assert done.stderr.splitlines()[-1] == said

    def test_starting_duelbook_does_not_load_arrays(self) -> None:
        code = "import duelbook, sys; print('numpy' in sys.modules)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "False"


class TestWidening:
    @pytest.mark.slow
    def test_a_position_that_random_games_did_not_meet_gets_a_number(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game = load("secret")
        rules = variant(game, ["hp=8", "highest=4"])
        whole = positions(game, rules)
        narrow = whole.layout._replace(spans=(Span(2, 1, 7), *whole.layout.spans[1:]))
        monkeypatch.setitem(numberings, rules_key(game, rules), Positions(game, rules, narrow))
        expected = simulate(game, "random", "random", 300, rules=rules, per_game=True, backend="numpy")
        assert same(expected, simulate(game, "random", "random", 300, rules=rules, per_game=True, backend="numba"))
        assert positions(game, rules).layout == whole.layout

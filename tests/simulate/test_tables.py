"""The tables of the simulator say what the rules and the players say."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from duelbook import DRAW, Match, Turn, load, variant
from duelbook.core import DuelError
from duelbook.luck import below, mix, stir
from duelbook.players.random import RandomPlayer
from duelbook.policies.plans import plan_of
from duelbook.positions.graph import explore
from duelbook.simulate import fast, policy_table, positions, simulate
from duelbook.simulate.bits import (
    CELLS,
    DIGIT,
    FINE_BITS,
    PER_WORD,
    TOTAL,
    digits,
    game_keys,
    stirred,
)
from duelbook.simulate.cards import taken_apart
from duelbook.simulate.cells import UNDECIDED, cells_of, settle, stretched, weights
from duelbook.simulate.chain import chain_of, walk
from duelbook.simulate.parts import WINNERS, strides_of
from duelbook.simulate.policy import Seat
from duelbook.solving.library import solution_for
from slow_helper import slow, slow_if

BOARDS = ["conquer", "energy", "tower"]
PLANS = [
    [1 / 3, 1 / 3, 1 / 3, 0.0],
    [0.155, 0.535, 0.155, 0.155],
    [0.0, 1.0, 0.0, 0.0],
    [1e-18, 0.5, 0.5 - 1e-18, 0.0],
    [0.999999, 0.0, 0.0, 0.000001],
]


class TestBits:
    def test_arrays_stir_as_the_referee_does(self) -> None:
        keys = game_keys(-5, np.arange(50))
        assert keys.tolist() == [mix(-5, game) for game in range(50)]
        assert stirred(keys, np.array(9, np.uint64)).tolist() == [stir(mix(-5, game), 9) for game in range(50)]

    def test_ten_choices_share_a_word(self) -> None:
        keys = game_keys(1, np.arange(3))
        for choice in (0, 9, 10, 25):
            choices = np.full(3, choice)
            word = stir(mix(1, 2), choice // PER_WORD)
            assert digits(keys, choices)[2] == word >> (DIGIT * (choice % PER_WORD)) & (CELLS - 1)


class TestCells:
    def test_weights_are_the_probabilities_to_the_last_bits(self) -> None:
        for plan, row in zip(PLANS, weights(PLANS).tolist(), strict=True):
            assert sum(row) == TOTAL
            for share, weight in zip(plan, row, strict=True):
                assert abs(Fraction(weight, TOTAL) - Fraction(share)) < Fraction(1, 2**51)
                assert (weight > 0) == (share > 0)

    def test_cells_and_rests_together_hold_exactly_the_weights(self) -> None:
        cells = cells_of(PLANS)
        for kind, row in enumerate(weights(PLANS).tolist()):
            rests = np.diff(cells.rests[kind].astype(object), prepend=0)
            for move, weight in enumerate(row):
                alone = int((cells.moves[kind] == move).sum())
                assert (alone << FINE_BITS) + rests[move] == weight
            assert (cells.moves[kind] == UNDECIDED).sum() == CELLS - cells.settled[kind]
            assert int(cells.rests[kind][-1]) == (CELLS - int(cells.settled[kind])) << FINE_BITS

    def test_finer_bits_divide_a_cell_where_the_rests_end(self) -> None:
        cells = cells_of([[1 / 3, 1 / 3, 1 / 3]])
        ends = cells.rests[0].tolist()
        fine = np.array([0, ends[0] - 1, ends[0], ends[1] - 1, ends[1], (1 << FINE_BITS) - 1], np.uint64)
        found = settle(cells, np.zeros(6, np.int64), np.full(6, CELLS - 1), fine)
        assert found.tolist() == [0, 0, 1, 1, 2, 2]

    @pytest.mark.parametrize("plan", [[0.5, 0.4], [-0.5, 1.5], [float("nan"), 1.0]])
    def test_what_is_no_probability_is_refused(self, plan: list[float]) -> None:
        with pytest.raises(DuelError, match="add up to 1"):
            cells_of([plan])

    def test_luck_is_stretched_in_whole_numbers(self) -> None:
        rows = stretched([(0, 1, 1, 1), (3, 0, 4, 0)]).tolist()
        for weights_of, row in zip([(0, 1, 1, 1), (3, 0, 4, 0)], rows, strict=True):
            assert sum(row) == TOTAL
            for weight, whole in zip(weights_of, row, strict=True):
                assert abs(whole - Fraction(weight * TOTAL, sum(weights_of))) <= 2


class TestChains:
    @pytest.mark.parametrize("id", BOARDS)
    def test_random_play_reaches_every_position_and_the_table_follows_the_rules_at_each(self, id: str) -> None:
        game = load(id)
        rules = game.book
        seats = (Seat(game, rules, "random", 0), Seat(game, rules, "random", 1))
        chain, (states, *_) = chain_of(game, rules, seats, 0), walk(game, rules, seats, game.start(rules, 0))
        graph = explore(game, rules, [game.start(rules, 0)])
        assert set(states) <= set(graph.nodes)
        assert {graph.nodes[state] // 2 for state in states} == set(range(len(graph.states)))
        numbers = {state: number for number, state in enumerate(states)}
        after = chain.after.reshape(-1, CELLS)
        for number, state in enumerate(states):
            legal = game.legal_moves(rules, state, game.turn(rules, state))
            leads = []
            for move in legal:
                found = game.apply(rules, state, move)
                over = game.turn(rules, found) == Turn.OVER
                leads.append(len(states) + game.winner(rules, found) if over else numbers[found])
                assert chain.targets[number, move] == leads[-1]
            cells = [lead for lead in leads for _ in range(CELLS // len(legal))]
            assert after[number].tolist() == cells + [len(after) - 1] * (CELLS - len(cells))

    def test_ends_count_the_choices_since(self) -> None:
        game = load("tower")
        chain = chain_of(game, game.book, (Seat(game, game.book, "random", 0), Seat(game, game.book, "random", 1)), 0)
        after = chain.after.reshape(-1, CELLS)
        for winner in (0, 1, DRAW):
            end = len(chain.targets) + winner
            for later in range(1, PER_WORD):
                end = after[end, 7]
                assert end == len(chain.targets) + later * WINNERS + winner
            assert after[end, 0] == end

    def test_two_perfect_players_need_only_one_line_of_play(self) -> None:
        game = load("tower")
        seats = (Seat(game, game.book, "perfect", 0), Seat(game, game.book, "perfect", 1))
        assert len(chain_of(game, game.book, seats, 0).targets) == 21


class TestPolicies:
    @pytest.mark.parametrize("id", [slow_if(id == "conquer", id) for id in BOARDS])
    @pytest.mark.parametrize("name", ["random", "level:2", "perfect"])
    def test_a_table_of_a_board_duel_is_the_players_plan(self, id: str, name: str) -> None:
        game = load(id)
        for seat in (0, 1):
            table = policy_table(game, name, seat=seat)
            for state in explore(game, game.book, [game.start(game.book, 0)]).nodes:
                mine = game.turn(game.book, state) == seat
                plan = plan_of(name, game, game.book, state, seat) if mine else (0.0,) * len(game.moves)
                assert table.plan(state) == plan

    @pytest.mark.slow
    @pytest.mark.parametrize("id", [slow("deck"), "secret"])
    @pytest.mark.parametrize("name", [slow("random"), slow("level:2"), "perfect"])
    def test_a_table_of_a_large_duel_is_the_players_plan_wherever_one_looks(self, id: str, name: str) -> None:
        game = load(id)
        tables = [policy_table(game, name, seat=seat) for seat in (0, 1)]
        for sample in range(10):
            match = Match(game, seed=sample)
            match.run((RandomPlayer(sample), RandomPlayer(sample + 100)))
            for step in match.steps:
                for seat in tables[0].positions.seats(step.before):
                    assert tables[seat].plan(step.before) == plan_of(name, game, game.book, step.before, seat)

    @pytest.mark.slow
    def test_the_numbering_of_the_large_duels_holds_every_position(self) -> None:
        """The walks of the solvers find all of them; random games alone must have found the same ranges."""
        for id in ("deck", "secret"):
            game = load(id)
            # The solution of a duel with luck numbers the draws, where no card lies on the table.
            full = solution_for(game, game.book).numbering.layout.spans
            for mine, known in zip(positions(game).layout.spans, full, strict=True):
                assert mine == known or (id == "deck" and known.places == 1)

    @pytest.mark.parametrize("id", ["conquer", "deck", "energy", "secret", "tower"])
    def test_numbers_lead_back_to_their_positions(self, id: str) -> None:
        places = positions(load(id))
        for sample in range(100):
            number = below(places.count, 1, sample)
            assert places.number(places.state(number)) == number

    def test_other_rules_have_other_positions(self) -> None:
        game = load("tower")
        assert positions(game, variant(game, ["goal=9"])).count == 9 * 9 * 2
        assert positions(game).count == 15 * 15 * 2


class TestDeckTakenApart:
    @pytest.mark.slow
    def test_every_card_and_move_on_the_way_leads_where_the_rules_lead(self) -> None:
        game = load("deck")
        rules, places = game.book, positions(game)
        _, tables = fast.cards_apart(places)
        assert tables is not None
        boards = tables.board.size
        for sample in range(40):
            match = Match(game, seed=sample)
            match.run((RandomPlayer(sample), RandomPlayer(sample + 100)))
            for state in [step.before for step in match.steps if step.turn == Turn.LUCK]:
                board, pile = tables.board.number(state), tables.pile.number(state)
                for face in game.faces:
                    if not game.odds(rules, state, face):
                        continue
                    dealt, place = game.deal(rules, state, face), game.faces.index(face)
                    digits = tables.board.digits()[board] + tables.pile_part[pile, place]
                    assert places.state(int(digits @ np.array(strides_of(places.layout)))) == dealt
                    for move in game.moves:
                        after, found = game.apply(rules, dealt, move), tables.board_after[board, place, move]
                        if game.turn(rules, after) == Turn.OVER:
                            assert found == boards + game.winner(rules, after)
                        else:
                            assert found == tables.board.number(after)
                            assert tables.pile_after[pile, place] == tables.pile.number(after)

    @pytest.mark.slow
    def test_a_duel_that_does_not_come_apart_is_found_out_and_played_by_its_rules(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        game = load("deck")
        places = positions(game)
        luck, tables = fast.cards_apart(places)
        assert tables is not None
        by_lp = luck._replace(strides=(1, 0, 0, 0, 0))
        assert taken_apart(places, by_lp, [False] * 4 + [True]) is None, "LP do not change by cards alone"
        whole = simulate(game, "random", "level:3", 3000, per_game=True)
        monkeypatch.setattr(fast, "cards_apart", lambda places: (luck, None))
        plain = simulate(game, "random", "level:3", 3000, per_game=True)
        assert np.array_equal(whole.winners, plain.winners)
        assert np.array_equal(whole.turns_of, plain.turns_of)

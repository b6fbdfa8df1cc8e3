"""The ladder of opponents: its table is the shipped rules' and rungs', right to the last digit, and true in play."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from damage_helper import damaged
from duelbook import Match, View, game_ids, load, variant
from duelbook.cli.levels import command
from duelbook.core import BOTH, LUCK, OVER, DuelError, Game, rules_hash
from duelbook.players import check_kind, seat_player
from duelbook.players.level import level_number
from duelbook.policies import inclination, ladder, levels, pattern_file
from duelbook.policies import standings as kept
from duelbook.policies.alarm import alarm_of, heed
from duelbook.policies.characters import CHARACTERS
from duelbook.policies.eye import eye_of, from_bytes, shipped_eye, to_bytes
from duelbook.policies.eye import look as look_at_all
from duelbook.policies.forward_picks import AtOnce
from duelbook.policies.forward_turns import Alone
from duelbook.policies.levels import LEVELS, PROMISED, RUNGS, TABULAR, mistakes_of, score
from duelbook.policies.meeting import Meeting, from_row
from duelbook.policies.patterns import best_itself, patterns, tried_on
from duelbook.policies.plans import plan_by, plan_of, temptations
from duelbook.policies.small_tables import small_table
from duelbook.policies.table_plans import table_plan
from duelbook.policies.temptation import MODEL, look
from duelbook.positions.graph import explore
from duelbook.positions.layout import Numbering, flatten
from duelbook.positions.machine import compiling, plain
from duelbook.positions.size import NOT_HERE
from duelbook.solving.library import solution_for
from duelbook.solving.loss import ROUNDING
from duelbook.solving.solution import Solution
from duelbook.solving.solver import solve
from slow_helper import slow, slow_if

UNLIKE = ("level:5", "level:2")
EVERYONE = set(product(TABULAR, TABULAR))


def shipped(id: str) -> levels.Standings:
    game = load(id)
    table = kept.read(game, game.book, kept.FILE)
    assert table is not None
    return table


def solved(id: str) -> Solution:
    game = load(id)
    return solution_for(game, game.book)


def close(one: Meeting, two: Meeting) -> bool:
    return one.row() == pytest.approx(two.row(), abs=1e-9)


class TestShipped:
    def test_the_file_holds_the_five_books_as_they_are_solved_today(self) -> None:
        data = json.loads(kept.FILE.read_text(encoding="utf-8"))
        assert set(data["duels"]) == set(game_ids())
        for id, known in data["duels"].items():
            game = load(id)
            alarm = {"alarm": alarm_of(game)} if alarm_of(game) else {}
            model = {"model": list(MODEL), "characters": list(inclination.MODEL), **alarm}
            assert known["rungs"] == {**model, **mistakes_of(game)}
            assert known["rules_hash"] == rules_hash(game, game.book)
            assert known["solution"] == ladder.fingerprint(game), "make it anew: python -m duelbook.policies"

    @pytest.mark.parametrize("id", game_ids())
    def test_chances_are_chances(self, id: str) -> None:
        table = shipped(id)
        assert table.keys() == EVERYONE
        for meeting in table.values():
            assert all(0 <= chance <= 1 for chance in meeting[:4])
            assert sum(meeting[:4]) == pytest.approx(1, abs=4e-12)  # four numbers, each rounded to 12 digits
            assert min(*meeting.decisions, *meeting.lost, *meeting.slips) >= 0
            assert all(slips <= decisions for slips, decisions in zip(meeting.slips, meeting.decisions, strict=True))

    @pytest.mark.parametrize("id", game_ids())
    def test_every_rung_beats_the_one_below_clearly(self, id: str) -> None:
        table = shipped(id)
        assert list(levels.steps(table)) == list(RUNGS)[1:]
        assert min(levels.steps(table).values()) >= 0.55

    @pytest.mark.parametrize("id", game_ids())
    def test_what_is_lost_is_what_the_result_falls_short_of_the_value(self, id: str) -> None:
        """Cards are fair and perfect gives nothing away: the decisions alone move the result, but for the bell."""
        solution, table = solved(id), shipped(id)
        start = (1 + solution.value(solution.game.start(solution.rules, 0))) / 2
        for pair, meeting in table.items():
            if solution.kind == "picks" and "perfect" not in pair:
                continue  # what two fallible players gain from each other by guessing is nobody's loss
            expected = start - meeting.lost[0] + meeting.lost[1]
            assert abs(meeting.score - expected) <= meeting.no_result + 1e-9

    def test_perfect_play_ends_as_it_is_solved(self) -> None:
        ends = {id: shipped(id)["perfect", "perfect"] for id in game_ids()}
        assert ends["conquer"][:4] == ends["secret"][:4] == (0, 0, 0, 1)
        assert ends["energy"][:4] == (0, 0, 1, 0)
        assert ends["tower"][:4] == (1, 0, 0, 0)
        assert ends["deck"].win == pytest.approx(0.6217988601732, abs=1e-11)
        assert all(meeting.lost == (0, 0) for meeting in ends.values())

    def test_in_secret_the_seats_are_alike(self) -> None:
        table = shipped("secret")
        assert all(close(table[two, one].turned(), meeting) for (one, two), meeting in table.items())


def remembered(monkeypatch: pytest.MonkeyPatch, name: str) -> list[Any]:
    """What a walk through all positions finds when the ladder takes it, so that nobody has to walk twice."""
    walk, found = getattr(ladder, name), []

    def walked(*asked: Any) -> Any:
        found.append(walk(*asked))
        return found[-1]

    monkeypatch.setattr(ladder, name, walked)
    return found


class TestComputed:
    @pytest.mark.parametrize("id", [slow("conquer"), "energy", slow("tower")])
    def test_the_small_duels_come_out_the_same_again(self, id: str) -> None:
        game, table, heard = load(id), shipped(id), []
        again = ladder.results(game, game.book, lambda done, of: heard.append((done, of)))
        assert again.keys() == table.keys()
        assert all(close(again[pair], table[pair]) for pair in table)
        assert heard == [(done, 144) for done in range(1, 145)]

    @pytest.mark.slow
    def test_deck_comes_out_the_same_again_with_the_perfect_players_own_moves(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        solution = solved("deck")
        walked = remembered(monkeypatch, "explore_luck")
        board = ladder.table_for(solution)
        assert isinstance(board, Alone)
        expert = board.plan(compiling(), mistakes_of(solution.game)["level:6"])
        meeting = board.meeting(compiling())(expert, board.plan(compiling(), 0.0))
        assert close(meeting, shipped("deck")["level:6", "perfect"])

        (drawn,) = walked
        numbering = Numbering(drawn.layout, type(solution.game.start(solution.rules, 0)), drawn.turns_round)
        ties = 0
        for node in np.random.default_rng(3).choice(np.flatnonzero(drawn.kinds != LUCK), 1000, replace=False):
            state, seat = numbering.unpack(int(drawn.numbers[node])), int(drawn.kinds[node])
            plan = list(solution.plan(state, seat))
            # In deck both moves are legal everywhere, so a node's edges are its moves.
            assert plan == [board.perfect[edge] for edge in range(drawn.starts[node], drawn.starts[node + 1])]
            options = [option.value for option in solution.options(state, seat)]
            ties += abs(options[0] - options[1]) <= ROUNDING
            edges = range(drawn.starts[node], drawn.starts[node + 1])
            lost = [option.lost for option in solution.options(state, seat)]
            assert [board.losses[edge] for edge in edges] == pytest.approx(lost, abs=1e-12)
            assert [board.tempting[edge] for edge in edges] == temptations(solution, state, seat)
            assert [expert[edge] for edge in edges] == list(plan_by("level:6", solution, state, seat))
        assert ties > 30

    @pytest.mark.slow
    def test_secret_comes_out_the_same_again_with_the_perfect_players_own_picks(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        solution = solved("secret")
        game, rules = solution.game, solution.rules
        walked = remembered(monkeypatch, "explore_simultaneous")
        board = ladder.table_for(solution)
        assert isinstance(board, AtOnce)
        assert board.even
        perfect, anything = (board.plan(compiling(), mistakes) for mistakes in (0.0, None))
        novice = board.plan(compiling(), mistakes_of(game)["level:1"])
        assert close(board.meeting(compiling())(perfect, anything), shipped("secret")["perfect", "random"])
        assert board.meeting(compiling())(perfect, perfect)[:4] == (0, 0, 0, 1)

        (positions,) = walked
        numbering = Numbering(positions.layout, type(game.start(rules, 0)), positions.turns_round)
        numbers = np.sort(positions.numbers)
        for node in np.random.default_rng(4).choice(len(numbers), 100, replace=False):
            state = numbering.unpack(int(numbers[node]))
            places = range(node * board.picks, (node + 1) * board.picks)
            for seat in (0, 1):
                assert tuple(board.perfect[seat][place] for place in places) == solution.plan(state, seat)
                assert [board.tempting[seat][place] for place in places] == temptations(solution, state, seat)
                assert tuple(novice[seat][place] for place in places) == plan_by("level:1", solution, state, seat)
                for option in solution.options(state, seat):
                    assert board.losses[seat][places[option.move]] == pytest.approx(option.lost, abs=1e-8)

    @pytest.mark.parametrize(
        ("id", "rule"),
        [slow("secret", ("hp=5", "highest=4")), slow("deck", ("lp=4", "cards=3")), ("tower", ("goal=6",))],
    )
    @pytest.mark.slow
    def test_its_tables_say_what_the_solution_says_at_every_position(
        self, id: str, rule: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The ladder reads whole arrays at once; plans and losses must be those of the solution, asked one by one."""
        game = load(id)
        rules = variant(game, rule)
        solution = solve(game, rules)
        walk = {"secret": "explore_simultaneous", "deck": "explore_luck"}.get(id)
        walked = remembered(monkeypatch, walk) if walk else []
        board: Any = ladder.table_for(solution)

        if id == "tower":
            states = explore(game, rules, (game.start(rules, 0), game.start(rules, 1))).states
        else:
            (found,) = walked
            numbering = Numbering(found.layout, type(game.start(rules, 0)), found.turns_round)
            numbers = np.sort(found.numbers) if id == "secret" else found.numbers
            states = [numbering.unpack(int(number)) for number in numbers]
        assert len(states) > 30
        characters = {kind: table_plan(board, compiling(), game, kind) for kind in CHARACTERS}
        for node, state in enumerate(states):
            seat = game.turn(rules, state)
            if seat == BOTH:
                places = range(node * board.picks, (node + 1) * board.picks)
                for side in (0, 1):
                    for kind, plans in characters.items():
                        own = [plans[side][place] for place in places]
                        assert own == pytest.approx(plan_by(kind, solution, state, side), abs=1e-9)
                    assert [board.perfect[side][place] for place in places] == [*solution.plan(state, side)]
                    assert [board.tempting[side][place] for place in places] == temptations(solution, state, side)
                    for option in solution.options(state, side):
                        assert board.losses[side][places[option.move]] == pytest.approx(option.lost, abs=1e-12)
            elif seat != LUCK:
                plan, tempting = solution.plan(state, seat), temptations(solution, state, seat)
                edges = slice(board.starts[node], board.starts[node + 1])
                legal = game.legal_moves(rules, state, seat)
                assert [*board.moves[edges]] == legal
                for kind, plans in characters.items():
                    there = plan_by(kind, solution, state, seat)
                    assert [*plans[edges]] == pytest.approx([there[move] for move in legal], abs=1e-9)
                assert [*board.perfect[edges]] == [plan[move] for move in legal]
                assert [*board.tempting[edges]] == [tempting[move] for move in legal]
                lost = [option.lost for option in solution.options(state, seat)]
                assert [*board.losses[edges]] == pytest.approx(lost, abs=1e-12)

    @pytest.mark.parametrize(
        ("id", "rule", "bell"),
        [
            slow("secret", ("hp=6", "highest=4"), 12),
            slow("deck", ("lp=5", "cards=4"), 9),
            slow("energy", ("energy=6",), 200),
        ],
    )
    def test_a_small_duel_is_followed_by_hand(
        self, id: str, rule: tuple[str, ...], bell: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Small enough to follow every position by its name, mirrors and all, in plain Python."""
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        monkeypatch.setattr(ladder, "BELL", bell)
        game = load(id)
        rules = variant(game, rule)
        solution = solution_for(game, rules)
        board: Any = ladder.table_for(solution)
        meeting = board.meeting(compiling())(*(board.plan(compiling(), mistakes_of(game)[kind]) for kind in UNLIKE))
        assert close(meeting, followed(game, rules, solution, UNLIKE, bell))
        assert (meeting.no_result > 1e-4) == (bell < 200)

    @pytest.mark.parametrize(
        ("id", "rule", "bell"),
        [slow("secret", ("hp=6", "highest=4"), 12), ("deck", ("lp=3", "cards=3"), 9), ("energy", ("energy=6",), 200)],
    )
    def test_the_same_is_followed_without_a_compiler(self, id: str, rule: tuple[str, ...], bell: int) -> None:
        game = load(id)
        rules = variant(game, rule)
        solution = solve(game, rules)
        board: Any = small_table(solution, bell)
        for kinds in (UNLIKE, ("brawler", "hoarder"), ("gambler", "cautious")):
            meeting = board.meeting(plain())(*(table_plan(board, plain(), game, kind) for kind in kinds))
            assert close(meeting, followed(game, rules, solution, kinds, bell))

    @pytest.mark.parametrize(
        ("id", "rule"),
        [slow("secret", ("hp=5", "highest=4")), slow("deck", ("lp=4", "cards=3")), slow("tower", ("goal=9",))],
    )
    def test_the_ladder_is_the_same_with_a_compiler_and_without(
        self, id: str, rule: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        game = load(id)
        rules = variant(game, rule)
        monkeypatch.setattr(ladder, "FEW_STEPS", 0)
        compiled = ladder.results(game, rules)
        monkeypatch.setattr(ladder, "FEW_STEPS", 10**9)
        again = ladder.results(game, rules)
        assert all(close(again[pair], compiled[pair]) for pair in EVERYONE)


def followed(game: Game, rules: Any, solution: Solution, kinds: tuple[str, str], bell: int) -> Meeting:
    """The same as the compiled ladder, from the rules and the players' own plans, one position at a time."""

    @cache
    def decided(state: Any) -> list[tuple[int, tuple[float, ...], float, float]]:
        """For each seat that decides here, how likely it makes each move, what it loses on average and how often."""
        turn, found = game.turn(rules, state), []
        for seat in (0, 1) if turn == BOTH else (turn,):
            legal = game.legal_moves(rules, state, seat)
            plan = plan_by(kinds[seat], solution, state, seat)
            losses = {move: solution.loss(state, seat, move) / 2 for move in legal}
            slips = sum((plan[move] for move, loss in losses.items() if loss > 0), 0.0)
            found.append((seat, plan, sum((plan[move] * loss for move, loss in losses.items()), 0.0), slips))
        return found

    ends, decisions, lost, slipped = [0.0] * 4, [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]
    chances = defaultdict[Any, float](float, {game.start(rules, 0): 1.0})
    for _ in range(bell):
        waiting, chances = chances, defaultdict(float)
        while waiting:
            state, chance = waiting.popitem()
            turn = game.turn(rules, state)
            if turn > LUCK:
                ends[game.winner(rules, state)] += chance
                continue
            if turn == LUCK:
                odds = [game.odds(rules, state, face) for face in game.faces]
                for face, weight in zip(game.faces, odds, strict=True):
                    if weight:
                        waiting[game.deal(rules, state, face)] += chance * weight / sum(odds)
                continue
            plans = []
            for seat, plan, loses, slips in decided(state):
                decisions[seat] += chance
                lost[seat] += chance * loses
                slipped[seat] += chance * slips
                plans.append([(move, share) for move, share in enumerate(plan) if share > 0])
            for one, share in plans[0]:
                if turn != BOTH:
                    chances[game.apply(rules, state, one)] += chance * share
                    continue
                for two, other in plans[1]:
                    chances[game.resolve(rules, state, one, two)] += chance * share * other
    for state, chance in chances.items():
        ends[game.winner(rules, state) if game.turn(rules, state) > LUCK else 3] += chance
    return from_row([ends[0], ends[2], ends[1], ends[3], *decisions, *lost, *slipped])


def decisions(id: str) -> Iterator[tuple[Solution, Any, int]]:
    """Every position of a small duel at which a seat decides."""
    solution = solved(id)
    game, rules = solution.game, solution.rules
    for state in explore(game, rules, (game.start(rules, 0), game.start(rules, 1))).states:
        yield solution, state, game.turn(rules, state)


SMALL = ["conquer", "energy", "tower"]


class TestPlans:
    @pytest.mark.parametrize("id", [slow_if(id == "conquer", id) for id in SMALL])
    def test_a_plan_is_a_distribution_over_legal_moves(self, id: str) -> None:
        for solution, state, seat in decisions(id):
            legal = solution.game.legal_moves(solution.rules, state, seat)
            for kind in TABULAR:
                plan = plan_of(kind, solution.game, solution.rules, state, seat)
                assert sum(plan) == pytest.approx(1)
                assert all(share >= 0 and (share == 0 or move in legal) for move, share in enumerate(plan))

    @pytest.mark.parametrize("id", [slow_if(id == "conquer", id) for id in SMALL])
    def test_higher_levels_make_each_mistake_less_often(self, id: str) -> None:
        for solution, state, seat in decisions(id):
            perfect = solution.plan(state, seat)
            plans = [plan_by(kind, solution, state, seat) for kind in RUNGS[1:]]
            for lower, higher in pairwise(plans):
                for move, share in enumerate(perfect):
                    assert higher[move] <= lower[move] if share == 0 else higher[move] >= lower[move]

    def test_nobody_heals_at_full_hp_where_an_attack_would_hit_or_attacks_a_defender_by_mistake(self) -> None:
        full = defended = 0
        for solution, state, seat in decisions("conquer"):
            game, rules = solution.game, solution.rules
            perfect = solution.plan(state, seat)
            plans = [plan_by(kind, solution, state, seat) for kind in (*RUNGS[1:], *CHARACTERS)]
            if not game.legal(rules, state, seat, 0):
                continue
            if flatten(game.apply(rules, state, 0))[:2] == flatten(state)[:2]:
                defended += 1
                assert perfect[0] > 0 or all(plan[0] == 0 for plan in plans)
            elif flatten(game.apply(rules, state, 2))[:2] == flatten(state)[:2]:
                full += 1
                assert all(plan[2] == 0 for plan in plans)
        assert full > 50
        assert defended > 50

    @pytest.mark.parametrize(("id", "idle"), [("conquer", 737), ("energy", 0), ("tower", 0)])
    def test_no_mistake_is_without_effect_while_other_moves_have_one(self, id: str, idle: int) -> None:
        """Without effect is what leaves everything but a part of what another move changes, and what changes nothing
        of the gauges while it does so elsewhere: heal at full HP, attack a defender."""
        counted, about = 0, {"conquer": (0, 2), "energy": (0, 1), "tower": (0, 1, 2, 3)}[id]
        for solution, state, seat in decisions(id):
            game, rules = solution.game, solution.rules
            before, legal = flatten(state), game.legal_moves(rules, state, seat)
            afters = {move: flatten(game.apply(rules, state, move)) for move in legal}
            changes = {
                move: {(at, new) for at, (old, new) in enumerate(zip(before, after, strict=True)) if old != new}
                for move, after in afters.items()
            }
            perfect, tempting = solution.plan(state, seat), temptations(solution, state, seat)
            lesser = {move for move in changes if any(changes[move] < other for other in changes.values())}
            wasted = {move for move in about if move in legal and afters[move][:2] == before[:2]}
            for move in changes:
                if move in (lesser | wasted if set(legal) - lesser - wasted else lesser):
                    counted += 1
                    assert tempting[move] == 0
                else:
                    assert (tempting[move] > 0) == (perfect[move] == 0)
        assert counted == idle

    @pytest.mark.parametrize("id", SMALL)
    def test_what_looks_worse_is_never_likelier_among_the_mistakes(self, id: str) -> None:
        for solution, state, seat in decisions(id):
            eye, sign = eye_of(solution), 1 if seat == 0 else -1
            tempting, perfect = temptations(solution, state, seat), solution.plan(state, seat)
            looks = [0.0] * len(perfect)
            for option in solution.options(state, seat):
                seen = sign * eye.value(solution.game.apply(solution.rules, state, option.move))
                looks[option.move] = look(sign * solution.value(state), option.lost, seen)
            heed(solution, state, seat, perfect, looks)
            mistakes = [move for move, share in enumerate(tempting) if share > 0]
            for one, two in product(mistakes, mistakes):
                assert looks[one] >= looks[two] or tempting[one] <= tempting[two]

    def test_nobody_throws_eight_points_away_in_secret(self) -> None:
        """While both have all their HP, a pick of 5 or less is rare at every level."""
        solution = solved("secret")
        game, rules = solution.game, solution.rules
        for text in ("100 100 - -", "100 100 10 10", "100 100 9 10", "100 100 10 9", "96 95 8 10"):
            state = game.read_position(rules, text)
            for seat, kind in product((0, 1), RUNGS[1:]):
                assert sum(plan_by(kind, solution, state, seat)[:5]) < 0.12


def wins_at_once(solution: Solution, state: Any) -> set[int]:
    """The moves with which whoever is to move has won."""
    game, rules = solution.game, solution.rules
    seat = game.turn(rules, state)
    afters = {move: game.apply(rules, state, move) for move in game.legal_moves(rules, state, seat)}
    return {
        move for move, after in afters.items() if game.turn(rules, after) == OVER and game.winner(rules, after) == seat
    }


def lets_the_other_win(solution: Solution, state: Any) -> set[int]:
    """The moves after which the other side has won or can win at once."""
    game, rules, found = solution.game, solution.rules, set()
    seat = game.turn(rules, state)
    for move in game.legal_moves(rules, state, seat):
        after = game.apply(rules, state, move)
        if game.turn(rules, after) == OVER:
            found |= {move} if game.winner(rules, after) == 1 - seat else set()
        elif game.turn(rules, after) == 1 - seat and wins_at_once(solution, after):
            found.add(move)
    return found


def threats(id: str) -> Iterator[tuple[Solution, Any, int, set[int]]]:
    """Where some moves let the other side win at once and others do not, and which do; nobody wins there at once."""
    for solution, state, seat in decisions(id):
        careless = lets_the_other_win(solution, state)
        legal = set(solution.game.legal_moves(solution.rules, state, seat))
        if careless and careless != legal and not wins_at_once(solution, state):
            yield solution, state, seat, careless


class TestOneMoveAhead:
    """A weak player overlooks what is far ahead; one who does nothing about "you win next move" seems drunk. Where all
    is lost, neither the loss nor the eye tells it, so nothing but this law holds it."""

    @pytest.mark.parametrize(("id", "count"), [("conquer", 187), ("energy", 18), ("tower", 35)])
    def test_from_level_4_up_hardly_anybody_lets_the_other_win_at_once(self, id: str, count: int) -> None:
        most, met = {"level:4": 0.10, "level:5": 0.05, "level:6": 0.02, "perfect": 0.0}, 0
        for solution, state, seat, careless in threats(id):
            plans = {kind: plan_by(kind, solution, state, seat) for kind in RUNGS[1:]}
            lets = {kind: sum(plan[move] for move in careless) for kind, plan in plans.items()}
            assert all(lets[kind] <= share for kind, share in most.items()), (state, lets)
            assert all(lets[higher] <= lets[lower] for lower, higher in pairwise(lets)), (state, lets)
            met += 1
        assert met == count

    @pytest.mark.parametrize(("id", "often"), [("conquer", 37), ("energy", 33), ("tower", 41)])
    def test_a_novice_still_does_so_now_and_then(self, id: str, often: int) -> None:
        """So many times of a hundred on average, as docs/levels.md says."""
        lets = [
            sum(plan_by("level:1", solution, state, seat)[move] for move in careless)
            for solution, state, seat, careless in threats(id)
        ]
        assert round(100 * sum(lets) / len(lets)) == often

    @pytest.mark.parametrize("id", SMALL)
    def test_nobody_passes_by_a_win_that_is_there(self, id: str) -> None:
        met = 0
        for solution, state, seat in decisions(id):
            winning = wins_at_once(solution, state)
            met += bool(winning)
            for kind in RUNGS[1:] if winning else []:
                assert sum(plan_by(kind, solution, state, seat)[move] for move in winning) > 0.995
        assert met > 10

    def test_where_levels_heed_it_anyhow_there_is_no_alarm(self) -> None:
        """Conquer, and the duels in which nobody can see the answer."""
        assert {id: alarm_of(load(id)) > 0 for id in game_ids()} == {id: id in ("energy", "tower") for id in game_ids()}


class TestEye:
    @pytest.mark.parametrize("id", SMALL)
    def test_a_position_looks_as_what_follows_it_looks_on_average(self, id: str) -> None:
        for solution, state, seat in decisions(id):
            game, rules, eye = solution.game, solution.rules, eye_of(solution)
            after = [eye.value(game.apply(rules, state, move)) for move in game.legal_moves(rules, state, seat)]
            assert eye.value(state) == pytest.approx(sum(after) / len(after), abs=0.06)  # it is kept in tenths

    @pytest.mark.parametrize("id", SMALL)
    def test_what_ships_is_what_is_found(self, id: str) -> None:
        solution = solved(id)
        data = shipped_eye(solution).read_bytes()
        found = from_bytes(solution, data)
        assert found is not None
        assert found.table == look_at_all(solution).table
        assert to_bytes(found) == data

    def test_the_mirror_looks_as_good_to_the_other(self) -> None:
        solution = solved("secret")
        state = solution.game.read_position(solution.rules, "60 41 9 3")
        mirror = solution.mirror(state)
        assert eye_of(solution).value(state) == -eye_of(solution).value(mirror) > 0

    def test_a_damaged_eye_is_found_anew(self) -> None:
        solution, luck = solved("tower"), random.Random(5)
        whole = shipped_eye(solution).read_bytes()
        assert from_bytes(solved("energy"), whole) is None
        for _ in range(300):
            found = from_bytes(solution, damaged(whole, luck))
            assert found is None or found.table == eye_of(solution).table


@pytest.mark.parametrize(
    ("id", "kinds", "games"),
    [
        slow("tower", ("level:5", "level:2"), 2000),
        slow("energy", ("level:6", "level:4"), 2000),
        slow("conquer", ("level:1", "level:3"), 2000),
        slow("conquer", ("gambler", "brawler"), 1000),
        slow("tower", ("cautious", "hoarder"), 1000),
        ("deck", ("random", "level:4"), 300),
    ],
)
def test_games_end_as_often_as_computed(id: str, kinds: tuple[str, str], games: int) -> None:
    game, exact = load(id), shipped(id)[kinds]
    seen: Counter[int | None] = Counter()
    for seed in range(games):
        players = [seat_player(kind, seed) for kind in kinds]
        seen[Match(game, seed=seed).run([player for player in players if player]).winner] += 1
    for winner, chance in ((0, exact.win), (1, exact.loss), (2, exact.draw), (None, exact.no_result)):
        error = (chance * (1 - chance) / games) ** 0.5
        assert abs(seen[winner] / games - chance) <= 4 * error


class TestPatterns:
    @pytest.mark.parametrize("id", [*SMALL, "secret"])
    def test_from_level_4_up_none_loses_to_a_pattern_that_is_not_best_play(self, id: str) -> None:
        game = load(id)
        table = pattern_file.read(game, game.book, pattern_file.FILE)
        assert table is not None
        moves = {move for pattern in table for move in pattern}
        assert set(table) == set(product(moves, moves))
        assert moves == set(range(len(game.moves)))
        for fared in table.values():
            assert all(share >= 0 and each.wins + each.losses <= 1 + 1e-9 for each in fared.values() for share in each)
            for kind in RUNGS[PROMISED:]:
                assert fared[kind].wins <= 0.5 or fared["perfect"].score >= 0.5 - 1e-9

    def test_in_deck_only_attacking_every_turn_beats_a_level_and_the_page_says_by_how_much(self) -> None:
        game = load("deck")
        table = pattern_file.read(game, game.book, pattern_file.FILE)
        assert table is not None
        assert set(table) == set(product(range(2), range(2)))
        beaten = {pattern for pattern, fared in table.items() for kind in RUNGS[PROMISED:] if fared[kind].wins > 0.5}
        assert beaten == {(0, 0)}
        wins = {kind: f"{100 * each.wins:.1f} %" for kind, each in table[0, 0].items()}
        page = " ".join((Path(__file__).parent.parent / "docs" / "levels.md").read_text(encoding="utf-8").split())
        assert f"it wins {wins['perfect']} of its matches against `perfect`" in page
        told = [f"{wins[f'level:{number}']} against level {number}" for number in (4, 5, 6)]
        assert ", ".join(told) in page
        assert table[0, 0]["perfect"].score > score(kept.standings(game, game.book), "level:6", "perfect")

    def test_in_deck_attacking_every_turn_is_never_far_behind_perfect(self) -> None:
        """Why no level there with steps of 55 % can hold its own against it, as docs/levels.md says."""
        game = load("deck")
        table, tried = kept.standings(game, game.book), pattern_file.read(game, game.book, pattern_file.FILE)
        assert tried is not None
        page = " ".join((Path(__file__).parents[1] / "docs" / "levels.md").read_text(encoding="utf-8").split())
        attack = tried[0, 0]
        for kind in RUNGS:
            assert score(table, "perfect", kind) - attack[kind].wins < 0.018, kind
        for kind in ("level:6", "level:5", "level:4"):
            pair = f"{100 * attack[kind].wins:.1f} % and {100 * score(table, 'perfect', kind):.1f} % against {kind}"
            assert pair.replace(":", " ") in page
        assert f"three steps of 55 % take {100 * score(table, 'perfect', 'level:4') - 50:.1f}" in page

    @pytest.mark.slow
    def test_in_secret_level_4_holds_its_own_against_what_comes_closest_to_best_play(self) -> None:
        game = load("secret")
        table, machine = ladder.laid_out(game, game.book)
        tried = tried_on(table, machine)
        plans = {kind: table.plan(machine, mistakes_of(game)[kind]) for kind in ("level:4", "perfect")}
        for pattern in ((9, 8), (8, 9), (9, 7), (7, 9), (8, 7)):
            fared = tried.against(pattern, plans)
            assert best_itself(fared) == (pattern == (9, 8))
            assert fared["level:4"].wins <= 0.5  # even where the pattern is best play: most of those matches never end

    @pytest.mark.parametrize("id", ["energy", slow("conquer"), slow("tower")])
    def test_the_small_duels_come_out_the_same_again(self, id: str) -> None:
        game = load(id)
        again, table = patterns(game, game.book), pattern_file.read(game, game.book, pattern_file.FILE)
        assert table is not None
        assert again.keys() == table.keys()
        for pattern, fared in again.items():
            for kind, each in fared.items():
                assert tuple(each) == pytest.approx(tuple(table[pattern][kind]), abs=1e-9)

    @pytest.mark.slow
    def test_a_pattern_is_played_as_it_is_computed(self) -> None:
        """Two builds by turns in tower, as Player 1, from games that are really played against a level."""

        class ByTurns:
            def choose(self, view: View) -> int:
                due, other = ((2, 0), (0, 2))[view.number // 2 % 2]
                return next(move for move in (due, other) if move in view.legal())

        game, games = load("tower"), 1500
        wins = sum(
            Match(game, seed=seed).run([ByTurns(), seat_player("level:2", seed) or ByTurns()]).winner == 0
            for seed in range(games)
        ) + sum(
            Match(game, seed=seed).run([seat_player("level:2", seed) or ByTurns(), ByTurns()]).winner == 1
            for seed in range(games)
        )
        table = pattern_file.read(game, game.book, pattern_file.FILE)
        assert table is not None
        chance = table[2, 0]["level:2"].wins
        assert abs(wins / (2 * games) - chance) <= 4 * (chance * (1 - chance) / (2 * games)) ** 0.5

    def test_a_made_up_table_of_patterns_is_not_believed(self, tmp_path: Path) -> None:
        tower, path = load("tower"), tmp_path / "patterns.json"
        text = pattern_file.FILE.read_text(encoding="utf-8")
        for worse in (text.replace("0.5", "0.6"), text[:-500], "[]", "{}", "", '{"duels": {"tower": 1}}'):
            path.write_text(worse, encoding="utf-8")
            assert pattern_file.read(tower, tower.book, path) is None
        assert pattern_file.read(tower, variant(tower, ["goal=14"]), pattern_file.FILE) is None


class TestFiles:
    @pytest.mark.slow
    def test_a_table_of_other_rules_or_other_rungs_is_not_believed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tower = load("tower")
        assert kept.read(tower, variant(tower, ["goal=14"]), kept.FILE) is None
        text = kept.FILE.read_text(encoding="utf-8")
        other = tmp_path / "levels.json"
        for worse in (text.replace('"level:1": ', '"level:1": 1'), text[:-5000], "[]", "{}", ""):
            other.write_text(worse, encoding="utf-8")
            assert kept.read(tower, tower.book, other) is None
        monkeypatch.setattr(kept, "FILE", other)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        assert close(kept.standings(tower, tower.book)["random", "random"], shipped_tower(text))

    def test_other_rules_are_computed_once(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        game = load("energy")
        rules = variant(game, ["both_empty=defender"])
        table = kept.standings(game, rules)
        assert table["perfect", "perfect"][:4] == (1, 0, 0, 0)
        monkeypatch.setitem(sys.modules, "duelbook.policies.ladder", None)
        assert kept.standings(game, rules) == table

    @pytest.mark.slow
    def test_without_numba_small_duels_are_computed_and_large_ones_say_what_to_install(self, tmp_path: Path) -> None:
        code = (
            "import sys\n"
            "sys.modules['numba'] = sys.modules['numpy'] = None\n"
            "from duelbook.cli import main\n"
            "sys.argv = ['duelbook', 'levels', *sys.argv[1:]]\n"
            "main()\n"
        )
        runs = [
            subprocess.run(
                [sys.executable, "-c", code, *words],
                capture_output=True,
                text=True,
                env=os.environ | {"XDG_CACHE_HOME": str(tmp_path)},
                check=False,
            )
            for words in (["secret"], ["tower", "--rule", "goal=12"], ["deck", "--rule", "lp=19"])
        ]
        assert runs[0].returncode == 0
        assert runs[0].stdout.startswith("Number Duel (secret): the ladder of opponents")
        assert runs[1].returncode == 0, runs[1].stderr
        assert runs[1].stdout.startswith("Tower Defense Duel with goal=12: the ladder of opponents")
        assert (runs[2].returncode, runs[2].stdout) == (1, "")
        assert runs[2].stderr.strip() == (
            f"Error: Number Duel (deck) with lp=19 is large: computing its win chances needs Numba, {NOT_HERE}."
        )


def shipped_tower(text: str) -> Meeting:
    _, _, *row = json.loads(text)["duels"]["tower"]["matches"][0]
    return from_row(row)


class TestCommand:
    @pytest.mark.parametrize("id", game_ids())
    def test_it_fits_an_old_terminal(self, id: str) -> None:
        lines = CliRunner().invoke(command, [id], standalone_mode=False).output.splitlines()
        assert len(lines) > 30
        assert max(map(len, lines)) <= 80
        assert all(line.isascii() for line in lines)

    def test_programs_get_every_number(self) -> None:
        report = json.loads(CliRunner().invoke(command, ["tower", "--json"], standalone_mode=False).output)
        found = {rung["kind"]: (rung["mistakes"], rung["slips"]) for rung in report["rungs"]}
        assert [each["kind"] for each in report["characters"]] == list(CHARACTERS)
        for each in report["characters"]:
            assert [rung["kind"] for rung in each["against"]] == list(RUNGS)
            held = [rung["kind"] for rung in each["against"] if rung["score"] >= 0.5]
            assert each["holds_its_own_up_to"] == held[-1]
        slips = {kind: round(levels.slips_per_decision(shipped("tower"), kind), 12) for kind in RUNGS}
        assert found == {kind: (mistakes, slips[kind]) for kind, mistakes in mistakes_of(load("tower")).items()}
        table = shipped("tower")
        assert {(match["player1"], match["player2"]) for match in report["matches"]} == EVERYONE
        for match in report["matches"]:
            meeting = table[match["player1"], match["player2"]]
            assert match["player1_wins"] == meeting.win
            assert match["no_result"] == meeting.no_result


def test_levels_are_called_by_number_or_by_name() -> None:
    assert [level_number(level.name) for level in LEVELS] == [level_number(str(at)) for at in range(1, 7)]
    assert check_kind(" Level:Club  Player ") == "level:4"
    for wrong in ("0", "7", "0031", "-1", "²", "", "grandmaster"):
        with pytest.raises(DuelError, match="There is no level"):
            level_number(wrong)


def test_without_a_duel_all_ladders_are_shown() -> None:
    said = CliRunner().invoke(command, []).stdout
    assert [id for id in game_ids() if f"{load(id).name}: the ladder of opponents" not in said] == []
    told = CliRunner().invoke(command, ["--json"]).stdout
    assert [each["game"] for each in json.loads(told)] == game_ids()

"""The ladder of opponents: its table is the shipped rules' and rungs', right to the last digit, and true in play."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from duelbook import Match, game_ids, load, variant
from duelbook.cli.levels import command
from duelbook.core import BOTH, LUCK, DuelError, Game, rules_hash
from duelbook.players import check_kind, seat_player
from duelbook.players.level import level_number
from duelbook.policies import ladder, levels
from duelbook.policies import standings as kept
from duelbook.policies.forward_picks import AtOnce
from duelbook.policies.forward_turns import Alone
from duelbook.policies.levels import LEVELS, RUNGS, level_plan
from duelbook.policies.meeting import Meeting, from_row
from duelbook.policies.small_tables import small_table
from duelbook.positions.graph import explore
from duelbook.positions.layout import Numbering
from duelbook.positions.machine import compiling, plain
from duelbook.positions.size import NOT_HERE
from duelbook.solving.library import solution_for
from duelbook.solving.loss import ROUNDING
from duelbook.solving.solution import Solution
from duelbook.solving.solver import solve
from slow_helper import slow

EVERYONE = {(one, two) for one in RUNGS for two in RUNGS}


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
        assert list(data["rungs"].items()) == list(RUNGS.items())
        assert set(data["duels"]) == set(game_ids())
        for id, known in data["duels"].items():
            game = load(id)
            assert known["rules_hash"] == rules_hash(game, game.book)
            assert known["solution"] == ladder.fingerprint(game), "make it anew: python -m duelbook.policies"

    @pytest.mark.parametrize("id", game_ids())
    def test_chances_are_chances(self, id: str) -> None:
        table = shipped(id)
        assert table.keys() == EVERYONE
        for meeting in table.values():
            assert all(0 <= chance <= 1 for chance in meeting[:4])
            assert sum(meeting[:4]) == pytest.approx(1, abs=4e-12)  # four numbers, each rounded to 12 digits
            assert min(*meeting.decisions, *meeting.lost) >= 0

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
    @pytest.mark.parametrize("id", [slow("conquer"), slow("energy"), "tower"])
    def test_the_small_duels_come_out_the_same_again(self, id: str) -> None:
        game, table, heard = load(id), shipped(id), []
        again = ladder.results(game, game.book, lambda done, of: heard.append((done, of)))
        assert again.keys() == table.keys()
        assert all(close(again[pair], table[pair]) for pair in table)
        assert heard == [(done, 64) for done in range(1, 65)]

    @pytest.mark.slow
    def test_deck_comes_out_the_same_again_with_the_perfect_players_own_moves(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        solution = solved("deck")
        walked = remembered(monkeypatch, "explore_luck")
        board = ladder.table_for(solution)
        assert isinstance(board, Alone)
        assert close(board.meeting(compiling())((RUNGS["level:6"], 0.0)), shipped("deck")["level:6", "perfect"])

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
            best = max(options) if seat == 0 else min(options)
            lost = sum(abs(best - value) for value in options) / len(options) / 2
            assert board.losses[node] == pytest.approx(lost, abs=1e-12)
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
        assert close(board.meeting(compiling())((0.0, 1.0)), shipped("secret")["perfect", "random"])
        assert board.meeting(compiling())((0.0, 0.0))[:4] == (0, 0, 0, 1)

        (positions,) = walked
        numbering = Numbering(positions.layout, type(game.start(rules, 0)), positions.turns_round)
        numbers = np.sort(positions.numbers)
        for node in np.random.default_rng(4).choice(len(numbers), 100, replace=False):
            state = numbering.unpack(int(numbers[node]))
            plans = [solution.plan(state, seat) for seat in (0, 1)]
            places = range(node * board.picks, (node + 1) * board.picks)
            assert plans == [tuple(plan[place] for place in places) for plan in (board.first, board.second)]
            for seat in (0, 1):
                options = solution.options(state, seat)
                lost = sum(option.lost for option in options) / len(options)
                assert board.losses[2 * node + seat] == pytest.approx(lost, abs=1e-8)

    @pytest.mark.parametrize(
        ("id", "rule"),
        [slow("secret", ("hp=5", "highest=4")), slow("deck", ("lp=4", "cards=3")), ("tower", ("goal=9",))],
    )
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

        def loses(state: Any, seat: int) -> float:
            options = solution.options(state, seat)
            return sum(option.lost for option in options) / len(options)

        if id == "tower":
            states = explore(game, rules, (game.start(rules, 0), game.start(rules, 1))).states
        else:
            (found,) = walked
            numbering = Numbering(found.layout, type(game.start(rules, 0)), found.turns_round)
            numbers = np.sort(found.numbers) if id == "secret" else found.numbers
            states = [numbering.unpack(int(number)) for number in numbers]
        assert len(states) > 30
        for node, state in enumerate(states):
            seat = game.turn(rules, state)
            if seat == BOTH:
                assert [*board.first[node * board.picks : (node + 1) * board.picks]] == [*solution.plan(state, 0)]
                assert [*board.second[node * board.picks : (node + 1) * board.picks]] == [*solution.plan(state, 1)]
                for side in (0, 1):
                    assert board.losses[2 * node + side] == pytest.approx(loses(state, side), abs=1e-12)
            elif seat != LUCK:
                plan = solution.plan(state, seat)
                edges = board.perfect[board.starts[node] : board.starts[node + 1]]
                assert [*edges] == [plan[move] for move in game.legal_moves(rules, state, seat)]
                assert board.losses[node] == pytest.approx(loses(state, seat), abs=1e-12)

    @pytest.mark.parametrize(
        ("id", "rule", "bell"),
        [
            slow("secret", ("hp=6", "highest=4"), 12),
            slow("deck", ("lp=5", "cards=4"), 9),
            ("energy", ("energy=6",), 200),
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
        slips = (0.3, 0.8)
        meeting = ladder.table_for(solution).meeting(compiling())(slips)
        assert close(meeting, followed(game, rules, solution, slips, bell))
        assert (meeting.no_result > 1e-4) == (bell < 200)

    @pytest.mark.parametrize(
        ("id", "rule", "bell"),
        [("secret", ("hp=6", "highest=4"), 12), ("deck", ("lp=3", "cards=3"), 9), ("energy", ("energy=6",), 200)],
    )
    def test_the_same_is_followed_without_a_compiler(self, id: str, rule: tuple[str, ...], bell: int) -> None:
        game = load(id)
        rules = variant(game, rule)
        solution = solve(game, rules)
        slips = (0.3, 0.8)
        meeting = small_table(solution, bell).meeting(plain())(slips)
        assert close(meeting, followed(game, rules, solution, slips, bell))

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


def followed(game: Game, rules: Any, solution: Solution, slips: tuple[float, float], bell: int) -> Meeting:
    """The same as the compiled ladder, from the rules and the players' own plans, one position at a time."""

    @cache
    def decided(state: Any) -> list[tuple[int, list[float], float]]:
        """For each seat that decides here, how likely it makes each move and what it loses on average."""
        turn, found = game.turn(rules, state), []
        for seat in (0, 1) if turn == BOTH else (turn,):
            legal = game.legal_moves(rules, state, seat)
            plan = level_plan(slips[seat], solution.plan(state, seat), legal)
            lost = sum((plan[move] * solution.loss(state, seat, move) / 2 for move in legal), 0.0)
            found.append((seat, plan, lost))
        return found

    ends, decisions, lost = [0.0] * 4, [0.0, 0.0], [0.0, 0.0]
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
            for seat, plan, loses in decided(state):
                decisions[seat] += chance
                lost[seat] += chance * loses
                plans.append([(move, share) for move, share in enumerate(plan) if share > 0])
            for one, share in plans[0]:
                if turn != BOTH:
                    chances[game.apply(rules, state, one)] += chance * share
                    continue
                for two, other in plans[1]:
                    chances[game.resolve(rules, state, one, two)] += chance * share * other
    for state, chance in chances.items():
        ends[game.winner(rules, state) if game.turn(rules, state) > LUCK else 3] += chance
    return from_row([ends[0], ends[2], ends[1], ends[3], *decisions, *lost])


@pytest.mark.parametrize("id", ["conquer", "energy", "tower"])
def test_a_level_loses_its_share_of_what_random_loses_at_every_position(id: str) -> None:
    solution = solved(id)
    game, rules = solution.game, solution.rules
    for state in explore(game, rules, [game.start(rules, 0)]).states:
        seat = game.turn(rules, state)
        legal = game.legal_moves(rules, state, seat)
        perfect = solution.plan(state, seat)

        def loss(
            slips: float, state: Any = state, seat: int = seat, legal: Any = legal, perfect: Any = perfect
        ) -> float:
            plan = level_plan(slips, perfect, legal)
            assert sum(plan) == pytest.approx(1)
            return sum((plan[move] * solution.loss(state, seat, move) / 2 for move in legal), 0.0)

        assert loss(0) == 0
        for level in LEVELS:
            assert loss(level.slips) == pytest.approx(level.slips * loss(1), abs=1e-12)


@pytest.mark.parametrize(
    ("id", "kinds", "games"),
    [
        ("tower", ("level:5", "level:2"), 2000),
        ("energy", ("level:6", "level:4"), 2000),
        ("conquer", ("level:1", "level:3"), 2000),
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


class TestFiles:
    def test_a_table_of_other_rules_or_other_rungs_is_not_believed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tower = load("tower")
        assert kept.read(tower, variant(tower, ["goal=14"]), kept.FILE) is None
        text = kept.FILE.read_text(encoding="utf-8")
        other = tmp_path / "levels.json"
        for worse in (text.replace('"level:1": 0.87', '"level:1": 0.86', 1), text[:-5000], "[]", "{}", ""):
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
        assert [(rung["kind"], rung["slips"]) for rung in report["rungs"]] == list(RUNGS.items())
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

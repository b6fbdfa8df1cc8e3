"""Duels taken apart into small tables, which say what the rules say; and what does not come apart is found out."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

from duelbook import DuelError, Game, load, variant
from duelbook.core import OVER
from duelbook.simulate import fast, policy_table, positions, simulate
from duelbook.simulate.parts import strides_of
from guests_helper import arrive, install, spoilt
from slow_helper import slow

RESOLVE = "two = max(0, two - blow(rules, first))"
WINNER = "return 1 if s.hearts[0] == 0 else 0"
OVER_AT = "if s.hearts[0] == 0 or s.hearts[1] == 0:"


def same_games(game: Game, one: str, two: str, games: int = 400) -> bool:
    numba, numpy = (
        simulate(game, one, two, games, seed=5, per_game=True, backend=backend) for backend in ("numba", "numpy")
    )
    return np.array_equal(numba.winners, numpy.winners) and np.array_equal(numba.turns_of, numpy.turns_of)


@pytest.mark.slow
def test_every_pair_of_picks_leads_where_the_rules_lead() -> None:
    game = load("secret")
    rules = variant(game, ["hp=7", "highest=4"])
    places = positions(game, rules)
    sides = fast.picks_apart(places)
    assert sides is not None
    moves = len(game.moves)
    for number, state, seat in places.decisions():
        if seat == 1:
            continue
        at = [part.number(state) for part in sides.parts]
        digits = sides.parts[0].digits()[at[0]] + sides.parts[1].digits()[at[1]]
        assert digits @ np.array(strides_of(places.layout)) == number
        for one in game.legal_moves(rules, state, 0):
            for two in game.legal_moves(rules, state, 1):
                after = game.resolve(rules, state, one, two)
                found = [int(sides.after[side][at[side], one * moves + two]) for side in (0, 1)]
                ends = [lead - part.size for lead, part in zip(found, sides.parts, strict=True) if lead >= part.size]
                if game.turn(rules, after) == OVER:
                    assert set(ends) == {game.winner(rules, after)}
                else:
                    assert not ends
                    assert found == [part.number(after) for part in sides.parts]


@pytest.mark.slow
def test_a_guest_comes_apart_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    game = spoilt(monkeypatch, tmp_path, "rps")
    assert fast.picks_apart(positions(game)) is not None
    assert same_games(game, "random", "random")
    assert same_games(game, "random", "level:4")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        slow(RESOLVE, "two = max(0, two - one)"),
        slow(OVER_AT, "if s.hearts[0] * s.hearts[1] <= 2:"),
        slow(WINNER, "return 0 if s.hearts[1] == 0 else 1 if s.hearts[1] > 2 else 2"),
    ],
    ids=["a side changes by the other", "neither shows that a game is over", "neither shows who has won"],
)
def test_picks_that_do_not_come_apart_are_played_by_their_rules(
    old: str, new: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game = spoilt(monkeypatch, tmp_path, "rps", "rules.py", old, new)
    assert fast.picks_apart(positions(game)) is None
    assert same_games(game, "random", "random")


@pytest.mark.slow
def test_a_duel_that_does_not_begin_with_luck_is_played_by_its_rules(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game = spoilt(monkeypatch, tmp_path, "pig")
    assert same_games(game, "random", "random")
    assert same_games(game, "level:2", "perfect", games=100)


@pytest.mark.slow
def test_a_silent_row_is_no_matter_where_no_game_asks_it() -> None:
    """Lanes that have no game left go on with games that nobody asked for, and may meet anything there."""
    game = load("secret")
    rules = variant(game, ["hp=7", "highest=4"])
    spoken = policy_table(game, "random", rules=rules, seat=1).array()

    def told(policy: np.ndarray, backend: str) -> str:
        try:
            return str(simulate(game, "random", policy, 1, rules=rules, seed=2, backend=backend))
        except DuelError as error:
            return str(error)

    ways = set()
    for seed in range(20):
        policy = spoken.copy()
        policy[np.random.default_rng(seed).random(len(policy)) < 0.1] = 0
        assert told(policy, "numba") == told(policy, "numpy")
        ways.add("says nothing" in told(policy, "numba"))
    assert ways == {True, False}, "the one game met a silent row sometimes, and sometimes it met none"


class TestChangedRules:
    """A guest whose code is changed and loaded again in one process is another duel, though its knobs are the same."""

    def changed(self, monkeypatch: pytest.MonkeyPatch, site: Path, folder: Path, old: str, new: str) -> Game:
        file = folder / "rules.py"
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new) + "\n# another length, for whoever compares files by it\n")
        arrive(monkeypatch, site)
        return load(folder.name)

    @pytest.mark.slow
    def test_a_board_duel(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        folder = install(tmp_path, "race", "race_changed")
        arrive(monkeypatch, tmp_path)
        game = load("race_changed")
        before = simulate(game, "random", "random", 500)
        assert positions(game).count == 42
        game = self.changed(monkeypatch, tmp_path, folder, "State(s.total + move + 1,", "State(s.total + 1,")
        assert simulate(game, "random", "random", 500).turns > before.turns
        assert simulate(game, "random", "random", 9).turns == 9 * 21
        assert same_games(game, "random", "random")

    @pytest.mark.slow
    def test_a_duel_of_picks(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        folder = install(tmp_path, "rps", "rps_changed")
        arrive(monkeypatch, tmp_path)
        game = load("rps_changed")
        assert same_games(game, "random", "random")
        game = self.changed(monkeypatch, tmp_path, folder, RESOLVE, "two = max(0, two - 1)")
        assert same_games(game, "random", "random")

    @pytest.mark.slow
    def test_a_module_that_is_reloaded_is_compiled_anew(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """`importlib.reload` leaves the module the same object: only its functions are others."""
        from duelbook.positions.compiled import compiled

        folder = install(tmp_path, "race", "race_reloaded")
        arrive(monkeypatch, tmp_path)
        game = load("race_reloaded")
        state = game.start(game.book, 0)
        assert compiled(game).apply(game.book, state, 2)[0] == 3
        file = folder / "rules.py"
        file.write_text(file.read_text(encoding="utf-8").replace("s.total + move + 1, 1", "s.total + move + 7 + 0, 1"))
        importlib.reload(sys.modules["race_reloaded.rules"])
        importlib.reload(sys.modules["race_reloaded.notation"])
        importlib.reload(sys.modules["race_reloaded"])
        game = load("race_reloaded")
        assert compiled(game).apply(game.book, game.start(game.book, 0), 2)[0] == 9

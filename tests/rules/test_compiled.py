"""The compiled rules are the rules: every function of every game, against the plain one."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

from duelbook.core import DuelError, Game, variant
from duelbook.games import ROOMS, load
from duelbook.positions.compiled import Compiled, compiled
from helpers import reachable, sampled
from slow_helper import slow, slow_if

# What each rule file has beyond start, turn, legal and winner.
EXTRAS = {
    "conquer": {"apply"},
    "deck": {"apply", "odds", "deal"},
    "energy": {"apply"},
    "secret": {"resolve", "foul"},
    "tower": {"apply"},
}

WALKED = [
    ("conquer", ""),
    ("conquer", "covered_heal=false"),
    ("energy", ""),
    ("energy", "zero=now both_empty=defender may_pass=always"),
    ("energy", "both_empty=draw may_pass=never"),
    ("tower", ""),
    ("tower", "goal=9 builds=2,3,7 knocked=1"),
    ("deck", "lp=6 cards=4"),
    ("secret", "hp=6 highest=4"),
    ("secret", "hp=6 highest=4 double_forfeit=void"),
]


def check_asking(game: Game, rules: Any, states: list[Any]) -> None:
    """What the rules answer about a state: whose turn it is, who won, what is legal, what may come."""
    fast = compiled(game)
    for state in states:
        turn, winner = fast.turn(rules, state), fast.winner(rules, state)
        assert (turn, winner) == (game.turn(rules, state), game.winner(rules, state))
        assert type(turn) is type(winner) is int
        for seat in (0, 1):
            for move in game.moves:
                assert fast.legal(rules, state, seat, move) is game.legal(rules, state, seat, move)
                if fast.foul is not None:
                    assert fast.foul(rules, state, seat, move) is game.foul(rules, state, seat, move)
        for face in game.faces:
            assert fast.odds(rules, state, face) == game.odds(rules, state, face)


def check_playing(game: Game, rules: Any, states: list[Any]) -> None:
    """What the rules make of a state: every move and every card, allowed or not; of picks, ten pairs that shift."""
    fast = compiled(game)
    for number, state in enumerate(states):
        kind = type(state)
        for move in game.moves:
            if fast.apply is not None:
                after = fast.apply(rules, state, move)
                assert after == game.apply(rules, state, move)
            else:
                other = (move + number) % len(game.moves)
                after = fast.resolve(rules, state, move, other)
                assert after == game.resolve(rules, state, move, other)
            assert type(after) is kind
        for face in game.faces:
            assert fast.deal(rules, state, face) == game.deal(rules, state, face)


@pytest.mark.parametrize("id", ROOMS)
def test_every_function_of_a_rule_file_compiles(id: str) -> None:
    fast = compiled(load(id))
    present = {name for name in Compiled._fields if getattr(fast, name) is not None}
    assert present == {"start", "turn", "legal", "winner"} | EXTRAS[id]


@pytest.mark.slow
@pytest.mark.parametrize("id", ROOMS)
def test_a_game_starts_the_same(id: str) -> None:
    game = load(id)
    for first in (0, 1):
        assert compiled(game).start(game.book, first) == game.start(game.book, first)


@pytest.mark.parametrize(("id", "settings"), [slow_if(id != "tower", id, settings) for id, settings in WALKED])
def test_compiled_and_plain_agree_in_every_reachable_state(id: str, settings: str) -> None:
    game = load(id)
    rules = variant(game, settings.split())
    states = sorted(reachable(game, rules))
    check_asking(game, rules, states)
    check_playing(game, rules, states)


@pytest.mark.slow
@pytest.mark.parametrize("id", ["deck", "secret"])
@pytest.mark.parametrize("check", [check_asking, check_playing])
def test_compiled_and_plain_agree_in_20_000_states_out_of_random_games(id: str, check: Any) -> None:
    game = load(id)
    check(game, game.book, sampled(game, game.book, 20_000))


@pytest.mark.slow
@pytest.mark.parametrize("settings", [slow(""), "double_forfeit=void"])
def test_compiled_and_plain_agree_on_every_pair_of_picks(settings: str) -> None:
    game = load("secret")
    rules = variant(game, settings.split())
    for state in sampled(game, rules, 200):
        for first in game.moves:
            for second in game.moves:
                fast = compiled(game).resolve(rules, state, first, second)
                assert fast == game.resolve(rules, state, first, second)


@pytest.mark.parametrize("id", ROOMS)
def test_compiling_leaves_the_rule_file_as_it_is(id: str) -> None:
    game = load(id)
    before = dict(vars(game.rules_file))
    compiled(game._replace(rules_file=copy_of(game.rules_file)))
    compiled(game)
    assert dict(vars(game.rules_file)) == before


def copy_of(module: ModuleType) -> ModuleType:
    copy = ModuleType(module.__name__)
    vars(copy).update(vars(module))
    return copy


def test_a_game_is_compiled_once() -> None:
    assert compiled(load("tower")) is compiled(load("tower"))


def test_without_numba_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("tower")
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(DuelError, match=r"Compiled rules need Numba, .*: pip install numba"):
        compiled(game._replace(rules_file=copy_of(game.rules_file)))

"""What is true of every duel, in every state: the reachable ones of the small games, a large sample of the big ones."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from duelbook.conformance import Mistake
from duelbook.conformance.file_laws import FILE_LAWS
from duelbook.conformance.rules_laws import LAWS, Law, the_same_play_gives_the_same_position_every_time
from duelbook.conformance.speech_laws import SPOKEN_LAWS
from duelbook.core import DRAW, Game, IllegalMove, Turn, variant
from duelbook.games import ROOMS, load
from duelbook.match import Match
from helpers import reachable, sampled, successors
from slow_helper import slow_if

ENERGY_OPTIONS = [
    f"zero={zero} both_empty={both_empty} may_pass={may_pass}"
    for zero, both_empty, may_pass in itertools.product(
        ("turn", "now"), ("attacker", "defender", "draw"), ("broke", "always", "never")
    )
]

# Walked from end to end: the book's rules, every option, and changed numbers that bring odd corners within reach.
WALKED = [
    ("conquer", ""),
    ("conquer", "covered_heal=false"),
    ("conquer", "hp=5 damage=3 exposed_damage=1 healing=2"),
    ("conquer", "hp=3 damage=0 exposed_damage=0 healing=0"),
    *(("energy", settings) for settings in ENERGY_OPTIONS),
    ("energy", "energy=7 attack_cost=3 damage=2 defend_cost=2 guard=5 may_pass=never"),
    ("energy", "energy=4 attack_cost=0 damage=1 defend_cost=0 guard=1"),
    ("energy", "energy=3 attack_cost=5 defend_cost=4 may_pass=never"),
    ("tower", ""),
    ("tower", "goal=9 builds=2,3,7 knocked=1"),
    ("tower", "goal=1"),
    ("deck", "lp=6 cards=4"),
    ("deck", "lp=2 cards=1"),
    ("secret", "hp=6 highest=4"),
    ("secret", "hp=6 highest=4 double_forfeit=void"),
    ("secret", "hp=2 highest=2"),
]
SAMPLED = [("deck", ""), ("secret", ""), ("secret", "double_forfeit=void")]
EVERY = [*WALKED, *SAMPLED]

# Where a draw can be reached at all: a stand-off, an attack that empties both, or a double forfeit. Nowhere in conquer
# ("the game cannot end in a draw"), deck ("there are no conditions for a draw") and tower ("no tie conditions").
DRAWABLE = {
    *(("energy", settings) for settings in ENERGY_OPTIONS if "never" not in settings or "both_empty=draw" in settings),
    ("secret", ""),
    ("secret", "hp=6 highest=4"),
    ("secret", "hp=2 highest=2"),
}

LATE = [*SAMPLED, *(("energy", settings) for at, settings in enumerate(ENERGY_OPTIONS) if at % 5)]
"""So many states, or so much like others, that `make test-all` looks at them; their small sisters above, and every
fifth way to set all options of energy, are walked from end to end at once."""
ROWS = [slow_if(row in LATE, *row) for row in EVERY]
every_game = pytest.mark.parametrize(("id", "settings"), ROWS)


@cache
def states_of(id: str, settings: str) -> tuple[Game, Any, list[Any]]:
    """A game, its rules, and the states to look at."""
    game = load(id)
    rules = variant(game, settings.split())
    if (id, settings) in SAMPLED:
        return game, rules, sampled(game, rules, 25_000)
    return game, rules, sorted(with_fouls(game, rules))


def with_fouls(game: Game, rules: Any) -> set[Any]:
    """Every state that play can reach, the ends that a foul makes included."""
    states = reachable(game, rules)
    return states | {after for state in states for after in after_fouls(game, rules, state)}


def after_fouls(game: Game, rules: Any, state: Any) -> Iterator[Any]:
    """The states behind every pair of picks in which somebody repeats their last number."""
    if game.turn(rules, state) != Turn.BOTH:
        return
    for first, second in itertools.product(game.moves, repeat=2):
        ways = [
            (game.legal(rules, state, seat, m), game.foul(rules, state, seat, m))
            for seat, m in ((0, first), (1, second))
        ]
        if all(map(any, ways)) and any(foul for _, foul in ways):
            yield game.resolve(rules, state, first, second)


def swapped(state: Any) -> Any:
    """The same state with the players in each other's seats."""
    sides = {name: value[::-1] for name, value in state._asdict().items() if isinstance(value, tuple)}
    if "mover" in state._fields:
        sides["mover"] = 1 - state.mover
    return state._replace(**sides)


@every_game
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_our_duels_keep_the_laws_of_every_duel(law: Law, id: str, settings: str) -> None:
    game, rules, states = states_of(id, settings)
    costly = law is the_same_play_gives_the_same_position_every_time
    some = states[:: 1 if len(states) < 5_000 or not costly else 25]
    assert [mistake for state in some for mistake in law(game, rules, state)] == []


@every_game
@pytest.mark.parametrize("law", SPOKEN_LAWS, ids=lambda law: law.__name__)
def test_our_duels_can_say_what_happens(law: Law, id: str, settings: str) -> None:
    game, rules, states = states_of(id, settings)
    some = states[:: max(1, len(states) // 200)]
    assert [mistake for state in some for mistake in law(game, rules, state)] == []


@pytest.mark.parametrize("id", ROOMS)
@pytest.mark.parametrize("law", FILE_LAWS, ids=lambda law: law.__name__)
def test_the_files_of_our_duels_keep_the_laws(law: Callable[[Game], Iterator[Mistake]], id: str) -> None:
    assert list(law(load(id))) == []


@every_game
def test_a_draw_can_be_reached_only_where_the_books_allow_it(id: str, settings: str) -> None:
    game, rules, states = states_of(id, settings)
    ends = [state for state in states if game.turn(rules, state) == Turn.OVER]
    drawn = any(game.winner(rules, end) == DRAW for end in ends)
    assert drawn == ((id, settings) in DRAWABLE)


@every_game
def test_our_states_hold_numbers_and_pairs(id: str, settings: str) -> None:
    _, _, states = states_of(id, settings)
    assert {len(part) for state in states for part in state if type(part) is tuple} <= {2}


@every_game
def test_every_position_has_a_text_of_its_own(id: str, settings: str) -> None:
    game, rules, states = states_of(id, settings)
    assert len({game.write_position(rules, state) for state in states}) == len(states)


@every_game
def test_the_rules_favour_no_seat(id: str, settings: str) -> None:
    game, rules, states = states_of(id, settings)
    for state in states:
        mirror = swapped(state)
        turn = game.turn(rules, state)
        assert game.turn(rules, mirror) == (1 - turn if turn < Turn.BOTH else turn)
        if turn == Turn.OVER:
            winner = game.winner(rules, state)
            assert game.winner(rules, mirror) == (DRAW if winner == DRAW else 1 - winner)
        for move in game.moves:
            for seat in (0, 1):
                assert game.legal(rules, mirror, 1 - seat, move) == game.legal(rules, state, seat, move)
                assert game.foul(rules, mirror, 1 - seat, move) == game.foul(rules, state, seat, move)
            if turn < Turn.BOTH:
                assert game.apply(rules, mirror, move) == swapped(game.apply(rules, state, move))
        for face in game.faces:
            assert game.odds(rules, mirror, face) == game.odds(rules, state, face)
            if turn == Turn.LUCK and game.odds(rules, state, face):
                assert game.deal(rules, mirror, face) == swapped(game.deal(rules, state, face))


@pytest.mark.parametrize(("id", "settings"), [slow_if(row in LATE, *row) for row in EVERY if row[0] == "secret"])
def test_secret_picks_favour_no_seat(id: str, settings: str) -> None:
    game, rules, states = states_of(id, settings)
    picks = game.moves[: rules.highest]
    for state in states[:: 1 if len(states) < 2_000 else 25]:
        for first, second in itertools.product(picks, repeat=2):
            assert game.resolve(rules, swapped(state), second, first) == swapped(
                game.resolve(rules, state, first, second)
            )


@pytest.mark.parametrize(("id", "settings"), [slow_if(row in LATE, *row) for row in EVERY if row[0] != "secret"])
def test_players_alternate(id: str, settings: str) -> None:
    game, rules, states = states_of(id, settings)
    for state in states:
        turn = game.turn(rules, state)
        assert turn in (state.mover, Turn.LUCK, Turn.OVER)
        for after in successors(game, rules, state):
            assert after.mover == (state.mover if turn == Turn.LUCK else 1 - state.mover)
            assert turn != Turn.LUCK or game.turn(rules, after) == state.mover


@every_game
def test_the_referee_refuses_every_illegal_move_and_nothing_changes(id: str, settings: str) -> None:
    game, rules, states = states_of(id, settings)
    for state in states[:: 1 if len(states) < 5_000 else 25]:
        match = Match(game, rules, start=state)
        turn = match.turn
        for seat, move in itertools.product((0, 1), (*game.moves, -1, len(game.moves))):
            acts = turn in (seat, Turn.BOTH) and move in game.moves
            if acts and (game.legal(rules, state, seat, move) or game.foul(rules, state, seat, move)):
                continue
            with pytest.raises(IllegalMove):
                match.play(seat, move)
        for face in (*game.faces, 0, 11):
            if turn != Turn.LUCK or face not in game.faces or not game.odds(rules, state, face):
                with pytest.raises(IllegalMove):
                    match.deal(face)
        assert (match.state, match.turn, match.turns, match.draws, match.steps) == (state, turn, 0, 0, [])


@pytest.mark.parametrize(("id", "settings"), [slow_if(row in LATE, *row) for row in EVERY if row[0] == "secret"])
def test_a_foul_ends_the_game_or_is_void(id: str, settings: str) -> None:
    game, rules, states = states_of(id, settings)
    seen = 0
    for state in states[:: 1 if len(states) < 2_000 else 25]:
        for first, second in itertools.product(game.moves[: rules.highest], repeat=2):
            fouls = (game.foul(rules, state, 0, first), game.foul(rules, state, 1, second))
            if game.turn(rules, state) == Turn.OVER or not any(fouls):
                continue
            seen += 1
            after = game.resolve(rules, state, first, second)
            if all(fouls) and rules.double_forfeit:
                assert after == state
            else:
                assert game.turn(rules, after) == Turn.OVER
                assert after.hp == state.hp
                assert game.winner(rules, after) == (DRAW if all(fouls) else 1 if fouls[0] else 0)
    assert seen > 0


@pytest.mark.parametrize(("id", "settings"), [slow_if(row in LATE, *row) for row in WALKED])
def test_both_players_can_win_wherever_the_numbers_let_anybody(id: str, settings: str) -> None:
    game, rules, states = states_of(id, settings)
    winners = {game.winner(rules, state) for state in states if game.turn(rules, state) == Turn.OVER}
    harmless = settings == "hp=3 damage=0 exposed_damage=0 healing=0"
    assert winners - {DRAW} == (set() if harmless else {0, 1})

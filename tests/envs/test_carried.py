"""A game carried on for an environment, and what nobody can learn from a copy of it."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import deepcopy

import pytest

from duelbook.core import DRAW, DuelError
from duelbook.envs.carried import Carried
from duelbook.envs.draws import CHOICES, DEALS, Draws, face_at, move_at
from duelbook.envs.encoding import Encoding

Copier = Callable[[Carried], Carried]
COPIES: list[Copier] = [deepcopy, lambda carried: pickle.loads(pickle.dumps(carried))]


def begun(game: str, seed: int | None = 1, **options: bool | str | int) -> Carried:
    draws = Draws()
    draws.begin(seed)
    return Carried(Encoding(game), draws, **options)  # type: ignore[arg-type]  # whatever a test tries


def cards(carried: Carried, many: int) -> list[int]:
    """What luck brings if both go on healing."""
    found = []
    for _ in range(many):
        found.append(carried.state.card)
        carried.act(carried.match.turn, 1)
    return found


def test_the_same_seed_brings_the_same_luck_and_the_next_game_another() -> None:
    draws = Draws()
    draws.begin(7)
    one = cards(Carried(Encoding("deck"), draws), 30)
    draws.begin()
    two = cards(Carried(Encoding("deck"), draws), 30)
    assert one == cards(begun("deck", 7), 30)
    assert one != two


def test_without_a_seed_there_is_no_luck_to_come() -> None:
    draws = Draws()
    draws.begin()
    assert draws.bits(DEALS, 0) != draws.bits(DEALS, 0)


@pytest.mark.parametrize("copied", COPIES)
def test_a_copy_does_not_draw_what_the_game_will_draw(copied: Copier) -> None:
    """Thirty cards of ten: two copies that agree with it or with each other would share its luck."""
    game = begun("deck")
    cards(game, 3)
    one, two = copied(game), copied(game)
    assert one.state == two.state == game.state
    assert one.match.turns == game.match.turns
    futures = [cards(each, 30)[1:] for each in (one, two, game)]
    assert len({tuple(future) for future in futures}) == 3


@pytest.mark.parametrize("copied", COPIES)
def test_a_copy_knows_nothing_of_a_sealed_pick(copied: Copier) -> None:
    game = begun("secret")
    game.act(0, 3)
    copy = copied(game)
    assert game.match.to_act() == (1,)
    assert copy.match.to_act() == (0, 1)
    copy.act(0, 9)
    copy.act(1, 0)
    assert copy.text == "100 91 10 1"
    assert game.text == "100 100 - -"


@pytest.mark.parametrize("copied", COPIES)
def test_a_copy_of_a_game_that_is_over_is_over(copied: Copier) -> None:
    game = begun("tower")
    game.act(0, 3)
    copy = copied(game)
    assert copy.match.outcome == game.match.outcome
    assert (copy.reward(0), copy.reward(1)) == (-1.0, 1.0)


def test_what_is_illegal_loses_and_the_sentence_says_why() -> None:
    game = begun("tower")
    game.act(0, 3)
    assert (game.over, game.rung, game.reward(1)) == (True, False, 1.0)
    assert "lost by a fault (illegal)" in game.told()["reason"]


def test_what_is_illegal_can_be_replaced_by_the_first_legal_move() -> None:
    game = begun("tower", illegal="replace")
    game.act(0, 3)
    assert game.text == "1 0 2"


def test_a_foul_is_played_by_the_rules_of_the_duel() -> None:
    game = begun("secret")
    game.act_both((4, 6))
    game.act_both((4, 5))
    assert game.match.outcome is not None
    assert game.match.outcome.kind == "rules"
    assert game.reward(1) == 1.0


def test_two_at_once_who_break_the_rules_have_a_draw() -> None:
    draws = Draws()
    draws.begin(1)
    game = Carried(Encoding("secret", ("highest=5",)), draws)
    game.act_both((8, 9))
    assert game.match.outcome is not None
    assert game.match.outcome.winner == DRAW
    assert (game.reward(0), game.reward(1), game.rung) == (0.0, 0.0, False)


@pytest.mark.parametrize("action", [4, -1, 1.5, None, "attack"])
def test_what_is_no_action_at_all_is_refused(action: object) -> None:
    with pytest.raises(DuelError, match="An action of Tower Defense Duel must be a whole number"):
        begun("tower").act(0, action)


def test_the_bell_is_no_end_by_the_rules() -> None:
    game = begun("tower", bell=2)
    game.act(0, 0)
    game.act(1, 0)
    assert (game.over, game.rung, game.reward(0)) == (True, True, 0.0)


def test_draws_go_by_their_weights() -> None:
    draws = Draws()
    draws.begin(3)
    faces = [face_at([1, 0, 3], draws.bits(DEALS, place)) for place in range(4000)]
    moves = [move_at([0.0, 0.25, 0.75], draws.bits(CHOICES, place)) for place in range(4000)]
    assert (set(faces), set(moves)) == ({0, 2}, {1, 2})
    assert abs(faces.count(0) - 1000) < 150
    assert abs(moves.count(1) - 1000) < 150
    assert move_at([0.0, 0.1, 0.2], (1 << 64) - 1) == 2
    with pytest.raises(DuelError, match="no face"):
        face_at([0, 0], 1)

"""What an observation and an action are, for every duel."""

from __future__ import annotations

import pytest

from duelbook.core import OVER, DuelError
from duelbook.envs.encoding import Encoding
from duelbook.positions.hull import following
from duelbook.positions.layout import layout_of, packing
from envs_helper import EVERY, SMALL, duel


@pytest.mark.parametrize("name", EVERY)
def test_every_observation_is_within_its_bounds_and_no_bound_is_too_wide(name: str) -> None:
    """At every position that can come up, ends and fouls among them."""
    encoding = Encoding(duel(name), SMALL[name])
    game, rules = encoding.game, encoding.rules
    seen = dict.fromkeys([game.start(rules, 0), game.start(rules, 1)])
    waiting = list(seen)
    while waiting:
        fresh = [after for after in following(game, rules, waiting.pop(), fouls=True) if after not in seen]
        seen |= dict.fromkeys(fresh)
        waiting += fresh
    views = [encoding.observed(state, seat) for state in seen for seat in (0, 1)]
    columns = list(zip(*views, strict=True))
    assert any(game.turn(rules, state) == OVER for state in seen)
    assert tuple(map(min, columns)) == encoding.low
    assert tuple(map(max, columns)) == encoding.high
    assert len(encoding.names) == len(encoding.low)


@pytest.mark.parametrize("name", EVERY)
def test_both_seats_see_a_position_and_its_mirror_alike(name: str) -> None:
    encoding = Encoding(duel(name), SMALL[name])
    game, rules = encoding.game, encoding.rules
    start = game.start(rules, 0)
    mirror = packing(layout_of([start]), type(start)).mirror
    for state in (start, *following(game, rules, start)):
        assert encoding.observed(state, 0)[:-1] == encoding.observed(mirror(state), 1)[:-1]
        assert encoding.observed(state, 1)[-1] == 1


def test_an_observation_says_what_its_numbers_are() -> None:
    encoding = Encoding("tower")
    state = encoding.game.read_position(encoding.rules, "5 8 2")
    assert encoding.names == ("my towers", "their towers", "mover", "seat")
    assert encoding.observed(state, 0) == [5, 8, 1, 0]
    assert encoding.observed(state, 1) == [8, 5, 0, 1]
    assert encoding.mask(state, 0) == [0, 0, 0, 0]
    assert encoding.mask(state, 1) == [1, 1, 1, 1]
    assert encoding.words[3] == "attack"


def test_rules_that_make_no_game_are_refused() -> None:
    with pytest.raises(DuelError, match="There is no duel called 'chess'"):
        Encoding("chess")
    with pytest.raises(DuelError, match="no rule called 'gaol'"):
        Encoding("tower", ("gaol=3",))

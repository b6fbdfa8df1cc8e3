"""On JAX: wherever play can come, a step does what the rules say."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from duelbook.core import BOTH, DRAW, LUCK, OVER, BadPosition, DuelError, Game
from duelbook.envs.encoding import Encoding
from duelbook.match import Match
from duelbook.positions.layout import packing
from envs_helper import EVERY, SMALL, duel
from guests_helper import EXAMPLES, spoilt

pytestmark = pytest.mark.slow

ALTERNATING = ("conquer", "energy", "tower", "race")
SAMPLED, GAMES, BELL = 2000, 6, 14


@pytest.fixture(scope="module")
def page() -> Any:
    """Imported here and not above: `make test` collects this file too."""
    pytest.importorskip("jax", reason="JAX is not installed: pip install 'duelbook[jax]'")
    import duelbook.envs.jax

    return duelbook.envs.jax


def keys(seed: int, count: int) -> Any:
    import jax

    return jax.random.split(jax.random.key(seed), count)


def positions(env: Any) -> list[Any]:
    """Every position that play can come to."""
    import numpy as np

    unpack = packing(env.columns.layout, type(env.encoding.game.start(env.encoding.rules, 0))).unpack
    return [unpack(int(number)) for number in np.flatnonzero(env.columns.seen)]


def sampled(env: Any, count: int, *turns: int) -> list[Any]:
    """Some of the positions at which these act."""
    import numpy as np

    game, rules, rng = env.encoding.game, env.encoding.rules, np.random.default_rng(1)
    unpack, found = packing(env.columns.layout, type(game.start(rules, 0))).unpack, list[Any]()
    while len(found) < count:
        some = rng.choice(len(env.columns.seen), 1000)
        states = [unpack(int(number)) for number in some[env.columns.seen[some]]]
        found += [state for state in states if game.turn(rules, state) in turns]
    return found[:count]


def lined_up(env: Any, states: list[Any]) -> Any:
    """A game at each of these positions."""
    import jax
    import numpy as np

    from duelbook.envs.columns import digits_at

    pack = packing(env.columns.layout, type(states[0])).pack
    digits = np.array([digits_at(env.columns.layout, pack(state)) for state in states]).T
    return jax.vmap(lambda *each: env.set_up(each[:-1], each[-1]))(*digits, keys(0, len(states)))


def there(env: Any, state: Any) -> list[Any]:
    """The positions of many games."""
    import numpy as np

    from duelbook.simulate.parts import strides_of

    strides = strides_of(env.columns.layout)
    digits = np.array([np.asarray(digit) for digit in state.position], np.int64)
    numbers = np.array(strides) @ digits
    unpack = packing(env.columns.layout, type(env.encoding.game.start(env.encoding.rules, 0))).unpack
    return [unpack(int(number)) for number in numbers]


def check(encoding: Encoding, after: Any, told: Any, at: int, sealed: bool = False) -> None:
    """All that is said of a position is what the rules and the other environments say."""
    game, rules = encoding.game, encoding.rules
    turn, seat = game.turn(rules, after), int(told.current_player[at])
    assert told.observation[at].tolist() == encoding.observed(after, seat)
    assert bool(told.terminated[at]) == (turn == OVER)
    if turn == OVER:
        winner = game.winner(rules, after)
        first = 0.0 if winner == DRAW else 1.0 if winner == 0 else -1.0
        assert told.rewards[at].tolist() == [first, -first]
        assert told.legal_action_mask[at].all()
    else:
        assert seat == (int(sealed) if turn == BOTH else turn)
        assert told.rewards[at].tolist() == [0.0, 0.0]
        assert told.legal_action_mask[at].tolist() == [bool(bit) for bit in encoding.mask(after, seat)]


def on_host(state: Any) -> Any:
    import jax

    return jax.device_get(state)


@pytest.mark.parametrize("name", ALTERNATING)
def test_from_every_position_every_action_leads_where_the_rules_say(page: Any, name: str) -> None:
    import jax
    import numpy as np

    env = page.DuelEnv(duel(name))
    encoding, states = env.encoding, positions(env)
    game, rules = encoding.game, encoding.rules
    begun = lined_up(env, states)
    step, told = jax.jit(jax.vmap(env.step)), on_host(begun)
    for at, state in enumerate(states):
        check(encoding, state, told, at)
    for move in game.moves:
        told = on_host(step(begun, np.full(len(states), move)))
        for at, (state, after) in enumerate(zip(states, there(env, told), strict=True)):
            turn = game.turn(rules, state)
            if turn == OVER:
                assert (after, told.rewards[at].tolist()) == (state, [0.0, 0.0])
            elif game.legal(rules, state, turn, move):
                assert after == game.apply(rules, state, move)
                check(encoding, after, told, at)
            else:
                assert after == state
                assert (told.terminated[at], told.rewards[at, turn], told.rewards[at, 1 - turn]) == (True, -1, 1)


@pytest.mark.parametrize("name", ["deck", "pig"])
def test_with_luck_a_step_leads_to_what_luck_can_make_of_it(page: Any, name: str) -> None:
    import jax
    import numpy as np

    env = page.DuelEnv(duel(name))
    game, rules, count = env.encoding.game, env.encoding.rules, SAMPLED
    states = sampled(env, count, 0, 1)
    begun = lined_up(env, states)
    assert there(env, begun) == states
    for move in game.moves:
        told = on_host(jax.jit(jax.vmap(env.step))(begun, np.full(count, move), keys(move, count)))
        for at, (state, after) in enumerate(zip(states, there(env, told), strict=True)):
            if not game.legal(rules, state, game.turn(rules, state), move):
                continue
            moved = game.apply(rules, state, move)
            faces = [face for face in game.faces if game.odds(rules, moved, face)]
            luck = game.turn(rules, moved) == LUCK
            assert after in ([game.deal(rules, moved, face) for face in faces] if luck else [moved])
            check(env.encoding, after, told, at)


@pytest.mark.parametrize(("name", "rules"), [("secret", ()), ("secret", ("hp=6", "double_forfeit=void")), ("rps", ())])
def test_picks_of_both_lead_where_the_rules_say_one_after_the_other_and_together(
    page: Any, name: str, rules: tuple[str, ...]
) -> None:
    import jax
    import numpy as np

    env = page.DuelEnv(duel(name), rules=rules)
    encoding, game = env.encoding, env.encoding.game
    states, rng = sampled(env, SAMPLED, BOTH), np.random.default_rng(2)
    picks, begun = rng.integers(0, encoding.moves, (2, SAMPLED)), lined_up(env, states)
    step, both = jax.jit(jax.vmap(env.step)), jax.jit(jax.vmap(env.step_both))
    sealed = step(begun, picks[0])
    told = [on_host(each) for each in (sealed, step(sealed, picks[1]), both(begun, picks.T))]
    afters = [there(env, each) for each in told]
    fouls = 0
    for at, (state, one, two) in enumerate(zip(states, *picks.tolist(), strict=True)):
        after = game.resolve(encoding.rules, state, one, two)
        fouls += game.foul(encoding.rules, state, 0, one) or game.foul(encoding.rules, state, 1, two)
        assert [each[at] for each in afters] == [state, after, after]
        assert told[0].turns[at] == 0
        check(encoding, state, told[0], at, sealed=True)
        check(encoding, after, told[1], at)
        check(encoding, after, told[2], at)
    assert fouls > 50 or name == "rps"


@pytest.mark.parametrize("name", EVERY)
def test_whole_games_are_those_of_the_referee(page: Any, name: str) -> None:
    import jax
    import numpy as np

    env = page.DuelEnv(duel(name), rules=SMALL[name], max_turns=BELL)
    encoding, game, rules = env.encoding, env.encoding.game, env.encoding.rules
    step, rng, endings = jax.jit(env.step), np.random.default_rng(3), set()
    for number in range(GAMES):
        match = Match(game, rules, max_turns=BELL)
        luck = iter(keys(number, 4 * BELL))
        state = env.init(next(luck))
        while True:
            follow(env, match, state)
            seat = int(state.current_player)
            assert state.observation.tolist() == encoding.observed(match.state, seat)
            if match.outcome is not None:
                break
            assert seat == match.to_act()[0]
            assert state.legal_action_mask.tolist() == [bool(bit) for bit in encoding.mask(match.state, seat)]
            counting = [
                move
                for move in game.moves
                if state.legal_action_mask[move] or game.foul(rules, match.state, seat, move)
            ]
            move = int(rng.choice(counting))
            match.play(seat, move)
            state = on_host(step(state, move, next(luck)))
        endings.add(match.outcome.kind)
        assert (bool(state.terminated), bool(state.truncated)) == (
            match.outcome.kind != "bell",
            match.outcome.kind == "bell",
        )
        won = 0.0 if match.outcome.winner in (None, DRAW) else 1.0 if match.outcome.winner == 0 else -1.0
        assert state.rewards.tolist() == [won, -won]
        assert env.text(state) == game.write_position(rules, match.state)
    assert endings


def follow(env: Any, match: Match, state: Any) -> None:
    """Have the referee's luck be what it was here."""
    game, rules = match.game, match.rules
    here = env.text(state)
    while match.outcome is None and match.turn == LUCK:
        faces = [face for face in game.faces if game.odds(rules, match.state, face)]
        match.deal(next(f for f in faces if game.write_position(rules, game.deal(rules, match.state, f)) == here))
    assert game.write_position(rules, match.state) == here


@pytest.mark.parametrize(("name", "where"), [("deck", "20 13 1 2,3,5,9"), ("deck", "20 20 1 1-10"), ("pig", None)])
def test_luck_comes_as_often_as_its_odds_say(page: Any, name: str, where: str | None) -> None:
    """Chi-square under fixed keys: at its 99.9 % point for nine degrees of freedom, which is above that for fewer."""
    import jax

    env = page.DuelEnv(duel(name))
    game, rules, count = env.encoding.game, env.encoding.rules, 20_000
    before = game.start(rules, 0) if where is None else game.read_position(rules, where)
    if where is None:
        before = game.apply(rules, before, 0)
        met = jax.vmap(lambda key: env.step(env.init(key), 0, key))(keys(7, count))
    else:
        met = jax.vmap(lambda key: env.at(where, key))(keys(7, count))
    found = there(env, on_host(met))
    weights = {game.deal(rules, before, face): game.odds(rules, before, face) for face in game.faces}
    weights = {state: weight for state, weight in weights.items() if weight}
    assert set(found) == set(weights)
    expected = {state: count * weight / sum(weights.values()) for state, weight in weights.items()}
    assert sum((found.count(state) - often) ** 2 / often for state, often in expected.items()) < 27.9


def test_luck_that_acts_several_times_in_a_row(page: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A pig whose bad roll has the other's die in the air at once."""
    import jax

    ends = "1 - s.mover, 0, {})\n    return State(s.points, s.mover"
    old, new = ends.format(0), ends.format(1)
    env = page.DuelEnv(spoilt(monkeypatch, tmp_path, "pig", "rules.py", old, new))
    assert env.columns.in_a_row
    count = 6000
    met = on_host(jax.jit(jax.vmap(lambda key: env.step(env.init(key), 0, key)))(keys(3, count)))
    assert not met.terminated.any()
    assert {(state.rolling, state.pot > 1) for state in there(env, met)} == {(0, True)}
    # The other is on turn after one bad roll, or three, ...: 1/6 * 5/6 / (1 - 1/36) = 1/7.
    assert abs(met.current_player.mean() - 1 / 7) < 0.015


def mixed() -> Game:
    """Rock, Paper, Scissors in which Player 2 moves alone while they have fewer hearts."""
    text = (EXAMPLES / "rps" / "rules.py").read_text(encoding="utf-8")
    text = text.replace("    return Turn.BOTH", "    return Turn.SECOND if s.hearts[1] < s.hearts[0] else Turn.BOTH")
    text += (
        "\n\ndef apply(rules: Rules, s: State, move: int) -> State:\n"
        "    return State((s.hearts[0] - 1, s.hearts[1])) if move == Move.ROCK else State((s.hearts[0] - 1, 1))\n"
    )
    module = ModuleType("mixed_rules")
    exec(compile(text, "<mixed>", "exec"), vars(module))
    names = ("start", "turn", "legal", "winner", "apply", "resolve")
    functions = {name: getattr(module, name) for name in names}
    return duel("rps")._replace(id="mixed", book=module.Rules(), rules_file=module, **functions)


def test_a_duel_may_have_turns_of_one_and_of_both(page: Any) -> None:
    import jax
    import numpy as np

    env = page.DuelEnv(mixed())
    game, rules, step = env.encoding.game, env.encoding.rules, jax.jit(env.step)
    rng, alone = np.random.default_rng(4), 0
    for _ in range(30):
        state, expected = env.init(), game.start(rules, 0)
        while not state.terminated:
            turn, one, two = game.turn(rules, expected), *(int(pick) for pick in rng.integers(0, 3, 2))
            if turn == BOTH:
                state = step(state, one)
                assert int(state.current_player) == 1
                expected = game.resolve(rules, expected, one, two)
            else:
                alone += 1
                assert int(state.current_player) == 1
                expected = game.apply(rules, expected, two)
            state = step(state, two)
            assert there(env, jax.tree.map(lambda each: each[None], state)) == [expected]
        assert game.turn(rules, expected) == OVER
    assert alone > 20
    with pytest.raises(DuelError, match="do not always pick at once"):
        env.step_both(env.init(), [0, 0])


def test_no_observation_shows_a_sealed_pick(page: Any) -> None:
    import jax
    import jax.numpy as jnp

    env = page.DuelEnv("secret")
    begun = env.at("55 60 3 7")
    sealed = on_host(jax.vmap(lambda pick: env.step(begun, pick))(jnp.array([0, 1, 3, 4, 5, 6, 7, 8, 9])))
    shown = sealed._replace(sealed=())
    for each in jax.tree.leaves(shown):
        assert (each == each[0]).all()
    views = jax.vmap(lambda state: env.observe(state, 0))(sealed)
    assert (views == views[0]).all()
    assert sealed.current_player.tolist() == [1] * 9
    assert sealed.observation[0].tolist() == env.encoding.observed(
        env.encoding.game.read_position(env.encoding.rules, "55 60 3 7"), 1
    )


@pytest.mark.parametrize("name", ["tower", "deck", "secret"])
def test_games_that_end_begin_again_in_a_scan(page: Any, name: str) -> None:
    import jax
    import jax.numpy as jnp

    env, lanes, steps = page.DuelEnv(name, rules=SMALL[name], max_turns=BELL), 40, 60
    step = page.auto_reset(env.step, env.init)

    def play(state: Any, key: Any) -> tuple[Any, Any]:
        action = jnp.argmax(jax.random.uniform(key, (env.num_actions,)) * state.legal_action_mask)
        return (after := step(state, action, key)), (action, after)

    def lane(key: Any) -> Any:
        return jax.lax.scan(play, env.init(key), jax.random.split(key, steps))[1]

    actions, told = on_host(jax.jit(jax.vmap(lane))(keys(5, lanes)))
    ended = told.terminated | told.truncated
    assert ended.sum() > lanes
    assert told.truncated.any()
    assert told.terminated.any()
    single = jax.jit(env.step)
    for at in range(4):
        key = keys(5, lanes)[at]
        state, luck = env.init(key), jax.random.split(key, steps)
        for now in range(steps):
            first, second = jax.random.split(luck[now])
            state = single(state, int(actions[at, now]), first)
            found = (state.rewards.tolist(), bool(state.terminated), bool(state.truncated))
            assert found == (told.rewards[at, now].tolist(), told.terminated[at, now], told.truncated[at, now])
            if state.terminated or state.truncated:
                state = env.init(second)
                assert told.turns[at, now] == 0
            assert state.observation.tolist() == told.observation[at, now].tolist()
            assert state.legal_action_mask.tolist() == told.legal_action_mask[at, now].tolist()


def test_masks_may_be_longer_than_a_word(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from duelbook.envs import columns, ways

    for where in (ways, page):
        monkeypatch.setattr(where, "WORD", 3)
    monkeypatch.setattr(columns, "_known", {})
    for name in ("tower", "secret"):
        env = page.DuelEnv(name, rules=SMALL[name])
        states = positions(env)
        told = on_host(lined_up(env, states))
        assert len(env.columns.here) > ways.MASKS + 4
        for at, state in enumerate(states):
            check(env.encoding, state, told, at)
        lost = env.step(env.init(), env.num_actions - 1)
        assert bool(lost.terminated) == (not env.init().legal_action_mask[-1])


def test_the_tables_are_small(page: Any) -> None:
    for name, most in (("tower", 2_000), ("deck", 100_000), ("secret", 3_000_000)):
        assert page.DuelEnv(name).columns.bytes < most


def test_it_says_what_pgx_says_of_an_environment(page: Any) -> None:
    env = page.DuelEnv("tower")
    assert (env.id, env.num_players, env.num_actions, env.observation_shape) == ("tower", 2, 4, (4,))
    state = env.at("5 8 2")
    assert env.text(state) == "5 8 2"
    assert env.observe(state).tolist() == [8, 5, 0, 1]
    assert env.observe(state, 0).tolist() == [5, 8, 1, 0]


@pytest.mark.parametrize("action", [-1, 4, 99, -(2**31)])
def test_what_is_no_action_loses(page: Any, action: int) -> None:
    env = page.DuelEnv("tower")
    lost = env.step(env.at("5 8 2"), action)
    assert (bool(lost.terminated), lost.rewards.tolist(), env.text(lost)) == (True, [1.0, -1.0], "5 8 2")
    again = env.step(lost, 0)
    assert (bool(again.terminated), again.rewards.tolist(), env.text(again)) == (True, [0.0, 0.0], "5 8 2")


def test_if_neither_pick_counts_nobody_wins(page: Any) -> None:
    env = page.DuelEnv("secret", rules=SMALL["secret"])
    for picks, first in (((9, 9), 0.0), ((9, 0), -1.0), ((0, 9), 1.0)):
        ended = env.step_both(env.init(), picks)
        assert (bool(ended.terminated), ended.rewards.tolist()) == (True, [first, -first])


def test_what_cannot_be_done_is_said_in_a_sentence(page: Any) -> None:
    with pytest.raises(DuelError, match="Luck acts in Number Duel"):
        page.DuelEnv("deck").init()
    with pytest.raises(DuelError, match="step\\(\\) takes one action"):
        page.DuelEnv("tower").step_both(page.DuelEnv("tower").init(), (0, 0))
    with pytest.raises(BadPosition, match="from the start can come to"):
        page.DuelEnv("energy").at("10 10 2")
    with pytest.raises(DuelError, match="turns before the bell"):
        page.DuelEnv("tower", max_turns=0)

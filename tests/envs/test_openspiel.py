"""Every duel as OpenSpiel has it: its own tests, and its algorithms as an independent check of our tables."""

from __future__ import annotations

import subprocess
import sys
from functools import partialmethod
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from duelbook import Duel
from duelbook.core import BadRules, DuelError, IllegalMove
from duelbook.envs.parameters import parameters
from envs_helper import EVERY, SHIPPED, SMALL, duel
from guests_helper import GUESTS, arrive, install

pytestmark = pytest.mark.slow

AT_ONCE = ("secret", "rps")
"""Where both pick at once."""
LUCKY = ("deck", "pig")

STILL = 1e-9
"""Value iteration is over when nothing has changed by more than this."""
NEAR = 1e-8
"""So near come its values to ours where there is luck; where there is none they are the same."""
STILL_AT_ONCE, NEAR_AT_ONCE = 1e-6, 1e-5
"""The same where every position is a linear program, whose own tolerance is about the first of them."""


@pytest.fixture(scope="module")
def spiel() -> Any:
    """Imported here and not above: `make test` collects this file too."""
    found = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'duelbook[openspiel]'")
    from duelbook.envs import openspiel

    for name in GUESTS:
        openspiel.register(duel(name))
    return found


def named(name: str, *rules: str, bell: int | None = None) -> str:
    """What OpenSpiel calls a duel under these rules."""
    settings = [*rules, *([] if bell is None else [f"max_turns={bell}"])]
    return f"duelbook_{name}({','.join(settings)})"


# What OpenSpiel asks of a game


@pytest.mark.parametrize("name", EVERY)
def test_every_duel_is_what_openspiel_asks_for(spiel: Any, name: str) -> None:
    """By the book, with a bell that rings soon, and with none."""
    games = [named(name), named(name, *SMALL[name], bell=5), named(name, *SMALL[name], bell=0)]
    for game in map(spiel.load_game, games):
        spiel.random_sim_test(game, num_sims=10, serialize=True, verbose=False, mask_test=True)


@pytest.mark.parametrize("name", AT_ONCE)
def test_picks_at_once_can_be_taken_in_turn(spiel: Any, name: str) -> None:
    game = spiel.convert_to_turn_based(spiel.load_game(named(name, *SMALL[name])))
    spiel.random_sim_test(game, num_sims=10, serialize=True, verbose=False, mask_test=True)


@pytest.mark.parametrize("name", EVERY)
def test_what_kind_of_game_it_is_follows_from_the_rules(spiel: Any, name: str) -> None:
    kind, game = spiel.GameType, spiel.load_game(named(name))
    told = game.get_type()
    assert (told.dynamics == kind.Dynamics.SIMULTANEOUS) == (name in AT_ONCE)
    assert (told.chance_mode == kind.ChanceMode.EXPLICIT_STOCHASTIC) == (name in LUCKY)
    assert (game.num_distinct_actions(), game.max_chance_outcomes()) == (len(duel(name).moves), len(duel(name).faces))
    assert (game.max_game_length(), game.utility_sum()) == (200, 0.0)
    assert told.parameter_specification == parameters(duel(name))


def test_rules_are_parameters_and_what_cannot_be_is_said_in_a_sentence(spiel: Any) -> None:
    game = spiel.load_game("duelbook_tower(builds=1/2/5,goal=12)")
    assert (game.rules.goal, game.rules.builds, str(game)) == (12, (1, 2, 5), "duelbook_tower(builds=1/2/5,goal=12)")
    assert str(spiel.load_game("duelbook_tower", {"goal": 15})) == "duelbook_tower()"
    assert spiel.load_game("duelbook_conquer(covered_heal=false)").rules.covered_heal == 0
    assert spiel.load_game("duelbook_energy(zero=now)").rules.zero == 1
    for wrong in ("duelbook_tower(goal=1000)", "duelbook_energy(zero=never)"):
        with pytest.raises(BadRules, match="is not allowed for"):
            spiel.load_game(wrong)
    with pytest.raises(DuelError, match="The turns before the bell"):
        spiel.load_game("duelbook_tower(max_turns=-1)")
    with pytest.raises(spiel.SpielError, match="Unknown parameter 'gaol'"):
        spiel.load_game("duelbook_tower(gaol=3)")


def test_actions_have_the_words_of_the_duel_and_illegal_ones_are_refused(spiel: Any) -> None:
    state = spiel.load_game("duelbook_deck").new_initial_state()
    assert state.chance_outcomes() == [(place, 0.1) for place in range(10)]
    assert state.action_to_string(spiel.PlayerId.CHANCE, 6) == "card 7"
    state.apply_action(6)
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["attack", "heal"]
    assert str(state) == "20 20 1 1-6,8-10:7 after 0"
    tower = spiel.load_game("duelbook_tower").new_initial_state()
    with pytest.raises(IllegalMove, match="You cannot attack"):
        tower.apply_action(3)


def test_the_winner_has_1_and_the_bell_gives_nobody_anything(spiel: Any) -> None:
    state = spiel.load_game("duelbook_race(goal=2)").new_initial_state()
    assert state.returns() == [0.0, 0.0]
    state.apply_action(1)
    assert (state.is_terminal(), state.returns()) == (True, [1.0, -1.0])
    state = spiel.load_game("duelbook_secret(max_turns=1)").new_initial_state()
    state.apply_actions([9, 0])
    assert (str(state), state.is_terminal(), state.returns()) == ("100 91 10 1 after 1", True, [0.0, 0.0])


def test_a_state_is_written_down_and_read_back(spiel: Any) -> None:
    game = spiel.load_game("duelbook_deck(lp=9)")
    state = game.new_initial_state()
    for action in (3, 1, 0, 0):
        state.apply_action(action)
    also, read = spiel.deserialize_game_and_state(spiel.serialize_game_and_state(game, state))
    assert (str(also), str(read), read.history()) == (str(game), str(state), state.history())
    assert read.node == state.node


# What a seat sees


def test_an_observation_is_the_numbers_of_the_other_environments(spiel: Any) -> None:
    state = spiel.load_game("duelbook_tower(max_turns=3)").new_initial_state()
    for action in (2, 0):
        state.apply_action(action)
    assert state.observation_tensor(0) == [4, 1, 0, 0, 2]
    assert state.observation_tensor(1) == [1, 4, 1, 1, 2]
    assert state.observation_string(1) == "seat 1: 4 1 1 after 2"
    assert state.information_state_string(0) == "seat 0: build 4, build 1: 4 1 1 after 2"
    rows = [[0, 0, 1, 1, 0, 3], [0, 4, 0, 1, 1, 0], [0] * 6]
    assert state.information_state_tensor(1) == [1, 4, 1, 1, 2, *chain.from_iterable(rows)]


def test_without_a_bell_only_the_text_remembers_all(spiel: Any) -> None:
    game = spiel.load_game("duelbook_secret(max_turns=0)")
    assert not game.get_type().provides_information_state_tensor
    state = game.new_initial_state()
    state.apply_actions([9, 0])
    assert state.information_state_string(1) == "seat 1: 10/1: 100 91 10 1"
    assert state.observation_tensor(1) == [91, 100, 1, 10, 0, 0, 1]


def test_every_kind_of_observation_can_be_asked_for(spiel: Any) -> None:
    from open_spiel.python.observation import make_observation

    game = spiel.load_game("duelbook_secret")
    state = game.new_initial_state()
    state.apply_actions([9, 0])
    kind, private = spiel.IIGObservationType, spiel.PrivateInfoType
    public = make_observation(game, kind(public_info=True, perfect_recall=False, private_info=private.NONE))
    assert {public.string_from(state, seat) for seat in (0, 1)} == {"100 91 10 1 after 1"}
    hidden = make_observation(game, kind(public_info=False, perfect_recall=True, private_info=private.SINGLE_PLAYER))
    assert hidden.string_from(state, 0) == ""
    with pytest.raises(DuelError, match="takes no parameters"):
        make_observation(game, kind(perfect_recall=False), {"shape": 1})


def test_nobody_sees_a_sealed_pick(spiel: Any) -> None:
    game = spiel.convert_to_turn_based(spiel.load_game("duelbook_secret(max_turns=9)"))
    seen = []
    for pick in range(10):
        state = game.new_initial_state()
        for action in (4, 6, pick if pick != 4 else 0):
            state.apply_action(action)
        assert state.current_player() == 1
        seen.append(
            (
                state.information_state_string(1),
                state.information_state_tensor(1),
                state.observation_string(1),
                state.observation_tensor(1),
                state.legal_actions(),
            )
        )
    assert all(each == seen[0] for each in seen)


def test_openspiels_own_loop_for_learners_goes_through(spiel: Any) -> None:
    from open_spiel.python import rl_environment

    for name in SHIPPED:
        loop = rl_environment.Environment(named(name, bell=30), include_full_state=False)
        step = loop.reset()
        while not step.last():
            legal = step.observations["legal_actions"]
            whose = step.observations["current_player"]
            step = loop.step([legal[seat][0] for seat in ((whose,) if loop.is_turn_based else (0, 1))])
        assert sum(step.rewards) == 0


# OpenSpiel's values and ours


def compare(spiel: Any, name: str, rules: tuple[str, ...], still: float) -> tuple[float, int]:
    """How far apart its values and ours are at most, over every position of the game without a bell, and how many."""
    from open_spiel.python.algorithms import value_iteration

    found = value_iteration.value_iteration(spiel.load_game(named(name, *rules, bell=0)), -1, still, cyclic_game=True)
    ours = Duel(duel(name), *rules)
    states = [ours.game.read_position(ours.rules, text) for text in found]
    values = map(ours.solution.value, states)
    return max(abs(value - other) for value, other in zip(values, found.values(), strict=True)), len(found)


@pytest.fixture
def deep() -> Any:
    """OpenSpiel goes from position to position by recursion, and a way through a duel can be long."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.usefixtures("deep")
@pytest.mark.parametrize(("name", "positions"), [("conquer", 2807), ("energy", 106), ("tower", 558), ("race", 42)])
def test_value_iteration_finds_our_tables_by_the_book(spiel: Any, name: str, positions: int) -> None:
    assert compare(spiel, name, (), STILL) == (0, positions)


@pytest.mark.usefixtures("deep")
@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("energy", ("zero=now", "may_pass=always")),
        ("tower", ("goal=10", "knocked=1")),
        ("conquer", ("hp=5", "damage=1")),
    ],
)
def test_value_iteration_finds_our_tables_under_other_rules(spiel: Any, name: str, rules: tuple[str, ...]) -> None:
    assert compare(spiel, name, rules, STILL)[0] == 0


@pytest.mark.usefixtures("deep")
@pytest.mark.parametrize("name", LUCKY)
def test_value_iteration_finds_our_tables_where_there_is_luck(spiel: Any, name: str) -> None:
    assert compare(spiel, name, SMALL[name], STILL)[0] < NEAR


@pytest.mark.usefixtures("deep")
@pytest.mark.parametrize(("name", "rules"), [("secret", ("hp=3", "highest=3")), ("rps", ("hearts=2",))])
def test_value_iteration_finds_our_tables_where_both_pick(
    spiel: Any, name: str, rules: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By OpenSpiel's linear programs, with a solver that comes with cvxpy: the one it would take has no new wheels.

    Value iteration begins with 0 everywhere, so it finds what many rounds are worth. Here that is what endless play is.
    """
    from open_spiel.python.algorithms.lp_solver import LinearProgram

    monkeypatch.setattr(LinearProgram, "solve", partialmethod(LinearProgram.solve, solver="HIGHS", solver_kwargs={}))
    assert compare(spiel, name, rules, STILL_AT_ONCE)[0] < NEAR_AT_ONCE


@pytest.mark.parametrize(
    ("name", "rules"),
    [("race", ("goal=9",)), ("energy", ("energy=6",)), ("tower", ("goal=6",)), ("conquer", ("hp=2",))],
)
def test_monte_carlo_tree_search_proves_what_our_tables_say(spiel: Any, name: str, rules: tuple[str, ...]) -> None:
    """Wherever a position is won or lost soon, it finds a proof, and the move it takes loses nothing."""
    import numpy as np
    from open_spiel.python.algorithms import mcts

    game, ours = spiel.load_game(named(name, *rules, bell=30)), Duel(duel(name), *rules)
    rng, proved = np.random.RandomState(1), 0
    bot = mcts.MCTSBot(game, 2, 200, mcts.RandomRolloutEvaluator(1, rng), solve=True, random_state=rng)
    for _ in range(6):
        state = game.new_initial_state()
        while not state.is_terminal():
            root = bot.mcts_search(state)
            if root.outcome is not None and root.outcome[0] != 0:  # 0 would be the bell's
                assert root.outcome[0] == ours.solution.value(state.node.state)
                assert ours.solution.loss(state.node.state, state.current_player(), root.best_child().action) == 0
                proved += 1
            state.apply_action(int(rng.choice(state.legal_actions())))
    assert proved > 5


@pytest.mark.parametrize("name", EVERY)
def test_monte_carlo_tree_search_plays_every_duel(spiel: Any, name: str) -> None:
    """Where both pick it searches as if the first pick were seen: it runs there, and is no good."""
    import numpy as np
    from open_spiel.python.algorithms import evaluate_bots, mcts

    game, rng = spiel.load_game_as_turn_based(named(name, *SMALL[name], bell=30)), np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2, 20, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    scores = evaluate_bots.evaluate_bots(game.new_initial_state(), [bot, bot], rng)
    assert sorted(scores) in ([-1, 1], [0, 0])


FINITE = [("race", ("goal=7",), 8), ("energy", ("energy=5",), 12), ("deck", ("lp=2", "cards=3"), 5)]
"""Rules under which the bell comes too late to change what the start is worth."""


@pytest.mark.parametrize(("name", "rules", "bell"), FINITE)
def test_counterfactual_regret_minimisation_comes_to_our_values(
    spiel: Any, name: str, rules: tuple[str, ...], bell: int
) -> None:
    from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

    game, ours = spiel.load_game(named(name, *rules, bell=bell)), Duel(duel(name), *rules)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    found = solver.average_policy()
    assert exploitability.nash_conv(game, found) < 0.01
    worth = expected_game_score.policy_value(game.new_initial_state(), [found, found])
    assert worth[0] == pytest.approx(ours.value(), abs=0.01)


@pytest.mark.parametrize(("name", "rules"), [("secret", ("hp=2", "highest=3")), ("rps", ("hearts=2",))])
def test_regrets_vanish_where_both_pick(spiel: Any, name: str, rules: tuple[str, ...]) -> None:
    from open_spiel.python.algorithms import cfr, exploitability

    game = spiel.convert_to_turn_based(spiel.load_game(named(name, *rules, bell=2)))
    solver = cfr.CFRPlusSolver(game)
    gaps = []
    for _ in range(2):
        for _ in range(50):
            solver.evaluate_and_update_policy()
        gaps.append(exploitability.exploitability(game, solver.average_policy()))
    assert gaps[1] < 0.02
    assert gaps[1] <= gaps[0]


@pytest.mark.parametrize(("name", "rules", "bell"), FINITE)
def test_nobody_exploits_our_plans(spiel: Any, name: str, rules: tuple[str, ...], bell: int) -> None:
    """OpenSpiel's best response against the plans of our solution wins what the start is worth, and no more."""
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    game, solution = spiel.load_game(named(name, *rules, bell=bell)), Duel(duel(name), *rules).solution

    def plan(state: Any) -> dict[int, float]:
        shares = solution.plan(state.node.state, state.current_player())
        return {move: share for move, share in enumerate(shares) if share}

    ours = policy.tabular_policy_from_callable(game, plan)
    assert exploitability.nash_conv(game, ours) == pytest.approx(0, abs=1e-9)
    anyhow = policy.UniformRandomPolicy(game)
    assert exploitability.nash_conv(game, anyhow) > 0.1


# Processes


def python(source: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=False)


def test_a_process_that_has_registered_duels_ends_well(spiel: Any) -> None:
    done = python(
        "import duelbook.envs.openspiel, pyspiel\n"
        "game = pyspiel.load_game('duelbook_deck')\n"
        "state = game.new_initial_state()\n"
        "print(state, len(state.observation_tensor(0)))"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "20 20 1 1-10 after 0 7\n", "")


def test_importing_it_makes_guests_known_that_are_installed(
    spiel: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "race", "dash")
    arrive(monkeypatch, tmp_path)
    done = python(
        "import duelbook.envs.openspiel, pyspiel\n"
        "pyspiel.random_sim_test(pyspiel.load_game('duelbook_dash(goal=9)'), 5, True, False)\n"
        "print(sorted(name for name in pyspiel.registered_names() if name.startswith('duelbook_')))"
    )
    assert done.stderr == ""
    assert done.stdout == f"{sorted(f'duelbook_{name}' for name in (*SHIPPED, 'dash'))}\n"

"""Every duel as OpenSpiel has it: a game in Python, for its algorithms to search, solve and learn.

Importing this page makes all duels known to OpenSpiel: `pyspiel.load_game("duelbook_tower(goal=20)")`. Parameters are
the rules that can be changed, and `max_turns`: OpenSpiel's games end, so after so many turns the bell rings and
nobody has won. With `max_turns=0` there is no bell, and positions are known by their text alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

try:
    import pyspiel
except ImportError:
    needed = "duelbook.envs.openspiel needs OpenSpiel, which is not installed: pip install 'duelbook[openspiel]'"
    raise ImportError(needed) from None

from duelbook.core import BOTH, FIRST, LUCK, OVER, SECOND, Game, check_beginning, settings, variant, whole
from duelbook.envs.encoding import Encoding
from duelbook.envs.openspiel_observer import DuelObserver
from duelbook.envs.parameters import BELL_NAME, parameters, settings_of
from duelbook.envs.tree import Node, Tree
from duelbook.games import duel_of, load_all
from duelbook.match import LATEST_BELL, Step

PLAYERS: dict[int, int] = {
    FIRST: 0,
    SECOND: 1,
    BOTH: pyspiel.PlayerId.SIMULTANEOUS,
    LUCK: pyspiel.PlayerId.CHANCE,
    OVER: pyspiel.PlayerId.TERMINAL,
}


def name_of(id: str) -> str:
    """`duelbook_tower` for the duel tower."""
    return f"duelbook_{re.sub(r'[^a-z0-9]+', '_', id)}"


def register(game: str | Game) -> str:
    """Make a duel known to OpenSpiel and say under which name.

    What makes its games is a class of its own and no function: OpenSpiel lets go of it when Python has already ended,
    which kills the process unless something else holds it still, as a class does itself.
    """
    duel = duel_of(game)
    pyspiel.register_game(_kind(duel), type("DuelGame", (DuelGame,), {"duel": duel}))
    return name_of(duel.id)


def register_all() -> None:
    """Make every duel known that is installed. What its parameters are OpenSpiel wants to know at once."""
    for duel in load_all():
        register(duel)


def _kind(duel: Game, recalled: bool = True) -> Any:
    """What OpenSpiel is told of a duel, all of it read off its rules.

    Information is perfect also where both pick at once: nothing stays hidden beyond the round, which is what OpenSpiel
    means by it.
    """
    kinds = pyspiel.GameType
    at_once, luck = hasattr(duel.rules_file, "resolve"), bool(duel.faces)
    return kinds(
        short_name=name_of(duel.id),
        long_name=duel.name,
        dynamics=kinds.Dynamics.SIMULTANEOUS if at_once else kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if luck else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=recalled,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=parameters(duel),
    )


class DuelGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A duel under the rules that its parameters name. Which duel it is says the class that `register` makes."""

    duel: Game

    def __init__(self, given: Mapping[str, object] | None = None) -> None:
        duel = self.duel
        book, given = parameters(duel), given or {}
        self.rules = variant(duel, settings_of(duel, given))
        check_beginning(duel, self.rules)
        bell = whole(given.get(BELL_NAME, book[BELL_NAME]), "The turns before the bell", 0, LATEST_BELL)
        self.tree = Tree(duel, self.rules, bell)
        self.words: tuple[str, ...] = duel.dialogue.words(self.rules)
        """What each action is called."""
        info = pyspiel.GameInfo(
            num_distinct_actions=len(duel.moves),
            max_chance_outcomes=len(duel.faces),
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=bell or LATEST_BELL,
        )
        changed = {name: value for name, value in given.items() if value != book.get(name)}
        super().__init__(_kind(duel, recalled=bell > 0), info, changed)

    @cached_property
    def encoding(self) -> Encoding:
        """What the numbers of an observation are. Only who asks for them waits until all positions were looked at."""
        return Encoding(self.duel, settings(self.duel, self.rules))

    def new_initial_state(self) -> DuelState:
        return DuelState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> DuelObserver:
        return DuelObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)

    def told(self, step: Step) -> str:
        """What happened in a step, in the words of the duel."""
        if step.turn == LUCK:
            return self.face_word(step.play)
        if step.turn == BOTH:
            return "/".join(self.words[pick] for pick in step.play)
        return self.words[int(step.play)]

    def face_word(self, face: int) -> str:
        return f"{self.duel.chance.face} {face}"


class DuelState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A node of the tree. OpenSpiel copies and writes down what is in its `__dict__`, so there is nothing else."""

    def __init__(self, game: DuelGame) -> None:
        super().__init__(game)
        self.node: Node = game.tree.root

    @property
    def _game(self) -> DuelGame:
        game: DuelGame = self.get_game()
        return game

    def current_player(self) -> int:
        return PLAYERS[self.node.turn]

    def is_terminal(self) -> bool:
        return self.node.turn == OVER

    def returns(self) -> list[float]:
        paid = float(self.node.paid)
        return [paid, -paid + 0.0]

    def _legal_actions(self, player: int) -> list[int]:
        return self._game.tree.legal(self.node, player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self._game.tree.chances(self.node)

    def _apply_action(self, action: int) -> None:
        tree = self._game.tree
        self.node = tree.deal(self.node, action) if self.node.turn == LUCK else tree.play(self.node, action)

    def _apply_actions(self, actions: list[int]) -> None:
        self.node = self._game.tree.reveal(self.node, *actions)

    def _action_to_string(self, player: int, action: int) -> str:
        game = self._game
        return game.face_word(game.duel.faces[action]) if player == pyspiel.PlayerId.CHANCE else game.words[action]

    def __str__(self) -> str:
        return self._game.tree.text(self.node)


register_all()

"""Every duel as an environment of OpenEnv: one agent against a player of ours, made from the rules and nothing else."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State
from pydantic import Field

from duelbook import __version__
from duelbook.agents.episode import Episode
from duelbook.agents.questions import standing
from duelbook.core import DuelError
from duelbook.games import game_ids
from duelbook.speech import either

MOST_AT_ONCE = 64
"""Episodes that one server carries on."""


class DuelAction(Action):  # type: ignore[misc]  # OpenEnv is skipped by the checker: not everybody has it
    move: str = Field(
        description="a move or a pick in the words of the game, one of the legal moves of the observation"
    )


class DuelObservation(Observation):  # type: ignore[misc]  # as above
    duel: str = Field(default="", description="the duel's id")
    rules: list[str] = Field(default=[], description="what differs from the book")
    player: int = Field(default=1, description="the agent's seat: 1 or 2")
    position: str = Field(default="", description="where the game stands, as text")
    said: list[str] = Field(default=[], description="the same for people")
    legal_moves: list[str] = Field(default=[], description="what the agent may play now, in the words of the game")
    happened: list[str] = Field(default=[], description="what was told since the agent's last decision")
    error: str = Field(default="", description="why the last move was refused, and what would be legal; else empty")
    lost: float | None = Field(
        default=None, description="the win probability that the last decision gave away, exactly, from 0 to 1"
    )
    result: str = Field(default="*", description="1-0, 0-1, 1/2-1/2, or * while nobody has won")
    reason: str | None = Field(default=None, description="how it ended; null while it goes on")
    record: str = Field(default="", description="once it is over, the game as a .duel text")


class DuelState(State):  # type: ignore[misc]  # as above
    duel: str = Field(default="", description="the duel's id")
    opponent: str = Field(default="", description="who sits across: random, level:3, perfect ...")
    position: str = Field(default="", description="where the game stands, as text")
    faults: int = Field(default=0, description="how many moves were refused so far")


class DuelEnvironment(Environment):  # type: ignore[misc]  # as above
    """An episode is a game. What is asked for stands in `reset`: the duel, the opponent, the seat, the rules."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._episode: Episode | None = None
        self._state = DuelState(episode_id=str(uuid4()), step_count=0)

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        duel: str | None = None,
        opponent: str = "level:3",
        player: int = 1,
        rules: list[str] | None = None,
        position: str | None = None,
    ) -> DuelObservation:
        """Begin a game; without a duel, of the first one that is installed."""
        episode = Episode(duel or game_ids()[0], opponent, player, rules or [], position, seed)
        self._episode = episode
        self._state = DuelState(
            episode_id=episode_id or str(uuid4()), step_count=0, duel=episode.match.game.id, opponent=episode.opponent
        )
        return self._seen(episode, "")

    def step(self, action: DuelAction, timeout_s: float | None = None, **_ignored: object) -> DuelObservation:
        """Decide. A decision takes no time to speak of, so a limit of time changes nothing."""
        if self._episode is None:
            raise DuelError("Nothing has begun: reset comes first, over a connection that stays open.")
        refused = self._episode.act(action.move)
        self._state.step_count += 1
        return self._seen(self._episode, refused)

    def _seen(self, episode: Episode, refused: str) -> DuelObservation:
        where = standing(episode.match)
        self._state.position, self._state.faults = where.position, episode.faults
        return DuelObservation(
            done=episode.over,
            reward=episode.reward,
            duel=where.duel,
            rules=where.rules,
            player=episode.seat + 1,
            position=where.position,
            said=where.said,
            legal_moves=episode.legal(),
            happened=episode.happened,
            error=refused,
            lost=episode.lost,
            result=where.result,
            reason=where.reason,
            record=episode.record() if episode.over else "",
        )

    @property
    def state(self) -> DuelState:
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        duels = either(game_ids(), "and")
        return EnvironmentMetadata(
            name="duelbook",
            description=f"Two-player duels, solved exactly, against opponents of every strength: {duels}.",
            version=__version__,
        )


def application() -> Any:
    """The application of OpenEnv that serves it: over HTTP, and over WebSockets for whole episodes."""
    return create_app(
        DuelEnvironment,
        DuelAction,
        DuelObservation,
        env_name="duelbook",
        max_concurrent_envs=MOST_AT_ONCE,
        state_cls=DuelState,
    )

"""The client of the environment for OpenEnv: what is sent as data, and what comes back as an observation."""

from __future__ import annotations

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult

from duelbook.agents.openenv_server import DuelAction, DuelObservation, DuelState


class DuelEnv(EnvClient[DuelAction, DuelObservation, DuelState]):  # type: ignore[misc]  # OpenEnv is skipped by the checker
    """`with DuelEnv(base_url="http://127.0.0.1:8000").sync() as env: env.reset(duel="tower", opponent="perfect")`"""

    def _step_payload(self, action: DuelAction) -> dict[str, Any]:
        return {"move": action.move}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[DuelObservation]:
        reward, done = payload.get("reward"), bool(payload.get("done", False))
        seen = DuelObservation(**payload.get("observation", {}) | {"reward": reward, "done": done})
        return StepResult(observation=seen, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> DuelState:
        return DuelState(**payload)

"""What an environment showed after reset or after a step, whatever kind of environment it is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from duelbook.foreign.figures import figures


@dataclass(frozen=True)
class Answer:
    observed: Any = None
    info: Any = None
    shown: str | None = None
    """What render gave, as text."""
    rewards: tuple[float, ...] = (0.0,)
    """One number, whoever's it is; or one for each seat."""
    terminated: bool = False
    truncated: bool = False
    listed: tuple[Any, ...] | None = None
    """What it says may be played now, if it says so."""
    raised: str = ""
    """What the step raised, where it failed."""
    count: int = 0
    """On the last answer: how many steps were taken."""

    @cached_property
    def sight(self) -> str:
        """All that can be seen here, as one text: two answers with the same show the same."""
        return json.dumps([self.observed, self.info, self.shown], sort_keys=True)

    @cached_property
    def figures(self) -> dict[str, int]:
        return figures(observation=self.observed, info=self.info, render=self.shown)

    @property
    def said(self) -> str:
        """Its words, as far as it speaks in words."""
        return "\n".join(each for each in (self.observed, self.shown, str(self.info)) if isinstance(each, str))

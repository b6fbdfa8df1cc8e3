"""How far solving has come and about how long it will still take, for whoever waits.

A solver goes through a few steps that are known beforehand. What each will take is guessed from the size of the duel
and from what is compiled already; how long the steps took that are done says by how much the guess was wrong here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any, NamedTuple

from duelbook.patience import still
from duelbook.positions.machine import Machine, is_compiled
from duelbook.solving.equal_picks import choose_picks
from duelbook.solving.equal_with_luck import narrow
from duelbook.solving.facts import tell_apart
from duelbook.solving.promises import keep_promises
from duelbook.solving.recursive import bracket


class Step(NamedTuple):
    words: str
    share: float
    """Of the whole work, once everything is compiled."""
    to_compile: float = 0.0
    """About how many seconds go by before that, where nothing is compiled yet."""
    function: Any = None
    """What is compiled then and stays so; None where it has to be done for every variant."""


STEPS = {
    "backwards": (
        Step("Finding every position", 0.5),
        Step("Going back from the ends", 0.2),
        Step("Choosing among equal moves", 0.3),
    ),
    "luck": (
        Step("Finding every position", 0.35, 3.3),
        Step("Closing in on the chances", 0.15, 0.4),
        Step("Choosing among equal moves", 0.5, 1.5, narrow),
    ),
    "picks": (
        Step("Finding every position", 0.28, 2.0),
        Step("Closing in on the values", 0.4, 4.8, bracket),
        Step("Making plans that keep them", 0.02, 1.6, keep_promises),
        Step("Choosing among equal picks", 0.28, 1.6, choose_picks),
        Step("Writing it down", 0.02, 0.5, tell_apart),
    ),
}
"""By the kind of duel, in their order. Measured on the books and on variants of them."""


class Progress:
    """Told by a solver when each step begins, and asked by whoever waits."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.steps: Sequence[Step] = ()
        self.expected: list[float] = []
        self.begun: list[float] = []
        """When each step began."""
        self.clock = clock

    def plan(self, kind: str, seconds: float, machine: Machine) -> None:
        """What lies ahead, where running alone takes about so many seconds."""
        self.steps, self.begun = STEPS[kind], []
        self.expected = [seconds * step.share + _compiling(step, machine) for step in self.steps]

    def next(self) -> None:
        self.begun.append(self.clock())

    @property
    def left(self) -> float:
        """About how many seconds it will still take, at the pace of the steps that are done."""
        at, now = len(self.begun), self.clock()
        if at == 0:
            return sum(self.expected)
        done = sum(self.expected[: at - 1])
        pace = (self.begun[-1] - self.begun[0]) / done if done else 1.0
        return max(pace * self.expected[at - 1] - (now - self.begun[-1]), 0.0) + pace * sum(self.expected[at:])

    @property
    def part(self) -> float:
        """How much of it is done, from 0 to 1."""
        gone = self.clock() - self.begun[0] if self.begun else 0.0
        return gone / (gone + self.left) if gone else 0.0

    @property
    def step(self) -> str:
        """What is being done."""
        at = len(self.begun)
        return f"{self.steps[at - 1].words} ({at} of {len(self.steps)})" if at else "Getting ready"

    def __str__(self) -> str:
        return f"{self.step}, {still(self.left)}"


def _compiling(step: Step, machine: Machine) -> float:
    ready = not machine.compiled or (step.function is not None and is_compiled(machine.twin(step.function)))
    return 0.0 if ready else step.to_compile

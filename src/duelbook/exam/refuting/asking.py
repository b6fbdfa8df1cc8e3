"""A player who is asked what it does, one position after another, and asked again to be sure.

The second time everything is different but the position: the order is, the number of the turn is, and of a program it
is another process. Whoever still answers the same is taken to do so always. Whoever does not is not refuted by what it
once said.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from duelbook.core import SomeState
from duelbook.exam.examinee import Candidate, Seated
from duelbook.exam.paper import Question, Subject
from duelbook.luck import derive

FAULT = -1
"""Stands where a move would, when there is none: whoever fails has lost."""
MOST_FAULTS = 25
"""After so many faults nobody is asked any more: each may have cost a process, or all the time that there is."""
LATER = 2
"""The second time, a turn is said to be so much later: an even number, since players take turns."""


class Said(NamedTuple):
    """What a player does at a position."""

    shares: tuple[tuple[int, float], ...]
    """Moves with the chance of each; one with the chance 1 from whoever is asked for a move."""
    fault: str = ""
    sentence: str = ""

    @property
    def only(self) -> int | None:
        """The one move that is made here; None where there are several."""
        return self.shares[0][0] if len(self.shares) == 1 else None


class Differs(NamedTuple):
    """A position at which a player did one thing and then another."""

    state: SomeState
    first: Said
    second: Said


Hear = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""


class Asker:
    """One player in one seat of one duel."""

    def __init__(self, candidate: Candidate, subject: Subject, seat: int, seed: int) -> None:
        self.candidate, self.subject, self.seat, self._seed = candidate, subject, seat, seed
        self._seated = Seated(candidate, seed)
        self._restarts = 0
        self.times = 0
        """How often it was asked,"""
        self.asked: set[SomeState] = set()
        """and where, whatever for: to know it, to be sure, or in a game."""

    def restart(self) -> None:
        """Go on with another process of a program, and with answers of a model that nobody has had yet; an object stays
        what it is. What a model said before is at hand under the seed under which it said it: to be told that again
        would prove nothing."""
        self._seated.close()
        self._restarts += 1
        self._seated = Seated(self.candidate, derive(self._seed, "again", self._restarts))

    def begin(self) -> None:
        """Get ready for a new game. Who cannot is told by a PlayerFault."""
        self._seated.begin(self._question(self.subject.game.start(self.subject.rules, 0), 0).view)

    def ask(self, state: SomeState, number: int) -> Said:
        self.times += 1
        self.asked.add(state)
        answer = self._seated.answer(self._question(state, number), 0)
        if answer.fault:
            return Said(((FAULT, 1.0),), answer.fault, answer.sentence)
        if answer.plan is not None:
            return Said(tuple((move, share) for move, share in enumerate(answer.plan) if share > 0))
        assert answer.move is not None  # of move, plan and fault one is there
        return Said(((answer.move, 1.0),))

    def _question(self, state: SomeState, number: int) -> Question:
        return Question(number, self.subject, state, self.seat, (), 0.0)

    def close(self) -> None:
        self._seated.close()


class Answers:
    """What a player has said so far, within what it may be asked."""

    def __init__(self, asker: Asker, most: int, hear: Hear) -> None:
        self._asker, self._hear = asker, hear
        self.most = most
        self.said: dict[SomeState, Said] = {}
        self.numbers: dict[SomeState, int] = {}
        """Which turn it was said to be."""
        self.faults: list[SomeState] = []

    @property
    def enough(self) -> bool:
        return len(self.said) >= self.most or len(self.faults) >= MOST_FAULTS

    def ask(self, state: SomeState, number: int) -> Said | None:
        """What it does here; None once it was asked all that it may be."""
        known = self.said.get(state)
        if known is not None or self.enough:
            return known
        said = self.said[state] = self._asker.ask(state, number)
        self.numbers[state] = number
        if said.fault:
            self.faults.append(state)
        if len(self.said) % 100 == 0:
            self._hear("Asking for its answers", len(self.said), self.most)
        return said

    def again(self, states: list[SomeState]) -> Differs | None:
        """Ask once more, the last first; the first difference that is found. Of faults only the first few."""
        self._asker.restart()
        faults = 0
        for at, state in enumerate(reversed(states)):
            first = self.said[state]
            faults += bool(first.fault)
            if first.fault and faults > MOST_FAULTS // 5:
                continue
            second = self._asker.ask(state, self.numbers[state] + LATER)
            if (first.shares, first.fault) != (second.shares, second.fault):
                return Differs(state, first, second)
            if at % 100 == 0:
                self._hear("Asking everything again", at, len(states))
        return None

"""What a player's answers lose against perfect play: at every position that it was asked, or over a whole table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from duelbook.core import LUCK, SomeState
from duelbook.exam.paper import Subject
from duelbook.exam.refuting.asking import FAULT, Said
from duelbook.policies.forward_picks import AtOnce
from duelbook.policies.forward_turns import Alone
from duelbook.policies.ladder import laid_out
from duelbook.positions.layout import Numbering
from duelbook.positions.machine import Machine, compiling
from duelbook.positions.numbers import Numbers
from duelbook.positions.size import there_is_a_compiler
from duelbook.solving.recursive import explore_simultaneous

MANY_PICKS = 15_000
"""From so many rounds on it takes less time to lay the whole duel out than to look at each by itself."""


class Slip(NamedTuple):
    """A decision that loses something, and of all that is done there the move that loses most."""

    state: SomeState
    move: int
    lost: float
    """What this move loses, in win probability from 0 to 1."""
    share: float
    """How likely the move is made; 1 by whoever makes no other there."""
    mean: float
    """What the decision loses, over all moves that are made there: each as much as it is likely."""


class Lost(NamedTuple):
    decisions: int
    """How many were looked at."""
    total: float
    """What all of them lose together, in win probability."""
    slips: tuple[Slip, ...] = ()
    """Those that lose something, the highest mean first; none of a player who is a table, of which only numbers are
    kept."""
    losing: int = 0
    """How many lose something."""
    worst: float = 0.0
    """The most that one of them loses: of whoever makes several moves at a place, its mean there."""

    @property
    def mean(self) -> float:
        return self.total / self.decisions if self.decisions else 0.0


def losses_of(subject: Subject, seat: int, said: Mapping[SomeState, Said]) -> Lost:
    """What every answer loses; a fault is no move and is counted by itself."""
    lose = _by_table(subject, seat) if _many_picks(subject, len(said)) else _one_by_one(subject, seat)
    slips, total, decisions = list[Slip](), 0.0, 0
    for state, each in said.items():
        moves = [(move, share) for move, share in each.shares if move != FAULT]
        decisions += bool(moves)
        lost = [(lose(state, move), share, move) for move, share in moves]
        mean = sum(loss * share for loss, share, _ in lost)
        total += mean
        if mean > 0:
            most, share, move = max(lost)
            slips.append(Slip(state, move, most, share, mean))
    slips.sort(key=lambda slip: -slip.mean)
    return Lost(decisions, total, tuple(slips), len(slips), slips[0].mean if slips else 0.0)


def _many_picks(subject: Subject, count: int) -> bool:
    return subject.solution.kind == "picks" and count > MANY_PICKS and there_is_a_compiler()


def _one_by_one(subject: Subject, seat: int) -> Callable[[SomeState, int], float]:
    return lambda state, move: subject.solution.loss(state, seat, move) / 2


def _by_table(subject: Subject, seat: int) -> Callable[[SomeState, int], float]:
    """The same where both pick at once, from the table that has what every pick loses."""
    import numpy as np

    game, rules, solution = subject.game, subject.rules, subject.solution
    table, _ = laid_out(solution.game, rules)
    assert isinstance(table, AtOnce)  # both pick here
    positions = explore_simultaneous(solution.game, rules, compiling())
    numbering = Numbering(positions.layout, type(game.start(rules, 0)), positions.turns_round)
    numbers = np.sort(positions.numbers)

    def lose(state: SomeState, move: int) -> float:
        if not game.legal(rules, state, seat, move):  # a foul, which the table does not have
            return solution.loss(state, seat, move) / 2
        number, turned = numbering.find(state)
        node = int(np.searchsorted(numbers, number))
        return float(table.losses[seat ^ int(turned)][node * table.picks + move])

    return lose


def losses_of_table(table: Alone | AtOnce, machine: Machine, plan: Any) -> Lost:
    """What a player who is a table loses, over all decisions that there are."""
    count = machine.twin(_counted)
    if isinstance(table, Alone):
        parts = [count(table.kinds, table.starts, plan, table.losses)]
    else:
        nobody = machine.array([0] * len(table.symmetric))
        starts = table.starts(machine)
        parts = [count(nobody, starts, *each) for each in zip(plan, table.losses, strict=True)]
    decisions, losing = (int(sum(part[at] for part in parts)) for at in (0, 1))
    total, worst = float(sum(part[2] for part in parts)), float(max(part[3] for part in parts))
    return Lost(decisions, total, (), losing, worst)


def _counted(
    kinds: Numbers[int], starts: Numbers[int], plan: Numbers[float], losses: Numbers[float]
) -> tuple[int, int, float, float]:
    """How many decisions there are, how many lose something, what all lose together, and the most that one does."""
    decisions, losing, total, worst = 0, 0, 0.0, 0.0
    for node in range(len(kinds)):
        if kinds[node] != LUCK:
            lost = 0.0
            for edge in range(starts[node], starts[node + 1]):
                lost += plan[edge] * losses[edge]
            decisions += 1
            if lost > 0.0:
                losing += 1
            total += lost
            worst = max(worst, lost)
    return decisions, losing, total, worst

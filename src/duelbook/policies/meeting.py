"""How a match between two players of known strength ends, as numbers."""

from __future__ import annotations

from typing import NamedTuple

from duelbook.positions.numbers import Numbers

DIGITS = 12
"""Chances are kept to so many digits: more than is shown, fewer than rounding can spoil."""
NO_RESULT = 3
"""How a match ends that the bell ends; in a list of ends it stands behind both seats and DRAW."""
DUST = 1e-22
"""A position less likely than this is not followed. What all of them have together counts as no result."""

Slips = tuple[float, float]
"""How often each seat slips."""
Sums = tuple[Numbers[float], Numbers[float]]
"""How likely each end is, by its winner; and the decisions of both seats, then what they lose."""


class Meeting(NamedTuple):
    """The chances of every end, seen from Player 1, who moves first, and what each seat's decisions give away."""

    win: float
    draw: float
    loss: float
    no_result: float
    """The bell rang first."""
    decisions: tuple[float, float]
    """How many decisions each seat makes in a match, on average over all matches."""
    lost: tuple[float, float]
    """How much win probability each seat's decisions lose in a match, on average over all matches."""

    @property
    def score(self) -> float:
        """Player 1's wins, and half of what nobody won."""
        return self.win + (self.draw + self.no_result) / 2

    def loss_per_decision(self, seat: int) -> float:
        return self.lost[seat] / self.decisions[seat] if self.decisions[seat] else 0.0

    def turned(self) -> Meeting:
        """The same match with the seats swapped, in a duel that is the same for both."""
        return Meeting(self.loss, self.draw, self.win, self.no_result, self.decisions[::-1], self.lost[::-1])

    def rounded(self) -> Meeting:
        return from_row([round(number, DIGITS) for number in self.row()])

    def row(self) -> list[float]:
        """Plain numbers, for a file."""
        return [*self[:4], *self.decisions, *self.lost]


MOST = 1e9
"""Nothing is counted as often as this in a match."""


def from_row(row: list[float]) -> Meeting:
    """From plain numbers, as a file has them. What cannot be chances and counts is a ValueError."""
    if not all(type(number) in (int, float) and 0 <= number <= MOST for number in row):
        raise ValueError("chances and counts are numbers, and none is below 0")
    win, draw, loss, no_result, decisions_1, decisions_2, lost_1, lost_2 = map(float, row)
    if abs(win + draw + loss + no_result - 1) > 1e-6:
        raise ValueError("chances add up to 1")
    return Meeting(win, draw, loss, no_result, (decisions_1, decisions_2), (lost_1, lost_2))


def from_sums(sums: Sums) -> Meeting:
    (win, loss, draw, no_result), (decisions_1, decisions_2, lost_1, lost_2) = (
        [float(row[place]) for place in range(4)] for row in sums
    )
    return Meeting(win, draw, loss, no_result, (decisions_1, decisions_2), (lost_1, lost_2))

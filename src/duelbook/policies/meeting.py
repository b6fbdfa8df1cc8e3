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

Plan = Numbers[float]
"""How likely a player makes each move of every position."""
Sums = tuple[Numbers[float], Numbers[float]]
"""How likely each end is, by its winner; and the decisions of both seats, then what they lose, then their slips."""


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
    slips: tuple[float, float]
    """How many decisions of each seat in a match lose anything, on average over all matches."""

    @property
    def score(self) -> float:
        """Player 1's wins, and half of what nobody won."""
        return self.win + (self.draw + self.no_result) / 2

    def loss_per_decision(self, seat: int) -> float:
        return self.lost[seat] / self.decisions[seat] if self.decisions[seat] else 0.0

    def turned(self) -> Meeting:
        """The same match with the seats swapped, in a duel that is the same for both."""
        swapped = (pair[::-1] for pair in (self.decisions, self.lost, self.slips))
        return Meeting(self.loss, self.draw, self.win, self.no_result, *swapped)

    def rounded(self) -> Meeting:
        return from_row([round(number, DIGITS) for number in self.row()])

    def row(self) -> list[float]:
        """Plain numbers, for a file."""
        return [*self[:4], *self.decisions, *self.lost, *self.slips]


MOST = 1e9
"""Nothing is counted as often as this in a match."""


def from_row(row: list[float]) -> Meeting:
    """From plain numbers, as a file has them. What cannot be chances and counts is a ValueError."""
    if not all(type(number) in (int, float) and 0 <= number <= MOST for number in row):
        raise ValueError("chances and counts are numbers, and none is below 0")
    win, draw, loss, no_result, *counts = map(float, row)
    decisions, lost, slips = zip(counts[::2], counts[1::2], strict=True)
    if abs(win + draw + loss + no_result - 1) > 1e-6:
        raise ValueError("chances add up to 1")
    return Meeting(win, draw, loss, no_result, decisions, lost, slips)


def from_sums(sums: Sums) -> Meeting:
    ends, seats = sums
    win, loss, draw, no_result = (float(ends[place]) for place in range(4))
    decisions, lost, slips = ((float(seats[place]), float(seats[place + 1])) for place in (0, 2, 4))
    return Meeting(win, draw, loss, no_result, decisions, lost, slips)

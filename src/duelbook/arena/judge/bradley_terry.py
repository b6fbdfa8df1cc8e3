"""Strengths from results: the model of Bradley and Terry, with ties as Davidson has them, and a first-seat advantage.

Every player has a strength. Where the first of two players sits in the first seat of a duel, let

    d = strength of the first - strength of the second + the first seat's advantage in this duel

Then a win, a tie and a loss of the first player are as likely as e^(d/2) : t : e^(-d/2), where t says how often this
duel is tied. Whatever t is, a win is e^d times as likely as a loss. A duel that was never tied has no t.

The logarithm of the likelihood is concave, so Newton's method finds its one maximum. A weak prior makes sure that it
lies somewhere: without it a player who won everything would be infinitely strong, and so would a seat be that nobody
lost in. On each number it says less than one game of two equals would.

The interval comes from the curvature at the maximum. One thing is added: the two games of a pair share their luck, so
what surprised us in one is no independent news in the other. How far such surprises go together is measured and the
covariance is made by it (see `_sharing`).

Strengths are in natural units here; a difference of 1 stands for 173.7 Elo. Plain Python throughout.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log, sqrt
from typing import NamedTuple

ELO = 400 / log(10)
"""Elo in one natural unit."""
PRIOR = 600 / ELO
"""How far from the middle a strength is thought to lie before any game, and a seat's advantage from none.

A narrower one for seats would be wrong where it matters: between strong players the seat decides nearly everything.
"""
TIE_PRIOR = 3.0
"""The same for the logarithm of t."""
STEPS, EXACT = 100, 1e-10
FEW_PAIRS = 10
"""A correlation that was measured on so many pairs is believed by half."""
MOST_SHARED = 0.9


class Games(NamedTuple):
    """Games of two players in one duel, each in the same seat all the time."""

    first: int
    second: int
    duel: int
    wins: float
    ties: float
    losses: float

    @property
    def total(self) -> float:
        return self.wins + self.ties + self.losses


class Pair(NamedTuple):
    """Two games with the seats swapped and the same luck, each with what it was worth to its first seat: 1, 0, -1."""

    one: int
    two: int
    duel: int
    ends: tuple[int, int]
    """The first game, in which `one` sits in the first seat, and the second, in which `two` does."""


Matrix = list[list[float]]


class Fit(NamedTuple):
    """Strengths, then seat advantages, then the logarithms of t, as `places` lists them."""

    values: list[float]
    covariance: Matrix
    places: dict[tuple[str, int], int]
    """Where each number stands: ("player", 3), ("seat", 0), ("tie", 0)."""

    def of(self, what: str, number: int) -> float | None:
        at = self.places.get((what, number))
        return None if at is None else self.values[at]

    def variance(self, weights: Mapping[int, float]) -> float:
        """The variance of a weighted sum of the numbers at these places."""
        return sum(
            mine * theirs * self.covariance[row][column]
            for row, mine in weights.items()
            for column, theirs in weights.items()
        )


class _Model:
    def __init__(self, games: Sequence[Games], fixed: Mapping[int, float], centre: float, weight: float) -> None:
        self.games = [each for each in games if each.total]
        self.fixed, self.centre, self.weight = fixed, centre, weight
        players = sorted({seat for each in self.games for seat in each[:2]} - set(fixed))
        duels = sorted({each.duel for each in self.games})
        tied = sorted({each.duel for each in self.games if each.ties})
        names = [("player", number) for number in players] + [("seat", duel) for duel in duels]
        names += [("tie", duel) for duel in tied]
        self.places = {name: place for place, name in enumerate(names)}
        self.size = len(names)

    def beginning(self) -> list[float]:
        """Where the search starts: everybody in the middle, no advantage, a tie as likely as a win."""
        return [self.centre if what == "player" else 0.0 for what, _ in self.places]

    def design(self, first: int, second: int, duel: int) -> list[tuple[int, float]]:
        """Which numbers make d, and with which sign."""
        signs = ((("player", first), 1.0), (("player", second), -1.0), (("seat", duel), 1.0))
        return [(self.places[name], sign) for name, sign in signs if name in self.places]

    def chances(self, values: Sequence[float], first: int, second: int, duel: int) -> tuple[float, float, float]:
        """How likely a win, a tie and a loss of the first player are."""
        d = sum(sign * values[place] for place, sign in self.design(first, second, duel))
        d += self.fixed.get(first, 0.0) - self.fixed.get(second, 0.0)
        tie = self.places.get(("tie", duel))
        powers = [d / 2, values[tie] if tie is not None else -1e9, -d / 2]
        top = max(powers)
        raw = [exp(max(power - top, -700.0)) if power > -1e8 else 0.0 for power in powers]
        whole = sum(raw)
        return raw[0] / whole, raw[1] / whole, raw[2] / whole

    def likelihood(self, values: Sequence[float]) -> float:
        total = -sum(self._pull(name, value)[0] for name, value in zip(self.places, values, strict=True))
        for each in self.games:
            chances = self.chances(values, *each[:3])
            total += sum(count * log(max(chance, 1e-300)) for count, chance in zip(each[3:], chances, strict=True))
        return total

    def _pull(self, name: tuple[str, int], value: float) -> tuple[float, float, float]:
        """The prior: how little it likes a value, with the first and second slope of that."""
        width = {"player": PRIOR, "seat": PRIOR, "tie": TIE_PRIOR}[name[0]]
        away = value - (self.centre if name[0] == "player" else 0.0)
        stiff = self.weight / width**2
        return stiff * away * away / 2, stiff * away, stiff

    def slopes(self, values: Sequence[float]) -> tuple[list[float], Matrix]:
        """The gradient of the logarithm of the likelihood, and minus its second derivatives."""
        gradient = [0.0] * self.size
        bend = [[0.0] * self.size for _ in range(self.size)]
        for place, (name, value) in enumerate(zip(self.places, values, strict=True)):
            _, gradient_there, stiff = self._pull(name, value)
            gradient[place] -= gradient_there
            bend[place][place] += stiff
        for each in self.games:
            self._add(each, values, gradient, bend)
        return gradient, bend

    def _add(self, each: Games, values: Sequence[float], gradient: list[float], bend: Matrix) -> None:
        win, tie, loss = self.chances(values, *each[:3])
        count, lean = each.total, (win - loss) / 2
        slope = (each.wins - each.losses) / 2 - count * lean
        curve = count * ((win + loss) / 4 - lean * lean)
        design = self.design(*each[:3])
        at = self.places.get(("tie", each.duel))
        for row, mine in design:
            gradient[row] += mine * slope
            for column, theirs in design:
                bend[row][column] += mine * theirs * curve
            if at is not None:
                bend[row][at] -= mine * count * lean * tie
                bend[at][row] -= mine * count * lean * tie
        if at is not None:
            gradient[at] += each.ties - count * tie
            bend[at][at] += count * tie * (1 - tie)


def fit(
    games: Sequence[Games],
    fixed: Mapping[int, float],
    pairs: Sequence[Pair] = (),
    *,
    centre: float = 0.0,
    prior: float = 1.0,
) -> Fit:
    """The likeliest strengths of everybody who is not fixed. `pairs` are those games that share their luck."""
    model = _Model(games, fixed, centre, prior)
    values = model.beginning()
    reached = model.likelihood(values)
    for _ in range(STEPS):
        gradient, bend = model.slopes(values)
        step = solved(bend, gradient)
        size = 1.0
        while True:
            tried = [value + size * move for value, move in zip(values, step, strict=True)]
            found = model.likelihood(tried)
            if found >= reached - 1e-12 * abs(reached) or size < 1e-6:
                break
            size /= 2
        values, reached = tried, found
        if max(map(abs, step), default=0.0) * size < EXACT:
            break
    _, bend = model.slopes(values)
    inverse = inverted(bend)
    shared = _sharing(model, values, pairs)
    middle = [[here + there for here, there in zip(*rows, strict=True)] for rows in zip(bend, shared, strict=True)]
    covariance = product(product(inverse, middle), inverse) if pairs else inverse
    return Fit(values, covariance, model.places)


def _sharing(model: _Model, values: Sequence[float], pairs: Sequence[Pair]) -> Matrix:
    """What shared luck adds to the variance of the gradient.

    In every duel the correlation of the two surprises of a pair is measured, a surprise being what the game gave its
    first seat beyond what was expected. It is drawn towards none where pairs are few, and kept below 1, so that no
    variance can become negative. Luck that favours the first seat favours one player and then the other: a positive
    correlation makes differences between players surer, and the seat's advantage less sure.
    """
    added = [[0.0] * model.size for _ in range(model.size)]
    for duel in {pair.duel for pair in pairs}:
        theirs = [pair for pair in pairs if pair.duel == duel]
        surprises = [_surprises(model, values, pair) for pair in theirs]
        whole = sum(sqrt(one[1] * two[1]) for one, two in surprises)
        if not whole:
            continue
        measured = sum(one[0] * two[0] for one, two in surprises) / whole
        believed = measured * len(theirs) / (len(theirs) + FEW_PAIRS)
        correlation = max(-MOST_SHARED, min(MOST_SHARED, believed))
        for pair, (one, two) in zip(theirs, surprises, strict=True):
            both = correlation * sqrt(one[1] * two[1])
            mine = model.design(pair.one, pair.two, duel)
            yours = model.design(pair.two, pair.one, duel)
            for row, left in mine:
                for column, right in yours:
                    added[row][column] += left * right * both
                    added[column][row] += left * right * both
    return added


def _surprises(model: _Model, values: Sequence[float], pair: Pair) -> tuple[tuple[float, float], tuple[float, float]]:
    """For each game of a pair how far it went from what was expected, and the variance of that."""
    found = []
    for seats, end in zip(((pair.one, pair.two), (pair.two, pair.one)), pair.ends, strict=True):
        win, _, loss = model.chances(values, *seats, pair.duel)
        lean = (win - loss) / 2
        found.append((end / 2 - lean, (win + loss) / 4 - lean * lean))
    return found[0], found[1]


# A little algebra


def solved(matrix: Matrix, right: Sequence[float]) -> list[float]:
    """The x for which matrix x = right, by elimination. The matrices here are symmetric and positive."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    return [row[-1] for row in _eliminated(rows)]


def inverted(matrix: Matrix) -> Matrix:
    size = len(matrix)
    rows = [[*row, *(1.0 if at == place else 0.0 for at in range(size))] for place, row in enumerate(matrix)]
    return [row[size:] for row in _eliminated(rows)]


def _eliminated(rows: Matrix) -> Matrix:
    size = len(rows)
    for at in range(size):
        best = max(range(at, size), key=lambda row: abs(rows[row][at]))
        rows[at], rows[best] = rows[best], rows[at]
        pivot = rows[at][at]
        rows[at] = [value / pivot for value in rows[at]]
        for row in range(size):
            if row != at and rows[row][at]:
                factor = rows[row][at]
                rows[row] = [value - factor * other for value, other in zip(rows[row], rows[at], strict=True)]
    return rows


def product(left: Matrix, right: Matrix) -> Matrix:
    columns = list(zip(*right, strict=True))
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in left]

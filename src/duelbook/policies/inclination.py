"""What the characters like, and how that makes a plan: pure tables, as the levels are.

A character thinks of what can follow each of its moves up to the next decision, whatever that is, and sees there what
the eye sees and what both seats have. A little sense is in all of them: what looks better is the likelier for it, so a
win that is there is taken and a move that loses at once is left alone. Beyond that each likes one thing: the more a
move has of it, beside the other moves at the same position, the likelier it is. Nothing that has an effect is quite out
of the question, so no character is one fixed pattern.

The functions are written over plain numbers: a player asks them about one position, and the ladder, compiled, about
millions.
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import TYPE_CHECKING, NamedTuple

from duelbook.policies.characters import CHARACTERS
from duelbook.policies.temptation import NEARLY

if TYPE_CHECKING:
    from duelbook.positions.numbers import Numbers, Room

STYLES = {name: style for style, name in enumerate(CHARACTERS)}
HOARDER, BRAWLER, CAUTIOUS, GAMBLER = STYLES.values()

SENSE = 0.7
"""How much likelier a move is for looking better: by the factor e to this for each unit of log-odds."""
TEMPER = 3.0
"""How much likelier the move with the most of what a character likes is than the one with the least: e to this."""
AT_ONCE = 7.0
"""The same where both pick at once: there are many picks then, and those beside each other are much alike."""
SPREAD = 1.5
"""Where both pick at once, the best and the worst pick look at least so far apart, in log-odds: one round of many
changes the chances little."""
ALIKE = 1e-9
"""What differs by less than this does not differ."""
MODEL = (SENSE, TEMPER, AT_ONCE, SPREAD)
"""All that characters depend on, besides the duel and its eye: tables that were computed from others do not hold."""


class Foreseen(NamedTuple):
    """What is foreseen of each move at a position, from the view of the seat that makes it."""

    mean: Room[float]
    """How what follows looks, on average."""
    square: Room[float]
    """The same, squared before the average is taken."""
    least: Room[float]
    """How the worst of it looks."""
    mine: Room[float]
    """What the seat has then, on average."""
    theirs: Room[float]
    """What the other has as soon as the move is made; where both pick at once, on average over the other's picks."""


def incline(style: int, foreseen: Foreseen, able: Numbers[float], count: int, at_once: bool, plan: Room[float]) -> None:
    """How likely a character makes each of so many moves; it is able to make those with a number above 0."""
    now, makes = 0.0, 0
    for move in range(count):
        if able[move] > 0.0:
            now += foreseen.mean[move]
            makes += 1
    now /= max(makes, 1)
    most, fewest, best, worst = -1e9, 1e9, -1e9, 1e9
    for move in range(count):
        if able[move] > 0.0:
            liked, looks = _liking(style, foreseen, move, now), _log_odds(foreseen.mean[move])
            most, fewest = max(most, liked), min(fewest, liked)
            best, worst = max(best, looks), min(worst, looks)
    temper, apart = (AT_ONCE, SPREAD) if at_once else (TEMPER, 0.0)
    wider = max(1.0, apart / (best - worst)) if best - worst > ALIKE else 1.0
    total = 0.0
    for move in range(count):
        plan[move] = 0.0
        if able[move] > 0.0:
            urge = SENSE * wider * (_log_odds(foreseen.mean[move]) - best)
            if most - fewest > ALIKE:
                urge += temper * (_liking(style, foreseen, move, now) - most) / (most - fewest)
            plan[move] = exp(urge)
            total += plan[move]
    for move in range(count):
        plan[move] /= max(total, 1e-300)


def _liking(style: int, foreseen: Foreseen, move: int, now: float) -> float:
    """How much a move has of what a character likes; `now` is how the position looks before it."""
    if style == HOARDER:
        return foreseen.mine[move]
    if style == BRAWLER:
        return -foreseen.theirs[move]
    if style == CAUTIOUS:
        return foreseen.least[move]
    mean, square = foreseen.mean[move], foreseen.square[move]
    return sqrt(max(square - 2 * now * mean + now * now, 0.0))  # how far what follows is from now, on average


def _log_odds(value: float) -> float:
    shown = min(max(value, -NEARLY), NEARLY)
    return log((1 + shown) / (1 - shown))

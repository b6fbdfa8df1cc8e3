"""What anybody sees one move ahead: that after a move the other side wins at once.

The eye does not tell it. To it a lost position looks lost after every move, and where the other side has one winning
answer of several a position may look good. But nobody who has played for a while walks past "you win next move". So a
move after which the other side has won or can win at once looks worse than the best one by an alarm, in log-odds: by
as little as lets the levels of the promise heed it as often as `HEEDED` says, at every position. Where they make so few
mistakes that they do so anyhow, there is none.

It is about duels in which nothing comes between a move and its answer. With cards nobody sees what the other side will
hold, and where both pick at once nobody answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log

from duelbook.core import OVER, Game, SomeState
from duelbook.policies.levels import PROMISED, mistakes_of_levels
from duelbook.policies.temptation import KEENNESS, STEPS
from duelbook.positions.kind import kind_of
from duelbook.solving.solution import Solution

HEEDED = (0.90, 0.95, 0.98)
"""How often the levels of the promise at least make a move that lets nobody win at once, wherever there is one."""


def alarm_of(game: Game) -> float:
    """By how much worse than the best move a move looks that lets the other side win at once."""
    return alarm_for(mistakes_of_levels(game)) if kind_of(game) == "backwards" else 0.0


def alarm_for(mistakes: Sequence[float]) -> float:
    """The same for levels that make so many mistakes, in whole steps.

    All such moves at a position together are made at most so many times for one perfect move, times e to minus this
    alarm times the keenness: see `temptation`.
    """
    needed = [log(many * often / (1 - often)) for many, often in zip(mistakes[PROMISED - 1 :], HEEDED, strict=True)]
    return max(ceil(STEPS * max(needed) / KEENNESS), 0) / STEPS


def heed(solution: Solution, state: SomeState, seat: int, perfect: Sequence[float], looks: list[float]) -> None:
    """Let the moves of a seat that let the other side win at once look as much worse as they are alarming."""
    alarm = alarm_of(solution.game)
    if not alarm:
        return
    alarming = [
        move for move in solution.game.legal_moves(solution.rules, state, seat) if lets_win(solution, state, move)
    ]
    if any(perfect[move] > 0 for move in alarming):
        return  # the best that there is does so, too
    best = max(look for look, share in zip(looks, perfect, strict=True) if share > 0)
    for move in alarming:
        looks[move] = min(looks[move], best) - alarm


def lets_win(solution: Solution, state: SomeState, move: int) -> bool:
    """Whether the other side has won after a move, or can win at once."""
    game, rules = solution.game, solution.rules
    foe, after = 1 - game.turn(rules, state), game.apply(rules, state, move)
    if game.turn(rules, after) != foe:
        return _won(solution, after, foe)
    return any(_won(solution, game.apply(rules, after, answer), foe) for answer in game.legal_moves(rules, after, foe))


def _won(solution: Solution, state: SomeState, seat: int) -> bool:
    game, rules = solution.game, solution.rules
    return game.turn(rules, state) == OVER and game.winner(rules, state) == seat

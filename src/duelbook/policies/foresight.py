"""What a character does at one position: it looks at all that can follow each of its moves up to the next decision."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from duelbook.core import BOTH, LUCK, OVER, SomeState
from duelbook.policies.eye import eye_of
from duelbook.policies.holdings import Has, at_end, holdings_of, worth_making
from duelbook.policies.inclination import STYLES, Foreseen, incline
from duelbook.positions.target import end_value
from duelbook.solving.solution import Solution


class Outcome(NamedTuple):
    """Something that can follow a move, from the view of Player 1."""

    share: float
    """How likely it is."""
    seen: float
    has: Has


def character_plan(kind: str, solution: Solution, state: SomeState, seat: int) -> tuple[float, ...]:
    """How likely a character makes each move in a seat that decides."""
    game, rules = solution.game, solution.rules
    moves, count = game.legal_moves(rules, state, seat), len(game.moves)
    at_once = game.turn(rules, state) == BOTH
    if at_once:
        able = [True] * len(moves)
        foreseen = [_summed(list(_answered(solution, state, seat, pick)), seat) for pick in moves]
    else:
        afters = [game.apply(rules, state, move) for move in moves]
        able = worth_making(solution, state, moves, afters)
        foreseen = [_of_move(solution, state, after, seat) for after in afters]
    made, plan = [0.0] * len(moves), [0.0] * count
    columns = Foreseen(*(list(column) for column in zip(*foreseen, strict=True)))
    incline(STYLES[kind], columns, able, len(moves), at_once, made)
    for move, share in zip(moves, made, strict=True):
        plan[move] = share
    return tuple(plan)


def _of_move(solution: Solution, state: SomeState, after: SomeState, seat: int) -> tuple[float, ...]:
    """The columns of `Foreseen` for a move of this seat."""
    at_once = _outcome(solution, state, after, 1.0)
    *columns, _ = _summed(list(_followed(solution, state, after, 1.0)), seat)
    return (*columns, at_once.has[1 - seat])


def _summed(outcomes: list[Outcome], seat: int) -> tuple[float, ...]:
    """The same, from all that can follow the move."""
    side = 1 if seat == 0 else -1
    seen = [(one.share, side * one.seen) for one in outcomes]
    mine, theirs = (sum(one.share * one.has[whose] for one in outcomes) for whose in (seat, 1 - seat))
    mean, square = sum(share * each for share, each in seen), sum(share * each * each for share, each in seen)
    return mean, square, min(each for _, each in seen), mine, theirs


def _answered(solution: Solution, state: SomeState, seat: int, pick: int) -> Iterator[Outcome]:
    """What can follow a secret pick."""
    game, rules = solution.game, solution.rules
    answers = game.legal_moves(rules, state, 1 - seat)
    for answer in answers:
        pair = (pick, answer) if seat == 0 else (answer, pick)
        yield _outcome(solution, state, game.resolve(rules, state, *pair), 1 / len(answers))


def _followed(solution: Solution, before: SomeState, state: SomeState, share: float) -> Iterator[Outcome]:
    """What can follow from a position on: luck, if it acts, and then a decision."""
    game, rules = solution.game, solution.rules
    turn = game.turn(rules, state)
    if turn == OVER:
        yield _outcome(solution, before, state, share)
    elif turn == LUCK:
        odds = {face: game.odds(rules, state, face) for face in game.faces}
        whole = sum(odds.values())
        for face, weight in odds.items():
            if weight:
                yield from _followed(solution, state, game.deal(rules, state, face), share * weight / whole)
    else:
        answers = game.legal_moves(rules, state, turn)
        for answer in answers:
            yield _outcome(solution, state, game.apply(rules, state, answer), share / len(answers))


def _outcome(solution: Solution, before: SomeState, state: SomeState, share: float) -> Outcome:
    game, rules, holdings = solution.game, solution.rules, holdings_of(solution)
    if game.turn(rules, state) != OVER:
        return Outcome(share, eye_of(solution).value(state), holdings.at(state))
    winner = game.winner(rules, state)
    return Outcome(share, end_value(winner), at_end(winner, holdings.at(before)))

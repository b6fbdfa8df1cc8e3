"""What a player who is a table does at one position: how likely it makes each move."""

from __future__ import annotations

from duelbook.core import BOTH, Game, SomeRules, SomeState
from duelbook.policies.alarm import heed
from duelbook.policies.characters import CHARACTERS
from duelbook.policies.eye import eye_of
from duelbook.policies.foresight import character_plan
from duelbook.policies.holdings import worth_making
from duelbook.policies.levels import RANDOM, mistakes_of
from duelbook.policies.temptation import APART, look, mix, tempt
from duelbook.solving.library import solution_for
from duelbook.solving.solution import Solution


def plan_of(kind: str, game: Game, rules: SomeRules, state: SomeState, seat: int) -> tuple[float, ...]:
    """How likely this player makes each move in a seat that decides."""
    if kind == RANDOM:  # it does without a solution, and so it also plays duels that nobody has solved
        return any_move(game, rules, state, seat)
    return plan_by(kind, solution_for(game, rules), state, seat)


def any_move(game: Game, rules: SomeRules, state: SomeState, seat: int) -> tuple[float, ...]:
    """Every legal move, each as likely as the next."""
    legal = game.legal_moves(rules, state, seat)
    return tuple(1 / len(legal) if move in legal else 0.0 for move in range(len(game.moves)))


def plan_by(kind: str, solution: Solution, state: SomeState, seat: int) -> tuple[float, ...]:
    """The same by a solution that holds this position."""
    if kind in CHARACTERS:
        return character_plan(kind, solution, state, seat)
    perfect, mistakes = solution.plan(state, seat), mistakes_of(solution.game)[kind]
    if mistakes is None:
        return any_move(solution.game, solution.rules, state, seat)
    if mistakes == 0:
        return perfect
    plan = [0.0] * len(perfect)
    mix(perfect, temptations(solution, state, seat), 0, len(perfect), mistakes, plan)
    return tuple(plan)


def temptations(solution: Solution, state: SomeState, seat: int) -> list[float]:
    """How likely each move is among the mistakes of a seat; see `temptation`."""
    game, rules = solution.game, solution.rules
    perfect, options = solution.plan(state, seat), solution.options(state, seat)
    had = solution.value(state) if seat == 0 else -solution.value(state)
    looks, able, found = [0.0] * len(perfect), [False] * len(perfect), [0.0] * len(perfect)
    at_once = game.turn(rules, state) == BOTH
    if at_once:
        effects = [True] * len(options)
        shown = [_pick_seen(solution, state, seat, option.move) for option in options]
    else:
        afters = [game.apply(rules, state, option.move) for option in options]
        effects = worth_making(solution, state, [option.move for option in options], afters)
        shown = [eye_of(solution).value(after) for after in afters]
    for option, effect, seen in zip(options, effects, shown, strict=True):
        looks[option.move] = look(had, option.lost, seen if seat == 0 else -seen)
        able[option.move] = effect
    heed(solution, state, seat, perfect, looks)
    tempt(looks, perfect, able, 0, len(perfect), APART if at_once else 0.0, found)
    return found


def _pick_seen(solution: Solution, state: SomeState, seat: int, pick: int) -> float:
    """How a secret pick looks to Player 1 if the other side picks anything, each answer as likely as the next."""
    game, rules, eye = solution.game, solution.rules, eye_of(solution)
    answers, seen = game.legal_moves(rules, state, 1 - seat), 0.0
    for answer in answers:
        pair = (pick, answer) if seat == 0 else (answer, pick)
        seen += eye.value(game.resolve(rules, state, *pair))
    return seen / len(answers)

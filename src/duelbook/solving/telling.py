"""What a solution says of a position, for people and for programs: who wins, every move's value, how best play goes."""

from __future__ import annotations

from collections.abc import Iterator

from duelbook.core import BOTH, LUCK, SomeState, rules_hash, settings
from duelbook.positions.size import named
from duelbook.solving.best_line import best_line
from duelbook.solving.certificate import Certificate
from duelbook.solving.solution import Solution
from duelbook.solving.verdict import verdict
from duelbook.speech import amount


def as_json(solution: Solution, state: SomeState, certificate: Certificate | None = None) -> dict[str, object]:
    """All of it for programs."""
    game, rules = solution.game, solution.rules
    words = game.dialogue.words(rules)
    turn = game.turn(rules, state)
    report: dict[str, object] = {
        "game": game.id,
        "rules": settings(game, rules),
        "rules_hash": rules_hash(game, rules),
        "at": game.write_position(rules, state),
        "value": solution.value(state),
        "plies": solution.plies(state),
        "states": solution.states,
    }
    if solution.kind == "luck":
        report |= {"player1_wins": (solution.value(state) + 1) / 2, "error_bound": solution.error}
    else:
        low, high = solution.bounds(state)
        report["gap"] = high - low
    report["moves"] = []
    if turn in (0, 1):
        report["moves"] = [
            {"move": words[option.move], "value": option.value, "plies": option.plies}
            for option in solution.options(state, turn)
        ]
    elif turn == BOTH:
        report["strategies"] = {
            who: {words[move]: share for move, share in enumerate(solution.plan(state, seat)) if share > 0}
            for seat, who in enumerate(("player1", "player2"))
        }
    elif turn == LUCK:
        report["cards"] = [{"card": draw.face, "value": draw.value} for draw in solution.draws(state)]
    if certificate is not None:
        report["certificate"] = certificate._asdict()
    return report


def lines(solution: Solution, state: SomeState, certificate: Certificate | None = None) -> Iterator[str]:
    """All of it as a person reads it."""
    game, rules = solution.game, solution.rules
    yield f"{named(game, rules)}, at {game.write_position(rules, state)}"
    yield f"  {verdict(solution, state)}"
    for choice in _choices(solution, state):
        yield f"    {choice}"
    line = _best_play(solution, state)
    if line:
        yield f"  Best play: {line}"
    yield f"  Solved: {solution.states:,} positions, mirrors counted once."
    if certificate is not None:
        standing = "good" if certificate.good else "NOT GOOD"
        yield f"  Certificate {standing}: {certificate.sentence}"


def _percent(value: float) -> str:
    return f"{(value + 1) / 2:.3%}"


def _choices(solution: Solution, state: SomeState) -> list[str]:
    game, rules = solution.game, solution.rules
    words = game.dialogue.words(rules)
    turn = game.turn(rules, state)
    if turn in (0, 1):
        sign = 1 if turn == 0 else -1
        ranked = sorted(solution.options(state, turn), key=lambda option: option.rank(turn))
        if solution.kind == "luck":
            return [f"{words[move]}: {game.seats[0]} then wins {_percent(value)}" for move, value, *_ in ranked]
        return [f"{words[move]}: {_outcome(sign * value, plies)}" for move, value, plies, _ in ranked]
    if turn == BOTH:
        lines = []
        for seat, name in enumerate(game.seats):
            plan = solution.plan(state, seat)
            shares = [f"{words[move]} ({share:.1%})" for move, share in enumerate(plan) if share > 0]
            lines.append(f"{name} picks {', '.join(shares)}")
        return lines
    wins = f"{game.seats[0]} wins"
    return [f"after a {draw.face}: {wins} {_percent(draw.value)}" for draw in solution.draws(state)]


def _outcome(mine: float, plies: int | None) -> str:
    if plies is None:
        return "nobody can force a win"
    return f"{'wins' if mine > 0 else 'loses'}, in {amount(plies, 'move')}"


def _best_play(solution: Solution, state: SomeState) -> str:
    """How the game goes when both play perfectly; nothing where luck or a lot decides at once."""
    line = best_line(solution, state)
    if solution.kind == "luck" or not line.words:
        return ""
    then = ["and so on"] if line.goes_on else ["then both must mix"] if line.is_open else []
    return ", ".join([*line.words, *then])

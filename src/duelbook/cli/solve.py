"""`duelbook solve`: what a duel or a position is worth."""

from __future__ import annotations

from typing import Any

import click

from duelbook.cli.options import GameName, as_json, echo_json, say
from duelbook.core import BOTH, LUCK, OVER, DuelError, Game, rules_hash, settings, variant
from duelbook.games import ROOMS, load
from duelbook.solving.certificate import Certificate, check
from duelbook.solving.library import solution_at
from duelbook.solving.solution import Solution
from duelbook.solving.verdict import verdict


@click.command(short_help="what a duel or a position is worth, exactly")
@click.argument("game", type=GameName(), required=False)
@click.option("--at", "position", metavar="POSITION", help="This position instead of the start.")
@click.option("--rule", multiple=True, metavar="NAME=VALUE", help="Change a rule; can be given several times.")
@click.option("--all", "everything", is_flag=True, help="All five duels.")
@click.option("--check", "checking", is_flag=True, help="Recompute the proof from the rules.")
@as_json
def command(
    game: Game | None, position: str | None, rule: tuple[str, ...], everything: bool, checking: bool, as_json: bool
) -> int:
    """Say what GAME is worth with best play: who wins and how soon, the best line, every first move with its value."""
    if everything == (game is not None):
        raise click.UsageError("Name one duel, or say --all.")
    if everything and (position is not None or rule):
        raise click.UsageError("--all solves the five books as they are; --at and --rule need one duel.")
    answers = []
    for each in [load(id) for id in ROOMS] if game is None else [game]:
        rules = _rules(each, rule)
        state = _state(each, rules, position)
        solution = solution_at(each, rules, state, however_large=True)
        answers.append((solution, state, _checked(solution) if checking else None))
    if as_json:
        reports = [_as_json(*answer) for answer in answers]
        echo_json(reports if everything else reports[0])
    else:
        for answer in answers:
            _say(*answer)
    return 0 if all(certificate is None or certificate.good for _, _, certificate in answers) else 1


def _checked(solution: Solution) -> Certificate:
    """The certificate; where it cannot be recomputed here, one that says so and is not good."""
    try:
        return check(solution)
    except DuelError as error:
        return Certificate(False, solution.states, solution.error, f"not checked. {error}")


def _rules(game: Game, rule: tuple[str, ...]) -> Any:
    try:
        return variant(game, rule)
    except DuelError as error:
        raise click.UsageError(str(error)) from None


def _state(game: Game, rules: Any, position: str | None) -> Any:
    try:
        return game.start(rules, 0) if position is None else game.read_position(rules, position)
    except DuelError as error:
        raise click.UsageError(str(error)) from None


def _as_json(solution: Solution, state: Any, certificate: Certificate | None) -> dict[str, Any]:
    game, rules = solution.game, solution.rules
    words = game.dialogue.words(rules)
    turn = game.turn(rules, state)
    report: dict[str, Any] = {
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
        report["cards"] = [
            {"card": face, "value": solution.value(game.deal(rules, state, face))}
            for face in game.faces
            if game.odds(rules, state, face)
        ]
    if certificate is not None:
        report["certificate"] = certificate._asdict()
    return report


def _say(solution: Solution, state: Any, certificate: Certificate | None) -> None:
    game, rules = solution.game, solution.rules
    changed = settings(game, rules)
    say(f"{game.name}{' with ' + ', '.join(changed) if changed else ''}, at {game.write_position(rules, state)}")
    say(f"  {verdict(solution, state)}")
    for line in _choices(solution, state):
        say(f"    {line}")
    line = _best_line(solution, state)
    if line:
        say(f"  Best play: {line}")
    say(f"  Solved: {solution.states:,} positions, mirrors counted once.")
    if certificate is not None:
        standing = "good" if certificate.good else "NOT GOOD"
        say(f"  Certificate {standing}: {certificate.sentence}")


def _percent(value: float) -> str:
    return f"{(value + 1) / 2:.3%}"


def _choices(solution: Solution, state: Any) -> list[str]:
    game, rules = solution.game, solution.rules
    words = game.dialogue.words(rules)
    turn = game.turn(rules, state)
    if turn in (0, 1):
        sign = 1 if turn == 0 else -1
        ranked = sorted(solution.options(state, turn), key=lambda option: _rank(sign * option.value, option.plies))
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
    if turn == LUCK:
        return [
            f"after a {face}: {game.seats[0]} wins {_percent(solution.value(game.deal(rules, state, face)))}"
            for face in game.faces
            if game.odds(rules, state, face)
        ]
    return []


def _rank(mine: float, plies: int | None) -> tuple[float, int]:
    """The best first: quick wins before slow ones, slow losses before quick ones."""
    return -mine, (plies or 0) * (1 if mine > 0 else -1)


def _outcome(mine: float, plies: int | None) -> str:
    if plies is None:
        return "nobody can force a win"
    return f"{'wins' if mine > 0 else 'loses'}, in {plies} {'ply' if plies == 1 else 'plies'}"


def _best_line(solution: Solution, state: Any) -> str:
    """How the game goes when both play perfectly, to its end or until it repeats itself."""
    game, rules = solution.game, solution.rules
    if solution.kind == "luck":
        return ""
    words = game.dialogue.words(rules)
    line: list[str] = []
    seen = set()
    while game.turn(rules, state) != OVER and state not in seen and len(line) < 40:
        seen.add(state)
        plans = [solution.plan(state, seat) for seat in (0, 1)]
        if game.turn(rules, state) == BOTH:
            if any(max(plan) < 1 for plan in plans):
                return ", ".join([*line, "then both must mix"]) if line else ""
            one, two = (plan.index(1.0) for plan in plans)
            line.append(f"{words[one]}/{words[two]}")
            state = game.resolve(rules, state, one, two)
        else:
            move = plans[game.turn(rules, state)].index(1.0)
            line.append(words[move])
            state = game.apply(rules, state, move)
    return ", ".join([*line, "and so on"] if game.turn(rules, state) != OVER else line)

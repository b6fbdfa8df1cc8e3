"""`duelbook solve`: what a duel or a position is worth."""

from __future__ import annotations

import click

from duelbook.cli import options
from duelbook.cli.options import as_json, at_position, changed_rules, echo_json, perhaps_a_duel, say, waiting_plainly
from duelbook.core import DuelError, Game
from duelbook.games import load_all
from duelbook.solving import telling
from duelbook.solving.certificate import Certificate, check
from duelbook.solving.library import solution_at
from duelbook.solving.solution import Solution


@click.command
@perhaps_a_duel
@at_position
@changed_rules
@click.option("--all", "everything", is_flag=True, help="All duels that are installed.")
@click.option("--check", "checking", is_flag=True, help="Recompute the proof from the rules.")
@waiting_plainly
@as_json
def command(
    game: Game | None, position: str | None, rule: tuple[str, ...], everything: bool, checking: bool, as_json: bool
) -> int:
    """Say what DUEL is worth with best play: who wins and how soon, the best line, every first move with its value."""
    if everything == (game is not None):
        raise click.UsageError("Name one duel, or say --all.")
    if everything and (position is not None or rule):
        raise click.UsageError("--all solves the books as they are; --at and --rule need one duel.")
    answers = []
    unsolved = 0
    for each in load_all() if game is None else [game]:
        rules = options.rules_of(each, rule)
        state = options.state_at(each, rules, position, playable=False)
        try:
            solution = solution_at(each, rules, state, however_large=True)
        except DuelError as error:
            if not everything:
                raise
            unsolved += 1  # one duel that cannot be solved here keeps nobody from the others
            say(f"{each.name} is not solved: {error}", err=True)
            continue
        answers.append((solution, state, _checked(solution) if checking else None))
    if as_json:
        reports = [telling.as_json(*answer) for answer in answers]
        echo_json(reports if everything else reports[0])
    else:
        say(*(line for answer in answers for line in telling.lines(*answer)))
    return 0 if not unsolved and all(certificate is None or certificate.good for _, _, certificate in answers) else 1


def _checked(solution: Solution) -> Certificate:
    """The certificate; where it cannot be recomputed here, one that says so and is not good."""
    try:
        return check(solution)
    except DuelError as error:
        return Certificate(False, solution.states, solution.error, f"not checked. {error}")

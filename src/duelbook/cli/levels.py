"""`duelbook levels`: the ladder of opponents."""

from __future__ import annotations

import click

from duelbook.cli.options import (
    as_json,
    changed_rules,
    echo_json,
    perhaps_a_duel,
    rules_of,
    say,
    state_at,
    waiting_plainly,
    warn,
)
from duelbook.core import DuelError, Game
from duelbook.games import load_all
from duelbook.patience import patience
from duelbook.policies import pattern_telling, telling
from duelbook.policies.computing import Computing
from duelbook.policies.levels import Standings
from duelbook.policies.pattern_file import patterns_of
from duelbook.policies.standings import standings
from duelbook.positions.size import named


@click.command
@perhaps_a_duel
@changed_rules
@click.option("--characters", is_flag=True, help="Compute where the characters stand, too, where that takes minutes.")
@click.option("--patterns", is_flag=True, help="How whoever plays one move or two by turns fares against every rung.")
@waiting_plainly
@as_json
def command(game: Game | None, rule: tuple[str, ...], characters: bool, patterns: bool, as_json: bool) -> None:
    """Show the ladder of opponents in DUEL, from random to perfect, and the characters; without DUEL, in all duels.

    How much each rung gives away, and how often it wins against every other, in both seats. The chances are computed,
    not played out.
    """
    if patterns:
        if game is None:
            raise click.UsageError("--patterns are those of one duel: say which, as in: duelbook levels energy")
        _show_patterns(game, rule, as_json)
        return
    if game is not None:
        rules, table = _ladder(game, rule, characters)
        if as_json:
            echo_json(telling.as_json(game, rules, table))
        else:
            say(*telling.lines(game, rules, table))
        return
    if rule:
        raise click.UsageError("--rule changes the rules of one duel: say which, as in: duelbook levels energy")
    found = [(each, ladder) for each in load_all() if (ladder := _perhaps(each))]
    if as_json:
        echo_json([telling.as_json(each, *ladder) for each, ladder in found])
        return
    for at, (each, ladder) in enumerate(found):
        say(*([""] if at else []), *telling.lines(each, *ladder))


def _ladder(game: Game, rule: tuple[str, ...] = (), characters: bool = False) -> tuple[object, Standings]:
    rules = rules_of(game, rule)
    state_at(game, rules, None)
    stand = Computing("Every rung meets every other")
    with patience(f"Computing the ladder of {named(game, rules)}, once: it is kept. Ctrl-C gives up.", stand):
        return rules, standings(game, rules, stand.tell, characters=characters)


def _show_patterns(game: Game, rule: tuple[str, ...], as_json: bool) -> None:
    rules = rules_of(game, rule)
    state_at(game, rules, None)
    stand = Computing("Each pattern meets each rung")
    with patience(f"Computing the patterns of {named(game, rules)}, once: they are kept. Ctrl-C gives up.", stand):
        found = patterns_of(game, rules, stand.tell)
    if as_json:
        echo_json(pattern_telling.as_json(game, rules, found))
    else:
        say(*pattern_telling.lines(game, rules, found))


def _perhaps(game: Game) -> tuple[object, Standings] | None:
    """None, and why, for a guest that cannot be solved: the others have theirs."""
    try:
        return _ladder(game)
    except DuelError as error:
        warn(f"{game.name} has no ladder here: {error}")
        return None

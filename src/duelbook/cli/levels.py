"""`duelbook levels`: the ladder of opponents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

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
from duelbook.patience import drawing, patience
from duelbook.policies import pattern_telling, telling
from duelbook.policies.levels import Standings
from duelbook.policies.pattern_file import patterns_of
from duelbook.policies.standings import standings


@click.command
@perhaps_a_duel
@changed_rules
@click.option("--patterns", is_flag=True, help="How whoever plays one move or two by turns fares against every rung.")
@waiting_plainly
@as_json
def command(game: Game | None, rule: tuple[str, ...], patterns: bool, as_json: bool) -> None:
    """Show the ladder of opponents in DUEL, from random to perfect; without DUEL, in all duels.

    How much each rung gives away, and how often it wins against every other, in both seats. The chances are computed,
    not played out.
    """
    if patterns:
        if game is None:
            raise click.UsageError("--patterns are those of one duel: say which, as in: duelbook levels energy")
        _show_patterns(game, rule, as_json)
        return
    if game is not None:
        rules, table = _ladder(game, rule)
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


def _ladder(game: Game, rule: tuple[str, ...] = ()) -> tuple[object, Standings]:
    rules = rules_of(game, rule)
    state_at(game, rules, None)
    with _progress(game) as tell:
        return rules, standings(game, rules, tell)


def _show_patterns(game: Game, rule: tuple[str, ...], as_json: bool) -> None:
    rules = rules_of(game, rule)
    state_at(game, rules, None)
    with _progress(game) as tell:
        found = patterns_of(game, rules, tell)
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


@contextmanager
def _progress(game: Game) -> Iterator[Callable[[int, int], None]]:
    """A bar on the terminal for what may take minutes; nothing where no person waits."""
    words = f"Computing the ladder of {game.name} ..."
    if not drawing():
        with patience(words):
            yield lambda done, of: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(words, total=None, visible=False)
        yield lambda done, of: progress.update(task, completed=done, total=of, visible=True)

"""`duelbook levels`: the ladder of opponents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from duelbook.cli.options import a_duel, as_json, changed_rules, echo_json, rules_of, say, state_at, waiting_plainly
from duelbook.core import Game
from duelbook.patience import drawing, patience
from duelbook.policies import telling
from duelbook.policies.standings import standings


@click.command
@a_duel
@changed_rules
@waiting_plainly
@as_json
def command(game: Game, rule: tuple[str, ...], as_json: bool) -> None:
    """Show the ladder of opponents in DUEL, from random to perfect.

    How much each rung gives away, and how often it wins against every other, in both seats. The chances are computed,
    not played out.
    """
    rules = rules_of(game, rule)
    state_at(game, rules, None)
    with _progress(game) as tell:
        table = standings(game, rules, tell)
    if as_json:
        echo_json(telling.as_json(game, rules, table))
    else:
        say(*telling.lines(game, rules, table))


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

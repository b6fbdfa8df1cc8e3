"""`duelbook help`: what a command does."""

from __future__ import annotations

import click

from duelbook.cli import completing
from duelbook.cli.options import say


@click.command
@click.argument("command", required=False, shell_complete=completing.commands)
@click.pass_context
def command(ctx: click.Context, command: str | None) -> None:
    """Say what COMMAND does and takes, as its --help does; without COMMAND, which commands there are."""
    whole = ctx.find_root()
    if command is None:
        say(whole.get_help())
        return
    assert isinstance(whole.command, click.Group)
    name, wanted, _ = whole.command.resolve_command(whole, [command])
    assert wanted is not None, "a command that is not there was refused"
    with click.Context(wanted, parent=whole, info_name=name) as inner:
        say(wanted.get_help(inner))

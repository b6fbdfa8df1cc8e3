"""`duelbook help`: what a command does."""

from __future__ import annotations

import click

from duelbook.cli.options import say


@click.command(short_help="what Duelbook, or one of its commands, can do")
@click.argument("command", required=False)
@click.pass_context
def command(ctx: click.Context, command: str | None) -> int:
    """Say what COMMAND does and takes, as its --help does; without COMMAND, which commands there are."""
    whole = ctx.find_root()
    if command is None:
        say(whole.get_help())
        return 0
    assert isinstance(whole.command, click.Group)
    name, wanted, _ = whole.command.resolve_command(whole, [command])
    assert wanted is not None, "a command that is not there was refused"
    with click.Context(wanted, parent=whole, info_name=name) as inner:
        say(wanted.get_help(inner))
    return 0

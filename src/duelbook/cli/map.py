"""`duelbook map`: the solution of a duel as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import click

from duelbook.cli import options
from duelbook.cli.options import a_duel, as_json, as_plain, changed_rules, echo_json, picture_options, say
from duelbook.cli.values import wrong_usage
from duelbook.core import DuelError, Game, Part
from duelbook.games import load_all
from duelbook.maps.atlas import survey
from duelbook.maps.template import changed
from duelbook.speech import either


class WithParts(click.Command):
    """A command whose options are also what each duel's notation can say of a position."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        own = super().get_params(ctx)
        at = 1 + next(place for place, param in enumerate(own) if param.name == "mover")
        return [*own[:at], *_parts({name for param in own for name in param.opts}), *own[at:]]


@cache
def _parts_of_all() -> dict[str, list[tuple[str, Part]]]:
    found: dict[str, list[tuple[str, Part]]] = {}
    for game in load_all():
        for name, part in game.parts.items():
            found.setdefault(name, []).append((game.id, part))
    return found


def _parts(taken: set[str]) -> Iterator[click.Option]:
    for name, owners in _parts_of_all().items():
        if f"--{name}" in taken:
            continue
        told = "; ".join(f"{id}: {part.meaning}" for id, part in owners)
        shape = next((part.shape for _, part in owners if part.shape), "")
        if shape:
            yield click.Option([f"--{name}"], metavar=shape, help=f"{told}.")
        else:
            yield click.Option([f"--{name}"], is_flag=True, help=f"{told}.")


@click.command(cls=WithParts)
@a_duel
@click.option("--at", "--from", "position", metavar="POSITION", help="Keep all but the two numbers of this position.")
@click.option("--mover", metavar="1|2", help="Whose turn it is.")
@click.option("--plies", is_flag=True, help="Show how soon it ends, too.")
@changed_rules
@picture_options("it")
@as_plain
@as_json
def command(
    game: Game,
    position: str | None,
    mover: str | None,
    rule: tuple[str, ...],
    plies: bool,
    png: str | None,
    svg: str | None,
    plain: bool,
    as_json: bool,
    **shortcuts: str | bool | None,
) -> None:
    """Draw who wins DUEL with best play at every pair of heights, HP, LP or energies.

    Everything else about the positions is as at the start, or as in --at POSITION; the options for the mover and those
    that name a duel change one thing of it.
    """
    rules = options.rules_of(game, rule)
    with wrong_usage():
        template = changed(game, rules, options.state_at(game, rules, position), mover, _said(game, shortcuts))
        files = options.pictures(png, svg)
    grid = survey(game, rules, template)
    if plies and grid.kind != "backwards":
        raise click.UsageError(f"Nobody can force the end of {game.name} in a number of moves; leave out --plies.")
    for path, kind in files:
        from duelbook.maps.image import draw

        draw(grid, path, kind)
    if as_json:
        from duelbook.maps.data import as_json as map_as_json

        echo_json(map_as_json(grid))
    elif not files:
        from duelbook.line.console import Console
        from duelbook.line.map import show

        show(grid, Console(plain=plain), plies)
    for path, _ in files:
        say(f"The map is in {path}.", err=as_json)


def _said(game: Game, shortcuts: Mapping[str, str | bool | None]) -> dict[str, str]:
    """What was said of the parts of a position; a flag says nothing more than that it is there."""
    given = {
        name: "" if value is True else str(value) for name, value in shortcuts.items() if value not in (None, False)
    }
    for name in given:
        if name not in game.parts:
            owners = [id for id, _ in _parts_of_all()[name]]
            raise DuelError(f"--{name} belongs to {either(owners, 'and')}; {game.name} has no such thing.")
    return given

"""`duelbook map`: the solution of a duel as a picture."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from duelbook.cli.options import GameName, as_json, changed_rules, echo_json, rules_of, say, state_at
from duelbook.core import DuelError, Game
from duelbook.maps.atlas import survey
from duelbook.speech import position_number, quote


@click.command(short_help="draw who wins where")
@click.argument("game", type=GameName())
@click.option("--at", "--from", "position", metavar="POSITION", help="Keep all but the two numbers of this position.")
@click.option("--mover", metavar="1|2", help="Whose turn it is.")
@click.option("--status", metavar="rd", help="conquer: both statuses, each r, d, h or c.")
@click.option("--deck", metavar="1-6,8-10", help="deck: the cards left; - for none.")
@click.option("--card", metavar="7", help="deck: the card that was just drawn.")
@click.option("--last", metavar="10,9", help="secret: both last numbers; - for none.")
@click.option("--defended", is_flag=True, help="energy: the defence of the player who just moved stands.")
@click.option("--plies", is_flag=True, help="Show how soon it ends, too.")
@changed_rules
@click.option("--png", metavar="FILE", help="Draw it into this file.")
@click.option("--svg", metavar="FILE", help="Draw it into this file.")
@click.option("--plain", is_flag=True, help="No colours.")
@as_json
def command(
    game: Game,
    position: str | None,
    rule: tuple[str, ...],
    plies: bool,
    png: str | None,
    svg: str | None,
    plain: bool,
    as_json: bool,
    **shortcuts: Any,
) -> int:
    """Draw who wins GAME with best play at every pair of heights, HP, LP or energies.

    Everything else about the positions is as at the start, or as in --at POSITION; the options for the mover, the
    statuses, the deck, the last numbers and the defence change one thing of it.
    """
    rules = rules_of(game, rule)
    try:
        template = _template(game, rules, state_at(game, rules, position), shortcuts)
        if png is not None and png == svg:
            raise DuelError("--png and --svg need two different names.")
        files = [(_usable(name), kind) for name, kind in ((png, "png"), (svg, "svg")) if name is not None]
    except DuelError as error:
        raise click.UsageError(str(error)) from None
    grid = survey(game, rules, template)
    if plies and grid.kind != "backwards":
        raise click.UsageError(f"Nobody can force the end of {game.name} in a number of plies; leave out --plies.")
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
    return 0


def _usable(name: str) -> Path:
    from duelbook.table.keeper import usable_path

    return usable_path(name)


# The rest of a position, said one thing at a time. Each shortcut changes the words of a position's text, which is then
# read as if it had been typed.


def _template(game: Game, rules: Any, state: Any, shortcuts: dict[str, Any]) -> Any:
    for name, (owner, change) in SHORTCUTS.items():
        value = shortcuts[name]
        if value is None or value is False:
            continue
        if owner not in ("", game.id):
            raise DuelError(f"--{name} belongs to {owner}; {game.name} has no such thing.")
        if not hasattr(state, "mover") and name == "mover":
            raise DuelError(f"In {game.name} both act at once, so there is no --mover.")
        words = game.write_position(rules, state).split()
        change(rules, words, value)
        state = game.read_position(rules, " ".join(words))
    return state


def _mover(rules: Any, words: list[str], value: str) -> None:
    words[2] = value


def _status(rules: Any, words: list[str], value: str) -> None:
    letters = value.strip().lower()
    if len(letters) != 2:
        raise DuelError(
            f"--status takes two letters, Player 1's and Player 2's, as in rd; it cannot be {quote(value)}."
        )
    words[:2] = [words[seat].rstrip("rdhc") + letters[seat] for seat in (0, 1)]


def _deck(rules: Any, words: list[str], value: str) -> None:
    words[3] = value.strip()


def _card(rules: Any, words: list[str], value: str) -> None:
    """The drawn card is no longer in the deck."""
    from duelbook.games.deck.notation import read_cards, write_cards

    card = position_number(value.strip(), "The drawn card", 1, rules.cards)
    left = read_cards(rules, words[3].partition(":")[0])
    words[3] = f"{write_cards(left & ~(1 << card))}:{card}"


def _last(rules: Any, words: list[str], value: str) -> None:
    numbers = value.replace(",", " ").split()
    if len(numbers) != 2:
        raise DuelError(
            f"--last takes two numbers, Player A's and Player B's, as in 10,9; it cannot be {quote(value)}."
        )
    words[2:] = numbers


def _defended(rules: Any, words: list[str], value: bool) -> None:
    just_moved = 1 if words[2] == "1" else 0
    words[just_moved] = words[just_moved].rstrip("d") + "d"


SHORTCUTS: dict[str, tuple[str, Callable[[Any, list[str], Any], None]]] = {
    "mover": ("", _mover),
    "status": ("conquer", _status),
    "deck": ("deck", _deck),
    "card": ("deck", _card),
    "last": ("secret", _last),
    "defended": ("energy", _defended),
}
"""By the option's name: the duel that it belongs to, if it is one, and what it does."""

"""What the commands for tables on servers share."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from duelbook.cli.options import warn
from duelbook.cli.screen import Screen
from duelbook.core import DuelError, Game, variant
from duelbook.line.console import Console
from duelbook.players import HUMAN, check_kind
from duelbook.table.invitation import has_first_player

if TYPE_CHECKING:
    from duelbook.serve.wire import Wire


def my_name(given: str) -> str:
    """What was said; at a terminal, otherwise, the name in the settings. Without one the server has its own."""
    if given or not sys.stdin.isatty():
        return given
    from duelbook.tui.preferences import remembered

    return remembered().name


def show(wire: Wire, screen: Screen, console: Console, copy: str | None) -> int:
    """Play or watch at the end of this wire, on the full screen or line by line. The exit code."""
    from duelbook.table.keeper import open_copy, usable_path

    try:
        twin = open_copy(usable_path(copy) if copy is not None else None)
        if screen.usable:
            from duelbook.tui.app import run
            from duelbook.tui.opening import open_wire

            return run(lambda app: open_wire(app, wire, twin))
        from duelbook.line.online import play

        screen.explain()
        return play(wire, console, warn, twin)
    finally:
        wire.stop()


class Asked:
    """What `duelbook play --online` was asked for. Raises DuelError where it cannot be had."""

    def __init__(
        self,
        server: str,
        game: Game | None,
        kinds: tuple[str | None, str | None],
        names: tuple[str | None, str | None],
        first: str | None,
        rules: tuple[str, ...],
        pace: int,
        *,
        is_open: bool,
    ) -> None:
        from duelbook.serve.arriving import Challenge
        from duelbook.serve.connection import read_address

        place = read_address(server)
        if place.game:
            raise DuelError(f"That is a game already: duelbook join {server}")
        if game is None:
            raise DuelError(
                "Say which duel: duelbook play DUEL --online SERVER. Who waits there shows: duelbook join SERVER"
            )
        sits = tuple(check_kind(kind or HUMAN) for kind in kinds)
        if HUMAN not in sits:
            raise DuelError("One of the seats must be yours. A program of yours plays there with: duelbook bot")
        seat = sits.index(HUMAN)
        if names[1 - seat] is not None:
            raise DuelError("Whoever sits across brings a name of their own.")
        if is_open and sits[1 - seat] != HUMAN:
            raise DuelError("--open is for whoever comes; a program needs nobody to come.")
        if first is not None and not has_first_player(game):
            raise DuelError(f"{game.name} has no first player: both pick at once. Leave out --first.")
        variant(game, rules)
        self.server, self.name = place.server, names[seat]
        self.wish = Challenge(game.id, sits[1 - seat], rules, first or "1", pace, is_open=is_open, seat=seat)

    def refuse(self, **said: object) -> None:
        """What cannot be had in a game in which nobody may tilt anything."""
        why = {
            "seed": "Online luck comes from both players and the server together; leave out --seed.",
            "luck": "Online luck comes from both players and the server together; leave out --deck.",
            "position": "Online a game begins at its beginning; leave out --at.",
            "coach": "Online nobody is helped while a game goes on; leave out --coach.",
            "bar": "Online nobody is helped while a game goes on; leave out --bar.",
            "bell": "Online the bell rings when it always does; leave out --max-turns.",
        }
        for name, value in said.items():
            if value not in (None, False):
                raise DuelError(why[name])


def begin(asked: Asked, screen: Screen, console: Console, copy: str | None) -> int:
    from duelbook.serve.arriving import challenge

    return show(challenge(asked.server, asked.wish, my_name(asked.name or "")), screen, console, copy)

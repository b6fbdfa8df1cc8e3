"""Python objects as players of a tournament: whatever they raise is their own fault."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from traceback import format_exc

from duelbook.arena.play.results import Entrant
from duelbook.core import DuelError, IllegalMove
from duelbook.engine.fault import CRASH, EngineFault
from duelbook.match import Player, PlayerFault, Prepared, View, move_number


class Guarded:
    """An object with `choose`. It has no process of its own, so it is not ended and nothing of it is limited."""

    def __init__(self, player: Player) -> None:
        self.player = player

    def prepare(self, view: View) -> None:
        if isinstance(self.player, Prepared):
            with _its_own_fault():
                self.player.prepare(view)

    def choose(self, view: View) -> int:
        with _its_own_fault():
            return move_number(self.player.choose(view))


@contextmanager
def _its_own_fault() -> Iterator[None]:
    try:
        yield
    except (PlayerFault, IllegalMove):
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the fault of the object and of nobody else
        raise EngineFault(CRASH, _said(error), format_exc()) from None


def _said(error: Exception) -> str:
    name = type(error).__name__
    try:
        words = str(error)
    except Exception:  # noqa: BLE001 - what it says is its own code, too
        words = ""
    return f"It raised {name}: {words}" if words else f"It raised {name}."


def check_that_they_can_be_sent(entrants: Iterable[Entrant]) -> None:
    """A Python object plays in workers only if it can go there."""
    for entrant in entrants:
        if entrant.player is not None:
            try:
                pickle.dumps(entrant.player)
            except Exception as error:  # noqa: BLE001 - whatever its own code does when it is to be sent
                raise DuelError(
                    f"{entrant.name} cannot be sent to another process ({error}), so it plays where the arena itself "
                    'does: on="one-process".'
                ) from None

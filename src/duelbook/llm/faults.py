"""How a model can fail away from the board, and how asking it can fail through nobody's fault on the board."""

from __future__ import annotations

from duelbook.core import DuelError
from duelbook.match import PlayerFault

TIME, UNREADABLE, REFUSED, CUT, CLOSED = "time", "unreadable", "refused", "cut", "crash"
"""It was late, said no move in the one form, would not play, or was cut off; it was ended while it was asked."""


class ModelFault(PlayerFault):
    """What a model answered is no move that can be played. What it said is kept with it."""

    def __init__(self, kind: str, sentence: str, reply: str = "") -> None:
        super().__init__(kind, sentence)
        self.reply = reply

    @property
    def stderr(self) -> str:
        """What tournaments keep of a program's last words: here, the answer."""
        return self.reply

    def __reduce__(self) -> tuple[type[ModelFault], tuple[str, str, str]]:
        """A fault is sent between processes; by itself an exception forgets all but its sentence on the way."""
        return type(self), (self.kind, self.sentence, self.reply)


class Unasked(DuelError):
    """A question that was not answered through nobody's fault: no game is lost by it, and it can go on later."""


class Unreachable(Unasked):
    """A server could not be reached, or did not do what was asked of it."""


class Spent(Unasked):
    """A limit on tokens or money is used up."""

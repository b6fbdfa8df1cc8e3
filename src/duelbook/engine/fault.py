"""How a program can fail a game away from the board."""

from __future__ import annotations

from duelbook.match import PlayerFault

CRASH, TIME, PROTOCOL = "crash", "time", "protocol"


class EngineFault(PlayerFault):
    """A program crashed, was late, answered with a move that is not legal, or did not keep to the protocol."""

    def __init__(self, kind: str, sentence: str, stderr: str = "") -> None:
        super().__init__(kind, sentence)
        self.stderr = stderr

    def __reduce__(self) -> tuple[type[EngineFault], tuple[str, str, str]]:
        """A fault is sent between processes; by itself an exception forgets all but its sentence on the way."""
        return type(self), (self.kind, self.sentence, self.stderr)

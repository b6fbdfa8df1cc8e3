"""What lies on the table in Number Duel (secret): never a pick that is not revealed, for the state holds none."""

from __future__ import annotations

from duelbook.games.secret.rules import Rules, State
from duelbook.scene import Gauge, Scene, Side

EMBLEM = (
    "╭──┬──╮",
    "│ ?│? │",
    "╰──┴──╯",
)


def scene(rules: Rules, s: State) -> Scene:
    one, two = (Side(Gauge("HP", s.hp[seat], rules.hp), _notes(s, seat), s.last[seat]) for seat in (0, 1))
    return Scene((one, two), picks=True)


def _notes(s: State, seat: int) -> tuple[str, ...]:
    if s.forfeit[seat]:
        return (f"repeated {s.last[seat]}: forfeits",)
    over = any(s.forfeit) or 0 in s.hp
    return (f"cannot pick {s.last[seat]} now",) if s.last[seat] and not over else ()

"""A record that begins anew: games and puzzles so far count no more. The games stay, to be looked at."""

from __future__ import annotations

from duelbook.core import SaveError
from duelbook.me import memory as kept
from duelbook.me.memory import Memory
from duelbook.me.played import Played
from duelbook.puzzles.memory import load, remember
from duelbook.puzzles.streak import Progress
from duelbook.speech import amount

WHAT_STAYS = "Games stay saved, to be looked at. The rating and the streak of puzzles do not come back."


def _games(memory: Memory, duel: str | None) -> list[Played]:
    return [game for game in memory.games if game.counts and duel in (None, game.duel)]


def _without(progress: Progress, duel: str | None) -> Progress:
    return {id: each for id, each in progress.items() if duel not in (None, id)}


def what_goes(memory: Memory, duel: str | None) -> str | None:
    """The question to ask before; None where there is nothing to forget."""
    progress, _ = load()
    games = len(_games(memory, duel))
    puzzles = sum(each.tried for each in progress.values()) - sum(
        each.tried for each in _without(progress, duel).values()
    )
    if not games and not puzzles:
        return None
    parts = [amount(count, what) for count, what in ((games, "game"), (puzzles, "puzzle")) if count]
    return f"Forget {' and '.join(parts)}?"


def forget(memory: Memory, duel: str | None) -> str:
    """Do it, and say so. Raises SaveError where that cannot be written down."""
    kept.forget(_games(memory, duel))
    done = remember(lambda progress: _without(progress, duel) if _without(progress, duel) != progress else progress)
    if done.complaint:
        raise SaveError(done.complaint)
    return "Forgotten. Your record begins anew."

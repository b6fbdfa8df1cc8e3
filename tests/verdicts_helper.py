"""Tournaments for tests of what is made of them: really played, by players whose exact chances are known."""

from __future__ import annotations

from functools import lru_cache

from bench.rehearsal import play_task

from duelbook.arena.play.results import Duel, Entrant
from duelbook.arena.play.schedule import Plan
from duelbook.arena.play.tournament import Finished, programme

BOTS = (Entrant("four", "engine:four"), Entrant("three", "engine:three"))
"""Two programs of which nobody knows that they play as level:4 and level:3."""
KINDS = ("level:4", "level:3")


@lru_cache(maxsize=8)
def held(
    kinds: tuple[str, ...], duels: tuple[str, ...], rounds: int, bots: int = 0, seed: int = 1, play: bool = False
) -> Finished:
    """A tournament of these kinds of players; so many of them, from the first on, pass for unknown programs."""
    real = tuple(Entrant(f"bot {kind}" if at < bots else kind, kind) for at, kind in enumerate(kinds))
    shown = tuple(each._replace(kind=f"engine:{each.kind}") if at < bots else each for at, each in enumerate(real))
    plan = Plan(shown, tuple(Duel(duel) for duel in duels), rounds=rounds, seed=seed, event="Test cup", play=play)
    work = programme(plan)
    return Finished(work, [play_task(task, real, plan.settings()) for task in work.tasks])

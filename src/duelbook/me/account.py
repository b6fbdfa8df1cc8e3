"""The record of a person, all of it: how they did, in which duel, against whom and when; their puzzles beside it."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import NamedTuple

from duelbook.me.memory import Memory, Unread
from duelbook.me.nudge import Nudge, nudge
from duelbook.me.played import Played
from duelbook.me.tally import Total, by_month, grouped, in_order, total
from duelbook.policies.levels import TABULAR
from duelbook.puzzles.streak import Progress, best_streak, streak


class Against(NamedTuple):
    opponent: str
    total: Total


class InDuel(NamedTuple):
    """One duel under one set of rules."""

    duel: str
    rules: str
    total: Total
    opponents: list[Against]
    """From the first rung of the ladder to the last, then the characters, then all others by name."""
    months: dict[str, Total]
    nudge: Nudge | None


class Puzzled(NamedTuple):
    """How somebody did at a duel's puzzles."""

    duel: str
    rating: float
    tried: int
    solved: int
    streak: int


class Account(NamedTuple):
    total: Total
    duels: list[InDuel]
    """By their ids, the book's rules first."""
    months: dict[str, Total]
    not_counted: dict[str, int]
    """How many games there are of each kind that does not count."""
    forgotten: int
    unweighed: int
    """Games whose rules nobody has solved here, so that nothing can be said of their decisions."""
    unread: list[Unread]
    puzzles: list[Puzzled]
    streak: int
    """Days in a row with a daily puzzle solved, of whichever duel."""
    best_streak: int


def account(memory: Memory, progress: Progress, today: date, duel: str | None = None) -> Account:
    """The whole record, or what it says of one duel."""
    games = in_order(game for game in memory.games if duel in (None, game.duel))
    counted = [game for game in games if game.counts]
    duels = grouped(counted, lambda game: f"{game.duel} {game.rules}")
    tallies = {id: tally for id, tally in sorted(progress.items()) if duel in (None, id) and tally.tried}
    return Account(
        total(counted),
        [_in_duel(duels[key]) for key in sorted(duels)],
        by_month(counted),
        dict(Counter(game.standing for game in games if not game.counts)),
        sum(duel in (None, game.duel) for game in memory.forgotten),
        sum(game.given is None for game in counted),
        memory.unread if duel is None else [],
        [
            Puzzled(id, each.rating, each.tried, each.solved, streak(progress, today, id))
            for id, each in tallies.items()
        ],
        streak(progress, today, duel),
        best_streak(progress, duel),
    )


def _in_duel(games: list[Played]) -> InDuel:
    met = grouped(games, lambda game: game.opponent)
    ladder = {kind: at for at, kind in enumerate(TABULAR)}
    kinds = sorted(met, key=lambda kind: (ladder.get(kind, len(ladder)), kind))
    opponents = [Against(kind, total(met[kind])) for kind in kinds]
    return InDuel(games[0].duel, games[0].rules, total(games), opponents, by_month(games), nudge(games))

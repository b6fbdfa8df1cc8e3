"""Who meets whom, in what, how often, and with which luck.

A schedule is a function of what was asked for and a seed, and of nothing else: the same on every machine, in whatever
order and by however many workers its games are played. Games come in pairs with the seats swapped and the same luck,
so that neither the first move nor good cards favour anybody.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator
from copy import copy
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

from duelbook.arena.play.openings import USUAL_START, Openings, opening_of
from duelbook.arena.play.results import Duel, Entrant, Settings, Task
from duelbook.core import DuelError, check_beginning, settings, variant, whole
from duelbook.engine.limits import Limits, check_limits
from duelbook.games import load
from duelbook.llm.asking import Asking, check_asking, usual_asking
from duelbook.luck import LARGEST_SEED, derive, new_seed
from duelbook.match import BELL, LATEST_BELL
from duelbook.players import ENGINE, HUMAN, LLM, LONGEST_NAME, PYTHON, check_kind, usual_name
from duelbook.policies.levels import TABULAR
from duelbook.record import UNKNOWN_DATE
from duelbook.speech import quote

ROUND_ROBIN, GAUNTLET, DUEL = "round-robin", "gauntlet", "duel"
TOURNAMENTS = {
    ROUND_ROBIN: "everybody meets everybody",
    GAUNTLET: "the first meets all the others",
    DUEL: "two players and nobody else",
}


def duel(game_id: str, changes: Iterable[str] = ()) -> Duel:
    """A duel as a schedule holds it: the same rules are always written the same way."""
    game = load(game_id)
    rules = variant(game, changes)
    check_beginning(game, rules)
    return Duel(game.id, tuple(settings(game, rules)))


# Entrants


class Entry(NamedTuple):
    """Who wants to play: what kind of player, perhaps under a name, and what a program may use; or a Python object."""

    kind: str = ""
    name: str | None = None
    limits: Limits = Limits()
    player: Any = None  # whatever somebody hands in; `enter` looks at it
    """Anything with `choose`, as `Match.run` takes it."""
    asking: Asking | None = None
    """How a language model is asked; None for as usual."""


def enter(entries: Iterable[Entry | str]) -> tuple[Entrant, ...]:
    """The players of a tournament, each with a name of its own: two of a kind are told apart by a number, and none but
    our own players bear their names."""
    entrants: list[Entrant] = []
    for entry in entries:
        kind, name, limits, player, asking = Entry(entry) if isinstance(entry, str) else entry
        check_limits(limits)
        asking = usual_asking() if asking is None else asking
        check_asking(asking)
        kind = check_kind(kind, asking) if player is None else _kind_of(kind, player)
        if kind == HUMAN:
            raise DuelError("A tournament is for programs; a person plays with: duelbook play")
        taken = {entrant.name.casefold() for entrant in entrants} | {each for each in TABULAR if each != kind}
        free = _free_name(_checked_name(name) if name is not None else usual_name(kind), taken)
        of_program, of_model = kind.startswith(ENGINE), kind.startswith(LLM)
        entrants.append(Entrant(free, kind, limits if of_program else Limits(), player, asking if of_model else None))
    return tuple(entrants)


def _kind_of(kind: str, player: object) -> str:
    """What stands in records for a Python object: its class."""
    if kind:
        raise DuelError(f"An entry is a kind of player or a Python object, not both: {quote(kind)} and {player!r}.")
    if not callable(getattr(player, "choose", None)):
        raise DuelError(f"Only an object with a method choose(view) can play; {quote(type(player).__name__)} has none.")
    return f"{PYTHON}{type(player).__name__}"


def _checked_name(name: str) -> str:
    tidy = " ".join(name.split()) if isinstance(name, str) else ""
    if not tidy or not tidy.isprintable() or len(tidy) > LONGEST_NAME:
        raise DuelError(f"A name has 1 to {LONGEST_NAME} visible characters; {quote(str(name))} does not.")
    return tidy


def _free_name(name: str, taken: set[str]) -> str:
    free, count = name, 1
    while free.casefold() in taken:
        count += 1
        free = f"{name} ({count})"
    return free


# The schedule


def pairings(count: int, tournament: str) -> list[tuple[int, int]]:
    """Which entrants meet, in order."""
    if tournament not in TOURNAMENTS:
        raise DuelError(f"There is no tournament called {quote(tournament)}; there are {', '.join(TOURNAMENTS)}.")
    if count < 2:
        raise DuelError("A tournament needs at least two players.")
    if tournament == DUEL and count != 2:
        raise DuelError(f"A duel has two players, not {count}; a round-robin has as many as you like.")
    if tournament == GAUNTLET:
        return [(0, other) for other in range(1, count)]
    return list(combinations(range(count), 2))


class Plan(NamedTuple):
    """What was asked for."""

    entrants: tuple[Entrant, ...]
    duels: tuple[Duel, ...]
    tournament: str = ROUND_ROBIN
    rounds: int = 1
    seed: int | None = None
    """Without one all luck is drawn by chance, and known to nobody before the end."""
    max_turns: int = BELL
    play: bool = False
    """Play what could be computed, too."""
    event: str = "Duelbook arena"
    date: str = UNKNOWN_DATE
    openings: Openings = USUAL_START

    def fingerprint(self) -> str:
        """What tells one tournament from another, whatever the number of rounds: one that goes on is still the same.

        The seed is part of it where one was given; one that was drawn is nobody's business while the games go on. What
        is around a program is none: who goes on with a tournament may keep its programs in better.
        """
        players = [(each.name, each.kind, _its_own(each)) for each in self.entrants]
        begun = [self.openings] if self.openings.kind else []
        duels = [str(each) for each in self.duels]
        said = [players, duels, self.tournament, self.seed, self.max_turns, self.play, *begun]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:16]

    def settings(self) -> Settings:
        return Settings(self.event, self.fingerprint(), self.date)


def _its_own(entrant: Entrant) -> list[object]:
    """What an entrant may use."""
    asked = [] if entrant.asking is None else entrant.asking.its_own()
    return [*entrant.limits.its_own().values(), *asked]


class Schedule:
    """Every game of a tournament, by number. Each is made when somebody asks for it: there may be billions.

    More rounds make the same schedule longer and change nothing before. The luck of each pair and the choices of each
    player come from the seed by ways of their own: from what is known of one of them nobody can work out another.
    """

    def __init__(self, plan: Plan) -> None:
        if whole(plan.rounds, "The number of rounds") < 1:
            raise DuelError("A tournament has at least one round.")
        if plan.seed is not None:
            whole(plan.seed, "A seed", -LARGEST_SEED, LARGEST_SEED)
        whole(plan.max_turns, "The turns before the bell", 1, LATEST_BELL)
        if not plan.duels:
            raise DuelError("A tournament needs at least one duel to play.")
        met = pairings(len(plan.entrants), plan.tournament)
        self.plan = plan
        self.drawn = plan.seed is None
        self.seed = new_seed() if plan.seed is None else plan.seed
        self.meetings = [(each, seats) for each in plan.duels for seats in met]
        """The pairs of one round: in which duel, and who has the first seat in the first game."""
        self.played = list(range(len(self.meetings)))
        """Those meetings that are played, and not computed."""

    def without(self, computed: Collection[tuple[Duel, tuple[int, int]]]) -> Schedule:
        """The same games without some meetings. Their numbers and their luck stay what they were."""
        fewer = copy(self)
        fewer.played = [at for at in self.played if self.meetings[at] not in computed]
        return fewer

    def __len__(self) -> int:
        return 2 * self.plan.rounds * len(self.played)

    def __iter__(self) -> Iterator[Task]:
        return (self[at] for at in range(len(self)))

    def __getitem__(self, at: int) -> Task:
        return self._task(self.number_at(range(len(self))[at]))

    def number_at(self, at: int) -> int:
        """The number of a game, without making it."""
        round, within = divmod(at // 2, len(self.played))
        return 2 * (round * len(self.meetings) + self.played[within]) + at % 2

    def pairs(self) -> Iterator[int]:
        """The numbers of all pairs, in order."""
        return (self.number_at(at) // 2 for at in range(0, len(self), 2))

    def numbered(self, number: int) -> Task | None:
        """The game of this number, if it is one that is played."""
        within = 0 <= number < 2 * self.plan.rounds * len(self.meetings)
        return self._task(number) if within and number // 2 % len(self.meetings) in self._played_set else None

    @cached_property
    def _played_set(self) -> frozenset[int]:
        return frozenset(self.played)

    def _task(self, number: int) -> Task:
        pair, half = divmod(number, 2)
        round, meeting = divmod(pair, len(self.meetings))
        each, (one, two) = self.meetings[meeting]
        seats = (two, one) if half else (one, two)
        own = (derive(self.seed, "player", number, seats[0]), derive(self.seed, "player", number, seats[1]))
        luck = derive(self.seed, "luck", pair, str(each))
        opening = opening_of(self.plan.openings, str(each), pair, round + 1, self.seed)
        return Task(number, pair, each.game, each.rules, seats, luck, self.plan.max_turns, round + 1, opening, own)

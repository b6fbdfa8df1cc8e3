"""Players who do one thing today and another tomorrow: what can be had against them at least, by playing them.

First they are studied. Each position near the start is asked for several times, and what they did is taken for how
likely they do it; a best response to that is played against them, what they do in these games is learnt from, too, and
so a few times over. Where nothing is known the response plays perfectly. Then it stays as it is, and is played in games
that nothing is learnt from. Only these are counted, so the bound on what it gets is honest however bad the guess was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from duelbook.core import LUCK, SomeState
from duelbook.exam.refuting.asking import FAULT, MOST_FAULTS, Asker, Hear, Said
from duelbook.exam.refuting.bounds import at_least, at_most
from duelbook.exam.refuting.courses import Walked
from duelbook.exam.refuting.walking import Walk
from duelbook.match import DRAW, Match, PlayerFault

REFUTER = "The refutation"
"""What whoever sits opposite is called in a record."""
STUDIED = 1_000
"""So many positions are studied at most,"""
ASKS = 6
"""each so often."""
LESSONS, LESSON = 3, 25
"""So often the response is made anew, after so many games."""


class Sample(NamedTuple):
    """Games of one fixed response against a player, and what they prove."""

    games: int
    wins: int
    losses: int

    @property
    def wins_least(self) -> float:
        """Its chance to win is at least this,"""
        return at_least(self.wins, self.games)

    @property
    def losses_most(self) -> float:
        """and its chance to lose at most this, both together in 95 of 100 samples."""
        return at_most(self.losses, self.games)

    @property
    def value(self) -> float:
        """What it gets at least, from -1 to 1, in 95 of 100 samples."""
        return max(self.wins_least - self.losses_most, -1.0)


class Study:
    """What is known of a player who does not always do the same."""

    def __init__(self, asker: Asker, most: int, seed: int, hear: Hear) -> None:
        """Outside of games it is asked at no more than `most` positions, with those at which it was asked before."""
        self._asker, self._most, self._hear = asker, most, hear
        self._random = Random(seed)
        self._before = frozenset(asker.asked)
        self._new = 0
        self.seen: dict[SomeState, Counter[int]] = {}
        self.studied: set[SomeState] = set()
        self.faults: dict[SomeState, Said] = {}

    def sampled(self, games: int) -> tuple[Sample, Match]:
        """What a response gets that was learnt before, and one of its games: the shortest that it won, or any."""
        response = self._response()
        for lesson in range(LESSONS):
            for number in range(min(LESSON, games)):
                self._hear("Learning from games", lesson * LESSON + number, LESSONS * LESSON)
                self._play(response, learn=True)
            response = self._response()
        self._asker.restart()
        wins = losses = 0
        shown: Match | None = None
        hero = response.walk.hero
        for number in range(games):
            self._hear("Playing the games that count", number, games)
            match = self._play(response, learn=False)
            winner = None if match.outcome is None else match.outcome.winner
            wins, losses = wins + (winner == hero), losses + (winner == 1 - hero)
            if shown is None or _better(match, shown, hero):
                shown = match
        assert shown is not None  # at least one game is played
        return Sample(games, wins, losses), shown

    def _response(self) -> Walked:
        walk = Walk(self._asker.subject, self._asker.seat)
        walk.follow(self._ask)
        return Walked(walk)

    def _ask(self, state: SomeState, number: int) -> Said | None:
        if state not in self.seen:
            if not self._may_study(state):
                return None
            self.studied.add(state)
            self._new += state not in self._before
            self._hear("Studying it", len(self.studied), min(self._most, STUDIED))
            for _ in range(ASKS):
                self._note(state, self._asker.ask(state, number))
                if state in self.faults:
                    break
        return self.known(state, number)

    def _may_study(self, state: SomeState) -> bool:
        if len(self.studied) >= STUDIED or len(self.faults) >= MOST_FAULTS:
            return False
        return state in self._before or len(self._before) + self._new < self._most

    def known(self, state: SomeState, number: int) -> Said | None:
        """How likely it does what it was seen to do; None where it was never seen."""
        counts = self.seen.get(state)
        if counts is None:
            return None
        total = counts.total()
        return Said(tuple((move, count / total) for move, count in sorted(counts.items())))

    def _note(self, state: SomeState, said: Said) -> int:
        """Remember what it did, and which move that was."""
        move = self._drawn(said)
        self.seen.setdefault(state, Counter())[move] += 1
        if said.fault:
            self.faults.setdefault(state, said)
        return move

    def _play(self, response: Walked, *, learn: bool) -> Match:
        subject, seat = self._asker.subject, self._asker.seat
        hero, name = 1 - seat, self._asker.candidate.name
        names = (name, REFUTER) if seat == 0 else (REFUTER, name)
        match = Match(subject.game, subject.rules, seed=self._random.getrandbits(60), names=names)
        try:
            self._asker.begin()
        except PlayerFault as error:
            match.fail(seat, error)
        while match.outcome is None:
            turn, state = match.turn, match.state
            if turn == LUCK:
                match.deal()
                continue
            mine = self._choice(response, state, hero) if turn != seat else FAULT
            if turn != hero:
                said = self._asker.ask(state, match.turns)
                move = self._note(state, said) if learn else self._drawn(said)
                if move == FAULT:
                    match.fail(seat, PlayerFault(said.fault, said.sentence))
                    break
                match.play(seat, move)
            if turn != seat:
                match.play(hero, mine)
        return match

    def _drawn(self, said: Said) -> int:
        """The move that it made; by lot, where it said only how likely each is."""
        moves, shares = zip(*said.shares, strict=True)
        move: int = self._random.choices(moves, shares)[0]
        return move

    def _choice(self, response: Walked, state: SomeState, hero: int) -> int:
        place = response.walk.place_of.get(state)
        choice = None if place is None else response.choice(place)
        if choice is not None:
            return choice
        solution = self._asker.subject.solution
        plan: Sequence[float] = solution.plan(state, hero)
        return self._random.choices(range(len(plan)), plan)[0]


def _better(match: Match, other: Match, hero: int) -> bool:
    """Whether a game shows better what the response does."""

    def worth(each: Match) -> tuple[bool, bool, int]:
        winner = None if each.outcome is None else each.outcome.winner
        return winner == hero, winner in (None, DRAW), -each.turns

    return worth(match) > worth(other)

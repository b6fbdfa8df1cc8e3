"""Every position that can come up against a player, whatever anybody else does: the places of a best response.

From the start on, the player's own answers are followed, all moves of whoever sits opposite (the hero), and all that
luck can bring. Where the player was not asked any more the place is closed. It is worth to the hero at least what the
duel is worth from there, since best play gets that against anybody; so what is found with it is never too much.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable

from duelbook.core import BOTH, DRAW, LUCK, OVER, SomeState
from duelbook.exam.paper import Subject
from duelbook.exam.refuting.asking import FAULT, Said
from duelbook.policies.best_response import CHANCE, CHOICE, CLOSED, DRAWN, LOST, WON, Ways
from duelbook.positions.machine import Machine

Way = tuple[int, float, int]
"""A move, pick or face, how likely it is where the hero does not choose, and where it leads."""
Ask = Callable[[SomeState, int], Said | None]


class Walk:
    """Places, the nearest first, with the player in one seat and the hero in the other."""

    def __init__(self, subject: Subject, seat: int) -> None:
        self.subject, self.seat, self.hero = subject, seat, 1 - seat
        self.states: list[SomeState] = []
        """The position of each place; of one at which only the player's pick is missing, that of the round."""
        self.place_of: dict[SomeState, int] = {}
        self.said: dict[int, Said] = {}
        """What the player does, by place."""
        self.picked: dict[int, int] = {}
        """The hero's pick, by the place at which only the player's is missing."""
        self.turns = array("i")
        """How many turns were played before."""
        self.came_by: list[tuple[int, int]] = []
        """From which place, and by which way, each was first reached."""
        self.kinds, self.begins, self.ends = array("i"), array("q"), array("q")
        self.plays, self.shares, self.targets = array("i"), array("d"), array("i")

    @property
    def closed(self) -> list[int]:
        return [place for place, kind in enumerate(self.kinds) if kind == CLOSED]

    @property
    def by_luck(self) -> bool:
        """Whether anything here is left to chance."""
        return any(share < 1.0 for share in self.shares)

    def ways(self, machine: Machine, closed: Callable[[SomeState], float]) -> Ways:
        """The same for `best_response`, with what closed places are worth to the hero."""
        worth = array("d", bytes(8 * len(self.kinds)))
        for place in self.closed:
            worth[place] = closed(self.states[place])
        columns = (self.kinds, self.begins, self.ends, self.targets, self.shares, worth)
        return Ways(*(machine.array(column) for column in columns))

    def follow(self, ask: Ask) -> None:
        """Go everywhere, with what `ask` says the player does; where it says nothing, a place stays closed."""
        game, rules = self.subject.game, self.subject.rules
        self._place(game.start(rules, 0), 0, (-1, -1))
        at = 0
        while at < len(self.states):
            if self.kinds[at] == CLOSED:
                self._expand(at, ask)
            at += 1

    def _expand(self, place: int, ask: Ask) -> None:
        game, rules, state, after = self.subject.game, self.subject.rules, self.states[place], self.turns[place] + 1
        turn = game.turn(rules, state)
        if turn == LUCK:
            odds = [(face, game.odds(rules, state, face)) for face in game.faces]
            total = sum(weight for _, weight in odds)
            faces = [(face, weight / total, game.deal(rules, state, face)) for face, weight in odds if weight]
            self._lead(place, CHANCE, after - 1, faces)
        elif turn == self.hero:
            moves = game.legal_moves(rules, state, turn)
            self._lead(place, CHOICE, after, [(move, 1.0, game.apply(rules, state, move)) for move in moves])
        elif (said := ask(state, self.turns[place])) is not None:
            self.said[place] = said
            if said.only == FAULT:
                self._lead(place, CHANCE, after, [(FAULT, 1.0, None)])
            elif turn == BOTH:
                self._round(place, said, after)
            else:
                moves_on = [
                    (move, share, None if move == FAULT else game.apply(rules, state, move))
                    for move, share in said.shares
                ]
                self._lead(place, CHANCE, after, moves_on)

    def _round(self, place: int, said: Said, after: int) -> None:
        """Both pick at once. Against one answer the hero knows what comes; against several the rest is chance."""
        game, rules, state = self.subject.game, self.subject.rules, self.states[place]
        picks = game.legal_moves(rules, state, self.hero)
        if said.only is not None:
            self._lead(place, CHOICE, after, [(pick, 1.0, self._met(state, pick, said.only)) for pick in picks])
            return
        first = len(self.states)
        for at, pick in enumerate(picks):
            self.picked[len(self.states)] = pick
            self._append(state, self.turns[place], (place, len(self.targets) + at))
        self.kinds[place], self.begins[place] = CHOICE, len(self.targets)
        for at, pick in enumerate(picks):
            self._way(pick, 1.0, first + at)
        self.ends[place] = len(self.targets)
        for at, pick in enumerate(picks):
            answers = [
                (answer, share, None if answer == FAULT else self._met(state, pick, answer))
                for answer, share in said.shares
            ]
            self._lead(first + at, CHANCE, after, answers)

    def _met(self, state: SomeState, pick: int, answer: int) -> SomeState:
        pair = (pick, answer) if self.hero == 0 else (answer, pick)
        return self.subject.game.resolve(self.subject.rules, state, *pair)

    def _lead(self, place: int, kind: int, turns: int, ways: list[tuple[int, float, SomeState]]) -> None:
        """Write down where a place leads; where nothing is said to follow, the player has failed."""
        self.kinds[place], self.begins[place] = kind, len(self.targets)
        for play, share, state in ways:
            came = (place, len(self.targets))
            self._way(play, share, WON if play == FAULT else self._target(state, turns, came))
        self.ends[place] = len(self.targets)

    def _way(self, play: int, share: float, target: int) -> None:
        self.plays.append(play)
        self.shares.append(share)
        self.targets.append(target)

    def _target(self, state: SomeState, turns: int, came: tuple[int, int]) -> int:
        game, rules = self.subject.game, self.subject.rules
        if state in self.place_of:
            return self.place_of[state]
        if game.turn(rules, state) == OVER:
            winner = game.winner(rules, state)
            return DRAWN if winner == DRAW else WON if winner == self.hero else LOST
        return self._place(state, turns, came)

    def _place(self, state: SomeState, turns: int, came: tuple[int, int]) -> int:
        place = self.place_of[state] = len(self.states)
        self._append(state, turns, came)
        return place

    def _append(self, state: SomeState, turns: int, came: tuple[int, int]) -> None:
        self.states.append(state)
        self.turns.append(turns)
        self.came_by.append(came)
        self.kinds.append(CLOSED)
        self.begins.append(0)
        self.ends.append(0)

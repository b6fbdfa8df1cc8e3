"""Best responses, and how games go with them: over the places that were walked, or over the table of a player who is
one. Either can be asked where a game goes on from a place."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property
from heapq import heappop, heappush
from itertools import product
from math import log
from typing import Any, NamedTuple, Protocol

from duelbook.core import BOTH, LUCK, SomeState
from duelbook.exam.paper import Subject
from duelbook.exam.refuting.asking import FAULT
from duelbook.exam.refuting.walking import Walk
from duelbook.match import BELL
from duelbook.policies.best_response import CHOICE, CLOSED, WON, Response, Ways, evaluate, reached, respond
from duelbook.policies.exploitability import Against, Found, against
from duelbook.policies.forward_picks import AtOnce
from duelbook.policies.forward_turns import Alone
from duelbook.policies.respond_picks import leads_to
from duelbook.policies.respond_turns import move_of
from duelbook.positions.machine import Machine, compiling, plain
from duelbook.positions.size import there_is_a_compiler

MANY_WAYS, MANY_CHANCES = 100_000, 1_000
"""With so many ways to go a compiler is worth waiting for; and with so many where chance has a say, since a response
that may wait for its chance is found only after very many sweeps."""
MOST_LOOKED_AT = 20_000
"""So many places are looked at for the likeliest line."""
ALIKE = 12
"""Digits of the logarithm of a chance that count: what differs less is as likely."""


class Step(NamedTuple):
    """One thing that happens in a line of play."""

    turn: int
    """A seat, BOTH or LUCK, as the rules have it."""
    play: int | tuple[int, int]
    """A move, two picks, or a face; FAULT where the player fails."""


Onward = tuple[float, Step, int]
"""How likely, what happens, and the place or end to which it leads."""


class Course(Protocol):
    """Where a game goes with a best response."""

    start: int
    by_luck: bool
    """Whether anything is left to chance: to luck, or to what the player does."""

    def onward(self, place: int, state: SomeState, *, freely: bool = False) -> list[Onward]:
        """By the response, or by anything that the hero can do."""
        ...

    def winning(self, place: int) -> float:
        """How likely the response wins from a place, or at an end."""
        ...


# Over what was walked


def machine_for(walk: Walk) -> Machine:
    many = len(walk.targets) > (MANY_CHANCES if walk.by_luck else MANY_WAYS)
    return compiling() if many and there_is_a_compiler() else plain()


class Walked:
    """A best response over a walk. Where places are closed it is worth at least what is said, and at most `most`."""

    start = 0

    def __init__(self, walk: Walk) -> None:
        self.walk, self.by_luck = walk, walk.by_luck
        self._machine = machine_for(walk)
        self._ways = walk.ways(self._machine, self._worth)
        self._order = self._machine.twin(reached)(self._ways, 0, self._ways.kinds, True)
        self.response = Response(*self._machine.twin(respond)(self._ways, self._order))

    def _worth(self, state: SomeState) -> float:
        """What the duel is worth to the hero."""
        value = self.walk.subject.solution.value(state)
        return value if self.walk.hero == 0 else 0.0 - value

    @cached_property
    def _found(self) -> Found:
        chances = self._machine.twin(evaluate)(self._ways, self._order, self.response.choices)
        return Found(0, self.response, self._ways, *chances)

    @cached_property
    def against(self) -> Against:
        return against(self._found, self._worth(self.walk.states[0]))

    def winning(self, place: int) -> float:
        return 0.0 if place >= 0 and self.walk.kinds[place] == CLOSED else float(self._found.wins[place])

    @cached_property
    def most(self) -> float:
        """What could be had if every closed place were won."""
        if not self.walk.closed:
            return self.against.value
        hoped = self.walk.ways(self._machine, lambda state: 1.0)
        values, _, _ = self._machine.twin(respond)(hoped, self._order)
        return max(self.against.value, float(values[0]))

    def choice(self, place: int) -> int | None:
        """The move or pick of the hero at a place; None where the hero has none to make, or none is known."""
        if self.walk.kinds[place] != CHOICE:
            return None
        return self.walk.plays[int(self.response.choices[place])]

    def onward(self, place: int, state: SomeState, *, freely: bool = False) -> list[Onward]:
        walk = self.walk
        kind, turn = walk.kinds[place], walk.subject.game.turn(walk.subject.rules, state)
        if kind == CLOSED:
            return []
        ways = range(walk.begins[place], walk.ends[place])
        if kind == CHOICE and not freely:
            ways = range(int(self.response.choices[place]), int(self.response.choices[place]) + 1)
        found = list[Onward]()
        for way in ways:
            play, target = walk.plays[way], walk.targets[way]
            if turn == BOTH and target in walk.picked and walk.picked[target] == play:
                found += [
                    (walk.shares[then], self._pair(play, walk.plays[then]), walk.targets[then])
                    for then in range(walk.begins[target], walk.ends[target])
                ]
            elif turn == BOTH and play != FAULT:
                found.append((1.0, self._pair(play, walk.said[place].shares[0][0]), target))
            else:
                found.append((walk.shares[way], Step(turn, play), target))
        return found

    def _pair(self, pick: int, answer: int) -> Step:
        if answer == FAULT:
            return Step(BOTH, FAULT)
        return Step(BOTH, (pick, answer) if self.walk.hero == 0 else (answer, pick))


# Over a table


class Tabled:
    """A best response against a player who is a table."""

    def __init__(self, subject: Subject, seat: int, table: Alone | AtOnce, plan: Any, found: Found, game: float):
        self.subject, self.hero, self.table, self.plan, self._found = subject, 1 - seat, table, plan, found
        self.start, self.against = found.start, against(found, game)
        plans = (plan,) if isinstance(table, Alone) else plan
        self.by_luck = bool(subject.game.faces) or any(0 < share < 1 for column in plans for share in column)

    def onward(self, place: int, state: SomeState, *, freely: bool = False) -> list[Onward]:
        if isinstance(self.table, AtOnce):
            return list(self._rounds(self.table, place, freely))
        return list(self._turns(self.table, place, state, freely))

    def winning(self, place: int) -> float:
        return float(self._found.wins[place])

    def _turns(self, table: Alone, place: int, state: SomeState, freely: bool) -> Iterator[Onward]:
        ways: Ways | None = self._found.ways
        assert ways is not None  # there are where one acts at a time
        game, rules = self.subject.game, self.subject.rules
        turn, choice = game.turn(rules, state), int(self._found.response.choices[place])
        begin, end = int(ways.begins[place]), int(ways.ends[place])
        if turn == LUCK:
            faces = [face for face in game.faces if game.odds(rules, state, face)]
            for face, way in zip(faces, range(begin, end), strict=True):
                yield float(ways.shares[way]), Step(turn, face), int(ways.targets[way])
        elif turn == self.hero:
            for way in range(begin, end) if freely else (choice,):
                yield 1.0, Step(turn, move_of(table, ways, place, way)), int(ways.targets[way])
        else:
            for way in range(begin, end):
                if ways.shares[way] > 0:
                    yield float(ways.shares[way]), Step(turn, move_of(table, ways, place, way)), int(ways.targets[way])

    def _rounds(self, table: AtOnce, place: int, freely: bool) -> Iterator[Onward]:
        turned, row = place % 2, place // 2 * table.picks
        mine, theirs = table.anything[turned], self.plan[1 - turned]
        legal = [pick for pick in range(table.picks) if mine[row + pick] > 0]
        group = bisect_right(table.group_ends, place // 2)
        for pick, answer in product(
            legal if freely else [int(self._found.response.choices[place])], range(table.picks)
        ):
            if theirs[row + answer] > 0:
                pair = (pick, answer) if self.hero == 0 else (answer, pick)
                target = int(leads_to(table, group, turned, pick, answer))
                yield float(theirs[row + answer]), Step(BOTH, pair), target


# Lines of play


def line_that_wins(course: Course, subject: Subject) -> tuple[Step, ...] | None:
    """A line that the hero wins; None where none was found.

    Where nothing is left to chance the hero may do anything, and it is the shortest line of all. Otherwise it is the
    likeliest of the response (the shortest path by Dijkstra's algorithm); in both cases one is found if there is any.
    Where too many are likely, it is the one that at every turn goes where a win is likeliest, if it comes to a win.
    """
    start = subject.game.start(subject.rules, 0)
    waiting: list[tuple[float, int, int, int, SomeState, Any]] = [(0.0, 0, 0, course.start, start, None)]
    done, count = set[int](), 0
    while waiting:
        unlikely, length, _, place, state, path = heappop(waiting)
        if place == WON:
            return _unrolled(path)
        if place < 0 or place in done:
            continue
        done.add(place)
        if course.by_luck and len(done) > MOST_LOOKED_AT:
            return _towards_a_win(course, subject)
        for share, step, target in course.onward(place, state, freely=not course.by_luck):
            if target not in done:
                count += 1
                less = round(unlikely - log(share), ALIKE)
                after = state if target < 0 else played(subject, state, step)
                heappush(waiting, (less, length + 1, count, target, after, (step, path)))
    return None


def _towards_a_win(course: Course, subject: Subject) -> tuple[Step, ...] | None:
    steps, end = _followed(course, subject, BELL, lambda each: each[0] * course.winning(each[2]))
    return steps if end == WON else None


def usual_line(course: Course, subject: Subject) -> tuple[Step, ...]:
    """What happens most likely, turn after turn, until it is over or the bell rings."""
    return _followed(course, subject, BELL, lambda each: each[0])[0]


def _followed(
    course: Course, subject: Subject, most: int, weight: Callable[[Onward], float]
) -> tuple[tuple[Step, ...], int]:
    """From the start on whatever weighs most, and the place or end to which it came."""
    place, state, steps = course.start, subject.game.start(subject.rules, 0), list[Step]()
    while place >= 0 and len(steps) < most:
        onward = course.onward(place, state)
        if not onward:
            break
        _, step, place = max(onward, key=weight)
        steps.append(step)
        if place >= 0:
            state = played(subject, state, step)
    return tuple(steps), place


def played(subject: Subject, state: SomeState, step: Step) -> SomeState:
    game, rules = subject.game, subject.rules
    if isinstance(step.play, tuple):
        return game.resolve(rules, state, *step.play)
    return game.deal(rules, state, step.play) if step.turn == LUCK else game.apply(rules, state, step.play)


def _unrolled(path: Any) -> tuple[Step, ...]:
    steps = []
    while path is not None:
        step, path = path
        steps.append(step)
    return tuple(reversed(steps))

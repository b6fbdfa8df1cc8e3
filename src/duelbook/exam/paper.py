"""The paper of an exam: the same questions for everybody, drawn from the solutions by a seed that is published.

A question is a position and a seat that decides there. The questions go through the duels in turn, and through both
seats of each, so that any beginning of the list is spread over all of them. Which positions come is drawn with a chance
in proportion to what is at stake: what choosing blindly loses there, the mean over all legal moves. So nothing is asked
where nothing can be lost, and the plain mean of what answers lose is the mean over all decisions of a duel, each
weighing as much as is at stake.

Every draw is independent of the others, and the same on every machine. A longer paper begins with the shorter one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from math import fsum
from typing import NamedTuple

from duelbook.core import BOTH, LUCK, OVER, DuelError, Game, SomeRules, SomeState, settings
from duelbook.luck import below, mix
from duelbook.match import View
from duelbook.solving.known import Option
from duelbook.solving.solution import Solution

SEED = 14
"""The seed of the book's paper."""
QUESTIONS = 300
"""As many as a paper has unless somebody says otherwise."""
MOST_QUESTIONS = 100_000
PLACE, SIDE, FACE, KEPT = range(4)
"""Keys of random numbers, so that no two questions are answered by the same ones."""
FINE = 1 << 53
"""Stakes are held against a number below this; a stake of 1 is always kept."""
MOST_TRIES = 10_000
"""When so many draws in a row are not kept, a duel has nothing to ask about."""
CERTAIN = 9
"""Digits of a stake that count: whatever solved the duel, the same positions are drawn."""


class Subject(NamedTuple):
    """One duel of an exam."""

    game: Game
    """As whoever is examined sees it: perhaps under other names."""
    rules: SomeRules
    solution: Solution
    """Where the truth comes from; under the duel's own names, and with the same states and moves."""

    @property
    def name(self) -> str:
        """The duel and what differs from its book, under its own names."""
        true = self.solution.game
        return " ".join([true.id, *settings(true, self.rules)])


class Question(NamedTuple):
    number: int
    """Its place in the paper, from 0."""
    subject: Subject
    state: SomeState
    seat: int
    options: tuple[Option, ...]
    """Every legal move with what it is worth and what it loses."""
    stake: float
    """What choosing blindly loses here on average, in win probability."""

    @property
    def secret(self) -> bool:
        """Whether both pick at once here."""
        return self.subject.game.turn(self.subject.rules, self.state) == BOTH

    @property
    def position(self) -> str:
        """As whoever is examined reads it."""
        return self.subject.game.write_position(self.subject.rules, self.state)

    @property
    def view(self) -> View:
        return View(self.subject.game, self.subject.rules, self.state, self.seat, self.number)

    @property
    def line(self) -> str:
        """The question in one line, under the duel's own names."""
        true = self.subject.solution.game
        return f"{self.subject.name} | {true.write_position(self.subject.rules, self.state)} | seat {self.seat + 1}"


def paper(subjects: Sequence[Subject], questions: int = QUESTIONS, seed: int = SEED) -> list[Question]:
    """So many questions, the duels by turns and the seats of each by turns."""
    drawn = [[_drawn(subject, seat, seed) for seat in (0, 1)] for subject in subjects]
    found = []
    for number in range(questions):
        lap, at = divmod(number, len(subjects))
        found.append(Question(number, subjects[at], *next(drawn[at][lap % 2])))
    return found


def paper_hash(questions: Sequence[Question]) -> str:
    """What tells one paper from another: two that have the same ask the same."""
    words = "".join(f"{question.line}\n" for question in questions)
    return sha256(words.encode()).hexdigest()[:16]


def ask_at(subject: Subject, state: SomeState, seat: int, number: int = 0) -> Question:
    """The question whose position somebody names."""
    options = tuple(subject.solution.options(state, seat))
    if not options:
        true = subject.solution.game
        raise DuelError(f"{true.seats[seat]} has nothing to decide at {true.write_position(subject.rules, state)}.")
    return Question(number, subject, state, seat, options, _at_stake(options))


def _at_stake(options: Sequence[Option]) -> float:
    """To a few digits, so that rounding on another machine draws nothing else."""
    return round(fsum(option.lost for option in options) / max(1, len(options)), CERTAIN)


Drawn = tuple[SomeState, int, tuple[Option, ...], float]
"""What of a question is drawn: all but its place and its duel."""


def _drawn(subject: Subject, seat: int, seed: int) -> Iterator[Drawn]:
    """Decisions of a seat without end: any position that the table holds, kept with the chance of its stake.

    What is at stake is at most what the seat has: many draws are put aside by that, before every move is weighed.
    """
    solution, sign = subject.solution, 1 if seat == 0 else -1
    bits = mix(*subject.name.encode(), seat, seed)
    draw, last = 0, 0
    while draw - last < MOST_TRIES:
        place, least = below(len(solution.table), bits, PLACE, draw), below(FINE, bits, KEPT, draw) / FINE
        state = _decided(solution, place, seat, bits, draw)
        draw += 1
        if state is None or (1 + sign * solution.value(state)) / 2 <= least:
            continue
        options = tuple(solution.options(state, seat))
        stake = _at_stake(options)
        if stake > least:
            last = draw
            yield state, seat, options, stake
    raise DuelError(
        f"{subject.name} cannot be examined: at none of {MOST_TRIES:,} positions can a single answer lose anything."
    )


def _decided(solution: Solution, place: int, seat: int, bits: int, draw: int) -> SomeState | None:
    """The position at a place of the table, after luck and from the side where this seat decides; None where there is
    none."""
    if solution.known(place) is None:
        return None
    game, rules, state = solution.game, solution.rules, solution.position(place)
    step = 0
    while (turn := game.turn(rules, state)) == LUCK:
        faces = [face for face in game.faces for _ in range(game.odds(rules, state, face))]
        state = game.deal(rules, state, faces[below(len(faces), bits, FACE, draw, step)])
        step += 1
    if turn == OVER:
        return None
    if turn == BOTH:
        return (solution.mirror(state) or state) if below(2, bits, SIDE, draw) else state
    return state if turn == seat else solution.mirror(state)

"""A recorded game as a row of positions, the start first: who is to decide at each, and what is said of it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate

from duelbook.coach.decision import Decision
from duelbook.coach.report import cost, in_words
from duelbook.coach.review import Review
from duelbook.coach.words import SIGNS, chance
from duelbook.core import BOTH, LUCK, OVER
from duelbook.record import Record
from duelbook.speech import Line
from duelbook.table.telling import ending, timeline


class Course:
    def __init__(self, record: Record, people: Collection[int] = ()) -> None:
        """`people` are the seats of those who look on and have played it themselves."""
        self.record, self.match, self.people = record, record.match, people
        self.frames = list(timeline(record, people))
        self.states: list[object] = [*(step.before for step in self.match.steps), self.match.state]
        self.turns = list(accumulate((step.turn != LUCK for step in self.match.steps), initial=0))
        """How many turns have been played at every position."""
        self.review: Review | None = None
        """What the coach found, once he is done."""
        self._why: dict[int, list[Line]] = {}
        """The reasons that were asked for: each takes a moment, and a step is shown again and again."""

    def after_turn(self, turn: int) -> int:
        return min(bisect_left(self.turns, turn), len(self.frames))

    def turn_shown(self, at: int) -> int:
        """The turn that the step belongs to which led here: a card to the turn that it begins."""
        return self.frames[at - 1].turn if at else 0

    def to_decide(self, at: int) -> tuple[int, ...]:
        """The seats whose decision comes next at this position."""
        game, state = self.match.game, self.states[at]
        turn = game.turn(self.match.rules, state)
        if turn in (BOTH, OVER):
            return (0, 1) if turn == BOTH else ()
        return (int(game.dialogue.drawer(state)),) if turn == LUCK else (turn,)

    def wins(self, at: int) -> float | None:
        """The first player's chance here, the card on the table counted; None without a review."""
        found, turn = self.review, self.turns[at]
        if found is None:
            return None
        settled = chance(found.curve[turn])
        if at == 0 or self.match.steps[at - 1].turn != LUCK:
            return settled
        following = next((each for each in found.decisions if each.turn == turn + 1), None)
        if following is not None:
            return following.before if following.seat == 0 else 1 - following.before
        sign = 1 if self.match.next_seat() == 0 else -1
        return settled + sign * (found.waiting[1] if found.waiting else 0.0)

    def to_try(self, at: int) -> tuple[int, tuple[int, ...]]:
        """From which position another move can be tried here, and in which seats: where a marked move led here, from
        before it, as whoever made it, for that is the move to be made better."""
        slipped = tuple(each.seat for each in self._decisions(at) if each.mark)
        return (at - 1, slipped) if slipped else (at, self.to_decide(at))

    def decided(self, at: int, seat: int) -> str:
        """The move with which a seat led here."""
        return next(each.move for each in self._decisions(at) if each.seat == seat)

    # What is said

    def words(self, at: int) -> Iterator[Line]:
        """What the coach says of the step that led here, what the book says of it, and what the record says."""
        match, decided = self.match, self._decisions(at)
        yield from self._losses(decided)
        if at == 0:
            told = match.game.dialogue.opening(match.rules, match.start, match.names)
        else:
            told = self.frames[at - 1].lines
        yield from _briefly(told)
        if decided and not any(each.worse for each in decided):
            yield Line("As good as the best there was.", "gain")
        comment = self.record.comments.get(at)
        if comment:
            yield Line(f"“{comment}”", "quiet")
        if at == len(self.frames):
            yield from _briefly(ending(match, self.people))

    def _decisions(self, at: int) -> list[Decision]:
        """The decisions of the step that led to this position; none for a card, and without a review."""
        if self.review is None or at == 0 or self.match.steps[at - 1].turn == LUCK:
            return []
        return [each for each in self.review.decisions if each.turn == self.turns[at]]

    def _losses(self, decided: Sequence[Decision]) -> Iterator[Line]:
        """What a decision gave away comes before everything else: it must be seen in the smallest window."""
        for each in decided:
            if each.worse and self.review is not None:
                sign = f"{SIGNS[each.mark]} " if each.mark else ""
                whose = f"{self.match.names[each.seat]}'s {each.move}"
                said = f"{sign}{whose} {cost(self.review, each)}, better: {in_words(each.better)}."
                yield Line(said, "hurt" if each.mark else "calm")

    def reasons(self, at: int) -> list[Line]:
        """Why the slips of the step that led here were slips, as the review tells it to whoever made them."""
        if at not in self._why:
            self._why[at] = [
                Line(f"Said to {self.match.names[each.seat]}: {sentence}" if first else sentence)
                for each in self._decisions(at)
                if self.review is not None and each.mark
                for first, sentence in zip((True, False, False), self.review.why(each).lines(), strict=False)
            ]
        return self._why[at]


def _briefly(lines: Sequence[Line]) -> Iterator[Line]:
    """The story of a step without what the screen shows anyway: whose turn it is, and how full every bar is."""
    for at, line in enumerate(lines):
        heads_bars = line.text.endswith(":") and at + 1 < len(lines) and lines[at + 1].gauge is not None
        if line.text and line.gauge is None and line.tone not in ("turn", "extra") and not heads_bars:
            yield line

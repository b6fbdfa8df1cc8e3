"""The coach beside the board: a hint when asked, a word after a move that lost something, a bar with the score."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from duelbook.coach.hint import hint
from duelbook.coach.reasons import reason
from duelbook.coach.report import in_words
from duelbook.coach.review import better
from duelbook.coach.scales import weigh
from duelbook.coach.words import SAME, WORTH_SAYING, chance, fall, mark, percent
from duelbook.core import BOTH
from duelbook.match import Match
from duelbook.solving.library import solution_at
from duelbook.solving.solution import Solution

BAR = 20


class Remark(NamedTuple):
    """What the coach says of a decision that gave something away."""

    seat: int
    sentence: str
    """That something was given away, and how much; nothing yet of what would have been better."""
    why: tuple[str, ...]
    """For whoever wants to see it: the line that punishes it, the ideas behind it, and what was better."""


class Coach:
    """Watches one match. Knows what every player may know: the position, never a sealed pick or a card to come."""

    def __init__(self, match: Match) -> None:
        self.match = match

    @cached_property
    def solution(self) -> Solution:
        """The solved duel, with all that can follow from where the match began. Raises DuelError if there is none."""
        return solution_at(self.match.game, self.match.rules, self.match.start)

    def hint(self, seat: int) -> list[str]:
        return hint(self.solution, self.match.state, seat).lines()

    def remarks(self) -> list[Remark]:
        """What to say of the last step of the match: a remark for every seat that gave away enough to mention."""
        match = self.match
        step = match.steps[-1]
        weight = weigh(self.solution, step.turn, step.play, step.before, match.state)
        found = []
        for seat in (0, 1):
            lost = weight.lost[seat] / 2
            if lost < WORTH_SAYING - SAME:
                continue
            was = chance(weight.before, seat)
            before, now, gone = fall(was, was - lost)
            picked = step.turn == BOTH
            what = f"{match.names[seat]}'s pick" if picked else "That"
            since = "against the best answer" if picked else "after"
            instead = in_words(better(self.solution, step.before, seat))
            name = f"{'an' if mark(lost)[0] in 'aeiou' else 'a'} {mark(lost)}"
            why = reason(self.solution, step.before, seat, step.play[seat] if picked else step.play)
            found.append(
                Remark(
                    seat,
                    f"{what} gave away {gone} ({name}: {before} before, {now} {since}).",
                    (*why.lines(), f"Better was {instead}."),
                )
            )
        return found

    def bar(self, full: str = "#", empty: str = ".") -> str:
        """`Player 1 62 % |############........| 38 % Player 2`."""
        wins = chance(self.solution.value(self.match.state))
        filled = round(BAR * wins)
        one, two = self.match.names
        return f"{one} {percent(wins)} |{full * filled}{empty * (BAR - filled)}| {percent(1 - wins)} {two}"

"""The coach beside the board: a hint when asked, a word after a move that lost something, a bar with the score."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from duelbook.coach.hint import hint
from duelbook.coach.odds import Odds, meeting, odds_at, work_out
from duelbook.coach.reasons import reason
from duelbook.coach.report import in_words
from duelbook.coach.review import better
from duelbook.coach.scales import weigh
from duelbook.coach.words import SAME, WORTH_SAYING, chance, fall, mark, percent, percents
from duelbook.core import BOTH
from duelbook.match import Match
from duelbook.players import HUMAN
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

    def __init__(self, match: Match, seats: tuple[str, str] = (HUMAN, HUMAN)) -> None:
        """`seats` are the kinds of players: against some of them there is a second number to tell."""
        self.match, self.seats = match, seats
        self._odds: Odds | None = None
        self._looked_for: tuple[str, str] | None = None

    @cached_property
    def solution(self) -> Solution:
        """The solved duel, with all that can follow from where the match began. Raises DuelError if there is none."""
        return solution_at(self.match.game, self.match.rules, self.match.start)

    @property
    def odds(self) -> Odds | None:
        """The chances of those who sit here now; None where they are not known, or not yet."""
        return self._odds if self._odds is not None and self._odds.seats == self.seats else None

    @property
    def odds_wanted(self) -> bool:
        """Whether nobody has looked for them since somebody sat down."""
        return self._looked_for != self.seats

    def find_odds(self) -> None:
        """Have these chances at hand, where they can be found soon."""
        if self.odds_wanted:
            self._looked_for = self.seats
            self._odds = odds_at(self.solution, self.seats, self.match.start)

    @property
    def odds_take_a_while(self) -> bool:
        """Whether they were not at hand, so that they would have to be worked out."""
        return self.odds is None and not self.odds_wanted and meeting(self.seats) is not None

    def work_out_odds(self) -> None:
        """Have them worked out, which takes a while: beside whatever else goes on."""
        found = work_out(self.solution, self.seats)
        self._odds = self._odds if found is None else found

    def hint(self, seat: int) -> list[str]:
        lines = hint(self.solution, self.match.state, seat).lines()
        if self.odds is not None and seat == self.odds.whose:
            lines.append(self.odds.sentence(self.solution, self.match.state))
        return lines

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
            said = f"{what} gave away {gone} ({name}: {before} before, {now} {since})."
            found.append(Remark(seat, said + self._change(seat, step.before), (*why.lines(), f"Better was {instead}.")))
        return found

    def _change(self, seat: int, before: object) -> str:
        """What the last step did to the second number."""
        if self.odds is None or seat != self.odds.whose:
            return ""
        was, now = percents(*(self.odds.wins(state, seat) for state in (before, self.match.state)))
        return f" {self.odds.label}: {was} before, {now} now."

    def bar(self, full: str = "#", empty: str = ".") -> list[str]:
        """`Player 1 62 % |############........| 38 % Player 2`; with a second number, each says which it is."""
        wins = chance(self.solution.value(self.match.state))
        filled = round(BAR * wins)
        one, two = self.match.names
        bar = f"{one} {percent(wins)} |{full * filled}{empty * (BAR - filled)}| {percent(1 - wins)} {two}"
        if self.odds is None:
            return [bar]
        return [f"Perfect play: {bar}", self.odds.words(self.match.state, self.match.names)]

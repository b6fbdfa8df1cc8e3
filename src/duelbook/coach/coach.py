"""The coach beside the board: a hint when asked, a word after a move that lost something, a bar with the score."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from duelbook.coach.decision import Decision, decision
from duelbook.coach.hint import hint
from duelbook.coach.odds import Odds, meeting, odds_at, spoken, to_come, work_out
from duelbook.coach.reasons import reason
from duelbook.coach.report import in_words
from duelbook.coach.scales import weigh
from duelbook.coach.words import SAME, WORTH_SAYING, chance, fall, mark, percent, percents
from duelbook.core import BOTH
from duelbook.match import Match
from duelbook.players import HUMAN, people_in
from duelbook.solving.library import solution_at
from duelbook.solving.solution import Solution
from duelbook.speech import amount

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
        self.odds_promised = False
        """Whether they are being worked out, so that it can be said; set by whoever has that done."""

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
            self._odds = odds_at(self.solution, self.seats, self.match.start, self.match.max_turns)

    @property
    def odds_take_a_while(self) -> bool:
        """Whether they were not at hand, so that they would have to be worked out."""
        there_is_one = meeting(self.seats, self.match.max_turns) is not None
        return self.odds is None and not self.odds_wanted and there_is_one

    def work_out_odds(self) -> None:
        """Have them worked out, which takes a while: beside whatever else goes on."""
        try:
            found = work_out(self.solution, self.seats)
            self._odds = self._odds if found is None else found
        finally:
            self.odds_promised = False

    def second_number(self) -> str:
        """The chance of those who sit here, in words, or that it is being worked out; nothing where it is neither."""
        if self.odds is not None:
            return self.odds.words(self.match.state, self.match.names)
        return to_come(self.seats) if self.odds_promised else ""

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
        for seat in (0, 1) if step.turn == BOTH else (step.turn,):
            each = decision(match, step, weight, seat, self.solution, self.odds)
            if not (each.mark or (each.sooner and not each.lost)):
                continue
            picked = step.turn == BOTH
            against = "" if each.lost_here is None or self.odds is None else self.odds.label
            why = reason(self.solution, step.before, seat, step.play[seat] if picked else step.play, against)
            whose = "Your" if people_in(self.seats) == (seat,) else f"{match.names[seat]}'s"
            said = self._said(each, f"{whose} pick" if picked else "That", picked)
            better = () if each.better == (why.advises,) else (self._better(each, picked),)
            found.append(Remark(seat, said, (*why.lines(), *better)))
        return found

    def _said(self, each: Decision, what: str, picked: bool) -> str:
        """What a decision gave away under perfect play; else against this opponent; else how much sooner it ends."""
        if each.lost >= WORTH_SAYING - SAME:
            since = "against perfect picks" if picked else "after, under perfect play"
            fell = _fell(what, each.before, each.lost, since)
            return f"{fell}{self._change(each.seat, self.match.steps[-1].before)}"
        if each.already_lost:
            first = "Against perfect play this was lost anyway"
        else:
            first = f"Against perfect play {'nothing' if each.lost <= SAME else 'little'} changed"
        if self.odds is None or not each.lost_here or each.here is None:
            return f"{first}, but it can be over {amount(each.sooner, 'move')} sooner now than it need be."
        what = f"{self.odds.label.lower()} {what[0].lower() if what in ('That', 'Your pick') else what[0]}{what[1:]}"
        return f"{first}, but {_fell(what, each.here, each.lost_here, 'on average' if picked else 'after')}"

    def _better(self, each: Decision, picked: bool) -> str:
        """What a perfect player does; where the move has done well against this opponent, whom it is better against."""
        step = self.match.steps[-1]
        rose = each.lost > SAME and self._rose(each.seat, step.before)
        against = " against perfect play" if rose else ""
        by_lot = ", at random" if picked and len(each.better) > 1 else ""
        return f"Better{against} was {in_words(each.better)}{by_lot}."

    def _chances(self, seat: int, before: object) -> tuple[float, float] | None:
        """The second number before the last step and after it; None where it is not told of this seat."""
        if self.odds is None or seat != self.odds.whose:
            return None
        return self.odds.wins(before, seat), self.odds.wins(self.match.state, seat)

    def _rose(self, seat: int, before: object) -> bool:
        chances = self._chances(seat, before)
        return chances is not None and chances[1] > chances[0]

    def _change(self, seat: int, before: object) -> str:
        """What the last step did to the second number."""
        chances = self._chances(seat, before)
        if chances is None or self.odds is None:
            return ""
        was, now = percents(*chances)
        if was == now:
            return ""
        why = self._why_it_rose(seat, before) if chances[1] > chances[0] else ""
        return f" {self.odds.label}: {was} before, {now} now{why}."

    def _why_it_rose(self, seat: int, before: object) -> str:
        """How a move can give something away and do well all the same: it was not punished, or may not be.

        Where the value fell and the chance against somebody rose, it is theirs to fall again: they do not play
        perfectly from there.
        """
        if self.odds is None or not self.odds.alone:
            return ""
        value = [chance(self.solution.value(state), seat) for state in (before, self.match.state)]
        if value[1] >= value[0] - SAME:
            return ", for what they picked did not punish it"
        return f", for {spoken(self.seats[1 - seat])} does not always find the best answer"

    def bar(self, full: str = "#", empty: str = ".") -> list[str]:
        """`Perfect play: Player 1 62 % |############........| 38 % Player 2`, and the second number if there is one.

        Between two people as well: 0 % at two HP behind is no forecast of their game.
        """
        wins = chance(self.solution.value(self.match.state))
        filled = round(BAR * wins)
        one, two = self.match.names
        bar = f"{one} {percent(wins)} |{full * filled}{empty * (BAR - filled)}| {percent(1 - wins)} {two}"
        second = self.second_number()
        return [f"Perfect play: {bar}", *([second] if second else [])]


def _fell(what: str, was: float, lost: float, since: str) -> str:
    before, now, gone = fall(was, was - lost)
    name = f"{'an' if mark(lost)[0] in 'aeiou' else 'a'} {mark(lost)}"
    return f"{what} gave away {gone} ({name}: {before} before, {now} {since})."

"""One decision of one player, weighed: by what it is worth under perfect play, and then by what else is known.

Where the value under perfect play does not fall, because the game is lost already or because several moves keep it,
a move can still be worse than another. What counts then is the chance against the opponent who sits there, where that
is known, and otherwise how long a lost game is held out.
"""

from __future__ import annotations

from typing import NamedTuple

from duelbook.coach.odds import Odds
from duelbook.coach.scales import Weighed
from duelbook.coach.words import SAME, SEEN, chance, mark
from duelbook.core import BOTH, SomeState
from duelbook.match import Match, Step
from duelbook.solving.solution import Solution


class Decision(NamedTuple):
    """One decision of one player. Probabilities are those of the player who decided."""

    seat: int
    move: str
    position: str
    before: float
    """The win probability before it."""
    lost: float
    """The win probability it gave away, 0 or more."""
    lost_here: float | None
    """The chance that it cost against the opponent who sat there, 0 or more; None where that is not known."""
    sooner: int
    """Where that is not known and the game was lost: by how many plies it was held out less long than could be."""
    better: tuple[str, ...]
    """What a perfect player would have played; empty where nothing was better."""
    guess: float
    """Where both picked at once: what the two picks did that was neither player's doing."""
    here: float | None
    """The chance before it against the opponent who sat there, as `odds` has it; None where it is not known."""
    turn: int = 0
    cards: str = ""
    """The cards drawn since the decision before, as in a record: `7:`."""
    luck: float = 0.0
    """What those cards did."""

    @property
    def after(self) -> float:
        return self.before - self.lost

    @property
    def mark(self) -> str:
        """By the value under perfect play; where that says nothing, by the chance against this opponent."""
        return mark(self.lost) or mark(self.lost_here or 0.0)

    @property
    def already_lost(self) -> bool:
        """Whether there was nothing left to give away: against perfect play the game was lost before it."""
        return self.before <= SAME

    @property
    def worse(self) -> bool:
        """Whether the coach knows of something better."""
        return self.lost > SAME or (self.lost_here or 0.0) >= SEEN or self.sooner > 0

    @property
    def weight(self) -> tuple[float, float, int, int]:
        """How much it mattered, for whoever lists the worst ones first.

        A game that is thrown away again and again is lost each time as much under perfect play. Then it says more what
        it cost against this opponent, which is known of a person alone, and at last which one was never made good.
        """
        here = -1.0 if self.lost_here is None else self.lost_here
        return round(max(self.lost, here), 9), round(here, 9), self.sooner, self.turn


def decision(match: Match, step: Step, weight: Weighed, seat: int, solution: Solution, odds: Odds | None) -> Decision:
    """What a seat decided at a step of a match. Which turn it was and which cards came before is for others to say."""
    game, rules = match.game, match.rules
    move = step.play[seat] if step.turn == BOTH else step.play
    here = None if odds is None else odds.lost(solution, step.before, seat, move)
    found = Decision(
        seat,
        game.dialogue.words(rules)[move],
        game.write_position(rules, step.before),
        chance(weight.before, seat),
        weight.lost[seat] / 2,
        here,
        sooner(solution, step.before, seat, move) if here is None else 0,
        (),
        (1 if seat == 0 else -1) * weight.guess / 2 + 0.0,
        None if odds is None else odds.wins(step.before, seat),
    )
    return found._replace(better=better(solution, step.before, seat)) if found.worse else found


def better(solution: Solution, state: SomeState, seat: int) -> tuple[str, ...]:
    """What a perfect player plays here: one move, or the picks of a mixed plan, the likeliest first, as in a hint."""
    words = solution.game.dialogue.words(solution.rules)
    plan = solution.plan(state, seat)
    moves = sorted(
        (move for move, share in enumerate(plan) if share > 0), key=lambda move: (-round(plan[move], 9), -move)
    )
    return tuple(words[move] for move in moves)


def sooner(solution: Solution, state: SomeState, seat: int, move: int) -> int:
    """By how many plies a move of a lost game is held out less long than it could be; 0 where nobody counts plies."""
    if chance(solution.value(state), seat) > SAME:
        return 0
    plies = {option.move: option.plies for option in solution.options(state, seat) if option.plies is not None}
    return max(plies.values()) - plies[move] if move in plies else 0

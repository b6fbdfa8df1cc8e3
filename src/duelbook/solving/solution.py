"""A solved duel, as a tablebase: what every position is worth, and how to play it. Plain Python: any install has it.

Everybody who wants to know what a position is worth (the minimax value), how a perfect player plays it or what a move
gives away asks here, and gets the same answer whether players take turns, pick at once, or luck has a say.

A solution is a table from the numbers of positions (see `layout`) to what is known of them. In alternating duels and
duels of secret picks most positions share a few hundred facts, so the table holds a place in a list of facts. In duels
with luck it holds the values at the positions where a card comes; where a player decides, one look ahead through the
rules gives the rest.
"""

from __future__ import annotations

from array import array
from typing import Any, NamedTuple

from duelbook.core import BOTH, LUCK, OVER, DuelError, Game, IllegalMove, SomeRules, SomeState
from duelbook.positions.layout import Numbering
from duelbook.positions.target import end_value
from duelbook.solving.decisions_in_a_row import value_of_decisions
from duelbook.solving.known import Choices, Draw, Fact, Option
from duelbook.solving.loss import ROUNDING, given_away, hardest_answer, mark_certain

BEYOND = 1e-9
"""How far computing may carry a value beyond what it can be."""


class NotInTable(DuelError):
    """A position that cannot come up in play, so that the table does not hold it."""


class _Picks(NamedTuple):
    """One seat's picks at a position where both pick at once, seen from that seat: what is good for it is high."""

    met: list[list[float]]
    """What each pair of legal picks comes to: `met[pick][answer]`, with zeros where a pick is not legal."""
    plan: tuple[float, ...]
    """The other seat's."""
    certain: list[bool]
    """The answers that are perfect by themselves."""


def settled(value: float) -> float:
    """A value without the dust of rounding, where it is whole."""
    whole = round(value)
    return whole + 0.0 if abs(value - whole) < ROUNDING else value  # and no minus in front of a zero


def _for(seat: int, value: float) -> float:
    """A value of Player 1's as a seat sees it, or the other way round."""
    return value if seat == 0 else -value


class Solution:
    """The solved duel. Values are Player 1's, from -1 (lost) over 0 (drawn, or endless) to 1 (won)."""

    def __init__(
        self,
        game: Game,
        rules: SomeRules,
        kind: str,
        numbering: Numbering,
        table: array[Any],
        facts: list[Fact],
        states: int,
        error: float,
        choices: Choices | None = None,
    ) -> None:
        self.game, self.rules, self.kind = game, rules, kind
        self.numbering, self.table, self.facts, self.choices = numbering, table, facts, choices
        self.states = states
        """How many positions were solved, mirrors counted once."""
        self.error = error
        """No value is further from the truth than this."""
        self.same = 2 * error + ROUNDING
        """Two values of this solution that are no further apart than this may be the same in truth."""
        self._picked: tuple[SomeState, tuple[_Picks, _Picks]] | None = None

    # What a position is worth

    def value(self, state: SomeState) -> float:
        """What a position is worth to Player 1, without the dust of rounding on values that are whole."""
        return settled(self._value(state))

    def _value(self, state: SomeState) -> float:
        return self._value_at(state, self.game.turn(self.rules, state))

    def _value_at(self, state: SomeState, turn: int) -> float:
        if turn == OVER:
            return float(end_value(self.game.winner(self.rules, state)))
        if self.kind == "luck" and turn != LUCK:
            return self._before_luck(state, turn)
        if self.kind == "luck":
            number, turned = self._number(state)
            value: float = self.table[number]
            if not abs(value) <= 1 + BEYOND:  # no number at all stands where there is no position
                raise self._unknown(state)
            return -value if turned else value
        fact, _ = self._fact(state)
        return fact.middle

    def bounds(self, state: SomeState) -> tuple[float, float]:
        """What Player 1 can guarantee, and what Player 2 can hold Player 1 to."""
        if self.kind == "picks" and self.game.turn(self.rules, state) != OVER:
            fact, _ = self._fact(state)
            return fact.low + 0.0, fact.high + 0.0
        value = self._value(state)
        return value - self.error, value + self.error

    def plies(self, state: SomeState) -> int | None:
        """Plies to the end with best play, where one side can force it."""
        if self.kind != "backwards":
            return None
        if self.game.turn(self.rules, state) == OVER:
            return 0
        plies = self._fact(state)[0].plies
        return plies if plies >= 0 else None

    # What a seat can do about it

    def options(self, state: SomeState, seat: int) -> list[Option]:
        """Every legal move of a seat with what it is worth; none for a seat that has no decision here."""
        turn, had = self.game.turn(self.rules, state), _for(seat, self.value(state))
        found = []
        if turn == BOTH:
            for pick in self.game.legal_moves(self.rules, state, seat):
                kept = self._pick_value(state, seat, pick)
                found.append(Option(pick, _for(seat, kept) + 0.0, None, given_away(had, kept) / 2))
        elif turn == seat:
            for move, after in self._afters(state):
                value, plies = self.value(after), self.plies(after)
                lost = given_away(had, _for(seat, value)) / 2
                found.append(Option(move, value, None if plies is None else plies + 1, lost))
        return found

    def _afters(self, state: SomeState) -> list[tuple[int, SomeState]]:
        """Every legal move of the seat whose turn it is, and where it leads."""
        game, rules = self.game, self.rules
        moves = game.legal_moves(rules, state, game.turn(rules, state))
        return [(move, game.apply(rules, state, move)) for move in moves]

    def loss(self, state: SomeState, seat: int, move: int) -> float:
        """What a move gives away of the value of a position, 0 or more: half of it is the win probability it loses.

        Where both pick, a foul is asked of the rules like any other pick: they say what it costs.
        """
        game, rules = self.game, self.rules
        turn = game.turn(rules, state)
        if turn not in (seat, BOTH):
            raise DuelError(f"{game.seats[seat]} has nothing to decide at {game.write_position(rules, state)}.")
        if turn == BOTH:
            kept = self._pick_value(state, seat, move)
        elif game.legal(rules, state, seat, move):
            kept = _for(seat, self.value(game.apply(rules, state, move)))
        else:
            raise IllegalMove(game.dialogue.why_not(rules, state, seat, move))
        return float(given_away(_for(seat, self.value(state)), kept))

    def plan(self, state: SomeState, seat: int) -> tuple[float, ...]:
        """How likely a seat's perfect play makes each move; all zeros for a seat that has no decision here."""
        turn = self.game.turn(self.rules, state)
        if turn not in (seat, BOTH):
            return (0.0,) * len(self.game.moves)
        if self.kind == "luck":
            choice = self._best_with_luck(state, seat)
            return tuple(float(move == choice) for move in range(len(self.game.moves)))
        fact, turned = self._fact(state)
        return fact.second if (seat == 0) == turned else fact.first

    # Where luck has a say

    def draws(self, state: SomeState) -> list[Draw]:
        """Every face that luck can bring here; none where it is not luck's turn."""
        game, rules = self.game, self.rules
        if game.turn(rules, state) != LUCK:
            return []
        odds = {face: game.odds(rules, state, face) for face in game.faces}
        total = sum(odds.values())
        return [
            Draw(face, weight / total, self.value(game.deal(rules, state, face)))
            for face, weight in odds.items()
            if weight
        ]

    def _before_luck(self, state: SomeState, turn: int) -> float:
        """What a decision is worth: one look ahead, to where luck acts or the game is over, or as many as it takes."""
        turn_of, rules = self.game.turn, self.rules
        ahead = [(after, turn_of(rules, after)) for _, after in self._afters(state)]
        if any(then < BOTH for _, then in ahead):
            return value_of_decisions(self.game, self.rules, state, self._value)
        values = [self._value_at(after, then) for after, then in ahead]
        return max(values) if turn == 0 else min(values)

    def _best_with_luck(self, state: SomeState, seat: int) -> int:
        """The best move; among equals the one that the solver chose (see `reference`)."""
        afters = self._afters(state)
        worth = [_for(seat, self._value(after)) for _, after in afters]
        good = [place for place, value in enumerate(worth) if value >= max(worth) - ROUNDING]
        chosen = good[0]
        if len(good) > 1 and self.choices is not None:
            chosen = self.choices.places.get(self.choices.numbering.find(state)[0], chosen)
        return afters[chosen if chosen in good else good[0]][0]

    # Where both pick at once

    def meetings(self, state: SomeState, seat: int, pick: int) -> dict[int, float]:
        """What a pick of a seat comes to with every legal answer, in Player 1's values."""
        row = self._met(state, seat, pick)
        return {answer: _for(seat, row[answer]) for answer in self.game.legal_moves(self.rules, state, 1 - seat)}

    def _pick_value(self, state: SomeState, seat: int, pick: int) -> float:
        """What a pick is worth to the seat that makes it, against a perfect opponent."""
        picks = self._picks(state, seat)
        return float(hardest_answer(self._met(state, seat, pick), picks.plan, picks.certain))

    def _met(self, state: SomeState, seat: int, pick: int) -> list[float]:
        if self.game.legal(self.rules, state, seat, pick):
            return self._picks(state, seat).met[pick]
        return self._row(state, seat, pick)

    def _row(self, state: SomeState, seat: int, pick: int) -> list[float]:
        """What a pick comes to with every legal answer."""
        game, rules = self.game, self.rules
        row = [0.0] * len(game.moves)
        for answer in game.legal_moves(rules, state, 1 - seat):
            pair = (pick, answer) if seat == 0 else (answer, pick)
            row[answer] = _for(seat, self.value(game.resolve(rules, state, *pair)))
        return row

    def _picks(self, state: SomeState, seat: int) -> _Picks:
        """All picks of a seat at a position. One pick is asked about after the other, so the last answer is kept."""
        known = self._picked
        if known is None or known[0] != state:
            known = self._picked = (state, self._both_seats_picks(state))
        return known[1][seat]

    def _both_seats_picks(self, state: SomeState) -> tuple[_Picks, _Picks]:
        game, rules, moves = self.game, self.rules, range(len(self.game.moves))
        mine, theirs = ([game.legal(rules, state, seat, move) for move in moves] for seat in (0, 1))
        met = [self._row(state, 0, pick) if mine[pick] else [0.0] * len(moves) for pick in moves]
        turned = [[-met[one][two] for one in moves] for two in moves]
        value = self.value(state)
        marks = ([False] * len(moves), [False] * len(moves))
        mark_certain(met, mine, theirs, value + self.same, marks[0])
        mark_certain(turned, theirs, mine, -value + self.same, marks[1])
        return _Picks(met, self.plan(state, 1), marks[0]), _Picks(turned, self.plan(state, 0), marks[1])

    # The table

    def _number(self, state: SomeState) -> tuple[int, bool]:
        number, turned = self.numbering.find(state)
        if not 0 <= number < len(self.table):
            raise self._unknown(state)
        return number, turned

    def _fact(self, state: SomeState) -> tuple[Fact, bool]:
        """The fact, as seen by Player 1 of this position, and whether its plans belong to the other seats."""
        number, turned = self._number(state)
        place = self.table[number]
        if place == 0:
            raise self._unknown(state)
        fact = self.facts[place - 1]
        return (fact._replace(low=-fact.high, high=-fact.low), True) if turned else (fact, False)

    def place(self, state: SomeState) -> int:
        """Where the table holds a position; a position and its mirror have one place."""
        return self.numbering.find(state)[0]

    def mirror(self, state: SomeState) -> SomeState | None:
        """The position with the seats swapped; None in a duel that is not the same for both."""
        return self.numbering.mirror(state) if self.numbering.turns_round else None

    def position(self, place: int) -> SomeState:
        return self.numbering.unpack(place)

    def known(self, place: int) -> float | None:
        """What the table holds at a place, the same where the same is known; None where no position stands."""
        known: float = self.table[place]
        return known if known == known and (known or self.kind == "luck") else None

    def holds(self, state: SomeState) -> bool:
        try:
            self.value(state)
        except NotInTable:
            return False
        return True

    def _unknown(self, state: SomeState) -> NotInTable:
        return NotInTable(f"The position {self.game.write_position(self.rules, state)} cannot come up in play.")

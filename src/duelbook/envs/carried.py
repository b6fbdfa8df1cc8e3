"""One game, carried on for an environment: luck acts by itself, and what cannot be played is dealt with.

A copy of it stands where everything stands that is public. What one seat has sealed is not in it, so that the seat has
to pick again there, and its luck is its own: nobody learns from a copy what will happen in the game.
"""

from __future__ import annotations

from reprlib import repr as shown
from typing import Any

from duelbook.core import BOTH, DRAW, LUCK, DuelError, IllegalMove, SomeState, whole
from duelbook.envs.draws import DEALS, Draws, face_at
from duelbook.envs.encoding import Encoding
from duelbook.match import LATEST_BELL, Match, Outcome, PlayerFault, move_number
from duelbook.speech import in_one_line

LOSE, REPLACE = "lose", "replace"
ILLEGAL = {LOSE: "whoever plays it has lost", REPLACE: "the first legal move is played instead"}
"""What can be done about an action that the rules do not allow."""


def check_illegal(illegal: str) -> str:
    if illegal not in ILLEGAL:
        known = "; ".join(f"{word!r}, {meaning}" for word, meaning in ILLEGAL.items())
        raise DuelError(f"About an illegal action can be done: {known}. There is no {shown(illegal)}.")
    return illegal


class Carried:
    """A game that has begun and stands where somebody has to decide, or is over."""

    def __init__(
        self, encoding: Encoding, draws: Draws, *, bell: int = LATEST_BELL, illegal: str = LOSE, waits: bool = False
    ) -> None:
        """With `waits` there is one more action than there are moves: to wait for the other seat."""
        self.encoding, self.draws, self.illegal, self.waits = encoding, draws, illegal, waits
        self.match = Match(encoding.game, encoding.rules, max_turns=bell)
        self._settle()

    @property
    def state(self) -> SomeState:
        return self.match.state

    @property
    def over(self) -> bool:
        return self.match.outcome is not None

    @property
    def text(self) -> str:
        """The position as it is typed."""
        return self.encoding.game.write_position(self.encoding.rules, self.state)

    def mask(self, seat: int) -> list[int]:
        """The legal moves of a seat that owes a decision; otherwise nothing but 0."""
        return self.encoding.mask(self.state, seat) if seat in self.match.to_act() else [0] * self.encoding.moves

    def reward(self, seat: int) -> float:
        """1 for the winner, -1 for the loser; 0 while it goes on, and where nobody won."""
        winner = None if self.match.outcome is None else self.match.outcome.winner
        return 0.0 if winner in (None, DRAW) else 1.0 if winner == seat else -1.0

    @property
    def rung(self) -> bool:
        """Whether the bell ended it: truncation, not an end by the rules."""
        return self.match.outcome is not None and self.match.outcome.kind == "bell"

    def told(self) -> dict[str, str]:
        """What an info says of it."""
        found = {"position": self.text}
        if self.match.outcome is not None:
            found["reason"] = self.match.outcome.reason
        return found

    def act(self, seat: int, action: object) -> None:
        """A seat's move, or its pick; what is illegal loses, or is replaced."""
        move = self.meant(seat, action)
        try:
            self.match.play(seat, move)
        except IllegalMove as error:
            self.match.fail(seat, error)
        self._settle()

    def act_both(self, actions: tuple[object, object]) -> None:
        """Both picks of a round at once; if neither can be played, nobody wins."""
        moves = [self.meant(seat, actions[seat]) for seat in (0, 1)]
        wrong = [seat for seat in (0, 1) if not self._counts(seat, moves[seat])]
        if len(wrong) == 2:
            self.match.adjudicate(DRAW, "Both played what the rules do not allow.", "fault")
            return
        for seat in wrong or (0, 1):
            self.act(seat, moves[seat])

    def check(self, seat: int, move: object) -> None:
        """Refuse what an opponent plays against the rules: what is done about illegal actions is for agents."""
        number, game, rules = move_number(move), self.encoding.game, self.encoding.rules
        if number not in game.moves:
            raise IllegalMove(f"There is no such move. {self.match.choices(seat)}")
        if not self._counts(seat, number):
            raise IllegalMove(game.dialogue.why_not(rules, self.state, seat, number))

    def fail(self, seat: int, error: PlayerFault | IllegalMove) -> None:
        """A player failed, and has lost by that."""
        self.match.fail(seat, error)

    def meant(self, seat: int, action: object) -> int:
        """The move that an action stands for."""
        most = self.encoding.moves - 1 + self.waits
        move = whole(action, f"An action of {self.encoding.game.name}", 0, most)
        if self.illegal == REPLACE and (move == self.encoding.moves or not self._legal(seat, move)):
            return self.encoding.game.legal_moves(self.encoding.rules, self.state, seat)[0]
        return move

    def _legal(self, seat: int, move: int) -> bool:
        return self.encoding.game.legal(self.encoding.rules, self.state, seat, move)

    def _counts(self, seat: int, move: int) -> bool:
        """Whether it is played at all: a foul is, though it is not legal."""
        game, rules = self.encoding.game, self.encoding.rules
        return move in game.moves and (self._legal(seat, move) or game.foul(rules, self.state, seat, move))

    def ring(self, why: str) -> None:
        """Have the bell ring now."""
        self.match.adjudicate(None, why, "bell")

    def _settle(self) -> None:
        match, game, rules = self.match, self.encoding.game, self.encoding.rules
        while match.outcome is None and match.turn == LUCK:
            weights = [game.odds(rules, match.state, face) for face in game.faces]
            match.deal(game.faces[face_at(weights, self.draws.bits(DEALS, match.draws))])

    def picture(self) -> str:
        """The table in the words of the book, for whoever wants to see it."""
        match, encoding = self.match, self.encoding
        lines = [line.text for line in encoding.game.dialogue.status(encoding.rules, self.state, match.names)]
        if match.outcome is not None:
            lines += [match.outcome.reason, match.verdict()]
        return "\n".join([in_one_line(f"{encoding.game.name}: {self.text}"), *lines])

    def __deepcopy__(self, memo: object) -> Carried:
        return _as_seen(*self._seen())

    def __reduce__(self) -> tuple[Any, ...]:
        return _as_seen, self._seen()

    def _seen(self) -> tuple[Encoding, int, str, bool, list[tuple[int, Any]], Outcome | None]:
        """All that everybody can see of it."""
        match = self.match
        steps = [(step.turn, step.play) for step in match.steps]
        return self.encoding, match.max_turns, self.illegal, self.waits, steps, match.outcome


def _as_seen(
    encoding: Encoding, bell: int, illegal: str, waits: bool, steps: list[tuple[int, Any]], outcome: Outcome | None
) -> Carried:
    """A game of its own that stands where another one stood, as everybody could see it."""
    found = Carried.__new__(Carried)
    found.encoding, found.draws, found.illegal, found.waits = encoding, Draws(), illegal, waits
    match = found.match = Match(encoding.game, encoding.rules, max_turns=bell)
    for turn, play in steps:
        if turn == LUCK:
            match.deal(play)
        elif turn == BOTH:
            match.play(0, play[0])
            match.play(1, play[1])
        else:
            match.play(turn, play)
    if match.outcome is None and outcome is not None:
        match.adjudicate(outcome.winner, outcome.reason, outcome.kind)
    return found

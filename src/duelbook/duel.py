"""One duel under one set of rules, and everything that can be asked of it, for people who write Python.

Positions are given as text (`5 8 1`) or as states, and moves in the words of the game. Nothing is computed here: each
question goes to the room that answers it for the command as well.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from reprlib import repr as shown
from typing import TYPE_CHECKING, Any

from duelbook.core import (
    BOTH,
    LUCK,
    OVER,
    BadPosition,
    DuelError,
    Game,
    IllegalMove,
    SomeRules,
    SomeState,
    check_beginning,
    rules_given,
    rules_hash,
    settings,
    whole,
)
from duelbook.games import duel_of, example, rulebook
from duelbook.luck import new_seed
from duelbook.match import BELL, LATEST_BELL, Closable, Match, Player, read_move
from duelbook.speech import quote

if TYPE_CHECKING:
    from duelbook.coach.hint import Hint
    from duelbook.maps.atlas import Grid
    from duelbook.policies.exploitability import Exploited
    from duelbook.policies.levels import Standings
    from duelbook.puzzles.puzzle import Puzzle
    from duelbook.record import Record
    from duelbook.simulate.outcomes import Outcomes
    from duelbook.solving.certificate import Certificate
    from duelbook.solving.known import Option
    from duelbook.solving.solution import Solution


class Duel:
    """A duel by the book, or under other rules: `Duel("tower")`, `Duel("tower", "goal=20")`.

    Values are Player 1's, from -1 (lost) over 0 (drawn, or endless) to 1 (won). Seats are 0 and 1.
    """

    def __init__(self, game: str | Game, *rules: str) -> None:
        self.game = duel_of(game)
        self.rules: SomeRules = rules_given(self.game, *rules)

    def __repr__(self) -> str:
        return f"Duel({', '.join(map(repr, [self.game.id, *self.settings]))})"

    # The rules

    @property
    def settings(self) -> list[str]:
        """What differs from the book, as `name=value`."""
        return settings(self.game, self.rules)

    @property
    def rules_hash(self) -> str:
        """A short fingerprint of these rules."""
        return rules_hash(self.game, self.rules)

    @property
    def rulebook(self) -> str:
        """The rules for people, in Markdown."""
        return rulebook(self.game)

    @property
    def example(self) -> Path:
        """The file with the rule book's worked example."""
        return example(self.game)

    # Positions

    def state(self, position: object = None) -> SomeState:
        """The state that a text names; a state stays what it is, and None is the start."""
        if position is None:
            check_beginning(self.game, self.rules)
            return self.game.start(self.rules, 0)
        if isinstance(position, str):
            return self.game.read_position(self.rules, position)
        start = self.game.start(self.rules, 0)
        if not isinstance(position, type(start)):
            text = self.game.write_position(self.rules, start)
            raise DuelError(f"A position is a text such as {text!r}, or a state; {quote(str(position))} is neither.")
        return self._by_notation(position)

    def _by_notation(self, state: SomeState) -> SomeState:
        """A state can be made by hand, of anything at all: one that its own text does not read back as is none."""
        try:
            read = self.game.read_position(self.rules, self.game.write_position(self.rules, state))
        except DuelError as error:
            raise BadPosition(f"{shown(state)} is not a position: {error}") from None
        except (TypeError, LookupError, AttributeError, ValueError):
            read = None
        if read != state:
            raise BadPosition(f"{shown(state)} is not a position of {self.game.name}.")
        return read

    def text(self, state: object = None) -> str:
        """A state as the text that reads back as the same."""
        return self.game.write_position(self.rules, self.state(state))

    def legal(self, position: object = None, seat: int | None = None) -> list[str]:
        """What can be played, in the words of the game."""
        state = self.state(position)
        words = self._words()
        return [words[move] for move in self.game.legal_moves(self.rules, state, self._seat(state, seat))]

    # What is true

    @property
    def solution(self) -> Solution:
        """The whole solution: shipped, cached, or solved now."""
        from duelbook.solving.library import solution_for

        return solution_for(self.game, self.rules, however_large=True)

    def value(self, position: object = None) -> float:
        """What a position is worth to Player 1 with best play."""
        state = self.state(position)
        return self._solution_at(state).value(state)

    def bounds(self, position: object = None) -> tuple[float, float]:
        """What Player 1 can guarantee, and what Player 2 can hold Player 1 to."""
        state = self.state(position)
        return self._solution_at(state).bounds(state)

    def plies(self, position: object = None) -> int | None:
        """Plies to the end with best play, where one side can force it."""
        state = self.state(position)
        return self._solution_at(state).plies(state)

    def verdict(self, position: object = None) -> str:
        """Who wins with best play, in a sentence."""
        from duelbook.solving.verdict import verdict

        state = self.state(position)
        return verdict(self._solution_at(state), state)

    def certificate(self) -> Certificate:
        """Check the solution against the rules: what the proof came to."""
        from duelbook.solving.certificate import check

        return check(self.solution)

    def hint(self, position: object = None, seat: int | None = None) -> Hint:
        """The best choice, what each one is worth, and why."""
        from duelbook.coach.hint import hint

        state = self.state(position)
        if seat is not None and (seat not in (0, 1) or self.game.turn(self.rules, state) < LUCK):
            self._seat(state, seat)  # before a card both seats may ask
        return hint(self._solution_at(state), state, seat)

    def best(self, position: object = None, seat: int | None = None) -> list[str]:
        """All that is best on paper: the moves that win soonest or keep most, or the picks of the perfect plan."""
        state = self.state(position)
        return [choice.word for choice in self.hint(state, self._seat(state, seat)).choices if choice.best]

    def plan(self, position: object = None, seat: int | None = None) -> dict[str, float]:
        """How likely a perfect player plays each move; a move that is not here is never played."""
        state = self.state(position)
        shares = self._solution_at(state).plan(state, self._seat(state, seat))
        return {word: share for word, share in zip(self._words(), shares, strict=True) if share}

    def options(self, position: object = None, seat: int | None = None) -> dict[str, Option]:
        """Every legal move with its value, the plies to a decided end, and the win probability that it loses."""
        state = self.state(position)
        words = self._words()
        found = self._solution_at(state).options(state, self._seat(state, seat))
        return {words[option.move]: option for option in found}

    def loss(self, position: object, move: str, seat: int | None = None) -> float:
        """The win probability that a legal move gives away, from 0 to 1, as in a review."""
        state = self.state(position)
        who = self._seat(state, seat)
        if not isinstance(move, str):
            raise IllegalMove(f"A move is a word of the game; {shown(move)} is not. {self.match(state).choices(who)}")
        return self._solution_at(state).loss(state, who, read_move(self.match(state), who, move)) / 2

    def _words(self) -> tuple[str, ...]:
        return self.game.dialogue.words(self.rules)

    def _seat(self, state: object, seat: int | None) -> int:
        turn = self.game.turn(self.rules, state)
        if turn in (LUCK, OVER):
            why = f"a {self.game.chance.face} comes first" if turn == LUCK else "the game is over"
            raise DuelError(f"Nobody decides at {self.text(state)}: {why}.")
        if seat not in (None, 0, 1) or (turn != BOTH and seat not in (None, turn)):
            raise DuelError(f"Seat {seat} does not decide at {self.text(state)}.")
        return (0 if seat is None else seat) if turn == BOTH else turn

    def _solution_at(self, state: object) -> Solution:
        from duelbook.solving.library import solution_at

        return solution_at(self.game, self.rules, state, however_large=True)

    # Playing

    def match(self, position: object = None, *, seed: int | None = None, max_turns: int = BELL) -> Match:
        """A match with nobody in its seats yet."""
        bell = whole(max_turns, "The turns before the bell", 1, LATEST_BELL)
        return Match(self.game, self.rules, start=self.state(position), seed=seed, max_turns=bell)

    def play(
        self,
        one: str | Player,
        two: str | Player,
        *,
        position: object = None,
        seed: int | None = None,
        max_turns: int = BELL,
    ) -> Record:
        """A whole game between two players: kinds such as `level:3`, or objects with `choose(view)`."""
        from duelbook.players import HUMAN, PYTHON, seat_player
        from duelbook.record import Record

        match = self.match(position, seed=seed, max_turns=max_turns)
        seated: list[Player] = []
        kinds = []
        try:
            for seat, given in enumerate((one, two)):
                player = seat_player(given, match.luck.seat_seed(seat)) if isinstance(given, str) else given
                if not isinstance(given, str) and not callable(getattr(given, "choose", None)):
                    raise DuelError(f"A player is a kind or an object with choose(view); {shown(given)} is neither.")
                if player is None:
                    raise DuelError(f"A {HUMAN} needs a terminal; here a seat is taken by a program or an object.")
                seated.append(player)
                kinds.append(given if isinstance(given, str) else f"{PYTHON}{type(given).__name__}")
            match.run(seated)
        finally:
            for player in seated:
                if isinstance(player, Closable):
                    player.close()
        return Record(match, (kinds[0], kinds[1]))

    def simulate(self, one: Any, two: Any, games: int, **options: Any) -> Outcomes:
        """Many whole games between two players of the ladder, or two tables; needs NumPy. See `simulate`."""
        try:
            from duelbook.simulate import simulate
        except ImportError as error:  # it says what to install
            raise DuelError(str(error)) from None
        known = (simulate.__kwdefaults__ or {}).keys() - {"rules"}  # which are this duel's own
        if unknown := sorted(options.keys() - known):
            raise DuelError(f"simulate takes no {quote(unknown[0])}: it takes {', '.join(sorted(known))}.")
        return simulate(self.game, one, two, games, rules=self.rules, **options)

    def exploitability(self, kind: str) -> Exploited:
        """What a best response gets against a rung or a character in each seat, exactly, and what that is more than the
        duel is worth."""
        from duelbook.policies.exploitability import exploitability
        from duelbook.policies.levels import TABULAR

        if kind not in TABULAR:
            raise DuelError(f"{shown(kind)} is no player who is a table; these are: {', '.join(TABULAR)}.")
        return exploitability(self.game, self.rules, [kind])[kind]

    def ladder(self) -> Standings:
        """Exact chances between every two rungs, from random to perfect, and characters: by (Player 1, Player 2).

        Where these rules are large, the characters are in it only if somebody has had them computed.
        """
        from duelbook.policies.standings import standings

        return standings(self.game, self.rules)

    # Pictures and puzzles

    def map(self, position: object = None) -> Grid:
        """Who wins at every pair of the two main numbers, the rest as in a position."""
        from duelbook.maps.atlas import survey

        return survey(self.game, self.rules, self.state(position))

    def puzzle(self, seed: int | None = None, *, rating: int | None = None) -> Puzzle:
        """A position where only one move is right; the same seed gives the same one."""
        from duelbook.puzzles.source import random_puzzle

        chosen = new_seed() if seed is None else whole(seed, "A seed")
        return random_puzzle(self.game, chosen, None if rating is None else whole(rating, "A rating"), self.rules)

    def daily(self, day: date | str | None = None) -> Puzzle:
        """The puzzle of a day, the same for everybody; a day can be written as `2026-11-15`."""
        from duelbook.puzzles.source import daily

        if self.settings:
            raise DuelError(f"Daily puzzles go by the book: Duel({self.game.id!r}) has them, with no rule changed.")
        return daily(self.game, _day(day))


def _day(day: date | str | None) -> date:
    if day is None or isinstance(day, date):
        return day or date.today()
    try:
        return date.fromisoformat(day)
    except (TypeError, ValueError):
        raise DuelError(f"{quote(str(day))} is not a day, written as 2026-11-15.") from None

"""The referee. Every game, whoever plays it and wherever it is shown, goes through a `Match`.

The match owns what the rules must not know: who said what so far, sealed picks, the seed of luck, the bell. It
applies the rules of one game and never restates them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from reprlib import repr as shown

from duelbook.core import (
    BOTH,
    DRAW,
    FIRST,
    LUCK,
    OVER,
    BadGame,
    DuelError,
    Game,
    IllegalMove,
    Misread,
    SomeRules,
    SomeState,
    of_kind,
    whole,
)
from duelbook.luck import LARGEST_SEED, Luck, pick
from duelbook.match.events import Dealt, Ended, Event, Outcome, Played, Revealed, Sealed, Step, TakenBack, resigned
from duelbook.match.seats import ILLEGAL, Player, PlayerFault, View, move_number
from duelbook.speech import amount, in_one_line, quote
from duelbook.speech import choices as list_choices

BELL = 200
"""After so many turns without an end the bell rings, unless the match says otherwise."""
LATEST_BELL = 999_999
"""The latest that a record holds."""
TIMES = 3
"""A position that has come up so often where luck has no part in it comes up again if nobody plays anything else."""
NAMES = "The names of the players are two texts, as in ('Ann', 'Bob')"
LONGEST_FAULT = 1000
"""Letters of what is told of a fault: an object can raise a whole book, and the record has to hold it."""


class Match:
    def __init__(
        self,
        game: Game,
        rules: SomeRules = None,
        *,
        start: SomeState = None,
        first: int = 0,
        seed: int | None = None,
        luck: Luck | None = None,
        stacked: Sequence[int] = (),
        max_turns: int = BELL,
        names: tuple[str, str] | None = None,
    ) -> None:
        """Without a seed luck is what nobody has chosen; `luck` is that of a match which has begun before."""
        if not isinstance(game, Game):
            raise DuelError(f"A match is of a duel, as load('tower') gives it; {shown(game)} is none.")
        self.game = game
        self.rules = game.book if rules is None else rules
        if type(self.rules) is not type(game.book):
            raise DuelError(f"The rules of {game.name} are as variant(game, []) gives them; {shown(rules)} are not.")
        begins = game.start(self.rules, whole(first, "The seat that begins", 0, 1))
        self.start = begins if start is None else start
        if type(self.start) is not type(begins):
            raise DuelError(f"A match of {game.name} starts from one of its states; {shown(start)} is none.")
        if seed is not None:
            seed = whole(seed, "A seed", -LARGEST_SEED, LARGEST_SEED)
        self.luck = Luck(seed) if luck is None else luck
        self.stacked = tuple(of_kind(stacked, Iterable, "What luck brings is a list of faces"))
        self.max_turns = whole(max_turns, "The turns before the bell", 1)
        self.names = game.seats if names is None else names
        if len(of_kind(self.names, (tuple, list), NAMES)) != 2 or not all(isinstance(each, str) for each in self.names):
            raise DuelError(f"{NAMES}; {shown(self.names)} is not.")
        self.steps: list[Step] = []
        self.turns = 0
        self.draws = 0
        self.shown: list[int] = []
        """What every draw has shown, those that were taken back among them."""
        self.outcome: Outcome | None = None
        self.failed: PlayerFault | None = None
        """What ended the match, where a player failed in it: all that is known of the fault."""
        self._sealed: dict[int, int] = {}
        self._listeners: list[Callable[[Event], None]] = []
        self._enter(self.start)

    def listen(self, hear: Callable[[Event], None]) -> None:
        """Have every event told to `hear`, as it happens."""
        if not callable(hear):
            raise DuelError(f"What hears of a match is a function; {shown(hear)} is none.")
        self._listeners.append(hear)

    def _tell(self, event: Event) -> None:
        for hear in self._listeners:
            hear(event)

    def _enter(self, state: SomeState) -> None:
        self.state = state
        turn = self.turn = self.game.turn(self.rules, state)
        if turn == OVER:
            reason = self.game.dialogue.ending(self.rules, state, self.names)
            self.outcome = Outcome(self.game.winner(self.rules, state), reason)
        elif self.turns >= self.max_turns:
            self.outcome = Outcome(None, f"The bell rang after {amount(self.turns, 'turn')}.", "bell")

    def _announce(self, event: Event) -> None:
        self._tell(event)
        if self.outcome is not None:
            self._tell(Ended(self.outcome))

    def view(self, seat: int) -> View:
        self.check_seat(seat)
        return View(self.game, self.rules, self.state, seat, self.turns)

    def to_act(self) -> tuple[int, ...]:
        """The seats that owe a decision now: none while luck acts or the match is over."""
        if self.outcome is not None or self.turn == LUCK:
            return ()
        if self.turn == BOTH:
            return tuple(seat for seat in (0, 1) if seat not in self._sealed)
        return (self.turn,)

    def play(self, seat: int, move: int) -> None:
        """Play a move, or seal a pick; the second pick of a round reveals both."""
        game, rules, before = self.game, self.rules, self.state
        if not (self.turn == seat < BOTH and self.outcome is None):
            self._check_turn(seat)
        if type(move) is not int:
            move = move_number(move)
        if move not in game.moves:
            raise IllegalMove(f"There is no such move. {self.choices(seat)}")
        if not (game.legal(rules, before, seat, move) or game.foul(rules, before, seat, move)):
            why = game.dialogue.why_not(rules, before, seat, move)
            raise IllegalMove(f"{why} {self.choices(seat)}")
        if self.turn == BOTH:
            self._seal(seat, move)
            return
        after = game.apply(rules, before, move)
        self.turns += 1
        self.steps.append(Step(seat, move, before))
        self._enter(after)
        if self._listeners:
            self._announce(Played(seat, before, move, after))

    def _check_turn(self, seat: int) -> None:
        """Refuse a move from a seat that owes no decision now."""
        turn = self.turn
        if self.outcome is not None:
            raise IllegalMove("The game is over; no move can follow.")
        self.check_seat(seat)
        if turn == LUCK:
            raise IllegalMove(f"A {self.game.chance.face} must be {self.game.chance.drawn} first.")
        if turn != BOTH:
            raise IllegalMove(f"It is {self.names[turn]}'s turn, not {self.names[seat]}'s.")
        if seat in self._sealed:
            raise IllegalMove(f"{self.names[seat]} has already picked and waits for {self.names[1 - seat]}.")

    def check_seat(self, seat: int) -> None:
        """Refuse what is no seat."""
        if seat not in (0, 1):
            raise IllegalMove(f"There is no seat {quote(str(seat))}: {self.names[0]}'s is 0, {self.names[1]}'s is 1.")

    def _seal(self, seat: int, move: int) -> None:
        self._sealed[seat] = move
        if len(self._sealed) < 2:
            self._tell(Sealed(seat))
            return
        picks = (self._sealed[0], self._sealed[1])
        self._sealed.clear()
        before = self.state
        after = self.game.resolve(self.rules, before, *picks)
        self.turns += 1
        self.steps.append(Step(self.turn, picks, before))
        self._enter(after)
        if self._listeners:
            self._announce(Revealed(before, picks, after))

    def unseal(self) -> None:
        """Forget picks that were not revealed yet, as when a round is broken off."""
        self._sealed.clear()

    def deal(self, face: int | None = None) -> int:
        """Let luck act and say what came.

        A record being replayed names the face; otherwise what was fixed beforehand decides, or the seed. What was shown
        under another seed and then taken back stays as it was.
        """
        if self.outcome is not None or self.turn != LUCK:
            raise IllegalMove("There is nothing to draw now.")
        rules, before, odds, faces = self.rules, self.state, self.game.odds, self.game.faces
        weights = [odds(rules, before, option) for option in faces]
        if min(weights) < 0:
            raise BadGame(f"{self.game.name} gives odds below 0 for a {self.game.chance.face}.")
        if face is None and self.draws < len(self.stacked):
            face = self.stacked[self.draws]
        if face is None and self.draws < len(self.shown) and not self.luck.knows(self.draws):
            seen = self.shown[self.draws]
            face = seen if weights[faces.index(seen)] else None
        if face is None:
            face = faces[pick(weights, self.luck.number(self.draws))]
        elif face not in faces or not weights[faces.index(face)]:
            chance = self.game.chance
            raise IllegalMove(f"A {face} cannot be {chance.drawn} now: {chance.nowhere}.")
        after = self.game.deal(rules, before, face)
        self.shown[self.draws : self.draws + 1] = [face]
        self.draws += 1
        self.steps.append(Step(self.turn, face, before))
        self._enter(after)
        if self._listeners:
            self._announce(Dealt(before, face, after))
        return face

    def take_back(self) -> tuple[Step, ...]:
        """Undo the last decision and any luck since; a resignation is a decision too.

        What luck showed stays as it was: the same draw gives the same card. Once a match was over its seed is known,
        so if it goes on all the same, cards that nobody has seen come from another one.
        """
        if self.outcome is not None and self.game.faces:
            self.put_luck_aside()
            self.luck.open(len(self.shown))
        if self.ended_apart:
            return self._reopen()
        at = self.last_decision()
        undone = tuple(self.steps[at:])
        del self.steps[at:]
        self.turns -= 1
        self.draws -= sum(step.turn == LUCK for step in undone)
        self.outcome = None
        self._sealed.clear()
        self._enter(undone[0].before)
        self._tell(TakenBack(undone))
        return undone

    def last_decision(self) -> int:
        """The place of the last step that luck did not make."""
        for at in range(len(self.steps) - 1, -1, -1):
            if self.steps[at].turn != LUCK:
                return at
        raise DuelError("There is no move to take back yet.")

    def _reopen(self) -> tuple[Step, ...]:
        """Take back an end from outside the rules: every move stays as it was."""
        self.outcome = self.failed = None
        self._enter(self.state)
        self._tell(TakenBack(()))
        return ()

    def put_luck_aside(self) -> None:
        """Nothing more is drawn under the seed so far, so everybody may know it."""
        if self.game.faces:
            self.luck.close(len(self.shown))

    def resign(self, seat: int) -> None:
        self.check_seat(seat)
        self.adjudicate(1 - seat, resigned(self.names[seat]))

    def fault(self, seat: int, kind: str, sentence: str) -> None:
        """End the match because the player in this seat failed away from the board, as a program that crashed."""
        self.check_seat(seat)
        self.adjudicate(1 - seat, f"{self.names[seat]} lost by a fault ({kind}): {sentence}", "fault")

    def fail(self, seat: int, error: PlayerFault | IllegalMove) -> None:
        """The same, of a player whose fault was raised, or who broke a rule; told in one line that can be seen."""
        self.failed = error if isinstance(error, PlayerFault) else PlayerFault(ILLEGAL, str(error))
        self.failed.with_traceback(None)  # whoever keeps the match would keep all that was going on when it failed
        kind, sentence = (in_one_line(str(said)) for said in (self.failed.kind, self.failed.sentence))
        short = sentence if len(sentence) <= LONGEST_FAULT else f"{sentence[:LONGEST_FAULT]} ..."
        self.fault(seat, kind[:LONGEST_FAULT], short or "It failed.")

    @property
    def stands_still(self) -> bool:
        """Whether the position has come up so often that the bell may as well ring now, and no luck can change it."""
        if self.outcome is not None or self.game.faces:
            return False
        return 1 + sum(bool(step.before == self.state) for step in self.steps) >= TIMES

    def ring(self) -> None:
        """Have the bell ring now, where the match stands still: the limit is the match's, and there is no result."""
        if not self.stands_still:
            raise DuelError(f"The bell is rung early only where the same position has come up {TIMES} times.")
        self.adjudicate(None, self.rung(), "bell")

    def rung(self) -> str:
        """What is said of a bell that was rung after the turns so far."""
        return f"The bell was rung early, after {amount(self.turns, 'turn')}."

    @property
    def ended_apart(self) -> bool:
        """Whether it ended by something that is no move: then that alone can be taken back."""
        return self.outcome is not None and (
            self.outcome.kind in ("resignation", "fault")
            or (self.outcome.kind == "bell" and self.turns < self.max_turns)
        )

    def adjudicate(self, winner: int | None, reason: str, kind: str = "resignation") -> None:
        """End the match from outside the rules."""
        if self.outcome is not None:
            raise DuelError("The game is over already.")
        if winner not in (None, 0, 1, DRAW):
            raise DuelError(
                f"A match is won by seat 0 or 1, drawn (DRAW), or has no winner (None); not {shown(winner)}."
            )
        of_kind(reason, str, "Why a match ends is a sentence")
        self._sealed.clear()
        self.outcome = Outcome(winner, reason, kind)
        self._tell(Ended(self.outcome))

    def next_seat(self) -> int:
        """The seat whose decision comes next, also while luck acts for it; the first one where both decide at once."""
        if self.turn == LUCK:
            return int(self.game.dialogue.drawer(self.state))
        return self.turn if self.turn < BOTH else FIRST

    def verdict(self) -> str:
        """Who won, in the fewest words."""
        if self.outcome is None or self.outcome.winner is None:
            return "No result."
        return "Nobody wins." if self.outcome.winner == DRAW else f"{self.names[self.outcome.winner]} wins!"

    def choices(self, seat: int) -> str:
        """The sentence that says what is legal now."""
        self.check_seat(seat)
        speak = getattr(self.game.dialogue, "choices", None)
        if speak is not None:
            return str(speak(self.rules, self.state, seat))
        words = self.game.dialogue.words(self.rules)
        return list_choices([words[move] for move in self.game.legal_moves(self.rules, self.state, seat)])

    def run(self, players: Sequence[Player], after: Callable[[Step], None] | None = None) -> Outcome:
        """Let two players who decide by themselves play to the end. One that fails or breaks a rule loses by that.

        Who can get ready does so first. `after` hears of every step as soon as it is made.
        """
        game, rules, steps = self.game, self.rules, self.steps
        if self.outcome is None:
            self._prepare(players)
        while self.outcome is None:
            seat = turn = self.turn
            if turn == LUCK:
                self.deal()
            else:
                try:
                    if turn < BOTH:
                        self.play(turn, players[turn].choose(View(game, rules, self.state, turn, self.turns)))
                    else:
                        for seat in self.to_act():
                            self.play(seat, players[seat].choose(self.view(seat)))
                except (PlayerFault, IllegalMove) as error:
                    self.fail(seat, error)
                    break
            if after is not None:
                after(steps[-1])
        assert self.outcome is not None
        return self.outcome

    def _prepare(self, players: Sequence[Player]) -> None:
        for seat, player in enumerate(players):
            if not hasattr(player, "choose"):
                raise DuelError(f"A player has a method choose(view), as of seat_player; {shown(player)} has none.")
            prepare = getattr(player, "prepare", None)  # to ask the protocol takes longer than a move
            if prepare is None:
                continue
            try:
                prepare(self.view(seat))
            except (PlayerFault, IllegalMove) as error:
                self.fail(seat, error)
                return


def read_move(match: Match, seat: int, text: str) -> int:
    """The legal move that a text names now. Raises Misread or IllegalMove, with what could have been said instead."""
    game, rules, state = match.game, match.rules, match.state
    try:
        move = int(game.dialogue.read(rules, state, seat, text))
    except Misread as error:
        raise Misread(f"{error} {match.choices(seat)}") from None
    if not game.legal(rules, state, seat, move):
        raise IllegalMove(f"{game.dialogue.why_not(rules, state, seat, move)} {match.choices(seat)}")
    return move

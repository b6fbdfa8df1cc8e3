"""A game being carried on, without any user interface.

Whoever shows a game asks the host what is due, does the waiting that it takes (a person at a keyboard, a program in a
thread, a message from elsewhere), and hands the answer back. What came of it is returned, to be told. The host waits
for nobody, prints nothing and knows no clock.

A table is the record of its game and no more, so it can be left and taken up again anywhere. Besides that it knows only
picks that are sealed, which nobody else may, and which question is open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from duelbook.core import BOTH, LUCK, DuelError, IllegalMove, of_kind
from duelbook.honest.proof import at_home
from duelbook.match import Event, Player, PlayerFault, Sealed
from duelbook.players import HUMAN, seat_player
from duelbook.record import COACH, TAKEN_OVER, Record
from duelbook.saves import Save
from duelbook.speech import amount
from duelbook.table.keeper import Keeper, let_go, to_stderr
from duelbook.table.standstill import Standstill, foretold, offer
from duelbook.table.telling import in_words

if TYPE_CHECKING:
    from duelbook.coach.coach import Coach

NOBODY = -1
DUE = "What is answered is one of what due() gives"


class What(Enum):
    """What can come next at a table."""

    ASK = "ask"
    """A person decides."""
    CURTAIN = "curtain"
    """A person picks while another one who sits at the same screen looks away: the curtain is drawn first."""
    THINK = "think"
    """A program decides."""
    DRAW = "draw"
    """Luck acts, for the person or the program in that seat."""
    WAIT = "wait"
    """Somebody who sits elsewhere decides, or what was decided here is on its way: there is nothing to do but wait."""
    OVER = "over"


WAITS = {
    What.ASK: "{name} is to decide.",
    What.CURTAIN: "{name} is to pick.",
    What.THINK: "The program in {name}'s seat is to decide.",
    What.DRAW: "Luck acts first, for {name}.",
    What.WAIT: "What comes next comes from elsewhere.",
    What.OVER: "The game is over.",
}


class Due(NamedTuple):
    """One thing that comes next, and whom it waits for."""

    what: What
    seat: int
    moment: int
    """Counts what has happened at the table: an answer that comes when the game has moved on is known by it."""


class TakeBack(NamedTuple):
    """What would be taken back, and who must agree to that."""

    decisions: int
    """How many, with the cards drawn since."""
    words: str
    agree: tuple[int, ...]
    moment: int


class Advice(NamedTuple):
    """The coach's word after a decision that gave something away."""

    seat: int
    sentence: str
    """That something was given away, and how much."""
    why: tuple[str, ...]
    """What punishes it, the ideas behind it and what was better, for whoever wants to see it."""
    may_take_back: bool
    """Before anybody answers it. A round of picks is shown to both, so it stands."""


Happening = Event | Advice | Standstill


class Host:
    def __init__(
        self, keeper: Keeper, players: Sequence[Player | None], *, coaching: bool = False, apart: bool = False
    ) -> None:
        """`players` has None where a person sits. `apart` are people who sit at a screen each."""
        self.keeper = of_kind(keeper, Keeper, "A game is carried on by a Keeper, who has its record")
        self.match = keeper.record.match
        self.players = list(players)
        if len(self.players) != 2:
            raise DuelError(f"Two sit at a table, with None for a person; here are {len(self.players)}.")
        keeper.players = self.players
        self.coaching = coaching
        self.apart = apart
        self.coach_is_awake = False
        """Before that the coach would have to solve the duel first, and nobody waits for that."""
        self.left = False
        self._offered_to_stop = self._foretold = False
        self._moment = 0
        self._heard: list[Happening] = []
        self.match.listen(self._hear)  # after the keeper: what is heard here is on disk

    @property
    def people(self) -> tuple[int, ...]:
        return tuple(seat for seat in (0, 1) if self.players[seat] is None)

    def _hear(self, event: Event) -> None:
        self._heard.append(event)
        self._moment += not isinstance(event, Sealed)

    def _happened(self) -> list[Happening]:
        heard, self._heard = self._heard, []
        return heard

    # What comes next

    def due(self) -> tuple[Due, ...]:
        """What comes next: all of it where several can be asked at once. Nothing at a table that was left."""
        match = self.match
        if self.left:
            return ()
        if match.outcome is not None:
            return (Due(What.OVER, NOBODY, self._moment),)
        if match.turn == LUCK:
            return (Due(What.DRAW, match.next_seat(), self._moment),)
        if match.turn == BOTH and len(self.people) == 2 and not self.apart:
            return (Due(What.CURTAIN, match.to_act()[0], self._moment),)
        whats = [What.ASK if player is None else What.THINK for player in self.players]
        return tuple(Due(whats[seat], seat, self._moment) for seat in match.to_act())

    def _waits(self) -> str:
        """What a table waits for, for somebody who did something else."""
        names = [*self.match.names, ""]  # at the end nobody's
        return " ".join(WAITS[due.what].format(name=names[due.seat]) for due in self.due()) or "The table was left."

    def question(self, due: Due) -> Callable[[], int | PlayerFault]:
        """What lets a program think. It can be called in any thread, may take its time, and touches no table."""
        if of_kind(due, Due, DUE).what is not What.THINK or (player := self.players[due.seat]) is None:
            raise DuelError(f"No program is to think here. {self._waits()}")
        view = self.match.view(due.seat)

        def think() -> int | PlayerFault:
            try:
                return player.choose(view)
            except PlayerFault as fault:
                return fault

        return think

    # Answers

    def answer(self, due: Due, said: int | PlayerFault) -> list[Happening]:
        """Take a decision. A person's that is not legal is raised; a program that fails or breaks a rule loses.

        An answer to what is not asked any more changes nothing.
        """
        if of_kind(due, Due, DUE) not in self.due():
            return []
        if isinstance(said, PlayerFault) and due.what is not What.THINK:
            raise DuelError(f"Only a program loses by a fault; a person resigns. {self._waits()}")
        steps = len(self.match.steps)
        try:
            if isinstance(said, PlayerFault):
                raise said
            self.match.play(due.seat, said)
        except (PlayerFault, IllegalMove) as error:
            if due.what is not What.THINK:
                raise
            self.match.fail(due.seat, error)
        if len(self.match.steps) == steps:
            return self._happened()
        return self._happened() + self._advice() + self._standstill()

    def draw(self, due: Due) -> list[Happening]:
        """Let luck act. Nothing happens where that is not due any more."""
        if of_kind(due, Due, DUE) in self.due():
            if due.what is not What.DRAW:
                raise IllegalMove(f"There is nothing to draw now. {self._waits()}")
            self.match.deal()
        return self._happened()

    def resign(self, seat: int) -> list[Happening]:
        self.match.check_seat(seat)
        if not self.left:
            self.match.resign(seat)
        return self._happened()

    # A game that would go on for ever

    def _standstill(self) -> list[Happening]:
        """Said once, to people: nobody sits through it unknowingly."""
        if not self.people:
            return []
        if self.may_stop:
            said, self._offered_to_stop = self._offered_to_stop, True
            return [] if said else [offer(self.match, len(self.people))]
        found = None if self._foretold else foretold(self.match, self.people)
        self._foretold = self._foretold or found is not None
        return [] if found is None else [found]

    @property
    def may_stop(self) -> bool:
        """Whether the bell can be rung now, without a result."""
        return not self.left and self.match.stands_still

    def stop(self) -> list[Happening]:
        """Ring it, once everybody agrees who sits here. Raises DuelError where there is no reason to."""
        if not self.left:
            self.match.ring()
        return self._happened()

    # Taking back

    def may_take_back(self, seat: int) -> TakeBack:
        """What `undo` means for this person now: the last decision; against a program, all since their own last one.

        Raises DuelError where there is nothing to take back. Between two people both must agree.
        """
        match = self.match
        match.check_seat(seat)
        agree = self.people if len(self.people) == 2 else ()
        if match.outcome is not None and match.ended_apart:
            return TakeBack(1, f"the {match.outcome.kind}", agree, self._moment)
        words = in_words(match, match.steps[match.last_decision()])
        if agree:
            return TakeBack(1, words, agree, self._moment)
        taken = [step for step in match.steps if step.turn != LUCK]
        own = [step.turn in (seat, BOTH) for step in taken]
        if not any(own):
            raise DuelError("You have not made a move yet that could be taken back.")
        return TakeBack(own[::-1].index(True) + 1, words, agree, self._moment)

    def take_back(self, wish: TakeBack) -> list[Happening]:
        """Take it back, once everybody agrees. Nothing happens where the game has moved on since."""
        of_kind(wish, TakeBack, "What is taken back is as may_take_back gives it")
        if wish.moment == self._moment and not self.left:
            for _ in range(wish.decisions):
                self.match.take_back()
        return self._happened()

    # The coach

    @property
    def coaching(self) -> bool:
        """Whether the coach speaks up. That is kept with the game, so that he does when it is gone on with."""
        return self._coaching

    @coaching.setter
    def coaching(self, wanted: bool) -> None:
        self._coaching = wanted
        record = self.keeper.record
        if wanted or COACH in record.extra:
            self.keeper.record = record._replace(extra=record.extra | {COACH: "on" if wanted else "off"})

    @cached_property
    def coach(self) -> Coach:
        from duelbook.coach.coach import Coach

        return Coach(self.match, self.keeper.record.seats)

    def wake_the_coach(self) -> None:
        """Have the solution at hand, which may take its time. Raises DuelError for a duel that cannot be solved."""
        _ = self.coach.solution
        self.coach_is_awake = True

    def hint(self, seat: int) -> list[str]:
        """The coach's advice before a decision; it, too, may take its time."""
        match = self.match
        match.check_seat(seat)
        if match.outcome is not None:
            raise DuelError("The game is over: there is nothing left to decide.")
        if match.turn < BOTH and seat != match.turn:
            raise DuelError(f"It is {match.names[match.turn]}'s turn: a hint is for who decides.")
        self.wake_the_coach()
        self.coach.find_odds()
        return self.coach.hint(seat)

    def _advice(self) -> list[Happening]:
        """What the coach says of the last step, to the people who took it."""
        turn = self.match.steps[-1].turn
        if not (self.coaching and self.coach_is_awake) or turn not in (*self.people, BOTH):
            return []
        remarks = self.coach.remarks() if self.people else []
        return [Advice(*remark, may_take_back=turn != BOTH) for remark in remarks if remark.seat in self.people]

    # Coming and going

    def take_over(self, seat: int) -> None:
        """A person sits down in the place of a program. A round that was under way is picked anew."""
        self.match.check_seat(seat)
        if self.left or self.match.outcome is not None:
            raise DuelError("The game is over, or was left: nobody can sit down at it now.")
        if self.players[seat] is None:
            raise DuelError(f"A person sits in {self.match.names[seat]}'s seat already.")
        self.match.unseal()
        self._moment += 1
        let_go([self.players[seat]])
        self.players[seat] = None
        one, two = (HUMAN if each == seat else kind for each, kind in enumerate(self.keeper.record.seats))
        record = self.keeper.record
        noted = f"{seat + 1} after {amount(self.match.turns, 'turn')}"  # the moves so far are not theirs
        self.keeper.record = record._replace(seats=(one, two), extra=record.extra | {TAKEN_OVER: noted})
        self.coach.seats = (one, two)
        self.keeper.write()

    def leave(self) -> bool:
        """Put the game aside. True when it is safe on disk; picks that were not revealed are forgotten."""
        self.left = True
        safe = self.keeper.close()
        let_go(self.players)
        return safe


def was_coached(record: Record) -> bool | None:
    """Whether the coach spoke when a game was left; None where there was none."""
    return {"on": True, "off": False}.get(record.extra.get(COACH, ""))


def sit_down(
    record: Record,
    save: Save | None = None,
    copy: Save | None = None,
    complain: Callable[[str], None] = to_stderr,
    *,
    coaching: bool = False,
    apart: bool = False,
) -> Host:
    """The host of a recorded game, which has just begun or goes on, with a player for every program in its seats.

    The game is kept in `save` and `copy`; `complain` hears of a disk that fails.
    """
    of_kind(record, Record, "A recorded game is a Record")
    if record.match.outcome is None:
        record = at_home(record)
    players = [seat_player(kind, record.match.luck.seat_seed(seat)) for seat, kind in enumerate(record.seats)]
    return Host(Keeper(record, save, copy, complain), players, coaching=coaching, apart=apart)

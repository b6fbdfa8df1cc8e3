"""Who takes an exam: a player who says its whole plan, or one who is asked for a move.

Players who are tables say it, and so does any object with a method `plan(view)`. All others are asked: once where one
player decides, several times where both pick at once, since one pick says little about a plan. Whatever goes wrong
with them is a fault of theirs with its kind, and never an end of the exam; a server that cannot be reached is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isclose
from typing import NamedTuple, Protocol, runtime_checkable

from duelbook.core import DuelError, IllegalMove
from duelbook.engine.limits import Limits, usual_limits
from duelbook.exam.marks import CRASHED, fault_named, is_answer
from duelbook.exam.paper import MOST_QUESTIONS, Question
from duelbook.llm.faults import Unasked
from duelbook.llm.kind import is_model, read_model
from duelbook.luck import derive
from duelbook.match import ILLEGAL, Closable, Player, PlayerFault, Prepared, View, move_number
from duelbook.players import HUMAN, PYTHON, check_kind, seat_player, usual_name
from duelbook.policies.levels import TABULAR
from duelbook.policies.plans import plan_by
from duelbook.speech import in_one_line

LONGEST_SENTENCE = 400
"""Letters of a fault that are kept."""
LONGEST_REPLY = 4_000
"""Letters of what was said in place of an answer that are kept."""


class Usage(NamedTuple):
    """What an answer took, where a player counts it."""

    tokens_in: int = 0
    tokens_out: int = 0
    money: float | None = None
    """None where no price is known."""

    def and_(self, other: Usage, sign: int = 1) -> Usage:
        unknown = self.money is None and other.money is None
        return Usage(
            self.tokens_in + sign * other.tokens_in,
            self.tokens_out + sign * other.tokens_out,
            None if unknown else (self.money or 0.0) + sign * (other.money or 0.0),
        )


class Answer(NamedTuple):
    """What came of one question asked once. Of move, plan and fault one is there."""

    question: int
    """Its place in the paper."""
    ask: int
    """The first time or a later one, from 0."""
    move: int | None = None
    plan: tuple[float, ...] | None = None
    fault: str = ""
    sentence: str = ""
    usage: Usage = Usage()
    reply: str = ""
    """What was said in place of an answer, as far as it is known: it goes with a fault."""


@runtime_checkable
class Planner(Protocol):
    """A player that says how likely it makes each move."""

    def plan(self, view: View) -> Sequence[float]: ...


@runtime_checkable
class Remembering(Protocol):
    """A player that remembers what it was asked before in a game, as language models may."""

    def ask_apart(self) -> None: ...


class Candidate(NamedTuple):
    """Somebody who takes the exam."""

    name: str
    kind: str
    player: Player | None = None
    """An object of Python; None for one that is made from its kind."""
    limits: Limits | None = None

    @property
    def tabular(self) -> bool:
        return self.player is None and self.kind in TABULAR

    def says_plans(self) -> bool:
        return self.tabular or isinstance(self.player, Planner)


def candidate(player: str | Player, name: str = "", limits: Limits | None = None) -> Candidate:
    """The candidate that a kind of player, or an object with `choose`, stands for."""
    if isinstance(player, str):
        kind = check_kind(player)
        if kind == HUMAN:
            raise DuelError("People do not take the exam: duelbook puzzle and duelbook review are for them.")
        if is_model(kind) and read_model(kind).axes.history:
            raise DuelError(
                "The questions of an exam have nothing to do with each other, so there is no history to tell a model: "
                "leave out history=yes."
            )
        return Candidate(name or usual_name(kind), kind, None, limits)
    if not callable(getattr(player, "choose", None)):
        raise DuelError(
            f"A player is a kind such as level:3, or an object with a method choose(view); {player!r} is not."
        )
    kind = f"{PYTHON}{type(player).__name__}"
    return Candidate(name or usual_name(kind), kind, player, limits)


def check_ready(candidate: Candidate, duels: Sequence[str], warn: Callable[[str], None]) -> None:
    """Is there all that it takes to ask it in these duels: a program, a package, a key? Nothing is asked yet."""
    from duelbook.arena.play.ready import check_entrant
    from duelbook.arena.play.results import Entrant

    entrant = Entrant(candidate.name, candidate.kind, candidate.limits or usual_limits(), candidate.player)
    check_entrant(entrant, list(duels), warn, "its answers will be faults")


class Seated:
    """A candidate as it is asked: its plan where it says one, or a player that answers one question after another."""

    def __init__(self, candidate: Candidate, seed: int) -> None:
        self.candidate, self._seed = candidate, seed
        self._player = None if candidate.player is None else _apart(candidate.player)
        self._planner = self._player if isinstance(self._player, Planner) else None

    def said(self, question: Question) -> tuple[float, ...] | None:
        """The plan at a position; None from who must be asked."""
        if self.candidate.tabular:
            return tuple(plan_by(self.candidate.kind, question.subject.solution, question.state, question.seat))
        if self._planner is not None:
            return _checked_plan(question, self._planner.plan(question.view))
        return None

    def answer(self, question: Question, ask: int) -> Answer:
        """One answer; a fault is one, too."""
        before, reply = _usage(self._player), ""
        try:
            plan = self.said(question)
            if plan is not None:
                return Answer(question.number, ask, plan=plan)
            move = move_number(self._seated().choose(question.view._replace(number=_number(question, ask))))
            if is_answer(question, move):
                return Answer(question.number, ask, move, usage=self._used(before))
            fault, sentence = ILLEGAL, f"It answered {move}, which cannot be played."
        except Unasked:  # a line that is down, or a limit that is used up: nobody's fault, and it can go on later
            raise
        except PlayerFault as error:
            fault, sentence = fault_named(error.kind), error.sentence
            reply = str(getattr(error, "reply", ""))[:LONGEST_REPLY]
        except IllegalMove as error:
            fault, sentence = ILLEGAL, str(error)
        except DuelError as error:
            fault, sentence = CRASHED, str(error)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the fault of the player and of nobody else
            fault, sentence = CRASHED, f"It raised {type(error).__name__}: {error}"
        said = in_one_line(sentence)[:LONGEST_SENTENCE]
        return Answer(question.number, ask, fault=fault, sentence=said, usage=self._used(before), reply=reply)

    def begin(self, view: View) -> None:
        """Have the player ready for a new game, where it wants to know of one."""
        player = self._seated()
        if isinstance(player, Prepared):
            player.prepare(view)

    def _seated(self) -> Player:
        if self._player is None:
            made = seat_player(
                self.candidate.kind, derive(self._seed, "exam", self.candidate.kind), self.candidate.limits
            )
            assert made is not None  # people were refused before
            self._player = _apart(made)
        return self._player

    def _used(self, before: Usage) -> Usage:
        return _usage(self._player).and_(before, -1)

    def close(self) -> None:
        """Let go of what was made here, and of an answer that is under way; an object that somebody brought stays
        theirs."""
        if self.candidate.player is None:
            player, self._player = self._player, None
            if isinstance(player, Closable):
                player.close()


def _apart(player: Player) -> Player:
    """A player that is told, where it makes a difference to it, that the questions are no game."""
    if isinstance(player, Remembering):
        player.ask_apart()
    return player


def _number(question: Question, ask: int) -> int:
    """Which turn a player is told it is: another one each time, so that our own do not repeat their choices."""
    return question.number + ask * MOST_QUESTIONS


def _usage(player: object) -> Usage:
    """All that a player has counted so far."""
    found = getattr(player, "usage", None)
    if found is None:
        return Usage()
    came, went = (int(getattr(found, name, 0) or 0) for name in ("tokens_in", "tokens_out"))
    money = getattr(found, "money", None)
    return Usage(came, went, None if money is None else float(money))


def _checked_plan(question: Question, plan: Sequence[float]) -> tuple[float, ...]:
    shares = tuple(float(share) for share in plan)
    if len(shares) != len(question.subject.game.moves) or not isclose(sum(shares), 1, abs_tol=1e-6) or min(shares) < 0:
        raise PlayerFault(ILLEGAL, "Its plan is not a list of one chance for each move that add up to 1.")
    if not all(is_answer(question, move) for move, share in enumerate(shares) if share > 0):
        raise PlayerFault(ILLEGAL, "Its plan makes a move that cannot be played.")
    return shares

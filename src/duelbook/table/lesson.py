"""A guided game being carried on, without any user interface: what the coach says, and what comes of an answer.

Nothing of it is kept: a lesson is no game of anybody's record.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from duelbook.core import BOTH, LUCK, DuelError, Game, IllegalMove, Task
from duelbook.match import Event, Match
from duelbook.speech import Line, amount
from duelbook.table.telling import tell

if TYPE_CHECKING:
    from duelbook.coach.reasons import Reason

LEAVING = ("quit", "q", "exit", "skip", "leave")
"""Words that leave a lesson."""


class Told(NamedTuple):
    """What comes of an answer."""

    right: bool
    lines: list[Line]


class Guide:
    """The coach at the side of somebody who plays a duel for the first time."""

    def __init__(self, game: Game) -> None:
        if game.lesson is None:
            raise DuelError(f"{game.name} has no guided game. Its rule book: duelbook rules {game.id}")
        self.game, self.lesson = game, game.lesson
        start = game.read_position(game.book, self.lesson.position)
        self.match = Match(game, game.book, start=start, stacked=self.lesson.luck)
        self.seat = self.lesson.seat
        self.done = 0
        """Tasks that were done."""
        self._heard: list[Event] = []
        self.match.listen(self._heard.append)

    @property
    def task(self) -> Task | None:
        """What is asked now; nothing once it is over."""
        return self.lesson.tasks[self.done] if self.done < len(self.lesson.tasks) else None

    def opening(self) -> list[Line]:
        turns = amount(len(self.lesson.tasks), "turn")
        return [Line(f"{self.game.name}: a guided game of {turns}", "title"), Line(self.lesson.idea)]

    def hint(self) -> str:
        """The move that is asked for, and what speaks for it."""
        assert self.task is not None, "nothing is asked any more"
        found = self._reason(self.game.dialogue.words(self.match.rules).index(self.task.play))
        return " ".join((f"The move is {self.task.play}.", *(found.ideas if found else ())))

    def is_free(self, word: str) -> bool:
        """Whether a word can be a command: no move of this duel is called so."""
        return word not in self.game.dialogue.words(self.game.book)

    def answer(self, move: int) -> Told:
        """Play what is right and let the opponent reply; a move that is not right is answered, and nothing happens."""
        game, rules, state, task = self.game, self.match.rules, self.match.state, self.task
        assert task is not None, "nothing is asked any more"
        if not game.legal(rules, state, self.seat, move) and not game.foul(rules, state, self.seat, move):
            raise IllegalMove(game.dialogue.why_not(rules, state, self.seat, move))
        words = game.dialogue.words(rules)
        if words[move] not in (task.play, *task.also):
            return Told(False, self._why_not(move))
        as_good = words[move] in task.also
        said = [Line(f"{words[move].capitalize()} is just as good. Here we go on with {task.play}.", "calm")]
        self.done += 1
        told = self._play(words.index(task.play), self._reply(task, words))
        return Told(True, [*(said if as_good else []), Line(task.praise, "gain"), *told])

    def _why_not(self, move: int) -> list[Line]:
        """What is wrong with a move, in the duel's own words where it can be said."""
        match = self.match
        if match.game.foul(match.rules, match.state, self.seat, move):
            why = match.game.dialogue.foul_warning(match.rules, match.state, self.seat).partition(". ")[0].rstrip(".")
            return [Line(f"{why}. Nothing is lost: try again.", "calm")]
        found = self._reason(move)
        why = " ".join((found.line, *found.ideas[:1])) if found else ""
        return [Line(f"Not {match.game.dialogue.words(match.rules)[move]}. {why}".rstrip(), "calm"), TRY_AGAIN]

    def _reason(self, move: int) -> Reason | None:
        """Why a move is good or bad; a duel that cannot be solved here can still be learned."""
        from duelbook.coach.coach import Coach
        from duelbook.coach.reasons import reason

        with suppress(DuelError):
            return reason(Coach(self.match).solution, self.match.state, self.seat, move)
        return None

    def _reply(self, task: Task, words: Sequence[str]) -> int | None:
        if task.reply and task.reply not in words:
            raise DuelError(f"The reply {task.reply!r} is not the word of a move.")
        return words.index(task.reply) if task.reply else None

    def _play(self, move: int, reply: int | None) -> list[Line]:
        """The learner's move, the reply, and whatever luck brings until the learner decides again."""
        match = self.match
        if match.turn == BOTH:
            if reply is None:
                raise DuelError("Both pick at once, and no reply is given.")
            match.play(1 - self.seat, reply)
            match.play(self.seat, move)
        else:
            match.play(self.seat, move)
            while match.outcome is None and match.turn != self.seat:
                if match.turn == LUCK:
                    match.deal()
                elif reply is None:
                    raise DuelError("The opponent is to move, and no reply is given.")
                else:
                    match.play(1 - self.seat, reply)
        heard, self._heard[:] = list(self._heard), []
        return [line for event in heard for line in tell(match, event, (self.seat,))]


TRY_AGAIN = Line("Nothing is lost: try again.")

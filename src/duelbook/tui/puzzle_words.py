"""What the screen of puzzles says: the question, whether the answer was right and why, and what it counted for."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from textual.content import Content

from duelbook.puzzles.puzzle import Puzzle, Verdict, clues, refuted
from duelbook.puzzles.streak import Progress, tally
from duelbook.tui.commanding import Word
from duelbook.tui.standing import how_often_found, streak_in_words

PRICE = "With a clue the puzzle counts as missed, for the rating too. Do you want one all the same?"
HELP = (
    "A puzzle is a position where exactly one move is right. Find it.",
    "Type the move: the line shows what it means, Enter answers with it.",
    "Or walk with the arrow keys and press Enter, or click. hint, another,",
    "today, rules, help, quit and a duel's name can be typed too.",
    "",
    "T    today's puzzle of this duel, the same for everybody",
    "N    another one, about as hard as you are good",
    "G    the next duel, with another one where today's is answered; comma: the one before",
    "I    a clue; the puzzle then counts as missed",
    "V    once it is answered: play on against a perfect opponent",
    "O    the rule book beside the puzzle",
    "Esc  back; Page Up and Page Down scroll the words",
    "",
    "The streak counts the days whose puzzle you solved on the day itself, at the first try and without a clue.",
)
CLUE = Word("clue", "a clue; the puzzle then counts as missed")
LEAVE = Word("leave", "back to where you came from")
TYPED = {
    "help": Word("help", "what can be done now, and every key"),
    "?": Word("help", "what can be done now, and every key"),
    "hint": CLUE,
    "clue": CLUE,
    "a clue": CLUE,
    "rules": Word("rules", "the rule book beside the puzzle"),
    **dict.fromkeys(("another", "next"), Word("another", "another puzzle")),
    **dict.fromkeys(("today", "today's"), Word("today", "today's puzzle of this duel")),
    "play on": Word("look", "play on from here, once it is answered"),
    "quit": LEAVE,
    "q": LEAVE,
    "exit": LEAVE,
    "leave": LEAVE,
    "back": LEAVE,
}
"""What can be typed besides an answer."""


def quiet(words: str) -> Content:
    return Content.styled(words, "$text-muted")


def titles(day: date | None) -> list[str]:
    """What is asked, the longest way to say it first."""
    if day is None:
        return ["Another puzzle"]
    return [f"Puzzle of the day, {day.day} {day:%B} {day.year}", f"Puzzle of {day.day} {day:%B}", "Today's"]


def question(puzzle: Puzzle, mine: float, went: bool | None, given: int) -> list[Content]:
    """The question for a player of this rating, how it went before if it did, and the clues that were given."""
    parts = [Content.styled(puzzle.question, "bold"), Content()]
    if went is not None:
        once = "solved" if went else "tried"
        parts.append(Content.styled(f"You have {once} this one already; only the first try counts.", "$warning"))
    parts.append(quiet(f"Rated {puzzle.rating}: {how_often_found(mine, puzzle.rating)}"))
    parts.append(quiet(f"Position: {puzzle.position}"))
    for clue in clues(puzzle)[:given]:
        parts += [Content(), Content.assemble(("Clue: ", "bold $warning"), clue)]
    return parts


class Answered(NamedTuple):
    """A puzzle that was answered, and how one stood before and after."""

    puzzle: Puzzle
    move: int
    verdict: Verdict
    helped: bool
    """With a clue."""
    daily_of: date | None
    went: bool | None
    """How it went when it was first tried; None if this is the first time."""
    before: Progress
    after: Progress

    def told(self, today: date) -> list[Content]:
        """The verdict and what it counted for come first: they must be seen in the smallest window. Reasons follow."""
        reasons = [Content(), *map(Content, self.verdict.lines[1:-1])] if len(self.verdict.lines) > 2 else []
        return [*self._judged(), Content(), *self._counted(today), *reasons, *self._others()]

    def _judged(self) -> list[Content]:
        """Right or wrong, and why: a mark and words, with the colour only beside them."""
        right, wrong = self.verdict.right, self.puzzle.wrong
        mark, tone = ("✓", "bold $success") if right else ("✗", "bold $error")
        first, last = self.verdict.lines[0], self.verdict.lines[-1]
        parts = [Content.assemble((f"{mark} ", tone), (first, tone)), Content(last)]
        if not right and len(wrong) > 1 and self.move == wrong[0].move:
            parts.append(quiet("Yours is the most tempting mistake."))
        return parts

    def _counted(self, today: date) -> list[Content]:
        """What the answer changed for rating and streak."""
        if self.went is not None:
            return [quiet("You had answered this one before, so nothing changes.")]
        parts, id = [], self.puzzle.game.id
        if self.helped and self.verdict.right:
            parts.append(Content.styled("With a clue it does not count as solved.", "$warning"))
        was, now = (tally(each, id).rating for each in (self.before, self.after))
        parts.append(Content.assemble("Your rating: ", (f"{was:.0f} → {now:.0f}", "bold")))
        if self.daily_of == today:
            parts.append(Content.assemble("Your streak: ", (streak_in_words(self.after, id, today), "bold")))
        elif self.daily_of is not None:
            parts.append(Content("For the streak a daily puzzle counts only on its own day."))
        return parts

    def _others(self) -> list[Content]:
        """The wrong choices that the verdict has not named, those with the same fate together."""
        named = {self.move, self.puzzle.wrong[0].move} if self.verdict.right else {self.move}
        lines = [quiet(line) for line in refuted(sorted(each for each in self.puzzle.wrong if each.move not in named))]
        return [Content(), *lines] if lines else []

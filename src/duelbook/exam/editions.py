"""The editions of the exam: which duels are asked about, under which rules and in which words.

`book` has the duels as everybody knows them. `fresh:SEED` has other rules, drawn by a seed and solved on the spot,
which nobody can have seen before. `renamed` has the books under other names, words and letters. Who is as good in all
three knows how to play; who is better in the book than in the others remembers it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from duelbook.core import DuelError, Game
from duelbook.exam.fresh import fresh_rules
from duelbook.exam.paper import QUESTIONS, SEED, Question, Subject, paper, paper_hash
from duelbook.exam.renamed import renamed
from duelbook.games import ROOMS, load
from duelbook.luck import LARGEST_SEED
from duelbook.solving.library import know, solution_for
from duelbook.speech import quote

BOOK, FRESH, RENAMED = "book", "fresh", "renamed"
EDITIONS = {
    BOOK: "the duels by their books",
    f"{FRESH}:SEED": "other rules, drawn by the seed and solved on the spot",
    RENAMED: "the books under other names, words and letters",
}


class Edition(NamedTuple):
    name: str
    seed: int
    """The published seed of its paper; for fresh rules also theirs."""
    questions: list[Question]

    @property
    def subjects(self) -> list[Subject]:
        return list({question.subject.name: question.subject for question in self.questions}.values())

    @property
    def lap(self) -> int:
        """How many questions it takes to ask each seat of each duel once."""
        return 2 * len(self.subjects)

    @property
    def hash(self) -> str:
        return paper_hash(self.questions)


def check_edition(name: str) -> tuple[str, int]:
    """The kind of edition that a name means, and the seed of its paper."""
    said, _, rest = name.strip().lower().partition(":")
    digits = rest.removeprefix("-")
    if said in (BOOK, RENAMED) and not rest:
        return said, SEED
    if said == FRESH and digits.isascii() and digits.isdigit() and len(digits) < 40 and int(digits) <= LARGEST_SEED:
        return said, int(rest)
    known = "; ".join(f"{each} ({about})" for each, about in EDITIONS.items())
    raise DuelError(f"There is no edition {quote(name)}. There are: {known}. A seed is a whole number.")


def edition(name: str = BOOK, questions: int = QUESTIONS, duels: Sequence[str | Game] | None = None) -> Edition:
    """The paper of an edition. Without duels these are all that ship, so that it is the same for everybody."""
    subjects = subjects_of(name, duels)
    said, seed = check_edition(name)
    if questions < 2 * len(subjects):
        least = 2 * len(subjects)
        raise DuelError(f"A paper has at least {least} questions, so that each seat of each duel is asked.")
    return Edition(f"{said}:{seed}" if said == FRESH else said, seed, paper(subjects, questions, seed))


def subjects_of(name: str, duels: Sequence[str | Game] | None = None) -> list[Subject]:
    said, seed = check_edition(name)
    games = [each if isinstance(each, Game) else load(each) for each in (ROOMS if duels is None else duels)]
    if not games:
        raise DuelError("An exam needs at least one duel.")
    if len({game.id for game in games}) < len(games):
        raise DuelError("A duel is named twice.")
    return [_subject(game, said, seed) for game in games]


def _subject(game: Game, said: str, seed: int) -> Subject:
    rules = fresh_rules(game, seed) if said == FRESH else game.book
    solution = solution_for(game, rules)
    if said != RENAMED:
        return Subject(game, rules, solution)
    shown = renamed(game)
    know(shown, rules, solution)  # for transcripts, which see it under its new names
    return Subject(shown, rules, solution)

"""An exam from its beginning to its end: what the command carries out, and what Python users call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from duelbook import folders
from duelbook.core import DuelError, Game, whole
from duelbook.disk import PUBLIC, refuse_to_replace, write_atomically
from duelbook.exam.data import as_json
from duelbook.exam.editions import BOOK, Edition, edition
from duelbook.exam.examinee import Answer, Candidate, candidate, check_ready
from duelbook.exam.folder import REPORT, About, Answers, Folder
from duelbook.exam.found import Found, Sat
from duelbook.exam.html import page
from duelbook.exam.paper import MOST_QUESTIONS, QUESTIONS
from duelbook.exam.score import score
from duelbook.exam.sitting import REPEATS, Sitting
from duelbook.exam.sure import Apart
from duelbook.exam.telling import lines
from duelbook.exam.yardstick import yardsticks
from duelbook.match import Player

MOST_REPEATS, MOST_AT_ONCE = 1_000, 256


class Taken(Found):
    """All editions that were taken, and how to tell of them."""

    def report(self, width: int | None = None) -> str:
        return "\n".join(lines(self, width))

    def data(self) -> dict[str, object]:
        return as_json(self)

    def write_report(self, file: str | Path, *, replace: bool = False) -> None:
        """One HTML page. A file that is there is replaced only on request."""
        path = folders.named(file)
        if not replace:
            refuse_to_replace(path)
        write_atomically(path, page(self), mode=PUBLIC)


def examine(
    players: Sequence[str | Player | Candidate],
    editions: str | Sequence[str] = BOOK,
    *,
    questions: int = QUESTIONS,
    duels: Sequence[str | Game] | None = None,
    repeats: int = REPEATS,
    folder: str | Path | None = None,
    resume: bool = False,
    concurrency: int = 1,
    until_separated: bool = False,
    hear: Callable[[str, int, int], None] = lambda edition, done, of: None,
    warn: Callable[[str], None] = lambda sentence: None,
) -> Taken:
    """Let players take the exam. `folder` keeps every answer and the report, and `resume` goes on with it."""
    whole(questions, "The number of questions", 1, MOST_QUESTIONS)
    whole(repeats, "How often a secret pick is asked", 1, MOST_REPEATS)
    whole(concurrency, "How many are asked at once", 1, MOST_AT_ONCE)
    entered = enter(players)
    if until_separated and len(entered) != 2:
        raise DuelError("Two players are told apart: until_separated needs exactly two.")
    names = [editions] if isinstance(editions, str) else list(editions)
    papers = [edition(name, questions, duels) for name in dict.fromkeys(names)]
    if not papers:
        raise DuelError("An exam needs an edition, such as book.")
    known = [each for paper in papers for each in paper.subjects if each.game.id == each.solution.game.id]
    for player in entered:
        check_ready(player, [each.game.id for each in known], warn)
    path = None if folder is None else folders.named(folder)
    with ExitStack() as stack:
        given: Answers = {}
        kept = None
        if path is not None:
            kept = Folder(path)
            stack.callback(kept.close)
            given = kept.open(_about(papers, questions, repeats, entered), papers, resume=resume)
            if kept.torn:
                warn("The last answer was half written and was cut off; it is asked for again.")
        sat = [_sit(paper, entered, given, kept, repeats, concurrency, until_separated, hear) for paper in papers]
        taken = Taken(tuple(sat), repeats, path)
        if path is not None:
            taken.write_report(path / REPORT, replace=True)
    return taken


def enter(players: Sequence[str | Player | Candidate]) -> list[Candidate]:
    """Candidates under names that differ."""
    if not players:
        raise DuelError("An exam needs at least one player, as in: duelbook exam level:3")
    found = list[Candidate]()
    for player in players:
        one = player if isinstance(player, Candidate) else candidate(player)
        same = sum(each.name.partition(" #")[0] == one.name for each in found)
        found.append(one._replace(name=f"{one.name} #{same + 1}") if same else one)
    return found


def _about(papers: Sequence[Edition], questions: int, repeats: int, entered: Sequence[Candidate]) -> About:
    duels = tuple(each.solution.game.id for each in papers[0].subjects)
    players = tuple((each.name, each.kind) for each in entered)
    return About(tuple(each.name for each in papers), duels, questions, repeats, players)


def _sit(
    paper: Edition,
    entered: Sequence[Candidate],
    given: Answers,
    kept: Folder | None,
    repeats: int,
    concurrency: int,
    until_separated: bool,
    hear: Callable[[str, int, int], None],
) -> Sat:
    def keep(edition: Edition, candidate: Candidate, answers: Sequence[Answer]) -> None:
        if kept is not None:
            kept.append(edition, candidate.name, answers)

    sitting = Sitting(
        paper,
        entered,
        repeats=repeats,
        concurrency=concurrency,
        given=[given.get((paper.name, each.name), []) for each in entered],
        keep=keep,
        hear=lambda done, of: hear(paper.name, done, of),
    )
    apart = sitting.take_until_apart() if until_separated else None
    if apart is None:
        sitting.take()
    return found_by(paper, entered, sitting.answers, apart)


def found_by(
    paper: Edition, entered: Sequence[Candidate], answers: Sequence[Sequence[Answer]], apart: Apart | None = None
) -> Sat:
    """What the answers of all candidates come to."""
    asked = paper.questions if apart is None else paper.questions[: apart.questions]
    some = [[each for each in given if each.question < len(asked)] for given in answers]
    scores = [score(each, paper.questions, given) for each, given in zip(entered, some, strict=True)]
    order = sorted(scores, key=lambda each: each.lost.value)
    return Sat(paper, len(asked), tuple(order), tuple(yardsticks(asked)), apart)

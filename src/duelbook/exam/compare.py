"""Two exams side by side, question by question: how far apart two players are where both were asked the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from duelbook import folders
from duelbook.core import DuelError
from duelbook.exam.editions import Edition, edition
from duelbook.exam.examinee import Answer, Candidate
from duelbook.exam.folder import About, kept_answers, read_about
from duelbook.exam.score import Score, score
from duelbook.exam.sure import mean_of_duels, needed, variance_of_duels
from duelbook.intervals import Estimate
from duelbook.speech import amount, either, plain, quote


class Compared(NamedTuple):
    """One edition that both took."""

    edition: str
    first: Score
    second: Score
    questions: int
    difference: Estimate
    """What the first loses more than the second, per decision."""
    duels: Mapping[str, Estimate]
    needed: int | None
    """How many questions would show so large a difference in 95 of 100 exams; None where there is none."""


def compare(one: str | Path, two: str | Path) -> list[Compared]:
    """Two folders of exams, or two players of folders as in `mine:level:3`, in every edition that both took."""
    first, second = _found(one), _found(two)
    if first.about.duels != second.about.duels:
        raise DuelError(
            f"These exams are in other duels: {', '.join(first.about.duels)}, and {', '.join(second.about.duels)}."
        )
    both = [name for name in first.about.editions if name in second.about.editions]
    if not both:
        raise DuelError("These exams have no edition in common, so no question was put to both.")
    most = min(first.about.questions, second.about.questions)
    return [_compared(edition(name, most, first.about.duels), first, second) for name in both]


class _Half(NamedTuple):
    path: Path
    about: About
    player: Candidate

    def answers(self, paper: Edition) -> list[Answer]:
        return kept_answers(self.path, paper).get((paper.name, self.player.name), [])


def _found(named: str | Path) -> _Half:
    path, name = folders.named(named), ""
    if not path.is_dir():  # the name of a player may have a colon of its own
        places = [at for at, letter in enumerate(str(named)) if letter == ":"]
        split = next((at for at in places if folders.named(str(named)[:at]).is_dir()), None)
        if split is None:
            raise DuelError(f"There is no folder {quote(str(named))}: --out FOLDER of duelbook exam makes one.")
        path, name = folders.named(str(named)[:split]), str(named)[split + 1 :]
    about = read_about(path)
    players = dict(about.players)
    if not name and len(players) == 1:
        (name,) = players
    if name not in players:
        known = either([f"{plain(path)}:{plain(each)}" for each in players])
        raise DuelError(f"Which player of {plain(path)}? Say {known}.")
    return _Half(path, about, Candidate(name, players[name]))


def _compared(paper: Edition, one: _Half, two: _Half) -> Compared:
    given = [half.answers(paper) for half in (one, two)]
    asked = {answer.question for answer in given[0]} & {answer.question for answer in given[1]}
    if not asked:
        raise DuelError(f"In {paper.name} no question was put to both players.")
    first, second = (
        score(half.player, paper.questions, [each for each in answers if each.question in asked])
        for half, answers in zip((one, two), given, strict=True)
    )
    apart: dict[str, list[float]] = {}
    for mine, theirs in zip(first.marks, second.marks, strict=True):
        apart.setdefault(mine.question.subject.name, []).append(mine.lost - theirs.lost)
    difference = mean_of_duels(list(apart.values()), -1.0, 1.0)
    duels = {name: found for name, each in apart.items() if (found := mean_of_duels([each], -1.0, 1.0))}
    assert difference is not None  # there are questions
    wanted = needed(difference.value, variance_of_duels(list(apart.values())))
    return Compared(paper.name, first, second, len(asked), difference, duels, wanted)


def as_json(found: list[Compared]) -> dict[str, object]:
    return {
        "compared": [
            {
                "edition": each.edition,
                "players": [each.first.candidate.name, each.second.candidate.name],
                "lost": [each.first.lost.value, each.second.lost.value],
                "questions": each.questions,
                "difference": each.difference._asdict(),
                "duels": {name: apart._asdict() for name, apart in each.duels.items()},
                "questions_needed": each.needed,
            }
            for each in found
        ]
    }


def lines(found: list[Compared]) -> Iterator[str]:
    for at, each in enumerate(found):
        if at:
            yield ""
        one, two = (plain(score.candidate.name) for score in (each.first, each.second))
        yield f"{each.edition}, {amount(each.questions, 'question')} that both were asked:"
        yield f"  {one} lost {100 * each.first.lost.value:.2f} per decision, {two} {100 * each.second.lost.value:.2f}."
        apart = each.difference
        ends = f"{100 * apart.low:+.2f} to {100 * apart.high:+.2f}"
        yield f"  Apart by {100 * apart.value:+.2f} points, 95 % interval {ends}."
        if apart.low > 0 or apart.high < 0:
            yield f"  {one if apart.high < 0 else two} loses less."
        elif each.needed is not None:
            yield f"  Not told apart; were that the true difference, about {each.needed:,} questions would tell."
        else:
            yield "  They lost exactly the same."
        for name, duel in each.duels.items():
            yield f"  {name}: {100 * duel.value:+.2f}, {100 * duel.low:+.2f} to {100 * duel.high:+.2f}"

"""An exam as numbers for programs, unrounded."""

from __future__ import annotations

from duelbook.core import settings
from duelbook.exam.found import Found, Sat
from duelbook.exam.paper import Question
from duelbook.exam.score import Marked, Score
from duelbook.intervals import Estimate


def as_json(taken: Found) -> dict[str, object]:
    return {
        "editions": [_edition(each) for each in taken.sat],
        "repeats": taken.repeats,
        "folder": None if taken.folder is None else str(taken.folder),
        "gaps": [
            {
                "player": each.name,
                "edition": each.edition,
                "book": _estimate(each.book),
                "fresh": _estimate(each.fresh),
                "book_less_fresh": each.book.value - each.fresh.value,
                "skill": each.skill,
            }
            for each in taken.gaps
        ],
    }


def _edition(sat: Sat) -> dict[str, object]:
    apart = sat.apart
    return {
        "edition": sat.edition.name,
        "seed": str(sat.edition.seed),
        "paper": sat.edition.hash,
        "asked": sat.asked,
        "duels": [
            {"game": each.solution.game.id, "shown_as": each.game.id, "rules": settings(each.solution.game, each.rules)}
            for each in sat.edition.subjects
        ],
        "players": [_score(each) for each in sat.scores],
        "yardsticks": [
            {"name": each.name, "lost": each.lost, "duels": dict(each.duels), "about": each.about}
            for each in sat.yardsticks
        ],
        "separated": None
        if apart is None
        else {"worth": apart.worth, "questions": apart.questions, "apart": apart.lost_more is not None},
    }


def _score(score: Score) -> dict[str, object]:
    return {
        "name": score.candidate.name,
        "kind": score.candidate.kind,
        "lost": _estimate(score.lost),
        "without_faults": _estimate(score.clean),
        "duels": {name: _estimate(each) for name, each in score.duels.items()},
        "seats": list(score.seats),
        "mistakes": dict(score.mistakes),
        "faults": dict(score.faults),
        "asked": score.asked,
        "says_its_plan": all(each.said for each in score.marks),
        "secret_picks": _estimate(score.secret),
        "secret_picks_known": score.planned,
        "usage": score.usage._asdict(),
        "questions": [_marked(each) for each in score.marks],
    }


def _marked(marked: Marked) -> dict[str, object]:
    return {**question_data(marked.question), "lost": marked.lost, "faults": list(marked.faults)}


def question_data(question: Question) -> dict[str, object]:
    return {
        "number": question.number + 1,
        "duel": question.subject.name,
        "position": question.subject.solution.game.write_position(question.subject.rules, question.state),
        "seat": question.seat + 1,
        "at_stake": question.stake,
    }


def _estimate(found: Estimate | None) -> dict[str, float] | None:
    return None if found is None else found._asdict()

"""A puzzle for programs: docs/json.md says what each field is."""

from __future__ import annotations

from datetime import date

from duelbook.core import settings
from duelbook.puzzles.puzzle import Puzzle
from duelbook.puzzles.streak import Progress, best_streak, streak, tally


def as_json(puzzle: Puzzle, day: date | None, seed: int | None) -> dict[str, object]:
    """A puzzle of a day or of a seed, without its answer."""
    game, rules = puzzle.game, puzzle.rules
    words = game.dialogue.words(rules)
    return {
        "game": game.id,
        "rules": settings(game, rules),
        "date": day.isoformat() if day else None,
        "seed": seed,
        "at": puzzle.position,
        "player": puzzle.seat + 1,
        "question": puzzle.question,
        "choices": [words[each] for each in game.legal_moves(rules, puzzle.state, puzzle.seat)],
        "rating": puzzle.rating,
    }


def answer_as_json(puzzle: Puzzle) -> dict[str, object]:
    wrong = []
    for each in puzzle.wrong:
        why = puzzle.reason(each.move)
        fields = {key: value for key, value in each._asdict().items() if key != "move"}
        wrong.append(fields | {"line": why.line, "ideas": list(why.ideas)})
    ideas = list(puzzle.reason(puzzle.answer).ideas)
    return {"answer": puzzle.word, "wins": puzzle.wins, "why": puzzle.why, "ideas": ideas, "wrong": wrong}


def progress_as_json(progress: Progress, id: str, today: date) -> dict[str, object]:
    mine = tally(progress, id)
    return {
        "tried": mine.tried,
        "solved": mine.solved,
        "rating": mine.rating,
        "streak": streak(progress, today, id),
        "best_streak": best_streak(progress, id),
    }

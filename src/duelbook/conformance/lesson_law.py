"""The law of a duel's guided game: it can be played as it is written, and what it teaches is true.

Whether a move is best is asked of the solution, so that part is left out where the duel cannot be solved here.
"""

from __future__ import annotations

from collections.abc import Iterator

from duelbook.conformance.mistake import Mistake, mistake, shown, where
from duelbook.core import BOTH, DuelError, Game, Lesson, Task
from duelbook.solving.library import solution_at
from duelbook.solving.loss import ROUNDING
from duelbook.solving.solution import NotInTable, Solution
from duelbook.table.lesson import Guide

FEWEST_TASKS, MOST_TASKS = 3, 5
LONGEST_TEXT = 300
"""Letters of what is said at once: it is read beside the table, in a window of 80 columns."""
FUNCTION = "lesson.LESSON"


def the_lesson_is_playable_and_true(game: Game) -> Iterator[Mistake]:
    lesson = game.lesson
    if lesson is None:
        return
    badly_written = list(_writing(lesson))
    yield from badly_written
    if badly_written:
        return
    try:
        guide = Guide(game)
        state = guide.match.state
        solution = _solution(game, state)
    except DuelError as error:
        yield mistake(FUNCTION, lesson.position, f"it cannot begin at {shown(lesson.position)}: {error}")
        return
    if guide.match.outcome is not None or guide.match.turn not in (lesson.seat, BOTH):
        told = f"it begins at {shown(lesson.position)}, where the learner in seat {lesson.seat} has nothing to decide."
        yield mistake(FUNCTION, lesson.position, told)
        return
    while (task := guide.task) is not None:
        at = where(game, game.book, guide.match.state)
        wrong = list(_asked(guide, task, solution, at)) or list(_carried_on(guide, task, at))
        yield from wrong
        if wrong:
            return  # what follows would be other positions than the author saw
    if guide.match.draws < len(lesson.luck):
        told = f"its luck fixes {len(lesson.luck)} draws, and luck acts {guide.match.draws} times in it."
        yield mistake(FUNCTION, lesson.luck, told)


def _writing(lesson: object) -> Iterator[Mistake]:
    """Whether it is a lesson at all, of texts that can be read."""
    if not isinstance(lesson, Lesson) or not isinstance(lesson.tasks, tuple):
        yield mistake(FUNCTION, lesson, f"it is {shown(lesson)}; it must be a Lesson with a tuple of Tasks.")
        return
    if not all(isinstance(task, Task) and isinstance(task.also, tuple) for task in lesson.tasks):
        yield mistake(FUNCTION, lesson.tasks, "its tasks must be Tasks, what is as good in each a tuple of words.")
        return
    if not FEWEST_TASKS <= len(lesson.tasks) <= MOST_TASKS:
        told = f"it has {len(lesson.tasks)} tasks; a guided game has {FEWEST_TASKS} to {MOST_TASKS}."
        yield mistake(FUNCTION, len(lesson.tasks), told)
    if type(lesson.seat) is not int or lesson.seat not in (0, 1):
        yield mistake(FUNCTION, lesson.seat, f"its seat is {shown(lesson.seat)}; it must be 0 or 1.")
    if not isinstance(lesson.luck, tuple) or not all(type(face) is int for face in lesson.luck):
        yield mistake(FUNCTION, lesson.luck, f"its luck is {shown(lesson.luck)}; it must be a tuple of faces.")
    texts = [("idea", lesson.idea), ("position", lesson.position)]
    texts += [(name, getattr(task, name)) for task in lesson.tasks for name in ("says", "play", "praise")]
    for name, text in texts:
        if not isinstance(text, str) or not text.strip() or not text.isprintable():
            yield mistake(FUNCTION, text, f"its {name} is {shown(text)}; it must be one line of words.")
        elif len(text) > LONGEST_TEXT:
            told = f"its {name} {shown(text)} has {len(text)} letters; at most {LONGEST_TEXT} are read at once."
            yield mistake(FUNCTION, text, told)


def _solution(game: Game, state: object) -> Solution | None:
    """What says which moves are best; None where the duel cannot be solved here."""
    try:
        return solution_at(game, game.book, state)
    except NotInTable:
        raise
    except DuelError:
        return None


def _asked(guide: Guide, task: Task, solution: Solution | None, at: str) -> Iterator[Mistake]:
    """Whether what is asked for can be played, is best, and is all that is best."""
    game, state, seat = guide.game, guide.match.state, guide.seat
    words = game.dialogue.words(game.book)
    for word in (task.play, *task.also):
        if word not in words:
            yield mistake(FUNCTION, word, f"{shown(word)} is not the word of a move.", at)
        elif not game.legal(game.book, state, seat, words.index(word)):
            yield mistake(FUNCTION, word, f"{shown(word)} is asked for and cannot be played there.", at)
        elif solution is not None and solution.loss(state, seat, words.index(word)) > ROUNDING:
            told = f"{shown(word)} is asked for and gives something away; best is {shown(_best(solution, guide))}."
            yield mistake(FUNCTION, word, told, at)
    for word in _best(solution, guide) if solution is not None else ():
        if word not in (task.play, *task.also):
            told = f"{shown(word)} is as good as {shown(task.play)} and would be refused; name it in `also`."
            yield mistake(FUNCTION, word, told, at)


def _best(solution: Solution, guide: Guide) -> list[str]:
    game, state, seat = guide.game, guide.match.state, guide.seat
    moves = game.legal_moves(game.book, state, seat)
    return [game.dialogue.words(game.book)[move] for move in moves if solution.loss(state, seat, move) <= ROUNDING]


def _carried_on(guide: Guide, task: Task, at: str) -> Iterator[Mistake]:
    """Whether the move, the reply and luck lead to the next task."""
    lesson, told = guide.lesson, ""
    try:
        guide.answer(guide.game.dialogue.words(guide.game.book).index(task.play))
    except DuelError as error:
        told = f"after {shown(task.play)} it cannot go on: {error}"
    if guide.match.draws > len(lesson.luck):
        told = f"luck fixes {len(lesson.luck)} draws, and after {shown(task.play)} another follows; it must fix each."
    elif guide.match.outcome is not None and guide.task is not None:
        told = f"after {shown(task.play)} the game is over, and another task follows."
    if told:
        yield mistake(FUNCTION, (task.play, task.reply, lesson.luck), told, at)

"""An exam as one page for a browser: nothing is loaded from elsewhere, and every word from outside is escaped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from duelbook import __version__
from duelbook.arena.report.html_numbers import minus, table
from duelbook.arena.report.plots import ORANGE, Line, Mark, dot_plot
from duelbook.arena.report.style import NARROW, STYLE, WIDE
from duelbook.exam.examinee import Answer
from duelbook.exam.found import Found, Gap, Sat
from duelbook.exam.marks import FAULTS, MISTAKES
from duelbook.exam.score import Marked, Score
from duelbook.exam.telling import GAP, between, duel_rows, fault_rows, mistake_rows, notes, points, title, used_rows
from duelbook.llm.kind import is_model
from duelbook.speech import plain
from duelbook.speech import plain_html as escape

TITLE = "Duelbook exam"
NAMES = """
/* Models have long names: they break, so that there is room for numbers beside them. Spaces before a name stay. */
tbody th { white-space: pre-wrap; overflow-wrap: anywhere; min-width: 7em; max-width: 15em; }
details p { margin: 10px 0 4px; }
@media (max-width: 640px) { tbody th { max-width: 8.5em; } }
"""
WORST_SHOWN = 8
"""The dearest answers of a player that are listed."""


def page(taken: Found) -> str:
    parts = [f"<h1>{TITLE}</h1>", f'<p class="quiet">{_subtitle(taken)}</p>']
    for sat in taken.sat:
        parts += _edition(sat, taken.repeats)
    parts += [*_gaps(taken.gaps), *_reading()]
    body = "\n".join(parts).replace(" %", "\N{NO-BREAK SPACE}%")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{TITLE}</title>\n<style>{STYLE}{NAMES}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _subtitle(taken: Found) -> str:
    names = ", ".join(plain(each.candidate.name) for each in taken.sat[0].scores)
    return (
        f"{escape(names)}. Points of win probability lost per decision: 0 is perfect. Duelbook {escape(__version__)}."
    )


def _edition(sat: Sat, repeats: int) -> Iterator[str]:
    yield f"<h2>{escape(sat.edition.name)}</h2>"
    yield f'<p class="quiet">{escape(title(sat))}</p>'
    yield from _picture(sat)
    rows = [["player", "lost", "95 % interval", "without faults", "faults", "answers"], *map(_score_row, sat.scores)]
    used = used_rows(sat.scores)
    head, *rows = [[*row, *more] for row, more in zip(rows, used, strict=True)] if used else rows
    yield table(head, rows)
    yield from _asked_as(sat.scores)
    for said in notes(sat, repeats):
        yield f'<p class="quiet">{escape(said)}</p>'
    yield "<h3>By duel</h3>"
    head, *rows = duel_rows(sat)
    yield table(head, rows)
    habit = next((each for each in sat.yardsticks if each.about), None)
    if habit is not None:
        yield f'<p class="quiet">{escape(f"{habit.name}: {habit.about}. Indented rows are exact.")}</p>'
    yield "<h3>By kind of mistake</h3>"
    head, *rows = mistake_rows(sat.scores)
    yield table(head, rows)
    yield f'<p class="quiet">{escape(_meanings(MISTAKES))}</p>'
    if any(any(each.faults.values()) for each in sat.scores):
        yield "<h3>Faults</h3>"
        head, *rows = fault_rows(sat.scores)
        yield table(head, rows)
        yield f'<p class="quiet">{escape(_meanings(FAULTS))}</p>'
    for each in sat.scores:
        yield from _dearest(each)
        yield from _faults(each)


def _picture(sat: Sat) -> Iterator[str]:
    lines = [
        Line(
            plain(each.candidate.name),
            (Mark(100 * each.lost.value, 100 * each.lost.low, 100 * each.lost.high),),
            points(each.lost.value),
        )
        for each in sat.scores
    ]
    lines += [
        Line(each.name, (Mark(100 * each.lost, None, None, "diamond", ORANGE),), points(each.lost))
        for each in reversed(sat.yardsticks)
    ]
    for width, name in ((WIDE, "wide"), (NARROW, "narrow")):
        drawn = dot_plot(lines, "points lost per decision", width, title="Scores with 95 % intervals", zero=True)
        yield f'<figure class="{name}">{drawn}</figure>'
    yield '<p class="quiet">Diamonds are exact: what players of known strength lose on the same questions.</p>'


def _score_row(score: Score) -> list[str]:
    clean = "-" if score.clean is None else points(score.clean.value)
    counts = [str(sum(score.faults.values())), str(score.asked)]
    return [plain(score.candidate.name), points(score.lost.value), between(score.lost), clean, *counts]


def _asked_as(scores: Sequence[Score]) -> Iterator[str]:
    """How models were asked: it is part of what a score means."""
    for each in scores:
        if is_model(each.candidate.kind):
            yield (
                f'<p class="quiet">{escape(plain(each.candidate.name))} was asked as '
                f"<code>{escape(plain(each.candidate.kind))}</code></p>"
            )


def _dearest(score: Score) -> Iterator[str]:
    """The answers that lost most, so that somebody can look at them."""
    found = sorted((each for each in score.marks if each.lost), key=lambda each: -each.lost)[:WORST_SHOWN]
    if not found:
        return
    name = plain(score.candidate.name)
    rows = [_answer_row(each) for each in found]
    head = ["duel", "position", "seat", "lost", "faults", "best"]
    yield f"<details><summary>{escape(f'{name}: the dearest answers')}</summary>{table(head, rows)}</details>"


def _faults(score: Score) -> Iterator[str]:
    """What was said in place of answers, of each kind the first few."""
    found = list[Answer]()
    for kind in FAULTS:
        found += [answer for answer in score.faulty if answer.fault == kind][:WORST_SHOWN]
    if not found:
        return
    questions = {marked.question.number: marked.question for marked in score.marks}
    yield f"<details><summary>{escape(plain(score.candidate.name))}: faults, and what was said</summary>"
    for answer in found:
        question = questions[answer.question]
        where = f"{question.subject.name} at {question.position}, seat {question.seat + 1}"
        yield f"<p>{escape(f'{answer.fault}: {where}. {plain(answer.sentence)}')}</p>"
        if answer.reply:
            yield f"<pre>{escape(answer.reply)}</pre>"
    yield "</details>"


def _answer_row(marked: Marked) -> list[str]:
    question = marked.question
    words = question.subject.game.dialogue.words(question.subject.rules)
    best = ", ".join(words[option.move] for option in question.options if not option.lost)
    where = [question.subject.name, question.position, str(question.seat + 1)]
    faults = [kind if times == 1 else f"{times} times {kind}" for kind, times in Counter(marked.faults).items()]
    return [*where, points(marked.lost), ", ".join(faults), best]


def _meanings(words: dict[str, str]) -> str:
    return "; ".join(f"{word}: {meaning}" for word, meaning in words.items()) + "."


def _gaps(gaps: Sequence[Gap]) -> Iterator[str]:
    if not gaps:
        return
    yield "<h2>Book and fresh rules</h2>"
    head = ["player", "edition", "book", "fresh", "book less fresh", "skill"]
    rows = [
        [
            plain(each.name),
            each.edition,
            points(each.book.value),
            points(each.fresh.value),
            minus(f"{100 * (each.book.value - each.fresh.value):+.2f}"),
            minus(f"{100 * each.skill:+.1f} %"),
        ]
        for each in gaps
    ]
    yield table(head, rows)
    yield f'<p class="quiet">{escape(GAP)}</p>'


def _reading() -> Iterator[str]:
    yield "<h2>What is exact and what is not</h2><ul>"
    yield "<li><b>Exact:</b> the loss of every single answer. The duels are solved.</li>"
    yield "<li><b>Exact:</b> the yardsticks, on these questions.</li>"
    yield (
        "<li><b>Sampled:</b> the questions, and the answers of who does not say a plan. Intervals are at 95 %. They "
        "say what chance alone can do with other questions of the same kind.</li>"
    )
    yield (
        "<li><b>Not in it:</b> whether somebody would do the same tomorrow, keeps to a plan over a whole game, or "
        "plays well where nothing is at stake. Questions come where choosing blindly loses most.</li>"
    )
    yield "</ul>"

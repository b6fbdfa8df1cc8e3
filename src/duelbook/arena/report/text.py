"""A tournament in words, on the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from duelbook.arena.judge.findings import Findings
from duelbook.arena.judge.verdict import signed
from duelbook.arena.report.sections import (
    WHAT_SCORES_ARE,
    faults_by_kind,
    hypotheses,
    losses,
    opening_lines,
    pairs_by_score,
    rated,
    subtitle,
    title_of,
    what_was_done,
)
from duelbook.arena.report.table_text import columns, fits, table_lines, wrapped
from duelbook.speech import amount


def terminal_lines(found: Findings, width: int | None = None) -> Iterator[str]:
    """Everything, section after section, in lines that are no longer than this; without a width in one line each."""
    for sentence in heading_lines(found):
        yield from wrapped(sentence, width)
    sections = (
        list(table_lines(found.table, width)),
        list(rating_lines(found, width)),
        list(loss_lines(found, width)),
        [line for sentence in fault_lines(found) for line in wrapped(sentence, width)],
        list(look_lines(found, width)),
        [line for sentence in test_lines(found) for line in wrapped(sentence, width)],
        [line for sentence in (*found.ratings.notes, *found.cautions) for line in wrapped(sentence, width)],
    )
    for section in sections:
        if section:
            yield ""
            yield from section


def heading_lines(found: Findings) -> Iterator[str]:
    yield f"{found.plan.event}: {subtitle(found)}"
    yield what_was_done(found)
    yield from opening_lines(found)


def rating_lines(found: Findings, width: int | None = None) -> Iterator[str]:
    rows = rated(found)
    lines = columns([["rating", "Elo", "95 % interval", "better than the next", ""], *rows])
    if not fits(lines, width):
        short = [row._replace(remark=row.remark.partition(",")[0]) for row in rows]
        lines = columns([["rating", "Elo", "95 % interval", "better", ""], *short], width)
        lines += wrapped("better: the chance to be better than the next.", width)
    yield from lines
    for duel, seat in found.ratings.seats.items():
        yield from wrapped(f"The first seat in {duel}: {signed(seat)} Elo.", width)
    if found.verdict is not None:
        yield from wrapped(found.verdict.sentence(), width)


def loss_lines(found: Findings, width: int | None = None) -> Iterator[str]:
    rows = [["player", "loss", "interval", "perfect", "decisions", "score", "less luck"], *losses(found)]
    if len(rows) == 1:
        return
    yield from wrapped("Loss per decision, in points of win probability, with its 95 % interval:", width)
    whole = columns(rows)
    if fits(whole, width):
        yield from whole
    else:
        yield from columns([row[:5] for row in rows], width)
        if any(cell for row in rows[1:] for cell in row[5:]):
            yield ""
            yield from columns([[row[0], *row[5:]] for row in rows], width)
    said = "Less luck: the same with the luck taken off, which no play can change."
    yield from wrapped(f"{WHAT_SCORES_ARE} {said}", width)


def fault_lines(found: Findings) -> Iterator[str]:
    """For every player and kind of fault how often it came, and the first of them."""
    for (name, kind), results in faults_by_kind(found).items():
        assert results[0].fault is not None
        yield f"{name} lost {amount(len(results), 'game')} by a fault ({kind}). {results[0].fault.sentence}"


def test_lines(found: Findings) -> Iterator[str]:
    """What was asked of the test, where it stands, and why it ended."""
    stands = found.standing
    if stands is None:
        return
    yield f"The test: {hypotheses(found, stands)}"
    yield f"LLR {stands.llr:.2f}, bounds {stands.lower:.2f} and {stands.upper:.2f}. {pairs_by_score(stands)}"
    yield stands.sentence


def look_lines(found: Findings, width: int | None = None) -> Iterator[str]:
    """Commands are not broken into lines: they are there to be copied."""
    if found.worth_a_look:
        yield "Games worth a look:"
    for each in found.worth_a_look:
        yield from wrapped(f"{title_of(found, each.result)}. {each.sentence}", width, "  ")
        if found.replay(each.result):
            yield f"    {found.replay(each.result)}"

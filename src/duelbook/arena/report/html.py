"""A tournament as one page for a browser: nothing is loaded from elsewhere, and every word from outside is escaped."""

from __future__ import annotations

from collections.abc import Iterator

from duelbook import __version__
from duelbook.arena.judge.findings import Findings
from duelbook.arena.judge.ratings import RatingRow
from duelbook.arena.judge.verdict import percent
from duelbook.arena.play.results import Result
from duelbook.arena.report.html_numbers import crossing, loss_figures, minus, ratings, table
from duelbook.arena.report.plots import Line, Mark, dot_plot
from duelbook.arena.report.sections import (
    faults_by_kind,
    hypotheses,
    opening_lines,
    pairs_by_score,
    subtitle,
    title_of,
    what_was_done,
)
from duelbook.arena.report.style import NARROW, STYLE, WIDE
from duelbook.coach.words import chance
from duelbook.engine.limits import Limits
from duelbook.players import ENGINE
from duelbook.speech import amount, either
from duelbook.speech import plain_html as escape

MOST_FAULTS = 12
"""Faults of one player and kind that are listed; the rest are counted."""
LONGEST_OUTPUT = 4000


def page(found: Findings) -> str:
    plan = found.plan
    said = subtitle(found)
    date = "" if "?" in plan.date else f" {plan.date.replace('.', '-')}."
    parts = [
        f"<h1>{escape(plan.event)}</h1>",
        f'<p class="quiet">{escape(said[0].upper() + said[1:])}. {escape(what_was_done(found))}{escape(date)}</p>',
        *_verdict(found),
        *_doubts(found),
        *ratings(found),
        *crossing(found),
        *loss_figures(found),
        *_looks(found),
        *_faults(found),
        *_reading(found),
        *_conditions(found),
    ]
    body = "\n".join(parts).replace(" %", "\N{NO-BREAK SPACE}%")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(plan.event)}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _verdict(found: Findings) -> Iterator[str]:
    """What came out, in a sentence or two, before any number in a table."""
    said = []
    if found.standing is not None:
        said.append(found.standing.sentence)
    if found.verdict is not None:
        said.append(found.verdict.sentence(minus))
    played = [row for row in found.ratings.rows if row.entrant is not None and not row.exact]
    if len(played) == 1:
        said.append(_beside_the_ladder(played[0]))
    if said:
        yield f'<p class="verdict">{escape(" ".join(said))}</p>'
    if found.standing is not None:
        stands = found.standing
        line = Line("", (Mark(stands.llr, None, None),), minus(f"LLR {stands.llr:.2f}"))
        label = minus(f"dashed: H0 at {stands.lower:.2f}, H1 at {stands.upper:.2f}")
        for width, name in ((WIDE // 2, "wide"), (NARROW, "narrow")):
            drawn = dot_plot([line], label, width, title="The test", rules=(stands.lower, stands.upper))
            yield f'<figure class="{name}" style="max-width:{width}px">{drawn}</figure>'
        yield f'<p class="quiet">{escape(f"{hypotheses(found, stands)} {pairs_by_score(stands)}")}</p>'


def _beside_the_ladder(row: RatingRow) -> str:
    return (
        f"{row.name} is rated {minus(f'{row.rating:.0f}')} ({minus(f'{row.low:.0f}')} to {minus(f'{row.high:.0f}')}), "
        "where random is 0."
    )


def _doubts(found: Findings) -> Iterator[str]:
    said = [*found.ratings.notes, *found.cautions]
    if said:
        yield '<div class="doubt">' + "".join(f"<p>{escape(each)}</p>" for each in said) + "</div>"


# Games and faults


def _looks(found: Findings) -> Iterator[str]:
    if not found.worth_a_look:
        return
    yield "<h2>Games worth a look</h2>"
    yield (
        '<p class="quiet">Blunders that surprise most, given what the player usually loses; beside them the game with '
        "the most blunders, and the longest one with hardly any.</p>"
    )
    for each in found.worth_a_look:
        yield f"<h3>{escape(each.title)}</h3>"
        yield f"<p>{escape(title_of(found, each.result))}. {escape(each.sentence)}{_replay(found, each.result)}</p>"


def _replay(found: Findings, result: Result) -> str:
    command = found.replay(result)
    return f"<br><code>{escape(command)}</code>" if command else ""


def _faults(found: Findings) -> Iterator[str]:
    grouped = faults_by_kind(found)
    if not grouped:
        return
    yield "<h2>Faults</h2>"
    yield "<p>Games lost away from the board. They count as losses.</p>"
    for (name, kind), results in grouped.items():
        yield f"<h3>{escape(name)}: {escape(kind)}, {amount(len(results), 'game')}</h3><ul>"
        for result in results[:MOST_FAULTS]:
            yield f"<li>{_fault(found, result)}</li>"
        if len(results) > MOST_FAULTS:
            yield f"<li>and {len(results) - MOST_FAULTS} more</li>"
        yield "</ul>"


def _fault(found: Findings, result: Result) -> str:
    assert result.fault is not None
    output = result.fault.stderr[-LONGEST_OUTPUT:].strip()
    shown = f"<details><summary>what it wrote to its standard error</summary><pre>{escape(output)}</pre></details>"
    said = f"{escape(title_of(found, result))}, turn {result.turns + 1}. {escape(result.fault.sentence)}"
    return said + _replay(found, result) + (shown if output else "")


# How to read it


def _reading(found: Findings) -> Iterator[str]:
    known, played = found.finished.programme.known, found.finished.results
    yield "<h2>What is exact and what is not</h2><ul>"
    if known:
        computed = {frozenset(each.seats) for each in known}
        names = sorted({found.plan.entrants[at].name for pair in computed for at in pair})
        yield (
            f"<li><b>Exact:</b> all results between {escape(either(names, 'and'))}. What they do at every "
            f"position is known, so their chances are computed and nothing is played. {_bell(found)}</li>"
        )
    if any(row.exact for row in found.ratings.rows):
        yield (
            "<li><b>Exact:</b> the ratings of random, the levels and perfect. They follow from the exact chances "
            "between all of them in these duels, each duel weighing as much as it was played.</li>"
        )
    if any(each.overall for each in found.qualities):
        yield "<li><b>Exact:</b> the loss of every single decision. The duels are solved.</li>"
    if played:
        yield (
            f"<li><b>Sampled:</b> {amount(len(played), 'game')} in pairs with the seats swapped and the same luck. All "
            "intervals are at 95 %. They say how much chance alone can do, where every pair is a new one. They do not "
            "know whether the players would do the same tomorrow.</li>"
        )
        yield (
            "<li><b>A model:</b> ratings take strength for one number that holds against everybody (Bradley and "
            "Terry, with ties as Davidson has them). Exact chances show that this is only nearly so: beside the ladder "
            "a rating can be off by tens of points, and in secret by more, however many games were played. Where it "
            "matters, trust the cross table.</li>"
        )
    yield "</ul>"


def _bell(found: Findings) -> str:
    return f"The bell rings after {amount(found.plan.max_turns, 'turn')}."


# How it was played


def _conditions(found: Findings) -> Iterator[str]:
    """All that somebody needs who wants to hold the same tournament again."""
    plan = found.plan
    yield "<h2>How it was played</h2>"
    seed = f", seed {found.finished.seed}" if found.finished.seed is not None else ""
    yield (
        f'<p class="quiet">Duelbook {escape(__version__)}{seed}, {amount(plan.rounds, "pair")} of games '
        f"for each meeting in each duel. {_bell(found)}</p>"
    )
    yield from _openings(found)
    programs = [entrant for entrant in plan.entrants if entrant.kind.startswith(ENGINE)]
    lines = [
        f"<li>{escape(entrant.name)}: <code>{escape(entrant.kind.removeprefix(ENGINE))}</code> "
        f"with {escape(_limits(entrant.limits))}</li>"
        for entrant in programs
    ]
    if lines:
        yield f"<ul>{''.join(lines)}</ul>"


def _openings(found: Findings) -> Iterator[str]:
    for said in opening_lines(found):
        yield f'<p class="quiet">{escape(said)}</p>'
    if found.begun:
        worth = ["" if each.value is None else percent(chance(each.value)) for each in found.begun]
        rows = [
            [each.position, each.duel, wins, str(each.games)] for each, wins in zip(found.begun, worth, strict=True)
        ]
        head = ["position", "duel", "first seat wins with best play", "games"]
        yield f"<details><summary>The openings</summary>{table(head, rows)}</details>"


def _limits(limits: Limits) -> str:
    clock = limits.clock
    by_clock = f"{clock[0]:g} s for a game and {clock[1]:g} s more for each move" if clock is not None else ""
    said = [by_clock or f"{limits.move_time:g} s for a move"]
    if limits.memory_mb is not None:
        said.append(f"{limits.memory_mb:,} MB of memory")
    if limits.cpu_seconds is not None:
        said.append(f"{limits.cpu_seconds} s of processor time for a game")
    said += [f"{name} set to {value}" for name, value in limits.options]
    return f"{either(said, 'and')}."

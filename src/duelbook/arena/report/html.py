"""A tournament as one page for a browser: nothing is loaded from elsewhere, and every word from outside is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from duelbook import __version__
from duelbook.arena.judge.findings import Findings
from duelbook.arena.judge.quality import Loss, Quality
from duelbook.arena.judge.ratings import HIGHEST, LOWEST, RatingRow, Ratings
from duelbook.arena.judge.tally import Tally
from duelbook.arena.judge.verdict import percent
from duelbook.arena.play.results import Limits, Result
from duelbook.arena.report.plots import BLUE, INK, ORANGE, PAPER, Line, Mark, dot_plot, gauge
from duelbook.arena.report.sections import (
    WHAT_SCORES_ARE,
    chance_between,
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
from duelbook.arena.report.style import NARROW, PANEL, STYLE, WIDE
from duelbook.arena.report.table_text import number
from duelbook.coach.words import chance
from duelbook.games import load
from duelbook.intervals import Estimate
from duelbook.players import ENGINE
from duelbook.speech import amount, either
from duelbook.speech import plain_html as escape

MOST_FAULTS = 12
"""Faults of one player and kind that are listed; the rest are counted."""
LONGEST_OUTPUT = 4000


def page(found: Findings) -> str:
    plan = found.plan
    said = subtitle(found)
    parts = [
        f"<h1>{escape(plan.event)}</h1>",
        f'<p class="quiet">{escape(said[0].upper() + said[1:])}. {escape(what_was_done(found))}{_date(plan.date)}</p>',
        *_verdict(found),
        *_doubts(found),
        *_ratings(found),
        *_cross(found),
        *_losses(found),
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


def _date(date: str) -> str:
    return "" if "?" in date else f" {escape(date.replace('.', '-'))}."


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
        ends = (f"H0 at {minus(f'{stands.lower:.2f}')}", f"H1 at {stands.upper:.2f}")
        for width, name in ((WIDE // 2, "wide"), (NARROW, "narrow")):
            drawn = gauge(stands.llr, stands.lower, stands.upper, width, title="The test", ends=ends)
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


def minus(text: str) -> str:
    return text.replace("-", "−")


# Ratings


def _ratings(found: Findings) -> Iterator[str]:
    rows = found.ratings.rows
    if not rows:
        return
    yield "<h2>Ratings</h2>"
    lines = [Line(row.name, (_rating_mark(row),), _rating_words(row)) for row in rows]
    label = _scale(found.ratings)
    for width, name in ((WIDE, "wide"), (NARROW, "narrow")):
        drawn = dot_plot(lines, label, width, title="Ratings with 95 % intervals", rules=_known(rows))
        yield f'<figure class="{name}">{drawn}</figure>'
    yield f'<p class="quiet">{" ".join(_rating_key(rows))}</p>'
    yield from _rating_table(found)
    yield from _better(found)
    seats = [f"{escape(duel)} {_estimate(seat)} Elo" for duel, seat in found.ratings.seats.items()]
    if seats:
        yield f'<p class="quiet">What the first seat is worth in these games: {"; ".join(seats)}.</p>'


def _scale(ratings: Ratings) -> str:
    if not ratings.anchored:
        return "Elo; only differences mean anything"
    return "Elo above random, for some a guess" if any(row.floats for row in ratings.rows) else "Elo above random"


def _rating_key(rows: Sequence[RatingRow]) -> Iterator[str]:
    if any(not row.exact for row in rows):
        yield (
            "Dots are estimated from games. Their intervals, at 95 %, say what chance alone can do. That strength is "
            "not really one number comes on top, and can be tens of points."
        )
    if any(row.exact for row in rows):
        yield "Diamonds are not estimated: exact chances say where they stand. Dashed lines are random and perfect."


def _known(rows: Sequence[RatingRow]) -> list[float]:
    return [row.rating for row in rows if row.exact and row.kind in (LOWEST, HIGHEST)]


def _rating_mark(row: RatingRow) -> Mark:
    return Mark(row.rating, row.low, row.high, "diamond" if row.exact else "circle")


def _rating_words(row: RatingRow) -> str:
    margin = "exact" if row.exact else f"± {(row.high - row.low) / 2:.0f}"
    return f"{minus(f'{row.rating:.0f}')} {margin}"


def _estimate(seat: Estimate) -> str:
    return f"{minus(f'{seat.value:+.0f}')} ({minus(f'{seat.low:+.0f}')} to {minus(f'{seat.high:+.0f}')})"


def _rating_table(found: Findings) -> Iterator[str]:
    head = [
        "player",
        "rating",
        "95 % interval",
        "better than the next",
        "games",
        "score",
        "W",
        "D",
        "L",
        "none",
        "faults",
    ]
    rows = []
    for row, words in zip(found.ratings.rows, rated(found), strict=True):
        name = f"{row.name} (a guess)" if found.ratings.guessed(row) else row.name
        cells = [name, minus(words.rating), minus(words.span), words.better]
        if row.entrant is None or not row.games:
            cells += ["", "", "", "", "", "", ""]
        else:
            ends = (row.tally.wins, row.tally.draws, row.tally.losses, row.tally.no_results, row.tally.faults)
            score = f"{100 * row.score:.1f} %" if row.score is not None else ""
            cells += [str(row.games), score, *(f"{end:.0f}" for end in ends)]
        rows.append(cells)
    yield table(head, rows)
    yield (
        '<p class="quiet">W, D, L: won, drawn, lost over the board. None: games without a result, half a point each. '
        "Faults: games lost away from the board. Games that were computed are not among them.</p>"
    )


def _better(found: Findings) -> Iterator[str]:
    rows = found.ratings.rows
    head = ["chance that … is better than", *(row.name for row in rows)]
    cells = [[one.name, *("" if one is two else chance_between(found, one, two) for two in rows)] for one in rows]
    yield f"<details><summary>The chance that one is better than another</summary>{table(head, cells)}</details>"


def table(head: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    """Plain cells; the first column names the row."""
    titles = "".join(f'<th scope="col">{escape(title)}</th>' for title in head)
    lines = []
    for name, *cells in rows:
        said = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        lines.append(f'<tr><th scope="row">{escape(name)}</th>{said}</tr>')
    return f'<div class="scroll"><table><thead><tr>{titles}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'


# The cross table


def _cross(found: Findings) -> Iterator[str]:
    order = found.table.order()
    names = [entrant.name for entrant in found.plan.entrants]
    yield "<h2>Cross table</h2>"
    titles = "".join(f'<th scope="col">{place}</th>' for place in range(1, len(order) + 1))
    lines = []
    for place, me in enumerate(order, 1):
        total = found.table.totals[me]
        cells = "".join(_cell(found.table.cells.get((me, foe)), me == foe) for foe in order)
        share = f"{100 * total.points / total.games:.1f} %" if total.games else ""
        points_ = number(total.points, total.exact)
        lines.append(
            f'<tr><th scope="row">{place}. {escape(names[me])}</th>{cells}'
            f"<td>{points_}<small>of {total.games:.0f}</small></td><td>{share}</td></tr>"
        )
    yield (
        '<div class="scroll"><table><thead><tr><th scope="col">player</th>'
        f'{titles}<th scope="col">points</th><th scope="col">share</th></tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )
    exact = any(row.exact for row in found.table.totals)
    yield (
        '<p class="quiet">Points of the player at the left against the one at the top, and below them wins, ties and '
        "losses; ties are draws and games without a result."
        + (" What stands in italics was computed exactly and not played." if exact else "")
        + "</p>"
    )


def _cell(row: Tally | None, own: bool) -> str:
    if row is None:
        return '<td class="own"></td>' if own else "<td>–</td>"
    ends = (row.wins, row.draws + row.no_results, row.lost)
    below = " · ".join(number(end, row.exact) for end in ends)
    exact = ' class="exact"' if row.exact else ""
    return f"<td{exact}>{number(row.points, row.exact)}<small>{below}</small></td>"


# Losses


def _losses(found: Findings) -> Iterator[str]:
    known = [each for each in found.qualities if each.overall is not None]
    if not known:
        return
    yield "<h2>Loss per decision</h2>"
    yield (
        "<p>Every decision has an exact loss: the win probability that it gave away, whatever the cards did. Opponents "
        "decide which positions come up, so compare players who met the same ones.</p>"
    )
    parts = [part for each in known for part in each.parts.values()]
    exact = _key("diamond", INK, "exact, not measured") if any(part.exact for part in parts) else ""
    yield f'<p class="key">{_key("circle", BLUE, "first seat")}{_key("square", ORANGE, "second seat")}{exact}</p>'
    if any(part.alike for part in parts):
        yield (
            '<p class="quiet">Where all pairs of games lost the same there is no spread to measure, and the interval '
            "is wide: it ends in an arrow where it goes on beyond the picture.</p>"
        )
    yield '<div class="panels">'
    for duel in found.duels:
        yield from _panel(duel, known)
    yield "</div>"
    yield table(
        ["player", "loss, points", "95 % interval", "perfect", "decisions", "score, %", "score less luck"],
        losses(found),
    )
    yield (
        f'<p class="quiet">Perfect: decisions that gave nothing away. {WHAT_SCORES_ARE} Score less luck: what each '
        "card changed against the average is taken off; on average that changes nothing, but it is surer. Without "
        "cards both are the same."
        "</p>"
    )


def _key(shape: str, colour: str, words: str) -> str:
    drawn = {
        "circle": f'<circle cx="6" cy="6" r="5" fill="{colour}"/>',
        "square": f'<rect x="1.5" y="1.5" width="9" height="9" fill="{colour}"/>',
        "diamond": f'<path d="M6 1l5 5l-5 5l-5 -5z" fill="{PAPER}" stroke="{colour}" stroke-width="1.5"/>',
    }
    return f'<span><svg viewBox="0 0 12 12" aria-hidden="true">{drawn[shape]}</svg> {words}</span>'


def _panel(duel: str, known: Sequence[Quality]) -> Iterator[str]:
    """One duel, with both seats of every player."""
    lines = []
    for each in known:
        marks = tuple(_loss_mark(each.parts[duel, seat], seat) for seat in (0, 1) if (duel, seat) in each.parts)
        if marks:
            lines.append(Line(each.name, marks))
    if not lines:
        return
    game, *changes = duel.split()
    title = " ".join((load(game).name, *changes))
    label = "loss per decision, in points of win probability"
    drawn = dot_plot(lines, label, PANEL, title=f"Loss per decision in {title}", zero=True)
    yield f"<figure><h3>{escape(title)}</h3>{drawn}</figure>"


def _loss_mark(loss: Loss, seat: int) -> Mark:
    shape = "diamond" if loss.exact else ("circle", "square")[seat]
    low, high = (None if end is None else 100 * end for end in (loss.low, loss.high))
    return Mark(100 * loss.mean, low, high, shape, (BLUE, ORANGE)[seat], loss.alike)


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
            f"<li><b>Exact:</b> all results between {escape(either(names, 'and'))}. They are tables, so their chances "
            f"are computed and nothing is played. {_bell(found)}</li>"
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
        rows = [[each.position, each.duel, _worth(each.value), str(each.games)] for each in found.begun]
        head = ["position", "duel", "first seat wins with best play", "games"]
        yield f"<details><summary>The openings</summary>{table(head, rows)}</details>"


def _worth(value: float | None) -> str:
    return "" if value is None else percent(chance(value))


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


__all__ = ["page"]

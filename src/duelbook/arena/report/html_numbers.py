"""The page's ratings, cross table and losses: each a table, and a picture where one says more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from duelbook.arena.judge.findings import Findings
from duelbook.arena.judge.quality import Loss, Quality
from duelbook.arena.judge.ratings import HIGHEST, LOWEST, RatingRow, Ratings
from duelbook.arena.judge.tally import Tally
from duelbook.arena.judge.verdict import signed
from duelbook.arena.report.plots import BLUE, INK, ORANGE, Line, Mark, dot_plot, shape
from duelbook.arena.report.sections import WHAT_SCORES_ARE, chance_between, losses, rated
from duelbook.arena.report.style import NARROW, PANEL, WIDE
from duelbook.arena.report.table_text import number, totals
from duelbook.games import load
from duelbook.speech import plain_html as escape


def minus(text: str) -> str:
    return text.replace("-", "−")


# Ratings


def ratings(found: Findings) -> Iterator[str]:
    rows = found.ratings.rows
    if not rows:
        return
    yield "<h2>Ratings</h2>"
    lines = []
    for row in rows:
        mark = Mark(row.rating, row.low, row.high, "diamond" if row.exact else "circle")
        margin = "exact" if row.exact else f"± {(row.high - row.low) / 2:.0f}"
        lines.append(Line(row.name, (mark,), f"{minus(f'{row.rating:.0f}')} {margin}"))
    label = _scale(found.ratings)
    known = [row.rating for row in rows if row.exact and row.kind in (LOWEST, HIGHEST)]
    for width, name in ((WIDE, "wide"), (NARROW, "narrow")):
        drawn = dot_plot(lines, label, width, title="Ratings with 95 % intervals", rules=known)
        yield f'<figure class="{name}">{drawn}</figure>'
    yield f'<p class="quiet">{" ".join(_rating_key(rows))}</p>'
    yield from _rating_table(found)
    yield from _better(found)
    seats = [f"{escape(duel)} {minus(signed(seat))} Elo" for duel, seat in found.ratings.seats.items()]
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


def _rating_table(found: Findings) -> Iterator[str]:
    head = ["player", "rating", "95 % interval", "better than the next", "games", "score", *"WDL", "none", "faults"]
    rows = []
    for row, words in zip(found.ratings.rows, rated(found), strict=True):
        name = f"{row.name} (a guess)" if found.ratings.guessed(row) else row.name
        cells = [name, minus(words.rating), minus(words.span), words.better]
        if row.entrant is None or not row.games:
            cells += [""] * 7
        else:
            games, _, score, *ends = totals(row.tally)
            cells += [games, f"{score} %", *ends]
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
    return _table(head, ((name, "".join(f"<td>{escape(cell)}</td>" for cell in cells)) for name, *cells in rows))


def _table(head: Iterable[str], rows: Iterable[tuple[str, str]]) -> str:
    """The name of each row, and its cells as they are."""
    titles = "".join(f'<th scope="col">{escape(title)}</th>' for title in head)
    lines = "".join(f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>' for name, cells in rows)
    return f'<div class="scroll"><table><thead><tr>{titles}</tr></thead><tbody>{lines}</tbody></table></div>'


# The cross table


def crossing(found: Findings) -> Iterator[str]:
    order = found.table.order()
    names = [entrant.name for entrant in found.plan.entrants]
    yield "<h2>Cross table</h2>"
    rows = []
    for place, me in enumerate(order, 1):
        total = found.table.totals[me]
        cells = "".join(_cell(found.table.cells.get((me, foe)), me == foe) for foe in order)
        games, points, share, *_ = totals(total)
        share = f"{share} %" if total.games else ""
        rows.append((f"{place}. {names[me]}", f"{cells}<td>{points}<small>of {games}</small></td><td>{share}</td>"))
    yield _table(["player", *map(str, range(1, len(order) + 1)), "points", "share"], rows)
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


def loss_figures(found: Findings) -> Iterator[str]:
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


def _key(name: str, colour: str, words: str) -> str:
    drawn = shape(name, 7, 7, colour)
    return f'<span><svg viewBox="0 0 14 14" aria-hidden="true">{drawn}</svg> {words}</span>'


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

"""A map in the terminal: coloured cells where colours show, letters and numbers that say the same everywhere else."""

from __future__ import annotations

from collections.abc import Sequence
from shutil import get_terminal_size

import click

from duelbook.line.console import Console
from duelbook.maps.atlas import SURE, Cell, Grid, caption, evenly, finding, who
from duelbook.speech import Line

WIDTH = 80
"""How wide a picture may be where there is no window to measure."""
MARGIN = 6
"""Columns beside the picture, for Player 2's numbers."""
HEADING = 9
"""Lines above and below it, and the next prompt."""
MOST_ROWS = 24
"""A taller map is drawn in half blocks where colours show, two rows a line."""
WON = (153, 75, 32, 25)
"""Blues, of the 256 colours, for Player 1: from a slight advantage to a sure and quick win."""
LOST = (223, 215, 208, 166)
"""Oranges for Player 2. Nearly everybody can tell blue and orange apart."""
EVEN = 252


def show(grid: Grid, console: Console, plies: bool) -> None:
    console.say(Line(caption(grid), "title"), finding(grid), "")
    tall = max(map(len, grid.numbers)) > MOST_ROWS
    picture = _blocks(grid) if tall and console.coloured and _has_blocks(console) else _letters(grid, console, plies)
    for line in picture:
        console.sink.write(line.rstrip() + "\n")  # not said: the console folds lines by length, colours included
    console.sink.flush()


def _has_blocks(console: Console) -> bool:
    try:
        "▀".encode(getattr(console.sink, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        return False
    return True


# Letters and numbers


def _letters(grid: Grid, console: Console, plies: bool) -> list[str]:
    """One cell for each pair, or for every so many where the map is too wide."""
    width = 4 if plies else 3 if grid.kind == "luck" or max(map(len, grid.numbers)) <= MOST_ROWS else 2
    room = get_terminal_size().columns if console.fancy else WIDTH
    step = -(-len(grid.numbers[0]) * width // max(10, room - MARGIN))
    ones, twos = (_sampled(numbers, step) for numbers in grid.numbers)
    signs = {
        (one, two): _sign(grid, grid.cells[one, two], plies) for one in ones for two in twos if (one, two) in grid.cells
    }
    lines = [f"{grid.game.seats[1]}'s {grid.unit}"]
    for two in reversed(twos):
        row = []
        for one in ones:
            text = f"{signs.get((one, two), ''):^{width}}"
            cell = grid.cells.get((one, two))
            row.append(_painted(text, _colour(grid, cell)) if console.coloured and cell else text)
        lines.append(f"{two:4}  {''.join(row)}")
    gaps = len(signs) < len(ones) * len(twos)
    return [*lines, *_bottom(grid, ones, width), *_key(grid, signs, console.coloured, gaps), *_sampling(step)]


def _sampled(numbers: Sequence[int], step: int) -> list[int]:
    """Every so many, the highest included: there most duels begin."""
    return list(numbers[::-1][::step][::-1])


def _sampling(step: int) -> list[str]:
    return [f"One number in {step} is shown; --png and --svg draw them all."] if step > 1 else []


def _sign(grid: Grid, cell: Cell, plies: bool) -> str:
    mine = grid.mine(cell)
    if grid.kind == "luck":
        percent = f"{(mine + 1) / 2:.0%}".rstrip("%")
        return {"100": "W", "0": "L"}.get(percent, percent)
    if abs(mine) < SURE:
        return "." if mine == 0 else "w" if mine > 0 else "l"
    letter = "W" if mine > 0 else "L"
    return f"{letter}{cell.plies}" if plies else letter


def _bottom(grid: Grid, ones: Sequence[int], width: int) -> list[str]:
    """Player 1's numbers, as many as there is room for."""
    longest = max(len(str(one)) for one in ones)
    every = next(every for every in (1, 2, 5, 10, 20, 50, 100) if every * width > longest)
    letters = [" "] * (len(ones) * width + longest)
    for at, one in enumerate(ones):
        if (len(ones) - 1 - at) % every == 0:
            begin = at * width + max(0, width - len(str(one))) // 2
            letters[begin : begin + len(str(one))] = str(one)
    return [" " * MARGIN + "".join(letters), " " * MARGIN + f"{grid.game.seats[0]}'s {grid.unit}"]


def _key(grid: Grid, signs: dict[tuple[int, int], str], coloured: bool, gaps: bool) -> list[str]:
    """What the signs mean that are in the picture, each kind by one example."""
    examples: dict[str, tuple[str, Cell]] = {}
    for pair, sign in sorted(signs.items(), key=lambda item: (item[0] == grid.start, item[0])):
        examples["%" if sign.isdigit() else sign[0]] = sign, grid.cells[pair]  # the start's, if it is there
    items = []
    for kind in "%WLwl.":
        if kind in examples:
            sign, cell = examples[kind]
            shown = _painted(f" {sign} ", _colour(grid, cell)) if coloured else f"{sign} "
            items.append((shown, f"{' ' if coloured else ''}{_meaning(grid, kind, sign)}"))
    if gaps:
        items.append(("blank ", "no such position"))
    if coloured and grid.kind == "backwards":
        items.append(("", "darker is sooner"))
    return _lines(items)


def _meaning(grid: Grid, kind: str, sign: str) -> str:
    name = grid.game.seats[grid.viewer]
    plies = sign[1:]
    soon = f" in {plies} {'move' if plies == '1' else 'moves'}" if plies else ""
    if grid.kind == "luck":
        rounded = {"W": "wins more than 99.5% of the games", "L": "wins less than 0.5%"}
        return f"{who(grid)} wins {sign}%" if kind == "%" else f"{name} {rounded[kind]}"
    meanings = {"W": f"{who(grid)} wins{soon}", "L": f"{name} loses{soon}", ".": evenly(grid)}
    return meanings.get(kind) or f"{name} is {'ahead' if kind == 'w' else 'behind'}"


def _lines(items: list[tuple[str, str]]) -> list[str]:
    """The items side by side, on as few lines as it takes."""
    lines, used = [""], 0
    for sign, meaning in items:
        length = len(click.unstyle(sign)) + len(meaning)
        if used and used + 3 + length >= WIDTH:
            lines.append("")
            used = 0
        gap = "   " if used else ""
        lines[-1] += gap + sign + meaning
        used += len(gap) + length
    return lines


# Colours


def _colour(grid: Grid, cell: Cell) -> int:
    tint = grid.tint(cell)
    if tint == 0:
        return EVEN
    return (WON if tint > 0 else LOST)[min(3, int(abs(tint) * 4))]


def _painted(text: str, colour: int) -> str:
    return click.style(text, fg=231 if colour in WON[2:] + LOST[3:] else 16, bg=colour)


def _patches(grid: Grid) -> str:
    """Whose the colours are."""
    one, two = grid.game.seats
    tints = [grid.tint(cell) for cell in grid.cells.values()]
    patches = []
    if max(tints) > 0:
        patches.append(f"{_painted('  ', WON[3])} {one} wins")
    if min(tints) < 0:
        patches.append(f"{_painted('  ', LOST[3])} {two} wins")
    if 0 in tints:
        patches.append(f"{_painted('  ', EVEN)} {evenly(grid)}")
    return "   ".join(patches)


def _blocks(grid: Grid) -> list[str]:
    """Half blocks: two rows a line, one column a pair, as many as fit into the window."""
    columns, rows = get_terminal_size()
    across, up = (len(numbers) for numbers in grid.numbers)
    step = max(1, -(-across // max(10, columns - MARGIN - 2)), -(-up // (2 * max(5, rows - HEADING))))
    ones, twos = (_sampled(numbers, step) for numbers in grid.numbers)
    twos.reverse()
    lines = [f"{grid.game.seats[1]}'s {grid.unit}"]
    for at in range(0, len(twos), 2):
        row = [_half(grid, (one, twos[at]), (one, twos[at + 1]) if at + 1 < len(twos) else None) for one in ones]
        lines.append(f"{twos[at]:4}  {''.join(row)}")
    return [*lines, *_bottom(grid, ones, 1), _patches(grid), *_sampling(step)]


def _half(grid: Grid, upper: tuple[int, int], lower: tuple[int, int] | None) -> str:
    top, bottom = grid.cells.get(upper), grid.cells.get(lower) if lower else None
    if top is None:
        return click.style("▄", fg=_colour(grid, bottom)) if bottom else " "
    return click.style("▀", fg=_colour(grid, top), bg=_colour(grid, bottom) if bottom else None)

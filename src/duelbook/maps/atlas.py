"""Maps of a solved duel: what it is worth at every pair of its two main numbers, while the rest of a position stays.

The two main numbers are the first pair in a duel's state: heights, HP, LP or energies. Everything else (whose turn it
is, statuses, the deck, last picks) is taken from one position, and the two numbers run through all that the notation
allows while the duel goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from duelbook.core import OVER, DuelError, Game, SomeState
from duelbook.positions.size import named
from duelbook.solving.library import solution_for
from duelbook.solving.solution import NotInTable
from duelbook.speech import either

NAMES = {"hp": "HP", "lp": "LP", "towers": "height"}
"""What people call the numbers; otherwise the field's own name will do."""

SURE = 1 - 1e-9
"""What counts as won, and what as even, where values are only as exact as numbers in a machine can be."""
FARTHEST = 300
"""A map goes no further from the start than this, whatever a notation allows."""


class Cell(NamedTuple):
    """One position: what it is worth to Player 1 and, where somebody can force the end, how many plies away it is."""

    state: SomeState
    value: float
    plies: int | None


class Grid(NamedTuple):
    game: Game
    rules: object
    kind: str
    """As the solution has it: backwards, luck or picks."""
    template: SomeState
    """A position whose two main numbers were swept and whose rest was kept."""
    field: str
    numbers: tuple[tuple[int, ...], tuple[int, ...]]
    """The numbers of Player 1 and of Player 2, rising."""
    cells: dict[tuple[int, int], Cell]
    """By the two numbers. A pair is missing where no such position can come up, or where the duel is over."""
    longest: int
    """The most plies that any of the cells needs."""

    def __repr__(self) -> str:
        return f"Grid({self.game.id!r}, like={self.like!r}, cells={len(self.cells)})"

    @property
    def like(self) -> str:
        """The template as people write it."""
        return self.game.write_position(self.rules, self.template)

    @property
    def unit(self) -> str:
        return NAMES.get(self.field, self.field)

    @property
    def units(self) -> str:
        """Many of them; HP and LP are many already, and so are hearts."""
        if self.unit.isupper() or self.unit.endswith("s"):
            return self.unit
        return f"{self.unit[:-1]}ies" if self.unit.endswith("y") else f"{self.unit}s"

    @property
    def viewer(self) -> int:
        """Whose view it is: the player to move, or Player 1 where both pick at once."""
        return self.mover or 0

    @property
    def mover(self) -> int | None:
        """The player to move; None where both pick at once."""
        return getattr(self.template, "mover", None)

    @property
    def start(self) -> tuple[int, int] | None:
        """The pair at which the duel begins, if this map holds it."""
        for first in (0, 1):
            start = self.game.start(self.rules, first)
            pair: tuple[int, int] = getattr(start, self.field)
            if pair in self.cells and self.cells[pair].state == start:
                return pair
        return None

    def mine(self, cell: Cell) -> float:
        """What a cell is worth to the viewer."""
        return cell.value if self.viewer == 0 else -cell.value

    def tint(self, cell: Cell) -> float:
        """How strongly a picture shows whose the cell is, from -1 (Player 2's) to 1: in a decided duel, how soon."""
        if cell.plies is None:
            return cell.value
        return cell.value * (1 - 0.75 * (cell.plies - 1) / self.longest)


def main_pair(game: Game, rules: object) -> str:
    """The field with the two numbers that a map of this duel sweeps."""
    start = game.start(rules, 0)
    for name, value in zip(start._fields, start, strict=True):
        if isinstance(value, tuple) and len(value) == 2:
            return str(name)
    raise DuelError(f"{game.name} has no number for each player, so there is no map to draw.")


def survey(game: Game, rules: object, template: SomeState) -> Grid:
    """The map of all positions that differ from `template` only in the two main numbers."""
    field = main_pair(game, rules)
    ranges = [list(_numbers(game, rules, template, field, seat)) for seat in (0, 1)]
    states = {}
    for pair in ((one, two) for one in ranges[0] for two in ranges[1]):
        state = template._replace(**{field: pair})
        if _can_be_written(game, rules, state) and game.turn(rules, state) != OVER:
            states[pair] = state
    if not states:
        where = game.write_position(rules, template)
        raise DuelError(f"The game is over at every position like {where}, so there is no map to draw.")
    solution = solution_for(game, rules)
    cells, beyond = {}, {}
    for pair, state in states.items():
        try:
            cells[pair] = Cell(state, solution.value(state), solution.plies(state))
        except NotInTable:
            beyond[pair] = state
    if beyond and solution.kind == "backwards":
        cells |= _solved_beyond(game, rules, beyond)
    numbers = (tuple(sorted({one for one, _ in states})), tuple(sorted({two for _, two in states})))
    if not cells:
        where = game.write_position(rules, template)
        raise DuelError(f"No position like {where} can come up in play, so there is no map to draw.")
    longest = max(cell.plies or 0 for cell in cells.values())
    return Grid(game, rules, solution.kind, template, field, numbers, cells, longest)


def _numbers(game: Game, rules: object, template: SomeState, field: str, seat: int) -> Iterable[int]:
    """Every number that the notation lets a player have, the other one's being as at the start."""
    pair = list(getattr(game.start(rules, 0), field))
    middle = pair[seat]
    for numbers in (range(middle, middle + FARTHEST), range(middle - 1, middle - FARTHEST, -1)):
        for number in numbers:
            pair[seat] = number
            if not _can_be_written(game, rules, template._replace(**{field: tuple(pair)})):
                break
            yield number


def _can_be_written(game: Game, rules: object, state: object) -> bool:
    """Whether there is such a position: its text reads back as the same."""
    try:
        return bool(game.read_position(rules, game.write_position(rules, state)) == state)
    except DuelError:
        return False


def _solved_beyond(game: Game, rules: object, states: dict[tuple[int, int], SomeState]) -> dict[tuple[int, int], Cell]:
    """Positions of an alternating duel that play from the start does not reach. A map needs no plans: none are made."""
    from duelbook.positions.graph import explore
    from duelbook.solving.retrograde import solve_backwards

    graph = explore(game, rules, states.values())
    solved = solve_backwards(graph)
    cells = {}
    for pair, state in states.items():
        node, turned = divmod(graph.nodes[state], 2)
        value, plies = solved.values[node], solved.plies[node]
        cells[pair] = Cell(state, float(-value if turned else value), plies if plies >= 0 else None)
    return cells


# What a map shows, in sentences that are computed, so that they are true of changed rules too.


def caption(grid: Grid) -> str:
    """What the map is of."""
    return f"{named(grid.game, grid.rules)}: positions like {grid.like}, at every pair of {grid.units}"


def evenly(grid: Grid) -> str:
    """What a cell means that is nobody's."""
    return "nobody can force a win" if grid.kind == "backwards" else "even"


def who(grid: Grid) -> str:
    """`Player 1, to move,` or, where both pick, `Player A`."""
    name = grid.game.seats[grid.viewer]
    return f"{name}, to move," if grid.mover is not None else name


def finding(grid: Grid) -> str:
    """What there is to see."""
    return {"backwards": _who_wins, "luck": _who_is_ahead, "picks": _what_wins}[grid.kind](grid)


def _who_wins(grid: Grid) -> str:
    cells = grid.cells.values()
    won = [cell for cell in cells if grid.mine(cell) > 0]
    lost = [cell for cell in cells if grid.mine(cell) < 0]
    even = len(cells) - len(won) - len(lost)
    if even == len(cells):
        return "Nobody can force a win anywhere here."
    if len(cells) in (len(won), len(lost)):
        return f"{who(grid)} always {'wins' if won else 'loses'} here."
    if even and not lost and all(cell.plies == 1 for cell in won):
        return "Only a move that ends it at once wins; everywhere else nobody can force a win."
    level = _when_level(grid)
    if not level:
        return f"{who(grid)} wins {len(won)} of {len(cells)} positions and loses {len(lost)}."
    return f"{level[0].upper()}{level[1:]}." if even else f"Every position is decided, and {level}."


def _when_level(grid: Grid) -> str:
    """How the viewer stands when both have the same number."""
    level = {one: grid.mine(cell) for (one, two), cell in sorted(grid.cells.items()) if one == two}
    won = [number for number, mine in level.items() if mine > 0]
    lost = [number for number, mine in level.items() if mine < 0]
    even = [number for number, mine in level.items() if mine == 0]
    start = f"at level {grid.unit} the player to move"
    if not level or not (won or lost):
        return f"at level {grid.unit} nobody can force a win" if level else ""
    if not (won and lost) and not even:
        return f"{start} always {'wins' if won else 'loses'}"
    parts = [f"{verb} at {_runs(numbers)}" for verb, numbers in (("wins", won), ("loses", lost)) if numbers]
    rest = f"; at {_runs(even)} nobody can force a win" if even else ""
    return f"{start} {' and '.join(parts)}{rest}"


def _runs(numbers: list[int]) -> str:
    """`1, 2-4 and 7`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return either([str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs], "and")


def _least_lead(grid: Grid, seat: int, enough: Callable[[float], bool]) -> int | None:
    """The smallest lead of a player from which on every position is good enough for them; None where none is."""
    sign = 1 if seat == 0 else -1
    worst: dict[int, float] = {}
    for (one, two), cell in grid.cells.items():
        lead = sign * (one - two)  # in heights as in HP, more is ahead
        worst[lead] = min(worst.get(lead, 1.0), sign * cell.value)
    least = None
    for lead in sorted(worst, reverse=True):
        if not enough(worst[lead]):
            break
        least = lead
    return least


def _who_is_ahead(grid: Grid) -> str:
    chances = {pair: (grid.mine(cell) + 1) / 2 for pair, cell in grid.cells.items()}
    subject = f"{who(grid)} wins {chances[grid.start]:.0%} from the start and" if grid.start else who(grid)
    lead = _least_lead(grid, grid.viewer, lambda value: value >= 0)
    if lead is None:
        return f"{who(grid)} wins between {min(chances.values()):.0%} and {max(chances.values()):.0%}."
    favourite = "always the favourite only" if lead > 0 else "the favourite"
    return f"{subject} is {favourite} {_when(lead, grid.unit)}."


def _what_wins(grid: Grid) -> str:
    one, two = (_least_lead(grid, seat, lambda value: value >= SURE) for seat in (0, 1))
    if one is None or two is None:
        values = [cell.value for cell in grid.cells.values()]
        return f"To {grid.game.seats[0]} these positions are worth from {min(values):+.2f} to {max(values):+.2f}."
    if one == two:
        return f"Whoever is {_by(one, grid.unit)} ahead has won, however much both have left."
    first, second = (
        f"{name} wins {_when(lead, grid.unit)}" for name, lead in zip(grid.game.seats, (one, two), strict=True)
    )
    return f"{first}, {second}."


def _when(lead: int, unit: str) -> str:
    if lead == 0:
        return "when level or ahead"
    return f"when {_by(lead, unit)} ahead" if lead > 0 else f"even when {_by(-lead, unit)} behind"


def _by(lead: int, unit: str) -> str:
    """A lead in words; one of what is plural, as points, is told without it."""
    return "one" if lead == 1 and unit.endswith("s") else f"{lead} {unit}"

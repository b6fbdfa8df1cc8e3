"""What a person sees while a tournament runs: a bar and the state of the table, or now and then a line in a log."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic

from duelbook.arena.play.results import Entrant, Result
from duelbook.arena.report.table_text import number
from duelbook.patience import drawing
from duelbook.speech import plain

EVERY = 30.0
"""Seconds between two lines in a log."""
SHOWN = 12
"""So many players at most are shown while the games go on."""


class Running:
    """The points so far, kept up to date game by game."""

    def __init__(self, entrants: Sequence[Entrant]) -> None:
        self.entrants = entrants
        self.points = [0.0] * len(entrants)
        self.games = [0] * len(entrants)
        self.faults = [0] * len(entrants)
        self.note: Callable[[], str] = str
        """What else is to be said, as of a test that may stop the games."""

    def add(self, results: Sequence[Result]) -> None:
        for result in results:
            for seat, entrant in enumerate(result.task.seats):
                self.points[entrant] += result.score(seat)
                self.games[entrant] += 1
            if result.fault is not None:
                self.faults[result.task.seats[result.fault.seat]] += 1

    def lines(self) -> Iterator[str]:
        playing = [at for at in range(len(self.entrants)) if self.games[at]]
        order = sorted(playing, key=lambda at: (-self.points[at] / self.games[at], at))
        names = [plain(self.entrants[at].name) for at in order[:SHOWN]]
        longest = max(map(len, names), default=0)
        for at, name in zip(order, names, strict=False):
            share = 100 * self.points[at] / self.games[at]
            faults = f", {self.faults[at]} lost by a fault" if self.faults[at] else ""
            yield f"  {name:<{longest}}  {share:5.1f} %  {number(self.points[at])} of {self.games[at]}{faults}"
        if len(order) > SHOWN:
            yield f"  and {len(order) - SHOWN} more"
        if self.note():
            yield f"  {plain(self.note())}"


class Logged(Running):
    """Says now and then how far the games are, where no bar can be drawn."""

    def __init__(self, entrants: Sequence[Entrant], of: int) -> None:
        super().__init__(entrants)
        self.of, self.said = of, monotonic()

    def add(self, results: Sequence[Result]) -> None:
        super().add(results)
        if monotonic() - self.said >= EVERY:
            self.said = monotonic()
            print(f"{sum(self.games) // 2:,} of {self.of:,} games are played.", file=sys.stderr, flush=True)


@contextmanager
def progress(entrants: Sequence[Entrant], of: int) -> Iterator[Running]:
    """A bar on standard error while the games are played, if one can be drawn there."""
    watched = drawing()
    running = Running(entrants) if watched else Logged(entrants, of)
    if not watched:
        yield running
        return
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.text import Text

    columns = (TextColumn("Playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    bar = Progress(*columns, console=console)
    task = bar.add_task("", total=of)

    def picture() -> Group:
        bar.update(task, completed=sum(running.games) // 2)
        return Group(bar, Text("\n".join(running.lines())))

    with Live(get_renderable=picture, console=console, transient=True, refresh_per_second=4):
        yield running

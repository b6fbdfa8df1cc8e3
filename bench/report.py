"""What the benchmarks share: contenders measured in turn, tables, and aims held against what was measured."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple


class Aim(NamedTuple):
    """A ratio that Duelbook means to keep, and what this run measured."""

    what: str
    ratio: float
    least: float | None = None
    most: float | None = None

    @property
    def met(self) -> bool:
        return (self.least is None or self.ratio >= self.least) and (self.most is None or self.ratio <= self.most)

    def __str__(self) -> str:
        bound = f"at least {self.least:g}x" if self.least is not None else f"at most {self.most:g}x"
        return f"{'met' if self.met else 'MISSED':6}  {self.what}: {self.ratio:.2f}x, aim {bound}"


def alternate(contenders: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Seconds of every contender in every round.

    All take part in each round and every other round runs backwards, so whatever else the machine does meanwhile falls
    on all of them alike.
    """
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for count in range(rounds):
        names = list(contenders)
        for name in names if count % 2 == 0 else reversed(names):
            seconds[name].append(contenders[name]())
    return seconds


def table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns under their headings: the first to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(heading, *rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in (heading, *rows)
    )


def publish(title: str, as_json: bool, facts: Mapping[str, Any], tables: Sequence[str], aims: Sequence[Aim]) -> None:
    """Print what was found, for a person or for a program."""
    machine = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    if as_json:
        found = [aim._asdict() | {"met": aim.met} for aim in aims]
        json.dump({"benchmark": title, "machine": machine, **facts, "aims": found}, sys.stdout, indent=2)
        print()
        return
    print(f"{title} ({machine})", *tables, "\n".join(map(str, aims)), sep="\n\n")

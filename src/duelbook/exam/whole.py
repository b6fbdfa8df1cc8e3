"""The exam over every decision there is, for players who are tables: exact, so there is no interval. Needs NumPy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from duelbook.arena.report.table_text import columns
from duelbook.core import DuelError, Game
from duelbook.exam.editions import check_edition, subjects_of
from duelbook.exam.examinee import Candidate
from duelbook.exam.yardstick import HABIT


class Whole(NamedTuple):
    edition: str
    decisions: int
    """At which something is at stake."""
    duels: tuple[str, ...]
    lost: Mapping[str, Mapping[str, float]]
    """By player and duel, per decision, each decision weighing as much as is at stake."""

    def mean(self, name: str) -> float:
        return sum(self.lost[name].values()) / len(self.duels)


def examine_all(entered: Sequence[Candidate], name: str, duels: Sequence[str | Game] | None = None) -> Whole:
    """What players lose over all decisions of all duels, and what the best single move does."""
    others = [each.name for each in entered if not each.tabular]
    if others:
        raise DuelError(
            f"Only players who are tables are asked everywhere at once; {', '.join(others)} must be asked one by one."
        )
    try:
        from duelbook.exam.everything import decisions_of
    except ImportError:
        raise DuelError("To go through all decisions at once NumPy is needed: pip install numpy") from None
    check_edition(name)
    lost: dict[str, dict[str, float]] = {each: {} for each in (*(one.name for one in entered), HABIT)}
    decisions, names = 0, list[str]()
    for subject in subjects_of(name, duels):
        laid = decisions_of(subject)
        for each in entered:
            lost[each.name][subject.name] = laid.mean(laid.losses(each.kind))
        lost[HABIT][subject.name] = laid.mean(laid.best_habit()[1])
        decisions += len(laid.weights)
        names.append(subject.name)
    return Whole(name, decisions, tuple(names), lost)


def lines(found: Whole, width: int | None = None) -> Iterator[str]:
    yield f"Duelbook exam: {found.edition}, all {found.decisions:,} decisions at which something is at stake, exactly"
    yield ""
    rows = [["player", "lost", *found.duels]]
    for name in sorted(found.lost, key=found.mean):
        cells = (f"{100 * found.lost[name][duel]:.2f}" for duel in found.duels)
        rows.append([name, f"{100 * found.mean(name):.2f}", *cells])
    yield from columns(rows, width)


def as_json(found: Sequence[Whole]) -> dict[str, object]:
    return {
        "everything": [
            {
                "edition": each.edition,
                "decisions": each.decisions,
                "players": [
                    {"name": name, "lost": each.mean(name), "duels": dict(lost)} for name, lost in each.lost.items()
                ],
            }
            for each in found
        ]
    }

"""A tournament in one call, for people who write Python: who plays what goes in, and what it came to comes out."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from reprlib import repr as shown
from types import NoneType
from typing import Any

from duelbook.arena.judge.findings import Findings, findings
from duelbook.arena.judge.sprt import Sprt
from duelbook.arena.judge.tally import CrossTable
from duelbook.arena.play.crews import crew
from duelbook.arena.play.openings import openings_named
from duelbook.arena.play.ready import check_programs, check_solutions
from duelbook.arena.play.results import Duel, Result
from duelbook.arena.play.schedule import ROUND_ROBIN, Entry, Plan, duel, enter, pairings
from duelbook.arena.play.store import Store
from duelbook.arena.play.tournament import Finished, Programme, hold, programme
from duelbook.arena.play.workers import Crew
from duelbook.arena.report.data import as_json
from duelbook.arena.report.pgn import as_pgn
from duelbook.arena.report.text import terminal_lines
from duelbook.core import DuelError, of_kind
from duelbook.disk import PUBLIC, refuse_to_replace, write_atomically
from duelbook.folders import named
from duelbook.games import game_ids
from duelbook.match import BELL, Player
from duelbook.record import Record, reads
from duelbook.speech import plain


class Held:
    """A tournament that was held: its numbers, its games, and its report in three shapes."""

    def __init__(self, found: Findings) -> None:
        self.found = found
        """Everything that was found out, as the report reads it."""

    @property
    def table(self) -> CrossTable:
        """The cross table: who made how many points against whom."""
        return self.found.table

    def points(self) -> dict[str, float]:
        """Everybody's points, the best first."""
        entrants = self.found.plan.entrants
        return {entrants[at].name: self.table.totals[at].points for at in self.table.order()}

    def records(self) -> Iterator[Record]:
        """The games that were played, in the order of the schedule; what was computed has none."""
        for result in self.found.finished.results:
            yield from reads(result.record)

    def report(self, width: int | None = None) -> str:
        """The report as text, in lines that are no longer than this."""
        return "\n".join(terminal_lines(self.found, width))

    def data(self) -> dict[str, Any]:
        """Every number, as `--json` prints it."""
        return as_json(self.found)

    def write_report(self, file: str | Path, *, replace: bool = False) -> None:
        """The report as one HTML page. A file that is there already is not touched, unless it is to be replaced."""
        from duelbook.arena.report.html import page

        write_atomically(_place(file, replace), page(self.found), mode=PUBLIC)

    def write_pgn(self, file: str | Path, *, replace: bool = False) -> None:
        """The results as PGN, for rating programs, under the same rule for files."""
        plan = self.found.plan
        text = as_pgn(plan.entrants, self.found.finished.results, event=plan.event, date=plan.date)
        write_atomically(_place(file, replace), text, mode=PUBLIC)


def tournament(
    players: Iterable[str | Entry | Player],
    duels: Iterable[str] | None = None,
    *,
    rounds: int = 10,
    kind: str = ROUND_ROBIN,
    seed: int | None = None,
    max_turns: int = BELL,
    openings: str | None = None,
    play: bool = False,
    test: tuple[float, float] | None = None,
    file: str | Path | None = None,
    resume: bool = False,
    on: str = "one-process",
    concurrency: int | None = None,
    event: str = "Duelbook arena",
    hear: Callable[[list[Result]], None] = lambda results: None,
    warn: Callable[[str], None] = lambda sentence: None,
) -> Held:
    """Hold a tournament.

    A player is a kind (`level:3`, `engine:./mybot`), an `Entry` with a name and limits, or an object with
    `choose(view)`. Duels are written as `tower` or `tower goal=20`; without any, all are played. Games come in pairs,
    `rounds` of them for each meeting and duel. Between rungs of the ladder the chances are computed, not played, unless
    `play` says so. `test` is (elo0, elo1) of a test that stops when it is clear, `file` the .duel file that every game
    is appended to. `hear` is told of games as they end, `warn` of what could not be computed or does not start well.
    """
    _check_kinds(players, duels, kind, openings, on, event, hear, warn)
    entrants = enter(each if isinstance(each, str | Entry) else Entry(player=each) for each in players)
    pairings(len(entrants), kind)
    wanted = _duels(game_ids() if duels is None else duels)
    begun = openings_named(openings, [str(each) for each in wanted])
    plan = Plan(entrants, wanted, kind, rounds, seed, max_turns, play, event, openings=begun)
    sprt = _test(plan, test) if test is not None else None
    work = programme(plan)
    for sentence in work.refused:
        warn(sentence)
    workers = crew(on, concurrency)
    if work.tasks:
        check_solutions(work, warn)
        if workers.here:
            check_programs(work, warn)
    place = named(file) if file is not None else None
    return carry_out(work, workers, test=sprt, file=place, resume=resume, hear=hear, warn=warn)


def carry_out(
    work: Programme,
    workers: Crew,
    *,
    test: Sprt | None = None,
    file: Path | None = None,
    resume: bool = False,
    left: Callable[[list[Result]], None] = lambda results: None,
    hear: Callable[[list[Result]], None] = lambda results: None,
    warn: Callable[[str], None] = lambda sentence: None,
) -> Held:
    """Play what there is to play. `left` is told once of the games that an earlier part left, `hear` of games as they
    end."""
    if not work.tasks:
        return Held(findings(Finished(work, [])))
    plan = work.plan
    store = Store(file, plan.settings()) if file is not None else None
    try:
        played = store.open(work.tasks, plan.entrants, resume=resume) if store is not None else []
        if store is not None and store.torn:
            warn(f"The last game in {plain(file)} was only half written; it is played again.")
        left(played)
        judge = test.judge if test is not None else None
        finished = hold(work, workers, store=store, played=played, judge=judge, hear=hear)
    finally:
        if store is not None:
            store.close()
    return Held(findings(finished, standing=test.ended() if test is not None else None, file=file))


def _place(file: str | Path, replace: bool) -> Path:
    path = named(file)
    if not replace:
        refuse_to_replace(path)
    return path


def _check_kinds(
    players: object,
    duels: object,
    kind: object,
    openings: object,
    on: object,
    event: object,
    hear: object,
    warn: object,
) -> None:
    """Refuse in a sentence what is not of the kind that it must be; values are looked at where they are used."""
    of_kind(players, Iterable, "The players are a list, as in ['level:3', 'random']")
    of_kind(duels, (Iterable, NoneType), "The duels are a list of texts, as in ['tower']")
    of_kind(kind, str, "The kind of a tournament is a text such as 'gauntlet'")
    of_kind(openings, (str, NoneType), "Openings are named by a text such as 'book'")
    of_kind(on, str, "Where games are played is a text such as 'local'")
    of_kind(event, str, "An event is named by a text")
    of_kind(hear, Callable, "What hears of games is a function")  # type: ignore[arg-type]  # it can be asked so
    of_kind(warn, Callable, "What hears warnings is a function")  # type: ignore[arg-type]  # it can be asked so


def _duels(texts: Iterable[str]) -> tuple[Duel, ...]:
    if isinstance(texts, str):
        raise DuelError(f"The duels are a list of texts, as in [{texts!r}].")
    split = []
    for text in texts:
        if not isinstance(text, str):
            raise DuelError(f"A duel is a text such as 'tower goal=20'; {shown(text)} is not.")
        split.append(shlex.split(text) or [""])
    return tuple(dict.fromkeys(duel(id, changes) for id, *changes in split))


def _test(plan: Plan, bounds: tuple[float, float]) -> Sprt:
    if len(plan.entrants) != 2:
        raise DuelError("A test compares two players; there are others here.")
    if (
        not isinstance(bounds, tuple | list)
        or len(bounds) != 2
        or not all(isinstance(bound, int | float) for bound in bounds)
    ):
        raise DuelError(f"A test takes two numbers, as in (0, 10); {shown(bounds)} is not that.")
    return Sprt(*bounds, names=(plan.entrants[0].name, plan.entrants[1].name))

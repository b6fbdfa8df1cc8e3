"""`duelbook arena`: a tournament between programs."""

from __future__ import annotations

import errno
import os
import shlex
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from duelbook import folders
from duelbook.arena.judge.findings import Findings, findings
from duelbook.arena.judge.sprt import Sprt, Standing
from duelbook.arena.play.crews import UnknownPlace, crew
from duelbook.arena.play.schedule import ROUND_ROBIN, TOURNAMENTS, Entry, Plan, enter, pairings
from duelbook.arena.play.store import Store, games_kept
from duelbook.arena.play.tournament import Finished, Programme, hold, programme
from duelbook.arena.play.workers import LOCAL, Crew
from duelbook.arena.report.data import as_json as as_json_report
from duelbook.arena.report.pgn import as_pgn
from duelbook.arena.report.text import terminal_lines, write_html
from duelbook.cli.arena_progress import progress
from duelbook.cli.arena_ready import check_files, check_players
from duelbook.cli.arena_words import (
    Bounds,
    TournamentCommand,
    pairs,
    read_duels,
    read_engine,
    read_limits,
    read_openings,
    read_sprt,
)
from duelbook.cli.options import Seed, as_json, echo_json, say, waiting_plainly
from duelbook.cli.programs import AROUND, around_programs, keep_info, surroundings
from duelbook.cli.values import Whole
from duelbook.core import DuelError
from duelbook.disk import PUBLIC, SaveError, write_atomically
from duelbook.engine.limits import AUTO
from duelbook.match import BELL
from duelbook.players import ENGINE
from duelbook.speech import amount, plain
from duelbook.table.keeper import command_name

LONGEST = 1_000_000


@click.command(cls=TournamentCommand, short_help="a tournament between programs")
@click.argument("players", nargs=-1, metavar="PLAYER...")
@click.option("--engine", multiple=True, metavar="cmd=... [name=...]", help="A program; can be given several times.")
@click.option(
    "--each", metavar="st=... | tc=...", help="What holds for every program: st, tc, memory, cpu, option.NAME."
)
@click.option("--st", metavar="SECONDS", help="The time for each move of a program.  [default: 1]")
@click.option("--tc", metavar="SECONDS[+ADDED]", help="A clock for each program and game, instead.")
@click.option(
    "--duels",
    "--games",
    "duels",
    multiple=True,
    metavar="LIST",
    help="The duels, with commas between them, or all.  [default: all]",
)
@click.option("--rule", multiple=True, metavar="NAME=VALUE", help="Change a rule wherever it is known.")
@click.option("--variant", multiple=True, metavar="'DUEL NAME=VALUE ...'", help="Play this, too.")
@click.option(
    "--tournament",
    type=click.Choice(list(TOURNAMENTS)),
    default=ROUND_ROBIN,
    show_default=True,
    help="Everybody meets everybody, the first meets all others, or two meet.",
)
@click.option(
    "--rounds",
    type=Whole(1, LONGEST),
    metavar="N",
    default=10,
    show_default=True,
    help="Pairs of games per meeting and duel.",
)
@click.option(
    "--seed",
    "--srand",
    type=Seed(),
    metavar="N",
    help="The seed of all luck; @FILE or @- reads it from there.  [default: drawn by chance]",
)
@click.option(
    "--openings", metavar="book|random:N|FILE", help="Begin in other positions, each of them from both sides."
)
@click.option(
    "--max-turns",
    "--maxmoves",
    type=Whole(1, 999_999),
    metavar="N",
    default=BELL,
    show_default=True,
    help="When the bell rings: no result.",
)
@click.option(
    "--concurrency", type=Whole(1, 4096), metavar="N", help="Games at once.  [default: one for each processor]"
)
@click.option(
    "--on", default=LOCAL, show_default=True, metavar="WHERE", help="local, one-process, dask://HOST:PORT or ray."
)
@click.option("--play", is_flag=True, help="Play what could be computed exactly, too.")
@click.option("--sprt", metavar="elo0=... elo1=...", help="Stop when the test is clear; two players only.")
@click.option("--out", metavar="FILE", help="The .duel file that every game is appended to.")
@click.option("--pgnout", metavar="FILE", help="Write the results as PGN too, for rating programs such as Ordo.")
@click.option("--resume", is_flag=True, help="Go on with a tournament that was interrupted.")
@click.option(
    "--event", metavar="NAME", default="Duelbook arena", help="The name of the tournament, for its games' tags."
)
@click.option("--report", metavar="FILE", help="Write a report as one HTML file.")
@around_programs
@keep_info
@waiting_plainly
@as_json
def command(**said: Any) -> int:
    """Let programs play against each other and say how they did.

    A PLAYER is random, level:1 to level:6, perfect, or engine:COMMAND for a program of yours. Games come in pairs with
    the seats swapped and the same luck. Between random, the levels and perfect nothing is played: their chances are
    known exactly. Programs that --engine names come before the others; the first of all is the one of a gauntlet.
    """
    plan = _plan(said)
    test = _test(plan, read_sprt(said["sprt"])) if said["sprt"] else None
    check_files(said)
    workers = _crew(said["on"], said["concurrency"])
    work = programme(_surrounded(plan, workers, said))
    check_players(work, programs=workers.here)
    for sentence in work.refused:
        say(sentence, err=True)
    _tell(*_hold(work, workers, said, test), said)
    return 0


def _surrounded(plan: Plan, workers: Crew, said: dict[str, Any]) -> Plan:
    """The plan with what is around its programs."""
    programs = any(entrant.kind.startswith(ENGINE) for entrant in plan.entrants)
    if said["log"] and not workers.here:
        raise click.UsageError("--log writes down what is said on this machine; the games are played on others.")
    if programs and not workers.here and said["sandbox"] == AUTO:
        say("Sandbox: on every machine of the cluster the best that it has.", err=True)
    around = surroundings(**{name: said[name] for name in AROUND}, programs=programs and workers.here)
    seated = (entrant._replace(limits=entrant.limits._replace(around=around)) for entrant in plan.entrants)
    return plan._replace(entrants=tuple(seated))


def _test(plan: Plan, bounds: Bounds) -> Sprt:
    if len(plan.entrants) != 2:
        raise click.UsageError("--sprt compares two players; there are others here.")
    try:
        return Sprt(*bounds, names=(plan.entrants[0].name, plan.entrants[1].name))
    except DuelError as error:
        raise click.UsageError(str(error)) from None


def _crew(on: str, concurrency: int | None) -> Crew:
    try:
        return crew(on, concurrency)
    except UnknownPlace as error:
        raise click.UsageError(str(error)) from None


def _plan(said: dict[str, Any]) -> Plan:
    each = pairs(said["each"] or "", "--each", ("st", "tc", "memory", "cpu", "option."))
    each |= {key: said[key] for key in ("st", "tc") if said[key]}
    limits = read_limits(each)
    engines = [read_engine(words, each) for words in said["engine"]]
    try:
        entrants = enter([*engines, *(Entry(kind, limits=limits) for kind in said["players"])])
        if len(entrants) < 2:
            raise DuelError("A tournament needs at least two players, as in: duelbook arena random perfect")
        pairings(len(entrants), said["tournament"])
    except DuelError as error:
        raise click.UsageError(str(error)) from None
    duels = read_duels(said["duels"], said["rule"], said["variant"])
    return Plan(
        entrants,
        duels,
        said["tournament"],
        said["rounds"],
        said["seed"],
        said["max_turns"],
        said["play"],
        _event(said["event"]),
        datetime.now().strftime("%Y.%m.%d"),
        read_openings(said["openings"], duels),
    )


def _event(name: str) -> str:
    if not name.isprintable():
        raise click.UsageError("The name of a tournament has visible characters only.")
    return name


# Playing


def _hold(
    work: Programme, workers: Crew, said: dict[str, Any], test: Sprt | None
) -> tuple[Finished, Standing | None, Path | None]:
    """Play what there is to play. With it come back how the test stands, if there was one, and where the games are."""
    plan = work.plan
    if not work.tasks:
        if said["out"] or test:
            say("Everything is known exactly, so nothing is played; --play plays it all the same.", err=True)
        return Finished(work, []), None, None
    path = _file(plan, said)
    store = Store(path, plan.settings()) if path is not None else None
    try:
        played = store.open(work.tasks, plan.entrants, resume=said["resume"]) if store is not None else []
        if store is not None and store.torn:
            say(f"The last game in {plain(path)} was only half written; it is played again.", err=True)
        with stopped_by_signals(), progress(plan.entrants, played, len(work.tasks)) as running:
            running.note = lambda: test.standing.sentence if test else ""
            judge = test.judge if test else None
            finished = hold(work, workers, store=store, played=played, judge=judge, hear=running.add)
    except KeyboardInterrupt:
        if path is not None:
            _say_how_to_go_on(path, said, len(work.tasks))
        raise
    finally:
        if store is not None:
            store.close()
    return finished, test.ended() if test else None, path


@contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Have the signals that end a program do what Ctrl-C does: a closed terminal sends one, unless nohup is there."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    usual = {number: signal.getsignal(number) for number in numbers}
    for number, handler in usual.items():
        if handler == signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)


def _file(plan: Plan, said: dict[str, Any]) -> Path | None:
    """Where the games go: what was named, or a place in the state folder that belongs to this tournament.

    None, and a sentence, where there is no such folder: then the games are played and not kept.
    """
    if said["out"]:
        return folders.named(said["out"])
    try:
        folder = folders.state() / "arena"
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except (folders.NoFolder, OSError) as error:
        why = f"Games cannot be kept in {folder}: {error.strerror}." if isinstance(error, OSError) else str(error)
        if said["resume"]:
            raise SaveError(f"{why} So there is nothing to go on with; name the file with --out.") from None
        say(f"{why} The games are played and not kept; --out FILE would keep them.", err=True)
        return None
    mark = plan.fingerprint()
    found = sorted(folder.glob(f"{mark}-*.duel"), key=lambda path: path.stat().st_mtime)
    if said["resume"] and found:
        return found[-1]
    when = datetime.now().strftime("%Y%m%d-%H%M%S-%f")
    return folder / f"{mark}-{when}.duel"


def _say_how_to_go_on(path: Path, said: dict[str, Any], of: int) -> None:
    words = [word for word in sys.argv[1:] if word not in ("--resume", "-resume")]
    if not said["out"]:
        words += ["--out", str(path)]
    done = games_kept(path)  # the file knows: a portion may have been written and not yet counted
    where = f"they are in {plain(path)}" if done else "none is lost"
    say(f"\nStopped after {done} of {amount(of, 'game')}; {where}.", err=True)
    say(f"Go on with: {command_name()} {shlex.join([*words, '--resume'])}", err=True)


# Telling


def _tell(finished: Finished, standing: Standing | None, file: Path | None, said: dict[str, Any]) -> None:
    """What it came to: in the files that were asked for, and on the terminal or as JSON, even where a file failed."""
    found = findings(finished, standing=standing, file=file)
    failed = None
    try:
        _write_files(found, said)
    except DuelError as error:
        failed = error
    if said["as_json"]:
        echo_json(as_json_report(found))
    else:
        _say(found, file)
    if failed is not None:
        raise failed


def _write_files(found: Findings, said: dict[str, Any]) -> None:
    plan = found.plan
    if said["pgnout"]:
        text = as_pgn(plan.entrants, found.finished.results, event=plan.event, date=plan.date)
        write_atomically(folders.named(said["pgnout"]), text, mode=PUBLIC)
    if said["report"]:
        write_html(folders.named(said["report"]), found)


def _say(found: Findings, file: Path | None) -> None:
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for line in terminal_lines(found, width):
        say(line)
    if file is not None:
        say(f"\nThe games are in {plain(file)}")

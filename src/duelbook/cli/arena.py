"""`duelbook arena`: a tournament between programs."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import Unpack

import click

from duelbook import folders
from duelbook.arena.held import Held, carry_out
from duelbook.arena.judge.sprt import Sprt
from duelbook.arena.play.crews import UnknownPlace, crew
from duelbook.arena.play.place import usual_place
from duelbook.arena.play.schedule import ROUND_ROBIN, TOURNAMENTS, Entry, Plan, enter, pairings
from duelbook.arena.play.tournament import Programme, programme
from duelbook.arena.play.workers import LOCAL, Crew
from duelbook.cli import arena_words, completing
from duelbook.cli.arena_progress import progress
from duelbook.cli.arena_ready import check_files, check_players
from duelbook.cli.arena_stopping import say_how_to_go_on, stopped_by_signals
from duelbook.cli.arena_words import Bounds, TournamentCommand
from duelbook.cli.models import Asked, about_models, models
from duelbook.cli.options import SEED, as_json, echo_json, say, waiting_plainly, warn
from duelbook.cli.programs import Around, around_programs, keep_info, surroundings
from duelbook.cli.values import whole, wrong_usage
from duelbook.core import DuelError
from duelbook.disk import SaveError
from duelbook.engine.limits import AUTO
from duelbook.match import BELL
from duelbook.players import ENGINE, LLM
from duelbook.speech import plain
from duelbook.window import width_of

LONGEST = 1_000_000


class Said(Around, Asked):
    """What the command is told, by the names of its options."""

    players: tuple[str, ...]
    engine: tuple[str, ...]
    each: str | None
    st: str | None
    tc: str | None
    duels: tuple[str, ...]
    rule: tuple[str, ...]
    variant: tuple[str, ...]
    tournament: str
    rounds: int
    seed: int | None
    openings: str | None
    max_turns: int
    concurrency: int | None
    on: str
    play: bool
    sprt: str | None
    out: str | None
    pgnout: str | None
    resume: bool
    event: str
    report: str | None
    as_json: bool


@click.command(cls=TournamentCommand)
@click.argument("players", nargs=-1, metavar="PLAYER...", shell_complete=completing.players)
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
    help="Everybody meets everybody, the first meets all others, or two meet.",
)
@click.option("--rounds", type=whole(1, LONGEST), default=10, help="Pairs of games per meeting and duel.")
@click.option(
    "--seed",
    "--srand",
    type=SEED,
    help="The seed of all luck; @FILE or @- reads it from there.  [default: drawn by chance]",
)
@click.option(
    "--openings", metavar="book|random:N|FILE", help="Begin in other positions, each of them from both sides."
)
@click.option("--max-turns", "--maxmoves", type=whole(1, 999_999), default=BELL, help="When the bell rings: no result.")
@click.option("--concurrency", type=whole(1, 4096), help="Games at once.  [default: one for each processor]")
@click.option("--on", default=LOCAL, metavar="WHERE", help="local, one-process, dask://HOST:PORT or ray.")
@click.option("--play", is_flag=True, help="Play what could be computed exactly, too.")
@click.option("--sprt", metavar="elo0=... elo1=...", help="Stop when the test is clear; two players only.")
@click.option("--out", metavar="FILE", help="The .duel file that every game is appended to.")
@click.option("--pgnout", metavar="FILE", help="Write the results as PGN too, for rating programs such as Ordo.")
@click.option("--resume", is_flag=True, help="Go on with a tournament that was interrupted.")
@click.option(
    "--event",
    metavar="NAME",
    default="Duelbook arena",
    show_default=False,
    help="The name of the tournament, for its games' tags.",
)
@click.option("--report", metavar="FILE", help="Write a report as one HTML file.")
@around_programs
@keep_info
@about_models
@waiting_plainly
@as_json
def command(**said: Unpack[Said]) -> None:
    """Let programs play against each other and say how they did.

    A PLAYER is random, level:1 to level:6, perfect, a character (hoarder, brawler, cautious or gambler),
    engine:COMMAND for a program of yours, or llm:PROVIDER/MODEL for a language model. Games come in pairs with the
    seats swapped and the same luck. Among our own players nothing is played: their chances are known exactly. Programs
    that --engine names come before the others; the first of all is the one of a gauntlet.
    """
    models(said, said["players"])
    plan = _plan(said)
    test = _test(plan, arena_words.read_sprt(said["sprt"])) if said["sprt"] else None
    files = {"out": said["out"], "report": said["report"], "pgnout": said["pgnout"], "log": said["log"]}
    check_files(files, resume=said["resume"])
    with wrong_usage(UnknownPlace):
        workers = crew(said["on"], said["concurrency"])
    work = programme(_surrounded(plan, workers, said))
    check_players(work, programs=workers.here)
    for sentence in work.refused:
        warn(sentence)
    _tell(_hold(work, workers, said, test), said)


def _surrounded(plan: Plan, workers: Crew, said: Said) -> Plan:
    """The plan with what is around its programs."""
    programs = any(entrant.kind.startswith(ENGINE) for entrant in plan.entrants)
    if said["log"] and not workers.here:
        raise click.UsageError("--log writes down what is said on this machine; the games are played on others.")
    if not workers.here and any(entrant.kind.startswith(LLM) for entrant in plan.entrants):
        raise click.UsageError(
            "Language models are asked from this machine alone, where their keys are: leave --on out."
        )
    if programs and not workers.here and said["sandbox"] == AUTO:
        say("Sandbox: on every machine of the cluster the best that it has.", err=True)
    around = surroundings(said, programs=programs and workers.here)
    seated = (entrant._replace(limits=entrant.limits._replace(around=around)) for entrant in plan.entrants)
    return plan._replace(entrants=tuple(seated))


@wrong_usage()
def _test(plan: Plan, bounds: Bounds) -> Sprt:
    if len(plan.entrants) != 2:
        raise DuelError("--sprt compares two players; there are others here.")
    return Sprt(*bounds, names=(plan.entrants[0].name, plan.entrants[1].name))


def _plan(said: Said) -> Plan:
    each = arena_words.pairs(said["each"] or "", "--each", arena_words.LIMITS)
    each |= {key: value for key, value in (("st", said["st"]), ("tc", said["tc"])) if value}
    limits = arena_words.read_limits(each)
    engines = [arena_words.read_engine(words, each) for words in said["engine"]]
    with wrong_usage():
        entrants = enter([*engines, *(Entry(kind, limits=limits) for kind in said["players"])])
        if len(entrants) < 2:
            raise DuelError("A tournament needs at least two players, as in: duelbook arena random perfect")
        pairings(len(entrants), said["tournament"])
        if not said["event"].isprintable():
            raise DuelError("The name of a tournament has visible characters only.")
    duels = arena_words.read_duels(said["duels"], said["rule"], said["variant"])
    return Plan(
        entrants,
        duels,
        said["tournament"],
        said["rounds"],
        said["seed"],
        said["max_turns"],
        said["play"],
        said["event"],
        datetime.now().strftime("%Y.%m.%d"),
        arena_words.read_openings(said["openings"], duels),
    )


# Playing


def _hold(work: Programme, workers: Crew, said: Said, test: Sprt | None) -> Held:
    """Play what there is to play."""
    if not work.tasks:
        if said["out"] or test:
            say("Everything is known exactly, so nothing is played; --play plays it all the same.", err=True)
        return carry_out(work, workers)
    path = _file(work.plan, said)
    try:
        with stopped_by_signals(), progress(work.plan.entrants, len(work.tasks)) as running:
            running.note = lambda: test.standing.sentence if test else ""
            heard = running.add
            return carry_out(
                work, workers, test=test, file=path, resume=said["resume"], left=heard, hear=heard, warn=warn
            )
    except KeyboardInterrupt:
        if path is not None:
            say_how_to_go_on(path, len(work.tasks), named=bool(said["out"]))
        raise


def _file(plan: Plan, said: Said) -> Path | None:
    """Where the games go. None, and a sentence, where there is no place: then they are played and not kept."""
    if said["out"]:
        return folders.named(said["out"])
    try:
        return usual_place(plan, resume=said["resume"])
    except SaveError as error:
        if said["resume"]:
            raise SaveError(f"{error} So there is nothing to go on with; name the file with --out.") from None
        warn(f"{error} The games are played and not kept; --out FILE would keep them.")
        return None


# Telling


def _tell(held: Held, said: Said) -> None:
    """What it came to: in the files that were asked for, and on the terminal or as JSON, even where a file failed."""
    failed = None
    try:
        if said["pgnout"]:
            held.write_pgn(said["pgnout"], replace=True)  # what may be replaced was asked beforehand
        if said["report"]:
            held.write_report(said["report"], replace=True)
    except DuelError as error:
        failed = error
    if said["as_json"]:
        echo_json(held.data())
    else:
        say(held.report(width_of(sys.stdout)))
        if held.found.file:
            say(f"\nThe games are in {plain(held.found.file)}")
    if failed is not None:
        raise failed

"""`duelbook exam`: a score that needs no opponent."""

from __future__ import annotations

import shlex
import sys
from typing import Unpack

import click

from duelbook.cli import arena_words, completing
from duelbook.cli.arena_stopping import stopped_by_signals
from duelbook.cli.models import Asked, about_models, models
from duelbook.cli.options import as_json, echo_json, say, waiting_plainly, warn
from duelbook.cli.programs import Around, around_programs, surroundings
from duelbook.cli.values import whole, wrong_usage
from duelbook.core import DuelError, Game
from duelbook.disk import refuse_to_replace
from duelbook.exam import compare, cost
from duelbook.exam import whole as whole_exam
from duelbook.exam.editions import BOOK, check_edition, edition
from duelbook.exam.examinee import Candidate, candidate
from duelbook.exam.folder import kept_answers
from duelbook.exam.paper import MOST_QUESTIONS, QUESTIONS
from duelbook.exam.sitting import REPEATS
from duelbook.exam.taken import MOST_AT_ONCE, MOST_REPEATS, Taken, enter, examine
from duelbook.folders import named
from duelbook.games import load
from duelbook.llm.faults import Unasked
from duelbook.patience import patience
from duelbook.players import ENGINE
from duelbook.speech import plain
from duelbook.table.keeper import command_name
from duelbook.window import width_of

COMPARE = "compare"


class Said(Around, Asked):
    """What the command is told, by the names of its options."""

    players: tuple[str, ...]
    edition: tuple[str, ...]
    questions: int
    duels: str | None
    repeats: int
    concurrency: int
    st: str | None
    out: str | None
    resume: bool
    report: str | None
    until_separated: bool
    whole: bool
    cost: bool
    as_json: bool


@click.command
@click.argument("players", nargs=-1, metavar="PLAYER...", shell_complete=completing.players)
@click.option(
    "--edition",
    multiple=True,
    metavar="NAME",
    help="book, fresh:SEED or renamed; several can be given.  [default: book]",
)
@click.option("--questions", type=whole(1, MOST_QUESTIONS), default=QUESTIONS, help="How many each edition asks.")
@click.option("--duels", metavar="LIST", help="The duels, with commas between them.  [default: those that ship]")
@click.option("--repeats", type=whole(1, MOST_REPEATS), default=REPEATS, help="How often secret picks are asked.")
@click.option("--concurrency", type=whole(1, MOST_AT_ONCE), default=1, help="How many questions are asked at once.")
@click.option("--st", metavar="SECONDS", help="The time of a program for each answer.  [default: 1]")
@click.option("--until-separated", is_flag=True, help="Stop as soon as two players are told apart.")
@click.option("--all", "whole", is_flag=True, help="Every decision there is, exactly; for players who are tables.")
@click.option("--cost", is_flag=True, help="Ask nothing; say what it takes to tell two players apart.")
@click.option("--out", metavar="FOLDER", help="Keep every answer and the report in this folder.")
@click.option("--resume", is_flag=True, help="Go on with the answers that the folder holds.")
@click.option("--report", metavar="FILE", help="Write a report as one HTML file.")
@around_programs
@about_models
@waiting_plainly
@as_json
def command(**said: Unpack[Said]) -> None:
    """Put the same positions to every PLAYER and say what each answer loses, exactly: points of win probability per
    decision, 0 for perfect.

    A PLAYER is random, level:1 to level:6, perfect, a character (hoarder, brawler, cautious or gambler),
    engine:COMMAND for a program of yours, or llm:PROVIDER/MODEL for a language model. `duelbook exam compare A B`
    holds two folders against each other, question by question; FOLDER:PLAYER names one of several players.
    """
    if said["players"][:1] == (COMPARE,):
        _compare(said)
        return
    models(said, said["players"])
    entered = _entered(said)
    if said["whole"]:
        _show_all(entered, said)
        return
    if said["cost"]:
        _show_cost(entered, said)
        return
    if said["report"]:
        refuse_to_replace(named(said["report"]))
    taken = _take(entered, said)
    if said["report"]:
        taken.write_report(said["report"])
    if said["as_json"]:
        echo_json(taken.data())
        return
    say(taken.report(width_of(sys.stdout)))
    if taken.folder is not None:
        say(f"\nEvery answer and the report are in {plain(taken.folder)}")


def _compare(said: Said) -> None:
    if len(said["players"]) != 3:
        raise click.UsageError("Two folders are compared, as in: duelbook exam compare mine theirs")
    with patience("Holding the two against each other ..."):
        found = compare.compare(*said["players"][1:])
    if said["as_json"]:
        echo_json(compare.as_json(found))
    else:
        say(*compare.lines(found))


def _show_all(entered: list[Candidate], said: Said) -> None:
    with patience("Going through every decision ..."):
        found = [whole_exam.examine_all(entered, name, _duels(said)) for name in said["edition"] or (BOOK,)]
    if said["as_json"]:
        echo_json(whole_exam.as_json(found))
        return
    for each in found:
        say(*whole_exam.lines(each, width_of(sys.stdout)))


def _show_cost(entered: list[Candidate], said: Said) -> None:
    """Between two players, or between all neighbours of the ladder where something is not known of them."""
    name = (said["edition"] or (BOOK,))[0]
    with patience("Drawing the questions ..."):
        paper = edition(name, said["questions"], _duels(said))
        answers = kept_answers(said["out"], paper) if said["out"] else {}
        given = [answers.get((paper.name, each.name), []) for each in entered]
        found = cost.cost_between(paper.questions, entered[0], entered[1], given) if len(entered) == 2 else None
        alone = given[0] if len(entered) == 1 else []
        costs = [found] if found is not None else cost.ladder_costs(paper.questions, alone)
    if said["as_json"]:
        echo_json(cost.as_json(costs))
        return
    if found is None:
        if not any(given):
            say("Of a player who is no table nothing is known before it answers: --out FOLDER of a short exam tells.")
        say("Between neighbours of the ladder, whose plans are known, it takes, in 95 of 100 exams:", "")
    say(*cost.lines(costs))


@wrong_usage()
def _duels(said: Said) -> list[Game] | None:
    return None if said["duels"] is None else [load(name) for name in said["duels"].split(",")]


@wrong_usage()
def _entered(said: Said) -> list[Candidate]:
    for name in said["edition"]:
        check_edition(name)
    if said["resume"] and not said["out"]:
        raise DuelError("--resume goes on with a folder: say which by --out.")
    limits = arena_words.read_limits({"st": said["st"]} if said["st"] else {})
    entered = enter([candidate(kind, limits=limits) for kind in said["players"]])
    if sum((said["whole"], said["cost"], said["until_separated"])) > 1:
        raise DuelError("--all, --cost and --until-separated each ask for another exam; say one of them.")
    if said["cost"] and len(entered) not in (1, 2):
        raise DuelError("--cost tells what two players take; name one or two.")
    if said["until_separated"] and len(entered) != 2:
        raise DuelError("--until-separated tells two players apart; name exactly two.")
    return entered


def _take(entered: list[Candidate], said: Said) -> Taken:
    programs = any(each.kind.startswith(ENGINE) for each in entered)
    around = surroundings(said, programs=programs)
    seated = [
        each._replace(limits=None if each.limits is None else each.limits._replace(around=around)) for each in entered
    ]
    duels = _duels(said)
    stand = _Asking()
    try:
        with stopped_by_signals(), patience("The exam is being taken.", stand):
            return examine(
                seated,
                said["edition"] or BOOK,
                questions=said["questions"],
                duels=duels,
                repeats=said["repeats"],
                folder=said["out"],
                resume=said["resume"],
                concurrency=said["concurrency"],
                until_separated=said["until_separated"],
                hear=stand.hear,
                warn=warn,
            )
    except (KeyboardInterrupt, Unasked):
        if said["out"]:
            words = [word for word in sys.argv[1:] if word != "--resume"]
            warn(f"\nStopped; what was answered is in {plain(said['out'])}.")
            warn(f"Go on with: {command_name()} {shlex.join([*words, '--resume'])}")
        else:
            warn("\nStopped; nothing of it is kept. With --out FOLDER every answer is, and --resume goes on with it.")
        raise


class _Asking:
    """How far an exam is, for whoever waits."""

    def __init__(self) -> None:
        self.edition, self.done, self.all = "", 0, 0

    def hear(self, edition: str, done: int, of: int) -> None:
        self.edition, self.done, self.all = edition, done, of

    @property
    def part(self) -> float:
        return self.done / self.all if self.all else 0.0

    @property
    def step(self) -> str:
        return f"{self.edition}: {10 * int(10 * self.part)} % answered" if self.all else "Drawing the questions"

    def __str__(self) -> str:
        return f"{self.step}, {self.done:,} of {self.all:,}" if self.all else self.step

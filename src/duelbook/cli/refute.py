"""`duelbook refute`: the proof that a player loses, or that nobody can do better against it."""

from __future__ import annotations

import shlex
import sys
from typing import Unpack

import click

from duelbook.cli import arena_words, completing
from duelbook.cli.arena_stopping import stopped_by_signals
from duelbook.cli.models import Asked, about_models, models
from duelbook.cli.options import SEED, as_json, changed_rules, echo_json, rules_of, say, waiting_plainly, warn
from duelbook.cli.programs import Around, around_programs, surroundings
from duelbook.cli.values import whole, wrong_usage
from duelbook.core import DuelError, Game, SomeRules
from duelbook.disk import check_writable, refuse_to_replace
from duelbook.exam.examinee import Candidate, candidate
from duelbook.exam.refutation import (
    GAMES,
    MOST_GAMES,
    MOST_POSITIONS,
    POSITIONS,
    Refutation,
    check_positions,
    refute,
    write_records,
)
from duelbook.folders import named
from duelbook.games import ROOMS, load
from duelbook.llm.faults import Unasked
from duelbook.llm.kind import is_model
from duelbook.luck import new_seed
from duelbook.patience import patience
from duelbook.players import ENGINE
from duelbook.speech import amount, plain
from duelbook.table.keeper import command_name


class Said(Around, Asked):
    """What the command is told, by the names of its options."""

    player: str
    duels: str | None
    rule: tuple[str, ...]
    seat: int | None
    positions: int | None
    games: int
    seed: int | None
    st: str | None
    out: str | None
    as_json: bool


@click.command
@click.argument("player", metavar="PLAYER", shell_complete=completing.players)
@click.option("--duels", metavar="LIST", help="The duels, with commas between them.  [default: those that ship]")
@changed_rules
@click.option("--seat", type=whole(1, 2), help="The seat of the player.  [default: both, one after the other]")
@click.option(
    "--positions",
    type=whole(1, MOST_POSITIONS),
    help=f"At how many positions it is asked at most, besides those of games.  [default: {POSITIONS}]",
)
@click.option(
    "--games",
    type=whole(1, MOST_GAMES),
    default=GAMES,
    help="How many games count against a player who does not always do the same.",
)
@click.option(
    "--seed", type=SEED, help="The seed of these games; @FILE for one in a file.  [default: another each time]"
)
@click.option("--st", metavar="SECONDS", help="The time of a program for each answer.  [default: 1]")
@click.option("--out", metavar="FILE", help="Write the games that show it to this file, with the reasons as comments.")
@around_programs
@about_models
@waiting_plainly
@as_json
def command(**said: Unpack[Said]) -> None:
    """Say the most that anybody can get against PLAYER in each seat, and show the line of play that gets it.

    PLAYER is one of Duelbook's own, engine:COMMAND for a program of yours, or llm:PROVIDER/MODEL. Who always answers
    the same is asked at every position that can come up against it: then the answer is exact. Against others a response
    is learnt and played, and the bound that comes of it is called one.
    """
    models(said, [said["player"]])
    entered, duels = _entered(said)
    if said["out"]:
        refuse_to_replace(named(said["out"]))
        check_writable(named(said["out"]))
    programs = entered.kind.startswith(ENGINE)
    around = surroundings(said, programs=programs)
    if entered.limits is not None:
        entered = entered._replace(limits=entered.limits._replace(around=around))
    if said["seed"] is None and is_model(entered.kind):
        said["seed"] = new_seed()  # under which whoever is stopped can go on
    found = [_refuted(entered, game, rules, said) for game, rules in duels]
    kept = write_records(said["out"], found) if said["out"] else 0
    if said["as_json"]:
        echo_json([each.data() for each in found])
        return
    for number, each in enumerate(found):
        say(*([""] if number else []), each.report())
    if said["out"]:
        say("", f"{amount(kept, 'game')} written to {plain(said['out'])}" if kept else "There was no game to write.")


@wrong_usage()
def _entered(said: Said) -> tuple[Candidate, list[tuple[Game, SomeRules]]]:
    limits = arena_words.read_limits({"st": said["st"]} if said["st"] else {})
    entered = candidate(said["player"], limits=limits)
    check_positions(entered, said["positions"])
    games = [load(name) for name in (said["duels"].split(",") if said["duels"] else ROOMS)]
    if said["rule"] and len(games) != 1:
        raise DuelError("--rule changes a rule of one duel: say which by --duels.")
    return entered, [(game, rules_of(game, said["rule"])) for game in games]


def _refuted(entered: Candidate, game: Game, rules: SomeRules, said: Said) -> Refutation:
    stand = _Standing()
    try:
        with stopped_by_signals(), patience(f"Looking for what can be had against it in {game.id}.", stand):
            return refute(
                entered,
                game,
                rules=rules,
                seat=None if said["seat"] is None else said["seat"] - 1,
                positions=said["positions"],
                games=said["games"],
                seed=said["seed"],
                hear=stand.hear,
            )
    except (KeyboardInterrupt, Unasked):
        if is_model(entered.kind) and not said["no_cache"]:
            _say_how_to_go_on(said)
        raise


def _say_how_to_go_on(said: Said) -> None:
    """What a model has answered is at hand for whoever asks again under the same seed."""
    words = sys.argv[1:]
    if not any(word.partition("=")[0] == "--seed" for word in words):
        words = [*words, "--seed", str(said["seed"])]
    warn("\nStopped; what it has answered is kept, and is not asked again.")
    warn(f"Go on with: {command_name()} {shlex.join(words)}")


class _Standing:
    """How far it is, for whoever waits."""

    def __init__(self) -> None:
        self.step, self.done, self.all = "Beginning", 0, 0

    def hear(self, step: str, done: int, of: int) -> None:
        self.step, self.done, self.all = step, done, of

    @property
    def part(self) -> float:
        return self.done / self.all if self.all else 0.0

    def __str__(self) -> str:
        return f"{self.step}, {self.done:,} of {self.all:,}" if self.all else self.step

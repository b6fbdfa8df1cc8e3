"""`duelbook check-env`: does somebody's environment for one of the duels keep the laws of its rule book?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from duelbook.cli.options import a_duel, as_json, echo_json, say, waiting_plainly
from duelbook.cli.values import Typed, seconds, wrong_usage
from duelbook.core import DuelError, Game
from duelbook.patience import patience
from duelbook.speech import amount, either, plain, quote

if TYPE_CHECKING:
    from duelbook.foreign import Checked, Finding


def _named(text: str) -> tuple[str, str]:
    word, equals, name = text.partition("=")
    if not equals or not word.strip() or not name.strip():
        raise DuelError(f"{quote(text)} is not a move and what it is called there, as in 'build 4=2'.")
    return " ".join(word.lower().split()), name.strip()


@click.command(name="check-env")
@a_duel
@click.argument("file", type=click.Path(dir_okay=False))
@click.option("--class", "name", metavar="NAME", default="", help="What makes the environment, if it is not clear.")
@click.option(
    "--action",
    metavar="FORM",
    default="",
    help="How it wants a move to be written, as in '\\boxed{{{move}}}'; {number} is the number of the move.",
)
@click.option(
    "--move",
    "named",
    multiple=True,
    metavar="MOVE=ACTION",
    type=Typed("MOVE=ACTION", _named),
    help="What a move of ours is called there; can be given several times.",
)
@click.option(
    "--seconds", "limit", type=seconds(0.1, 3600), default=20.0, help="How long loading or one line may take."
)
@waiting_plainly
@as_json
def command(
    game: Game, file: str, name: str, action: str, named: tuple[tuple[str, str], ...], limit: float, as_json: bool
) -> int:
    """Drive the environment in FILE beside our referee and say which laws of DUEL it breaks, each by a line of play.

    FILE is a file of Python with a class that has reset and step: in the manner of Gymnasium or PettingZoo, for one
    agent or two, with numbers or text. It runs as you, in a process of its own. Each law is kept, broken, or cannot be
    told from outside. Exit code 1 if a law is broken, or if nothing could be told.
    """
    from duelbook.foreign import check_env, laws_of

    with wrong_usage():
        laws_of(game)
    with patience(f"Playing {plain(file)} ..."):
        seen = check_env(game, file, name=name, action=action, named=dict(named), seconds=limit)
    untold = all(finding.verdict == "cannot tell" for finding in seen.findings)
    if as_json:
        echo_json(_report(seen))
    else:
        for finding in seen.findings:
            _tell(finding)
        say(_summary(game, seen))
    return 0 if seen.good and not untold else 1


def _report(seen: Checked) -> dict[str, object]:
    laws = [
        finding.law._asdict() | {"verdict": finding.verdict, "seen": finding.seen, "lines": list(finding.lines)}
        for finding in seen.findings
    ]
    told = {"game": seen.game, "file": seen.file, "good": seen.good, "way": seen.way}
    return told | {"actions": list(seen.actions), "agreed": round(seen.agreed, 4), "laws": laws}


def _tell(finding: Finding) -> None:
    law, broken = finding.law, finding.verdict == "breaks"
    say(f"{finding.verdict.upper() if broken else finding.verdict}  {law.name}: {law.question} {plain(finding.seen)}")
    for line in finding.lines:
        say(f"    {line}")
    if broken:
        say(f"    The law: {law.law}", f'    The book: "{law.book}"')


def _summary(game: Game, seen: Checked) -> str:
    names = {
        verdict: [finding.law.name for finding in seen.findings if finding.verdict == verdict]
        for verdict in ("breaks", "cannot tell")
    }
    many = amount(len(seen.findings), "law")
    if names["breaks"]:
        which = either(names["breaks"], "and")
        told = f"{plain(seen.file)} breaks {len(names['breaks'])} of {many} of {game.name}: {which}."
    else:
        told = f"{plain(seen.file)} breaks no law of {game.name} that was tried."
    if names["cannot tell"]:
        told += f" Not to be told: {either(names['cannot tell'], 'and')}."
    return told

"""What is looked at before the first game of a tournament, so that hours of games are not played for nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from duelbook.arena.play.exact import tabular
from duelbook.arena.play.results import Duel, Entrant
from duelbook.arena.play.tournament import Programme
from duelbook.core import DuelError
from duelbook.engine.fault import EngineFault
from duelbook.games import load
from duelbook.players import ENGINE, LLM
from duelbook.solving.library import solution_for
from duelbook.speech import either, quote


class CannotPlay(DuelError):
    """A program that does not play what it is to play, or does not know its options."""


def check_solutions(work: Programme, warn: Callable[[str], None]) -> None:
    """Solve once what every worker will look up. Random and programs can do without; those who know it all cannot."""
    for duel, meetings in _by_duel(work).items():
        try:
            solution_for(*duel.loaded())
        except DuelError as error:
            seated = [work.plan.entrants[number] for seats in meetings for number in seats]
            if any(tabular(entrant) and entrant.kind != "random" for entrant in seated):
                raise
            warn(f"{error} Decisions in {duel} are not weighed.")


def _by_duel(work: Programme) -> dict[Duel, list[tuple[int, int]]]:
    """Which entrants meet in each duel that is played."""
    found: dict[Duel, list[tuple[int, int]]] = {}
    for at in work.tasks.played:
        duel, seats = work.tasks.meetings[at]
        found.setdefault(duel, []).append(seats)
    return found


def check_programs(work: Programme, warn: Callable[[str], None]) -> None:
    """Start every program once: is it there, does it play what it is to play, does it know its options?

    One that fails in any other way loses its games by that, which is what a tournament may be held to find out.
    """
    for number, entrant in enumerate(work.plan.entrants):
        duels = [duel for duel, met in _by_duel(work).items() if any(number in seats for seats in met)]
        if duels:
            check_entrant(entrant, [duel.game for duel in duels], warn)


def check_entrant(
    entrant: Entrant, wanted: list[str], warn: Callable[[str], None], otherwise: str = "will lose its games"
) -> None:
    """Is there all that it takes to ask this player in these duels? `otherwise` is what comes of a bad start."""
    if entrant.player is None and entrant.kind.startswith(ENGINE):
        _check_program(entrant, wanted, warn, otherwise)
    if entrant.player is None and entrant.kind.startswith(LLM):
        _check_model(entrant)


def _check_model(entrant: Entrant) -> None:
    """Is there all that it takes to ask it? Nothing is asked yet, for that may cost something."""
    from duelbook.players.llm import LlmPlayer

    player = LlmPlayer(entrant.kind, 0, entrant.asking)
    try:
        player.get_ready()
    except DuelError as error:
        raise DuelError(f"{entrant.name} cannot play: {error}") from None
    finally:
        player.close()


def _check_program(entrant: Entrant, wanted: list[str], warn: Callable[[str], None], otherwise: str) -> None:
    from duelbook.players.engine import EnginePlayer

    player = EnginePlayer(entrant.kind.removeprefix(ENGINE), entrant.limits)
    program = player.command[0]
    if shutil.which(program) is None:
        from duelbook.engine.launch import why_not

        raise DuelError(f"{entrant.name} cannot play: {quote(program)} cannot be started: {why_not(Path(program))}")
    try:
        identity = player.meet()
    except EngineFault as fault:
        warn(f"{entrant.name} does not start properly, and {otherwise} if that goes on: {fault}")
        return
    except DuelError as error:
        raise CannotPlay(f"{entrant.name} cannot play: {error}") from None
    finally:
        player.close()
    unknown = [id for id in dict.fromkeys(wanted) if not identity.plays(load(id))]
    if unknown:
        raise CannotPlay(
            f"{entrant.name} does not play {either(unknown, 'or')}. "
            f"Say --duels {','.join(identity.games)}, or leave it out."
        )

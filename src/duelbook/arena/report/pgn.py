"""Results as PGN headers, for the rating programs of chess players: Ordo, BayesElo and their like.

White is the first seat. Such programs read the names and the result and skip the moves; so the games here have none,
and a comment says how each ended. A game that the bell ended is half a point for each, as in our own table: `*` would
be left out, and with it what two did who could not beat each other. No tag is called Variant: programs take that for a
kind of chess and refuse one that they do not know. They know neither that two games share their luck nor what luck did:
our own ratings do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from duelbook.arena.play.results import Entrant, Result, counted, duel_name
from duelbook.match import DRAW, Outcome
from duelbook.record import UNKNOWN_DATE
from duelbook.speech import in_one_line

TERMINATIONS = {
    "crash": "abandoned",
    "time": "time forfeit",
    "illegal": "rules infraction",
    "protocol": "rules infraction",
    "killed": "rules infraction",
    "unreadable": "rules infraction",
    "refused": "abandoned",
    "cut": "abandoned",
}
"""The PGN standard's words for the ways to lose away from the board."""


def as_pgn(
    entrants: Sequence[Entrant], results: Iterable[Result], *, event: str = "Duelbook arena", date: str = UNKNOWN_DATE
) -> str:
    """All games as PGN text. Games that could not be played are left out."""
    blocks = []
    for result in counted(results):
        tags = "\n".join(f'[{name} "{_escaped(value)}"]' for name, value in _tags(entrants, result, event, date))
        blocks.append(f"{tags}\n\n{{{_comment(result.reason)}}} {_result(result)}\n")
    return "\n".join(blocks)


def _tags(entrants: Sequence[Entrant], result: Result, event: str, date: str) -> Iterator[tuple[str, str]]:
    """The seven that PGN asks for, in its order, and a few more."""
    task = result.task
    one, two = task.seats
    yield "Event", event
    yield "Site", "?"
    yield "Date", date
    yield "Round", f"{task.pair + 1}"
    yield "White", entrants[one].name
    yield "Black", entrants[two].name
    yield "Result", _result(result)
    yield "Duel", duel_name(task)
    yield "PlyCount", str(result.turns)
    yield "Termination", _termination(result)


def _result(result: Result) -> str:
    return Outcome(DRAW if result.winner is None else result.winner, "").result


def _termination(result: Result) -> str:
    if result.fault is not None:
        return TERMINATIONS[result.fault.kind]
    return "adjudication" if result.winner is None else "normal"


def _escaped(value: str) -> str:
    return in_one_line(value).replace("\\", "\\\\").replace('"', '\\"')


_BRACKETS = str.maketrans("{}[]", "()()")


def _comment(text: str) -> str:
    """A sentence on one line that can neither end its comment early nor pass for a tag: some programs look for tags
    anywhere in a line, and what a bot said may be quoted here."""
    return in_one_line(text).translate(_BRACKETS)

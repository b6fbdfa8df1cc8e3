"""Is a file of games what it says? Every move against the rules, every card against the seed that was committed to."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from duelbook.core import DuelError
from duelbook.fairness import Proof, proof_of_luck
from duelbook.match import Match
from duelbook.record import Record
from duelbook.speech import amount, plain
from duelbook.table.shelf import iter_file, locate_to_read


class GoodGame(NamedTuple):
    """A game that the rules allow, and what can be said of its cards. The match that it came from is not kept."""

    game: str
    turns: int
    result: str
    reason: str
    position: str
    proof: Proof
    summary: str


class Verified(NamedTuple):
    """What came of a file: the games in it, or the sentence that says where it goes wrong."""

    file: str
    games: tuple[GoodGame, ...] = ()
    error: str | None = None

    @property
    def ok(self) -> bool:
        return self.error is None

    def data(self) -> dict[str, Any]:
        """As `duelbook verify --json` prints it."""
        if self.error is not None:
            return {"file": self.file, "ok": False, "error": self.error}
        return {"file": self.file, "ok": True, "games": [_data(each) for each in self.games]}


def verify(file: str | Path) -> Verified:
    """Check a file of games, a saved game by its id, or a duel's worked example by the duel's name."""
    name = str(file)
    try:
        return Verified(name, tuple(map(_checked, iter_file(locate_to_read(name)))))
    except BrokenPromise as error:
        return Verified(name, error=f"{plain(name)}: {error}")
    except DuelError as error:
        return Verified(name, error=str(error))


class BrokenPromise(Exception):
    """The cards of a game are not those that were committed to."""


def _checked(record: Record) -> GoodGame:
    match: Match = record.match
    proof = proof_of_luck(match)
    if proof.broken:
        raise BrokenPromise(proof.broken)
    result = match.outcome.result if match.outcome else "*"
    reason = match.outcome.reason if match.outcome else "Unfinished."
    summary = f"{match.game.name}, {amount(match.turns, 'turn')}, {result}: {reason} {proof}".rstrip()
    where = match.game.write_position(match.rules, match.state)
    return GoodGame(match.game.id, match.turns, result, reason, where, proof, summary)


def _data(each: GoodGame) -> dict[str, Any]:
    data = each._asdict()
    summary = data.pop("summary")
    proof: Proof = data.pop("proof")
    cards = {"promised": proof.promised, "computed": proof.computed, "unknown": proof.unknown}
    return data | {"cards": cards, "summary": summary}

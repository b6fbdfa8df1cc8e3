"""Is a file of games what it says? Every move against the rules, every card against the seed that was committed to."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from duelbook.core import LUCK, DuelError
from duelbook.fairness import Proof, proof_of_luck
from duelbook.folders import name_of
from duelbook.honest.proof import prove, was_online
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
    cards: dict[str, int]
    """How many of them were promised, can be computed, or come from a seed that is unknown."""
    summary: str


class Verified(NamedTuple):
    """What came of a file: the games in it, or the sentence that says where it goes wrong."""

    file: str
    games: tuple[GoodGame, ...] = ()
    error: str | None = None

    @property
    def ok(self) -> bool:
        return self.error is None

    def data(self) -> dict[str, object]:
        """As `duelbook verify --json` prints it."""
        found = {"error": self.error} if self.error else {"games": [each._asdict() for each in self.games]}
        return {"file": self.file, "ok": self.ok, **found}


def verify(file: str | Path) -> Verified:
    """Check a file of games, a saved game by its id, or a duel's worked example by the duel's name."""
    name = name_of(file)
    try:
        return Verified(name, tuple(_checked(name, record) for record in iter_file(locate_to_read(name))))
    except DuelError as error:
        return Verified(name, error=str(error))


def _checked(name: str, record: Record) -> GoodGame:
    match = record.match
    proof = proof_of_luck(match)
    if proof.broken:  # the cards of the game are not those that were committed to
        raise DuelError(f"{plain(name)}: {proof.broken}")
    if was_online(record):
        try:
            proved = prove(record)
        except DuelError as error:
            raise DuelError(f"{plain(name)}: {error}") from None
        if match.outcome is not None:
            proof = Proof(promised=sum(step.turn == LUCK for step in match.steps))
    else:
        proved = str(proof)
    result = match.outcome.result if match.outcome else "*"
    reason = match.outcome.reason if match.outcome else "Unfinished."
    summary = f"{match.game.name}, {amount(match.turns, 'turn')}, {result}: {reason} {proved}".rstrip()
    where = match.game.write_position(match.rules, match.state)
    cards = {"promised": proof.promised, "computed": proof.computed, "unknown": proof.unknown}
    return GoodGame(match.game.id, match.turns, result, reason, where, cards, summary)

"""A refutation as `duelbook refute --json` prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duelbook.record import writes

if TYPE_CHECKING:
    from duelbook.core import Game, SomeRules
    from duelbook.exam.refutation import Refutation, Seat

WORST = 20
"""So many of the decisions that lose most are listed."""


def as_json(found: Refutation) -> dict[str, object]:
    return {
        "player": found.player,
        "kind": found.kind,
        "duel": found.duel,
        "seed": str(found.seed),
        "refuted": found.refuted,
        "seats": [_seat(each, found.game, found.rules) for each in found.seats],
    }


def _seat(seat: Seat, game: Game, rules: SomeRules) -> dict[str, object]:
    words = game.dialogue.words(rules)
    sample = seat.sample
    return {
        "seat": seat.seat + 1,
        "how": seat.how,
        "refuted": seat.refuted,
        "nothing_more": seat.nothing_more,
        "beaten": seat.beaten,
        "value": seat.value,
        "most": seat.most,
        "game": seat.game,
        "exploitability": seat.exploitability,
        "wins": seat.wins,
        "losses": seat.losses,
        "asked": seat.asked,
        "times": seat.times,
        "positions": seat.positions,
        "complete": seat.complete,
        "same": seat.same,
        "differs": seat.differs,
        "lost": {
            "decisions": seat.lost.decisions,
            "losing": seat.lost.losing,
            "mean": seat.lost.mean,
            "worst": seat.lost.worst,
            "slips": [
                {
                    "position": game.write_position(rules, slip.state),
                    "move": words[slip.move],
                    "lost": slip.lost,
                    "share": slip.share,
                    "mean": slip.mean,
                }
                for slip in seat.lost.slips[:WORST]
            ],
        },
        "faults": [each._asdict() for each in seat.faults],
        "sample": {
            "games": 0 if sample is None else sample.games,
            "wins": 0 if sample is None else sample.wins,
            "losses": 0 if sample is None else sample.losses,
        },
        "forced": seat.forced,
        "record": None if seat.record is None else writes(seat.record),
    }

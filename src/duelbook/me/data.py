"""The record for programs: docs/json.md says what each field is."""

from __future__ import annotations

from duelbook.me.account import Account, InDuel
from duelbook.me.nudge import Nudge
from duelbook.me.played import NOT_COUNTED
from duelbook.me.tally import Total
from duelbook.players import short_kind


def as_json(record: Account) -> dict[str, object]:
    return {
        "total": _total(record.total),
        "duels": [_in_duel(each) for each in record.duels],
        "months": _months(record.months),
        "not_counted": {why.replace(" ", "_"): record.not_counted.get(why, 0) for why in NOT_COUNTED}
        | {"forgotten": record.forgotten, "unreadable": len(record.unread)},
        "unweighed": record.unweighed,
        "unreadable": [each._asdict() for each in record.unread],
        "puzzles": {
            "streak": record.streak,
            "best_streak": record.best_streak,
            "duels": [
                {
                    "game": each.duel,
                    "rating": each.rating,
                    "tried": each.tried,
                    "solved": each.solved,
                    "streak": each.streak,
                }
                for each in record.puzzles
            ],
        },
    }


def _total(each: Total) -> dict[str, object]:
    return {
        "games": each.games,
        "won": each.won,
        "lost": each.lost,
        "drawn": each.drawn,
        "no_result": each.no_result,
        "score": each.score,
        "decisions": each.decisions,
        "loss_per_decision": each.loss,
    }


def _months(months: dict[str, Total]) -> list[dict[str, object]]:
    return [{"month": month or None, **_total(each)} for month, each in months.items()]


def _in_duel(each: InDuel) -> dict[str, object]:
    return {
        "game": each.duel,
        "rules": each.rules.split(),
        **_total(each.total),
        "opponents": [
            {"player": foe.opponent, "name": short_kind(foe.opponent), **_total(foe.total)} for foe in each.opponents
        ],
        "months": _months(each.months),
        "next": None if each.nudge is None else _nudge(each.nudge),
    }


def _nudge(said: Nudge) -> dict[str, object]:
    return {"player": said.upwards, "after": said.opponent, "games": said.games, "won": said.won, "lost": said.lost}

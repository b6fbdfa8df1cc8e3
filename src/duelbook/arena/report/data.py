"""A tournament as data for programs: every number, unrounded. docs/json.md says what each of them is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from duelbook import __version__
from duelbook.arena.judge.findings import Findings
from duelbook.arena.judge.ratings import RatingRow
from duelbook.arena.judge.tally import Tally
from duelbook.arena.play.results import Entrant, Result, duel_name
from duelbook.arena.report.sections import guilty
from duelbook.players import ENGINE


def as_json(found: Findings) -> dict[str, Any]:
    """Every number, unrounded."""
    plan, ratings, said = found.plan, found.ratings, found.verdict
    return {
        "duelbook": __version__,
        "event": plan.event,
        "date": plan.date,
        "tournament": plan.tournament,
        "fingerprint": plan.fingerprint(),
        # As text: it has up to 128 bits, and many readers of JSON keep 53 of a number.
        "seed": None if found.finished.seed is None else str(found.finished.seed),
        "rounds": plan.rounds,
        "max_turns": plan.max_turns,
        "duels": found.duels,
        "openings": {
            "kind": plan.openings.kind or None,
            "random_turns": plan.openings.plies or None,
            "positions": [each._asdict() for each in found.begun],
        },
        "players": [_player_json(entrant) for entrant in plan.entrants],
        "file": found.file or None,
        "played": len(found.finished.results),
        "computed": len(found.finished.programme.known) * plan.rounds,
        "table": [
            {"name": plan.entrants[at].name, "kind": plan.entrants[at].kind, **_tally_json(found.table.totals[at])}
            for at in found.table.order()
        ],
        "meetings": [
            {"player": plan.entrants[me].name, "opponent": plan.entrants[foe].name, **_tally_json(row)}
            for (me, foe), row in sorted(found.table.cells.items())
        ],
        "ratings": [_rating_json(row) for row in ratings.rows],
        "verdict": said and {**said._asdict(), "difference": said.difference._asdict(), "sentence": said.sentence()},
        "better": _of_every_two(found, ratings.better),
        "difference": _of_every_two(found, lambda one, two: ratings.difference(one, two)._asdict()),
        "first_seat": {duel: seat._asdict() for duel, seat in ratings.seats.items()},
        "losses": [_loss_json(found, at) for at in range(len(plan.entrants))],
        "faults": [_fault_json(found, result) for result in found.faults],
        "worth_a_look": [
            {
                "place": found.places.get(each.result.task.number),
                "number": each.result.task.number,
                "title": each.title,
                "sentence": each.sentence,
                "replay": found.replay(each.result) or None,
            }
            for each in found.worth_a_look
        ],
        "sprt": {**found.standing._asdict(), "score": found.standing.score} if found.standing else None,
        "notes": [*ratings.notes, *found.cautions],
    }


def _of_every_two(found: Findings, what: Callable[[RatingRow, RatingRow], Any]) -> dict[str, dict[str, Any]]:
    """Something about every two on the scale, and nothing about those whom nothing ties to each other."""
    ratings = found.ratings
    return {
        one.name: {
            two.name: what(one, two) if ratings.connected(one, two) else None for two in ratings.rows if two is not one
        }
        for one in ratings.rows
    }


def _player_json(entrant: Entrant) -> dict[str, Any]:
    """Who it is, and for a program what it may use."""
    limits = entrant.limits
    said = {**limits.its_own(), "options": dict(limits.options), "sandbox": limits.around.sandbox}
    return {"name": entrant.name, "kind": entrant.kind} | ({"limits": said} if entrant.kind.startswith(ENGINE) else {})


def _rating_json(row: RatingRow) -> dict[str, Any]:
    kept = {name: value for name, value in row._asdict().items() if name != "entrant"}
    played = row.tally
    ends = {"wins": played.wins, "draws": played.draws, "losses": played.lost, "no_results": played.no_results}
    return {**kept, "tally": ends, "faults": int(played.faults), "took_part": row.entrant is not None}


def _tally_json(tally: Tally) -> dict[str, Any]:
    return {"points": tally.points, **tally._asdict()}


def _loss_json(found: Findings, at: int) -> dict[str, Any]:
    quality, score = found.qualities[at], found.scores[at]
    parts = [{"duel": duel, "seat": seat + 1, **part._asdict()} for (duel, seat), part in quality.parts.items()]
    overall = quality.overall._asdict() if quality.overall else None
    scores = {"score": score.counted, "reduced_score": score.reduced}
    shown = {name: each and each._asdict() for name, each in scores.items()}
    return {"name": quality.name, "overall": overall, "parts": parts, **shown}


def _fault_json(found: Findings, result: Result) -> dict[str, Any]:
    assert result.fault is not None
    return {
        "place": found.places.get(result.task.number),
        "number": result.task.number,
        "duel": duel_name(result.task),
        "name": guilty(found, result),
        **result.fault._asdict(),
        "seat": result.fault.seat + 1,
        "replay": found.replay(result) or None,
    }

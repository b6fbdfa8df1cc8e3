"""What the coach says, for programs: docs/json.md says what each field is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from duelbook.coach.hint import Hint
from duelbook.coach.odds import Odds, meeting
from duelbook.coach.reasons import Reason
from duelbook.coach.review import Accounting, Average, Review, averages
from duelbook.coach.words import chance
from duelbook.core import settings
from duelbook.solving.solution import Solution


def hints_as_json(
    solution: Solution, state: object, hints: Sequence[Hint], met: Sequence[Odds | None]
) -> dict[str, object]:
    """The hints for everybody who decides at a position, with their odds where somebody asked for them."""
    game, rules = solution.game, solution.rules
    return {
        "game": game.id,
        "rules": settings(game, rules),
        "at": game.write_position(rules, state),
        "value": hints[0].value,
        "hints": [
            _hint(each) | {"wins_here": None if odds is None else odds.wins(state, each.seat)}
            for each, odds in zip(hints, met, strict=True)
        ],
    }


def _hint(each: Hint) -> dict[str, object]:
    return {
        "player": each.seat + 1,
        "wins": each.wins,
        "why": each.why,
        "ideas": list(each.ideas),
        "best_play": list(each.line),
        "choices": [choice._asdict() for choice in each.choices],
    }


def reviews_as_json(reviews: Iterable[tuple[str, Review]]) -> dict[str, object]:
    """Reviewed games, each with the name of its file, and how everybody did on average."""
    known = list(reviews)
    return {
        "games": [_game(*each) for each in known],
        "players": [_player(each) for each in averages(each for _, each in known)],
    }


def _game(name: str, each: Review) -> dict[str, object]:
    match = each.match
    return {
        "file": name,
        "game": match.game.id,
        "players": list(match.names),
        "result": match.outcome.result if match.outcome else "*",
        "reason": match.outcome.reason if match.outcome else None,
        "finished": not each.unfinished,
        "cut_short_by": each.cut_short or None,
        "win_probability": _sum(each.accounting),
        "values": list(each.curve),
        "opponents": list((meeting(each.record.seats) if each.odds else None) or ()),
        "wins_here": list(each.met),
        "decisions": [
            {
                "turn": decision.turn,
                "player": decision.seat + 1,
                "position": decision.position,
                "cards": decision.cards or None,
                "move": decision.move,
                "wins": decision.before,
                "wins_here": decision.here,
                "lost": decision.lost,
                "lost_here": decision.lost_here,
                "plies_sooner": decision.sooner,
                "luck": decision.luck,
                "guess": decision.guess,
                "better": list(decision.better),
                "mark": decision.mark or None,
                "reason": _reason(each.why(decision)) if decision.mark else None,
            }
            for decision in each.decisions
        ],
    }


def _reason(why: Reason) -> dict[str, object]:
    return {"reply": why.reply or None, "line": why.line, "ideas": list(why.ideas)}


def _sum(accounting: Accounting) -> dict[str, float]:
    """The sum that makes the result, in Player 1's win probability: half of what it is in values."""
    halves = {name: change / 2 for name, change in accounting._asdict().items()}
    return halves | {"start": chance(accounting.start), "result": chance(accounting.result)}


def _player(each: Average) -> dict[str, object]:
    return {
        "name": each.name,
        "games": each.games,
        "decisions": each.decisions,
        "average_loss": each.mean if each.decisions else None,
        "average_loss_here": each.mean_here,
        "average_loss_low": None if each.interval is None else each.interval.low,
        "average_loss_high": None if each.interval is None else each.interval.high,
        "marks": each.marks,
        "decisions_when_lost": each.already_lost,
    }

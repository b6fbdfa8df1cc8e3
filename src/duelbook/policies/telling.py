"""The ladder of a duel, for people and for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from math import ceil

from duelbook.core import Game, rules_hash, settings
from duelbook.match import BELL
from duelbook.policies.characters import CHARACTERS
from duelbook.policies.levels import (
    LEVELS,
    RUNGS,
    Standings,
    loss_per_decision,
    mistakes_of,
    place,
    score,
    slips_per_decision,
    steps,
)
from duelbook.policies.meeting import DIGITS, Meeting
from duelbook.positions.size import named

WHO = {
    "random": "any legal move",
    **{f"level:{number}": level.name for number, level in enumerate(LEVELS, 1)},
    "perfect": "best play",
}
CELL = 8
WORTH_SHOWING = 0.005
"""A kind of end that is always rarer than this has no square of its own."""
NEXT_TO_NOTHING = 1e-9


def as_json(game: Game, rules: object, table: Standings) -> dict[str, object]:
    below = steps(table)
    return {
        "game": game.id,
        "rules": settings(game, rules),
        "rules_hash": rules_hash(game, rules),
        "bell": BELL,
        "rungs": [
            {
                "kind": kind,
                "name": WHO[kind],
                "mistakes": mistakes_of(game)[kind],
                "slips": round(slips_per_decision(table, kind), DIGITS),
                "loss_per_decision": round(loss_per_decision(table, kind), DIGITS),
                "score_against_the_one_below": round(below[kind], DIGITS) if kind in below else None,
                "score_against_perfect": round(score(table, kind, "perfect"), DIGITS),
            }
            for kind in RUNGS
        ],
        "characters": [
            {
                "kind": kind,
                "about": about,
                "slips": round(slips_per_decision(table, kind), DIGITS),
                "loss_per_decision": round(loss_per_decision(table, kind), DIGITS),
                "holds_its_own_up_to": place(table, kind),
                "against": [{"kind": rung, "score": round(score(table, kind, rung), DIGITS)} for rung in RUNGS],
            }
            for kind, about in CHARACTERS.items()
            if (kind, kind) in table
        ],
        "matches": [
            {
                "player1": one,
                "player2": two,
                "player1_wins": meeting.win,
                "draw": meeting.draw,
                "player2_wins": meeting.loss,
                "no_result": meeting.no_result,
                "decisions": meeting.decisions,
                "loss_per_decision": [round(meeting.loss_per_decision(seat), DIGITS) for seat in (0, 1)],
            }
            for (one, two), meeting in table.items()
        ],
    }


def lines(game: Game, rules: object, table: Standings) -> Iterator[str]:
    one, two = game.seats
    begins = "Both pick at once" if game.start(rules, 0) == game.start(rules, 1) else f"{one} moves first"
    yield f"{named(game, rules)}: the ladder of opponents"
    yield ""
    yield from _rungs(table)
    yield ""
    yield "Levels make the best moves, and mistakes: the better one looks, the likelier."
    yield "Slips: how many decisions of a hundred give anything away against perfect."
    yield "Loss: win probability that a decision gives away against perfect, in points."
    yield "Rungs do not meet the same positions: who has lost all has nothing left to lose."
    yield "Score: wins and half of what nobody wins, half of the matches in each seat."
    yield ""
    if all((kind, kind) in table for kind in CHARACTERS):
        yield from _characters(table)
    else:
        yield "Where the characters stand under these rules is computed with --characters."
    yield ""
    yield f"All chances are in percent, with {one} at the left and {two} at the top."
    yield f"{begins}."
    squares: list[tuple[str, Callable[[Meeting], float]]] = [
        (f"{one} wins", lambda meeting: meeting.win),
        (f"{two} wins", lambda meeting: meeting.loss),
        ("A draw", lambda meeting: meeting.draw),
        (f"No result: the bell rings after {BELL} turns", lambda meeting: meeting.no_result),
    ]
    meetings = [table[pair] for pair in product(RUNGS, RUNGS)]
    for title, chance in squares:
        if any(chance(meeting) >= WORTH_SHOWING for meeting in meetings):
            yield ""
            yield f"  {title}"
            yield from _square(table, chance)
    rare = max(meeting.no_result for meeting in meetings)
    if NEXT_TO_NOTHING < rare < WORTH_SHOWING:
        yield ""
        most = ceil(1000 * rare) / 10
        yield f"The bell after {BELL} turns ends at most {most:.1f} % of the matches of any two rungs."


def _rungs(table: Standings) -> Iterator[str]:
    below = steps(table)
    yield f"  {'kind':<9}{'who':<16}{'slips':>7}{'loss':>9}{'score against':>18}{'against':>12}"
    yield f"  {'the one below':>59}{'perfect':>12}"
    for kind in RUNGS:
        who, slips = WHO[kind], slips_per_decision(table, kind)
        lower = f"{percent(below[kind])} %" if kind in below else "-"
        loss, top = f"{100 * loss_per_decision(table, kind):.2f}", f"{percent(score(table, kind, 'perfect'))} %"
        yield f"  {kind:<9}{who:<16}{f'{100 * slips:.1f}':>7}{loss:>9}{lower:>18}{top:>12}"


def _characters(table: Standings) -> Iterator[str]:
    yield "Characters play in a style of their own, and may be met beside the ladder:"
    yield ""
    for kind, about in CHARACTERS.items():
        below = place(table, kind)
        where = "below random" if below is None else f"above {below}" if below != RUNGS[-1] else "on a par with perfect"
        yield f"  {kind:<9}{where:<16}{about}"
    yield ""
    yield "Above a rung stands who scores at least half against it and all below. Scores:"
    yield ""
    yield f"  {'':<9}" + "".join(f"{rung:>{CELL}}" for rung in RUNGS)
    for kind in CHARACTERS:
        yield f"  {kind:<9}" + "".join(f"{percent(score(table, kind, rung)):>{CELL}}" for rung in RUNGS)


def _square(table: Standings, chance: Callable[[Meeting], float]) -> Iterator[str]:
    yield f"  {'':<9}" + "".join(f"{kind:>{CELL}}" for kind in RUNGS)
    for left in RUNGS:
        yield f"  {left:<9}" + "".join(f"{percent(chance(table[left, top])):>{CELL}}" for top in RUNGS)


def percent(share: float) -> str:
    """One decimal. What is not quite certain is not called so."""
    if share < NEXT_TO_NOTHING or share > 1 - NEXT_TO_NOTHING:
        return f"{100 * share:.0f}"
    shown = f"{100 * share:.1f}"
    return {"0.0": "<0.1", "100.0": ">99.9"}.get(shown, shown)

"""Do the verdicts of the arena hold what they promise, and how many games do they take?

Between players of the ladder every chance is known exactly, so it can be counted how often a test errs, how often an
interval holds the true difference, and how many games it takes to see that level:4 is better than level:3. Matches of
the first two are drawn from the exact chances; the games of the last, and of one line of the second, are really
played. Counted too, though nobody promises it: how often the interval of a bot's rating beside the ladder holds the
true one. Intervals say what chance can do; that strength is not one number they do not know.

Nothing here depends on how fast the machine is: the same seed gives the same figures.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from functools import partial
from itertools import product
from math import fsum, sqrt
from typing import Any

from bench.rehearsal import (
    ENDLESS,
    POWER,
    drawn_match,
    drawn_test,
    elo_of,
    needed,
    pair_chances,
    play_task,
    table_of,
    true_difference,
)
from bench.report import Aim, publish, table

from duelbook.arena.judge.anchors import ladder
from duelbook.arena.judge.bradley_terry import ELO, Games, fit
from duelbook.arena.judge.ratings import rate
from duelbook.arena.judge.sprt import SCORES, Sprt
from duelbook.arena.play.results import Duel, Entrant, Result, Settings, pairs_of
from duelbook.arena.play.schedule import Plan, Schedule
from duelbook.games import ROOMS, load
from duelbook.intervals import NORMAL, SURE, deviation, leanings
from duelbook.luck import mix
from duelbook.policies.levels import loss_per_decision, score

BETTER, WORSE = "level:4", "level:3"
BOTS = (Entrant("better", "engine:better"), Entrant("worse", "engine:worse"))
"""Programs of which the ratings do not know how they play."""
PAIRS = (30, 100)
SEAT_PAIRS = (10, 30)
SEATED = "level:6"
"""Between two of these the first seat matters most."""
FIELD = ("random", "level:2", "level:5", "perfect")
PLACED = ("level:3", "level:6")
"""Bots that play as these meet each of the field."""
PLAYED_PAIRS = 30
FEWER = {"secret": 10}
"""Weighing a game of secret takes a hundred times as long, and so few differ little."""


def error_rates(matches: int, seed: int) -> dict[str, dict[str, float]]:
    """For each duel how often the test accepts the wrong hypothesis, and after how many pairs it stops."""
    found = {}
    for id in ROOMS:
        elo1 = elo_of(score(table_of(id), BETTER, WORSE))
        here: dict[str, float] = {"elo1": elo1}
        for truth, kinds in (("H0", (WORSE, WORSE)), ("H1", (BETTER, WORSE))):
            chances = pair_chances(id, kinds)
            ends = [drawn_test(Sprt(0, elo1), chances, mix(seed, match)) for match in range(matches)]
            here[f"{truth} wrong"] = sum(end.accepted != truth for end in ends) / matches
            here[f"{truth} pairs"] = sum(end.pairs for end in ends) / matches
        found[id] = here
    return found


def coverage(repeats: int, seed: int) -> dict[str, float]:
    """How often the interval of a difference holds the true one."""
    found = {}
    for id in ROOMS:
        for pairs in PAIRS:
            found[f"{id}, {pairs} pairs"] = _covered(id, repeats, partial(_drawn, id, pairs, seed))
    found[f"deck, {PLAYED_PAIRS} pairs really played, sharing their luck"] = _covered(
        "deck", repeats, lambda repeat: played("deck", (BETTER, WORSE), PLAYED_PAIRS, mix(seed, 1, repeat) >> 1)
    )
    return found


def _drawn(id: str, pairs: int, seed: int, repeat: int) -> list[Result]:
    return drawn_match(id, (BETTER, WORSE), pairs, mix(seed, repeat))


def _covered(id: str, repeats: int, match: Callable[[int], list[Result]]) -> float:
    truth = true_difference(id, (BETTER, WORSE))
    held = 0
    for repeat in range(repeats):
        interval = rate(BOTS, match(repeat)).difference("better", "worse")
        held += interval.low <= truth <= interval.high
    return held / repeats


def _true(id: str, field: dict[int, str], what: str, fixed: dict[int, float]) -> float:
    """What endless games of entrant 0 with every other one of the field would say, in Elo."""
    games = []
    for one, two in (seats for other in field if other for seats in ((0, other), (other, 0))):
        met = table_of(id)[field[one], field[two]]
        games.append(Games(one, two, 0, ENDLESS * met.win, ENDLESS * (met.draw + met.no_result), ENDLESS * met.loss))
    return ELO * (fit(games, fixed, prior=1e-9).of(what, 0) or 0.0)


def seat_coverage(repeats: int, seed: int) -> dict[str, float]:
    """How often the interval of the first seat's advantage holds the true one, between two of the same strength."""
    found = {}
    for id in ROOMS:
        truth = _true(id, {0: SEATED, 1: SEATED}, "seat", {1: 0.0})
        for pairs in SEAT_PAIRS:
            held = 0
            for repeat in range(repeats):
                interval = rate(BOTS, drawn_match(id, (SEATED, SEATED), pairs, mix(seed, 2, repeat))).seats[id]
                held += interval.low <= truth <= interval.high
            found[f"{id}, {pairs} pairs, {truth:+.0f} Elo"] = held / repeats
    return found


def beside_the_ladder(repeats: int, seed: int) -> dict[str, dict[str, float]]:
    """How often the rating of a bot that met the field is held, and how far endless games would put it off."""
    entrants = (Entrant("bot", "engine:bot"), *(Entrant(kind, kind) for kind in FIELD))
    found: dict[str, dict[str, float]] = {}
    for id, kind in product(ROOMS, PLACED):
        rungs = ladder({id: 1.0})
        assert rungs is not None
        truth, places = ELO * rungs[kind], {at: rungs[each] for at, each in enumerate(FIELD, 1)}
        here = {"off": _true(id, dict(enumerate((kind, *FIELD))), "player", places) - truth}
        for pairs in PAIRS:
            rows = [rate(entrants, _field(id, kind, pairs, mix(seed, 3, at))).row("bot") for at in range(repeats)]
            here[f"{pairs} pairs"] = sum(row.low <= truth <= row.high for row in rows) / repeats
        found[f"{id}, {kind}"] = here
    return found


def _field(id: str, kind: str, pairs: int, seed: int) -> list[Result]:
    """So many pairs of a rung, as entrant 0, against each of the field."""
    found: list[Result] = []
    for at, other in enumerate(FIELD, 1):
        for result in drawn_match(id, (kind, other), pairs, mix(seed, at)):
            one, two = (seat and at for seat in result.task.seats)
            number = len(found)
            found.append(result._replace(task=result.task._replace(number=number, pair=number // 2, seats=(one, two))))
    return found


def played(id: str, kinds: tuple[str, str], pairs: int, seed: int) -> list[Result]:
    """A match through the referee."""
    entrants = tuple(Entrant(f"{place} {kind}", kind) for place, kind in enumerate(kinds))
    tasks = Schedule(Plan(entrants, (Duel(id),), rounds=pairs, seed=seed))
    return [play_task(task, entrants, Settings()) for task in tasks]


# How many games


def games_needed(pairs: int, seed: int) -> dict[str, dict[str, int | None]]:
    """Head to head: exact differences, and spreads measured on games that were played."""
    found = {}
    for id in ROOMS:
        exact = table_of(id)
        results = played(id, (BETTER, WORSE), pairs // FEWER.get(id, 1), seed)
        lost = loss_per_decision(exact, WORSE, BETTER) - loss_per_decision(exact, BETTER, WORSE)
        ways = needed(results, score=score(exact, BETTER, WORSE) - 0.5, loss=lost)
        found[id] = {"wins": ways.wins.games, "reduced": ways.reduced.games, "loss": ways.loss.games}
    return found


def games_against(opponent: str, pairs: int, seed: int) -> dict[str, dict[str, int | None]]:
    """Each of the two against a third player, half of the games each."""
    found = {}
    for id in ROOMS:
        exact = table_of(id)
        spreads = [_spreads(id, (kind, opponent), pairs // FEWER.get(id, 1), seed) for kind in (BETTER, WORSE)]
        points = score(exact, BETTER, opponent) - score(exact, WORSE, opponent)
        lost = loss_per_decision(exact, WORSE, opponent) - loss_per_decision(exact, BETTER, opponent)
        found[id] = {
            "wins": _games(points, (each[0] for each in spreads)),
            "loss": _games(lost, (each[1] for each in spreads)),
        }
    return found


def _spreads(id: str, kinds: tuple[str, str], count: int, seed: int) -> tuple[float, float]:
    """How far one pair of games may be off: in points per game, and in loss per decision.

    Where the two games of a pair share no luck, the spread of the points follows from the exact chances; somebody who
    loses one game in ten thousand would show none in so few.
    """
    pairs = pairs_of(played(id, kinds, count, seed))
    points = [fsum(each.score(each.seat_of(0)) for each in pair) / 2 for pair in pairs]
    sums = [fsum(fsum(each.losses[each.seat_of(0)]) for each in pair) for pair in pairs]
    counts = [float(sum(len(each.losses[each.seat_of(0)]) for each in pair)) for pair in pairs]
    shared = bool(load(id).faces)
    return deviation(points) if shared else _exact_spread(id, kinds), deviation(leanings(sums, counts))


def _exact_spread(id: str, kinds: tuple[str, str]) -> float:
    chances = list(zip(pair_chances(id, kinds), (score / 2 for score in SCORES), strict=True))
    mean = fsum(chance * points for chance, points in chances)
    return sqrt(fsum(chance * (points - mean) ** 2 for chance, points in chances))


def _games(difference: float, spreads: Iterable[float]) -> int | None:
    """Two matches as long as each other: their variances add up. None where less is lost by the worse player."""
    whole = sum(spread * spread for spread in spreads) * (SURE + NORMAL.inv_cdf(POWER)) ** 2
    return 4 * max(2, round(whole / difference**2)) if difference > 1e-6 else None


def shown(games: int | None) -> str:
    return "never" if games is None else f"{games:,}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=1000, help="Simulated matches at each hypothesis (1000).")
    parser.add_argument("--repeats", type=int, default=1000, help="Repetitions for each interval (1000).")
    parser.add_argument("--pairs", type=int, default=4000, help="Pairs played to measure spreads (4000).")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    errors = error_rates(options.matches, options.seed)
    covered = coverage(options.repeats, options.seed)
    seats = seat_coverage(options.repeats, options.seed)
    beside = beside_the_ladder(options.repeats // 4, options.seed)
    head = games_needed(options.pairs, options.seed)
    others = {name: games_against(name, options.pairs // 4, options.seed) for name in ("random", "perfect")}
    publish(
        "Verdicts",
        options.json,
        {
            "error_rates": errors,
            "coverage": covered,
            "seat_coverage": seats,
            "beside_the_ladder": beside,
            "games_needed": head,
            "games_needed_against": others,
        },
        [
            _error_table(errors),
            _coverage_table("95 % interval of a difference", covered),
            _coverage_table(f"95 % interval of the first seat, {SEATED} against itself", seats),
            _beside_table(beside),
            _needed_table(head),
            _against_table(others),
        ],
        [
            *(
                Aim(f"SPRT in {id}, {truth} true: its error rate beside 0.05", here[f"{truth} wrong"] / 0.05, most=1)
                for id, here in errors.items()
                for truth in ("H0", "H1")
            ),
            *(
                Aim(f"intervals in {what}: how often they hold, beside 95 %", share / 0.95, 0.93 / 0.95, 0.97 / 0.95)
                for what, share in covered.items()
            ),
            *(
                Aim(f"the first seat's in {what}: how often they hold, beside 95 %", share / 0.95, least=0.93 / 0.95)
                for what, share in seats.items()
            ),
        ],
    )


def _error_table(errors: dict[str, dict[str, float]]) -> str:
    rows = [
        [
            id,
            f"{here['elo1']:.0f}",
            f"{100 * here['H0 wrong']:.1f} %",
            f"{100 * here['H1 wrong']:.1f} %",
            f"{here['H0 pairs']:.0f}",
            f"{here['H1 pairs']:.0f}",
        ]
        for id, here in errors.items()
    ]
    heading = ["SPRT, elo0=0", "elo1", "wrong under H0", "wrong under H1", "pairs under H0", "pairs under H1"]
    return table(heading, rows)


def _coverage_table(title: str, covered: dict[str, float]) -> str:
    rows = [[what, f"{100 * share:.1f} %"] for what, share in covered.items()]
    return table([title, "held it"], rows)


def _beside_table(beside: dict[str, dict[str, float]]) -> str:
    names = [f"{pairs} pairs" for pairs in PAIRS]
    rows = [
        [what, *(f"{100 * here[name]:.0f} %" for name in names), f"{here['off']:+.0f}"] for what, here in beside.items()
    ]
    return table([f"rating beside {', '.join(FIELD)}", *names, "Elo off in the end"], rows)


def _needed_table(head: dict[str, dict[str, int | None]]) -> str:
    rows = [[id, *(shown(here[way]) for way in ("wins", "reduced", "loss"))] for id, here in head.items()]
    return table(["games, level:4 against level:3", "counting wins", "less luck", "loss per decision"], rows)


def _against_table(others: dict[str, Any]) -> str:
    rows = [
        [f"{id}, against {name}", *(shown(here[way]) for way in ("wins", "loss"))]
        for name, duels in others.items()
        for id, here in duels.items()
    ]
    return table(["games of both against a third", "counting wins", "loss per decision"], rows)


if __name__ == "__main__":
    main()

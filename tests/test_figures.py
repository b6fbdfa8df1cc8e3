"""Figures in running text are what comes out today: each sentence is made again with the number that is computed."""

from __future__ import annotations

from itertools import pairwise
from math import exp
from pathlib import Path

import pytest
from bench.rehearsal import table_of
from bench.verdicts import FIELD, _true

from duelbook import Duel
from duelbook.arena.judge.anchors import ladder
from duelbook.arena.judge.bradley_terry import ELO
from duelbook.arena.judge.sprt import expected_score
from duelbook.games import ROOMS, load
from duelbook.policies.alarm import HEEDED, alarm_of
from duelbook.policies.levels import RUNGS, loss_per_decision, score
from duelbook.policies.temptation import KEENNESS

DOCS = Path(__file__).parent.parent / "docs"
WEAK, STRONG = ("random", "level:2"), ("level:5", "perfect")


def says(page: str, sentence: str) -> bool:
    return sentence in " ".join((DOCS / page).read_text(encoding="utf-8").split())


def steps(id: str) -> list[float]:
    """What each rung scores against the one below it."""
    return [score(table_of(id), above, below) for below, above in pairwise(RUNGS)]


def places(id: str) -> dict[str, float]:
    found = ladder({id: 1.0})
    assert found is not None
    return found


def off(id: str, field: tuple[str, ...]) -> float:
    """How far from its place, in Elo, endless games with the field would put a level at most."""
    rungs = places(id)
    others = [kind for kind in RUNGS if kind.startswith("level") and kind not in field]
    fixed = {at: rungs[kind] for at, kind in enumerate(field, 1)}
    return max(abs(_true(id, dict(enumerate((kind, *field))), "player", fixed) - ELO * rungs[kind]) for kind in others)


def test_the_ladder() -> None:
    least = min(min(steps(id)) for id in ROOMS)
    assert says("levels.md", f"every rung scores at least {100 * least:.0f} % against the one below it.")
    best = score(table_of("deck"), "perfect", "random")
    assert says("levels.md", f"even `perfect` scores only {100 * best:.0f} % against `random`")
    positions = {id: Duel(id).solution.states for id in ("deck", "secret")}
    assert says("levels.md", f"In deck that means {positions['deck']:,} positions, in secret {positions['secret']:,},")


def test_how_much_levels_heed_what_comes_next() -> None:
    four, five, six = (f"{100 * share:.0f}" for share in HEEDED)
    often = f"at least {four} times of 100, level 5 at least {five} times and level 6 at least {six},"
    assert says("levels.md", f"level 4 makes such a move {often}")
    rarer = {id: exp(KEENNESS * alarm_of(load(id))) for id in ("energy", "tower")}
    assert says(
        "levels.md", f"{rarer['energy']:.0f} times less likely in energy and {rarer['tower']:.0f} times in tower;"
    )


@pytest.mark.slow
def test_what_a_rating_leaves_out() -> None:
    rungs = places("tower")
    scored = score(table_of("tower"), "level:3", "perfect")
    rated = expected_score(ELO * (rungs["level:3"] - rungs["perfect"]))
    assert says(
        "verdicts.md",
        f"in tower a level:3 scores {100 * scored:.1f} % against `perfect`, and its rating says {100 * rated:.1f} %.",
    )
    others = [id for id in ROOMS if id != "secret"]
    most = max(off(id, FIELD) for id in others)
    apart = max(off(id, field) for id in others for field in (WEAK, STRONG))
    assert says("verdicts.md", f"at most {most:.0f} Elo off, in secret {off('secret', FIELD):.0f}.")
    assert says("verdicts.md", f"Against the first two or the last two alone it is up to {apart:.0f},")
    assert min(off("secret", WEAK), off("secret", STRONG)) > 200, "in secret, hundreds"


def test_losses_that_depend_on_who_is_met() -> None:
    lost = [100 * loss_per_decision(table_of("conquer"), kind, "perfect") for kind in ("random", "level:1")]
    assert says(
        "verdicts.md",
        f"In conquer `random` loses {lost[0]:.1f} points a decision against `perfect` and a novice {lost[1]:.1f}.",
    )


def test_the_map_of_energy() -> None:
    cells = Duel("energy").map().cells
    assert all(cell.value == 1 for (one, two), cell in cells.items() if one > two), "being ahead wins, everywhere"
    assert [one for (one, two), cell in sorted(cells.items()) if one == two and one >= 7 and cell.value == 1] == [
        7,
        8,
        9,
    ]
    assert cells[10, 10].value == -1
    assert {pair for pair, cell in cells.items() if pair[0] < pair[1] and cell.value == 1} == {(7, 8), (2, 3)}
    assert says("maps.md", "the player to move wins at 7, 8 and 9 each, and loses at 10 each")
    assert says("maps.md", "still wins with 7 against 8 and with 2 against 3. At four pairs nobody can force a win.")
    assert sum(cell.value == 0 for cell in cells.values()) == 4


def test_the_map_of_deck() -> None:
    cells = Duel("deck").map().cells
    wins = {lp: round(100 * (cells[lp, lp].value + 1) / 2) for lp in (2, 8, 11, 20)}
    assert says("maps.md", f"wins {wins[20]}% at 20 LP each and is the favourite even when 2 LP behind.")
    assert says(
        "maps.md", f"level at 11 LP it is {wins[11]}%, level at 8 only {wins[8]}%, level at 2 it is {wins[2]}%."
    )
    behind = {lead: all(cells[lp, lp + lead].value > 0 for lp in range(1, 21 - lead)) for lead in (1, 2, 3)}
    assert behind == {1: True, 2: True, 3: False}


@pytest.mark.parametrize("card", range(1, 11))
def test_with_twenty_against_twenty_attacking_is_right_with_every_card(card: int) -> None:
    left = ",".join(str(each) for each in range(1, 11) if each != card)
    assert Duel("deck").best(f"20 20 1 {left}:{card}") == ["attack"]
    assert says("best-play.md", "With 20 against 20 it is right with every card.")

"""Whatever the coach says of a move in tower is so."""

from __future__ import annotations

import re
from typing import Any

import pytest

from reasons_helper import (
    Case,
    Check,
    case_won,
    every_claim_is_so,
    every_move,
    every_slip_is_explained,
    nothing_speaks_for_what_is_advised_against,
    solved,
)


def towers(case: Case, state: Any) -> tuple[int, int]:
    return state.towers[case.me], state.towers[case.foe]


def exact(case: Case, state: Any, seat: int) -> set[int]:
    """The builds after which this player stands exactly at the goal."""
    return {units for units in case.solution.rules.builds if state.towers[seat] + units == case.solution.rules.goal}


def only_losing_ways(case: Case, state: Any) -> bool:
    """Whatever the player to move does, the other ends it next turn, or it is over already and lost."""
    return all(case.won_by(after, case.foe) or case.wins_next(after) for after in case.moves(state).values())


TOWER: dict[str, Check] = {
    "reaches_the_goal": (
        r"Your tower stands at (\d+): (\d+) more is exactly (\d+)\.",
        lambda c: case_won(c) and c.numbers[0] + c.numbers[1] == c.numbers[2] and c.word == f"build {c.numbers[1]}",
    ),
    "goes_over": (
        r"At (\d+) your tower is past (\d+), and only exactly (\d+) wins\.",
        lambda c: c.won_by(c.done.after, c.foe) and towers(c, c.done.after)[0] == c.numbers[0] > c.numbers[1],
    ),
    "passes_the_win_by": (
        r"From (\d+) you reach (\d+) exactly: build (\d+) wins at once\.",
        lambda c: not case_won(c) and c.won_by(c.moves(c.done.before)[f"build {c.numbers[2]}"], c.me),
    ),
    "they_reach_it": (
        r"(?:After your attack they|They) stand at (\d+), (\d+) short of (\d+): they reach it exactly next turn\.",
        lambda c: (
            c.wins_next(c.done.after)
            and c.won_by(c.moves(c.done.after)[f"build {c.numbers[1]}"], c.foe)
            and towers(c, c.done.after)[1] == c.numbers[0]
            and ("After your attack" in c.sentence) == (c.word == "attack")
            and (c.word == "attack" or towers(c, c.done.before)[1] == c.numbers[0])
        ),
    ),
    "an_attack_stops_it": (
        r"An attack brings them down to (\d+), from where no build reaches (\d+)\.",
        lambda c: (
            c.word != "attack"
            and not c.wins_next(c.moves(c.done.before)["attack"])
            and towers(c, c.moves(c.done.before)["attack"])[1] == c.numbers[0]
        ),
    ),
    "takes_them_out_of_reach": (
        r"They stand at (\d+), (\d+) short of (\d+); knocked down to (\d+) they cannot reach it next turn\.",
        lambda c: (
            towers(c, c.done.before)[1] == c.numbers[0]
            and exact(c, c.done.before, c.foe) == {c.numbers[1]}
            and towers(c, c.done.after)[1] == c.numbers[3]
            and not c.wins_next(c.done.after)
        ),
    ),
    "cannot_be_kept_from_it": (
        r"At (\d+) you reach (\d+) next turn, and knocked down to (\d+) you still do; they cannot reach it first\.",
        lambda c: (
            c.wins(c.done.after)
            and not c.wins_next(c.done.after)
            and all(c.won_by(each, c.me) or c.wins_next(each) for each in c.moves(c.done.after).values())
        ),
    ),
    "they_cannot_be_kept_from_it": (
        r"After their answer they stand at (\d+): even knocked down to (\d+) they reach (\d+) exactly, and you cannot "
        r"reach it first\.",
        lambda c: (
            c.loses(c.done.after)
            and any(
                towers(c, each)[1] == c.numbers[0] and not c.wins_next(each) and only_losing_ways(c, each)
                for each in c.moves(c.done.after).values()
            )
        ),
    ),
    "they_knock_you_out_of_reach": (
        r"From (\d+) you would reach (\d+), but they knock you down to (\d+), from where no build does\.",
        lambda c: (
            towers(c, c.done.after)[0] == c.numbers[0]
            and bool(exact(c, c.done.after, c.me))
            and towers(c, c.moves(c.done.after)["attack"])[0] == c.numbers[2]
            and not exact(c, c.moves(c.done.after)["attack"], c.me)
        ),
    ),
    "they_gain_on_every_exchange": (
        r"After that they outbuild your attacks: each knocks off (\d+), they build (\d+) and come nearer to (\d+) "
        r"\((\d+), then (\d+)\)\.",
        lambda c: (
            c.loses(c.done.after)
            and towers(c, c.done.after)[1] + c.numbers[1] == c.numbers[3] < c.numbers[4] <= c.numbers[2]
            and c.numbers[4] == c.numbers[3] - c.numbers[0] + c.numbers[1]
        ),
    ),
    "you_gain_on_every_exchange": (
        r"If they knock off (\d+), build (\d+) again: you come nearer to (\d+) with every exchange "
        r"\((\d+), then (\d+)\)\.",
        lambda c: (
            c.wins(c.done.after)
            and c.word == f"build {c.numbers[1]}"
            and towers(c, c.done.after)[0] == c.numbers[3] < c.numbers[4] <= c.numbers[2]
            and c.numbers[4] == c.numbers[3] - c.numbers[0] + c.numbers[1]
        ),
    ),
    "some_heights_are_lost": (
        r"With them at (\d+) and to move, your tower loses at ([\d, or]+) and wins at ([\d, or]+)\.",
        lambda c: True,  # its lists are looked at by a test of their own
    ),
    "builds_outweigh_attacks": (
        r"A build adds up to (\d+) and an attack takes (\d+): whoever keeps building comes nearer all the same\.",
        lambda c: (
            c.wins(c.done.after)
            and c.word.startswith("build")
            and c.numbers[0] > c.numbers[1] == c.solution.rules.knocked
            and f"build {c.numbers[0]}" in c.moves(c.done.before)
        ),
    ),
    "another_race_is_won": (
        r"With their turn to come, (\d+) against their (\d+) is a lost race and (\d+) against their (\d+) a won one\.",
        lambda c: (
            c.loses(c.done.after)
            and towers(c, c.done.after) == c.numbers[:2]
            and any(towers(c, each) == c.numbers[2:] and c.wins(each) for each in c.moves(c.done.before).values())
        ),
    ),
}


RULES: list[tuple[str, ...]] = [
    (),
    ("goal=10", "builds=1,3,5", "knocked=2"),
    ("goal=12", "builds=2,3,4", "knocked=5"),
]


@pytest.mark.parametrize("settings", RULES)
def test_whatever_is_said_of_any_move_is_so(settings: tuple[str, ...]) -> None:
    every_claim_is_so("tower", settings, TOWER)


def test_every_slip_has_an_idea_and_a_line_that_the_table_confirms() -> None:
    every_slip_is_explained("tower")


def test_the_heights_that_are_called_lost_are_those_that_the_table_calls_so() -> None:
    solution = solved("tower", ())
    from duelbook.games.tower.reasons import some_heights_are_lost

    said = 0
    for done in every_move(solution):
        sentence = some_heights_are_lost(done)
        if not sentence:
            continue
        said += 1
        theirs, lost, won = re.fullmatch(TOWER["some_heights_are_lost"][0], sentence).groups()  # type: ignore[union-attr]
        case = Case(solution, done, ())
        assert int(theirs) == towers(case, done.before)[1]
        after = {towers(case, each)[0]: each for word, each in case.moves(done.before).items() if word != "attack"}
        goal = solution.rules.goal
        assert {int(each) for each in re.findall(r"\d+", lost)} == {
            height for height, each in after.items() if height < goal and case.loses(each)
        }
        assert {int(each) for each in re.findall(r"\d+", won)} == {
            height for height, each in after.items() if height < goal and case.wins(each)
        }
    assert said > 20


def test_nothing_speaks_for_a_move_that_is_advised_against() -> None:
    """Of a build in a lost position it was said that attacks do not help, where an attack holds out longest."""
    nothing_speaks_for_what_is_advised_against("tower")

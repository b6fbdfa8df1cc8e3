"""What is advised is what the perfect player plays, in every duel; and where all is lost, what there is to hope for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from duelbook import load
from duelbook.coach.hint import hint, weighed
from duelbook.core import BOTH, variant
from duelbook.games import ROOMS
from duelbook.games.secret.dialogue import choices
from duelbook.solving.library import solution_for
from duelbook.solving.solution import Solution

MOST = 400
"""So many positions are drawn by lot from a duel that has more."""


def decisions(solution: Solution) -> Iterator[tuple[Any, int]]:
    game, rules = solution.game, solution.rules
    known = (place for place in range(len(solution.table)) if solution.known(place) is not None)
    places = list(known) if len(solution.table) < 100_000 else Random(12).sample(range(len(solution.table)), MOST)
    for place in places:
        if solution.known(place) is None:
            continue
        state = solution.position(place)
        for dealt in [game.deal(rules, state, draw.face) for draw in solution.draws(state)] or [state]:
            turn = game.turn(rules, dealt)
            yield from ((dealt, seat) for seat in (0, 1) if turn in (seat, BOTH))


@pytest.mark.slow
@pytest.mark.parametrize("id", ROOMS)
def test_what_is_advised_is_what_the_perfect_player_plays(id: str) -> None:
    game = load(id)
    solution = solution_for(game, game.book)
    words = game.dialogue.words(game.book)
    asked = 0
    for state, seat in decisions(solution):
        asked += 1
        plan, advice = solution.plan(state, seat), weighed(solution, state, seat)
        first = advice.choices[0]
        assert plan[words.index(first.word)] == pytest.approx(max(plan)), (state, seat)
        assert first.best
        if game.turn(game.book, state) == BOTH:
            assert {choice.word for choice in advice.choices if choice.best} == {
                words[move] for move, share in enumerate(plan) if share > 1e-12
            }
    assert asked > 50


LOST = {
    "98 100 8 8": ("10", "1 to 7"),
    "97 100 10 9": ("9", "1 to 6"),
    "98 100 9 8": ("10", "1 to 7"),
    "95 100 9 10": ("10", "1 to 4"),
    "95 100 8 10": ("9", "1 to 4"),
    "71 74 10 3": ("9", "1, 2 or 4 to 6"),
    "30 30 10 7": ("9", "anything but 10"),
    "52 60 8 4": ("10", "1"),
    "25 80 9 10": ("10", ""),
}


@pytest.mark.parametrize("at", LOST)
def test_in_a_lost_position_the_best_try_is_named_with_the_answers_that_let_you_back_in(at: str) -> None:
    game = load("secret")
    solution = solution_for(game, game.book)
    state = game.read_position(game.book, at)
    given = hint(solution, state, 0)
    pick, answers = LOST[at]
    assert given.wins == 0
    assert [choice.word for choice in given.choices if choice.best] == [pick] == [given.choices[0].word]
    met = solution.meetings(state, 0, int(pick) - 1)
    back = [answer + 1 for answer, value in met.items() if value > -1]
    ends = re.findall(r"\d+", answers)
    named = [answer + 1 for answer in met if ends and int(ends[0]) <= answer + 1 <= int(ends[-1])]
    assert back == ([answer + 1 for answer in met if answer + 1 not in named] if "anything but" in answers else named)
    if back:
        assert given.why.endswith(
            f"{pick} is the best try against somebody who errs: if they pick {answers}, you are back in."
        )
    else:
        assert "no single answer lets you back in; 10 is the best try" in given.why
    let = "lets" if len(back) == 1 else "let"
    counted = f"{len(back)} of {len(met)} answers {let} you back in" if back else "no answer lets you back in"
    assert given.choices[0].about == f"worth 0 %; {counted}"


SAID = {
    ("energy", "2 2d 1"): "Every move loses in 2 moves if they play well; defend does best against somebody who errs.",
    ("energy", "4 6 1"): "Every move loses if they play well; defend holds out longest, for 4 moves.",
    ("energy", "2 0d 1"): "They have 0 energy, and whoever begins a turn with 0 has lost.",
    ("deck", "4 11 1 10:1"): "With 4 LP you lose to the only card left (10) on their next turn.",
    ("deck", "3 18 1 4,8,9:1"): "With 3 LP you lose to all 3 cards left on their next turn.",
    ("deck", "17 8 1 4,6-8,10:5"): "attack: it wins over 99 %, heal only 98 %.",
    ("deck", "20 6 1 5,9,10:1"): "An attack brings them to 5 LP, where the 5 in the deck would finish them too.",
}


@pytest.mark.parametrize(("id", "at"), SAID)
def test_what_a_hint_says_is_so_and_reads_well(id: str, at: str) -> None:
    game = load(id)
    state = game.read_position(game.book, at)
    assert SAID[id, at] in hint(solution_for(game, game.book), state).lines()


SHOWN = {
    ("conquer", "10r 10r 1"): [
        "  attack        holds: nobody can force a win  <- best",
        "  defend, heal  holds as well: nobody can force a win",
    ],
    ("tower", "12 14 1"): [
        "After your attack they stand at 11, 4 short of 15: they reach it exactly next turn.",
        "  attack            loses in 2 moves, they answer build 4  <- best",
        "  build 1, build 2  loses in 2 moves as well, they answer build 1",
    ],
    ("tower", "0 4 1"): [
        "Every move loses if they play well; attack holds out longest, for 22 moves.",
        "After that they outbuild your attacks: each knocks off 3, they build 4 and come nearer to 15 (5, then 6).",
    ],
    ("secret", "100 95 10 5"): [
        "5: whatever they pick, you win in the end; with 9, 8, 7 or 6 you do too.",
        "They may not repeat 5, so they cannot pick the same and put it off, as they could with another number.",
        "  5           worth 100 %  <- best",
        "  9, 8, 7, 6  worth 100 % as well",
    ],
    ("secret", "100 99 9 8"): [
        "10: whatever they pick, you give nothing away, nor with 8; nobody can force a win here.",
    ],
}


@pytest.mark.parametrize(("id", "at"), SHOWN)
def test_best_stands_at_what_is_advised_and_what_does_as_well_is_said_to(id: str, at: str) -> None:
    game = load(id)
    lines = hint(solution_for(game, game.book), game.read_position(game.book, at)).lines()
    assert [line for line in SHOWN[id, at] if line not in lines] == []


@pytest.mark.slow
@pytest.mark.parametrize("id", ROOMS)
def test_a_hint_has_one_best_unless_it_is_a_lot_and_it_fits_a_window(id: str) -> None:
    game = load(id)
    solution = solution_for(game, game.book)
    for state, seat in decisions(solution):
        given = weighed(solution, state, seat)
        marked = [line for line in given.lines() if line.endswith("<- best")]
        lot = [choice for choice in given.choices if choice.played]
        assert marked
        assert len(lot) == 1 or all(0 < choice.share < 1 for choice in lot)
        assert all(len(line) < 80 for line in marked), marked


@pytest.mark.parametrize(("id", "at"), [("conquer", "7h 4h 1"), ("energy", "3 1 1")])
def test_of_a_move_that_wins_at_once_nothing_more_is_said(id: str, at: str) -> None:
    game = load(id)
    assert len(hint(solution_for(game, game.book), game.read_position(game.book, at)).ideas) == 1


@pytest.mark.parametrize(("at", "answers"), [("7 8 9 6", "anything but 9"), ("23 24 9 1", "anything but 9")])
def test_answers_with_one_gap_are_named_by_the_gap(at: str, answers: str) -> None:
    game = load("secret")
    given = hint(solution_for(game, game.book), game.read_position(game.book, at), 0)
    assert given.why.endswith(f"if they pick {answers}, you are back in.")


def test_a_number_at_the_end_of_the_range_is_left_out_of_it() -> None:
    game = load("secret")
    for last, said in ((10, "from 1 to 9."), (1, "from 2 to 10."), (7, "from 1 to 10, but not 7.")):
        state = game.read_position(game.book, f"50 50 {last} 4")
        assert choices(game.book, state, 0) == f"Pick a whole number {said}"
    two = variant(game, ["highest=2"])
    assert choices(two, game.read_position(two, "50 50 2 1"), 0).endswith("from 1 to 2, but not 2.")

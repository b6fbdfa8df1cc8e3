"""Whatever the coach says of a choice in deck is so."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

import pytest

from choices_helper import Check, every_claim_is_so
from duelbook import load
from duelbook.coach.reasons import deed, reason
from duelbook.core import OVER, Deed
from duelbook.games.deck.rules import State as Cards
from duelbook.solving.library import solution_for
from duelbook.solving.solution import Solution


def faces(solution: Solution, state: Any) -> list[int]:
    """The cards that can come."""
    return [draw.face for draw in solution.draws(state)]


def deadly(solution: Solution, done: Deed, state: Any, seat: int) -> list[int]:
    """The cards with which whoever draws now can end it at once against a seat, by dealing each and attacking."""
    game, rules = solution.game, solution.rules
    found = []
    for face in faces(solution, state):
        after = game.apply(rules, game.deal(rules, state, face), 0)
        if game.turn(rules, after) == OVER and game.winner(rules, after) == 1 - seat:
            found.append(face)
    return found


def attacked(solution: Solution, done: Deed) -> Any:
    return solution.game.apply(solution.rules, done.before, 0)


def healed(solution: Solution, done: Deed) -> Any:
    return solution.game.apply(solution.rules, done.before, 1)


def best(solution: Solution, done: Deed) -> Any:
    return solution.game.apply(solution.rules, done.before, done.best)


def pairs(solution: Solution, done: Deed, lp: int) -> int:
    left = [face for face in range(1, 11) if done.before.left & 1 << face]
    return sum(sum(two) >= lp for two in combinations(left, 2))


def told_of_pairs(solution: Solution, done: Deed, now: int, healed: int) -> tuple[int, ...]:
    """The numbers of the sentence: of all pairs, and of none, it names no number."""
    deadly, total, fewer = (pairs(solution, done, lp) for lp in (now, 0, healed))
    assert fewer < deadly
    many = () if deadly == total else (deadly, total)
    return (now, *many, healed, *((fewer,) if fewer else ()))


SHARE = r"(?:(\d+) of the (\d+) cards|all (?=(\d+))(\d+) cards|the (?=(\d+))(\d+) card left)"
"""How many of how many cards: in each of the ways to say it, two numbers; both cards are read as all 2 of them."""
DECK: dict[str, Check] = {
    "wins_now": (
        r"They have (\d+) LP, and your (\d+) is enough: an attack wins at once\.",
        lambda s, d, n: (d.before.lp[d.foe], d.before.card) == n and s.game.turn(s.rules, attacked(s, d)) == OVER,
    ),
    "the_heal_gains_nothing": (
        r"(?:At (\d+) LP a heal gains nothing|Half of (\d+), rounded down, is 0: the heal gains nothing)\.",
        lambda s, d, n: d.move == 1 and healed(s, d).lp == d.before.lp,
    ),
    "the_heal_saves_from_nothing": (
        rf"Healed to (\d+) LP you still lose to {SHARE}.* on their next turn, "
        r"just as if you attacked\.",
        lambda s, d, n: (
            healed(s, d).lp[d.seat] == n[0]
            and len(deadly(s, d, healed(s, d), d.seat)) == n[1]
            and deadly(s, d, healed(s, d), d.seat) == deadly(s, d, attacked(s, d), d.seat)
            and len(faces(s, d.after)) == n[2]
        ),
    ),
    "they_may_kill_you": (
        rf"With (\d+) LP you lose to {SHARE}[^;]*?"
        r" on their next turn(?:; with (\d+) LP it would be (\d+|none))?\.",
        lambda s, d, n: (
            d.after.lp[d.seat] == n[0]
            and len(deadly(s, d, d.after, d.seat)) == n[1]
            and len(faces(s, d.after)) == n[2]
            and (len(n) < 4 or best(s, d).lp[d.seat] == n[3])
            and (len(n) < 4 or len(deadly(s, d, best(s, d), d.seat)) == (n[4] if len(n) > 4 else 0))
        ),
    ),
    "the_heal_saves": (
        r"Healed to (\d+) LP you live through (.*), which would win for them if you attacked\.",
        lambda s, d, n: d.move == 1 and d.after.lp[d.seat] == n[0],  # its cards are looked at below
    ),
    "the_heal_outlasts_pairs": (
        r"Two of their attacks take (\d+) LP with (?:(\d+) of the (\d+) pairs|every pair) of cards left, "
        r"and (\d+) LP with (\d+|none)\.",
        lambda s, d, n: (
            told_of_pairs(s, d, d.before.lp[d.seat], healed(s, d).lp[d.seat]) == n
            and any(face < n[0] for face in range(1, 11) if d.before.left & 1 << face)
        ),
    ),
    "brings_them_into_reach": (
        r"An attack brings them to (\d+) LP, where (.*) in the deck would finish them(?: too)?\.",
        lambda s, d, n: attacked(s, d).lp[d.foe] == n[0] > 0,  # its cards are looked at below
    ),
    "the_attack_takes_more": (
        r"The (\d+) takes (\d+) LP from them as an attack and gives you (\d+) as a heal\.",
        lambda s, d, n: (
            d.before.lp[d.foe] - attacked(s, d).lp[d.foe] == n[0] == n[1]
            and healed(s, d).lp[d.seat] - d.before.lp[d.seat] == n[2]
        ),
    ),
    "no_card_kills_you": (
        r"(?:No card of their next draw kills you at (\d+) LP|"
        r"At (\d+) LP the \d+, the (?:only|1) card left, cannot kill you): a heal can wait\.",
        lambda s, d, n: d.before.lp[d.seat] == n[0] and deadly(s, d, attacked(s, d), d.seat) == [],
    ),
}


def deck_positions(count: int) -> Iterator[tuple[Any, int]]:
    """Positions with a card drawn, and whose it is: few LP as often as many."""
    lots = Random(5)
    for _ in range(count):
        lp = (
            lots.choice((lots.randint(1, 10), lots.randint(1, 20))),
            lots.choice((lots.randint(1, 10), lots.randint(1, 20))),
        )
        cards = lots.sample(range(1, 11), lots.randint(1, 10))
        card, *left = cards
        yield Cards(lp, mover := lots.randint(0, 1), sum(1 << each for each in left), card), mover


@pytest.mark.slow
def test_whatever_is_said_of_any_choice_is_so() -> None:
    every_claim_is_so("deck", deck_positions(1200), DECK)


def test_the_cards_that_are_named_are_those_that_do_it() -> None:
    from duelbook.games.deck.reasons import brings_them_into_reach, the_heal_saves

    game = load("deck")
    solution = solution_for(game, game.book)
    said = Counter[str]()
    for state, seat in deck_positions(1200):
        for move in (0, 1):
            done = deed(solution, state, seat, move)
            if sentence := the_heal_saves(done):
                named = re.findall(r"the (\d+)", sentence)
                before = deadly(solution, done, attacked(solution, done), seat)
                now = deadly(solution, done, done.after, seat)
                assert [int(each) for each in named] == [each for each in before if each not in now]
                said["saves"] += 1
            if sentence := brings_them_into_reach(done):
                named = re.findall(r"the (\d+)", sentence)
                after = attacked(solution, done)
                lp = after.lp[1 - seat]
                # Each of them can still be there on one's own next turn: the other does not draw it for certain.
                for card in map(int, named):
                    dealt = [game.deal(game.book, after, face) for face in faces(solution, after)]
                    assert any(each.left & 1 << card for each in dealt), f"{state}: {sentence}"
                left = [face for face in range(1, 11) if state.left & 1 << face]
                assert [int(each) for each in named] == [each for each in left if lp <= each < state.lp[1 - seat]]
                said["reach"] += 1
    assert min(said["saves"], said["reach"]) > 10


def test_what_punishes_a_move_before_a_card_is_the_cards_that_end_it_or_the_worst_of_them() -> None:
    game = load("deck")
    solution = solution_for(game, game.book)

    def line(at: str, move: int) -> str:
        state = game.read_position(game.book, at)
        return reason(solution, state, game.turn(game.book, state), move).line

    assert line("6 3 1 3,4,8,9:2", 1) == "With an 8 or 9 they attack and win."
    assert line("1 19 1 1-3,6,8-10:7", 0) == "With any card they attack and win."
    assert line("17 8 1 3,4,6:1", 1) == "The worst card for you is a 6, they attack, and you win 84 %."
    assert line("7 4 1 1-3,5,6,8-10:4", 0) == "It wins at once."

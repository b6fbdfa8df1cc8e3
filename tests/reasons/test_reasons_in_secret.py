"""Whatever the coach says of a choice in secret is so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from choices_helper import Check, every_claim_is_so
from duelbook import load
from duelbook.coach.hint import hint
from duelbook.coach.reasons import reason
from duelbook.core import OVER, Deed, variant
from duelbook.games.secret.rules import State as Picks
from duelbook.solving.library import solution_at, solution_for
from duelbook.solving.solution import Solution
from slow_helper import first_now


def sign(done: Deed) -> int:
    return 1 if done.seat == 0 else -1


def value(solution: Solution, done: Deed, state: Any) -> float:
    return sign(done) * solution.value(state)


def standing(done: Deed, numbers: tuple[int, ...]) -> bool:
    """Whether these are the HP at which it was picked, one's own first."""
    return (done.before.hp[done.seat], done.before.hp[done.foe]) == numbers[:2]


def ahead(done: Deed, state: Any) -> int:
    return int(state.hp[done.seat] - state.hp[done.foe])


def pair(solution: Solution, done: Deed, state: Any, mine: int, theirs: int) -> Any:
    """Where two numbers lead."""
    picks = (mine - 1, theirs - 1) if done.seat == 0 else (theirs - 1, mine - 1)
    return solution.game.resolve(solution.rules, state, *picks)


def allowed(solution: Solution, state: Any, seat: int) -> list[int]:
    return [number for number in range(1, solution.rules.highest + 1) if number != state.last[seat]]


def beaten(solution: Solution, done: Deed, state: Any, theirs: int) -> bool:
    """Whether a number of theirs wins, whatever the other picks."""
    mine = allowed(solution, state, done.seat)
    return all(value(solution, done, pair(solution, done, state, each, theirs)) == -1 for each in mine)


LEVEL = r"(?:; with (\d+) you only draw level, and then (\d+) is theirs alone)?"


def only_draws_level(solution: Solution, done: Deed, state: Any, theirs: int, highest: tuple[int, ...]) -> bool:
    """Whether the highest number only draws level against this one, and the next turn is lost by its ban. The sentence
    says so wherever it could be asked."""
    if not highest:
        return bool(theirs != solution.rules.highest - 1)
    after = pair(solution, done, state, highest[0], theirs)
    return bool(
        highest == (solution.rules.highest,) * 2
        and ahead(done, after) == 0
        and highest[0] not in allowed(solution, after, done.seat)
        and highest[0] in allowed(solution, after, done.foe)
        and beaten(solution, done, after, highest[0])
    )


def they_draw_level_at_best(solution: Solution, done: Deed, state: Any) -> bool:
    """Whether one of the picks that win leaves them level at most, with fewer HP and the highest barred to them."""
    if solution.game.turn(solution.rules, state) == OVER:
        return True

    def holds(mine: int) -> bool:
        for theirs in allowed(solution, state, done.foe):
            after = pair(solution, done, state, mine, theirs)
            if value(solution, done, after) != 1 or ahead(done, after) < 0:
                return False
            barred = after.last[done.foe] == solution.rules.highest and after.last[done.seat] != solution.rules.highest
            if ahead(done, after) == 0 and not (barred and after.hp < done.before.hp):
                return False
        return True

    return any(holds(mine) for mine in allowed(solution, state, done.seat))


SECRET: dict[str, Check] = {
    "forfeits": (
        r"(\d+) was your last number, and whoever repeats their last number forfeits\.",
        lambda s, d, n: d.before.last[d.seat] == n[0] == d.move + 1 and s.game.winner(s.rules, d.after) == d.foe,
    ),
    "loses_the_last": (
        r"Against (\d+) your (\d+) loses (\d+) HP, and (\d+) is all you have\.",
        lambda s, d, n: (
            pair(s, d, d.before, n[1], n[0]) == d.after
            and s.game.winner(s.rules, d.after) == d.foe
            and n[0] - n[1] == n[2] >= n[3] == d.before.hp[d.seat]
        ),
    ),
    "takes_the_last": (
        r"Against (\d+) your (\d+) takes (\d+) HP, and (\d+) is all they have\.",
        lambda s, d, n: (
            pair(s, d, d.before, n[1], n[0]) == d.after
            and s.game.winner(s.rules, d.after) == d.seat
            and n[1] - n[0] == n[2] >= n[3] == d.before.hp[d.foe]
        ),
    ),
    "falls_two_behind": (
        r"Against (\d+) your (\d+) loses (\d+) HP: they are then (\d+) HP ahead, and two are enough to win\.",
        lambda s, d, n: (
            pair(s, d, d.before, n[1], n[0]) == d.after
            and d.before.hp[d.seat] - d.after.hp[d.seat] == n[2]
            and ahead(d, d.after) == -n[3] <= -2
            and value(s, d, d.after) == -1
        ),
    ),
    "gives_the_highest_away": (
        r"Against (\d+) you are level, but next they may pick (\d+) and you may not repeat it: that decides\.",
        lambda s, d, n: ahead(d, d.after) == 0 and beaten(s, d, d.after, n[1]) and d.after.last[d.seat] == n[1],
    ),
    "one_behind_and_unable_to_match": (
        r"Against (\d+) you are one HP behind and cannot repeat (\d+): they pick (\d+) next, and you cannot match it"
        rf"{LEVEL}\.",
        lambda s, d, n: (
            ahead(d, d.after) == -1
            and n[1] == n[2] == d.move + 1
            and beaten(s, d, d.after, n[1])
            and only_draws_level(s, d, d.after, n[1], n[3:])
        ),
    ),
    "keeps_too_little": (
        r"Against (\d+) your (\d+) leaves you "
        r"(?:(?:level|(\d+) HP ahead), and that is not enough to win|(\d+) HP behind: the win is gone)\.",
        lambda s, d, n: (
            -1 < value(s, d, d.after) < 1
            and abs(ahead(d, d.after)) == (n[2] if len(n) > 2 else 0)
            and (ahead(d, d.after) >= 0 or value(s, d, d.before) == 1)
        ),
    ),
    "they_cannot_match": (
        r"One HP ahead you win if the numbers differ, and they may not repeat (\d+): they cannot match it\.",
        lambda s, d, n: (
            ahead(d, d.before) == 1
            and all(value(s, d, pair(s, d, d.before, n[0], each)) == 1 for each in allowed(s, d.before, d.foe))
            and n[0] == d.move + 1
        ),
    ),
    "they_cannot_answer_the_highest": (
        r"Level at (\d+) HP, and they may not repeat (\d+): pick it, and you are ahead; "
        r"at best they draw level again, on fewer HP and with (\d+) barred to them once more\.",
        lambda s, d, n: (
            d.before.hp == (n[0], n[0])
            and n[1] == n[2]
            and all(
                ahead(d, after) >= 1 and value(s, d, after) == 1 and they_draw_level_at_best(s, d, after)
                for after in (pair(s, d, d.before, n[1], each) for each in allowed(s, d.before, d.foe))
            )
        ),
    ),
    "a_foreseen_pick_is_matched": (
        r"One HP (?:ahead you win if the numbers differ and not if both pick the same"
        r"|behind you are saved if both pick the same), (\d+) or (\d+)(?:, and lost if not)?: do not be foreseen\.",
        lambda s, d, n: (
            all(value(s, d, pair(s, d, d.before, each, each)) == 0 for each in n)
            and all(
                value(s, d, pair(s, d, d.before, *two)) == ahead(d, d.before) for two in ((n[0], n[1]), (n[1], n[0]))
            )
            and {each + 1 for each, share in enumerate(s.plan(d.before, d.seat)) if share > 0} == set(n)
        ),
    ),
    "two_ahead_is_enough": (
        r"With (\d+) HP to their (\d+) you are (\d+) HP ahead, and two are enough to win\.",
        lambda s, d, n: standing(d, n) and n[0] - n[1] == n[2] >= 2 and value(s, d, d.before) == 1,
    ),
    "they_cannot_put_it_off": (
        r"They may not repeat (\d+), so they cannot pick the same and put it off, as they could with another number\.",
        lambda s, d, n: (
            n[0] == d.move + 1 not in allowed(s, d.before, d.foe)
            and all(pair(s, d, d.before, n[0], each).hp != d.before.hp for each in allowed(s, d.before, d.foe))
            and all(
                after.hp == d.before.hp and value(s, d, after) == 1
                for after in (
                    pair(s, d, d.before, each, each)
                    for each in {*allowed(s, d.before, d.seat)} & {*allowed(s, d.before, d.foe)}
                )
            )
        ),
    ),
    "a_foreseen_pick_puts_it_off": (
        r"If they foresee your (\d+) they pick it as well, and put it off: do not be foreseen\.",
        lambda s, d, n: (
            n[0] == d.move + 1
            and n[0] in allowed(s, d.before, d.foe)
            and pair(s, d, d.before, n[0], n[0]).hp == d.before.hp
            and sum(share > 0 for share in s.plan(d.before, d.seat)) > 1
        ),
    ),
    "they_are_two_ahead": (
        r"With (\d+) HP to their (\d+) they are (\d+) HP ahead, and two are enough to win\.",
        lambda s, d, n: standing(d, n) and n[1] - n[0] == n[2] >= 2 and value(s, d, d.before) == -1,
    ),
    "they_have_the_highest": (
        r"Level at (\d+) HP, but they may pick (\d+) and you may not repeat it: that is a hit ahead\.",
        lambda s, d, n: (
            d.before.hp == (n[0], n[0])
            and beaten(s, d, d.before, n[1])
            and all(
                pair(s, d, d.before, each, n[1]).hp[d.seat] < d.before.hp[d.seat]
                for each in allowed(s, d.before, d.seat)
            )
        ),
    ),
    "you_cannot_match": (
        rf"One HP behind you have to match their number, and they pick (\d+), which you may not repeat{LEVEL}\.",
        lambda s, d, n: (
            ahead(d, d.before) == -1
            and n[0] not in allowed(s, d.before, d.seat)
            and beaten(s, d, d.before, n[0])
            and only_draws_level(s, d, d.before, n[0], n[1:])
        ),
    ),
    "is_the_highest_there_is": (
        r"The highest you may pick is (\d+): against any number it deals the most and takes the least\.",
        lambda s, d, n: all(
            ahead(d, pair(s, d, d.before, n[0], theirs)) >= ahead(d, pair(s, d, d.before, mine, theirs))
            for mine in allowed(s, d.before, d.seat)
            for theirs in allowed(s, d.before, d.foe)
        ),
    ),
    "nothing_beats_it_and_the_highest_is_kept": (
        r"While they may not repeat (\d+) nothing beats (\d+), and you still have (\d+) for the turn after, "
        r"when they may pick it again\.",
        lambda s, d, n: (
            n[0] == n[2] not in allowed(s, d.before, d.foe)
            and n[1] == d.move + 1 >= max(allowed(s, d.before, d.foe))
            and all(
                s.game.turn(s.rules, after) == OVER or {n[0]} <= {*allowed(s, after, 0)} & {*allowed(s, after, 1)}
                for after in (pair(s, d, d.before, n[1], each) for each in allowed(s, d.before, d.foe))
            )
        ),
    ),
}


@pytest.mark.parametrize(
    ("where", "seat", "number", "rule"),
    [
        ("100 100 9 7", 0, 9, "double_forfeit=draw"),
        ("100 100 9 7", 1, 7, "double_forfeit=void"),
        ("1 5 - 1", 0, 1, "double_forfeit=draw"),
    ],
)
def test_what_loses_to_every_pick_that_is_allowed_may_not_lose_to_one_that_is_none(
    where: str, seat: int, number: int, rule: str
) -> None:
    """Both may forfeit, and then nobody has lost: so it is not said that they win whatever they pick."""
    game = load("secret")
    rules = variant(game, [rule])
    state = game.read_position(rules, where)
    why = reason(solution_at(game, rules, state), state, seat, number - 1)
    assert why.line == "You lose at once to every pick they are allowed."
    theirs = state.last[1 - seat] - 1
    picks = (number - 1, theirs) if seat == 0 else (theirs, number - 1)
    after = game.resolve(rules, state, *picks)
    assert game.turn(rules, after) != OVER or game.winner(rules, after) != 1 - seat


def secret_positions(count: int) -> Iterator[tuple[Any, int]]:
    """Positions of every kind: close ones, few HP, and high last numbers oftener than chance has them."""
    lots = Random(7)
    for _ in range(count):
        mine = lots.choice((lots.randint(1, 12), lots.randint(1, 100)))
        theirs = min(100, max(1, mine + lots.choice((0, 0, 1, -1, 1, -1, 2, -2, lots.randint(-99, 99)))))
        last = lots.choice((9, 10, lots.randint(1, 10))), lots.choice((9, 10, lots.randint(1, 10)))
        yield Picks((mine, theirs), last), lots.randint(0, 1)


@pytest.mark.slow
def test_whatever_is_said_of_any_choice_is_so() -> None:
    every_claim_is_so("secret", secret_positions(700), SECRET)


def test_in_secret_who_is_ahead_is_all_there_is_to_know() -> None:
    """What the reasons of secret rest on, as a formula: two HP win; one HP and level positions go by who may match."""
    game = load("secret")
    solution = solution_for(game, game.book)
    for state, _ in secret_positions(3000):
        lead, (mine, theirs) = ahead_of(state), state.last
        if abs(lead) >= 2:
            expected = 1.0 if lead > 0 else -1.0
        elif lead == 0:
            expected = float((theirs == 10) - (mine == 10))
        else:
            leader, other = (mine, theirs) if lead > 0 else (theirs, mine)
            free = leader not in (9, 10) and other not in (9, 10)
            expected = lead * (0.5 if free else float(other in (9, 10) and leader != other))
        assert solution.value(state) == pytest.approx(expected, abs=1e-9), state


def ahead_of(state: Any) -> int:
    return int(state.hp[0] - state.hp[1])


@pytest.mark.parametrize("highest", first_now([2, 3, 5], 2))
def test_two_are_enough_is_said_only_where_they_are(highest: int) -> None:
    game = load("secret")
    rules = variant(game, ("hp=7", f"highest={highest}"))
    solution = solution_at(game, rules, game.start(rules, 0))
    enough, said = True, 0
    for place in range(len(solution.table)):
        if solution.known(place) is None:
            continue
        state = solution.position(place)
        if game.turn(rules, state) == OVER:
            continue
        if abs(ahead_of(state)) >= 2:
            enough = enough and solution.value(state) == (1 if ahead_of(state) > 0 else -1)
        for seat in (0, 1):
            said += any("two are enough" in idea for idea in hint(solution, state, seat).ideas)
    assert enough == (highest > 2) == bool(said)


def test_what_punishes_a_pick_is_named() -> None:
    game = load("secret")
    solution = solution_for(game, game.book)
    why = reason(solution, Picks((98, 96), (9, 7)), 0, 4)
    assert why.reply == "10"
    assert why.lines() == [
        "They answer 10, and you lose in the end.",
        "Against 10 your 5 loses 5 HP: they are then 3 HP ahead, and two are enough to win.",
    ]


RECOMMENDED = (
    r"rather pick (\d+)\.",
    r"nothing beats (\d+),",
    r"The highest you may pick is (\d+):",
    r"may not repeat (\d+): (?:pick it|they cannot match it)",
    r"may not repeat (\d+), so they cannot pick the same",
    r"your (\d+) takes",
)
"""How a sentence speaks for a pick, and where it names it."""


@pytest.mark.parametrize("settings", first_now([("hp=5", "highest=4"), ("hp=8",), ("hp=6", "highest=3")], 1))
def test_no_pick_that_is_advised_against_is_recommended(settings: tuple[str, ...]) -> None:
    """Of every pick that perfect play does not punish and a perfect player does not make, at every position."""
    game = load("secret")
    rules = variant(game, settings)
    solution = solution_at(game, rules, game.start(rules, 0))
    asked = advised = 0
    for place in range(len(solution.table)):
        state = solution.position(place) if solution.known(place) is not None else None
        if state is None or game.turn(rules, state) == OVER:
            continue
        for seat in (0, 1):
            plan = solution.plan(state, seat)
            better = {str(pick + 1) for pick, share in enumerate(plan) if share > 0}
            for pick in game.legal_moves(rules, state, seat):
                if plan[pick] > 0 or solution.loss(state, seat, pick) > 1e-9:
                    continue
                said = " ".join(reason(solution, state, seat, pick, "Against level 4").ideas)
                named = {number for shape in RECOMMENDED for number in re.findall(shape, said)}
                where = game.write_position(rules, state), seat, pick + 1, said
                assert said, where
                assert named <= better, where
                asked, advised = asked + 1, advised + bool(named)
    assert asked > 100
    assert advised >= 0.999 * asked, "a pick that is better has a reason"


def test_what_a_better_pick_has_for_itself_is_what_the_hint_says() -> None:
    """Both read after the picks, when the screen shows other HP: the moment is named."""
    game = load("secret")
    rules = variant(game, ("hp=8",))
    state = game.read_position(rules, "6 8 8 10")
    solution = solution_at(game, rules, state)
    behind, beats = hint(solution, state, 0).ideas
    assert behind == "With 6 HP to their 8 they are 2 HP ahead, and two are enough to win."
    assert reason(solution, state, 0, 9, "Against level 4").ideas == (behind, f"Against level 4 rather pick 9. {beats}")

"""Whatever the coach says of a move in energy is so."""

from __future__ import annotations

from typing import Any

import pytest

from duelbook import load
from duelbook.coach.coach import Coach
from duelbook.coach.hint import hint
from duelbook.match import Match
from reasons_helper import (
    Case,
    Check,
    case_won,
    every_claim_is_so,
    every_slip_is_explained,
    nothing_speaks_for_what_is_advised_against,
)


def energy(case: Case, state: Any) -> tuple[int, int]:
    return state.energy[case.me], state.energy[case.foe]


def paid(case: Case, before: Any, after: Any, seat: int) -> int:
    return int(before.energy[seat] - after.energy[seat])


def names_the_move(case: Case) -> bool:
    """Whether the sentence begins with the move that it is about."""
    return case.sentence.split()[1] == {"defend": "defense"}.get(case.word, case.word)


FATES = {-1: "loses", 0: "holds", 1: "wins"}


def balances(case: Case) -> bool:
    game, rules = case.solution.game, case.solution.rules
    best = game.apply(rules, case.done.before, case.done.best)
    sign = 1 if case.me == 0 else -1
    return (*energy(case, case.done.after), *energy(case, best)) == case.numbers and sign * case.solution.value(
        case.done.after
    ) < sign * case.solution.value(best)


LITTLE = r"(?:only ([1-9]\d*)|nothing)"
"""What an attack takes where that is not much: of nothing there is no number."""
ENERGY: dict[str, Check] = {
    "wins_now": (
        r"They have (\d+) energy and an attack takes (\d+)(?: through their defense)?: "
        r"it empties them and wins at once\.",
        lambda c: (
            empties(c, c.done.before, c.foe)
            and energy(c, c.done.before)[1] == c.numbers[0]
            and c.won_by(c.moves(c.done.before)["attack"], c.me)
        ),
    ),
    "they_have_nothing_left": (
        r"They have 0 energy, and whoever begins a turn with 0 has lost\.",
        lambda c: (
            energy(c, c.done.before)[1] == 0
            and case_won(c)
            and c.done.after.mover == c.foe
            and energy(c, c.done.after)[1] == 0
        ),
    ),
    "spends_the_last": (
        r"Paying (\d+) leaves you with 0 energy, and (?:that loses at once|whoever begins a turn with 0 has lost)\.",
        lambda c: (
            c.loses(c.done.after)
            and paid(c, c.done.before, c.done.after, c.me) == c.numbers[0] > 0
            and energy(c, c.done.after)[0] == 0
            and ("at once" in c.sentence) == c.won_by(c.done.after, c.foe) != c.wins_next(c.done.after)
        ),
    ),
    "they_finish_you": (
        r"(?:An attack|A defense|A pass) leaves you with (\d+) energy, and their attack takes (\d+)"
        r"(?:, even through your defense)?: they empty you next turn\.",
        lambda c: (
            names_the_move(c)
            and empties(c, c.done.after, c.me)
            and energy(c, c.done.after)[0] == c.numbers[0]
            and c.wins_next(c.done.after)
            and c.won_by(c.moves(c.done.after)["attack"], c.foe)
        ),
    ),
    "a_defense_would_have_saved_you": (
        rf"Behind a defense their attack takes {LITTLE}, and you live through it\.",
        lambda c: (
            paid(
                c,
                c.moves(c.done.before)["defend"],
                c.moves(c.moves(c.done.before)["defend"])["attack"],
                c.me,
            )
            == (*c.numbers, 0)[0]
            and energy(c, c.moves(c.moves(c.done.before)["defend"])["attack"])[0] > 0
        ),
    ),
    "makes_them_broke": (
        r"An attack leaves them (\d+) energy, and theirs costs (\d+): they are too broke to attack\.",
        lambda c: (
            names_the_move(c) and energy(c, c.done.after)[1] == c.numbers[0] and "attack" not in c.moves(c.done.after)
        ),
    ),
    "is_broke": (
        r"With (\d+) energy you (?:can no longer|cannot) attack, which costs (\d+)\.",
        lambda c: (
            energy(c, c.done.after)[0] == c.numbers[0]
            and all("attack" not in c.moves(each) for each in c.moves(c.done.after).values())
        ),
    ),
    "does_not_pay_through_a_defense": (
        rf"Through their defense an attack costs you (\d+) and takes {LITTLE}\.",
        lambda c: (
            paid(c, c.done.before, c.done.after, c.me) == c.numbers[0] > (*c.numbers, 0)[1]
            and paid(c, c.done.before, c.done.after, c.foe) == (*c.numbers, 0)[1]
            and c.done.before.guarded
        ),
    ),
    "an_open_attack_pays": (
        r"No defense of theirs stands: an attack costs (\d+) and takes (\d+)\.",
        lambda c: (
            paid(c, c.done.before, c.moves(c.done.before)["attack"], c.foe) == c.numbers[1] > c.numbers[0]
            and paid(c, c.done.before, c.moves(c.done.before)["attack"], c.me) == c.numbers[0]
            and not c.done.before.guarded
        ),
    ),
    "a_defense_spoils_their_attack": (
        r"A defense costs (\d+) and saves (\d+): attacking into it they pay (\d+) and take (\d+)\.",
        lambda c: (
            paid(c, c.done.before, c.moves(c.done.before)["defend"], c.me) == c.numbers[0]
            and spoiled(c, c.moves(c.done.before)["defend"])
        ),
    ),
    "another_balance_is_better": (
        r"With their turn to come, (\d+)(?: behind a defense)? against their (\d+) (?:loses|holds); "
        r"(\d+)(?: behind a defense)? against their (\d+) (?:holds|wins)\.",
        balances,
    ),
}


def empties(case: Case, state: Any, seat: int) -> bool:
    """Whether an attack takes the last of what this player has: something before it and nothing after it."""
    after = case.moves(state).get("attack")
    return after is not None and state.energy[seat] > 0 == after.energy[seat] and state.energy[seat] <= case.numbers[1]


def spoiled(case: Case, behind: Any) -> bool:
    """What an attack into the defense comes to, and what the same attack takes where there is none."""
    after = case.moves(behind)["attack"]
    bare = behind._replace(energy=case.done.before.energy, guarded=0)
    saved = paid(case, bare, case.moves(bare)["attack"], case.me) - paid(case, behind, after, case.me)
    return (saved, paid(case, behind, after, case.foe), paid(case, behind, after, case.me)) == case.numbers[1:]


RULES: list[tuple[str, ...]] = [
    (),
    ("zero=now",),
    ("both_empty=defender",),
    ("both_empty=draw", "may_pass=always"),
    ("may_pass=never",),
    ("attack_cost=3", "damage=4", "defend_cost=2", "guard=3"),
    ("damage=0",),
    ("guard=0", "zero=now"),
    ("attack_cost=0", "both_empty=defender"),
    ("energy=7", "damage=6", "guard=9", "defend_cost=3"),
]


@pytest.mark.parametrize("settings", RULES)
def test_whatever_is_said_of_any_move_is_so(settings: tuple[str, ...]) -> None:
    every_claim_is_so("energy", settings, ENERGY)


def test_every_slip_has_an_idea_and_a_line_that_the_table_confirms() -> None:
    every_slip_is_explained("energy")


def test_a_slip_against_this_opponent_alone_is_answered_with_what_the_hint_says() -> None:
    """Under perfect play the start is lost, whatever is played; against a level it is not."""
    game = load("energy")
    match = Match(game)
    coach = Coach(match, ("human", "level:3"))
    coach.find_odds()
    why = hint(coach.solution, match.state).ideas[0]
    match.play(0, 0)
    (remark,) = coach.remarks()
    assert remark.why[1:] == (f"Against level 3 rather defend. {why}",), "what is better is said once"


def test_nothing_speaks_for_a_move_that_is_advised_against() -> None:
    """Where all is lost an attack that leaves them broke is not praised, if a defense holds out longer."""
    nothing_speaks_for_what_is_advised_against("energy")

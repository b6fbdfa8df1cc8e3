"""Whatever the coach says of a move in conquer is so."""

from __future__ import annotations

from typing import Any

import pytest

from reasons_helper import Case, Check, case_won, every_claim_is_so, every_slip_is_explained


def hp(case: Case, state: Any) -> tuple[int, int]:
    return state.hp[case.me], state.hp[case.foe]


def drop(case: Case, before: Any, after: Any, seat: int) -> int:
    return int(before.hp[seat] - after.hp[seat])


CONQUER: dict[str, Check] = {
    "wins_now": (
        r"They have (\d+) HP(?: and are .*)?: an attack deals (\d+) and wins at once\.",
        lambda c: (
            c.won_by(c.moves(c.done.before)["attack"], c.me)
            and hp(c, c.done.before)[1] == c.numbers[0]
            and drop(c, c.done.before, c.moves(c.done.before)["attack"], c.foe) == c.numbers[1]
        ),
    ),
    "they_kill_you": (
        r"It leaves you with (\d+) HP(?:, .*)?: their next attack deals (\d+) and wins\.",
        lambda c: (
            c.wins_next(c.done.after)
            and hp(c, c.done.after)[0] == c.numbers[0]
            and c.won_by(c.moves(c.done.after)["attack"], c.foe)
            and drop(c, c.done.after, c.moves(c.done.after)["attack"], c.me) == c.numbers[1]
        ),
    ),
    "only_a_defend_stops_it": (
        r"Their next attack would win; only a Defend stops it, and then it does nothing\.",
        lambda c: (
            {word for word, after in c.moves(c.done.before).items() if not c.wins_next(after)} == {"defend"}
            and all(
                drop(c, c.moves(c.done.before)["defend"], after, c.me) == 0
                for word, after in c.moves(c.moves(c.done.before)["defend"]).items()
                if word == "attack"
            )
        ),
    ),
    "an_attack_is_blocked": (
        r"They are defending, so an attack does nothing\.",
        lambda c: c.word == "attack" and c.done.before.hp == c.done.after.hp,
    ),
    "a_defend_forbids_the_next_attack": (
        r"A Defend costs the tempo too: on your next turn you may not attack\.",
        lambda c: (
            c.word == "defend"
            and all("attack" not in c.moves(each) for each in c.moves(c.done.after).values() if c.moves(each))
        ),
    ),
    "hits_while_exposed": (
        r"They are exposed by their heal: an attack deals (\d+) now and not (\d+)\.",
        lambda c: (
            c.word == "attack"
            and not case_won(c)
            and drop(c, c.done.before, c.done.after, c.foe) == c.numbers[0] != c.numbers[1]
        ),
    ),
    "a_heal_is_covered": (
        r"Straight after your Defend the heal is covered: an attack deals (\d+) and not (\d+)\.",
        lambda c: (
            c.word == "heal"
            and all(
                drop(c, c.done.after, after, c.me) == c.numbers[0]
                for word, after in c.moves(c.done.after).items()
                if word == "attack"
            )
        ),
    ),
    "they_cannot_attack": (
        r"They have just defended and cannot attack on their next turn\.",
        lambda c: "attack" not in c.moves(c.done.after),
    ),
    "a_heal_exposes": (
        r"A heal now would gain (\d+) HP and leave you exposed: their attack would deal (\d+)\.",
        lambda c: (
            drop(c, c.done.before, c.moves(c.done.before)["heal"], c.me) == -c.numbers[0]
            and drop(c, c.moves(c.done.before)["heal"], c.moves(c.moves(c.done.before)["heal"])["attack"], c.me)
            == c.numbers[1]
        ),
    ),
}


RULES: list[tuple[str, ...]] = [
    (),
    ("covered_heal=false",),
    ("hp=6", "damage=1", "exposed_damage=3", "healing=2"),
]


@pytest.mark.parametrize("settings", RULES)
def test_whatever_is_said_of_any_move_is_so(settings: tuple[str, ...]) -> None:
    every_claim_is_so("conquer", settings, CONQUER)


def test_every_slip_has_an_idea_and_a_line_that_the_table_confirms() -> None:
    every_slip_is_explained("conquer")

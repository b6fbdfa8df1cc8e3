"""Whatever the coach says of a move in conquer is so."""

from __future__ import annotations

from typing import Any

import pytest

from duelbook import load
from duelbook.coach.hint import hint
from duelbook.coach.reasons import reason
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
from slow_helper import first_now


def hp(case: Case, state: Any) -> tuple[int, int]:
    return state.hp[case.me], state.hp[case.foe]


def drop(case: Case, before: Any, after: Any, seat: int) -> int:
    return int(before.hp[seat] - after.hp[seat])


CONQUER: dict[str, Check] = {
    "wins_now": (
        r"They have (\d+) HP(?: and are .*)?: your attack deals (\d+) and wins at once\.",
        lambda c: (
            c.won_by(c.moves(c.done.before)["attack"], c.me)
            and hp(c, c.done.before)[1] == c.numbers[0]
            and drop(c, c.done.before, c.moves(c.done.before)["attack"], c.foe) == c.numbers[1]
        ),
    ),
    "they_kill_you": (
        r"(?:An attack|A Defend|A heal) leaves you with (\d+) HP(?:, .*)?: their next attack deals (\d+) and wins\.",
        lambda c: (
            c.sentence.split()[1].lower() == c.word
            and c.wins_next(c.done.after)
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
    "an_attack_waits": (
        r"They are defending, so an attack only passes the turn(?:; they cannot attack on their next one)?\."
        r"(?: A heal would hold as well, and gain (\d+) HP\.)?",
        lambda c: (
            c.word == "attack"
            and c.done.before.hp == c.done.after.hp
            and "attack" not in c.moves(c.done.after)
            and c.solution.value(c.done.after) == c.solution.value(c.done.before)
            and all(
                drop(c, c.done.before, c.moves(c.done.before)["heal"], c.me) == -gain
                and c.solution.value(c.moves(c.done.before)["heal"]) == c.solution.value(c.done.after)
                for gain in c.numbers
            )
        ),
    ),
    "a_heal_gains_nothing": (
        r"(?:With (\d+) HP there is nothing to heal|By these rules a heal gives nothing back): the turn is gone\.",
        lambda c: (
            c.word == "heal"
            and c.done.before.hp == c.done.after.hp
            and c.numbers == ((hp(c, c.done.before)[0],) if c.solution.rules.healing else ())
        ),
    ),
    "a_heal_leaves_you_exposed": (
        r"A heal leaves you exposed: their next attack deals (\d+) and not (\d+)\.",
        lambda c: (
            c.word == "heal"
            and not c.wins_next(c.done.after)
            and drop(c, c.done.after, c.moves(c.done.after)["attack"], c.me) == c.numbers[0] > c.numbers[1]
        ),
    ),
    "a_defend_stops_nothing": (
        r"They cannot attack on their next turn, so a Defend stops nothing; "
        r"and on your own next one you may not attack\.",
        lambda c: (
            c.word == "defend"
            and "attack" not in c.moves(c.done.after)
            and all("attack" not in c.moves(each) for each in c.moves(c.done.after).values())
        ),
    ),
    "a_defend_costs_the_tempo": (
        r"A Defend stops their next attack, but on your own next turn you may not attack\.",
        lambda c: (
            c.word == "defend"
            and drop(c, c.done.after, c.moves(c.done.after)["attack"], c.me) == 0
            and all("attack" not in c.moves(each) for each in c.moves(c.done.after).values())
        ),
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
    "a_heal_frees_the_attack": (
        r"After a heal you may attack again; after another Defend you may not\.",
        lambda c: (
            c.word == "heal"
            and all("attack" in c.moves(each) for each in c.moves(c.done.after).values())
            and all("attack" not in c.moves(each) for each in c.moves(c.moves(c.done.before)["defend"]).values())
        ),
    ),
    "they_cannot_attack": (
        r"They have just defended and cannot attack on their next turn: a heal is safe now\.",
        lambda c: (
            c.word == "heal"
            and "attack" not in c.moves(c.done.after)
            # Exposed or not, the next blow after that can only come once the status is another one.
            and all(c.foe != c.solution.game.turn(c.solution.rules, each) for each in c.moves(c.done.after).values())
        ),
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
    ("healing=0",),
]


@pytest.mark.slow
@pytest.mark.parametrize("settings", first_now(RULES))
def test_whatever_is_said_of_any_move_is_so(settings: tuple[str, ...]) -> None:
    every_claim_is_so("conquer", settings, CONQUER)


def test_of_every_move_there_is_something_to_say() -> None:
    """A move that keeps the value can still throw away the chance against this opponent: whoever asks is shown why."""
    solution = solved("conquer", ())
    for done in every_move(solution):
        assert reason(solution, done.before, done.seat, done.move, "Against level 3").ideas, (done.before, done.move)


def test_a_move_is_never_praised_and_called_useless_at_once() -> None:
    """An attack on a defender was said to ask the most of them, and to do nothing."""
    game = load("conquer")
    for at in ("10r 8d 1", "5r 4d 1", "10c 9d 1"):
        lines = hint(solved("conquer", ()), game.read_position(game.book, at)).lines()
        assert "this one does best against somebody who errs" in lines[0]
        assert "only passes the turn" in lines[1]
        assert "does nothing" not in " ".join(lines)


@pytest.mark.slow
def test_every_slip_has_an_idea_and_a_line_that_the_table_confirms() -> None:
    every_slip_is_explained("conquer")


def test_nothing_speaks_for_a_move_that_is_advised_against() -> None:
    """At `3r 1d 1` a heal was told that it is safe, as a reason why level 4 is rather attacked."""
    nothing_speaks_for_what_is_advised_against("conquer")

"""Every reason that the coach gives is so: each sentence is read again and held against the tables and a plain search.

The checks know nothing of the functions that speak: they read the numbers out of the sentence, and ask the solution
(how many plies to the end, who wins) or try every move.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from duelbook import load
from duelbook.coach.reasons import MOST_SHOWN, deed, reason
from duelbook.core import OVER, Deed, variant
from duelbook.solving.library import solution_at
from duelbook.solving.solution import Solution


class Case(NamedTuple):
    """A move of a position, and what was said of it."""

    solution: Solution
    done: Deed
    numbers: tuple[int, ...]
    sentence: str = ""

    @property
    def me(self) -> int:
        return self.done.seat

    @property
    def foe(self) -> int:
        return 1 - self.done.seat

    def moves(self, state: Any) -> dict[str, Any]:
        """Where every legal move of the player to move leads, by its word."""
        game, rules = self.solution.game, self.solution.rules
        words = game.dialogue.words(rules)
        turn = game.turn(rules, state)
        if turn == OVER:
            return {}
        return {words[move]: game.apply(rules, state, move) for move in game.legal_moves(rules, state, turn)}

    def wins_next(self, state: Any) -> bool:
        """Whether the player to move can end it in their favour at once: one ply in the table."""
        turn = self.solution.game.turn(self.solution.rules, state)
        sign = 1 if turn == 0 else -1
        return turn != OVER and self.solution.plies(state) == 1 and sign * self.solution.value(state) == 1

    def won_by(self, state: Any, seat: int) -> bool:
        game, rules = self.solution.game, self.solution.rules
        return game.turn(rules, state) == OVER and game.winner(rules, state) == seat

    def loses(self, state: Any) -> bool:
        return self.solution.value(state) == (-1 if self.me == 0 else 1)

    def wins(self, state: Any) -> bool:
        return self.solution.value(state) == (1 if self.me == 0 else -1)

    @property
    def word(self) -> str:
        return self.solution.game.dialogue.words(self.solution.rules)[self.done.move]


Check = tuple[str, Callable[[Case], bool]]
"""The shape of a sentence, with its numbers, and what must be so where it is said."""


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
        r"They stand at (\d+), (\d+) short of (\d+): they reach it exactly next turn\.",
        lambda c: c.wins_next(c.done.after) and c.won_by(c.moves(c.done.after)[f"build {c.numbers[1]}"], c.foe),
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
        r"Knocking off (\d+) is too slow: they build (\d+) each time and still come nearer to (\d+) "
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
    "another_race_is_won": (
        r"With their turn to come, (\d+) against their (\d+) is a lost race and (\d+) against their (\d+) a won one\.",
        lambda c: (
            c.loses(c.done.after)
            and towers(c, c.done.after) == c.numbers[:2]
            and any(towers(c, each) == c.numbers[2:] and c.wins(each) for each in c.moves(c.done.before).values())
        ),
    ),
}


def case_won(case: Case) -> bool:
    return case.won_by(case.done.after, case.me)


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


def energy(case: Case, state: Any) -> tuple[int, int]:
    return state.energy[case.me], state.energy[case.foe]


def paid(case: Case, before: Any, after: Any, seat: int) -> int:
    return int(before.energy[seat] - after.energy[seat])


FATES = {-1: "loses", 0: "holds", 1: "wins"}


def balances(case: Case) -> bool:
    game, rules = case.solution.game, case.solution.rules
    best = game.apply(rules, case.done.before, case.done.best)
    sign = 1 if case.me == 0 else -1
    return (*energy(case, case.done.after), *energy(case, best)) == case.numbers and sign * case.solution.value(
        case.done.after
    ) < sign * case.solution.value(best)


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
        r"It leaves you with (\d+) energy, and their attack takes (\d+)(?:, even through your defense)?: "
        r"they empty you next turn\.",
        lambda c: (
            empties(c, c.done.after, c.me)
            and energy(c, c.done.after)[0] == c.numbers[0]
            and c.wins_next(c.done.after)
            and c.won_by(c.moves(c.done.after)["attack"], c.foe)
        ),
    ),
    "a_defense_would_have_saved_you": (
        r"Behind a defense their attack takes only (\d+), and you live through it\.",
        lambda c: (
            paid(
                c,
                c.moves(c.done.before)["defend"],
                c.moves(c.moves(c.done.before)["defend"])["attack"],
                c.me,
            )
            == c.numbers[0]
            and energy(c, c.moves(c.moves(c.done.before)["defend"])["attack"])[0] > 0
        ),
    ),
    "makes_them_broke": (
        r"It leaves them (\d+) energy, and an attack costs (\d+): they are too broke to attack\.",
        lambda c: energy(c, c.done.after)[1] == c.numbers[0] and "attack" not in c.moves(c.done.after),
    ),
    "is_broke": (
        r"With (\d+) energy you (?:can no longer|cannot) attack, which costs (\d+)\.",
        lambda c: (
            energy(c, c.done.after)[0] == c.numbers[0]
            and all("attack" not in c.moves(each) for each in c.moves(c.done.after).values())
        ),
    ),
    "does_not_pay_through_a_defense": (
        r"Through their defense an attack costs you (\d+) and takes only (\d+)\.",
        lambda c: (
            paid(c, c.done.before, c.done.after, c.me) == c.numbers[0] > c.numbers[1]
            and paid(c, c.done.before, c.done.after, c.foe) == c.numbers[1]
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


CHECKS = {"tower": TOWER, "conquer": CONQUER, "energy": ENERGY}
RULES = [
    ("tower", ()),
    ("tower", ("goal=10", "builds=1,3,5", "knocked=2")),
    ("tower", ("goal=12", "builds=2,3,4", "knocked=5")),
    ("conquer", ()),
    ("conquer", ("covered_heal=false",)),
    ("conquer", ("hp=6", "damage=1", "exposed_damage=3", "healing=2")),
    ("energy", ()),
    ("energy", ("zero=now",)),
    ("energy", ("both_empty=defender",)),
    ("energy", ("both_empty=draw", "may_pass=always")),
    ("energy", ("may_pass=never",)),
    ("energy", ("attack_cost=3", "damage=4", "defend_cost=2", "guard=3")),
    ("energy", ("damage=0",)),
    ("energy", ("guard=0", "zero=now")),
    ("energy", ("attack_cost=0", "both_empty=defender")),
    ("energy", ("energy=7", "damage=6", "guard=9", "defend_cost=3")),
]


def every_move(solution: Solution) -> Iterator[Deed]:
    """Every legal move of every position that can come up, from both seats where the table holds one of them."""
    game, rules = solution.game, solution.rules
    for place in range(len(solution.table)):
        if solution.known(place) is None:
            continue
        state = solution.position(place)
        for each in filter(None, (state, solution.mirror(state))):
            turn = game.turn(rules, each)
            for move in game.legal_moves(rules, each, turn) if turn != OVER else ():
                yield deed(solution, each, turn, move)


def solved(id: str, settings: tuple[str, ...]) -> Solution:
    game = load(id)
    rules = variant(game, settings)
    return solution_at(game, rules, game.start(rules, 0))


@pytest.mark.parametrize(("id", "settings"), RULES)
def test_whatever_is_said_of_any_move_is_so(id: str, settings: tuple[str, ...]) -> None:
    solution = solved(id, settings)
    claims = solution.game.reasons
    assert claims is not None
    heard = Counter[str]()
    for done in every_move(solution):
        for claim in claims.CLAIMS:
            name = claim.__name__
            sentence = claim(done)
            if not sentence:
                continue
            heard[name] += 1
            shape, so = CHECKS[id][name]
            found = re.fullmatch(shape, sentence)
            assert found, f"{name}: {sentence}"
            numbers = tuple(int(part) for part in found.groups() if part.isdigit())
            where = f"{solution.game.write_position(solution.rules, done.before)}, move {done.move}"
            assert so(Case(solution, done, numbers, sentence)), f"{name} at {where}: {sentence}"
    if not settings:
        assert set(heard) == set(CHECKS[id]), "a claim that is never made cannot be tested"


@pytest.mark.parametrize("id", CHECKS)
def test_every_slip_has_an_idea_and_a_line_that_the_table_confirms(id: str) -> None:
    solution = solved(id, ())
    game, rules = solution.game, solution.rules
    words = game.dialogue.words(rules)
    slips = 0
    for done in every_move(solution):
        if not done.slip:
            continue
        slips += 1
        why = reason(solution, done.before, done.seat, done.move)
        where = game.write_position(rules, done.before), words[done.move]
        assert 1 <= len(why.ideas) <= 2, where
        if game.turn(rules, done.after) == OVER:
            assert (why.reply, why.line) == ("", "It loses at once."), where
            continue
        state, ended = done.after, False
        told = re.fullmatch(r"(.*?)(?: and (win|nobody wins)\.| \.\.\.)", why.line)
        assert told, why.line
        moves = told[1][0].lower() + told[1][1:]
        for said in moves.split(", "):
            who, word = said.split(" ", 1)
            turn = game.turn(rules, state)
            assert (who == "you") == (turn == done.seat)
            value = solution.value(state)
            state = game.apply(rules, state, words.index(word))
            assert solution.value(state) == value, (where, why.line)  # nobody of the line gives anything away
            ended = game.turn(rules, state) == OVER
        assert ended == (told[2] is not None)
        assert why.reply == words[done.answer]
        assert ended or len(moves.split(", ")) <= MOST_SHOWN
    assert slips > 20


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

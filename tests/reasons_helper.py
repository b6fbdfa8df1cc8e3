"""Reasons of the alternating duels, held against the tables and a plain search at every position.

The checks know nothing of the functions that speak: they read the numbers out of the sentence, and ask the solution
(how many plies to the end, who wins) or try every move.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from duelbook import load
from duelbook.coach.reasons import MOST_IDEAS, MOST_SHOWN, deed, reason
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


def case_won(case: Case) -> bool:
    return case.won_by(case.done.after, case.me)


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


def every_claim_is_so(id: str, settings: tuple[str, ...], checks: Mapping[str, Check]) -> None:
    """Of every move of every position, whatever is said."""
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
            shape, so = checks[name]
            found = re.fullmatch(shape, sentence)
            assert found, f"{name}: {sentence}"
            numbers = tuple(int(part) for part in found.groups() if part and part.isdigit())
            where = f"{solution.game.write_position(solution.rules, done.before)}, move {done.move}"
            assert so(Case(solution, done, numbers, sentence)), f"{name} at {where}: {sentence}"
    if not settings:
        assert set(heard) == set(checks), "a claim that is never made cannot be tested"


def every_slip_is_explained(id: str) -> None:
    """By an idea or two, and by a line of play in which nobody gives anything away."""
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


def nothing_speaks_for_what_is_advised_against(id: str) -> None:
    """Of every move that perfect play does not punish and a perfect player does not make: there is something to say,
    nothing of it is a reason for the move, and what is advised is what a perfect player makes."""
    solution = solved(id, ())
    game, rules = solution.game, solution.rules
    words, claims = game.dialogue.words(rules), game.reasons
    assert claims is not None
    asked = 0
    for done in every_move(solution):
        if done.slip or done.move == done.best:
            continue
        asked += 1
        where = game.write_position(rules, done.before), words[done.move]
        said = reason(solution, done.before, done.seat, done.move, "Against level 3").ideas
        praise = {claim(done) for claim in getattr(claims, "MERITS", ())} - {""}
        assert 1 <= len(said) <= MOST_IDEAS, where
        assert not praise & set(said), (where, said)
        advised = [found[1] for sentence in said if (found := re.match(r"Against level 3 rather (.*?)\. ", sentence))]
        assert advised in ([], [words[done.best]]), (where, said)
        assert advised or len(said) == MOST_IDEAS, (where, said)
    assert asked > 20

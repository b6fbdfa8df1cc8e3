"""A program that is asked for the sake of its answers: as a referee asks, and in whole games for both seats."""

from __future__ import annotations

import random
from collections.abc import Callable

from duelbook.core import LUCK, Game
from duelbook.engine.client import Engine
from duelbook.engine.protocol import Go, move_words, write_go, write_position
from duelbook.match import Match, View

TURNS = 60
"""A game is cut off here; endless play is possible in all duels."""
LONG = 200


class Candidate(Engine):
    def first_question(self, game: Game) -> Match:
        """A new game by the book, at the first position where somebody decides."""
        self.new_game(game, game.book)
        match = Match(game)
        deal_until_decided(match)
        return match

    def play(self, game: Game, rules: object, where: Callable[[Match], str] | None = None, most: int = TURNS) -> Match:
        """A game in which the program decides for both seats."""
        self.new_game(game, rules)
        match = Match(game, rules, max_turns=most)

        def choose(view: View) -> int:
            position = where(match) if where else write_position(game, rules, view.state)
            return self.ask(match, position, view.seat)

        match.run((Decides(choose), Decides(choose)))
        if match.failed is not None:
            raise match.failed
        return match

    def ask(
        self,
        match: Match,
        position: str | None = None,
        seat: int | None = None,
        *,
        limits: Go | None = None,
        then: str = "",
        seconds: float = 0.0,
    ) -> int:
        """The legal move that it answers with; within its time for a move, unless other limits are named."""
        seat = match.to_act()[0] if seat is None else seat
        limits = limits or Go(seat, move_time=round(self.limits.move_time * 1000))
        where = position or write_position(match.game, match.rules, match.state)
        legal = legal_words(match, seat)
        go = write_go(limits._replace(seat=seat, turn=match.turns + 1, legal=legal))
        time = (limits.move_time or limits.times[seat] or 0) / 1000
        question = "\n".join(filter(None, [where, go, then])) + "\n"
        word = self.move_in(self.best_move(question.encode(), seconds or time))
        if word not in legal:
            raise self.illegal(word, match.game.write_position(match.rules, match.state), legal)
        return move_words(match.game, match.rules).index(word)


class Decides:
    """A player that decides as it is told here."""

    def __init__(self, choose: Callable[[View], int]) -> None:
        self.choose = choose


def deal_until_decided(match: Match) -> None:
    while match.turn == LUCK:
        match.deal()


def legal_words(match: Match, seat: int) -> tuple[str, ...]:
    words = move_words(match.game, match.rules)
    return tuple(words[move] for move in match.game.legal_moves(match.rules, match.state, seat))


def random_match(game: Game, seed: int) -> Match:
    """Legal moves at random, to the bell or to the last decision before the end."""
    dice = random.Random(seed)
    match = Match(game, seed=seed, max_turns=LONG)
    anybody = Decides(lambda view: dice.choice(view.legal()))
    match.run((anybody, anybody))
    match.take_back()
    deal_until_decided(match)
    return match

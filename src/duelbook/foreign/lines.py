"""Lines of play that are worth trying, found in our own rules by search: nothing here knows a position of any duel."""

from __future__ import annotations

import random
from collections.abc import Iterator
from heapq import heappop, heappush
from typing import NamedTuple

from duelbook.core import BOTH, LUCK, OVER, Game, SomeState

Play = int | tuple[int, int]
"""A move, or two picks at once."""
MOST_POSITIONS = 2_000
WALKS = 12
LONGEST_WALK = 40
LONGEST_CIRCLE = 6
TIMES = 3
"""So many lines are tried for each seat and move that the rules refuse."""


class Refused(NamedTuple):
    """A line of play, and the move that the rules do not allow after it."""

    line: tuple[Play, ...]
    seat: int
    move: int


def numbers(state: SomeState) -> tuple[int, int]:
    """The two main numbers of a position, Player 1's first: HP, LP, energy, heights."""
    pair = next(each for each in state if isinstance(each, tuple) and len(each) == 2)
    return int(pair[0]), int(pair[1])


def plays(game: Game, state: SomeState) -> Iterator[tuple[Play, SomeState]]:
    """What may be played here and where it leads, fouls last; for a duel without luck."""
    rules, turn = game.book, game.turn(game.book, state)
    if turn == BOTH:
        fouls = [[move for move in game.moves if game.foul(rules, state, seat, move)] for seat in (0, 1)]
        legal = [game.legal_moves(rules, state, seat) for seat in (0, 1)]
        for one in (*legal[0], *fouls[0]):
            for two in (*legal[1], *fouls[1]):
                yield (one, two), game.resolve(rules, state, one, two)
    elif turn != OVER:
        for move in game.legal_moves(rules, state, turn):
            yield move, game.apply(rules, state, move)


def walk(game: Game, without: int | None = None) -> dict[SomeState, tuple[Play, ...]]:
    """Positions without luck in the order of how near they are, each with a shortest line to it; without one move."""
    begins = game.start(game.book, 0)
    lines: dict[SomeState, tuple[Play, ...]] = {begins: ()}
    waiting = [begins]
    for state in waiting:
        for play, after in plays(game, state):
            if play != without and after not in lines and len(lines) < MOST_POSITIONS:
                lines[after] = (*lines[state], play)
                waiting.append(after)
    return lines


def ends(game: Game) -> list[tuple[Play, ...]]:
    """A short line to each kind of end: who wins, by whose last move, which one, and who is at nothing.

    Another does without each move in turn: where a move does the wrong thing, the others lead to an end all the same.
    """
    found: dict[tuple[object, ...], tuple[Play, ...]] = {}
    lines = walk(game)
    in_turn = game.turn(game.book, game.start(game.book, 0)) in (0, 1)
    for without in (None, *game.moves) if in_turn else (None,):
        for state, line in (lines if without is None else walk(game, without)).items():
            for play, after in plays(game, state):
                if play != without and game.turn(game.book, after) == OVER:
                    found.setdefault((without, *_kind(game, state, play, after)), (*line, play))
    if len(lines) >= MOST_POSITIONS:  # an end by the numbers may lie deeper than the walk went
        for loser in (0, 1):
            deep = _down_to_nothing(game, loser)
            if deep is not None:
                found.setdefault(("deep", loser), deep)
    return sorted(set(found.values()), key=lambda line: (len(line), line))


def _kind(game: Game, state: SomeState, play: Play, after: SomeState) -> tuple[object, ...]:
    winner = game.winner(game.book, after)
    nothing = tuple(number <= 0 for number in numbers(after))
    if isinstance(play, tuple):
        fouls = tuple(game.foul(game.book, state, seat, play[seat]) for seat in (0, 1))
        return winner, fouls, nothing
    return winner, game.turn(game.book, state), play, nothing


def _down_to_nothing(game: Game, loser: int) -> tuple[Play, ...] | None:
    """A line on which one player's number falls as fast as it goes, down to the end."""
    begins = game.start(game.book, 0)
    count = 0
    waiting: list[tuple[int, int, SomeState, tuple[Play, ...]]] = [(0, 0, begins, ())]
    seen = {begins}
    while waiting and count < MOST_POSITIONS:
        _, _, state, line = heappop(waiting)
        for play, after in plays(game, state):
            if game.turn(game.book, after) == OVER:
                if numbers(after)[loser] <= 0:
                    return (*line, play)
            elif after not in seen:
                seen.add(after)
                count += 1
                heappush(waiting, (numbers(after)[loser] - numbers(after)[1 - loser], count, after, (*line, play)))
    return None


def walks(game: Game) -> list[tuple[Play, ...]]:
    """Games at random, cut where they get long. Where luck has a hand in it, only the moves are of use."""
    found = []
    for seed in range(WALKS):
        chance, state, line = random.Random(seed), game.start(game.book, 0), list[Play]()
        while len(line) < LONGEST_WALK and (turn := game.turn(game.book, state)) != OVER:
            if turn == LUCK:
                state = game.deal(game.book, state, chance.choice(faces(game, state)))
                continue
            if turn == BOTH:
                one, two = (chance.choice(game.legal_moves(game.book, state, seat)) for seat in (0, 1))
                line.append((one, two))
                state = game.resolve(game.book, state, one, two)
            else:
                move = chance.choice(game.legal_moves(game.book, state, turn))
                line.append(move)
                state = game.apply(game.book, state, move)
        found.append(tuple(line))
    return found


def faces(game: Game, state: SomeState) -> list[int]:
    return [face for face in game.faces if game.odds(game.book, state, face)]


def refused(game: Game) -> list[Refused]:
    """For each seat and move the nearest positions where the rules do not allow it, where it would change a number."""
    found: dict[tuple[int, int], list[Refused]] = {}
    for state, line in ({} if game.faces else walk(game)).items():
        turn = game.turn(game.book, state)
        for move in game.moves if turn in (0, 1) else ():
            if game.legal(game.book, state, turn, move):
                continue
            kept = found.setdefault((turn, move), [])
            seen = numbers(game.apply(game.book, state, move)) != numbers(state)
            if len(kept) < TIMES and (seen or len(kept) < 1):
                kept.append(Refused(line, turn, move))
    return [each for kept in found.values() for each in kept]


def circle(game: Game) -> tuple[tuple[Play, ...], tuple[Play, ...]] | None:
    """A line, and what can be played after it over and over without anything having changed; None where nothing can."""
    if game.faces:
        return _circle_whatever_comes(game)
    for state, line in walk(game).items():
        reached: dict[SomeState, tuple[Play, ...]] = {state: ()}
        waiting = [state]
        for at in waiting:
            if len(reached[at]) >= LONGEST_CIRCLE or len(reached) > MOST_POSITIONS:
                break
            for play, after in plays(game, at):
                if after == state:
                    return line, (*reached[at], play)
                if after not in reached and game.turn(game.book, after) != OVER:
                    reached[after] = (*reached[at], play)
                    waiting.append(after)
    return None


def _circle_whatever_comes(game: Game) -> tuple[tuple[Play, ...], tuple[Play, ...]] | None:
    """The same move for ever, if it changes neither number from the start on, whatever luck brings."""
    begins = game.start(game.book, 0)
    for move in game.moves:
        state, still = begins, True
        for _ in range(2 * len(game.faces)):
            while game.turn(game.book, state) == LUCK:
                state = game.deal(game.book, state, faces(game, state)[-1])
            turn = game.turn(game.book, state)
            if turn == OVER or not game.legal(game.book, state, turn, move):
                still = False
                break
            state = game.apply(game.book, state, move)
            still = still and numbers(state) == numbers(begins)
        if still:
            return (), (move,)
    return None

"""Start positions out of a duel's own solution, and positions after random play.

Two players that always do the same play the same two games again and again from the usual start. From other positions
they play others. Those of the book are chosen, not written down: random play from the start finds positions that can
come up, the solution says what each of them is worth, and the ones nearest to balance come first. Where a duel is
decided everywhere, as tower is, no position is balanced; then those come first in which the loser can hold out longest,
and since both players get both sides of it, the pair of games is fair all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import count

from duelbook.arena.play.results import Duel
from duelbook.core import BOTH, LUCK, OVER, DuelError, Game, SomeState
from duelbook.luck import mix, pick
from duelbook.positions.hull import following
from duelbook.solving.library import solution_for

MOST = 50
"""Positions in a book."""
WALKS, SHORTEST, LONGEST = 3000, 2, 7
"""So many times random play goes so many turns from the start, to find positions for a book."""
LASTING = 2
"""Whatever is played, a position of the book is not over within so many turns: each player has a say."""
SOON = 6
"""And where somebody wins by force, it takes that player this many turns or more."""
TRIES = 20
"""How often a random step is taken anew that would end the game, before the whole walk is given up."""
DIGITS = 9
"""Values that differ less than this are equally near to balance."""


@lru_cache(maxsize=32)
def book(duel: str) -> tuple[str, ...]:
    """The start positions of a duel, the best balanced first. The same every time, and on every machine."""
    game, rules = Duel.named(duel).loaded()
    try:
        solution = solution_for(game, rules)
    except DuelError as error:
        raise DuelError(f"{error} Without a solution {duel} has no book of openings; random:N needs none.") from None

    def rank(state: object) -> tuple[float, int]:
        return round(abs(solution.value(state)), DIGITS), -(solution.plies(state) or 0)

    found: dict[int, SomeState] = {}
    for number in range(WALKS):
        state = walked(game, rules, SHORTEST + number % (LONGEST - SHORTEST + 1), dice(number))
        if state is not None:
            # A position and its mirror share a number, and played from both sides they are the same two games.
            found.setdefault(solution.place(state), state)
    found.pop(solution.place(game.start(rules, 0)), None)
    chosen: list[str] = []
    for state in sorted(found.values(), key=rank):
        forced = solution.plies(state)
        if len(chosen) < MOST and (forced is None or forced >= SOON) and lasts(game, rules, state, LASTING):
            chosen.append(game.write_position(rules, state))
    if not chosen:
        raise DuelError(f"{duel} has no other position that a game could begin with: all are over too soon.")
    return tuple(chosen)


def lasts(game: Game, rules: object, state: object, turns: int) -> bool:
    """Whether no play at all can end the game within so many turns."""
    turn = game.turn(rules, state)
    if turn == OVER:
        return False
    if turn == LUCK:
        return all(lasts(game, rules, after, turns) for after in following(game, rules, state))
    return turns == 0 or all(lasts(game, rules, after, turns - 1) for after in following(game, rules, state))


# Random play


def dice(*key: int) -> Iterator[int]:
    """Endlessly many stirred numbers for a key."""
    bits = mix(*key)
    return (mix(bits, number) for number in count())


def walked(game: Game, rules: object, turns: int, thrown: Iterator[int]) -> SomeState | None:
    """The position after so many turns of random legal play from the start; None where play came to an end before.

    Luck plays its part, but it is not asked again behind the last turn: a card that is due then belongs to the game.
    """
    state, taken = game.start(rules, 0), 0
    while taken < turns:
        deciding = game.turn(rules, state) != LUCK
        after = _step(game, rules, state, thrown)
        if after is None:
            return None
        state, taken = after, taken + deciding
    return state


def _step(game: Game, rules: object, state: object, thrown: Iterator[int]) -> SomeState | None:
    """One card, move or pair of picks by chance that does not end the game; None where none was found."""
    turn = game.turn(rules, state)
    for _ in range(TRIES):
        if turn == LUCK:
            weights = [game.odds(rules, state, face) for face in game.faces]
            after = game.deal(rules, state, game.faces[pick(weights, next(thrown))])
        else:
            deciders = (0, 1) if turn == BOTH else (turn,)
            legal = [game.legal_moves(rules, state, seat) for seat in deciders]
            if not all(legal):
                return None
            moves = [options[(next(thrown) * len(options)) >> 64] for options in legal]
            after = (game.resolve if turn == BOTH else game.apply)(rules, state, *moves)
        if game.turn(rules, after) != OVER:
            return after
    return None

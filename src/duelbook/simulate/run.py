"""`simulate`: which back end plays, how games are dealt out to threads, and what is said when something is amiss."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from duelbook.beside import side_by_side
from duelbook.core import DuelError, Game, SomeRules, check_beginning, whole
from duelbook.games import duel_of
from duelbook.match import BELL
from duelbook.positions.size import NOT_HERE, there_is_a_compiler
from duelbook.simulate.arguments import rules_of
from duelbook.simulate.outcomes import NO_RESULT, Outcomes, Play
from duelbook.simulate.policy import Policy, Seat
from duelbook.simulate.positions import widen
from duelbook.simulate.unnumbered import Stray

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array

BACK_ENDS = ("auto", "numpy", "numba")
LONGEST = 1_000_000
"""The bell rings by then."""
MOST = 10**15
"""More games than a lifetime has room for; their numbers have room in 64 bits."""
SHARES = 4
"""Each thread gets its games in so many portions, so that one that is held up does not hold up the others."""
FEW = 100_000
"""So few games are not worth more than one portion for each thread."""


def simulate(
    game: Game | str,
    policy1: Policy,
    policy2: Policy,
    games: int,
    *,
    rules: SomeRules = None,
    seed: int = 0,
    threads: int = 1,
    max_turns: int = BELL,
    backend: str = "auto",
    first: int = 0,
    per_game: bool = False,
) -> Outcomes:
    """Play a number of whole games between two policies and count how they end.

    A policy is the name of a player that is a table (`random`, `level:1` to `level:6`, `perfect`, a character such as
    `brawler`), a `PolicyTable`, or an array of probabilities with a row for each position of `positions(game)` and a
    column for each move.

    Game k of a seed is the same game whatever the number of games, threads or the back end: its random numbers are a
    function of the seed, k and the choice. `max_turns` is the bell, after which a game has no result; `first` is the
    seat that begins. With `per_game` the outcomes also say how every single game ended and how long it was.

    >>> simulate("tower", "perfect", "random", 1000, backend="numpy").wins1
    1000
    """
    duel = duel_of(game)
    book = rules_of(duel, rules)
    check_beginning(duel, book)
    games, seed, threads = whole(games, "The number of games"), whole(seed, "A seed"), whole(threads, "The threads")
    max_turns, first = whole(max_turns, "The turns before the bell"), whole(first, "The seat that begins")
    _check(games, threads, max_turns, first)
    seats = (Seat(duel, book, policy1, 0), Seat(duel, book, policy2, 1))
    chosen = _back_end(backend)
    while True:
        try:
            play = _player(duel, book, seats, chosen, seed, max_turns, first)
            return _play(duel, play, games, seed, threads if chosen == "numba" else 1, max_turns, per_game)
        except Stray as stray:
            # Only where the hull of the positions was too narrow: one more position needs a number.
            if any(seat.given is not None for seat in seats):
                where = duel.write_position(book, stray.state)
                raise DuelError(f"The position {where} came up, and the array has no row for it.") from None
            widen(duel, book, stray.state)


def _check(games: int, threads: int, max_turns: int, first: int) -> None:
    if games < 1:
        raise DuelError(f"At least one game has to be played, not {games}.")
    if games > MOST:
        raise DuelError(f"At most {MOST:,} games can be played, not {games:,}.")
    if threads < 1:
        raise DuelError(f"At least one thread has to play, not {threads}.")
    if not 1 <= max_turns <= LONGEST:
        raise DuelError(f"The bell rings after 1 to {LONGEST:,} turns, not after {max_turns:,}.")
    if first not in (0, 1):
        raise DuelError(f"The seats are 0 and 1; {first} cannot begin.")


def _back_end(wanted: str) -> str:
    if wanted not in BACK_ENDS:
        raise DuelError(f"There is no back end called '{wanted}'. There are: {', '.join(BACK_ENDS)}.")
    there = there_is_a_compiler()
    if wanted == "numba" and not there:
        raise DuelError(f"This back end needs Numba, {NOT_HERE}.")
    return wanted if wanted != "auto" else "numba" if there else "numpy"


def _player(
    game: Game, rules: SomeRules, seats: tuple[Seat, Seat], backend: str, seed: int, max_turns: int, first: int
) -> Play:
    if backend == "numpy":
        from duelbook.simulate.reference import reference_player

        return reference_player(game, rules, seats, seed, max_turns, first)
    from duelbook.simulate import fast

    return fast.compiled_player(game, rules, seats, seed, max_turns, first)


def _play(game: Game, play: Play, games: int, seed: int, threads: int, max_turns: int, per_game: bool) -> Outcomes:
    winners = np.empty(games if per_game else 0, np.int8)
    turns_of = np.empty(games if per_game else 0, np.int32)

    nothing = np.zeros((NO_RESULT + 1, max_turns + 1), np.int64)

    def portion(low: int, high: int) -> Array:
        lengths = nothing.copy()
        play(low, high, lengths, winners[low:high], turns_of[low:high])
        return lengths

    portions = 1 if threads == 1 else threads if games <= FEW else threads * SHARES
    borders = [games * part // portions for part in range(portions + 1)]
    if threads == 1:
        lengths = portion(0, games)
    else:
        with side_by_side(threads) as pool:
            lengths = sum(pool.map(portion, borders[:-1], borders[1:]), nothing)
    if not per_game:
        return Outcomes(game.id, seed, lengths)
    return Outcomes(game.id, seed, lengths, winners, turns_of)

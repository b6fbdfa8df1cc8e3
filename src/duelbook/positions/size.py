"""How large a duel is to solve, known before it is solved: what is done unasked, what on request, and what not at all.

Any rules that the knobs allow can stand in a record that somebody sends, and some of them make millions of positions.
So the size comes first, from the hull of the positions. All bounds stand here.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from math import inf
from typing import Any, NamedTuple

from duelbook.beside import beside
from duelbook.core import DuelError, Game, SomeRules, settings
from duelbook.positions.hull import Hull, following, hull

MOST_NUMBERS = 400_000_000
"""No table has more places than this."""
MOST_COUNTED = 200_000
"""Up to so many positions are counted one by one, where the hull alone would be too large."""
BYTES_A_PLACE = 8
"""What a place in the table of an alternating duel takes, whether a position stands there or not."""
MOST_MEMORY = 8 << 30
"""What solving may take at most, in bytes, on a machine that has it."""
UNASKED_MEMORY = 1 << 30
"""And at most when nobody has asked for it in so many words."""
UNASKED_SECONDS = 20
"""Nor longer than about this, on an ordinary machine."""
FEW_STEPS = 600_000
"""Up to so much work is done in plain Python before a compiler would be ready."""
MANY_STEPS = 20_000_000
"""And up to so much where there is no compiler: that takes minutes."""


class TooLarge(DuelError):
    """A duel that is not solved: because it cannot be, or because nobody has asked for so much work."""


class Cost(NamedTuple):
    """What solving takes for each position that the hull has room for, and for each step from one."""

    bytes: float
    seconds: float
    seconds_a_step: float = 0.0


def _cost(kind: str, picks: int, compiled: bool) -> Cost:
    """Measured on the books and on the largest variants, and rounded up."""
    if kind == "picks":
        return Cost(40 + 64 * picks + 4 * picks**2, 1.2e-7 * picks**2) if compiled else Cost(2500, 0.0, 6e-6)
    if kind == "luck":
        return Cost(20, 6e-7) if compiled else Cost(400, 0.0, 8e-6)
    return Cost(1600, 3e-4)


@cache
def there_is_a_compiler() -> bool:
    """Numba comes with Duelbook, but not to every Python and platform; and one that does not suit its NumPy is none."""
    try:
        beside(import_module, "numba")  # some tenths of a second, spent only where it is about to be used
    except ImportError:
        return False
    return True


NOT_HERE = "which cannot be used here: pip install numba, or take another Python where there is none for this one"
"""What is said of Numba when there is no compiler."""


class Size(NamedTuple):
    positions: int
    """About so many at most, mirrors counted once: those that are their own mirror are counted as halves."""
    numbers: int
    """Places in the table."""
    memory: float
    """Bytes, about."""
    seconds: float
    """About, on an ordinary machine."""
    steps: float
    """How many ways lead on from all positions together."""
    to_compile: bool
    """Whether it is solved sooner with a compiler than without one."""

    @property
    def small(self) -> bool:
        """Whether it can be solved unasked."""
        return self.memory <= UNASKED_MEMORY and self.seconds <= UNASKED_SECONDS

    def __str__(self) -> str:
        memory = f"about {self.memory / 1e9:.1f} GB" if self.memory >= 1e8 else "less than 0.1 GB"
        return f"up to about {self.positions:,} positions, {memory} of memory"


def size_of(game: Game, kind: str, found: Hull) -> Size:
    positions, moves = found.positions, len(game.moves)
    # In duels of secret picks every pair is looked at, the legal ones for longer.
    steps = positions * (max(found.branching, moves**2 / 4) if kind == "picks" else found.branching)
    to_compile = kind != "backwards" and steps > FEW_STEPS
    cost = _cost(kind, moves, to_compile and there_is_a_compiler())
    seconds = cost.seconds * positions + cost.seconds_a_step * steps
    return Size(positions, found.layout.size, cost.bytes * positions, seconds, steps, to_compile)


def measured(game: Game, rules: SomeRules, kind: str, roots: Iterable[Any] = ()) -> Size:
    """How large the duel is under these rules. Raises TooLarge where it cannot be solved on this machine."""
    size = size_of(game, kind, hull(game, rules, roots))
    if kind == "backwards" and size.memory > min(MOST_MEMORY, memory_there()) and size.numbers <= MOST_NUMBERS:
        size = _counted(game, rules, roots, size)
    refuse_the_impossible(game, rules, size)
    return size


def _counted(game: Game, rules: SomeRules, roots: Iterable[Any], size: Size) -> Size:
    """The same with the positions counted, if they are few: in a state of many numbers that hang together, as the pits
    of a board, the hull has room for a thousand times as many as there are."""
    seen = {game.start(rules, 0), game.start(rules, 1), *roots}
    waiting = list(seen)
    for state in waiting:  # grows while it is walked
        for after in following(game, rules, state):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
        if len(seen) > MOST_COUNTED:
            return size
    cost = _cost("backwards", len(game.moves), False)
    memory = cost.bytes * len(seen) + BYTES_A_PLACE * size.numbers
    steps = size.steps * len(seen) / size.positions
    return size._replace(positions=len(seen), memory=memory, seconds=cost.seconds * len(seen), steps=steps)


def refuse_the_impossible(game: Game, rules: SomeRules, size: Size) -> None:
    """Raise TooLarge where a duel cannot be solved on this machine."""
    there = memory_there()
    if size.numbers > MOST_NUMBERS or size.memory > MOST_MEMORY:
        raise TooLarge(f"{named(game, rules)} is too large to be solved: {size}.")
    if size.memory > there:
        raise TooLarge(
            f"{named(game, rules)} is too large to be solved here: {size}, of which there are {there / 1e9:.1f}."
        )
    if size.to_compile and size.steps > MANY_STEPS and not there_is_a_compiler():
        raise TooLarge(f"{named(game, rules)} is too large to be solved without Numba ({size}), {NOT_HERE}.")


def refuse_unasked(game: Game, rules: SomeRules, size: Size) -> None:
    """Raise TooLarge where solving takes so much that somebody should ask for it first."""
    if not size.small:
        words = "".join(f" --rule {setting}" for setting in settings(game, rules))
        raise TooLarge(
            f"{named(game, rules)} is not solved yet, and it is large: {size}. "
            f"To have it solved and kept: duelbook solve {game.id}{words}"
        )


def named(game: Game, rules: SomeRules) -> str:
    changed = settings(game, rules)
    return f"{game.name} with {', '.join(changed)}" if changed else game.name


def memory_there() -> float:
    """How many bytes this machine has, or this process may have; infinitely many where the system does not say."""
    try:
        there: float = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return inf
    import resource

    allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
    return there if allowed == resource.RLIM_INFINITY else min(there, allowed)

"""Where solutions are found: shipped with the package for its own books, kept in the user's cache for other rules."""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Lock

from duelbook.core import DuelError, Game, SomeRules, SomeState, settings
from duelbook.patience import patience
from duelbook.positions.kind import kind_of
from duelbook.positions.rule_code import rules_key
from duelbook.positions.size import measured, named, refuse_unasked
from duelbook.solving.cache import keep, kept_file, read_kept
from duelbook.solving.solution import NotInTable, Solution
from duelbook.solving.solution_file import LARGEST_FILE, BadSolution, from_bytes, to_bytes
from duelbook.speech import plain
from duelbook.window import fitted

SHIPPED = Path(__file__).parent / "shipped"


def shipped_file(game: Game, rules: SomeRules) -> Path:
    """Where the package has the solution of these rules, if it has one."""
    return SHIPPED / f"{'-'.join([game.id, *settings(game, rules)])}.solution"


_known: dict[str, Solution] = {}
_asked_for: set[str] = set()
_locks: dict[str, Lock] = {}


def ask_for(game: Game, rules: SomeRules) -> None:
    """Somebody wants to play by these rules: whatever needs their solution may have them solved, however large."""
    if rules != game.book:  # what ships needs no asking
        _asked_for.add(rules_key(game, rules))


def solution_for(game: Game, rules: SomeRules, *, however_large: bool = False) -> Solution:
    """The solution of a duel under these rules: shipped, cached, or solved now and cached.

    One that would be large is solved only where somebody has asked for it, `however_large` it may be, or for a game.
    """
    key = rules_key(game, rules)
    if key not in _known:
        with _locks.setdefault(key, Lock()):  # who asks for what is being solved already waits for that
            if key not in _known:
                _known[key] = _find(game, rules, however_large)
    return _known[key]


def known_solution(game: Game, rules: SomeRules) -> Solution | None:
    """The same, but None where the duel cannot be solved."""
    try:
        return solution_for(game, rules)
    except DuelError:
        return None


def solution_at_hand(game: Game, rules: SomeRules) -> Solution | None:
    """The same where nothing need be solved for it; None where it would have to be."""
    key = rules_key(game, rules)
    if key not in _known and (found := _found(game, rules)) is not None:
        _known[key] = found
    return _known.get(key)


def know(game: Game, rules: SomeRules, solution: Solution) -> None:
    """Have this solution at hand for a duel that has it under another name: the same states, moves and rules."""
    _known[rules_key(game, rules)] = solution


def _find(game: Game, rules: SomeRules, however_large: bool) -> Solution:
    found = _found(game, rules)
    if found is not None:
        return found
    solution = _solved(game, rules, however_large)
    keep(kept_file(game, rules, ".solution"), to_bytes(solution))
    return solution


def _found(game: Game, rules: SomeRules) -> Solution | None:
    """What is shipped or kept."""
    files = (shipped_file(game, rules), kept_file(game, rules, ".solution"))
    return next((found for path in files if (found := _read(game, rules, path)) is not None), None)


def solution_at(game: Game, rules: SomeRules, state: SomeState, *, however_large: bool = False) -> Solution:
    """A solution that holds this position, which play from the start may not reach."""
    solution = solution_for(game, rules, however_large=however_large)
    if solution.holds(state):
        return solution
    if kind_of(game) != "backwards":
        where = game.write_position(rules, state)
        raise NotInTable(f"The position {where} cannot come up in play, so it was not solved.")
    return _solved(game, rules, however_large, state)


def _solved(game: Game, rules: SomeRules, however_large: bool, *roots: SomeState) -> Solution:
    from duelbook.solving.progress import Progress
    from duelbook.solving.solver import solve

    size = measured(game, rules, kind_of(game), roots)
    if not (however_large or rules_key(game, rules) in _asked_for):
        refuse_unasked(game, rules, size)
    elif not size.small:
        _say(f"{named(game, rules)} is large: {size}.")
    progress = Progress()
    with patience(f"Solving {named(game, rules)}, once: it is kept. Ctrl-C gives up, and nothing is lost.", progress):
        return solve(game, rules, roots, progress)


def _say(sentence: str) -> None:
    print(fitted(sentence, sys.stderr), file=sys.stderr)


def _read(game: Game, rules: SomeRules, path: Path) -> Solution | None:
    """The solution in a file, or None when there is none that can be used; a bad one is said and made anew."""
    try:
        data = read_kept(path, LARGEST_FILE)
        return from_bytes(game, rules, data) if data is not None else None
    except OSError as error:
        _say(f"{plain(path)} cannot be read ({error.strerror}); solving {game.name} again.")
    except BadSolution as error:
        _say(f"{plain(path)}: {error} Solving it again.")
    return None

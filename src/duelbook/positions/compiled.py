"""The rules as machine code.

A rule file is plain Python that calls its own functions by name. Numba can compile such a function only when the
names it calls lead to compiled functions too, so every function of the file is made anew over a copy of the file's
globals in which each of them is replaced by its compiled twin. The file itself stays as it is: nothing is restated
and nothing is patched.
"""

from __future__ import annotations

from functools import cache
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from duelbook.core import DuelError, Game, SomeRules, SomeState
from duelbook.positions.rule_code import code_hash
from duelbook.positions.size import NOT_HERE


class Compiled(NamedTuple):
    """A game's rule functions, compiled: those of `Game`, with None for what its rule file leaves out.

    They take and give plain integers for moves, faces, seats and turns. Members of an enum are refused:
    pass `int(move)`.
    """

    start: Any
    turn: Any
    legal: Any
    winner: Any
    apply: Any
    resolve: Any
    foul: Any
    odds: Any
    deal: Any


def compiled(game: Game) -> Compiled:
    """The compiled rules of a game. Each function is compiled when it is first called, once for the whole program."""
    return _compiled(game.rules_file, code_hash(game))


@cache
def _compiled(rules_file: ModuleType, code: str) -> Compiled:
    """By what the file does too: a module that is loaded again stays the same module."""
    try:
        from numba import njit
    except ImportError:
        raise DuelError(f"Compiled rules need Numba, {NOT_HERE}.") from None

    names: dict[str, Any] = dict(vars(rules_file))
    for name, value in vars(rules_file).items():
        if isinstance(value, FunctionType) and value.__module__ == rules_file.__name__:
            names[name] = njit(FunctionType(value.__code__, names, name, value.__defaults__))
    functions = Compiled(*(names.get(name) for name in Compiled._fields))
    turn = functions.turn

    def turn_number(rules: SomeRules, state: SomeState) -> Any:
        # Where nobody ever moves alone, the rules answer with nothing but members of Turn; adding 0 makes them numbers.
        return turn(rules, state) + 0

    return functions._replace(turn=njit(turn_number))

"""What the rules of a duel do, as a short text: two duels that share it are the same, two versions of one are not.

A solution belongs to the functions it was computed from, and a knob does not show that an author has changed one of
them. So the compiled functions themselves are hashed, with all functions, classes and constants that they lead to. The
text is the same in every run of one Python; another Python compiles differently, and then what was kept is computed
once more.
"""

from __future__ import annotations

from enum import Enum
from hashlib import sha256
from types import CodeType, FunctionType, ModuleType
from typing import Any

from duelbook.core import Game, SomeRules, rules_hash


def code_hash(game: Game) -> str:
    """A short fingerprint of all that the rule functions of a duel do."""
    return functions_hash(
        game.start, game.turn, game.legal, game.winner, game.apply, game.resolve, game.foul, game.odds, game.deal
    )


def functions_hash(*functions: Any) -> str:
    """A short fingerprint of all that these functions do; of a compiled one, what it was compiled from does."""
    told: list[str] = []
    seen: set[int] = set()
    for function in functions:
        _tell(function, told, seen)
    return sha256("\n".join(told).encode()).hexdigest()[:16]


def rules_key(game: Game, rules: SomeRules) -> str:
    """What a computed file belongs to: a duel, its numbers and options, and what its functions do."""
    return f"{game.id}-{rules_hash(game, rules)}-{code_hash(game)}"


def _tell(value: Any, told: list[str], seen: set[int]) -> None:
    """Write down what a value is, as deep as it goes and everything once."""
    value = getattr(value, "py_func", value)
    if id(value) in seen:
        return
    if isinstance(value, FunctionType):
        seen.add(id(value))
        told.append(f"function {value.__qualname__} {value.__defaults__!r}")
        _tell_code(value.__code__, value.__globals__, told, seen)
        for cell in value.__closure__ or ():
            _tell(cell.cell_contents, told, seen)
    elif isinstance(value, type):
        seen.add(id(value))
        members = [f"{each.name}={each.value!r}" for each in value] if issubclass(value, Enum) else []
        told.append(f"class {value.__qualname__} {members} {getattr(value, '_field_defaults', {})!r}")
        for name, held in sorted(vars(value).items()):
            if isinstance(held, FunctionType) and held.__module__ == value.__module__:
                told.append(name)
                _tell(held, told, seen)
    elif isinstance(value, frozenset | set):
        told.append(f"set {sorted(map(repr, value))}")
    elif not isinstance(value, ModuleType):
        told.append(repr(value))


def _tell_code(code: CodeType, names: dict[str, Any], told: list[str], seen: set[int]) -> None:
    told.append(code.co_code.hex())
    told.append(f"{code.co_names} {code.co_varnames} {code.co_argcount} {code.co_flags}")
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            _tell_code(constant, names, told, seen)
        else:
            _tell(constant, told, seen)
    for name in code.co_names:
        found = names.get(name)
        if isinstance(found, ModuleType):
            # Of another file of the package: what is asked of it by name.
            for asked in code.co_names:
                _tell(vars(found).get(asked), told, seen)
        elif name in names:
            _tell(found, told, seen)

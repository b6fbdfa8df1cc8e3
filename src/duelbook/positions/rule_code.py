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
from typing import TYPE_CHECKING, Any

from duelbook.core import Game, SomeRules, rules_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_remembered: dict[tuple[Callable[..., object], ...], tuple[_Telling, str]] = {}


def code_hash(game: Game) -> str:
    """A short fingerprint of all that the rule functions of a duel do."""
    functions = (
        *(game.start, game.turn, game.legal, game.winner),
        *(game.apply, game.resolve, game.foul, game.odds, game.deal),
    )
    if functions not in _remembered or not _remembered[functions][0].holds():
        _remembered[functions] = _told(functions)
    return _remembered[functions][1]


def functions_hash(*functions: Any) -> str:
    """A short fingerprint of all that these functions do; of a compiled one, what it was compiled from does."""
    return _told(functions)[1]


def rules_key(game: Game, rules: SomeRules) -> str:
    """What a computed file belongs to: a duel, its numbers and options, and what its functions do."""
    return f"{game.id}-{rules_hash(game, rules)}-{code_hash(game)}"


def _told(functions: tuple[Any, ...]) -> tuple[_Telling, str]:
    telling = _Telling()
    for function in functions:
        telling.tell(function)
    return telling, sha256("\n".join(telling.words).encode()).hexdigest()[:16]


UNCHANGING = (int, float, complex, str, bytes, type(None), type(...), type, FunctionType, CodeType, ModuleType)
"""What stays as it is or, where it does not, is watched for itself."""


class _Telling:
    """What values are, written down as deep as they go and everything once; and whether that still holds."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.seen: set[int] = set()
        self.asked: list[tuple[Mapping[str, Any], str, Any]] = []
        """What a name led to. A file that is loaded again fills the same names with other things."""
        self.functions: list[tuple[FunctionType, CodeType, Any]] = []
        """Functions with their code and their defaults, which can be replaced."""
        self.lasting = True
        """Nothing was met that can change within, as a list or what a function encloses can."""

    def holds(self) -> bool:
        """Whether the same would be told again: far quicker than telling it."""
        return (
            self.lasting
            and all(names.get(name) is found for names, name, found in self.asked)
            and all(one.__code__ is code and one.__defaults__ is defaults for one, code, defaults in self.functions)
        )

    def tell(self, value: Any) -> None:
        value = getattr(value, "py_func", value)
        if id(value) in self.seen:
            return
        self.lasting = self.lasting and _unchanging(value)
        if isinstance(value, FunctionType):
            self.seen.add(id(value))
            self.words.append(f"function {value.__qualname__} {value.__defaults__!r}")
            self.functions.append((value, value.__code__, value.__defaults__))
            self.tell_code(value.__code__, value.__globals__)
            for cell in value.__closure__ or ():
                self.tell(cell.cell_contents)
        elif isinstance(value, type):
            self.seen.add(id(value))
            members = [f"{each.name}={each.value!r}" for each in value] if issubclass(value, Enum) else []
            self.words.append(f"class {value.__qualname__} {members} {getattr(value, '_field_defaults', {})!r}")
            for name, held in sorted(vars(value).items()):
                if isinstance(held, FunctionType) and held.__module__ == value.__module__:
                    self.words.append(name)
                    self.tell(self.look(vars(value), name))
        elif isinstance(value, frozenset | set):
            self.words.append(f"set {sorted(map(repr, value))}")
        elif not isinstance(value, ModuleType):
            self.words.append(repr(value))

    def tell_code(self, code: CodeType, names: Mapping[str, Any]) -> None:
        self.words.append(code.co_code.hex())
        self.words.append(f"{code.co_names} {code.co_varnames} {code.co_argcount} {code.co_flags}")
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self.tell_code(constant, names)
            else:
                self.tell(constant)
        for name in code.co_names:
            found = self.look(names, name)
            if isinstance(found, ModuleType):
                # Of another file of the package: what is asked of it by name.
                for asked in code.co_names:
                    self.tell(self.look(vars(found), asked))
            elif name in names:
                self.tell(found)

    def look(self, names: Mapping[str, Any], name: str) -> Any:
        found = names.get(name)
        self.asked.append((names, name, found))
        return found


def _unchanging(value: Any) -> bool:
    if isinstance(value, tuple | frozenset):
        return all(map(_unchanging, value))
    if isinstance(value, FunctionType):
        return not value.__closure__ and _unchanging(value.__defaults__)
    return isinstance(value, UNCHANGING)

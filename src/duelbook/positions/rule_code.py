"""What the rules of a duel do, as a short text: two duels that share it are the same, two versions of one are not.

A solution belongs to the functions it was computed from, and a knob does not show that an author has changed one of
them. So the compiled functions themselves are hashed, with all functions, classes and constants that they lead to. The
text is the same in every run of one Python; another Python compiles differently, and then what was kept is computed
once more.
"""

from __future__ import annotations

import re
import sys
from enum import Enum
from functools import partial
from hashlib import sha256
from opcode import opmap
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from duelbook.core import Game, SomeRules, rules_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

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


UNCHANGING = (
    *(int, float, complex, str, bytes, type(None), type(...), type, FunctionType, CodeType, ModuleType),
    *(property, staticmethod, classmethod),
)
"""What stays as it is or, where it does not, is watched for itself."""
SCALARS = (int, float, complex, str, bytes, type(None))
CONSTANTS = (*SCALARS, tuple, list, dict, set, frozenset)
"""What a class can hold for its functions to use."""
MADE = ("_fields", "_field_defaults")
"""What a NamedTuple holds besides, and is told with the class."""
LIBRARIES = frozenset({*sys.stdlib_module_names, "numpy", "numba"})
"""What is not a duel's own code: it changes with an installation, not with what an author writes."""
_ADDRESS = re.compile(" at 0x[0-9a-fA-F]+")
_IMPORT = opmap["IMPORT_NAME"]


class _Telling:
    """What values are, written down as deep as they go and everything once; and whether that still holds."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.seen: dict[int, tuple[int, Any]] = {}
        """What can lead back to itself, by its id, with its number; it is held, so that nothing else gets that id."""
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
        value = _behind(value)
        if id(value) in self.seen:
            self.words.append(f"again {self.seen[id(value)][0]}")
            return
        self.lasting = self.lasting and _unchanging(value)
        if not isinstance(value, SCALARS):
            self.seen[id(value)] = len(self.seen), value
        if isinstance(value, FunctionType):
            self.tell_function(value)
        elif isinstance(value, type):
            self.tell_class(value)
        elif isinstance(value, property):
            self.tell((value.fget, value.fset))
        elif isinstance(value, frozenset | set):
            self.words.append(f"set {sorted(map(repr, value))}")
        elif isinstance(value, tuple | list):
            self.tell_all(type(value).__name__, value)
        elif isinstance(value, dict):
            self.tell_all("dict", [each for pair in value.items() for each in pair])
        elif isinstance(value, partial):
            self.tell_all("partial", [value.func, value.args, value.keywords])
        elif hasattr(value, "tobytes"):  # an array shows only its ends
            self.words.append(f"{value!r} {sha256(value.tobytes()).hexdigest()}")
        elif _is_own(type(value)) and hasattr(value, "__dict__"):
            self.tell_all("object", [type(value), dict(vars(value))])
        elif not isinstance(value, ModuleType):
            self.words.append(_ADDRESS.sub("", repr(value)))

    def tell_all(self, what: str, values: Sequence[Any]) -> None:
        self.words.append(f"{what} {len(values)}")
        for each in values:
            self.tell(each)

    def tell_function(self, value: FunctionType) -> None:
        self.words.append(f"function {value.__qualname__}")
        self.functions.append((value, value.__code__, value.__defaults__))
        self.tell((value.__defaults__, value.__kwdefaults__))
        self.tell_code(value.__code__, value.__globals__)
        for cell in value.__closure__ or ():
            self.tell(cell.cell_contents)

    def tell_class(self, value: type) -> None:
        members = [f"{each.name}={each.value!r}" for each in value] if issubclass(value, Enum) else []
        self.words.append(f"class {value.__qualname__} {members} {getattr(value, '_field_defaults', {})!r}")
        for base in filter(_is_own, value.__bases__):
            self.tell(base)
        for name, held in sorted(vars(value).items()):
            behind = _behind(held.fget if isinstance(held, property) else held)
            done_here = isinstance(behind, FunctionType) and behind.__module__ == value.__module__
            constant = (
                _is_own(value) and not members and name[:2] != "__" and name not in MADE and isinstance(held, CONSTANTS)
            )
            if done_here or constant:
                self.words.append(name)
                self.tell(self.look(vars(value), name))

    def tell_code(self, code: CodeType, names: Mapping[str, Any]) -> None:
        self.words.append(code.co_code.hex())
        self.words.append(f"{code.co_names} {code.co_varnames} {code.co_argcount} {code.co_flags}")
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self.tell_code(constant, names)
            else:
                self.tell(constant)
        modules = list(_imported_within(code, names)) if _IMPORT in code.co_code[::2] else []
        for name in code.co_names:
            found = self.look(names, name)
            if isinstance(found, ModuleType):
                modules.append(found)
            elif name in names:
                self.tell(found)
        for module in modules:  # grows where one leads to another
            # Of another file of the package: what is asked of it by name.
            for asked in code.co_names:
                found = self.look(vars(module), asked)
                if not isinstance(found, ModuleType):
                    self.tell(found)
                elif _is_own(found) and found not in modules:
                    modules.append(found)

    def look(self, names: Mapping[str, Any], name: str) -> Any:
        found = names.get(name)
        self.asked.append((names, name, found))
        return found


def _behind(value: Any) -> Any:
    """The function that was compiled, cached or made a method of a class."""
    value = getattr(value, "py_func", value)
    if isinstance(value, staticmethod | classmethod):
        return value.__func__
    cached = hasattr(value, "cache_info") and hasattr(value, "__wrapped__")
    return value.__wrapped__ if cached else value


def _is_own(value: Any) -> bool:
    """Whether a class or a module is one that the author of a duel may have written."""
    name = value.__name__ if isinstance(value, ModuleType) else value.__module__
    return isinstance(name, str) and name.partition(".")[0] not in LIBRARIES


def _imported_within(code: CodeType, names: Mapping[str, Any]) -> Iterator[ModuleType]:
    """The author's own modules that a function imports when it is called."""
    from dis import get_instructions
    from importlib import import_module

    steps = list(get_instructions(code))
    for place, step in enumerate(steps):
        if step.opname == "IMPORT_NAME":
            level = next(each.argval for each in steps[place - 2 :] if isinstance(each.argval, int))
            module = import_module("." * level + step.argval, names.get("__package__"))
            if _is_own(module):
                yield module


def _unchanging(value: Any) -> bool:
    if isinstance(value, tuple | frozenset):
        return all(map(_unchanging, value))
    if isinstance(value, FunctionType):
        return not value.__closure__ and not value.__kwdefaults__ and _unchanging(value.__defaults__)
    return isinstance(value, UNCHANGING)

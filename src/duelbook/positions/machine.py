"""The same functions as plain Python and as machine code.

What solves a duel is written once, as functions over flat lists of numbers. A small duel is solved by these functions
as they stand, in less time than it takes to compile them, and where there is no compiler at all. For a large one each
function is made anew over a copy of its file's names, in which every function of ours that it calls is replaced by its
compiled twin, as `compiled` does with the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple

from duelbook.core import DuelError
from duelbook.positions import numbers
from duelbook.positions.size import NOT_HERE, Size, there_is_a_compiler

Maker = Callable[[Any], Any]


class Machine(NamedTuple):
    """Something that runs our functions."""

    compiled: bool
    make: Maker
    """From a function that is written on the spot, for others that are: it calls nothing but what was made already."""
    twin: Maker
    """From a function of one of our files: with it all functions of ours that it calls."""
    array: Maker
    """From an array of Python's: numbers as the functions take them."""
    blank: Callable[[int], Any]
    """So many whole numbers, all 0. Where compiled code takes them, those that are never written take no memory."""


def plain() -> Machine:
    """Python itself. What comes again and again is remembered, where a function says how (see `remembered`)."""

    @cache
    def twin(function: Any) -> Any:
        return _in_python(_calling(function, twin))

    return Machine(False, lambda function: function, twin, list, lambda count: [0] * count)


@cache
def compiling() -> Machine:
    """Numba's compiler. What it has compiled stays for the whole program, and twins for the next one, too."""
    import numpy as np

    from duelbook.positions.compiler import kept, only_called

    instead = {getattr(numbers, name): kept(function) for name, function in numbers.for_the_compiler().items()}

    @cache
    def called(function: Any) -> Any:
        return instead.get(function) or only_called(_calling(function, called))

    @cache
    def twin(function: Any) -> Any:
        return instead.get(function) or kept(_calling(function, called))

    def blank(count: int) -> Any:
        return np.zeros(count, np.int32)

    return Machine(True, only_called, twin, np.asarray, blank)


REMEMBERING: dict[str, Maker] = {}
"""How what a function has found is remembered, by the function's full name. Only plain Python needs it."""


def remembered(how: Maker) -> Maker:
    """Mark a function whose results plain Python remembers in this way."""

    def mark(function: Any) -> Any:
        REMEMBERING[f"{function.__module__}.{function.__qualname__}"] = how
        return function

    return mark


def _in_python(function: Any) -> Any:
    how = REMEMBERING.get(f"{function.__module__}.{function.__qualname__}")
    return function if how is None else how(function)


def _calling(function: Any, twin: Maker) -> Any:
    """The function made anew, so that it calls the twins of all functions of ours."""
    names = dict(function.__globals__)
    for name in function.__code__.co_names:
        called = names.get(name)
        if isinstance(called, FunctionType) and called.__module__.startswith("duelbook."):
            names[name] = twin(called)
    copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    copy.__qualname__ = function.__qualname__
    return copy


def is_compiled(twin: Any) -> bool:
    """Whether a compiled function is there already: made in this run, or kept by another."""
    from duelbook.positions.compiler import is_kept

    return bool(twin.signatures) or is_kept(twin)


def need_compiler(what: str) -> None:
    """Say what to install before something is begun that only a compiler can do."""
    if not there_is_a_compiler():
        raise DuelError(f"{what} needs Numba, {NOT_HERE}.")


def machine_for(size: Size) -> Machine:
    """Whatever does the work sooner."""
    return compiling() if size.to_compile and there_is_a_compiler() else plain()

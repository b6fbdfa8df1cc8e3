"""Numba, as all of Duelbook uses it: what it has compiled is kept for the next run, where there is a folder for it."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numba import njit
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.registry import CPUDispatcher

from duelbook.beside import beside, uncut

if TYPE_CHECKING:
    from collections.abc import Callable


class _Brief(CPUDispatcher):
    """A compiled function that is done in no time. Only compiling it takes a while."""

    def _compile_for_args(self, *arguments: Any, **named: Any) -> Any:
        return beside(super()._compile_for_args, *arguments, **named)  # type: ignore[misc]  # Numba has no types


class _Long(_Brief):
    """A compiled function that may take a while, and is not interrupted by whoever interrupts us meanwhile."""

    def __call__(self, *arguments: Any) -> Any:
        return beside(super().__call__, *arguments)


def kept(function: Any) -> Any:
    """The function, compiled when it is first called, or found as it was compiled before."""
    return _with_cache(njit(function), _Cache)


def only_called(function: Any) -> Any:
    """The same, for a function that nothing but other compiled code calls, and that is kept as a part of that."""
    options: dict[str, Any] = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return njit(**options)(function)


def _with_cache(compiled: Any, files: Callable[[Any], FunctionCache], kind: type[_Brief] = _Long) -> Any:
    compiled.__class__ = kind
    compiled.targetoptions["nogil"] = True  # threads run side by side, and whoever waits for one can be interrupted
    with suppress(RuntimeError):  # neither beside the sources nor in the user's cache: it is compiled anew in every run
        compiled._cache = files(compiled.py_func)
    return compiled


def is_kept(compiled: Any) -> bool:
    """Whether another run has left what it compiled of this function."""
    with suppress(Exception):  # no folder, or a damaged file: nothing is kept
        return bool(compiled._cache._cache_file._load_index())
    return False


_ROOMS = ("positions", "solving", "policies", "simulate", "envs", "exam/refuting")
SOURCES = ("core.py", *(f"{room}/*.py" for room in _ROOMS))
"""Whatever may be compiled into a function."""


@cache
def _stamp() -> str:
    """What changes when a source does that may be compiled into a function, wherever the function itself stands."""
    house = Path(__file__).parent.parent
    seen = [(str(path), path.stat()) for pattern in SOURCES for path in sorted(house.glob(pattern))]
    return sha256(repr([(path, stat.st_mtime_ns, stat.st_size) for path, stat in seen]).encode()).hexdigest()


class _Cache(FunctionCache):
    """Numba's files of compiled code. They only save time: whatever fails here is as if there were none.

    Numba itself asks only whether the file has changed in which a function stands, and not those of the functions that
    were compiled into it; and it reads its files before it asks, though they may name classes that are there no more.
    """

    def __init__(self, function: Any, key: str = "") -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]  # Numba has no types
        name = self._impl.filename_base + key
        self._cache_file = IndexDataCacheFile(self._cache_path, name, _stamp())  # type: ignore[no-untyped-call]  # Numba has no types

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]  # Numba has no types
        except Exception:  # noqa: BLE001  # a damaged file, or one of what is there no more: begin it again
            with suppress(Exception):
                self.flush()  # type: ignore[no-untyped-call]  # Numba has no types
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with uncut, suppress(Exception):  # a full disk, or a class that cannot be named in a file
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]  # Numba has no types


class _CacheByKey(_Cache):
    """What was compiled from a function that is made on the spot, found by a key that says what it does.

    Numba's own key is the function's code with the functions it was made from, and these are new in every run. Each key
    has files of its own, for they name the classes of one duel.
    """

    def __init__(self, function: Any, key: str) -> None:
        super().__init__(function, f"-{key}")
        self._key = key

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return sig, codegen.magic_tuple(), self._key


def keep_by(key: str, compiled: Any, *, brief: bool = False) -> Any:
    """The same function, already marked for compiling: what comes of that is kept for the next run under this key.

    To let whoever waits be interrupted takes longer than a `brief` function does.
    """
    return _with_cache(compiled, lambda function: _CacheByKey(function, key), _Brief if brief else _Long)

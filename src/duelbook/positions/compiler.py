"""Numba, as all of Duelbook uses it: what it has compiled is kept for the next run, where there is a folder for it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from numba import njit
from numba.core.caching import FunctionCache, IndexDataCacheFile


def kept(function: Any) -> Any:
    """The function, compiled when it is first called, or found as it was compiled before."""
    return _kept(function, nogil=False)


def kept_beside(function: Any) -> Any:
    """The same, for a function that threads run side by side."""
    return _kept(function, nogil=True)


def _kept(function: Any, nogil: bool) -> Any:
    try:
        return njit(cache=True, nogil=nogil)(function)
    except RuntimeError:  # neither beside the sources nor in the user's cache: it is compiled anew in every run
        return njit(nogil=nogil)(function)


class _CacheByKey(FunctionCache):
    """What was compiled from a function that is made on the spot, found by a key that says what it does.

    Numba's own key is the function's code with the functions it was made from, and these are new in every run. Each key
    has files of its own, for they name the classes of one duel. They only save time: whatever fails here is as if there
    were none.
    """

    def __init__(self, function: Any, key: str) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]  # Numba has no types
        self._key = key
        name = f"{self._impl.filename_base}-{key}"
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = IndexDataCacheFile(self._cache_path, name, stamp)  # type: ignore[no-untyped-call]  # Numba has no types

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return sig, codegen.magic_tuple(), self._key

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]  # Numba has no types
        except Exception:  # noqa: BLE001  # a damaged file, or one of a duel that is there no more
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(Exception):  # a full disk, or a class that cannot be named in a file
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]  # Numba has no types


def keep_by(key: str, compiled: Any) -> Any:
    """The same function, already marked for compiling: what comes of that is kept for the next run under this key."""
    with suppress(RuntimeError):  # as above: there is no folder for it
        compiled._cache = _CacheByKey(compiled.py_func, key)
    return compiled

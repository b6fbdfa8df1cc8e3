"""Numba, as all of Duelbook uses it: what it has compiled is kept for the next run, where there is a folder for it."""

from __future__ import annotations

from typing import Any

from numba import njit


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

"""How a screen hears that something has come over a wire, in whatever thread it came."""

from __future__ import annotations

from collections.abc import Callable

from textual.message import Message
from textual.screen import Screen

from duelbook.serve.wire import Wire

OpenWire = Callable[[Wire, Screen[None]], None]
"""Shows what is at the other end of a wire in place of a screen."""
LONG = 60 * 60 * 24.0
"""Seconds: a note that stays until it is taken away."""


class News(Message):
    """Something has come over the wire."""

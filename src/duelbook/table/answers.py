"""How else people answer the coach, by what the answer is called: the same at every table."""

from __future__ import annotations

ALSO_SAID = {
    "try again": ("again", "undo", "take it back"),
    "show me": ("why",),
    "keep it": ("no", "go on"),
    "go on": ("no", "okay", "keep it"),
}

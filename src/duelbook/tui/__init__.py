"""The full-screen terminal: it drives the same match, dialogue and coach as line mode, and knows no rule."""

SMALLEST = (60, 18)
"""Columns and rows that the full screen needs; 80 by 24 is comfortable."""
CONFIRMING = ("enter", "space")
"""Keys that choose what is highlighted."""

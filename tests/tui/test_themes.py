"""Every theme keeps contrast: text can be read wherever it stands."""

from __future__ import annotations

import itertools

import pytest
from textual.color import Color
from textual.theme import Theme

from duelbook.tui.themes import ALL

TEXTS = ("foreground", "primary", "secondary", "accent", "success", "warning", "error")
GROUNDS = ("background", "surface", "panel")
READABLE, FAINT = 4.5, 3.0
"""The ratios that the web's accessibility guidelines ask of text, and of what only rests on the screen."""


def ratio(text: str, ground: str) -> float:
    light, dark = sorted((_luminance(text), _luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [part / 255 for part in Color.parse(colour).rgb]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", ALL, ids=lambda theme: str(theme.name))
def test_text_can_be_read(theme: Theme) -> None:
    for text, ground in itertools.product(TEXTS, GROUNDS):
        assert ratio(getattr(theme, text), getattr(theme, ground)) >= READABLE, (text, ground)
    for ground in GROUNDS:
        assert ratio(theme.variables["text-muted"], getattr(theme, ground)) >= READABLE, ground
        assert ratio(theme.variables["text-disabled"], getattr(theme, ground)) >= FAINT, ground

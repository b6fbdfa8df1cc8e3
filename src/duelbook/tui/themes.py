"""The colours. Every theme keeps text readable, and no colour ever says what words or shapes do not say too."""

from __future__ import annotations

from textual.theme import Theme

NIGHT = Theme(
    name="night",
    primary="#7aa2f7",
    secondary="#e0a458",
    accent="#c792ea",
    success="#8fce7e",
    warning="#f2c14e",
    error="#ff7b72",
    foreground="#e6e9f2",
    background="#11131c",
    surface="#191c28",
    panel="#232838",
    dark=True,
    variables={"text-muted": "#a3abc4", "text-disabled": "#7c849e"},
)
PAPER = Theme(
    name="paper",
    primary="#1f4e8c",
    secondary="#8a4b08",
    accent="#6b2d8f",
    success="#1f6b2c",
    warning="#7a5200",
    error="#a3211b",
    foreground="#1d1b16",
    background="#f7f3e8",
    surface="#efe8d6",
    panel="#e3dac2",
    dark=False,
    variables={"text-muted": "#5a5446", "text-disabled": "#756d5b"},
)
CONTRAST = Theme(
    name="contrast",
    primary="#ffff00",
    secondary="#00ffff",
    accent="#ff9dff",
    success="#66ff66",
    warning="#ffff00",
    error="#ff9d8a",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1c1c1c",
    dark=True,
    variables={"text-muted": "#dddddd", "text-disabled": "#b0b0b0"},
)
ALL = (NIGHT, PAPER, CONTRAST)

SEATS = ("$primary", "$secondary")
"""Each player's colour, beside their name and never instead of it."""
TONES = {
    "title": "bold",
    "turn": "bold $primary",
    "hurt": "$error",
    "gain": "$success",
    "calm": "$warning",
    "end": "bold $accent",
    "quiet": "$text-muted",
    "error": "$warning",
}
"""How the tones of a dialogue's lines look."""

"""Names that strangers choose for themselves: what others see of them, and which look like one another."""

from __future__ import annotations

from unicodedata import category, combining, normalize

from duelbook.core import DuelError
from duelbook.speech import plain
from duelbook.table.invitation import LONGEST_NAME

MOST_MARKS = 2
"""Above and below one letter; some languages need that many, and a tower of them is a picture."""
_PASSES_FOR = {
    "a": "аαɑ@4",
    "b": "вβ",
    "c": "сϲ",
    "d": "ԁ",
    "e": "еεё3",
    "h": "һн",
    "i": "іιıɩ1|!lℓӏ",
    "j": "јϳ",
    "k": "кκ",
    "m": "м",
    "n": "η",
    "o": "оοσ0",
    "p": "рρ",
    "q": "ԛ",
    "s": "ѕ5$",
    "t": "тτ7",
    "u": "υ",
    "v": "ν",
    "w": "ԝω",
    "x": "хχ",
    "y": "уγ",
}
LOOKS_LIKE = {ord(letter): latin for latin, letters in _PASSES_FOR.items() for letter in letters}
"""Letters of other alphabets, digits and signs that pass for Latin letters at a glance."""


def cleaned(name: str) -> str:
    """A name as others may see it: one line of visible letters that steer nothing, 30 at most."""
    visible = "".join(letter if plain(letter) == letter else " " for letter in normalize("NFC", name))
    tidy = " ".join(_with_few_marks(visible).split())[:LONGEST_NAME].strip()
    if not any(category(letter)[0] in "LNSP" for letter in tidy):
        raise DuelError(f"A name has 1 to {LONGEST_NAME} visible characters.")
    return tidy


def _with_few_marks(text: str) -> str:
    kept, marks = [], MOST_MARKS  # none before the first letter
    for letter in text:
        marks = marks + 1 if category(letter).startswith("M") else 0
        if marks <= MOST_MARKS:
            kept.append(letter)
    return "".join(kept)


def look_alike(one: str, two: str) -> bool:
    """Whether somebody could take one name for the other."""
    return _at_a_glance(one) == _at_a_glance(two)


def _at_a_glance(name: str) -> str:
    """A name without its marks, its spaces and signs, in letters that differ to the eye; itself, if nothing is left."""
    base = "".join(letter for letter in normalize("NFKD", name).casefold() if not combining(letter))
    letters = "".join(letter for letter in base.translate(LOOKS_LIKE) if letter.isalnum())
    return letters.replace("rn", "m").replace("vv", "w") or name

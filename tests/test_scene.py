"""What lies on the table of a duel that does not describe it: its status lines do."""

from __future__ import annotations

import pytest

from duelbook import load
from duelbook.scene import scene_of
from duelbook.speech import Line

LABELS = [
    ("Player 1: 2 lives, 3 bullets, dynamite 1", 2, "lives"),
    ("Player 1: 2 lives, 3 bullets, dynamite 1", 3, "bullets"),
    ("Player 1: 2 2 2, store 0", 0, "store"),
    ("Player 1: 4 hearts", 4, "hearts"),
    ("Total: 12", 12, "Total"),
    ("Player 1's tower, in blocks of stone: 5", 5, "in blocks of"),
    ("Unpronounceability: 7", 7, "Unpronouncea"),
    ("Player 1 has nothing", 0, "has nothing"),
]


@pytest.mark.parametrize(("text", "value", "label"), LABELS)
def test_a_bar_is_labelled_with_what_its_line_counts(
    text: str, value: int, label: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tower = load("tower")._replace(scene=None)
    monkeypatch.setattr(tower.dialogue, "status", lambda *_: [Line(text, gauge=(value, 20))])
    assert scene_of(tower, tower.book, tower.start(tower.book, 0)).sides[0].gauge.name == label


def test_what_else_a_line_says_stands_below_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    tower = load("tower")._replace(scene=None)
    lines = [Line(f"{name}: 2 2 1, store 4", gauge=(4, 12)) for name in tower.seats]
    monkeypatch.setattr(tower.dialogue, "status", lambda *_: lines)
    sides = scene_of(tower, tower.book, tower.start(tower.book, 0)).sides
    assert [side.notes for side in sides] == [("2 2 1",), ("2 2 1",)]

"""Rules under which a game is over before it begins: every door says so in the same sentence."""

from __future__ import annotations

import io
import sys

import pytest

from duelbook.cli import run

OVER = ("energy=1", "attack_cost=42", "defend_cost=4", "may_pass=never")
SENTENCE = (
    "Under these rules Energy Duel is over before it begins: "
    "Player 1 has 1 unit of energy and cannot perform any action."
)
RULES = [word for rule in OVER for word in ("--rule", rule)]


def said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    monkeypatch.setattr(sys, "argv", ["duelbook", *words])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"quit\n")))
    code = run()
    out, err = capsys.readouterr()
    return code, out + err


@pytest.mark.parametrize(
    "words",
    [
        ["play", "energy", "--line"],
        ["hint", "energy"],
        ["levels", "energy"],
        ["map", "energy"],
        ["arena", "random", "perfect", "--games", "energy"],
    ],
    ids=lambda words: words[0],
)
def test_who_would_begin_one_is_told_why_not(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = said(monkeypatch, capsys, *words, *RULES)
    assert code == 2
    assert text.endswith(f"Error: {SENTENCE}\n")


def test_it_can_be_solved(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = said(monkeypatch, capsys, "solve", "energy", *RULES)
    assert code == 0
    assert "Player 2 wins." in text


def test_a_position_that_somebody_names_is_another_matter(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = said(monkeypatch, capsys, "play", "energy", "--line", "--from", "1 1 1", *RULES)
    assert code == 2
    assert "That position is the end of a game already" in text

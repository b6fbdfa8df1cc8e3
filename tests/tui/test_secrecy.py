"""Behind the curtain nothing that is sent to the terminal depends on a pick, whichever it is and however it is made."""

from __future__ import annotations

from asyncio import Event
from pathlib import Path

import pytest
from textual import events
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot

from duelbook.tui.command import HIDDEN
from duelbook.tui.reveal import Reveal
from tui_helper import at_home, click_words, match_of, press, rows, run, settle, text, wait_until
from witness_helper import Letters, letters_before_and_after


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """All that the program writes to the terminal, in the order in which it does."""
    at_home(monkeypatch, tmp_path)
    written: list[str] = []
    monkeypatch.setattr(HeadlessDriver, "is_headless", False)
    monkeypatch.setattr(HeadlessDriver, "write", lambda _, data: written.append(data))
    return written


async def make(pilot: Pilot[int], way: str) -> None:
    """Choose in this way: a click on a card, something pasted, or keys; wait until the terminal shows what it will."""
    how, _, what = way.partition(" ")
    if how == "click":
        await click_words(pilot, what)
    elif how == "paste":
        pilot.app.post_message(events.Paste(what))
        await settle(pilot)
    else:
        await press(pilot, *way.split())
    shown = Event()
    pilot.app.screen.call_after_refresh(shown.set)
    await wait_until(pilot, shown.is_set)


WAYS = [
    *("1", "9", "0", "1 0", "0 1 0", "1 2 backspace 0", "7 k backspace", "4 space", "5 y"),
    *("paste 10", "paste 3", "click 10 (0)", "click 1", "click 7"),
]


@pytest.mark.slow
def test_every_way_to_choose_sends_the_same_bytes(sent: list[str]) -> None:
    told: dict[str, str] = {}

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", "enter")
        for way in WAYS:
            at = len(sent)
            await make(pilot, way)
            told[way] = "".join(sent[at:])
            assert f"Your pick: {HIDDEN}" in text(pilot.app)
            await make(pilot, "escape")

    run(tale, opening=match_of("secret"))
    assert HIDDEN in told["1"]
    assert {way: bytes for way, bytes in told.items() if bytes != told["1"]} == {}


@pytest.mark.slow
def test_changing_ones_mind_sends_nothing_at_all(sent: list[str]) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", "enter")
        await make(pilot, "1")
        at = len(sent)
        for way in ("0", "backspace", "k", "backspace", "paste 10", "click 8", "click 10 (0)", "backspace"):
            await make(pilot, way)
            assert sent[at:] == []
        assert f"Your pick: {HIDDEN}" in text(pilot.app)

    run(tale, opening=match_of("secret"))


def shown_until_the_reveal(sent: list[str], way: str) -> tuple[Letters, Letters, list[str]]:
    """What is shown before the first pick, and from then until the second is to be confirmed; and the reveal."""
    witnessed: list[tuple[Letters, Letters]] = []
    revealed: list[str] = []

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", "enter")
        at = len("".join(sent).encode())
        await make(pilot, way)
        await press(pilot, "enter")
        assert "Hand over the keyboard to Player B" in text(pilot.app)
        await press(pilot, "enter")
        await make(pilot, way)
        witnessed.append(letters_before_and_after("".join(sent).encode(), at))
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, Reveal)
        revealed.extend(rows(pilot.app))

    sent.clear()
    run(tale, opening=match_of("secret"))
    (before, after) = witnessed[0]
    return before, after, revealed


@pytest.mark.slow
def test_nothing_shown_while_the_keyboard_changes_hands_depends_on_a_pick(sent: list[str]) -> None:
    runs = [shown_until_the_reveal(sent, way) for way in ("1", "1 0", "click 8")]
    innocent = set().union(*(before for before, _, _ in runs))  # nobody had picked yet
    new = [after - innocent for _, after, _ in runs]
    assert new[0]
    assert new[0] == new[1] == new[2]
    assert len({"".join(revealed) for _, _, revealed in runs}) == len(runs)


@pytest.mark.slow
def test_the_second_half_of_a_double_click_does_not_open_the_curtain_for_the_next_player(sent: list[str]) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", "enter", "7")
        row = max(at for at, line in enumerate(rows(pilot.app)) if "Enter confirm" in line)
        await pilot.double_click(offset=(rows(pilot.app)[row].index("Enter confirm"), row))
        await settle(pilot)
        assert "Hand over the keyboard to Player B" in text(pilot.app)

    run(tale, opening=match_of("secret"))

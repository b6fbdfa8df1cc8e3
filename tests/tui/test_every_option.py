"""Every duel under every value of every rule on the full screen: it opens, and what is typed is played."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from duelbook import game_ids, load, variant
from duelbook.core import LUCK, DuelError, check_beginning
from duelbook.table.invitation import Invitation
from duelbook.tui.table import Table
from slow_helper import slow_if
from tui_helper import at_home, press, run, say, settle, text, wait_until


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    at_home(monkeypatch, tmp_path)


def options() -> Iterator[Any]:
    """Each value of a named option, and each number at its lowest, in the middle and at its highest."""
    for id in game_ids():
        game = load(id)
        for name, knob in game.knobs.items():
            book = knob.show(getattr(game.book, name))
            for value in knob.samples(getattr(game.book, name)):
                yield slow_if(name != "may_pass" or value == book, id, f"{name}={value}")


@pytest.mark.slow
@pytest.mark.parametrize(("id", "setting"), list(options()))
def test_a_move_is_typed_under_every_option(id: str, setting: str) -> None:
    game = load(id)
    wish = Invitation(game, ("human", "random"), rules=(setting,), seed=3)

    async def tale(pilot: Pilot[int]) -> None:
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, Table))
        table = pilot.app.screen
        assert isinstance(table, Table)
        match = table.match
        assert match.rules == variant(game, [setting]) != game.book or setting in _by_the_book(id)
        if match.turn == LUCK:
            await press(pilot, "enter")
        word = game.dialogue.words(match.rules)[game.legal_moves(match.rules, match.state, 0)[-1]]
        await say(pilot, word)
        await wait_until(pilot, lambda: match.turns > 0)
        assert game.name in text(pilot.app) or match.outcome is not None
        await settle(pilot)

    async def refused(pilot: Pilot[int]) -> None:
        assert not isinstance(pilot.app.screen, Table)
        assert any(note.message.endswith(".") for note in pilot.app._notifications)

    run(tale if _can_begin(id, setting) else refused, opening=lambda app: app.begin(wish))


def _by_the_book(id: str) -> set[str]:
    game = load(id)
    return {f"{name}={knob.show(getattr(game.book, name))}" for name, knob in game.knobs.items()}


def _can_begin(id: str, setting: str) -> bool:
    """Rules can be such that nobody has anything to decide: then no table is opened, and it is said why."""
    game = load(id)
    try:
        check_beginning(game, variant(game, [setting]))
    except DuelError:
        return False
    return True

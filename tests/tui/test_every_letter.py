"""Every letter on every screen: a capital does what the small letter does, and what means nothing is answered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from string import ascii_lowercase, digits

import pytest
from textual.pilot import Pilot

from duelbook.games import example, load
from duelbook.record import reads
from duelbook.tui.app import DuelbookApp
from duelbook.tui.base import BaseScreen
from duelbook.tui.command import CommandLine
from duelbook.tui.curtain import Curtain
from duelbook.tui.keybar import KeyBar
from duelbook.tui.naming import Named
from slow_helper import slow
from tui_helper import at_home, match_of, press, run, settle, text, told

Opening = Callable[[DuelbookApp], object]


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    at_home(monkeypatch, tmp_path)
    return tmp_path


def replay(app: DuelbookApp) -> None:
    app.open_replay(reads(example(load("tower")).read_text(encoding="utf-8"))[0])


SCREENS: dict[str, tuple[Opening | None, tuple[str, ...]]] = {
    "lobby": (None, ()),
    "set-up": (None, ("5",)),
    "options": (None, ("5", "o")),
    "settings": (None, ("s",)),
    "watch": (None, ("w",)),
    "shelf": (None, ("l",)),
    "puzzles": (None, ("p",)),
    "record": (None, ("m",)),
    "replay": (replay, ()),
    "aftermath": (match_of("tower", "human", "human", position="11 3 1"), ("4", "enter", "enter")),
    "a page": (None, ("question_mark",)),
    "a question": (match_of("tower"), ("x",)),
    "whom to meet": (replay, ("t",)),
    "curtain": (match_of("secret"), ("enter",)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", [name if name == "settings" else slow(name) for name in SCREENS])
def test_a_capital_does_what_the_small_letter_does(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opening, keys = SCREENS[name]
    done: list[str] = []

    async def note(self: DuelbookApp, action: object, *where: object) -> bool:
        done.append(str(action))
        return True

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *keys)
        screen = pilot.app.screen
        monkeypatch.setattr(DuelbookApp, "run_action", note)
        monkeypatch.setattr(type(screen), "answer", lambda self, words: done.append("nothing"))
        monkeypatch.setattr(BaseScreen, "dismiss", lambda self, said=None: done.append(f"ends with {said}"))

        async def does(letter: str) -> list[str]:
            done.clear()
            await pilot.press(letter)
            await settle(pilot)
            typed = [line.text.lower() for line in screen.query(CommandLine) if line.text]
            for line in screen.query(CommandLine):
                line.clear()
            if isinstance(screen, Named) and screen.typed:
                typed.append(screen.typed.lower())
                screen.forget()
            return done + typed

        for letter in ascii_lowercase:
            small, capital = await does(letter), await does(letter.upper())
            assert small == capital, letter
            silent = letter == "p" and name in ("set-up", "whom to meet")  # chooses a person, which is seen
            assert small or silent, letter

    run(tale, opening=opening)


@pytest.mark.parametrize("name", [name if name == "a question" else slow(name) for name in SCREENS])
def test_a_key_that_means_nothing_is_answered_with_what_works(name: str) -> None:
    opening, keys = SCREENS[name]
    unused = "f12"

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *keys)
        screen = pilot.app.screen
        heights = [bar.size.height for bar in screen.query(KeyBar)]
        await press(pilot, unused)
        assert pilot.app.screen is screen
        assert [bar.size.height for bar in screen.query(KeyBar)] == heights  # nothing moves for it
        bars, notes = screen.query(KeyBar), list(pilot.app._notifications)
        lines = screen.query(CommandLine) if isinstance(screen, Curtain) else ()
        said = [*(bar.said for bar in bars), *(note.message for note in notes), *(line.question for line in lines)]
        assert len(said) == 1, "said once, in one place"
        assert all("does nothing here" in each for each in said)
        if bars:
            await press(pilot, "down")
            assert "does nothing here" not in text(pilot.app)

    run(tale, opening=opening)


@pytest.mark.parametrize(
    ("name", "keys", "works"),
    [
        ("aftermath", (), "N: Rematch, G: Again, V: Review, P: Picture, D: Record, Q: Leave, ?: Help."),
        slow("aftermath", ("d",), "Type the line, then press Enter. Esc goes back and changes nothing."),
        slow("curtain", ("enter", "7", "enter", "enter", "5", "enter"), "Enter goes on."),
    ],
)
def test_where_no_keys_are_at_the_foot_a_note_names_them(name: str, keys: tuple[str, ...], works: str) -> None:
    opening, before = SCREENS[name]

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *before, *keys, "f12")
        assert told(pilot, f"F12 does nothing here. {works}")

    run(tale, opening=opening)


def test_the_lobby_names_the_keys_of_its_lines() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "end")
        assert "End does nothing here." in text(pilot.app)
        await press(pilot, "zero_width_joiner")  # a letter that nobody can see has no name that anybody knows
        assert "That key does nothing here." in text(pilot.app)
        await press(pilot, "ctrl+d")
        assert "Ctrl-D does nothing here." in text(pilot.app)
        await press(pilot, "V")
        assert "V does nothing here." in text(pilot.app)
        assert all(words in text(pilot.app) for words in ("R Resume", "L Games", "W Watch", "P Puzzles", "S Settings"))
        assert not told(pilot, "nothing")

    run(tale)


def test_digits_that_no_duel_has_are_answered() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        for digit in digits[6:] + digits[0]:
            await press(pilot, digit)
            assert f"{digit} does nothing here." in text(pilot.app)

    run(tale)

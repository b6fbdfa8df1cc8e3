"""Ctrl-C while something is solved or compiled, at whatever moment: a sentence or nothing, and the shell is back."""

from __future__ import annotations

from pathlib import Path

import pytest

from slow_helper import slow_if
from terminal_helper import CTRL_C, PROMPTS, Terminal, terminal

NOT_SAID = ("Traceback", "Exception ignored", "made a mistake", "Error", "Fatal")
SHOWN, HIDDEN = b"\x1b[?25h", b"\x1b[?25l"

SOLVING = {
    "secret": (("secret", "--rule", "hp=60"), ("Finding", "Closing in", "Making plans", "Choosing", "Writing")),
    "deck": (("deck", "--rule", "lp=12"), ("Finding", "Closing in", "Choosing")),
}
"""Variants that take a compiler, and the first words of the steps of solving them."""


def nothing_compiled(home: Path) -> dict[str, str]:
    """Folders of this terminal's own: neither a solution nor compiled code is in them, and what comes there is seen."""
    return {"NUMBA_CACHE_DIR": str(home / "compiled"), "XDG_CACHE_HOME": str(home / "cache")}


def ends_well(window: Terminal, unless: str = "interrupted") -> None:
    """As whoever interrupts wants it; unless the program has said that it is done."""
    code = window.ends()
    assert code in ((0, 130) if unless in window.said else (130,))
    assert window.sane
    assert [words for words in NOT_SAID if words in window.said] == []
    assert window.sent.rfind(SHOWN) >= window.sent.rfind(HIDDEN)
    assert not [path for path in window.home.rglob("*") if ".tmp." in path.name or path.suffix in (".draft", ".lock")]


MOMENTS = [
    (game, step, looks)
    for game, (_, steps) in SOLVING.items()
    for step in range(len(steps))
    for looks in ((1, 4, 8) if step < 2 else (1,))
]


@pytest.mark.parametrize(
    ("game", "step", "looks"), [slow_if(moment != ("secret", 0, 1), *moment) for moment in MOMENTS]
)
def test_solving_is_interrupted_at_any_moment(game: str, step: int, looks: int, tmp_path: Path) -> None:
    """A step is shown anew ten times a second, so the looks are moments of compiling and of compiled code at work."""
    words, steps = SOLVING[game]
    with terminal("solve", *words, home=tmp_path, settings=nothing_compiled(tmp_path)) as window:
        seen = 0
        while seen < looks and not window.wait_for(f"{steps[step]}|Solved").endswith("Solved"):
            seen += 1
        window.interrupt()
        ends_well(window, unless="Solved")  # a machine may be done before anybody has looked so often


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "at"),
    [
        (("hint", "deck", "--rule", "lp=12"), "Choosing"),
        (("levels", "secret", "--rule", "hp=30"), "Closing in"),
        (("levels", "secret", "--rule", "hp=30"), "Laying out"),
        (("levels", "secret", "--rule", "hp=30"), "Every rung"),
        (("play", "--line", "secret", "--rule", "hp=60", "--p2", "level:6", "--coach"), "Finding"),
        (("play", "--line", "secret", "--rule", "hp=60", "--p2", "level:6", "--coach"), "Making plans"),
    ],
)
def test_whatever_asks_for_it_is_interrupted(words: tuple[str, ...], at: str, tmp_path: Path) -> None:
    with terminal(*words, home=tmp_path, settings=nothing_compiled(tmp_path)) as window:
        window.wait_for(at)
        window.interrupt()
        ends_well(window)


@pytest.mark.slow
@pytest.mark.parametrize("at", ["Finding", "Closing in", "Making plans"])
def test_the_full_screen_is_left_while_it_solves(at: str, tmp_path: Path) -> None:
    words = ("play", "secret", "--rule", "hp=60", "--p2", "level:6")
    with terminal(*words, home=tmp_path, settings=nothing_compiled(tmp_path)) as window:
        window.watch(lambda: at in "\n".join(window.screen))
        window.press(CTRL_C)
        ends_well(window)


@pytest.mark.slow
def test_a_game_that_waits_for_its_coach_is_kept(tmp_path: Path) -> None:
    words = ("play", "--line", "secret", "--rule", "hp=60")
    with terminal(*words, home=tmp_path, settings=nothing_compiled(tmp_path)) as window:
        window.wait_for(PROMPTS["secret"])
        window.enter("7")
        window.wait_for(PROMPTS["secret"])
        window.enter("5")
        window.wait_for(PROMPTS["secret"])
        window.enter("hint")
        window.wait_for("Closing in")
        window.press(CTRL_C)
        ends_well(window)
        assert f"duelbook resume {window.files[0].stem}" in window.said
        assert window.moves() == "1. 7/5 *"

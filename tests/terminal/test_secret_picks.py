"""Two people at one keyboard: nobody sees a pick before both are in, and the terminal is as it was afterwards."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from duelbook.match import Match
from helpers import HANGING
from slow_helper import first_row_now
from terminal_helper import (
    CTRL_BACKSLASH,
    CTRL_C,
    CTRL_D,
    DOWN,
    ENTER,
    LEFT,
    PROMPTS,
    TAB,
    UP,
    Terminal,
    on_one_line,
    terminal,
    without_colours,
)

ASKED = PROMPTS["secret"]


@pytest.fixture
def duel(tmp_path: Path) -> Iterator[Terminal]:
    """Two people, and Player A is asked for the first pick."""
    with terminal("play", "--line", "secret", home=tmp_path) as window:
        window.wait_for(f"Player A, {ASKED}")
        yield window


def picked(window: Terminal) -> Match:
    return window.record().match


def until_revealed(home: Path, first: str, second: str) -> tuple[bytes, bytes, str]:
    """What is sent and saved from the first prompt to the reveal of these two picks."""
    home.mkdir()
    with terminal("play", "--line", "secret", "--seed", "1", home=home) as window:
        window.wait_for(f"Player A, {ASKED}")
        window.enter(first)
        window.wait_for(f"Player B, {ASKED}")
        (file,) = window.files
        saved = file.read_bytes().replace(file.stem.encode(), b"")  # its id says when it was begun, to the second
        window.enter(second)
        revealed = window.wait_for(f"Player A, {ASKED}")
        shown = bytes(window.sent).partition(b"=== Turn 1 ===")[2].partition(b"Result:")[0]
        return shown, saved, revealed


def test_what_is_sent_before_the_reveal_does_not_depend_on_the_picks(tmp_path: Path) -> None:
    shown, saved, revealed = until_revealed(tmp_path / "one", "3", "8")
    shown_otherwise, saved_otherwise, revealed_otherwise = until_revealed(tmp_path / "two", "10", "002")
    assert shown == shown_otherwise
    assert saved == saved_otherwise
    assert "Player A's attack: 3" in revealed
    assert "Player A's attack: 10" in revealed_otherwise
    assert "Player B's attack: 2" in revealed_otherwise
    # The only digits are those of the prompts.
    assert shown.count(b"3") == shown.count(b"8") == 0
    assert shown.count(b"1-10") == 2


@pytest.mark.parametrize("rows", [24, 6])
def test_no_pick_is_on_the_screen_or_above_it_before_the_reveal(tmp_path: Path, rows: int) -> None:
    """In six rows everything scrolls away at once, and scrolling back shows nothing either."""
    with terminal("play", "--line", "secret", home=tmp_path, rows=rows) as window:
        window.wait_for(f"Player A, {ASKED}")
        window.press("9")
        window.press("\x7f8")
        window.press("\x157" + ENTER)
        window.wait_for(f"Player B, {ASKED}")
        assert not set("789") & set(window.everything.replace("=== Turn 1 ===", ""))
        window.enter("4")
        window.wait_for("Result:")
        assert not set("4789") & set(window.everything.partition("Result:")[0])
        window.wait_for(f"Player A, {ASKED}")
        assert "Player A's attack: 7" in window.everything
        assert "Player B's attack: 4" in window.everything


def test_the_prompt_says_who_looks_and_who_looks_away(duel: Terminal) -> None:
    asked = on_one_line(duel.said)
    assert "Only Player A looks at the screen and types" in asked
    assert "Player B, look away" in asked
    assert "Only Player B" not in asked
    duel.enter("3")
    handed_over = on_one_line(duel.wait_for(f"Player B, {ASKED}"))
    assert "Only Player B looks at the screen and types" in handed_over
    assert "Player A, look away" in handed_over


def test_names_are_used_to_say_who_looks(tmp_path: Path) -> None:
    with terminal("play", "--line", "secret", "--name1", "Ann", "--name2", "Bo", home=tmp_path) as window:
        asked = on_one_line(window.wait_for(ASKED))
        assert "Only Ann looks" in asked
        assert "Bo, look away" in asked


def test_what_is_typed_ahead_is_neither_shown_nor_used(duel: Terminal) -> None:
    """Player A types a line too many: it is not Player B's pick. Player B does the same: it opens no next round."""
    duel.press("3" + ENTER + "8" + ENTER)
    duel.wait_for(f"Player B, {ASKED}")
    duel.press("5" + ENTER + "9" + ENTER)
    duel.wait_for("Result:")
    revealed = duel.wait_for(f"Player A, {ASKED}")
    assert "Player A's attack: 3" in revealed
    assert "Player B's attack: 5" in revealed
    duel.enter("1")
    duel.wait_for(f"Player B, {ASKED}")
    duel.enter("2")
    again = duel.wait_for("HP: 97")
    assert "Player A's attack: 1" in again
    assert "Player B's attack: 2" in again
    assert "8" not in duel.everything.replace("98", "")


def test_half_a_line_typed_ahead_is_forgotten(duel: Terminal) -> None:
    """`1` without Enter must not turn the next player's 0 into a 10."""
    duel.press("3" + ENTER + "1")
    duel.wait_for(f"Player B, {ASKED}")
    duel.enter("0")
    assert "out of range" in duel.wait_for(ASKED)


def test_what_is_typed_ahead_at_the_menu_is_no_pick(tmp_path: Path) -> None:
    with terminal("play", "--line", home=tmp_path) as window:
        window.wait_for(r"Enter choice \([^)]*\): ")
        window.enter("secret")
        window.wait_for("Who plays")
        window.wait_for(r"Enter choice \([^)]*\): ")
        window.press("1" + ENTER + "7" + ENTER)
        window.wait_for(f"Player A, {ASKED}")
        window.enter("3")
        window.wait_for(f"Player B, {ASKED}")
        window.enter("5")
        window.wait_for("Result:")
        assert "Player A's attack: 3" in window.wait_for("HP: 100")


def second_round(window: Terminal) -> None:
    """Play 7/5, then wait for Player A's next pick."""
    window.enter("7")
    window.wait_for(f"Player B, {ASKED}")
    window.enter("5")
    window.wait_for(r"Player A, enter your attack number \(cannot be 7\): ")


def test_a_repeat_is_asked_about_once_and_then_forfeits(duel: Terminal) -> None:
    second_round(duel)
    duel.enter("7")
    warned = duel.wait_for(r"Player A, .*\(cannot be 7\): ")
    assert "forfeits the game" in warned
    assert "Result" not in warned
    duel.enter("7")
    duel.wait_for(r"Player B, .*\(cannot be 5\): ")
    duel.enter("6")
    assert duel.leaves_the_finished_game() == 0
    assert "Player A repeated 7 and forfeits the game." in duel.said
    assert "Player B is the winner!" in duel.said
    assert picked(duel).state.forfeit == (1, 0)


def test_another_number_after_the_warning_is_played(duel: Terminal) -> None:
    second_round(duel)
    duel.enter("3")
    duel.wait_for(r"Player B, .*\(cannot be 5\): ")
    duel.enter("5")
    assert "forfeits the game" in duel.wait_for(r"Player B, .*\(cannot be 5\): ")
    duel.enter("6")
    assert "Player B deals 3 damage" in duel.wait_for(f"Player A, {ASKED}")
    assert picked(duel).state.last == (3, 6)
    assert picked(duel).outcome is None


TELLING = [
    ("4242", "42"),
    ("-73", "73"),
    ("7.35", "35"),
    ("7 3", "7 3"),
    ("seven", "seven"),
    ("attack 6", "6"),
    ("٧", "٧"),
    ("²", "²"),
    ("7" + UP, "[A"),
    ("'77'", "77"),
    ("9" * 250, "999"),
    ("halp me 64", "64"),
]
"""Lines that are refused, with the part of each that an answer must not repeat."""


def test_no_refusal_quotes_what_was_typed(duel: Terminal) -> None:
    for line, telling in TELLING:
        start = len(duel.sent)
        duel.enter(line)
        duel.wait_for(f"Player A, {ASKED}")
        answered = without_colours(bytes(duel.sent[start:]))
        assert answered.startswith("\r\n"), line
        assert "Pick a whole number from 1 to 10" in on_one_line(answered), line
        assert telling not in answered, line
    assert picked(duel).turns == 0


def test_arrows_and_tab_do_not_bring_back_a_pick(duel: Terminal) -> None:
    """The line editor's history never holds a pick, not even at the questions that `undo` asks."""
    second_round(duel)
    duel.enter("undo")
    duel.wait_for(r"agree to take back the last round \(7/5\)\? \(yes/no\) ")
    start = len(duel.sent)
    duel.enter(UP + UP + LEFT + DOWN + TAB)
    duel.wait_for(r"\(yes/no\) ")
    assert not set(b"57") & set(duel.sent[start:].replace(b"7/5", b""))
    duel.enter("no")
    duel.wait_for(f"Player A, {ASKED}")
    duel.enter(UP)
    assert "7" not in duel.wait_for(f"Player A, {ASKED}").replace("not 7", "").replace("cannot be 7", "")
    assert picked(duel).turns == 1


def test_nothing_is_echoed_when_a_shell_switched_echo_on_meanwhile(duel: Terminal) -> None:
    """Ctrl-Z and `fg`: the shell gives the terminal back with its own settings, echo included."""
    duel.stop()
    duel.set_echo(True)
    duel.signal(signal.SIGCONT)
    give_up = time.monotonic() + HANGING
    while duel.echoes and time.monotonic() < give_up:
        pass
    assert not duel.echoes
    start = len(duel.sent)
    duel.enter("8")
    duel.wait_for(f"Player B, {ASKED}")
    assert b"8" not in duel.sent[start:]


def leave_by(window: Terminal, how: str) -> int:
    keys = {"Ctrl-C": CTRL_C, "Ctrl-D": CTRL_D, "Ctrl-\\": CTRL_BACKSLASH, "quit": "quit" + ENTER}
    if how in keys:
        window.press(keys[how])
    else:
        window.signal(signal.Signals[how])
    return window.ends()


LEAVING = [("Ctrl-C", 130), ("Ctrl-D", 1), ("SIGTERM", 130), ("SIGHUP", 130), ("quit", 0), ("Ctrl-\\", 130)]


@pytest.mark.parametrize(("how", "code"), first_row_now(LEAVING, 2))
def test_leaving_in_the_middle_of_a_pick_restores_the_terminal(duel: Terminal, how: str, code: int) -> None:
    assert not duel.echoes
    assert leave_by(duel, how) == code
    assert duel.sane
    assert not duel.files


@pytest.mark.parametrize(("how", "code"), first_row_now(LEAVING[:4]))
def test_leaving_after_half_a_round_tells_nobody_the_sealed_pick(duel: Terminal, how: str, code: int) -> None:
    second_round(duel)
    duel.enter("3")
    duel.wait_for(f"Player B, {ASKED}")
    start = len(duel.sent)
    assert leave_by(duel, how) == code
    assert duel.sane
    assert duel.moves() == "1. 7/5 *"
    (file,) = duel.files
    farewell = duel.sent[start:].decode().replace(file.stem, "ID")
    assert "duelbook resume ID" in farewell
    assert "3" not in farewell
    with terminal("resume", "--line", home=duel.home) as later:
        later.wait_for("=== Turn 2 ===")
        asked = later.wait_for(r"\(cannot be [57]\): ")
        assert "Player A, enter your attack number" in asked


def test_the_terminal_echoes_again_when_the_game_is_over(tmp_path: Path) -> None:
    with terminal("play", "--line", "secret", "--from", "1 1 - -", home=tmp_path) as window:
        window.wait_for(f"Player A, {ASKED}")
        window.enter("10")
        window.wait_for(f"Player B, {ASKED}")
        assert not window.echoes
        window.enter("1")
        assert window.leaves_the_finished_game() == 0
        assert window.sane
        assert "Player A is the winner!" in window.said


def test_against_a_program_a_pick_is_echoed_as_usual(tmp_path: Path) -> None:
    """Nobody looks over your shoulder, so you see what you type."""
    with terminal("play", "--line", "secret", "--p2", "random", "--seed", "5", home=tmp_path) as window:
        asked = window.wait_for(f"Player A, {ASKED}")
        assert "look away" not in asked
        window.enter("7")
        assert window.wait_for("Result:").startswith("7\r\n")
        window.wait_for(f"Player A, {ASKED}")
        assert "previous number): 7" in window.everything
        window.enter("4242")
        refused = window.wait_for(f"Player A, {ASKED}")
        assert "out of range" in refused
        assert "42" not in refused.removeprefix("4242")
        window.enter("quit")
        assert window.ends() == 0
        assert window.sane

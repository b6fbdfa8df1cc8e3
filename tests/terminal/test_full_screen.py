"""The full screen in a real terminal: it starts, changes size, leaves, and gives the terminal back as it was."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from helpers import HANGING
from slow_helper import slow
from terminal_helper import CTRL_C, ENTER, TAB, Terminal, on_one_line, terminal
from witness_helper import Letters, letters_before_and_after

UTF8 = {"LANG": "C.UTF-8", "TEXTUAL_ANIMATIONS": "none"}
OWN_SCREEN, BACK = b"\x1b[?1049h", b"\x1b[?1049l"
MOUSE_OFF, CURSOR_ON = b"\x1b[?1000l", b"\x1b[?25h"

AGAIN = TAB + ENTER
"""An Enter that is meant, however soon after another: without a key between, it would be left over."""


def shows(window: Terminal, *words: str) -> None:
    """Wait until all of these are in the window."""
    window.watch(lambda: all(word in on_one_line("\n".join(window.screen)) for word in words))


def given_back(window: Terminal) -> bool:
    """Whether the program left its own screen, let go of the mouse and showed the cursor again, in that terminal."""
    after = bytes(window.sent).rpartition(BACK)
    return bool(after[1]) and MOUSE_OFF in window.sent and CURSOR_ON in window.sent and window.sane


@pytest.mark.parametrize("words", [(), slow(("play",))], ids=["duelbook", "duelbook play"])
def test_it_opens_the_lobby_and_q_leaves_with_the_terminal_as_it_was(words: tuple[str, ...], tmp_path: Path) -> None:
    with terminal(*words, home=tmp_path, settings=UTF8) as window:
        shows(window, "Command Line Conquer", "Tower Defense Duel", "Quit")
        assert OWN_SCREEN in window.sent
        window.press("q")
        assert window.ends() == 0
        assert given_back(window)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("leave", "code"),
    [(CTRL_C, 130), slow(signal.SIGTERM, 130), slow(signal.SIGHUP, 130), slow(signal.SIGQUIT, 130), slow("\x11", 130)],
    ids=["Ctrl-C", "SIGTERM", "SIGHUP", "SIGQUIT", "Ctrl-Q"],
)
def test_leaving_in_the_middle_saves_the_game_and_says_how_to_go_on(
    leave: str | signal.Signals, code: int, tmp_path: Path
) -> None:
    with terminal("play", "tower", home=tmp_path, settings=UTF8) as window:
        shows(window, "Enter your move:")
        window.enter("4")
        shows(window, "Player 1 builds 4 units.")
        if isinstance(leave, str):
            window.press(leave)
        else:
            window.signal(leave)
        assert window.ends() == code
        assert given_back(window)
        assert "The game is saved. Go on later with:" in on_one_line(window.said)
        assert window.moves() == "1. build 4 *"
    with terminal("resume", home=tmp_path, settings=UTF8) as window:
        shows(window, "Player 2 to move", "Player 1 builds 4 units.")
        window.press(CTRL_C)
        assert window.ends() == 130


def test_no_letter_of_a_word_acts_and_a_move_is_typed_over_the_hint(tmp_path: Path) -> None:
    with terminal("play", "tower", home=tmp_path, settings=UTF8) as window:
        shows(window, "Enter your move:")
        for words in ("okay", "I want a hint", "what now"):
            window.enter(words)
            shows(window, f"'{words}' is not a move here.")
        window.enter("hint")
        shows(window, "Close (Enter)")
        window.enter("build 2")
        shows(window, "Player 1 builds 2 units.", "Player 2 to move")
        assert "Perfect play" not in "\n".join(window.screen)  # K would have called the coach
        window.press(CTRL_C)
        assert window.ends() == 130
        assert window.moves() == "1. build 2 *"


@pytest.mark.parametrize("line", ["build 4", slow("BUILD 4"), slow("b4")])
def test_a_command_is_typed_seen_and_played_once(line: str, tmp_path: Path) -> None:
    with terminal("play", "tower", home=tmp_path, settings=UTF8) as window:
        shows(window, "Enter your move:")
        window.press(line)
        shows(window, f"Enter your move: {line}", "0 → 4")
        window.press(ENTER * 3)
        shows(window, "Player 1 builds 4 units.", "Player 2 to move")
        window.press("I")
        shows(window, "A hint")
        window.press(CTRL_C)
        window.ends()
        assert window.moves() == "1. build 4 *"


@pytest.mark.slow
@pytest.mark.parametrize("word", ["attack", "ATTACK"])
def test_a_word_is_one_command_however_fast_it_is_typed(word: str, tmp_path: Path) -> None:
    with terminal("play", "conquer", home=tmp_path, settings=UTF8) as window:
        shows(window, "Choose your action")
        window.enter(word)
        shows(window, "Player 2's Turn")
        window.enter("undo")
        shows(window, "Do both of you agree")
        window.press("Y")
        shows(window, "Taken back")
        window.enter("quit")
        shows(window, "Tower Defense Duel")
        window.press(CTRL_C)
        window.ends()
        assert not window.files


@pytest.mark.slow
def test_a_window_that_is_closed_loses_nothing(tmp_path: Path) -> None:
    with terminal("play", "tower", home=tmp_path, settings=UTF8) as window:
        shows(window, "Enter your move:")
        window.enter("4")
        shows(window, "Player 1 builds 4 units.")
        window.hang_up()
        window.ends()
        assert window.moves() == "1. build 4 *"


KEYS_READ_ON = """
from threading import Thread
from textual.app import App

usual = App.run

def run(app, *given, **named):
    code = usual(app, *given, **named)
    Thread(target=app._driver._run_input_thread).start()  # as Textual does when it is woken at this moment
    return code

App.run = run
from duelbook.cli import main
main()
"""


@pytest.mark.slow
def test_nothing_reads_keys_for_ever_when_the_screen_is_gone(tmp_path: Path) -> None:
    with terminal("-c", KEYS_READ_ON, home=tmp_path, settings=UTF8, program=()) as window:
        shows(window, "Tower Defense Duel")
        window.press(CTRL_C)
        window.ends()


@pytest.mark.slow
@pytest.mark.parametrize("buffered", [{}, {"PYTHONUNBUFFERED": "1"}])
def test_a_program_ends_when_its_window_is_closed(tmp_path: Path, buffered: dict[str, str]) -> None:
    """Its system ends it and wakes it at once, and then it waited for ever to write where nobody reads."""
    environment = {"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
    command = [sys.executable, "-m", "duelbook", "play", "tower"]
    leader, follower = pty.openpty()
    termios.tcsetwinsize(follower, (24, 80))
    with os.fdopen(leader, "rb", buffering=0) as window:
        process = subprocess.Popen(
            [sys.executable, "-c", TAKES_THE_TERMINAL, *command],
            stdin=follower,
            stdout=follower,
            stderr=follower,
            env=environment | buffered,
            start_new_session=True,
        )
        os.close(follower)
        seen = b""
        while b"Enter your move" not in seen:
            seen += window.read(65536)
    try:
        assert process.wait(timeout=HANGING) == 130
    finally:
        process.kill()
        process.wait()


TAKES_THE_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""
WOKEN_TOO_LATE = """
import os, signal
from textual.app import App

usual = App.run

def run(app, *given, **named):
    code = usual(app, *given, **named)
    for _ in range(5):  # as a system does that takes a window away
        os.kill(os.getpid(), signal.SIGCONT)
    return code

App.run = run
from duelbook.cli import main
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize("closed", [True, False])
def test_a_program_that_is_woken_when_its_window_is_closed_does_not_wait_for_ever(tmp_path: Path, closed: bool) -> None:
    with terminal("-c", WOKEN_TOO_LATE, home=tmp_path, settings=UTF8, program=()) as window:
        shows(window, "Tower Defense Duel")
        if closed:
            window.hang_up()
        else:
            window.press(CTRL_C)
        window.ends()


@pytest.mark.slow
def test_a_program_that_was_stopped_draws_its_screen_again(tmp_path: Path) -> None:
    with terminal("play", "tower", home=tmp_path, settings=UTF8) as window:
        shows(window, "Enter your move:")
        drawn = bytes(window.sent).count(OWN_SCREEN)
        window.stop()
        window.signal(signal.SIGCONT)
        window.watch(lambda: bytes(window.sent).count(OWN_SCREEN) > drawn)
        window.enter("4")
        shows(window, "Player 1 builds 4 units.")


@pytest.mark.slow
def test_a_kill_loses_nothing(tmp_path: Path) -> None:
    with terminal("play", "tower", home=tmp_path, settings=UTF8) as window:
        shows(window, "Enter your move:")
        window.enter("4")
        shows(window, "Player 1 builds 4 units.")
        window.signal(signal.SIGKILL)
        window.ends()
        assert window.moves() == "1. build 4 *"


@pytest.mark.slow
def test_the_window_changes_size_while_one_plays(tmp_path: Path) -> None:
    with terminal("play", "tower", home=tmp_path, settings=UTF8) as window:
        shows(window, "Enter your move:")
        for columns, rows in ((120, 40), (72, 20), (80, 24)):
            window.resize(columns, rows)
            shows(window, "Enter your move:", "Attack", "Quit")
            assert max(len(line) for line in window.screen) <= columns
        window.enter("4")
        shows(window, "Player 1 builds 4 units.")
        window.press(CTRL_C)
        assert window.ends() == 130


@pytest.mark.slow
def test_without_unicode_every_byte_is_ascii(tmp_path: Path) -> None:
    with terminal("play", "deck", home=tmp_path, settings={"LANG": "C", "PYTHONUTF8": "0"}) as window:
        shows(window, "Press Enter to draw")
        window.press(ENTER)
        shows(window, "You drew")
        window.press(CTRL_C)
        assert window.ends() == 130
        assert bytes(window.sent).isascii()


@pytest.mark.slow
def test_without_colours_none_is_sent(tmp_path: Path) -> None:
    with terminal("play", "tower", home=tmp_path, settings=UTF8 | {"NO_COLOR": "1"}) as window:
        shows(window, "Enter your move:")
        window.press(CTRL_C)
        window.ends()
        colours = [
            tuple(map(int, found.split(b";"))) for found in re.findall(rb"[34]8;2;(\d+;\d+;\d+)", bytes(window.sent))
        ]
        assert all(red == green == blue for red, green, blue in colours)


# Where it cannot be had


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "rows", "settings", "why"),
    [
        (40, 10, {}, "This window has 40 columns and 10 rows, and the full screen needs 60 by 18"),
        (80, 10, {}, "This window has 80 columns and 10 rows"),
        (80, 24, {"TERM": "dumb"}, "This terminal cannot draw a full screen"),
    ],
    ids=["40x10", "80x10", "dumb"],
)
@pytest.mark.parametrize(
    "words", [slow(()), slow(("play",)), ("play", "tower")], ids=["duelbook", "play", "play tower"]
)
def test_it_falls_back_to_lines_and_says_so_in_one_line(
    words: tuple[str, ...], columns: int, rows: int, settings: dict[str, str], why: str, tmp_path: Path
) -> None:
    with terminal(*words, home=tmp_path, columns=columns, rows=rows, settings=UTF8 | settings) as window:
        window.wait_for("Enter your move: " if "tower" in words else "Enter choice")
        window.enter("quit")
        assert window.ends() == 0
        said = on_one_line(window.said)
        assert said.count("line by line") == 1
        assert why in said
        assert OWN_SCREEN not in window.sent


def test_who_asks_for_lines_gets_them_without_a_word(tmp_path: Path) -> None:
    with terminal("play", "--line", home=tmp_path, settings=UTF8) as window:
        window.wait_for("Enter choice")
        assert "line by line" not in window.said
        window.enter("quit")
        assert window.ends() == 0


# Secret picks


def is_ready(window: Terminal) -> None:
    """Say so with an Enter that is no left-over of the one before; the key between them is answered, and that is seen,
    so that every run shows the same."""
    window.press(TAB)
    shows(window, "That key does nothing here.")
    window.press(ENTER)


def behind_the_curtain(home: Path, picks: tuple[str, str]) -> tuple[Letters, Letters, str]:
    """Two people pick. What was shown before the first pick, from then until the second, and by the reveal."""
    with terminal("play", "secret", "--seed", "1", home=home, settings=UTF8) as window:
        shows(window, "Draw the curtain")
        window.press(ENTER)
        shows(window, "Hand over the keyboard to Player A")
        is_ready(window)
        shows(window, "Player A, enter your attack number", "10 (0)│")
        at = len(window.sent)
        window.press(picks[0])
        shows(window, "Your pick: ● ● ●")
        window.press(ENTER)
        shows(window, "Hand over the keyboard to Player B")
        is_ready(window)
        shows(window, "Player B, enter your attack number", "10 (0)│")
        assert not any(word in window.everything for word in ("Result:", "attack: "))
        window.press(picks[1])
        shows(window, "Your pick: ● ● ●")
        sent = bytes(window.sent)
        before, after = letters_before_and_after(sent[: sent.rindex("●".encode())], at)
        window.press(ENTER)
        shows(window, "Both picks are in:", "Enter: go on")
        shown = on_one_line("\n".join(window.screen))
        window.press(AGAIN)
        shows(window, "=== Turn 2 ===")
        window.press(CTRL_C)
        window.ends()
        return before, after, shown


@pytest.mark.slow
def test_nothing_sent_before_the_reveal_depends_on_a_pick(tmp_path: Path) -> None:
    runs = []
    for number, picks in enumerate([("1", "3"), ("9", "3"), ("10", "10")]):
        home = tmp_path / str(number)
        home.mkdir()
        runs.append(behind_the_curtain(home, picks))
    innocent = set().union(*(before for before, _, _ in runs))  # nobody had picked yet
    new = [after - innocent for _, after, _ in runs]
    assert new[0]
    assert new[0] == new[1] == new[2]
    assert len({shown for _, _, shown in runs}) == len(runs)


@pytest.mark.slow
def test_who_leaves_behind_the_curtain_leaves_no_pick(tmp_path: Path) -> None:
    with terminal("play", "secret", home=tmp_path, settings=UTF8) as window:
        shows(window, "Draw the curtain")
        window.press(ENTER)
        shows(window, "Hand over the keyboard to Player A")
        window.press(AGAIN)
        shows(window, "Player A, enter your attack number")
        window.press("7")
        shows(window, "Your pick: ● ● ●")
        window.press(ENTER)
        shows(window, "Hand over the keyboard to Player B")
        window.press(CTRL_C)
        assert window.ends() == 130
        assert not window.files
        assert given_back(window)

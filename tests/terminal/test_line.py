"""Line mode at a real terminal: what it ends with, and what it prints in poor surroundings."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from duelbook import Match, load
from duelbook.record import Record, writes
from terminal_helper import CTRL_C, CTRL_D, PROMPTS, on_one_line, terminal

WON = ("play", "--line", "tower", "--from", "11 0 1")


@pytest.mark.slow
def test_a_finished_game_can_be_reviewed_at_once_and_is_the_last_game_from_then_on(tmp_path: Path) -> None:
    with terminal(*WON, home=tmp_path) as window:
        window.wait_for(PROMPTS["tower"])
        window.enter("build 4")
        window.wait_for("press Enter to leave: ")
        window.enter("what")
        window.wait_for("press Enter to leave: ")
        window.enter("Review")
        window.wait_for("Average loss per decision")
        assert window.ends() == 0
    for command, seen in (("review", "Average loss per decision"), ("replay", "Player 1 builds 4 units.")):
        with terminal(command, home=tmp_path) as window:
            assert window.ends() == 0
            assert seen in window.said


@pytest.mark.parametrize(("keys", "code"), [(CTRL_C, 130), (CTRL_D, 0)])
def test_whoever_leaves_instead_of_reviewing_has_finished_the_game(keys: str, code: int, tmp_path: Path) -> None:
    with terminal(*WON, home=tmp_path) as window:
        window.wait_for(PROMPTS["tower"])
        window.enter("build 4")
        window.wait_for("press Enter to leave: ")
        window.press(keys)
        assert window.ends() == code
        assert window.sent.endswith(b"\r\n"), "the shell's prompt begins a line"
        assert window.sane
        assert window.record().match.outcome is not None


def test_the_next_level_is_named_once_the_record_says_so(tmp_path: Path) -> None:
    match = Match(load("tower"))
    match.resign(1)
    folder = tmp_path / "duelbook" / "games"
    folder.mkdir(parents=True)
    for at in range(8):
        won = writes(Record(match, ("human", "level:2"), "2020.01.01"))
        (folder / f"tower-2020010{at}.duel").write_text(won, encoding="utf-8")
    for said in ("You won 8 of your last 9 games against level 2 beginner. Time for level 3 casual.", ""):
        with terminal("play", "--line", "tower", "--p2", "level:2", home=tmp_path) as window:
            window.wait_for(PROMPTS["tower"])
            window.enter("resign")
            window.wait_for("Resign and lose this game")
            window.enter("yes")
            window.wait_for("press Enter to leave: ")
            window.enter("")
            assert window.ends() == 0
            shown = " ".join(window.said.split())
            assert "You lost." in shown
            assert said in shown
            assert ("Try: duelbook play tower --p2 level:3" in shown) == bool(said)


def test_in_the_locale_c_nothing_but_ascii_reaches_the_terminal(tmp_path: Path) -> None:
    settings = {"LC_ALL": "C", "PYTHONUTF8": ""}
    with terminal("play", "--line", "deck", "--deck", "7", "--bar", home=tmp_path, settings=settings) as window:
        window.wait_for(PROMPTS["deck draw"])
        window.enter("")
        window.wait_for(PROMPTS["deck"])
        window.enter("attack")
        window.wait_for(PROMPTS["deck draw"])
        window.enter("quit")
        assert window.ends() == 0
        assert "20 LP -> 13 LP" in window.said
        assert bytes(window.sent).isascii()


def test_at_a_replay_what_means_nothing_is_answered_with_what_works(tmp_path: Path) -> None:
    with terminal("replay", "tower", "--plain", home=tmp_path) as window:
        window.wait_for("quit to stop: ")
        window.enter("x")
        told = window.wait_for("-- Enter for the next turn, quit to stop: ")
        assert "'x' is not an answer here." in told
        assert "units" not in told, "and no turn goes by"
        window.enter("")
        assert "Player 2 builds" in window.wait_for("quit to stop: ")
        window.enter("next")
        assert "Player 1 builds" in window.wait_for("quit to stop: ")
        window.enter("quit")
        assert window.ends() == 0


@pytest.mark.slow
@pytest.mark.parametrize("columns", [12, 25, 40])
def test_a_narrow_window_breaks_no_word(columns: int, tmp_path: Path) -> None:
    with terminal("play", "--line", "tower", home=tmp_path, columns=columns, settings={"NO_COLOR": "1"}) as window:
        window.wait_for("move: ")
        window.enter("help")
        window.wait_for("turn[.]\\s+Enter your\\s+move: ")
        shown = on_one_line(window.everything)
        assert "build 1: your tower grows from 0 to 1" in shown
        assert "At every prompt: help, hint, coach, rules, status, undo, save (or: save FILE), resign, quit." in shown
        lines = [line.strip() for line in window.everything.split("\n")]
        assert any("save FILE" in line for line in lines)


def test_a_newcomer_is_offered_a_guided_game_once_and_is_led_through_it(tmp_path: Path) -> None:
    with terminal("play", "--line", "tower", home=tmp_path, newcomer=True) as window:
        window.wait_for("Enter for no[)] ")
        window.enter("maybe")
        window.wait_for("Enter for no[)] ")
        window.enter("yes")
        window.wait_for(PROMPTS["tower"])
        window.enter("build 4")
        refused = window.wait_for(PROMPTS["tower"])
        assert "They build 4 and win." in refused
        assert "try again" in refused
        for move in ("attack", "build 4", "build 1"):
            window.enter(move)
            window.wait_for(PROMPTS["tower"])
        assert "You won!" in window.said
        assert "Your tower height: 0" in window.said
        window.enter("quit")
        assert window.ends() == 0
    with terminal("play", "--line", "tower", home=tmp_path, newcomer=True) as window:
        window.play("tower")
        assert "new to you" not in window.said


def test_who_does_not_want_to_be_guided_plays_at_once(tmp_path: Path) -> None:
    with terminal("play", "--line", "energy", home=tmp_path, newcomer=True) as window:
        window.wait_for("Enter for no[)] ")
        window.enter("")
        window.wait_for(PROMPTS["energy"])
        assert "Player 1 Energy: 10" in window.said


def test_after_a_shell_had_the_terminal_the_question_is_asked_again(tmp_path: Path) -> None:
    """Ctrl-Z and `fg`: the shell has written over it, and left the terminal in settings of its own."""
    with terminal(*WON, home=tmp_path) as window:
        before = window.settings
        window.wait_for(PROMPTS["tower"])
        window.press("bui")
        window.wait_for("bui")
        window.stop()
        window.set(before)
        window.signal(signal.SIGCONT)
        window.wait_for(f"{PROMPTS['tower']}bui")
        window.enter("ld 4")
        window.wait_for("press Enter to leave: ")
        window.enter("")
        assert window.ends() == 0
        assert window.moves().startswith("1. build 4")
        assert "Enter your move: build 4" in window.everything, "nothing was shown twice"
        assert window.sane

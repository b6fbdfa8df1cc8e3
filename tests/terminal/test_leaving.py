"""Whoever leaves, and however: the exit code says how, and everything that was played is there when they come back."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from duelbook.record import Record, reads, writes
from duelbook.saves import Save
from slow_helper import first_now, first_row_now, slow, slow_if
from terminal_helper import CTRL_C, CTRL_D, DOWN, ENTER, LEFT, PROMPTS, RIGHT, TAB, UP, Terminal, on_one_line, terminal

QUIT, END_OF_INPUT, INTERRUPTED, KILLED = 0, 1, 130, -signal.SIGKILL


class Scene(NamedTuple):
    """A game that is left at one of its prompts, and how it goes on."""

    words: tuple[str, ...]
    lines: tuple[tuple[str, str], ...]
    """Prompts and what is typed at each of them."""
    at: str
    """The prompt at which somebody leaves."""
    kept: str
    """What must be in the file then."""
    after: tuple[tuple[str, str], ...]
    """What is played after coming back, again with the prompts."""
    both: str
    """What must be in the file at the end."""


SCENES = {
    "conquer": Scene(
        ("conquer",), (("conquer", "attack"),), "conquer", "1. attack *", (("conquer", "heal"),), "1. attack heal *"
    ),
    "deck, before a draw": Scene(
        ("deck", "--deck", "7,4"),
        (("deck draw", ""), ("deck", "a")),
        "deck draw",
        "1. 7:attack *",
        (("deck draw", ""), ("deck", "h")),
        "1. 7:attack 4:heal *",
    ),
    "deck, with a card drawn": Scene(
        ("deck", "--deck", "8,2"),
        (("deck draw", ""), ("deck", "h"), ("deck draw", "")),
        "deck",
        "1. 8:heal 2: *",
        (("deck", "a"),),
        "1. 8:heal 2:attack *",
    ),
    "energy": Scene(("energy",), (("energy", "2"),), "energy", "1. defend *", (("energy", "1"),), "1. defend attack *"),
    "secret, first pick": Scene(
        ("secret",),
        (("secret", "7"), ("secret", "5")),
        "secret",
        "1. 7/5 *",
        (("secret", "9"), ("secret", "10")),
        "1. 7/5 2. 9/10 *",
    ),
    "secret, one pick sealed": Scene(
        ("secret",),
        (("secret", "7"), ("secret", "5"), ("secret", "3")),
        "secret",
        "1. 7/5 *",
        (("secret", "9"), ("secret", "10")),
        "1. 7/5 2. 9/10 *",
    ),
    "tower": Scene(
        ("tower",), (("tower", "build 4"),), "tower", "1. build 4 *", (("tower", "2"),), "1. build 4 build 2 *"
    ),
}


def close_the_window(window: Terminal) -> None:
    window.hang_up()


WAYS: dict[str, tuple[Callable[[Terminal], None], int]] = {
    "Ctrl-C": (lambda window: window.press(CTRL_C), INTERRUPTED),
    "Ctrl-D": (lambda window: window.press(CTRL_D), END_OF_INPUT),
    "SIGTERM": (lambda window: window.signal(signal.SIGTERM), INTERRUPTED),
    "SIGHUP": (lambda window: window.signal(signal.SIGHUP), INTERRUPTED),
    "window closed": (close_the_window, INTERRUPTED),
    "quit": (lambda window: window.enter("quit"), QUIT),
    "kill -9": (lambda window: window.signal(signal.SIGKILL), KILLED),
}

COMING_BACK = ("Ctrl-C", "window closed", "kill -9")
"""After these the game is gone on with; after the others the same file is there, and that is enough."""
SURPRISED = ("deck, with a card drawn", "secret, one pick sealed", "tower")
"""Left by Ctrl-C in `make test` already, the last of them in more ways."""


def play_to(window: Terminal, scene: Scene) -> None:
    for prompt, line in scene.lines:
        window.wait_for(PROMPTS[prompt])
        window.enter(line)
    window.wait_for(PROMPTS[scene.at])


@pytest.mark.parametrize(
    ("name", "way"),
    [
        slow_if(way not in COMING_BACK or (name not in SURPRISED if way == "Ctrl-C" else name != "tower"), name, way)
        for name in SCENES
        for way in WAYS
    ],
)
def test_a_game_that_is_left_is_kept_and_goes_on(name: str, way: str, tmp_path: Path) -> None:
    scene, (leave, code) = SCENES[name], WAYS[way]
    with terminal("play", "--line", *scene.words, home=tmp_path) as window:
        play_to(window, scene)
        leave(window)
        assert window.ends() == code
        if way not in ("window closed", "kill -9"):
            assert window.sane
            assert f"duelbook resume {window.files[0].stem}" in window.said
        assert "Traceback" not in window.said
        assert window.moves() == scene.kept
    if way not in COMING_BACK:
        return
    with terminal("resume", "--line", home=tmp_path) as window:
        for prompt, line in scene.after:
            window.wait_for(PROMPTS[prompt])
            window.enter(line)
        window.wait_for(PROMPTS["deck draw" if scene.at == "deck" else scene.at])
        window.enter("quit")
        assert window.ends() == QUIT
        assert window.moves() == scene.both


def test_a_drawn_card_stays_drawn_through_undo_and_coming_back(tmp_path: Path) -> None:
    """Nobody gets another card by leaving."""
    with terminal("play", "--line", "deck", home=tmp_path) as window:
        window.wait_for(PROMPTS["deck draw"])
        window.enter("")
        drew = re.search(r"You drew an? (\d+)\.", window.wait_for(PROMPTS["deck"]))
        assert drew
        window.press(CTRL_C)
        assert window.ends() == INTERRUPTED
        assert window.moves() == f"1. {drew[1]}: *"
    with terminal("resume", "--line", home=tmp_path) as window:
        asked = window.wait_for(PROMPTS["deck"])
        assert "Press Enter" not in asked
        assert f"has drawn: {drew[1]}" in asked
        window.enter("a")
        window.wait_for(PROMPTS["deck draw"])
        assert window.moves() == f"1. {drew[1]}:attack *"


def test_resume_tells_where_the_game_stands(tmp_path: Path) -> None:
    with terminal("play", "--line", "tower", home=tmp_path) as window:
        window.play("tower", "build 4", "build 2", "build 4")
        window.enter("quit")
        assert window.ends() == QUIT
        name = window.files[0].stem
    with terminal("resume", "--line", home=tmp_path) as window:
        asked = window.wait_for(PROMPTS["tower"])
        assert f"Going on with {name}, turn 4." in asked
        assert "Your tower height: 2" in asked
        assert "Opponent's tower height: 8" in asked
        assert "Player 2, it's your turn." in asked
        assert window.moves() == "1. build 4 build 2 2. build 4 *"


@pytest.mark.parametrize(
    ("keys", "code"), first_row_now([(CTRL_C, INTERRUPTED), (CTRL_D, END_OF_INPUT), ("quit" + ENTER, QUIT)])
)
def test_leaving_the_menu(keys: str, code: int, tmp_path: Path) -> None:
    """Nothing has been played yet, so nothing is kept."""
    with terminal("play", "--line", home=tmp_path) as window:
        window.wait_for(r"Enter choice \([^)]*\): ")
        window.press(keys)
        assert window.ends() == code
        assert window.sane
        assert window.files == []
        assert "Traceback" not in window.said


@pytest.mark.parametrize("keys", first_now([CTRL_C, CTRL_D]))
def test_leaving_at_a_question_within_the_game(keys: str, tmp_path: Path) -> None:
    """A question such as the one that `resign` asks is a prompt like any other."""
    with terminal("play", "--line", "tower", home=tmp_path) as window:
        window.play("tower", "build 4")
        window.enter("resign")
        window.wait_for(r"\(yes/no\) ")
        window.press(keys)
        assert window.ends() == (INTERRUPTED if keys == CTRL_C else END_OF_INPUT)
        assert window.record().match.outcome is None
        assert window.moves() == "1. build 4 *"


def test_a_line_begun_and_not_entered_is_not_played(tmp_path: Path) -> None:
    with terminal("play", "--line", "tower", home=tmp_path) as window:
        window.wait_for(PROMPTS["tower"])
        window.press("build 4")
        window.wait_for("build 4")
        window.press(CTRL_C)
        assert window.ends() == INTERRUPTED
        assert not window.files


# One game, one terminal


@pytest.mark.slow
def test_two_terminals_cannot_play_the_same_game(tmp_path: Path) -> None:
    with terminal("play", "--line", "tower", home=tmp_path) as one:
        one.play("tower", "build 4")
        name = one.files[0].stem
        for words in (["resume"], ["resume", name], ["resume", str(one.files[0])]):
            with terminal(*words, home=tmp_path) as two:
                assert two.ends() == 1
                assert f"{name} is being played in another terminal." in on_one_line(two.said)
        one.enter("build 2")
        one.wait_for(PROMPTS["tower"])
        assert one.moves() == "1. build 4 build 2 *"
        one.enter("quit")
        assert one.ends() == QUIT
    with terminal("resume", "--line", name, home=tmp_path) as two:
        two.wait_for(PROMPTS["tower"])
        with terminal("resume", "--line", home=tmp_path) as three:
            assert three.ends() == 1
        two.enter("build 1")
        two.wait_for(PROMPTS["tower"])
        assert two.moves() == "1. build 4 build 2 2. build 1 *"


@pytest.mark.slow
def test_a_copy_that_is_being_written_cannot_be_played_elsewhere(tmp_path: Path) -> None:
    """`--save` writes to the file after every move; somebody who went on with it would lose theirs."""
    copy = tmp_path / "copy.duel"
    with terminal("play", "--line", "tower", "--save", str(copy), home=tmp_path) as one:
        one.play("tower", "build 4")
        with terminal("resume", "--line", str(copy), home=tmp_path) as two:
            answered = two.wait_for(r"another\s+terminal\.|Enter your move: ")
            assert "is being played in another terminal." in on_one_line(answered)
            assert two.ends() == 1


def test_moves_played_elsewhere_while_resume_opens_the_game_are_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other terminal plays a last move and leaves, just before this one takes hold of the game."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with terminal("play", "--line", "tower", home=tmp_path) as window:
        window.play("tower", "build 4")
        window.enter("quit")
        assert window.ends() == QUIT
        (file,) = window.files
    take_hold = Save.hold

    def hold_after_a_move_elsewhere(save: Save) -> None:
        (record,) = reads(file.read_text(encoding="utf-8"))
        if record.match.turns == 1:
            record.match.play(1, 1)
            file.write_text(writes(record), encoding="utf-8")
        take_hold(save)

    monkeypatch.setattr(Save, "hold", hold_after_a_move_elsewhere)
    turns_shown: list[int] = []

    def look(record: Record, *rest: object, **named: object) -> int:
        turns_shown.append(record.match.turns)
        return 0

    monkeypatch.setattr("duelbook.line.play_out.play_out", look)
    from duelbook.cli.resume import command

    command.main([file.stem], standalone_mode=False)
    assert turns_shown == [2]


@pytest.mark.slow
def test_a_game_that_is_over_cannot_be_gone_on_with(tmp_path: Path) -> None:
    with terminal("play", "--line", "tower", "--from", "11 0 1", home=tmp_path) as window:
        window.wait_for(PROMPTS["tower"])
        window.enter("build 4")
        assert window.leaves_the_finished_game() == QUIT
        assert "Player 1 wins!" in window.said
        name = window.files[0].stem
        kept = window.files[0].read_bytes()
    with terminal("resume", "--line", home=tmp_path) as window:
        assert window.ends() == 1
        assert "no unfinished game" in window.said
    with terminal("resume", "--line", name, home=tmp_path) as window:
        assert window.ends() == 1
        assert f"{name} is over" in window.said
        assert window.files[0].read_bytes() == kept


def test_the_worked_example_of_a_duel_is_not_played_on(tmp_path: Path) -> None:
    """`duelbook replay secret` shows it; going on with it would write into the program's own files."""
    with terminal("resume", "--line", "secret", home=tmp_path) as window:
        answered = window.wait_for(r"\(cannot be \d+\): |\r\n")
        assert "Going on" not in answered
        assert window.ends() == 1


# What is sent to terminals that want nothing but text

FIRST_MOVES = {
    "conquer": (("conquer", "attack"), ("conquer", "help"), ("conquer", "rules")),
    "deck": (("deck draw", ""), ("deck", "a"), ("deck draw", "status")),
    "energy": (("energy", "1"), ("energy", "what?")),
    "secret": (("secret", "7"), ("secret", "5"), ("secret", "status")),
    "tower": (("tower", "build 4"), ("tower", "attack")),
}
PLAIN: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "NO_COLOR": ((), {"NO_COLOR": "1"}),
    "--plain": (("--plain",), {}),
    "TERM=dumb": ((), {"TERM": "dumb"}),
}


def all_bytes(home: Path, game: str, options: tuple[str, ...], settings: dict[str, str]) -> bytes:
    with terminal("play", "--line", game, *options, home=home, settings=settings) as window:
        for prompt, line in FIRST_MOVES[game]:
            window.wait_for(PROMPTS[prompt])
            window.enter(line)
        window.wait_for(PROMPTS[FIRST_MOVES[game][-1][0]])
        window.enter("quit")
        assert window.ends() == QUIT
        return bytes(window.sent)


@pytest.mark.parametrize("game", first_now(FIRST_MOVES))
@pytest.mark.parametrize("wish", [slow_if(wish == "NO_COLOR", wish) for wish in PLAIN])
def test_no_escapes_where_none_are_wanted(wish: str, game: str, tmp_path: Path) -> None:
    options, settings = PLAIN[wish]
    sent = all_bytes(tmp_path, game, options, settings)
    assert b"\x1b" not in sent
    assert not any(byte < 32 and byte not in b"\r\n" for byte in sent)


def test_a_narrow_dumb_terminal_gets_no_escapes_either(tmp_path: Path) -> None:
    """The line editor scrolls a prompt that is wider than the window without moving the cursor by escapes."""
    with terminal(
        "play", "--line", "secret", "--p2", "random", home=tmp_path, columns=40, settings={"TERM": "dumb"}
    ) as window:
        window.wait_for(r"number\): ")
        window.enter("7")
        window.wait_for(r"Result:[^=]*=== Turn 2 ===[^:]*: ")
        window.enter("quit")
        assert window.ends() == QUIT
        assert b"\x1b" not in window.sent


def test_colours_and_bars_are_there_otherwise(tmp_path: Path) -> None:
    """Without this the tests above would pass for a program that had no colours at all."""
    sent = all_bytes(tmp_path, "energy", (), {})
    assert b"\x1b[" in sent
    assert "█".encode() in sent


# Narrow windows

BARS = "█░"


@pytest.mark.parametrize("columns", [20, slow(40), slow(60)])
@pytest.mark.parametrize("game", first_now(FIRST_MOVES, 2))
def test_no_bar_overflows_a_narrow_window(game: str, columns: int, tmp_path: Path) -> None:
    with terminal("play", "--line", game, home=tmp_path, columns=columns, rows=12) as window:
        moves = [line for line in FIRST_MOVES[game] if line[1] not in ("help", "rules", "status", "what?", "attack")]
        moves = moves or [("conquer", "attack")]
        for prompt, line in moves:
            # The window may break the prompt anywhere, so its beginning is enough.
            window.wait_for(PROMPTS[prompt][:6].partition("\\")[0].rstrip())
            look_at_bars(window, columns)
            window.enter(line)
        window.wait_for({"deck": "Press", "secret": "Turn 2"}.get(game, PROMPTS[game][:6]))
        look_at_bars(window, columns)
        # A window that cannot hold bars of one scale has none.
        assert any(letter in window.everything for letter in BARS) == (columns >= 60)


def look_at_bars(window: Terminal, columns: int) -> None:
    """Every bar stands in one row, behind its text and inside the window."""
    for row in window.everything.split("\n"):
        if set(row) & set(BARS):
            assert re.fullmatch(r"[^█░]*[a-z][^█░]* [█░]+", row), row
    for line in window.said.split("\r\n"):
        if set(line) & set(BARS):
            assert len(line) < columns, line


# Keys that mean nothing here


@pytest.mark.parametrize("game", first_now(["conquer", "deck draw", "energy", "tower"]))
def test_arrow_keys_and_tab_do_no_harm(game: str, tmp_path: Path) -> None:
    line, kept = {
        "conquer": ("heal", "1. heal *"),
        "deck draw": ("", "1. 9: *"),
        "energy": ("2", "1. defend *"),
        "tower": ("build 4", "1. build 4 *"),
    }[game]
    with terminal("play", "--line", game.split()[0], "--seed", "3", home=tmp_path) as window:
        window.wait_for(PROMPTS[game])
        window.press(UP + DOWN + LEFT + RIGHT + TAB)
        window.enter(line)
        window.wait_for(PROMPTS["deck" if game == "deck draw" else game])
        assert window.moves() == kept
        window.press(LEFT + TAB + TAB + DOWN + RIGHT)
        window.enter("quit")
        assert window.ends() == QUIT
        assert "Traceback" not in window.said
        assert window.moves() == kept

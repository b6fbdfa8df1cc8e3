"""Sentences in a window: folded between words, commands whole; nothing is folded on its way into a pipe."""

from __future__ import annotations

import io
import re
import sys

import pytest
from textual.content import Content

from duelbook import game_ids, load
from duelbook.cli.options import say
from duelbook.games import rulebook
from duelbook.line.console import Console
from duelbook.line.page import filled, show_rulebook
from duelbook.table.keeper import to_stderr
from duelbook.tui.prose import broken
from duelbook.tui.wrapping import keep_together
from duelbook.window import folded

LONG = "Sandbox: here. Programs see no process but their own, no network and none of your games and write nowhere."
RESUME = "duelbook resume secret-20261116-102425"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("width", [20, 40, 60, 80])
def test_lines_end_between_words_and_fit(width: int) -> None:
    lines = folded(LONG, width).split("\n")
    assert all(len(line) <= width for line in lines)
    assert " ".join(lines) == LONG


@pytest.mark.parametrize(
    "command",
    [
        RESUME,
        "duelbook resume 'a game with. A name of its own.duel'",
        "python -m duelbook solve secret --rule hp=200 --rule highest=2 --rule lowest=1 --check",
        "/opt/somewhere/bin/duelbook replay games/2026/of-the-cup.duel --game 12",
        "pip install 'duelbook[fast]'",
    ],
)
@pytest.mark.parametrize("width", [30, 60, 80])
def test_a_command_to_copy_is_never_broken(command: str, width: int) -> None:
    shown = folded(f"The game is saved, and nothing of it is lost. Go on later with: {command}", width)
    assert any(line.endswith(command) for line in shown.split("\n"))
    shown = folded(f"There is no such thing here at all. Did you mean: {command}? Try: duelbook --help", width)
    assert any(f"{command}?" in line for line in shown.split("\n"))
    row = f"    duelbook {command}"
    assert folded(row, width) == row


def test_a_line_that_fits_to_the_last_column_is_left_alone() -> None:
    """Tables and sentences that were made for this width are not folded again."""
    assert folded(f"{LONG}\nshort", len(LONG)) == f"{LONG}\nshort"


def test_the_parts_of_an_indented_line_stay_under_it() -> None:
    assert folded(f"  {LONG}\n\nshort", 60).split("\n")[1].startswith("  ")
    assert folded(f"  {LONG}\n\nshort", 60).endswith("\n\nshort")


def test_what_stands_beside_a_move_stays_beside_it_where_there_is_room() -> None:
    row = "  attack   loses in 20 moves, they answer build 4  <- best"
    assert folded(row, 40).split("\n") == [
        "  attack   loses in 20 moves, they",
        "           answer build 4  <- best",
    ]
    assert folded(row, 20).split("\n")[1].startswith("  20 moves")


@pytest.mark.parametrize("err", [False, True])
def test_what_commands_say_fits_a_window_and_is_whole_in_a_pipe(err: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "stderr" if err else "stdout"
    monkeypatch.setenv("COLUMNS", "60")
    for stream, longest in ((Terminal(), 60), (io.StringIO(), len(LONG))):
        monkeypatch.setattr(sys, name, stream)
        say(LONG, err=err)
        assert max(map(len, stream.getvalue().split("\n"))) in range(longest - 10, longest + 1)


def test_the_farewell_of_a_game_leaves_its_command_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    window = Terminal()
    monkeypatch.setattr(sys, "stderr", window)
    to_stderr(f"The game is saved. Go on later with: {RESUME}")
    assert window.getvalue() == f"The game is saved. Go on later with:\n{RESUME}\n"


@pytest.mark.parametrize("width", range(1, 40))
def test_no_window_is_too_narrow_for_words_to_stay_whole(width: int) -> None:
    lines = folded(f"  {LONG}", width).split("\n")
    assert " ".join(line.strip() for line in lines) == LONG
    assert all(len(line) <= width or " " not in line.strip() for line in lines)


def test_what_is_typed_at_a_prompt_is_not_broken_either() -> None:
    said = "You can play: build 1, build 2, build 4 or attack."
    whole = ("build 1", "build 2", "build 4", "attack")
    for width in range(9, 50):
        shown = folded(said, width, whole)
        assert all(words in shown for words in whole)
        assert all(len(line) <= width for line in shown.split("\n"))


def test_letters_that_are_two_columns_wide_count_twice() -> None:
    assert folded("名前 名前 名前", 9) == "名前 名前\n名前"
    assert folded("a\u0301bc def", 7) == "a\u0301bc def"


@pytest.mark.parametrize(("terminal", "plain"), [("dumb", False), ("xterm", True)])
def test_where_nothing_is_drawn_lines_end_between_words_too(
    terminal: str, plain: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", terminal)
    monkeypatch.setenv("COLUMNS", "40")
    sink = Terminal()
    Console(source=io.StringIO(), sink=sink, plain=plain).say(LONG)
    lines = sink.getvalue().splitlines()
    assert all(len(line) < 40 for line in lines)
    assert " ".join(lines) == LONG


@pytest.mark.parametrize("width", range(20, 60))
def test_a_figure_keeps_its_sign_and_an_arrow_its_word(width: int) -> None:
    text = "You win 89 % of the games against level 2, over 99 % against random, and build 4 is what is <- best here."
    keep_together()
    on_the_screen = [line.plain.rstrip() for line in Content(text).wrap(width)]
    for lines in (folded(text, width).split("\n"), on_the_screen, broken(text, width)):
        assert " ".join(lines) == text
        assert not any(line.startswith(("%", "best")) for line in lines)


@pytest.mark.parametrize("width", range(20, 60))
def test_commands_that_are_offered_keep_their_numbers(width: int) -> None:
    text = "'foo' is not a move here. You can play: build 1, build 2 or build 4. (Or: help.)"
    keep_together()
    on_the_screen = [line.plain.rstrip() for line in Content(text).wrap(width)]
    for lines in (folded(text, width).split("\n"), on_the_screen):
        assert " ".join(lines) == text
        assert not any(line.startswith(("1", "2", "4", "help")) for line in lines)


@pytest.mark.parametrize("id", game_ids())
def test_a_rule_book_is_filled_anew_with_all_its_words(id: str) -> None:
    text = rulebook(load(id))
    again = filled(text)
    assert again.split() == text.split()
    assert [line for line in again.split("\n") if line.startswith("#")] == [
        line for line in text.split("\n") if line.startswith("#")
    ]
    for paragraph in again.split("\n\n"):
        points = [line for line in paragraph.split("\n") if line.strip()]
        assert len(points) == 1 or all(re.match(r" *(- |\d+\. |\|)", line) for line in points), paragraph


def test_what_is_shown_letter_by_letter_is_not_filled() -> None:
    text = "One\ntwo\n```\na\nb\n```\nthree\nfour\n| x |\n| y |"
    assert filled(text) == "One two\n```\na\nb\n```\nthree four\n| x |\n| y |"


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_in_a_narrow_window_no_line_of_a_rule_book_ends_inside_a_command(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    window = Terminal()
    show_rulebook(load("energy"), Console(plain=True, source=io.StringIO(), sink=window))
    lines = window.getvalue().split("\n")
    assert any("`3. pass`" in line for line in lines)
    assert all(len(line) < columns for line in lines)
    assert sum(len(line) > columns // 2 for line in lines) > len(lines) // 2

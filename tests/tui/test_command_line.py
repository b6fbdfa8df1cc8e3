"""The line in which commands are gathered: every key that writes, and those that are left to the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from textual import events
from textual.app import App, ComposeResult

from duelbook.tui.command import CURSOR, LONGEST, CommandLine


class OneLine(App[None]):
    def compose(self) -> ComposeResult:
        yield CommandLine()


def with_a_line(look: Callable[[CommandLine], None]) -> None:
    async def happen() -> None:
        app = OneLine()
        async with app.run_test(size=(40, 4)) as pilot:
            look(app.query_one(CommandLine))
            await pilot.pause()

    asyncio.run(happen())


def key(name: str) -> events.Key:
    return events.Key(name, " " if name == "space" else None)


def taken(line: CommandLine, *names: str) -> list[bool]:
    return [line.take(key(name)) for name in names]


def test_letters_digits_and_spaces_within_are_written_in_either_case() -> None:
    def look(line: CommandLine) -> None:
        assert taken(line, "space", "B", "u", "space", "4") == [False, True, True, True, True]
        assert line.text == "Bu 4"

    with_a_line(look)


def test_backspace_takes_a_letter_away_and_escape_all_of_them() -> None:
    def look(line: CommandLine) -> None:
        assert taken(line, "1", "0", "backspace") == [True, True, True]
        assert line.text == "1"
        assert taken(line, "escape", "escape", "backspace") == [True, False, False]
        assert line.text == ""

    with_a_line(look)


def test_enter_and_arrows_are_left_to_the_screen() -> None:
    def look(line: CommandLine) -> None:
        assert taken(line, "enter", "down", "a", "enter", "up", "tab") == [False, False, True, False, False, False]
        assert line.text == "a"

    with_a_line(look)


def test_what_cannot_be_seen_and_what_is_too_long_is_not_written() -> None:
    def look(line: CommandLine) -> None:
        line.write("att\x1b\nack" + "k" * LONGEST)
        assert line.text.startswith("attackkk")
        assert len(line.text) == LONGEST

    with_a_line(look)


def test_the_question_stays_before_the_line_where_there_is_room() -> None:
    def look(line: CommandLine) -> None:
        line.ask("Enter your move: ")
        assert str(line.content) == "Enter your move:"
        line.write("b4")
        assert str(line.content) == f"Enter your move: b4{CURSOR}"
        line.explain("your tower grows from 11 to 15: you win")
        assert str(line.content) == f"> b4{CURSOR}  your tower grows from 11 to 15: you win"
        line.clear()
        assert str(line.content) == "Enter your move:"

    with_a_line(look)

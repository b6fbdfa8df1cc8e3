"""Puzzles on the full screen: answered by key and by mouse, counted once, remembered."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from itertools import cycle
from math import inf
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from duelbook.games import ROOMS, load
from duelbook.letters import in_ascii
from duelbook.match import Match
from duelbook.puzzles import memory
from duelbook.puzzles.puzzle import Puzzle, judge, make
from duelbook.puzzles.source import all_puzzles, daily, daily_game
from duelbook.puzzles.streak import DAY as ONE_DAY
from duelbook.puzzles.streak import Progress, Tally, answered, tally
from duelbook.solving.library import solution_for
from duelbook.tui import puzzles
from duelbook.tui.actions import ActionButton, Actions, actions_of
from duelbook.tui.app import DuelbookApp
from duelbook.tui.board import Board
from duelbook.tui.command import CommandLine
from duelbook.tui.dialogs import Ask
from duelbook.tui.puzzles import PuzzleScreen
from duelbook.tui.standing import MARKS, DuelTab, how_often_found
from duelbook.tui.table import Table
from slow_helper import one_of_each_kind, slow, slow_if
from tui_helper import (
    LARGE,
    SMALL,
    at_home,
    click_words,
    press,
    resize,
    rows,
    run,
    say,
    seen,
    settle,
    text,
    told,
    wait_until,
)

DAY = date(2026, 1, 5)


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    at_home(monkeypatch, tmp_path)
    seeds: Iterator[int] = iter(range(1000))
    monkeypatch.setattr(puzzles, "new_seed", lambda: next(seeds))


def opened(id: str | None, day: date | None = DAY) -> Callable[[DuelbookApp], None]:
    return lambda app: void(app.push_screen(PuzzleScreen(load(id) if id else None, today=day)))


def void(_: object) -> None:
    """An opening gives nothing back."""


def screen_of(pilot: Pilot[int]) -> PuzzleScreen:
    screen = pilot.app.screen
    assert isinstance(screen, PuzzleScreen)
    return screen


def key_of(puzzle: Puzzle, move: int) -> str:
    actions = actions_of(Match(puzzle.game, puzzle.rules, start=puzzle.state), puzzle.seat)
    return next(action.keys[0] for action in actions if action.move == move)


def beside(pilot: Pilot[int]) -> str:
    """The words that can be seen beside the board now, without the bar that scrolls them."""
    place = screen_of(pilot).query_one("#words").region
    lines = (line[place.x : place.right - 2] for line in rows(pilot.app)[place.y : place.bottom])
    return " ".join(" ".join(lines).split())


async def notified(pilot: Pilot[int], words: str) -> None:
    await settle(pilot)
    assert any(words in each.message for each in pilot.app._notifications)


def remembered(id: str) -> Tally:
    progress, complaint = memory.load()
    assert not complaint
    return tally(progress, id)


@pytest.mark.parametrize("size", [SMALL, slow(LARGE)])
@pytest.mark.parametrize("id", [slow_if(id != "tower", id) for id in ROOMS])
def test_the_puzzle_of_the_day_is_solved_by_its_key(id: str, size: tuple[int, int]) -> None:
    puzzle = daily(load(id), DAY)

    async def tale(pilot: Pilot[int]) -> None:
        await seen(pilot, f"Puzzle of the day, 5 January 2026 {puzzle.game.name} rated {puzzle.rating}")
        await say(pilot, key_of(puzzle, puzzle.answer))
        await seen(pilot, "✓ Right! ")
        await seen(pilot, "Your streak: 1 day (best 1)")
        await seen(pilot, "✓ solved")
        assert remembered(id).dailies == {DAY: True}
        assert remembered(id).solved == remembered(id).tried == 1

    run(tale, opening=opened(id), size=size)


@pytest.mark.slow
@pytest.mark.parametrize("id", one_of_each_kind())
def test_nothing_of_a_puzzle_is_cut_off_in_a_small_window(id: str) -> None:
    puzzle = daily(load(id), DAY)

    async def tale(pilot: Pilot[int]) -> None:
        screen = screen_of(pilot)
        for button in screen.query(ActionButton):
            assert screen.region.contains_region(button.region)
        assert screen.query_one("#words").max_scroll_y == 0
        await press(pilot, "down")
        for name in puzzle.game.seats:
            assert name in text(pilot.app)
        assert "PgDn" not in text(pilot.app)
        await say(pilot, key_of(puzzle, puzzle.wrong[0].move))
        said = str(screen.query_one("#said", Static).visual).split()
        assert " ".join(said[:20]) in beside(pilot)
        if screen.query_one("#words").max_scroll_y:  # more than there is room for, which is then said
            assert "PgDn More" in text(pilot.app)
            await press(pilot, "pagedown")
        assert " ".join(said[-20:]) in beside(pilot)

    run(tale, opening=opened(id))


def test_a_clue_that_a_typed_line_leaves_no_room_for_can_be_scrolled_to() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "i", "c", "i")
        assert "PgDn" not in text(pilot.app)
        await press(pilot, *"cx")
        assert screen_of(pilot).query_one("#words").max_scroll_y
        await seen(pilot, "PgDn More")
        await press(pilot, "escape")
        await wait_until(pilot, lambda: "PgDn" not in text(pilot.app))

    run(tale, opening=lambda app: app.push_screen(PuzzleScreen(load("conquer"), date(2026, 11, 18))))


def test_a_wrong_answer_is_refuted_and_ends_the_streak() -> None:
    puzzle = daily(load("tower"), DAY)
    before = answered({}, "tower", 1000, True, today=DAY - ONE_DAY, daily=DAY - ONE_DAY)
    memory.remember(lambda _: before)

    async def tale(pilot: Pilot[int]) -> None:
        await seen(pilot, "streak 1 day here, 1 in any duel")
        await say(pilot, key_of(puzzle, puzzle.wrong[0].move))
        verdict = judge(puzzle, puzzle.wrong[0].move).lines
        for line in (verdict[0], verdict[-1], verdict[1]):
            await seen_among_words(pilot, line)
        await seen_among_words(pilot, "Yours is the most tempting mistake.")  # not the right one, named before it
        await seen_among_words(pilot, "Your streak: 0 days (best 1)")
        await press(pilot, "pagedown")  # as the foot says
        for line in verdict[2:-1]:  # the first was read above, and may have gone out of sight
            await seen_among_words(pilot, line)
        await seen(pilot, "✗ missed")
        await seen(pilot, "streak 0 days here, 1 in any duel")  # another duel can still save the day
        assert remembered("tower").dailies[DAY] is False

    run(tale, opening=opened("tower"))


async def seen_among_words(pilot: Pilot[int], words: str) -> None:
    """These words stand in the pane, whatever stands beside it on the same rows."""

    def there() -> bool:
        region = screen_of(pilot).query_one("#words").scrollable_content_region  # without the scroll bar
        inside = [row[region.x : region.right] for row in rows(pilot.app)[region.y : region.bottom]]
        return words in " ".join(" ".join(inside).split())

    await wait_until(pilot, there)


@pytest.mark.slow
def test_an_answer_counts_once_however_fast_the_keys_come() -> None:
    puzzle = daily(load("tower"), DAY)

    async def tale(pilot: Pilot[int]) -> None:
        key = key_of(puzzle, puzzle.answer)
        await pilot.press(key, "enter", key, "enter", "a", "enter")
        await settle(pilot)
        assert remembered("tower").tried == 1
        await press(pilot, "t")
        await seen_among_words(pilot, "You have solved this one already; only the first try counts.")
        await say(pilot, "a")
        await seen_among_words(pilot, "You had answered this one before, so nothing changes.")
        assert remembered("tower").tried == remembered("tower").solved == 1

    run(tale, opening=opened("tower"))


def test_an_illegal_key_is_refused_and_not_counted() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "p")
        await notified(pilot, "You may pass only when you cannot afford an attack")
        await notified(pilot, "Nothing was counted.")
        assert screen_of(pilot).verdict is None
        assert not memory.place().exists()

    run(tale, opening=opened("energy"))


def test_the_enter_that_leads_to_another_puzzle_is_printed() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        puzzle = screen_of(pilot).puzzle
        assert puzzle is not None
        await press(pilot, key_of(puzzle, puzzle.answer), "enter")
        assert "N Another or Enter: another one" in text(pilot.app)
        await press(pilot, "enter")
        assert screen_of(pilot).daily_of is None

    run(tale, opening=opened("tower"))


def test_who_asks_for_todays_puzzle_before_it_is_told_so_and_keeps_the_clues() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        puzzle = screen_of(pilot).puzzle
        await press(pilot, "i", "c", "t")
        assert told(pilot, "This is today's puzzle. N: another one, G: the next duel.")
        assert screen_of(pilot).puzzle is puzzle
        assert screen_of(pilot).given == 1
        await press(pilot, "n", "T")
        assert screen_of(pilot).daily_of == DAY

    run(tale, opening=opened("tower"))


@pytest.mark.slow
def test_an_enter_too_many_is_no_answer() -> None:
    puzzle = daily(load("tower"), DAY)

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "enter", "enter")
        assert screen_of(pilot).verdict is None
        await say(pilot, key_of(puzzle, puzzle.answer))
        await pilot.press("enter", "enter", "enter")
        await seen(pilot, "Another puzzle")
        assert screen_of(pilot).verdict is None
        assert remembered("tower").tried == 1

    run(tale, opening=opened("tower"))


@pytest.mark.slow
def test_an_answer_can_be_walked_to() -> None:
    puzzle = daily(load("tower"), DAY)

    async def tale(pilot: Pilot[int]) -> None:
        board = pilot.app.screen.query_one(Board)
        assert board.preview is None
        await press(pilot, *["down"] * (puzzle.answer + 1))
        assert board.preview is not None
        await press(pilot, "enter")
        await seen(pilot, "✓ Right!")

    run(tale, opening=opened("tower"))


@pytest.mark.slow
def test_the_highlighted_number_is_explained() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "left")
        await seen(pilot, "10: deals up to 9 to a lower pick, no pick is higher")

    run(tale, opening=opened("secret"))


@pytest.mark.slow
def test_the_streak_is_remembered_in_a_second_run() -> None:
    for ago in (1, 0):
        day = DAY - timedelta(ago)
        puzzle = daily(load("conquer"), day)

        async def tale(pilot: Pilot[int], puzzle: Puzzle = puzzle, before: int = 1 - ago) -> None:
            days = "1 day" if before == 1 else f"{before} days"
            await seen(pilot, f"streak {days} here, {before} in any duel")
            await say(pilot, key_of(puzzle, puzzle.answer))

        run(tale, opening=opened("conquer", day))

    async def later(pilot: Pilot[int]) -> None:
        await seen(pilot, "streak 2 days here, 2 in any duel")
        await seen(pilot, "✓ solved")
        await press(pilot, "g")
        await seen(pilot, "streak 0 days here, 2 in any duel")

    run(later, opening=opened("conquer"))


@pytest.mark.slow
def test_without_a_duel_the_five_take_turns() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await seen(pilot, f"Puzzle of the day, 5 January 2026 {daily_game(DAY).name}")

    run(tale, opening=opened(None))


@pytest.mark.slow
def test_duels_are_changed_by_key() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        for id in [*list(ROOMS)[1:], *list(ROOMS)[:1]]:
            await press(pilot, "g")
            await seen(pilot, f"Puzzle of the day, 5 January 2026 {load(id).name}")
            await seen(pilot, f"▶ {id.capitalize()}")
        await press(pilot, "comma")
        await seen(pilot, "Tower Defense Duel")
        screen_of(pilot).query(DuelTab)[1].focus()
        await press(pilot, "right", "enter")
        await seen(pilot, "Energy Duel")

    run(tale, opening=opened("conquer"))


@pytest.mark.slow
def test_the_mouse_alone_is_enough() -> None:
    puzzle = daily(load("deck"), DAY)

    async def tale(pilot: Pilot[int]) -> None:
        await pilot.click(screen_of(pilot).query(DuelTab)[1])
        await settle(pilot)
        await seen(pilot, "Number Duel (deck)")
        await pilot.hover(screen_of(pilot).query(ActionButton)[1])
        await settle(pilot)
        assert screen_of(pilot).query_one(Board).preview is not None
        await pilot.click(screen_of(pilot).query(ActionButton)[puzzle.answer])
        await settle(pilot)
        await seen(pilot, "✓ Right!")
        await pilot.click(screen_of(pilot).query(ActionButton)[0])
        await settle(pilot)
        await seen(pilot, "Another puzzle")
        await click_words(pilot, "Today's")
        await seen(pilot, "Puzzle of the day")
        await click_words(pilot, "Back")
        assert not isinstance(pilot.app.screen, PuzzleScreen)

    run(tale, opening=opened("tower"))


@pytest.mark.slow
def test_a_clue_has_its_price() -> None:
    puzzle = daily(load("tower"), DAY)

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "i")
        box = pilot.app.screen
        assert isinstance(box, Ask)
        assert "With a clue the puzzle counts as missed, for the rating too." in box.question
        await press(pilot, "enter")
        assert screen_of(pilot).given == 0
        await press(pilot, "i", "c")
        await seen_among_words(pilot, "Clue: The right one wins in at most 5 moves, if you go on playing as well.")
        await press(pilot, "i")
        await seen_among_words(pilot, "Clue: Not build 1")
        await press(pilot, "i", "i")
        await notified(pilot, "There are no more clues: two choices are left.")
        await say(pilot, key_of(puzzle, puzzle.answer))
        await seen_among_words(pilot, "With a clue it does not count as solved.")
        assert remembered("tower").dailies == {DAY: False}

    run(tale, opening=opened("tower"))


@pytest.mark.slow
@pytest.mark.parametrize(("word", "given"), [("yes", 1), ("no", 0), ("a clue", 1), ("cancel", 0)])
def test_whether_a_clue_is_wanted_is_answered_with_a_word(word: str, given: int) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "f6")
        await seen(pilot, "With a clue the puzzle")
        await say(pilot, word)
        await wait_until(pilot, lambda: pilot.app.screen is screen_of(pilot))
        assert screen_of(pilot).given == given

    run(tale, opening=opened("tower"), held=1e6)


def test_the_next_puzzle_is_not_the_last_one_nor_its_mirror(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solution_for(load("energy"), load("energy").book)
    first, second = all_puzzles(solution)[:2]
    mirror = make(solution, solution.mirror(first.state), 1 - first.seat)
    assert mirror is not None
    assert mirror.position != first.position
    given = iter([first, mirror, first, mirror, second])
    monkeypatch.setattr(puzzles, "random_puzzle", lambda *_: next(given))

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "n")
        await seen(pilot, first.position)
        await say(pilot, "another")
        await seen(pilot, second.position)

    run(tale, opening=opened("energy"))


def test_where_few_puzzles_are_as_hard_another_one_than_the_last_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = all_puzzles(solution_for(load("energy"), load("energy").book))[:2]
    given = cycle([one, two])
    monkeypatch.setattr(puzzles, "random_puzzle", lambda *_: next(given))

    async def tale(pilot: Pilot[int]) -> None:
        shown = []
        for _ in range(6):
            await press(pilot, "n")
            await wait_until(pilot, lambda: screen_of(pilot).puzzle is not None)
            found = screen_of(pilot).puzzle
            shown.append(found)
        assert shown in ([one, two] * 3, [two, one] * 3)

    run(tale, opening=opened("energy"))


@pytest.mark.parametrize("right", [False, slow(True)])
def test_a_duel_whose_puzzle_of_the_day_is_answered_offers_another(right: bool) -> None:
    puzzle, state = daily(load("tower"), DAY), "solved" if right else "missed"

    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, key_of(puzzle, puzzle.answer if right else puzzle.wrong[0].move))
        await press(pilot, "comma")
        secret = daily(load("secret"), DAY)
        await wait_until(pilot, lambda: screen_of(pilot).puzzle == secret)
        await say(pilot, key_of(secret, secret.answer))
        assert f"G Tower another one there; today's is {state}" in text(pilot.app)
        await press(pilot, "g")
        await wait_until(pilot, lambda: screen_of(pilot).puzzle is not None)
        assert "Another puzzle Tower Defense Duel" in text(pilot.app)
        await press(pilot, "t")  # and this one can still be looked at
        await wait_until(pilot, lambda: screen_of(pilot).puzzle == puzzle)

    run(tale, opening=opened("tower"))


@pytest.mark.slow
def test_what_was_said_of_one_puzzle_is_not_said_of_the_next() -> None:
    puzzle = daily(load("tower"), DAY)

    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, key_of(puzzle, puzzle.answer), "build 1")
        await notified(pilot, "This puzzle is answered.")
        await press(pilot, "g")
        await wait_until(pilot, lambda: screen_of(pilot).puzzle is not None)
        assert not told(pilot, "This puzzle is answered.")

    run(tale, opening=opened("tower"))


def test_the_word_beside_escape_can_be_typed() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert "Esc Back" in text(pilot.app)
        await say(pilot, "back")
        assert not any(isinstance(screen, PuzzleScreen) for screen in pilot.app.screen_stack)

    run(tale, opening=opened("tower"))


def test_no_word_gives_a_clue_by_its_first_letter() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "f6")
        await seen(pilot, "With a clue the puzzle")
        await say(pilot, "can i cancel")
        await seen(pilot, "That is no answer here. C: A clue, N: No clue")
        await say(pilot, "cancel")
        assert screen_of(pilot).given == 0
        assert not screen_of(pilot).query_one(CommandLine).text

    run(tale, opening=opened("tower"), held=inf)


@pytest.mark.slow
def test_the_clue_has_the_same_key_where_h_is_a_move() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "I", "c")
        await seen_among_words(pilot, "Clue: The right one leaves you 83 % to win.")
        await say(pilot, "h")
        assert screen_of(pilot).verdict is not None
        await press(pilot, "i", "I")
        assert isinstance(pilot.app.screen, PuzzleScreen)

    run(tale, opening=opened("deck"))


@pytest.mark.slow
def test_another_puzzle_is_not_one_of_the_last() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        met = []
        for _ in range(5):
            await press(pilot, "n")
            await seen(pilot, "Another puzzle")
            puzzle = screen_of(pilot).puzzle
            assert puzzle is not None
            met.append(puzzle.position)
        assert len(set(met)) == 5

    run(tale, opening=opened("tower"))


@pytest.mark.slow
def test_an_answer_to_another_puzzle_moves_the_rating_only() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "n")
        puzzle = screen_of(pilot).puzzle
        assert puzzle is not None
        await say(pilot, key_of(puzzle, puzzle.answer))
        await seen_among_words(pilot, f"Your rating: 1200 → {remembered('energy').rating:.0f}")
        assert "Your streak" not in text(pilot.app)
        assert remembered("energy").dailies == {}

    run(tale, opening=opened("energy"))


@pytest.mark.slow
@pytest.mark.parametrize("day", [DAY, slow(DAY + timedelta(1))])
def test_a_position_can_be_played_on_against_a_perfect_opponent(day: date) -> None:
    puzzle = daily(load("secret"), day)

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "v")
        assert isinstance(pilot.app.screen, PuzzleScreen)  # not before it is answered
        await say(pilot, key_of(puzzle, puzzle.answer))
        await press(pilot, "v")
        table = pilot.app.screen
        assert isinstance(table, Table)
        assert table.match.start == puzzle.state
        assert table.people == (puzzle.seat,)
        await press(pilot, "escape")
        await seen(pilot, "✓ Right!")

    run(tale, opening=opened("secret", day))


@pytest.mark.slow
def test_the_rule_book_lies_beside_and_the_question_stays() -> None:
    puzzle = daily(load("tower"), DAY)

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "o")
        await seen(pilot, "In one sentence")
        await seen(pilot, puzzle.question)
        await resize(pilot, 140, 40)
        await seen_among_words(pilot, puzzle.question)
        await resize(pilot, *SMALL)
        await press(pilot, "escape")
        assert "In one sentence" not in text(pilot.app)
        await press(pilot, "o")
        await say(pilot, key_of(puzzle, puzzle.answer))
        await seen(pilot, "✓ Right!")

    run(tale, opening=opened("tower"))


@pytest.mark.slow
def test_a_window_may_change_its_size_at_any_moment() -> None:
    puzzle = daily(load("secret"), DAY)

    async def tale(pilot: Pilot[int]) -> None:
        for size in ((60, 18), (200, 60), (40, 12), LARGE, SMALL):
            await resize(pilot, *size)
            await press(pilot, "right")
        await say(pilot, key_of(puzzle, puzzle.answer))
        for size in ((60, 18), (200, 60), SMALL):
            await resize(pilot, *size)
            await seen(pilot, "✓ Right!")

    run(tale, opening=opened("secret"))


@pytest.mark.slow
def test_a_large_window_shows_the_last_two_weeks() -> None:
    progress: Progress = {}
    for ago, right in ((3, True), (2, False), (1, True)):
        day = DAY - timedelta(ago)
        progress = answered(progress, "energy", 1200, right, today=day, daily=day)
    memory.remember(lambda _: progress)

    async def tale(pilot: Pilot[int]) -> None:
        await seen(pilot, "last 14 days")
        await seen(pilot, "2/3 1 1 ··········✓✗✓·")

    run(tale, opening=opened("energy"), size=LARGE)


@pytest.mark.slow
def test_a_damaged_file_is_put_aside_and_said() -> None:
    memory.place().parent.mkdir(parents=True, exist_ok=True)
    memory.place().write_text("not what we would write")

    async def tale(pilot: Pilot[int]) -> None:
        await notified(pilot, "Your puzzle results were damaged")

    run(tale, opening=opened("tower"))


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="a folder's mode does not keep anybody from writing there")
def test_results_that_cannot_be_written_are_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "occupied").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "occupied" / "below"))

    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "4")
        await notified(pilot, "this one is not remembered")

    run(tale, opening=opened("tower"))


@pytest.mark.slow
def test_help_names_the_keys() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "question_mark")
        await seen(pilot, "A puzzle is a position where exactly one move is right.")
        await press(pilot, "escape", "escape")
        assert not isinstance(pilot.app.screen, PuzzleScreen)

    run(tale, opening=opened("tower"))


@pytest.mark.slow
def test_while_a_puzzle_is_sought_no_key_is_an_answer() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        screen = screen_of(pilot)
        screen.action_another()
        await screen.do(screen.query_one(Actions).offered[0])
        await settle(pilot)
        assert screen.verdict is None

    run(tale, opening=opened("tower"))


@pytest.mark.parametrize(
    ("mine", "rating", "words"),
    [
        (1200, 1200, "about 5 in 10 of this kind are solved"),
        (2000, 900, "nearly every one of this kind is solved"),
        (700, 1500, "hardly one of this kind is solved"),
    ],
)
def test_a_rating_is_explained(mine: float, rating: int, words: str) -> None:
    assert words in how_often_found(mine, rating)


@pytest.mark.slow
def test_plain_letters_still_tell_solved_from_missed() -> None:
    marks = [in_ascii(mark) for mark in MARKS.values()]
    assert len(set(marks)) == len(marks)


@pytest.mark.slow
def test_up_walks_to_the_last_choice_also_where_another_duel_had_more() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        screen = screen_of(pilot)
        more = len(screen.query_one(Actions).offered)
        await press(pilot, "g", "up")
        offered = screen.query_one(Actions).offered
        assert len(offered) < more
        assert screen.query_one(Actions).highlighted is offered[-1]

    run(tale, opening=opened("secret"))


def test_a_word_is_typed_although_its_first_letter_is_a_key() -> None:
    """T was today's puzzle, O opened the book, and the rest of `tower` was no answer."""

    async def tale(pilot: Pilot[int]) -> None:
        screen = screen_of(pilot)
        asked = screen.puzzle
        await press(pilot, *"tower")
        assert screen.puzzle is asked
        assert "tower▏ Enter: today's puzzle of Tower Defense Duel" in text(pilot.app)
        await press(pilot, "enter")
        await wait_until(pilot, lambda: screen.game.id == "tower" and screen.puzzle is not None)
        await press(pilot, *"nothing", "enter")
        assert screen.daily_of is not None
        assert not screen.reading

    run(tale, opening=opened("secret"), held=1e6)


@pytest.mark.parametrize("keys", [("n",), ("N",), ("n", "n")])
def test_a_key_waits_no_longer_than_a_moment(keys: tuple[str, ...]) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *keys)
        await wait_until(pilot, lambda: screen_of(pilot).daily_of is None)

    run(tale, opening=opened("tower"), held=0.01)


def test_a_letter_that_is_no_key_buys_no_clue() -> None:
    """`A clue` begins with the short form of an attack."""

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "i", "enter", "a", "enter")
        assert isinstance(pilot.app.screen, Ask)
        assert "That is no answer here." in text(pilot.app)

    run(tale, opening=opened("tower"), held=1e6)


@pytest.mark.slow
def test_what_is_printed_of_page_down_is_so_after_one_has_played_on_from_a_puzzle() -> None:
    """`PgDn More` stayed at the foot of the next puzzle, which was whole, and the key did nothing."""

    async def tale(pilot: Pilot[int]) -> None:
        words = pilot.app.screen.query_one("#words")
        for keys in (("a", "enter"), ("v",), ("d", "enter"), ("escape",), ("g",), ("g",), ("g",)):
            await press(pilot, *keys)
            if isinstance(pilot.app.screen, PuzzleScreen):
                await wait_until(pilot, lambda: ("PgDn" in rows(pilot.app)[-1]) == bool(words.max_scroll_y))

    run(tale, opening=lambda app: app.push_screen(PuzzleScreen(load("conquer"))))

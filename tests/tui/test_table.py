"""The table: whole games of every duel, played with the keys that the screen shows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from textual.pilot import Pilot

from duelbook import game_ids, load
from duelbook.core import BOTH, LUCK
from duelbook.record import reads
from duelbook.solving.library import solution_at
from duelbook.solving.solution import Solution
from duelbook.table.invitation import Invitation
from duelbook.table.keys import keys_of
from duelbook.table.telling import verdict
from duelbook.tui.actions import NO_MOVE, Action, ActionButton, Actions, actions_of
from duelbook.tui.app import DuelbookApp
from duelbook.tui.board import Board
from duelbook.tui.preferences import Preferences
from duelbook.tui.story import Story
from duelbook.tui.table import Table
from helpers import HANGING
from slow_helper import first_now, first_row_now, slow, slow_if
from tui_helper import (
    LARGE,
    SMALL,
    at_home,
    match_of,
    press,
    resize,
    rows,
    run,
    say,
    seen,
    settle,
    still,
    text,
    told,
    wait_until,
)


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    at_home(monkeypatch, tmp_path)
    return tmp_path


def table_of(pilot: Pilot[int]) -> Table:
    return next(screen for screen in pilot.app.screen_stack if isinstance(screen, Table))


def saved(home: Path) -> str:
    (file,) = (home / "duelbook" / "games").glob("*.duel")
    return file.read_text(encoding="utf-8")


# Keys come from the books' own words

KEYS = {
    "conquer": ["a", "d", "h"],
    "deck": ["a", "h"],
    "energy": ["1a", "2d", "3p"],
    "secret": ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"],
    "tower": ["1", "2", "4", "a"],
}


@pytest.mark.parametrize("id", game_ids())
def test_every_move_has_the_keys_that_its_book_uses(id: str) -> None:
    game = load(id)
    state = game.start(game.book, 0)
    if game.turn(game.book, state) == LUCK:
        state = game.deal(game.book, state, 7)
    keys = keys_of(game, game.book, state, 0)
    assert ["".join(keys[move]) for move in game.moves][: len(KEYS[id])] == KEYS[id]


# Whole games by keys


async def finish_by_keys(pilot: Pilot[int], limit: int = 300) -> Table:
    """Play on with keys that the screen shows, always the first legal action, until the game is over."""
    table = table_of(pilot)
    for _ in range(limit):
        await settle(pilot)
        if table.match.outcome is not None and pilot.app.screen is table:
            return table
        if pilot.app.screen is not table:
            await curtain_or_dialog(pilot)
            continue
        offered = [action for action in table.query_one(Actions).offered if action.legal]
        await answer(pilot, offered[0])
    raise AssertionError("the game did not end")


async def answer(pilot: Pilot[int], action: Action) -> None:
    """With the key that its button shows, and Enter behind it where it is typed."""
    await (press(pilot, "enter") if action.move == NO_MOVE else say(pilot, action.keys[0]))


async def curtain_or_dialog(pilot: Pilot[int]) -> None:
    """Behind the curtain the first player always hits harder; everything else is answered with Enter."""
    screen = pilot.app.screen
    offered = screen.query(Actions)
    if offered and offered.first().offered:
        legal = [action for action in offered.first().offered if action.legal]
        high = getattr(screen, "seat", 0) == 0
        await pilot.press(*legal[-1 if high else 0].word, "enter")
    else:
        await pilot.press("enter")


@pytest.mark.slow
@pytest.mark.parametrize("size", [SMALL, slow(LARGE)], ids=["80x24", "120x40"])
@pytest.mark.parametrize("id", [slow_if(id != "secret", id) for id in game_ids()])
def test_a_whole_game_of_two_people_by_keys(id: str, size: tuple[int, int], home: Path) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = await finish_by_keys(pilot)
        assert table.match.verdict() in text(pilot.app)
        await seen(pilot, "Look back")

    position = "30 30 - -" if id == "secret" else None  # a whole one would be the same for longer
    run(tale, opening=match_of(id, "human", "human", position=position), size=size)
    (record,) = reads(saved(home))
    assert record.match.outcome is not None


@pytest.mark.slow
@pytest.mark.parametrize("id", [slow_if(id != "tower", id) for id in game_ids()])
def test_a_whole_game_against_a_program_by_keys(id: str, home: Path) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = await finish_by_keys(pilot)
        await press(pilot, "enter")
        assert verdict(table.match, (0,)) in text(pilot.app)

    run(tale, opening=match_of(id, "human", "level:3"))
    (record,) = reads(saved(home))
    assert record.match.outcome is not None
    assert record.seats == ("human", "level:3")


@pytest.mark.slow
def test_a_whole_game_by_mouse(home: Path) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        while table.match.outcome is None:
            best = 2 if table.match.state.towers[table.match.turn] + 4 <= 15 else 0
            await pilot.click(list(table.query(ActionButton))[best])
            await settle(pilot)
        await pilot.click(table.query_one(ActionButton))
        await settle(pilot)
        assert "wins" in text(pilot.app)

    run(tale, opening=match_of("tower"))


@pytest.mark.slow
@pytest.mark.parametrize("id", [slow_if(id != "tower", id) for id in game_ids()])
def test_keys_that_come_too_fast_never_move_for_the_program(id: str, home: Path) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        for _ in range(12):
            for letter in "1a42h":
                for key in ("enter", "ctrl+u", letter, "enter"):
                    pilot.app.simulate_key(key)
            await settle(pilot)
            while pilot.app.screen is not table and not table.host.left:  # a question, or the end
                await press(pilot, "escape")
            if table.host.left or table.match.outcome is not None:
                return

    run(tale, opening=match_of(id, "human", "perfect"))
    (record,) = reads(saved(home))
    from duelbook.luck import Luck
    from duelbook.match import View
    from duelbook.players import seat_player

    match, own = record.match, seat_player("perfect", Luck(3).seat_seed(1))  # the seed that `match_of` chooses
    assert own is not None
    assert any(step.turn in (0, BOTH) for step in match.steps)  # some of the keys did move, for their own seat
    turn = 0
    for step in match.steps:
        if step.turn == LUCK:
            continue
        if step.turn in (1, BOTH):
            picked = step.play[1] if step.turn == BOTH else step.play
            assert picked == own.choose(View(match.game, match.rules, step.before, 1, turn))
        turn += 1


# What the table shows


def test_the_story_is_told_in_the_books_words() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "4", "2")
        shown = text(pilot.app)
        assert "Player 1, it's your turn." in shown
        assert "Player 1 builds 4 units." in shown
        assert "Your tower height is now 4." in shown
        assert "Enter your move:" in shown

    run(tale, opening=match_of("tower"))


@pytest.mark.parametrize(
    ("id", "position", "key", "reason"),
    first_row_now(
        [
            ("tower", "0 2 1", "a", "your opponent's tower has only 2 units."),
            ("conquer", "10d 10r 1", "a", "You cannot attack on the turn after defending."),
            ("energy", "1 9 1", "1", "Insufficient energy to attack (needs 2, has 1)."),
        ]
    ),
)
def test_what_cannot_be_played_is_grey_with_the_reason_and_refused(
    id: str, position: str, key: str, reason: str
) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        joined = text(pilot.app)
        assert "not now." in joined
        assert all(word in joined for word in reason.split())
        refused = [button for button in table.query(ActionButton) if button.has_class("refused")]
        assert refused
        assert all(not button.action.legal for button in refused)
        await say(pilot, key)
        assert table.match.turns == 0

    run(tale, opening=match_of(id, "human", "human", position=position))


def test_the_board_shows_what_the_highlighted_action_would_do() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert "→" not in text(pilot.app)
        await press(pilot, "down")
        assert "0 → 1" in text(pilot.app)
        await press(pilot, "down", "down")
        assert "0 → 4" in text(pilot.app)
        await press(pilot, "enter")
        assert "Player 1 builds 4 units." in text(pilot.app)

    run(tale, opening=match_of("tower"))


@pytest.mark.parametrize("key", first_now(["i", "I"]))
def test_the_same_letter_is_the_hint_in_every_duel(key: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert "I Hint" in rows(pilot.app)[-1]
        await press(pilot, key)
        assert "whatever they do, you win in at most 13 moves" in text(pilot.app)

    run(tale, opening=match_of("tower", "human", "human", position="5 8 1"))


@pytest.mark.slow
def test_help_says_every_key() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "question_mark")
        shown = text(pilot.app)
        for words in ("take back", "rule book", "Position: 0 0 1", "build 4: your tower grows from 0 to 4"):
            assert words in shown
        await press(pilot, "escape")
        assert pilot.app.screen is table_of(pilot)

    run(tale, opening=match_of("tower"), size=LARGE)


@pytest.mark.slow
def test_the_rule_book_opens_beside_the_game_and_the_game_goes_on() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "o")
        await seen(pilot, "Tower Defense Duel")
        assert table_of(pilot).query("#rulebook")
        await say(pilot, "4")
        assert table_of(pilot).match.turns == 1
        await press(pilot, "o")
        assert not table_of(pilot).query("#rulebook")
        assert "Player 1 builds 4 units." in text(pilot.app)

    run(tale, opening=match_of("tower"))


# Taking back, saving, leaving


@pytest.mark.slow
def test_undo_against_a_program_takes_back_to_the_own_decision() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "4")
        assert table_of(pilot).match.turns == 2
        await press(pilot, "z")
        assert table_of(pilot).match.turns == 0
        told = [line.text for line in table_of(pilot).query_one(Story).told]
        assert "Taken back: Player 1's last move (build 4)." in told
        await press(pilot, "z")
        assert "There is no move to take back yet." in text(pilot.app)

    run(tale, opening=match_of("tower", "human", "level:1"))


def test_undo_between_people_needs_both() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "4", "u")
        assert "Do both of you agree to take back Player 1's last" in text(pilot.app)
        await press(pilot, "n")
        assert table_of(pilot).match.turns == 1
        await press(pilot, "z", "y")
        assert table_of(pilot).match.turns == 0

    run(tale, opening=match_of("tower"))


@pytest.mark.slow
def test_a_card_stays_drawn_when_a_choice_is_taken_back() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        await press(pilot, "enter")
        card = table.match.state.card
        await say(pilot, "a")
        await press(pilot, "z", "y")
        assert table.match.turn == 0
        assert table.match.state.card == card

    run(tale, opening=match_of("deck"))


@pytest.mark.slow
def test_save_says_how_to_go_on_and_leaving_too(home: Path) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "4", "save")
        assert told(pilot, "resume tower-")
        await press(pilot, "escape")
        assert not any(isinstance(screen, Table) for screen in pilot.app.screen_stack)

    run(tale, opening=match_of("tower"))
    assert "1. build 4 *" in saved(home)


@pytest.mark.slow
@pytest.mark.parametrize(("keys", "liked"), first_row_now([("k", False), ("kk", True)]))
def test_the_coach_is_as_he_was_when_a_game_is_gone_on_with(keys: str, liked: bool) -> None:
    async def leave(pilot: Pilot[int]) -> None:
        await press(pilot, *keys)
        await say(pilot, "4")
        await press(pilot, "escape")

    async def go_on(pilot: Pilot[int]) -> None:
        assert table_of(pilot).host.coaching is (keys == "k")

    run(leave, opening=match_of("tower"))
    run(go_on, opening=lambda app: app.take_up(None), preferences=Preferences(motion=False, coach=liked))


@pytest.mark.slow
def test_a_game_that_was_left_is_gone_on_with(home: Path) -> None:
    async def leave(pilot: Pilot[int]) -> None:
        await say(pilot, "4", "2", "q")

    async def go_on(pilot: Pilot[int]) -> None:
        assert table_of(pilot).match.state.towers == (4, 2)
        assert "Player 2 builds 2 units." in text(pilot.app)
        await say(pilot, "1")
        assert table_of(pilot).match.turns == 3

    run(leave, opening=match_of("tower"))
    run(go_on, opening=lambda app: app.take_up(None))


def test_resigning_asks_first() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "x", "enter")
        assert table_of(pilot).match.outcome is None
        await press(pilot, "x", "y")
        assert "Player 1 resigned." in text(pilot.app)

    run(tale, opening=match_of("energy"))


@pytest.mark.slow
def test_taking_back_a_resignation_takes_back_nothing_else() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        match = table_of(pilot).match
        await say(pilot, "1")
        await press(pilot, "x", "y")
        assert match.outcome is not None
        await press(pilot, "z")
        assert match.outcome is None
        assert match.turns == 2

    run(tale, opening=match_of("energy", "human", "perfect"))


def test_nobody_has_a_chance_any_more_in_a_game_that_was_resigned() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await seen(pilot, "You against level 2:")
        await press(pilot, "x", "y")
        assert "You lost." in text(pilot.app)
        assert "Perfect play" not in text(pilot.app)
        assert "You against level 2" not in text(pilot.app)
        await press(pilot, "z")
        assert "You against level 2:" in text(pilot.app)

    run(tale, opening=match_of("tower", "human", "level:2", coach=True))


@pytest.mark.slow
def test_in_secret_either_of_two_people_can_resign() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "x", "2")
        assert table_of(pilot).match.verdict() == "Player A wins!"

    run(tale, opening=match_of("secret"))


@pytest.mark.parametrize(
    ("keys", "twice"),
    first_row_now([(("x",), "y"), (("4", "enter", "z"), "y"), (("question_mark",), "enter"), (("x",), "n")]),
)
def test_a_key_that_comes_twice_closes_one_screen_only(keys: tuple[str, ...], twice: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *keys)
        for _ in range(2):
            pilot.app.simulate_key(twice)
        await settle(pilot)
        assert any(isinstance(screen, Table) for screen in pilot.app.screen_stack)

    run(tale, opening=match_of("tower"))


@pytest.mark.slow
def test_rules_that_take_long_can_be_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    never = threading.Event()
    monkeypatch.setattr("duelbook.tui.app.make_ready", lambda match, kinds: never.wait())
    wish = Invitation(load("tower"), ("human", "perfect"), rules=("goal=20",))

    async def tale(pilot: Pilot[int]) -> None:
        pilot.app.begin(wish)  # type: ignore[attr-defined]  # it is a DuelbookApp
        await seen(pilot, "Working out these rules")
        await pilot.press("escape")
        await settle(pilot)
        assert "Working out" not in text(pilot.app)
        assert len(pilot.app.screen_stack) == 2

    run(tale)
    never.set()


@pytest.mark.slow
@pytest.mark.parametrize("given_up", first_now([True, False]))
def test_a_hint_that_has_to_be_worked_out_says_how_that_stands(monkeypatch: pytest.MonkeyPatch, given_up: bool) -> None:
    import threading

    from duelbook.solving import solver

    go_on, solve = threading.Event(), solver.solve

    def waiting(*arguments: Any) -> Any:
        go_on.wait()
        return solve(*arguments)

    monkeypatch.setattr(solver, "solve", waiting)
    monkeypatch.setattr("duelbook.patience.aloud", False)  # as on every full screen
    wish = Invitation(load("tower"), ("human", "random"), rules=(f"goal={11 + given_up}", "knocked=2"))

    async def tale(pilot: Pilot[int]) -> None:
        await wait_until(pilot, lambda: table_of(pilot).is_current)
        table_of(pilot).action_hint()
        await seen(pilot, "The coach works out these rules ...")
        await seen(pilot, "Getting ready, a moment more")
        if given_up:
            await pilot.press("escape")
            go_on.set()
            await settle(pilot)
            assert table_of(pilot).is_current
        else:
            go_on.set()
            await seen(pilot, "A hint")

    run(tale, opening=lambda app: app.begin(wish))


@pytest.mark.slow
def test_the_rule_book_scrolls_whatever_has_the_focus() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "o", "4", "enter")
        book = table_of(pilot).query_one("#rulebook")
        await press(pilot, "pagedown")
        assert book.scroll_offset.y > 0

    run(tale, opening=match_of("tower"))


@pytest.mark.parametrize("leave", first_now([Table.action_leave, Table.put_away]))
def test_nothing_of_a_table_that_is_left_goes_on(leave: Callable[[Table], object]) -> None:
    """Its parts are taken away one after the other, and what still showed something in them would end the program."""

    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        table._go_on()
        leave(table)
        assert [worker for worker in pilot.app.workers if worker.node is table and not worker.is_cancelled] == []

    run(tale, opening=match_of("tower", "level:2", "random"))


@pytest.mark.parametrize("key", ["ctrl+c", slow("ctrl+q")])
def test_leaving_at_once_saves_the_game(key: str, home: Path) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "4")
        await pilot.press(key)
        assert pilot.app.return_code == 130

    run(tale, opening=match_of("tower"))
    assert "1. build 4 *" in saved(home)


# The coach


def test_the_coach_speaks_at_once_and_the_move_can_be_taken_back() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert "100 %" in rows(pilot.app)[1]
        await say(pilot, "1")
        assert "gave away" in text(pilot.app)
        assert "Better was" not in text(pilot.app)
        (table,) = (screen for screen in pilot.app.screen_stack if isinstance(screen, Table))
        assert table.query_one(Actions).offered == []  # those of the position before are gone
        await press(pilot, "t")
        assert table_of(pilot).match.turns == 0
        assert len(table.query_one(Actions).offered) == 4
        await say(pilot, "1")
        await press(pilot, "g")
        assert table_of(pilot).match.turns == 2

    run(tale, opening=match_of("tower", "human", "perfect", position="5 8 1", coach=True))


def test_the_next_turn_begins_once_and_after_what_the_coach_had_to_say() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "5", "enter")
        await seen(pilot, "Show me")
        await press(pilot, "s")
        await press(pilot, "g")
        told = [line.text for line in table_of(pilot).query_one(Story).told]
        assert told.count("=== Turn 2 ===") == 1
        assert told[-1] == "=== Turn 2 ===", "after all that the coach says"
        assert told[-3] == "Coach: Better was 10."

    run(tale, opening=match_of("secret", "human", "perfect", position="98 96 9 7", coach=True))


def test_between_two_people_the_coach_says_to_whom_he_speaks() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "1")
        assert "The coach, to Player 1" in text(pilot.app)
        await press(pilot, "s")
        assert "The coach, to Player 1" in text(pilot.app)
        assert "They build 4, you attack" in text(pilot.app)

    run(tale, opening=match_of("tower", position="5 8 1", coach=True))


@pytest.mark.slow
def test_the_coach_shows_why_to_whoever_asks_and_the_move_can_still_be_taken_back() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "1")
        await press(pilot, "s")
        told = text(pilot.app)
        assert "They build 4, you attack, they build 4, you attack ..." in told
        assert "your tower loses at 6 or 7 and" in told
        assert "Better was build 4." in told
        assert table_of(pilot).match.turns == 1  # nobody has answered yet
        await press(pilot, "t")
        assert table_of(pilot).match.turns == 0

    run(tale, opening=match_of("tower", "human", "perfect", position="5 8 1", coach=True))


@pytest.mark.slow
def test_the_coach_can_be_turned_on_and_off() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert "%" not in text(pilot.app)
        await press(pilot, "k")
        assert "100 %" in text(pilot.app)
        await press(pilot, "k")
        assert "%" not in text(pilot.app)

    run(tale, opening=match_of("tower"))


@pytest.mark.slow
def test_no_figure_is_shown_before_the_coach_knows_one(monkeypatch: pytest.MonkeyPatch) -> None:
    known = Event()

    def slowly(*wanted: Any) -> Solution:
        known.wait(HANGING)
        return solution_at(*wanted)

    async def tale(pilot: Pilot[int]) -> None:
        monkeypatch.setattr("duelbook.coach.coach.solution_at", slowly)
        await pilot.press("k")
        await seen(pilot, "The coach is still working out who is ahead")
        assert "%" not in rows(pilot.app)[1]
        known.set()
        await seen(pilot, "100 %")
        assert "working out" not in text(pilot.app)

    run(tale, opening=match_of("tower"))


# Watching


def test_watching_can_be_paused_stepped_and_sped_up() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        await pilot.press("space")
        await pilot.pause()
        assert "paused" in rows(pilot.app)[0]
        before = table.match.turns
        await pilot.press("n")
        await wait_until(pilot, lambda: table.match.turns > before)
        assert table.match.turns == before + 1
        await pilot.press("minus")
        assert "0.5 s a move" in rows(pilot.app)[0]
        await pilot.press("plus")
        assert "0.25 s a move" in rows(pilot.app)[0]

    run(tale, opening=match_of("tower", "perfect", "level:1"))


@pytest.mark.slow
@pytest.mark.parametrize("id", [slow_if(id != "secret", id) for id in game_ids()])
def test_a_seat_can_be_taken_over(id: str, home: Path) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        await pilot.press("space", "t")
        await pilot.pause()
        await pilot.press("1")
        await settle(pilot)
        assert table.people == (0,)
        words = table.match.game.dialogue.words(table.match.rules)
        action = next(action for action in table.query_one(Actions).offered if action.legal)
        await say(pilot, action.word if action.move == NO_MOVE else words[action.move])

    run(tale, opening=match_of(id, "level:1", "level:2"))
    assert '[Seat1 "human"]' in saved(home)


@pytest.mark.slow
def test_watching_goes_on_by_itself_to_the_end() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        while table.match.outcome is None:
            await pilot.press("n")
            await pilot.pause()
        await seen(pilot, "Look back")

    run(tale, opening=match_of("secret", "perfect", "random"))


# Feel


@pytest.mark.slow
def test_bars_move_where_motion_is_wanted_and_jump_where_it_is_not() -> None:
    async def moving(pilot: Pilot[int]) -> None:
        board = table_of(pilot).query_one(Board)
        start = board.scene
        for key in ("4", "enter"):
            pilot.app.simulate_key(key)
        while board.scene == start:
            await asyncio.sleep(0)
        assert board.one < 4
        await pilot.wait_for_animation()
        assert board.one == 4

    async def jumping(pilot: Pilot[int]) -> None:
        await say(pilot, "4")
        assert table_of(pilot).query_one(Board).one == 4

    run(moving, opening=match_of("tower"), preferences=Preferences(motion=True))
    run(jumping, opening=match_of("tower"), preferences=still())


@pytest.mark.slow
@pytest.mark.parametrize("id", [slow_if(id != "secret", id) for id in game_ids()])
def test_the_window_can_change_at_any_moment(id: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = table_of(pilot)
        for size in ((60, 18), (200, 60), (30, 8), (80, 24), (61, 19)):
            await resize(pilot, *size)
            if table.match.turn != BOTH:
                offered = [action for action in table.query_one(Actions).offered if action.legal]
                await answer(pilot, offered[0])
            assert len(rows(pilot.app)) == size[1]

    run(tale, opening=match_of(id))


@pytest.mark.slow
def test_with_plain_letters_nothing_else_is_drawn() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "4", "2")
        assert all(row.isascii() and len(row) == 80 for row in rows(pilot.app))

    run(tale, opening=match_of("tower"), preferences=Preferences(motion=False, letters="ascii"))


@pytest.mark.slow
def test_rules_that_cannot_be_had_are_told_and_no_table_opens() -> None:
    wish = Invitation(load("tower"), rules=("goal=none",))

    async def tale(pilot: Pilot[int]) -> None:
        await seen(pilot, "is not allowed for goal")
        assert len(pilot.app.screen_stack) == 2

    run(tale, opening=lambda app: app.begin(wish))


@pytest.mark.slow
def test_names_that_look_like_markup_are_names() -> None:
    wish = Invitation(load("tower"), names=("[red]Ann[/]", "$text [b"), seed=1)

    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "4", "u")
        assert "[red]Ann[/]" in text(pilot.app)

    run(tale, opening=lambda app: app.begin(wish), size=LARGE)


def test_actions_tell_what_the_dialogue_tells() -> None:
    from duelbook.match import Match

    game = load("tower")
    match = Match(game, start=game.read_position(game.book, "14 12 1"))
    about = {action.word: action.about for action in actions_of(match, 0)}
    assert about["build 4"] == "your tower grows from 14 to 18, over 15: you lose"


def test_beside_a_game_by_other_rules_the_book_says_which() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "o")
        assert "this game is played with lp=8" in text(pilot.app)

    def opening(app: DuelbookApp) -> None:
        app.begin(Invitation(load("deck"), ("human", "level:1"), rules=("lp=8",)))

    run(tale, opening=opening, size=(120, 40))

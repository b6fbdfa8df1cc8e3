"""Looking through a game: every position by keys and clicks, the curve and its cursor, marks, trying other moves."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from duelbook.coach.review import Review
from duelbook.core import LUCK, DuelError
from duelbook.games import ROOMS, example, load
from duelbook.match import Match
from duelbook.players import seat_player
from duelbook.record import Record, reads
from duelbook.tui import recorded as looking
from duelbook.tui.app import DuelbookApp
from duelbook.tui.board import Board
from duelbook.tui.dialogs import ChooseOpponent, Page
from duelbook.tui.moves import Moves
from duelbook.tui.preferences import Preferences
from duelbook.tui.replay import Replay
from duelbook.tui.table import Table
from duelbook.tui.value import ValueGraph
from helpers import calls
from slow_helper import first_now, first_row_now, slow, slow_if
from tui_helper import LARGE, SMALL, at_home, press, resize, rows, run, say, seen, settle, text, told, wait_until


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    at_home(monkeypatch, tmp_path)
    return tmp_path


def worked_example(game: str) -> Record:
    (record,) = reads(example(load(game)).read_text(encoding="utf-8"))
    return record


def played(game: str, *kinds: str, seed: int = 1, max_turns: int = 200) -> Record:
    match = Match(load(game), seed=seed, max_turns=max_turns)
    players = [seat_player(kind, seed) for kind in kinds]
    match.run([player for player in players if player is not None])
    return Record(match, (kinds[0], kinds[1]), "2025.03.01")


def replay_of(pilot: Pilot[int]) -> Replay:
    screen = pilot.app.screen
    assert isinstance(screen, Replay)
    return screen


def position(pilot: Pilot[int]) -> str:
    return str(replay_of(pilot).query_one("#replay-position", Static).render())


def story(pilot: Pilot[int]) -> str:
    return str(replay_of(pilot).query_one("#replay-story", Static).render())


def asked_for_opponent(pilot: Pilot[int]) -> str:
    """What the box asks that offers to play on, which must be seen whole."""
    box = pilot.app.screen
    assert isinstance(box, ChooseOpponent)
    assert all(word in text(pilot.app) for word in box.question.split())
    return box.question


def notices(pilot: Pilot[int]) -> str:
    return " ".join(notice.message for notice in pilot.app._notifications)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "size"), [*(slow_if(game != "tower", game, SMALL) for game in ROOMS), slow("secret", LARGE)]
)
def test_every_example_is_stepped_through_by_keys(game: str, size: tuple[int, int]) -> None:
    record = worked_example(game)
    match = record.match
    states = [*(step.before for step in match.steps), match.state]
    written = [match.game.write_position(match.rules, state) for state in states]

    async def tale(pilot: Pilot[int]) -> None:
        replay = replay_of(pilot)
        for at, where in enumerate(written):
            assert where in position(pilot)
            assert where in text(pilot.app)
            assert replay.query_one(Moves).current == at
            turn = replay.course.frames[at - 1].turn if at else 0
            assert any(f"▶ {turn:>2}  " in row for row in rows(pilot.app))
            drawn = at > 0 and match.steps[at - 1].turn == LUCK  # a card belongs to the turn that it begins
            begun = sum(step.turn != LUCK for step in match.steps[:at]) + drawn
            assert f" turn {begun} of {match.turns} " in rows(pilot.app)[0]
            await press(pilot, "right")
        assert replay.at == len(match.steps)  # nothing comes after the end
        for where in written[::-1]:
            assert where in position(pilot)
            await press(pilot, "up")
        assert replay.at == 0

    run(tale, opening=lambda app: app.open_replay(record), size=size)


@pytest.mark.slow
def test_the_board_shows_the_position() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        board = replay_of(pilot).query_one(Board)
        assert board.turn == {0}
        await press(pilot, "right", "right", "right")
        assert board.scene is not None
        assert [side.gauge.value for side in board.scene.sides] == [8, 4]
        assert board.turn == {1}
        await press(pilot, "end")
        assert board.turn == frozenset()
        assert "Player 1 wins!" in story(pilot)

    run(tale, opening=lambda app: app.open_replay(worked_example("tower")))


@pytest.mark.slow
def test_home_end_and_leaps() -> None:
    record = played("secret", "random", "random", seed=4, max_turns=45)

    async def tale(pilot: Pilot[int]) -> None:
        replay = replay_of(pilot)
        seen_turns = []
        for key in ("pagedown", "pagedown", "left", "pageup", "end", "pageup", "home", "pageup"):
            await press(pilot, key)
            seen_turns.append(replay.turn)
        last = record.match.turns
        assert seen_turns == [10, 20, 19, 9, last, last - 10, 0, 0]

    run(tale, opening=lambda app: app.open_replay(record))


@pytest.mark.slow
def test_a_blunder_is_marked_and_the_better_move_named() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        replay = replay_of(pilot)
        assert [row for row in rows(pilot.app) if "attack" in row and "?? -100.0" in row]
        await press(pilot, "m")
        assert replay.turn == 7
        assert "?? Player 1's attack lost 100 %, better: build 4." in story(pilot)
        assert replay.query_one(ValueGraph).cursor == 7
        await press(pilot, "m")
        assert replay.turn == 8
        await press(pilot, "m")
        assert "There is no mark after this." in notices(pilot)
        await press(pilot, "B")
        assert replay.turn == 7
        await press(pilot, "left")
        assert "Player 2's build 4 lost 6 moves sooner, better: attack." in story(pilot)
        await press(pilot, "left")
        assert "As good as the best there was." in story(pilot)

    run(tale, opening=lambda app: app.open_replay(worked_example("tower")))


def test_both_picks_are_judged() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "right")
        assert "?? Player A's 7 lost 50 %, better: 10." in story(pilot)
        assert "?? Player B's 5 lost 50 %, better: 10." in story(pilot)
        assert "Player A deals 2 damage to Player B." in text(pilot.app)

    run(tale, opening=lambda app: app.open_replay(worked_example("secret")))


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tower", slow("energy"), slow("conquer"), slow("deck"), slow("secret")])
def test_the_reason_of_a_slip_is_read_beside_it_where_there_is_room_and_before_the_hint(game: str) -> None:
    record = played(game, "random", "random", seed=3)

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "m")
        review, turn = replay_of(pilot).review, replay_of(pilot).turn
        assert review is not None
        slips = [each for each in review.decisions if each.mark and each.turn == turn]
        said = [(f"Said to {record.match.names[slip.seat]}: ", review.why(slip).lines()) for slip in slips]
        for to, lines in said:
            assert to + "\n".join(lines) in story(pilot)
        await press(pilot, "h")
        page = pilot.app.screen
        assert isinstance(page, Page)
        told = [line.text for line in page.lines]
        for to, lines in said:
            assert told[(at := told.index(to + lines[0])) : at + len(lines)] == [to + lines[0], *lines[1:]]
        await press(pilot, "escape")
        await resize(pilot, 60, 18)
        words = replay_of(pilot).query_one("#replay-words")
        assert "Said to" not in story(pilot) or words.max_scroll_y == 0

    run(tale, size=LARGE, opening=lambda app: app.open_replay(record))


def test_cards_are_steps_with_their_luck() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "right")
        assert "Player 1 drew a 7." in story(pilot)
        assert "Player 1 70 %" in position(pilot)
        assert "draws 7 luck +7.6" in text(pilot.app)
        assert "turn 1 of 11" in rows(pilot.app)[0]
        replay = replay_of(pilot)
        assert replay.query_one(ValueGraph).cursor == 0

    run(tale, opening=lambda app: app.open_replay(worked_example("deck")))


@pytest.mark.slow
def test_a_card_that_nobody_played_counts_too() -> None:
    (record,) = reads('[Game "deck"]\n[Result "*"]\n\n1. 7:attack 4: *\n')

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "end")
        assert "Player 1 76 %" in position(pilot)
        assert "draws 4 luck -6.0" in text(pilot.app)
        assert "turn 2 of 2" in rows(pilot.app)[0]

    run(tale, opening=lambda app: app.open_replay(record))


@pytest.mark.slow
def test_comments_are_read_out() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *["right"] * 5)
        assert "so it was covered" in text(pilot.app)

    run(tale, opening=lambda app: app.open_replay(worked_example("conquer")))


@pytest.mark.slow
def test_a_click_on_a_move_goes_there() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        replay = replay_of(pilot)
        await pilot.click(Moves, offset=(10, 7))
        await settle(pilot)
        assert replay.at == 7
        await pilot.click(Moves, offset=(10, 0))
        await settle(pilot)
        assert replay.at == 0
        await pilot.click(Moves, offset=(10, 13))  # below the last row
        await settle(pilot)
        assert replay.at == 0

    run(tale, opening=lambda app: app.open_replay(worked_example("tower")))


@pytest.mark.slow
@pytest.mark.parametrize("size", [SMALL, slow(LARGE)], ids=["small", "large"])
def test_a_click_on_the_curve_goes_there(size: tuple[int, int]) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        replay = replay_of(pilot)
        graph = replay.query_one(ValueGraph)
        plan = graph._plan()
        assert plan is not None
        left = graph.styles.padding.left
        for turn in (7, 0, 11, 3):
            await pilot.click(ValueGraph, offset=(left + 6 + plan.edges[turn], 3))
            await settle(pilot)
            assert replay.turn == graph.cursor == turn
            assert f"▲{turn}" in text(pilot.app)
        await pilot.click(ValueGraph, offset=(1, 3))
        await settle(pilot)
        assert graph.cursor == 0

    run(tale, opening=lambda app: app.open_replay(worked_example("tower")), size=size)


KEYS = [("P", "human"), ("p", "human"), ("0", "random"), ("4", "level:4"), ("7", "perfect"), ("88", "brawler")]


@pytest.mark.parametrize(("typed", "kind"), first_row_now(KEYS))
def test_who_is_met_in_a_replay_has_the_key_of_the_set_up(typed: str, kind: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "m", "t", *typed, "enter")
        await seen(pilot, "Player 1 to move")
        assert getattr(pilot.app.screen, "kinds", ()) == ("human", kind)

    run(tale, opening=lambda app: app.open_replay(worked_example("tower")))


@pytest.mark.slow
def test_it_plays_by_itself_until_the_end() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        replay = replay_of(pilot)
        await pilot.press("space")
        await seen(pilot, "turn 4 of 4")
        await seen(pilot, "The game is unfinished: turn 5.")
        assert "playing" not in text(pilot.app)
        assert isinstance(pilot.app, DuelbookApp)
        pilot.app.preferences.pace = 4.0
        await pilot.press("space")  # from the start again
        assert replay.at == 0
        assert "playing, 4 s a step" in text(pilot.app)
        await pilot.press("space")
        assert "playing" not in text(pilot.app)

    swift = Preferences(motion=False, pace=0.01)
    run(tale, opening=lambda app: app.open_replay(worked_example("secret")), preferences=swift)


def test_a_step_by_hand_stops_the_playing_and_the_pace_can_be_changed() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert isinstance(pilot.app, DuelbookApp)
        await pilot.press("space", "minus")
        assert "playing, 4 s a step" in text(pilot.app)
        await pilot.press("plus")
        assert "playing, 2 s a step" in text(pilot.app)
        await press(pilot, "right")
        assert "playing" not in text(pilot.app)
        await press(pilot, "plus")
        assert pilot.app.preferences.pace == 1.0

    slow = Preferences(motion=False, pace=2.0)
    run(tale, opening=lambda app: app.open_replay(worked_example("tower")), preferences=slow)


@pytest.mark.slow
def test_trying_another_move_leads_to_a_table_with_that_position() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, *["right"] * 6, "t")
        assert isinstance(pilot.app.screen, ChooseOpponent)
        await press(pilot, "end", *["up"] * 4, "enter")  # above the characters
        await seen(pilot, "Player 1 to move")
        table = pilot.app.screen
        assert isinstance(table, Table)
        assert table.match.game.write_position(table.match.rules, table.match.state) == "7 8 1"
        assert table.kinds == ("human", "perfect")
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, Replay)  # back where it was tried

    run(tale, opening=lambda app: app.open_replay(worked_example("tower")))


@pytest.mark.parametrize("size", [(60, 18), slow(SMALL)])
def test_after_a_marked_move_one_tries_to_do_better_in_its_place(size: tuple[int, int]) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "m", "t")
        assert asked_for_opponent(pilot) == "You play Player 1 from 7 8 1, in place of the marked attack, against:"
        assert "Back (Esc)" in text(pilot.app)
        await press(pilot, "end", *["up"] * 4, "enter")
        await seen(pilot, "Player 1 to move")
        table = pilot.app.screen
        assert isinstance(table, Table)
        assert table.match.game.write_position(table.match.rules, table.match.state) == "7 8 1"
        assert table.kinds == ("human", "perfect")

    run(tale, opening=lambda app: app.open_replay(worked_example("tower")), size=size)


@pytest.mark.slow
def test_a_marked_move_that_ended_the_game_can_be_done_better() -> None:
    (record,) = reads('[Game "secret"]\n[Position "4 4 - -"]\n[Result "0-1"]\n\n1. 1/10 0-1\n')

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "end", "t")
        assert asked_for_opponent(pilot) == "You play Player A from 4 4 - -, in place of the marked 1, against:"

    run(tale, opening=lambda app: app.open_replay(record))


@pytest.mark.slow
def test_where_both_picks_are_marked_one_goes_back_to_before_them() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "right", "t")
        assert "Both picks are marked; you go back to before them." in text(pilot.app)
        await press(pilot, "2")
        assert asked_for_opponent(pilot) == "You play Player B from 100 100 - -, in place of the marked 5, against:"
        await press(pilot, "end", *["up"] * 4, "enter")
        await seen(pilot, "both pick")
        table = pilot.app.screen
        assert isinstance(table, Table)
        assert table.kinds == ("perfect", "human")
        assert table.match.game.write_position(table.match.rules, table.match.start) == "100 100 - -"

    run(tale, opening=lambda app: app.open_replay(worked_example("secret")))


@pytest.mark.slow
def test_where_both_pick_one_chooses_the_seat() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "t")
        assert "Both pick at once here. Whose seat do you take?" in text(pilot.app)
        await press(pilot, "2", "end", *["up"] * 4, "enter")
        await seen(pilot, "both pick")
        table = pilot.app.screen
        assert isinstance(table, Table)
        assert table.kinds == ("perfect", "human")
        assert table.match.game.write_position(table.match.rules, table.match.start) == "100 100 - -"

    run(tale, opening=lambda app: app.open_replay(worked_example("secret")))


@pytest.mark.slow
def test_choosing_an_opponent_can_be_given_up() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "t", "escape")
        assert isinstance(pilot.app.screen, Replay)
        await press(pilot, "t")
        await pilot.click("#meet-list", offset=(5, 1))
        await settle(pilot)
        table = pilot.app.screen
        assert isinstance(table, Table)
        assert table.kinds == ("human", "random")

    run(tale, opening=lambda app: app.open_replay(worked_example("tower")))


@pytest.mark.parametrize(("line", "kind"), first_row_now([("level 4", "level:4"), ("the Hoarder", "hoarder")]))
def test_the_opponent_can_be_typed(line: str, kind: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "t", "enter")
        await say(pilot, "nobody")
        assert "'nobody' means nothing here." in text(pilot.app)
        await say(pilot, "quit")
        assert isinstance(pilot.app.screen, Replay)
        await press(pilot, "t", "enter")
        await say(pilot, line)
        table = pilot.app.screen
        assert isinstance(table, Table)
        assert table.kinds == ("human", kind)

    run(
        tale, opening=lambda app: app.open_replay(worked_example("tower")), held=1e6
    )  # no machine is slow enough to part the letters


@pytest.mark.slow
def test_nothing_can_be_tried_when_the_game_is_over() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "end", "t")
        assert "The game is over here." in notices(pilot)
        for key in ("h", "i"):  # as at the table, where H can be a move
            pilot.app.clear_notifications()
            await press(pilot, key)
            assert "there is nothing left to choose" in notices(pilot)
        assert isinstance(pilot.app.screen, Replay)

    run(tale, opening=lambda app: app.open_replay(worked_example("tower")))


@pytest.mark.slow
def test_a_hint_for_the_position_and_the_keys() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "m", "left", "h")
        await seen(pilot, "build 4: whatever they do, you win in at most")
        await press(pilot, "escape", "question_mark")
        assert "the next mark" in text(pilot.app)
        await press(pilot, "escape", "q")
        assert not isinstance(pilot.app.screen, Replay)

    run(tale, opening=lambda app: app.open_replay(worked_example("tower")))


@pytest.mark.slow
def test_a_duel_that_cannot_be_solved_is_stepped_through_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(record: Record) -> Review:
        raise DuelError("This duel is too large to be solved.")

    monkeypatch.setattr(looking, "review", refuse)

    async def tale(pilot: Pilot[int]) -> None:
        excuse = replay_of(pilot).query_one(ValueGraph).render()
        assert str(excuse) == "There is no review of this game. This duel is too large to be solved."
        await press(pilot, "right", "right")
        assert "4 4 1" in position(pilot)
        await press(pilot, "m")
        assert "There are no marks without a review." in notices(pilot)
        await pilot.click(ValueGraph, offset=(20, 3))
        assert replay_of(pilot).at == 2

    run(tale, opening=lambda app: app.open_replay(worked_example("tower")))


@pytest.mark.slow
def test_the_window_can_change_at_any_moment() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "m")
        for size in ((120, 40), (60, 18), (30, 8), (200, 60), (100, 24), (80, 24)):
            await resize(pilot, *size)
            assert len(rows(pilot.app)) == size[1]
            await press(pilot, "right", "left")
            assert replay_of(pilot).turn == 7
        assert "▲7" in text(pilot.app)
        assert "better: build 4" in text(pilot.app)

    run(tale, opening=lambda app: app.open_replay(worked_example("tower")))


@pytest.mark.slow
def test_a_long_game_steps_without_lag() -> None:
    record = played("secret", "random", "random", seed=4)
    assert record.match.turns > 40

    async def tale(pilot: Pilot[int]) -> None:
        replay = replay_of(pilot)
        work = [calls(lambda: replay.action_step(1)) for _ in range(record.match.turns)]
        assert max(work) < 10_000  # 1,700 are usual
        await settle(pilot)
        assert "▶" in "".join(row[40:44] for row in rows(pilot.app))

    run(tale, opening=lambda app: app.open_replay(record))


@pytest.mark.parametrize("turns", first_now([9, 0, 1, 70, 300]))
def test_what_cut_a_game_short_has_a_column_of_its_own_name(turns: int) -> None:
    graph = ValueGraph(names=("Ann", "Bob"))

    async def tale(pilot: Pilot[int]) -> None:
        await pilot.app.screen.mount(graph)
        await settle(pilot)
        for ended in (True, False):
            graph.show([0.0] * (turns + 2), {}, ended=ended)
            plan = graph._plan()
            assert plan is not None
            numbers = graph._numbers(plan).plain
            assert numbers.rstrip().endswith("end") == ended
            assert len(numbers.rstrip()) <= graph.content_size.width
            assert not ended or str(turns + 1) not in numbers.split()

    run(tale)


@pytest.mark.slow
def test_a_game_longer_than_the_window_shares_columns() -> None:
    graph = ValueGraph([0.0] * 201, {7: "blunder", 8: "mistake", 150: "inaccuracy"}, ("Ann", "Bob"))

    async def tale(pilot: Pilot[int]) -> None:
        await pilot.app.screen.mount(graph)
        await settle(pilot)
        plan = graph._plan()
        assert plan is not None
        assert plan.each == 3
        assert plan.edges[-1] <= graph.content_size.width - 6
        graph.cursor = 200
        await settle(pilot)
        assert "▲200" in text(pilot.app)
        assert "?? blunder" in text(pilot.app)

    run(tale)


@pytest.mark.slow
def test_every_key_can_be_clicked_and_the_screen_saved(home: Path) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        foot = rows(pilot.app)[-1].replace("\u00a0", " ")
        for words, check in (("→ On", 1), ("M Mark", 7), ("← Back", 6)):
            await pilot.click(offset=(foot.index(words), 23))
            await settle(pilot)
            assert replay_of(pilot).at == check
        await pilot.click(offset=(foot.index("S .svg"), 23))
        await settle(pilot)
        await press(pilot, "enter")
        assert "Saved as" in notices(pilot)
        assert "Q Leave" in foot

    run(tale, opening=lambda app: app.open_replay(worked_example("tower")))
    assert (home / "tower.svg").read_text(encoding="utf-8").startswith("<svg")


def test_the_slip_that_ended_the_game_is_explained_too() -> None:
    match = Match(load("tower"))
    for seat, move in ((0, 2), (1, 0), (0, 2), (1, 0), (0, 2), (1, 0), (0, 2)):
        match.play(seat, move)

    async def tale(pilot: Pilot[int]) -> None:
        await wait_until(pilot, lambda: replay_of(pilot).review is not None)
        await press(pilot, "end", "h")
        assert isinstance(pilot.app.screen, Page)
        assert "At 16 your tower is past 15, and only exactly 15 wins." in text(pilot.app)

    run(tale, opening=lambda app: app.open_replay(Record(match, ("human", "human"), "2025.03.01")))


def test_ones_own_game_is_told_to_whoever_played_it() -> None:
    """It ended with `Player 2 wins!` for somebody who had played a program, and nothing said which seat was theirs."""
    (record,) = reads(
        '[Game "tower"]\n[Seat1 "human"]\n[Seat2 "level:1"]\n[Position "11 3 1"]\n[Result "1-0"]\n\n1. build 4 1-0\n'
    )

    async def tale(pilot: Pilot[int]) -> None:
        assert pilot.app.screen.query_one(Board).tags == ("you", "level 1 novice")
        await press(pilot, "end")
        assert "You won!" in text(pilot.app)
        assert "Player 1 wins!" not in text(pilot.app)
        await seen(pilot, "Perfect play: Player 1 100 %")

    run(tale, opening=lambda app: app.open_replay(record, yours=True))


@pytest.mark.slow
def test_what_was_said_of_another_position_goes_with_it() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "end", "m")
        assert told(pilot, "There is no mark after this.")
        await press(pilot, "left")
        assert not told(pilot, "There is no mark after this.")

    run(tale, opening=lambda app: app.open_replay(worked_example("tower")))

"""After the game: the verdict, the moments that mattered, luck and skill, rematches, and what can be saved."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Button, Input, Static

from duelbook.coach.report import worst
from duelbook.coach.review import Review, review
from duelbook.core import FIRST, DuelError, variant
from duelbook.games import example, load
from duelbook.match import Match
from duelbook.players.perfect import PerfectPlayer
from duelbook.record import Record, reads, writes
from duelbook.tui import recorded as looking
from duelbook.tui.aftermath import Aftermath, Moment, Sums, _verdict, rematch
from duelbook.tui.app import DuelbookApp
from duelbook.tui.replay import Replay
from duelbook.tui.table import Table
from duelbook.tui.value import ValueGraph
from slow_helper import first_now, slow
from tui_helper import LARGE, SMALL, at_home, match_of, press, resize, run, say, seen, settle, text


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    at_home(monkeypatch, tmp_path)
    return tmp_path


def worked_example(game: str) -> Record:
    (record,) = reads(example(load(game)).read_text(encoding="utf-8"))
    return record


def after(record: Record) -> object:
    """An opening that shows the page of a game that has just ended."""

    def opening(app: DuelbookApp) -> None:
        app.push_screen(Aftermath(record, None))

    return opening


def look(tale: object, record: Record, size: tuple[int, int] = SMALL) -> None:
    run(tale, opening=after(record), size=size)  # type: ignore[arg-type]  # tales and openings are as run wants them


def notices(pilot: Pilot[int]) -> str:
    return " ".join(notice.message for notice in pilot.app._notifications)


@pytest.mark.parametrize("size", [SMALL, slow(LARGE)], ids=["small", "large"])
def test_who_won_and_what_mattered(size: tuple[int, int]) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        shown = text(pilot.app)
        assert "Tower Defense Duel, 11 turns" in shown
        assert "Player 1 wins!" in shown
        assert "Player 1's tower is now exactly 15 units tall." in shown
        last, before = pilot.app.screen.query(Moment)  # both lost all: the one that decided the game comes first
        assert (last.decision.turn, last.decision.seat) == (8, 1)
        assert "lost 100 %, better: build 4" in str(last.render())
        assert (before.decision.turn, before.decision.better) == (7, ("build 4",))
        assert "Player 1's decisions -100.00" in shown
        assert "Player 1 gave away 16.67 % a decision" in shown
        assert "↑ Player 1 is ahead" in shown
        for words in ("Rematch", "Again", "Review", "Picture", "Record", "Leave"):
            assert words in shown

    look(tale, worked_example("tower"), size)


def test_luck_is_told_from_skill() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        for words in ("at the start 62.18 %", "luck of the cards +19.34", "Player 2's decisions +18.48", "100.00 %"):
            assert words in text(pilot.app)
        assert [moment.decision.turn for moment in pilot.app.screen.query(Moment)] == [6, 2, 4]

    look(tale, worked_example("deck"))


def test_decisions_with_nothing_left_to_lose_are_counted_as_such() -> None:
    """One slip that threw all away, and two moves after it: the average over three says less than it seems to."""
    game = load("tower")
    match = Match(game, start=game.read_position(game.book, "5 8 1"), names=("Ann", "Bo"))
    match.play(0, 3)  # attack, which loses
    player = PerfectPlayer(1)
    while match.outcome is None:
        match.play(match.next_seat(), player.choose(match.view(match.next_seat())))
    made = sum(step.turn == FIRST for step in match.steps)

    async def tale(pilot: Pilot[int]) -> None:
        shown = text(pilot.app)
        assert f"Ann gave away {100 / made:.2f} % a decision in {made} decisions ({made - 1} when it was lost" in shown
        assert "Bo gave away 0.00 % a decision" in shown

    look(tale, Record(match), LARGE)


def test_the_guess_has_its_place_and_three_moments_are_enough() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert "the guess +225.00" in text(pilot.app)
        assert "No result." in text(pilot.app)
        assert len(pilot.app.screen.query(Moment)) == 3

    look(tale, worked_example("secret"))


def test_a_game_without_a_slip_is_praised() -> None:
    match = Match(load("tower"), start=load("tower").read_position(load("tower").book, "11 10 1"))
    match.play(0, 2)

    async def tale(pilot: Pilot[int]) -> None:
        assert "Nobody gave anything away" in text(pilot.app)
        assert not pilot.app.screen.query(Moment)

    look(tale, Record(match))


def perfectly_played(position: str) -> Match:
    game = load("tower")
    match, player = Match(game, start=game.read_position(game.book, position), names=("Ann", "Bo")), PerfectPlayer(1)
    while match.outcome is None:
        match.play(match.next_seat(), player.choose(match.view(match.next_seat())))
    return match


@pytest.mark.slow
def test_who_had_lost_already_is_not_praised() -> None:
    """Against perfect play nothing could help: that is not the same as giving nothing away."""

    async def tale(pilot: Pilot[int]) -> None:
        shown = text(pilot.app)
        assert "Nobody gave anything away" not in shown
        said = str(pilot.app.screen.query("#after-moments Static").last(Static).render())
        assert said.startswith(
            "Ann's decisions gave nothing away. Bo had nothing to give away: against perfect play this was lost"
        )
        assert "Bo had lost to perfect play before the first decision" in shown
        assert "Ann gave away 0.00 % a decision" in shown

    look(tale, Record(perfectly_played("5 8 1")), LARGE)


def test_a_duel_that_cannot_be_solved_still_has_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(record: Record) -> Review:
        raise DuelError("Other rules than the book's need Numba.")

    monkeypatch.setattr(looking, "review", refuse)

    async def tale(pilot: Pilot[int]) -> None:
        assert "Player 1 wins!" in text(pilot.app)
        assert "There is no review of this game. Other rules than the book's need Numba." in text(pilot.app)
        await press(pilot, "1")
        assert isinstance(pilot.app.screen, Aftermath)

    look(tale, worked_example("tower"))


@pytest.mark.slow
@pytest.mark.parametrize("key", first_now(["1", "click", "enter"]))
def test_a_moment_leads_to_its_place_in_the_game(key: str) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        if key == "click":
            await pilot.click(Moment)
            await settle(pilot)
        elif key == "enter":
            pilot.app.screen.query(Moment).first().focus()
            await press(pilot, "enter")
        else:
            await press(pilot, key)
        replay = pilot.app.screen
        assert isinstance(replay, Replay)
        assert replay.turn == 8  # of slips that cost the same the last one decided the game
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, Aftermath)

    look(tale, worked_example("tower"))


@pytest.mark.slow
def test_the_curve_and_the_review_lead_to_the_game() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await pilot.click(ValueGraph, offset=(78, 3))
        await settle(pilot)
        replay = pilot.app.screen
        assert isinstance(replay, Replay)
        assert replay.turn == 11
        await press(pilot, "q", "v")
        assert isinstance(pilot.app.screen, Replay)
        assert pilot.app.screen.at == 0

    look(tale, worked_example("tower"))


@pytest.mark.slow
def test_everything_is_there_for_the_mouse_and_for_the_arrows() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        assert "with seats swapped" in text(pilot.app)
        await press(pilot, "right", "right")
        assert "Turn by turn, and try other moves." in text(pilot.app)
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, Replay)
        await press(pilot, "q")
        leave = pilot.app.screen.query(Button).last()
        await pilot.click(leave)
        await settle(pilot)
        assert not isinstance(pilot.app.screen, Aftermath)

    look(tale, worked_example("tower"))


# Rematches


def test_a_rematch_swaps_seats_and_people_keep_their_names() -> None:
    match = Match(load("tower"), names=("Ann", "Player 2"))
    wish = rematch(Record(match, ("human", "perfect")), swapped=True)
    assert (wish.kinds, wish.names) == (("perfect", "human"), (None, "Ann"))
    assert (wish.first, wish.position, wish.rules) == ("1", None, ())
    again = rematch(Record(match, ("human", "perfect")), swapped=False)
    assert (again.kinds, again.names) == (("human", "perfect"), ("Ann", None))


def test_a_rematch_keeps_rules_the_first_seat_and_the_bell() -> None:
    game = load("energy")
    rules = variant(game, ["both_empty=defender"])
    match = Match(game, rules, first=1, max_turns=50, names=("Ann", "Bob"))
    wish = rematch(Record(match), swapped=True)
    assert (wish.first, wish.rules, wish.max_turns) == ("2", ("both_empty=defender",), 50)
    assert wish.names == ("Bob", "Ann")


def test_a_rematch_starts_from_the_same_position() -> None:
    game = load("tower")
    match = Match(game, start=game.read_position(game.book, "5 8 2"))
    wish = rematch(Record(match), swapped=True)
    assert (wish.first, wish.position) == (None, "5 8 2")


def test_a_duel_of_secret_picks_has_no_first_seat() -> None:
    assert rematch(worked_example("secret"), swapped=True).first is None


def test_who_had_lost_to_perfect_play_is_told_in_whole_sentences_what_went_against_this_opponent() -> None:
    match = Match(load("energy"))
    for seat in (0, 1, 0, 1):
        match.play(seat, 0)
    assert match.outcome is not None

    async def tale(pilot: Pilot[int]) -> None:
        shown = str(pilot.app.screen.query_one(Sums).render())
        lost, here = shown.splitlines()[-3:-1]
        assert lost == "You had lost to perfect play before the first decision"
        assert re.fullmatch(r"Against level 3 you gave away \d+\.\d\d % a decision", here)
        assert "Against level 3 you had 95 % at the start" in shown

    look(tale, Record(match, seats=("human", "level:3")), (140, 40))


@pytest.mark.slow
def test_in_a_small_window_names_are_whole_and_the_second_number_is_seen_without_scrolling() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "2", "1")
        await press(pilot, "x", "y", "enter")
        await seen(pilot, "You had lost to perfect play")
        await seen(pilot, "at the least, after")
        assert "…" not in text(pilot.app)

    run(tale, opening=match_of("energy", "human", "level:4", seed=4))  # with this seed it gives nothing back


@pytest.mark.slow
def test_a_whole_game_its_rematch_and_back_to_where_it_began() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        deep = len(pilot.app.screen_stack)
        await say(pilot, "4")  # builds the last four of fifteen
        await seen(pilot, "Look back")
        await press(pilot, "enter")
        await seen(pilot, "What mattered")
        assert isinstance(pilot.app.screen, Aftermath)
        await press(pilot, "n")
        await seen(pilot, "perfect")
        table = pilot.app.screen
        assert isinstance(table, Table)
        assert table.kinds == ("perfect", "human")
        assert len(pilot.app.screen_stack) == deep
        await press(pilot, "escape")
        assert len(pilot.app.screen_stack) == deep - 1

    run(tale, opening=match_of("tower", "human", "perfect", position="11 3 1"))


@pytest.mark.slow
@pytest.mark.parametrize("key", first_now(["n", "g"]))
@pytest.mark.parametrize("coach", first_now([True, False]))
def test_the_coach_stays_as_he_was_in_a_rematch_and_again(key: str, coach: bool) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "x", "y", "enter")
        assert isinstance(pilot.app.screen, Aftermath)
        await press(pilot, key)
        table = pilot.app.screen
        assert isinstance(table, Table)
        assert table.host.coaching is coach

    run(tale, opening=match_of("tower", "human", "random", coach=coach))


@pytest.mark.parametrize(
    ("kinds", "result", "words"),
    [
        (("human", "level:2"), 0, "★  You won!  ★"),
        (("level:2", "human"), 0, "You lost."),
        (("human", "human"), 0, "★  Player 1 wins!  ★"),
        (("random", "level:2"), 0, "★  Player 1 wins!  ★"),
        (("human", "level:2"), None, "No result."),
    ],
)
def test_a_person_who_played_a_program_is_told_whether_they_won(
    kinds: tuple[str, str], result: int | None, words: str
) -> None:
    match = Match(load("tower"))
    match.adjudicate(result, "So it was.", "bell")
    assert str(_verdict(Record(match, kinds))) == f"{words}\nSo it was."


# Files


@pytest.mark.slow
def test_the_game_is_saved_as_a_record(home: Path) -> None:
    record = worked_example("tower")

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "d")
        assert pilot.app.screen.query_one(Input).value == "tower.duel"
        await press(pilot, "enter")
        assert f"Saved as {home / 'tower.duel'}" in notices(pilot)
        await press(pilot, "d")
        assert pilot.app.screen.query_one(Input).value == "tower-2.duel"  # nothing is written over
        await press(pilot, *"mine")
        assert pilot.app.screen.query_one(Input).value == "mine"  # and not tower-2.duelmine
        await press(pilot, "escape")

    look(tale, record)
    assert (home / "tower.duel").read_text(encoding="utf-8") == writes(record)
    assert not (home / "tower-2.duel").exists()


@pytest.mark.slow
def test_the_page_is_saved_as_a_picture_without_the_question(home: Path) -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "p", "enter")
        assert "Saved as" in notices(pilot)

    look(tale, worked_example("tower")._replace(date="2025.03.01"))
    drawing = (home / "tower-2025-03-01.svg").read_text(encoding="utf-8")
    assert drawing.startswith("<svg")
    assert "mattered" in drawing
    assert "Save&#160;this" not in drawing


@pytest.mark.slow
def test_a_file_that_is_there_is_not_written_over(home: Path) -> None:
    (home / "mine.duel").write_text("mine", encoding="utf-8")

    async def tale(pilot: Pilot[int]) -> None:
        await press(pilot, "d")
        pilot.app.screen.query_one(Input).value = "mine"
        await press(pilot, "enter")
        assert "mine.duel exists already; choose another name." in notices(pilot)
        typed = pilot.app.screen.query_one(Input)  # asked again, with what was typed
        assert typed.value == "mine"
        typed.value = "yours"
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, Aftermath)

    look(tale, worked_example("tower"))
    assert (home / "mine.duel").read_text(encoding="utf-8") == "mine"
    assert reads((home / "yours.duel").read_text(encoding="utf-8"))


@pytest.mark.slow
def test_the_window_can_change_at_any_moment() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        for size in ((120, 40), (60, 18), (30, 8), (200, 60), (80, 24)):
            await resize(pilot, *size)
            await press(pilot, "pagedown", "pageup")
        assert "luck of the cards +19.34" in text(pilot.app)

    look(tale, worked_example("deck"))


def test_a_review_that_has_to_solve_first_says_how_that_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    said = []

    def refuse(record: Record) -> Review:
        said.append(graph[0].excuse)
        raise DuelError("It was enough to be asked.")

    def standing() -> str:
        return "Solving (2 of 4), about 9 s more"

    graph: list[ValueGraph] = []
    first_look = looking.LookingBack._say_how_it_stands

    def look_first(screen: looking.LookingBack) -> None:
        first_look(screen)
        graph.append(screen.query_one(ValueGraph))

    monkeypatch.setattr(looking, "review", refuse)
    monkeypatch.setattr(looking, "standing", standing)
    monkeypatch.setattr(looking.LookingBack, "_say_how_it_stands", look_first)

    async def tale(pilot: Pilot[int]) -> None:
        assert said == [f"{looking.AT_WORK} Solving (2 of 4), about 9 s more"]
        assert "There is no review of this game." in graph[0].excuse

    look(tale, worked_example("tower"))


@pytest.mark.slow
def test_a_person_who_played_a_program_reads_of_their_own_wins() -> None:
    async def yours(pilot: Pilot[int]) -> None:
        assert "(your wins)" in text(pilot.app)

    async def of_both(pilot: Pilot[int]) -> None:
        assert "(wins of Ann)" in text(pilot.app)

    async def from_the_second_seat(pilot: Pilot[int]) -> None:
        assert "(your wins)" in text(pilot.app)
        assert re.search(r"at the start\W+0.00 % .*the result\W+0.00 %", text(pilot.app))

    look(yours, Record(perfectly_played("5 8 1"), ("human", "perfect")), LARGE)
    look(from_the_second_seat, Record(perfectly_played("5 8 1"), ("perfect", "human")), LARGE)
    look(of_both, Record(perfectly_played("5 8 1")), LARGE)


@pytest.mark.parametrize("width", [24, 30, 38, 60])
def test_what_a_decision_cost_and_what_was_better_hang_under_it(width: int) -> None:
    found = review(worked_example("conquer"))
    for decision in worst(found.decisions)[:3]:
        moment = Moment(1, decision, found)
        moment.cost = "lost 50 % (97 % against level 1)"
        lines = moment._about(width).plain.split("\n")
        assert all(line.startswith("    ") and len(line) <= width for line in lines), lines
        assert " ".join(" ".join(lines).split()) == f"{moment.cost}, better: {moment.better}"
        assert any("better: " in line for line in lines), "a better move stands beside the word, if there is room"


def lost_to(level: str) -> Record:
    """A person defends where only an attack wins, and loses; at 80 columns its cost does not fit into one line."""
    match = Match(load("energy"))
    for move in (0, *[1] * 11):
        match.play(match.turn, move)
    match.resign(1)
    return Record(match, (level, "human"))


def test_a_small_window_says_that_there_is_more_until_it_was_read() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await seen(pilot, "PgDn More")
        await press(pilot, "pagedown", "pagedown")
        await settle(pilot)
        assert "PgDn More" not in text(pilot.app)

    look(tale, lost_to("level:3"))


def test_a_person_s_own_moment_is_told_to_them_and_broken_where_it_may_be() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await seen(pilot, "Turn 2, you: defend ??")
        moment = pilot.app.screen.query(Moment).first()
        assert [line.strip() for line in str(moment.render()).split("\n")][1:] == [
            "lost 100 %",
            "(66 % against level 3),",
            "better: attack",
        ]

    look(tale, lost_to("level:3"))

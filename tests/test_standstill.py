"""A game that stands still can be ended without a result: nobody sits through 200 turns unknowingly."""

from __future__ import annotations

import io
from contextlib import suppress
from pathlib import Path

import pytest
from textual.pilot import Pilot

from duelbook import DuelError, Match, load
from duelbook.core import LUCK
from duelbook.line.console import Console, EndOfInput
from duelbook.line.session import Session
from duelbook.match import TIMES, Step
from duelbook.players import seat_player
from duelbook.record import Record, reads, writes
from duelbook.table.host import Host, What
from duelbook.table.keeper import Keeper
from duelbook.table.standstill import Standstill, foretold, too_early
from duelbook.tui.table import Table
from tui_helper import at_home, match_of, press, run, say, seen, told, wait_until

DEFENDED = ["defend"] * 6
"""After two of them both defend; four more bring that position up a second and a third time."""


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    at_home(monkeypatch, tmp_path)


def standing_still() -> Match:
    match = Match(load("conquer"), names=("Ann", "Bo"))
    for _ in DEFENDED:
        match.play(match.turn, 1)
    return match


def test_the_bell_is_rung_early_only_where_the_same_position_has_come_up_three_times() -> None:
    match = Match(load("conquer"))
    for _ in DEFENDED:
        assert not match.stands_still
        with pytest.raises(DuelError, match=f"come up {TIMES} times"):
            match.ring()
        match.play(match.turn, 1)
    assert match.stands_still
    match.ring()
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.kind, match.outcome.result) == (None, "bell", "*")
    assert (match.outcome.reason, match.verdict()) == ("The bell was rung early, after 6 turns.", "No result.")
    match.take_back()
    assert match.outcome is None
    assert match.turns == 6, "only the bell is taken back"


def test_luck_is_no_standstill() -> None:
    match = Match(load("deck"), seed=1)
    match.steps = [Step(LUCK, 1, match.state)] * 9
    assert not match.stands_still


def test_a_record_holds_it_and_none_can_claim_it_without_a_reason() -> None:
    match = standing_still()
    match.ring()
    text = writes(Record(match))
    (again,) = reads(text)
    assert again.match.outcome == match.outcome
    assert writes(again) == text
    shorter = text.replace("3. defend defend", "3. defend heal")
    with pytest.raises(DuelError, match="The moves do not end the game"):
        reads(shorter)


def hosted(*kinds: str) -> Host:
    match = Match(load("secret"))
    players = [None if kind == "human" else seat_player(kind, 1) for kind in kinds]
    return Host(Keeper(Record(match, (kinds[0], kinds[1])), None, None), players)


def offers(*kinds: str) -> int:
    """How often it is offered in nine rounds in which both pick 10, 9, 10, 9."""
    host, heard = hosted(*kinds), 0
    for turn in range(9):
        for seat in (0, 1):
            due = next(each for each in host.due() if each.seat == seat)
            pick = host.question(due)() if due.what is What.THINK else (9, 8)[turn % 2]
            heard += sum(isinstance(each, Standstill) for each in host.answer(due, pick))
    return heard


def test_people_are_told_once_and_programs_are_not() -> None:
    assert offers("human", "perfect") == 1
    assert offers("human", "human") == 1
    assert offers("perfect", "perfect") == 0


def talked(*lines: str) -> tuple[Match, str]:
    match, sink = Match(load("conquer"), names=("Ann", "Bo")), io.StringIO()
    host = Host(Keeper(Record(match), None, None), (None, None))
    session = Session(host, Console(source=io.StringIO("".join(f"{line}\n" for line in lines)), sink=sink))
    with suppress(EndOfInput):
        session.run()
    return match, " ".join(sink.getvalue().split())


OFFER = (
    "This position has come up 3 times. If nobody plays anything else, the bell rings after 200 turns, "
    "without a result. Type stop to have it ring now, if you both agree."
)


def test_line_by_line_both_must_agree() -> None:
    match, said = talked(*DEFENDED, "defend", "stop", "yes", "no", "defend", "stop", "yes", "yes")
    assert said.count(OFFER) == 1
    assert said.index("Not agreed: the game goes on.") < said.index(
        "The bell was rung early, after 8 turns. No result."
    )
    assert match.outcome is not None


def test_before_that_stop_says_when_it_works() -> None:
    """It was "not a move here", which is true and helps nobody who has read of it."""
    match, said = talked("stop")
    assert match.outcome is None
    assert "Stop works once the same position has come up 3 times" in said
    assert "is not a move" not in said


def test_a_duel_with_luck_never_goes_round() -> None:
    assert "luck lets none do so" in too_early(Match(load("deck")))


def test_before_that_the_full_screen_says_it_too() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        await say(pilot, "stop")
        await seen(pilot, "Stop works once the same position has come up 3 times")
        await say(pilot, "pause")
        await seen(pilot, "That is for games of two programs that one watches.")

    run(tale, opening=match_of("conquer"))


@pytest.mark.slow
def test_on_the_full_screen_it_is_offered_and_typed() -> None:
    async def tale(pilot: Pilot[int]) -> None:
        table = pilot.app.screen
        assert isinstance(table, Table)
        await say(pilot, *DEFENDED)
        await seen(pilot, "Do both of you agree to stop?")
        await press(pilot, "p")
        assert table.match.outcome is None
        await say(pilot, "stop")
        await seen(pilot, "Do both of you agree to stop?")
        await press(pilot, "s")
        await wait_until(pilot, lambda: table.match.outcome is not None)
        await seen(pilot, "The bell was rung early, after 6 turns.")
        assert not told(pilot, "wins")

    run(tale, opening=match_of("conquer"))


def out_of_step(first: int = 9, second: int = 8) -> tuple[Match, list[Standstill]]:
    """Both pick 10 and 9 by turns, one of them a turn later."""
    host, heard = hosted("human", "human"), list[Standstill]()
    for turn in range(12):
        for pick in (first, second)[:: 1 if turn % 2 == 0 else -1]:
            heard += [each for each in host.answer(host.due()[0], pick) if isinstance(each, Standstill)]
    return host.match, heard


def test_moves_that_come_round_are_foretold_to_their_end() -> None:
    match, heard = out_of_step()
    (said,) = heard
    assert not said.may_stop
    while match.outcome is None:  # as it was foretold
        picks = (9, 8) if match.turns % 2 == 0 else (8, 9)
        for seat in (0, 1):
            match.play(seat, picks[seat])
    assert match.outcome.winner is not None
    winner = match.names[match.outcome.winner]
    assert f"If that goes on, it is over after turn {match.turns}: {winner} wins." in said.why
    assert match.turns == 199


def test_whoever_plays_a_program_alone_is_told_that_they_win_or_lose() -> None:
    match, _ = out_of_step()
    for picks in ((9, 8), (8, 9)):  # far enough on the way that somebody is ahead
        for seat in (0, 1):
            match.play(seat, picks[seat])
    said = {people: foretold(match, people) for people in ((0,), (1,), (0, 1))}
    ends = {people: each.why.rsplit(": ")[-1] for people, each in said.items() if each is not None}
    assert {ends[0,], ends[1,]} == {"you win.", "you lose."}
    assert ends[0, 1].endswith(" wins.")


def test_a_short_way_to_the_end_needs_no_word() -> None:
    match = Match(load("tower"))
    for _ in range(6):
        match.play(match.turn, 0)
    assert foretold(match, (0, 1)) is None

"""What is noted of games while they are played: enough to go on after any death, and to know whose it was."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena_helper import Program, fake_players
from duelbook.arena.play import seats, traces
from duelbook.arena.play.ledger import forgiven, read
from duelbook.arena.play.pairs import Games, play_pair
from duelbook.arena.play.results import KILLED, Entrant, Fault, Played
from duelbook.arena.play.schedule import Plan, Schedule, duel
from duelbook.core import DuelError
from duelbook.engine.limits import Limits
from duelbook.games import ROOMS
from duelbook.match import View
from duelbook.saves import SaveError

ENTRANTS = (Entrant("bot", "program"), Entrant("other", "random"))


class Death(BaseException):
    """In place of a signal: nothing that referees a game catches it."""


class Deadly(Program):
    """A program at whose n-th question the referee dies. `asked` counts over all of them."""

    asked = 0
    dies_at = 0

    def choose(self, view: View) -> int:
        Deadly.asked += 1
        if Deadly.asked == Deadly.dies_at:
            raise Death
        return super().choose(view)


@pytest.fixture(autouse=True)
def _players(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def players(kind: str, seed: int, *_: object) -> Any:
        return Deadly(7) if kind == "program" else fake_players(kind, seed)

    monkeypatch.setattr(seats, "seat_player", players)
    Deadly.asked = Deadly.dies_at = 0
    yield
    seats.close_all()


def pair_of(game: str, entrants: tuple[Entrant, ...] = ENTRANTS) -> Games:
    return tuple(Schedule(Plan(entrants, (duel(game),), seed=3)))


def plays(played: list[Played]) -> list[tuple[int, tuple[Any, ...], Fault | None]]:
    return [each[:3] for each in played]


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("game", ROOMS)
def test_after_a_death_at_any_question_the_pair_goes_on_and_ends_as_it_would_have(
    game: str, alone: bool, tmp_path: Path
) -> None:
    games = pair_of(game)
    whole = play_pair(games, ENTRANTS, "run", tmp_path)
    questions = Deadly.asked
    for dies_at in sorted({1, 2, questions // 2, questions // 2 + 1, questions}):
        Deadly.asked, Deadly.dies_at = 0, dies_at
        with pytest.raises(Death):
            play_pair(games, ENTRANTS, "run", tmp_path, alone=alone)
        left = traces.found(tmp_path)[0]
        assert play_pair(games, ENTRANTS, "run", tmp_path, left, alone=True)[0].plays == whole[0].plays
        assert plays(play_pair(games, ENTRANTS, "run", tmp_path, left)) == plays(whole)


def test_of_sealed_picks_nothing_is_noted_before_both_are_in(tmp_path: Path) -> None:
    games = pair_of("secret")
    Deadly.dies_at = 3  # in its first game it has the first seat, in its second game the second one
    with pytest.raises(Death):
        play_pair(games, ENTRANTS, "run", tmp_path)
    Deadly.asked, Deadly.dies_at = 0, 0
    whole = play_pair(games, ENTRANTS, "run", tmp_path)
    Deadly.asked, Deadly.dies_at = 0, len(whole[0].plays) + 3
    with pytest.raises(Death):
        play_pair(games, ENTRANTS, "run", tmp_path, alone=True)
    (_, second) = read(traces.found(tmp_path)[0])
    assert second.plays == list(whole[1].plays[:2])


def test_no_seed_is_in_a_trace(tmp_path: Path) -> None:
    games = pair_of("deck")
    Deadly.dies_at = 4
    with pytest.raises(Death):
        play_pair(games, ENTRANTS, "run", tmp_path)
    text = traces.found(tmp_path)[0]
    assert not any(str(seed) in text for task in games for seed in (task.seed, *task.own))


def test_clocks_go_on_where_they_stood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Clocked(Deadly):
        time_left = 60.0

        def prepare(self, view: View) -> None:
            self.time_left = 60.0

        def choose(self, view: View) -> int:
            self.time_left -= 1.5
            return super().choose(view)

    monkeypatch.setattr(seats, "seat_player", lambda *_: Clocked(7))
    entrants = tuple(Entrant(name, "program", Limits(clock=(60.0, 0.0))) for name in ("one", "two"))
    Deadly.dies_at = 8
    with pytest.raises(Death):
        play_pair(pair_of("conquer", entrants), entrants, "run", tmp_path)
    left = traces.found(tmp_path)[0]
    assert read(left)[0].clocks == {0: 60 - 4 * 1.5, 1: 60 - 3 * 1.5}
    Deadly.asked, Deadly.dies_at = 0, 2
    seats.close_all()
    with pytest.raises(Death):
        play_pair(pair_of("conquer", entrants), entrants, "run", tmp_path, left)
    assert read(traces.found(tmp_path)[0])[0].clocks == {0: 60 - 4 * 1.5, 1: 60 - 4 * 1.5}


# Whose fault it was


def verdict(text: str) -> str:
    return read(text)[-1].verdict()


def test_twice_with_one_program_asked_is_its_fault() -> None:
    once = "+\ngame 4\n2\n+\n?0\n"
    assert verdict(once) == ""
    said = f"{once}+\n?0\n"
    assert verdict(said).startswith('fault [0, "killed", ')
    (game,) = read(said + verdict(said))
    assert game.fault is not None
    assert (game.fault.seat, game.fault.kind, game.over) == (0, KILLED, True)


@pytest.mark.parametrize(
    "text",
    [
        "+\ngame 4\n+\n?0\n!0\n2\n+\n?0\n",  # once it was not asked any more
        "+\ngame 4\n+\n?0\n+\n?1\n",  # one of them each
        "+\ngame 4\n+\n?0\n=\n+\n?0\n",  # once it was stopped in peace
        "+\ngame 4\n+\n?0\n+\n?0\n!0\nend\ngame 5\n",  # in the game before
    ],
)
def test_anything_less_is_nobodys(text: str) -> None:
    assert verdict(text) == ""


def test_three_times_with_nobody_asked_is_given_up_and_who_tries_once_more_begins_to_count_anew() -> None:
    text = "+\ngame 4\n2\n+\n3\n"
    assert verdict(text) == ""
    text += "+\n"
    assert verdict(text) == "gone\n"
    assert read(text)[0].hopeless
    for said in (text, text + "gone\n"):
        assert forgiven(said) == "game 4\n2\n3\n"


def test_half_a_line_is_none_and_what_is_none_is_said(tmp_path: Path) -> None:
    (tmp_path / "3").write_bytes(b"+\ngame 6 5 8 1\n2\n7/5\n1" + bytes(9))
    (tmp_path / "note").write_text("mine")
    assert traces.found(tmp_path) == {3: "+\ngame 6 5 8 1\n2\n7/5\n"}
    (game,) = read(traces.found(tmp_path)[3])
    assert (game.number, game.opening, game.plays, game.deaths) == (6, "5 8 1", [2, (7, 5)], 1)
    traces.stopped_in_peace(tmp_path)
    assert (tmp_path / "3").read_text() == "+\ngame 6 5 8 1\n2\n7/5\n=\n"
    for line in ("x", "2", "game", "game x", "game 1\nend\n2", "game 1\n1/2/3", "game 1\nfault 3", "game 1\nclock 1"):
        with pytest.raises(DuelError, match="is no line of a trace"):
            read(f"{line}\n")


def test_a_trace_that_cannot_be_is_refused(tmp_path: Path) -> None:
    games = pair_of("tower")
    for text in ("game 0\n99\n", "game 0\n7/5\n"):
        with pytest.raises(DuelError, match="Game 0 cannot go on, because its trace is wrong"):
            play_pair(games, ENTRANTS, "run", tmp_path, text)


def test_a_long_game_finds_room_and_a_place_without_any_is_said(tmp_path: Path) -> None:
    trace = traces.Trace(tmp_path / "new", 1, "")
    trace.note("game 2")
    for _ in range(5000):
        trace.step(3)
    trace.note("end")
    trace.close()
    (game,) = read(traces.found(tmp_path / "new")[1])
    assert game.plays == [3] * 5000
    (tmp_path / "file").write_text("")
    with pytest.raises(SaveError, match=r"No game can be begun, because .* cannot be written"):
        traces.Trace(tmp_path / "file", 1, "")


def test_a_link_in_the_place_of_a_trace_is_not_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious")
    (tmp_path / "1").symlink_to(precious)
    with pytest.raises(SaveError):
        traces.Trace(tmp_path, 1, "")
    assert precious.read_text() == "precious"


@pytest.mark.parametrize(
    "line",
    [
        *(f"clock 0 {seconds}" for seconds in ("nan", "inf", "-inf", "1e400", "1e300", "-5", "one", "")),
        *("clock 2 1.0", "clock -1 1.0", "?5", "!7", "?", "?-1", "?\u00b2"),
        *("game 99999999999999999999999", "game -1", "game", "1/2/3", "\u00b2", "-1", "1_0", "9" * 5000),
        "fault " + "[" * 100_000,
    ],
    ids=lambda line: line[:20],
)
def test_a_line_that_nobody_wrote_is_refused_in_a_sentence(line: str) -> None:
    with pytest.raises(DuelError, match="is no line of a trace"):
        read(f"+\ngame 0\n{line}\n")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_in_place_of_a_trace_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "3")
    with pytest.raises(SaveError, match="it is a pipe or a device, not a file"):
        traces.found(tmp_path)

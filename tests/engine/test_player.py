"""A program in a seat: what it is told, what it is not, and that it plays as it would without the protocol between."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from duelbook import Match, load, variant
from duelbook.core import DuelError
from duelbook.engine.limits import Limits, usual_limits
from duelbook.engine.replies import Info, read_info
from duelbook.match import Player
from duelbook.players import check_kind, seat_player
from duelbook.players.engine import EnginePlayer
from engine_helper import BOTS, FREE, bad, first_view
from helpers import HANGING
from slow_helper import one_of_each_kind

OURS = f"{shlex.quote(sys.executable)} -m duelbook engine"
SOON = HANGING
"""Seconds for a move where time is not what a test is about."""


def scribe(notes: Path) -> EnginePlayer:
    return EnginePlayer(
        shlex.join([sys.executable, str(BOTS / "scribe.py"), str(notes)]), Limits(move_time=SOON, around=FREE)
    )


def test_the_whole_conversation_of_a_game(tmp_path: Path) -> None:
    game = load("tower")
    match = Match(game, variant(game, ["goal=5"]), max_turns=3)
    player = scribe(tmp_path / "notes")
    player.prepare(match.view(0))
    match.run((player, player))
    player.close()
    assert (tmp_path / "notes").read_text(encoding="utf-8") == (
        "> udi\n"
        "< id name Scribe\n"
        "< id author Duelbook\n"
        "< game *\n"
        "< udiok\n"
        "> newgame tower rules goal=5\n"
        "> isready\n"
        "< readyok\n"
        "> position at 0 0 1\n"
        "> go turn 1 movetime 300000 seat 1 legal build_1 build_2 build_4\n"
        "< bestmove build_1\n"
        "> position at 1 0 2\n"
        "> go turn 2 movetime 300000 seat 2 legal build_1 build_2 build_4\n"
        "< bestmove build_1\n"
        "> position at 1 1 1\n"
        "> go turn 3 movetime 300000 seat 1 legal build_1 build_2 build_4\n"
        "< bestmove build_1\n"
        "> quit\n"
    )


def test_nothing_tells_of_the_other_pick(tmp_path: Path) -> None:
    """Whatever the other has sealed, the program hears the same."""
    heard = []
    for pick in range(10):
        match, player = Match(load("secret")), scribe(tmp_path / str(pick))
        match.play(0, pick)
        match.play(1, player.choose(match.view(1)))
        player.close()
        heard.append((tmp_path / str(pick)).read_text(encoding="utf-8"))
    assert len(set(heard)) == 1


def test_nothing_tells_of_luck_to_come(tmp_path: Path) -> None:
    """Whatever the deck holds in store, the program hears the same until it comes."""
    heard = []
    for second in (1, 10):
        match, player = Match(load("deck"), stacked=[7, second]), scribe(tmp_path / str(second))
        match.deal()
        match.play(0, player.choose(match.view(0)))
        player.close()
        heard.append((tmp_path / str(second)).read_text(encoding="utf-8"))
    assert len(set(heard)) == 1
    assert "position at 20 20 1 1-6,8-10:7\n" in heard[0]


def test_a_clock_runs_down_and_is_wound_up_again(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    command = shlex.join([sys.executable, str(BOTS / "scribe.py"), str(notes)])
    player = EnginePlayer(command, Limits(clock=(60.0, 1.0), around=FREE))
    view = first_view()
    for number in range(2):
        player.choose(view._replace(number=number))
    player.prepare(view)
    player.choose(view._replace(seat=1))
    player.close()
    asked = [line.split() for line in notes.read_text(encoding="utf-8").splitlines() if line.startswith("> go")]
    assert asked[0][4:8] == ["time1", "60000", "inc1", "1000"]
    assert 60_000 <= int(asked[1][5]) <= 61_000
    assert asked[2][4:8] == ["time2", "60000", "inc2", "1000"]


@pytest.mark.parametrize("id", one_of_each_kind())
def test_our_players_play_the_same_game_through_the_protocol(id: str) -> None:
    def played(*players: Player) -> list[object]:
        match = Match(load(id), seed=3, max_turns=40)
        match.run(players)
        return [step.play for step in match.steps]

    direct = [seat_player(kind, 3) for kind in ("random", "level:3")]
    engines = [
        EnginePlayer(f"{OURS} --player {kind} --seed 3", usual_limits()._replace(move_time=SOON))
        for kind in ("random", "level:3")
    ]
    try:
        assert played(*engines) == played(*filter(None, direct))
    finally:
        for engine in engines:
            engine.close()


def test_info_is_kept_and_odd_spacing_is_forgiven() -> None:
    player = EnginePlayer(bad("info"), usual_limits()._replace(move_time=SOON))
    engine = None
    for _ in range(3):
        assert player.choose(first_view()) == 0
        engine = player.engine
    assert engine is not None
    assert read_info(engine.info.decode()) == Info(3, 0.25, "looks good")
    player.close()


def test_a_repeated_pick_is_a_foul_that_counts_not_a_fault() -> None:
    """The rules, not the referee's patience, decide what a repeated number means."""
    game = load("secret")
    match = Match(game, start=game.read_position(game.book, "98 96 1 7"))

    class Stubborn(EnginePlayer):
        """As a program that says 1 again."""

    player = Stubborn(bad("nothing"), usual_limits()._replace(move_time=SOON))
    view = match.view(0)
    player.prepare(view)
    engine = player.engine
    assert engine is not None
    assert player._unusual(engine, view, b"bestmove 1") == 0
    player.close()


@pytest.mark.parametrize(
    ("kind", "tidy"),
    [
        ("engine:./MyBot --Flag", "engine:./MyBot --Flag"),
        ("  ENGINE: ./MyBot  'two words'", "engine:./MyBot  'two words'"),
    ],
)
def test_the_command_is_kept_as_it_is(kind: str, tidy: str) -> None:
    assert check_kind(kind) == tidy
    player = seat_player(kind, 0)
    assert isinstance(player, EnginePlayer)
    assert player.command[0] == "./MyBot"


@pytest.mark.parametrize(("kind", "words"), [("engine:", "needs a command"), ("engine:./bot 'x", "is not closed")])
def test_a_command_that_is_none_is_refused(kind: str, words: str) -> None:
    with pytest.raises(DuelError, match=words):
        check_kind(kind)


def test_every_match_is_a_new_game_for_a_program_that_stays(tmp_path: Path) -> None:
    player = scribe(tmp_path / "notes")
    for _ in range(2):
        Match(load("tower"), max_turns=2).run((player, player))
    player.close()
    told = (tmp_path / "notes").read_text(encoding="utf-8").splitlines()
    assert told.count("> newgame tower") == 2
    assert len([line for line in told if line.startswith("> go ")]) == 4

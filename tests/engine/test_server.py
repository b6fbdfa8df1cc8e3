"""`duelbook engine` bears with whatever it hears."""

from __future__ import annotations

import io
import subprocess
import sys

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from duelbook import Match, load
from duelbook.cli.engine import command
from duelbook.core import DuelError
from duelbook.engine.protocol import move_words
from duelbook.engine.replies import EngineOption
from duelbook.engine.server import LONGEST_LINE, Server
from duelbook.match import Player, View
from duelbook.players import seat_player
from duelbook.players.random import RandomPlayer
from helpers import HANGING
from slow_helper import examples


def random_player(values: dict[str, str], number: int) -> Player:
    return RandomPlayer(int(values["Seed"]) + 100 * number)


def conversation(text: bytes) -> list[str]:
    said: list[str] = []
    options = [
        EngineOption("Seed", "spin", "0", 0, 99),
        EngineOption("Style", "combo", "calm", choices=("calm", "wild")),
    ]
    Server("Test", ["tower", "deck"], options, random_player, random_player, said.append).run(io.BytesIO(text))
    return said


def answers(*lines: str) -> list[str]:
    return conversation("".join(f"{line}\n" for line in lines).encode())


def test_a_handshake() -> None:
    assert answers("udi", "isready", "quit", "isready") == [
        "id name Test",
        "id author Duelbook",
        "game tower",
        "game deck",
        "option name Seed type spin default 0 min 0 max 99",
        "option name Style type combo default calm var calm var wild",
        "udiok",
        "readyok",
    ]


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["xyzzy"], "info string 'xyzzy' means nothing here."),
        (["position start"], "info string newgame comes before position."),
        (["go seat 1"], "info string newgame comes before go."),
        (["newgame chess"], "info string There is no duel called 'chess'."),
        (["newgame tower", "go seat 2"], "info string Seat 2 has nothing to decide at this position."),
        (["newgame deck", "go seat 1"], "info string Seat 1 has nothing to decide at this position."),
        (["newgame tower", "position at 15 0 2", "go seat 2"], "info string Seat 2 has nothing to decide"),
        (["setoption name Seed value 100"], "info string Seed is a number from 0 to 99, not '100'."),
        (["setoption name Seed value x"], "info string Seed is a number from 0 to 99, not 'x'."),
        (["setoption name Style value odd"], "info string Style is one of calm or wild, not 'odd'."),
        (["setoption name Hash value 1"], "info string There is no option called 'Hash'."),
        (["_hear_go", "run"], "info string '_hear_go' means nothing here."),
    ],
)
def test_what_makes_no_sense_is_answered_with_a_sentence(lines: list[str], answer: str) -> None:
    *_, ready = answers(*lines, "isready")
    assert ready == "readyok"
    assert any(line.startswith(answer) for line in answers(*lines))


def test_stop_empty_lines_and_carriage_returns_are_borne() -> None:
    assert answers("stop", "", "   ", "isready\r") == ["readyok"]


def test_a_line_without_an_end_is_still_a_line() -> None:
    assert conversation(b"isready") == ["readyok"]


def test_a_huge_line_is_passed_over() -> None:
    long, *rest = conversation(b"x" * (3 * LONGEST_LINE) + b"\nisready\n")
    assert long.startswith("info string That line was longer than")
    assert rest == ["readyok"]


def test_a_setting_changes_the_player() -> None:
    ask = ["newgame tower", *(f"go turn {turn} seat 1" for turn in range(1, 12))]
    assert answers(*ask) == answers("setoption name Seed value 0", *ask)
    assert answers(*ask) != answers("setoption name Seed value 7", *ask)


# The command


def engine(*words: str, lines: list[str]) -> list[str]:
    done = CliRunner().invoke(command, list(words), input="".join(f"{line}\n" for line in lines), standalone_mode=False)
    assert done.exception is None
    return done.stdout.splitlines()


def moves(answered: list[str]) -> list[str]:
    return [line.removeprefix("bestmove ") for line in answered if line.startswith("bestmove ")]


GAME = ["newgame tower", *(f"go turn {turn} seat 1" for turn in range(1, 13))]


@pytest.mark.parametrize("player", ["random", "level:3"])
def test_every_game_has_choices_of_its_own_and_a_seed_fixes_them_all(player: str) -> None:
    said = moves(engine("--player", player, "--seed", "5", lines=GAME * 20))
    games = {tuple(said[at : at + 12]) for at in range(0, len(said), 12)}
    assert len(said) == 20 * 12
    assert len(games) == 20
    assert said == moves(engine("--player", player, lines=["setoption name Seed value 5", *GAME * 20]))


def test_the_first_game_is_that_of_the_seed() -> None:
    view, alone = Match(load("tower")).view(0), seat_player("level:1", 5)
    assert alone is not None
    words = [move_words(view.game, view.rules)[alone.choose(view._replace(number=turn))] for turn in range(12)]
    assert moves(engine("--player", "level:1", "--seed", "5", lines=GAME)) == words


def test_the_same_question_in_the_same_game_has_the_same_answer() -> None:
    lines = ["newgame secret", *["go turn 4 seat 2"] * 20]
    assert len(set(moves(engine("--player", "random", "--seed", "1", lines=lines)))) == 1


def test_without_a_seed_every_process_has_choices_of_its_own() -> None:
    lines = ["newgame tower", *(f"go turn {turn} seat 1" for turn in range(1, 100))]
    one, two = (engine("--player", "random", lines=lines) for _ in range(2))
    assert len(one) == len(two) == 99
    assert one != two


class Stumped:
    """A player that cannot be made ready for any duel but tower."""

    def prepare(self, view: View) -> None:
        if view.game.id != "tower":
            raise DuelError("That is\nbeyond me.")

    def choose(self, view: View) -> int:
        self.prepare(view)
        return 2


def test_an_answer_comes_even_where_the_player_has_none() -> None:
    said: list[str] = []
    server = Server(
        "Test", ["tower"], [EngineOption("Seed", "spin", "0")], lambda *_: Stumped(), random_player, said.append
    )
    for line in ("newgame deck", "isready", "position start moves 7:", "go seat 1", "newgame tower", "go seat 1"):
        server.hear(line)
    assert said[:3] == [
        "info string That is beyond me.",
        "readyok",
        "info string Any legal move must do here: That is beyond me.",
    ]
    assert said[3] in ("bestmove attack", "bestmove heal")
    assert said[4:] == ["bestmove build_4"]


@pytest.mark.parametrize("player", ["foo", "human", "engine:./bot"])
def test_only_players_that_it_can_be_are_offered(player: str) -> None:
    done = CliRunner().invoke(command, ["--player", player])
    assert done.exit_code == 2
    offered = "random, level:1, level:2, level:3, level:4, level:5, level:6, perfect, "
    offered += "hoarder, brawler, cautious or gambler"
    assert f"An engine can play as {offered}; not as '{player}'." in " ".join(done.output.split())


@given(st.binary(max_size=200))
@examples(200)
def test_no_bytes_disturb_it(junk: bytes) -> None:
    said = conversation(b"newgame deck\n" + junk.replace(b"quit", b"") + b"\nisready\n")
    assert said[-1] == "readyok"


def test_it_ends_with_its_input_and_when_nobody_listens() -> None:
    command = [sys.executable, "-m", "duelbook", "engine", "--player", "random"]
    done = subprocess.run(command, input=b"udi\n", capture_output=True, timeout=HANGING, check=True)
    assert done.stdout.endswith(b"udiok\n")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        process.communicate(b"udi\nisready\n", timeout=HANGING)
        assert process.returncode == 1


def test_rules_under_which_nothing_begins_are_explained() -> None:
    said: list[str] = []
    server = Server(
        "Test", ["energy"], [EngineOption("Seed", "spin", "0", 0, 99)], random_player, random_player, said.append
    )
    server.run(io.BytesIO(b"newgame energy rules energy=1 attack_cost=42 defend_cost=4 may_pass=never\nisready\n"))
    assert said[0].startswith("info string Under these rules Energy Duel is over before it begins: Player 1 has 1 unit")
    assert said[1:] == ["readyok"]

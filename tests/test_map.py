"""`duelbook map`: the grid is the solution's, and the pictures say what the grid says."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest

from duelbook import Duel, cli, draw_map, load
from duelbook.core import OVER, DuelError, variant
from duelbook.games import ROOMS
from duelbook.line.console import Console
from duelbook.line.map import show
from duelbook.maps.atlas import Grid, finding, survey
from duelbook.solving.library import solution_for
from duelbook.solving.solution import NotInTable
from duelbook.solving.solver import solve
from test_design import HEAVY

ROOT = Path(__file__).parent.parent


@cache
def grid_of(id: str, position: str | None = None, *settings: str) -> Grid:
    game = load(id)
    rules = variant(game, settings)
    return survey(game, rules, game.start(rules, 0) if position is None else game.read_position(rules, position))


class Done(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Any:
    def run_map(*words: str) -> Done:
        monkeypatch.setattr(sys, "argv", ["duelbook", "map", *words])
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        code = cli.run()
        return Done(code, *capsys.readouterr())

    return run_map


# The grid

POSITIONS = [
    ("conquer", "10r 10r 1", 100),
    ("conquer", "10h 10c 2", 100),
    ("deck", "20 20 1 1-10", 400),
    ("deck", "20 20 2 1-6,8-10:7", 400),
    ("energy", "10 10 1", 110),
    ("energy", "10d 10 2", 110),
    ("secret", "100 100 - -", 10_000),
    ("secret", "100 100 10 9", 10_000),
    ("tower", "0 0 1", 225),
]


@pytest.mark.parametrize(("id", "position", "count"), POSITIONS)
def test_every_cell_is_worth_what_the_solution_says(id: str, position: str, count: int) -> None:
    grid = grid_of(id, position)
    solution = solution_for(grid.game, grid.rules)
    assert len(grid.cells) == count
    held = 0
    for pair, cell in grid.cells.items():
        assert getattr(cell.state, grid.field) == pair
        try:
            assert (cell.value, cell.plies) == (solution.value(cell.state), solution.plies(cell.state))
            held += 1
        except NotInTable:
            continue
    assert held == count or solution.kind == "backwards"


@pytest.mark.parametrize(("id", "position", "corner"), [("energy", "10 10 1", (1, 10)), ("tower", "0 0 1", (14, 0))])
def test_a_cell_that_play_does_not_reach_is_solved_too(id: str, position: str, corner: tuple[int, int]) -> None:
    grid = grid_of(id, position)
    cell = grid.cells[corner]
    assert not solution_for(grid.game, grid.rules).holds(cell.state)
    alone = solve(grid.game, grid.rules, (cell.state,))
    assert (cell.value, cell.plies) == (alone.value(cell.state), alone.plies(cell.state))


@pytest.mark.parametrize(("id", "position", "count"), POSITIONS)
def test_every_position_that_goes_on_and_can_be_written_has_its_cell(id: str, position: str, count: int) -> None:
    grid = grid_of(id, position)
    game, rules = grid.game, grid.rules
    most = max(max(numbers) for numbers in grid.numbers)
    for pair in ((one, two) for one in (-1, 0, 1, most, most + 1) for two in (-1, 0, 1, most, most + 1)):
        state = grid.template._replace(**{grid.field: pair})
        try:
            goes_on = game.turn(rules, game.read_position(rules, game.write_position(rules, state))) != OVER
        except DuelError:
            goes_on = False
        assert (pair in grid.cells) == goes_on


@pytest.mark.parametrize(("one", "two"), [("0 0 1", "0 0 2"), ("3 9 1", "9 3 2")])
def test_the_other_mover_sees_the_mirror(one: str, two: str) -> None:
    first, second = grid_of("tower", one), grid_of("tower", two)
    for (mine, theirs), cell in first.cells.items():
        other = second.cells[theirs, mine]
        assert (cell.value, cell.plies) == (-other.value, other.plies)


def test_a_duel_without_two_numbers_has_no_map(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "examples"))
    race = import_module("race").GAME
    with pytest.raises(DuelError, match="Race to 21 has no number for each player"):
        survey(race, race.book, race.start(race.book, 0))


FINDINGS = [
    ("conquer", None, "Only a move that ends it at once wins; everywhere else nobody can force a win."),
    ("conquer", "10d 10r 1", "Nobody can force a win anywhere here."),
    ("deck", None, "Player 1, to move, wins 62% from the start and is the favourite even when 2 LP behind."),
    ("deck", "20 20 1 2-10:1", "Player 1, to move, is always the favourite only when 5 LP ahead."),
    ("deck", "20 20 2 1-5,7-10:6", "Player 2, to move, is the favourite when level or ahead."),
    (
        "energy",
        None,
        "At level energy the player to move wins at 2-4 and 7-9 and loses at 5 and 10; "
        "at 1 and 6 nobody can force a win.",
    ),
    ("energy", "10 10d 1", "At level energy the player to move loses at 2-10; at 1 nobody can force a win."),
    ("secret", None, "Whoever is 2 HP ahead has won, however much both have left."),
    ("secret", "100 100 10 9", "Player A wins when 1 HP ahead, Player B wins when level or ahead."),
    ("tower", None, "Every position is decided, and at level height the player to move always wins."),
]


@pytest.mark.parametrize(("id", "position", "sentence"), FINDINGS)
def test_what_a_map_shows_is_said_in_a_sentence(id: str, position: str | None, sentence: str) -> None:
    assert finding(grid_of(id, position)) == sentence


def test_the_sentence_about_changed_rules_is_about_changed_rules() -> None:
    assert finding(grid_of("conquer", "4r 4h 1", "hp=4")) == "Player 1, to move, always wins here."


# What the docs say of the maps


def test_tower_is_won_on_the_higher_step() -> None:
    """The steps are 0, 1-4, 5-8, 9-12, 13-14: the mover wins from the same step or a higher one, and from 11."""
    for (mine, theirs), cell in grid_of("tower").cells.items():
        assert (cell.value > 0) == ((mine + 3) // 4 >= (theirs + 3) // 4 or mine == 11)


def test_in_energy_a_standing_defence_leaves_only_a_lead() -> None:
    for (mine, theirs), cell in grid_of("energy", "10 10d 1").cells.items():
        if (mine, theirs) != (1, 1):
            assert (cell.value > 0) == (mine > theirs)


@pytest.mark.parametrize("theirs", "rdhc")
@pytest.mark.parametrize("mine", "rd")
def test_in_conquer_only_a_killing_attack_wins(mine: str, theirs: str) -> None:
    damage = 0 if mine == "d" else {"r": 2, "d": 0, "h": 4, "c": 2}[theirs]
    grid = grid_of("conquer", f"8{mine} 8{theirs} 1", "hp=8")
    assert {pair[1] for pair, cell in grid.cells.items() if cell.value > 0} == set(range(1, damage + 1))
    assert all(cell.value >= 0 for cell in grid.cells.values())


@pytest.mark.parametrize("last", ["- -", "10 10", "10 9", "3 10"])
def test_in_secret_two_ahead_wins_and_level_turns_on_who_has_the_ten(last: str) -> None:
    one, two = last.split()
    level = (two == "10") - (one == "10")
    for pair, cell in grid_of("secret", f"100 100 {last}").cells.items():
        lead = pair[0] - pair[1]
        if lead == 0:
            assert cell.value == level
        elif abs(lead) >= 2:
            assert abs(cell.value - (1 if lead > 0 else -1)) < 1e-9


# The terminal

TOWER = """\
Tower Defense Duel: positions like 0 0 1, at every pair of heights
Every position is decided, and at level height the player to move always wins.

Player 2's height
  14   L  L  L  L  L  L  L  L  L  L  L  W  L  W  W
  13   L  L  L  L  L  L  L  L  L  L  L  W  L  W  W
  12   L  L  L  L  L  L  L  L  L  W  W  W  W  W  W
  11   L  L  L  L  L  L  L  L  L  W  W  W  W  W  W
  10   L  L  L  L  L  L  L  L  L  W  W  W  W  W  W
   9   L  L  L  L  L  L  L  L  L  W  W  W  W  W  W
   8   L  L  L  L  L  W  W  W  W  W  W  W  W  W  W
   7   L  L  L  L  L  W  W  W  W  W  W  W  W  W  W
   6   L  L  L  L  L  W  W  W  W  W  W  W  W  W  W
   5   L  L  L  L  L  W  W  W  W  W  W  W  W  W  W
   4   L  W  W  W  W  W  W  W  W  W  W  W  W  W  W
   3   L  W  W  W  W  W  W  W  W  W  W  W  W  W  W
   2   L  W  W  W  W  W  W  W  W  W  W  W  W  W  W
   1   L  W  W  W  W  W  W  W  W  W  W  W  W  W  W
   0   W  W  W  W  W  W  W  W  W  W  W  W  W  W  W
       0  1  2  3  4  5  6  7  8  9 10 11 12 13 14
      Player 1's height
W Player 1, to move, wins   L Player 1 loses
"""

CONQUER = """\
Command Line Conquer: positions like 10r 10h 1, at every pair of HP
Only a move that ends it at once wins; everywhere else nobody can force a win.

Player 2's HP
  10   .  .  .  .  .  .  .  .  .  .
   9   .  .  .  .  .  .  .  .  .  .
   8   .  .  .  .  .  .  .  .  .  .
   7   .  .  .  .  .  .  .  .  .  .
   6   .  .  .  .  .  .  .  .  .  .
   5   .  .  .  .  .  .  .  .  .  .
   4   W  W  W  W  W  W  W  W  W  W
   3   W  W  W  W  W  W  W  W  W  W
   2   W  W  W  W  W  W  W  W  W  W
   1   W  W  W  W  W  W  W  W  W  W
       1  2  3  4  5  6  7  8  9 10
      Player 1's HP
W Player 1, to move, wins   . nobody can force a win
"""

ENERGY = """\
Energy Duel: positions like 10 10 1, at every pair of energies
At level energy the player to move wins at 2-4 and 7-9 and loses at 5 and 10; at 1 and 6 nobody can force a win.

Player 2's energy
  10   L2  L2  L4  L4  L6  L6  L8  L8 L12 L16
   9   L2  L2  L4  L4  L6  L6  L8  .   W9  W7
   8   L2  L2  L4  L4  L6  L6  W9  W9  W7  W7
   7   L2  L2  L4  L4  L6  L8  W7  W5  W5  W5
   6   L2  L2  L4  L4  L8  .   W5  W5  W5  W5
   5   L2  L2  L4  L6  L8  W3  W3  W3  W3  W3
   4   L2  L2  .   W3  W3  W3  W3  W3  W3  W3
   3   L2  W1  W1  W1  W1  W1  W1  W1  W1  W1
   2   L2  W1  W1  W1  W1  W1  W1  W1  W1  W1
   1   .   W1  W1  W1  W1  W1  W1  W1  W1  W1
   0   W1  W1  W1  W1  W1  W1  W1  W1  W1  W1
       1   2   3   4   5   6   7   8   9   10
      Player 1's energy
W7 Player 1, to move, wins in 7 moves   L16 Player 1 loses in 16 moves
. nobody can force a win
"""


@pytest.mark.parametrize(
    ("words", "picture"),
    [(["tower"], TOWER), (["conquer", "--status", "rh"], CONQUER), (["energy", "--plies"], ENERGY)],
)
def test_through_a_pipe_letters_say_it(run: Any, words: list[str], picture: str) -> None:
    assert run(*words) == Done(0, picture, "")


def test_a_map_with_luck_shows_chances(run: Any) -> None:
    lines = run("deck").out.splitlines()
    assert lines[4].split() == "20 L L L 1 2 4 6 9 12 16 20 25 29 34 39 44 49 53 58 62".split()  # noqa: SIM905
    assert lines[-2:] == [
        "62 Player 1, to move, wins 62%   W Player 1 wins more than 99.5% of the games",
        "L Player 1 wins less than 0.5%",
    ]


def test_a_map_that_is_too_wide_is_sampled_and_says_so(run: Any) -> None:
    lines = run("secret").out.splitlines()
    assert lines[4].split() == ["100", *["L"] * 33, "."]
    assert lines[-1] == "One number in 3 is shown; --png and --svg draw them all."
    assert max(map(len, lines)) < 80


class Screen(io.TextIOWrapper):
    """A terminal that remembers what it was sent."""

    def __init__(self, encoding: str = "utf-8") -> None:
        self.bytes = io.BytesIO()
        super().__init__(self.bytes, encoding=encoding)

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    monkeypatch.delenv("NO_COLOR", raising=False)


def shown(grid: Grid, screen: Screen, plies: bool = False) -> str:
    show(grid, Console(source=io.StringIO(), sink=screen), plies)
    return screen.bytes.getvalue().decode(screen.encoding)


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize("plies", [False, True])
@pytest.mark.parametrize("id", ["tower", "energy"])
def test_on_a_terminal_the_same_letters_stand_on_colours_and_it_fits(id: str, plies: bool) -> None:
    grid = grid_of(id)
    coloured = shown(grid, Screen(), plies)
    plain = io.StringIO()
    show(grid, Console(source=io.StringIO(), sink=plain), plies)
    assert "\x1b[" in coloured
    assert "\x1b[" not in plain.getvalue()
    words = click.unstyle(coloured)
    rows = [
        [line.split() for line in text.splitlines() if line[:4].strip().isdigit()] for text in (words, plain.getvalue())
    ]
    assert rows[0] == rows[1]
    assert len(rows[0]) >= len(grid.numbers[1])
    assert max(map(len, words.splitlines())) < 80
    assert len(words.splitlines()) < 24


@pytest.mark.usefixtures("terminal")
def test_on_a_terminal_a_large_map_takes_two_rows_a_line() -> None:
    words = click.unstyle(shown(grid_of("secret"), Screen()))
    assert words.count("▀") > 300
    assert len(words.splitlines()) < 24


@pytest.mark.usefixtures("terminal")
def test_a_terminal_without_blocks_or_colours_gets_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = grid_of("secret")
    assert "L" in click.unstyle(shown(grid, Screen("latin-1"))).splitlines()[5]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in shown(grid, Screen())


@pytest.mark.parametrize("id", ["tower", "secret"])
def test_the_terminal_needs_nothing_heavy(id: str, tmp_path: Path) -> None:
    code = (
        f"import sys; from duelbook import cli; sys.argv = ['duelbook', 'map', {id!r}]; cli.run(); print(*sys.modules)"
    )
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "duelbook.line.map" in loaded
    assert loaded & HEAVY == set()


# Options

SHORTCUTS = [
    ("tower", ["--mover", "2"], "0 0 2"),
    ("conquer", ["--status", "DH", "--mover", "2"], "10d 10h 2"),
    ("conquer", ["--at", "3c 4r 2", "--status", "rr"], "3r 4r 2"),
    ("deck", ["--card", "7"], "20 20 1 1-6,8-10:7"),
    ("deck", ["--deck", "1-3", "--card", "2", "--mover", "2"], "20 20 2 1,3:2"),
    ("deck", ["--deck", "-"], "20 20 1 -"),
    ("secret", ["--last", "10,9"], "100 100 10 9"),
    ("secret", ["--last", "- 9"], "100 100 - 9"),
    ("energy", ["--defended"], "10 10d 1"),
    ("energy", ["--defended", "--mover", "2"], "10d 10 2"),
    ("energy", ["--at", "3 4 1p"], "3 4 1 p"),
]


@pytest.mark.parametrize(("id", "words", "position"), SHORTCUTS)
def test_a_shortcut_changes_one_thing(run: Any, id: str, words: list[str], position: str) -> None:
    assert json.loads(run(id, *words, "--json").out)["at"] == position


BAD = [
    (["tower", "--mover", "3"], "The player to move is 1 or 2, not '3'."),
    (["tower", "--at", "5 8"], "A position of this duel looks like"),
    (["tower", "--status", "rd"], "--status belongs to conquer; Tower Defense Duel has no such thing."),
    (["secret", "--mover", "1"], "In Number Duel (secret) both act at once, so there is no --mover."),
    (["conquer", "--status", "r"], "--status takes two letters"),
    (["conquer", "--status", "rx"], "'10x' has no status"),
    (["deck", "--deck", "1-12"], "A card cannot be 12"),
    (["deck", "--card", "0"], "The drawn card cannot be 0"),
    (["deck", "--card", "ace"], "'ace' is not a whole number for The drawn card."),
    (["deck", "--plies"], "Nobody can force the end of Number Duel (deck) in a number of moves"),
    (["secret", "--last", "10"], "--last takes two numbers"),
    (["secret", "--last", "11,9"], "A last number cannot be 11"),
    (["energy", "--at", "8 6d 1", "--mover", "2"], "Only the player who just moved can have a defense standing."),
    (["energy", "--rule", "foo=1"], "Energy Duel has no rule called 'foo'."),
    (["tower", "--png", "nowhere/map.png"], "does not exist."),
    (["tower", "--png", "map", "--svg", "map"], "--png and --svg need two different names."),
    (["chess"], "There is no duel called 'chess'."),
]


@pytest.mark.parametrize(("words", "sentence"), BAD)
def test_a_bad_option_is_answered_with_a_sentence(run: Any, words: list[str], sentence: str) -> None:
    done = run(*words)
    assert done.code == 2
    assert done.out == ""
    assert sentence in done.err


def test_a_duel_that_is_over_has_no_map(run: Any) -> None:
    done = run("secret", "--at", "50 50 7x 3")
    assert (done.code, done.out) == (1, "")
    assert "The game is over at every position like 50 50 7x 3, so there is no map to draw." in done.err


def test_json_holds_the_whole_grid(run: Any) -> None:
    data = json.loads(run("energy", "--defended", "--json").out)
    grid = grid_of("energy", "10 10d 1")
    assert (data["game"], data["rules"], data["mover"], data["numbers"]) == ("energy", [], 1, "energy")
    assert data["player1"] == list(range(1, 11))
    assert data["player2"] == list(range(11))
    assert data["finding"] == finding(grid)
    for one, values, plies in zip(data["player1"], data["values"], data["plies"], strict=True):
        assert values == [grid.cells[one, two].value for two in data["player2"]]
        assert plies == [grid.cells[one, two].plies for two in data["player2"]]


def test_json_leaves_out_what_there_is_not(run: Any) -> None:
    data = json.loads(run("secret", "--rule", "hp=100", "--json").out)
    assert (data["mover"], data["plies"]) == (None, None)
    assert data["values"][99][99] == 0


# Files


@pytest.mark.slow
def test_files_are_written_and_never_over_another(run: Any, tmp_path: Path) -> None:
    png, svg = tmp_path / "map.png", tmp_path / "map.svg"
    small = ["conquer", "--rule", "hp=3"]
    done = run(*small, "--png", str(png), "--svg", str(svg))
    assert done == Done(0, f"The map is in {png}.\nThe map is in {svg}.\n", "")
    assert png.read_bytes().startswith(b"\x89PNG")
    drawn = svg.read_text(encoding="utf-8")
    assert "everywhere else nobody can force a win." in drawn
    assert "Player 2's HP" in drawn
    again = run(*small, "--svg", str(svg))
    assert again.code == 2
    assert f"{svg} exists already; choose another name." in again.err
    assert svg.read_text(encoding="utf-8") == drawn


@pytest.mark.slow
def test_a_disk_that_is_full_is_left_without_half_a_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int, data: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    duel = Duel("conquer", "hp=3")
    grid = duel.map()
    monkeypatch.setattr("duelbook.disk.os.write", full)
    with pytest.raises(DuelError, match="could not be written: No space left on device"):
        draw_map(grid, tmp_path / "a.svg")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_drawing_again_draws_the_same(run: Any, tmp_path: Path) -> None:
    for name in ("one.svg", "two.svg"):
        run("conquer", "--rule", "hp=3", "--svg", str(tmp_path / name))
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


@pytest.mark.slow
def test_a_large_map_is_drawn_with_its_corner_magnified(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "secret.svg"
    done = run("secret", "--svg", str(path), "--json")
    assert json.loads(done.out)["game"] == "secret"
    assert done.err == f"The map is in {path}.\n"
    assert "−.5" in path.read_text(encoding="utf-8")


def test_without_matplotlib_files_say_what_to_install(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = run("tower", "--png", str(tmp_path / "map.png"))
    assert (done.code, done.out) == (1, "")
    assert done.err == "Error: Drawing a map into a file needs Matplotlib: pip install 'duelbook[plots]'\n"
    assert not (tmp_path / "map.png").exists()
    assert run("tower").out == TOWER


@pytest.mark.parametrize("id", ROOMS)
def test_the_docs_have_a_picture_of_every_map(id: str) -> None:
    """Made by `make pictures`; its title is still what the map shows."""
    drawn = (ROOT / "docs" / "pictures" / f"map-{id}.svg").read_text(encoding="utf-8")
    words = " ".join(drawn.split())
    for word in finding(grid_of(id)).split():
        assert word.replace("'", "&#x27;") in words or word in words


def test_one_of_what_is_plural_is_told_without_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A duel whose players count hearts: the higher pick takes one while both have the same, then both lose one."""
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "examples"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    rps = import_module("rps").GAME

    def resolve(rules: Any, state: Any, first: int, second: int) -> Any:
        one, two = state.hearts
        losses = (1, 1) if one != two else (int(first < second), int(second < first))
        return state._replace(hearts=(one - losses[0], two - losses[1]))

    even = rps._replace(id="even", resolve=resolve)
    grid = survey(even, even.book, even.start(even.book, 0))
    assert finding(grid) == "Whoever is one ahead has won, however much both have left."

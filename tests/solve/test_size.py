"""How large a duel is comes before the work: every variant is solved, or refused with its size."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from duelbook import Game, game_ids, load, variant
from duelbook.cli import duelbook, main
from duelbook.coach.review import review
from duelbook.conformance.other_rules import extremes
from duelbook.core import DuelError
from duelbook.positions import graph, hull, size
from duelbook.positions.kind import kind_of
from duelbook.positions.layout import joined, layout_of
from duelbook.positions.size import TooLarge, measured
from duelbook.record import reads
from duelbook.solving import library
from duelbook.solving.certificate import check
from duelbook.solving.solver import solve
from slow_helper import slow, slow_if

LARGE = ["conquer hp=99", "deck lp=99", "secret hp=200"]
ONCE_ENDLESS = ["secret hp=120 highest=2", "secret hp=200 highest=3", "deck lp=99 cards=1", "deck lp=99 cards=2"]
"""Rules whose layout was widened for ever, and never by anything."""
DEAD = "energy energy=1 attack_cost=42 defend_cost=4 may_pass=never"


def duel(words: str) -> tuple[Game, Any]:
    id, *settings = words.split()
    game = load(id)
    return game, variant(game, settings)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(library, "_known", {})


def unsolved(*_: Any) -> None:
    raise AssertionError("nobody asked for so much work")


class TestHull:
    @pytest.mark.parametrize("id", game_ids())
    def test_the_hull_of_a_book_holds_what_its_solution_holds(self, id: str) -> None:
        game = load(id)
        solution = library.solution_for(game, game.book)
        found = hull.hull(game, game.book)
        both = joined(found.layout, solution.numbering.layout)
        assert both == found.layout
        assert found.turns_round == solution.numbering.turns_round
        assert found.positions >= solution.states - found.layout.size // 500  # those that are their own mirrors

    @pytest.mark.slow
    @pytest.mark.parametrize("words", ONCE_ENDLESS)
    def test_the_hull_reaches_from_the_start_to_the_last_breath(self, words: str) -> None:
        game, rules = duel(words)
        lowest, highest = (1, 99) if game.id == "deck" else (1, rules.hp)
        for span in hull.hull(game, rules).layout.spans[:2]:
            assert (span.low, span.step, span.low + span.places - 1) == (lowest, 1, highest)

    @pytest.mark.parametrize(
        ("words", "spans"),
        [
            ("secret hp=200 highest=2", [(1, 1, 200)] * 2 + [(0, 1, 3)] * 2 + [(0, 1, 1)] * 2),
            ("conquer hp=40 damage=0", [(1, 1, 40)] * 2 + [(0, 1, 4)] * 2 + [(0, 1, 2)]),
            ("tower goal=20 builds=3,6,9 knocked=3", [(0, 3, 7)] * 2 + [(0, 1, 2)]),
        ],
    )
    def test_the_hull_reaches_as_far_as_play_does(self, words: str, spans: list[tuple[int, ...]]) -> None:
        assert [tuple(span) for span in hull.hull(*duel(words)).layout.spans] == spans

    def test_numbers_without_end_are_noticed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(hull, "_known", {})
        game, rules = duel("tower")
        monkeypatch.setattr(hull, "FARTHEST", 10)
        with pytest.raises(DuelError, match="positions without end"):
            hull.hull(game, rules)

    def test_a_walk_without_end_is_stopped(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game, rules = duel("tower")
        monkeypatch.setattr(graph, "MOST_STATES", 100)
        with pytest.raises(DuelError, match="more than 100 positions under these rules"):
            solve(game, rules)

    def test_a_hull_that_was_too_narrow_is_widened_until_all_fits(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The state that stops a walk may fit while its mirror does not; it widens the layout all the same."""
        from duelbook.positions import every_position

        game, rules = duel("secret hp=4 highest=2")
        whole = solve(game, rules)
        start = game.start(rules, 0)
        lower = start._replace(hp=(4, 3), last=(2, 1))
        narrow = layout_of([start, start._replace(hp=(4, 2), last=(2, 1)), lower])

        def narrow_at_first(game: Game, rules: Any, roots: Any = ()) -> hull.Hull:
            return hull.hull(game, rules, roots) if roots else hull.Hull(narrow, True)

        monkeypatch.setattr(every_position, "hull", narrow_at_first)
        again = solve(game, rules)
        assert again.states == whole.states
        assert again.value(lower) == whole.value(lower)


class TestSize:
    def test_what_the_books_take_is_small(self) -> None:
        for id in game_ids():
            game = load(id)
            assert measured(game, game.book, kind_of(game)).small

    @pytest.mark.parametrize("words", [slow_if(words != LARGE[0], words) for words in LARGE])
    def test_a_large_variant_is_not_solved_unasked(self, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("duelbook.solving.solver.solve", unsolved)
        game, rules = duel(words)
        advice = f"duelbook solve {game.id} --rule {words.split()[1]}"
        with pytest.raises(TooLarge, match=f"up to about [0-9,]+ positions, about .* GB of memory.*: {advice}$"):
            library.solution_for(game, rules)
        with pytest.raises(TooLarge, match="is not solved yet, and it is large"):
            library.solution_at(game, rules, game.start(rules, 1))

    @pytest.mark.parametrize(
        ("words", "moves"),
        [slow("secret hp=200", "1. 7/5"), slow("deck lp=99", "1. 7:attack"), ("conquer hp=99", "1. attack")],
    )
    def test_a_record_starts_no_such_work(self, words: str, moves: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("duelbook.solving.solver.solve", unsolved)
        id, rules = words.split()
        (record,) = reads(f'[Game "{id}"]\n[Rules "{rules}"]\n\n{moves} *\n')
        with pytest.raises(TooLarge, match="it is large"):
            review(record)

    def test_whoever_starts_a_game_has_asked(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Hints and opponents come with it; a record under other rules has to wait for somebody who asks."""
        monkeypatch.setattr(size, "UNASKED_SECONDS", 0)
        words = ["play", "--line", "tower", "--rule", "goal=14", "--p1", "level:1", "--p2", "random", "--seed", "1"]
        assert CliRunner().invoke(duelbook, words, standalone_mode=False).exception is None
        game, rules = duel("tower goal=14")
        assert library.solution_for(game, rules).holds(game.start(rules, 0))
        with pytest.raises(TooLarge, match="it is large"):
            library.solution_for(*duel("tower goal=13"))

    def test_asked_for_it_is_said_how_large_it_is_and_done(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(size, "UNASKED_SECONDS", 0)
        game, rules = duel("tower goal=9")
        assert library.solution_for(game, rules, however_large=True).states == 78
        assert "Tower Defense Duel with goal=9 is large: up to about 81 positions" in capsys.readouterr().err
        assert library.solution_for(game, rules).states == 78  # once it is there, anybody may have it

    def test_how_many_positions_there_are_is_said_for_about(self) -> None:
        """A position that is its own mirror counts as a half beforehand: there can be some more than were announced."""
        game, rules = duel("secret hp=20 highest=2")
        announced = measured(game, rules, kind_of(game))
        assert announced.positions < solve(game, rules).states < 1.1 * announced.positions
        assert str(announced).startswith(f"up to about {announced.positions:,} positions")

    def test_what_the_machine_cannot_hold_is_refused_at_once(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(size, "memory_there", lambda: 2e9)
        monkeypatch.setattr("sys.argv", ["duelbook", "solve", "deck", "--rule", "lp=99"])
        with pytest.raises(SystemExit) as left:
            main()
        assert left.value.code == 1
        assert "with lp=99 is too large to be solved here: up to about 110,398,464 positions" in capsys.readouterr().err

    @pytest.mark.parametrize("bound", ["MOST_NUMBERS", "MOST_MEMORY"])
    def test_what_no_machine_should_try_is_refused_at_once(self, bound: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(size, bound, 10)
        game, rules = duel("secret hp=5 highest=2")
        with pytest.raises(TooLarge, match="is too large to be solved: up to about 1"):
            solve(game, rules)

    def test_memory_is_what_the_machine_or_the_limit_gives(self) -> None:
        assert size.memory_there() > 1e8


class TestVariants:
    @pytest.mark.parametrize("words", [pytest.param(words, marks=pytest.mark.slow) for words in ONCE_ENDLESS])
    def test_what_never_ended_ends(self, words: str) -> None:
        game, rules = duel(words)
        solution = library.solution_for(game, rules)
        assert solution.holds(game.start(rules, 0))
        assert solution.error < 1e-9

    def test_a_duel_that_is_over_before_it_begins_is_solved(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game, rules = duel(DEAD)
        solution = library.solution_for(game, rules)
        assert solution.states == 0
        assert [solution.value(game.start(rules, first)) for first in (0, 1)] == [-1, 1]
        assert solution.plies(game.start(rules, 0)) == 0
        assert check(solution).good

    @pytest.mark.slow
    @pytest.mark.parametrize("id", game_ids())
    def test_every_variant_at_the_ends_of_the_knobs_is_solved_or_refused(self, id: str) -> None:
        game = load(id)
        for settings in extremes(game):
            rules = variant(game, settings)
            monkey = pytest.MonkeyPatch()
            monkey.setattr(library, "_known", {})
            try:
                solution = library.solution_for(game, rules)
            except TooLarge:
                assert {"hp=99", "lp=50", "lp=99", "hp=200"} & set(settings)
                continue
            finally:
                monkey.undo()
            start = game.start(rules, 0)
            assert -1 <= solution.value(start) <= 1, settings
            assert solution.error < 1e-9, settings
            if solution.kind == "backwards" and solution.states < 2_000:
                assert check(solution).good, settings


class Seed(NamedTuple):
    """One seed in one of twelve holes."""

    holes: tuple[int, ...]
    mover: int = 0


def test_positions_are_counted_where_their_numbers_hang_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seed that wanders to the last hole: the table has room for thousands of positions, and there are 24."""
    game = load("tower")._replace(
        start=lambda rules, first: Seed((1,) + (0,) * 11, first),
        turn=lambda rules, s: 4 if s.holes[11] else s.mover,
        legal=lambda rules, s, me, move: move < 2 and s.holes.index(1) + move < 11,
        apply=lambda rules, s, move: Seed((*(0,) * (move + 1), *s.holes)[:12], 1 - s.mover),
        winner=lambda rules, s: 1 - s.mover,
    )
    monkeypatch.setattr(size, "MOST_MEMORY", 1_000_000)
    assert measured(game, game.book, "backwards").positions == 24
    solution = solve(game, game.book)
    assert solution.value(game.start(game.book, 0)) == -solution.value(game.start(game.book, 1)) != 0
    monkeypatch.setattr(size, "MOST_COUNTED", 10)
    with pytest.raises(TooLarge, match="up to about 2,048 positions"):
        measured(game, game.book, "backwards")

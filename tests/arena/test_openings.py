"""Openings: positions that play can reach, the same for both games of a pair, with values that are known."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from bench.rehearsal import play_task
from click.testing import CliRunner

from arena_helper import plan
from duelbook.arena.judge.findings import findings
from duelbook.arena.judge.ratings import OTHER_STARTS
from duelbook.arena.play.opening_book import LASTING, MOST, SOON, book, dice, lasts, walked
from duelbook.arena.play.openings import (
    BOOK,
    FILE,
    RANDOM,
    Openings,
    from_book,
    from_file,
    from_random_play,
    opening_of,
)
from duelbook.arena.play.results import Entrant
from duelbook.arena.play.schedule import Plan, Schedule, duel
from duelbook.arena.play.store import Store
from duelbook.arena.play.tournament import Finished, programme
from duelbook.arena.report.data import as_json
from duelbook.arena.report.html import page
from duelbook.arena.report.text import terminal_lines
from duelbook.cli import duelbook
from duelbook.core import LUCK, OVER, DuelError, Game, variant
from duelbook.games import ROOMS, load
from duelbook.record import reads
from duelbook.solving.library import solution_for
from helpers import reachable, successors
from slow_helper import slow_if

NEAREST = {"conquer": 0.0, "deck": 0.04, "energy": 1.0, "secret": 0.0, "tower": 1.0}
"""How far from balance a position of the book lies at most: tower is decided everywhere, energy nearly so."""


def states(game: Game, positions: Any, *changes: str) -> list[Any]:
    rules = variant(game, changes)
    return [game.read_position(rules, position) for position in positions]


# The book


@pytest.mark.slow
@pytest.mark.parametrize("id", [slow_if(id == "secret", id) for id in ROOMS])
def test_the_book_holds_positions_that_are_worth_playing(id: str) -> None:
    game = load(id)
    solution = solution_for(game, game.book)
    found = states(game, book(id))
    assert 10 <= len(found) <= MOST
    assert game.start(game.book, 0) not in found
    for state in found:
        assert game.turn(game.book, state) != OVER
        assert solution.holds(state)
        assert (solution.plies(state) or SOON) >= SOON
    worths = [abs(solution.value(state)) for state in found]
    assert max(worths) <= NEAREST[id]
    assert all(one <= two + 1e-9 for one, two in pairwise(worths)), "the best balanced come first"


@pytest.mark.parametrize("id", ["conquer", "energy", "tower"])
def test_nothing_in_the_book_is_over_before_both_had_a_say(id: str) -> None:
    """By every line of play. `lasts` is asked by the book; here the lines are followed without it."""
    game = load(id)
    waiting = states(game, book(id))
    for _ in range(LASTING):
        waiting = [after for state in waiting for after in successors(game, game.book, state)]
        assert not any(game.turn(game.book, state) == OVER for state in waiting)


def test_a_position_that_can_be_over_at_once_does_not_last() -> None:
    tower = load("tower")
    assert not lasts(tower, tower.book, tower.read_position(tower.book, "14 5 1"), 1)
    assert not lasts(tower, tower.book, tower.read_position(tower.book, "5 14 1"), 2)
    assert lasts(tower, tower.book, tower.read_position(tower.book, "5 8 1"), 1)
    deck = load("deck")
    assert not lasts(deck, deck.book, deck.read_position(deck.book, "20 9 1 1-10"), 1), "the card may be a 10"


@pytest.mark.parametrize("id", ["conquer", "energy", "tower"])
def test_every_position_of_the_book_can_come_up(id: str) -> None:
    game = load(id)
    assert set(states(game, book(id))) <= reachable(game, game.book)


def test_no_two_positions_of_the_book_are_mirrors_of_each_other() -> None:
    """From both sides a position and its mirror are the same two games."""
    found = {tuple(map(int, position.split())) for position in book("tower")}
    assert not {(two, one, 3 - mover) for one, two, mover in found} & (found - {(1, 1, 1), (1, 1, 2)})


def test_a_variant_has_a_book_of_its_own() -> None:
    game = load("tower")
    found = book("tower goal=9")
    assert found != book("tower")
    assert all(lasts(game, variant(game, ["goal=9"]), state, LASTING) for state in states(game, found, "goal=9"))


def test_the_book_is_the_same_every_time() -> None:
    first = book("tower")
    book.cache_clear()
    assert book("tower") == first


# Random play


@pytest.mark.parametrize("id", ROOMS)
def test_random_openings_are_legal_play_from_the_start(id: str) -> None:
    game = load(id)
    for number in range(20):
        state = walked(game, game.book, 3, dice(number))
        assert state is not None
        assert game.turn(game.book, state) == LUCK if game.faces else game.turn(game.book, state) != OVER
        assert solution_for(game, game.book).holds(state)


def test_three_random_turns_are_three() -> None:
    game = load("tower")
    found = {game.start(game.book, 0)}
    for _ in range(3):
        found = {after for state in found for after in successors(game, game.book, state)}
    walks = {walked(game, game.book, 3, dice(number)) for number in range(200)}
    assert len(walks) > 10
    assert walks <= found


def test_every_pair_has_a_random_opening_of_its_own_and_the_seed_decides() -> None:
    openings = from_random_play(6, ["deck"])
    found = [opening_of(openings, "deck", pair, 1, seed=5) for pair in range(40)]
    assert len(set(found)) == 40
    assert found == [opening_of(openings, "deck", pair, 9, seed=5) for pair in range(40)]
    assert found != [opening_of(openings, "deck", pair, 1, seed=6) for pair in range(40)]


@pytest.mark.parametrize("plies", [0, 101])
def test_random_openings_have_bounds(plies: int) -> None:
    with pytest.raises(DuelError, match="1 to 100 turns long"):
        from_random_play(plies, ["tower"])


def test_random_play_that_is_over_before_is_refused_before_the_first_game() -> None:
    with pytest.raises(DuelError, match="In energy random play is over before 30 turns too often; choose fewer"):
        from_random_play(30, ["energy"])


# Files


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "starts.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_holds_a_position_on_each_line(tmp_path: Path) -> None:
    path = written(tmp_path, "# mine\n\n5 8 1   # close\n  tower 3 3 2\nDECK 20 20 1 1-10\n")
    assert from_file(path, ["tower"]) == Openings(FILE, listed=(("tower", ("5 8 1", "3 3 2")),))


def test_the_usual_start_may_be_among_the_openings(tmp_path: Path) -> None:
    """A record does not name it, so neither does a plan: what is read back is what was played."""
    openings = from_file(written(tmp_path, "0 0 1\n5 8 1\n"), ["tower"])
    assert openings.listed == (("tower", ("", "5 8 1")),)
    found = findings(held(plan("random level:3", "tower", rounds=3, openings=openings)))
    assert [(each.position, each.games) for each in found.begun] == [("0 0 1", 4), ("5 8 1", 2)]


def test_a_report_says_once_why_nothing_was_computed_and_calls_no_rating_a_guess() -> None:
    """Where all float together only differences mean anything, and a note says so: there is nothing to be guessed."""
    openings = Openings(FILE, listed=(("tower", ("5 8 1",)),))
    found = findings(held(plan("random level:3", "tower", play=False, rounds=2, openings=openings)))
    text = "\n".join(terminal_lines(found))
    assert [row.floats for row in found.ratings.rows] == [True, True]
    assert "guess" not in text
    assert "guess" not in page(found)
    assert "Only differences between ratings mean anything here" in text
    assert text.count("usual start") == 1


def test_a_file_can_serve_several_duels_and_variants(tmp_path: Path) -> None:
    path = written(tmp_path, "tower 5 8 1\nenergy 8 6d 1\n")
    assert dict(from_file(path, ["energy", "tower", "tower goal=20"]).listed) == {
        "energy": ("8 6d 1",),
        "tower": ("5 8 1",),
        "tower goal=20": ("5 8 1",),
    }


@pytest.mark.parametrize(
    ("text", "duels", "sentence"),
    [
        ("5 8 1\n5 8\n", ["tower"], "'starts.txt', line 2: A position of this duel looks like"),
        ("\n\n15 8 1\n", ["tower"], "'starts.txt', line 3: The position 15 8 1 is over already."),
        ("5 8 1\n", ["tower", "deck"], "line 1: Which duel is this a position of? Say it in front, as in: tower 5 8 1"),
        ("chess 5 8 1\n", ["tower"], "line 1: There is no duel called 'chess'; a line is a position, or an id and"),
        ("tower 5 8 1\n", ["tower", "deck"], "'starts.txt' holds no position of deck."),
        ("# nothing\n", ["tower"], "'starts.txt' holds no position of tower."),
        ("10 1 1\n", ["energy"], "line 1: The position 10 1 1 cannot come up in play"),
        ("tower 14 8 1\n", ["tower", "tower goal=9"], "'starts.txt', line 1: "),
    ],
)
def test_what_a_file_must_not_say(text: str, duels: list[str], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(DuelError) as refused:
        from_file(written(tmp_path, text), duels)
    assert sentence in str(refused.value)


def test_files_that_cannot_be_read_are_answered_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(DuelError, match=r"No such file.*--openings takes book, random:N or a file"):
        from_file(tmp_path / "none.txt", ["tower"])
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DuelError, match="is not text"):
        from_file(tmp_path / "bytes", ["tower"])
    (tmp_path / "large").write_bytes(b"#" * (1 << 21))
    with pytest.raises(DuelError, match="more than a megabyte"):
        from_file(tmp_path / "large", ["tower"])


# In a tournament


def test_a_pair_shares_its_opening_and_a_round_has_one_for_everybody() -> None:
    entrants = plan("random level:3 level:4").entrants
    begun = from_book(["tower", "energy"])
    tasks = list(Schedule(Plan(entrants, (duel("tower"), duel("energy")), rounds=3, openings=begun, seed=0)))
    for one, two in zip(tasks[::2], tasks[1::2], strict=True):
        assert one.opening == two.opening
    for task in tasks:
        assert task.opening == book(task.game)[task.round - 1]


def test_a_list_begins_again_when_it_is_used_up() -> None:
    openings = Openings(FILE, listed=(("tower", ("5 8 1", "3 3 2")),))
    assert [opening_of(openings, "tower", 0, round, 0) for round in (1, 2, 3)] == ["5 8 1", "3 3 2", "5 8 1"]


def test_openings_belong_to_what_tells_tournaments_apart() -> None:
    usual = plan()
    others = [Openings(RANDOM, 3), Openings(RANDOM, 4), from_book(["tower", "energy"])]
    marks = [usual.fingerprint(), *(usual._replace(openings=each).fingerprint() for each in others)]
    assert len(set(marks)) == 4


def held(wanted: Plan, kinds: list[str] | None = None) -> Finished:
    """Played here; `kinds` say how entrants really play who pass for programs."""
    work = programme(wanted)
    real = tuple(
        Entrant(each.name, kind)
        for each, kind in zip(wanted.entrants, kinds or [each.kind for each in wanted.entrants], strict=True)
    )
    return Finished(work, [play_task(task, real, wanted.settings()) for task in work.tasks])


def test_games_begin_where_the_schedule_says_and_their_value_is_known() -> None:
    wanted = plan("random level:3", "deck", rounds=3, openings=from_book(["deck"]))
    game = load("deck")
    solution = solution_for(game, game.book)
    for result in held(wanted).results:
        (record,) = reads(result.record)
        assert f'[Position "{result.task.opening}"]' in result.record
        assert game.write_position(game.book, record.match.start) == result.task.opening
        assert result.start == solution.value(record.match.start)


def test_a_tournament_from_openings_can_be_resumed(tmp_path: Path) -> None:
    wanted = plan("random level:3", "tower", rounds=4, openings=from_random_play(3, ["tower"]))
    finished = held(wanted)
    for openings, refused in ((wanted.openings, False), (Openings(RANDOM, 4), True)):
        path = tmp_path / f"games-{refused}.duel"
        store = Store(path, wanted.settings())
        store.open(finished.programme.tasks, wanted.entrants, resume=False)
        store.append(finished.results)
        store.close()
        again = Store(path, wanted._replace(openings=openings).settings())
        tasks = programme(wanted._replace(openings=openings)).tasks
        if refused:
            with pytest.raises(DuelError, match="belongs to another tournament"):
                again.open(tasks, wanted.entrants, resume=True)
        else:
            assert again.open(tasks, wanted.entrants, resume=True) == finished.results
        again.close()


def test_what_is_known_of_the_usual_start_is_not_said_of_other_positions() -> None:
    """Between our own players nothing is computed then, and nobody has a rating that the usual start gave."""
    finished = held(plan("random level:3 perfect", "tower", play=False, rounds=2, openings=from_book(["tower"])))
    found = findings(finished)
    assert finished.programme.known == []
    assert len(finished.results) == 3 * 2 * 2
    assert not any(row.exact for row in found.ratings.rows)
    assert OTHER_STARTS in found.ratings.notes
    assert any("all games are played" in reason for reason in finished.programme.refused)
    assert not any("all games are played" in caution for caution in found.cautions), "the note says it"


def test_players_that_always_do_the_same_play_other_games_from_openings() -> None:
    wanted = plan("engine:a engine:b", "tower", rounds=10)
    kinds = ["perfect", "perfect"]
    (said,) = [each for each in findings(held(wanted, kinds)).cautions if each.startswith("Only")]
    assert said.startswith("Only 2 of the 20 games")
    assert said.endswith("--openings book.")
    cautions = findings(held(wanted._replace(openings=from_book(["tower"])), kinds)).cautions
    assert not any(each.startswith("Only") for each in cautions)


def test_every_report_says_what_was_played_from() -> None:
    found = findings(held(plan("random level:3", "tower", rounds=3, openings=from_book(["tower"]))))
    line = "Openings in tower: 3 positions chosen from the solution. With best play the first seat wins 2 and loses 1."
    assert line in list(terminal_lines(found))
    assert line in page(found)
    said = as_json(found)["openings"]
    assert said["kind"] == BOOK
    assert [each["position"] for each in said["positions"]] == list(book("tower")[:3])
    assert {each["value"] for each in said["positions"]} == {1.0, -1.0}


def asked(*words: str) -> str:
    done = CliRunner().invoke(duelbook, ["arena", "random", "level:3", "--games", "tower", *words])
    return f"{done.exit_code}: {done.output} {done.exception}"


def test_what_the_command_refuses() -> None:
    assert "2: " in asked("--openings", "random:0")
    assert "1 to 100 turns long" in asked("--openings", "random:0")
    assert "--openings: random:4 is four turns" in asked("--openings", "random:many")
    assert "--openings: random:4 is four turns" in asked("--openings", "random")
    assert "1: " in asked("--openings", "no such file")
    assert "cannot be read from 'no such file'" in asked("--openings", "no such file")

"""Reviews: what every decision lost, and luck and skill that add up to the result, to the last digit."""

from __future__ import annotations

import builtins
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from math import fsum, sqrt
from pathlib import Path
from random import Random
from statistics import stdev
from typing import Any

import pytest
from click.testing import CliRunner

from duelbook import load
from duelbook.arena.judge.quality import qualities
from duelbook.cli.replay import command as replay
from duelbook.cli.review import command
from duelbook.coach.graph import drawn, text_graph
from duelbook.coach.report import (
    accounting,
    average_lines,
    cost,
    flawless,
    heading,
    in_words,
    reasons,
    two_numbers,
    worst,
)
from duelbook.coach.review import Accounting, Review, averages, interval, review
from duelbook.coach.rows import legend, table
from duelbook.core import DuelError, variant
from duelbook.games import ROOMS, example
from duelbook.line.console import Console
from duelbook.line.review import show
from duelbook.match import Match, Player
from duelbook.players import short_kind
from duelbook.players.perfect import PerfectPlayer
from duelbook.players.random import RandomPlayer
from duelbook.record import Record, reads, writes
from duelbook.saves import new_save
from helpers import CarelessPlayer, follow, position
from slow_helper import slow, slow_if
from verdicts_helper import held

EXACT = 1e-9


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is solved here is kept here."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def exact(each: Review) -> Review:
    """The review, once it is sure that its sums add up and that nobody gained by their own decision."""
    sums = each.accounting
    assert abs(fsum(sums[:-1]) - sums.result) < EXACT
    assert sums.player1 <= 0 <= sums.player2
    assert -sums.player1 / 2 == pytest.approx(sum(one.lost for one in each.decisions if one.seat == 0), abs=EXACT)
    assert sums.player2 / 2 == pytest.approx(sum(one.lost for one in each.decisions if one.seat == 1), abs=EXACT)
    assert all(one.lost >= 0 for one in each.decisions)
    assert all(bool(one.better) == one.worse for one in each.decisions)
    assert all(one.worse or one.lost <= EXACT for one in each.decisions)
    outcome = each.match.outcome
    if outcome is not None:
        assert sums.result == {0: 1, 1: -1, 2: 0, None: 0}[outcome.winner]
    assert each.curve[0] == sums.start
    assert each.curve[-1] == pytest.approx(sums.result, abs=EXACT) or each.waiting is not None
    return each


def played(id: str, line: str, start: str | None = None, *settings: str, **options: Any) -> Match:
    game = load(id)
    rules = variant(game, settings)
    state = None if start is None else game.read_position(rules, start)
    match = Match(game, rules, start=state, **options)
    for word in line.split(", "):
        follow(match, word)
    return match


def of(match: Match) -> Review:
    return exact(review(Record(match)))


def worked_example(id: str) -> Review:
    (record,) = reads(example(load(id)).read_text(encoding="utf-8"))
    return exact(review(record))


# The worked examples


@pytest.mark.parametrize("id", ROOMS)
def test_the_sums_of_the_worked_examples_are_exact(id: str) -> None:
    worked_example(id)


def test_in_towers_sample_game_turn_7_threw_the_win_away_and_turn_8_gave_it_back() -> None:
    each = worked_example("tower")
    wrong = [(one.turn, one.seat, one.move, one.lost, one.better, one.mark) for one in each.decisions if one.lost]
    assert wrong == [
        (7, 0, "attack", 1.0, ("build 4",), "blunder"),
        (8, 1, "build 2", 1.0, ("build 4",), "blunder"),
    ]
    assert each.accounting == Accounting(1, 0, -2, 2, 0, 0, 1)


def test_in_the_decks_sample_game_luck_and_three_heals_made_the_result() -> None:
    each = worked_example("deck")
    assert each.accounting.start == pytest.approx(2 * 0.6217988601732 - 1)
    assert each.accounting.player1 == 0
    marks = [(one.turn, one.move, one.mark) for one in each.decisions if one.mark]
    assert marks == [(2, "heal", "mistake"), (4, "heal", "inaccuracy"), (6, "heal", "mistake")]
    assert accounting(each) == [
        "From the start to the result, in win probability of Player 1:",
        "  at the start             62.18 %",
        "  luck of the cards       +19.34",
        "  Player 1's decisions      0.00",
        "  Player 2's decisions    +18.48",
        "  the result              100.00 %  (Player 1 wins)",
    ]


def test_an_unfinished_game_comes_to_its_last_position() -> None:
    each = worked_example("secret")
    assert each.unfinished
    assert accounting(each)[-1] == "  the last position        75.00 %  (not over yet)"


# Random games


@pytest.mark.parametrize("id", [slow_if(id == "secret", id) for id in ROOMS])
def test_luck_and_skill_add_up_in_random_games(id: str) -> None:
    game = load(id)
    fouls = 0
    for seed in range(50):
        match = Match(game, first=seed % 2, seed=seed)
        match.run((CarelessPlayer(seed), CarelessPlayer(seed)))
        each = of(match)
        assert len([one for one in each.decisions if one.seat == 0]) >= 1
        shown = re.findall(r"[-+]?\d+\.\d\d", "\n".join(accounting(each)))
        hundredths = [round(100 * float(number)) for number in shown]
        assert sum(hundredths[:-1]) == hundredths[-1]  # what is shown adds up as well
        fouls += any(match.state.forfeit) if id == "secret" else 0
    assert id != "secret" or fouls > 5


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("id", [slow_if(id == "secret", id) for id in ROOMS])
def test_a_perfect_player_loses_nothing(id: str, seat: int) -> None:
    game = load(id)
    for seed in range(12):
        match = Match(game, first=seed % 2, seed=seed)
        players: list[Player] = [RandomPlayer(seed), PerfectPlayer(seed)]
        match.run(players if seat == 1 else players[::-1])
        assert max(one.lost for one in of(match).decisions if one.seat == seat) < EXACT


# Ends of every kind


def test_a_forfeit_loses_all_that_there_was() -> None:
    each = of(played("secret", "10/9", "100 100 10 10"))
    assert each.accounting == Accounting(0, 0, -1, 0, 0, 0, -1)
    each = of(played("secret", "8/9", "100 98 9 9"))
    assert each.decisions[1].lost == each.decisions[1].before


def test_a_forfeit_that_meets_a_bad_pick_lets_it_off() -> None:
    each = of(played("secret", "10/1", "100 100 10 10"))
    assert each.accounting == Accounting(0, 0, -1, 1, -1, 0, -1)


def test_two_forfeits_at_once_are_a_draw() -> None:
    each = of(played("secret", "9/7", "98 96 9 7"))
    assert each.accounting == Accounting(1, 0, -2, 0, 1, 0, 0)
    assert accounting(each)[-1] == "  the result               50.00 %  (nobody wins)"


def test_a_void_round_changes_nothing() -> None:
    settings = ("hp=6", "highest=4", "double_forfeit=void")
    each = of(played("secret", "3/3, 4/4, 4/4, 2/1", None, *settings))
    assert each.curve[2] == each.curve[3]


def test_a_resignation_is_a_term_of_its_own() -> None:
    match = played("tower", "build 4, build 4")
    match.resign(0)
    each = of(match)
    assert each.accounting == Accounting(1, 0, 0, 0, 0, -2, -1)
    assert each.curve == (1, 1, 1, -1)
    assert accounting(each)[4:] == [
        "  the resignation        -100.00",
        "  the result                0.00 %  (Player 2 wins)",
    ]
    (again,) = reads(writes(Record(match)))
    assert exact(review(again)).accounting == each.accounting


def test_a_resignation_before_the_first_move_is_all_there_was() -> None:
    match = Match(load("deck"))
    match.resign(1)
    each = of(match)
    assert each.decisions == ()
    assert each.accounting.ended == pytest.approx(1 - each.accounting.start)


def test_who_lets_a_lost_game_end_sooner_than_need_be_is_told() -> None:
    """Between two people nobody knows a chance; a hint knows that defend holds out for 14 moves and attack for 6."""
    each = of(played("energy", "defend, defend, attack, attack"))
    _, _, slip, answer = each.decisions
    assert (slip.lost, slip.lost_here, slip.sooner, slip.better, slip.mark) == (0, None, 8, ("defend",), "")
    assert slip.worse
    assert not answer.worse
    assert cost(each, slip) == "lost 8 moves sooner"
    assert table(each)[3].text.endswith("defend  8 sooner")
    assert reasons(each)[1].text.startswith("  Turn 3, Player 1: attack (better: defend).")
    assert worst(each.decisions) == [slip]


THROWN_AWAY = (
    "build 4, build 4, build 4, build 4, build 4, build 4, attack, attack, build 2, attack, attack, build 2, build 4, "
    "build 4, build 4"
)
"""Both throw a won game away more than once. At last Player 1 builds beyond the goal."""


def test_of_slips_that_lost_all_the_one_that_decided_the_game_is_explained() -> None:
    """Under perfect play all of them lost as much; against level 3 only the last one did."""
    match = played("tower", THROWN_AWAY)
    found = review(Record(match, ("human", "level:3")))
    lost = [each for each in found.decisions if each.lost == 1]
    assert [(each.turn, each.seat) for each in lost] == [(7, 0), (8, 1), (9, 0), (12, 1), (15, 0)]
    assert [each.turn for each in worst(found.decisions)] == [15, 7, 9, 12, 8], "what it cost the person, then the last"
    told = [line.text for line in reasons(found) if line.text.startswith("  Turn ")]
    assert [words.partition(",")[0] for words in told] == ["  Turn 7", "  Turn 9", "  Turn 15"]
    between_people = worst(review(Record(match)).decisions)
    assert [each.turn for each in between_people] == [15, 12, 9, 8, 7]


@pytest.mark.parametrize("id", ROOMS)
@pytest.mark.parametrize("names", [("Player 1", "Player 2"), ("Maximilian the First", "Wilhelmina of Orange")])
def test_a_row_of_the_table_fits_the_window(id: str, names: tuple[str, str]) -> None:
    (record,) = reads(example(load(id)).read_text(encoding="utf-8"))
    record.match.names = names
    found = review(record._replace(seats=("human", "level:3")))
    whole = table(found)
    assert table(found, max(len(line.text) for line in whole)) == whole
    for width in (79, 49, 39):
        *rows, last = table(found, width)
        assert all(len(line.text) <= width for line in rows), width
        assert rows[0].text.split()[0] == "Turn"
        assert rows[0].text.endswith("Mark")
        assert (len(last.text) <= width) or last.text.startswith("Left out where the window is narrow: ")
        assert (not last.text.startswith("Left out")) == (len(rows) + 1 == len(whole)), "what is left out is said"


def test_the_heading_says_which_program_it_was() -> None:
    match = played("tower", "build 4")
    assert heading(review(Record(match))) == "Tower Defense Duel: Player 1 against Player 2, unfinished."
    met = heading(review(Record(match, ("human", "level:2"))), yours=True)
    assert met == f"Tower Defense Duel: Player 1 against Player 2 ({short_kind('level:2')}), unfinished."


def ended(match: Match, by: int) -> str:
    match.resign(by)
    return flawless(of(match))


def test_who_resigned_is_not_told_that_nobody_gave_anything_away() -> None:
    assert ended(Match(load("deck")), 0) == "Nobody decided anything. The resignation cost Player 1 62 %."
    praised = "No decision gave anything away: each was as good as the best there was."
    assert ended(played("tower", "build 4"), 0) == f"{praised} The resignation cost Player 1 100 %."
    lost = (
        "Player 1's decisions gave nothing away. Player 2 had nothing to give away: against perfect play this was lost"
    )
    assert ended(played("tower", "build 4, build 4"), 1) == f"{lost} from the first decision on."
    cut = flawless(of(played("tower", "build 4", max_turns=1)))
    assert cut == f"{praised} The bell cost Player 1 50 %."


def test_who_played_is_told_of_themselves() -> None:
    def told(match: Match, by: int, *seats: str) -> str:
        match.resign(by)
        return flawless(review(Record(match, (seats[0], seats[1]))), yours=True)

    nobody = "Nobody decided anything."
    assert told(Match(load("deck")), 1, "level:3", "human") == f"{nobody} The resignation cost you 38 %."
    assert told(Match(load("deck")), 0, "level:3", "human") == f"{nobody} The resignation cost Player 1 62 %."
    assert told(Match(load("deck")), 1, "human", "human") == f"{nobody} The resignation cost Player 2 38 %."
    lost = "had nothing to give away: against perfect play this was lost from the first decision on."
    line = "build 4, build 4"
    assert told(played("tower", line), 1, "level:3", "human") == (f"Player 1's decisions gave nothing away. You {lost}")
    assert told(played("tower", line), 1, "human", "level:3") == (f"Your decisions gave nothing away. Player 2 {lost}")


def test_the_bell_is_a_term_of_its_own() -> None:
    each = of(played("tower", "build 4, build 4", max_turns=2))
    assert each.accounting == Accounting(1, 0, 0, 0, 0, -1, 0)
    assert accounting(each)[4:] == [
        "  the bell                -50.00",
        "  the result               50.00 %  (no result, which counts as half)",
    ]


def test_a_card_that_was_drawn_but_not_played_counts_as_luck() -> None:
    each = of(played("deck", "7:attack, 4:"))
    assert each.waiting is not None
    cards, luck = each.waiting
    assert (cards, round(luck, 6)) == ("4:", -0.060353)
    assert table(each)[-1].text.split() == ["2", "Player", "2", "4:", "-6.0"]


def test_a_game_from_a_position_begins_with_what_it_is_worth() -> None:
    assert of(played("tower", "build 1", "5 8 1")).accounting == Accounting(1, 0, -2, 0, 0, 0, -1)
    assert of(played("conquer", "attack", "1h 1h 1")).accounting == Accounting(1, 0, 0, 0, 0, 0, 1)


def test_a_game_by_other_rules_is_weighed_by_them() -> None:
    assert of(played("energy", "attack", "2 3 1", "both_empty=defender")).accounting.result == -1


# Several games


def test_averages_are_taken_by_name_over_all_games() -> None:
    one = played("tower", "build 1, build 4", "5 8 1", names=("Ada", "Bo"))
    two = played("tower", "build 4", "5 8 1", names=("Bo", "Cy"))
    ada, bo, cy = averages([of(one), of(two)])
    assert (ada.name, ada.games, ada.decisions, ada.mean, ada.interval) == ("Ada", 1, 1, 1.0, None)
    assert (bo.name, bo.games, bo.decisions, bo.mean, bo.interval) == ("Bo", 2, 2, 0.0, None)
    assert (cy.decisions, cy.mean) == (0, 0.0)
    assert average_lines([ada, bo, cy])[1:] == [
        "  Ada: 100.00, 1 decision in 1 game: 1 blunder",
        "  Bo: 0.00, 2 decisions in 2 games",
        "  Cy: no decision yet",
    ]


def test_marks_are_counted() -> None:
    _, second = averages([worked_example("deck")])
    assert second.marks == {"blunder": 0, "mistake": 2, "inaccuracy": 1}


def test_an_interval_compares_games_and_not_decisions() -> None:
    """In half of these games every decision loses 0.2, in the others none: twenty facts, however many decisions."""
    for length in (1, 10, 100):
        found = interval([[0.2] * length, [0.0] * length] * 10)
        assert found is not None
        assert found.margin == pytest.approx(2.093 * stdev([0.2, 0.0] * 10) / sqrt(20), rel=0.005)


def test_a_long_game_counts_for_more_than_a_short_one() -> None:
    """The interval of a ratio, against how far the average goes when each game in turn is left out."""
    dice = Random(1)
    games = [[dice.random() * dice.random() for _ in range(dice.randint(1, 30))] for _ in range(40)]
    without = [[lost for at, game in enumerate(games) if at != left for lost in game] for left in range(40)]
    means = [fsum(losses) / len(losses) for losses in without]
    found = interval(games)
    assert found is not None
    assert found.margin == pytest.approx(2.0227 * stdev(means) * 39 / sqrt(40), rel=0.03)


@pytest.mark.parametrize(
    "games", [[[0.1, 0.3]], [[0.1], [0.2]] * 9 + [[0.3]], [[0.1]] * 19 + [[]] * 20, [[0.0] * 30] * 30], ids=len
)
def test_there_is_no_interval_of_few_games_or_where_nothing_was_lost(games: list[list[float]]) -> None:
    assert interval(games) is None


def test_review_and_arena_agree_on_how_sure_they_are() -> None:
    finished = held(("level:4", "level:3"), ("deck",), 40, play=True)
    arena = qualities(finished.programme.plan.entrants, finished.results)
    coach = averages(review(reads(result.record)[0]) for result in finished.results)
    for one, two in zip(arena, sorted(coach, key=lambda each: each.name, reverse=True), strict=True):
        assert one.overall is not None
        assert one.overall.high is not None
        assert two.interval is not None
        assert one.name == two.name
        assert one.overall.mean == pytest.approx(two.mean)
        assert 0.7 < two.interval.margin / (one.overall.high - one.overall.mean) < 1.4


# What is shown


def test_how_many_moves_are_better_cannot_be_read_as_a_move() -> None:
    """In secret, `any of 4 other moves` looked as if the pick 4 were better: the only numbers named are moves."""
    assert in_words(("8", "9", "10")) == "8, 9 or 10"
    assert in_words(("10", "9", "8", "7", "6")) == "10, 9, 8 or others"


@pytest.mark.parametrize("turns", [1, 12, 60, 71, 72, 200, 1000])
def test_the_graph_fits_80_columns_and_letters_that_every_terminal_has(turns: int) -> None:
    match = Match(load("conquer"), max_turns=turns)
    while match.outcome is None:
        match.play(match.turn, 1 if match.turns % 2 else 2 if match.turns % 4 else 1)
    lines = text_graph(of(match))
    assert max(map(len, lines)) < 80 + 1
    assert {letter for line in lines for letter in line if not letter.isascii()} <= {"█"}
    assert any(line.startswith("  50 % -") for line in lines)


def test_the_graph_marks_the_turns_that_went_wrong() -> None:
    lines = text_graph(worked_example("tower"))
    marks, numbers, legend = lines[-3:]
    assert [numbers[at:].split()[0] for at in (place.start() for place in re.finditer(r"\?\?", marks))] == ["7", "8"]
    assert legend == "Marks: ?? blunder."


@pytest.mark.parametrize("resigned", [True, False])
@pytest.mark.parametrize("moves", [0, 1, 5, 80])
def test_the_column_that_no_turn_has_made_is_called_the_end(moves: int, resigned: bool) -> None:
    """A resignation threw away all that there was, in a column that stood for a turn after the last."""
    match = Match(load("conquer"), start=load("conquer").read_position(load("conquer").book, "1r 1r 1"))
    for at in range(moves):
        match.play(match.turn, 1 if at % 2 == 0 else 2)
    assert match.outcome is None
    if resigned:
        match.resign(match.turn)
    found = of(match)
    assert found.ends_apart == resigned
    *_, numbers = (line for line in text_graph(found) if line.strip().startswith("0 ") or line.strip() == "end")
    assert found.ends_apart == numbers.endswith("end")
    assert len(found.curve) == moves + 1 + found.ends_apart
    assert str(moves + 1) not in numbers.split()


@pytest.mark.parametrize("moves", [5, slow(0), slow(1), slow(80)])
def test_so_it_is_in_a_picture(moves: int) -> None:
    match = Match(load("conquer"), start=load("conquer").read_position(load("conquer").book, "1r 1r 1"))
    for at in range(moves):
        match.play(match.turn, 1 if at % 2 == 0 else 2)
    match.resign(match.turn)
    drawn_words = re.findall("<!-- (.*) -->", drawn([of(match)], "svg").decode())
    below = drawn_words[: drawn_words.index("turn")]
    assert (below[0], below[-1]) == ("0", "end")
    assert str(moves + 1) not in below


def review_of(*words: str) -> Any:
    done = CliRunner().invoke(command, list(words), catch_exceptions=False, standalone_mode=False)
    assert done.exit_code == 0
    return done.stdout


def test_json_says_it_all() -> None:
    said = json.loads(review_of("tower", "deck", "--json"))
    assert [game["game"] for game in said["games"]] == ["tower", "deck"]
    for game in said["games"]:
        *terms, result = game["win_probability"].values()
        assert abs(sum(terms) - result) < EXACT
        assert result in (0, 0.5, 1)
    assert said["games"][0]["decisions"][6]["better"] == ["build 4"]
    assert [(each["name"], each["games"]) for each in said["players"]] == [("Player 1", 2), ("Player 2", 2)]


def test_one_game_of_a_file_with_several(tmp_path: Path) -> None:
    file = tmp_path / "several.duel"
    games = [played("tower", moves, "5 8 1") for moves in ("build 4", "build 1, build 4", "attack")]
    file.write_text("\n".join(writes(Record(game)) for game in games), encoding="utf-8")
    assert len(json.loads(review_of(str(file), "--json"))["games"]) == 3
    (second,) = json.loads(review_of(str(file), "--game", "2", "--json"))["games"]
    assert [each["move"] for each in second["decisions"]] == ["build 1", "build 4"]
    for command_of in (command, replay):
        done = CliRunner().invoke(command_of, [str(file), "--game", "4"])
        assert str(done.exception) == f"{file} holds 3 games; there is no number 4."
        assert CliRunner().invoke(command_of, [str(file), "--game", "0"]).exit_code == 2


def test_ones_own_game_is_told_again_to_who_played_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    text = writes(Record(played("tower", "build 1, build 4", "5 11 1"), seats=("human", "level:1")))
    save, sent = new_save("tower", "20260102-030405"), tmp_path / "sent.duel"
    save.write(text)
    sent.write_text(text, encoding="utf-8")
    mine, anothers = (CliRunner().invoke(replay, [name, "--fast"]).stdout for name in (save.id, str(sent)))
    assert "you (Player 1) against level 1" in mine
    assert mine.rstrip().endswith("You lost.")
    assert anothers.rstrip().endswith("Player 2 wins!")


@pytest.mark.slow
def test_the_picture_of_the_course_fits_a_narrow_window_without_colours_too(monkeypatch: pytest.MonkeyPatch) -> None:
    sink = io.StringIO()
    console = Console(plain=True, sink=sink)
    console.is_window = True
    monkeypatch.setattr(Console, "width", 50)
    show([worked_example("tower")], console, yours=[False])
    lines = sink.getvalue().splitlines()
    (half,) = (line for line in lines if line.startswith("  50 %"))
    assert half.startswith("  50 % ---"), "in one piece"
    assert max(map(len, lines)) < 50


def test_a_date_looks_as_in_the_list_of_games() -> None:
    assert Record(Match(load("tower")), date="2026.11.18").day == "2026-11-18"
    assert Record(Match(load("tower"))).day == ""


def test_pictures_are_pictures_and_come_out_the_same_twice(tmp_path: Path) -> None:
    png, svg, again = tmp_path / "game.png", tmp_path / "game.svg", tmp_path / "again.svg"
    review_of("secret", "tower", "--png", str(png), "--svg", str(svg))
    review_of("secret", "tower", "--svg", str(again))
    assert png.read_bytes().startswith(b"\x89PNG")
    assert ElementTree.fromstring(svg.read_text(encoding="utf-8")).tag.endswith("svg")
    assert svg.read_bytes() == again.read_bytes()


def test_a_picture_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(DuelError, match="nowhere does not exist"):
        review_of("tower", "--png", str(tmp_path / "nowhere" / "game.png"))


def test_without_matplotlib_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name.split(".")[0] == "matplotlib":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(DuelError, match=re.escape("Pictures need Matplotlib: pip install 'duelbook[plots]'")):
        review_of("tower", "--svg", str(tmp_path / "game.svg"))


def test_a_game_that_cannot_be_solved_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def unsolved(*_: Any) -> Any:
        raise DuelError("It needs Numba.")

    monkeypatch.setattr("duelbook.coach.review.solution_at", unsolved)
    with pytest.raises(DuelError, match="tower cannot be reviewed: It needs Numba"):
        review_of("tower")


def test_positions_are_those_before_the_decision() -> None:
    each = of(played("tower", "build 1, build 4", "5 8 1"))
    assert [one.position for one in each.decisions] == ["5 8 1", "6 8 2"]
    assert position(load("tower"), each.decisions[1].position) == each.match.steps[1].before


def test_the_second_number_is_told_to_you_and_nothing_twice() -> None:
    match = Match(load("energy"))
    for move in (0, 0, 0, 0):  # the second player attacks back and wins
        match.play(match.turn, move)
    assert match.outcome is not None
    found = review(Record(match, ("level:1", "human")))
    *_, meaning, last = two_numbers(found, yours=True)
    assert meaning == (
        "vs level 1: against level 1, for you, who would play perfectly from there, and what the move cost of that."
    )
    assert last == "Against level 1 you had 100 % at the start, and never less."
    assert "for Player 2, who" in two_numbers(found)[1]


def test_what_moves_sooner_means_is_said_where_it_stands() -> None:
    match = Match(load("energy"))
    for move in (0, 0, 0, 0):
        match.play(match.turn, move)
    found = review(Record(match, ("human", "human")))
    assert any(line.text.endswith("6 sooner") for line in table(found))
    (said,) = legend(found)
    assert said.startswith("Sooner: it was lost already")
    assert legend(review(Record(Match(load("tower"))))) == []

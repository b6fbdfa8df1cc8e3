"""The coach: hints that agree with the solution, words that people can use, and a word during play."""

from __future__ import annotations

import io
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from duelbook import load
from duelbook.coach.coach import Coach
from duelbook.coach.hint import Hint, hint
from duelbook.coach.reasons import reason
from duelbook.coach.words import SAME, adding_up, fall, mark, percent, percents, points
from duelbook.core import BOTH, LUCK, OVER, DuelError, variant
from duelbook.games import ROOMS
from duelbook.line.console import Console, EndOfInput, Quit
from duelbook.line.session import AFTER_A_ROUND, AFTER_A_SLIP, Session
from duelbook.match import Match
from duelbook.record import Record
from duelbook.solving.library import solution_at, solution_for
from duelbook.table.host import Host
from duelbook.table.keeper import Keeper
from helpers import position, sampled
from terminal_helper import PROMPTS, on_one_line, terminal


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is solved here is kept here."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def hinted(id: str, at: str, *settings: str, seat: int | None = None) -> Hint:
    game = load(id)
    state = position(game, at, *settings)
    return hint(solution_at(game, variant(game, settings), state), state, seat)


SENTENCES = [
    ("tower", "0 0 1", "build 2: whatever they do, you win in at most 21 moves."),
    ("tower", "5 8 1", "build 4: whatever they do, you win in at most 13 moves, and nothing else wins."),
    ("tower", "11 8 1", "build 4: it wins at once."),
    ("tower", "14 14 2", "build 1: it wins at once."),
    (
        "conquer",
        "10r 10r 1",
        "attack: nobody can force a win here and no move loses; this one does best against somebody who errs.",
    ),
    ("conquer", "2h 3r 1", "defend: nobody can force a win here; only defend holds, attack and heal lose."),
    ("conquer", "2r 3h 2", "attack: it wins at once."),
    ("energy", "10 10 1", "Every move loses if they play well; defend holds out longest, for 16 moves."),
    ("energy", "1 1 1 p", "pass: nobody can force a win here; only pass holds, defend loses."),
    ("deck", "20 13 1 1-3,5,6,8-10:4", "attack: it wins 86 %, heal only 69 %."),
    ("deck", "7 4 1 1-3,5,6,8-10:4", "attack: it wins at once."),
    ("deck", "20 20 1 1-10", "Draw first: before the card is seen you win 62 %; a 10 would make it 85 %, a 1 39 %."),
    ("deck", "1 1 1 1-10", "Draw first: before the card is seen you win 100 %."),
    ("secret", "100 100 - -", "10: whatever they pick, you give nothing away; nobody can force a win here."),
    ("secret", "98 96 9 7", "10: whatever they pick, you win in the end; with 8 you do too."),
    (
        "secret",
        "100 99 8 8",
        "10 (50 %) or 9 (50 %), at random: whatever they pick, you keep 75 %; "
        "any one pick that they foresaw would keep only 50 %.",
    ),
]


@pytest.mark.parametrize(("id", "at", "why"), SENTENCES)
def test_a_hint_says_why_in_a_sentence(id: str, at: str, why: str) -> None:
    assert hinted(id, at).why == why


def test_a_hint_says_what_each_choice_comes_to() -> None:
    assert hinted("tower", "5 8 1").lines()[1:] == [
        "If they knock off 3, build 4 again: you come nearer to 15 with every exchange (9, then 10).",
        "With them at 8 and to move, your tower loses at 6 or 7 and wins at 9.",
        "  build 4  wins in at most 13 moves  <- best",
        "  attack   loses in 14 moves, they answer build 4",
        "  build 2  loses in 10 moves, they answer build 4",
        "  build 1  loses in 8 moves, they answer build 4",
        "Best play: build 4, attack, build 4, attack, build 4, attack, build 4, attack, ...",
    ]


@pytest.mark.slow
def test_a_hint_works_where_play_from_the_start_does_not_lead() -> None:
    game = load("conquer")
    state = position(game, "1h 1h 1")
    assert not solution_for(game, game.book).holds(state)
    assert hinted("conquer", "1h 1h 1").why == "attack: it wins at once."


def test_a_hint_follows_the_rules_of_the_table() -> None:
    assert hinted("energy", "2 3 1").why == "attack: it wins at once."
    assert hinted("energy", "2 3 1", "both_empty=draw").choices[0].about == "draws at once"
    assert hinted("energy", "2 3 1", "both_empty=defender").wins == 0


def test_there_is_no_hint_when_the_game_is_over() -> None:
    with pytest.raises(DuelError, match="The game is over at 15 3 2: there is nothing left to choose"):
        hinted("tower", "15 3 2")


@pytest.mark.parametrize("id", ROOMS)
def test_the_best_choice_is_worth_what_the_position_is(id: str) -> None:
    game = load(id)
    solution = solution_for(game, game.book)
    for state in sampled(game, game.book, 50):
        turn = game.turn(game.book, state)
        if turn == OVER:
            continue
        for seat in (0, 1) if turn == BOTH else (None,):
            given = hint(solution, state, seat)
            assert given.why.endswith(".")
            assert len(given.lines()) >= 2
            if turn == LUCK:
                mean = sum(choice.share * choice.wins for choice in given.choices)
                assert mean == pytest.approx(given.wins, abs=1e-9)
                continue
            assert sum(choice.share for choice in given.choices) == pytest.approx(1)
            for choice in given.choices:
                assert choice.wins <= given.wins + 1e-9
                if choice.best:
                    assert choice.wins == pytest.approx(given.wins, abs=1e-9)


def test_a_pick_is_held_against_every_perfect_answer() -> None:
    """Where the other is lost, all answers are as good; the one that punishes a pick most is what the pick is worth."""
    game = load("secret")
    solution, state = solution_for(game, game.book), position(game, "98 96 9 7")
    assert solution.value(state) == 1
    worth = [{option.move + 1: option.value for option in solution.options(state, seat)} for seat in (0, 1)]
    assert [worth[0][number] for number in (10, 8, 7, 6, 1)] == [1, 1, 0, -1, -1]
    assert [worth[1][number] for number in (10, 1)] == [1, 1]
    assert [solution.loss(state, 0, number - 1) for number in (10, 7, 6, 9)] == [0, 1, 2, 2]  # a repeat forfeits


# Numbers as people read them


def test_percentages_are_never_surer_than_they_are() -> None:
    shown = [percent(each) for each in (0, 0.001, 0.004, 0.41, 0.996, 0.9999, 1)]
    assert shown == ["0 %", "under 1 %", "under 1 %", "41 %", "over 99 %", "over 99 %", "100 %"]
    assert percents(0.4712, 0.4689) == ["47.1 %", "46.9 %"]
    assert percents(0.5, 0.5) == ["50 %", "50 %"]
    assert percents(0.9996, 0.98) == ["over 99 %", "98 %"]
    assert percents(0.99996, 0.9991) == ["99.996 %", "99.910 %"]
    assert percents(1.0, 0.0) == ["100 %", "0 %"]
    assert percents(0.00002, 0.0) == ["under 1 %", "0 %"], "what is certain needs no decimals"
    assert percents(0.9999991, 0.9999989) == ["over 99 %", "over 99 %"], "nor does what nobody could tell apart"


def test_what_went_is_the_difference_of_what_is_shown() -> None:
    assert fall(0.81, 0.47) == ("81 %", "47 %", "34 %")
    assert fall(1.0, 0.002) == ("100 %", "under 1 %", "over 99 %")
    assert fall(0.446, 0.354) == ("44.6 %", "35.4 %", "9.2 %")
    assert fall(0.26056, 0.18533) == ("26.0 %", "18.5 %", "7.5 %")  # which adds up: 26.1 is no more wrong than 26.0
    assert fall(0.493731, 0.315366) == ("49.4 %", "31.6 %", "17.8 %")
    assert fall(0.5004, 0.5001) == ("50.04 %", "50.01 %", "0.03 %")


def test_of_a_fall_nothing_is_called_certain_that_is_not_and_nothing_that_went_is_called_nothing() -> None:
    assert fall(0.99963, 0.7047) == ("99.96 %", "70.47 %", "29.49 %")
    assert fall(0.24517, 0.000514) == ("24.6 %", "0.1 %", "24.5 %")
    assert fall(0.025468146, 0.025466969) == ("2.547 %", "2.547 %", "under 0.001 %")
    assert fall(1.0, 1 - 4e-7) == ("100 %", "over 99.999 %", "under 0.001 %")
    assert fall(4e-7, 0.0) == ("under 0.001 %", "0 %", "under 0.001 %")
    lots = Random(5)
    for _ in range(5000):
        was = lots.choice((1.0, lots.random(), 1 - 10 ** -lots.uniform(1, 8)))
        now = lots.choice(
            (0.0, was * lots.random(), was * (1 - 10 ** -lots.uniform(1, 6)), was * 10 ** -lots.uniform(1, 8))
        )
        shown = dict(zip(fall(was, now), (was, now, was - now), strict=True))
        for words, exact in shown.items():
            assert not re.fullmatch(r"(0|100)(\.0+)? %", words) or min(exact, 1 - exact) <= SAME, (was, now, shown)
    assert fall(1.0e-4, 2.4e-7) == ("0.010 %", "under 0.001 %", "0.010 %")


def test_marks_begin_at_two_five_and_twenty_points() -> None:
    marks = [mark(each) for each in (0, 0.0199, 0.02, 0.0499, 0.05, 0.1999, 0.2, 1)]
    assert marks == ["", "", "inaccuracy", "inaccuracy", "mistake", "mistake", "blunder", "blunder"]


def test_rounded_parts_add_up() -> None:
    assert adding_up([1 / 3, 1 / 3, 1 / 3]) in ([3334, 3333, 3333], [3333, 3334, 3333], [3333, 3333, 3334])
    assert adding_up([0.62179886, -0.00004, 0.37824114]) == [6218, 0, 3782]
    assert [points(each) for each in (0.032, -0.0004, -0.004)] == ["+3.2", "0.0", "-0.4"]


# During play


def sit(
    id: str, typed: str, *, start: str | None = None, coaching: bool = False, bar: bool = False
) -> tuple[Match, str]:
    """Two people with a script: the match and everything that was said."""
    game = load(id)
    match = Match(game, start=None if start is None else position(game, start), seed=4)
    sink = io.StringIO()
    console = Console(source=io.StringIO(typed), sink=sink)
    host = Host(Keeper(Record(match), None, None), (None, None), coaching=coaching)
    session = Session(host, console, bar=bar)
    with pytest.raises((Quit, EndOfInput)):  # the script leaves, by a word or by its end
        session.run()
    return match, sink.getvalue()


SLIP = [
    "That gave away 100 % (a blunder: 100 % before, 0 % after, under perfect play).",
    "To Player 1: They build 4, you attack, they build 4, you attack ...",
    "After that they outbuild your attacks: each knocks off 3, they build 4 and come nearer to 15 (12, then 13).",
    "With them at 8 and to move, your tower loses at 6 or 7 and wins at 9.",
    "Better was build 4.",
]


def test_a_script_is_told_and_not_asked() -> None:
    match, said = sit("tower", "build 1\nquit\n", start="5 8 1", coaching=True)
    assert [line for line in said.splitlines() if line in SLIP] == SLIP
    assert "Try again" not in said
    assert match.turns == 1


def test_a_good_move_is_not_talked_about() -> None:
    _, said = sit("tower", "build 4\nquit\n", start="5 8 1", coaching=True)
    assert "gave away" not in said


def test_picks_are_weighed_once_both_are_in() -> None:
    _, said = sit("secret", "5\n", start="98 96 9 7", coaching=True)
    assert "gave away" not in said
    _, said = sit("secret", "5\n6\nquit\n", start="98 96 9 7", coaching=True)
    assert "Player A's pick gave away 100 % (a blunder: 100 % before, 0 % against perfect picks)" in said
    assert "Player B's pick" not in said


def test_a_hint_knows_nothing_of_a_sealed_pick() -> None:
    game = load("secret")
    match = Match(game, start=position(game, "100 99 8 8"))
    before = Coach(match).hint(1)
    match.play(0, 0)
    assert Coach(match).hint(1) == before


def test_the_bar_shows_both_sides() -> None:
    _, said = sit("deck", "attack\nquit\n", start="20 20 1 1-3,5-10:4", bar=True)
    assert "Perfect play: Player 1 55 % |###########.........| 45 % Player 2" in said
    game = load("tower")
    assert Coach(Match(game)).bar() == ["Perfect play: Player 1 100 % |####################| 0 % Player 2"]


def test_a_duel_that_cannot_be_solved_is_played_without_a_coach(monkeypatch: pytest.MonkeyPatch) -> None:
    def unsolved(*_: Any) -> Any:
        raise DuelError("Solving Number Duel (deck) under rules of your own needs Numba: pip install 'duelbook[fast]'")

    monkeypatch.setattr("duelbook.coach.coach.solution_at", unsolved)
    match, said = sit("deck", "hint\n\nheal\nquit\n", coaching=True, bar=True)
    assert said.startswith("The coach has nothing to say here. Solving Number Duel (deck) under rules of your own")
    assert "There is no hint here. Solving Number Duel (deck)" in said
    assert match.turns == 1


TRY_OR_SHOW = r"Try again, show me or keep it\? "


def test_at_a_terminal_a_move_can_be_taken_back_at_once(tmp_path: Path) -> None:
    words = ("play", "--line", "tower", "--from", "5 8 1", "--p2", "perfect", "--coach", "--bar")
    with terminal(*words, home=tmp_path) as window:
        window.wait_for(PROMPTS["tower"])
        window.enter("build 1")
        window.wait_for(TRY_OR_SHOW)
        assert "1. build 1 *" in window.moves()  # on disk before anything is said of it
        assert SLIP[-1] not in on_one_line(window.said)  # who wants to find it alone is not told
        window.enter("try again")
        window.wait_for(PROMPTS["tower"])
        assert window.moves() == "*"
        window.enter("build 1")
        window.wait_for(TRY_OR_SHOW)
        window.enter("maybe")
        window.wait_for(r"Please say try again, show me or keep it, or t, s or g\.")
        window.enter("help")
        window.wait_for(r"Here you can say try again, show me or keep it, or t, s or g; or quit\.")
        window.enter("show")
        window.wait_for(r"Try again or keep it\? ")
        assert all(line.removeprefix("To Player 1: ") in on_one_line(window.said) for line in SLIP)
        window.enter("k")
        window.wait_for(PROMPTS["tower"])
        assert window.moves() == "1. build 1 build 4 *"
        window.enter("undo")
        window.wait_for(PROMPTS["tower"])
        assert window.moves() == "*"
        window.enter("hint")
        window.wait_for(PROMPTS["tower"])
        window.enter("quit")
        assert window.ends() == 0
        said = on_one_line(window.said)
    assert "Taken back: Player 1's last move (build 1)." in said
    assert "Player 1 0 % |░░░░░░░░░░░░░░░░░░░░| 100 % Player 2" in said
    assert "build 4: whatever they do, you win in at most 13 moves, and nothing else wins." in said


@pytest.mark.parametrize(
    ("ways", "chosen", "words"),
    [
        (AFTER_A_SLIP, "try again", ("t", "try", "again", "undo", "take it back")),
        (AFTER_A_SLIP, "show me", ("s", "show", "why")),
        (AFTER_A_SLIP, "keep it", ("g", "go on", "k", "keep", "n", "no")),
        (AFTER_A_ROUND, "show me", ("s", "why", "yes")),
        (AFTER_A_ROUND, "go on", ("g", "", "no", "okay", "keep it")),
    ],
)
def test_the_coach_is_answered_in_the_words_of_the_full_screen(
    ways: dict[str, tuple[str, ...]], chosen: str, words: tuple[str, ...]
) -> None:
    host = Host(Keeper(Record(Match(load("tower"))), None, None), (None, None))
    for word in (chosen, *words):
        console = Console(source=io.StringIO(f"{word}\n"), sink=io.StringIO())
        assert Session(host, console)._one_of(ways) == chosen, word


def test_even_a_move_that_ended_the_game_can_be_taken_back(tmp_path: Path) -> None:
    with terminal("play", "--line", "tower", "--from", "14 12 1", "--coach", home=tmp_path) as window:
        window.wait_for(PROMPTS["tower"])
        window.enter("build 2")
        window.wait_for(TRY_OR_SHOW)
        window.enter("t")
        window.wait_for(PROMPTS["tower"])
        window.enter("build 1")
        window.wait_for(r"press Enter to leave: ")
        window.enter("")
        assert window.ends() == 0
        assert window.moves() == "1. build 1 1-0"


@pytest.mark.slow
def test_the_coach_stays_when_a_game_is_gone_on_with_and_so_does_the_name_from_the_settings(tmp_path: Path) -> None:
    (tmp_path / "duelbook").mkdir()
    (tmp_path / "duelbook" / "settings.json").write_text('{"name": "Ann"}', encoding="utf-8")
    with terminal("play", "--line", "tower", "--from", "5 8 1", "--p2", "random", "--coach", home=tmp_path) as window:
        assert "Ann, it's your turn." in window.wait_for(PROMPTS["tower"])
        window.enter("save")
        window.wait_for(PROMPTS["tower"])
        window.enter("quit")
        assert window.ends() == 0
        (file,) = window.files
    with terminal("resume", file.stem, "--line", home=tmp_path) as window:
        window.wait_for(PROMPTS["tower"])
        window.enter("attack")
        window.wait_for(TRY_OR_SHOW)
        assert window.record().match.names[0] == "Ann"


@pytest.mark.slow
def test_a_game_can_be_gone_on_with_under_the_coach(tmp_path: Path) -> None:
    with terminal("play", "--line", "tower", "--from", "5 8 1", home=tmp_path) as window:
        window.wait_for(PROMPTS["tower"])
        window.enter("save")
        window.wait_for(PROMPTS["tower"])
        window.enter("quit")
        assert window.ends() == 0
        (file,) = window.files
    with terminal("resume", file.stem, "--line", "--coach", home=tmp_path) as window:
        window.wait_for(PROMPTS["tower"])
        window.enter("attack")
        window.wait_for(TRY_OR_SHOW)
        window.enter("quit")
        assert window.ends() == 0
        assert window.moves() == "1. attack *"


@pytest.mark.slow
def test_show_me_has_an_idea_after_a_heal_with_nothing_to_heal() -> None:
    """Under perfect play it changes nothing, but against this opponent a chance is gone."""
    match = Match(load("conquer"))
    coach = Coach(match, ("human", "level:5"))
    coach.find_odds()
    match.play(0, 2)
    (remark,) = coach.remarks()
    assert remark.sentence.startswith("Against perfect play nothing changed, but against level 5 that gave away")
    assert remark.why[1:] == (
        "With 10 HP there is nothing to heal: the turn is gone.",
        "A heal leaves you exposed: their next attack deals 4 and not 2.",
        "Better was attack.",
    )


def test_of_a_move_without_an_idea_of_its_own_the_better_one_is_explained() -> None:
    game = load("tower")
    solution = solution_for(game, game.book)
    builds_1 = reason(solution, game.read_position(game.book, "1 0 1"), 0, 0)
    assert builds_1.ideas == (
        "Rather build 4. If they knock off 3, build 4 again: you come nearer to 15 with every exchange (5, then 6).",
    )
    lost = reason(solution, game.read_position(game.book, "3 8 1"), 0, 2)
    assert lost.ideas == ("Rather attack. It holds out for 4 moves more.",), (
        "why the best move loses is no reason for it"
    )

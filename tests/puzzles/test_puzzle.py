"""A puzzle has exactly one right answer, says so kindly, and is rated by how tempting the others are."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import cache

import pytest

from duelbook import load
from duelbook.coach.words import WORTH_SAYING
from duelbook.core import BOTH, LUCK, OVER, IllegalMove, Misread
from duelbook.games import ROOMS
from duelbook.puzzles.puzzle import Puzzle, choices, clues, judge, make, prompt, read, shown
from duelbook.puzzles.rating import BY_LOOKS, Candidate, rating_of
from duelbook.puzzles.source import all_puzzles, daily, random_puzzle
from duelbook.solving.library import solution_for
from duelbook.solving.solution import Solution
from helpers import position, reachable, sampled
from slow_helper import slow_if

SMALL = ("conquer", "energy", "tower")
LARGE = ("deck", "secret")
NEW_YEAR = date(2026, 1, 1)


def solved(id: str) -> Solution:
    game = load(id)
    return solution_for(game, game.book)


@cache
def puzzles(id: str) -> tuple[Puzzle, ...]:
    if id in SMALL:
        return all_puzzles(solved(id))
    dailies = [daily(load(id), NEW_YEAR + timedelta(days=day)) for day in range(40)]
    return (*dailies, *(random_puzzle(load(id), seed) for seed in range(40)))


def puzzle(id: str, at: str, seat: int | None = None) -> Puzzle:
    found = make(solved(id), position(load(id), at), seat)
    assert found is not None
    return found


def chances(solution: Solution, state: object, seat: int) -> dict[int, float]:
    """What each legal move is worth to a seat, asked of the solution alone."""
    options = solution.options(state, seat)
    return {move: (1 + value) / 2 if seat == 0 else (1 - value) / 2 for move, value, *_ in options}


@pytest.mark.parametrize("id", [slow_if(id in ("deck", "secret"), id) for id in ROOMS])
def test_exactly_one_move_keeps_what_the_position_is_worth(id: str) -> None:
    solution = solved(id)
    for each in puzzles(id):
        wins = chances(solution, each.state, each.seat)
        best = max(wins.values())
        assert len(wins) >= 2
        assert wins[each.answer] == best == pytest.approx(each.wins, abs=1e-9)
        assert {wrong.move for wrong in each.wrong} == set(wins) - {each.answer}
        for wrong in each.wrong:
            assert wrong.lost == pytest.approx(best - wins[wrong.move], abs=1e-9)
            assert wrong.lost >= WORTH_SAYING - 1e-9


@pytest.mark.parametrize("id", SMALL)
def test_no_puzzle_of_a_small_duel_is_missed(id: str) -> None:
    """Counted over all positions, mirrors and all, by another road."""
    solution = solved(id)
    game, rules = solution.game, solution.rules
    count = 0
    for state in reachable(game, rules):
        if game.turn(rules, state) == OVER:
            assert make(solution, state) is None
            continue
        wins = sorted(chances(solution, state, game.turn(rules, state)).values())
        only_one = len(wins) > 1 and wins[-1] > wins[-2]
        assert (make(solution, state) is not None) == only_one
        count += only_one
    assert count == 2 * len(puzzles(id))


@pytest.mark.parametrize("id", LARGE)
def test_other_positions_are_no_puzzles(id: str) -> None:
    solution = solved(id)
    game, rules = solution.game, solution.rules
    for state in sampled(game, rules, 200):
        turn = game.turn(rules, state)
        for seat in (0, 1) if turn == BOTH else (turn,):
            if turn in (LUCK, OVER):
                assert make(solution, state) is None
                continue
            wins = sorted(chances(solution, state, seat).values())
            margin = wins[-1] - wins[-2]
            assert (make(solution, state, seat) is not None) == (margin >= WORTH_SAYING - 1e-9)


@pytest.mark.parametrize("id", SMALL)
def test_a_forced_loss_comes_as_late_as_the_solution_says(id: str) -> None:
    solution = solved(id)
    game, rules = solution.game, solution.rules
    for each in puzzles(id):
        for wrong in each.wrong:
            after = game.apply(rules, each.state, wrong.move)
            plies = solution.plies(after)
            lost = plies is not None and solution.value(after) == (-1 if each.seat == 0 else 1)
            assert wrong.plies == (plies + 1 if lost and plies is not None else None)


COUNTS = [("conquer", 276, 124), ("energy", 24, 17), ("tower", 19, 13)]


@pytest.mark.parametrize(("id", "all", "worth_a_day"), COUNTS)
def test_how_many_puzzles_there_are(id: str, all: int, worth_a_day: int) -> None:
    """A position and its mirror are one."""
    assert len(puzzles(id)) == all
    assert sum(not each.at_once for each in puzzles(id)) == worth_a_day


def test_in_conquer_whoever_cannot_kill_must_defend() -> None:
    assert {each.word for each in puzzles("conquer") if not each.at_once} == {"defend"}


QUESTIONS = [
    ("tower", "5 8 1", None, "Player 1 to move: only one move wins. Which?"),
    ("conquer", "2r 3h 2", None, "Player 2 to move: only one move wins. Which?"),
    ("conquer", "2h 3r 1", None, "Player 1 to move: only one move holds. Which?"),
    ("deck", "20 13 1 1-3,5,6,8-10:4", None, "Player 1 to move: only one choice is right. Which?"),
    ("secret", "40 40 4 3", 0, "Both pick at once. Player A: only one pick gives nothing away. Which?"),
    ("secret", "75 75 10 3", 1, "Both pick at once. Player B: only one pick wins whatever they pick. Which?"),
]


@pytest.mark.parametrize(("id", "at", "seat", "question"), QUESTIONS)
def test_the_question_gives_nothing_away(id: str, at: str, seat: int | None, question: str) -> None:
    asked = puzzle(id, at, seat)
    assert asked.question == question
    words = " ".join(line.text for line in shown(asked))
    assert "%" not in words
    assert asked.why not in words


NO_PUZZLES = [
    ("tower", "0 0 1", "two moves win"),
    ("tower", "15 3 2", "the game is over"),
    ("deck", "20 20 1 1-10", "a card comes first"),
    ("energy", "10 10 1", "every move loses"),
    ("secret", "100 99 8 8", "a lot decides"),
]


@pytest.mark.parametrize("id", ROOMS)
def test_no_reason_begins_with_a_word_for_a_move_that_could_be_another(id: str) -> None:
    """The verdict names two moves, the answer and the other: what is said after that names the one it means."""
    for each in puzzles(id)[:200]:
        for move in (each.answer, *(wrong.move for wrong in each.wrong)):
            assert not [idea for idea in each.reason(move).ideas if idea.startswith(("It ", "That ", "This "))], each


@pytest.mark.parametrize(("id", "at", "why"), NO_PUZZLES)
def test_no_puzzle_where_not_one_move_alone_is_right(id: str, at: str, why: str) -> None:
    assert make(solved(id), position(load(id), at)) is None, why


VERDICTS = [
    (
        "conquer",
        "1d 9h 1",
        "defend",
        [
            "Right! defend: nobody can force a win here; only defend holds, heal loses.",
            "Their next attack would win; only a Defend stops it, and then it does nothing.",
            "The other choice is heal: it loses in 2 moves, they answer attack.",
            "A heal leaves you with 2 HP, healing under cover: their next attack deals 2 and wins.",
        ],
    ),
    (
        "energy",
        "1 1 1",
        "pass",
        [
            "Right! pass: nobody can force a win here; only pass holds, defend loses.",
            "With 1 energy you cannot attack, which costs 2.",
            "The other choice is defend: it loses in 2 moves, they answer defend.",
            "Paying 1 leaves you with 0 energy, and whoever begins a turn with 0 has lost.",
        ],
    ),
    (
        "energy",
        "8 8 1",
        "attack",
        [
            "Right! attack: whatever they do, you win in at most 9 moves, and nothing else wins.",
            "No defense of theirs stands: an attack costs 2 and takes 3.",
            "The other choice is defend: it loses in 12 moves, they answer defend.",
        ],
    ),
    (
        "tower",
        "5 8 1",
        "build 4",
        [
            "Right! build 4: whatever they do, you win in at most 13 moves, and nothing else wins.",
            "If they knock off 3, build 4 again: you come nearer to 15 with every exchange (9, then 10).",
            "With them at 8 and to move, your tower loses at 6 or 7 and wins at 9.",
            "The most tempting of the others is attack: it loses in 14 moves, they answer build 4.",
        ],
    ),
    (
        "tower",
        "5 8 1",
        "build 1",
        [
            "Not build 1: it loses in 8 moves, they answer build 4.",
            "They build 4, you attack, they build 4, you attack ...",
            "After that they outbuild your attacks: each knocks off 3, "
            "they build 4 and come nearer to 15 (12, then 13).",
            "With them at 8 and to move, your tower loses at 6 or 7 and wins at 9.",
            "The right one is build 4: whatever they do, you win in at most 13 moves, and nothing else wins.",
        ],
    ),
    (
        "energy",
        "3 2d 1",
        "attack",
        [
            "Not attack: it lets the win slip: nobody can force one after it.",
            "They pass, you pass and nobody wins.",
            "With 1 energy you can no longer attack, which costs 2.",
            "Through their defense an attack costs you 2 and takes only 1.",
            "The right one is defend: whatever they do, you win in at most 3 moves, and nothing else wins.",
        ],
    ),
    (
        "deck",
        "20 13 1 1-3,5,6,8-10:4",
        "heal",
        [
            "Not heal: it wins only 69 %.",
            "The worst card for you is a 10, they attack, and you win 48 %.",
            "At 20 LP a heal gains nothing.",
            "An attack brings them to 9 LP, where the 9 and the 10 in the deck would finish them.",
            "The right one is attack: it wins 86 %, heal only 69 %.",
        ],
    ),
    (
        "deck",
        "12 20 1 5-10:4",
        "heal",
        [
            "Not heal: it wins under 1 %.",
            "The worst card for you is a 10, they attack, and you win under 1 %.",
            "The 4 takes 4 LP from them as an attack and gives you 2 as a heal.",
            "No card of their next draw kills you at 12 LP: a heal can wait.",
            "The right one is attack: it wins 3 %, heal under 1 %.",
        ],
    ),
    (
        "secret",
        "40 40 4 3",
        "9",
        [
            "Not 9: it loses if they answer 10.",
            "Against 10 you are one HP behind and cannot repeat 9: they pick 9 next, and you cannot match it; "
            "with 10 you only draw level, and then 10 is theirs alone.",
            "The right one is 10: whatever they pick, you give nothing away; nobody can force a win here.",
        ],
    ),
]


@pytest.mark.parametrize(("id", "at", "word", "lines"), VERDICTS)
def test_a_verdict_says_why(id: str, at: str, word: str, lines: list[str]) -> None:
    asked = puzzle(id, at)
    verdict = judge(asked, read(asked, word))
    assert verdict.lines == lines
    assert verdict.right == (word == asked.word)


@pytest.mark.parametrize("id", [slow_if(id in ("deck", "secret"), id) for id in ROOMS])
def test_every_answer_is_judged_in_whole_sentences(id: str) -> None:
    words = load(id).dialogue.words(load(id).book)
    for each in puzzles(id)[:60]:
        for move in [each.answer, *(wrong.move for wrong in each.wrong)]:
            assert read(each, words[move]) == move
            verdict = judge(each, move)
            assert verdict.right == (move == each.answer)
            assert all(line.endswith(".") and line[0].isupper() for line in verdict.lines)
        assert all(clue.endswith(".") for clue in clues(each))
        said = each.solution.kind == "picks" and each.question.endswith("wins whatever they pick. Which?")
        first, *others = ["", *clues(each)] if said else clues(each)
        assert "Not " not in first
        struck = [re.findall(r"Not ([^:]+):", clue) for clue in others]
        words_of = [re.split(", | or ", ", ".join(each)) for each in struck]
        left = [wrong.word for wrong in each.wrong[:0:-1]]
        for some in words_of:  # each takes half of what may go, the plainest first
            half = (len(left) + 1) // 2
            assert sorted(some) == sorted(left[:half])
            left = left[half:]
        assert not left
        assert prompt(each)
        assert choices(each)
        texts = [line.text for line in shown(each)]
        assert len(texts) == len(set(texts))


def test_what_cannot_be_played_is_refused_with_what_can() -> None:
    asked = puzzle("secret", "40 40 4 3", 0)
    with pytest.raises(Misread, match=r"That number is out of range\. Pick a whole number from 1 to 10, but not 4\."):
        read(asked, "11")
    with pytest.raises(IllegalMove, match=r"That was your last number; .* but not 4"):
        read(asked, "4")
    with pytest.raises(IllegalMove, match="That cannot be played at 40 40 4 3"):
        judge(asked, 3)


# Ratings


def test_a_coin_toss_is_the_rating_of_a_player_who_goes_by_looks() -> None:
    same = Candidate(1.0, None, 0, 0.0)
    assert rating_of(same, [same]) == BY_LOOKS
    assert rating_of(same, [same] * 10) == BY_LOOKS + 400


HARDER = [
    ("a wrong move that looks better", Candidate(1, 4, -1, 0), Candidate(0, 4, -1, 0)),
    ("a refutation further away", Candidate(0, 12, -1, 0), Candidate(0, 2, -1, 0)),
    ("a win let slip for nothing", Candidate(0, None, 0, 0), Candidate(0, 12, -1, 0)),
    ("a small loss", Candidate(0, None, 0, 0.03), Candidate(0, None, 0, 0.4)),
]


@pytest.mark.parametrize(("why", "harder", "easier"), HARDER)
def test_a_puzzle_is_harder_for(why: str, harder: Candidate, easier: Candidate) -> None:
    answer = Candidate(0.5, 7, 1, 0.0)
    assert rating_of(answer, [harder]) > rating_of(answer, [easier])
    assert rating_of(answer, [harder, easier]) > rating_of(answer, [harder]), "one more wrong move"
    assert rating_of(answer, [harder]) > rating_of(answer._replace(plies=1), [harder]), "a win that is far away"


@pytest.mark.slow
@pytest.mark.parametrize("id", [slow_if(id == "secret", id) for id in ROOMS])
def test_ratings_spread(id: str) -> None:
    ratings = [each.rating for each in puzzles(id)]
    assert max(ratings) - min(ratings) >= 250
    assert len(set(ratings)) >= 8
    assert all(100 <= rating <= 2900 for rating in ratings)


@pytest.mark.slow
@pytest.mark.parametrize("id", [*SMALL, "deck"])
def test_what_wins_at_once_is_easy(id: str) -> None:
    easy = [each.rating for each in puzzles(id) if each.at_once]
    rest = [each.rating for each in puzzles(id) if not each.at_once]
    assert easy
    assert sum(easy) / len(easy) < sum(rest) / len(rest) - 150


@pytest.mark.parametrize("id", [slow_if(id == "secret", id) for id in ROOMS])
def test_the_wrong_moves_come_by_temptation_and_sides_do_not_matter(id: str) -> None:
    solution = solved(id)
    for each in puzzles(id)[:60]:
        turned = make(solution, solution.numbering.mirror(each.state), 1 - each.seat)
        assert turned is not None
        assert (turned.seat, turned.answer, turned.rating) == (1 - each.seat, each.answer, each.rating)
        assert {wrong.word for wrong in turned.wrong} == {wrong.word for wrong in each.wrong}

"""Every line that is written reads back to what was meant, and a line that is wrong is told so in a sentence."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duelbook import Match, game_ids, load, variant
from duelbook.core import DuelError
from duelbook.engine.protocol import (
    BadLine,
    Go,
    read_go,
    read_new_game,
    read_position,
    read_set_option,
    write_go,
    write_history,
    write_new_game,
    write_position,
)
from duelbook.engine.replies import (
    EngineOption,
    Identity,
    Info,
    read_identity,
    read_info,
    read_option,
    write_identity,
    write_option,
)
from duelbook.players.random import RandomPlayer
from slow_helper import examples

MILLISECONDS = st.none() | st.integers(0, 10**9 - 1)
WORD = st.from_regex(r"[A-Z][a-z]{1,8}", fullmatch=True)


@given(
    st.builds(
        Go,
        st.integers(0, 1),
        st.integers(1, 999_999),
        MILLISECONDS,
        st.tuples(MILLISECONDS, MILLISECONDS),
        st.tuples(MILLISECONDS, MILLISECONDS),
        st.lists(st.sampled_from(["attack", "build_4", "7"]), max_size=4).map(tuple),
    )
)
@examples(100)
def test_go_reads_back(go: Go) -> None:
    assert read_go(write_go(go).split()[1:]) == go


@pytest.mark.parametrize(
    ("option", "line"),
    [
        (EngineOption("Seed", "spin", "0", -5, 99), "option name Seed type spin default 0 min -5 max 99"),
        (EngineOption("Own Book", "check", "true"), "option name Own Book type check default true"),
        (EngineOption("Log File", "string"), "option name Log File type string default"),
        (
            EngineOption("Style", "combo", "calm", choices=("calm", "wild")),
            "option name Style type combo default calm var calm var wild",
        ),
    ],
)
def test_an_option_reads_back(option: EngineOption, line: str) -> None:
    assert write_option(option) == line
    assert read_option(line.split()[1:]) == option


@pytest.mark.slow
@given(WORD, WORD, st.lists(st.sampled_from([*game_ids(), "*"]), max_size=5))
@examples(50)
def test_an_identity_reads_back(name: str, author: str, games: list[str]) -> None:
    identity = Identity(name, author, tuple(games), (EngineOption("Seed", "spin", "0", 0, 9),))
    again = Identity()
    for line in write_identity(identity):
        again = read_identity(again, line)
    assert again == identity


@pytest.mark.parametrize("id", game_ids())
@pytest.mark.parametrize("seed", range(5))
def test_a_position_reads_back_by_itself_and_by_its_moves(id: str, seed: int) -> None:
    match, player = Match(load(id), seed=seed, first=seed % 2, max_turns=30), RandomPlayer(seed)
    while True:
        for line in (write_position(match.game, match.rules, match.state), write_history(match)):
            assert read_position(match.game, match.rules, line.split()[1:]).state == match.state
        if match.outcome is not None:
            break
        if not match.to_act():
            match.deal()
        for seat in match.to_act():
            match.play(seat, player.choose(match.view(seat)))


def test_moves_are_spelled_as_in_records_but_in_one_piece() -> None:
    tower, deck, secret = Match(load("tower")), Match(load("deck"), stacked=[7, 4]), Match(load("secret"))
    tower.play(0, 2)
    deck.deal()
    deck.play(0, 0)
    deck.deal()
    secret.play(0, 6)
    assert write_history(secret) == "position start"  # one pick alone is nobody's business
    secret.play(1, 4)
    assert write_history(tower) == "position start moves build_4"
    assert write_history(deck) == "position start moves 7: attack 4:"
    assert write_history(secret) == "position start moves 7/5"


def test_a_new_game_names_only_what_differs_from_the_book() -> None:
    game = load("tower")
    rules = variant(game, ["goal=21", "builds=1,3,5"])
    assert write_new_game(game, game.book) == "newgame tower"
    assert write_new_game(game, rules) == "newgame tower rules goal=21 builds=1,3,5"
    assert read_new_game(write_new_game(game, rules).split()[1:]) == (game, rules)
    assert read_new_game(["tower"]) == (game, game.book)


@pytest.mark.parametrize(
    ("line", "info"),
    [
        ("info depth 7 score -0.25 string all is well", Info(7, -0.25, "all is well")),
        ("info string depth 3", Info(None, None, "depth 3")),
        ("info depth deep score high nodes 12", Info()),
        ("info", Info()),
    ],
)
def test_info_is_read_as_far_as_it_can_be(line: str, info: Info) -> None:
    assert read_info(line) == info


@pytest.mark.parametrize(
    ("read", "words", "sentence"),
    [
        (read_go, "movetime 100", "go names the seat"),
        (read_go, "seat 3", "go names the seat"),
        (read_go, "seat 1 movetime soon", "After movetime in go comes one whole number"),
        (read_new_game, "", "newgame needs the name of a duel"),
        (read_new_game, "chess", "no duel called 'chess'"),
        (read_new_game, "tower goal=3", "comes rules or nothing, not 'goal=3'"),
        (read_new_game, "tower rules moat=3", "no rule called 'moat'"),
        (read_set_option, "value 3", "An option is set as in"),
        (read_option, "name Seed type dial", "An option is announced as in"),
        (read_option, "name Seed type spin min few", "An option is announced as in"),
    ],
)
def test_a_wrong_line_is_told_why(read: object, words: str, sentence: str) -> None:
    assert callable(read)
    with pytest.raises(DuelError) as caught:
        read(words.split())
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("id", "words", "sentence"),
    [
        ("tower", "", "After position comes start, or at"),
        ("tower", "from 0 0 1", "After position comes start, or at"),
        ("tower", "at 0 0", "looks like"),
        ("tower", "start moves build_3", "'build_3' is not a move of Tower Defense Duel."),
        ("tower", "start moves attack", "'attack' cannot be played there: You cannot attack"),
        ("tower", "at 14 0 1 moves build_1 build_1", "The game is over, but 'build_1' follows."),
        ("deck", "start moves attack", "A card must be drawn here, as in 7:; 'attack' is not one."),
        ("deck", "start moves 7: attack 7:", "cannot be played there: A 7 cannot be drawn now"),
        ("deck", "start moves 7:attack", "A card must be drawn here"),
        ("secret", "start moves 7", "Both picks belong here, as in 7/5; '7' is not that."),
        ("secret", "start moves 7/11", "Both picks belong here"),
    ],
)
def test_a_wrong_position_is_told_why(id: str, words: str, sentence: str) -> None:
    with pytest.raises(DuelError) as caught:
        read_position(load(id), load(id).book, words.split())
    assert sentence in str(caught.value)


@given(st.text(max_size=60))
@examples(200)
def test_any_words_are_read_or_refused_in_a_sentence(text: str) -> None:
    words = text.split()
    game = load("deck")
    for read in (
        lambda: read_go(words),
        lambda: read_new_game(words),
        lambda: read_position(game, game.book, ["start", "moves", *words]),
        lambda: read_set_option(words),
        lambda: read_option(words),
        lambda: read_identity(Identity(), text) if words else None,
    ):
        with suppress(DuelError):
            read()
    assert read_info(f"info {text}")


def test_a_bad_line_is_something_a_person_can_get_wrong() -> None:
    assert issubclass(BadLine, DuelError)

"""What people type and what positions are written as: any text is understood or refused, never a crash."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duelbook import BadPosition, BadRules, Misread, Turn, game_ids, load, variant
from slow_helper import examples

NEAR_MISSES = st.sampled_from(
    [
        "attack",
        "defend",
        "heal",
        "build",
        "pass",
        "a",
        "d",
        "h",
        "b",
        "p",
        "1",
        "2",
        "3",
        "4",
        "10",
        "0",
        "-1",
        "2.5",
        "٤",
        "４",
        "²",
        ":",
        ",",
        "-",
        "r",
        "x",
    ]
)
LINES = st.one_of(st.text(max_size=40), st.lists(NEAR_MISSES, max_size=4).map(" ".join))
GAMES = st.sampled_from(game_ids())


@given(id=GAMES, line=LINES)
@examples(400)
def test_any_line_is_a_move_or_a_kind_refusal(id: str, line: str) -> None:
    game = load(id)
    state = game.start(game.book, 0)
    if game.turn(game.book, state) == Turn.LUCK:
        state = game.deal(game.book, state, 7)
    try:
        assert game.dialogue.read(game.book, state, 0, line) in game.moves
    except Misread as error:
        sentence = str(error)
        assert sentence[-1] in ".?", sentence
        assert sentence.isprintable(), sentence


@given(id=GAMES, text=LINES)
@examples(400)
def test_any_text_is_a_position_or_a_kind_refusal(id: str, text: str) -> None:
    game = load(id)
    try:
        state = game.read_position(game.book, text)
    except BadPosition as error:
        assert str(error).endswith((".", ")")), str(error)  # noqa: PT017
    else:
        assert game.read_position(game.book, game.write_position(game.book, state)) == state


@given(id=GAMES, name=st.one_of(st.text(max_size=10), st.sampled_from(["hp", "lp", "goal", "builds"])), value=LINES)
@examples(300)
def test_any_rule_is_set_or_refused_with_what_there_is(id: str, name: str, value: str) -> None:
    game = load(id)
    try:
        rules = variant(game, [f"{name}={value}"])
    except BadRules as error:
        assert any(knob in str(error) for knob in game.knobs), str(error)  # noqa: PT017
    else:
        assert len(rules) == len(game.book)


@pytest.mark.parametrize("id", game_ids())
def test_every_word_and_its_short_form_is_understood_in_any_case(id: str) -> None:
    game = load(id)
    state = game.start(game.book, 0)
    for move, word in enumerate(game.dialogue.words(game.book)):
        for spelling in (word, word.upper(), f"  {word.title()} "):
            assert game.dialogue.read(game.book, state, 0, spelling) == move

"""Letters from outside: what may be shown of them."""

from __future__ import annotations

import json
import sys

import pytest

from duelbook import load
from duelbook.core import Misread
from duelbook.games import rulebook
from duelbook.line.session import HELP_ABOUT_COMMANDS
from duelbook.speech import bare, plain, plain_json, plain_lines, quote

STEERING = {
    "a terminal's title": ("\x1b]0;owned\x07", r"\x1b]0;owned\x07"),
    "the end of a line": ("a\nb\r\tc", r"a\x0ab\x0d\x09c"),
    "C1": ("a\x9b2Jb\x85", r"a\x9b2Jb\x85"),
    "delete": ("\x7f", r"\x7f"),
    "bidi override": ("\u202egnp.exe", r"\u202egnp.exe"),
    "bidi isolate": ("\u2066x\u2069", r"\u2066x\u2069"),
    "no width": ("a\u200bb\u200dc\ufeff", r"a\u200bb\u200dc\ufeff"),
    "soft hyphen": ("a\xadb", r"a\xadb"),
    "lone surrogate": ("\udc9b", r"\udc9b"),
    "line separator": ("a\u2028b", r"a\u2028b"),
    "other spaces": ("a\xa0b\u3000c", r"a\xa0b\u3000c"),
    "fillers": ("a\u3164\u115fb", r"a\u3164\u115fb"),
    "variation selector": ("a\ufe0f\U000e0101b", r"a\ufe0f\U000e0101b"),
    "tag letters": ("\U000e0041", r"\U000e0041"),
    "private use": ("\ue000", r"\ue000"),
}


@pytest.mark.parametrize("case", STEERING)
def test_what_cannot_be_seen_is_shown_as_an_escape(case: str) -> None:
    text, shown = STEERING[case]
    assert plain(text) == shown


def test_what_can_be_seen_stays_as_it_is() -> None:
    text = r"Zoë ≠ Ζωή, 名前, 😀, [bold]{task}\n C:\games"
    assert plain(text) == text


@pytest.mark.slow
def test_every_letter_there_is_can_be_seen_afterwards() -> None:
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    shown = plain(everything)
    assert shown.isprintable()
    shown.encode()  # no lone surrogate is left


def test_lines_stay_lines() -> None:
    assert plain_lines("a\x1b\nb\r\n") == "a\\x1b\nb\\x0d\n"


def test_anything_that_has_words_can_be_shown() -> None:
    assert plain(ValueError("\x1b")) == r"\x1b"


@pytest.mark.parametrize("case", STEERING)
def test_json_says_the_same_without_steering(case: str) -> None:
    text, _ = STEERING[case]
    written = plain_json(json.dumps({text: [text]}, ensure_ascii=False, indent=2))
    assert json.loads(written) == {text: [text]}
    assert plain_lines(written) == written


def test_a_quote_shows_what_cannot_be_seen_and_stays_short() -> None:
    assert quote("  at\u200btack ") == r"'at\u200btack'"
    assert quote("x" * 41) == f"'{'x' * 37}...'"
    assert quote("x" * 40) == f"'{'x' * 40}'"
    assert len(quote("\U000e0041" * 10**6)) == 42


def test_a_move_may_be_spelled_as_programs_spell_it() -> None:
    tower, energy = load("tower"), load("energy")
    assert tower.dialogue.read(tower.book, tower.start(tower.book, 0), 0, "Build_4") == 2
    assert energy.dialogue.read(energy.book, energy.start(energy.book, 0), 0, "attack") == 0


@pytest.mark.parametrize("around", ["{}.", "`{}`", "'{}'", '"{}."', " {} . "])
@pytest.mark.parametrize("id", ["conquer", "deck", "energy", "secret", "tower"])
def test_a_move_may_end_with_a_full_stop_or_stand_in_quotation_marks(id: str, around: str) -> None:
    game = load(id)
    start = game.start(game.book, 0)
    for move, word in enumerate(game.dialogue.words(game.book)):
        assert game.dialogue.read(game.book, start, 0, around.format(word)) == move


def test_nothing_but_full_stops_stays_what_it_is() -> None:
    assert (bare("."), bare("..."), bare("''"), bare("attack.")) == (".", "...", "''", "attack")


@pytest.mark.parametrize("jumble", ["4IZa", "4x", "build 4x", "b4x"])
def test_a_number_with_letters_in_it_is_called_no_move_and_not_no_number(jumble: str) -> None:
    tower = load("tower")
    with pytest.raises(Misread, match=f"^'{jumble}' is not a move here"):
        tower.dialogue.read(tower.book, tower.start(tower.book, 0), 0, jumble)


@pytest.mark.parametrize("id", ["conquer", "deck", "energy", "secret", "tower"])
def test_the_rule_book_names_every_word_that_works_at_every_prompt(id: str) -> None:
    every = HELP_ABOUT_COMMANDS.removeprefix("At every prompt: ").partition(". None")[0]
    words = every.replace("(or: save FILE)", "").replace(",", "").split()
    book = " ".join(rulebook(load(id)).split()).partition("can also type ")[2]
    assert words == ["help", "hint", "coach", "rules", "status", "undo", "save", "resign", "quit"]
    assert [word for word in words if f"`{word}`" not in book] == []


def test_conquer_ends_in_a_sentence_for_0_and_one_for_less() -> None:
    game = load("conquer")
    for position, said in {
        "0r 5r 1": "Ann's HP dropped to 0.",
        "5r -2h 1": "Bea's HP dropped to -2, which is below 0.",
    }.items():
        state = game.read_position(game.book, position)
        assert game.dialogue.ending(game.book, state, ("Ann", "Bea")) == said

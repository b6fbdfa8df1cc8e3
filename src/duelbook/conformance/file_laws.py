"""The laws of a duel's files: its names, knobs, moves, words and rule book, looked at once and for all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum

from duelbook.conformance.mistake import Mistake, mistake, shown
from duelbook.core import Game, Knob, Setting
from duelbook.games import example, rulebook
from duelbook.record import reads

LONGEST_WORD, LONGEST_PICK = 40, 20
"""Letters of a move's word, and of one that is written as half of a pair."""


def names_can_be_typed_and_told_apart(game: Game) -> Iterator[Mistake]:
    if not re.fullmatch("[a-z][a-z0-9-]*", str(game.id)):
        told = f"the id is {shown(game.id)}; it takes lower-case letters, digits and hyphens."
        yield mistake("assemble", game.id, told)
    for what, said in (("name", game.name), ("pitch", game.pitch)):
        if not isinstance(said, str) or not said.strip() or not said.isprintable():
            yield mistake("assemble", said, f"the {what} is {shown(said)}; it must be one line of words.")
    if (
        not isinstance(game.seats, tuple)
        or len(set(game.seats)) != 2
        or not all(isinstance(name, str) and name.strip() for name in game.seats)
    ):
        yield mistake("assemble", game.seats, f"seats is {shown(game.seats)}; it must be two different names.")


def every_field_of_the_rules_has_a_knob(game: Game) -> Iterator[Mistake]:
    """A knob for each field and no other, and the book's value is one that the knob takes."""
    for name in game.knobs:
        if name != name.lower() or not name.isidentifier():
            yield mistake("rules.KNOBS", name, f"{shown(name)} is not a lower-case name with underscores.")
    for name, knob in game.knobs.items():
        value = getattr(game.book, name)
        if not isinstance(knob, Knob) or not str(knob.meaning).strip():
            yield mistake("rules.KNOBS", knob, f"{name} is {shown(knob)}; it must be a Knob that says what it means.")
            continue
        if knob.choices and (
            len(set(knob.choices)) != len(knob.choices)
            or any(not re.fullmatch(r"[a-z0-9_.-]+", c) for c in knob.choices)
        ):
            told = f"{name} has the choices {shown(knob.choices)}; they are different lower-case words without spaces."
            yield mistake("rules.KNOBS", knob.choices, told)
            continue
        if not _takes(knob, value):
            told = f"{name} is {shown(value)} by the book, but its knob takes {knob.allowed(value)}."
            yield mistake("rules.KNOBS", value, told)


def _takes(knob: Knob, value: Setting) -> bool:
    try:
        return bool(knob.read(knob.show(value), value) == value)
    except (ValueError, IndexError, TypeError):
        return False


def moves_and_faces_are_counted(game: Game) -> Iterator[Mistake]:
    kind = game.rules_file.Move
    if not (isinstance(kind, type) and issubclass(kind, IntEnum)) or list(game.moves) != list(range(len(game.moves))):
        told = f"it holds {shown(game.moves)}; it must be an IntEnum that counts from 0 without gaps."
        yield mistake("rules.Move", game.moves, told)
    if len(set(game.faces)) != len(game.faces) or not all(
        isinstance(face, int) and 0 <= face < 10**6 for face in game.faces
    ):
        told = f"it holds {shown(game.faces)}; faces are different whole numbers from 0 on."
        yield mistake("rules.FACES", game.faces, told)


def words_can_be_written_in_records(game: Game) -> Iterator[Mistake]:
    from duelbook.line.session import LEAVING, WORDS

    words = game.dialogue.words(game.book)
    if not isinstance(words, tuple | list) or not words or not all(isinstance(word, str) for word in words):
        yield mistake("dialogue.words", words, f"it gives {shown(words)}; it must give a tuple of words.")
        return
    picks = hasattr(game.rules_file, "resolve")
    for place, word in enumerate(words):
        told = ""
        if word in words[:place]:
            told = f"{shown(word)} is the word of move {words.index(word)} and of move {place}; words are different."
        elif word in (*WORDS, *LEAVING):
            told = f"{shown(word)} belongs to the terminal, so the move could never be typed."
        elif word != " ".join(word.lower().split()) or not word.isprintable() or not word.isascii() or not word:
            told = f"{shown(word)} is not a plain lower-case word, with single spaces at most."
        elif re.search(r"[][{};_*\"]|^\d+[.:]|^(1-0|0-1|1/2-1/2)$", word) or (picks and re.search(r"[ /]", word)):
            also = ", and where both act at once spaces and /," if picks else ""
            told = f'{shown(word)} cannot stand in a record: brackets, braces, ; _ * " and results{also} are taken.'
        elif len(word) > (LONGEST_PICK if picks else LONGEST_WORD):
            told = f"{shown(word)} is longer than {LONGEST_PICK if picks else LONGEST_WORD} letters."
        if told:
            yield mistake("dialogue.words", word, told)


def the_rule_book_can_be_read(game: Game) -> Iterator[Mistake]:
    text = rulebook(game)
    if not text.lstrip().startswith("# "):
        yield mistake("rulebook.md", text[:40], "it does not begin with a title, as in '# Race to 21'.")


def the_example_is_a_game_of_this_duel(game: Game) -> Iterator[Mistake]:
    if not example(game).is_file():
        return
    for record in reads(example(game).read_text(encoding="utf-8"), {game.id: game}):
        if record.match.game.id != game.id:
            yield mistake("example.duel", record.match.game.id, f"it is a game of {record.match.game.id}.")


FILE_LAWS = (
    names_can_be_typed_and_told_apart,
    every_field_of_the_rules_has_a_knob,
    moves_and_faces_are_counted,
    words_can_be_written_in_records,
    the_rule_book_can_be_read,
    the_example_is_a_game_of_this_duel,
)

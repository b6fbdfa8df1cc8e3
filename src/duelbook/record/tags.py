"""The tags of a record: what they say of a match and of who played it, written and read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeVar

from duelbook.core import DuelError, Game, rules_hash, settings, variant
from duelbook.games import load
from duelbook.luck import LARGEST_SEED, Luck, Stretch
from duelbook.match import BELL, LATEST_BELL, Match, read_stack
from duelbook.record.scanner import Scanner
from duelbook.record.shape import BadRecord, Record
from duelbook.speech import plain, quote

# Bounds of what is read: far beyond any game that was played, so that what was made to hurt is refused in a sentence.
# All are of what we would write again, escapes included, so that what can be read can be written and read.
MOST_TAGS = 200
"""Tags that mean nothing to Duelbook."""
LONGEST_TAG = 200_000
"""Letters of a tag's value: luck that was fixed beforehand may be long."""
LONGEST_NAME = 1000
"""Letters of a player's name in a tag; it comes again in the sentence that says how the game ended."""

TAG_NAME = re.compile("[A-Za-z][A-Za-z0-9]*")
_TAG = re.compile(rf'\[\s*({TAG_NAME.pattern})\s+"((?:[^"\\\n]|\\["\\])*)"\s*\]')
_OF_THE_GAME = ("Game", "Player1", "Player2", "Seat1", "Seat2", "Date", "Result", "Termination")
_OF_THE_RULES = ("Rules", "RulesHash", "Position", "MaxTurns", "Deck", "Commitment", "Seed", "Uncovered")
KNOWN = frozenset((*_OF_THE_GAME, *_OF_THE_RULES))
Value = TypeVar("Value")

# Written


def written(record: Record) -> str:
    return "\n".join(f'[{name} "{_escape(value)}"]' for name, value in _tags(record))


def _tags(record: Record) -> Iterator[tuple[str, str]]:
    match, game = record.match, record.match.game
    yield "Game", game.id
    yield "Player1", match.names[0]
    yield "Player2", match.names[1]
    yield "Seat1", record.seats[0]
    yield "Seat2", record.seats[1]
    yield "Date", record.date
    yield "Result", match.outcome.result if match.outcome else "*"
    if match.outcome:
        yield "Termination", match.outcome.reason
    if match.rules != game.book:
        yield "Rules", " ".join(settings(game, match.rules))
    yield "RulesHash", rules_hash(game, match.rules)
    if match.start != game.start(match.rules, 0):
        yield "Position", game.write_position(match.rules, match.start)
    if match.max_turns != BELL:
        yield "MaxTurns", str(match.max_turns)
    if match.stacked:
        yield "Deck", ",".join(map(str, match.stacked))
    yield from _luck_tags(match)
    yield from record.extra.items()


def _luck_tags(match: Match) -> Iterator[tuple[str, str]]:
    """What may be known of luck now: a seed only when it decides nothing any more."""
    stretches = match.luck.stretches(over=match.outcome is not None)
    for name, values in (
        ("Commitment", [(begins, promised) for begins, promised, _ in stretches if match.game.faces]),
        ("Seed", [(begins, seed) for begins, _, seed in stretches]),
    ):
        told = [f"{begins + 1}:{value}" if begins else str(value) for begins, value in values if value is not None]
        if told:
            yield name, ", ".join(told)
    if len(match.shown) > match.draws:
        yield "Uncovered", ",".join(map(str, match.shown[match.draws :]))


def _escape(value: str) -> str:
    return plain(value).replace("\\", "\\\\").replace('"', '\\"')


def _unescape(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value)


# Read


class Tags(NamedTuple):
    """The tags of one game, and where each of them stands."""

    scanner: Scanner
    values: dict[str, str]
    places: dict[str, int]

    def get(self, name: str, otherwise: str) -> str:
        return self.values.get(name, otherwise)

    def extra(self) -> dict[str, str]:
        return {name: value for name, value in self.values.items() if name not in KNOWN}

    def error(self, name: str, sentence: str) -> BadRecord:
        return self.scanner.error(f"{name}: {sentence}", self.places[name])

    def made(self, name: str, make: Callable[[str], Value]) -> Value | None:
        """What a tag's text is made into; None where there is no such tag."""
        try:
            return make(self.values[name]) if name in self.values else None
        except DuelError as error:
            raise self.error(name, str(error)) from None


def read_tags(scanner: Scanner) -> tuple[Tags, str]:
    """The tags of the next game, and what is said after the last of them."""
    tags = Tags(scanner, {}, {})
    while True:
        said = scanner.skip_comments()
        start = scanner.at
        found = scanner.take(_TAG)
        if not found:
            break
        if not found[2].isprintable():
            raise scanner.error(f"The tag {found[1]} holds characters that cannot be seen.", start)
        if found[1] in tags.values:
            raise scanner.error(f"The tag {found[1]} is there twice.", start)
        tags.values[found[1]], tags.places[found[1]] = _value(scanner, found[1], found[2], start), start
        if len(tags.values.keys() - KNOWN) > MOST_TAGS:
            raise scanner.error(f"A game has at most {MOST_TAGS} tags besides Duelbook's own.", start)
    if scanner.sees("["):
        raise scanner.error('This tag cannot be read. A tag looks like [Game "tower"].')
    if "Game" not in tags.values:
        raise scanner.error('A game begins with its tags, and one of them is [Game "tower"] or the like.')
    return tags, said


def _value(scanner: Scanner, name: str, text: str, at: int) -> str:
    value, most = plain(_unescape(text)), LONGEST_NAME if name in ("Player1", "Player2") else LONGEST_TAG
    if len(value) > most:
        raise scanner.error(f"The tag {name[:40]} is too long: it has at most {most:,} letters.", at)
    return value


def begun(tags: Tags, known: Mapping[str, Game]) -> Match:
    """The match that the tags describe, before its first move."""
    game = tags.made("Game", lambda text: known.get(text) or load(text))
    assert game is not None  # there is no game without this tag
    rules = tags.made("Rules", lambda text: variant(game, text.split())) or game.book
    if tags.get("RulesHash", "") not in ("", rules_hash(game, rules)):
        raise tags.error("RulesHash", "this game was recorded under other rules than its Rules tag names.")
    start = tags.made("Position", lambda text: game.read_position(rules, text))
    first = game.start(rules, 0) if start is None else start
    promised = tags.made("Commitment", lambda text: dict(_by_draw(text, _commitment))) or {}
    seeds = tags.made("Seed", lambda text: dict(_by_draw(text, _seed))) or {}
    return Match(
        game,
        rules,
        start=start,
        luck=Luck(past=[Stretch(at, promised.get(at), seeds.get(at)) for at in sorted(promised.keys() | seeds.keys())]),
        stacked=tags.made("Deck", lambda text: read_stack(game, rules, first, text)) or (),
        max_turns=tags.made("MaxTurns", lambda text: _whole(text, 1, LATEST_BELL)) or BELL,
        names=(tags.get("Player1", game.seats[0]), tags.get("Player2", game.seats[1])),
    )


def uncover(tags: Tags, match: Match) -> None:
    """What luck showed and was taken back: it comes again."""
    name = match.game.chance.face
    faces = [face.strip() for face in tags.values["Uncovered"].split(",")] if "Uncovered" in tags.values else []
    for face in faces:
        if not (face.isascii() and face.isdigit() and len(face) < 7 and int(face) in match.game.faces):
            raise tags.error("Uncovered", f"{quote(face)} is not a {name} of {match.game.name}.")
    if len(faces) > match.max_turns:  # every one is followed by a decision
        raise tags.error("Uncovered", f"these are more {name}s than the match has turns.")
    match.shown += [int(face) for face in faces]


def _by_draw(text: str, read: Callable[[str], Value]) -> Iterator[tuple[int, Value]]:
    """`a, 8:b`: what holds from the first draw on, and what from the eighth, each counted from 0 here."""
    last = -1
    for part in text.split(","):
        draw, colon, value = part.rpartition(":")
        begins = _whole(draw, 1, 999_999) - 1 if colon else 0
        if begins <= last:
            raise DuelError(f"{quote(part.strip())} does not stand in the order of the draws.")
        yield begins, read(value.strip())
        last = begins


def _seed(text: str) -> int:
    return _whole(text, -LARGEST_SEED, LARGEST_SEED)


def _commitment(text: str) -> str:
    if not re.fullmatch("[0-9a-f]{64}", text):
        raise DuelError(f"{quote(text)} is not a commitment: 64 digits and letters from a to f.")
    return text


def _whole(text: str, low: int, high: int) -> int:
    digits = text.strip().removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 39) or not low <= int(text) <= high:
        raise DuelError(f"{quote(text)} is not a whole number from {low} to {high}.")
    return int(text)

"""`.duel` files: a game as text that people can read, write and replay.

The shape is PGN's, because people and tools know it: tags, an empty line, numbered moves in the words of the game.
Reading a file plays it through the referee, so a record that loads is a game that the rules allow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from duelbook.core import BOTH, DRAW, LUCK, DuelError, Game, IllegalMove, rules_hash, settings, variant
from duelbook.games import load
from duelbook.luck import LARGEST_SEED, Luck, Stretch
from duelbook.match import BELL, Match, read_stack
from duelbook.speech import plain, quote

RESULTS = {"1-0": 0, "0-1": 1, "1/2-1/2": DRAW, "*": None}
WIDTH = 80

# Bounds of what is read: far beyond any game that was played, so that what was made to hurt is refused in a sentence.
# All are of what we would write again, escapes included, so that what can be read can be written and read.
MOST_TAGS = 200
"""Tags that mean nothing to Duelbook."""
LONGEST_TAG = 200_000
"""Letters of a tag's value: a stacked deck may be long."""
LONGEST_NAME = 1000
"""Letters of a player's name in a tag; it comes again in the sentence that says how the game ended."""
LONGEST_COMMENT = 100_000
"""Letters of all comments between two moves."""

_SPACE = re.compile(r"\s+")
_COMMENT = re.compile(r"\{([^}]*)\}|;([^\n]*)")
_TAG = re.compile(r'\[\s*([A-Za-z][A-Za-z0-9]*)\s+"((?:[^"\\\n]|\\["\\])*)"\s*\]')
_RESULT = re.compile(r"(1-0|0-1|1/2-1/2|\*)(?=[\s\[{;]|$)")
_NUMBER = re.compile(r"(\d{1,6})\.(\.\.)?")
_FACE = re.compile(r"(\d{1,6}):")
_PAIR = re.compile(r"([^\s/{}\[\];]{1,20})/([^\s/{}\[\];]{1,20})")
_WORD = re.compile(r"[^\s{}\[\];]{1,40}(?: +\d{1,9}(?![.\d]))?")


class BadRecord(DuelError):
    """A file that is no record, or a game in it that goes wrong. Says where."""

    def __init__(self, sentence: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {sentence}")
        self.sentence, self.line, self.column = sentence, line, column


class Record(NamedTuple):
    """A game and what is known about it."""

    match: Match
    seats: tuple[str, str] = ("human", "human")
    """The kind of player in each seat."""
    date: str = "????.??.??"
    extra: dict[str, str] = {}  # noqa: RUF012 - never written to; a record is a value
    """Tags that mean nothing to Duelbook and are kept."""
    comments: dict[int, str] = {}  # noqa: RUF012 - never written to; a record is a value
    """Comments by the number of steps before them."""


def writes(record: Record) -> str:
    """The record as text that `reads` turns back into the same game."""
    tags = "\n".join(f'[{name} "{_escape(value)}"]' for name, value in _tags(record))
    return f"{tags}\n\n{_wrap(_movetext(record))}\n"


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


_OF_THE_GAME = ("Game", "Player1", "Player2", "Seat1", "Seat2", "Date", "Result", "Termination")
_OF_THE_RULES = ("Rules", "RulesHash", "Position", "MaxTurns", "Deck", "Commitment", "Seed", "Uncovered")
KNOWN_TAGS = frozenset((*_OF_THE_GAME, *_OF_THE_RULES))


def _escape(value: str) -> str:
    return plain(value).replace("\\", "\\\\").replace('"', '\\"')


def _unescape(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value)


def move_text(match: Match, turn: int, play: Any) -> str:
    """One step in the words of the game: `build 4`, `7:`, `7/5`."""
    return _in_words(match.game.dialogue.words(match.rules), turn, play)


def _in_words(words: tuple[str, ...], turn: int, play: Any) -> str:
    if turn == LUCK:
        return f"{play}:"
    return f"{words[play[0]]}/{words[play[1]]}" if turn == BOTH else words[play]


def _movetext(record: Record) -> list[str]:
    """The moves with their numbers, in pieces that a line may be broken between."""
    match, comments = record.match, record.comments
    words = match.game.dialogue.words(match.rules)
    pieces: list[str] = _comment(comments[0]) if 0 in comments else []
    number, played, cards = _Numbering(), 0, ""
    for count, (turn, play, _) in enumerate(match.steps, 1):
        text = _in_words(words, turn, play)
        if turn != LUCK:
            pieces.append(number.before(turn, played) + cards + text)
            cards, played = "", played + 1
        elif count < len(match.steps) and count not in comments:
            cards += text
        else:
            pieces.append(number.before(_decider(match, count), played) + cards + text)
            cards = ""
        if count in comments:
            pieces.extend(_comment(comments[count]))
    return [*pieces, match.outcome.result if match.outcome else "*"]


def _decider(match: Match, count: int) -> int:
    """The turn of the first decision after so many steps."""
    for at in range(count, len(match.steps)):  # no slice: a game of ten thousand cards would be copied for each
        if match.steps[at].turn != LUCK:
            return match.steps[at].turn
    return match.next_seat() if match.turn != BOTH else BOTH


def _comment(text: str) -> list[str]:
    seen = plain(" ".join(text.replace("}", ")").split()))
    return ("{" + seen[: LONGEST_COMMENT - 1] + "}").split()


class _Numbering:
    """Move numbers as chess has them: one number for both players' turns, `1...` when Player 2 begins."""

    def __init__(self) -> None:
        self.offset = -1

    def of(self, turn: int, played: int) -> tuple[int, bool]:
        """The number of this turn, and whether it is the second half of it."""
        if turn == BOTH:
            return played + 1, False
        if self.offset < 0:
            self.offset = turn
        half = played + self.offset
        return half // 2 + 1, half % 2 == 1

    def before(self, turn: int, played: int) -> str:
        number, second = self.of(turn, played)
        if not second:
            return f"{number}. "
        return f"{number}... " if played == 0 else ""


def _wrap(pieces: list[str]) -> str:
    lines: list[str] = []
    line, length = pieces[:1], len(pieces[0])
    for piece in pieces[1:]:
        length += 1 + len(piece)
        if length > WIDTH:
            lines.append(" ".join(line))
            line, length = [], len(piece)
        line.append(piece)
    return "\n".join([*lines, " ".join(line)])


def reads(text: str, known: Mapping[str, Game] | None = None) -> list[Record]:
    """Every game in the text, each played through the referee. Raises BadRecord at the first thing that is wrong.

    `known` are duels by their ids that need not be installed.
    """
    return list(iter_games(text, known))


def iter_games(text: str, known: Mapping[str, Game] | None = None) -> Iterator[Record]:
    reader = _Reader(text.removeprefix("\ufeff"), known or {})
    reader.skip_comments()
    if reader.at_end():
        raise reader.error("The file holds no game.")
    while not reader.at_end():
        yield reader.game()
        reader.skip_comments()


class _Reader:
    def __init__(self, text: str, known: Mapping[str, Game]) -> None:
        self.text, self.known = text, known
        self.at = 0

    def error(self, sentence: str, at: int | None = None) -> BadRecord:
        at = self.at if at is None else at
        line = self.text.count("\n", 0, at) + 1
        return BadRecord(sentence, line, at - self.text.rfind("\n", 0, at))

    def at_end(self) -> bool:
        return self.at >= len(self.text)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def skip_comments(self) -> str:
        """Pass over space and comments; what the comments said comes back."""
        said: list[str] = []
        length = 0
        while True:
            self.take(_SPACE)
            found = self.take(_COMMENT)
            if not found:
                if self.text.startswith("{", self.at):
                    raise self.error("This comment is not closed: what begins with { ends with }.")
                return " ".join(filter(None, said))
            words = " ".join((found[1] or found[2] or "").replace("}", ")").split())
            said.append(plain(words))
            length = self.check_length(length + len(said[-1]) + 1)

    def check_length(self, length: int) -> int:
        if length > LONGEST_COMMENT:
            raise self.error(f"There are more than {LONGEST_COMMENT:,} letters of comments in one place.")
        return length

    def game(self) -> Record:
        tags, places, preface = self.tags()
        match = self.new_match(tags, places)
        comments = self.moves(match, preface)
        self.uncover(match, tags, places)
        token = self.take(_RESULT)
        result = token[1] if token else tags.get("Result", "*")
        if token and "Result" in tags and tags["Result"] != result:
            raise self.error(f"The moves end with {result}, but the Result tag says {tags['Result']}.", token.start())
        self.settle(match, tags, places, result, places.get("Result", token.start() if token else self.at))
        return Record(
            match,
            (tags.get("Seat1", "human"), tags.get("Seat2", "human")),
            tags.get("Date", "????.??.??"),
            {name: value for name, value in tags.items() if name not in KNOWN_TAGS},
            comments,
        )

    def tags(self) -> tuple[dict[str, str], dict[str, int], str]:
        """The tags, where each stands, and what is said after the last of them."""
        tags: dict[str, str] = {}
        places: dict[str, int] = {}
        while True:
            said = self.skip_comments()
            start = self.at
            found = self.take(_TAG)
            if not found:
                break
            if not found[2].isprintable():
                raise self.error(f"The tag {found[1]} holds characters that cannot be seen.", start)
            if found[1] in tags:
                raise self.error(f"The tag {found[1]} is there twice.", start)
            tags[found[1]], places[found[1]] = self.tag_value(found[1], found[2], start), start
            if len(tags.keys() - KNOWN_TAGS) > MOST_TAGS:
                raise self.error(f"A game has at most {MOST_TAGS} tags besides Duelbook's own.", start)
        if self.text.startswith("[", self.at):
            raise self.error('This tag cannot be read. A tag looks like [Game "tower"].')
        if "Game" not in tags:
            raise self.error('A game begins with its tags, and one of them is [Game "tower"] or the like.')
        return tags, places, said

    def tag_value(self, name: str, text: str, at: int) -> str:
        value, most = plain(_unescape(text)), LONGEST_NAME if name in ("Player1", "Player2") else LONGEST_TAG
        if len(value) > most:
            raise self.error(f"The tag {name[:40]} is too long: it has at most {most:,} letters.", at)
        return value

    def new_match(self, tags: dict[str, str], places: dict[str, int]) -> Match:
        def checked(name: str, make: Any) -> Any:
            try:
                return make(tags[name]) if name in tags else None
            except DuelError as error:
                raise self.error(f"{name}: {error}", places[name]) from None

        game: Game = checked("Game", lambda text: self.known.get(text) or load(text))
        rules = checked("Rules", lambda text: variant(game, text.split())) or game.book
        if tags.get("RulesHash", "") not in ("", rules_hash(game, rules)):
            raise self.error(
                "RulesHash: this game was recorded under other rules than its Rules tag names.", places["RulesHash"]
            )
        start = checked("Position", lambda text: game.read_position(rules, text))
        first = game.start(rules, 0) if start is None else start
        max_turns = checked("MaxTurns", lambda text: _whole(text, 1, 999_999))
        promised = checked("Commitment", lambda text: dict(_by_draw(text, _commitment))) or {}
        seeds = checked("Seed", lambda text: dict(_by_draw(text, _seed))) or {}
        begins = sorted(promised.keys() | seeds.keys())
        past = [Stretch(draw, promised.get(draw), seeds.get(draw)) for draw in begins]
        stacked = checked("Deck", lambda text: read_stack(game, rules, first, text))
        names = (tags.get("Player1", game.seats[0]), tags.get("Player2", game.seats[1]))
        return Match(
            game,
            rules,
            start=start,
            luck=Luck(past=past),
            stacked=stacked or (),
            max_turns=max_turns or BELL,
            names=names,
        )

    def uncover(self, match: Match, tags: dict[str, str], places: dict[str, int]) -> None:
        """Cards that were seen and taken back: they come again."""
        name = match.game.chance.face
        cards = [card.strip() for card in tags.get("Uncovered", "").split(",")] if "Uncovered" in tags else []
        for card in cards:
            if not (card.isascii() and card.isdigit() and len(card) < 7 and int(card) in match.game.faces):
                raise self.error(f"Uncovered: {quote(card)} is not a {name} of {match.game.name}.", places["Uncovered"])
        if len(cards) > match.max_turns:  # every card is followed by a decision
            raise self.error(f"Uncovered: these are more {name}s than the match has turns.", places["Uncovered"])
        match.shown += [int(card) for card in cards]

    def moves(self, match: Match, preface: str) -> dict[int, str]:
        """Play every move that is there; what comes back are the comments among them, the preface first."""
        comments: dict[int, list[str]] = {0: [preface]} if preface else {}
        numbering = _Numbering()
        word = _word_pattern(match)
        length = len(preface)
        while True:
            said = self.skip_comments()
            if said:
                if len(match.steps) not in comments:
                    length = 0
                comments.setdefault(len(match.steps), []).append(said)
                length = self.check_length(length + len(said) + 1)
            if self.at_end() or self.text.startswith("[", self.at) or _RESULT.match(self.text, self.at):
                return {at: " ".join(words) for at, words in comments.items()}
            start = self.at
            number = self.take(_NUMBER)
            if number:
                self.check_number(match, numbering, number, start)
                self.take(_SPACE)
                continue
            self.step(match, numbering, word)

    def check_number(self, match: Match, numbering: _Numbering, found: re.Match[str], at: int) -> None:
        if match.outcome:
            raise self.error(f"The game is over here ({match.outcome.reason}), but more moves follow.", at)
        turn = BOTH if match.turn == BOTH else match.next_seat()
        expected, second = numbering.of(turn, match.turns)
        if int(found[1]) != expected or (second and not found[2]) or (found[2] and not second):
            raise self.error(
                f"This says {found[0]} where {expected}{'...' if second else '.'} belongs; is a move missing?", at
            )

    def step(self, match: Match, numbering: _Numbering, word: re.Pattern[str]) -> None:
        start = self.at
        if match.outcome:
            raise self.error(f"The game is over here ({match.outcome.reason}), but more moves follow.")
        turn = match.turn
        try:
            if turn == LUCK:
                face = self.take(_FACE)
                if not face:
                    name, drawn = match.game.chance.face, match.game.chance.drawn
                    raise self.error(f"A {name} must be {drawn} here, as in 7:; {self.seen()} is not one.")
                if match.draws < len(match.stacked) and match.stacked[match.draws] != int(face[1]):
                    raise self.error(
                        f"The Deck tag says that {match.stacked[match.draws]} comes here, not {face[1]}.", start
                    )
                match.deal(int(face[1]))
                numbering.of(match.turn, match.turns)
                return
            words = match.game.dialogue.words(match.rules)
            if turn == BOTH:
                pair = self.take(_PAIR)
                picks = [part.lower() for part in pair.groups()] if pair else []
                if not pair or any(pick not in words for pick in picks):
                    raise self.error(f"Both picks belong here, as in 7/5; {self.seen(start)} is not that.", start)
                for seat in (0, 1):
                    match.play(seat, words.index(picks[seat]))
                return
            found = self.take(word)
            if not found:
                raise IllegalMove(f"{self.seen()} is not a move of {match.game.name}. {match.choices(turn)}")
            numbering.of(turn, match.turns)
            match.play(turn, words.index(" ".join(found[0].lower().split())))
        except IllegalMove as error:
            match.unseal()
            who = f", {match.names[turn]}" if turn in (0, 1) else ""
            raise self.error(f"Turn {match.turns + 1}{who}: {error}", start) from None

    def seen(self, at: int | None = None) -> str:
        found = _WORD.match(self.text, self.at if at is None else at)
        return quote(found[0]) if found else "what stands here"

    def settle(self, match: Match, tags: dict[str, str], places: dict[str, int], result: str, at: int) -> None:
        """Compare what the file says of the end with what the moves say."""
        if result not in RESULTS:
            raise self.error(f"Result: {quote(result)} is none of 1-0, 0-1, 1/2-1/2 and *.", at)
        said = tags.get("Termination", "").strip()
        if match.outcome:
            if match.outcome.result != result:
                raise self.error(
                    f"The moves end in {match.outcome.result} ({match.outcome.reason}), not in {result}.", at
                )
            if said and said != plain(match.outcome.reason).strip():
                raise self.error(
                    f"Termination: by the moves it is {quote(match.outcome.reason)}.", places["Termination"]
                )
            return
        winner = RESULTS[result]
        if winner is None and not said:
            return
        # The moves do not end the game. What does, apart from them, is a player who resigns or a program that fails.
        resigned = [seat for seat in (0, 1) if said == f"{match.names[seat]} resigned."]
        if resigned and winner == 1 - resigned[0]:
            match.resign(resigned[0])
            return
        for seat in (0, 1):
            fault = re.fullmatch(rf"{re.escape(plain(match.names[seat]))} lost by a fault \(([a-z]+)\): (.+)", said)
            if fault and winner == 1 - seat:
                match.fault(seat, fault[1], fault[2])
                return
        raise self.error(
            f"The moves do not end the game, so it is unfinished (*) or somebody resigned: then Termination says "
            f"{quote(f'{match.names[0]} resigned.')} or the like, and Result agrees.",
            at if winner is not None or not said else places["Termination"],
        )


Value = TypeVar("Value")


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


def _word_pattern(match: Match) -> re.Pattern[str]:
    """Any of the game's words, however the spaces between its parts were written."""
    words = sorted(match.game.dialogue.words(match.rules), key=len, reverse=True)
    either = "|".join(r"\s+".join(map(re.escape, word.split())) for word in words)
    return re.compile(rf"(?:{either})(?![^\s{{}}\[\];])", re.IGNORECASE | re.ASCII)

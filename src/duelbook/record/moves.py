"""The moves of a record: numbered, in the words of the game, written and read."""

from __future__ import annotations

import re

from duelbook.core import BOTH, LUCK, IllegalMove
from duelbook.match import Match
from duelbook.record.scanner import SPACE, Scanner
from duelbook.record.shape import LONGEST_COMMENT, Record
from duelbook.speech import plain

RESULT = re.compile(r"(1-0|0-1|1/2-1/2|\*)(?=[\s\[{;]|$)")
_NUMBER = re.compile(r"(\d{1,6})\.(\.\.)?")
_FACE = re.compile(r"(\d{1,6}):")
_PAIR = re.compile(r"([^\s/{}\[\];]{1,20})/([^\s/{}\[\];]{1,20})")
Play = int | tuple[int, int]


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


# Written


def move_text(match: Match, turn: int, play: Play) -> str:
    """One step in the words of the game: `build 4`, `7:`, `7/5`."""
    return _in_words(match.game.dialogue.words(match.rules), turn, play)


def _in_words(words: tuple[str, ...], turn: int, play: Play) -> str:
    if isinstance(play, tuple):
        return f"{words[play[0]]}/{words[play[1]]}"
    return f"{play}:" if turn == LUCK else words[play]


def written(record: Record) -> list[str]:
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


# Read


def read_moves(scanner: Scanner, match: Match, preface: str) -> dict[int, str]:
    """Play every move that is there; what comes back are the comments among them, the preface first."""
    comments: dict[int, list[str]] = {0: [preface]} if preface else {}
    numbering = _Numbering()
    word = _word_pattern(match)
    length = len(preface)
    while True:
        said = scanner.skip_comments()
        if said:
            if len(match.steps) not in comments:
                length = 0
            comments.setdefault(len(match.steps), []).append(said)
            length = scanner.check_length(length + len(said) + 1)
        if scanner.at_end() or scanner.sees("[") or RESULT.match(scanner.text, scanner.at):
            return {at: " ".join(words) for at, words in comments.items()}
        start = scanner.at
        number = scanner.take(_NUMBER)
        if number:
            _check_number(scanner, match, numbering, number, start)
            scanner.take(SPACE)
            continue
        _step(scanner, match, numbering, word)


def _check_number(scanner: Scanner, match: Match, numbering: _Numbering, found: re.Match[str], at: int) -> None:
    if match.outcome:
        raise scanner.error(f"The game is over here ({match.outcome.reason}), but more moves follow.", at)
    turn = BOTH if match.turn == BOTH else match.next_seat()
    expected, second = numbering.of(turn, match.turns)
    if int(found[1]) != expected or (second and not found[2]) or (found[2] and not second):
        raise scanner.error(
            f"This says {found[0]} where {expected}{'...' if second else '.'} belongs; is a move missing?", at
        )


def _step(scanner: Scanner, match: Match, numbering: _Numbering, word: re.Pattern[str]) -> None:
    start = scanner.at
    if match.outcome:
        raise scanner.error(f"The game is over here ({match.outcome.reason}), but more moves follow.")
    turn = match.turn
    try:
        if turn == LUCK:
            face = scanner.take(_FACE)
            if not face:
                name, drawn = match.game.chance.face, match.game.chance.drawn
                raise scanner.error(f"A {name} must be {drawn} here, as in 7:; {scanner.seen()} is not one.")
            if match.draws < len(match.stacked) and match.stacked[match.draws] != int(face[1]):
                raise scanner.error(
                    f"The Deck tag says that {match.stacked[match.draws]} comes here, not {face[1]}.", start
                )
            match.deal(int(face[1]))
            numbering.of(match.turn, match.turns)
            return
        words = match.game.dialogue.words(match.rules)
        if turn == BOTH:
            pair = scanner.take(_PAIR)
            picks = [part.lower() for part in pair.groups()] if pair else []
            if not pair or any(pick not in words for pick in picks):
                raise scanner.error(f"Both picks belong here, as in 7/5; {scanner.seen(start)} is not that.", start)
            for seat in (0, 1):
                match.play(seat, words.index(picks[seat]))
            return
        found = scanner.take(word)
        if not found:
            raise IllegalMove(f"{scanner.seen()} is not a move of {match.game.name}. {match.choices(turn)}")
        numbering.of(turn, match.turns)
        match.play(turn, words.index(" ".join(found[0].lower().split())))
    except IllegalMove as error:
        match.unseal()
        who = f", {match.names[turn]}" if turn in (0, 1) else ""
        raise scanner.error(f"Turn {match.turns + 1}{who}: {error}", start) from None


def _word_pattern(match: Match) -> re.Pattern[str]:
    """Any of the game's words, however the spaces between its parts were written."""
    words = sorted(match.game.dialogue.words(match.rules), key=len, reverse=True)
    either = "|".join(r"\s+".join(map(re.escape, word.split())) for word in words)
    return re.compile(rf"(?:{either})(?![^\s{{}}\[\];])", re.IGNORECASE | re.ASCII)

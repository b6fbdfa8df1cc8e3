"""Records read: every game is played through the referee, and what the file says of its end is held against it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from reprlib import repr as shown

from duelbook.core import OVER, DuelError, Game
from duelbook.match import Match, Outcome, resigned
from duelbook.record.moves import RESULT, read_moves
from duelbook.record.scanner import Scanner
from duelbook.record.shape import RESULTS, UNKNOWN_DATE, Record
from duelbook.record.tags import Tags, begun, read_tags, uncover
from duelbook.speech import plain, quote


def reads(text: str, known: Mapping[str, Game] | None = None) -> list[Record]:
    """Every game in the text, each played through the referee. Raises BadRecord at the first thing that is wrong.

    `known` are duels by their ids that need not be installed.
    """
    return list(iter_games(text, known))


def iter_games(text: str, known: Mapping[str, Game] | None = None) -> Iterator[Record]:
    if not isinstance(text, str):
        raise DuelError(f"Games are read from a text, and from a file by read_records; {shown(text)} is no text.")
    scanner = Scanner(text.removeprefix("\ufeff"))
    scanner.skip_comments()
    if scanner.at_end():
        raise scanner.error("The file holds no game.")
    while not scanner.at_end():
        yield _game(scanner, known or {})
        scanner.skip_comments()


def _game(scanner: Scanner, known: Mapping[str, Game]) -> Record:
    tags, preface = read_tags(scanner)
    match = begun(tags, known)
    comments = read_moves(scanner, match, preface)
    uncover(tags, match)
    token = scanner.take(RESULT)
    result = token[1] if token else tags.get("Result", "*")
    if token and tags.get("Result", result) != result:
        said = tags.values["Result"]
        raise scanner.error(f"The moves end with {result}, but the Result tag says {said}.", token.start())
    _settle(match, tags, result, tags.places.get("Result", token.start() if token else scanner.at))
    seats = (tags.get("Seat1", "human"), tags.get("Seat2", "human"))
    return Record(match, seats, tags.get("Date", UNKNOWN_DATE), tags.extra(), comments)


def _sentences(match: Match, outcome: Outcome) -> list[str]:
    """What a file may say of this end: what the duel says today, and what it said when older files were written."""
    former = getattr(match.game.dialogue, "former_endings", None)
    ended = match.game.turn(match.rules, match.state) == OVER
    older = former(match.rules, match.state, match.names) if former is not None and ended else []
    return [plain(sentence).strip() for sentence in (outcome.reason, *older)]


def _settle(match: Match, tags: Tags, result: str, at: int) -> None:
    """Compare what the file says of the end with what the moves say."""
    if result not in RESULTS:
        raise tags.scanner.error(f"Result: {quote(result)} is none of 1-0, 0-1, 1/2-1/2 and *.", at)
    said = tags.get("Termination", "").strip()
    if match.outcome:
        if match.outcome.result != result:
            raise tags.scanner.error(
                f"The moves end in {match.outcome.result} ({match.outcome.reason}), not in {result}.", at
            )
        if said and said not in _sentences(match, match.outcome):
            raise tags.error("Termination", f"by the moves it is {quote(match.outcome.reason)}.")
        return
    winner = RESULTS[result]
    if winner is None and not said:
        return
    if winner is None and said == match.rung() and match.stands_still:
        match.ring()
        return
    # The moves do not end the game. What does, apart from them, is a player who resigns or a program that fails. Whose
    # name that is also depends on the result: two players may have the same one.
    for seat in (0, 1):
        name = plain(match.names[seat])
        if winner == 1 - seat and said == resigned(name).strip():
            match.resign(seat)
            return
        begins = f"{name} lost by a fault (".lstrip()
        fault = re.fullmatch(rf"{re.escape(begins)}(.*?)\): (.+)", said)
        if winner == 1 - seat and fault:
            match.fault(seat, fault[1], fault[2])
            return
    raise tags.scanner.error(
        f"The moves do not end the game, so it is unfinished (*) or somebody resigned: then Termination says "
        f"{quote(resigned(match.names[0]))} or the like, and Result agrees.",
        at if winner is not None or not said else tags.places["Termination"],
    )

"""Whether a record can be read again once it is written: whoever writes Python can put anything into one."""

from __future__ import annotations

from reprlib import repr as shown

from duelbook.core import DuelError, of_kind
from duelbook.match import LATEST_BELL, Match, read_stack
from duelbook.record.shape import Record
from duelbook.record.tags import KNOWN, LONGEST_NAME, LONGEST_TAG, MOST_TAGS, TAG_NAME
from duelbook.speech import plain, quote


def check(record: Record) -> None:
    """Refuse in a sentence what could not be read back as it was written."""
    of_kind(record, Record, "A Record is written, as Duel('tower').play('random', 'random') gives it")
    match = of_kind(record.match, Match, "A record is of a Match")
    _check_texts(match.names, "The names of the players", LONGEST_NAME)
    _check_texts(record.seats, "The kinds of players", LONGEST_TAG)
    of_kind(record.date, str, "A date is a text such as '2026.11.15'")
    _check_extra(record.extra)
    of_kind(record.comments, dict, "Comments are texts by the number of steps before them, as in {0: 'A good start.'}")
    for said in record.comments.values():
        of_kind(said, str, "A comment is a text")
    if match.max_turns > LATEST_BELL:
        raise DuelError(f"A record has a bell after at most {LATEST_BELL:,} turns, not {match.max_turns:,}.")
    if match.stacked:
        read_stack(match.game, match.rules, match.start, ",".join(map(str, match.stacked)))


def _check_texts(texts: object, what: str, longest: int) -> None:
    if not isinstance(texts, tuple | list) or len(texts) != 2 or not all(isinstance(text, str) for text in texts):
        raise DuelError(f"{what} are two texts; {shown(texts)} are not.")
    for text in texts:
        if len(plain(text)) > longest:
            raise DuelError(f"{what} have at most {longest:,} letters in a record; {shown(text)} has {len(text):,}.")


def _check_extra(extra: object) -> None:
    """Tags of somebody's own."""
    if not isinstance(extra, dict):
        raise DuelError(f"Extra tags are texts by their names, as in {{'Event': 'A friendly'}}; {shown(extra)} is not.")
    if len(extra) > MOST_TAGS:
        raise DuelError(f"A record has at most {MOST_TAGS} extra tags, not {len(extra):,}.")
    for name, value in extra.items():
        if not isinstance(name, str) or TAG_NAME.fullmatch(name) is None:
            raise DuelError(f"A tag's name is a letter, then letters and digits, as in 'Event'; {shown(name)} is not.")
        if name in KNOWN:
            raise DuelError(f"The tag {quote(name)} is Duelbook's own, so it cannot be an extra one.")
        if not isinstance(value, str) or len(plain(value)) > LONGEST_TAG:
            raise DuelError(
                f"The tag {quote(name)} is a text of at most {LONGEST_TAG:,} letters; {shown(value)} is not."
            )

"""How the duels talk: lines with a tone, kind refusals, and small words that every dialogue needs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from duelbook.contract import Line as Line
from duelbook.contract import Names as Names
from duelbook.core import SEATS, BadPosition, Misread

T = TypeVar("T")
LONGEST_LINE = 200
ENOUGH = 3
"""Letters of a move that are taken for all of it. With fewer, `he` could be heal or help."""
QUOTES = "'\"`"
_SHOWS_NOTHING = "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
"""Letters that Python calls printable although nothing of them can be seen: fillers, joiners, variation selectors.

Compiled when it is first needed: most runs never see one."""


def plain(text: object) -> str:
    """Text from outside as it may be shown anywhere, on one line: every letter that cannot be seen as an escape.

    Whatever a bot, a record, a file name or a setting says goes through here on its way to a person. Controls (C0 and
    C1, so also ESC, tab and the end of a line), controls of direction and other formats, lone surrogates, letters
    without width, spaces other than the usual one and letters that Unicode does not know yet become `\\x1b`, `\\u202e`
    or `\\U000e0041`. A backslash stays as it is: this is for reading, not for reading back.
    """
    return _escaped(str(text), _escape)


def in_one_line(text: str) -> str:
    """Text of whoever in one line of single spaces, without the letters that cannot be seen."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def plain_lines(text: object) -> str:
    """The same for text of several lines: the ends of its lines stay."""
    return "\n".join(map(plain, str(text).split("\n")))


def plain_json(text: str) -> str:
    """JSON that says the same and in which nothing steers a terminal: what cannot be seen as JSON's own escapes.

    A JSON text has such letters only inside its strings; the ends of lines between its values stay.
    """
    return "\n".join(_escaped(line, _json_escape) for line in text.split("\n"))


def plain_html(text: str) -> str:
    """Text of several lines as part of a page: no markup either, and nothing that steers a terminal that shows it."""
    from html import escape

    return escape(plain_lines(text))


def _escaped(text: str, escape: Callable[[str], str]) -> str:
    if text.isprintable() and (text.isascii() or not re.search(_SHOWS_NOTHING, text)):
        return text
    return "".join(
        letter if letter.isprintable() and not re.match(_SHOWS_NOTHING, letter) else escape(letter) for letter in text
    )


def _escape(letter: str) -> str:
    code = ord(letter)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _json_escape(letter: str) -> str:
    pairs = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{pairs[at : at + 2].hex()}" for at in range(0, len(pairs), 2))


def either(words: Iterable[str], last: str = "or") -> str:
    """`a`, `a or b`, `a, b or c`."""
    *most, final = words
    return f"{', '.join(most)} {last} {final}" if most else final


def called(word: str, names: Iterable[tuple[str, T]]) -> list[T]:
    """What is called so, or else everything whose name begins so, each once; in any case, with any spaces."""
    said, known = " ".join(word.lower().split()), list(names)
    exact = [thing for name, thing in known if name.lower() == said]
    begun = [thing for name, thing in known if said and name.lower().startswith(said)]
    return list(dict.fromkeys(exact or begun))


def amount(number: int, thing: str) -> str:
    """`1 unit`, `4 units`, `2 inaccuracies`."""
    if number == 1:
        return f"{number} {thing}"
    return f"{number} {thing[:-1]}ies" if thing[-1] == "y" and thing[-2] not in "aeiou" else f"{number} {thing}s"


def with_article(numbers: str) -> str:
    """`a 7`, `an 8`, `an 8 or a 9` is `an 8 or 9`."""
    return f"{'an' if numbers.split()[0].strip(',') in ('8', '11', '18') else 'a'} {numbers}"


def how_long(seconds: float) -> str:
    """`2 days`, `90 minutes`, `42 seconds`: two of the largest unit at least, as the pages' `clock.js` says it too."""
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= 2 * size:
            return amount(int(seconds // size), unit)
    return amount(max(0, int(seconds)), "second")


def gauges(names: Names, what: str, values: Iterable[int], top: int, tone: str = "") -> list[Line]:
    """A line with a bar for each player: `Player 1 HP: 7`."""
    return [Line(f"{name} {what}: {value}", tone, (value, top)) for name, value in zip(names, values, strict=True)]


def tidy(text: str) -> str:
    """What was typed in lower case and single spaces; `build_4`, as programs spell a move, is `build 4`.

    Text that cannot be a move is refused with the reason.
    """
    if len(text) > LONGEST_LINE:
        raise Misread(f"That line is {len(text):,} characters long; a move is a word or two.")
    words = " ".join(text.lower().replace("_", " ").split())
    if not words:
        raise Misread("That line was empty.")
    if not words.isprintable():
        raise Misread("That line holds characters that cannot be seen, perhaps from an arrow key.")
    return words


def bare(words: str) -> str:
    """The words without quotation marks around them and a full stop behind them; nothing but those stays as it is."""
    return words.strip(QUOTES).rstrip(". ").strip(QUOTES) or words


def quote(text: str) -> str:
    """What was typed, short enough and safe enough to be shown again."""
    shown = plain(text.strip()[:41])
    return f"'{shown[:37]}...'" if len(shown) > 40 else f"'{shown}'"


def whole_number(word: str) -> int:
    """A whole number in the digits 0 to 9. The refusals never repeat the word: it may be somebody's secret."""
    if word.isascii() and word.isdigit():
        if len(word) > 9:
            raise Misread("That number is far too long.")
        return int(word)
    if word.replace(" ", "").isdigit() and " " in word:
        raise Misread("There is a space inside that number.")
    if word.startswith("-") and word[1:].strip().isdigit():
        raise Misread("A number below zero is not a choice here.")
    if word.isnumeric():
        raise Misread("Please type numbers with the digits 0 to 9.")
    raise Misread("That is not a whole number.")


def find_word(text: str, spellings: dict[str, int]) -> int:
    """The move that a word spells, or that it begins to spell if no other does. Anything else is refused, with a guess
    at what was meant."""
    word = tidy(text)
    if word in spellings:
        return spellings[word]
    word = bare(word)
    if word in spellings:
        return spellings[word]
    begun = {move for spelling, move in spellings.items() if spelling.startswith(word)}
    if len(word) >= ENOUGH and len(begun) == 1:
        return begun.pop()
    raise Misread(f"{quote(text)} is not a move here.{guess(word, spellings)}")


def guess(word: str, known: Iterable[str]) -> str:
    """What may have been meant; nothing where two are as near as each other, as are `build 1` and `build 4` to
    `build two`."""
    from difflib import SequenceMatcher, get_close_matches

    close = get_close_matches(word[:40], [name for name in known if len(name) > 2], n=2, cutoff=0.65)
    near = [SequenceMatcher(a=name, b=word[:40]).ratio() for name in close]
    return f" Did you mean '{close[0]}'?" if close and near[1:] != near[:1] else ""


def position_fields(text: str, shape: str, *counts: int) -> list[str]:
    """The space-separated parts of a position; `shape` tells a person what was expected."""
    fields = text.split()
    if len(fields) not in counts:
        raise BadPosition(f"A position of this duel looks like {shape}; {quote(text)} does not.")
    return fields


def position_number(word: str, what: str, low: int, high: int) -> int:
    digits = word.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        raise BadPosition(f"{quote(word)} is not a whole number for {what}.")
    number = int(word)
    if not low <= number <= high:
        raise BadPosition(f"{what} cannot be {number}: it lies between {low} and {high}.")
    return number


def position_pair(words: Sequence[str], what: str, low: int, high: int, names: Names = SEATS) -> tuple[int, int]:
    """The same number of both players."""
    one, two = (position_number(word, f"{name}'s {what}", low, high) for word, name in zip(words, names, strict=True))
    return one, two


def position_mover(word: str) -> int:
    if word not in ("1", "2"):
        raise BadPosition(f"The player to move is 1 or 2, not {quote(word)}.")
    return int(word) - 1


def choices(words: Sequence[str]) -> str:
    """The sentence that follows a refusal."""
    return f"You can play: {either(words)}."

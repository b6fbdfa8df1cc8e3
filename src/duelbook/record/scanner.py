"""A text walked through from its beginning to its end, with a place for every complaint."""

from __future__ import annotations

import re

from duelbook.record.shape import LONGEST_COMMENT, BadRecord
from duelbook.speech import plain, quote

SPACE = re.compile(r"\s+")
_COMMENT = re.compile(r"\{([^}]*)\}|;([^\n]*)")
_WORD = re.compile(r"[^\s{}\[\];]{1,40}(?: +\d{1,9}(?![.\d]))?")


class Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def error(self, sentence: str, at: int | None = None) -> BadRecord:
        at = self.at if at is None else at
        line = self.text.count("\n", 0, at) + 1
        return BadRecord(sentence, line, at - self.text.rfind("\n", 0, at))

    def at_end(self) -> bool:
        return self.at >= len(self.text)

    def sees(self, letter: str) -> bool:
        return self.text.startswith(letter, self.at)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def seen(self, at: int | None = None) -> str:
        """What stands here, for a sentence that refuses it."""
        found = _WORD.match(self.text, self.at if at is None else at)
        return quote(found[0]) if found else "what stands here"

    def skip_comments(self) -> str:
        """Pass over space and comments; what the comments said comes back."""
        said: list[str] = []
        length = 0
        while True:
            self.take(SPACE)
            found = self.take(_COMMENT)
            if not found:
                if self.sees("{"):
                    raise self.error("This comment is not closed: what begins with { ends with }.")
                return " ".join(filter(None, said))
            words = " ".join((found[1] or found[2] or "").replace("}", ")").split())
            said.append(plain(words))
            length = self.check_length(length + len(said[-1]) + 1)

    def check_length(self, length: int) -> int:
        if length > LONGEST_COMMENT:
            raise self.error(f"There are more than {LONGEST_COMMENT:,} letters of comments in one place.")
        return length

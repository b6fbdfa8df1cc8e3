"""A rule book as a page has it: the same book, without what only a command line understands.

Books tell at the right place with which option something is chosen, and which words a prompt takes. On a page these
lead nowhere; where to find the same here is said instead.
"""

from __future__ import annotations

import re

ELSEWHERE = ("`--", "`duelbook ", "At every prompt", "`status`", "taken back")
"""Whatever sentence has one of these speaks of a command line, or of what there is not online."""
ASIDE = re.compile(r"\s*\(`--[^)]*\)")
SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*])")
HERE = {
    "## Options": "In the lobby these stand under *Other rules*, below the duel.",
    "## What you type": "Press a move, or type it into the line below the moves.",
}


def for_pages(book: str) -> str:
    """The book, in Markdown as before."""
    return "\n\n".join(part for block in book.split("\n\n") for part in _told(block.strip("\n")))


def _told(block: str) -> list[str]:
    """A block as it is here: some headings get a line below them, and of a paragraph nothing may be left."""
    if block.startswith("#"):
        return [block, *filter(None, [HERE.get(block)])]
    block = ASIDE.sub("", block)
    if block.startswith(("-", "|", "```", "    ")) or re.match(r"\d+\.", block):
        return [block]
    kept = [each for each in SENTENCES.split(block) if not any(words in each for words in ELSEWHERE)]
    return [" ".join(kept)] if kept else []

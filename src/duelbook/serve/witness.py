"""What a client has seen of a game with its own eyes, in 32 bytes: a running digest over every event as it was shown.

A record proves only that it fits itself: a server could write a whole game anew, with another secret of its own. Who
was there has seen its promise, both anchors and every seal before it gave away anything. So the digest is kept as the
game goes on, and what the server tells afterwards must lead to the same one.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from duelbook.core import DuelError
from duelbook.honest.writing import LENGTH, digest
from duelbook.serve.events import Event
from duelbook.speech import amount

_OWN = ("act", "at")
"""What is shown to one seat alone, and the time, which decides nothing and is written in many ways."""
_NEVER_SHOWN = (*_OWN, "key", "secrets", "invitations")
"""What only the server knows when it makes a game; here it is empty."""


class Witness(NamedTuple):
    seen: int = 0
    """Events, from the first one on."""
    digest: bytes = b""

    def saw(self, event: Event) -> Witness:
        """The same with the next event. Both seats and everybody who watches come to the same digest."""
        left_out = _NEVER_SHOWN if event.kind == "created" else _OWN
        shown = {name: value for name, value in event.body.items() if name not in left_out}
        text = json.dumps(shown, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        return Witness(self.seen + 1, digest("saw", self.digest, event.seq, text))

    @property
    def words(self) -> str:
        """The digest as two people compare it: `3f9a 12bc 77e0 41d2`."""
        text = self.digest.hex()[:16]
        return " ".join(text[at : at + 4] for at in range(0, len(text), 4))


class Disagrees(DuelError):
    """The server tells a game otherwise than it did before."""


class Memory:
    """The witness of one game across the times that somebody leaves and comes back."""

    def __init__(self, file: Path | None) -> None:
        """Without a file there is nothing to remember: somebody watches."""
        self.file, self.now, self.end = file, Witness(), Witness()
        self.before = _read(file) if file is not None else Witness()
        """What was seen before this time."""

    def saw(self, event: Event) -> None:
        """Raises Disagrees where what is told now is not what was told then."""
        self.now = self.now.saw(event)
        if event.kind == "over":
            self.end = self.now
        if self.now.seen == self.before.seen and self.now.digest != self.before.digest:
            raise Disagrees(
                f"THE SERVER TELLS THIS GAME OTHERWISE THAN BEFORE: its first {self.now.seen} events are not those "
                "that were seen here. Nothing more is shown to it. Do not take its word for how this game went."
            )

    def keep(self) -> None:
        """Before anything that was secret goes out. Where it cannot be kept, the memory ends with this process."""
        if self.file is None or self.now.seen <= self.before.seen:
            return
        new = self.file.with_suffix(".seeing")
        with suppress(OSError):
            self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as kept:
                kept.write(f"{self.now.seen} {self.now.digest.hex()}\n")
            new.replace(self.file)
            self.before = self.now

    @property
    def missing(self) -> int:
        """How many events were seen here before, and have not been shown again."""
        return max(0, self.before.seen - self.now.seen)

    @property
    def testimony(self) -> str:
        """What can be said of a game that is over, by whoever was there."""
        if self.missing:
            return f"BUT WHAT WAS SEEN HERE BEFORE IS NOT SHOWN AGAIN: {amount(self.missing, 'event')}."
        where = "Proved from what this terminal saw" if self.file is not None else "As it was shown here"
        return f"{where}; fingerprint {self.end.words}."


def _read(file: Path) -> Witness:
    """What was kept; nothing where there is none, or where somebody has written something else there."""
    try:
        seen, text = file.read_text(encoding="utf-8").split()
        kept = Witness(int(seen), bytes.fromhex(text))
    except (OSError, ValueError):
        return Witness()
    return kept if kept.seen > 0 and len(kept.digest) == LENGTH else Witness()

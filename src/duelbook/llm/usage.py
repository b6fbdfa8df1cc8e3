"""What asking has used: tokens, requests, time and money, of one player and of all players of a command together."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from duelbook.llm.asking import Asking, Price
from duelbook.llm.faults import Spent
from duelbook.speech import amount

MILLION = 1_000_000


class Usage(NamedTuple):
    """What was used. Answers from the cache use nothing, and are counted by themselves."""

    tokens_in: int = 0
    tokens_out: int = 0
    requests: int = 0
    retries: int = 0
    """Requests among them that were sent again."""
    seconds: float = 0.0
    """Spent waiting for answers."""
    money: float | None = None
    """None where no price is known."""
    cached: int = 0
    """Answers that were at hand."""
    uncounted: int = 0
    """Requests of which nobody said how many tokens they took: late ones, failed ones, and those to servers that never
    say."""

    def plus(self, other: Usage) -> Usage:
        known = [money for money in (self.money, other.money) if money is not None]
        numbers = {name: getattr(self, name) + getattr(other, name) for name in self._fields if name != "money"}
        return Usage(**numbers, money=sum(known) if known else None)

    @property
    def words(self) -> str:
        """In a line, for people."""
        said = [amount(self.requests, "request")]
        if self.retries:
            said.append(f"{self.retries:,} of them sent again")
        if self.cached:
            said.append(f"{amount(self.cached, 'answer')} at hand")
        said += [f"{self.tokens_in:,} tokens in", f"{self.tokens_out:,} out", f"{self.seconds:.1f} s"]
        if self.uncounted:
            said.append(f"{amount(self.uncounted, 'request')} of unknown tokens")
        if self.money is not None:
            said.append(f"cost {self.money:.4f}")
        return ", ".join(said)


class Ledger:
    """What one player has used, and what all have, where they share a file."""

    def __init__(self, kind: str, asking: Asking, price: Price | None) -> None:
        self.kind, self.asking, self.price = kind, asking, price
        self._lock = Lock()
        self._mine = Usage(money=None if price is None else 0.0)
        self._all = Usage()
        self._read = 0

    @property
    def mine(self) -> Usage:
        with self._lock:
            return self._mine

    def note(self, used: Usage) -> None:
        if self.price is not None:
            cost = used.tokens_in * self.price.tokens_in + used.tokens_out * self.price.tokens_out
            used = used._replace(money=cost / MILLION)
        with self._lock:
            self._mine = self._mine.plus(used)
        if self.asking.ledger:
            line = json.dumps({"kind": self.kind} | used._asdict())
            with suppress(OSError):
                handle = os.open(self.asking.ledger, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
                try:
                    os.write(handle, f"{line}\n".encode())
                finally:
                    os.close(handle)

    def _total(self) -> Usage:
        """What all have used: of the file only what is new is read."""
        if not self.asking.ledger:
            return self.mine
        with self._lock:
            with suppress(OSError), Path(self.asking.ledger).open("rb") as file:
                file.seek(self._read)
                whole, newline, _ = file.read().rpartition(b"\n")
                self._read += len(whole) + len(newline)
                for _, used in _entries(whole):
                    self._all = self._all.plus(used)
            return self._all

    def check(self) -> None:
        """Refuse to ask on where a total is used up. Questions that are on their way come to their end."""
        asking = self.asking
        if asking.total_tokens is None and asking.total_money is None:
            return
        spent = self._total()
        tokens = spent.tokens_in + spent.tokens_out
        if asking.total_tokens is not None and tokens >= asking.total_tokens:
            raise Spent(f"The {asking.total_tokens:,} tokens that models may use are used up: {spent.words}.")
        if asking.total_money is not None and (spent.money or 0.0) >= asking.total_money:
            raise Spent(f"The money that models may cost, {asking.total_money:g}, is spent: {spent.words}.")


def _entries(text: bytes) -> Iterator[tuple[str, Usage]]:
    for line in text.splitlines():
        said = json.loads(line)
        yield said.pop("kind"), Usage(**said)


def by_kind(file: str) -> dict[str, Usage]:
    """What each kind of model has used, as all players of a command noted it."""
    found: dict[str, Usage] = {}
    with suppress(OSError), Path(file).open("rb") as opened:
        for kind, used in _entries(opened.read()):
            found[kind] = found[kind].plus(used) if kind in found else used
    return found

"""What an operator may want to know of a running server, as text that Prometheus reads.

Numbers alone: no name, no game and no address is in them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Seconds; what takes longer is counted behind the last of them."""


class Metrics:
    def __init__(self) -> None:
        self.acts: Counter[tuple[str, str]] = Counter()
        """By what was done, and whether it was done or refused."""
        self.refusals: Counter[str] = Counter()
        """Questions that never reached a game, by the reason."""
        self.dropped: Counter[str] = Counter()
        """Sockets that were let go, by the reason."""
        self._appends = [0] * (len(BOUNDS) + 1)
        self._append_seconds = 0.0

    def appended(self, seconds: float) -> None:
        """So long somebody waited for the disk."""
        self._appends[bisect_left(BOUNDS, seconds)] += 1
        self._append_seconds += seconds

    def text(self, now: Mapping[str, int]) -> str:
        """Everything that was counted, and what is so at the moment."""
        return "".join(f"{line}\n" for line in self._lines(now))

    def _lines(self, now: Mapping[str, int]) -> Iterator[str]:
        for name, value in now.items():
            yield f"# TYPE duelbook_{name} gauge"
            yield f"duelbook_{name} {value}"
        yield "# TYPE duelbook_acts_total counter"
        for (do, outcome), count in sorted(self.acts.items()):
            yield f'duelbook_acts_total{{do="{do}",outcome="{outcome}"}} {count}'
        for name, counts in (("refusals", self.refusals), ("sockets_dropped", self.dropped)):
            yield f"# TYPE duelbook_{name}_total counter"
            for reason, count in sorted(counts.items()):
                yield f'duelbook_{name}_total{{reason="{reason}"}} {count}'
        yield "# TYPE duelbook_append_seconds histogram"
        total = 0
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), self._appends, strict=True):
            total += count
            yield f'duelbook_append_seconds_bucket{{le="{bound}"}} {total}'
        yield f"duelbook_append_seconds_sum {self._append_seconds:.6f}"
        yield f"duelbook_append_seconds_count {total}"

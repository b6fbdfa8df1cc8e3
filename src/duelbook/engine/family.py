"""A program and all that it has started, as far as the system can say: who they are, and what memory they use.

Only where there is /proc, as on Linux; elsewhere a family is empty and nothing is known of its memory.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")
MARK = "DUELBOOK_PROGRAM"
"""A variable by which all that a program starts is known, even where it has left its family."""
COUNTED = ("Pss_Anon", "Pss_Shmem", "SwapPss")
NAMELESS = "/memfd:"
ROUGHLY = ("RssAnon", "RssShmem", "VmSwap")


def family(pid: int) -> list[int]:
    """A process and those that it and its children have started, but for those whose parents have ended."""
    found = [pid]
    for each in found:  # which grows on the way
        found += _children(each)
    return found


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for task in (PROC / str(pid) / "task").iterdir():
            found += map(int, (task / "children").read_bytes().split())
    return found


def marked(mark: str, variable: str = MARK) -> list[int]:
    """Processes with this mark in the environment that they were started with."""
    wanted, found = f"{variable}={mark}".encode(), []
    with suppress(OSError):
        for entry in PROC.iterdir():
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                with suppress(OSError):
                    if wanted in (entry / "environ").read_bytes().split(b"\0"):
                        found.append(int(entry.name))
    return found


def kill(pids: Iterable[int]) -> None:
    for pid in pids:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def memory_used(pids: Iterable[int], limit: int) -> int:
    """Bytes of memory that these processes use together: their own and what they share among themselves, in memory or
    swapped out; not what they only read from files. Above the limit it is exact, below it is a quick guess from above.

    A mapping that several share counts once in the exact sum, and once for each in the guess, which costs far less.
    """
    pids = list(pids)
    nameless = dict(_nameless(pids))
    guess = sum(map(_rough, pids)) + sum(nameless.values())
    if guess <= limit:
        return guess
    return sum(_exact(pid, nameless.keys()) for pid in pids) + sum(nameless.values())


def _rough(pid: int) -> int:
    return sum(amount for _, amount in _amounts(f"/proc/{pid}/status", ROUGHLY))


def _exact(pid: int, besides: Container[str]) -> int:
    """What a process uses, of what it has together with others its share, besides files that are counted elsewhere.
    One that may not be looked at so closely counts as a whole."""
    mapped = list(_amounts(f"/proc/{pid}/smaps", ("Pss",)))
    if not mapped:
        return _rough(pid)
    used = sum(amount for _, amount in _amounts(f"/proc/{pid}/smaps_rollup", COUNTED))
    return used - sum(amount for file, amount in mapped if file in besides)


def _amounts(path: str, names: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """The amounts of these names in a file of /proc, in bytes, each with the number of the file that is mapped there,
    where it is one without a name in memory."""
    mapped = ""
    with suppress(OSError), Path(path).open(encoding="ascii", errors="replace") as lines:
        for line in lines:
            name, colon, amount = line.partition(":")
            if colon and name in names:
                yield mapped, int(amount.split()[0]) << 10
            elif "-" in name:  # from one address to another
                words = line.split(None, 5)
                mapped = words[4] if len(words) == 6 and words[5].startswith(NAMELESS) else ""


def _nameless(pids: Iterable[int]) -> Iterator[tuple[str, int]]:
    """The size of each file without a name in memory (memfd) that these processes hold open, mapped or not."""
    for pid in pids:
        with suppress(OSError):
            for entry in (PROC / str(pid) / "fd").iterdir():
                with suppress(OSError):
                    if str(entry.readlink()).startswith(NAMELESS):
                        seen = entry.stat()
                        yield str(seen.st_ino), seen.st_blocks * 512

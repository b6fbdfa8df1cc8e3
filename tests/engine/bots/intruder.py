"""A program that tries, once it is asked for a move, to do what its arguments name, and says what came of it.

In all else it keeps to the protocol. What it is to try it with is JSON in hexadecimal digits, for a sandbox shows a
program what its command names. What it got is the last `info string`, as JSON: a value, or the name of an error.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

MEGABYTE = 1 << 20
FOR_EVER = 600


def say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def attempt(what: Callable[[], Any]) -> Any:
    try:
        return what()
    except OSError as error:
        return type(error).__name__


# Other processes


def see(wanted: str) -> list[int]:
    """How many processes can be seen, and how many of them have this in their command."""
    seen = [entry for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    found = [entry for entry in seen if wanted.encode() in _command(entry)]
    return [len(seen), len(found)]


def _command(process: Path) -> bytes:
    """A process's command; nothing of one that has ended since it was seen."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return (process / "cmdline").read_bytes()
    return b""


def stop(*pids: str) -> list[Any]:
    return [signalled(int(pid), signal.SIGSTOP) for pid in pids]


def signalled(pid: int, number: int) -> str:
    try:
        os.kill(pid, number)
    except OSError as error:
        return type(error).__name__
    return "done"


def kill_all(outside: str) -> Any:
    """Kill everything that can be killed, but only where that is not the whole machine."""
    if Path("/proc/self/ns/pid").readlink() == Path(outside):
        return "the processes of the whole machine"
    return signalled(-1, signal.SIGKILL)


def spy(pid: str) -> dict[str, Any]:
    def memory() -> str:
        handle = os.open(f"/proc/{pid}/mem", os.O_RDONLY)
        os.close(handle)
        return "open"

    return {
        "mem": attempt(memory),
        "environ": attempt(lambda: len(Path(f"/proc/{pid}/environ").read_bytes())),
        "trace": trace(int(pid)),
    }


def trace(pid: int) -> str:
    """Whether it lets itself be held with ptrace (PTRACE_SEIZE), which asks for the same rights as reading it."""
    if ctypes.CDLL(None, use_errno=True).ptrace(0x4206, pid, None, None) == 0:
        return "held"
    return type(OSError(ctypes.get_errno(), "")).__name__


# Files


def list_folder(folder: str) -> Any:
    return attempt(lambda: sorted(entry.name for entry in Path(folder).rglob("*") if not entry.is_dir()))


def look_around(folder: str) -> dict[str, Any]:
    """The beginning of every file there, those in folders too."""
    files = sorted(path for path in Path(folder).rglob("*") if not path.is_dir())
    return {str(path): attempt(partial(beginning, path)) for path in files}


def beginning(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.read(100)


def read(*files: str) -> list[Any]:
    return [attempt(partial(Path(file).read_text, encoding="utf-8")) for file in files]


def write(*files: str) -> list[Any]:
    return [attempt(partial(Path(file).write_text, "I was here", encoding="utf-8")) for file in files]


def scribble() -> list[str]:
    """Write where it is told to write."""
    path = Path(os.environ["TMPDIR"]) / "x"
    path.write_text("I was here", encoding="utf-8")
    return [str(path)]


def fill(folder: str, megabytes: str) -> Any:
    """How many megabytes of a file have room there."""
    done = 0
    with (Path(folder) / "hoard").open("wb") as file:
        while done < int(megabytes):
            try:
                file.write(bytes(MEGABYTE))
                file.flush()
            except OSError:
                return done
            done += 1
    return done


# The network


def call(kind: str, address: str, words: str = "") -> Any:
    def connect() -> str:
        if kind == "tcp":
            socket.create_connection(("127.0.0.1", int(address)), timeout=10).close()
        elif kind == "udp":
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
                line.sendto(words.encode(), ("127.0.0.1", int(address)))
        else:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
                line.connect(f"\0{address}" if kind == "abstract" else address)
        return "connected"

    return attempt(connect)


# Memory

hoard: list[Any] = []


def take(kind: str, megabytes: str) -> str:
    """Take so much memory and wait: one that is watched is ended meanwhile."""
    size = int(megabytes) * MEGABYTE
    if kind == "shared":
        shared = mmap.mmap(-1, size)
        for at in range(0, size, MEGABYTE):
            shared[at : at + MEGABYTE] = b"x" * MEGABYTE
        hoard.append(shared)
    elif kind == "nameless":
        handle = os.memfd_create("hoard")
        for _ in range(int(megabytes)):
            os.write(handle, b"x" * MEGABYTE)
    elif kind == "children":
        for _ in range(4):
            if os.fork() == 0:
                hoard.append(b"x" * (size // 4))
                time.sleep(FOR_EVER)
    time.sleep(FOR_EVER)
    return "went by unnoticed"


# Leaving somebody behind


def leave_a_child(*, twice: bool) -> str:
    """A process with a session of its own; with a second fork also without a parent that could be asked for it."""
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if twice and os.fork():
            os._exit(0)
        os.close(1)
        os.write(writer, b".")
        time.sleep(FOR_EVER)
        os._exit(0)
    if twice:
        os.wait()
    os.read(reader, 1)
    return "left"


def surroundings() -> dict[str, Any]:
    held = [entry.name for entry in Path("/proc/self/fd").iterdir() if entry.exists()]
    return {"variables": sorted(os.environ), "files": sorted(held), "here": str(Path.cwd()), "uid": os.getuid()}


ATTACKS: dict[str, Callable[..., Any]] = {
    "see": see,
    "stop": stop,
    "kill-all": kill_all,
    "spy": spy,
    "list": list_folder,
    "look-around": look_around,
    "read": read,
    "write": write,
    "scribble": scribble,
    "fill": fill,
    "call": call,
    "take": take,
    "leave-a-child": lambda: leave_a_child(twice=False),
    "leave-a-grandchild": lambda: leave_a_child(twice=True),
    "surroundings": surroundings,
    "nothing": lambda: None,
}


def lines() -> Iterator[list[str]]:
    for line in sys.stdin:
        yield line.split() or [""]


def main() -> None:
    how, arguments = sys.argv[1], json.loads(bytes.fromhex(sys.argv[2])) if sys.argv[2:] else []
    for command, *words in lines():
        if command == "udi":
            say("id name Intruder", "id author Duelbook", "game *", "udiok")
        elif command == "isready":
            say("readyok")
        elif command == "go":
            got = json.dumps(ATTACKS[how](*arguments))
            say(f"info string {got}", f"bestmove {words[words.index('legal') + 1]}")
        elif command == "quit":
            break


if __name__ == "__main__":
    main()

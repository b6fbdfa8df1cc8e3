"""Somebody's environment in a process of its own: asked to play a line, given so long, and ended with the check.

What the file does to its process, or how long it thinks, is its own affair; whoever asks gets an answer or a sentence.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, Self

from duelbook.core import DuelError
from duelbook.foreign.answers import Answer
from duelbook.speech import plain, quote

SECONDS = 20.0
"""So long may the file take to load, or to play one line."""
INSIDE = Path(__file__).parent / "inside.py"
WITH_EXTRAS = {"gymnasium", "pettingzoo"}


class BadEnvironment(DuelError):
    """A file that cannot be driven: nothing in it to play, or it hangs, or it ends its process."""


class Hosted:
    """One file, loaded and waiting."""

    def __init__(self, file: Path, name: str = "", seconds: float = SECONDS) -> None:
        self.file, self.name, self.seconds = file, name, seconds
        self._start()

    def _start(self) -> None:
        self._said: SimpleQueue[str] = SimpleQueue()
        self._process = subprocess.Popen(
            [sys.executable, str(INSIDE), str(self.file), self.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"},
            start_new_session=True,
            text=True,
            encoding="utf-8",
        )
        threading.Thread(target=self._hear, args=(self._process, self._said), daemon=True).start()
        hello = self._answer("while it was loaded")
        missing = str(hello.get("missing", ""))
        if missing:
            extra = missing.partition(".")[0]
            add = f"pip install 'duelbook[{extra}]'" if extra in WITH_EXTRAS else f"install {extra} beside Duelbook"
            raise self._unusable(f"It needs {plain(missing)}, which is not here: {add}.")
        self.kind = str(hello["kind"])
        self.numbers = bool(hello["numbers"])
        self.least = int(hello["least"])

    @staticmethod
    def _hear(process: subprocess.Popen[str], said: SimpleQueue[str]) -> None:
        assert process.stdout is not None
        with suppress(ValueError, OSError), process.stdout as lines:
            for line in lines:
                said.put(line)
        said.put("")

    def _unusable(self, why: str) -> BadEnvironment:
        self.close()
        return BadEnvironment(f"{quote(str(self.file))} cannot be checked. {why}")

    def _answer(self, when: str) -> dict[str, Any]:
        try:
            line = self._said.get(timeout=self.seconds)
        except Empty:
            raise self._unusable(f"It had not answered after {self.seconds:g} seconds, {when}.") from None
        if not line:
            raise self._unusable(f"It ended its own process, {when}.")
        told: dict[str, Any] = json.loads(line)
        if "error" in told:
            raise self._unusable(plain(told["error"]))
        return told

    def play(self, actions: list[Any], seed: int = 0, *, ends: bool = False) -> list[Answer]:
        """Play these actions in a new game, until it ends: what was seen at first and after each."""
        request = json.dumps({"seed": seed, "actions": actions, "ends": ends})
        assert self._process.stdin is not None
        with suppress(OSError):  # that it has gone is said below
            self._process.stdin.write(request + "\n")
            self._process.stdin.flush()
        tail = ", ".join(map(str, actions[:12])) + (" ..." if len(actions) > 12 else "")
        told = self._answer(f"while it was played: {tail}")
        return [
            Answer(**(each | {name: tuple(each[name]) for name in ("rewards", "listed") if each.get(name) is not None}))
            for each in told["answers"]
        ]

    def close(self) -> None:
        with suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

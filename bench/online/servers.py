"""The servers that are measured, each started as its users start it, and what they take of the processor."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
MODULES = HERE.parent.parent / ".bench-node"
BOARDGAME = ("boardgame.io@0.50.2", "node-persist@3.1.3")
"""The second is what it keeps files with, and does not ask for."""


class Running(NamedTuple):
    dialect: str
    port: int
    lobby: int
    """The port at which games are made."""
    process: int

    def spent(self) -> float:
        """Seconds of processor time that it and its children have used."""
        return sum(_used(process) for process in (self.process, *children(self.process)))


def children(process: int) -> list[int]:
    try:
        found = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8").split()
    except FileNotFoundError:
        return []
    return [each for child in map(int, found) for each in (child, *children(child))]


def _used(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except FileNotFoundError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def command(data: str, port: int = 0, processes: int = 1) -> list[str]:
    """As an operator starts it; all that play here come from one address, so nothing is counted against it."""
    asked = ["--host", "127.0.0.1", "--port", str(port), "--rate", "0", "--data", data, "--processes", str(processes)]
    return [sys.executable, "-m", "duelbook", "serve", *asked]


@contextmanager
def duelbook(data: str, processes: int = 1) -> Iterator[Running]:
    with subprocess.Popen(
        command(data, processes=processes), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        found = re.search(r"http://127.0.0.1:(\d+)", server.stdout.readline())
        assert found is not None, "the server says where it is"
        try:
            yield Running("duelbook", int(found[1]), int(found[1]), server.pid)
        finally:
            server.terminate()


@contextmanager
def boardgame_io(folder: str = "") -> Iterator[Running]:
    """From memory, or from files in a folder."""
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as two:
        port, lobby = one.getsockname()[1], two.getsockname()[1]
    started = ["node", str(HERE / "boardgame.js"), str(MODULES), str(port), str(lobby), *([folder] if folder else [])]
    environment = {**os.environ, "NODE_ENV": "production"}
    with subprocess.Popen(started, stdout=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stdout is not None
        while "listening" not in (line := server.stdout.readline()):
            assert line, "boardgame.io does not start"
        try:
            yield Running("boardgame.io", port, lobby, server.pid)
        finally:
            server.terminate()


def boardgame_io_is_here() -> bool:
    """Whether it can be measured; it is installed once, where npm is."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return False
    if not (MODULES / "node_modules" / "node-persist").exists():
        MODULES.mkdir(exist_ok=True)
        (MODULES / "package.json").write_text('{"private": true}\n', encoding="utf-8")
        asked = ["npm", "install", "--silent", "--no-audit", "--no-fund", *BOARDGAME]
        return subprocess.run(asked, cwd=MODULES, check=False).returncode == 0
    return True


@contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)

"""A real PostgreSQL under test."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

FOLDERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
INITDB = shutil.which("initdb") or next(
    (str(folder / "initdb") for folder in FOLDERS if (folder / "initdb").exists()), None
)
needs_postgres = pytest.mark.skipif(
    INITDB is None, reason="PostgreSQL is not installed; on Debian: apt install postgresql"
)


@contextmanager
def a_database() -> Iterator[str]:
    """A server of its own at a free port, which keeps no root: as who is root runs it as somebody else."""
    assert INITDB is not None
    programs = Path(INITDB).parent
    somebody = {"user": pwd.getpwnam("nobody").pw_uid} if os.getuid() == 0 else {}
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        if somebody:
            os.chown(folder, somebody["user"], -1)
        data = Path(folder) / "data"
        quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, **somebody}
        subprocess.run([INITDB, "-D", data, "-U", "duelbook", "-A", "trust", "--no-sync"], **quiet)  # type: ignore[call-overload]
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1"
        subprocess.run([programs / "pg_ctl", "-D", data, "-w", "-o", options, "-l", data / "log", "start"], **quiet)  # type: ignore[call-overload]
        yield f"postgresql://duelbook@127.0.0.1:{port}/postgres"
        subprocess.run([programs / "pg_ctl", "-D", data, "-m", "immediate", "stop"], **quiet)  # type: ignore[call-overload]

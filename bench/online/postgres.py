"""A PostgreSQL of its own, at a free port, for as long as something is measured on it."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FOLDERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)


def _program(name: str) -> str:
    beside = [str(folder / name) for folder in FOLDERS if (folder / name).exists()]
    found = [*beside, shutil.which(name)]
    if found[0] is None:
        sys.exit("PostgreSQL is not installed; on Debian: apt install postgresql")
    return found[0]


@contextmanager
def database() -> Iterator[str]:
    """Its address. It keeps no root, so whoever is root runs it as somebody else; every commit reaches the disk."""
    user = pwd.getpwnam("nobody").pw_uid if os.getuid() == 0 else None
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        if user is not None:
            os.chown(folder, user, -1)

        def run(*command: str) -> None:
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder, user=user)

        data = f"{folder}/data"
        run(_program("initdb"), "-D", data, "-U", "duelbook", "-A", "trust")
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1"
        run(_program("pg_ctl"), "-D", data, "-w", "-o", options, "-l", f"{data}/log", "start")
        try:
            yield f"postgresql://duelbook@127.0.0.1:{port}/postgres"
        finally:
            run(_program("pg_ctl"), "-D", data, "-m", "immediate", "stop")

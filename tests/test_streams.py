"""Standard streams that whoever starts the command has closed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.parametrize(
    ("closed", "arguments", "code", "said"),
    [
        ("<&-", "play tower --line", 1, "The input ended before the game did."),
        (">&-", "list", 0, ""),
        ("2>&-", "no-such-command", 2, ""),
        ("<&- >&- 2>&-", "list", 0, ""),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes the streams")
def test_a_stream_that_is_closed_is_one_where_nobody_is(
    closed: str, arguments: str, code: int, said: str, tmp_path: Path
) -> None:
    script = f'exec "$0" -m duelbook {arguments} {closed}'
    done = subprocess.run(
        ["/bin/sh", "-c", script, sys.executable],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=os.environ | {"HOME": str(tmp_path)},
    )
    assert (done.returncode, "Traceback" in done.stderr, "made a mistake" in done.stderr) == (code, False, False)
    assert said in done.stdout + done.stderr

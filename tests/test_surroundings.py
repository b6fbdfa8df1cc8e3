"""The suite has folders of its own: whoever runs it finds theirs as they were."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOUCHING = [
    "tests/test_saves.py::test_the_menu_offers_to_go_on_with_the_last_game",  # state
    "tests/tui/test_settings.py::test_all_of_them_by_keys_and_in_the_next_run",  # settings
    "tests/test_docs.py::test_every_command_prints_what_the_page_shows[docs/best-play.md]",  # solutions
    "tests/solve/test_matrix.py",  # compiled code
    "tests/test_record.py",  # examples that hypothesis found
    "tests/terminal/test_leaving.py::test_leaving_the_menu",  # signals
]
"""A few tests of each kind that writes something somewhere."""


def deaf() -> None:
    """As `nohup` and a shell's background leave a process."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


@pytest.mark.slow
def test_a_run_leaves_nothing_with_the_person_who_started_it(tmp_path: Path) -> None:
    user, temporary = tmp_path / "user", tmp_path / "temporary"
    folders = {f"XDG_{name}_HOME": str(user / name.lower()) for name in ("CACHE", "CONFIG", "DATA", "STATE")}
    wishes = {"NO_COLOR": "1", "COLUMNS": "23", "PYTHONIOENCODING": "ascii", "PYTHONUNBUFFERED": "1", "LC_ALL": "C"}
    for folder in (user, temporary):
        folder.mkdir()
    compiled = list((ROOT / "src").rglob("*.nb[ic]"))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "1", "-m", "not slow", *TOUCHING],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "HOME": str(user), "TMPDIR": str(temporary)} | folders | wishes,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=deaf,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert list(user.iterdir()) == []
    assert [path.name for path in temporary.glob("duelbook-suite-*")] == [], "what was its own is gone, too"
    assert list((ROOT / "src").rglob("*.nb[ic]")) == compiled

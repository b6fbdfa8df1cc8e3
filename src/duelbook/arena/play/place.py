"""Where the games of a tournament are kept that names no file of its own."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

from duelbook import folders
from duelbook.arena.play.schedule import Plan
from duelbook.disk import SaveError


def usual_place(plan: Plan, *, resume: bool) -> Path:
    """A file in the state folder that is called after the plan: a new one, or to go on with the latest.

    Raises SaveError where nothing can be kept.
    """
    folder = folders.state() / "arena"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SaveError(f"Games cannot be kept in {folder}: {error.strerror}.") from None
    if not os.access(folder, os.W_OK):
        raise SaveError(f"Games cannot be kept in {folder}: Permission denied.")
    mark = plan.fingerprint()
    found = sorted(folder.glob(f"{mark}-*.duel"), key=lambda path: path.stat().st_mtime)
    if resume and found:
        return found[-1]
    return folder / f"{mark}-{datetime.now():%Y%m%d-%H%M%S-%f}.duel"

"""A sandbox by bubblewrap, the tool that Flatpak starts its programs with."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from duelbook.engine.places import SCRATCH_MB, Places

APART = ("--unshare-all", "--die-with-parent", "--cap-drop", "ALL")
"""Processes, network, shared memory and names of its own; no rights over them; and it goes when we go."""


CLOSED = ("--unshare-user", "--disable-userns")
"""It makes no spaces of its own in turn, in which it could mount folders of any size. Older versions cannot do that."""


def wrapped(tool: str, closed: bool, command: list[str], found: Places) -> list[str]:
    return [tool, *APART, *(CLOSED if closed else ()), *_folders(found), "--chdir", found.here, "--", *command]


def _folders(found: Places) -> Iterator[str]:
    """What is mounted, in this order: later folders cover earlier ones."""
    size = str(SCRATCH_MB << 20)
    yield from ("--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev")
    for folder in found.covered:
        yield from ("--size", size, "--tmpfs", folder)
    for path in found.shown:
        yield from ("--ro-bind-try", path, path)
    for path in found.hidden:
        if Path(path).is_dir():
            yield from ("--size", "4096", "--tmpfs", path, "--remount-ro", path)
        else:
            yield from ("--ro-bind", os.devnull, path)
    for folder in found.covered:
        if folder != found.scratch and not folder.startswith("/dev/"):
            yield from ("--remount-ro", folder)
    yield from ("--remount-ro", "/dev")

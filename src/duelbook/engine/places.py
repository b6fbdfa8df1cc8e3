"""What a program finds in a sandbox: which folders it sees, which it does not, and what of the environment."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from duelbook import folders
from duelbook.engine.limits import Surroundings

OURS = Path(__file__).resolve().parents[2]
"""Where our own package lies, for programs that are built on it."""
COVERED = ("/tmp", "/run", "/dev/shm")
"""Folders that all programs of a system share, with the sockets of its services: in a sandbox each has its own."""
SCRATCH_MB = 64
"""Megabytes for the files of a program, in /tmp and in /dev/shm each. They lie in memory and go with the program."""
KEPT = (
    *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TERM", "COLORTERM", "NO_COLOR"),
    *("VIRTUAL_ENV", "JAVA_HOME", "NODE_PATH", "NVM_DIR", "GOROOT", "GOPATH", "RUSTUP_HOME", "CARGO_HOME"),
    *("JULIA_DEPOT_PATH", "LD_LIBRARY_PATH", "XDG_CACHE_HOME"),
)
KEPT_GROUPS = ("LC_", "PYTHON", "PYENV_", "CONDA_", "ASDF_", "RBENV_", "OMP_", "MKL_", "OPENBLAS_", "NUMBA_")
"""What interpreters and libraries are found by. All else, keys and the addresses of sockets, stays out."""


class Places(NamedTuple):
    """What is seen, each a path without links in it. All of it can only be read, but for the scratch folder."""

    here: str
    """The folder that the program starts in, as it would without a sandbox."""
    scratch: str
    """Where it may write."""
    covered: tuple[str, ...]
    """Folders in whose place it has empty ones."""
    shown: tuple[str, ...]
    """What it sees all the same of a covered folder: its own files, and what runs them."""
    hidden: tuple[str, ...]
    """Folders and files that are there and that it does not see. They come after what is shown."""


def places(command: Sequence[str], around: Surroundings) -> Places:
    here = _here()
    covered = tuple(folder for folder in map(os.path.realpath, COVERED) if Path(folder).is_dir())
    shown = [path for path in _needed(command, here) if path not in covered and _lies_in(path, covered)]
    hidden, scratch = tuple(_outermost(_hidden(around))), covered[0]
    here = scratch if _lies_in(here, hidden) else here
    return Places(here, scratch, covered, tuple(dict.fromkeys(shown)), hidden)


def environment(around: Surroundings, scratch: str) -> dict[str, str]:
    """What a program in a sandbox sees of the environment."""
    kept = {name: value for name, value in os.environ.items() if name in KEPT or name.startswith(KEPT_GROUPS)}
    kept |= {name: os.environ[name] for name in around.variables if name in os.environ}
    return kept | {"TMPDIR": scratch, "NUMBA_CACHE_DIR": f"{scratch}/numba"}


def _here() -> str:
    try:
        return os.path.realpath(Path.cwd())
    except OSError:  # the folder is gone
        return "/"


def _needed(command: Sequence[str], here: str) -> Iterator[str]:
    """What the program cannot do without, as far as it can be told from its command."""
    yield here
    for program in filter(None, (shutil.which(command[0]), sys.executable)):
        for path in _both_names(program):
            folder = path.parent
            if str(folder) in COVERED:
                yield str(path)  # nobody sees all of /tmp by a program in it
            else:
                yield str(folder.parent if folder.name == "bin" else folder)
    yield str(OURS)
    for word in command[1:]:
        for part in (word, word.partition("=")[2]):
            yield from _folder_of(part)
    for name in ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH"):
        for entry in os.environ.get(name, "").split(os.pathsep):
            yield from _folder_of(entry)
    with suppress(folders.NoFolder):  # solutions are kept there, and anybody may know what is best
        yield from _folder_of(str(folders.cache()))


def _folder_of(word: str) -> Iterator[str]:
    """The folder that a word names or that its file lies in."""
    if not word:
        return
    with suppress(OSError, ValueError):  # most words name no file, and some could not
        for path in _both_names(word):
            if path.exists():
                alone = path.is_dir() or str(path.parent) in COVERED  # nobody sees all of /tmp by a file in it
                yield str(path if alone else path.parent)


def _both_names(word: str) -> tuple[Path, Path]:
    """A path under its own name, and where links lead to."""
    return Path(os.path.normpath(Path(word).absolute())), Path(os.path.realpath(word))


def _outermost(paths: Iterable[str]) -> list[str]:
    """Without those that lie in others: what is in a hidden folder is hidden already."""
    found: list[str] = []
    for path in sorted(set(paths)):
        if not _lies_in(path, found):
            found.append(path)
    return found


def _lies_in(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)


def _hidden(around: Surroundings) -> Iterator[str]:
    """The games that are going on, and what is to be hidden besides. The folder is made where it is not there yet:
    later it could not be hidden any more from a program that runs."""
    with suppress(OSError, folders.NoFolder):  # a system without a home has no games to hide
        folder = folders.state()
        folder.mkdir(parents=True, exist_ok=True)
        yield os.path.realpath(folder)
    for name in (*around.hidden, *(around.log[:1] if around.log else ())):  # a log tells of the other's picks
        if Path(name).exists():
            yield os.path.realpath(name)

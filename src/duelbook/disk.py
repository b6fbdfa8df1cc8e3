"""Files that are read and written whole.

What is written is put in place in one step, so that nothing can tear it. First a draft is written beside it, under a
name that nobody can guess and that leads through no link. It is removed when anything fails. A process that is killed
leaves its draft behind, but not its lock on it: that is how the next one knows that nobody needs it any more.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from contextlib import suppress
from pathlib import Path

from duelbook.core import SaveError as SaveError
from duelbook.locks import NEVER_FOLLOWED, claim, is_at
from duelbook.speech import plain

PRIVATE, PUBLIC = 0o600, 0o666
"""What others may do with a new file: nothing, or what the user's umask lets them."""
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NEVER_FOLLOWED | getattr(os, "O_BINARY", 0)
_DRAFT = re.compile(r"\.duelbook-[0-9a-f]{16}\.draft")
_TRIES = 100


def read_text(path: Path, most: int) -> str:
    """The text of a file of at most so many bytes. Raises OSError, with a reason to show, or UnicodeDecodeError."""
    return read_bytes(path, most).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def read_bytes(path: Path, most: int) -> bytes:
    """What a file of at most so many bytes holds. Raises OSError, with a reason to show.

    Nothing is waited for: a pipe, which may never say anything, is no file, and neither is a folder or a device.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        status = os.fstat(handle)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, "it is a folder")
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is a pipe or a device, not a file")
        with os.fdopen(handle, "rb", closefd=False) as file:
            data = file.read(most + 1) if status.st_size <= most else b""
    finally:
        os.close(handle)
    if max(status.st_size, len(data)) > most:  # it may have grown meanwhile
        raise OSError(errno.EFBIG, f"it has more than {most:,} bytes, which is too much for such a file")
    return data


def reserve(path: Path) -> None:
    """Make an empty file where there is nothing, not even a link that leads nowhere. Raises OSError."""
    os.close(os.open(path, _NEW_FILE, PRIVATE))


def encoded(text: str) -> bytes:
    """As it stands in a file. A lone surrogate has no bytes."""
    return text.encode("utf-8", "backslashreplace")


def write_atomically(path: Path, content: str | bytes, *, mode: int = PRIVATE) -> None:
    """Replace the file in one step: whoever reads it, now or after a crash, finds the old content or the new one.

    A link stays, and what it leads to is replaced, or made if it is not there. A file that was there keeps its
    permissions, a new one gets `mode`. What is no file but a device or a pipe with a reader is written to as it is.
    """
    data = content if isinstance(content, bytes) else encoded(content)
    try:
        target = Path(os.path.realpath(path))
        there = _status(target)
        if there is None or stat.S_ISREG(there.st_mode):
            _replace(target, data, mode, None if there is None else stat.S_IMODE(there.st_mode) & 0o777)
        else:
            _write_into(target, data)
    except OSError as error:
        raise SaveError(f"{plain(path)} could not be written: {error.strerror}.") from None


def refuse_to_replace(path: Path) -> None:
    """Nothing that is there is written over unasked."""
    if path.is_file():  # a device or a pipe loses nothing
        raise SaveError(f"{plain(path)} exists already; choose another name.")


def check_writable(path: Path) -> None:
    """Raise SaveError where `write_atomically` would have to fail; nothing is changed, not even for a moment."""
    try:
        target = Path(os.path.realpath(path))
        there = _status(target)
        if there is None or stat.S_ISREG(there.st_mode):
            draft, handle = _new_draft(target.parent, PRIVATE)
            draft.unlink()
            os.close(handle)
        elif stat.S_ISDIR(there.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        elif not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise SaveError(f"{plain(path)} cannot be written: {error.strerror}.") from None


def _status(path: Path) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except FileNotFoundError:
        return None


def _replace(target: Path, data: bytes, mode: int, before: int | None) -> None:
    if target.parent not in _swept:
        sweep(target.parent)
    draft, handle = _new_draft(target.parent, mode if before is None else PRIVATE)
    try:
        _write_all(handle, data)
        os.fsync(handle)
        if sys.platform != "win32":
            if before is not None:
                os.fchmod(handle, before)
        else:
            os.close(handle)  # Windows puts nothing in place that is still open
            handle = -1
        draft.replace(target)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
    finally:
        if handle >= 0:
            os.close(handle)
    _settle(target.parent)


def _new_draft(folder: Path, mode: int) -> tuple[Path, int]:
    """A draft that is ours, and locked so that nobody sweeps it away while it is being written."""
    for _ in range(_TRIES):
        draft = folder / f".duelbook-{os.urandom(8).hex()}.draft"
        handle = os.open(draft, _NEW_FILE, mode)
        try:
            if claim(handle) and is_at(handle, draft):
                return draft, handle
        except OSError:  # a folder that can hold no lock can still hold a draft, which nobody will sweep away
            return draft, handle
        os.close(handle)  # somebody who sweeps was quicker than the lock
        with suppress(OSError):
            draft.unlink()
    raise OSError(errno.EBUSY, "another program takes every draft away")


def _write_into(target: Path, data: bytes) -> None:
    """Write to what is no file, such as /dev/stdout. A pipe that nobody reads is refused, not waited for."""
    handle = os.open(target, os.O_WRONLY | NEVER_FOLLOWED | getattr(os, "O_NONBLOCK", 0))
    try:
        os.set_blocking(handle, True)
        _write_all(handle, data)
    finally:
        os.close(handle)


def _write_all(handle: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]


def _settle(folder: Path) -> None:
    """Have the folder itself written, so that the new name outlives a power cut. Not every system allows it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


_swept: set[Path] = set()
"""Folders that this process has looked at before it first wrote there."""


def sweep(folder: Path) -> None:
    """Remove drafts that were left behind by processes that are gone: nobody holds their locks."""
    _swept.add(folder)
    if sys.platform == "win32":
        return
    with suppress(OSError):
        left_behind = [entry.name for entry in os.scandir(folder) if _DRAFT.fullmatch(entry.name)]
        for name in left_behind:
            _remove_if_left_behind(folder / name)


def _remove_if_left_behind(draft: Path) -> None:
    with suppress(OSError):
        handle = os.open(draft, os.O_RDWR | NEVER_FOLLOWED | getattr(os, "O_NONBLOCK", 0))
        try:
            if stat.S_ISREG(os.fstat(handle).st_mode) and claim(handle) and is_at(handle, draft):
                draft.unlink()
        finally:
            os.close(handle)

"""Files that are read and written whole: planted links, full disks, drafts left behind, and what is no file."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from duelbook import disk
from duelbook.disk import SaveError, check_writable, read_text, sweep, write_atomically
from duelbook.locks import claim
from helpers import HANGING

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links, locks and modes as Unix has them")

OLD, NEW = "the old text\n", "the new text\n"


def drafts(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.endswith(".draft")]


def test_a_link_planted_where_an_older_draft_was_is_left_alone(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text(OLD)
    (tmp_path / ".g.duel.draft").symlink_to(victim)
    write_atomically(tmp_path / "g.duel", NEW)
    assert victim.read_text() == OLD
    assert (tmp_path / "g.duel").read_text() == NEW


def test_a_link_at_the_very_name_of_the_draft_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = iter([b"\0" * 8, b"\1" * 8])
    monkeypatch.setattr(os, "urandom", lambda count: next(names))
    victim = tmp_path / "victim"
    victim.write_text(OLD)
    (tmp_path / f".duelbook-{'00' * 8}.draft").symlink_to(victim)
    with pytest.raises(SaveError, match="File exists"):
        write_atomically(tmp_path / "g.duel", NEW)
    assert victim.read_text() == OLD


def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    file, link = tmp_path / "real" / "g.duel", tmp_path / "link.duel"
    file.write_text(OLD)
    link.symlink_to(file)
    write_atomically(link, NEW)
    assert link.is_symlink()
    assert file.read_text() == NEW
    assert drafts(tmp_path) == drafts(tmp_path / "real") == []


def test_a_link_that_leads_nowhere_stays_and_its_file_is_made(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "not yet")
    write_atomically(link, NEW)
    assert link.is_symlink()
    assert (tmp_path / "not yet").read_text() == NEW


def test_a_link_into_a_folder_that_is_not_there_is_refused_and_stays(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "no" / "such")
    with pytest.raises(SaveError, match="could not be written: No such file or directory"):
        write_atomically(link, NEW)
    assert link.is_symlink()


def test_links_that_lead_to_each_other_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(SaveError, match="could not be written"):
        write_atomically(tmp_path / "a", NEW)
    assert (tmp_path / "a").is_symlink()


def test_a_file_keeps_its_permissions_and_a_new_one_gets_those_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "g"
    write_atomically(file, OLD)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o640)
    write_atomically(file, NEW, mode=0o666)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    umask = os.umask(0o022)
    try:
        write_atomically(tmp_path / "report", NEW, mode=0o666)
    finally:
        os.umask(umask)
    assert stat.S_IMODE((tmp_path / "report").stat().st_mode) == 0o644


def test_a_lone_surrogate_is_written_as_an_escape(tmp_path: Path) -> None:
    write_atomically(tmp_path / "g", "a\udcffb")
    assert (tmp_path / "g").read_text() == "a\\udcffb"


def test_a_folder_cannot_be_written_and_a_device_can(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="could not be written"):
        write_atomically(tmp_path, NEW)
    write_atomically(Path(os.devnull), NEW)
    assert stat.S_ISCHR(os.lstat(os.devnull).st_mode)


def test_a_pipe_that_nobody_reads_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SaveError, match="could not be written"):
        write_atomically(tmp_path / "pipe", NEW)
    with pytest.raises(OSError, match="not a file"):
        read_text(tmp_path / "pipe", 100)


def test_a_pipe_that_is_read_gets_the_text(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomically(pipe, NEW)
        assert os.read(reader, 100).decode() == NEW
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.lstat().st_mode)


# A disk that fails, at every call


CALLS = ("open", "write", "fsync", "fchmod")


@pytest.mark.parametrize("call", CALLS)
def test_whatever_fails_the_old_file_is_whole_and_no_draft_is_left(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_atomically(tmp_path / "g", OLD)

    def fail(*arguments: object, **more: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(os, call, fail)
        with pytest.raises(SaveError, match=r"g could not be written: No space left on device\."):
            write_atomically(tmp_path / "g", NEW)
    assert [path.name for path in tmp_path.iterdir()] == ["g"]
    assert (tmp_path / "g").read_text() == OLD


def test_a_write_of_some_bytes_goes_on_with_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, bytes(data[:3])))
    write_atomically(tmp_path / "g", NEW)
    assert (tmp_path / "g").read_text() == NEW


FULL = """
import resource, sys
from pathlib import Path
from duelbook.disk import SaveError, write_atomically
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
try:
    write_atomically(Path(sys.argv[1]), "x" * 101)
except SaveError as error:
    print(error)
"""


def test_a_disk_that_is_full_half_way_leaves_no_draft(tmp_path: Path) -> None:
    (tmp_path / "g").write_text(OLD)
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path / "g")], capture_output=True, text=True, check=True, timeout=HANGING
    )
    assert done.stdout == f"{tmp_path / 'g'} could not be written: File too large.\n"
    assert [path.name for path in tmp_path.iterdir()] == ["g"]
    assert (tmp_path / "g").read_text() == OLD


# Drafts that were left behind

KILLED = """
import os, signal, sys
from pathlib import Path
from duelbook import disk
disk.os.fsync = lambda handle: os.kill(os.getpid(), signal.SIGKILL)
disk.write_atomically(Path(sys.argv[1]), "x")
"""


def test_a_draft_of_a_killed_process_is_swept_by_the_next_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "g")], check=False, timeout=HANGING)
    assert len(drafts(tmp_path)) == 1
    monkeypatch.setattr(disk, "_swept", set())
    write_atomically(tmp_path / "other", NEW)
    assert drafts(tmp_path) == []


def test_a_draft_that_is_being_written_is_not_swept(tmp_path: Path) -> None:
    draft, handle = disk._new_draft(tmp_path, 0o600)
    sweep(tmp_path)
    assert draft.exists()
    os.close(handle)
    sweep(tmp_path)
    assert not draft.exists()


def test_a_draft_that_was_swept_before_it_was_locked_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, swept = claim, list[str]()

    def late(handle: int) -> bool:
        """The first time, somebody sweeps between making the draft and locking it."""
        if not swept:
            swept.extend(drafts(tmp_path))
            for name in swept:
                (tmp_path / name).unlink()
        return real(handle)

    monkeypatch.setattr(disk, "claim", late)
    write_atomically(tmp_path / "g", NEW)
    assert len(swept) == 1
    assert (tmp_path / "g").read_text() == NEW
    assert drafts(tmp_path) == []


def test_only_drafts_are_swept(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text(OLD)
    (tmp_path / f".duelbook-{'0' * 16}.draft").symlink_to(victim)
    os.mkfifo(tmp_path / f".duelbook-{'1' * 16}.draft")
    (tmp_path / ".mine.draft").write_text(OLD)
    sweep(tmp_path)
    assert victim.read_text() == OLD
    assert (tmp_path / ".mine.draft").exists()


# Reading


def test_reading_is_bounded_and_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "g").write_text("12345")
    assert read_text(tmp_path / "g", 5) == "12345"
    with pytest.raises(OSError, match="more than 4 bytes"):
        read_text(tmp_path / "g", 4)
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(5_000_000_000)
    with pytest.raises(OSError, match="more than 1,000 bytes"):
        read_text(tmp_path / "sparse", 1000)


def test_a_folder_is_no_file_and_lines_end_as_python_reads_them(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        read_text(tmp_path, 100)
    (tmp_path / "g").write_bytes(b"a\r\nb\rc\n")
    assert read_text(tmp_path / "g", 100) == "a\nb\nc\n"


# Looking whether there is room for a file


def test_a_place_is_looked_at_without_a_trace(tmp_path: Path) -> None:
    (tmp_path / "old").write_text(OLD)
    (tmp_path / "link").symlink_to(tmp_path / "not yet")
    for name in ("new", "old", "link"):
        check_writable(tmp_path / name)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "old"]
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "old").read_text() == OLD
    check_writable(Path(os.devnull))
    for place in (tmp_path, tmp_path / "no" / "such", tmp_path / "old" / "below"):
        with pytest.raises(SaveError, match="cannot be written"):
            check_writable(place)

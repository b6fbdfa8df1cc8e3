"""A program that takes rights from itself and then becomes another program: a sandbox where bubblewrap is not there.

It is run as a file, by `python -I -S confine.py PLAN`, and knows nothing of the rest of Duelbook: a process of its own,
without threads, is the only place where this can be done safely. PLAN is JSON: what `places.Places` holds, the command,
and which of two ways to go. `namespaces` makes a view of the system in which there is nothing else; `landlock` forbids
this process and all that it starts most of what it could do, where the system lets nobody make such views.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import signal
import socket
import stat
import struct
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

libc = ctypes.CDLL(None, use_errno=True)
OPEN_TREE, MOVE_MOUNT, MOUNT_SETATTR = 428, 429, 442
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
"""Numbers of system calls that the library has no names for; they are the same on all machines."""
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 24, 38
CANNOT = 71
"""The exit code when the rights could not be taken away; nothing was started then."""


def done(result: int) -> int:
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def system_call(number: int, *arguments: object) -> int:
    return done(libc.syscall(ctypes.c_long(number), *arguments))


def become(command: list[str], here: str) -> NoReturn:
    os.chdir(here)
    os.execvp(command[0], command)


def no_new_rights() -> None:
    done(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))


# Namespaces: a view of the system in which there is nothing else

NEWNS, NEWCGROUP, NEWUTS, NEWIPC = 0x20000, 0x2000000, 0x4000000, 0x8000000
NEWUSER, NEWPID, NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 2, 4, 8, 0x4000, 1 << 18
CLONE = 1 | os.O_CLOEXEC
"""OPEN_TREE_CLONE, for ourselves alone."""
EMPTY_PATH, RECURSIVE, HERE = 0x1000, 0x8000, -100
ATTR_RDONLY, ATTR_NOSUID, ATTR_NODEV = 1, 2, 4
DEVICES = ("null", "zero", "full", "random", "urandom")


def in_namespaces(plan: dict[str, Any]) -> NoReturn:
    """Three processes: one that waits outside, one that is the first of the new view and takes in what ends, and the
    program. When the first of them ends, however it ends, the system ends all the others."""
    user, group = os.getuid(), os.getgid()
    done(libc.unshare(NEWUSER | NEWNS | NEWPID | NEWIPC | NEWNET | NEWUTS | NEWCGROUP))
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")
    go_with_the_parent()
    first = os.fork()
    if first:
        wait_for(first)
    go_with_the_parent()
    lay_out(plan)
    bring_up_the_network()
    program = os.fork()
    if program:
        drop_rights()
        wait_for(program)
    drop_rights()
    become(plan["command"], plan["here"])


def go_with_the_parent() -> None:
    done(libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0))


def wait_for(child: int) -> NoReturn:
    """Take in whatever ends until this one does, and end as it did. It alone has the pipes."""
    for file in (0, 1, 2):
        os.close(file)
    while True:
        ended, status = os.wait()
        if ended == child:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)


def lay_out(plan: dict[str, Any]) -> None:
    """All files as they are but only to be read, empty folders over those that all programs share, and a /proc and a
    /dev of its own."""
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    devices = {name: copy(f"/dev/{name}") for name in DEVICES}
    nothing = copy("/dev/null")
    set_attributes(nothing, "", ATTR_RDONLY | ATTR_NODEV, EMPTY_PATH)
    set_attributes(HERE, "/", ATTR_RDONLY | ATTR_NOSUID | ATTR_NODEV, RECURSIVE)
    shown = {path: copy(path) for path in plan["shown"]}
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    empty("/dev", 1 << 20)
    for name, tree in devices.items():
        Path(f"/dev/{name}").touch()
        put(tree, f"/dev/{name}")
    for name, target in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
        Path(f"/dev/{name}").symlink_to(f"/proc/self/fd{target}")
    for folder in plan["covered"]:
        Path(folder).mkdir(exist_ok=True)
        empty(folder, plan["size"])
    for path, tree in shown.items():
        make_room(Path(path), folder=stat.S_ISDIR(os.fstat(tree).st_mode))
        put(tree, path)
    for path in plan["hidden"]:
        hide(Path(path), nothing)
    for folder in ("/dev", *plan["covered"]):
        if folder != plan["scratch"] and folder != "/dev/shm":
            set_attributes(HERE, folder, ATTR_RDONLY, 0)


def mount(source: str | None, target: str, kind: str | None, flags: int, data: str = "") -> None:
    words = [word.encode() if word is not None else None for word in (source, target, kind)]
    done(libc.mount(*words, ctypes.c_ulong(flags), data.encode() or None))


def empty(folder: str, size: int) -> None:
    mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, f"size={size},mode=755")


def copy(path: str) -> int:
    return system_call(OPEN_TREE, HERE, path.encode(), CLONE | RECURSIVE)


def put(tree: int, path: str) -> None:
    system_call(MOVE_MOUNT, tree, b"", HERE, path.encode(), 4)
    os.close(tree)


def set_attributes(where: int, path: str, attributes: int, flags: int) -> None:
    wanted = struct.pack("QQQQ", attributes, 0, 0, 0)
    system_call(MOUNT_SETATTR, where, path.encode(), flags, wanted, ctypes.c_size_t(len(wanted)))


def make_room(path: Path, *, folder: bool) -> None:
    """Something to mount on, where there is nothing."""
    (path if folder else path.parent).mkdir(parents=True, exist_ok=True)
    if not folder and not path.exists():
        path.touch()


def hide(path: Path, nothing: int) -> None:
    if path.is_dir():
        empty(str(path), 4096)
        set_attributes(HERE, str(path), ATTR_RDONLY, 0)
    elif path.exists():
        again = system_call(OPEN_TREE, nothing, b"", CLONE | EMPTY_PATH)
        put(again, str(path))


def bring_up_the_network() -> None:
    """The one that leads nowhere: programs may talk to themselves."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        fcntl.ioctl(line, 0x8914, struct.pack("16sh14x", b"lo", 0x1 | 0x40))


def drop_rights() -> None:
    """Rights over the new view, with which it could be taken apart."""
    last = int(Path("/proc/sys/kernel/cap_last_cap").read_text(encoding="ascii"))
    for number in range(last + 1):
        done(libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0))
    no_new_rights()
    done(libc.capset(struct.pack("Ii", 0x20080522, 0), bytes(24)))


# Landlock: what this process may no longer do

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
REFER, TRUNCATE = 1 << 13, 1 << 14
RULE_PATH = 1
DEVICES_TO_WRITE = ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty")


def rights(abi: int) -> int:
    """All rights over files that this version knows, but for those over devices."""
    return (1 << 13) - 1 | (REFER if abi >= 2 else 0) | (TRUNCATE if abi >= 3 else 0)


def under_landlock(plan: dict[str, Any]) -> NoReturn:
    abi = plan["abi"]
    handled = struct.pack("QQQ", rights(abi), 3 if abi >= 4 else 0, 3 if abi >= 6 else 0)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    ruleset = system_call(LANDLOCK_CREATE, handled, ctypes.c_size_t(size), 0)
    allow(ruleset, "/", READ_DIR)
    for path in beside(Path("/"), [Path("/proc"), *map(Path, plan["hidden"])]):
        allow(ruleset, path, EXECUTE | READ_FILE)
    for entry in os.listdir("/proc"):  # noqa: PTH208 - names are all that is wanted
        if not entry.isdigit() or entry == str(os.getpid()):
            allow(ruleset, f"/proc/{entry}", READ_FILE)
    for path in DEVICES_TO_WRITE:
        allow(ruleset, path, READ_FILE | WRITE_FILE)
    allow(ruleset, plan["scratch"], rights(abi))
    no_new_rights()
    system_call(LANDLOCK_RESTRICT, ruleset, 0)
    os.close(ruleset)
    become(plan["command"], plan["here"])


def allow(ruleset: int, path: str, wanted: int) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # it is gone, or was never ours to read
        return
    try:
        if not os.path.isdir(path):  # noqa: PTH112 - links are to be followed as `open` did
            wanted &= EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
        system_call(LANDLOCK_ADD, ruleset, RULE_PATH, struct.pack("=Qi", wanted, handle), 0)
    finally:
        os.close(handle)


def beside(folder: Path, hidden: list[Path]) -> Iterator[str]:
    """Everything in a folder but what is hidden: a right over a folder is one over all that is in it, so the folders
    that lead to something hidden get none, and all that is beside it does."""
    leading = [path for path in hidden if folder in path.parents]
    if folder in hidden:
        return
    if not leading:
        yield str(folder)
        return
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for entry in entries:
        if not entry.is_symlink():
            yield from beside(entry, leading)


WAYS: dict[str, Callable[[dict[str, Any]], NoReturn]] = {"namespaces": in_namespaces, "landlock": under_landlock}


def main() -> None:
    plan = json.loads(sys.argv[1])
    try:
        WAYS[plan["way"]](plan)
    except FileNotFoundError as error:
        print(f"{error.filename or plan['command'][0]}: {error.strerror}", file=sys.stderr)
    except OSError as error:
        print(f"{error.strerror}", file=sys.stderr)
    os._exit(CANNOT)


if __name__ == "__main__":
    main()

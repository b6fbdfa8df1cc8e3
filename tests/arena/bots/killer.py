"""Plays the lowest move it is offered, and so loses; and kills whoever referees it, in the way it is named for.

    killer.py HOW NOTES [arena]

NOTES is a file that all its processes share. With a third word it kills the parent of its parent instead.
"""

import os
import signal
import sys
import threading
import time
from pathlib import Path


def kills(notes: Path) -> int:
    return len(notes.read_text().splitlines()) if notes.exists() else 0


def kill(notes: Path) -> None:
    with notes.open("a") as file:
        file.write("killed\n")
    victim = os.getppid()
    if len(sys.argv) > 3:
        victim = int(Path(f"/proc/{victim}/stat").read_text().rsplit(")", 1)[1].split()[1])
    os.kill(victim, signal.SIGKILL)
    time.sleep(60)


def kill_again_and_again(notes: Path) -> None:
    """Kill the referee, live on, and kill every process that the arena puts in its place."""
    referee = os.getppid()
    arena = Path(f"/proc/{referee}/stat").read_text().rsplit(")", 1)[1].split()[1]
    with notes.open("a") as file:
        file.write("killed\n")
    os.kill(referee, signal.SIGKILL)
    while Path(f"/proc/{arena}").exists():
        for child in Path(f"/proc/{arena}/task/{arena}/children").read_text().split():
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                time.sleep(0.2)  # until the rival is asked
                with notes.open("a") as file:
                    file.write("killed\n")
                os.kill(int(child), signal.SIGKILL)


def main(how: str, notes: Path) -> None:
    position: list[str] = []
    for line in sys.stdin:
        words = line.split()
        if words[0] == "position":
            position = words[2:]
        elif words[0] == "go":
            late = max(int(position[0]), int(position[1])) > 7
            if how == "survive" and late:
                kill_again_and_again(notes)
            if (how == "asked" and late) or (how == "twice" and late and kills(notes) < 2):
                kill(notes)
            print("bestmove", words[words.index("legal") + 1], flush=True)
            if how == "behind" and late:
                threading.Timer(0.03, kill, [notes]).start()  # while the other one thinks
            if how == "at-once" and late:
                kill(notes)
        elif words[0] == "udi":
            print("id name killer\nid author nobody\ngame *\nudiok", flush=True)
        elif words[0] == "isready":
            print("readyok", flush=True)
        elif words[0] == "quit":
            break


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))

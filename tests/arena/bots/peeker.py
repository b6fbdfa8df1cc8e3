"""Plays the first move it is offered, and looks everywhere for numbers that could be seeds.

    peeker.py NOTES FOLDER

For each question a line of NOTES says how many games had been written down in FOLDER by then, and every whole number
that stood in a file there, in the words or the surroundings of any process, or in what the arena says of itself.
"""

import re
import sys
from pathlib import Path

NUMBER = re.compile(rb"\d+")


def everything(folder: Path) -> list[bytes]:
    places = [path for path in folder.rglob("*") if path.is_file()]
    for process in Path("/proc").glob("[0-9]*"):
        places += [process / "cmdline", process / "environ", process / "comm"]
    found = []
    for place in places:
        try:
            found.append(place.read_bytes())
        except OSError:  # it has gone, or is somebody else's
            continue
    return found


def main(notes: Path, folder: Path) -> None:
    for line in sys.stdin:
        words = line.split()
        if words[0] == "go":
            seen = everything(folder)
            written = sum(text.count(b"[ArenaTask ") for text in seen)
            numbers = sorted({int(number) for text in seen for number in NUMBER.findall(text) if len(number) < 50})
            with notes.open("a") as file:
                file.write(f"{written} {' '.join(map(str, numbers))}\n")
            print("bestmove", words[words.index("legal") + 1], flush=True)
        elif words[0] == "udi":
            print("id name peeker\nid author nobody\ngame *\nudiok", flush=True)
        elif words[0] == "isready":
            print("readyok", flush=True)
        elif words[0] == "quit":
            break


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

"""Plays the first legal move and writes down every line it hears and says."""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> None:
    with Path(sys.argv[1]).open("w", encoding="utf-8") as notes:

        def say(*lines: str) -> None:
            for line in lines:
                notes.write(f"< {line}\n")
                sys.stdout.write(f"{line}\n")
            sys.stdout.flush()

        for line in sys.stdin:
            notes.write(f"> {line}")
            words = line.split()
            if words[0] == "udi":
                say("id name Scribe", "id author Duelbook", "game *", "udiok")
            elif words[0] == "isready":
                say("readyok")
            elif words[0] == "go":
                say(f"bestmove {words[words.index('legal') + 1]}")
            elif words[0] == "quit":
                break


if __name__ == "__main__":
    main()

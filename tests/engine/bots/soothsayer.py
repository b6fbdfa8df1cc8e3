"""Looks for the seed of a deck's cards in everything it can read, and says in a file whether it knows the next card.

Every whole number in the folders named on its command line, and in the arguments and environments of all processes, is
tried: does it deal the cards that have gone so far? Besides that it heals, so that the game goes on.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from duelbook import Match, load
from duelbook.core import variant

NUMBER = re.compile(rb"(?<![0-9a-f.])-?\d{1,39}(?![0-9a-f.])")
TURNS = 40
DECK = load("deck")
RULES = variant(DECK, ["lp=99"])
"""So nobody dies in so many turns."""


def numbers_in(files: Iterable[Path]) -> set[int]:
    numbers: set[int] = set()
    for path in files:
        with suppress(OSError):
            numbers |= {int(number) for number in NUMBER.findall(path.read_bytes())}
    return numbers


def of_processes() -> list[Path]:
    return [process / name for process in Path("/proc").glob("[0-9]*") for name in ("cmdline", "environ")]


def in_folders(folders: list[Path]) -> list[Path]:
    return [path for folder in folders for path in folder.rglob("*") if path.is_file()]


def cards_of(seed: int) -> list[int]:
    """The first cards of a seed, whatever is played."""
    match = Match(DECK, RULES, seed=seed)
    cards = []
    for _ in range(TURNS):
        cards.append(match.deal())
        match.play(match.turn, 1)  # heal: so it goes on
    return cards


def fits(cards: list[int], turn: int, state: Any) -> bool:
    """Whether these would be the cards of the game: of the deck in use, and the one just drawn."""
    gone = {card for card in DECK.faces if not state.left >> card & 1}
    return set(cards[(turn - 1) // 10 * 10 : turn]) == gone and cards[turn - 1] == state.card


def main() -> None:
    notes, *folders = map(Path, sys.argv[1:])
    hands: dict[int, list[int]] = {}
    state: Any = None

    def look(files: list[Path]) -> None:
        hands.update({seed: cards_of(seed) for seed in numbers_in(files) - hands.keys()})

    for line in sys.stdin:
        words = line.split()
        if words[0] == "udi":
            print("id name Soothsayer\nid author Duelbook\ngame deck\nudiok", flush=True)
        elif words[0] == "newgame":
            look(of_processes())
        elif words[0] == "isready":
            print("readyok", flush=True)
        elif words[0] == "position":
            state = DECK.read_position(RULES, " ".join(words[2:]))
        elif words[0] == "go":
            look(in_folders(folders))
            turn = int(words[words.index("turn") + 1])
            found = [seed for seed, cards in hands.items() if fits(cards, turn, state)]
            with notes.open("a", encoding="utf-8") as file:
                file.write(f"tried {len(hands)}, found {found}\n")
            print(f"bestmove {words[words.index('legal') + 2]}", flush=True)
        elif words[0] == "quit":
            break


if __name__ == "__main__":
    main()

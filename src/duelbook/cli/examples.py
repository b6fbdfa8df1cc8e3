"""What stands at the foot of every `--help`: two examples, and the page that says more."""

from __future__ import annotations

from typing import NamedTuple


class Foot(NamedTuple):
    examples: tuple[str, str]
    page: str

    def text(self) -> str:
        """As click takes it: lines behind its mark are left as they are."""
        lines = ["Examples:", *(f"  duelbook {example}" for example in self.examples)]
        return "\b\n" + "\n".join(lines) + f"\n\nMore: {self.page}"


FEET = {
    "play": Foot(("play tower --p2 level:3", "play energy --line --at '8 6d 1' --rule zero=now"), "docs/commands.md"),
    "resume": Foot(("resume", "resume --line --coach"), "docs/commands.md"),
    "games": Foot(("games", "games --all --json"), "docs/commands.md"),
    "list": Foot(("list", "list --json"), "docs/commands.md"),
    "rules": Foot(("rules tower", "rules secret --plain"), "docs/rulings.md"),
    "replay": Foot(("replay tower", "replay deck --turn 10"), "docs/formats.md"),
    "verify": Foot(("verify tower deck", "verify tower --json"), "docs/formats.md"),
    "review": Foot(("review tower", "review deck --json"), "docs/coach.md"),
    "hint": Foot(("hint tower --at '5 8 1'", "hint secret --rule hp=12 --rule highest=4"), "docs/coach.md"),
    "solve": Foot(("solve tower --at '5 8 1'", "solve --all --check"), "docs/solving.md"),
    "levels": Foot(("levels deck", "levels energy --rule energy=8"), "docs/levels.md"),
    "arena": Foot(
        (
            "arena random level:3 perfect --duels tower,deck",
            "arena engine:./mybot level:3 --rounds 50 --report mine.html",
        ),
        "docs/tournaments.md",
    ),
    "map": Foot(("map tower", "map secret --last 10,9 --svg map.svg"), "docs/maps.md"),
    "puzzle": Foot(("puzzle", "puzzle tower --random --rating 1400"), "docs/puzzles.md"),
    "engine": Foot(("engine --player level:3", "engine --player perfect --seed 7"), "docs/engine-protocol.md"),
    "check-engine": Foot(
        ("check-engine ./mybot", "check-engine --slack 1 python3 mybot.py"), "docs/engine-protocol.md"
    ),
    "check-game": Foot(("check-game tower", "check-game tower --positions 200"), "docs/add-a-game.md"),
    "help": Foot(("help", "help arena"), "docs/commands.md"),
}

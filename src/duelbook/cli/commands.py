"""Every command in a line, with what stands at the foot of its `--help`: two examples, and the page that says more."""

from __future__ import annotations

from typing import NamedTuple


class About(NamedTuple):
    what: str
    examples: tuple[str, str]
    page: str = "docs/commands.md"


COMMANDS = {
    "play": About("play a duel", ("play tower --p2 level:3", "play energy --line --at '8 6d 1' --rule zero=now")),
    "learn": About("a short guided game for a first time", ("learn tower", "learn secret --line"), "docs/learn.md"),
    "resume": About("go on with a saved game", ("resume", "resume --line --coach")),
    "games": About("list your saved games", ("games", "games --all --json")),
    "me": About("how you have done so far", ("me", "me tower --json"), "docs/me.md"),
    "list": About("list the duels", ("list", "list --json")),
    "rules": About("read the rule book of a duel", ("rules tower", "rules secret --plain"), "docs/rulings.md"),
    "replay": About("show a recorded game move by move", ("replay tower", "replay deck --turn 10"), "docs/formats.md"),
    "verify": About(
        "check .duel files against the rules", ("verify tower deck", "verify tower --json"), "docs/formats.md"
    ),
    "review": About(
        "what every decision of a recorded game lost", ("review tower", "review deck --json"), "docs/coach.md"
    ),
    "hint": About(
        "the best move at a position, and why",
        ("hint tower --at '5 8 1'", "hint secret --rule hp=12 --rule highest=4"),
        "docs/coach.md",
    ),
    "solve": About(
        "what a duel or a position is worth, exactly",
        ("solve tower --at '5 8 1'", "solve --all --check"),
        "docs/solving.md",
    ),
    "levels": About(
        "the ladder of opponents, with exact win chances",
        ("levels deck", "levels energy --rule energy=8"),
        "docs/levels.md",
    ),
    "arena": About(
        "a tournament between programs",
        (
            "arena random level:3 perfect --duels tower,deck",
            "arena engine:./mybot level:3 --rounds 50 --report mine.html",
        ),
        "docs/tournaments.md",
    ),
    "exam": About(
        "a score that needs no opponent",
        ("exam level:3 --questions 50", "exam engine:./mybot level:3 --edition book --edition fresh:7 --out mine"),
        "docs/exam.md",
    ),
    "refute": About(
        "the proof that a player loses, or that nobody can do better against it",
        ("refute level:3 --duels tower", "refute engine:./mybot --duels tower,energy --out proof.duel"),
        "docs/refute.md",
    ),
    "map": About("draw who wins where", ("map tower", "map secret --last 10,9 --svg map.svg"), "docs/maps.md"),
    "puzzle": About("find the only move", ("puzzle", "puzzle tower --random --rating 1400"), "docs/puzzles.md"),
    "engine": About(
        "let another program play with our players",
        ("engine --player level:3", "engine --player perfect --seed 7"),
        "docs/engine-protocol.md",
    ),
    "check-engine": About(
        "does a program of yours keep to the engine protocol",
        ("check-engine ./mybot", "check-engine --slack 1 python3 mybot.py"),
        "docs/engine-protocol.md",
    ),
    "check-game": About(
        "does a duel of yours keep every law",
        ("check-game tower", "check-game tower --positions 200"),
        "docs/add-a-game.md",
    ),
    "check-env": About(
        "does somebody's environment for a duel keep its laws",
        ("check-env tower env.py", "check-env conquer env.py --class Duel --action '[{move}]'"),
        "docs/check-env.md",
    ),
    "serve": About(
        "a place where two people play from anywhere",
        ("serve", "serve --host 0.0.0.0 --name duels.example.org"),
        "docs/online.md",
    ),
    "join": About(
        "sit down at a table on a server",
        ("join http://127.0.0.1:8765/game/abc --name Ann", "join http://127.0.0.1:8765"),
        "docs/online.md",
    ),
    "bot": About(
        "a program of yours plays whoever comes to a server",
        ("bot http://127.0.0.1:8765 --engine ./mybot", "bot http://127.0.0.1:8765 --player level:3 --duels tower,deck"),
        "docs/online.md",
    ),
    "mcp": About(
        "the duels as tools for agents, by the Model Context Protocol",
        ("mcp", "mcp --http 8766"),
        "docs/mcp.md",
    ),
    "completion": About("let Tab complete commands in your shell", ("completion bash", "completion fish")),
    "help": About("what Duelbook, or one of its commands, can do", ("help", "help arena")),
}


def foot(name: str) -> str:
    """As click takes it: lines behind its mark are left as they are."""
    lines = "".join(f"  duelbook {example}\n" for example in COMMANDS[name].examples)
    return f"\b\nExamples:\n{lines}\nMore: {COMMANDS[name].page}"

"""Takes the pictures in the docs: real games on a real terminal, drawn as SVG. Run by `make pictures`, or to
compare them with what is shown now: `python docs/pictures/take.py --check`."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import pexpect
from rich.console import Console
from rich.terminal_theme import SVG_EXPORT_THEME
from rich.text import Text

from duelbook.games import ROOMS, load
from duelbook.table import newcomers

FOLDER = Path(__file__).parent
COLUMNS = 76
# Rich's own template asks for a web font; these pictures use what the reader's machine has.
TEMPLATE = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
    font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: arial, sans-serif; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal"><rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/>
</clipPath>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g>
</g>
</svg>
"""

PICTURES: dict[str, tuple[list[str], list[str]]] = {
    "tower": (
        ["play", "--line", "tower", "--name1", "Ann", "--name2", "Bob"],
        ["build 4", "build 4", "build 4", "attack"],
    ),
    "conquer": (
        ["play", "--line", "conquer", "--name1", "Ann", "--name2", "Bob"],
        ["attack", "heal", "attack", "defend"],
    ),
    "energy": (["play", "--line", "energy", "--name1", "Ann", "--name2", "Bob"], ["1", "2", "1"]),
    "deck": (["play", "--line", "deck", "--name1", "Ann", "--name2", "Bob", "--deck", "7,4,9"], ["", "a", "", "h", ""]),
    "secret": (["play", "--line", "secret", "--name1", "Ann", "--name2", "Bob"], ["7", "5", "6", "8"]),
}
PROMPT = r"Enter your move: |Choose your action \(.*\): |Enter choice \(.*\): "
PROMPT += r"|draw a number\. |\(H\)eal\? |attack number \(.*\): "


def play(arguments: list[str], moves: list[str]) -> str:
    """Everything the terminal showed, as the bytes it was sent."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = folder
        for id in ROOMS:  # somebody who has played before, and is offered no guided game
            newcomers.was_offered(load(id))
        child = pexpect.spawn(
            sys.executable,
            ["-m", "duelbook", *arguments],
            encoding="utf-8",
            dimensions=(50, COLUMNS),
            env={"TERM": "xterm-256color", "XDG_STATE_HOME": folder, "PATH": "", "LANG": "C.UTF-8"},
        )
        shown = ""
        for move in moves:
            child.expect(PROMPT)
            shown += str(child.before) + str(child.after)
            child.sendline(move)
        child.expect(PROMPT)
        shown += str(child.before) + str(child.after)
        child.close(force=True)
    return shown.replace("\x1b[?2004h", "").replace("\x1b[?2004l", "").replace("\r\n", "\n").replace("\r", "")


def drawn(name: str, shown: str) -> str:
    with Path("/dev/null").open("w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=COLUMNS, file=nowhere, force_terminal=True, legacy_windows=False)
        console.print(Text.from_ansi(shown))
    title = f"duelbook play --line {name}"
    return console.export_svg(title=title, theme=SVG_EXPORT_THEME, code_format=TEMPLATE, unique_id=name)


def main() -> int:
    stale = []
    for name, (arguments, moves) in PICTURES.items():
        svg, path = drawn(name, play(arguments, moves)), FOLDER / f"{name}.svg"
        if "--check" not in sys.argv:
            path.write_text(svg, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != svg:
            stale.append(path.name)
    if stale:
        print(f"Not what the program shows any more: {', '.join(stale)}. Take them again with: make pictures")
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())

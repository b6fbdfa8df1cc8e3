"""Takes the pictures of the full screen in the docs: the real program, with keys pressed. Run by `make screenshots`.

With --check nothing is written; the exit code says whether every picture still shows what the program shows.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
SIZE = (100, 30)
SEED = 3


def openings() -> dict[str, tuple[Callable[[Any], Any] | None, tuple[str, ...]]]:
    """Each picture's name, what is opened for it, and the keys that are pressed."""
    from duelbook import load
    from duelbook.games import example
    from duelbook.record import reads
    from duelbook.table.invitation import Invitation
    from duelbook.tui.aftermath import Aftermath
    from duelbook.tui.puzzles import PuzzleScreen

    def table(id: str, opponent: str, coach: bool = False) -> Callable[[Any], Any]:
        wish = Invitation(load(id), ("human", opponent), ("Ann", None), seed=SEED)
        return lambda app: app.begin(wish, coach=coach)

    (game,) = reads(example(load("tower")).read_text(encoding="utf-8"))
    return {
        "lobby": (None, ("down", "down", "down", "down")),
        "table": (
            table("tower", "level:4", coach=True),
            ("2", "enter", "1", "enter", "s", "enter", "t", "enter", *"build", "space", "4"),
        ),
        "deck": (table("deck", "level:2"), ("enter", "a", "enter")),
        "aftermath": (lambda app: app.push_screen(Aftermath(game, None)), ()),
        "replay": (lambda app: app.open_replay(game), ("right",) * 7),
        "puzzle": (lambda app: app.push_screen(PuzzleScreen(load("tower"), today=date(2026, 11, 15))), ("down",)),
    }


async def take(opening: Callable[[Any], Any] | None, keys: tuple[str, ...]) -> str:
    from duelbook.tui.app import DuelbookApp
    from duelbook.tui.picture import picture
    from duelbook.tui.preferences import Preferences

    app = DuelbookApp(opening, Preferences(motion=False))
    async with app.run_test(size=SIZE) as pilot:
        await at_rest(pilot)
        for key in keys:
            await pilot.press(key)
            await at_rest(pilot)
        return picture(app)


async def at_rest(pilot: Any) -> None:
    await pilot.pause()
    while any(worker.is_running for worker in pilot.app.workers):
        await pilot.pause()
    await pilot.pause(0.1)


def main() -> int:
    os.environ |= {"LANG": "C.UTF-8", "COLORTERM": "truecolor"}
    for name in ("NO_COLOR", "LC_ALL", "LC_CTYPE", "TMUX", "STY"):
        os.environ.pop(name, None)
    from duelbook.games import ROOMS, load
    from duelbook.table import newcomers

    stale = []
    for name, (opening, keys) in openings().items():
        with tempfile.TemporaryDirectory() as home:
            os.environ |= {"XDG_STATE_HOME": home, "XDG_CONFIG_HOME": home}
            for id in ROOMS:  # somebody who has played before, and is offered no guided game
                newcomers.was_offered(load(id))
            svg = asyncio.run(take(opening, keys))
        path = FOLDER / f"screen-{name}.svg"
        if "--check" not in sys.argv:
            path.write_text(svg, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != svg:
            stale.append(path.name)
    if stale:
        print(f"Not what the program shows any more: {', '.join(stale)}. Take them again with: make screenshots")
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())

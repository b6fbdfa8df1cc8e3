"""Takes the pictures of the pages in the docs: a real server, a real browser. Run by `make pages`; needs chromium."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER.parent.parent / "tests"))

WINDOWS = ((1280, 860), (360, 740))


def take(browser: Any, server: Any, scheme: str, width: int, height: int) -> None:
    from browser_helper import Person

    def at(name: str, person: Any) -> None:
        person.page.set_viewport_size({"width": width, "height": height})
        person.page.mouse.move(0, 0)
        person.page.screenshot(path=FOLDER / f"page-{name}-{width}-{scheme}.png")

    ann, bo = (Person(browser, width, scheme=scheme) for _ in range(2))
    ann.page.goto(server.address)
    at("lobby", ann)
    ann.begins(server, "tower", "friend", "Ann")
    bo.sits_down(ann.invitation, "Bo")
    for person, move in ((ann, "Build 4"), (bo, "Build 4"), (ann, "Build 4"), (bo, "Build 2")):
        person.waits_for("Your turn.")
        person.presses(move)
    ann.waits_for("Your turn.")
    at("table", ann)
    ann.presses("Resign")
    bo.waits_for("You won!")
    if width > 1000 and scheme == "light":
        bo.page.locator("#coach .graph").wait_for()
        at("after", bo)


def main() -> None:
    from browser_helper import started
    from online_helper import served

    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server, started() as browser:
        for scheme in ("light", "dark"):
            for width, height in WINDOWS:
                take(browser, server, scheme, width, height)


if __name__ == "__main__":
    main()

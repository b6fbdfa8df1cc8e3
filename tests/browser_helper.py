"""Real browsers under test: people at pages, who remember whatever goes wrong there."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from helpers import HANGING
from online_helper import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium")
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="chromium is not installed; on Debian: apt install chromium"
)
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
OVER = re.compile("You won|You lost|wins|Nobody|No result")


@contextmanager
def started() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=[*ARGUMENTS])
        yield running
        running.close()


class Person:
    """Somebody at a page. They say yes to whatever they are asked."""

    def __init__(self, browser: Browser, width: int = 1000, *, script: bool = True, scheme: str = "light") -> None:
        self.script = script
        self.context = browser.new_context(
            viewport={"width": width, "height": 800},
            java_script_enabled=script,
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="reduce",
        )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(1000 * HANGING)
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", lambda said: self.wrong.append(said.text) if said.type == "error" else None)
        self.page.on("dialog", lambda dialog: dialog.accept())

    @property
    def standing(self) -> str:
        return str(self.page.inner_text("#standing"))

    def waits_for(self, words: str | re.Pattern[str]) -> None:
        """Until the table says so."""
        self.page.locator("#standing").filter(has_text=words).wait_for()

    def reads(self, words: str) -> None:
        """Until the story says so."""
        self.page.locator("#story").filter(has_text=words).wait_for()

    def has_a_seat(self, name: str, where: str = "#scene") -> None:
        """Until the table says that this is whoever looks at it."""
        self.page.locator(where).get_by_role("heading", name=f"{name} you").wait_for()

    def presses(self, words: str, *, exact: bool = False) -> None:
        if self.script:
            self.page.locator("html.scripts").wait_for()
        self.page.get_by_role("button", name=words, exact=exact).click()

    def owes_nothing(self) -> None:
        """Until nothing of theirs is on its way, and the table waits for nothing that the page does by itself."""
        self.page.locator("#table:not(.sending)").wait_for()
        self.page.wait_for_function(
            """async () => {
                const { hand } = await (await fetch(`${location.pathname}/parts?lines=0`)).json();
                return !hand.mine || hand.kept || (hand.asks !== "open" && (hand.asks !== "link" || hand.draws));
            }"""
        )
        self.page.locator("#table:not(.sending)").wait_for()

    @property
    def is_over(self) -> bool:
        return bool(OVER.search(self.standing))

    def plays(self) -> None:
        """The last thing that can be pressed, if it is their turn."""
        self.waits_for(re.compile(f"Your turn|Waiting for|{OVER.pattern}"))
        if not self.standing.startswith("Your turn"):
            return
        choices = self.page.locator("#actions button:not([aria-disabled]):not([data-sure])")
        listed = self.page.locator("#actions .moves button:not([aria-disabled]):not([data-sure])")
        if listed.count():
            listed.last.click()
        elif choices.count():
            choices.first.click()

    def begins(self, server: Server, duel: str, opponent: str, name: str = "Ann", first: str = "1") -> None:
        """A new game from the lobby."""
        self.page.goto(server.address)
        self.page.check(f"#duel-{duel}")
        self.page.fill("#name", name)
        self.page.select_option("#opponent", opponent)
        self.page.select_option("#first", first)
        self.presses("Sit down")
        self.page.wait_for_url("**/game/*")

    @property
    def invitation(self) -> str:
        return str(self.page.locator("#friend").input_value())

    def sits_down(self, link: str, name: str = "Bo") -> None:
        self.page.goto(link)
        self.page.fill("#name", name)
        self.presses("Sit down")
        self.page.locator("#aside .sit").wait_for(state="detached")

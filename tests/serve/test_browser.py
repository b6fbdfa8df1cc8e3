"""Real browsers: two people and somebody who watches, a phone, and a connection that is cut."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from duelbook import game_ids
from duelbook.honest.proof import prove
from duelbook.record import reads
from online_helper import Server, served

CHROMIUM = shutil.which("chromium")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed; on Debian: apt install chromium"),
]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with served(tmp_path) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


class Person:
    """Somebody at a page, who plays the last thing that can be pressed; whatever goes wrong on it is remembered."""

    def __init__(self, browser: object, width: int = 1000) -> None:
        context = browser.new_context(viewport={"width": width, "height": 800})  # type: ignore[attr-defined]
        self.page = context.new_page()
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", lambda said: self.wrong.append(said.text) if said.type == "error" else None)
        self.page.on("dialog", lambda dialog: dialog.accept())

    @property
    def standing(self) -> str:
        return str(self.page.inner_text("#standing"))

    @property
    def is_over(self) -> bool:
        return any(word in self.standing for word in ("won", "lost", "over", "wins"))

    def play(self) -> None:
        choices = self.page.locator("#actions button:enabled")
        if choices.count():
            choices.last.click()


def begin(server: Server, browser: object, duel: str, first: str = "toss") -> tuple[Person, Person, Person]:
    one, two, watcher = Person(browser), Person(browser, width=360), Person(browser)
    one.page.goto(server.address)
    one.page.check(f"input[value={duel}]")
    one.page.fill("#name", "Ann")
    one.page.select_option("#opponent", "friend")
    one.page.select_option("#first", first)
    one.page.click("text=Sit down")
    link = one.page.locator("input[aria-label='The link for your friend']").input_value()
    two.page.goto(link)
    watcher.page.goto(link.partition("#")[0])
    one.page.locator("#story p").first.wait_for()
    return one, two, watcher


@pytest.mark.parametrize("id", game_ids())
def test_two_browsers_and_a_spectator_see_a_game_to_its_end(id: str, server: Server, browser: object) -> None:
    one, two, watcher = begin(server, browser, id)
    for _ in range(12):  # some turns by clicking, and then somebody has enough
        for person in (one, two):
            if not person.is_over:
                person.play()
    if not one.is_over:
        one.page.get_by_role("button", name="Resign").click()
    for person in (one, two, watcher):
        person.page.locator("#standing").filter(has_text=re.compile("won|lost|over|wins")).wait_for()
        assert person.wrong == []
    stories = {person.page.inner_text("#story") for person in (one, two, watcher)}
    assert len(stories) == 1
    with urlopen(one.page.url.replace("/game/", "/api/games/") + "/record") as answer:
        (record,) = reads(answer.read().decode())
    assert record.match.outcome is not None
    assert prove(record).startswith("Online: ")


def test_a_page_that_is_loaded_again_is_where_it_was(server: Server, browser: object) -> None:
    """Also between a pick that is promised and its opening."""
    one, two, _ = begin(server, browser, "secret", "1")
    one.page.get_by_role("button", name="7", exact=True).click()
    one.page.locator("#standing").filter(has_text="Waiting").wait_for()
    one.page.reload()
    two.page.get_by_role("button", name="5", exact=True).click()
    for person in (one, two):
        person.page.get_by_text("Player B's attack: 5").or_(person.page.get_by_text("attack: 5")).first.wait_for()
        assert "attack: 7" in person.page.inner_text("#story")


def test_a_rematch_by_two_clicks(server: Server, browser: object) -> None:
    one, two, _ = begin(server, browser, "tower", "1")
    one.page.get_by_role("button", name="Resign").click()
    for person in (one, two):
        person.page.get_by_role("button", name="Another game, seats swapped").click()
    for person in (one, two):
        person.page.get_by_role("link", name="To the next game").click()
    one.page.locator("#story p").first.wait_for()
    assert "Ann (you)" in one.page.inner_text("#scene")
    two.page.locator("#standing").filter(has_text="Your turn.").wait_for()


@pytest.mark.parametrize("width", [320, 360, 1280])
def test_nothing_is_wider_than_the_window(width: int, server: Server, browser: object) -> None:
    person = Person(browser, width)
    for path in ("/", "/rules/tower", server.new_game("secret", "random").removeprefix(server.address)):
        person.page.goto(server.address + path)
        person.page.wait_for_timeout(0)
        if "/game/" in path:
            person.page.locator("#actions button").first.wait_for()
        assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_a_game_by_keyboard_alone(server: Server, browser: object) -> None:
    person = Person(browser)
    person.page.goto(server.new_game("tower", "random"))
    person.page.locator("#actions button").first.wait_for()
    person.page.locator("#actions button").first.focus()
    person.page.keyboard.press("Enter")
    person.page.get_by_text("Your tower height is now 1").or_(
        person.page.get_by_text("tower height is now 1")
    ).first.wait_for()
    assert person.wrong == []

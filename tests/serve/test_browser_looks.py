"""How pages look and feel to everybody: axe finds nothing on any of them, and no window is too narrow."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from browser_helper import Person, needs_chromium
from duelbook import game_ids
from online_helper import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

pytestmark = [pytest.mark.slow, needs_chromium]


def faults(person: Person) -> list[str]:
    """What axe finds, and whether something is wider than the window."""
    from axe_playwright_python.sync_playwright import Axe

    where = f"{person.page.url} at {person.page.viewport_size}: {person.page.title()}"
    found = json.loads(json.dumps(Axe().run(person.page).response))["violations"]
    told = [
        f"{where}: {each['id']}: {node['html'][:200]} {node['failureSummary']}"
        for each in found
        for node in each["nodes"]
    ]
    if not person.page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
        wide = person.page.evaluate(
            "[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1)"
            ".map(e => e.outerHTML.slice(0, 80)).slice(0, 3)"
        )
        told.append(f"{where}: is wider than its window: {wide}")
    return told


class Walk:
    """Somebody goes through pages, and looks at each of them in every window."""

    def __init__(self, person: Person) -> None:
        self.person, self.found, self.seen = person, list[str](), 0

    def look(self) -> None:
        for width in (1280, 320):  # the second is also what 1280 is at four times its size
            self.person.page.set_viewport_size({"width": width, "height": 800})
            self.found += faults(self.person)
            self.seen += 1


@contextmanager
def answers_held(person: Person) -> Iterator[list[Route]]:
    """Whatever this page sends does not arrive before the end of this."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "POST":
            held.append(route)
        else:
            route.continue_()

    person.page.route("**/*", hold)
    yield held
    for route in held:
        route.continue_()
    person.page.unroute("**/*", hold)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("id", game_ids())
def test_axe_finds_nothing_at_any_state_of_a_table(id: str, scheme: str, server: Server, browser: Browser) -> None:
    one, two = Person(browser, scheme=scheme), Person(browser, scheme=scheme)
    mine, theirs = Walk(one), Walk(two)
    one.begins(server, id, "friend")
    mine.look()  # waiting for a friend
    link = one.invitation
    two.page.goto(link)
    two.page.locator("html.scripts").wait_for()
    theirs.look()  # asked to sit down
    two.sits_down(link)
    one.page.locator("#actions button").first.wait_for()
    mine.look()  # deciding
    theirs.look()  # waiting, or deciding too
    with answers_held(one) as held:
        one.plays()
        one.waits_for(re.compile("^(Sending|Sealing|Drawing) "))
        mine.look()  # while it is on its way
        assert len(held) == 1
    one.waits_for(re.compile("^(?!Sending|Sealing|Drawing)"))
    mine.look()
    one.presses("Go on on another device")
    one.page.locator("#on").wait_for()
    mine.look()
    two.owes_nothing()
    one.presses("Resign")
    one.page.locator("#coach .graph").wait_for()
    mine.look()  # over
    one.presses("Another game")
    one.page.get_by_text("you need not wait here").wait_for()
    mine.look()
    two.page.get_by_text("Ann would like another game.").wait_for()
    theirs.look()
    game = one.page.url
    for part in ("/review", "/replay", "/replay?at=2"):
        one.page.goto(game + part)
        mine.look()
    assert mine.found + theirs.found == []
    assert mine.seen + theirs.seen == 26
    assert one.wrong + two.wrong == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_other_page(scheme: str, server: Server, browser: Browser) -> None:
    person = Person(browser, scheme=scheme)
    walk = Walk(person)
    page = person.page
    page.goto(server.address)
    walk.look()
    for summary in page.locator(".knobs summary").all():
        if summary.is_visible():
            summary.click()
    walk.look()
    person.begins(server, "tower", "open")
    page.goto(server.address)  # with a game of one's own, and somebody who waits
    walk.look()
    other = Person(browser, scheme=scheme)
    other.page.goto(server.address)
    other.page.get_by_text("Ann waits at Tower Defense Duel").wait_for()
    walk.found += faults(other)
    for way in (
        "/rules",
        *(f"/rules/{id}" for id in game_ids()),
        *(f"/puzzle/{id}" for id in game_ids()),
        "/game/none",
    ):
        page.goto(server.address + way)
        walk.look()
    page.goto(f"{server.address}/puzzle/tower")
    page.locator(".move").first.click()
    page.locator("#answer").wait_for()
    walk.look()
    person.begins(server, "conquer", "level:3")
    page.locator("#coach summary").click()
    page.locator("#advice svg").wait_for()
    person.presses("Hint")
    page.locator("#advice .hint").wait_for()
    walk.look()
    person.presses("Heal")
    page.locator("#standing").filter(has_text="Your turn").wait_for()
    walk.look()
    assert walk.found == []
    assert [said for said in person.wrong if "404" not in said] == []


@pytest.mark.parametrize("id", ["secret", "deck"])
def test_axe_finds_nothing_without_a_script(id: str, server: Server, browser: Browser) -> None:
    """axe needs a script of its own, so the pages come to it as they are written, without theirs."""
    person = Person(browser)
    person.page.route(re.compile("/static/.*[.]js"), lambda route: route.abort())
    walk = Walk(person)
    person.page.goto(server.address)
    person.page.check(f"#duel-{id}")
    person.page.select_option("#opponent", "random")
    person.page.fill("#name", "Ann")
    person.page.get_by_role("button", name="Sit down").click()
    person.page.wait_for_url("**/game/*")
    walk.look()
    person.page.locator("#actions button").last.click()
    person.page.wait_for_load_state()
    walk.look()
    person.page.get_by_role("button", name="Go on on another device").click()
    person.page.locator("#on").wait_for()
    walk.look()
    person.page.go_back()
    person.page.get_by_role("button", name="Resign").click()
    person.page.get_by_role("heading", name="Are you sure?").wait_for()
    walk.look()
    assert walk.found == []


def test_a_page_at_twice_its_size_and_with_forced_colours(server: Server, browser: Browser) -> None:
    person = Person(browser, width=640)  # as 1280 is at 200 %
    person.page.emulate_media(forced_colors="active", reduced_motion="reduce")
    person.begins(server, "tower", "level:1")
    person.waits_for("Your turn.")
    assert faults(person) == []
    assert person.page.evaluate("getComputedStyle(document.querySelector('.full, .empty')).transitionDuration") == "0s"

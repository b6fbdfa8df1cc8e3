"""Real browsers: two people and somebody who watches, pages that are loaded again, keys alone, and what is spoken."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest

from browser_helper import OVER, Person, needs_chromium
from duelbook import game_ids
from duelbook.honest.proof import prove
from duelbook.record import Record, reads
from online_helper import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

pytestmark = needs_chromium
slow = pytest.mark.slow


def begin(server: Server, browser: Browser, duel: str, first: str = "1") -> tuple[Person, Person, Person]:
    one, two, watcher = Person(browser), Person(browser, width=360), Person(browser)
    one.begins(server, duel, "friend", "Ann", first)
    link = one.invitation
    two.sits_down(link)
    watcher.page.goto(link.partition("#")[0])
    one.page.locator("#story p").first.wait_for()
    return one, two, watcher


def record_of(person: Person) -> Record:
    with urlopen(person.page.url.replace("/game/", "/api/games/") + "/record") as answer:
        (record,) = reads(answer.read().decode())
    return record


@slow
def test_two_people_at_two_pages(server: Server, browser: Browser) -> None:
    """The quick one of its kind."""
    one, two, watcher = begin(server, browser, "tower")
    one.presses("Build 4")
    two.waits_for("Your turn.")
    two.page.fill("#said", "b2")
    two.page.keyboard.press("Enter")
    watcher.reads("Bo's tower height is now 2.")
    one.presses("Resign")
    for person, words in ((one, "You lost."), (two, "You won!"), (watcher, "Bo wins!")):
        person.waits_for(words)
        assert person.wrong == []


@slow
def test_what_is_pressed_while_something_is_sent_is_done_after_it(server: Server, browser: Browser) -> None:
    """Picks are opened by the page itself, and somebody may have enough at just that moment."""
    one, two, _ = begin(server, browser, "secret")
    held: list[Route] = []
    one.page.route(
        "**/act", lambda route: held.append(route) if '"open"' in str(route.request.post_data) else route.continue_()
    )
    one.plays()
    two.plays()
    one.waits_for("Opening your pick")
    one.presses("Resign")
    assert not one.is_over
    held[0].continue_()
    for person, words in ((one, "You lost."), (two, "You won!")):
        person.waits_for(words)
        assert person.wrong == []


@slow
@pytest.mark.parametrize("in_between", [False, True])
def test_what_a_page_does_by_itself_may_come_too_late(in_between: bool, server: Server, browser: Browser) -> None:
    """A pick is on its way to be opened when the other side resigns: nobody has done anything wrong."""
    one, two, _ = begin(server, browser, "secret")
    held: list[Route] = []
    two.page.route(
        "**/act", lambda route: held.append(route) if '"open"' in str(route.request.post_data) else route.continue_()
    )
    two.page.evaluate(
        """() => {
            const note = document.getElementById("note");
            window.notes = [];
            new MutationObserver(() => notes.push(note.textContent)).observe(note, { childList: true });
        }"""
    )
    one.plays()
    two.plays()
    two.waits_for("Opening your pick")
    one.owes_nothing()
    news: list[Route] = []
    if in_between:  # the page asks already how the table stands when it is refused
        two.page.route("**/parts*", lambda route: news.append(route))
        with two.page.expect_request("**/parts*"):
            one.presses("Resign")
    else:
        one.presses("Resign")
    one.waits_for("You lost.")
    with two.page.expect_response("**/act"):
        held[0].continue_()
    for route in news:
        route.continue_()
    two.page.unroute("**/parts*")
    two.waits_for("You won!")
    two.page.locator("#note").filter(has_text="Proved from what this browser saw").wait_for()
    assert "The game is over." not in two.page.evaluate("notes")
    assert len(held) == 1
    assert [said for said in two.wrong if "409" not in said] == []  # which answered what came too late


@slow
@pytest.mark.parametrize("id", game_ids())
def test_two_browsers_and_a_spectator_see_a_game_to_its_end(id: str, server: Server, browser: Browser) -> None:
    one, two, watcher = begin(server, browser, id, "toss")
    for _ in range(12):  # some turns by clicking, and then somebody has enough
        for person in (one, two):
            if not person.is_over:
                person.plays()
    for person in (one, two, one):  # what comes after the end is refused
        person.owes_nothing()
    if not one.is_over:
        one.presses("Resign")
    for person in (one, two, watcher):
        person.waits_for(OVER)
        assert person.wrong == []
    stories = {person.page.inner_text("#story") for person in (one, two, watcher)}
    assert len(stories) == 1
    record = record_of(one)
    assert record.match.outcome is not None
    assert prove(record).startswith("Online: ")
    assert "kept the secrets" not in prove(record)


@slow
def test_a_page_that_is_loaded_again_is_where_it_was(server: Server, browser: Browser) -> None:
    """Also between a pick that is promised and its opening."""
    one, two, _ = begin(server, browser, "secret")
    one.page.locator("button[value='7']").click()
    one.waits_for("Waiting")
    one.page.reload()
    two.page.fill("#said", "5")
    two.page.keyboard.press("Enter")
    for person in (one, two):
        person.reads("attack: 5")
        assert "attack: 7" in person.page.inner_text("#story")


@slow
def test_a_rematch_with_seats_swapped_takes_everybody_along(server: Server, browser: Browser) -> None:
    one, two, watcher = begin(server, browser, "tower")
    one.presses("Resign")
    two.waits_for("You won!")
    one.presses("Another game, seats swapped")
    one.page.get_by_text("Bo has not answered yet; you need not wait here.").wait_for()
    two.page.get_by_text("Ann would like another game.").wait_for()
    before = one.page.url
    two.presses("Another game, seats swapped")
    two.waits_for("Your turn.")  # it has gone along by itself, and so has the one who asked first
    one.page.wait_for_url(lambda url: url != before)
    one.waits_for("Waiting for Bo.")
    watcher.page.get_by_role("link", name="They play on: to the next game").click()
    watcher.waits_for("Waiting for Bo.")
    one.has_a_seat("Ann")
    assert one.wrong == two.wrong == watcher.wrong == []


@slow
def test_who_asks_for_another_game_is_not_stranded_when_the_other_is_gone(server: Server, browser: Browser) -> None:
    one, two, _ = begin(server, browser, "tower")
    two.presses("Resign")
    one.waits_for("You won!")
    two.page.goto(server.address)  # gone; and in another game
    two.begins(server, "tower", "level:1", "Bo")
    one.presses("Another game, seats swapped")
    one.page.get_by_text("you need not wait here").wait_for()
    one.page.reload()
    one.page.get_by_text("you need not wait here").wait_for()
    assert not one.page.get_by_role("button", name="Another game").count()
    two.page.goto(server.address)
    two.page.get_by_text("Ann would like another game.").wait_for()
    two.page.get_by_role("link", name="Tower Defense Duel against Ann").click()
    two.presses("Another game, seats swapped")
    two.waits_for("Your turn.")
    one.waits_for("Waiting for Bo.")


@slow
def test_another_game_against_a_program_begins_at_once(server: Server, browser: Browser) -> None:
    person = Person(browser)
    person.begins(server, "tower", "level:1")
    person.waits_for("Your turn.")
    person.presses("Resign")
    person.waits_for("You lost.")
    before = person.page.url
    person.presses("Another game, seats swapped")
    person.page.wait_for_url(lambda url: url != before)
    person.waits_for("Your turn.")
    person.has_a_seat("Ann", ".side.two")


@slow
def test_a_game_by_keyboard_alone_and_what_it_speaks(server: Server, browser: Browser) -> None:
    """From the lobby on: no mouse, one live region, and the focus where the hands are."""
    person = Person(browser)
    page = person.page
    page.goto(server.address)
    page.locator("#duel-tower").focus()
    page.keyboard.press("Space")
    page.locator("#opponent").focus()
    page.keyboard.type("Random")
    page.locator("#name").focus()
    page.keyboard.type("Ann")
    page.keyboard.press("Enter")
    page.wait_for_url("**/game/*")
    person.waits_for("Your turn.")
    assert page.locator("[aria-live], [role=status], [role=alert], [role=log]").count() == 1
    page.keyboard.press("4")  # the key on the button leads to it
    assert "Build 4" in page.evaluate("document.activeElement.innerText")
    page.keyboard.press("Enter")
    person.reads("Ann's tower height is now 4.")
    page.locator("#spoken").filter(has_text="Ann builds 4 units.").wait_for()
    page.locator("#actions").get_by_role("button", name="Build 4").wait_for()
    assert "Build 4" in page.evaluate("document.activeElement.innerText")  # where it was before their turn
    page.keyboard.press("/")
    page.keyboard.type("a dance")
    page.keyboard.press("Enter")
    page.locator("#note").filter(has_text="You can play: build 1").wait_for()
    assert page.evaluate("document.activeElement.id") == "said"
    spoken = page.inner_text("#spoken")
    assert spoken.count("is not a move here") <= 1
    page.locator("#letters").focus()
    page.keyboard.press("Space")  # keys off
    page.keyboard.press("2")
    assert page.evaluate("document.activeElement.id") == "letters"
    assert [said for said in person.wrong if "409" not in said] == []  # which answered what was no move


@slow
def test_what_a_screen_reader_finds_on_a_table(server: Server, browser: Browser) -> None:
    person = Person(browser)
    person.begins(server, "tower", "random")
    person.waits_for("Your turn.")
    found = person.page.locator("main").aria_snapshot()
    wanted = [
        'heading "Tower Defense Duel" [level=1]',
        "paragraph: Your turn.",
        'region "The table"',
        'heading "Ann you" [level=2]',
        'region "What you can do"',
        'button "Build 4 your tower grows from 0 to 4"',
        'textbox "Enter your move:"',
        'region "The story"',
        'button "Resign"',
    ]
    at = 0
    for part in wanted:
        assert part in found[at:], f"{part} is not behind the others in\n{found}"
        at += found[at:].index(part)
    refused = 'button "Attack not now. '
    assert re.search(re.escape(refused) + ".*disabled", found), found


@slow
def test_links_are_copied_and_that_is_seen(server: Server, browser: Browser) -> None:
    one = Person(browser)
    one.begins(server, "tower", "friend")
    assert not one.page.get_by_text("The story").is_visible()  # there is none yet
    one.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for words, wanted in (("Copy", one.invitation), ("Link to watch", one.page.url)):
        one.page.get_by_text(words, exact=True).click()
        one.page.get_by_text("Copied", exact=True).wait_for()
        assert one.page.evaluate("navigator.clipboard.readText()") == wanted
        one.page.get_by_text(words, exact=True).wait_for()
    one.page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")  # as on plain http
    one.presses("Copy")
    one.page.get_by_text("Copied", exact=True).wait_for()
    assert not one.wrong


@slow
def test_somebody_goes_on_on_another_device_even_with_a_sealed_pick(server: Server, browser: Browser) -> None:
    one, two, _ = begin(server, browser, "secret")
    one.page.locator("button[value='7']").click()
    one.waits_for("Your pick is sealed. Waiting for Bo.")
    one.presses("Go on on another device")
    link = one.page.locator("#on").input_value()
    phone = Person(browser, width=360)
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(f"{request.url} {request.post_data}"))
    phone.page.goto(link)
    phone.waits_for("Waiting for Bo.")
    phone.has_a_seat("Ann")  # a spectator is told the same of Bo, and so is a page that is just about to sit down
    secret = re.search("s=([0-9a-f]{64})", link)
    assert secret is not None
    assert not any(secret[1] in each for each in asked)  # the secret of the chain never went to the server
    two.page.locator("button[value='5']").click()
    phone.reads("attack: 7")
    one.reads("attack: 7")  # what is open on the first device goes on watching,
    one.waits_for("Waiting for Ann and Bo.")
    one.page.reload()
    one.page.get_by_text("You sat here, and have gone on on another device").wait_for()
    assert not one.page.locator("#actions button").count()
    phone.page.locator("button[value='9']").click()
    two.page.locator("button[value='6']").click()
    one.reads("attack: 9")  # and so does what is opened there later
    one.waits_for("Waiting for Ann and Bo.")
    again = Person(browser)
    again.page.goto(link)
    again.page.locator("#note").filter(has_text="has been used, or is too old").wait_for()


@slow
def test_one_browser_and_one_terminal(server: Server, browser: Browser, tmp_path: Path) -> None:
    """Whoever sits at a terminal sits at the same table."""
    import sys

    import pexpect

    person = Person(browser)
    person.begins(server, "secret", "friend")
    environment = {"XDG_STATE_HOME": str(tmp_path / "state"), "TERM": "dumb", "PATH": "", "LANG": "C.UTF-8"}
    command = ["-m", "duelbook", "join", person.invitation, "--plain", "--name", "Bo"]
    terminal = pexpect.spawn(sys.executable, command, encoding="utf-8", env=environment, timeout=60)
    try:
        for mine, theirs in (("9", "4"), ("8", "5")):
            person.page.locator(f"button[value='{mine}']").click()
            terminal.expect("attack number .*: ")
            terminal.sendline(theirs)
            person.reads(f"Bo's attack: {theirs}")
            terminal.expect(f"Ann's attack: {mine}")
        person.presses("Resign")
        person.waits_for("You lost.")
        terminal.sendline("6")  # too late
        terminal.expect("Ann resigned")
    finally:
        terminal.close(force=True)
    assert person.wrong == []

"""Networks that fail: cut before, during and after a move, frozen, or gone for a while. Nothing is lost or doubled."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser_helper import Person, needs_chromium, started
from online_helper import Server, served
from proxy_helper import Proxy, proxied

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.slow, needs_chromium]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with started() as running:
        yield running


@pytest.fixture
def lines(tmp_path: Path) -> Iterator[tuple[Server, Proxy]]:
    """A server, and a bad way to it."""
    listening = socket.create_server(("127.0.0.1", 0))
    host = f"127.0.0.1:{listening.getsockname()[1]}"
    with served(tmp_path, names=[host]) as server, proxied(server.address, listening) as proxy:
        yield server, proxy


def begun(lines: tuple[Server, Proxy], browser: Browser, duel: str = "tower") -> tuple[Person, Person]:
    """Ann sits behind the bad line, Bo has a good one."""
    server, proxy = lines
    one, two = Person(browser), Person(browser)
    one.begins(Server(proxy.address), duel, "friend")
    two.sits_down(one.invitation.replace(proxy.address, server.address))
    one.waits_for("Your turn.")
    return one, two


def finish(one: Person, two: Person, height: int) -> None:
    """Ann's move has been made once, and both go on."""
    two.waits_for("Your turn.")
    for person in (one, two):
        person.reads(f"Ann's tower height is now {height}.")
        assert person.page.inner_text("#story").count("Ann builds 4 units.") == 1
    two.presses("Build 2")
    one.waits_for("Your turn.")
    one.presses("Build 1")
    for person in (one, two):
        person.reads(f"Ann's tower height is now {height + 1}.")
    assert one.page.inner_text("#story") == two.page.inner_text("#story")


def test_a_line_that_is_cut_before_a_move_arrives(lines: tuple[Server, Proxy], browser: Browser) -> None:
    one, two = begun(lines, browser)
    lines[1].cut_at(b"/act ", answered=False)
    one.presses("Build 4")
    finish(one, two, 4)


def test_a_line_that_is_cut_when_a_move_is_made_and_not_yet_answered(
    lines: tuple[Server, Proxy], browser: Browser
) -> None:
    one, two = begun(lines, browser)
    lines[1].cut_at(b"/act ", answered=True)
    one.presses("Build 4")
    finish(one, two, 4)


def test_a_line_that_is_cut_after_a_move(lines: tuple[Server, Proxy], browser: Browser) -> None:
    one, two = begun(lines, browser)
    one.presses("Build 4")
    one.waits_for("Waiting for Bo.")
    lines[1].cut()
    finish(one, two, 4)


def test_a_line_that_freezes_while_the_other_moves(lines: tuple[Server, Proxy], browser: Browser) -> None:
    """A frozen socket stays open. The page finds out within ten seconds, says so, and comes back by itself."""
    one, two = begun(lines, browser)
    one.presses("Build 4")
    two.waits_for("Your turn.")
    lines[1].freeze()
    two.presses("Build 2")
    one.waits_for("The connection is gone. Nothing is lost")
    lines[1].freeze(False)
    one.waits_for("Your turn.")
    one.reads("Bo's tower height is now 2.")


def test_a_move_that_is_sent_into_a_frozen_line_is_sent_until_it_arrives(
    lines: tuple[Server, Proxy], browser: Browser
) -> None:
    one, two = begun(lines, browser)
    lines[1].freeze()
    one.presses("Build 4")
    one.waits_for("Sending build 4 ...")
    assert "height is now" not in one.page.inner_text("#story")  # what is not acknowledged is not shown
    one.waits_for("The connection is gone")
    lines[1].freeze(False)
    finish(one, two, 4)


def test_a_browser_that_is_offline_for_a_while(lines: tuple[Server, Proxy], browser: Browser) -> None:
    one, two = begun(lines, browser)
    one.presses("Build 4")
    two.waits_for("Your turn.")
    one.context.set_offline(True)
    two.presses("Build 2")
    one.waits_for("The connection is gone")
    one.context.set_offline(False)
    one.waits_for("Your turn.")
    assert one.page.inner_text("#story") == two.page.inner_text("#story")


def test_a_pick_that_is_sealed_when_the_line_is_cut_is_opened_when_it_is_back(
    lines: tuple[Server, Proxy], browser: Browser
) -> None:
    one, two = begun(lines, browser, "secret")
    one.page.locator("button[value='7']").click()
    one.waits_for("Waiting for Bo.")
    lines[1].cut_at(b'"open"', answered=True)
    two.page.locator("button[value='5']").click()
    for person in (one, two):
        person.reads("Ann's attack: 7")
        person.reads("Bo's attack: 5")

"""Games of a server as files: every one verifies without it, and none that was changed does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from duelbook.serve.connection import read_link
from duelbook.table.verify import verify
from helpers import HANGING
from online_helper import Guest, Server, Talk, served

pytestmark = pytest.mark.slow


def serve(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "duelbook", "serve", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=HANGING)


def play(server: Server, id: str, turns: int = 1000, *, gives_up: bool = False) -> str:
    """A game against a program, to its end or for so many turns."""
    talk, guest = Talk(read_link(server.new_game(id, "random"))), Guest(0)
    talk.join("Ann", guest)
    while not talk.online.over and (talk.online.match is None or talk.online.match.turns < turns):
        talk.catch_up(wait=guest.seat not in talk.online.due())
        if guest.seat in talk.online.due():
            talk.act(guest.wants(talk.online))
    if gives_up:
        talk.act({"do": "resign"})
    return talk.online.id


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A game of each kind, one that goes on and one that has not begun, written out while the server serves them."""
    home = tmp_path_factory.mktemp("export")
    with served(home) as server:
        games = {
            "deck": play(server, "deck", 2, gives_up=True),
            "secret": play(server, "secret"),
            "unfinished": play(server, "tower", 3),
        }
        server.new_game("tower")
        ran = serve("--data", str(home / "games.db"), "--export", str(home / "out"))
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("3 games written to ")
    assert {file.stem for file in (home / "out").iterdir()} == set(games.values())
    return {name: home / "out" / f"{game}.duel" for name, game in games.items()}


def test_every_game_verifies_without_the_server(exported: dict[str, Path]) -> None:
    for name, file in exported.items():
        found = verify(file)
        assert found.ok, found.error
        assert ("Online, and not over: " if name == "unfinished" else "Online: ") in found.games[0].summary


def changed(text: str, tag: str, at: int = -4) -> str:
    """The text with one digit of a tag's value replaced by another."""
    found = re.search(rf'\[{tag} "([^"]*)"', text)
    assert found is not None
    value = found.group(1)
    other = "0" if value[at] != "0" else "1"
    return text.replace(value, f"{value[:at]}{other}{value[at:][1:]}")


DECK = ("LuckPromise", "LuckSecret", "LuckAnchors", "LuckLinks", "Online")
SECRET = ("Seals", "Salts")


@pytest.mark.parametrize(("id", "tag"), [("deck", tag) for tag in DECK] + [("secret", tag) for tag in SECRET])
def test_a_link_a_salt_or_a_secret_that_was_changed_is_found(
    exported: dict[str, Path], tmp_path: Path, id: str, tag: str
) -> None:
    text = exported[id].read_text(encoding="utf-8")
    (tmp_path / "other.duel").write_text(changed(text, tag), encoding="utf-8")
    assert not verify(tmp_path / "other.duel").ok


def test_a_card_that_was_changed_is_found(exported: dict[str, Path], tmp_path: Path) -> None:
    text = exported["deck"].read_text(encoding="utf-8")
    moves = text.partition("\n\n")[2]
    cards = re.findall(r"(\d+):", moves)
    swapped = moves.replace(f"{cards[0]}:", "?:", 1).replace(f"{cards[1]}:", f"{cards[0]}:", 1)
    (tmp_path / "other.duel").write_text(text.replace(moves, swapped.replace("?:", f"{cards[1]}:", 1)))
    assert "what was promised gives" in str(verify(tmp_path / "other.duel").error)


def test_a_pick_that_was_changed_is_found(exported: dict[str, Path], tmp_path: Path) -> None:
    text = exported["secret"].read_text(encoding="utf-8")
    found = re.search(r"1\. (\d+)/(\d+)", text)
    assert found is not None
    other = next(pick for pick in ("8", "9") if pick not in found.groups())
    (tmp_path / "other.duel").write_text(text.replace(found.group(0), f"1. {other}/{found.group(2)}"))
    assert not verify(tmp_path / "other.duel").ok

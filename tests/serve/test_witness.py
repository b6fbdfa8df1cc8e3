"""A terminal that was there, and a server that tells the game otherwise than it was."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from duelbook.honest.seals import seal
from duelbook.serve import acts
from duelbook.serve.app import STATIC
from duelbook.serve.belongings import Belongings, Pick, seen_file
from duelbook.serve.connection import Connection, Place, _event
from duelbook.serve.events import Event, Json
from duelbook.serve.online import Online
from duelbook.serve.public import public
from duelbook.serve.remote import what_is_proved
from duelbook.serve.wire import Wire
from duelbook.serve.witness import Disagrees, Memory, Witness
from online_helper import Log, begun, played, write


@pytest.fixture(autouse=True)
def _at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def shown(log: Sequence[Event], viewer: int | None = 0) -> list[Event]:
    """The events as this viewer gets them over a network."""
    return [_event(event.game, public(event, viewer)) for event in log]


def sits(log: Sequence[Event], *, secret: bytes = bytes(32), picks: tuple[Pick, ...] = ()) -> Wire:
    """The first seat's end of the wire, when it has come back and was shown these events."""
    place = Place("http://duels.test", log[0].game)
    return Wire(Connection(place), Belongings(place.server, secret, "token", 0, picks), shown(log))


def leaves(wire: Wire) -> None:
    wire.memory.keep()


def last(log: Log, kind: str) -> Event:
    """The last event of a kind."""
    return next(event for event in reversed(log) if event.kind == kind)


def changed(log: Log, kind: str, **fields: Json) -> Log:
    """The same game, but for the last event of a kind."""
    at = log.index(last(log, kind))
    return [*log[:at], log[at]._replace(body={**log[at].body, **fields}), *log[at + 1 :]]


@pytest.mark.parametrize("id", ["deck", "secret"])
def test_a_game_is_proved_from_what_was_seen(id: str) -> None:
    _, log = played(id, "toss")
    leaves(sits(log[:7]))
    wire = sits(log)
    fits, words = what_is_proved(wire)
    assert fits
    assert words.endswith(f"Proved from what this terminal saw; fingerprint {wire.memory.end.words}.")


def test_everybody_has_the_same_fingerprint_and_another_game_has_another() -> None:
    _, log = played("deck", "toss")
    found = set()
    for viewer in (None, 0, 1):
        memory = Memory(None)
        for event in shown(log, viewer):
            memory.saw(event)
        found.add(memory.end.words)
    assert len(found) == 1
    assert played("deck", "toss", number=1)[1] != log
    other = Memory(None)
    for event in shown(changed(log, "over", reason="Somebody else won.")):
        other.saw(event)
    assert other.end.words not in found


def test_a_server_that_writes_the_whole_game_anew_is_found_out() -> None:
    """The new one proves itself: it has a promise, links and cards that fit each other. But another one was seen."""
    _, log = played("deck", "toss")
    leaves(sits(log[:6]))
    _, anew = played("deck", "toss", number=1)
    game = log[0].game
    forged = [
        event._replace(game=game, body={**event.body, **({"game": game} if event.kind == "created" else {})})
        for event in anew
    ]
    with pytest.raises(Disagrees, match="TELLS THIS GAME OTHERWISE THAN BEFORE"):
        sits(forged)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("created", {"promise": "00" * 32}),
        ("joined", {"anchor": "00" * 32}),
        ("joined", {"name": "Cy"}),
        ("link", {"link": "00" * 32}),
    ],
)
def test_whatever_is_changed_afterwards_is_found(kind: str, fields: dict[str, Json]) -> None:
    _, log = played("deck", "toss")
    leaves(sits(log))
    with pytest.raises(Disagrees):
        sits(changed(log, kind, **fields))


def test_a_server_that_forgets_the_end_of_a_game_is_found_out() -> None:
    """Somebody has seen more events than are told of a game that is over: what came last is taken back."""
    online, log, guests = begun("tower")
    for _ in range(4):
        seat = online.due()[0]
        write(online, log, acts.act(online, seat, guests[seat].wants(online), 1.0))
    leaves(sits(log))
    told = log[:-3]
    short = Online(told)
    write(short, told, acts.act(short, short.due()[0], {"do": "resign"}, 1.0))
    assert short.over
    fits, words = what_is_proved(sits(told))
    assert not fits
    assert words.endswith("BUT WHAT WAS SEEN HERE BEFORE IS NOT SHOWN AGAIN: 1 event.")


@pytest.mark.parametrize(
    ("id", "kind", "fields"),
    [("deck", "over", {"key": "00" * 32}), ("secret", "revealed", {"salts": ["00" * 32, "00" * 32]})],
)
def test_a_key_or_a_salt_that_does_not_fit_is_said_loudly(id: str, kind: str, fields: dict[str, Json]) -> None:
    _, log = played(id, "toss")
    fits, words = what_is_proved(sits(changed(log, kind, **fields)))
    assert not fits
    assert words.startswith("THIS GAME DOES NOT PROVE ITSELF: ")


def test_a_card_that_the_server_has_chosen_is_said_loudly() -> None:
    online, log, guests = begun("deck")
    while log[-1].kind != "dealt":
        seat = online.due()[0]
        write(online, log, acts.act(online, seat, guests[seat].wants(online), 1.0))
    chosen = next(face for face in online.duel.faces if face != log[-1].body["face"])
    tilted = changed(log, "dealt", face=chosen)
    going_on = Online(tilted)
    write(going_on, tilted, acts.act(going_on, 0, {"do": "resign"}, 1.0))
    wrong = f"Draw 1 is a card {chosen}, but what was promised gives {log[-1].body['face']}."
    assert what_is_proved(sits(tilted)) == (False, f"THIS GAME DOES NOT PROVE ITSELF: {wrong}")


def test_a_pick_is_opened_only_when_the_others_seal_was_seen() -> None:
    """Whatever the server says is due: until then an accomplice of its could still choose."""
    online, log, guests = begun("secret")
    pick = Pick(1, "7", bytes(32))
    mine = seal(online.id, 1, 0, pick.word, pick.salt).hex()
    write(online, log, acts.act(online, 0, {"do": "seal", "seal": mine}, 1.0))
    wire = sits(log, picks=(pick,))
    wire._follows = True  # without the threads that would send
    wire._do_what_is_owed()
    assert wire._outbox.empty()
    write(online, log, acts.act(online, 1, guests[1].wants(online), 1.0))
    wire = sits(log, picks=(pick,))
    wire._follows = True
    wire._do_what_is_owed()
    assert wire._outbox.get()[1]["do"] == "open"  # type: ignore[index]  # it does not end
    assert Memory(seen_file(online.id)).before == wire.memory.now  # the seal was kept before the pick went out


def test_who_has_found_the_server_out_gives_away_nothing_more() -> None:
    _, log = played("deck", "toss")
    wire = sits(log[:5])
    wire.memory.before = Witness(6, bytes(32))
    wire._take(shown(log[:6]))
    assert isinstance(wire.failed, Disagrees)
    with pytest.raises(Disagrees):
        wire.send({"do": "link"})


def test_what_somebody_else_has_written_there_is_no_memory(tmp_path: Path) -> None:
    file = tmp_path / "seen"
    for text in ("", "3", "3 zz", "-1 " + "00" * 32, "3 00", "3 " + "00" * 32 + " more"):
        file.write_text(text)
        assert Memory(file).before == Witness()


# The same in a browser


def in_a_browser(*tellings: Sequence[Event]) -> list[str]:
    """What a page says that follows a game, each time that the server tells it; run by Node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed; on Debian: apt install nodejs")
    told = json.dumps([[public(event, 0) for event in log] for log in tellings])
    program = f"""
        const kept = new Map();
        const [getItem, setItem] = [(key) => kept.get(key) ?? null, (key, value) => kept.set(key, value)];
        globalThis.localStorage = {{ getItem, setItem }};
        const said = [];
        let number = 0;
        for (const events of {told}) {{
          globalThis.fetch = async (way) => {{
            const after = Number(new URL(way, "http://x/").searchParams.get("after"));
            return new Response(JSON.stringify({{ events: events.slice(after) }}));
          }};
          const page = await import(`{(STATIC / "witness.js").as_uri()}?${{number += 1}}`);
          const game = events[0].game;
          said.push(await page.testimony(game).catch((error) => error.message));
          said.push(String(await page.nextDraw(game).catch(() => "none")));
          said.push(String(await page.bothAreSealed(game).catch(() => "none")));
        }}
        console.log(JSON.stringify(said));
    """
    ran = subprocess.run([node, "--input-type=module", "-e", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    said: list[str] = json.loads(ran.stdout)
    return said


@pytest.mark.parametrize("id", ["deck", "secret"])
def test_a_browser_proves_the_same_with_the_same_fingerprint(id: str) -> None:
    online, log = played(id, "toss")
    memory = Memory(None)
    for event in shown(log):
        memory.saw(event)
    said = in_a_browser(log[:9], log)
    assert said[3:5] == [f"Proved from what this browser saw; fingerprint {memory.end.words}.", str(online.draws + 1)]


@pytest.mark.slow
def test_a_browser_finds_every_lie() -> None:
    _, deck = played("deck", "toss")
    _, secret = played("secret")
    chosen = next(face for face in (1, 2) if face != last(deck, "dealt").body["face"])
    ones, twos = list[Json](["1", "1"]), list[Json](["2", "2"])
    picked = twos if last(secret, "revealed").body["picks"] == ones else ones
    lies = [
        changed(deck, "dealt", face=chosen),
        changed(deck, "over", key="00" * 32),
        changed(deck, "link", link="00" * 32),
        changed(deck, "began", first=1 - int(str(next(e for e in deck if e.kind == "began").body["first"]))),
        changed(secret, "revealed", picks=picked),
    ]
    for lie in lies:
        assert in_a_browser(lie)[0].startswith("THIS GAME DOES NOT PROVE ITSELF: ")
    anew = played("deck", "toss", number=1)[1]
    first = anew[0]._replace(body={**anew[0].body, "game": deck[0].game})
    named = [first, *anew[1:]]
    before, now = in_a_browser(deck[:6], named)[::3]
    assert (before, now.startswith("THE SERVER TELLS THIS GAME OTHERWISE")) == ("", True)


def test_a_browser_shows_no_link_but_the_next_and_opens_no_pick_before_both_are_sealed() -> None:
    online, log, guests = begun("secret", "toss")
    assert in_a_browser(log)[1:] == ["1", "false"]
    while not online.begun:
        seat = online.due()[0]
        write(online, log, acts.act(online, seat, guests[seat].wants(online), 1.0))
    write(online, log, acts.act(online, 0, guests[0].wants(online), 1.0))
    assert in_a_browser(log)[1:] == [str(online.draws + 1), "false"]
    write(online, log, acts.act(online, 1, guests[1].wants(online), 1.0))
    assert in_a_browser(log)[1:] == [str(online.draws + 1), "true"]

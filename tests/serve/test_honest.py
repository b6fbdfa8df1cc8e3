"""Luck that nobody can tilt or foresee, and picks that nobody can read or change."""

from __future__ import annotations

import hmac
import json
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

import duelbook
from duelbook.core import DuelError
from duelbook.honest import draws
from duelbook.honest.chains import LONGEST, Chain, before, leads_to
from duelbook.honest.draws import drawn, promise
from duelbook.honest.proof import prove, was_online
from duelbook.honest.seals import seal
from duelbook.honest.writing import digest, written
from duelbook.record import reads, writes
from duelbook.serve import acts
from duelbook.serve.online import Online
from duelbook.serve.recorded import record_of
from duelbook.table.host import sit_down
from duelbook.table.verify import verify
from online_helper import Guest, Log, begun, played, write

STATIC = Path(duelbook.__file__).parent / "serve" / "static"
ZERO = bytes(32)


class TestWriting:
    def test_every_part_has_its_length_before_it(self) -> None:
        assert written("x", "ab", 10, b"\0") == (
            b"\0\0\0\x0aduelbook x" b"\0\0\0\x02ab" b"\0\0\0\x0210" b"\0\0\0\x01\0"
        )  # fmt: skip

    def test_no_two_are_written_alike(self) -> None:
        ways = [("a", "b"), ("ab", ""), ("", "ab"), ("ab",), ("a", "b", ""), ("b", "a")]
        assert len({written("x", *parts) for parts in ways}) == len(ways)
        assert digest("link", ZERO) != digest("pick", ZERO)


class TestChains:
    def test_each_link_leads_to_the_one_before_and_all_to_the_anchor(self) -> None:
        chain = Chain(ZERO, 5)
        for number in range(1, 6):
            assert leads_to(chain.link(number), number, chain.anchor)
            assert before(chain.link(number)) == (chain.link(number - 1) if number > 1 else chain.anchor)
        assert chain.link(5) == ZERO

    def test_a_changed_link_does_not(self) -> None:
        chain = Chain(ZERO, 5)
        assert not leads_to(bytes([1]) + chain.link(3)[1:], 3, chain.anchor)
        assert not leads_to(chain.link(3), 2, chain.anchor)

    def test_there_is_none_behind_the_last(self) -> None:
        with pytest.raises(DuelError, match="has links for 5 draws; there is none for 6"):
            Chain(ZERO, 5).link(6)

    @pytest.mark.parametrize(("secret", "length"), [(b"short", 5), (ZERO, 0), (ZERO, LONGEST + 1)])
    def test_what_is_no_chain(self, secret: bytes, length: int) -> None:
        with pytest.raises(ValueError, match="a chain has a secret of 32 bytes"):
            Chain(secret, length)


class TestDraws:
    def test_a_draw_follows_from_all_three_and_nothing_else(self) -> None:
        usual = drawn(ZERO, "g", "r", 1, (ZERO, ZERO), [1] * 1000)
        changed = [
            drawn(b"\1" * 32, "g", "r", 1, (ZERO, ZERO), [1] * 1000),
            drawn(ZERO, "h", "r", 1, (ZERO, ZERO), [1] * 1000),
            drawn(ZERO, "g", "s", 1, (ZERO, ZERO), [1] * 1000),
            drawn(ZERO, "g", "r", 2, (ZERO, ZERO), [1] * 1000),
            drawn(ZERO, "g", "r", 1, (b"\1" * 32, ZERO), [1] * 1000),
            drawn(ZERO, "g", "r", 1, (ZERO, b"\1" * 32), [1] * 1000),
        ]
        assert drawn(ZERO, "g", "r", 1, (ZERO, ZERO), [1] * 1000) == usual
        assert len({usual, *changed}) == 7

    def test_numbers_that_would_tilt_it_are_thrown_away(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """With 256 bits that never happens, so here are four: 15 would make the first of three faces likelier."""
        found: Counter[int] = Counter()
        for number in range(16):
            left = iter([number, 7])
            monkeypatch.setattr(draws, "_NUMBERS", 16)
            monkeypatch.setattr(hmac, "digest", lambda *_, left=left: bytes([next(left)]))
            found[drawn(ZERO, "g", "r", 1, (ZERO, ZERO), (1, 1, 1))] += number != 15
        assert found == {0: 5, 1: 5, 2: 5}

    def test_faces_come_as_often_as_they_weigh(self) -> None:
        found = Counter(drawn(ZERO, "g", "r", number, (ZERO, ZERO), (1, 0, 3)) for number in range(4000))
        assert found[1] == 0
        assert 900 < found[0] < 1100  # 1000, and 27 is one standard deviation; the numbers are fixed

    @pytest.mark.parametrize("weights", [(), (0, 0), (2, -1)])
    def test_weights_that_give_nothing(self, weights: tuple[int, ...]) -> None:
        with pytest.raises(ValueError, match=r"weights|min\(\)"):
            drawn(ZERO, "g", "r", 1, (ZERO, ZERO), weights)


def test_a_browser_makes_the_same_of_everything() -> None:
    """The page's own SHA-256, chains and seals, run by Node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed; on Debian: apt install nodejs")
    program = f"""
        import {{ chain, hex, seal, sha256, written }} from {json.dumps((STATIC / "honest.js").as_uri())};
        const all = [];
        for (let length = 0; length < 200; length += 1) all.push(hex(sha256(new Uint8Array(length).fill(length))));
        all.push(hex(chain(new Uint8Array(32), 401)[0]), hex(seal("é", 3, 1, "10", new Uint8Array(32).fill(7))));
        all.push(hex(written("x", "ab", 10, new Uint8Array(1))));
        console.log(JSON.stringify(all));
    """
    told = subprocess.run([node, "--input-type=module", "-e", program], capture_output=True, check=True).stdout
    from hashlib import sha256

    expected = [sha256(bytes([length] * length)).hexdigest() for length in range(200)]
    expected += [Chain(ZERO, 401).anchor.hex(), seal("é", 3, 1, "10", bytes([7] * 32)).hex()]
    assert json.loads(told) == [*expected, written("x", "ab", 10, b"\0").hex()]


# The proof in a record


@pytest.fixture(scope="module")
def deck() -> str:
    return writes(record_of(played("deck", "toss", 4)[0]))


@pytest.fixture(scope="module")
def secret() -> str:
    return writes(record_of(played("secret", "1", 2)[0]))


def test_an_online_game_is_proved_from_its_record(deck: str, secret: str, tmp_path: Path) -> None:
    (record,) = reads(deck)
    draws = sum(step.turn == duelbook.Turn.LUCK for step in record.match.steps) + 1
    assert prove(record) == f"Online: {draws} draws computed again from what all three promised."
    (record,) = reads(secret)
    assert prove(record) == f"Online: {record.match.turns} rounds of picks as they were promised."
    (tmp_path / "deck.duel").write_text(deck, encoding="utf-8")
    assert "computed again from what all three promised" in verify(tmp_path / "deck.duel").games[0].summary


def _with_another_digit(text: str, tag: str, at: int = 0) -> str:
    """The text with one digit of a tag's value changed."""
    start = text.index(f'[{tag} "') + len(tag) + 3 + at
    return text[:start] + ("0" if text[start] != "0" else "1") + text[start + 1 :]


@pytest.mark.parametrize(
    ("tag", "at", "sentence"),
    [
        ("LuckSecret", 0, "secret is not the one that it promised"),
        ("LuckPromise", 0, "secret is not the one that it promised"),
        ("LuckAnchors", 0, "does not belong to the chain"),
        ("LuckAnchors", 65, "does not belong to the chain"),
        ("LuckLinks", 10, "does not belong to the chain"),
        ("Online", 0, "secret is not the one that it promised"),
    ],
)
def test_nothing_of_an_online_deck_game_can_be_changed(deck: str, tag: str, at: int, sentence: str) -> None:
    (record,) = reads(_with_another_digit(deck, tag, at))
    with pytest.raises(DuelError, match=sentence):
        prove(record)


def test_neither_can_a_card_or_who_begins(deck: str) -> None:
    (record,) = reads(deck)
    steps = record.match.steps
    last = max(at for at, step in enumerate(steps) if step.turn == duelbook.Turn.LUCK)
    other = next(face for face in record.match.game.faces if face != steps[last].play)
    steps[last] = steps[last]._replace(play=other)
    with pytest.raises(DuelError, match=rf"is a card {other}, but what was promised gives"):
        prove(record)
    (record,) = reads(deck)
    record.match.start = record.match.game.start(record.match.rules, 1 - record.match.steps[1].turn)
    with pytest.raises(DuelError, match="The toss gives that"):
        prove(record)


@pytest.mark.parametrize("draws", [1, 2, 6])
@pytest.mark.parametrize("ending", ["Ann resigned.", ""])
def test_no_end_can_be_left_out(deck: str, draws: int, ending: str) -> None:
    """Whoever does not like how it went: the links that were shown tell that it went on."""
    head, _, moves = deck.partition("\n\n")
    words = moves.split()
    names = re.findall(r'\[Player\d "(.*)"\]', head)
    result = "0-1" if ending else "*"
    head = re.sub(r'\[Result ".*"\]', f'[Result "{result}"]', head)
    told = f'[Termination "{names[0]} resigned."]' if ending else ""
    head = re.sub(r'\[Termination ".*"\]', told, head).replace("\n\n", "\n")
    cards = [at for at, word in enumerate(words) if ":" in word]
    (record,) = reads(f"{head}\n\n{' '.join(words[: cards[-draws]])} {result}\n")
    with pytest.raises(DuelError, match=r"(the|its) end is missing"):
        prove(record)


@pytest.mark.parametrize(("tag", "at"), [("Seals", 0), ("Seals", 70), ("Salts", 0), ("Salts", 70)])
def test_nothing_of_an_online_secret_game_can_be_changed(secret: str, tag: str, at: int) -> None:
    (record,) = reads(_with_another_digit(secret, tag, at))
    with pytest.raises(DuelError, match="in round 1 is not the one that was promised"):
        prove(record)


def test_neither_can_a_pick(secret: str) -> None:
    (record,) = reads(secret)
    play = record.match.steps[-1].play
    assert isinstance(play, tuple)
    record.match.steps[-1] = record.match.steps[-1]._replace(play=(play[0], (play[1] + 1) % 10))
    with pytest.raises(DuelError, match=f"in round {record.match.turns} is not the one that was promised"):
        prove(record)


@pytest.mark.parametrize("tag", ["LuckPromise", "LuckSecret", "LuckAnchors", "LuckLinks"])
def test_what_is_missing_is_named(deck: str, tag: str) -> None:
    (record,) = reads("\n".join(line for line in deck.split("\n") if not line.startswith(f"[{tag} ")))
    with pytest.raises(DuelError, match=f"has a tag {tag}"):
        prove(record)


# A game that is not over, and one that somebody has abandoned


def after_some_turns(duel: str, first: str, turns: int) -> tuple[Online, Log, list[Guest]]:
    online, log, guests = begun(duel, first, 3)
    while online.match is None or online.match.turns < turns:
        guest = guests[online.due()[0]]
        write(online, log, acts.act(online, guest.seat, guest.wants(online), 1.0))
    return online, log, guests


@pytest.mark.parametrize(
    ("duel", "first", "hidden"),
    [("deck", "toss", "5 draws"), ("deck", "1", "4 draws"), ("secret", "1", "4 rounds of picks"), ("tower", "1", "")],
)
def test_of_a_game_that_goes_on_is_said_what_is_proved_when(duel: str, first: str, hidden: str, tmp_path: Path) -> None:
    """It was said that its cards came from a seed that is not known, as if somebody had lost it."""
    (tmp_path / "some.duel").write_text(writes(record_of(after_some_turns(duel, first, 4)[0])), encoding="utf-8")
    found = verify(tmp_path / "some.duel")
    assert found.ok, found.error
    (game,) = found.games
    said = f"{hidden} can be proved when it is" if hidden else "nothing in it was drawn or hidden so far"
    assert game.summary.split("4 turns, *: ")[1].startswith(f"Unfinished. Online, and not over: {said}")
    assert game.cards == {"promised": 0, "computed": 0, "unknown": 4 if duel == "deck" else 0}


@pytest.mark.parametrize("duel", ["deck", "secret"])
def test_the_record_of_a_game_that_goes_on_says_nothing_that_is_still_secret(duel: str) -> None:
    def look(online: Online) -> None:
        if online.match is None or online.over:
            return
        text = writes(record_of(online))
        hidden = [online.secret, *online.secrets, *(link for seat in online.seats for link in seat.links)]
        assert not any(each.hex() in text for each in hidden if each)
        assert not any(tag in text for tag in ("LuckSecret", "LuckLinks", "Salts", "Seals"))

    played(duel, "toss", 5, look)


@pytest.mark.parametrize(
    ("duel", "what"), [("deck", "5 draws computed again"), ("secret", "4 rounds of picks as they")]
)
def test_an_abandoned_game_is_published_too(duel: str, what: str) -> None:
    """Who stops because they do not like what comes gains nothing: the other claims it, and all is shown."""
    online, log, guests = after_some_turns(duel, "toss" if duel == "deck" else "1", 4)
    gone = online.due()[0]
    while 1 - gone in online.due():  # who owes something themselves claims nothing
        write(online, log, acts.act(online, 1 - gone, guests[1 - gone].wants(online), 1.0))
    write(online, log, acts.act(online, 1 - gone, {"do": "claim"}, 1000.0, 1000.0))
    assert online.over
    (record,) = reads(writes(record_of(online)))
    assert record.match.outcome is not None
    assert record.match.outcome.winner == 1 - gone
    assert what in prove(record)


def test_who_goes_on_alone_with_an_online_game_plays_another_one() -> None:
    (record,) = reads(writes(record_of(after_some_turns("deck", "1", 4)[0])))
    host = sit_down(record)
    assert was_online(record)
    assert not was_online(host.keeper.record)


def test_a_promise_is_of_one_game() -> None:
    assert promise("one", ZERO) != promise("two", ZERO)

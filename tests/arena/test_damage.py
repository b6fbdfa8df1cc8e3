"""A file of games that somebody has edited: sentences, in a time that grows with the file and no faster; and a file
that is refused stays as it is."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from bench.rehearsal import play_task

from arena_helper import fake_players, plan
from duelbook.arena.play import seats
from duelbook.arena.play.game_file import games_kept, places_in
from duelbook.arena.play.results import Entrant, Result
from duelbook.arena.play.schedule import Plan
from duelbook.arena.play.store import Store
from duelbook.arena.play.tournament import programme
from duelbook.fairness import proof_of_luck
from duelbook.record import reads
from duelbook.saves import SaveError

ASKED = plan("random level:3", "tower deck secret", rounds=2)
LONG = 400_000
"""Letters of nonsense. What takes a time that grows with the square of this would not be seen to end."""


@pytest.fixture(scope="module")
def data() -> bytes:
    played = [play_task(task, ASKED.entrants, ASKED.settings()) for task in programme(ASKED).tasks]
    return "".join(f"{result.record}\n" for result in played).encode()


def opened(path: Path, asked: Plan = ASKED) -> list[Result]:
    store = Store(path, asked.settings())
    try:
        return store.open(programme(asked).tasks, asked.entrants, resume=True)
    finally:
        store.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("nonsense", "sentence"),
    [
        (b"{" * LONG, "It is not written to its end"),
        (b"{\n" * LONG, "It is not written to its end"),
        (b"{}" * LONG, "letters of comments in one place"),
        (b";" * LONG, "letters of comments in one place"),
        (b"[" * LONG, "It is not written to its end"),
        (b'[Game "\n' * (LONG // 8), "It is not written to its end"),
        (b'\n[Result "' * (LONG // 10), "It is not written to its end"),
        (b"1-0 " * LONG, "It is not written to its end"),
        (b"a\0" * LONG, "It is not written to its end"),
    ],
    ids=lambda value: repr(value[:8]) if isinstance(value, bytes) else "",
)
def test_nonsense_behind_the_games_is_refused(nonsense: bytes, sentence: str, data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "games.duel"
    path.write_bytes(data + nonsense)
    with pytest.raises(SaveError, match=r"cannot be continued: the game at line [0-9]+ is bad") as said:
        opened(path)
    assert sentence in str(said.value)
    assert path.read_bytes() == data + nonsense
    assert games_kept(path) >= 11
    assert len(places_in(path)) == 12


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (b'[ArenaTask "0"]', b'[ArenaTask "%s"]' % (b"9" * 5000), "which this tournament does not have to play"),
        (b'[ArenaTask "0"]', b'[ArenaTask "-1"]', "which this tournament does not have to play"),
        (b'[ArenaTask "0"]', b'[ArenaTask "1"]', "Its players cannot be this"),
        (b'[ArenaTask "0"]', b'[ArenaTask "6"]', "Its seed cannot be this"),
        (b'[Seed "', b'[Seed "%s' % (b"9" * 5000), "not a whole number"),
        (b'[Seed "', b'[Seed "1', "Its seed cannot be this"),
        (b'[Event "', b'[Event "\xed\xa0\x80', "It is not text"),
        (b'[Event "', b'[Event "\xff', "It is not text"),
        (b'[Seat1 "random"]', b'[Seat1 "perfect"]', "Its kinds of players cannot be this"),
        (b'[Player1 "random"]', b'[Player1 "perfect"]', "is bad"),
        (b'[Seed "', b'[MaxTurns "50"]\n[Seed "', "Its number of turns cannot be this"),
        (b'[Seed "', b'[Position "1 0 1"]\n[Seed "', "is bad"),
        (b'[Game "tower"]', b'[Game "chess"]', "is bad"),
        (b'[Result "', b'[Result "x', "is bad"),
    ],
    ids=repr,
)
def test_a_record_that_was_changed_is_refused(
    old: bytes, new: bytes, sentence: str, data: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "games.duel"
    changed = data.replace(old, new, 1)
    assert changed != data
    path.write_bytes(changed)
    with pytest.raises(SaveError) as said:
        opened(path)
    assert sentence in str(said.value)
    assert path.read_bytes() == changed


def test_a_card_that_the_seed_does_not_give_is_refused(data: bytes, tmp_path: Path) -> None:
    """The rules allow it, but luck did not deal it."""
    at = data.index(b'[Game "deck"]')
    first = data.index(b"1. ", at) + 3
    card = data[first : data.index(b":", first)]
    path = tmp_path / "games.duel"
    for other in range(1, 11):
        if other == int(card):
            continue
        path.write_bytes(data[:first] + b"%d" % other + data[first + len(card) :])
        with pytest.raises(SaveError, match="is bad"):
            opened(path)


@pytest.mark.parametrize("output", [r"\x", r"\ud800", r"\u12", '"', "\\", r"\\n\ud83d"])
def test_what_no_program_can_have_written_is_refused(
    output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seats, "seat_player", fake_players)
    asked = ASKED._replace(entrants=(Entrant("bot", "failing:time"), Entrant("other", "random")))
    text = "".join(
        f"{play_task(task, asked.entrants, asked.settings()).record}\n" for task in list(programme(asked).tasks)[:2]
    )
    path = tmp_path / "games.duel"
    path.write_text(text, encoding="utf-8")
    assert len(opened(path, asked)) == 2
    before, _, rest = text.partition('[FaultOutput "')
    escaped = output.replace("\\", "\\\\").replace('"', '\\"')
    path.write_text(before + f'[FaultOutput "{escaped}' + rest[rest.index('"]') :], encoding="utf-8")
    with pytest.raises(SaveError, match=r"FaultOutput: it is not written as a program's words are\."):
        opened(path, asked)


# Links


def test_through_a_link_the_lock_holds_and_the_link_stays(data: bytes, tmp_path: Path) -> None:
    path, link = tmp_path / "games.duel", tmp_path / "link.duel"
    path.write_bytes(data[:-30])
    link.symlink_to(path)
    store = Store(path, ASKED.settings())
    store.open(programme(ASKED).tasks, ASKED.entrants, resume=True)
    with pytest.raises(SaveError, match="Another arena is writing to"):
        opened(link)
    store.close()
    other = Store(link, ASKED.settings())
    assert other.folder == store.folder
    found = other.open(programme(ASKED).tasks, ASKED.entrants, resume=True)
    other.append(found[:1])
    other.close()
    assert link.is_symlink()
    assert path.read_bytes().count(b"[Game ") == 11


def test_what_cannot_be_written_whole_is_not_written_at_all(
    data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a pair would show the luck of the other game."""
    import os

    path = tmp_path / "games.duel"
    path.write_bytes(data)
    store = Store(path, ASKED.settings())
    found = store.open(programme(ASKED).tasks, ASKED.entrants, resume=True)
    usual, full = os.write, [False]

    def write(handle: int, text: bytes) -> int:
        if full[0]:
            raise OSError(28, "No space left on device")
        full[0] = True
        return usual(handle, text[: len(text) // 2])

    monkeypatch.setattr("duelbook.arena.play.store.os.write", write)
    with pytest.raises(SaveError, match="No space left on device"):
        store.append(found[:2])
    store.close()
    assert path.read_bytes() == data


# Many edits


NASTY = [
    b"{",
    b"}",
    b";",
    b"[",
    b'"',
    b"\\",
    b"\0",
    b"\n\n",
    b"9" * 5000,
    b"\xff",
    b"\xed\xa0\x80",
    b'[Game "',
    b"1-0",
    b" ",
]


def edited(data: bytes, random: Random) -> bytes:
    at = random.randrange(len(data))
    end = min(len(data), at + random.choice([1, 1, 3, 40, 400]))
    match random.randrange(5):
        case 0:
            return data[:at] + bytes([random.randrange(256)]) + data[at + 1 :]
        case 1:
            return data[:at] + data[end:]
        case 2:
            return data[:at] + data[at:end] * 2 + data[end:]
        case 3:
            return data[:at] + random.choice(NASTY) + data[at:]
        case _:
            return data[:at]


def torture(data: bytes, path: Path, edits: int, seed: int) -> None:
    random = Random(seed)
    usual = {result.task.number: result for result in _opened_from(data, path)}
    for _ in range(edits):
        text = data
        for _ in range(random.choice([1, 1, 2])):
            text = edited(text, random)
        path.write_bytes(text)
        try:
            found = opened(path)
        except SaveError:
            assert path.read_bytes() == text
            continue
        left = path.read_bytes()
        assert text.startswith(left.removesuffix(b"\n"))
        # What is still there is a game of the schedule under its own luck, and says of itself what follows from it.
        for result in found:
            assert result.task == usual[result.task.number].task
            (record,) = reads(result.record)
            assert record.match.outcome is not None
            assert (record.match.outcome.winner, record.match.turns) == (result.winner, result.turns)
            assert proof_of_luck(record.match).unknown == 0


def _opened_from(data: bytes, path: Path) -> list[Result]:
    path.write_bytes(data)
    return opened(path)


@pytest.mark.slow
def test_edits_end_in_sentences(data: bytes, tmp_path: Path) -> None:
    torture(data, tmp_path / "games.duel", 150, 1)


@pytest.mark.slow
def test_thousands_of_edits_end_in_sentences(data: bytes, tmp_path: Path) -> None:
    torture(data, tmp_path / "games.duel", 3_000, 2)

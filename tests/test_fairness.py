"""Nobody knows luck before it comes, and everybody can compute it afterwards."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import pytest

from duelbook import load
from duelbook.core import LUCK
from duelbook.fairness import Proof, proof_of_luck
from duelbook.luck import LARGEST_SEED, Luck, Stream, commitment, derive, new_seed
from duelbook.match import Match
from duelbook.players.random import RandomPlayer
from duelbook.record import BadRecord, Record, reads, writes
from duelbook.table.keeper import Keeper


def play_some(match: Match, steps: int) -> None:
    """Go on for so many steps, or to the end."""
    player = RandomPlayer(1)
    for _ in range(steps):
        if match.outcome is not None:
            return
        if match.turn == LUCK:
            match.deal()
        else:
            match.play(match.turn, player.choose(match.view(match.turn)))


def deck(seed: int | None = None) -> Match:
    return Match(load("deck"), seed=seed)


def tag(text: str, name: str) -> str | None:
    found = re.search(rf'^\[{name} "(.*)"\]$', text, re.MULTILINE)
    return found[1] if found else None


class Disk:
    """Keeps a game and remembers all that was ever written of it."""

    def __init__(self, match: Match) -> None:
        self.texts: list[str] = []
        self.keeper = Keeper(Record(match), None, None)
        self.keeper.write = self._write  # type: ignore[method-assign]  # nothing else of a keeper touches the disk
        self.keeper.write()

    def _write(self) -> bool:
        self.texts.append(writes(self.keeper.record))
        return True


# Seeds and streams


def test_a_seed_that_nobody_chose_cannot_be_guessed() -> None:
    seeds = {new_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert all(0 <= seed < LARGEST_SEED for seed in seeds)
    assert max(seed.bit_length() for seed in seeds) > 115


def test_a_seed_that_is_derived_is_a_hash_of_the_whole_path() -> None:
    expected = sha256(b"duelbook seed\n7\nluck\n3\ntower goal=21").digest()
    assert derive(7, "luck", 3, "tower goal=21") == int.from_bytes(expected[:16], "big") >> 1
    paths = [("a", "b"), ("ab",), ("a", "", "b"), ("a", 1), ("a", 11), ("a", 1, 1)]
    assert len({derive(7, *path) for path in paths}) == len(paths)


def test_no_two_paths_are_written_alike() -> None:
    with pytest.raises(ValueError, match="more than one line"):
        derive(7, "a\nb")


def test_a_stream_is_the_words_of_digests() -> None:
    numbers = [
        int.from_bytes(sha256(f"duelbook numbers\n7\nluck\n{block}".encode()).digest()[8 * word : 8 * word + 8], "big")
        for block in range(3)
        for word in range(4)
    ]
    stream = Stream(7, "luck")
    assert [stream.number(place) for place in range(12)] == numbers
    assert [stream.number(place) for place in reversed(range(12))] == numbers[::-1]


def test_a_commitment_is_what_any_tool_computes() -> None:
    # printf 'duelbook commitment\n12345' | sha256sum
    assert commitment(12345) == "13e199f1bed087014c66c56e0ce7f8a478626ffa53995b9f6456a15a40c56263"


def test_the_choices_of_seats_follow_neither_from_the_cards_nor_from_each_other() -> None:
    luck = Luck()
    luck.open(0)
    assert luck.seed is not None
    known = {luck.seed, derive(luck.seed, "seat", 0), derive(luck.seed, "seat", 1)}
    assert known.isdisjoint({luck.seat_seed(0), luck.seat_seed(1)})
    assert luck.seat_seed(0) != luck.seat_seed(1)
    assert luck.seat_seed(0) == luck.seat_seed(0)
    assert Luck().seat_seed(0) != Luck().seat_seed(0)


def test_a_seed_that_was_chosen_for_everything_fixes_the_seats_too() -> None:
    assert Luck(5).seat_seed(0) == Luck(5).seat_seed(0) != Luck(6).seat_seed(0)


# What is on disk while a game goes on


def test_the_commitment_is_on_disk_before_the_first_card_and_the_seed_only_at_the_end() -> None:
    match = deck()
    disk = Disk(match)
    play_some(match, 1000)
    running = [text for text in disk.texts if tag(text, "Result") == "*"]
    last = disk.texts[-1]
    assert match.outcome is not None
    promised = tag(running[0], "Commitment")
    assert promised is not None
    assert match.draws > 0
    assert "1." not in running[0], "nothing was drawn yet"
    assert {tag(text, "Commitment") for text in disk.texts} == {promised}
    assert {tag(text, "Seed") for text in running} == {None}
    assert commitment(int(tag(last, "Seed") or 0)) == promised


@pytest.mark.parametrize("chosen", [None, 4])
def test_no_file_of_a_running_game_holds_a_number_that_is_its_seed(chosen: int | None) -> None:
    match = deck(chosen)
    disk = Disk(match)
    play_some(match, 7)
    assert match.outcome is None
    for text in disk.texts:
        assert tag(text, "Seed") is None
        assert not any(commitment(int(number)) in text for number in re.findall(r"-?\d+", text) if len(number) < 40)


def test_a_seed_that_was_chosen_is_not_committed_to_because_it_could_be_guessed() -> None:
    match = deck(4)
    disk = Disk(match)
    play_some(match, 1000)
    assert {tag(text, "Commitment") for text in disk.texts} == {None}
    assert tag(disk.texts[-1], "Seed") == "4"


def test_what_is_put_aside_is_published_and_what_follows_comes_from_another_seed() -> None:
    match = deck()
    disk = Disk(match)
    play_some(match, 7)
    drawn, seed = match.draws, match.luck.seed
    disk.keeper.close()
    assert tag(disk.texts[-1], "Seed") == str(seed)
    (record,) = reads(disk.texts[-1])
    again = Disk(record.match)
    play_some(record.match, 1000)
    first, second = (tag(again.texts[0], "Commitment") or "").split(", ")
    assert first == commitment(seed or 0)
    assert second.startswith(f"{drawn + 1}:")
    assert tag(again.texts[0], "Seed") == str(seed)
    seeds = (tag(again.texts[-1], "Seed") or "").split(", ")
    assert seeds[0] == str(seed)
    assert commitment(int(seeds[1].partition(":")[2])) == second.partition(":")[2]
    assert proof_of_luck(record.match) == Proof(promised=record.match.draws)


def test_after_a_kill_the_seed_is_lost_and_the_cards_before_it_are_said_to_be_unknown() -> None:
    match = deck()
    disk = Disk(match)
    play_some(match, 7)
    (record,) = reads(disk.texts[-1])
    drawn = record.match.draws
    again = Disk(record.match)
    play_some(record.match, 1000)
    proof = proof_of_luck(reads(again.texts[-1])[0].match)
    assert proof == Proof(promised=record.match.draws - drawn, unknown=drawn)


def test_a_game_put_aside_before_any_card_promises_only_once() -> None:
    first = Disk(deck())
    (record,) = reads(first.texts[-1])
    again = Disk(record.match)
    promised = tag(again.texts[-1], "Commitment")
    assert promised is not None
    assert "," not in promised
    assert promised != tag(first.texts[-1], "Commitment")


def test_going_on_twice_from_one_file_draws_different_luck() -> None:
    disk = Disk(deck())
    play_some(disk.keeper.record.match, 3)
    disk.keeper.close()
    hands = set()
    for _ in range(6):
        (record,) = reads(disk.texts[-1])
        play_some(record.match, 16)
        hands.add(tuple(step.play for step in record.match.steps if step.turn == LUCK)[2:])
    assert len(hands) > 1, "six times the same six cards: one chance in 10**22"


# Undo


def test_what_undo_has_uncovered_stays_as_it_was_also_after_a_break() -> None:
    match = deck()
    disk = Disk(match)
    play_some(match, 8)
    cards = list(match.shown)
    for _ in range(3):
        match.take_back()
    assert len(match.steps) < 6
    for text in (disk.texts[-1], disk.texts[-1].replace("Uncovered", "Nothing")):
        (record,) = reads(text)
        play_some(record.match, len(match.shown) * 2 - len(match.steps))
        kept = record.match.shown[: len(cards)] == cards
        assert kept or "Nothing" in text
    (record,) = reads(disk.texts[-1])
    assert record.match.shown == cards


def test_cards_of_a_game_that_goes_on_after_its_end_are_not_those_of_the_published_seed() -> None:
    match = deck()
    disk = Disk(match)
    play_some(match, 1000)
    seed = match.luck.seed
    assert tag(disk.texts[-1], "Seed") == str(seed)
    match.take_back()
    assert match.outcome is None
    assert match.luck.seed not in (None, seed)
    first, second = (tag(disk.texts[-1], "Commitment") or "").split(", ")
    assert (first, second.partition(":")[0]) == (commitment(seed or 0), str(len(match.shown) + 1))
    play_some(match, 1000)
    assert proof_of_luck(match) == Proof(promised=match.draws)


def test_resigning_publishes_and_taking_that_back_draws_afresh() -> None:
    match = deck()
    disk = Disk(match)
    play_some(match, 4)
    seed = match.luck.seed
    match.resign(0)
    assert tag(disk.texts[-1], "Seed") == str(seed)
    match.take_back()
    assert match.luck.seed not in (None, seed)


# Checking


def finished() -> str:
    match = deck()
    play_some(match, 1000)
    return writes(Record(match))


def test_a_card_that_was_exchanged_is_found_out() -> None:
    match = deck()
    match.luck.open(0)
    match.luck.seed = 1
    play_some(match, 1000)
    assert proof_of_luck(match) == Proof(promised=match.draws)
    match.luck.seed = 2
    proof = proof_of_luck(match)
    assert proof.broken is not None
    assert re.fullmatch(r"Card \d+ is a \d+, but the seed that was committed to gives a \d+\.", proof.broken)


def test_another_seed_than_the_one_committed_to_is_found_out() -> None:
    text = re.sub(r'\[Seed "\d+"\]', '[Seed "12345"]', finished())
    proof = proof_of_luck(reads(text)[0].match)
    assert str(proof) == "The seed 12345 is not the one that was committed to."


def test_a_seed_that_was_chosen_is_computed_and_an_old_one_is_not_called_broken() -> None:
    match = deck(4)
    play_some(match, 1000)
    assert proof_of_luck(match) == Proof(computed=match.draws)
    old = re.sub(r'\[Seed "4"\]', '[Seed "5"]', writes(Record(match)))
    assert proof_of_luck(reads(old)[0].match).broken is None


def test_stacked_cards_are_nobodys_luck() -> None:
    match = Match(load("deck"), stacked=[7, 4, 9])
    play_some(match, 1000)
    assert proof_of_luck(match).promised == match.draws - 3


@pytest.mark.parametrize(
    ("tags", "complaint"),
    [
        ('[Commitment "abc"]', "not a commitment"),
        (f'[Commitment "{"g" * 64}"]', "not a commitment"),
        (f'[Commitment "{"a" * 64}, {"b" * 64}"]', "order of the draws"),
        ('[Seed "1, 8:2, 3:4"]', "order of the draws"),
        ('[Seed "1, 0:2"]', "not a whole number from 1"),
        ('[Seed "one"]', "not a whole number"),
        (f'[Seed "{"9" * 5000}"]', "not a whole number"),
        ('[Seed ""]', "not a whole number"),
        ('[Uncovered "3,11"]', "not a card"),
        ('[Uncovered ""]', "not a card"),
        ('[Uncovered "²"]', "not a card"),
    ],
)
def test_tags_of_luck_that_cannot_be_are_refused(tags: str, complaint: str) -> None:
    with pytest.raises(BadRecord, match=complaint):
        reads(f'[Game "deck"]\n{tags}\n\n*\n')


def test_uncovered_cards_in_a_duel_without_cards_are_refused() -> None:
    with pytest.raises(BadRecord, match="not a card of Tower"):
        reads('[Game "tower"]\n[Uncovered "3"]\n\n*\n')


def test_uncovered_cards_are_bounded_by_what_a_match_can_show(tmp_path: Path) -> None:
    many = ",".join(["3"] * 100_000)
    with pytest.raises(BadRecord, match="more cards than"):
        reads(f'[Game "deck"]\n[MaxTurns "2"]\n[Uncovered "{many}"]\n\n*\n')

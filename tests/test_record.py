"""Records: what is written reads back to the same game, and a bad file is told exactly where it goes wrong."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duelbook import Match, Turn, game_ids, load, variant
from duelbook.games import example
from duelbook.match import PlayerFault, Step
from duelbook.players.random import RandomPlayer
from duelbook.record import BadRecord, Record, reads, writes
from duelbook.speech import plain
from slow_helper import examples, first_now, slow

TAGS = '[Game "tower"]\n'
BLANK = "\u3164"
"""A letter that shows nothing, so that it is written as an escape of six."""


def same(one: Match, two: Match) -> bool:
    facts = ("rules", "start", "state", "steps", "turns", "draws", "shown", "outcome", "names", "stacked", "max_turns")
    promised = [match.luck.stretches(over=match.outcome is not None) for match in (one, two)]
    return promised[0] == promised[1] and all(getattr(one, fact) == getattr(two, fact) for fact in facts)


def random_match(id: str, seed: int | None, stop_after: int, **options: Any) -> Match:
    match, player = Match(load(id), seed=seed, **options), RandomPlayer(seed or 0)
    while match.outcome is None and len(match.steps) < stop_after:
        if match.turn == Turn.LUCK:
            match.deal()
        else:
            for seat in match.to_act():
                match.play(seat, player.choose(match.view(seat)))
    return match


@given(
    id=st.sampled_from(game_ids()),
    seed=st.none() | st.integers(-(2**128), 2**128),
    stop_after=st.integers(0, 60),
    first=st.integers(0, 1),
    names=st.tuples(st.text(max_size=30), st.text(max_size=30)),
    comments=st.dictionaries(st.integers(0, 60), st.text(min_size=1, max_size=60), max_size=3),
)
@examples(150)
def test_what_is_written_reads_back_to_the_same_game(
    id: str, seed: int | None, stop_after: int, first: int, names: tuple[str, str], comments: dict[int, str]
) -> None:
    shown = (plain(names[0]), plain(names[1]))  # a record holds names as a person sees them
    match = random_match(id, seed, stop_after, first=first, names=shown)
    record = Record(match, ("human", "random"), "2026.01.31", {"Event": 'A "quoted" \\ name'}, comments)
    text = writes(record)
    (again,) = reads(text)
    assert same(again.match, match)
    assert (again.seats, again.date, again.extra) == (record.seats, record.date, record.extra)
    assert writes(again) == text or comments  # comments are tidied once, then stay
    assert writes(reads(writes(again))[0]) == writes(again)


@pytest.mark.parametrize("id", game_ids())
def test_the_worked_example_ships_and_is_good(id: str) -> None:
    text = example(load(id)).read_text(encoding="utf-8")
    (record,) = reads(text)
    assert record.match.game.id == id
    assert writes(record) == text


def test_rules_position_deck_and_bell_are_kept() -> None:
    game = load("deck")
    rules = variant(game, ["lp=30", "cards=8"])
    match = Match(game, rules, start=game.read_position(rules, "12 7 2 1-5"), stacked=[3, 1], max_turns=9, seed=-4)
    match.deal()
    match.play(1, 0)
    (again,) = reads(writes(Record(match)))
    assert same(again.match, match)
    assert '[Rules "lp=30 cards=8"]' in writes(Record(match))


def test_a_game_by_the_book_says_nothing_of_rules_position_or_bell() -> None:
    text = writes(Record(Match(load("tower"))))
    for tag in ("Rules ", "Position", "MaxTurns", "Deck", "Termination"):
        assert f"[{tag}" not in text


def test_player_two_first_is_numbered_as_in_chess() -> None:
    match = Match(load("tower"), first=1)
    for move in (0, 1, 2):
        match.play(match.turn, move)
    assert writes(Record(match)).endswith("\n1... build 1 2. build 2 build 4 *\n")


def test_a_card_drawn_but_not_used_is_kept() -> None:
    match = Match(load("deck"), stacked=[7])
    match.deal()
    text = writes(Record(match))
    assert text.endswith("\n1. 7: *\n")
    assert same(reads(text)[0].match, match)


def test_a_record_from_before_an_ending_was_worded_anew_is_still_read() -> None:
    game = load("conquer")
    match = Match(game, start=game.read_position(game.book, "1r 5r 2"))
    match.play(1, 0)
    text, new, old = writes(Record(match)), "dropped to -1, which is below 0", "is -1, which is 0 or below"
    assert f"Player 1's HP {new}." in text
    (again,) = reads(text.replace(new, old))
    assert again.match.outcome == match.outcome  # told as it is said today
    with pytest.raises(BadRecord, match="by the moves it is"):
        reads(text.replace(new, old.replace("-1", "-2")))


def test_where_nobody_has_energy_left_it_is_said_who_has_lost_and_older_records_are_read() -> None:
    game = load("energy")
    match = Match(game, start=game.read_position(game.book, "2 4 1"))
    match.play(0, 0)
    match.play(1, 1)
    assert match.outcome is not None
    assert match.outcome.result == "0-1"
    new = "Neither has energy left, and it is Player 1's turn: whoever begins one with 0 has lost."
    assert match.outcome.reason == new
    for said in (new, "Player 1 has no energy left."):
        (again,) = reads(writes(Record(match)).replace(new, said))
        assert again.match.outcome == match.outcome


def test_a_resigned_game_stays_resigned() -> None:
    match = Match(load("tower"))
    match.play(0, 0)
    match.resign(1)
    (again,) = reads(writes(Record(match)))
    assert again.match.outcome == match.outcome


@pytest.mark.parametrize(
    "names", [("Ann", "Ann"), (" Ann", "Bea"), ("", ""), ("\\u200bAnn", "\u200bAnn"), ("A resigned.", "A")]
)
@pytest.mark.parametrize("seat", [0, 1])
def test_an_end_apart_from_the_moves_is_read_whatever_the_players_are_called(names: tuple[str, str], seat: int) -> None:
    for end in (Match.resign, lambda match, seat: match.fault(seat, "time", "It was (late).")):
        match = Match(load("tower"), names=names)
        end(match, seat)
        outcome = reads(writes(Record(match)))[0].match.outcome
        assert outcome is not None
        assert match.outcome is not None
        assert (outcome.winner, outcome.kind) == (match.outcome.winner, match.outcome.kind)


@pytest.mark.parametrize("kind", ["time", "Out of time", "", "x-1", "a\nb", "(a): b", "x" * 300_000])
@pytest.mark.parametrize("sentence", ["It was late.", "", "a\nb", "x" * 300_000])
def test_a_fault_of_any_kind_is_read_back(kind: str, sentence: str) -> None:
    match = Match(load("tower"))
    match.fail(0, PlayerFault(kind, sentence))
    assert reads(writes(Record(match)))[0].match.outcome == match.outcome


def test_several_games_can_share_a_file() -> None:
    texts = [example(load(id)).read_text(encoding="utf-8") for id in game_ids()]
    assert [record.match.game.id for record in reads("\n".join(texts))] == game_ids()


@pytest.mark.parametrize(
    "moves",
    [
        "1. build 4 build 4 *",
        "build 4 build 4",
        "BUILD  4\n\n  Build\t4 *",
        "{hello} 1. build 4 {a {nice} build 4 ; to the end of the line\n *",
        "1. build 4 1... build 4 *",
    ],
)
def test_moves_can_be_written_freely(moves: str) -> None:
    (record,) = reads(f"\ufeff{TAGS}\n{moves}\n")
    assert record.match.state.towers == (4, 4)


@pytest.mark.parametrize(
    ("text", "line", "column", "sentence"),
    [
        ("", 1, 1, "holds no game"),
        ("  \n {only a comment} ", 2, 19, "holds no game"),
        ("hello", 1, 1, "begins with its tags"),
        ("\x00\x01", 1, 1, "begins with its tags"),
        ('[Game tower"]', 1, 1, "tag cannot be read"),
        ('[Player1 "Ann"]\n\n1. build 4', 3, 1, "begins with its tags"),
        ('[Game "chess"]\n', 1, 1, "no duel called 'chess'"),
        ('[Game "tower"]\n[Game "tower"]\n', 2, 1, "there twice"),
        (TAGS + '[Rules "goal=0"]\n', 2, 1, "not allowed for goal"),
        (TAGS + '[Rules "moat=1"]\n', 2, 1, "no rule called 'moat'"),
        (TAGS + '[RulesHash "0000000000000000"]\n', 2, 1, "other rules"),
        (TAGS + '[Position "1 2"]\n', 2, 1, "looks like"),
        (TAGS + '[MaxTurns "many"]\n', 2, 1, "not a whole number"),
        (TAGS + f'[Seed "{"9" * 5000}"]\n', 2, 1, "not a whole number"),
        (TAGS + '[Result "2-0"]\n\n1. build 4', 2, 1, "none of 1-0"),
        (TAGS + "\n1. attack *", 3, 4, "Turn 1, Player 1: You cannot attack"),
        (TAGS + "\n1. build 3 *", 3, 4, "Turn 1, Player 1: 'build 3' is not a move"),
        (TAGS + "\n1. build 44 *", 3, 4, "'build 44' is not a move"),
        (TAGS + "\n1. build 4 jump *", 3, 12, "'jump' is not a move"),
        (TAGS + "\n1. build 4 build 4 3. build 4 *", 3, 20, "3. where 2. belongs"),
        (TAGS + "\n1. build 4 2. build 4 *", 3, 12, "2. where 1... belongs"),
        (TAGS + '[Position "14 0 1"]\n\n1. build 1 build 4 1-0', 4, 12, "over here"),
        (TAGS + '[Position "14 0 1"]\n[Result "0-1"]\n\n1. build 1 0-1', 3, 1, "end in 1-0"),
        (TAGS + '[Result "1-0"]\n\n1. build 1 0-1', 4, 12, "Result tag says 1-0"),
        (TAGS + '[Result "1-0"]\n\n1. build 1 1-0', 2, 1, "unfinished (*) or somebody resigned"),
        (TAGS + '[Result "1-0"]\n[Termination "Player 1 won."]\n\n1. build 1 1-0', 2, 1, "somebody resigned"),
        (TAGS + '[Result "1-0"]\n[Termination "Player 1 resigned."]\n\n1. build 1 1-0', 2, 1, "somebody resigned"),
        (TAGS + '[Result "1/2-1/2"]\n[Termination "Agreed."]\n\n1. build 1 1/2-1/2', 2, 1, "somebody resigned"),
        (TAGS + '[Termination "Abandoned."]\n\n1. build 1 *', 2, 1, "somebody resigned"),
        (TAGS + '[Position "14 0 1"]\n[Termination "Luck."]\n\n1. build 1 1-0', 3, 1, "by the moves it is"),
        (TAGS + "\n1. build 1 } *", 3, 12, "is not a move"),
        ('[Game "deck"]\n\n1. attack *', 3, 4, "A card must be drawn"),
        ('[Game "deck"]\n\n1. 7:heal 7:heal *', 3, 11, "not in the deck"),
        ('[Game "deck"]\n\n1. 11:heal *', 3, 4, "not in the deck"),
        ('[Game "deck"]\n[Deck "3"]\n\n1. 7:heal *', 4, 4, "says that 3 comes"),
        ('[Game "deck"]\n[Deck "7,7"]\n', 2, 1, "Card 2 cannot be a 7: it is not in the deck any more."),
        ('[Game "conquer"]\n[Deck "7"]\n', 2, 1, "has no luck that could be fixed"),
        ('[Game "secret"]\n\n1. 7 *', 3, 4, "Both picks"),
        ('[Game "secret"]\n\n1. 7/11 *', 3, 4, "Both picks"),
        ('[Game "secret"]\n\n1. 7/5 2. 7/6 3. 8/7 0-1', 3, 15, "over here"),
    ],
)
def test_a_bad_file_is_told_where_and_why(text: str, line: int, column: int, sentence: str) -> None:
    with pytest.raises(BadRecord) as caught:
        reads(text)
    assert sentence in caught.value.sentence
    assert (caught.value.line, caught.value.column) == (line, column)
    assert str(caught.value).startswith(f"line {line}, column {column}: ")


@given(st.text(max_size=300))
@examples(200)
def test_any_text_is_a_record_or_a_sentence(text: str) -> None:
    for attempt in (text, f"{TAGS}\n{text}", f'[Game "secret"]\n\n1. {text}', f'[Game "deck"]\n[Rules "{text}"]\n'):
        try:
            assert reads(attempt)
        except BadRecord as error:
            sentence = error.sentence.split("\n")[0]
            assert sentence.endswith((".", "?")), sentence


@pytest.mark.parametrize("id", [slow("conquer"), "energy", "tower"])
def test_a_record_of_the_way_to_any_position_replays_to_it(id: str) -> None:
    """Over every reachable position: the shortest game that leads there, written down and read again."""
    game = load(id)
    start = game.start(game.book, 0)
    ways: dict[Any, list[int]] = {start: []}
    for state in (queue := [start]):
        turn = game.turn(game.book, state)
        if turn == Turn.OVER:
            continue
        for move in game.legal_moves(game.book, state, turn):
            after = game.apply(game.book, state, move)
            if after not in ways:
                ways[after] = [*ways[state], move]
                queue.append(after)
    for state, moves in ways.items():
        match = Match(game)
        for move in moves:
            match.play(match.turn, move)
        assert reads(writes(Record(match)))[0].match.state == state


# Bounds: what was made to hurt is refused in a sentence, and the work grows no faster than the text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{" * 80_000, "line 1, column 1: This comment is not closed"),
        ('[Game "tower"]\n\n1. build 4 ' + "{" * 80_000, "This comment is not closed"),
        ('[Game "tower"]\n\n' + "1. {x} " * 300_000, "There are more than 100,000 letters of comments in one place"),
        ('[Game "tower"]\n\n' + "{some words} " * 100_000, "There are more than 100,000 letters of comments"),
        ('[Game "tower"]\n\n{' + "x" * 100_001 + "}", "There are more than 100,000 letters of comments"),
        ("".join(f'[T{number} "x"]\n' for number in range(1000)), "A game has at most 200 tags besides"),
        (f'[Game "tower"]\n[Event "{"x" * 200_001}"]\n\n*\n', "The tag Event is too long"),
        (f'[Game "tower"]\n[Event "{BLANK * 40_000}"]\n\n*\n', "The tag Event is too long"),
        (f'[Game "tower"]\n[Player1 "{"x" * 1001}"]\n\n*\n', "The tag Player1 is too long"),
    ],
)
def test_what_is_out_of_all_bounds_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(BadRecord, match=sentence):
        reads(text)


@pytest.mark.parametrize("letter", first_now(["x", BLANK, "\\", '"', "\x1b"], 2))
def test_what_is_just_within_bounds_is_written_and_read_again(letter: str) -> None:
    """An escape takes more room than the letter: the bounds are of what we write."""
    room = len(plain(letter))
    match = Match(load("tower"), names=(f"1{letter * (990 // room)}", "2"))
    match.play(0, 2)
    match.resign(0)
    extra = {f"T{number}": "x" for number in range(199)} | {"Event": letter * (200_000 // room)}
    text = writes(Record(match, extra=extra, comments={0: letter * 100_000, 1: "x y " * 50_000}))
    (again,) = reads(text)
    assert writes(again) == text
    assert len(again.comments[0]) == 99_999


class Counting(list[Step]):
    """Steps that count how many of them were looked at, each time."""

    looked_at = 0

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        self.looked_at += len(found) if isinstance(at, slice) else 1
        return found


def looks(rounds: int) -> int:
    """How many steps are looked at when a game with a comment behind each card is written."""
    cards = " ".join(f"{card}: {{a}} heal" for _ in range(rounds) for card in range(1, 11))
    (record,) = reads(f'[Game "deck"]\n[MaxTurns "9999"]\n\n{cards} *\n')
    steps = record.match.steps = Counting(record.match.steps)
    writes(record)
    return steps.looked_at


def test_writing_a_comment_behind_every_card_takes_no_longer_for_each() -> None:
    assert looks(20) <= 2.2 * looks(10)

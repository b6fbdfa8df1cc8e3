"""The referee: who may act, sealed picks, luck, the bell, taking back, and what listeners hear."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from duelbook import DRAW, DuelError, IllegalMove, Match, Turn, game_ids, load, variant
from duelbook.match import (
    BELL,
    Dealt,
    Ended,
    Event,
    Played,
    PlayerFault,
    Revealed,
    Sealed,
    Step,
    TakenBack,
    View,
    read_stack,
)
from duelbook.players.random import RandomPlayer

EXAMPLES = Path(__file__).parent.parent / "docs" / "examples"


def word(match: Match, text: str) -> int:
    words: tuple[str, ...] = match.game.dialogue.words(match.rules)
    return words.index(text)


def test_only_the_seat_whose_turn_it_is_may_play() -> None:
    match = Match(load("tower"))
    with pytest.raises(IllegalMove, match="It is Player 1's turn, not Player 2's"):
        match.play(1, 0)
    match.play(0, 0)
    assert match.to_act() == (1,)


def test_an_illegal_move_changes_nothing_and_says_what_is_legal() -> None:
    match = Match(load("tower"))
    with pytest.raises(IllegalMove, match="You can play: build 1, build 2 or build 4"):
        match.play(0, word(match, "attack"))
    assert (match.state, match.steps, match.turns) == (match.start, [], 0)


@pytest.mark.parametrize("move", [-1, 4, 99])
def test_a_move_outside_the_alphabet_is_refused(move: int) -> None:
    with pytest.raises(IllegalMove, match="no such move"):
        Match(load("tower")).play(0, move)


def test_no_move_follows_the_end() -> None:
    game = load("tower")
    match = Match(game, start=game.read_position(game.book, "14 4 1"))
    match.play(0, 0)
    assert match.outcome is not None
    assert match.outcome.result == "1-0"
    assert match.to_act() == ()
    with pytest.raises(IllegalMove, match="over"):
        match.play(1, 0)


class TestSealedPicks:
    def test_nobody_sees_a_pick_before_both_are_in(self) -> None:
        match = Match(load("secret"))
        heard: list[Event] = []
        match.listen(heard.append)
        before = match.state
        match.play(0, 6)
        assert match.state == before
        assert match.steps == []
        assert heard == [Sealed(0)]
        assert match.to_act() == (1,)
        assert 6 not in match.view(1)
        match.play(1, 4)
        assert heard[1] == Revealed(before, (6, 4), match.state)

    def test_it_does_not_matter_who_picks_first(self) -> None:
        one, two = Match(load("secret")), Match(load("secret"))
        one.play(0, 6)
        one.play(1, 4)
        two.play(1, 4)
        two.play(0, 6)
        assert one.state == two.state
        assert one.steps == two.steps

    def test_a_pick_cannot_be_changed(self) -> None:
        match = Match(load("secret"))
        match.play(0, 6)
        with pytest.raises(IllegalMove, match="already picked"):
            match.play(0, 5)

    def test_a_broken_off_round_leaves_nothing(self) -> None:
        match = Match(load("secret"))
        match.play(0, 6)
        match.unseal()
        assert match.to_act() == (0, 1)

    def test_a_repeat_is_no_legal_move_but_counts_as_played(self) -> None:
        match = Match(load("secret"))
        match.play(0, 6)
        match.play(1, 4)
        assert 6 not in match.view(0).legal()
        match.play(0, 6)
        match.play(1, 5)
        assert match.outcome is not None
        assert match.outcome.result == "0-1"
        assert match.state.hp == (100, 98)


class TestLuck:
    def test_a_card_comes_before_the_choice(self) -> None:
        match = Match(load("deck"))
        assert match.turn == Turn.LUCK
        assert match.to_act() == ()
        with pytest.raises(IllegalMove, match="drawn first"):
            match.play(0, 0)
        card = match.deal()
        assert match.state.card == card
        with pytest.raises(IllegalMove, match="nothing to draw"):
            match.deal()

    def test_a_seed_gives_the_same_cards_whatever_is_played(self) -> None:
        def cards(move: int) -> list[int]:
            match = Match(load("deck"), variant(load("deck"), ["lp=99"]), seed=42)
            drawn = []
            for _ in range(12):
                drawn.append(match.deal())
                match.play(match.turn, move)
            return drawn

        assert cards(0) == cards(1)
        assert sorted(cards(0)[:10]) == list(range(1, 11))

    def test_a_stacked_deck_comes_in_order_and_then_luck_goes_on(self) -> None:
        match = Match(load("deck"), stacked=[7, 4])
        drawn = []
        for _ in range(3):
            drawn.append(match.deal())
            match.play(match.turn, 1)
        assert drawn[:2] == [7, 4]
        assert drawn[2] not in (7, 4)

    def test_a_card_that_is_not_in_the_deck_cannot_come(self) -> None:
        match = Match(load("deck"))
        match.deal(7)
        match.play(0, 1)
        for card in (7, 0, 11):
            with pytest.raises(IllegalMove, match="cannot be drawn"):
                match.deal(card)

    @pytest.mark.parametrize(
        ("stack", "good"),
        [("7,4,9,5,3,10,2,6,1,8,9", True), ("7,7", False), ("11", False), ("0", False)],
    )
    def test_a_stack_is_checked_before_the_game(self, stack: str, good: bool) -> None:
        game = load("deck")
        start = game.start(game.book, 0)
        if good:
            read_stack(game, game.book, start, stack)
        else:
            with pytest.raises(DuelError, match="cannot be a"):
                read_stack(game, game.book, start, stack)

    def test_a_card_that_was_there_is_not_there_any_more(self) -> None:
        game = load("deck")
        start = game.start(game.book, 0)
        for stack, said in (("7,7", "it is not in the deck any more."), ("7,11", "it is not in the deck.")):
            with pytest.raises(DuelError, match=f"{re.escape(said)}$"):
                read_stack(game, game.book, start, stack)

    def test_a_game_without_cards_has_no_stack(self) -> None:
        game = load("tower")
        with pytest.raises(DuelError, match="no luck"):
            read_stack(game, game.book, game.start(game.book, 0), "1")

    def test_odds_below_zero_are_refused(self) -> None:
        deck = load("deck")
        match = Match(deck._replace(odds=lambda rules, state, face: -1 if face == 3 else 1))
        with pytest.raises(DuelError, match="gives odds below 0 for a card"):
            match.deal()

    def test_a_die_is_not_called_a_deck(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.syspath_prepend(str(EXAMPLES))
        pig = import_module("pig").GAME
        start = pig.start(pig.book, 0)
        assert read_stack(pig, pig.book, start, "6, 5") == [6, 5]
        for text, said in (
            ("6,7", "Roll 2 cannot be a 7: the die has no such side."),
            ("six", "The rolls that come first are a list such as 3,2,1; 'six' is not."),
        ):
            with pytest.raises(DuelError, match=f"^{re.escape(said)}$"):
                read_stack(pig, pig.book, start, text)

    def test_a_stack_is_checked_where_players_could_pass_for_ever(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.syspath_prepend(str(EXAMPLES))
        pig = import_module("pig").GAME
        asked = iter(range(1000))

        def may(rules: Any, state: Any, me: int, move: int) -> bool:
            assert next(asked, None) is not None, "it goes round and round"
            return True

        idle = pig._replace(moves=(1, 0), legal=may)  # to hold comes first, and can be played with nothing in the pot
        read_stack(idle, idle.book, idle.start(idle.book, 0), "6,5")


class TestTheBell:
    def test_it_rings_after_the_last_turn_and_there_is_no_result(self) -> None:
        match = Match(load("conquer"), max_turns=3)
        for seat in (0, 1, 0):
            assert match.outcome is None
            match.play(seat, word(match, "defend"))
        assert match.outcome is not None
        assert (match.outcome.winner, match.outcome.result, match.outcome.kind) == (None, "*", "bell")
        assert "3 turns" in match.outcome.reason

    def test_it_rings_after_200_turns_by_default(self) -> None:
        match = Match(load("conquer"))
        while match.outcome is None:
            match.play(match.turn, word(match, "defend"))
        assert match.turns == BELL == 200

    def test_rounds_count_once_in_secret(self) -> None:
        match = Match(load("secret"), max_turns=1)
        match.play(0, 6)
        match.play(1, 6)
        assert match.outcome is not None
        assert match.outcome.kind == "bell"

    def test_an_end_on_the_last_turn_is_an_end(self) -> None:
        game = load("tower")
        match = Match(game, start=game.read_position(game.book, "14 4 1"), max_turns=1)
        match.play(0, 0)
        assert match.outcome is not None
        assert match.outcome.result == "1-0"


class TestTakingBack:
    def test_the_last_decision_goes_and_its_card_stays(self) -> None:
        match = Match(load("deck"), seed=5)
        first = match.deal()
        match.play(0, 0)
        second = match.deal()
        undone = match.take_back()
        assert [step.turn for step in undone] == [Turn.FIRST, Turn.LUCK]
        assert (match.turn, match.state.card) == (Turn.FIRST, first)
        match.play(0, 1)
        assert match.deal() == second

    def test_the_bell_and_the_end_are_taken_back_too(self) -> None:
        match = Match(load("conquer"), max_turns=1)
        match.play(0, 0)
        match.take_back()
        assert (match.outcome, match.turns, match.state) == (None, 0, match.start)

    def test_there_may_be_nothing_to_take_back(self) -> None:
        match = Match(load("deck"))
        match.deal()
        with pytest.raises(DuelError, match="no move to take back"):
            match.take_back()

    def test_a_random_opponent_is_not_rerolled(self) -> None:
        game = load("conquer")
        match, player = Match(game, seed=9), RandomPlayer(9)
        match.play(0, 0)
        choice = player.choose(match.view(1))
        match.play(1, choice)
        match.take_back()
        assert player.choose(match.view(1)) == choice


def test_resigning_gives_the_game_to_the_other() -> None:
    match = Match(load("tower"), names=("Ann", "Bob"))
    match.resign(0)
    assert match.outcome is not None
    assert (match.outcome.result, match.outcome.reason) == ("0-1", "Ann resigned.")
    with pytest.raises(DuelError, match="over"):
        match.resign(1)


def test_listeners_hear_everything_in_order() -> None:
    match = Match(load("deck"), start=load("deck").read_position(load("deck").book, "5 5 1 1-10"), stacked=[9])
    heard: list[Any] = []
    match.listen(heard.append)
    match.deal()
    match.play(0, 0)
    assert [type(event) for event in heard] == [Dealt, Played, Ended]
    assert heard[2].outcome.winner == 0
    match.take_back()
    assert isinstance(heard[3], TakenBack)


def test_a_draw_is_a_draw() -> None:
    game = load("energy")
    match = Match(game, start=game.read_position(game.book, "1 1 1"))
    match.play(0, 2)
    match.play(1, 2)
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.result) == (DRAW, "1/2-1/2")


@pytest.mark.parametrize("id", game_ids())
def test_two_random_players_finish_every_duel(id: str) -> None:
    for seed in range(50):
        match = Match(load(id), seed=seed)
        outcome = match.run((RandomPlayer(seed), RandomPlayer(seed + 1000)))
        assert outcome.kind in ("rules", "bell")
        assert match.turns <= BELL


@pytest.mark.parametrize("id", ["conquer", "deck", "energy", "tower"])
def test_either_player_can_start(id: str) -> None:
    game = load(id)
    match = Match(game, first=1)
    if match.turn == Turn.LUCK:
        match.deal()
    assert match.to_act() == (1,)


class Fails:
    """Fails at its second question, in the way it is given."""

    def __init__(self, how: Exception | int) -> None:
        self.how, self.asked = how, 0

    def choose(self, view: View) -> int:
        self.asked += 1
        if self.asked == 1:
            return view.legal()[0]
        if isinstance(self.how, Exception):
            raise self.how
        return self.how


@pytest.mark.parametrize("id", ["tower", "deck", "secret"])
@pytest.mark.parametrize(("how", "kind"), [(PlayerFault("time", "It was late."), "time"), (99, "illegal")])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_player_that_fails_loses_the_match(id: str, how: Exception | int, kind: str, seat: int) -> None:
    match = Match(load(id), seed=2, names=("Ann", "Bo"))
    players: list[Any] = [RandomPlayer(1), RandomPlayer(2)]
    players[seat] = Fails(how)
    outcome = match.run(players)
    assert (outcome.winner, outcome.kind) == (1 - seat, "fault")
    assert outcome.reason.startswith(f"{match.names[seat]} lost by a fault ({kind}): ")


def test_a_mistake_of_the_deck_is_not_a_players() -> None:
    with pytest.raises(IllegalMove, match="A 7 cannot be drawn now"):
        Match(load("deck"), stacked=(7, 7)).run((RandomPlayer(1), RandomPlayer(2)))


class GetsReady(RandomPlayer):
    """Notes when it was told to get ready, and may fail at it."""

    def __init__(self, fault: PlayerFault | None = None) -> None:
        super().__init__(1)
        self.fault, self.seats, self.moves = fault, list[int](), 0

    def prepare(self, view: View) -> None:
        assert self.moves == 0
        self.seats.append(view.seat)
        if self.fault:
            raise self.fault

    def choose(self, view: View) -> int:
        assert self.seats
        self.moves += 1
        return super().choose(view)


@pytest.mark.parametrize("id", game_ids())
def test_players_get_ready_before_the_first_move(id: str) -> None:
    players = (GetsReady(), GetsReady())
    Match(load(id), seed=1).run(players)
    assert [player.seats for player in players] == [[0], [1]]
    assert all(player.moves for player in players)


@pytest.mark.parametrize("seat", [0, 1])
def test_who_fails_while_getting_ready_loses_before_the_first_move(seat: int) -> None:
    late = PlayerFault("time", "It was\n late\x1b.")
    players = [GetsReady(), GetsReady()]
    players[seat] = GetsReady(late)
    match = Match(load("tower"), names=("Ann", "Bo"))
    outcome = match.run(players)
    assert (outcome.winner, outcome.kind, match.steps) == (1 - seat, "fault", [])
    assert outcome.reason == f"{match.names[seat]} lost by a fault (time): It was late ."
    assert match.failed is late
    match.take_back()
    assert match.failed is None


@pytest.mark.parametrize("id", game_ids())
def test_whoever_notes_a_match_down_hears_of_every_step_once_it_is_made(id: str) -> None:
    heard: list[tuple[Step, int]] = []
    match = Match(load(id), seed=4)
    match.run((RandomPlayer(1), RandomPlayer(2)), lambda step: heard.append((step, len(match.steps))))
    assert heard == [(step, at) for at, step in enumerate(match.steps, 1)]


def test_a_match_that_is_over_asks_nobody_to_get_ready() -> None:
    match = Match(load("tower"))
    match.resign(0)
    player = GetsReady()
    assert match.run((player, player)).kind == "resignation"
    assert player.seats == []

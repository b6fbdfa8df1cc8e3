"""A game is carried on without any user interface: what comes next, and what comes of every answer."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from duelbook import DuelError, IllegalMove, Match, game_ids, load
from duelbook.core import BOTH, LUCK
from duelbook.match import Dealt, Ended, Played, Player, PlayerFault, Revealed, Sealed, TakenBack, View
from duelbook.players.random import RandomPlayer
from duelbook.record import Record, reads, writes
from duelbook.saves import Save
from duelbook.table.host import Advice, Due, Happening, Host, What, sit_down, was_coached
from duelbook.table.keeper import Keeper

PEOPLE: tuple[Player | None, Player | None] = (None, None)


def host_of(
    id: str,
    players: Sequence[Player | None] = PEOPLE,
    *,
    save: Save | None = None,
    position: str | None = None,
    apart: bool = False,
    coaching: bool = False,
    stacked: Sequence[int] = (),
) -> Host:
    game = load(id)
    start = None if position is None else game.read_position(game.book, position)
    match = Match(game, start=start, seed=5, stacked=stacked, names=("Ann", "Bo"))
    kinds = ["human" if player is None else "random" for player in players]
    keeper = Keeper(Record(match, (kinds[0], kinds[1])), save, None)
    return Host(keeper, players, apart=apart, coaching=coaching)


def step(host: Host, due: Due, person: Player) -> list[Happening]:
    """What a user interface does, in the fewest lines."""
    if due.what is What.DRAW:
        return host.draw(due)
    if due.what is What.THINK:
        return host.answer(due, host.question(due)())
    return host.answer(due, person.choose(host.match.view(due.seat)))


def carry_on(host: Host, person: Player, last: bool = False) -> list[Happening]:
    """Play to the end, and always do the last of what is due where `last` says so."""
    told: list[Happening] = []
    while (due := host.due()[-1 if last else 0]).what is not What.OVER:
        told += step(host, due, person)
    return told


def ask(host: Host, word: str, seat: int | None = None) -> list[Happening]:
    """A person answers in the words of the game."""
    due = next(each for each in host.due() if seat in (None, each.seat))
    return host.answer(due, host.match.game.dialogue.words(host.match.rules).index(word))


def whats(host: Host) -> list[tuple[str, int]]:
    return [(due.what.value, due.seat) for due in host.due()]


def steps_in(told: list[Happening]) -> list[tuple[int, Any]]:
    """What was told of, as the match notes it down."""
    found: list[tuple[int, Any]] = []
    for each in told:
        match each:
            case Dealt(_, face):
                found.append((LUCK, face))
            case Played(seat, _, move):
                found.append((seat, move))
            case Revealed(_, picks):
                found.append((BOTH, picks))
    return found


@pytest.mark.parametrize("id", game_ids())
@pytest.mark.parametrize("programs", [(), (0,), (1,), (0, 1)])
@pytest.mark.parametrize("apart", [False, True])
def test_every_duel_is_carried_on_to_its_end_and_all_of_it_is_told(
    id: str, programs: tuple[int, ...], apart: bool
) -> None:
    players = [RandomPlayer(seat) if seat in programs else None for seat in (0, 1)]
    host = host_of(id, players, apart=apart)
    told = carry_on(host, RandomPlayer(7), last=apart)
    match = host.match
    assert match.outcome is not None
    assert steps_in(told) == [(each.turn, each.play) for each in match.steps]
    assert told[-1] == Ended(match.outcome)
    assert sum(isinstance(each, Ended) for each in told) == 1
    assert whats(host) == [("over", -1)]


@pytest.mark.parametrize("id", game_ids())
def test_the_same_players_play_the_same_game_as_without_a_host(id: str) -> None:
    host = host_of(id, (RandomPlayer(3), RandomPlayer(4)))
    carry_on(host, RandomPlayer(0))
    alone = Match(load(id), seed=5, names=("Ann", "Bo"))
    alone.run((RandomPlayer(3), RandomPlayer(4)))
    assert (host.match.steps, host.match.outcome) == (alone.steps, alone.outcome)


@pytest.mark.parametrize("id", game_ids())
def test_every_step_is_on_disk_before_it_is_told_and_nothing_is_lost(id: str, tmp_path: Path) -> None:
    save = Save(tmp_path / "game.duel")
    host = host_of(id, save=save)
    person = RandomPlayer(7)
    while (due := host.due()[0]).what is not What.OVER and len(host.match.steps) < 30:
        told = step(host, due, person)
        if any(isinstance(each, Dealt | Played | Revealed) for each in told):
            assert save.read() == writes(host.keeper.record)
            (again,) = reads(save.read())
            assert again.match.steps == host.match.steps


@pytest.mark.parametrize("id", game_ids())
def test_who_leaves_after_any_step_finds_the_game_as_it_was(id: str, tmp_path: Path) -> None:
    save = Save(tmp_path / "game.duel")
    person = RandomPlayer(7)
    host = host_of(id, save=save)
    for count in range(1, 7):
        while len(host.match.steps) < count:
            step(host, host.due()[0], person)
        steps = list(host.match.steps)
        assert host.leave()
        assert host.due() == ()
        (record,) = reads(save.read())
        assert record.match.steps == steps
        host = sit_down(record, save)


def test_a_game_comes_back_with_who_sat_there() -> None:
    record = Record(Match(load("tower")), ("human", "random"))
    one, two = sit_down(record).players
    assert one is None
    assert isinstance(two, RandomPlayer)


# Whose turn it is


def test_a_person_is_asked_and_a_program_thinks() -> None:
    host = host_of("tower", (None, RandomPlayer(1)))
    assert whats(host) == [("ask", 0)]
    ask(host, "build 4")
    assert whats(host) == [("think", 1)]


def test_luck_acts_for_whoever_it_is() -> None:
    host = host_of("deck", (None, RandomPlayer(1)), stacked=(7, 3))
    assert whats(host) == [("draw", 0)]
    assert [type(each) for each in host.draw(host.due()[0])] == [Dealt]
    assert whats(host) == [("ask", 0)]
    ask(host, "attack")
    assert whats(host) == [("draw", 1)]
    host.draw(host.due()[0])
    assert whats(host) == [("think", 1)]


def test_two_people_at_one_screen_pick_behind_the_curtain_one_after_the_other() -> None:
    host = host_of("secret")
    assert whats(host) == [("curtain", 0)]
    assert ask(host, "7") == [Sealed(0)]
    assert whats(host) == [("curtain", 1)]
    (revealed,) = ask(host, "5")
    assert isinstance(revealed, Revealed)
    assert [host.match.game.dialogue.words(host.match.rules)[pick] for pick in revealed.picks] == ["7", "5"]


def test_people_who_sit_apart_are_asked_at_once_and_answer_in_any_order() -> None:
    host = host_of("secret", apart=True)
    assert whats(host) == [("ask", 0), ("ask", 1)]
    assert ask(host, "5", 1) == [Sealed(1)]
    assert whats(host) == [("ask", 0)]
    assert isinstance(ask(host, "7", 0)[0], Revealed)


class Notes(RandomPlayer):
    """Notes what it is shown."""

    def __init__(self) -> None:
        super().__init__(1)
        self.seen: list[View] = []

    def choose(self, view: View) -> int:
        self.seen.append(view)
        return super().choose(view)


def test_a_program_is_told_the_same_whether_the_person_has_picked_or_not() -> None:
    before, after = Notes(), Notes()
    first, second = host_of("secret", (None, before)), host_of("secret", (None, after))
    first.question(first.due()[1])()
    ask(second, "7", 0)
    assert whats(second) == [("think", 1)]
    second.question(second.due()[0])()
    assert before.seen == after.seen


# Answers that cannot be taken


def test_a_persons_move_that_is_not_legal_is_refused_and_they_are_asked_again() -> None:
    host = host_of("tower")
    (due,) = host.due()
    with pytest.raises(IllegalMove, match="You can play"):
        host.answer(due, 3)
    assert host.due() == (due,)
    assert host.match.steps == []


def test_an_answer_to_what_is_not_asked_any_more_changes_nothing() -> None:
    host = host_of("tower", (None, RandomPlayer(1)))
    (first,) = host.due()
    ask(host, "build 4")
    (think,) = host.due()
    late = host.question(think)()
    host.take_back(host.may_take_back(0))
    assert host.answer(think, late) == []
    ask(host, "build 4")
    assert host.answer(think, late) == []
    assert host.answer(first, 0) == []
    assert [each.turn for each in host.match.steps] == [0]
    assert host.answer(host.due()[0], late)


def test_a_card_is_drawn_once() -> None:
    host = host_of("deck")
    (due,) = host.due()
    assert host.draw(due)
    assert host.draw(due) == []
    assert host.match.draws == 1


class Fails:
    def __init__(self, how: PlayerFault | int) -> None:
        self.how = how

    def choose(self, view: View) -> int:
        if isinstance(self.how, PlayerFault):
            raise self.how
        return self.how


@pytest.mark.parametrize("id", game_ids())
@pytest.mark.parametrize(("how", "kind"), [(PlayerFault("crash", "It fell over."), "crash"), (99, "illegal")])
def test_a_program_that_fails_loses_and_the_end_can_be_taken_back(id: str, how: Any, kind: str) -> None:
    host = host_of(id, (None, Fails(how)))
    told = carry_on(host, RandomPlayer(7))
    assert isinstance(told[-1], Ended)
    outcome = told[-1].outcome
    assert (outcome.winner, outcome.kind) == (0, "fault")
    assert f"Bo lost by a fault ({kind}): " in outcome.reason
    steps = list(host.match.steps)
    assert host.take_back(host.may_take_back(0)) == [TakenBack(())]
    assert host.match.steps == steps
    assert whats(host)[-1] == ("think", 1)


def test_who_leaves_while_a_program_thinks_is_not_told_of_its_end() -> None:
    host = host_of("tower", (RandomPlayer(1), RandomPlayer(2)))
    (due,) = host.due()
    host.leave()
    assert host.answer(due, PlayerFault("crash", "It was ended.")) == []
    assert host.match.outcome is None


# Undo


def test_undo_goes_back_behind_a_programs_answer() -> None:
    host = host_of("tower", (None, RandomPlayer(1)))
    ask(host, "build 4")
    step(host, host.due()[0], RandomPlayer(0))
    wish = host.may_take_back(0)
    assert (wish.decisions, wish.agree) == (2, ())
    assert [type(each) for each in host.take_back(wish)] == [TakenBack, TakenBack]
    assert whats(host) == [("ask", 0)]
    assert host.match.steps == []


def test_undo_goes_back_over_cards_and_the_same_cards_come_again() -> None:
    host = host_of("deck", (None, RandomPlayer(1)))
    person = RandomPlayer(0)

    def turn() -> list[int]:
        told: list[Happening] = []
        while whats(host) != [("draw", 0)] or not told:
            told += step(host, host.due()[0], person)
        return [each.face for each in told if isinstance(each, Dealt)]

    cards = turn()
    assert len(cards) == 2
    host.take_back(host.may_take_back(0))
    assert whats(host) == [("ask", 0)]
    step(host, host.due()[0], person)
    assert [each.face for each in host.draw(host.due()[0]) if isinstance(each, Dealt)] == cards[1:]


def test_between_two_people_the_last_decision_goes_and_both_must_agree() -> None:
    host = host_of("tower")
    ask(host, "build 4")
    ask(host, "build 2")
    wish = host.may_take_back(0)
    assert (wish.decisions, wish.agree, wish.words) == (1, (0, 1), "Bo's last move (build 2)")
    host.take_back(wish)
    assert whats(host) == [("ask", 1)]


def test_what_was_agreed_for_another_position_is_not_taken_back() -> None:
    host = host_of("tower")
    ask(host, "build 4")
    wish = host.may_take_back(0)
    ask(host, "build 2")
    assert host.take_back(wish) == []
    assert host.match.turns == 2


def test_a_round_of_picks_goes_as_a_whole_and_with_it_what_is_sealed() -> None:
    host = host_of("secret")
    ask(host, "7")
    ask(host, "5")
    ask(host, "6")
    wish = host.may_take_back(1)
    assert wish.words == "the last round (7/5)"
    host.take_back(wish)
    assert whats(host) == [("curtain", 0)]
    assert host.match.turns == 0


def test_there_is_nothing_to_take_back_yet() -> None:
    with pytest.raises(DuelError, match="There is no move to take back yet"):
        host_of("tower").may_take_back(0)
    host = host_of("tower", (RandomPlayer(1), None))
    step(host, host.due()[0], RandomPlayer(0))
    with pytest.raises(DuelError, match="You have not made a move yet"):
        host.may_take_back(1)


# Resigning


@pytest.mark.parametrize("seat", [0, 1])
def test_who_resigns_at_a_sealed_pick_loses_and_the_pick_is_forgotten(seat: int, tmp_path: Path) -> None:
    save = Save(tmp_path / "game.duel")
    host = host_of("secret", save=save)
    ask(host, "7")
    (ended,) = host.resign(seat)
    assert isinstance(ended, Ended)
    assert (ended.outcome.winner, ended.outcome.reason) == (1 - seat, f"{('Ann', 'Bo')[seat]} resigned.")
    (record,) = reads(save.read())
    assert record.match.steps == []
    wish = host.may_take_back(seat)
    assert (wish.words, wish.agree) == ("the resignation", (0, 1))
    host.take_back(wish)
    assert whats(host) == [("curtain", 0)]


def test_a_sealed_pick_is_forgotten_by_who_leaves_and_is_in_no_file(tmp_path: Path) -> None:
    save = Save(tmp_path / "game.duel")
    host = host_of("secret", save=save)
    ask(host, "7")
    host.leave()
    assert host.match.to_act() == (0, 1)
    (record,) = reads(save.read())
    assert record.match.steps == []


# The coach


def test_the_coach_speaks_to_people_about_what_they_gave_away() -> None:
    host = host_of("tower", position="5 8 1", coaching=True)
    host.wake_the_coach()
    played, advice = ask(host, "build 1")
    assert isinstance(played, Played)
    assert isinstance(advice, Advice)
    assert (advice.seat, advice.may_take_back) == (0, True)
    assert "gave away 100 %" in advice.sentence
    host.take_back(host.may_take_back(advice.seat))
    assert [type(each) for each in ask(host, "build 4")] == [Played]


def test_of_a_round_the_coach_speaks_once_both_picks_are_in_and_it_stands() -> None:
    host = host_of("secret", position="98 96 9 7", coaching=True)
    host.wake_the_coach()
    assert ask(host, "5") == [Sealed(0)]
    revealed, advice = ask(host, "6")
    assert isinstance(revealed, Revealed)
    assert isinstance(advice, Advice)
    assert (advice.seat, advice.may_take_back) == (0, False)


@pytest.mark.parametrize("awake", [False, True])
def test_the_coach_is_silent_about_programs_and_before_it_has_solved_the_duel(awake: bool) -> None:
    host = host_of("tower", (Fails(0), None), position="5 8 1", coaching=True)
    if awake:
        host.wake_the_coach()
    assert [type(each) for each in step(host, host.due()[0], RandomPlayer(0))] == [Played]
    host = host_of("tower", position="5 8 1", coaching=True)
    assert [type(each) for each in ask(host, "build 1")] == [Played]


def test_a_hint_is_for_who_asks() -> None:
    host = host_of("tower", position="5 8 1")
    assert any("build 4" in line for line in host.hint(0))
    assert host.coach_is_awake


# Sitting down in a program's place


class Held(RandomPlayer):
    """A player that holds something, as a program that runs."""

    def __init__(self) -> None:
        super().__init__(1)
        self.closed = 0

    def close(self) -> None:
        self.closed += 1


def test_who_takes_over_a_seat_plays_on_from_there_and_the_program_is_let_go(tmp_path: Path) -> None:
    save, programs = Save(tmp_path / "game.duel"), (Held(), Held())
    host = host_of("secret", programs, save=save)
    think = host.due()[0]
    host.answer(think, 4)
    host.take_over(0)
    assert whats(host) == [("ask", 0), ("think", 1)]
    assert host.answer(think, 4) == []
    assert [program.closed for program in programs] == [1, 0]
    (record,) = reads(save.read())
    assert record.seats == ("human", "random")
    host.leave()
    assert [program.closed for program in programs] == [1, 1]


# Whatever is done, in whatever order


def do_something(host: Host, dice: Random, known: list[Due], person: Player) -> None:
    """One thing that whoever drives a table may do, wise or not: also answer what was asked long ago."""
    seat = dice.randrange(2)
    match dice.randrange(10):
        case 0:
            host.take_back(host.may_take_back(seat))
        case 1 if dice.random() < 0.1:
            host.resign(seat)
        case 2 if dice.random() < 0.1:
            host.take_over(seat)
        case 3:
            host.answer(dice.choice(known), dice.randrange(-1, 12))
        case 4:
            host.draw(dice.choice(known))
        case 5:
            host.answer(dice.choice(known), PlayerFault("crash", "It fell over."))
        case _:
            due = dice.choice(host.due())
            if due.what is not What.OVER:
                step(host, due, person)


@pytest.mark.parametrize("id", game_ids())
@pytest.mark.parametrize("seed", range(8))
def test_whatever_is_done_the_record_is_the_game_and_something_is_due(id: str, seed: int) -> None:
    dice = Random(seed)
    players = [RandomPlayer(seat) if dice.random() < 0.5 else None for seat in (0, 1)]
    host, person = host_of(id, players, apart=dice.random() < 0.5), RandomPlayer(seed)
    known: list[Due] = []
    for _ in range(60):
        known += host.due()
        with suppress(DuelError):
            do_something(host, dice, known, person)
        (again,) = reads(writes(host.keeper.record))
        assert (again.match.steps, again.match.outcome) == (host.match.steps, host.match.outcome)
        assert again.seats == tuple("human" if player is None else "random" for player in host.players)
        # Another host of the same record would go on in the same way; but what is sealed only this one knows.
        other = Host(Keeper(again, None, None), host.players, apart=host.apart)
        assert host.due()
        assert set(whats(host)) <= set(whats(other)) or whats(host) == [("curtain", 1)]
        if not host.match.to_act() or len(host.match.to_act()) == len(other.match.to_act()):
            assert whats(host) == whats(other)


def test_at_a_table_that_was_left_nothing_can_be_done_any_more() -> None:
    host = host_of("tower")
    (due,) = host.due()
    ask(host, "build 4")
    wish = host.may_take_back(0)
    host.leave()
    assert host.due() == ()
    assert host.answer(due, 0) + host.draw(due) + host.take_back(wish) + host.resign(0) == []
    assert (host.match.turns, host.match.outcome) == (1, None)


def test_whether_the_coach_speaks_is_kept_with_the_game() -> None:
    def as_written(host: Host) -> bool | None:
        (record,) = reads(writes(host.keeper.record))
        return was_coached(record)

    host = host_of("tower")
    assert as_written(host) is None
    host.coaching = False
    assert as_written(host) is None
    host.coaching = True
    assert as_written(host) is True
    host.coaching = False
    assert as_written(host) is False
    assert as_written(host_of("tower", coaching=True)) is True

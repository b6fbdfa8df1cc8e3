"""Schedules: fair, complete, and a function of what was asked for and nothing else."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest
from bench.rehearsal import play_task

from arena_helper import plan
from duelbook.arena.play.crews import crew
from duelbook.arena.play.openings import from_book
from duelbook.arena.play.results import Duel, Entrant, Task
from duelbook.arena.play.schedule import (
    TOURNAMENTS,
    Entry,
    Plan,
    Schedule,
    duel,
    enter,
    pairings,
)
from duelbook.arena.play.telling import new_match
from duelbook.arena.play.tournament import hold, programme
from duelbook.core import DuelError
from duelbook.engine.limits import Limits
from duelbook.games import ROOMS
from duelbook.luck import LARGEST_SEED
from duelbook.players import usual_name

DUELS = (duel("tower"), duel("deck"), duel("tower", ["goal=20"]))


def tasks(players: int = 4, tournament: str = "round-robin", rounds: int = 3, seed: int = 7) -> list[Task]:
    return list(Schedule(Plan(enter(["random"] * players), DUELS, tournament=tournament, rounds=rounds, seed=seed)))


@pytest.mark.parametrize(
    ("count", "tournament", "met"),
    [
        (2, "duel", [(0, 1)]),
        (2, "round-robin", [(0, 1)]),
        (2, "gauntlet", [(0, 1)]),
        (4, "gauntlet", [(0, 1), (0, 2), (0, 3)]),
        (4, "round-robin", [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]),
    ],
)
def test_who_meets_whom(count: int, tournament: str, met: list[tuple[int, int]]) -> None:
    assert pairings(count, tournament) == met


@pytest.mark.parametrize(
    ("count", "tournament", "sentence"),
    [
        (1, "round-robin", "A tournament needs at least two players."),
        (3, "duel", "A duel has two players, not 3; a round-robin has as many as you like."),
        (3, "knockout", "There is no tournament called 'knockout'; there are round-robin, gauntlet, duel."),
    ],
)
def test_what_cannot_be_a_tournament(count: int, tournament: str, sentence: str) -> None:
    with pytest.raises(DuelError) as refused:
        pairings(count, tournament)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("tournament", ["round-robin", "gauntlet"])
def test_every_meeting_is_played_in_every_duel_and_round_from_both_seats(tournament: str) -> None:
    found = Counter((task.round, task.game, task.rules, task.seats) for task in tasks(4, tournament))
    met = pairings(4, tournament)
    assert set(found.values()) == {1}
    assert len(found) == 3 * len(DUELS) * len(met) * 2
    assert {key[3] for key in found} == {seats for one, two in met for seats in ((one, two), (two, one))}


def test_a_pair_is_the_same_game_and_luck_with_the_seats_swapped() -> None:
    for one, two in zip(tasks()[::2], tasks()[1::2], strict=True):
        assert (one.half, two.half) == (0, 1)
        assert two == one._replace(number=one.number + 1, seats=one.seats[::-1], own=two.own)


def test_no_two_pairs_share_their_luck() -> None:
    seeds = Counter(task.seed for task in tasks())
    assert set(seeds.values()) == {2}


def test_every_seed_fits_a_record() -> None:
    assert all(0 <= task.seed < LARGEST_SEED for task in tasks())


def test_tasks_are_numbered_in_order() -> None:
    assert [task.number for task in tasks()] == list(range(108))
    assert [task.pair for task in tasks()] == [number // 2 for number in range(108)]


def test_the_schedule_follows_from_what_was_asked_for() -> None:
    assert tasks() == tasks()
    assert [task.seed for task in tasks(seed=8)] != [task.seed for task in tasks()]


def test_a_game_is_made_when_somebody_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A million rounds are begun as soon as one. A judge who has heard enough after three pairs ends them as soon."""
    made: list[int] = []
    usual = Schedule._task

    def counted(self: Schedule, *args: int) -> Task:
        task = usual(self, *args)
        made.append(task.number)
        return task

    monkeypatch.setattr(Schedule, "_task", counted)
    work = programme(plan("random level:3 perfect", "tower", rounds=1_000_000))
    assert len(work.tasks) == 6_000_000
    assert work.tasks[-1].number == 5_999_999
    assert list(islice(work.tasks.pairs(), 3)) == [0, 1, 2]
    assert work.tasks.numbered(6_000_000) is None
    assert len(made) == 1
    hold(work, crew("one-process"), judge=lambda pair: pair[0].task.pair == 2)
    assert len(made) < 100


def test_what_is_computed_is_left_out_and_the_others_keep_their_numbers_and_luck() -> None:
    whole = Schedule(Plan(enter(["random", "perfect", "engine:x"]), DUELS, rounds=3, seed=7))
    fewer = whole.without({(each, (0, 1)) for each in DUELS})
    assert list(fewer) == [task for task in whole if set(task.seats) != {0, 1}]
    assert [fewer.number_at(at) for at in range(len(fewer))] == [task.number for task in fewer]
    assert list(fewer.pairs()) == [task.pair for task in fewer][::2]
    assert [fewer.numbered(task.number) for task in whole] == [task if task in list(fewer) else None for task in whole]
    assert len(whole.without({(each, seats) for each in DUELS for seats in ((0, 1), (0, 2), (1, 2))})) == 0


def test_luck_that_nobody_chose_is_another_every_time() -> None:
    drawn = [Schedule(Plan(enter(["random", "perfect"]), DUELS, seed=None)) for _ in range(2)]
    assert drawn[0].drawn
    assert drawn[0].seed != drawn[1].seed
    assert drawn[0][0].seed != drawn[1][0].seed
    assert not Schedule(Plan(enter(["random", "perfect"]), DUELS, seed=5)).drawn


def test_more_rounds_only_make_it_longer() -> None:
    assert tasks(rounds=5)[: len(tasks())] == tasks()


@pytest.mark.parametrize("seed", [0, -1, 2**128])
def test_the_first_luck_of_a_seed_stays_what_it_was(seed: int) -> None:
    """A tournament that was begun with one version can be finished with the next."""
    known = {
        0: 63367487829806497040542015384230119034,
        -1: 42719235062872221373073451755819442218,
        2**128: 44497248842532205117318378573326456629,
    }
    assert Schedule(Plan(enter(["random", "perfect"]), (duel("tower"),), seed=seed))[0].seed == known[seed]


@pytest.mark.parametrize("game", ROOMS)
def test_both_games_of_a_pair_deal_the_same_cards_and_the_first_seat_starts(game: str) -> None:
    asked = plan("random random", game, rounds=1)
    one, two = Schedule(Plan(asked.entrants, asked.duels, rounds=1, seed=0))
    first, second = new_match(one, asked.entrants), new_match(two, asked.entrants)
    assert first.start == second.start
    assert first.names == second.names[::-1]
    cards = []
    for match in (first, second):
        drawn: list[int] = []
        while match.outcome is None and len(drawn) < 12:
            if match.turn == 3:
                drawn.append(match.deal())
            else:
                for seat in match.to_act():
                    # the most harmless move: the last one heals, or does next to nothing
                    match.play(seat, match.view(seat).legal()[-1])
        cards.append(drawn)
    assert cards[0] == cards[1]
    assert len(cards[0]) == (12 if game == "deck" else 0)


def test_our_players_choose_by_the_game_and_by_who_they_are() -> None:
    found = {own for task in tasks() for own in task.own}
    assert len(found) == 2 * len(tasks())
    assert found.isdisjoint(task.seed for task in tasks())


def test_two_random_players_of_one_game_do_not_mirror_each_other() -> None:
    asked = plan("random random", "conquer", rounds=3)
    for task in Schedule(Plan(asked.entrants, asked.duels, rounds=3, seed=0)):
        record = play_task(task, asked.entrants, asked.settings()).record
        moves = record.split("\n\n")[1].split()
        assert moves[1:-1:3] != moves[2:-1:3]


# Entrants


def test_players_of_the_same_kind_are_told_apart() -> None:
    names = [entrant.name for entrant in enter(["level:3", "LEVEL:3", "level:casual", "perfect"])]
    assert names == ["level:3", "level:3 (2)", "level:3 (3)", "perfect"]


def test_a_name_that_is_taken_is_told_apart_too() -> None:
    entrants = enter([Entry("random", "Ada"), Entry("perfect", "ada"), "perfect"])
    assert [entrant.name for entrant in entrants] == ["Ada", "ada (2)", "perfect"]


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("random", "random"),
        ("engine:./mybot", "mybot"),
        ("engine:./mybot --depth 3", "mybot"),
        ("engine:python3 -u bots/mybot.py --depth 3", "mybot.py"),
        ("engine:/usr/bin/node bot.js", "bot.js"),
        ("engine:python3 -m mybot --depth 3", "mybot"),
    ],
)
def test_what_a_player_is_called(kind: str, name: str) -> None:
    assert usual_name(kind) == name


def test_only_our_own_players_bear_their_names() -> None:
    entrants = enter([Entry("engine:./bot", "perfect"), "perfect", "engine:./random", "level:3", "level:3"])
    names = [entrant.name for entrant in entrants]
    assert names == ["perfect (2)", "perfect", "random (2)", "level:3", "level:3 (2)"]


@pytest.mark.parametrize("name", ["", "a\x1bb", "x" * 41])
def test_a_name_can_be_seen(name: str) -> None:
    with pytest.raises(DuelError, match="A name has 1 to 40 visible characters"):
        enter([Entry("random", name)])


def test_a_person_does_not_play_in_tournaments() -> None:
    with pytest.raises(DuelError, match="A tournament is for programs"):
        enter(["human", "random"])


def test_limits_are_for_programs() -> None:
    mine = Limits(move_time=0.5)
    entrants = enter([Entry("engine:./mybot", limits=mine), Entry("random", limits=mine)])
    assert [entrant.limits for entrant in entrants] == [mine, Limits()]


# Fingerprints


def test_a_fingerprint_tells_tournaments_apart() -> None:
    base = plan()
    others = [
        base._replace(seed=1),
        base._replace(max_turns=100),
        base._replace(tournament="duel"),
        base._replace(play=False),
        base._replace(duels=(duel("tower", ["goal=20"]),)),
        base._replace(duels=base.duels[::-1]),
        base._replace(entrants=base.entrants[::-1]),
        base._replace(entrants=(base.entrants[0], Entrant("level:3", "level:3", Limits(0.5)))),
    ]
    marks = [each.fingerprint() for each in (base, *others)]
    assert len(set(marks)) == len(marks)


def test_a_tournament_that_goes_on_for_longer_is_still_the_same() -> None:
    assert plan(rounds=2).fingerprint() == plan(rounds=200, event="Other", date="2027.01.01").fingerprint()


def test_a_fingerprint_stays_what_it_was() -> None:
    ladder = Plan(enter(["random", "perfect"]), (Duel("tower"),), "duel", seed=0)
    limits = Limits(0.5, (60.0, 1.0), 64, 9, (("Hash", "8"),))
    bot = enter([Entry("engine:./bot", limits=limits), "perfect"])
    duels = (Duel("tower", ("goal=20",)), Duel("deck"))
    assert ladder.fingerprint() == "b4636048274bf866"
    assert ladder._replace(openings=from_book(["tower"])).fingerprint() == "421cd685f9c8d53e"
    assert Plan(bot, duels, max_turns=100, play=True).fingerprint() == "02c3930ff51107eb"


def test_rules_are_written_one_way() -> None:
    assert duel(" Tower", ["KNOCKED=2", "goal=15"]) == Duel("tower", ("knocked=2",))
    assert str(duel("tower", ["goal=20"])) == "tower goal=20"
    assert list(TOURNAMENTS) == ["round-robin", "gauntlet", "duel"]

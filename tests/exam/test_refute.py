"""What can be had against a player: exact where it always does the same, a bound where not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from random import Random

import pytest

import duelbook
from duelbook.core import BOTH, LUCK, OVER, DuelError, SomeState
from duelbook.exam.paper import Subject
from duelbook.exam.refutation import AT_LEAST, EXACT, SAMPLED, Refutation, Seat
from duelbook.exam.refuting import courses
from duelbook.exam.refuting.asking import Said
from duelbook.exam.refuting.courses import Walked, line_that_wins
from duelbook.exam.refuting.walking import Walk
from duelbook.games import load
from duelbook.match import View
from duelbook.policies.exploitability import exploitability
from duelbook.policies.plans import plan_of
from duelbook.solving.library import solution_for
from duelbook.table.verify import verify

SMALL = {"conquer": (), "energy": (), "tower": (), "deck": ("lp=4", "cards=4"), "secret": ("hp=8", "highest=4")}
"""Every duel, so small that all of it is gone through at once."""
ORDERED = list(SMALL.items())


class Always:
    """Makes one move wherever it is legal, otherwise the first that is."""

    def __init__(self, move: int) -> None:
        self.move = move

    def choose(self, view: View) -> int:
        return self.move if self.move in view.legal() else view.legal()[0]


class Planned:
    """Says what one of Duelbook's own players does, and answers by it."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def plan(self, view: View) -> Sequence[float]:
        return plan_of(self.kind, view.game, view.rules, view.state, view.seat)

    def choose(self, view: View) -> int:
        plan = self.plan(view)
        return plan.index(max(plan))


class Best:
    """Always the same one of the best moves."""

    def choose(self, view: View) -> int:
        options = solution_for(view.game, view.rules).options(view.state, view.seat)
        return min(options, key=lambda option: option.lost).move


class Lots:
    """Any legal move."""

    def __init__(self) -> None:
        self.random = Random(7)

    def choose(self, view: View) -> int:
        return self.random.choice(view.legal())


class Alternating:
    """The first legal move, then the last, then the first again."""

    def __init__(self) -> None:
        self.asked = count()

    def choose(self, view: View) -> int:
        return view.legal()[0 if next(self.asked) % 2 else -1]


class ByTheClock:
    """What it does depends on the number of the turn, and on nothing else that it could know."""

    def choose(self, view: View) -> int:
        return view.legal()[view.number // 2 % 2 * -1]


class Faulty(Best):
    """Perfect, but for one position at which it breaks down."""

    def __init__(self, where: str) -> None:
        self.where = where

    def choose(self, view: View) -> int:
        if view.game.write_position(view.rules, view.state) == self.where:
            raise ZeroDivisionError("division by zero")
        return super().choose(view)


def best_against(player: Always | Best, id: str, rules: object, seat: int) -> float:
    """The value of a best response by going through all histories: another way to the same number."""
    game, hero = load(id), 1 - seat

    def answer(state: SomeState) -> int:
        return player.choose(View(game, rules, state, seat, 0))

    known: dict[SomeState, float] = {}

    def after(state: SomeState) -> list[tuple[float, SomeState]]:
        turn = game.turn(rules, state)
        if turn == LUCK:
            odds = {face: game.odds(rules, state, face) for face in game.faces}
            return [(w / sum(odds.values()), game.deal(rules, state, face)) for face, w in odds.items() if w]
        if turn == BOTH:
            mine = answer(state)
            pairs = [(pick, mine) if hero == 0 else (mine, pick) for pick in game.legal_moves(rules, state, hero)]
            return [(0.0, game.resolve(rules, state, *pair)) for pair in pairs]
        moves = [answer(state)] if turn == seat else game.legal_moves(rules, state, turn)
        return [(1.0 if turn == seat else 0.0, game.apply(rules, state, move)) for move in moves]

    start = game.start(rules, 0)
    order, at = [start], 0
    seen = {start}
    while at < len(order):
        if game.turn(rules, order[at]) != OVER:
            new = [state for _, state in after(order[at]) if state not in seen]
            seen.update(new)
            order += dict.fromkeys(new)
        at += 1
    # From far below, one more turn after the other: what is not won in as many turns as there are positions never is.
    for state in order:
        if game.turn(rules, state) == OVER:
            winner = game.winner(rules, state)
            known[state] = 1.0 if winner == hero else -1.0 if winner == seat else 0.0
        else:
            known[state] = 0.0
    for _ in range(len(order)):
        moved = False
        for state in reversed(order):
            if game.turn(rules, state) == OVER:
                continue
            ways = after(state)
            chance = game.turn(rules, state) in (LUCK, seat)
            value = sum(share * known[then] for share, then in ways) if chance else max(known[then] for _, then in ways)
            moved = moved or abs(value - known[state]) > 1e-13
            known[state] = value
        if not moved:
            break
    return known[start]


def good(found: Refutation, tmp_path: Path) -> None:
    """Whatever is written is a game that the rules allow."""
    if found.records:
        found.write(tmp_path / "proof.duel", replace=True)
        checked = verify(tmp_path / "proof.duel")
        assert checked.ok, checked.error
        assert len(checked.games) == len(found.records)


def ends_at(id: str, line: str) -> str:
    """The position to which a line in words leads."""
    game = load(id)
    state, words = game.start(game.book, 0), game.dialogue.words(game.book)
    for word in line.split(", "):
        state = game.apply(game.book, state, words.index(word))
    return game.write_position(game.book, state)


def wins(seat: Seat) -> bool:
    """Whether the game that is shown is one that the player lost."""
    assert seat.record is not None
    outcome = seat.record.match.outcome
    return outcome is not None and outcome.winner == 1 - seat.seat


@pytest.mark.parametrize(("id", "settings"), ORDERED)
def test_who_always_makes_one_move_is_beaten_wherever_that_can_be_done(
    id: str, settings: tuple[str, ...], tmp_path: Path
) -> None:
    game = load(id)
    rules = duelbook.variant(game, settings)
    for move in game.moves:
        found = duelbook.refute(Always(move), id, rules=settings)
        for seat in found.seats:
            assert seat.how == EXACT
            assert seat.same
            assert seat.value == pytest.approx(best_against(Always(move), id, rules, seat.seat), abs=1e-9)
            assert seat.refuted == (seat.value > seat.game + 1e-8)
            assert seat.nothing_more == (not seat.refuted)
            if seat.value > 1 - 1e-9:
                assert wins(seat)
                assert seat.forced == (not game.faces)
        assert found.refuted or all(seat.value == seat.game for seat in found.seats)
        good(found, tmp_path)


def test_the_line_is_the_shortest_that_wins() -> None:
    """Held against every game that the refuter can play, by their length."""
    game, player = load("tower"), Always(0)
    for seat in (0, 1):
        lines, turns, found = [game.start(game.book, 0)], 0, False
        while not found:
            turns += 1
            nexts = dict.fromkeys(
                game.apply(game.book, state, move)
                for state in lines
                for mover in [game.turn(game.book, state)]
                for move in (
                    [player.choose(View(game, game.book, state, seat, 0))]
                    if mover == seat
                    else game.legal_moves(game.book, state, mover)
                )
            )
            over = [state for state in nexts if game.turn(game.book, state) == OVER]
            found = any(game.winner(game.book, state) == 1 - seat for state in over)
            lines = [state for state in nexts if state not in over]
        (shown,) = duelbook.refute(player, "tower", seat=seat).seats
        assert shown.record is not None
        assert shown.record.match.turns == turns


@pytest.mark.parametrize("errs", [True, False])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_line_that_wins_does_so_or_there_is_none(errs: bool, seat: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where so much is likely that only the likeliest way is followed: here that begins at once."""
    game = load("tower")
    subject = Subject(game, game.book, solution_for(game, game.book))
    walk = Walk(subject, seat)

    def ask(state: SomeState, number: int) -> Said:
        """Any move, or any of the best: in the first seat of tower nobody beats that."""
        moves = [each.move for each in subject.solution.options(state, seat) if errs or each.lost == 0]
        return Said(tuple((move, 1 / len(moves)) for move in moves))

    walk.follow(ask)
    course = Walked(walk)
    assert course.by_luck
    searched = line_that_wins(course, subject)
    monkeypatch.setattr(courses, "MOST_LOOKED_AT", 0)
    followed = line_that_wins(course, subject)
    for line in (searched, followed):
        assert (line is not None) == (errs or seat == 1)
        if line is not None:
            state = game.start(game.book, 0)
            for step in line:
                state = courses.played(subject, state, step)
            assert game.winner(game.book, state) == 1 - seat


@pytest.mark.parametrize(
    ("id", "settings", "kind"),
    [
        pytest.param(id, settings, kind, marks=[pytest.mark.slow] if id not in ("energy", "tower") else [])
        for id, settings in ORDERED
        for kind in ("random", "level:3", "brawler", "perfect")
    ],
)
def test_a_player_who_says_its_plan_is_known_as_well_as_its_table(
    id: str, settings: tuple[str, ...], kind: str, tmp_path: Path
) -> None:
    game = load(id)
    rules = duelbook.variant(game, settings)
    exact = exploitability(game, rules, [kind])[kind]
    by_table, by_asking = (duelbook.refute(player, id, rules=rules) for player in (kind, Planned(kind)))
    for seat in (0, 1):
        for found in (by_table.seats[seat], by_asking.seats[seat]):
            assert found.how == EXACT
            assert found.value == pytest.approx(exact.seats[seat].value, abs=1e-8)
            assert found.game == pytest.approx(exact.seats[seat].game, abs=1e-9)
            assert found.wins == pytest.approx(exact.seats[seat].wins, abs=1e-6)
        assert by_table.seats[seat].asked == 0
    good(by_table, tmp_path)
    good(by_asking, tmp_path)


@pytest.mark.parametrize(("id", "settings"), ORDERED)
def test_nothing_is_refuted_where_nothing_can_be(id: str, settings: tuple[str, ...]) -> None:
    found = duelbook.refute("perfect", id, rules=settings)
    assert not found.refuted
    for seat in found.seats:
        assert seat.nothing_more
        assert seat.exploitability == 0
        assert seat.lost.losing == 0
        assert "Nothing to refute" in found.report()


@pytest.mark.parametrize("id", ["conquer", "energy", "tower"])
def test_a_best_move_every_time_is_perfect_where_nothing_is_hidden(id: str) -> None:
    """Not in conquer by itself: to lose nothing at each move is not always to win what is won; but nobody gets more."""
    found = duelbook.refute(Best(), id)
    for seat in found.seats:
        assert seat.how == EXACT
        assert seat.lost.losing == 0
        assert seat.value == pytest.approx(best_against(Best(), id, load(id).book, seat.seat), abs=1e-9)


@pytest.mark.parametrize("player", [Lots, Alternating, ByTheClock])
def test_who_does_not_always_do_the_same_is_told_so_and_sampled(player: type[Lots], tmp_path: Path) -> None:
    found = duelbook.refute(player(), "energy", seat=1, games=60, seed=1)
    (seat,) = found.seats
    assert seat.how == SAMPLED
    assert not seat.same
    assert " it said " in seat.differs
    assert ", and then said " in seat.differs
    assert seat.sample is not None
    assert seat.sample.games == 60
    assert seat.refuted
    assert seat.value == pytest.approx(seat.wins - seat.losses)
    assert seat.most == 1.0
    assert "exactly" not in found.report()
    assert "no exact value" in found.report()
    good(found, tmp_path)


@pytest.mark.parametrize("positions", [5, 30])
def test_every_position_is_counted_and_only_games_go_beyond_what_was_allowed(positions: int) -> None:
    step, places = "", dict[str, set[SomeState]]()

    class Noted(Lots):
        def choose(self, view: View) -> int:
            places.setdefault(step, set()).add(view.state)
            return super().choose(view)

    def hear(what: str, done: int, of: int) -> None:
        nonlocal step
        step = what

    (seat,) = duelbook.refute(Noted(), "tower", seat=0, games=20, positions=positions, seed=1, hear=hear).seats
    games = [places.pop(each) for each in ("Learning from games", "Playing the games that count")]
    alone = set().union(*places.values())
    assert "Studying it" in places
    assert len(alone) <= positions
    assert seat.asked == len(alone.union(*games)) > positions


def test_a_bound_by_sampling_is_not_more_than_the_truth() -> None:
    """Of a player at random everything is known. In 95 of 100 samples the bound holds; here are ten of them."""
    exact = exploitability(load("energy"), load("energy").book, ["random"])["random"].seats[1].value
    samples = [duelbook.refute(Lots(), "energy", seat=1, games=40, seed=seed).seats[0] for seed in range(10)]
    assert Counter(sample.value <= exact for sample in samples)[True] >= 8


def test_a_fault_at_one_position_is_found_and_named(tmp_path: Path) -> None:
    where = "4 4 2"
    found = duelbook.refute(Faulty(where), "tower", seat=1)
    (seat,) = found.seats
    (fault,) = seat.faults
    assert fault.position == where
    assert fault.kind == "crashed"
    assert ends_at("tower", fault.line) == where
    assert "division by zero" in fault.sentence
    assert found.refuted
    assert where in found.report()
    good(found, tmp_path)


def test_a_fault_can_be_the_shortest_way_to_beat_somebody(tmp_path: Path) -> None:
    """Perfect in the seat that wins, but for its answer to the first move."""
    energy = load("energy")
    position = energy.write_position(energy.book, energy.apply(energy.book, energy.start(energy.book, 0), 0))
    (seat,) = duelbook.refute(Faulty(position), "energy", seat=1).seats
    assert seat.beaten
    assert seat.refuted
    assert seat.record is not None
    assert seat.record.match.outcome is not None
    assert seat.record.match.outcome.kind == "fault"
    assert seat.record.match.turns == 1
    good(duelbook.refute(Faulty(position), "energy", seat=1), tmp_path)


def test_who_fails_only_at_first_is_told_that_it_failed_and_no_move_that_it_never_made() -> None:
    """Asked and asked again it fails, so a fault is the whole line; in the game it has woken up."""

    class Late:
        def __init__(self) -> None:
            self.asked = count()

        def choose(self, view: View) -> int:
            if next(self.asked) < 2:
                raise ValueError("not warm yet")
            return view.legal()[0]

    (seat,) = duelbook.refute(Late(), "tower", seat=0, games=5, seed=1).seats
    assert seat.how == SAMPLED
    assert seat.differs == "At 0 0 1 it failed (crashed), and then said build 1."


def test_who_fails_only_in_the_game_is_told_what_it_said_before() -> None:
    class Tiring(Always):
        def choose(self, view: View) -> int:
            self.asked = getattr(self, "asked", 0) + 1
            if self.asked == 2 * whole + 1:
                raise ValueError("tired")
            return super().choose(view)

    whole = duelbook.refute(Always(0), "tower", seat=0).seats[0].asked
    (seat,) = duelbook.refute(Tiring(0), "tower", seat=0, games=5, seed=1).seats
    assert seat.how == SAMPLED
    assert seat.differs == "At 0 0 1 it said build 1, and then failed (crashed)."


def test_whoever_fails_everywhere_is_not_asked_everywhere() -> None:
    class Broken:
        def __init__(self) -> None:
            self.asked = 0

        def choose(self, view: View) -> int:
            self.asked += 1
            raise RuntimeError("no")

    player = Broken()
    (seat,) = duelbook.refute(player, "conquer", seat=1).seats
    assert seat.beaten
    assert seat.faults
    assert player.asked < 100


@pytest.mark.parametrize("positions", [1, 5, 20])
def test_what_was_not_asked_makes_a_bound_and_no_exact_value(positions: int) -> None:
    whole = duelbook.refute(Always(3), "tower", seat=0).seats[0]
    (part,) = duelbook.refute(Always(3), "tower", seat=0, positions=positions).seats
    assert part.asked <= positions
    assert part.value <= whole.value <= part.most
    assert not part.complete
    assert part.how == (EXACT if part.value == part.most else AT_LEAST)
    assert not part.nothing_more


def test_losses_are_exact_at_every_position_that_was_asked() -> None:
    tower = load("tower")
    solution = solution_for(tower, tower.book)
    (seat,) = duelbook.refute(Always(0), "tower", seat=0).seats
    assert seat.lost.losing == len(seat.lost.slips)
    for slip in seat.lost.slips:
        assert slip.lost == pytest.approx(solution.loss(slip.state, 0, slip.move) / 2)
    assert seat.lost.total == pytest.approx(sum(slip.lost for slip in seat.lost.slips))


def test_a_move_that_is_rarely_made_still_loses_all_that_it_loses() -> None:
    """What a move loses is one thing, and what a decision loses in which it is one of several moves another."""
    tower = load("tower")
    solution = solution_for(tower, tower.book)
    found = duelbook.refute(Planned("level:3"), "tower", seat=0)
    lost = found.seats[0].lost
    assert lost.slips
    for slip in lost.slips:
        plan = plan_of("level:3", tower, tower.book, slip.state, 0)
        losses = {move: solution.loss(slip.state, 0, move) / 2 for move, share in enumerate(plan) if share > 0}
        assert slip.lost == losses[slip.move] == max(losses.values())
        assert slip.share == plan[slip.move]
        assert slip.mean == pytest.approx(sum(plan[move] * each for move, each in losses.items()))
    assert lost.total == pytest.approx(sum(slip.mean for slip in lost.slips))
    assert lost.worst == lost.slips[0].mean == max(slip.mean for slip in lost.slips)
    first = lost.slips[0]
    where, word = tower.write_position(tower.book, first.state), tower.dialogue.words(tower.book)[first.move]
    assert (
        f"  at {where}: {word} loses {100 * first.lost:.1f}, made {100 * first.share:.0f} % of the time; "
        f"on average {100 * first.mean:.1f} is lost there" in found.report()
    )
    assert "the worst, on average over all that it does at a position." in found.report()
    assert "average" not in duelbook.refute(Always(0), "tower", seat=0).report()
    told = found.data()["seats"][0]["lost"]["slips"][0]  # type: ignore[index]  # as JSON has it
    assert (told["lost"], told["share"], told["mean"]) == (first.lost, first.share, first.mean)


def test_reasons_stand_in_the_record() -> None:
    (seat,) = duelbook.refute(Always(0), "tower", seat=0).seats
    assert seat.record is not None
    text = duelbook.writes(seat.record)
    assert "Refuted" in text
    assert "points of win probability" in text


def test_wrong_questions_are_answered_in_sentences(tmp_path: Path) -> None:
    for player in ("human", "nobody", 3):
        with pytest.raises(DuelError):
            duelbook.refute(player, "tower")  # type: ignore[arg-type]  # that is the question
    with pytest.raises(DuelError, match="seat"):
        duelbook.refute("random", "tower", seat=2)
    with pytest.raises(DuelError, match="positions"):
        duelbook.refute("random", "tower", positions=0)
    with pytest.raises(DuelError, match=r"language model costs something.* --positions 50; from Python, positions=50"):
        duelbook.refute("llm:openai/some-model", "tower")
    found = duelbook.refute("random", "tower")
    found.write(tmp_path / "one.duel")
    with pytest.raises(DuelError):
        found.write(tmp_path / "one.duel")

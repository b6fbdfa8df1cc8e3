"""`duelbook refute`: the most that anybody can get against a player, in each seat, with the line of play that shows it.

Of players who are tables everything is known. Whoever else always answers the same is asked at every position that can
come up against it, so the best response is exact, too; where not all may be asked, what is found is what can be had at
least. Against all others a response is learnt and then played: a bound that holds in 95 of 100 samples, and is called
so.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from duelbook import folders
from duelbook.core import DuelError, Game, SomeRules, SomeState, check_beginning, rules_given, settings, whole
from duelbook.disk import PUBLIC, refuse_to_replace, write_atomically
from duelbook.exam.examinee import Candidate, candidate
from duelbook.exam.paper import Subject
from duelbook.exam.refuting.asking import Answers, Asker, Differs, Hear, Said
from duelbook.exam.refuting.courses import Tabled, Walked, line_that_wins, usual_line
from duelbook.exam.refuting.lines import as_record, in_words, play_line, told_line, way_to
from duelbook.exam.refuting.losses import Lost, losses_of, losses_of_table
from duelbook.exam.refuting.sampling import Sample, Study
from duelbook.exam.refuting.walking import Walk
from duelbook.games import duel_of
from duelbook.luck import derive, new_seed
from duelbook.match import Match, Player, PlayerFault
from duelbook.players import LLM
from duelbook.policies.exploitability import responses
from duelbook.policies.ladder import laid_out
from duelbook.policies.table_plans import table_plan
from duelbook.record import Record, writes
from duelbook.solving.library import solution_for

POSITIONS, MOST_POSITIONS = 100_000, 10_000_000
"""At so many positions a player is asked outside of games, unless somebody says otherwise, and at most."""
GAMES, MOST_GAMES = 200, 100_000
"""So many games count against a player who does not always do the same."""
FEW = 200
"""After so many answers it is tried for a first time whether they stay the same."""
EXACT, AT_LEAST, SAMPLED = "exact", "at least", "sampled"
CERTAIN = 1e-9
"""A value nearer to another than this is that."""


class Fault(NamedTuple):
    """A position at which a player fails, and how a game comes there."""

    position: str
    kind: str
    sentence: str
    line: str


class Seat(NamedTuple):
    """What was found against a player in one of the seats."""

    seat: int
    """Where the player sits."""
    how: str
    """EXACT, AT_LEAST where not all could be asked, or SAMPLED."""
    game: float
    """What the duel is worth to whoever sits opposite, from -1 to 1,"""
    value: float
    """and what can be had against this player: exactly, or at least. Of a sample that holds in 95 of 100."""
    most: float
    """Nobody can get more than this."""
    wins: float
    """How likely the best response wins,"""
    losses: float
    """and how likely it loses; of a sample the bounds on these."""
    asked: int
    """At so many positions the player was asked, those of games included,"""
    times: int
    """so often altogether."""
    positions: int
    """So many the duel has, mirrors counted once."""
    lost: Lost
    """What its answers lose against perfect play."""
    same: bool
    """Whether it always answered the same."""
    differs: str
    """Where it did not: the position, and what it did there."""
    faults: tuple[Fault, ...]
    record: Record | None
    """A game that shows it; none where there is nothing to show."""
    forced: bool
    """Whether nothing can change the way that game goes."""
    complete: bool = True
    """Whether everything was asked that can come up; what is exact without that was proven by less."""
    sample: Sample | None = None

    @property
    def exploitability(self) -> float:
        """What the player gives away, in win probability."""
        return max(self.value - self.game, 0.0) / 2

    @property
    def refuted(self) -> bool:
        """Whether more can be had against it than the duel is worth."""
        return self.value > self.game + 2 * CERTAIN

    @property
    def nothing_more(self) -> bool:
        """Whether nobody can do better against it than the duel is worth: proven, not only not found."""
        return self.most <= self.game + 2 * CERTAIN

    @property
    def beaten(self) -> bool:
        """Whether it loses for sure."""
        return self.value >= 1 - CERTAIN and self.how != SAMPLED


class Refutation(NamedTuple):
    """What was found against a player in a duel."""

    player: str
    kind: str
    game: Game
    rules: SomeRules
    seats: tuple[Seat, ...]
    seed: int

    @property
    def duel(self) -> str:
        return " ".join([self.game.id, *settings(self.game, self.rules)])

    @property
    def refuted(self) -> bool:
        return any(seat.refuted or seat.faults for seat in self.seats)

    @property
    def records(self) -> list[Record]:
        return [seat.record for seat in self.seats if seat.record is not None]

    def report(self) -> str:
        from duelbook.exam.refuting.telling import lines

        return "\n".join(lines(self))

    def data(self) -> dict[str, object]:
        from duelbook.exam.refuting.data import as_json

        return as_json(self)

    def write(self, file: str | Path, *, replace: bool = False) -> None:
        """The games that show it, as a `.duel` file. A file that is there is replaced only on request."""
        write_records(file, [self], replace=replace)


def write_records(file: str | Path, found: Iterable[Refutation], *, replace: bool = False) -> int:
    """Games of several refutations in one file; how many there are. Where there is none, nothing is written."""
    path = folders.named(file)
    if not replace:
        refuse_to_replace(path)
    texts = [writes(record) for each in found for record in each.records]
    if texts:
        write_atomically(path, "\n".join(texts), mode=PUBLIC)
    return len(texts)


def refute(
    player: str | Player | Candidate,
    duel: str | Game,
    *,
    rules: SomeRules | Iterable[str] = (),
    seat: int | None = None,
    positions: int | None = None,
    games: int = GAMES,
    seed: int | None = None,
    hear: Hear = lambda step, done, of: None,
) -> Refutation:
    """The most that anybody can get against a player.

    `rules` is a record of the duel's rules, or settings such as ["goal=20"]; `seat` is 0 or 1 for one seat only.
    """
    game = duel_of(duel)
    used = rules_given(game, rules)
    check_beginning(game, used)
    entered = player if isinstance(player, Candidate) else candidate(player)
    most = check_positions(entered, positions)
    whole(games, "The number of games", 1, MOST_GAMES)
    if seat is not None:
        whole(seat, "The seat of the player", 0, 1)
    used_seed = new_seed() if seed is None else seed
    subject = Subject(game, used, solution_for(game, used))
    seats = (0, 1) if seat is None else (seat,)
    if entered.tabular:
        found = _tables(entered, subject, seats)
    else:
        found = [_asked(entered, subject, each, most, games, derive(used_seed, "seat", each), hear) for each in seats]
    return Refutation(entered.name, entered.kind, game, used, tuple(found), used_seed)


def check_positions(entered: Candidate, positions: int | None) -> int:
    """At how many positions a player may be asked. Who costs money is asked for nothing that nobody has ordered."""
    if positions is None and entered.kind.startswith(LLM):
        raise DuelError(
            "Every question to a language model costs something: say at how many positions it may be asked, as by "
            "--positions 50; from Python, positions=50."
        )
    return whole(POSITIONS if positions is None else positions, "The number of positions", 1, MOST_POSITIONS)


# Players who are tables


def _tables(entered: Candidate, subject: Subject, seats: Iterable[int]) -> list[Seat]:
    game, rules, solution = subject.game, subject.rules, subject.solution
    table, machine = laid_out(game, rules)
    plan = table_plan(table, machine, game, entered.kind)
    value = solution.value(game.start(rules, 0))
    both, lost, found = responses(table, machine, plan), losses_of_table(table, machine, plan), list[Seat]()
    for seat in seats:
        worth = value if seat == 1 else 0.0 - value
        course = Tabled(subject, seat, table, plan, both[seat], worth)
        steps = line_that_wins(course, subject) or usual_line(course, subject)
        against = course.against
        best = _exact(against.value, worth)
        known = Seat(
            seat, EXACT, worth, best, best, against.wins, against.losses, 0, 0, solution.states, lost, True, "", (),
            None, False,
        )  # fmt: skip
        match = told_line(subject, seat, entered.name, steps)
        found.append(_with_record(known, entered, subject, match, not course.by_luck))
    return found


def _exact(value: float, game: float) -> float:
    """A best response gets at least what the duel is worth: what is less by rounding is that."""
    return game if abs(value - game) <= CERTAIN else value


# Players who are asked


def _asked(entered: Candidate, subject: Subject, seat: int, most: int, games: int, seed: int, hear: Hear) -> Seat:
    asker = Asker(entered, subject, seat, seed)
    try:
        try:
            asker.begin()
        except PlayerFault as error:
            raise DuelError(f"{entered.name} does not get ready to play: {error.sentence}") from None
        found = _always_the_same(asker, most, hear)
        if isinstance(found, Seat):
            return found
        return _sampled(asker, most, games, seed, hear, found)
    finally:
        asker.close()


def _always_the_same(asker: Asker, most: int, hear: Hear) -> Seat | str:
    """What was found against whoever always answers the same; otherwise where it did not."""
    subject, seat = asker.subject, asker.seat
    answers = Answers(asker, min(most, FEW), hear)
    walk = Walk(subject, seat)
    walk.follow(answers.ask)
    differs = answers.again(list(answers.said))
    if differs is None and answers.enough and most > FEW:
        answers.most = most
        walk = Walk(subject, seat)
        walk.follow(answers.ask)
        differs = answers.again(list(answers.said))
    if differs is not None:
        return _difference(subject, differs)
    course = Walked(walk)
    steps = line_that_wins(course, subject) or usual_line(course, subject)
    match = play_line(asker, steps, answers.said)
    if isinstance(match, Differs):
        return _difference(subject, match)
    against, best = course.against, _exact(course.against.value, course.against.game)
    highest = best if course.most - best <= CERTAIN else course.most
    how = EXACT if highest == best else AT_LEAST
    lost = losses_of(subject, seat, answers.said)
    faults = [_fault(walk, state, answers.said[state]) for state in answers.faults]
    known = Seat(
        seat, how, against.game, best, highest, against.wins, against.losses, len(asker.asked), asker.times,
        subject.solution.states, lost, True, "", tuple(faults), None, False,
    )  # fmt: skip
    known = known._replace(complete=not walk.closed)
    return _with_record(known, asker.candidate, subject, match, not course.by_luck)


def _difference(subject: Subject, differs: Differs) -> str:
    words = subject.game.dialogue.words(subject.rules)

    def told(said: Said) -> str:
        if said.fault:
            return f"failed ({said.fault})"
        return "said " + " or ".join(
            words[move] if share == 1 else f"{words[move]} {100 * share:.3g} %" for move, share in said.shares
        )

    where = subject.game.write_position(subject.rules, differs.state)
    return f"At {where} it {told(differs.first)}, and then {told(differs.second)}."


def _fault(walk: Walk, state: SomeState, said: Said) -> Fault:
    subject = walk.subject
    where = subject.game.write_position(subject.rules, state)
    return Fault(where, said.fault, said.sentence, in_words(subject, way_to(walk, state)))


def _sampled(asker: Asker, most: int, games: int, seed: int, hear: Hear, differs: str) -> Seat:
    subject, seat = asker.subject, asker.seat
    solution = subject.solution
    study = Study(asker, most, seed, hear)
    sample, match = study.sampled(games)
    worth = solution.value(subject.game.start(subject.rules, 0)) * (1 if seat == 1 else -1) + 0.0
    faults = list[Fault]()
    if study.faults:
        walk = Walk(subject, seat)
        walk.follow(study.known)
        faults = [_fault(walk, state, said) for state, said in study.faults.items() if state in walk.place_of]
    said = {state: each for state in study.studied if (each := study.known(state, 0)) is not None}
    known = Seat(
        seat, SAMPLED, worth, sample.value, 1.0, sample.wins_least, sample.losses_most, len(asker.asked), asker.times,
        solution.states, losses_of(subject, seat, said), False, differs, tuple(faults), None, False, False, sample,
    )  # fmt: skip
    return _with_record(known, asker.candidate, subject, match, False)


# The game that shows it


def _with_record(seat: Seat, entered: Candidate, subject: Subject, match: Match, forced: bool) -> Seat:
    from duelbook.exam.refuting.telling import preface

    hero = 1 - seat.seat
    won = match.outcome is not None and match.outcome.winner == hero
    if not (won or seat.refuted):
        return seat
    shown = seat._replace(forced=forced and won)
    words = preface(shown, subject.game, entered.name)
    return shown._replace(record=as_record(subject, seat.seat, entered.kind, match, words))

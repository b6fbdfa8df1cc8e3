"""A line of play as a record that anybody can check: played against the player itself, with the reasons as comments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from duelbook.coach.reasons import reason
from duelbook.core import BOTH, LUCK, DuelError, SomeState
from duelbook.exam.paper import Subject
from duelbook.exam.refuting.asking import FAULT, Asker, Differs, Said
from duelbook.exam.refuting.courses import Step
from duelbook.exam.refuting.sampling import REFUTER
from duelbook.exam.refuting.walking import Walk
from duelbook.match import Match, PlayerFault
from duelbook.players import PYTHON
from duelbook.record import Record, move_text

SAME = 1e-9
"""What loses less than this loses nothing."""


def begun(subject: Subject, seat: int, name: str, steps: Sequence[Step] = ()) -> Match:
    """A match in which luck brings what the line needs."""
    names = (name, REFUTER) if seat == 0 else (REFUTER, name)
    faces = tuple(step.play for step in steps if step.turn == LUCK and isinstance(step.play, int))
    return Match(subject.game, subject.rules, stacked=faces, names=names)


def play_line(asker: Asker, steps: Sequence[Step], said_before: Mapping[SomeState, Said]) -> Match | Differs:
    """The line played in a real game: the player is asked for every move of its own, from the beginning.

    Where it does something that it did not say before, the line is no proof, and that is what is told.
    """
    match, seat = begun(asker.subject, asker.seat, asker.candidate.name, steps), asker.seat
    asker.restart()
    try:
        asker.begin()
    except PlayerFault as error:  # it was ready before, so this is a fault of its own
        match.fail(seat, error)
    for turn, play in steps:
        if match.outcome is not None:
            break
        if turn == LUCK:
            match.deal()
            continue
        if turn in (seat, BOTH):
            expected = play[seat] if isinstance(play, tuple) else play
            said, state = asker.ask(match.state, match.turns), match.state
            if expected not in (move for move, _ in said.shares):
                return Differs(state, said_before[state], said)
            if expected == FAULT:
                match.fail(seat, PlayerFault(said.fault, said.sentence))
                break
            match.play(seat, expected)
        if turn in (1 - seat, BOTH):
            match.play(1 - seat, play[1 - seat] if isinstance(play, tuple) else play)
        if match.stands_still:
            match.ring()
    return match


def told_line(subject: Subject, seat: int, name: str, steps: Sequence[Step]) -> Match:
    """The same with a player whose every move is known beforehand, so that nobody need be asked."""
    match = begun(subject, seat, name, steps)
    for turn, play in steps:
        if match.outcome is not None:
            break
        if turn == LUCK:
            match.deal()
        elif isinstance(play, tuple):
            for each in (0, 1):
                match.play(each, play[each])
        else:
            match.play(turn, play)
        if match.stands_still:
            match.ring()
    return match


def way_to(walk: Walk, state: SomeState) -> tuple[Step, ...]:
    """How a place was first reached, step by step."""
    game, rules = walk.subject.game, walk.subject.rules
    place, steps = walk.place_of[state], list[Step]()
    while True:
        before, way = walk.came_by[place]
        if before < 0:
            return tuple(reversed(steps))
        play, turn = walk.plays[way], game.turn(rules, walk.states[before])
        if before in walk.picked:  # the player's pick; the hero's was made a place earlier
            steps.append(_pair(walk, walk.picked[before], play))
            before = walk.came_by[before][0]
        elif turn == BOTH:
            steps.append(_pair(walk, play, walk.said[before].shares[0][0]))
        else:
            steps.append(Step(turn, play))
        place = before


def _pair(walk: Walk, pick: int, answer: int) -> Step:
    return Step(BOTH, (pick, answer) if walk.hero == 0 else (answer, pick))


def in_words(subject: Subject, steps: Sequence[Step]) -> str:
    """`build 4, build 1, attack`; of the start there is nothing to say."""
    match = Match(subject.game, subject.rules)
    return ", ".join(move_text(match, step.turn, step.play) for step in steps)


def as_record(subject: Subject, seat: int, kind: str, match: Match, preface: str) -> Record:
    """The match with what every losing decision of the player loses, and why."""
    kinds = (kind, f"{PYTHON}refutation")
    comments = {0: preface}
    for at, step in enumerate(match.steps, 1):
        if step.turn in (seat, BOTH):
            move = step.play[seat] if isinstance(step.play, tuple) else step.play
            said = _why(subject, step.before, seat, move, match.names[seat])
            if said:
                comments[at] = said
    if match.outcome is not None and match.outcome.kind == "fault":
        last = len(match.steps)
        comments[last] = " ".join(filter(None, (comments.get(last), f"Here it fails. {match.outcome.reason}")))
    today = date.today().strftime("%Y.%m.%d")
    return Record(match, kinds if seat == 0 else (kinds[1], kinds[0]), today, comments=comments)


def _why(subject: Subject, state: SomeState, seat: int, move: int, name: str) -> str:
    solution = subject.solution
    try:
        lost = solution.loss(state, seat, move) / 2
        if lost <= SAME:
            return ""
        words = " ".join(reason(solution, state, seat, move).lines())
    except DuelError:  # a foul has a price and no reason of its own
        return ""
    return f"{name} loses {100 * lost:.1f} points of win probability. {words}".rstrip()

"""A refutation in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from duelbook.coach.words import percent, percents
from duelbook.record import Record
from duelbook.record.moves import written
from duelbook.speech import amount

if TYPE_CHECKING:
    from duelbook.core import Game
    from duelbook.exam.refutation import Refutation, Seat

MOST_MOVES = 30
"""So many moves of a line are shown; the record has all of them."""
CERTAIN = 1e-9
SHOWN = 3
"""So many of the worst decisions, and of the faults."""


def lines(found: Refutation) -> Iterator[str]:
    yield f"{found.player} in {found.duel}"
    for seat in found.seats:
        yield ""
        yield f"In seat {seat.seat + 1}"
        yield from (f"  {line}" for line in _seat(seat, found))


def _seat(seat: Seat, found: Refutation) -> Iterator[str]:
    yield verdict(seat, found.game)
    yield _known(seat)
    if seat.differs:
        yield f"It does not always answer the same. {seat.differs}"
    yield from _losses(seat, found)
    for fault in seat.faults[:SHOWN]:
        after = f" after {fault.line}" if fault.line else ""
        yield f"It fails ({fault.kind}) at {fault.position}{after}: {fault.sentence}"
    if len(seat.faults) > SHOWN:
        yield f"It fails at {amount(len(seat.faults) - SHOWN, 'other position')}, too."
    if seat.record is not None:
        yield f"{_about(seat)}: {_line(seat, found.game)}"


def verdict(seat: Seat, game: Game) -> str:
    """The finding in a sentence or two."""
    worth, gets = percents((1 + seat.game) / 2, (1 + seat.value) / 2)
    most = percents((1 + seat.most) / 2)[0]
    who = game.seats[1 - seat.seat]
    if seat.how == "sampled":
        return _sampled(seat, worth, gets, who)
    if seat.nothing_more and seat.beaten:
        return _won_anyway(seat, who)
    if seat.nothing_more:
        return f"Nothing to refute: nobody can do better against it than the duel is worth, {worth} to {who}."
    if seat.how == "at least":
        if not seat.refuted:
            return (
                f"Not refuted: of what was asked nothing shows that more can be had than the {worth} that the duel is "
                f"worth to {who}. With more positions it may be up to {most}."
            )
        upto = f", and perhaps up to {most}" if seat.most > seat.value + CERTAIN else ""
        return f"Refuted: {who} gets at least {gets} against it{upto}, where the duel is worth {worth}."
    if seat.beaten:
        return f"Refuted: against the best answer it always loses in the end, where the duel is worth {worth} to {who}."
    return f"Refuted: the best answer gets {gets} against it, where the duel is worth {worth} to {who}; exactly."


def _won_anyway(seat: Seat, who: str) -> str:
    if seat.faults:
        return f"It fails, and a fault loses the game; but anybody can be beaten here, for the duel is won for {who}."
    return f"Nothing to refute: it can be beaten, but so can anybody, for the duel is won for {who}."


def _sampled(seat: Seat, worth: str, gets: str, who: str) -> str:
    sample = seat.sample
    assert sample is not None  # there is one of whoever was played
    result = (
        f"{sample.wins:,} won and {sample.losses:,} lost of {amount(sample.games, 'game')} that an answer learnt "
        f"before has played against it. So that answer gets at least {gets} (no exact value: it holds for 95 of 100 "
        f"such samples, if the games do not depend on each other), where the duel is worth {worth}."
    )
    if seat.refuted:
        return f"Refuted by a sample: {result}"
    return f"{_won_anyway(seat, who)} {result}" if seat.nothing_more else f"Not refuted by this sample: {result}"


def _known(seat: Seat) -> str:
    if not seat.times:
        return f"It is a table: all of the duel's {seat.positions:,} positions are known, and nobody was asked."
    times = f"asked at {amount(seat.asked, 'position')}, {amount(seat.times, 'time')} in all"
    of = f"the duel has {seat.positions:,}, mirrors counted once"
    if seat.how == "exact" and not seat.complete:
        return f"It was {times}, and it always answered the same. That was enough to be sure; {of}."
    if seat.how == "exact":
        return f"It was {times}: every position that matters against it ({of}). It always answered the same."
    if seat.how == "at least":
        return f"It was {times}, and it always answered the same; {of}, and not all that matter were asked."
    return f"It was {times}, the games included; {of}."


def _losses(seat: Seat, found: Refutation) -> Iterator[str]:
    lost = seat.lost
    if not lost.decisions:  # it failed wherever it was asked
        return
    if not lost.losing:
        yield f"None of its {amount(lost.decisions, 'decision')} loses anything against perfect play."
        return
    several = any(slip.share < 1 for slip in lost.slips) or not lost.slips  # of a table only the means are known
    over = ", on average over all that it does at a position" if several else ""
    yield (
        f"{lost.losing:,} of {amount(lost.decisions, 'decision')} lose something against perfect play: "
        f"{100 * lost.mean:.2f} points a decision, {100 * lost.worst:.1f} the worst{over}."
    )
    words = found.game.dialogue.words(found.rules)
    for slip in lost.slips[:SHOWN]:
        where = found.game.write_position(found.rules, slip.state)
        told = f"  at {where}: {words[slip.move]} loses {100 * slip.lost:.1f}"
        often = f", made {percent(slip.share)} of the time; on average {100 * slip.mean:.1f} is lost there"
        yield told + often * (slip.share < 1)


def _about(seat: Seat) -> str:
    assert seat.record is not None
    match = seat.record.match
    won = match.outcome is not None and match.outcome.winner == 1 - seat.seat
    turns = amount(match.turns, "turn") if match.turns else "at once"
    if seat.how == "sampled":
        return f"One of these games, {turns}"
    if not won and seat.beaten:  # what comes after that was not asked for, and makes no difference
        return f"A way to where it has lost, whatever it does, {turns}"
    if not won:
        return f"What happens mostly, {turns}"
    if seat.forced:
        return f"The shortest way to beat it, {turns}" if seat.how == "exact" else f"A way to beat it, {turns}"
    return f"A likely win, {turns}"


def _line(seat: Seat, game: Game) -> str:
    assert seat.record is not None
    match = seat.record.match
    moves = written(Record(match))[:-1]
    more = " ..." if len(moves) > MOST_MOVES else ""
    line = f"{' '.join(moves[:MOST_MOVES])}{more}"
    if match.outcome is not None and not more:
        return f"{line}. {match.outcome.reason}" if line else match.outcome.reason
    return line if more else f"{line}. That is {game.write_position(match.rules, match.state)}."


def preface(seat: Seat, game: Game, name: str) -> str:
    """What stands before the first move of the record."""
    which = "It is forced: nothing here is left to chance." if seat.forced else ""
    return " ".join(filter(None, (f"{name} in seat {seat.seat + 1}.", verdict(seat, game), which)))

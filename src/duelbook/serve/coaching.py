"""What the coach works out for pages, in the adviser's process: asked with texts, and answered with plain values."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from duelbook.coach.coach import Coach
from duelbook.coach.decision import Decision
from duelbook.coach.report import accounting, cost, flawless, heading, in_words, slips_and_why, two_numbers, worst
from duelbook.coach.review import Review, averages, review
from duelbook.coach.words import SAME, chance, percent, points
from duelbook.core import BOTH, LUCK
from duelbook.games import load
from duelbook.match import Match
from duelbook.puzzles.puzzle import Puzzle, judge, read, shown
from duelbook.puzzles.source import daily
from duelbook.record import Record, reads
from duelbook.speech import amount

MOST_SLIPS = 3


# During a game against a program


class Standing(NamedTuple):
    """Who is ahead, in two numbers, and what was given away last."""

    wins: float
    """Of Player 1, if both play perfectly from here on."""
    shown: tuple[str, str]
    """The same of both, in words."""
    second: str
    """Against this opponent, where that is known."""
    remark: str
    """What the last decision of whoever asks gave away; nothing where it gave nothing."""
    why: tuple[str, ...]


def stand(text: str, seat: int) -> Standing:
    record = _only(text)
    coach = Coach(record.match, record.seats)
    coach.find_odds()
    wins = chance(coach.solution.value(record.match.state))
    said = _remark(record, seat)
    return Standing(wins, (percent(wins), percent(1 - wins)), coach.second_number(), *said)


def hint(text: str, seat: int) -> list[str]:
    record = _only(text)
    coach = Coach(record.match, record.seats)
    coach.find_odds()
    return coach.hint(seat)


def _only(text: str) -> Record:
    (record,) = reads(text)
    return record


def _remark(record: Record, seat: int) -> tuple[str, tuple[str, ...]]:
    """What the coach says of the last thing that this seat decided, whatever has happened since."""
    steps = record.match.steps
    mine = [at for at, step in enumerate(steps) if step.turn in (seat, BOTH)]
    if not mine:
        return "", ()
    coach = Coach(_replayed(record.match, mine[-1] + 1), record.seats)
    coach.find_odds()
    found = [remark for remark in coach.remarks() if remark.seat == seat]
    return (found[0].sentence, found[0].why) if found else ("", ())


def _replayed(match: Match, steps: int) -> Match:
    """The same game up to here."""
    again = Match(match.game, match.rules, start=match.start, max_turns=match.max_turns, names=match.names)
    for step in match.steps[:steps]:
        if step.turn == LUCK:
            again.deal(step.play)
        elif step.turn == BOTH:
            again.play(0, step.play[0])
            again.play(1, step.play[1])
        else:
            again.play(step.turn, step.play)
    return again


# After it


class Row(NamedTuple):
    """A decision in the table of a review."""

    turn: int
    seat: int
    move: str
    wins: str
    here: str
    lost: str
    luck: str
    guess: str
    better: str
    mark: str


class Looked(NamedTuple):
    """A game, looked back at."""

    heading: str
    names: tuple[str, str]
    curve: tuple[float, ...]
    """The win probability of Player 1 at the start and after every turn."""
    ends_apart: bool
    """Whether the last of these is no turn's, but the end that a resignation or the bell has made."""
    marks: tuple[tuple[int, str], ...]
    """The turns of decisions that are marked."""
    rows: tuple[Row, ...]
    by_luck: bool
    by_guess: bool
    opponent: str
    """What the second number is against; empty where there is none."""
    slips: tuple[tuple[int, str], ...]
    """The worst decisions, each with its turn."""
    flawless: str
    reasons: tuple[tuple[str, tuple[str, ...]], ...]
    """The worst decisions, and to each what is said of it."""
    sums: tuple[str, ...]
    numbers: tuple[str, ...]
    averages: tuple[str, ...]


def look_back(text: str) -> Looked:
    found = review(_only(text))
    match, odds = found.match, found.odds
    bad = worst(found.decisions)[:MOST_SLIPS]
    return Looked(
        heading(found),
        match.names,
        tuple(chance(value) for value in found.curve),
        found.ends_apart,
        tuple((each.turn, each.mark) for each in found.decisions if each.mark),
        tuple(_row(found, each) for each in found.decisions),
        bool(match.game.faces),
        hasattr(match.game.rules_file, "resolve"),
        odds.heading if odds is not None else "",
        tuple((each.turn, _slip(found, each)) for each in bad),
        "" if bad else flawless(found),
        tuple(slips_and_why(found)),
        tuple(accounting(found)),
        tuple(two_numbers(found)),
        tuple(_average(found)),
    )


def _slip(found: Review, each: Decision) -> str:
    name = found.match.names[each.seat]
    return f"Turn {each.turn}, {name}: {each.cards}{each.move} {cost(found, each)}; better was {in_words(each.better)}."


def _row(found: Review, each: Decision) -> Row:
    odds = found.odds
    told = odds is not None and each.here is not None and not (odds.alone and each.seat != odds.whose)
    sooner = f"{amount(each.sooner, 'move')} sooner" if each.sooner else ""
    return Row(
        each.turn,
        each.seat,
        f"{each.cards}{each.move}",
        f"{100 * each.before:.1f} %",
        f"{100 * (each.here or 0.0):.1f} %" if told else "",
        f"{100 * each.lost:.1f}" if each.lost > SAME else "",
        points(each.luck),
        points(each.guess),
        in_words(each.better),
        each.mark or sooner,
    )


def _average(found: Review) -> list[str]:
    said = []
    for each in averages([found]):
        lost = (
            f"lost {100 * each.mean:.2f} points of win probability per decision"
            if each.decisions
            else "decided nothing"
        )
        if each.decisions and each.already_lost == each.decisions:
            lost = "had lost to perfect play before the first decision"
        said.append(f"{each.name} {lost}.")
    return said


# The puzzle of a day


class Posed(NamedTuple):
    """A puzzle as it is put: nothing of its answer."""

    position: str
    seat: int
    lines: tuple[tuple[str, str], ...]
    """Text and tone of what is said before it."""
    choices: tuple[str, ...]
    """The words of all that can be played."""
    rating: int


def pose(duel: str, day: date) -> Posed:
    puzzle = _puzzle(duel, day)
    words = puzzle.game.dialogue.words(puzzle.rules)
    legal = puzzle.game.legal_moves(puzzle.rules, puzzle.state, puzzle.seat)
    lines = tuple((line.text, line.tone) for line in shown(puzzle))
    return Posed(puzzle.position, puzzle.seat, lines, tuple(words[move] for move in legal), puzzle.rating)


def solve(duel: str, day: date, said: str) -> tuple[bool, list[str]]:
    """Whether that is the answer, and why."""
    puzzle = _puzzle(duel, day)
    right, lines = judge(puzzle, read(puzzle, said))
    return right, lines


def _puzzle(duel: str, day: date) -> Puzzle:
    return daily(load(duel), day)

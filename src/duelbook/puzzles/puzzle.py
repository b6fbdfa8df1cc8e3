"""One puzzle: a position where exactly one choice is right, the question, the answer, and why the others are wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from duelbook.coach.hint import Choice, Hint, weighed
from duelbook.coach.reasons import Reason, hardest, reason
from duelbook.coach.words import SAME, WORTH_SAYING, chance, no_more_than, percent
from duelbook.core import BOTH, LUCK, OVER, Game, IllegalMove
from duelbook.match import Match, read_move
from duelbook.puzzles.rating import Candidate, looks, rating_of, temptation
from duelbook.solving.solution import Solution
from duelbook.speech import Line, amount, either


class Wrong(NamedTuple):
    """A choice that looks possible and is not."""

    move: int
    word: str
    lost: float
    """The win probability it gives away."""
    plies: int | None
    """In how many plies it loses with best play, where it can be said."""
    refuted: str
    """What comes of it, in words that follow `it`."""


class Puzzle(NamedTuple):
    game: Game
    rules: object
    state: object
    seat: int
    question: str
    """Gives nothing away."""
    answer: int
    word: str
    """The answer in the duel's own words."""
    wins: float
    """The win probability of the player to decide, once the answer is found."""
    why: str
    """The coach's sentence about the answer; it begins with the answer's word."""
    wrong: tuple[Wrong, ...]
    """All other choices, the most tempting first."""
    rating: int
    """How hard it is, on the scale of `rating`: 1200 is even odds for somebody who goes by looks alone."""
    at_once: bool
    """The answer ends the game. Such a puzzle is too easy to be a daily one."""
    solution: Solution
    """Where the answer comes from."""

    def reason(self, move: int) -> Reason:
        """Why a move is right or wrong here, as the coach tells it: asked only of those that are shown."""
        return reason(self.solution, self.state, self.seat, move)

    def __repr__(self) -> str:
        return f"Puzzle({self.game.id!r}, {self.position!r}, rating={self.rating})"

    @property
    def position(self) -> str:
        return self.game.write_position(self.rules, self.state)


class Verdict(NamedTuple):
    right: bool
    lines: list[str]


def make(solution: Solution, state: object, seat: int | None = None) -> Puzzle | None:
    """The puzzle at a position, or None where not exactly one choice is right.

    Every other choice must lose as much as the coach would speak up for. The seat is only asked for where both players
    pick at once.
    """
    game, rules = solution.game, solution.rules
    turn = game.turn(rules, state)
    if turn in (LUCK, OVER):
        return None
    seat = turn if turn != BOTH else seat or 0
    if turn == BOTH and not _may_be_one(solution, state, seat):
        return None
    lost = {option.move: option.lost for option in solution.options(state, seat)}
    right = [move for move, loss in lost.items() if loss <= SAME]
    if len(right) != 1 or len(lost) < 2:
        return None
    (answer,) = right
    if any(loss < WORTH_SAYING - SAME for move, loss in lost.items() if move != answer):
        return None
    return _described(solution, state, seat, answer, lost)


def _may_be_one(solution: Solution, state: object, seat: int) -> bool:
    """Whether it is worth weighing every pick: there is something to lose, and perfect play needs no lot.

    A lot decides among picks that lose nothing, so that several would be right.
    """
    sure = max(solution.plan(state, seat)) >= 1 - SAME
    return sure and chance(solution.value(state), seat) >= WORTH_SAYING - SAME


def _described(solution: Solution, state: object, seat: int, answer: int, lost: Mapping[int, float]) -> Puzzle:
    game, rules = solution.game, solution.rules
    words = game.dialogue.words(rules)
    advice = weighed(solution, state, seat)
    told = {words.index(choice.word): choice for choice in advice.choices}
    both = game.turn(rules, state) == BOTH
    ends = set() if both else {move for move in lost if game.turn(rules, game.apply(rules, state, move)) == OVER}
    seen = looks(game, rules, state, seat, list(lost))
    # Without luck and secrets a mistake is seen by the end it leads to, elsewhere by how much it loses.
    exact = solution.kind == "backwards"
    candidates = {
        move: Candidate(
            seen[move],
            1 if move in ends else told[move].plies,
            _result(told[move]) if exact or move in ends else 0,
            0.0 if exact else loss,
        )
        for move, loss in lost.items()
    }
    right = candidates[answer]
    tempting = sorted((move for move in lost if move != answer), key=lambda move: -temptation(candidates[move], right))
    wrong = tuple(
        Wrong(
            move,
            words[move],
            lost[move],
            candidates[move].plies if candidates[move].result < 0 else None,
            _punished(solution, state, seat, move) if both else _refuted(told[move]),
        )
        for move in tempting
    )
    return Puzzle(
        game,
        rules,
        state,
        seat,
        _question(solution, seat, advice),
        answer,
        words[answer],
        advice.wins,
        advice.why,
        wrong,
        rating_of(right, [candidates[move] for move in tempting]),
        answer in ends,
        solution,
    )


def _result(choice: Choice) -> int:
    """1 for a choice that wins for certain, -1 for one that loses, 0 for all between."""
    return (choice.wins >= 1 - SAME) - (choice.wins <= SAME)


def _question(solution: Solution, seat: int, advice: Hint) -> str:
    name = solution.game.seats[seat]
    if solution.kind == "luck":  # how good the chances are is part of the answer
        return f"{name} to move: only one choice is right. Which?"
    wins = advice.wins >= 1 - SAME
    if solution.kind == "picks":
        what = "wins whatever they pick" if wins else "gives nothing away"
        return f"Both pick at once. {name}: only one pick {what}. Which?"
    return f"{name} to move: only one move {'wins' if wins else 'holds'}. Which?"


def _refuted(choice: Choice) -> str:
    if choice.plies is None and choice.about.startswith("wins ") and choice.wins <= SAME:
        return "loses"
    if choice.plies is None and choice.about.startswith("wins "):
        return f"wins {no_more_than(choice.about.removeprefix('wins '))}"
    if choice.about.startswith("holds"):
        return "lets the win slip: nobody can force one after it"
    return choice.about


def _punished(solution: Solution, state: object, seat: int, pick: int) -> str:
    """What a perfect opponent leaves a pick, and the answers that do it where one alone does."""
    words = solution.game.dialogue.words(solution.rules)
    left = chance(solution.value(state), seat) - solution.loss(state, seat, pick) / 2
    kept = "loses" if left <= SAME else f"keeps only {percent(left)}"
    after = solution.meetings(state, seat, pick)
    answers = [
        answer for answer in hardest(solution, state, seat, pick) if abs(chance(after[answer], seat) - left) <= SAME
    ]
    if not answers:
        return f"{kept} against perfect picks"
    return f"{kept} if they answer {either(words[answer] for answer in answers[:3])}"


# Asking and judging


def shown(puzzle: Puzzle) -> list[Line]:
    """The position in the duel's own words, and the question. No line is said twice."""
    game, rules, state, seat = puzzle[:4]
    status = game.dialogue.status(rules, state, game.seats)
    asked = [] if game.turn(rules, state) == BOTH else game.dialogue.ask(rules, state, seat, game.seats)
    known = {line.text for line in status}
    fresh = [line for line in asked if line.text not in known and line.gauge is None]
    return [*status, *fresh, Line(puzzle.question, "title")]


def prompt(puzzle: Puzzle) -> str:
    return puzzle.game.dialogue.prompt(puzzle.rules, puzzle.state, puzzle.seat, puzzle.game.seats)


def choices(puzzle: Puzzle) -> list[str]:
    """What can be played and what it would do, as `help` says it during play."""
    game, rules, state, seat = puzzle[:4]
    explain = getattr(game.dialogue, "explain", None)
    if explain is not None:
        return list(explain(rules, state, seat))
    words = game.dialogue.words(rules)
    legal = game.legal_moves(rules, state, seat)
    return ["You can play:", *(f"  {words[move]}: {game.dialogue.effect(rules, state, seat, move)}" for move in legal)]


def read(puzzle: Puzzle, text: str) -> int:
    """The move that was typed. Raises Misread or IllegalMove, with what could have been said instead."""
    game, rules, state, seat = puzzle[:4]
    return read_move(Match(game, rules, start=state), seat, text)


def clues(puzzle: Puzzle) -> list[str]:
    """Hints that give away a little at a time: what the answer comes to, then wrong choices, the plainest first.

    None of them says only what the question has said already: it costs what a clue costs. For the same reason each
    takes away half of the choices that may go, and not one of ten.
    """
    comes_to = _comes_to(puzzle)
    found, left = [comes_to] if comes_to else [], list(puzzle.wrong[:0:-1])
    while left:
        half = (len(left) + 1) // 2
        found.append(" ".join(refuted(left[:half])))
        left = left[half:]
    return found


def refuted(wrong: Iterable[Wrong]) -> list[str]:
    """Why not these, as sentences: those with the same fate together."""
    fates: dict[str, list[str]] = {}
    for each in wrong:
        fates.setdefault(each.refuted, []).append(each.word)
    return [f"Not {either(words)}: {'each' if len(words) > 1 else 'it'} {fate}." for fate, words in fates.items()]


def _comes_to(puzzle: Puzzle) -> str:
    """What the answer, or else the rest, comes to; nothing where the question has said it."""
    wins, holds = puzzle.wins >= 1 - SAME, abs(puzzle.wins - 0.5) <= SAME
    if puzzle.solution.kind == "picks" and wins:
        return ""
    if puzzle.solution.kind == "backwards":
        if wins:
            return f"The right one {_wins_in(puzzle)}."
        latest = amount(max(wrong.plies or 0 for wrong in puzzle.wrong), "move")
        if len(puzzle.wrong) == 1:
            return f"The wrong one loses in {latest}."
        return f"All the others lose within {latest}."
    if wins:
        return "The right one wins, if you go on playing as well."
    if holds:
        return "The right one does not win yet: it only keeps you from losing."
    return f"The right one leaves you {percent(puzzle.wins)} to win."


def _wins_in(puzzle: Puzzle) -> str:
    if puzzle.at_once:
        return "wins at once"
    options = puzzle.solution.options(puzzle.state, puzzle.seat)
    plies = next(option.plies for option in options if option.move == puzzle.answer)
    return f"wins in at most {amount(plies or 0, 'move')}, if you go on playing as well"


def judge(puzzle: Puzzle, move: int) -> Verdict:
    """Whether a move is the right one, and why."""
    if move == puzzle.answer:
        first = puzzle.wrong[0]
        alone = len(puzzle.wrong) == 1
        others = "The other choice" if alone else "The most tempting of the others"
        ideas = puzzle.reason(move).ideas
        tempting = [f"{others} is {first.word}: it {first.refuted}."]
        if alone:  # the whole reason why the answer is right, as far as it has not been given yet
            tempting += [idea for idea in puzzle.reason(first.move).ideas[:1] if idea not in ideas]
        return Verdict(True, [f"Right! {puzzle.why}", *ideas, *tempting])
    wrong = next((each for each in puzzle.wrong if each.move == move), None)
    if wrong is None:
        raise IllegalMove(f"That cannot be played at {puzzle.position}.")
    why = puzzle.reason(move)
    # Of a pick, and of a move that ends the game, the first line has said all of it.
    said = puzzle.game.turn(puzzle.rules, puzzle.state) == BOTH or wrong.refuted.endswith("at once")
    line = [] if said else [why.line]
    told = [f"Not {wrong.word}: it {wrong.refuted}.", *line, *why.ideas, f"The right one is {puzzle.why}"]
    return Verdict(False, told)

"""Where puzzles come from: positions that can come up in play, put to the solution.

A duel without luck and secrets has few enough positions to walk through all of them; of the others some are drawn by
a key. The same key draws the same puzzle on every machine, so everybody has the same daily one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from duelbook.core import FIRST, LUCK, OVER, SECOND, DuelError, Game, SomeRules, SomeState
from duelbook.games import ROOMS, load
from duelbook.luck import below, mix
from duelbook.positions.rule_code import rules_key
from duelbook.puzzles.puzzle import Puzzle, make
from duelbook.solving.library import solution_for
from duelbook.solving.solution import Solution

ORDER, DAILY, RANDOM, PLACE, FACE, SIDE, PICK = range(7)
"""Keys of random numbers, so that no two questions are answered by the same ones."""
DRAWS = {"luck": 100, "picks": 6000}
"""So many positions are drawn to choose a puzzle from; with secret picks most are alike, and one of a kind is kept."""
ATTEMPTS = 10
NEAREST = 5
"""A wished rating is answered with one of so many puzzles, or there would be only one answer to it."""

_known: dict[str, tuple[Puzzle, ...]] = {}


def daily(game: Game, day: date) -> Puzzle:
    """The puzzle of a day: the same for everybody. Answers that end the game are left to the easier puzzles."""
    solution = solution_for(game, game.book)
    if solution.kind != "backwards":
        return _drawn(solution, DAILY, day.toordinal(), worth_a_day=True)
    listed = _shuffled(_worth_a_day(all_puzzles(solution)), game)
    lap, place = divmod(day.toordinal(), len(listed))
    # When the list is through it begins again, and then the other player is asked.
    return _turned(solution, listed[place]) if lap % 2 else listed[place]


def daily_game(day: date) -> Game:
    """Which duel has its turn when nobody says which: one that ships, so that it is the same for everybody."""
    return load(list(ROOMS)[day.toordinal() % len(ROOMS)])


def random_puzzle(game: Game, seed: int, rating: int | None = None, rules: SomeRules = None) -> Puzzle:
    """A puzzle by seed, easy ones included; with a rating, one that comes near it. By the book without other rules."""
    solution = solution_for(game, game.book if rules is None else rules)
    if solution.kind != "backwards":
        return _drawn(solution, RANDOM, seed, rating=rating)
    found = _near(all_puzzles(solution), rating)
    puzzle = found[below(len(found), *_key(game), RANDOM, seed)]
    return _turned(solution, puzzle) if below(2, *_key(game), SIDE, seed) else puzzle


def all_puzzles(solution: Solution) -> tuple[Puzzle, ...]:
    """Every puzzle of a duel without luck and secrets; a position and its mirror are one."""
    key = rules_key(solution.game, solution.rules)
    if key not in _known:
        made = (make(solution, state) for state in _walked(solution))
        _known[key] = tuple(puzzle for puzzle in made if puzzle is not None)
    if not _known[key]:
        raise _none(solution.game)
    return _known[key]


def _walked(solution: Solution) -> Iterator[SomeState]:
    """Every position that can follow from the start, mirrors left out."""
    game, rules = solution.game, solution.rules
    waiting = [game.start(rules, seat) for seat in (0, 1)]
    seen = set(waiting)
    places: set[int] = set()
    while waiting:
        state = waiting.pop()
        turn = game.turn(rules, state)
        if turn == OVER:
            continue
        place = solution.place(state)
        if place not in places:
            places.add(place)
            yield state
        for move in game.legal_moves(rules, state, turn):
            after = game.apply(rules, state, move)
            if after not in seen:
                seen.add(after)
                waiting.append(after)


def _worth_a_day(puzzles: Sequence[Puzzle]) -> list[Puzzle]:
    return [puzzle for puzzle in puzzles if not puzzle.at_once] or list(puzzles)


def _shuffled(puzzles: Sequence[Puzzle], game: Game) -> list[Puzzle]:
    """In an order that is the same everywhere and does not show how they were found."""
    listed = list(puzzles)
    for last in range(len(listed) - 1, 0, -1):
        other = below(last + 1, *_key(game), ORDER, last)
        listed[last], listed[other] = listed[other], listed[last]
    return listed


def _near(puzzles: Sequence[Puzzle], rating: int | None) -> Sequence[Puzzle]:
    if rating is None:
        return puzzles
    return sorted(puzzles, key=lambda puzzle: abs(puzzle.rating - rating))[:NEAREST]


def _turned(solution: Solution, puzzle: Puzzle) -> Puzzle:
    """The same puzzle from the other side of the table, where the duel is the same for both."""
    mirror = solution.mirror(puzzle.state)
    return puzzle if mirror is None else make(solution, mirror, 1 - puzzle.seat) or puzzle


def sides(puzzle: Puzzle) -> set[str]:
    """Its position and the mirror of that, as they are written: the same puzzle from either side of the table."""
    mirror = solution_for(puzzle.game, puzzle.rules).mirror(puzzle.state)
    turned = set() if mirror is None else {puzzle.game.write_position(puzzle.rules, mirror)}
    return {puzzle.position} | turned


# Duels with more positions than can be walked through


def _drawn(
    solution: Solution, stream: int, number: int, *, rating: int | None = None, worth_a_day: bool = False
) -> Puzzle:
    for attempt in range(ATTEMPTS):
        key = (*_key(solution.game), stream, number, attempt)
        made = (make(solution, *each) for each in _some_positions(solution, mix(*key)))
        found = [puzzle for puzzle in made if puzzle is not None and not (worth_a_day and puzzle.at_once)]
        if found:
            near = _near(found, rating) if rating is not None else _one_answer(found, mix(*key))
            return near[below(len(near), *key, PLACE)]
    raise _none(solution.game)


def _one_answer(puzzles: Sequence[Puzzle], bits: int) -> list[Puzzle]:
    """Those with one and the same answer. Each answer has the same chance, or the commonest would nearly always do."""
    answers = sorted({puzzle.answer for puzzle in puzzles})
    answer = answers[below(len(answers), bits, SIDE)]
    return [puzzle for puzzle in puzzles if puzzle.answer == answer]


def _some_positions(solution: Solution, bits: int) -> Iterator[tuple[SomeState, int]]:
    """Positions and seats that the table holds, so that they can come up in play. Half of them are turned round."""
    places = [below(len(solution.table), bits, PLACE, draw) for draw in range(DRAWS[solution.kind])]
    if solution.kind == "picks":
        places = _one_of_a_kind(solution, _after_a_round(solution, places, bits))
    for draw, place in enumerate(places):
        if solution.known(place) is None:
            continue
        state = solution.position(place)
        if below(2, bits, SIDE, draw):
            state = solution.mirror(state) or state
        if solution.kind == "luck":
            yield _dealt(solution, state, bits, draw), 0
        else:
            yield from ((state, 0), (state, 1))


def _after_a_round(solution: Solution, places: Sequence[int], bits: int) -> Iterator[int]:
    """Where a round of any legal picks leads: the table also holds places to which none does, as where just one of the
    players has picked before."""
    game, rules = solution.game, solution.rules
    for draw, place in enumerate(places):
        if solution.known(place) is None:
            continue
        state = solution.position(place)
        legal = [game.legal_moves(rules, state, seat) for seat in (FIRST, SECOND)]
        picks = [each[below(len(each), bits, PICK, 2 * draw + seat)] for seat, each in enumerate(legal)]
        after = game.resolve(rules, state, *picks)
        if game.turn(rules, after) != OVER:
            yield solution.place(after)


def _one_of_a_kind(solution: Solution, places: Iterable[int]) -> list[int]:
    """One place for everything that is known: what is known of few is the interesting part."""
    known = {fact: place for place in places if (fact := solution.known(place)) is not None}
    return [known[fact] for fact in sorted(known)]


def _dealt(solution: Solution, state: object, bits: int, draw: int) -> SomeState:
    """The position once a card has come, each card as likely as in play."""
    game, rules = solution.game, solution.rules
    while game.turn(rules, state) == LUCK:
        faces = [face for face in game.faces for _ in range(game.odds(rules, state, face))]
        state = game.deal(rules, state, faces[below(len(faces), bits, FACE, draw)])
    return state


def _key(game: Game) -> tuple[int, ...]:
    return tuple(game.id.encode())


def _none(game: Game) -> DuelError:
    return DuelError(
        f"There are no puzzles for {game.name}: at no position that was looked at is only one choice right."
    )

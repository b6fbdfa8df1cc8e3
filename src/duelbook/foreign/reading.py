"""How somebody's environment is to be driven and read, found by trying: what makes most of its play agree with ours.

There are few ways to be driven and few places where a number can stand. A mistake in a rule spoils some lines under
every reading; a wrong reading spoils nearly all of them. So the reading under which most steps agree is the right one,
and what does not agree under it is a difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any, NamedTuple

from duelbook.core import BOTH, Game
from duelbook.foreign.answers import Answer
from duelbook.foreign.following import INSIDE, JOINT, SEALED, TURNS, Followed, Reading, actions, follow
from duelbook.foreign.hosted import BadEnvironment, Hosted
from duelbook.foreign.lines import Play, ends, numbers, walks

FORMATS = ("{move}", "\\boxed{{{move}}}", "[{move}]", "<answer>{move}</answer>")
"""How text environments want a move to be written, the plainest first."""
OPENING = 8
"""So many steps of each line count: what comes after a difference is worth nothing."""
ENOUGH = 0.9
"""Of the steps that agree: so good a reading is not looked for any further."""
LEAST = 0.3
"""A reading under which fewer steps agree reads nothing."""
MOST_MOVES = 4
"""With so many moves every order of them is tried, if the order of the book fits nothing."""
MOST_PLACES = 24
GAMES_OF_LUCK = 60


class Driven(NamedTuple):
    """An environment, how it is driven and read, and how far that agrees with ours."""

    hosted: Hosted
    words: tuple[Any, ...]
    """Their action for each move of ours."""
    reading: Reading
    agreed: float
    games: tuple[tuple[tuple[Play, ...], Followed], ...]
    """The lines that were played to find out, each with how far it went together."""

    @property
    def worth(self) -> tuple[bool, float]:
        """Which of two readings is better: numbers that are read count before anything that is not contradicted."""
        read = self.reading.keys is not None and self.agreed >= LEAST
        return read, self.agreed - (0.05 if self.reading.way == INSIDE else 0)

    @property
    def readable(self) -> bool:
        return self.agreed >= LEAST and (self.reading.keys is not None or self.agreed == 1)

    def play(self, line: Sequence[Play], seed: int = 0) -> list[Answer]:
        return self.hosted.play(actions(self.reading.way, line, self.words), seed)


def drive(game: Game, hosted: Hosted, written: str = "", named: dict[int, str] | None = None) -> Driven:
    """Find out how. `written` is the form of an action in text; `named` says what some moves are called there."""
    lines = [*(() if game.faces else ends(game)), *walks(game)]
    best: Driven | None = None
    for words in _vocabularies(game, hosted, written, named or {}):
        for way in _ways(game, hosted):
            found = _read(game, hosted, way, words, lines)
            if best is None or found.worth > best.worth:
                best = found
            if best.agreed >= ENOUGH and best.reading.keys is not None:
                return _more(game, best)
        if hosted.numbers and best is not None and best.readable:
            break  # some of it goes wrong, but the numbers of its moves are right
    assert best is not None
    return _more(game, best)


def _more(game: Game, driven: Driven) -> Driven:
    """Where luck has a hand in it no line can be chosen, so more games make up for that."""
    if not game.faces or not driven.readable:
        return driven
    games = []
    for seed in range(GAMES_OF_LUCK):
        line = driven.games[seed % len(driven.games)][0]
        answers = driven.play(line, GAMES_OF_LUCK + seed)
        games.append((line, follow(game, driven.reading, line, driven.words, answers)))
    return driven._replace(games=(*driven.games, *games))


def _ways(game: Game, hosted: Hosted) -> tuple[str, ...]:
    both = game.turn(game.book, game.start(game.book, 0)) == BOTH
    if hosted.kind == "parallel":
        if not both:
            raise BadEnvironment(
                f"In {game.name} the players move in turn, and {hosted.file.name} takes both moves at once, as the "
                "parallel kind of PettingZoo does. One of turns (AEC), or of one agent, can be checked."
            )
        return (JOINT,)
    return (SEALED, JOINT, INSIDE) if both else (TURNS, INSIDE)


def _vocabularies(game: Game, hosted: Hosted, written: str, named: dict[int, str]) -> Iterator[tuple[Any, ...]]:
    """Their actions for our moves, the likeliest first: numbers in the order of the book, or the words of the book."""
    book = game.dialogue.words(game.book)
    if hosted.numbers and not written:
        given = {move: int(name) if name.lstrip("-").isdigit() else name for move, name in named.items()}
        order = tuple(given.get(move, move + hosted.least) for move in game.moves)
        yield order
        if not named and len(order) <= MOST_MOVES:
            yield from (each for each in permutations(order) if each != order)
    else:
        for form in (written,) if written else FORMATS:
            yield tuple(form.format(move=named.get(move, book[move]), number=move) for move in game.moves)


def _read(game: Game, hosted: Hosted, way: str, words: tuple[Any, ...], lines: Sequence[tuple[Play, ...]]) -> Driven:
    played = [(line, hosted.play(actions(way, line, words), seed)) for seed, line in enumerate(lines)]
    best: Driven | None = None
    for reading in (*_readings(game, way, [answers for _, answers in played]), Reading(way)):
        if reading.keys is None and best is not None and (best.agreed >= LEAST or game.faces):
            break
        if reading.keys is None and game.faces:  # without numbers nothing is known of what luck has brought
            return Driven(hosted, words, reading, 0.0, ())
        games = tuple((line, follow(game, reading, line, words, answers)) for line, answers in played)
        tried = [(min(each.agreed, OPENING), min(each.steps, OPENING)) for _, each in games]
        agreed = sum(good for good, _ in tried) / max(1, sum(all_ for _, all_ in tried))
        if best is None or agreed > best.agreed:
            best = Driven(hosted, words, reading, agreed, games)
    assert best is not None
    return best


def _readings(game: Game, way: str, played: Sequence[Sequence[Answer]]) -> Iterator[Reading]:
    """Every pair of places that begins with our numbers; of places that always show the same, one is enough."""
    begins = numbers(game.start(game.book, 0))
    shown = [[answer.figures for answer in answers if not answer.raised] for answers in played]
    first = shown[0][0]
    places: dict[tuple[int | None, ...], str] = {}
    for key, number in first.items():
        if number in begins:
            series = tuple(each.get(key) for answers in shown for each in answers)
            if len(set(series)) > 1:
                places.setdefault(series, key)
    keys = list(places.values())[:MOST_PLACES]
    one_reward = len(played[0][0].rewards) == 1
    for one in keys:
        for two in keys:
            if one == two or (first[one], first[two]) != begins:
                continue
            for relative in (False,) if way == INSIDE else (False, True):
                for of_mover in (True, False) if one_reward and way != INSIDE else (True,):
                    yield Reading(way, (one, two), relative, of_mover)

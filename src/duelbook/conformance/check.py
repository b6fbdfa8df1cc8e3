"""Every law, tried on a duel: on its files, at the positions of a walk, and at the ends of what its knobs allow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from duelbook.conformance.compiler_law import the_compiler_takes_the_rules
from duelbook.conformance.file_laws import FILE_LAWS
from duelbook.conformance.lesson_law import the_lesson_is_playable_and_true
from duelbook.conformance.mistake import Mistake, mistake, where
from duelbook.conformance.nonsense_law import nonsense_is_refused_in_a_sentence
from duelbook.conformance.other_rules import extremes
from duelbook.conformance.record_law import a_game_reads_back_from_its_record
from duelbook.conformance.rules_laws import LAWS, PLAYABLE, a_state_is_a_value_of_whole_numbers
from duelbook.conformance.speech_laws import SPOKEN_LAWS
from duelbook.conformance.steps import at_random, steps
from duelbook.conformance.watching import Hangs, watched
from duelbook.core import OVER, BadRules, DuelError, Game, SomeState, variant
from duelbook.games import culprit, duel_of
from duelbook.positions.hull import hull
from duelbook.positions.size import there_is_a_compiler

MOST_POSITIONS = 2_000
"""So many positions of a duel are looked at; where there are more, half of them lie deep in games at random."""
GAMES = 30
"""So many games at random come before the walk, which alone would not leave the beginning of a large duel."""
RECORDS = 6
"""So many games are written as records and read again."""
SHORT_GAME = 60
"""Steps of a game that is played to try other rules, of which there are many."""


class Conformance(NamedTuple):
    """What a check has seen."""

    game: str
    mistakes: tuple[Mistake, ...]
    positions: int
    complete: bool
    """Whether these were all positions that play can reach under the book's rules."""
    variants: int
    """So many other rules were tried; none where the book's own have mistakes already."""
    compiled: bool
    """Whether the compiler was tried on the rules: not where there is none, nor where they have mistakes already."""

    @property
    def good(self) -> bool:
        return not self.mistakes


class Findings:
    """Mistakes as they are found. One of a kind is enough to mend it, so only the first of each is kept."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.found: dict[tuple[str, str], Mistake] = {}
        self.looking = ("", "")
        """The law that is being tried, and where."""
        self.states: list[SomeState] = []
        """The positions that are looked at."""

    def note(self, law: str, mistakes: Iterable[Mistake], at: str = "") -> None:
        for each in mistakes:
            self.found.setdefault((law, each.function), each._replace(law=law, position=each.position or at))

    def look(self, law: Callable[..., Iterator[Mistake]], at: str, *given: object) -> None:
        """Try a law on what it looks at, at this position."""
        with self.guard(_name(law), at):
            self.note(_name(law), law(*given), at)

    @contextmanager
    def guard(self, law: str, at: str) -> Iterator[None]:
        """Whatever the duel's own code raises is a mistake of the function that Duelbook called."""
        self.looking = law, at
        try:
            yield
        except Exception as error:  # noqa: BLE001 - any of them is what we are looking for
            function = culprit(error, self.game) or law
            told = f"it fails with {type(error).__name__}: {error}".rstrip(".") + "."
            self.note(law, [mistake(function, error, told, at)])


def check_game(game: Game | str, most: int = MOST_POSITIONS) -> Conformance:
    """Try every law on a duel. What it does not keep comes back as mistakes, each with function, position and value.

    >>> from duelbook import load
    >>> check_game(load("tower")).good
    True
    """
    game = duel_of(game)
    findings = Findings(game)
    try:
        return watched(game, lambda: _check(game, most, findings))
    except Hangs as error:
        law, at = findings.looking
        findings.note(law, [mistake(error.function, None, str(error), at)])
        return Conformance(game.id, tuple(findings.found.values()), len(findings.states), False, 0, False)


def _check(game: Game, most: int, findings: Findings) -> Conformance:
    for look in FILE_LAWS:
        findings.look(look, "", game)
    in_files = len(findings.found)
    states, complete = _walk(game, most, findings)
    findings.states = states
    for laws in (LAWS[1:], SPOKEN_LAWS):
        if len(findings.found) > in_files:
            break  # what is said of a position that cannot be is no mistake of who says it
        for law in laws:
            for state in states:
                findings.look(law, where(game, game.book, state), game, game.book, state)
    tried = 0
    if not findings.found:
        findings.look(the_lesson_is_playable_and_true, "", game)
        findings.note(_name(nonsense_is_refused_in_a_sentence), nonsense_is_refused_in_a_sentence(game, states))
        if not complete:
            _look_for_an_end(game, findings)
        for seed in range(RECORDS):
            findings.look(a_game_reads_back_from_its_record, "", game, game.book, seed)
        for tried, settings in enumerate(extremes(game), 1):  # noqa: B007 - the count is what is told
            _try_other_rules(game, settings, findings)
    compiled = not findings.found and there_is_a_compiler()
    if compiled:
        findings.note(_name(the_compiler_takes_the_rules), the_compiler_takes_the_rules(game, states))
    return Conformance(game.id, tuple(findings.found.values()), len(states), complete, tried, compiled)


def _name(law: Callable[..., Iterator[Mistake]]) -> str:
    return law.__name__.replace("_", " ")


def _walk(game: Game, most: int, findings: Findings) -> tuple[list[SomeState], bool]:
    """Positions that play can reach, and whether these are all. Nothing is followed behind one that is no value."""
    rules, value = game.book, a_state_is_a_value_of_whole_numbers
    seen: dict[SomeState, None] = {}

    def good(state: object) -> bool:
        mistakes = list(value(game, rules, state))
        findings.note(_name(value), mistakes)
        return not mistakes

    law = "the first player begins"
    for first in (0, 1):
        with findings.guard(law, ""):
            begins = game.start(rules, first)
            if good(begins):
                seen[begins] = None
                findings.note(law, _begins(game, rules, begins, first), where(game, rules, begins))
    for seed in range(GAMES if seen else 0):
        with findings.guard("play goes on", ""):
            for state in at_random(game, rules, seed):
                if len(seen) >= most // 2 or not good(state):
                    break
                seen[state] = None
    waiting = list(seen)
    for state in waiting:
        with findings.guard("play goes on", where(game, rules, state)):
            for step in steps(game, rules, state):
                if good(step.after) and step.after not in seen:
                    if len(seen) >= most:
                        return list(seen), False
                    seen[step.after] = None
                    waiting.append(step.after)
    return list(seen), not findings.found


def _begins(game: Game, rules: object, begins: object, first: int) -> Iterator[Mistake]:
    if game.turn(rules, begins) == OVER:
        yield mistake("rules.start", begins, "the game is over before anybody has acted.")
    if game.turn(rules, begins) == 1 - first and begins != game.start(rules, 1 - first):
        told = f"with seat {first} to begin, turn names the other one; `first` is the seat that moves first."
        yield mistake("rules.start", begins, told)


def _look_for_an_end(game: Game, findings: Findings) -> None:
    """A duel whose numbers grow for ever can be played, but nothing that needs its solution works."""
    try:
        hull(game, game.book)
    except DuelError as error:
        start = game.start(game.book, 0)
        findings.note("positions come to an end", [mistake("rules.State", start, str(error))])


def _try_other_rules(game: Game, settings: tuple[str, ...], findings: Findings) -> None:
    by = f"with --rule {' --rule '.join(settings)}"
    with findings.guard("every value of a knob can be played", by):
        try:
            rules = variant(game, settings)
        except BadRules as error:
            findings.note("every value of a knob can be played", [mistake("rules.KNOBS", settings, str(error))])
            return
        for state in at_random(game, rules, len(findings.found), SHORT_GAME):
            at = f"{where(game, rules, state)} {by}"
            for law in PLAYABLE:
                findings.look(law, at, game, rules, state)
        findings.look(a_game_reads_back_from_its_record, by, game, rules, len(settings))

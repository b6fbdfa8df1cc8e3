"""What the files of a duel hold: the values in which they answer, and the functions they must have.

`assemble` takes modules that fit these protocols, all of one duel together: a notation that reads states of another
shape, or a dialogue that answers with the wrong thing, is found by a checker of types before it is run. What a duel has
only if it needs it (luck, picks of both, fouls) is looked at by `assemble` and `check_game`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import Any, NamedTuple, Protocol, TypeVar

SomeRules = Any
"""The rules record of some duel. Who only hands it on takes an object; who knows the duel may look at its fields."""
SomeState = Any
"""A position of some duel, in the same way."""

# Values of rules and notation

Setting = int | tuple[int, ...]
"""What a field of the rules holds: a number, the place of a word among an option's, or several numbers."""


class Knob(NamedTuple):
    """One number or option of a rule book: what it means and which values it can take."""

    meaning: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    """For an option: its words. The rules record holds the word's index."""

    def show(self, value: Setting) -> str:
        if isinstance(value, tuple):
            return ",".join(map(str, value))
        return self.choices[value] if self.choices else str(value)

    def allowed(self, default: Setting) -> str:
        if self.choices:
            return "|".join(self.choices)
        span = f"{self.low} to {self.high}"
        return f"{len(default)} different numbers, {span}" if isinstance(default, tuple) else span

    def samples(self, default: Setting) -> list[str]:
        """Some values that the knob takes, as they are typed: every word, or the lowest to the highest number."""
        if self.choices:
            return list(self.choices)
        low, high = self.low, self.high
        if isinstance(default, tuple):
            runs = (range(low, low + len(default)), range(high - len(default) + 1, high + 1))
            return [",".join(map(str, run)) for run in runs]
        return [str(value) for value in sorted({low, min(low + 1, high), (low + high) // 2, high})]

    def another(self, default: Setting) -> str:
        """A value that is not the book's, as it is typed: the next word, or a number below it if there is one."""
        if isinstance(default, tuple):
            return next((text for text in self.samples(default) if text != self.show(default)), self.show(default))
        if self.choices:
            return self.show((default + 1) % len(self.choices))
        below = (self.low + default) // 2
        return str(below if self.low < below < default else min(default + 1, self.high))

    def read(self, text: str, default: Setting) -> Setting:
        """The value that `text` names. Raises ValueError when it names none that is allowed."""
        if self.choices:
            return self.choices.index(text.strip().lower())
        numbers = tuple(_number(part) for part in text.split(","))
        if not all(self.low <= number <= self.high for number in numbers):
            raise ValueError(text)
        if not isinstance(default, tuple):
            (number,) = numbers
            return number
        if len(numbers) != len(default) or len(set(numbers)) != len(numbers):
            raise ValueError(text)
        return tuple(sorted(numbers))


def _number(text: str) -> int:
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ValueError(text)
    return int(text)


class Chance(NamedTuple):
    """What people call luck in a duel. A dialogue whose luck is no deck of cards has its own as `CHANCE`."""

    face: str = "card"
    """What comes, without an article; an s makes many of it."""
    draw: str = "draw"
    drawn: str = "drawn"
    nowhere: str = "it is not in the deck"
    """Why a face cannot come now."""


class Part(NamedTuple):
    """One thing of a position that can be said by itself, as an option of `duelbook map`."""

    meaning: str
    shape: str
    """An example of what is typed; empty for what is only said or not."""
    change: Callable[[SomeRules, list[str], str], None]
    """Changes the words of a position's text to what was said. Raises DuelError if that cannot be."""


# Values of dialogue and scene


class Line(NamedTuple):
    """One line of dialogue. Tone and gauge are for terminals that can show them; the text alone says everything."""

    text: str = ""
    tone: str = ""
    """title, turn, hurt, gain, calm, end, quiet or nothing.

    `goal` marks a gauge that wins when it is full, `extra` a line that says nothing new and is there for its bar.
    """
    gauge: tuple[int, int] | None = None
    """How full a bar to draw beside the text: (value, top)."""


BAR, TOWER = "bar", "tower"


class Gauge(NamedTuple):
    """How full something is."""

    name: str
    value: int
    top: int
    """What counts as full."""
    shape: str = BAR
    """bar, for what is lost as the game goes on; tower, for what is built."""


class Side(NamedTuple):
    gauge: Gauge
    notes: tuple[str, ...] = ()
    """What else is true of this player now, in a few words each."""
    pick: int | str = 0
    """The number or word that this player showed last; 0 for none."""


class Pile(NamedTuple):
    cards: tuple[int, ...]
    """Every card there is."""
    left: frozenset[int]
    drawn: int = 0
    """The card on the table; 0 for none."""


class Scene(NamedTuple):
    sides: tuple[Side, Side]
    pile: Pile | None = None
    picks: bool = False
    """Whether players of this duel show numbers or words, so that a drawing keeps a place for them."""


# Values of reasons


class Step(NamedTuple):
    """One move of a line of play, and where it leads."""

    seat: int
    move: int
    after: SomeState


class Deed(NamedTuple):
    """One move of one player, with everything that a claim about it is held against: the rules and the truth."""

    rules: SomeRules
    before: SomeState
    seat: int
    move: int
    after: SomeState
    """Where it leads; where both pick at once, together with `answer`."""
    slip: bool
    """It gives something away."""
    best: int
    """What a perfect player plays instead, or too."""
    answer: int
    """The move that answers it best, so the one that punishes a slip; -1 where it ends the game or luck is next."""
    line: tuple[Step, ...]
    """How best play goes on from `after`, a few moves of it: where one player answers, the answer first."""
    worth: Callable[[SomeState], float]
    """What a position is worth to the player who made the move, from -1 (lost) to 1 (won)."""
    by_lot: bool = False
    """A perfect player does not make one move here but chooses among several, so as not to be foreseen."""

    @property
    def foe(self) -> int:
        return 1 - self.seat


Claim = Callable[[Deed], str]
"""A sentence about a move, said to the player who made it (`you`) of the other (`they`); nothing where it is not so."""


# Values of a lesson


class Task(NamedTuple):
    """One decision of a lesson."""

    says: str
    """What the coach says before it."""
    play: str
    """The word of the move that is right."""
    praise: str
    """What the coach says after it."""
    reply: str = ""
    """What the opponent plays then or, where both pick at once, picks at the same time; nothing where it is over."""
    also: tuple[str, ...] = ()
    """Words of moves that are just as good; the lesson goes on with `play` all the same."""


class Lesson(NamedTuple):
    """A short guided game that teaches the one idea that matters in a duel, by the book's own numbers."""

    idea: str
    position: str
    """Where it begins, with the learner to decide."""
    tasks: tuple[Task, ...]
    luck: tuple[int, ...] = ()
    """What luck brings, in this order."""
    seat: int = 0
    """Where the learner sits."""


# Functions of the files

RulesT = TypeVar("RulesT", contravariant=True)
StateT = TypeVar("StateT")
Seen = TypeVar("Seen", contravariant=True)
"""A state that is only looked at."""
Names = tuple[str, str]


class RuleFile(Protocol[RulesT, StateT]):
    """`rules.py`, without what only some duels have."""

    @property
    def KNOBS(self) -> Mapping[str, Knob]: ...  # noqa: N802 - as rule files call it
    @property
    def Rules(self) -> Callable[[], SomeRules]: ...  # noqa: N802 - as rule files call it
    @property
    def Move(self) -> type[IntEnum]: ...  # noqa: N802 - as rule files call it
    def start(self, rules: RulesT, first: int, /) -> StateT: ...
    def turn(self, rules: RulesT, state: StateT, /) -> int: ...
    def legal(self, rules: RulesT, state: StateT, me: int, move: int, /) -> bool: ...
    def winner(self, rules: RulesT, state: StateT, /) -> int: ...


class Notation(Protocol[RulesT, StateT]):
    """`notation.py`."""

    def write_position(self, rules: RulesT, state: StateT, /) -> str: ...
    def read_position(self, rules: RulesT, text: str, /) -> StateT: ...


class Dialogue(Protocol[RulesT, Seen]):
    """`dialogue.py`, without what only some duels need."""

    def words(self, rules: RulesT, /) -> tuple[str, ...]: ...
    def read(self, rules: RulesT, state: Seen, me: int, text: str, /) -> int: ...
    def why_not(self, rules: RulesT, state: Seen, me: int, move: int, /) -> str: ...
    def effect(self, rules: RulesT, state: Seen, me: int, move: int, /) -> str: ...
    def opening(self, rules: RulesT, state: Seen, names: Names, /) -> list[Line]: ...
    def status(self, rules: RulesT, state: Seen, names: Names, /) -> list[Line]: ...
    def prompt(self, rules: RulesT, state: Seen, me: int, names: Names, /) -> str: ...
    def ending(self, rules: RulesT, state: Seen, names: Names, /) -> str: ...
    def farewell(self, rules: RulesT, state: Seen, names: Names, /) -> list[Line]: ...


class SceneFile(Protocol[RulesT, Seen]):
    """`scene.py`."""

    def scene(self, rules: RulesT, state: Seen, /) -> Scene: ...


class ReasonsFile(Protocol):
    """`reasons.py`, for a duel that has something to say about why a move is good or bad."""

    @property
    def CLAIMS(self) -> Sequence[Claim]: ...  # noqa: N802 - a constant of the file
    @property
    def VERB(self) -> str: ...  # noqa: N802 - a constant of the file


class Voice(Dialogue[object, object], Protocol):
    """A dialogue as Duelbook asks it: what only some duels need is asked only of those that have it."""

    def ask(self, rules: object, state: object, me: int, names: Names, /) -> list[Line]: ...
    def tell(
        self, rules: object, state: object, move: int, after: object, names: Names, you: bool, /
    ) -> list[Line]: ...
    def drawer(self, state: object, /) -> int: ...
    def before_draw(self, rules: object, state: object, names: Names, /) -> list[Line]: ...
    def draw_prompt(self, rules: object, state: object, names: Names, /) -> str: ...
    def tell_draw(
        self, rules: object, state: object, face: int, after: object, names: Names, you: bool, /
    ) -> list[Line]: ...
    def round_heading(self, rules: object, state: object, number: int, /) -> list[Line]: ...
    def tell_round(
        self, rules: object, state: object, picks: tuple[int, int], after: object, names: Names, /
    ) -> list[Line]: ...
    def foul_warning(self, rules: object, state: object, me: int, /) -> str: ...

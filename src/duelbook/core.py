"""What a duel is.

A duel is a handful of pure functions over plain values. `Turn` says who acts, `Game` is the value that bundles one
duel's functions, its words and its notation. Nothing here knows a rule of any game, and nothing outside the standard
library is imported, so a rule file that imports this page stays readable for people and compilable for machines.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum
from operator import index
from reprlib import repr as shown
from typing import Any, NamedTuple, TypeVar, cast

from duelbook.contract import Chance as Chance
from duelbook.contract import Claim as Claim
from duelbook.contract import Deed as Deed
from duelbook.contract import Dialogue, Notation, ReasonsFile, RuleFile, SceneFile, Voice
from duelbook.contract import Knob as Knob
from duelbook.contract import Lesson as Lesson
from duelbook.contract import Part as Part
from duelbook.contract import Setting as Setting
from duelbook.contract import SomeRules as SomeRules
from duelbook.contract import SomeState as SomeState
from duelbook.contract import Step as Step
from duelbook.contract import Task as Task

RulesT = TypeVar("RulesT")
"""A duel's own record of rules."""
StateT = TypeVar("StateT")
Given = TypeVar("Given")
"""A duel's own positions."""


class Turn(IntEnum):
    """Who acts now. FIRST and SECOND are also the seats' numbers, 0 and 1."""

    FIRST = 0
    SECOND = 1
    BOTH = 2
    LUCK = 3
    OVER = 4


FIRST, SECOND, BOTH, LUCK, OVER = map(int, Turn)
"""The same as plain numbers: until Python 3.12 looking up a member costs more than comparing it."""

DRAW = 2
"""What `winner` answers when a duel is over and nobody won; otherwise it answers the winner's seat."""


SEATS = ("Player 1", "Player 2")
"""What the players are called where neither they nor the duel say otherwise."""


class DuelError(ValueError):
    """Anything a person can get wrong. The message is a whole sentence, fit to be shown as it is."""


class Misread(DuelError):
    """Text that names no move of the game."""


class IllegalMove(DuelError):
    """A move of the game that cannot be played now."""


class BadPosition(DuelError):
    """A position that cannot be read, or that cannot stand on the table."""


class BadRules(DuelError):
    """A rule that is not there, or a value that it cannot take."""


class SaveError(DuelError):
    """Something that cannot be written or found."""


class BadGame(DuelError):
    """Files that do not make a duel."""


class Game(NamedTuple):
    """One duel as a plain value: its rules, its words, its notation. Built by `assemble`, used by everything else."""

    id: str
    name: str
    pitch: str
    seats: tuple[str, str]
    book: SomeRules
    """The rules record with the rule book's own numbers."""
    knobs: Mapping[str, Knob]
    moves: tuple[int, ...]
    faces: tuple[int, ...]

    start: Callable[[SomeRules, int], SomeState]
    turn: Callable[[SomeRules, SomeState], int]
    legal: Callable[[SomeRules, SomeState, int, int], bool]
    winner: Callable[[SomeRules, SomeState], int]
    apply: Callable[[SomeRules, SomeState, int], SomeState]
    resolve: Callable[[SomeRules, SomeState, int, int], SomeState]
    foul: Callable[[SomeRules, SomeState, int, int], bool]
    odds: Callable[[SomeRules, SomeState, int], int]
    deal: Callable[[SomeRules, SomeState, int], SomeState]

    write_position: Callable[[SomeRules, SomeState], str]
    read_position: Callable[[SomeRules, str], SomeState]
    dialogue: Voice
    """The module that speaks for this duel: prompts, parsing, narration."""
    rules_file: Any
    """The module the rule functions came from, for tools that compile it: of no type, for it may have what it likes."""
    parts: Mapping[str, Part] = {}
    """What of a position besides the two main numbers can be said by itself, by the option's name."""
    scene: SceneFile[SomeRules, SomeState] | None = None
    """The module that says what lies on the table, for whoever draws it; None where the words must do."""
    reasons: ReasonsFile | None = None
    """The module that says why a move is good or bad; None where the line of play must speak for itself."""
    lesson: Lesson | None = None
    """A short guided game for somebody who knows nothing yet; None where nobody has written one."""

    @property
    def chance(self) -> Chance:
        said: Chance = getattr(self.dialogue, "CHANCE", Chance())
        return said

    def menu(self, rules: object, state: object, seat: int) -> dict[int, str]:
        """The moves that a person is offered here, each as the book lists it; some of them may be refused.

        A duel whose book lists them in its own way has `menu` in its dialogue.
        """
        listed = getattr(self.dialogue, "menu", None)
        return dict(enumerate(self.dialogue.words(rules))) if listed is None else listed(rules, state, seat)

    def legal_moves(self, rules: object, state: object, seat: int) -> list[int]:
        legal = self.legal
        return [move for move in self.moves if legal(rules, state, seat, move)]


def _never(*asked: object) -> SomeState:
    """What stands in a game's value where the game has no such turn. The referee never calls it."""
    raise TypeError("this duel has no such turn")


_ASKED_FOR = {
    "apply": ("ask", "tell"),
    "resolve": ("round_heading", "tell_round"),
    "FACES": ("drawer", "before_draw", "draw_prompt", "tell_draw"),
    "foul": ("foul_warning",),
}
"""What the dialogue must have besides, if the rules have this."""


def _missing(
    rules: RuleFile[Any, Any], notation: object, dialogue: object, scene: object, reasons: object
) -> list[str]:
    """What the files lack, in a few words each."""
    asked = [name for asks, names in _ASKED_FOR.items() if hasattr(rules, asks) for name in names]
    files = [
        ("rules.py", rules, RuleFile, ["odds", "deal"] if hasattr(rules, "FACES") else []),
        ("notation.py", notation, Notation, []),
        ("dialogue.py", dialogue, Dialogue, asked),
        *([("scene.py", scene, SceneFile, [])] if scene is not None else []),
        *([("reasons.py", reasons, ReasonsFile, [])] if reasons is not None else []),
    ]
    lacking = [
        f"{file} has no {name}"
        for file, module, contract, more in files
        for name in (*vars(contract), *more)
        if not name.startswith("_") and not hasattr(module, name)
    ]
    parts = getattr(notation, "PARTS", {})
    if not isinstance(parts, Mapping) or not all(
        isinstance(name, str) and name.replace("-", "").isalnum() and isinstance(part, Part)
        for name, part in parts.items()
    ):
        lacking.append("PARTS of notation.py is not a dictionary of names and Parts")
    if not hasattr(rules, "apply") and not hasattr(rules, "resolve"):
        lacking.append("rules.py has neither apply nor resolve")
    if not lacking:
        fields, knobs = set(getattr(rules.Rules, "_fields", ())), set(rules.KNOBS)
        lacking += [f"KNOBS has nothing for the field {name} of Rules" for name in sorted(fields - knobs)]
        lacking += [f"Rules has no field for the knob {name}" for name in sorted(knobs - fields)]
    return lacking


def assemble(
    *,
    id: str,
    name: str,
    pitch: str,
    rules: RuleFile[RulesT, StateT],
    notation: Notation[RulesT, StateT],
    dialogue: Dialogue[RulesT, StateT],
    scene: SceneFile[RulesT, StateT] | None = None,
    reasons: ReasonsFile | None = None,
    lesson: Lesson | None = None,
    seats: tuple[str, str] = SEATS,
) -> Game:
    """Make a game's value from its files. A file leaves out what its duel does not have.

    What a file must have and does not is said at once, all of it. `check_game` looks at what the functions do.
    """
    missing = _missing(rules, notation, dialogue, scene, reasons)
    if missing:
        raise BadGame(f"The files of {name} are not complete: {'; '.join(missing)}.")
    return Game(
        id=id,
        name=name,
        pitch=pitch,
        seats=seats,
        book=rules.Rules(),
        knobs=rules.KNOBS,
        moves=tuple(int(move) for move in rules.Move),
        faces=tuple(getattr(rules, "FACES", ())),
        start=rules.start,
        turn=rules.turn,
        legal=rules.legal,
        winner=rules.winner,
        apply=getattr(rules, "apply", _never),
        resolve=getattr(rules, "resolve", _never),
        foul=getattr(rules, "foul", lambda *asked: False),
        odds=getattr(rules, "odds", lambda *asked: 0),
        deal=getattr(rules, "deal", _never),
        write_position=notation.write_position,
        read_position=notation.read_position,
        dialogue=cast(Voice, dialogue),  # what is missing for its kind of duel was looked at above
        rules_file=rules,
        parts=getattr(notation, "PARTS", {}),
        scene=scene,
        reasons=reasons,
        lesson=lesson,
    )


def whole(value: object, what: str, least: int | None = None, most: int | None = None) -> int:
    """A whole number that somebody gave, also one of NumPy's, within its bounds; whatever else it is, is refused."""
    try:
        number = index(value)  # type: ignore[arg-type]  # whether it can be one is the question
    except TypeError:
        raise DuelError(f"{what} must be a whole number; {shown(value)} is not one.") from None
    if (least is not None and number < least) or (most is not None and number > most):
        bounds = f"at least {least:,}" if most is None else f"from {least:,} to {most:,}"
        raise DuelError(f"{what} must be a whole number {bounds}; {shown(number)} is not.")
    return number


def of_kind(value: Given, kinds: type | tuple[type, ...], must: str) -> Given:
    """What somebody gave, if it is of these kinds; otherwise it is refused by a sentence that says what it must be."""
    if not isinstance(value, kinds):
        raise DuelError(f"{must}; {shown(value)} is not.")
    return value


def variant(game: Game, settings: Iterable[str]) -> SomeRules:
    """The rules record that `name=value` settings make of the book's; in one text, spaces stand between them.

    An unknown name or value is answered with everything that could have been said instead.
    """
    rules = of_kind(game, Game, "Rules are those of a duel, as load('tower') gives it").book
    listed = settings.split() if isinstance(settings, str) else settings
    for setting in of_kind(listed, Iterable, "Settings are a list of texts, as in ['goal=20']"):
        if not isinstance(setting, str):
            raise BadRules(f"A rule is a text such as name=value; {shown(setting)} is not.\n{describe_knobs(game)}")
        name, equals, text = setting.partition("=")
        name = name.strip().lower().replace("-", "_")
        if not equals:
            raise BadRules(f"A rule is set as name=value; '{setting}' has no '='.\n{describe_knobs(game)}")
        if name not in game.knobs:
            raise BadRules(f"{game.name} has no rule called '{name}'.\n{describe_knobs(game)}")
        knob, default = game.knobs[name], getattr(game.book, name)
        try:
            value = knob.read(text, default)
        except ValueError:
            allowed = knob.allowed(default)
            raise BadRules(f"'{text}' is not allowed for {name} ({knob.meaning}). It takes {allowed}.") from None
        rules = rules._replace(**{name: value})
    return rules


def rules_given(game: Game, *given: object) -> SomeRules:
    """The rules that somebody names in Python, however they are written: `"goal=20"`, several such texts, a list of
    them, or a record as `variant` gives it."""
    if len(given) == 1 and isinstance(given[0], type(game.book)):
        return given[0]
    texts = list[str]()
    for each in given:
        if isinstance(each, str):
            texts += each.split()
        else:
            listed: Any = of_kind(each, Iterable, "Rules are texts, as in 'goal=20', or a list of such")
            texts += listed
    return variant(game, texts)


def describe_knobs(game: Game) -> str:
    """One line for each rule that can be changed: name, the book's value, what else it takes, what it means."""
    lines = [f"The rules of {game.name} that can be changed:"]
    for name, knob in game.knobs.items():
        default = getattr(game.book, name)
        lines.append(f"  {name}={knob.show(default)}  ({knob.allowed(default)})  {knob.meaning}")
    return "\n".join(lines)


def settings(game: Game, rules: object) -> list[str]:
    """What differs from the book, as the `name=value` words that `variant` reads."""
    return [
        f"{name}={knob.show(getattr(rules, name))}"
        for name, knob in game.knobs.items()
        if getattr(rules, name) != getattr(game.book, name)
    ]


def rules_hash(game: Game, rules: object) -> str:
    """A short fingerprint of one exact set of rules, for files that only make sense together with it."""
    words = [game.id] + [f"{name}={knob.show(getattr(rules, name))}" for name, knob in game.knobs.items()]
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:16]


def check_beginning(game: Game, rules: object) -> None:
    """Refuse rules under which a game is over before anybody has acted. They can be solved, but not played.

    The one sentence about them, for whoever would begin a game or advise at its beginning.
    """
    for first in (FIRST, SECOND):
        start = game.start(rules, first)
        if game.turn(rules, start) == OVER:
            why = game.dialogue.ending(rules, start, game.seats)
            raise BadRules(f"Under these rules {game.name} is over before it begins: {why}")

"""An environment that somebody else wrote for one of the duels, held to the laws of its rule book."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from duelbook.core import DuelError, Game
from duelbook.foreign.endless import endless
from duelbook.foreign.hosted import SECONDS, Hosted
from duelbook.foreign.laws import BREAKS, EFFECT, END, ENDLESS, MOVES, OPPONENT, SIGHT, Finding, Law, laws_of
from duelbook.foreign.parting import effect, end, opponent
from duelbook.foreign.reading import Driven, drive
from duelbook.foreign.refusals import moves
from duelbook.foreign.sights import sight
from duelbook.games import duel_of
from duelbook.speech import quote

LOOK: Mapping[str, Callable[[Game, Driven, Law], Finding]] = {
    MOVES: moves,
    SIGHT: sight,
    ENDLESS: endless,
    OPPONENT: opponent,
    END: end,
    EFFECT: effect,
}


class Checked(NamedTuple):
    """What a check has found."""

    game: str
    file: str
    way: str
    """How it was driven: turns, sealed, joint or inside."""
    actions: tuple[str, ...]
    """What was played there for each of our moves."""
    agreed: float
    """The part of the first steps of every line that agree with ours."""
    findings: tuple[Finding, ...]

    @property
    def good(self) -> bool:
        return all(finding.verdict != BREAKS for finding in self.findings)


def check_env(
    game: Game | str,
    file: str | Path,
    *,
    name: str = "",
    action: str = "",
    named: Mapping[str, str] | None = None,
    seconds: float = SECONDS,
) -> Checked:
    """Drive an environment beside our referee; say of each law whether it is kept, with the line that shows it.

    `name` is the class, where the file has several; `action` the form of a move in text, as `[{move}]`; `named` what it
    calls our moves, by our words for them.
    """
    game = duel_of(game)
    laws = laws_of(game)
    path = Path(file)
    if not path.is_file():
        raise DuelError(f"There is no file {quote(str(file))}.")
    with Hosted(path.resolve(), name, seconds) as hosted:
        driven = drive(game, hosted, _form(action), _numbered(game, named or {}))
        findings = tuple(LOOK[law.name](game, driven, law) for law in laws.values())
    words = tuple(str(word) for word in driven.words)
    return Checked(game.id, str(file), driven.reading.way, words, driven.agreed, findings)


def _form(action: str) -> str:
    """The form of an action, once it is sure that a move can be put into it."""
    try:
        one, two = (action.format(move=word, number=number) for word, number in (("a", 1), ("b", 2)))
    except (LookupError, ValueError):
        one = two = ""
    if action and one == two:
        raise DuelError(
            f"{quote(action)} is not the form of an action: it has {{move}} where the move goes, or {{number}}, and "
            "other braces are doubled, as in \\boxed{{{move}}}."
        )
    return action


def _numbered(game: Game, named: Mapping[str, str]) -> dict[int, str]:
    words = game.dialogue.words(game.book)
    for word in named:
        if word not in words:
            raise DuelError(f"{quote(word)} is no move of {game.name}: {', '.join(words)}.")
    return {words.index(word): name for word, name in named.items()}

"""Everything that can sit in a seat.

A person is not here: people talk to a user interface, which talks to the match.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from reprlib import repr as shown
from typing import TYPE_CHECKING

from duelbook.core import DuelError
from duelbook.llm.kind import LLM as LLM
from duelbook.llm.kind import is_model, read_model
from duelbook.match import Player
from duelbook.policies.characters import CHARACTERS

if TYPE_CHECKING:
    from duelbook.engine.limits import Limits
    from duelbook.llm.asking import Asking

HUMAN = "human"
KINDS = {
    HUMAN: "a person at this terminal",
    "random": "plays any legal move, each as likely as the next",
    "level:1": "a novice; up to level:6, an expert",
    "perfect": "never gives anything away",
    **CHARACTERS,
    "engine:COMMAND": "a program of yours that speaks the engine protocol",
    "llm:PROVIDER/MODEL": "a language model, by the interface of openai or anthropic",
}
ENGINE = "engine:"
LONGEST_NAME = 40
PYTHON = "python:"
"""Stands before the class of a Python object that plays."""


class UnknownPlayer(DuelError):
    """A kind of player that is not known."""


def people_in(kinds: Sequence[str]) -> tuple[int, ...]:
    """The seats in which people sit."""
    return tuple(seat for seat, kind in enumerate(kinds) if kind == HUMAN)


def check_kind(kind: str, asking: Asking | None = None) -> str:
    """The tidy name of a kind of player. How models are asked completes the name of one; without it, the usual does."""
    if not isinstance(kind, str):
        raise UnknownPlayer(f"A kind of player is a text such as level:3; {shown(kind)} is not.")
    if kind.strip()[: len(ENGINE)].lower() == ENGINE:
        from duelbook.engine.launch import command_of

        command = kind.strip()[len(ENGINE) :].strip()
        command_of(command)
        return f"{ENGINE}{command}"
    if is_model(kind):
        from duelbook.llm.asking import usual_asking

        return (asking or usual_asking()).model(kind).kind
    wanted = " ".join(kind.lower().split())
    if wanted.startswith("level:"):
        from duelbook.players.level import level_number

        return f"level:{level_number(wanted.removeprefix('level:'))}"
    if wanted not in KINDS:
        known = "; ".join(f"{name} ({meaning})" for name, meaning in KINDS.items())
        raise UnknownPlayer(f"There is no player called '{kind}'. A seat can be taken by: {known}.")
    return wanted


def seat_player(kind: str, seed: int, limits: Limits | None = None, asking: Asking | None = None) -> Player | None:
    """The player of this kind, or None for a person. The limits are for a program, how it is asked is for a language
    model; without any they have the usual."""
    wanted = check_kind(kind, asking)
    if wanted == HUMAN:
        return None
    if wanted == "random":
        from duelbook.players.random import RandomPlayer

        return RandomPlayer(seed)
    if wanted == "perfect":
        from duelbook.players.perfect import PerfectPlayer

        return PerfectPlayer(seed)
    if wanted.startswith(ENGINE):
        from duelbook.players.engine import EnginePlayer

        return EnginePlayer(wanted.removeprefix(ENGINE), limits)
    if wanted.startswith(LLM):
        from duelbook.engine.limits import usual_limits
        from duelbook.players.llm import LlmPlayer

        return LlmPlayer(wanted, seed, asking, (limits or usual_limits()).around.log)
    from duelbook.players.table import TablePlayer

    return TablePlayer(seed, wanted)


def short_kind(kind: str) -> str:
    """`level 3 casual`, `perfect`, `the brawler`, `person`, `mybot.py`."""
    from duelbook.policies.levels import LEVELS

    if kind == HUMAN:
        return "person"
    if kind in CHARACTERS:
        return f"the {kind}"
    rungs = {f"level:{number}": f"level {number} {level.name}" for number, level in enumerate(LEVELS, 1)}
    return rungs.get(kind) or usual_name(kind)  # a record from elsewhere can name a seat that nobody here could take


def usual_name(kind: str) -> str:
    """What a player is called that nobody named: its kind, its class, or the file that an engine is started from."""
    if kind.startswith(PYTHON):
        return kind.removeprefix(PYTHON)[:LONGEST_NAME]
    if kind.startswith(LLM):
        return _name_of_model(kind)
    if not kind.startswith(ENGINE):
        return kind
    words = kind.removeprefix(ENGINE).split()
    if "-m" in words[:-1]:  # `python3 -m mybot` is called mybot
        words = words[words.index("-m") + 1 :]
    files = [word for word in words if not word.startswith("-")]
    # `python3 -u bots/mybot.py --depth 3` is called mybot.py: the first file that is not an interpreter's.
    script = next((word for word in files[1:] if PurePath(word).suffix), files[0] if files else "engine")
    shown = "".join(letter for letter in PurePath(script).name if letter.isprintable())
    return shown[:LONGEST_NAME] or "engine"


def _name_of_model(kind: str) -> str:
    """`gpt-5-mini#3fa9c1d2e0b7`: the model and the hash of its prompt."""
    try:
        model = read_model(kind)
    except DuelError:  # of a record from elsewhere
        return kind[:LONGEST_NAME]
    prompt = f"#{model.prompt}" if model.prompt else ""
    return f"{model.short_name[: LONGEST_NAME - len(prompt)]}{prompt}"

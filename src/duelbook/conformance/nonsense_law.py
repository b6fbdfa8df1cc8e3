"""The law of what people mistype: a duel refuses it in a sentence, and the game goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from duelbook.conformance.mistake import Mistake, mistake, shown, where
from duelbook.core import BOTH, DuelError, Game, SomeState

NONSENSE = ("", "xyzzy", "-1", "x" * 1000, "9" * 30, "²", "1 2 3 4 5 6 7 8 9", "%s {0} [/]", "\x1b[A")
"""What people, keys and pipes send where a move or a position belongs."""


def nonsense_is_refused_in_a_sentence(game: Game, states: Iterable[SomeState]) -> Iterator[Mistake]:
    """Tried at the first of these positions at which somebody decides."""
    rules = game.book
    state, turn = next((state, turn) for state in states if (turn := game.turn(rules, state)) <= BOTH)
    seat, at = 0 if turn == BOTH else turn, where(game, rules, state)
    for text in NONSENSE:
        yield from _refused("notation.read_position", text, partial(game.read_position, rules, text), lambda said: True)
        said = partial(game.dialogue.read, rules, state, seat, text)
        yield from _refused("dialogue.read", text, said, lambda said: said in game.moves, at)


def _refused(
    function: str, text: str, read: Callable[[], object], good: Callable[[object], bool], at: str = ""
) -> Iterator[Mistake]:
    try:
        heard = read()
    except DuelError:
        return
    except Exception as error:  # noqa: BLE001 - any of them is what we are looking for
        told = f"it fails with {type(error).__name__} for {shown(text)}; it must refuse that with a sentence."
        yield mistake(function, error, told, at)
        return
    if not good(heard):
        told = f"it takes {shown(text)} for {shown(heard)}, which is not a move; it must refuse that with a sentence."
        yield mistake(function, heard, told, at)

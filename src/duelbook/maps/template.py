"""The position that a map keeps everything but its two numbers of, with one thing or another of it changed."""

from __future__ import annotations

from collections.abc import Mapping

from duelbook.core import DuelError, Game, SomeState
from duelbook.speech import position_mover


def changed(game: Game, rules: object, state: SomeState, mover: str | None, said: Mapping[str, str]) -> SomeState:
    """The position with one thing after the other as it was said; each is read as if it had been typed."""
    if mover is not None:
        state = _with_mover(game, rules, state, mover.strip())
    for name, part in game.parts.items():
        if name in said:
            words = game.write_position(rules, state).split()
            part.change(rules, words, said[name])
            state = game.read_position(rules, " ".join(words))
    return state


def _with_mover(game: Game, rules: object, state: SomeState, said: str) -> SomeState:
    """The same text with another player to move. Where the text names the mover, the other mover's text shows."""
    if not hasattr(state, "mover"):
        raise DuelError(f"In {game.name} both act at once, so there is no --mover.")
    mover = position_mover(said)
    words = game.write_position(rules, state).split()
    turned = game.write_position(rules, state._replace(mover=1 - state.mover)).split()
    names = (str(state.mover + 1), str(2 - state.mover))
    for place, pair in enumerate(zip(words, turned, strict=False)):
        if pair == names:
            words[place] = str(mover + 1)
    return game.read_position(rules, " ".join(words))

"""Luck that is fixed beforehand, as with a stacked deck: what comes first, for teaching or to play a game again."""

from __future__ import annotations

from duelbook.core import FIRST, LUCK, SECOND, DuelError, Game, SomeState
from duelbook.speech import quote


def read_stack(game: Game, rules: object, state: object, text: str) -> list[int]:
    """What luck is to bring first, written as 7,4,9, once it is sure that it can come in this order."""
    if not game.faces:
        raise DuelError(f"{game.name} has no luck that could be fixed.")
    faces = [face.strip() for face in text.split(",")]
    if not all(face.isascii() and face.isdigit() and len(face) < 7 for face in faces):
        such = ",".join(map(str, game.faces[2::-1]))
        raise DuelError(f"The {game.chance.face}s that come first are a list such as {such}; {quote(text)} is not.")
    stacked = [int(face) for face in faces]
    name = game.chance.face
    before: set[int] = set()
    """What could have come earlier."""
    for place, face in enumerate(stacked, 1):
        draws = _next_draw(game, rules, state)
        if draws is None:
            raise DuelError(f"The game would be over before {name} {place}.")
        possible = {each for each in game.faces if game.odds(rules, draws, each)}
        if face not in possible:
            since = " any more" if face in before else ""
            raise DuelError(f"{name.capitalize()} {place} cannot be a {face}: {game.chance.nowhere}{since}.")
        before |= possible
        state = game.deal(rules, draws, face)
    return stacked


def _next_draw(game: Game, rules: object, state: object) -> SomeState | None:
    """The nearest position at which luck acts, however the players come there; None if the game ends before."""
    waiting = [state]
    seen = {state}
    for at in waiting:  # grows while it is walked
        turn = game.turn(rules, at)
        if turn == LUCK:
            return at
        if turn in (FIRST, SECOND):
            afters = [game.apply(rules, at, move) for move in game.legal_moves(rules, at, turn)]
            waiting += [after for after in afters if after not in seen]
            seen.update(afters)
    return None

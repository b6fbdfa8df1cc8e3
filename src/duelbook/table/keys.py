"""The keys of a duel's moves, wherever keys are pressed: in a terminal and on a page."""

from __future__ import annotations

from duelbook.core import DuelError, Game

KEYS = "abcdefghijklmnopqrstuvwxyz0123456789"


def keys_of(game: Game, rules: object, state: object, seat: int) -> dict[int, tuple[str, ...]]:
    """The keys of every move: each single letter or digit that the duel's own dialogue reads as it.

    A move without such a letter takes one of its word that is free: 0 for 10, otherwise the first there is.
    """
    found: dict[int, list[str]] = {move: [] for move in game.moves}
    taken = set()
    for key in KEYS:
        try:
            found[game.dialogue.read(rules, state, seat, key)].append(key)
            taken.add(key)
        except DuelError:
            continue
    for move, word in enumerate(game.dialogue.words(rules)):
        letters = word[-1:] if word.isdigit() else [letter for letter in word if letter in KEYS]
        free = [letter for letter in letters if letter not in taken]
        if not found[move] and free:
            found[move].append(free[0])
            taken.add(free[0])
    return {move: tuple(sorted(keys)) for move, keys in found.items()}  # digits first, as on the books' menus

"""Everything that is agreed before a match begins: the duel and its rules, who sits where, who starts, which luck."""

from __future__ import annotations

from typing import NamedTuple

from duelbook.core import DuelError, Game, check_beginning, variant
from duelbook.luck import Stream, new_seed
from duelbook.match import BELL, Match, read_stack
from duelbook.players import HUMAN, check_kind
from duelbook.speech import plain

LONGEST_NAME = 30


class Invitation(NamedTuple):
    """What was asked for, as it was said: `accept` checks it."""

    game: Game
    kinds: tuple[str, str] = (HUMAN, HUMAN)
    names: tuple[str | None, str | None] = (None, None)
    first: str | None = None
    """1, 2 or toss; None for the book's way."""
    rules: tuple[str, ...] = ()
    """What differs from the book, each as `name=value`."""
    position: str | None = None
    seed: int | None = None
    """None for luck that nobody has chosen."""
    deck: str | None = None
    max_turns: int = BELL


def accept(wish: Invitation) -> tuple[Match, tuple[str, str]]:
    """The match that was asked for, and the tidy kinds of its players. Raises DuelError where it cannot be had."""
    game = wish.game
    kinds = (check_kind(wish.kinds[0]), check_kind(wish.kinds[1]))
    rules = variant(game, wish.rules)
    if wish.position is None:
        check_beginning(game, rules)
    names = checked_names(game.seats, *wish.names)
    start = _start(game, rules, wish.first, wish.position, wish.seed)
    stacked = read_stack(game, rules, start, wish.deck) if wish.deck is not None else []
    match = Match(game, rules, start=start, seed=wish.seed, stacked=stacked, max_turns=wish.max_turns, names=names)
    if match.outcome is not None:
        raise DuelError(f"That position is the end of a game already: {match.outcome.reason}")
    return match, kinds


def has_first_player(game: Game) -> bool:
    return bool(game.start(game.book, 0) != game.start(game.book, 1))


def checked_names(seats: tuple[str, str], *chosen: str | None) -> tuple[str, str]:
    names = []
    for given, usual in zip(chosen, seats, strict=True):
        name = usual if given is None else " ".join(given.split())
        if not name or plain(name) != name or len(name) > LONGEST_NAME:
            raise DuelError(f"A name has 1 to {LONGEST_NAME} visible characters.")
        names.append(name)
    if names[0].lower() == names[1].lower():
        raise DuelError(f"Both players cannot be called {names[0]}.")
    return names[0], names[1]


def _start(game: Game, rules: object, first: str | None, position: str | None, seed: int | None) -> object:
    if first is not None and position is not None:
        raise DuelError("A position says whose turn it is; leave out --first.")
    if first is not None and not has_first_player(game):
        raise DuelError(f"{game.name} has no first player: both pick at once. Leave out --first.")
    if position is not None:
        return game.read_position(rules, position)
    if first == "toss":
        return game.start(rules, Stream(new_seed() if seed is None else seed, "toss").number(0) >> 63)
    return game.start(rules, int(first or 1) - 1)

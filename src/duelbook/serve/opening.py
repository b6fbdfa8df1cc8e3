"""How an online game begins: what was asked for, checked, and what the server promises before anybody sits down."""

from __future__ import annotations

import secrets
from collections.abc import Container
from typing import NamedTuple

from duelbook.core import DuelError, check_beginning, rules_hash, settings, variant
from duelbook.games import load
from duelbook.honest.chains import Chain
from duelbook.honest.draws import promise
from duelbook.honest.writing import LENGTH
from duelbook.match import BELL
from duelbook.players import ENGINE, HUMAN, LLM, check_kind
from duelbook.serve.events import Body
from duelbook.serve.names import cleaned
from duelbook.serve.online import TOSS, Online
from duelbook.table.invitation import has_first_player

SLOWEST = 14 * 24 * 3600
"""Seconds for a move at most: two weeks."""
LINKS = 2 * BELL + 1
"""Of every chain: two draws for each turn, and the toss."""
LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Of a game's name: none of them is taken for another."""


class Wish(NamedTuple):
    """A game as somebody asks for it."""

    duel: str
    rules: tuple[str, ...] = ()
    kinds: tuple[str, str] = (HUMAN, HUMAN)
    names: tuple[str, str] = ("", "")
    """Empty for the book's own."""
    first: str = "1"
    """1, 2 or toss."""
    pace: int = 0
    """Seconds for each decision; 0 for as long as it takes."""
    is_open: bool = False
    """Anybody may take the free seat."""


def new_id() -> str:
    """The name of a game. Nobody finds it by trying: there are 31 to the 16th of them, about 79 bits."""
    return "".join(secrets.choice(LETTERS) for _ in range(16))


def created(wish: Wish, invitations: tuple[str, str], engines: Container[str] = ()) -> Body:
    """The first event of the game that was asked for. Raises DuelError where it cannot be had.

    `invitations` are the digests of what lets somebody sit down in each seat, `engines` the kinds of player that the
    operator has named: nobody else starts a program here.
    """
    duel = load(wish.duel)
    rules = variant(duel, wish.rules)
    check_beginning(duel, rules)
    kinds = [_kind(kind, engines) for kind in wish.kinds]
    if HUMAN not in kinds:
        raise DuelError("One of the seats must be yours or a friend's.")
    if wish.first not in ("1", "2", TOSS):
        raise DuelError("Who begins is 1, 2 or toss.")
    first = wish.first if has_first_player(duel) else "1"
    if not (type(wish.pace) is int and (wish.pace == 0 or 10 <= wish.pace <= SLOWEST)):
        raise DuelError(f"The time for a move is 0 for as long as it takes, or from 10 to {SLOWEST:,} seconds.")
    game, secret = new_id(), secrets.token_bytes(LENGTH)
    chains = ["" if kind == HUMAN else secrets.token_bytes(LENGTH).hex() for kind in kinds]
    names = [name or usual for name, usual in zip(wish.names, duel.seats, strict=True)]
    return {
        "kind": "created",
        "game": game,
        "duel": duel.id,
        "rules": list(settings(duel, rules)),
        "hash": rules_hash(duel, rules),
        "first": TOSS if first == TOSS else int(first) - 1,
        "pace": wish.pace,
        "turns": BELL,
        "links": LINKS,
        "open": wish.is_open,
        "invitations": list(invitations),
        "promise": promise(game, secret).hex(),
        "key": secret.hex(),
        "secrets": list(chains),
        "anchors": [Chain(bytes.fromhex(chain), LINKS).anchor.hex() if chain else "" for chain in chains],
        "kinds": list(kinds),
        "names": [cleaned(name) for name in names],
    }


def another(online: Online) -> Wish:
    """The game after this one: the same with the seats swapped."""
    one, two = online.seats
    first = TOSS if online.toss else str(online.first + 1)
    return Wish(online.duel.id, online.differs, (two.kind, one.kind), (two.name, one.name), first, int(online.pace))


def _kind(kind: str, engines: Container[str]) -> str:
    if kind in engines:
        return kind
    if kind.strip().lower().startswith((ENGINE, LLM)):  # a model costs its operator money, too
        raise DuelError("The programs that play here are those that the server's operator has named.")
    return check_kind(kind)

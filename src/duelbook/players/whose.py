"""Whose a saved game is, in the words of a list: to a person who played a program it says `you`."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from duelbook.core import FIRST, SECOND
from duelbook.match import Outcome, resigned
from duelbook.players import HUMAN, people_in, short_kind


def who_played(kinds: Sequence[str], names: Sequence[str]) -> str:
    """`you (Player 2) against level 3 casual`; people by their names, programs by what they are."""
    people = people_in(kinds)
    if len(people) == 1:
        seat = people[0]
        return f"you ({names[seat]}) against {short_kind(kinds[1 - seat])}"
    one, two = names if people else map(short_kind, kinds)
    return f"{one} against {two}"


def who_met(kinds: Sequence[str], names: Sequence[str], seats: Sequence[str]) -> str:
    """`Player 1 against Player 2 (level 3 casual)`: what a program is, where its name is only that of its seat."""
    one, two = (
        f"{name} ({short_kind(kind)})" if kind != HUMAN and name in seats else name
        for name, kind in zip(names, kinds, strict=True)
    )
    return f"{one} against {two}"


def briefly(kinds: Sequence[str], names: Sequence[str], seats: Sequence[str]) -> str:
    """The same where there is little room: `level 3, as Player 2`, where the seat is yours and called so."""
    people = people_in(kinds)
    if len(people) == 1:
        return f"{_briefly(kinds[1 - people[0]])}, as {seats[people[0]]}"
    if not people:
        return " against ".join(map(_briefly, kinds))
    return who_played(kinds, names)


def _briefly(kind: str) -> str:
    return kind.replace(":", " ") if kind.startswith("level:") else short_kind(kind)


def who_won(kinds: Sequence[str], names: Sequence[str], winner: int | None) -> str:
    """`you won`, `you lost`, `Ann won`, `nobody won`."""
    if winner not in (FIRST, SECOND):
        return "nobody won"
    people = people_in(kinds)
    if len(people) == 1:
        return "you won" if winner in people else "you lost"
    return f"{names[winner]} won"


def why_over(outcome: Outcome, names: Sequence[str], people: Collection[int]) -> str:
    """The sentence that says why a game is over; to the only person at the table, that it was they who resigned."""
    gave_up = [seat for seat in people if outcome.winner == 1 - seat and outcome.reason == resigned(names[seat])]
    return "You resigned." if gave_up and len(people) == 1 else outcome.reason

"""What a page says of a table: how it stands, how much time is left, and when somebody may claim the game."""

from __future__ import annotations

from duelbook.core import BOTH, LUCK
from duelbook.serve.pages.sight import Sight
from duelbook.speech import either, how_long
from duelbook.table.telling import verdict


def left_words(seconds: float) -> str:
    return f"{how_long(seconds)} left" if seconds > 0 else "out of time"


def standing(sight: Sight) -> str:
    """Whose turn it is, or who has won, to whoever looks."""
    online = sight.online
    match = online.match
    if online.over and match is not None:
        return verdict(match, () if sight.viewer is None else (sight.viewer,))
    if online.withdrawn is not None:
        who = "You have" if online.withdrawn == sight.viewer else f"{online.seats[online.withdrawn].name} has"
        return f"{who} withdrawn this game before it began."
    if match is None:
        empty = [seat.name for seat in online.seats if not seat.is_taken]
        return f"Waiting for {either(empty, 'and')}." if empty else "A toss decides who begins."
    if sight.mine:
        if match.turn == LUCK:
            chance = online.duel.chance
            return f"Your turn: {chance.draw} a {chance.face}." if match.next_seat() == sight.viewer else "Your part."
        return "Your turn."
    waits = [online.seats[seat].name for seat in online.due()]
    sealed = sight.viewer is not None and match.turn == BOTH and online.seats[sight.viewer].seal
    return f"{'Your pick is sealed. ' if sealed else ''}Waiting for {either(waits, 'and')}." if waits else ""


def claim_words(sight: Sight) -> str:
    """Why or when the game may be claimed; nothing where there is nothing to claim."""
    left, online = sight.claim_in, sight.online
    if left is None:
        return ""
    if left < 0:
        gone = "has made you wait" if online.needs_no_decision() else "is due to move and has been away"
        why = "is out of time" if online.pace else f"{gone} for more than a minute"
        return f"{sight.other} {why}. You may claim the game, or go on waiting."
    if online.pace:
        return f"If {sight.other} does not move in time, you may claim the game."
    if sight.away > 15:
        return f"{sight.other} has been away for {how_long(sight.away)}; after a minute you may claim the game."
    return ""

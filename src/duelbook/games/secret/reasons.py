"""Why a pick of Number Duel (secret) is good or bad: who is ahead, by how much, and who may not repeat which number.

Two HP ahead wins. One HP ahead wins if the two numbers differ in one's favour, and is nothing if they are the same, so
the leader wants to differ and the other wants to match; who may not repeat the number in question cannot. On equal HP
the highest number decides: whoever may pick it while the other may not is a hit ahead. All of this is looked up before
it is said.

Every function is one claim, the most telling first in CLAIMS.
"""

from __future__ import annotations

from duelbook.core import DRAW, Deed
from duelbook.games.secret.rules import State, legal, repeats, resolve, winner

VERB = "pick"


def lead(s: State, me: int) -> int:
    return s.hp[me] - s.hp[1 - me]


def _resolved(d: Deed, s: State, mine: int, theirs: int) -> State:
    return resolve(d.rules, s, *((mine, theirs) if d.seat == 0 else (theirs, mine)))


def _cannot_match(d: Deed, s: State) -> bool:
    """Whether the other wins at a position by picking the number that you may not repeat, whatever you pick."""
    banned = s.last[d.seat] - 1
    if banned < 0 or not legal(d.rules, s, d.foe, banned):
        return False
    return all(
        d.worth(_resolved(d, s, mine, banned)) == -1
        for mine in range(d.rules.highest)
        if legal(d.rules, s, d.seat, mine)
    )


def _only_level(d: Deed, banned: int) -> str:
    """What a beginner asks who may not match the second highest number: the highest beats it, and still loses."""
    high = d.rules.highest
    return f"; with {high} you only draw level, and then {high} is theirs alone" if banned == high - 1 else ""


def forfeits(d: Deed) -> str:
    if not repeats(d.before, d.seat, d.move):
        return ""
    return f"{d.move + 1} was your last number, and whoever repeats their last number forfeits."


def _ends_it_for(d: Deed, loser: int) -> bool:
    """Whether the pick and its answer take this player's last HP."""
    if any(d.after.forfeit) or winner(d.rules, d.after) == DRAW:
        return False
    return bool(d.after.hp[loser] == 0)


def loses_the_last(d: Deed) -> str:
    if not _ends_it_for(d, d.seat):
        return ""
    mine, theirs, had = d.move + 1, d.answer + 1, d.before.hp[d.seat]
    return f"Against {theirs} your {mine} loses {theirs - mine} HP, and {had} is all you have."


def takes_the_last(d: Deed) -> str:
    if not _ends_it_for(d, d.foe):
        return ""
    mine, theirs, had = d.move + 1, d.answer + 1, d.before.hp[d.foe]
    return f"Against {theirs} your {mine} takes {mine - theirs} HP, and {had} is all they have."


def _standing(d: Deed) -> str:
    """Which moment is spoken of: once both have picked, the screen shows another one."""
    return f"With {d.before.hp[d.seat]} HP to their {d.before.hp[d.foe]}"


def _two_are_enough(d: Deed) -> bool:
    """With the numbers 1 and 2 alone both alternate, and no lead grows; with more of them two HP are enough."""
    return bool(d.rules.highest > 2)


def _is_lost(d: Deed) -> bool:
    return not any(d.after.forfeit) and min(d.after.hp) > 0 and d.worth(d.after) == -1


def falls_two_behind(d: Deed) -> str:
    behind = -lead(d.after, d.seat)
    if not d.slip or not _is_lost(d) or behind < 2 or not _two_are_enough(d):
        return ""
    mine, theirs = d.move + 1, d.answer + 1
    if theirs <= mine:
        return ""
    told = f"Against {theirs} your {mine} loses {theirs - mine} HP"
    return f"{told}: they are then {behind} HP ahead, and two are enough to win."


def gives_the_highest_away(d: Deed) -> str:
    """On equal HP: they may pick the highest number next, and you may not."""
    high = d.rules.highest
    if not d.slip or not _is_lost(d) or lead(d.after, d.seat) != 0 or d.after.last[d.seat] != high:
        return ""
    if d.after.last[d.foe] == high:
        return ""
    answer = d.answer + 1
    return f"Against {answer} you are level, but next they may pick {high} and you may not repeat it: that decides."


def one_behind_and_unable_to_match(d: Deed) -> str:
    """One HP behind, with a ban that keeps from matching the leader's next number."""
    if not d.slip or not _is_lost(d) or lead(d.after, d.seat) != -1 or not _cannot_match(d, d.after):
        return ""
    banned = d.after.last[d.seat]
    return (
        f"Against {d.answer + 1} you are one HP behind and cannot repeat {banned}: "
        f"they pick {banned} next, and you cannot match it{_only_level(d, banned)}."
    )


def keeps_too_little(d: Deed) -> str:
    """A win that is let slip without being lost."""
    if not d.slip or any(d.after.forfeit) or min(d.after.hp) <= 0 or not -1 < d.worth(d.after) < 1:
        return ""
    ahead, mine, theirs = lead(d.after, d.seat), d.move + 1, d.answer + 1
    told = f"Against {theirs} your {mine} leaves you"
    if ahead < 0:
        return f"{told} {-ahead} HP behind: the win is gone." if d.worth(d.before) == 1 else ""
    return f"{told} {f'{ahead} HP ahead' if ahead else 'level'}, and that is not enough to win."


def a_foreseen_pick_is_matched(d: Deed) -> str:
    """One HP between the two: the leader wins if the numbers differ, the other is saved if they are the same."""
    ahead = lead(d.before, d.seat)
    if abs(ahead) != 1 or d.slip or abs(d.worth(d.before)) == 1 or d.worth(d.before) == 0:
        return ""
    one, two = d.rules.highest - 1, d.rules.highest - 2
    same = [d.worth(_resolved(d, d.before, move, move)) for move in (one, two)]
    apart = [d.worth(_resolved(d, d.before, *pair)) for pair in ((one, two), (two, one))]
    if any(each != 0 for each in same) or any(each != ahead for each in apart):
        return ""
    numbers = f"{two + 1} or {one + 1}"
    if ahead == 1:
        return (
            f"One HP ahead you win if the numbers differ and not if both pick the same, {numbers}: do not be foreseen."
        )
    return f"One HP behind you are saved if both pick the same, {numbers}, and lost if not: do not be foreseen."


def they_cannot_match(d: Deed) -> str:
    """One HP ahead, and the number they may not repeat is the one to pick."""
    banned = d.before.last[d.foe]
    if d.slip or lead(d.before, d.seat) != 1 or d.worth(d.before) != 1 or d.move + 1 != banned:
        return ""
    return f"One HP ahead you win if the numbers differ, and they may not repeat {banned}: they cannot match it."


def they_cannot_answer_the_highest(d: Deed) -> str:
    high = d.rules.highest
    if d.slip or lead(d.before, d.seat) != 0 or d.move + 1 != high or d.before.last[d.foe] != high:
        return ""
    level = d.before.hp[d.seat]
    if d.worth(d.before) != 1 or level == 1:  # the last HP is taken at once
        return ""
    first = f"Level at {level} HP, and they may not repeat {high}: pick it, and you are ahead"
    return f"{first}; at best they draw level again, on fewer HP and with {high} barred to them once more."


def two_ahead_is_enough(d: Deed) -> str:
    ahead = lead(d.before, d.seat)
    if d.slip or ahead < 2 or d.worth(d.before) != 1 or not _two_are_enough(d):
        return ""
    return f"{_standing(d)} you are {ahead} HP ahead, and two are enough to win."


def they_cannot_put_it_off(d: Deed) -> str:
    """Far enough ahead only time can be lost, while both pick the same: not with the number they may not repeat."""
    banned = d.before.last[d.foe]
    if d.slip or lead(d.before, d.seat) < 2 or d.worth(d.before) != 1 or d.move + 1 != banned:
        return ""
    return (
        f"They may not repeat {banned}, so they cannot pick the same and put it off, as they could with another number."
    )


def a_foreseen_pick_puts_it_off(d: Deed) -> str:
    """Far enough ahead, where no number is barred to the other: whoever is foreseen is matched, again and again."""
    if d.slip or not d.by_lot or lead(d.before, d.seat) < 2 or d.worth(d.before) != 1:
        return ""
    if not legal(d.rules, d.before, d.foe, d.move):
        return ""
    return f"If they foresee your {d.move + 1} they pick it as well, and put it off: do not be foreseen."


def they_are_two_ahead(d: Deed) -> str:
    ahead = -lead(d.before, d.seat)
    if ahead < 2 or d.worth(d.before) != -1 or not _two_are_enough(d):
        return ""
    return f"{_standing(d)} they are {ahead} HP ahead, and two are enough to win."


def they_have_the_highest(d: Deed) -> str:
    high = d.rules.highest
    if lead(d.before, d.seat) != 0 or d.worth(d.before) != -1 or d.before.last[d.seat] != high:
        return ""
    level = d.before.hp[d.seat]
    return f"Level at {level} HP, but they may pick {high} and you may not repeat it: that is a hit ahead."


def you_cannot_match(d: Deed) -> str:
    if lead(d.before, d.seat) != -1 or d.worth(d.before) != -1 or not _cannot_match(d, d.before):
        return ""
    banned = d.before.last[d.seat]
    told = f"One HP behind you have to match their number, and they pick {banned}, which you may not repeat"
    return f"{told}{_only_level(d, banned)}."


def is_the_highest_there_is(d: Deed) -> str:
    """Said where nothing can be won by force, and of a sure win where it is all that is advised."""
    highest = max(move for move in range(d.rules.highest) if legal(d.rules, d.before, d.seat, move))
    if (
        d.slip
        or d.move != highest
        or d.worth(d.before) not in (0, -1, 1)
        or (d.worth(d.before) == 1 and (d.move != d.best or d.by_lot))
    ):
        return ""
    return f"The highest you may pick is {d.move + 1}: against any number it deals the most and takes the least."


def nothing_beats_it_and_the_highest_is_kept(d: Deed) -> str:
    """The highest but one, while the highest is kept back for when the other may pick it again."""
    high = d.rules.highest
    if (
        d.slip
        or d.move + 1 != high - 1
        or d.before.last[d.foe] != high
        or not legal(d.rules, d.before, d.seat, high - 1)
    ):
        return ""
    if d.worth(d.before) not in (0, -1):
        return ""
    return (
        f"While they may not repeat {high} nothing beats {high - 1}, "
        f"and you still have {high} for the turn after, when they may pick it again."
    )


CLAIMS = (
    forfeits,
    loses_the_last,
    takes_the_last,
    falls_two_behind,
    gives_the_highest_away,
    one_behind_and_unable_to_match,
    keeps_too_little,
    they_cannot_match,
    they_cannot_answer_the_highest,
    a_foreseen_pick_is_matched,
    two_ahead_is_enough,
    they_cannot_put_it_off,
    a_foreseen_pick_puts_it_off,
    they_are_two_ahead,
    they_have_the_highest,
    you_cannot_match,
    is_the_highest_there_is,
    nothing_beats_it_and_the_highest_is_kept,
)
MERITS = (
    takes_the_last,
    they_cannot_match,
    they_cannot_answer_the_highest,
    they_cannot_put_it_off,
    is_the_highest_there_is,
    nothing_beats_it_and_the_highest_is_kept,
)
"""Those that speak for the move that they are made of."""

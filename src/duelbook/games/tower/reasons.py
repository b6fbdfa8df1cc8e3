"""Why a move of Tower Defense Duel is good or bad: how far it is to the goal, and who can reach it exactly.

Every function is one claim, the most telling first in CLAIMS. It looks at the rules and at what positions are worth
before it says anything, so whatever it says is so.
"""

from __future__ import annotations

from duelbook.core import Deed
from duelbook.games.tower.rules import ATTACK, Rules, State, apply, legal
from duelbook.speech import either

VERB = ""
"""Its words are verbs: you build 4."""


def last_build(rules: Rules, height: int) -> int:
    """The units that reach the goal exactly from a height; 0 where no build does."""
    units = rules.goal - height
    return units if units in rules.builds else 0


def _over(d: Deed) -> bool:
    return bool(max(d.after.towers) >= d.rules.goal)


def _knocked_down(d: Deed) -> State | None:
    """Where an attack would have led instead; None where there is nothing to knock off."""
    return apply(d.rules, d.before, ATTACK) if legal(d.rules, d.before, d.seat, ATTACK) else None


def reaches_the_goal(d: Deed) -> str:
    height, goal = d.before.towers[d.seat], d.rules.goal
    if d.after.towers[d.seat] != goal:
        return ""
    return f"Your tower stands at {height}: {goal - height} more is exactly {goal}."


def goes_over(d: Deed) -> str:
    height, goal = d.after.towers[d.seat], d.rules.goal
    return f"At {height} your tower is past {goal}, and only exactly {goal} wins." if height > goal else ""


def passes_the_win_by(d: Deed) -> str:
    height = d.before.towers[d.seat]
    units = last_build(d.rules, height)
    if not d.slip or not units:
        return ""
    return f"From {height} you reach {d.rules.goal} exactly: build {units} wins at once."


def they_reach_it(d: Deed) -> str:
    height = d.after.towers[d.foe]
    units = last_build(d.rules, height)
    if _over(d) or not units:
        return ""
    stand = "After your attack they stand" if d.move == ATTACK else "They stand"
    return f"{stand} at {height}, {units} short of {d.rules.goal}: they reach it exactly next turn."


def an_attack_stops_it(d: Deed) -> str:
    down = _knocked_down(d)
    if not d.slip or not they_reach_it(d) or down is None or last_build(d.rules, down.towers[d.foe]):
        return ""
    return f"An attack brings them down to {down.towers[d.foe]}, from where no build reaches {d.rules.goal}."


def takes_them_out_of_reach(d: Deed) -> str:
    was, now = d.before.towers[d.foe], d.after.towers[d.foe]
    units = last_build(d.rules, was)
    if d.move != ATTACK or not units or last_build(d.rules, now):
        return ""
    return (
        f"They stand at {was}, {units} short of {d.rules.goal}; knocked down to {now} they cannot reach it next turn."
    )


def cannot_be_kept_from_it(d: Deed) -> str:
    """Tall enough that an attack does not help: the goal is in reach before it and after it."""
    mine, goal = d.after.towers[d.seat], d.rules.goal
    low = mine - d.rules.knocked
    if _over(d) or low < 0 or not last_build(d.rules, mine) or not last_build(d.rules, low):
        return ""
    if last_build(d.rules, d.after.towers[d.foe]):
        return ""
    return f"At {mine} you reach {goal} next turn, and knocked down to {low} you still do; they cannot reach it first."


def they_cannot_be_kept_from_it(d: Deed) -> str:
    """The same for the other, after their answer."""
    if not d.line or max(d.line[0].after.towers) >= d.rules.goal:
        return ""
    then = d.line[0].after
    theirs, low, goal = then.towers[d.foe], then.towers[d.foe] - d.rules.knocked, d.rules.goal
    if low < 0 or not last_build(d.rules, theirs) or not last_build(d.rules, low):
        return ""
    if last_build(d.rules, then.towers[d.seat]):
        return ""
    return (
        f"After their answer they stand at {theirs}: even knocked down to {low} they reach {goal} exactly, "
        "and you cannot reach it first."
    )


def they_knock_you_out_of_reach(d: Deed) -> str:
    mine = d.after.towers[d.seat]
    if not d.slip or not d.line or d.line[0].move != ATTACK or not last_build(d.rules, mine):
        return ""
    low = d.line[0].after.towers[d.seat]
    if last_build(d.rules, low):
        return ""
    return f"From {mine} you would reach {d.rules.goal}, but they knock you down to {low}, from where no build does."


def _exchange(rules: Rules, builder: int, moves: list[tuple[int, int]]) -> bool:
    """The builder makes the largest build twice, the other one knocks some of it off in between, and it pays."""
    large = rules.builds.index(max(rules.builds))
    return moves == [(builder, large), (1 - builder, ATTACK), (builder, large)] and max(rules.builds) > rules.knocked


def they_gain_on_every_exchange(d: Deed) -> str:
    steps = d.line[:3]
    if d.worth(d.after) != -1 or not _exchange(d.rules, d.foe, [(step.seat, step.move) for step in steps]):
        return ""
    heights = ", then ".join(str(steps[at].after.towers[d.foe]) for at in (0, 2))
    return (
        f"After that they outbuild your attacks: each knocks off {d.rules.knocked}, they build {max(d.rules.builds)} "
        f"and come nearer to {d.rules.goal} ({heights})."
    )


def you_gain_on_every_exchange(d: Deed) -> str:
    steps = d.line[:2]
    moves = [(d.seat, d.move), *((step.seat, step.move) for step in steps)]
    if d.worth(d.after) != 1 or not _exchange(d.rules, d.seat, moves):
        return ""
    heights = ", then ".join(str(each.towers[d.seat]) for each in (d.after, steps[1].after))
    return (
        f"If they knock off {d.rules.knocked}, build {max(d.rules.builds)} again: you come nearer to {d.rules.goal} "
        f"with every exchange ({heights})."
    )


def some_heights_are_lost(d: Deed) -> str:
    """Which heights that can be built now win and which lose, with the other's turn to come."""
    if ATTACK in (d.move, d.best):
        return ""
    won: list[str] = []
    lost: list[str] = []
    for units in d.rules.builds:
        height = d.before.towers[d.seat] + units
        worth = d.worth(apply(d.rules, d.before, d.rules.builds.index(units))) if height < d.rules.goal else 0
        (won if worth == 1 else lost if worth == -1 else []).append(str(height))
    if not won or not lost:
        return ""
    theirs = d.before.towers[d.foe]
    return f"With them at {theirs} and to move, your tower loses at {either(lost)} and wins at {either(won)}."


def builds_outweigh_attacks(d: Deed) -> str:
    """What a newcomer is told of a first build that wins, where nothing is near enough to be counted yet."""
    most, off = max(d.rules.builds), d.rules.knocked
    if d.slip or _over(d) or d.move == ATTACK or d.worth(d.after) != 1 or most <= off or you_gain_on_every_exchange(d):
        return ""
    if some_heights_are_lost(d) or cannot_be_kept_from_it(d):
        return ""
    return f"A build adds up to {most} and an attack takes {off}: whoever keeps building comes nearer all the same."


def another_race_is_won(d: Deed) -> str:
    """What is always left to say: the two towers after this move and after the best one."""
    then = apply(d.rules, d.before, d.best)
    if not d.slip or _over(d) or max(then.towers) >= d.rules.goal or d.worth(d.after) != -1 or d.worth(then) != 1:
        return ""
    lost, won = (f"{each.towers[d.seat]} against their {each.towers[d.foe]}" for each in (d.after, then))
    return f"With their turn to come, {lost} is a lost race and {won} a won one."


CLAIMS = (
    reaches_the_goal,
    goes_over,
    passes_the_win_by,
    they_reach_it,
    an_attack_stops_it,
    cannot_be_kept_from_it,
    takes_them_out_of_reach,
    they_cannot_be_kept_from_it,
    they_knock_you_out_of_reach,
    they_gain_on_every_exchange,
    you_gain_on_every_exchange,
    some_heights_are_lost,
    builds_outweigh_attacks,
    another_race_is_won,
)
MERITS = (
    reaches_the_goal,
    cannot_be_kept_from_it,
    takes_them_out_of_reach,
    you_gain_on_every_exchange,
    builds_outweigh_attacks,
)
"""Those that speak for the move that they are made of."""

"""What Command Line Conquer says and understands. Its book shows no transcript; the words are those of its examples."""

from __future__ import annotations

from duelbook.games.conquer.rules import Move, Rules, State, Status, apply, attack_damage, legal, winner
from duelbook.speech import Line, Names, find_word, gauges

WORDS = ("attack", "defend", "heal")
SPELLINGS = {word: move for move, word in enumerate(WORDS)} | {word[0]: move for move, word in enumerate(WORDS)}


def words(rules: Rules) -> tuple[str, ...]:
    return WORDS


def read(rules: Rules, s: State, me: int, text: str) -> int:
    return find_word(text, SPELLINGS)


def why_not(rules: Rules, s: State, me: int, move: int) -> str:
    return "You cannot attack on the turn after defending."


def effect(rules: Rules, s: State, me: int, move: int) -> str:
    after = apply(rules, s, move)
    if move == Move.ATTACK:
        target = s.status[1 - me]
        change = f"your opponent goes from {s.hp[1 - me]} HP to {after.hp[1 - me]} HP"
        if target == Status.DEFENDING:
            return "blocked: your opponent is defending and takes no damage"
        if target == Status.EXPOSED:
            change = f"{s.hp[1 - me] - after.hp[1 - me]} damage, because your opponent is healing: {change}"
        return f"{change}: you win" if after.hp[1 - me] <= 0 else change
    safe = not legal(rules, after, 1 - me, Move.ATTACK)
    if move == Move.DEFEND:
        does = (
            "nothing to block: your opponent cannot attack next turn" if safe else "blocks your opponent's next attack"
        )
        return f"{does}; you cannot attack on your next turn"
    change = f"you go from {s.hp[me]} HP to {after.hp[me]} HP"
    if safe:
        return f"{change}; your opponent cannot attack next turn"
    if after.status[me] == Status.COVERED:
        return f"{change}; covered by your Defend, so an attack would deal the ordinary {rules.damage}"
    return f"{change}; exposed, so an attack would deal {rules.exposed_damage}"


def opening(rules: Rules, s: State, names: Names) -> list[Line]:
    return [Line("--- Command Line Conquer ---", "title"), *gauges(names, "HP", s.hp, rules.hp)]


def status(rules: Rules, s: State, names: Names) -> list[Line]:
    lines = gauges(names, "HP", s.hp, rules.hp)
    doing = {Status.DEFENDING: "is defending", Status.EXPOSED: "is healing", Status.COVERED: "is healing under cover"}
    foe = 1 - s.mover
    if s.status[foe] in doing:
        lines.append(Line(f"{names[foe]} {doing[Status(s.status[foe])]}.", "calm"))
    if s.status[s.mover] == Status.DEFENDING:
        lines.append(Line(f"{names[s.mover]} has just defended and cannot attack.", "calm"))
    return lines


def ask(rules: Rules, s: State, me: int, names: Names) -> list[Line]:
    lines = [Line(f"{names[me]}'s Turn", "turn")]
    if s.status[1 - me] == Status.DEFENDING:
        lines.append(Line(f"{names[1 - me]} is defending.", "calm"))
    elif s.status[1 - me] == Status.EXPOSED:
        lines.append(Line(f"{names[1 - me]} is healing.", "calm"))
    return lines


def prompt(rules: Rules, s: State, me: int, names: Names) -> str:
    allowed = [word for move, word in enumerate(WORDS) if legal(rules, s, me, move)]
    return f"Choose your action ({', '.join(allowed)}): "


def tell(rules: Rules, s: State, move: int, after: State, names: Names, you: bool) -> list[Line]:
    me, foe = names[s.mover], names[1 - s.mover]
    if move == Move.ATTACK:
        lines = [Line(f"{me} attacks {foe}."), _tell_hit(rules, s.status[1 - s.mover], foe)]
    elif move == Move.DEFEND:
        lines = [
            Line(f"{me} prepares to block the next attack.", "gain"),
            Line(f"{me} cannot attack on their next turn.", "calm"),
        ]
    else:
        before, now = s.hp[s.mover], after.hp[s.mover]
        if now == before:
            lines = [Line(f"{me} heals, but is already at {now} HP: no change.", "gain")]
        else:
            lines = [Line(f"{me} heals for {now - before} HP ({before} HP → {now} HP).", "gain")]
    return lines + gauges(names, "HP", after.hp, rules.hp)


def _tell_hit(rules: Rules, target: int, foe: str) -> Line:
    damage = attack_damage(rules, target)
    if target == Status.DEFENDING:
        return Line(f"{foe} is defending: the attack is blocked and {foe} takes no damage.", "calm")
    if target == Status.EXPOSED:
        double = "double damage: " if damage == 2 * rules.damage else ""
        return Line(f"{foe} is healing and takes {double}{damage} damage.", "hurt")
    if target == Status.COVERED:
        return Line(f"{foe}'s heal was covered by their Defend: {foe} takes {damage} damage.", "hurt")
    return Line(f"{foe} takes {damage} damage.", "hurt")


def ending(rules: Rules, s: State, names: Names) -> str:
    loser = 1 - winner(rules, s)
    left = s.hp[loser]
    return f"{names[loser]}'s HP dropped to {left}{', which is below 0' if left < 0 else ''}."


def former_endings(rules: Rules, s: State, names: Names) -> list[str]:
    """How older records say it."""
    loser = 1 - winner(rules, s)
    return [f"{names[loser]}'s HP is {s.hp[loser]}, which is 0 or below."]


def farewell(rules: Rules, s: State, names: Names) -> list[Line]:
    return [
        Line(),
        Line(ending(rules, s, names)),
        Line(f"{names[winner(rules, s)]} wins the game!", "end"),
    ]

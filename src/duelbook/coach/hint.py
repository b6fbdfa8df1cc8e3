"""What to play now, what each choice is worth, and why, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from duelbook.coach.reasons import deed, ideas
from duelbook.coach.words import SAME, chance, no_more_than, percent, percents
from duelbook.core import BOTH, DRAW, LUCK, OVER, DuelError
from duelbook.solving.best_line import best_line
from duelbook.solving.solution import Solution
from duelbook.speech import amount, either, with_article

AMONG_EQUALS = "does best against somebody who errs"
"""What the move has for itself that a perfect player makes of several which come to the same."""
LONGEST_LINE = 8
"""So many moves of best play are shown."""


class Choice(NamedTuple):
    """One thing that can be played now, or one card that can come."""

    word: str
    value: float
    """What it is worth to Player 1, from -1 to 1."""
    wins: float
    """The win probability of the player who asked."""
    plies: int | None
    """Plies to the end with best play, where one side can force it."""
    share: float
    """How often a perfect player chooses it; for a card, how often it comes."""
    best: bool
    """Whether nothing is given away by it; a perfect player makes one of these, or chooses by lot among them."""
    about: str
    """What comes of it, in a few words."""

    @property
    def played(self) -> bool:
        """Whether it is what a perfect player does here: of equals the one that asks most."""
        return self.best and self.share > 0


class Hint(NamedTuple):
    seat: int
    value: float
    wins: float
    choices: tuple[Choice, ...]
    """The best first."""
    why: str
    line: tuple[str, ...] = ()
    """How the game goes on with best play, where it is decided."""
    ideas: tuple[str, ...] = ()
    """What the duel has to say about the best choice, in its own words."""

    def lines(self) -> list[str]:
        """The hint as a person reads it."""
        alike = groupby(self.choices, key=lambda choice: (choice.about, choice.played))
        rows = [(", ".join(choice.word for choice in group), *kind) for kind, group in alike]
        width = max(len(words) for words, _, _ in rows)
        lines = [f"  {words:<{width}}  {about}{'  <- best' if played else ''}" for words, about, played in rows]
        return [self.why, *self.ideas, *lines, *([f"Best play: {', '.join(self.line)}"] if len(self.line) > 1 else [])]


def hint(solution: Solution, state: object, seat: int | None = None) -> Hint:
    """What the seat should do at this position. Where one player is to move, the seat need not be named."""
    given = weighed(solution, state, seat)
    words = solution.game.dialogue.words(solution.rules)
    if solution.game.turn(solution.rules, state) == LUCK:
        return given
    return given._replace(ideas=ideas(solution, deed(solution, state, given.seat, words.index(given.choices[0].word))))


def weighed(solution: Solution, state: object, seat: int | None) -> Hint:
    """The hint without the ideas behind it, for whoever asks of many positions."""
    game, rules = solution.game, solution.rules
    turn = game.turn(rules, state)
    if turn == OVER:
        raise DuelError(f"The game is over at {game.write_position(rules, state)}: there is nothing left to choose.")
    if turn in (BOTH, LUCK):
        if seat is None:
            seat = int(game.dialogue.drawer(state)) if turn == LUCK else 0
        return _for_a_pick(solution, state, seat) if turn == BOTH else _before_a_card(solution, state, seat)
    return _with_luck(solution, state, turn) if solution.kind == "luck" else _without_luck(solution, state, turn)


# Alternating duels without luck: won, lost, or nobody can force anything


def _without_luck(solution: Solution, state: object, seat: int) -> Hint:
    game, rules = solution.game, solution.rules
    sign = 1 if seat == 0 else -1
    words = game.dialogue.words(rules)
    plan = solution.plan(state, seat)
    options = solution.options(state, seat)
    best = max(sign * option.value for option in options)
    # Win soon, lose late; where nothing is decided, what the perfect player plays comes first.
    ranked = sorted(options, key=lambda option: (*option.rank(seat), -plan[option.move]))
    top = ranked[0]
    choices = []
    for move, value, plies, _ in ranked:
        good = sign * value == best and (best == 0 or plies == top.plies)
        too = " as well" if good and not plan[move] else ""
        about = _fate(solution, state, seat, move, sign * value, plies, too)
        choices.append(Choice(words[move], value, chance(value, seat), plies, plan[move], good, about))
    value = solution.value(state)
    line = _line_of_play(solution, state) if best != 0 else ()
    return Hint(seat, value, chance(value, seat), tuple(choices), _why_without_luck(choices), line)


def _fate(solution: Solution, state: object, seat: int, move: int, mine: float, plies: int | None, too: str) -> str:
    """What comes of a move with best play on both sides; `too` is said of what the best one comes to as well."""
    game, rules = solution.game, solution.rules
    after = game.apply(rules, state, move)
    if game.turn(rules, after) == OVER:
        winner = game.winner(rules, after)
        return f"{'draws' if winner == DRAW else 'wins' if winner == seat else 'loses'} at once{too}"
    if mine == 0:
        return f"holds{too}: nobody can force a win"
    length = amount(plies or 0, "move")
    if mine > 0:
        return f"wins in at most {length}{too}"
    turn = game.turn(rules, after)
    answer = game.dialogue.words(rules)[solution.plan(after, turn).index(1.0)]
    answered = f", they answer {answer}" if turn != seat else ""
    return f"loses in {length}{too}{answered}"


def _why_without_luck(choices: Sequence[Choice]) -> str:
    top = choices[0]
    losing = [choice.word for choice in choices if choice.wins < top.wins]
    if len(choices) == 1:
        return f"{top.word} is the only move there is: it {top.about}."
    if top.wins == 1:
        if top.plies == 1:
            return f"{top.word}: it wins at once."
        alone = ", and nothing else wins" if len(losing) == len(choices) - 1 else ""
        return f"{top.word}: whatever they do, you win in at most {top.plies} moves{alone}."
    if top.wins == 0:
        if top.plies == 1:
            return "Every move loses at once."
        longest = [choice.word for choice in choices if choice.plies == top.plies]
        if len(longest) == len(choices):
            return f"Every move loses in {top.plies} moves if they play well; {top.word} {AMONG_EQUALS}."
        if len(longest) > 1:
            hold_out = f"{either(longest, 'and')} hold out longest, for {top.plies} moves"
            return f"Every move loses if they play well; {hold_out}, and {top.word} {AMONG_EQUALS}."
        return f"Every move loses if they play well; {top.word} holds out longest, for {top.plies} moves."
    if not losing:
        return f"{top.word}: nobody can force a win here and no move loses; this one {AMONG_EQUALS}."
    holding = [choice.word for choice in choices if choice.wins == top.wins]
    holds = f"only {holding[0]} holds" if len(holding) == 1 else f"{either(holding, 'and')} hold"
    loses = f"{losing[0]} loses" if len(losing) == 1 else f"{either(losing, 'and')} lose"
    most = f"; of those that hold, {top.word} {AMONG_EQUALS}" if len(holding) > 1 else ""
    return f"{top.word}: nobody can force a win here; {holds}, {loses}{most}."


def _line_of_play(solution: Solution, state: object) -> tuple[str, ...]:
    """How a decided game goes on when both play perfectly."""
    line = best_line(solution, state, LONGEST_LINE)
    return (*line.words, "...") if line.goes_on else line.words


# Luck


def _with_luck(solution: Solution, state: object, seat: int) -> Hint:
    game, rules = solution.game, solution.rules
    words = game.dialogue.words(rules)
    plan = solution.plan(state, seat)
    options = solution.options(state, seat)
    ranked = sorted(options, key=lambda option: (-round(chance(option.value, seat), 12), -plan[option.move]))
    worth = [chance(option.value, seat) for option in ranked]
    choices = []
    told = percents(*worth)
    for (move, value, plies, loss), wins, shown in zip(ranked, worth, told, strict=True):
        over = game.turn(rules, game.apply(rules, state, move)) == OVER
        too = " as well" if loss == 0 and not plan[move] else ""
        if not plan[move] and loss > SAME and shown == told[0]:
            shown = "a little less"  # than what is shown alike: no decimal that one would read tells them apart
        about = f"wins {shown}{too}" if not over else f"{'wins' if wins == 1 else 'loses'} at once{too}"
        choices.append(Choice(words[move], value, wins, plies, plan[move], loss == 0, about))
    value = solution.value(state)
    return Hint(seat, value, chance(value, seat), tuple(choices), _why_with_luck(choices))


def _why_with_luck(choices: Sequence[Choice]) -> str:
    top = choices[0]
    if top.about == "wins at once":
        return f"{top.word}: it wins at once."
    if len(choices) == 1:
        return f"{top.word} is the only move there is: it {top.about}."
    rest = ", ".join(
        f"{choice.word} {shown if choice.best else no_more_than(shown)}"
        for choice in choices[1:]
        for shown in [choice.about.removeprefix("wins ")]
    )
    if choices[1].best:
        return f"{top.word}: it {top.about}, {rest}; {top.word} {AMONG_EQUALS}."
    return f"{top.word}: it {top.about}, {rest}."


def _before_a_card(solution: Solution, state: object, seat: int) -> Hint:
    choices = []
    for face, share, value in sorted(solution.draws(state), key=lambda draw: -chance(draw.value, seat)):
        wins = chance(value, seat)
        choices.append(Choice(str(face), value, wins, None, share, False, f"then you win {percent(wins)}"))
    value = solution.value(state)
    wins = chance(value, seat)
    luck, spread = solution.game.chance, ""
    first = f"{luck.draw.capitalize()} first"
    if choices[0].about != choices[-1].about:
        best, worst = choices[0], choices[-1]
        good, bad = with_article(best.word), with_article(worst.word)
        spread = f"; {good} would make it {percent(best.wins)}, {bad} {percent(worst.wins)}"
    return Hint(
        seat, value, wins, tuple(choices), f"{first}: before the {luck.face} is seen you win {percent(wins)}{spread}."
    )


# Secret picks


def _for_a_pick(solution: Solution, state: object, seat: int) -> Hint:
    words = solution.game.dialogue.words(solution.rules)
    shares = [round(share, 12) for share in solution.plan(state, seat)]
    value = {option.move: option.value for option in solution.options(state, seat)}
    wins = {move: chance(value[move], seat) for move in value}
    here = solution.value(state)
    mine = chance(here, seat)
    met = {move: solution.meetings(state, seat, move) for move in value}
    # Where all is lost to perfect picks: the answers after which it is lost no longer.
    lost = mine <= SAME
    back = {move: [each for each in met[move] if lost and chance(met[move][each], seat) > SAME] for move in value}
    choices = []
    for move in sorted(value, key=lambda move: (-shares[move], -round(wins[move], 9), -len(back[move]), -move)):
        often = f", {percent(shares[move])} of the time" if 0 < shares[move] < 1 else ""
        hope = f"; {_hope(len(back[move]), len(met[move]))}" if lost else ""
        too = " as well" if not lost and not shares[move] and wins[move] >= mine - SAME else ""
        about = f"worth {percent(wins[move])}{too}{often}{hope}"
        choices.append(Choice(words[move], value[move], wins[move], None, shares[move], shares[move] > 0, about))
    if lost:
        best = max(value, key=lambda move: shares[move])
        why = _why_a_lost_pick(words, best, back[best], list(met[best]))
    else:
        foreseen = max(min(chance(left, seat) for left in met[move].values()) for move in value)
        why = _why_a_pick(mine, choices, foreseen)
    return Hint(seat, here, mine, tuple(choices), why)


def _hope(back: int, answers: int) -> str:
    """In few words: with nine other numbers before it and the mark behind it, it fits into 80 columns."""
    return (
        f"{back} of {answers} answers {'lets' if back == 1 else 'let'} you back in"
        if back
        else "no answer lets you back in"
    )


def _why_a_lost_pick(words: Sequence[str], pick: int, back: Sequence[int], answers: Sequence[int]) -> str:
    """`back` are those of the answers that would let the player back in."""
    if not back:
        return (
            "Everything loses against perfect picks, and no single answer lets you back in; "
            f"{words[pick]} is the best try against somebody who errs often."
        )
    which = "whatever they pick" if len(back) == len(answers) else f"if they pick {_named(words, back, answers)}"
    return (
        f"Everything loses against perfect picks; {words[pick]} is the best try against somebody who errs: "
        f"{which}, you are back in."
    )


def _named(words: Sequence[str], moves: Sequence[int], answers: Sequence[int]) -> str:
    """`1, 2 or 3`, or `1 to 7` for more in a row, or `anything but 9`. What may not be picked is not counted in."""
    others = [answer for answer in answers if answer not in moves]
    if len(moves) > 3 and len(others) == 1:
        return f"anything but {words[others[0]]}"
    rows: list[list[int]] = []
    for move in moves:
        if rows and move == rows[-1][-1] + 1 and words[move].isdigit():
            rows[-1].append(move)
        else:
            rows.append([move])
    said = [[f"{words[row[0]]} to {words[row[-1]]}"] if len(row) > 2 else [words[move] for move in row] for row in rows]
    return either(word for row in said for word in row)


def _why_a_pick(wins: float, choices: Sequence[Choice], foreseen: float) -> str:
    """`foreseen` is the win probability that the best single pick would leave if the other knew it."""
    picked = [choice for choice in choices if choice.best]
    # A game of picks may have no last turn by which it is over: won is what ends well in the end.
    keeps = "you win in the end" if wins >= 1 - SAME else f"you keep {percent(wins)}"
    others = [choice.word for choice in choices if not choice.best and choice.wins >= wins - SAME]
    words = "any other pick" if len(others) == len(choices) - 1 else either(others) if others else ""
    too = f"; with {words} you do too" if words else ""
    if abs(wins - 0.5) <= SAME:
        keeps = "you give nothing away"
        too = f"{f', nor with {words}' if words else ''}; nobody can force a win here"
    if len(picked) == 1:
        return f"{picked[0].word}: whatever they pick, {keeps}{too}."
    if abs(wins - 0.5) <= SAME:
        keeps += "; nobody can force a win here"
    if len(picked) == len(choices):
        return f"Any pick, at random: whatever they pick, {keeps}."
    mixed = either(f"{choice.word} ({percent(choice.share)})" for choice in picked)
    alone = f"; any one pick that they foresaw would keep only {percent(foreseen)}" if foreseen < wins - SAME else ""
    return f"{mixed}, at random: whatever they pick, {keeps}{alone}."

"""Why a move is good or bad: the line of play that shows it, and the ideas of the duel that explain it.

The line comes from the solution, so every duel has one. The ideas are the duel's own claims (`games/<id>/reasons.py`),
each held against the rules and the solution before it is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from duelbook.coach.decision import sooner
from duelbook.coach.words import SAME, chance, percent
from duelbook.core import BOTH, DRAW, LUCK, OVER, Claim, Deed, SomeState, Step
from duelbook.solving.best_line import best_line
from duelbook.solving.solution import Solution
from duelbook.speech import amount, either, with_article

MOST_IDEAS = 2
"""So many ideas are said of one move: the most telling."""
MOST_MOVES = 6
"""So many moves of a line of play are looked at,"""
MOST_SHOWN = 4
"""and so many are shown of one that does not end by then."""


class Reason(NamedTuple):
    """What shows that a move is bad, or good."""

    reply: str
    """The move that answers it, in the duel's own words; empty where it ends the game or luck is next."""
    line: str
    """The answer and how it goes on, as a sentence."""
    ideas: tuple[str, ...]
    """Sentences about this duel, said to the player who made the move."""
    advises: str = ""
    """The move that these sentences name as the better one, if they do."""

    def lines(self) -> list[str]:
        return [self.line, *self.ideas]


def reason(solution: Solution, state: SomeState, seat: int, move: int, against: str = "") -> Reason:
    """Why a move is as good or as bad as it is; `against` says where another one is better, as `Against level 3`."""
    done = deed(solution, state, seat, move)
    words = solution.game.dialogue.words(solution.rules)
    reply = words[done.answer] if done.answer >= 0 else ""
    if done.slip or done.move == done.best:
        said = ideas(solution, done) or _instead(solution, done, words)
    else:
        said = _as_much_in_theory(solution, done, words, against)
    rather = (_rather(solution, words[done.best]), _rather(solution, words[done.best], against))
    advises = words[done.best] if any(sentence.startswith(rather) for sentence in said) else ""
    return Reason(reply, _line(solution, done), said, advises)


def _as_much_in_theory(solution: Solution, done: Deed, words: Sequence[str], against: str) -> tuple[str, ...]:
    """Of a move that perfect play does not punish, and that is not the best: what tells the two apart.

    What would be said of both is about the position, and what speaks for the move is no reason to make another one.
    """
    better = deed(solution, done.before, done.seat, done.best)
    played, advised = _said_of(solution, done), _said_of(solution, better)
    own = [sentence for sentence in played if sentence not in advised]
    both = [sentence for sentence in played if sentence in advised]
    merits = [sentence for sentence in _merits(solution, better) if sentence not in played]
    merits = merits or _holds_out_longer(solution, done) or ([] if len(own) > 1 else _in_theory_alike(against))
    advice = [f"{_rather(solution, words[done.best], against)} {sentence}" for sentence in merits[:1]]
    return (*(own or both)[: MOST_IDEAS - len(advice)], *advice)


def _holds_out_longer(solution: Solution, done: Deed) -> list[str]:
    """What the best move of a lost game has for itself, where plies are counted."""
    more = sooner(solution, done.before, done.seat, done.move)
    return [f"It holds out for {amount(more, 'move')} more."] if more else []


def _in_theory_alike(against: str) -> list[str]:
    """What is left to say of a move that is better against one opponent alone: whose doing that is."""
    return ["In perfect play both come to the same; it is this opponent who does worse against it."] if against else []


def _rather(solution: Solution, word: str, against: str = "") -> str:
    """`Rather attack.`, `Against level 3 rather pick 9.`"""
    reasons = solution.game.reasons
    told = " ".join(filter(None, (against, "rather", "" if reasons is None else reasons.VERB, word)))
    return f"{told[:1].upper()}{told[1:]}."


def _instead(solution: Solution, done: Deed, words: Sequence[str]) -> tuple[str, ...]:
    """Where there is nothing to say of a move: what there is to say of the one that a perfect player makes.

    Not where all is lost: what is said of the best move there is why it loses, too.
    """
    if done.move == done.best or done.worth(done.before) <= -1 + SAME:
        return ()
    said = ideas(solution, deed(solution, done.before, done.seat, done.best))
    return (f"{_rather(solution, words[done.best])} {said[0]}", *said[1:]) if said else ()


def ideas(solution: Solution, done: Deed) -> tuple[str, ...]:
    """What the duel has to say about a move, the most telling first."""
    return tuple(_said_of(solution, done)[:MOST_IDEAS])


def _said_of(solution: Solution, done: Deed) -> list[str]:
    """Every claim about a move. Nothing speaks for one that costs nothing and is not made all the same."""
    if solution.game.reasons is None:
        return []
    left_out = () if done.slip or done.move == done.best else _speaking_for_it(solution)
    claims = [claim for claim in solution.game.reasons.CLAIMS if claim not in left_out]
    return [sentence for claim in claims if (sentence := claim(done))]


def _merits(solution: Solution, done: Deed) -> list[str]:
    """What speaks for a move even where all is lost."""
    return [sentence for claim in _speaking_for_it(solution) if (sentence := claim(done))]


def _speaking_for_it(solution: Solution) -> Sequence[Claim]:
    """The claims that speak for the move they are made of; a duel need not tell them from the others."""
    return getattr(solution.game.reasons, "MERITS", ())


def deed(solution: Solution, state: SomeState, seat: int, move: int) -> Deed:
    """A move with everything that a claim about it is held against."""
    game, rules = solution.game, solution.rules
    sign = 1 if seat == 0 else -1
    plan = solution.plan(state, seat)
    most = max(plan)
    answer = -1
    if game.turn(rules, state) == BOTH:
        answer = hardest(solution, state, seat, move)[0]
        after = game.resolve(rules, state, *((move, answer) if seat == 0 else (answer, move)))
        line: tuple[Step, ...] = ()
    else:
        after = game.apply(rules, state, move)
        line = _steps(solution, after)
        answer = line[0].move if line else -1
    return Deed(
        rules,
        state,
        seat,
        move,
        after,
        solution.loss(state, seat, move) / 2 > SAME,
        move if plan[move] >= most - SAME else plan.index(most),  # of equals this one
        answer,
        line,
        lambda position: sign * solution.value(position),
        by_lot=sum(share > 0 for share in plan) > 1,
    )


def hardest(solution: Solution, state: SomeState, seat: int, pick: int) -> list[int]:
    """The answers of a perfect opponent that leave a pick the least: those of their plan, if any of it does."""
    met = {answer: chance(value, seat) for answer, value in solution.meetings(state, seat, pick).items()}
    plan = solution.plan(state, 1 - seat)
    left = chance(solution.value(state), seat) - solution.loss(state, seat, pick) / 2
    exact = [answer for answer in met if abs(met[answer] - left) <= SAME]
    lot = [answer for answer in met if plan[answer] > 0]
    # Of many that would do, those that a perfect opponent really plays; where no one answer alone leaves as little as
    # a lot over several does, the hardest of these.
    found = [answer for answer in exact if answer in lot] or exact
    found = found or [answer for answer in lot if met[answer] == min(met[each] for each in lot)]
    return sorted(found, key=lambda answer: (-round(plan[answer], 9), -answer))


def _steps(solution: Solution, state: SomeState) -> tuple[Step, ...]:
    """How the game goes on with best play while players take turns, a few moves of it."""
    game, rules = solution.game, solution.rules
    words = game.dialogue.words(rules)
    line = best_line(solution, state, MOST_MOVES)
    states = (state, *line.positions)
    turns = [game.turn(rules, each) for each in states[: len(line.words)]]
    alternating = turns[: turns.index(BOTH)] if BOTH in turns else turns
    return tuple(
        Step(turn, words.index(word), after)
        for turn, word, after in zip(alternating, line.words, states[1:], strict=False)
    )


# The line of play, in a sentence


def _line(solution: Solution, done: Deed) -> str:
    game, rules = solution.game, solution.rules
    if game.turn(rules, done.before) == BOTH:
        return _after_a_pick(solution, done)
    if game.turn(rules, done.after) == OVER:
        return f"It {_end(solution, done.after, done.seat)} at once."
    if game.turn(rules, done.after) == LUCK:
        return _after_luck(solution, done)
    ended = bool(done.line) and game.turn(rules, done.line[-1].after) == OVER
    shown = done.line if ended else done.line[:MOST_SHOWN]
    moves = [_said(solution, done, step) for step in shown]
    if not ended:
        return f"{_capital(', '.join(moves))} ..."
    *most, last = moves
    winner = game.winner(rules, shown[-1].after)
    won = "and nobody wins" if winner == DRAW else "and win" if winner == shown[-1].seat else "and lose"
    return _capital(f"{', '.join([*most, last])} {won}.")


def _said(solution: Solution, done: Deed, step: Step) -> str:
    """`they build 4`; `you play rock` where the words of a duel are no verbs."""
    who = "you" if step.seat == done.seat else "they"
    verb = "play" if solution.game.reasons is None else solution.game.reasons.VERB
    return " ".join(filter(None, (who, verb, solution.game.dialogue.words(solution.rules)[step.move])))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _end(solution: Solution, state: SomeState, seat: int) -> str:
    winner = solution.game.winner(solution.rules, state)
    return "draws" if winner == DRAW else "wins" if winner == seat else "loses"


def _after_luck(solution: Solution, done: Deed) -> str:
    """The cards that end it at once; otherwise the worst of them, and what is done with it."""
    game, rules, foe = solution.game, solution.rules, done.foe
    ending: dict[str, list[str]] = {}
    worst: tuple[float, str] = (2.0, "")
    for face, _, value in solution.draws(done.after):
        dealt = game.deal(rules, done.after, face)
        left = chance(value, done.seat)
        step = next(iter(_steps(solution, dealt)), None)
        if step is not None and game.turn(rules, step.after) == OVER and game.winner(rules, step.after) == foe:
            ending.setdefault(_said(solution, done, step), []).append(str(face))
        elif left < worst[0]:
            then = f", {_said(solution, done, step)}" if step is not None else ""
            only = len(solution.draws(done.after)) == 1
            which = "The only" if only else "The worst"
            told_of = f"{which} {game.chance.face}{' left' if only else ' for you'} is {with_article(str(face))}"
            worst = (left, f"{told_of}{then}, and you win {percent(left)}.")
    if ending:
        any_of_them = {what: len(faces) == len(solution.draws(done.after)) for what, faces in ending.items()}
        told = [
            f"with {f'any {game.chance.face}' if any_of_them[what] else with_article(either(faces))} {what} and win"
            for what, faces in ending.items()
        ]
        return f"{_capital('; '.join(told))}."
    return worst[1]


def _ends_it(solution: Solution, done: Deed, answer: int) -> bool:
    game, rules = solution.game, solution.rules
    pair = (done.move, answer) if done.seat == 0 else (answer, done.move)
    return bool(game.turn(rules, game.resolve(rules, done.before, *pair)) == OVER)


def _after_a_pick(solution: Solution, done: Deed) -> str:
    """What a perfect opponent answers, and what that leaves."""
    words = solution.game.dialogue.words(solution.rules)
    left = chance(solution.value(done.before), done.seat) - solution.loss(done.before, done.seat, done.move) / 2
    answers = hardest(solution, done.before, done.seat, done.move)
    met = solution.meetings(done.before, done.seat, done.move)
    if all(chance(value, done.seat) <= SAME and _ends_it(solution, done, answer) for answer, value in met.items()):
        return "You lose at once to every pick they are allowed."
    seen = chance(solution.value(done.after), done.seat)
    if abs(seen - left) > SAME:  # no one answer does it: they choose by lot
        return f"Against perfect picks it keeps {percent(left)}; if they pick {words[answers[0]]}, {percent(seen)}."
    keeps = "you lose" if left <= SAME else "you win" if left >= 1 - SAME else f"you keep {percent(left)}"
    if not SAME < left < 1 - SAME:
        keeps += " at once" if all(_ends_it(solution, done, answer) for answer in answers) else " in the end"
    return f"They answer {either(words[answer] for answer in answers[:3])}, and {keeps}."

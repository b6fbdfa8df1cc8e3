"""What it will take to tell two players apart, before anybody is asked: questions, tokens, money.

Of players who are tables everything is known: how far apart they are on a paper, and how much one question says. Of
others nothing is known before they have answered something. So what they answered so far is taken, if there is a
folder; and without one, what it takes between neighbours of the ladder says how it goes with how much.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import fsum
from typing import NamedTuple

from duelbook.exam.examinee import Answer, Candidate
from duelbook.exam.marks import mark
from duelbook.exam.paper import Question
from duelbook.exam.score import Score, score
from duelbook.exam.sure import needed
from duelbook.exam.yardstick import by_duel
from duelbook.policies.levels import RUNGS
from duelbook.policies.plans import plan_by
from duelbook.speech import plain


class Known(NamedTuple):
    """What is known of a player at one question: the mean of what it loses, and of its square."""

    mean: float
    square: float


class Cost(NamedTuple):
    """What it takes to tell two players apart in 95 of 100 exams."""

    players: tuple[str, str]
    difference: float
    asked: int | None
    """Questions where each answers with moves; None where there is no difference."""
    said: int | None
    """The same where both say their plans; None where one of them cannot."""
    tokens: int | None = None
    """Of both together; None where nobody counts any."""
    money: float | None = None


def known_of(kind: str, question: Question) -> Known:
    """What a player who is a table loses at a question."""
    plan = plan_by(kind, question.subject.solution, question.state, question.seat)
    lost = [(share, mark(question, move).lost) for move, share in enumerate(plan) if share > 0]
    return Known(fsum(share * each for share, each in lost), fsum(share * each * each for share, each in lost))


def cost_between(
    questions: Sequence[Question], one: Candidate, two: Candidate, answers: Sequence[Sequence[Answer]] = ((), ())
) -> Cost | None:
    """None where one of them is neither a table nor has answered anything yet."""
    found = [_known(questions, each, given) for each, given in zip((one, two), answers, strict=True)]
    first, second = found
    if first is None or second is None:
        return None
    cost = _cost(questions, (one.name, two.name), first, second)
    if not (one.says_plans() and two.says_plans()):
        cost = cost._replace(said=None)
    return _priced(cost, answers)


def ladder_costs(questions: Sequence[Question], answers: Sequence[Answer] = ()) -> list[Cost]:
    """What it takes between neighbours of the ladder; with what somebody who answered so far uses for as many."""
    rungs = {kind: {each.number: known_of(kind, each) for each in questions} for kind in RUNGS}
    found = [_cost(questions, (one, two), rungs[one], rungs[two]) for one, two in pairwise(RUNGS)]
    return [_priced(each, [answers]) for each in found]


def _priced(cost: Cost, answers: Sequence[Sequence[Answer]]) -> Cost:
    """With the tokens and the money that as many questions take, by what each player used so far: a question is all
    times that it is asked."""
    if cost.asked is None:
        return cost
    tokens, money, known = 0.0, 0.0, False
    for given in answers:
        each = cost.asked / max(1, len({answer.question for answer in given}))
        tokens += each * sum(answer.usage.tokens_in + answer.usage.tokens_out for answer in given)
        costs = [answer.usage.money for answer in given if answer.usage.money is not None]
        known |= bool(costs)
        money += each * fsum(costs)
    return cost._replace(tokens=round(tokens), money=money if known else None) if tokens else cost


def _known(questions: Sequence[Question], one: Candidate, given: Sequence[Answer]) -> dict[int, Known] | None:
    if one.tabular:
        return {each.number: known_of(one.kind, each) for each in questions}
    if not given:
        return None
    found: Score = score(one, questions, given)
    return {each.question.number: Known(each.lost, each.lost**2) for each in found.marks}


def _cost(questions: Sequence[Question], names: tuple[str, str], one: dict[int, Known], two: dict[int, Known]) -> Cost:
    apart, spreads, plans = list[float](), list[float](), list[float]()
    for asked in by_duel([each for each in questions if each.number in one and each.number in two]).values():
        pairs = [(one[each.number], two[each.number]) for each in asked]
        means = [first.mean - second.mean for first, second in pairs]
        mean = fsum(means) / len(means)
        apart.append(mean)
        plans.append(fsum(each * each for each in means) / len(means) - mean**2)
        noise = fsum(first.square - first.mean**2 + second.square - second.mean**2 for first, second in pairs)
        spreads.append(plans[-1] + noise / len(pairs))
    difference = fsum(apart) / len(apart)
    asked_for, said = (needed(difference, fsum(each) / len(each)) for each in (spreads, plans))
    return Cost(names, difference, asked_for, said)


def lines(costs: Sequence[Cost]) -> Iterator[str]:
    for each in costs:
        one, two = map(plain, each.players)
        if each.asked is None:
            yield f"{one} and {two} lose the same on these questions: no number of them tells the two apart."
            continue
        yield f"{one} from {two}, {100 * abs(each.difference):.2f} points apart: {each.asked:,} questions each" + (
            f", or {each.said:,} where both say their plans" if each.said and each.said < each.asked else ""
        )
        if each.tokens:
            money = "" if each.money is None else f" and {each.money:.4f} of money"
            yield f"  by what was used so far, about {each.tokens:,} tokens{money}"


def as_json(costs: Sequence[Cost]) -> dict[str, object]:
    return {"costs": [{**each._asdict(), "players": list(each.players)} for each in costs]}

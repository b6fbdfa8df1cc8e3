"""How many decisions must be asked for to tell two players apart: by the exam, by games?

Two pairs of players in each of the five duels: level:4 and level:3, and perfect and the best fixed habit, which makes
one move wherever it is legal. Asked for is enough when the 95 % interval of the difference leaves out zero in 95 of 100
tries, by five ways:

- the exam, one move asked for at each question, of both players;
- the exam where both say their plans;
- the exam as it would be if its questions were drawn in the best way for these two that leaves the score what it is, by
  the formula alone: no paper of independent questions takes less;
- loss per decision in games of the two against each other;
- counting wins in such games.

A decision is one move that somebody is asked for, of either player. Chances of games, their lengths and what is lost
at every question are exact, and so are the differences; the spread of losses in games is measured on games played.
Where the numbers are small, tries are drawn and counted, since the formula is for many. Nothing here depends on how
fast the machine is.
"""

from __future__ import annotations

import argparse
from functools import cache
from math import fsum
from typing import Any, NamedTuple

import numpy as np
from bench.rehearsal import POWER, Way, _way
from bench.report import Aim, publish, table

from duelbook.core import Game
from duelbook.exam.editions import BOOK, subjects_of
from duelbook.exam.everything import Decisions, columns_of, decisions_of
from duelbook.exam.paper import MOST_QUESTIONS
from duelbook.exam.sure import mean_of_duels, needed
from duelbook.games import ROOMS
from duelbook.intervals import leanings
from duelbook.luck import below, mix
from duelbook.match import Match, Player, View
from duelbook.players import seat_player
from duelbook.policies.forward_turns import Alone
from duelbook.policies.levels import PERFECT
from duelbook.policies.meeting import Meeting

ASKED, BEST, SAID = "exam, asked", "drawn at best", "exam, plans said"
LOSS, WINS = "loss in games", "counting wins"
WAYS = (ASKED, BEST, SAID, LOSS, WINS)
BETTER, WORSE, HABIT = "level:4", "level:3", "the best habit"
FEW = 200
"""Where the formula says fewer questions than this, exams are drawn and counted: their intervals know that a few
answers which happen to be alike are no certainty."""
DRAWN = 300
"""So many of each length."""
LIKE = 10_000
"""Pairs of games that stand for the exact chances of a pair."""

Who = str | int
"""A kind of player, or the move whose habit it is."""


class Apart(NamedTuple):
    """What it takes to tell two players apart in one duel, in decisions of both; None where it never does."""

    players: tuple[str, str]
    decisions: dict[str, int | None]
    by_lot: float = 0.0
    """How much of the spread of the difference at one question is the chance of two single answers; the rest is that
    questions differ, which is all that a control variate could take off."""


@cache
def laid(id: str) -> Decisions:
    (subject,) = subjects_of(BOOK, [id])
    return decisions_of(subject)


def told_apart(id: str, better: Who, worse: Who, names: tuple[str, str], pairs: int, seed: int) -> Apart:
    duel = laid(id)
    meet: Any = duel.table.meeting(duel.machine)
    plans = [_plan(duel, who) for who in (better, worse)]
    there, back = meet(plans[0], plans[1]), meet(plans[1], plans[0])
    length = (sum(there.decisions) + sum(back.decisions)) / 2
    by_wins = _wins(there, back)
    lost = [_lost(there, back, 1), _lost(there, back, 0)]
    by_loss = _way(lost[0] - lost[1], _losses_apart(duel, (better, worse), pairs, seed))
    questions = {way: _questions(duel, better, worse, said=way == SAID, seed=seed) for way in (ASKED, SAID)}
    return Apart(
        names,
        {
            **{way: None if count is None else 2 * count for way, count in questions.items()},
            BEST: _at_best(duel, better, worse),
            LOSS: _decisions(by_loss, length),
            WINS: _decisions(by_wins, length),
        },
        _by_lot(duel, better, worse),
    )


def _decisions(way: Way, length: float) -> int | None:
    return None if way.games is None else round(way.games * length)


def _plan(duel: Decisions, who: Who) -> Any:
    shares = duel.shares(who)
    return shares[0] if isinstance(duel.table, Alone) else tuple(shares)


# By games


def _wins(there: Meeting, back: Meeting) -> Way:
    """From the exact chances of a pair of games, in which each of the two begins once."""
    mine = (there.loss, there.draw + there.no_result, there.win)
    theirs = (back.win, back.draw + back.no_result, back.loss)
    pairs = list[float]()
    for one, here in enumerate(mine):
        for two, other in enumerate(theirs):
            pairs += [(one + two) / 4 - 0.5] * round(LIKE * here * other)
    return _way((there.score + 1 - back.score) / 2 - 0.5, pairs)


def _lost(there: Meeting, back: Meeting, place: int) -> float:
    """What a decision of the first player, or of the second, loses in their games, exactly."""
    sums = there.lost[place] + back.lost[1 - place]
    return sums / (there.decisions[place] + back.decisions[1 - place])


class Judged:
    """A player whose every decision is weighed."""

    def __init__(self, duel: Decisions, who: Who, seed: int, known: dict[Any, dict[int, float]]) -> None:
        self.duel, self.who, self.seed, self.known = duel, who, seed, known
        self.losses = list[float]()
        self._player: Player | None = None if isinstance(who, int) else seat_player(who, seed)

    def choose(self, view: View) -> int:
        if (view.state, view.seat) not in self.known:
            options = self.duel.subject.solution.options(view.state, view.seat)
            self.known[view.state, view.seat] = {option.move: option.lost for option in options}
        lost = self.known[view.state, view.seat]
        if self._player is not None:
            move = self._player.choose(view)
        else:
            assert isinstance(self.who, int)
            legal = view.legal()
            move = self.who if self.who in legal else legal[below(len(legal), self.seed, view.number)]
        self.losses.append(lost[move])
        return move


def _losses_apart(duel: Decisions, players: tuple[Who, Who], pairs: int, seed: int) -> list[float]:
    """How far each pair of games pulls the difference of what decisions lose."""
    game: Game = duel.subject.game
    known: dict[Any, dict[int, float]] = {}
    sums: tuple[list[float], list[float]] = ([], [])
    counts: tuple[list[float], list[float]] = ([], [])
    for pair in range(pairs):
        judged = [Judged(duel, who, mix(seed, pair, at), known) for at, who in enumerate(players)]
        for seats in ((0, 1), (1, 0)):  # the same luck for both
            Match(game, seed=mix(seed, pair) >> 1).run([judged[at] for at in seats])
        for at in (0, 1):
            sums[at].append(fsum(judged[at].losses))
            counts[at].append(float(len(judged[at].losses)))
    mine, theirs = (leanings(*each) for each in zip(sums, counts, strict=True))
    return [two - one for one, two in zip(mine, theirs, strict=True)]


# By the exam


def _questions(duel: Decisions, better: Who, worse: Who, *, said: bool, seed: int) -> int | None:
    """How many questions to each: by the exact spread, and where they are few, by drawing exams."""
    means, noise = _apart(duel, better, worse)
    difference = duel.mean(means)
    count = needed(difference, duel.variance(means) + (0.0 if said else duel.mean(noise)))
    if count is None or difference < 0:
        return None
    if count >= FEW:
        return count
    exams = _Exams(duel, (better, worse), means if said else None, seed)
    while exams.shown(count) < POWER:
        count += max(1, count // 10)
        if count > MOST_QUESTIONS:
            return None
    return count


def _at_best(duel: Decisions, better: Who, worse: Who) -> int | None:
    """The same of both, where each decision is drawn as often as is best for these two, and weighs so much less.

    The score stays what it is. How far a single difference lies from nothing, on average over what the two may answer
    (its root mean square), says how often a decision is best drawn: what is known as importance sampling.
    """
    means, noise = _apart(duel, better, worse)
    squares, difference = means**2 + noise, duel.mean(means)
    count = needed(difference, max(duel.mean(np.sqrt(np.maximum(squares, 0.0))) ** 2 - difference**2, 0.0))
    return None if count is None or difference < 0 else 2 * count


def _apart(duel: Decisions, better: Who, worse: Who) -> tuple[Any, Any]:
    """At each decision what the worse player loses more on average, and how far two single answers spread around it."""
    (one, ones), (two, twos) = (duel.moments(who) for who in (better, worse))
    return two - one, (ones - one**2) + (twos - two**2)


def _by_lot(duel: Decisions, better: Who, worse: Who) -> float:
    means, noise = _apart(duel, better, worse)
    return duel.mean(noise) / (duel.variance(means) + duel.mean(noise))


class _Exams:
    """Exams of two players drawn from all decisions of a duel, each as often as a paper asks for it.

    A large duel has millions of decisions, so everything that every draw needs is added up once.
    """

    def __init__(self, duel: Decisions, players: tuple[Who, Who], said: Any, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self._weights, self._said = np.cumsum(duel.weights), said
        if said is None:
            self._answers = [_Answers(duel, who) for who in players]

    def shown(self, questions: int) -> float:
        """How often so many questions show the difference."""
        found = 0
        for _ in range(DRAWN):
            estimate = mean_of_duels([self._drawn(questions)], -1.0, 1.0)
            found += estimate is not None and estimate.low > 0
        return found / DRAWN

    def _drawn(self, questions: int) -> list[float]:
        """What the worse player loses more than the better, at each question of one exam."""
        at = np.searchsorted(self._weights, self.random.random(questions) * self._weights[-1], side="right")
        if self._said is not None:
            return list(self._said[at].tolist())
        better, worse = (each.losses(at, self.random.random(questions)) for each in self._answers)
        return list((worse - better).tolist())


class _Answers:
    """What single answers of a player lose, drawn by its plan."""

    def __init__(self, duel: Decisions, who: Who) -> None:
        begins, ends, losses, shares = list[Any](), list[Any](), list[Any](), list[Any]()
        moves = 0
        for places, (starts, lost, _, _), plan in zip(
            duel.places, columns_of(duel.table), duel.shares(who), strict=True
        ):
            begins.append(moves + starts[places])
            ends.append(moves + np.append(starts[1:], len(lost))[places])
            losses.append(lost)
            shares.append(plan)
            moves += len(lost)
        self._begins, self._ends, self._losses = map(np.concatenate, (begins, ends, losses))
        self._shares = np.append(0.0, np.cumsum(np.concatenate(shares)))
        """Up to each move, of all decisions one behind the other."""

    def losses(self, at: Any, by_lot: Any) -> Any:
        begins, ends = self._begins[at], self._ends[at]
        low, high = self._shares[begins], self._shares[ends]
        moves = np.searchsorted(self._shares, low + by_lot * (high - low), side="right") - 1
        return self._losses[np.clip(moves, begins, ends - 1)]


# All of it


def measured(ids: list[str], pairs: int, seed: int) -> dict[str, list[Apart]]:
    """Both pairs of players in every duel."""
    found = {}
    for id in ids:
        duel = laid(id)
        move, _ = duel.best_habit()
        word = duel.subject.game.dialogue.words(duel.subject.rules)[move]
        found[id] = [
            told_apart(id, BETTER, WORSE, (BETTER, WORSE), pairs, seed),
            told_apart(id, PERFECT, move, (PERFECT, f"{HABIT}: {word}"), pairs, seed),
        ]
    return found


def summed(found: dict[str, list[Apart]], at: int, way: str) -> tuple[int, int]:
    """Decisions by this way and by counting wins, over the duels in which both ever tell."""
    both = [(each[at].decisions[way], each[at].decisions[WINS]) for each in found.values()]
    known = [(one, two) for one, two in both if one is not None and two is not None]
    return sum(one for one, _ in known), sum(two for _, two in known)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=100, help="Pairs of games played to measure spreads (100).")
    parser.add_argument("--duels", default=",".join(ROOMS), help="Which duels, with commas between.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = measured(options.duels.split(","), options.pairs, options.seed)
    aims = []
    for at, names in enumerate((f"{BETTER} from {WORSE}", f"{PERFECT} from {HABIT}")):
        for way in (ASKED, SAID):
            mine, wins = summed(found, at, way)
            what = f"{names}, summed: decisions by counting wins, beside {way}"
            aims.append(Aim(what, wins / mine if mine else 0.0, least=10.0))
    facts = {id: [each._asdict() for each in both] for id, both in found.items()}
    publish("Exam", options.json, {"decisions": facts}, [_table(found, at) for at in (0, 1)], aims)


def _table(found: dict[str, list[Apart]], at: int) -> str:
    rows = []
    for id, both in found.items():
        one = both[at]
        asked, wins = one.decisions[ASKED], one.decisions[WINS]
        ratio = f"{wins / asked:.1f}" if asked and wins else "-"
        rows.append(
            [
                f"{id}, {one.players[0]} from {one.players[1]}",
                *(_shown(one.decisions[way]) for way in WAYS),
                ratio,
                f"{100 * one.by_lot:.0f} %",
            ]
        )
    sums = [summed(found, at, way) for way in WAYS]
    rows.append(
        [
            "where wins ever tell, summed",
            *(f"{mine:,}" for mine, _ in sums),
            f"{sums[0][1] / max(1, sums[0][0]):.1f}",
            "",
        ]
    )
    return table(["decisions of both players", *WAYS, "wins beside asked", "chance of answers"], rows)


def _shown(count: int | None) -> str:
    return "never" if count is None else f"{count:,}"


if __name__ == "__main__":
    main()

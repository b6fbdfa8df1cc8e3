"""How many decisions must be asked for to tell two players apart: by the exam, by games?

Two pairs of players in each of the five duels: level:4 and level:3, and perfect and the best fixed habit, which makes
one move wherever it is legal. Asked for is enough when the 95 % interval of the difference leaves out zero in 95 of 100
tries, by four ways:

- the exam, one move asked for at each question, of both players;
- the exam where both say their plans;
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
from duelbook.exam.sure import mean_of_duels, needed
from duelbook.games import ROOMS
from duelbook.intervals import leanings
from duelbook.luck import below, mix
from duelbook.match import Match, Player, View
from duelbook.players import seat_player
from duelbook.policies.forward_turns import Alone
from duelbook.policies.levels import PERFECT
from duelbook.policies.meeting import Meeting

ASKED, SAID, LOSS, WINS = "exam, asked", "exam, plans said", "loss in games", "counting wins"
WAYS = (ASKED, SAID, LOSS, WINS)
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
            LOSS: _decisions(by_loss, length),
            WINS: _decisions(by_wins, length),
        },
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
    moments = [duel.moments(who) for who in (better, worse)]
    means = moments[1][0] - moments[0][0]
    difference = duel.mean(means)
    noise = sum(duel.mean(squares - mean**2) for mean, squares in moments)
    count = needed(difference, duel.variance(means) + (0.0 if said else noise))
    if count is None or difference < 0:
        return None
    few = count < FEW
    exams = _Exams(duel, (better, worse), means if said else None, seed)
    while few and exams.shown(count) < POWER:
        count += max(1, count // 10)
    return count


class _Exams:
    """Exams of two players drawn from all decisions of a duel, each as often as a paper asks for it."""

    def __init__(self, duel: Decisions, players: tuple[Who, Who], said: Any, seed: int) -> None:
        self.duel, self.said = duel, said
        self.random = np.random.default_rng(seed)
        self._columns, self._shares = columns_of(duel.table), [duel.shares(who) for who in players]
        self._places = [(column, place) for column, places in enumerate(duel.places) for place in places]

    def shown(self, questions: int) -> float:
        """How often so many questions show the difference."""
        found = 0
        for _ in range(DRAWN):
            drawn = self.random.choice(len(self.duel.weights), questions, p=self.duel.weights)
            apart = [float(self.said[at]) if self.said is not None else self._answered(at) for at in drawn]
            estimate = mean_of_duels([apart], -1.0, 1.0)
            found += estimate is not None and estimate.low > 0
        return found / DRAWN

    def _answered(self, at: int) -> float:
        """What one answer of the worse player loses more than one of the better, at one question."""
        column, place = self._places[at]
        starts, losses, _, _ = self._columns[column]
        begin, end = starts[place], starts[place + 1] if place + 1 < len(starts) else len(losses)
        better, worse = (
            losses[
                begin
                + min(int(np.searchsorted(np.cumsum(each[column][begin:end]), self.random.random())), end - begin - 1)
            ]
            for each in self._shares
        )
        return float(worse - better)


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
            [f"{id}, {one.players[0]} from {one.players[1]}", *(_shown(one.decisions[way]) for way in WAYS), ratio]
        )
    sums = [summed(found, at, way) for way in WAYS]
    rows.append(
        ["where wins ever tell, summed", *(f"{mine:,}" for mine, _ in sums), f"{sums[0][1] / max(1, sums[0][0]):.1f}"]
    )
    return table(["decisions of both players", *WAYS, "wins beside asked"], rows)


def _shown(count: int | None) -> str:
    return "never" if count is None else f"{count:,}"


if __name__ == "__main__":
    main()

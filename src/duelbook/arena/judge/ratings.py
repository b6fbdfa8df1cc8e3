"""Ratings of a tournament, on a scale where random stands at 0, with intervals and the chance that A is better than B.

The model is `bradley_terry`'s. How its parts are used here:

- **Draws and no results.** A draw is a result of the rules; a game that the bell ended has none. They are counted and
  shown apart. The model gives each an own frequency in each duel, and both say the same about strength: neither player
  was better. The exact values see it so too: endless play is worth as much to one side as to the other. A bell that
  rings too early therefore draws ratings together.
- **Faults** are losses. They are also counted apart.
- **The first seat** has an advantage of its own in every duel, the same for all players.
- **The scale.** Random, the levels and perfect are never estimated: exact chances say where they stand (`anchors`), and
  games only place the others beside them. Random and perfect are on the scale even if they did not play. These chances
  are those of the usual start; where games began elsewhere, the ladder is rated by its games like everybody else.
- **Who won or lost everything** gets a finite rating from the weak prior, and a wide interval.
- **What intervals hold.** They say what chance can do. That strength is not really one number comes on top: beside the
  ladder a rating can be off by tens of points, however many games were played.
- **Groups.** Players who never met the ladder, nor anybody who did, float: only differences within their group mean
  anything. Their intervals are those of the distance to their group's average, and a note says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import NamedTuple

from duelbook.arena.judge.anchors import ladder
from duelbook.arena.judge.bradley_terry import ELO, PRIOR, Fit, Games, Pair, fit
from duelbook.arena.judge.tally import Meetings, Tally, by_meeting, summed
from duelbook.arena.play.results import Entrant, Result, counted, duel_name, duels_of, pairs_of
from duelbook.core import FIRST, SECOND
from duelbook.games import load
from duelbook.intervals import NORMAL, SURE, Estimate
from duelbook.policies.levels import TABULAR
from duelbook.speech import either

LOWEST, HIGHEST = "random", "perfect"
SURELY = 1e-12
"""An error smaller than this is none, and no chance that games tell of is nearer to certainty."""
NOT_COMPUTED = (
    "The exact chances of the ladder under these rules are not computed yet, so random and perfect are not on the "
    "scale; duelbook levels computes them."
)
OTHER_STARTS = (
    "The exact chances of random, the levels and perfect are those of the usual start. These games began elsewhere, so "
    "whoever of them took part is rated by games, like everybody else."
)


class RatingRow(NamedTuple):
    """One player on the scale, in Elo."""

    name: str
    kind: str
    rating: float
    low: float
    high: float
    games: int
    score: float | None
    """The share of the points, None without games."""
    tally: Tally
    exact: bool
    """The rating is computed from exact chances, not estimated from games."""
    entrant: int | None
    """None for a player who is on the scale without having taken part."""
    floats: bool
    """No chain of games ties it to the ladder: only its distance to others of its group means anything."""


class Ratings(NamedTuple):
    rows: tuple[RatingRow, ...]
    """The best first."""
    seats: dict[str, Estimate]
    """For each duel the first seat's advantage, in Elo."""
    notes: tuple[str, ...]
    """What a reader must know to read the rows rightly, a sentence each."""
    covariance: dict[tuple[int, int], float]
    """Of the strengths of those entrants that are estimated, in natural units."""
    floating: tuple[frozenset[int], ...] = ()
    """Groups of entrants that no chain of games ties to the ladder, nor to each other."""

    @property
    def anchored(self) -> bool:
        """The exact chances of the ladder are known, so the scale begins at random."""
        return any(row.exact for row in self.rows)

    def guessed(self, row: RatingRow) -> bool:
        """Where it stands on the scale is a guess. Where all float together there is no scale, and nothing to guess."""
        return row.floats and (self.anchored or len(self.floating) > 1)

    def row(self, who: RatingRow | str) -> RatingRow:
        """The row of a player, who may be named."""
        return who if isinstance(who, RatingRow) else next(row for row in self.rows if row.name == who)

    def difference(self, a: RatingRow | str, b: RatingRow | str) -> Estimate:
        """How far A stands above B, in Elo."""
        return _in_elo(*self._apart(a, b))

    def connected(self, a: RatingRow | str, b: RatingRow | str) -> bool:
        """Whether anything is known of A beside B: both have their place on the ladder, or float in the same group."""
        return self._group(self.row(a)) == self._group(self.row(b))

    def _group(self, row: RatingRow) -> frozenset[int]:
        return next((group for group in self.floating if row.entrant in group), frozenset())

    def better(self, a: RatingRow | str, b: RatingRow | str) -> float:
        """The chance that A is better than B, given these games."""
        away, error = self._apart(a, b)
        if error < SURELY:
            return 0.5 if abs(away) < SURELY else float(away > 0)
        return min(max(NORMAL.cdf(away / error), SURELY), 1 - SURELY)  # games make nothing certain

    def _apart(self, a: RatingRow | str, b: RatingRow | str) -> tuple[float, float]:
        one, two = self.row(a), self.row(b)
        spread = self._shared(one, one) + self._shared(two, two) - 2 * self._shared(one, two)
        return (one.rating - two.rating) / ELO, sqrt(max(0.0, spread))

    def _shared(self, one: RatingRow, two: RatingRow) -> float:
        """The covariance of two; none where a rating is exact."""
        if one.entrant is None or two.entrant is None:
            return 0.0
        return self.covariance.get((one.entrant, two.entrant), 0.0)


def rate(entrants: Sequence[Entrant], results: Iterable[Result], planned: Sequence[str] = ()) -> Ratings:
    """Rate everybody by the games that were played. Where none were, `planned` says for which duels the ladder is."""
    games = counted(results)
    duels = duels_of(games)
    counts = Counter(duel_name(result.task) for result in games) or Counter(planned)
    shares = {duel: count / counts.total() for duel, count in counts.items()}
    usual = not any(result.task.opening for result in games)
    rungs = ladder(shares) if shares and usual else None
    fixed = {at: rungs[entrant.kind] for at, entrant in enumerate(entrants) if entrant.kind in rungs} if rungs else {}
    top = rungs[HIGHEST] if rungs else 2 * PRIOR
    meetings = by_meeting(games)
    found = fit(_games(meetings, duels), fixed, _sharing_luck(games, duels), centre=top / 2)
    floating = _floating(entrants, games, fixed)
    rows = []
    for at, entrant in enumerate(entrants):
        group = next((group for group in floating if at in group), set[int]())
        strength = fixed.get(at, found.of("player", at))
        error = 0.0 if at in fixed else sqrt(_variance(found, at, group))
        played = summed(met for (me, *_), met in meetings.items() if me == at)
        rating = _in_elo(top / 2 if strength is None else strength, error)
        ends = (int(played.games), played.score, played)
        rows.append(RatingRow(entrant.name, entrant.kind, *rating, *ends, at in fixed, at, bool(group)))
    rows += _absent(entrants, rungs or {})
    seats = {duel: _seat(found, number) for number, duel in enumerate(duels)}
    unknown = "" if rungs else NOT_COMPUTED if usual else OTHER_STARTS
    return Ratings(
        tuple(sorted(rows, key=lambda row: (-row.rating, row.name))),
        seats,
        (*_notes(entrants, rows, floating, unknown, bool(games)), *_only_perfect(entrants, games)),
        _covariance(len(entrants), found, fixed),
        tuple(map(frozenset, floating)),
    )


def _games(meetings: Meetings, duels: Sequence[str]) -> list[Games]:
    return [
        Games(one, two, duels.index(duel), met.wins, met.draws + met.no_results, met.lost)
        for (one, two, duel, seat), met in meetings.items()
        if seat == 0
    ]


def _sharing_luck(games: Sequence[Result], duels: Sequence[str]) -> list[Pair]:
    """The pairs that share their luck, or an opening that may favour one seat. Others share nothing but players."""
    found = []
    for pair in pairs_of(games):
        if len(pair) < 2 or not (load(pair[0].task.game).faces or pair[0].task.opening):
            continue
        first, second = pair
        one, two = first.task.seats
        found.append(Pair(one, two, duels.index(duel_name(first.task)), (_end(first), _end(second))))
    return found


def _end(result: Result) -> int:
    """What a game was worth to its first seat."""
    return (result.winner == FIRST) - (result.winner == SECOND)


def _in_elo(value: float, error: float) -> Estimate:
    return Estimate(ELO * value, ELO * (value - SURE * error), ELO * (value + SURE * error))


def _variance(found: Fit, at: int, group: set[int]) -> float:
    """Of a strength, or of its distance to the average of a group that floats."""
    place = found.places.get(("player", at))
    if place is None:
        return PRIOR**2
    weights = {found.places["player", member]: -1 / len(group) for member in group}
    weights[place] = weights.get(place, 0.0) + 1.0
    return found.variance(weights) if len(group) != 1 else PRIOR**2


def _absent(entrants: Sequence[Entrant], rungs: Mapping[str, float]) -> Iterable[RatingRow]:
    """Random and perfect where they did not play."""
    kinds = {entrant.kind for entrant in entrants}
    for kind in (LOWEST, HIGHEST):
        if kind in rungs and kind not in kinds:
            yield RatingRow(kind, kind, *_in_elo(rungs[kind], 0.0), 0, None, Tally(), True, None, False)


def _seat(found: Fit, number: int) -> Estimate:
    place = found.places["seat", number]
    return _in_elo(found.values[place], sqrt(found.covariance[place][place]))


def _covariance(entrants: int, found: Fit, fixed: Mapping[int, float]) -> dict[tuple[int, int], float]:
    places = {at: found.places.get(("player", at)) for at in range(entrants) if at not in fixed}
    known = {}
    for one, row in places.items():
        for two, column in places.items():
            if row is not None and column is not None:
                known[one, two] = found.covariance[row][column]
            else:
                known[one, two] = PRIOR**2 if one == two else 0.0
    return known


# Groups


def _floating(entrants: Sequence[Entrant], games: Sequence[Result], fixed: Mapping[int, float]) -> list[set[int]]:
    """Groups of entrants that no chain of games ties to the ladder."""
    group = {at: {at} for at in range(len(entrants))}
    links = [result.task.seats for result in games] + [(one, two) for one in fixed for two in fixed]
    for one, two in links:
        if group[one] is not group[two]:
            group[one] |= group[two]
            for member in group[two]:
                group[member] = group[one]
    found = []
    for at, members in group.items():
        if at == min(members) and not members & set(fixed):
            found.append(members)
    return found


def _notes(
    entrants: Sequence[Entrant], rows: Sequence[RatingRow], floating: Sequence[set[int]], unknown: str, played: bool
) -> Iterable[str]:
    if not played:
        if any(not row.exact for row in rows):
            yield "No game was played, so nothing is rated but the ladder."
        return
    if unknown:
        yield unknown
    for group in floating:
        names = [entrants[at].name for at in sorted(group)]
        if len(names) == 1:
            yield f"{names[0]} played nobody whose rating is known, so its own is a guess."
        elif not unknown or len(floating) > 1:
            yield (
                f"{either(names, 'and')} met nobody of the ladder: where they stand on the scale is a guess, the "
                "differences between them are not. Their intervals are of the distance to their average."
            )
        else:
            yield "Only differences between ratings mean anything here; intervals are of the distance to the average."
    for row in rows:
        if row.exact or not row.games or row.tally.points not in (0, row.games):
            continue
        what, end = ("won", "upper") if row.tally.points else ("lost", "lower")
        yield f"{row.name} {what} every game: the {end} end of its interval is the prior's word, not the games'."


def _only_perfect(entrants: Sequence[Entrant], games: Sequence[Result]) -> Iterable[str]:
    """Against one who never errs, how often one loses says little about how well one plays."""
    for at, entrant in enumerate(entrants):
        met = {other for result in games if at in result.task.seats for other in result.task.seats} - {at}
        if entrant.kind not in TABULAR and {entrants[other].kind for other in met} == {HIGHEST}:
            yield (
                f"{entrant.name} met nobody but perfect, and that says little: its rating may be off by hundreds, "
                "whatever its interval says."
            )

"""Rules that nobody has seen: a variant of a duel, drawn from its knobs by a seed and solved in a moment.

Each number is drawn from what lies around the book's, each option from its words. What is too large to be solved in a
second or two, over before it begins, hardly a game or the book itself is drawn again. So the same seed gives the same
rules on every machine.
"""

from __future__ import annotations

from duelbook.core import BadRules, DuelError, Game, Knob, SomeRules, check_beginning
from duelbook.luck import below, mix
from duelbook.positions.kind import kind_of
from duelbook.positions.size import TooLarge, measured
from duelbook.solving.library import solution_for

MOST_STEPS = 400_000
"""So many ways on from all positions together are solved in plain Python in a second or two."""
FEWEST_STATES = 40
"""A duel with fewer positions is hardly one."""
WORTH_ASKING = 10
"""And at so many of the positions looked at something must be at stake."""
LOOKED_AT = 400
MOST_DRAWS = 2_000
SOON = 4
"""After so many attempts numbers are drawn up to half of what they were."""
CHANGED, VALUE = range(2)
"""Keys of random numbers."""


def fresh_rules(game: Game, seed: int) -> SomeRules:
    """The first set of rules that the seed draws and that will do."""
    for attempt in range(MOST_DRAWS):
        rules = _drawn(game, mix(*game.id.encode(), seed, attempt), attempt)
        if rules != game.book and _small(game, rules) and _a_game(game, rules):
            return rules
    raise DuelError(f"No fresh rules were found for {game.name}: none of {MOST_DRAWS:,} variants will do.")


def _drawn(game: Game, bits: int, attempt: int) -> SomeRules:
    rules = game.book
    for at, (name, knob) in enumerate(game.knobs.items()):
        if below(4, bits, CHANGED, at):  # three knobs of four are turned
            rules = rules._replace(**{name: _value(knob, getattr(game.book, name), mix(bits, VALUE, at), attempt)})
    return rules


def _value(knob: Knob, book: int | tuple[int, ...], bits: int, attempt: int) -> int | tuple[int, ...]:
    """With every attempt that was too large numbers come out smaller."""
    if isinstance(book, tuple):
        numbers = list(range(knob.low, min(knob.high, 2 * max(book)) + 1))
        chosen = [numbers.pop(below(len(numbers), bits, at)) for at in range(len(book))]
        return tuple(sorted(chosen))
    if knob.choices:
        return below(len(knob.choices), bits)
    low, high = max(knob.low, book // 10), min(knob.high, (book + book // 2 + 1) * SOON // (SOON + attempt))
    high = max(low, high)
    return low + below(high - low + 1, bits)


def _small(game: Game, rules: SomeRules) -> bool:
    try:
        check_beginning(game, rules)
        return measured(game, rules, kind_of(game)).steps <= MOST_STEPS
    except (BadRules, TooLarge):
        return False


def _a_game(game: Game, rules: SomeRules) -> bool:
    """Whether there is something to decide."""
    solution = solution_for(game, rules)
    if solution.states < FEWEST_STATES:
        return False
    worth = 0
    for draw in range(LOOKED_AT):
        place = below(len(solution.table), draw)
        if solution.known(place) is not None:
            state = solution.position(place)
            for draws in solution.draws(state)[:1]:
                state = game.deal(rules, state, draws.face)
            worth += any(option.lost > 0 for seat in (0, 1) for option in solution.options(state, seat))
    return worth >= WORTH_ASKING

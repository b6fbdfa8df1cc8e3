"""The duels for those who train on JAX: environments with Pgx's interface, compiled for whatever device there is.

    env = DuelEnv("tower")
    state = jax.jit(jax.vmap(env.init))(keys)
    state = jax.jit(jax.vmap(env.step))(state, actions)

A step looks everything up in tables that were filled from the rules (`columns`), on the device. The players of Pgx are
the seats: player 0 is Player 1. Where both pick at once, player 0 picks first and player 1 is not shown what;
`step_both` takes both picks together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

try:
    import jax
    import jax.numpy as jnp
except ImportError:
    needed = "duelbook.envs.jax needs JAX, which is not installed: pip install 'duelbook[jax]'"
    raise ImportError(needed) from None

from duelbook.core import BOTH, LUCK, OVER, BadPosition, DuelError, Game, whole
from duelbook.envs.columns import Column, columns_of, digits_at
from duelbook.envs.encoding import Encoding
from duelbook.envs.ways import KIND, MASKS, TICKETS, WORD, words_of
from duelbook.match import BELL, LATEST_BELL
from duelbook.positions.layout import packing
from duelbook.positions.machine import need_compiler
from duelbook.simulate.parts import strides_of

Numbers = Any
"""An array of JAX's, or what stands for one while it compiles: its types are not there where it is not installed."""
Digits = tuple[Numbers, ...]
Step = Callable[..., "State"]

NONE = -1
"""No pick is sealed."""
HALF, LOW = 16, (1 << 16) - 1


class State(NamedTuple):
    """A game as it stands: what Pgx's states hold, and below it what only the environment needs."""

    current_player: Numbers
    """Whose action is due; after the end still who acted last."""
    observation: Numbers
    """What the current player sees."""
    rewards: Numbers
    """Of this step, for both players: 1 and -1 at the end, 0 before it, for a draw and for the bell."""
    terminated: Numbers
    truncated: Numbers
    """Whether the bell has ended it."""
    legal_action_mask: Numbers
    """Of the current player. After the end all are true, as in Pgx, so that nobody divides by 0."""
    turns: Numbers
    position: Digits
    """The digits of the position in the layout of the tables."""
    sealed: Numbers | tuple[()]
    """Player 0's pick until player 1 has picked. It is for the environment: no observation shows it."""

    def replace(self, **changes: Any) -> State:
        return self._replace(**changes)


class DuelEnv:
    """A duel; `rules` and `max_turns` as in every other environment.

    An action that is not in the mask loses at once, as in Pgx; but what the rules count though it is against them, such
    as a number picked again in secret, is played and has the consequences that the book names.
    """

    num_players = 2

    def __init__(self, game: str | Game, *, rules: Sequence[str] = (), max_turns: int = BELL) -> None:
        need_compiler("The environment for JAX")
        self.encoding = Encoding(game, rules)
        self.max_turns = whole(max_turns, "The turns before the bell", 1, LATEST_BELL)
        self.columns = columns_of(self.encoding)
        self.id, self.num_actions = self.encoding.game.id, self.encoding.moves
        self.observation_shape = (len(self.encoding.low),)
        self._words = words_of(self.encoding)
        layout = self.columns.layout
        self._kinds = [_narrow(span.places) for span in layout.spans]

    # Pgx's functions

    def init(self, key: Any = None) -> State:
        """A game at its start, for which luck has acted if it comes first. Without luck no key is needed."""
        return self.set_up(self.columns.start, key)

    def step(self, state: State, action: Any, key: Any = None) -> State:
        """What follows from an action of the current player. With luck in the duel it needs a key.

        A game that is over stays as it is, with rewards of 0.
        """
        self._check(key)
        action = jnp.asarray(action, jnp.int32)
        seat = state.current_player
        counts = self._counts(state.position, seat, action)
        if not self.columns.pair:
            return self._gone_on(state, seat, counts, self._follow("alone", state.position, action), None, key)
        sealing = state.sealed == NONE
        after = self._follow("pair", state.position, state.sealed, action)
        if self.columns.alone:
            both = self._look(self.columns.here[KIND], state.position) == BOTH
            sealing &= both
            moved = self._follow("alone", state.position, action)
            after = tuple(jnp.where(both, *each) for each in zip(after, moved, strict=True))
        waits = sealing & counts
        after = tuple(jnp.where(waits, *each) for each in zip(state.position, after, strict=True))
        return self._gone_on(state, seat, counts, after, jnp.where(waits, action, NONE), key)

    def step_both(self, state: State, actions: Any, key: Any = None) -> State:
        """What follows from the picks of both players, where both pick at once. If neither counts, nobody wins."""
        if not self.columns.pair or self.columns.alone:
            raise DuelError(f"In {self.encoding.game.name} both do not always pick at once; step() takes one action.")
        self._check(key)
        one, two = (jnp.asarray(actions, jnp.int32)[seat] for seat in (0, 1))
        wrong = [~self._counts(state.position, seat, action) for seat, action in ((0, one), (1, two))]
        after = self._follow("pair", state.position, one, two)
        loser = jnp.where(wrong[0] & wrong[1], NONE, jnp.where(wrong[0], 0, 1))
        return self._gone_on(state, loser, ~(wrong[0] | wrong[1]), after, jnp.int32(NONE), key)

    def observe(self, state: State, player: Any = None) -> Numbers:
        """What a player sees; the current one if none is named."""
        return self._observed(state.position, state.current_player if player is None else jnp.asarray(player))

    # Between games here and positions anywhere else

    def at(self, position: str, key: Any = None) -> State:
        """A game set up at a position as it is typed, if play from the start can come there."""
        game, rules, layout = self.encoding.game, self.encoding.rules, self.columns.layout
        state = game.read_position(rules, position)
        number = packing(layout, type(state)).pack(state)
        if number < 0 or not self.columns.seen[number]:
            raise BadPosition(f"{position} is no position that a game of {game.name} from the start can come to.")
        return self.set_up(digits_at(layout, number), key)

    def set_up(self, digits: Sequence[Any], key: Any = None) -> State:
        """A game at the position with these digits in `columns.layout`: for many of them at once, under `vmap`."""
        self._check(key)
        here = tuple(jnp.asarray(digit, kind) for digit, kind in zip(digits, self._kinds, strict=True))
        sealed = jnp.int32(NONE) if self.columns.pair else ()
        if self.columns.tickets:
            here = self._dealt(here, jnp.bool_(True), key)
        return self._told(here, jnp.int32(0), jnp.int32(0), sealed)

    def text(self, state: State) -> str:
        """The position of one game, as it is typed."""
        game, rules, layout = self.encoding.game, self.encoding.rules, self.columns.layout
        number = sum(int(digit) * stride for digit, stride in zip(state.position, strides_of(layout), strict=True))
        return game.write_position(rules, packing(layout, type(game.start(rules, 0))).unpack(number))

    # How it goes on

    def _gone_on(self, state: State, seat: Numbers, counts: Numbers, after: Digits, sealed: Any, key: Any) -> State:
        """The game after an action, if it counts; lost for `seat` if it does not; unchanged if it was over."""
        over = state.terminated | state.truncated
        goes_on = counts & ~over
        turned = goes_on if sealed is None else goes_on & (sealed == NONE)
        turns = state.turns + turned.astype(jnp.int32)
        digits = tuple(jnp.where(goes_on, *each) for each in zip(after, state.position, strict=True))
        if self.columns.tickets:
            digits = self._dealt(digits, turned & (turns < self.max_turns), key)
        told = self._told(digits, state.current_player, turns, () if sealed is None else sealed)
        penalty = jnp.where(seat == NONE, 0.0, jnp.where(seat == 0, -1.0, 1.0)).astype(jnp.float32)
        first = jnp.where(over, 0.0, jnp.where(counts, told.rewards[0], penalty))
        lost = ~counts & ~over
        return told.replace(
            current_player=jnp.where(goes_on, told.current_player, state.current_player),
            observation=jnp.where(goes_on, told.observation, state.observation),
            rewards=jnp.stack([first, -first]),
            terminated=jnp.where(over, state.terminated, told.terminated | lost),
            truncated=jnp.where(over, state.truncated, told.truncated & ~lost),
            legal_action_mask=told.legal_action_mask | lost | over,
        )

    def _told(self, digits: Digits, before: Numbers, turns: Numbers, sealed: Any) -> State:
        """All that can be said of a position; `before` acted last."""
        kind = self._look(self.columns.here[KIND], digits)
        terminated = kind >= OVER
        truncated = ~terminated & (turns >= self.max_turns)
        ended = terminated | truncated
        seat = kind
        if self.columns.pair:
            seat = jnp.where(kind == BOTH, (sealed != NONE).astype(jnp.int32), kind)
        seat = jnp.where(ended, before, seat)
        first = (kind == OVER).astype(jnp.float32) - (kind == OVER + 1).astype(jnp.float32)
        return State(
            current_player=seat,
            observation=self._observed(digits, seat),
            rewards=jnp.stack([first, -first]),
            terminated=terminated,
            truncated=truncated,
            legal_action_mask=self._mask(digits, seat) | ended,
            turns=turns,
            position=digits,
            sealed=sealed,
        )

    def _dealt(self, digits: Digits, may: Numbers, key: Any) -> Digits:
        """What luck makes of a position, until it is somebody's turn; nothing where it may not act."""

        def acts(digits: Digits) -> Numbers:
            return may & (self._look(self.columns.here[KIND], digits) == LUCK)

        def dealt(digits: Digits, key: Any) -> Digits:
            tickets = self._look(self.columns.here[TICKETS], digits)
            after = self._follow("deal", digits, _below(tickets, key))
            return tuple(jnp.where(acts(digits), *each) for each in zip(after, digits, strict=True))

        def again(held: tuple[Digits, Any]) -> tuple[Digits, Any]:
            now, later = jax.random.split(held[1])
            return dealt(held[0], now), later

        if not self.columns.in_a_row:
            return dealt(digits, key)
        found: Digits = jax.lax.while_loop(lambda held: acts(held[0]), again, (digits, key))[0]
        return found

    # What the tables say

    def _look(self, column: Column, digits: Digits, *played: Numbers) -> Numbers:
        """A number of a column, as a plain int32."""
        if len(column.values) == 1:
            return jnp.full(jnp.shape(digits[0]), int(column.values[0]), jnp.int32)
        place = jnp.int32(0)
        for digit, stride in zip((*digits, *played), column.strides, strict=False):
            if stride:
                place = place + digit.astype(jnp.int32) * stride
        return jnp.asarray(column.values).at[place].get(mode="promise_in_bounds").astype(jnp.int32)

    def _follow(self, way: str, digits: Digits, *played: Numbers) -> Digits:
        """The digits of the position that follows. What is played is brought within bounds: it may not count."""
        most = self.columns.tickets if way == "deal" else self.num_actions
        inside = [jnp.clip(number, 0, most - 1) for number in played]
        columns: tuple[Column, ...] = getattr(self.columns, way)
        return tuple(
            digits[at] if column.stays(at) else self._look(column, digits, *inside).astype(kind)
            for at, (column, kind) in enumerate(zip(columns, self._kinds, strict=True))
        )

    def _bits(self, digits: Digits, seat: Any, counting: bool) -> list[Numbers]:
        """The words of a seat's mask: what is legal, or what counts if it is played."""
        words, found = self._words, []
        for word in range(MASKS + 2 * words * counting, MASKS + 2 * words * counting + words):
            both = [self._look(self.columns.here[word + other * words], digits) for other in (0, 1)]
            found.append(jnp.where(seat == 0, *both))
        return found

    def _mask(self, digits: Digits, seat: Numbers) -> Numbers:
        words = self._bits(digits, seat, False)
        return jnp.stack([words[move // WORD] >> move % WORD & 1 for move in range(self.num_actions)]) == 1

    def _counts(self, digits: Digits, seat: Any, action: Numbers) -> Numbers:
        words, found = self._bits(digits, seat, True), jnp.bool_(False)
        for at, word in enumerate(words):
            found |= (action // WORD == at) & ((word >> action % WORD & 1) == 1)
        return found & (action >= 0) & (action < self.num_actions)

    def _observed(self, digits: Digits, seat: Numbers) -> Numbers:
        """What `Encoding.observed` says, of digits."""
        spans = self.columns.layout.spans
        ints = [digit.astype(jnp.int32) * span.step + span.low for digit, span in zip(digits, spans, strict=True)]
        seen = [
            [1 - ints[at] if place == view.flipped else ints[at] for place, at in enumerate(view.order)]
            for view in self.encoding.views
        ]
        numbers = [jnp.where(seat == 0, one, two) for one, two in zip(*seen, strict=True)]
        return jnp.stack([*numbers, seat.astype(jnp.int32)])

    def _check(self, key: Any) -> None:
        if key is None and self.columns.tickets:
            raise DuelError(f"Luck acts in {self.encoding.game.name}: give init and step a key of jax.random.")


def auto_reset(step: Step, init: Step) -> Step:
    """A step after which a game that is over stands at the start of the next one, as Pgx's wrapper of this name does.

    Rewards, `terminated` and `truncated` are still those of the game that ended, until the next step.
    """

    def stepped(state: State, action: Any, key: Any = None) -> State:
        now, later = (None, None) if key is None else jax.random.split(key)
        no = jnp.zeros_like(state.terminated)
        after = step(state.replace(terminated=no, truncated=no), action, now)
        over = after.terminated | after.truncated
        begun: State = jax.tree.map(lambda fresh, old: jnp.where(over, fresh, old), init(later), after)
        return begun.replace(rewards=after.rewards, terminated=after.terminated, truncated=after.truncated)

    return stepped


def _narrow(places: int) -> Any:
    return jnp.uint8 if places <= 1 << 8 else jnp.uint16 if places <= 1 << 16 else jnp.int32


def _below(most: Numbers, key: Any) -> Numbers:
    """A number from 0 to below `most`, each as likely as the next to one in 2 ** 32 / most.

    It is the upper half of a product, in numbers of 32 bits, for `most` has no more than 16.
    """
    bits, most = jax.random.bits(key, (), jnp.uint32), most.astype(jnp.uint32)
    return (((bits >> HALF) * most + ((bits & LOW) * most >> HALF)) >> HALF).astype(jnp.int32)

"""A game of one agent against a player of ours, as an episode: from a reset to an end, one decision after the other."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from duelbook.agents.advice import check_player
from duelbook.agents.questions import LONGEST_WORD, check_length, duel_of, standing, state_of
from duelbook.agents.tables import AGENT
from duelbook.core import DRAW, LUCK, OVER, DuelError, IllegalMove, Misread, whole
from duelbook.luck import LARGEST_SEED
from duelbook.match import Event, Match, Prepared, read_move
from duelbook.players import seat_player
from duelbook.record import Record, writes
from duelbook.solving.library import solution_at
from duelbook.solving.solution import Solution
from duelbook.table.telling import tell

MOST_FAULTS = 3
"""Illegal or unreadable moves in one episode that are only refused; one more loses it."""


class Episode:
    """Stands where the agent has to decide, or is over. Luck and the opponent act by themselves."""

    def __init__(
        self,
        duel: str,
        opponent: str = "level:3",
        player: int = 1,
        rules: Sequence[str] = (),
        position: str | None = None,
        seed: int | None = None,
    ) -> None:
        game, changed = duel_of(duel, rules)
        self.seat = whole(player, "A player", 1, 2) - 1
        start = state_of(game, changed, position)
        if game.turn(changed, start) == OVER:
            raise DuelError(f"The game is over at {game.write_position(changed, start)}: there is nothing to play.")
        chosen = None if seed is None else whole(seed, "A seed", -LARGEST_SEED, LARGEST_SEED)
        self.match = Match(game, changed, start=start, seed=chosen)
        self.opponent = check_player(opponent)
        other = seat_player(self.opponent, self.match.luck.seat_seed(1 - self.seat))
        assert other is not None  # that no person sits there was looked at
        self._other = other
        if isinstance(other, Prepared):
            other.prepare(self.match.view(1 - self.seat))
        self._solution: Solution | None = None
        self.faults = 0
        self.lost: float | None = None
        """The win probability that the last decision gave away; None before the first, and where it was refused."""
        self.happened: list[str] = []
        """What was told since the last decision."""
        self.match.listen(self._hear)
        self._go_on()

    def _hear(self, event: Event) -> None:
        self.happened += [line.text for line in tell(self.match, event, {self.seat}) if line.text.strip()]

    @property
    def over(self) -> bool:
        return self.match.outcome is not None

    def act(self, said: str) -> str:
        """Decide. What is refused changes nothing: the sentence says why, until there were too many of them."""
        if self.over:
            raise DuelError("The episode is over; reset begins another.")
        self.happened, self.lost = [], None
        match = self.match
        try:
            move = read_move(match, self.seat, check_length(said, LONGEST_WORD, "A move").strip())
        except (Misread, IllegalMove) as error:
            self.faults += 1
            if self.faults > MOST_FAULTS:
                match.fail(self.seat, IllegalMove(str(error)))
            return str(error)
        if self._solution is None:
            self._solution = solution_at(match.game, match.rules, match.start)
        self.lost = self._solution.loss(match.state, self.seat, move) / 2
        match.play(self.seat, move)
        self._go_on()
        return ""

    def _go_on(self) -> None:
        """Until the agent has to decide. At a turn of both the agent picks first, and the other knows nothing of it."""
        match = self.match
        while match.outcome is None and self.seat not in match.to_act():
            if match.turn == LUCK:
                match.deal()
            else:
                match.play(1 - self.seat, self._other.choose(match.view(1 - self.seat)))

    @property
    def reward(self) -> float:
        """1 for a game that was won, a half where nobody won it; 0 where it was lost, and as long as it goes on."""
        if self.match.outcome is None:
            return 0.0
        winner = self.match.outcome.winner
        return 0.5 if winner in (None, DRAW) else float(winner == self.seat)

    def legal(self) -> list[str]:
        """What the agent may play now."""
        return next((each.moves for each in standing(self.match).choices if each.player == self.seat + 1), [])

    def record(self) -> str:
        """The game so far, as a `.duel` text."""
        kinds = [self.opponent, self.opponent]
        kinds[self.seat] = AGENT
        return writes(Record(self.match, (kinds[0], kinds[1]), date.today().strftime("%Y.%m.%d")))

"""Games that are held for agents: only those in which something must not be known yet, a card to come or a pick.

The luck and the seals are the referee's. A seat is known by a key that only its player has; nothing that can be asked
with it tells what the other one has picked, or what comes.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from datetime import date

from duelbook.agents.answers import GameSeen, Seat
from duelbook.agents.questions import LONGEST_WORD, check_length, duel_of, picks_at_once, standing, state_of
from duelbook.core import LUCK, OVER, DuelError, Game
from duelbook.match import Event, Match, read_move
from duelbook.record import Record, writes
from duelbook.table.telling import tell

AGENT = "agent"
"""The kind of player that asks from outside."""
MOST_HELD = 1000
"""Games at once."""
LONG_AGO = 3600.0
"""Seconds after which a game that nobody asked for makes room, where there is none left."""


class HeldGame:
    """One game, and who may act in it."""

    def __init__(self, match: Match, kinds: tuple[str, str], now: float) -> None:
        self.match, self.kinds, self.used = match, kinds, now
        self.keys = {secrets.token_urlsafe(16): seat for seat, kind in enumerate(kinds) if kind == AGENT}
        self.turn = asyncio.Lock()
        """Who asks waits until the one before is answered, the program's move included."""
        self._happened: tuple[list[str], list[str]] = ([], [])
        match.listen(self._hear)

    def _hear(self, event: Event) -> None:
        for seat, told in enumerate(self._happened):
            told += [line.text for line in tell(self.match, event, {seat}) if line.text.strip()]

    def seats(self) -> list[Seat]:
        return [Seat(seat + 1, key) for key, seat in self.keys.items()]

    def act(self, seat: int, move: str) -> None:
        """Play, or seal a pick. What happened before is old news then."""
        if self.match.outcome is not None:
            raise DuelError(f"The game is over: {self.match.outcome.reason} No move can follow.")
        chosen = read_move(self.match, seat, check_length(move, LONGEST_WORD, "A move").strip())
        told = self._happened[seat]
        before = len(told)
        self.match.play(seat, chosen)
        del told[:before]

    def deal(self) -> None:
        """Let luck act wherever it is its turn."""
        while self.match.outcome is None and self.match.turn == LUCK:
            self.match.deal()

    def waits_for(self) -> int | None:
        """The seat of a program whose move is due."""
        return next((seat for seat in self.match.to_act() if self.kinds[seat] != AGENT), None)

    def seen(self, seat: int) -> GameSeen:
        match = self.match
        record = Record(match, self.kinds, date.today().strftime("%Y.%m.%d"))
        return GameSeen(seat + 1, seat in match.to_act(), list(self._happened[seat]), standing(match), writes(record))


class Tables:
    """All games that are held. Nothing of them outlives the server."""

    def __init__(self, most: int = MOST_HELD, clock: Callable[[], float] = time.monotonic) -> None:
        self.most, self.clock = most, clock
        self._held: dict[str, HeldGame] = {}

    def begin(
        self, duel: str, rules: Sequence[str], position: str | None, opponent: str | None, player: int
    ) -> HeldGame:
        """A new game: of two agents, or of one in the seat of `player` against a program of ours."""
        game, changed = duel_of(duel, rules)
        state = state_of(game, changed, position)
        _check_need(game)
        if game.turn(changed, state) == OVER:
            raise DuelError(f"The game is over at {game.write_position(changed, state)}: there is nothing to play.")
        if player not in (1, 2):
            raise DuelError(f"A player is 1 or 2, not {player}.")
        self._make_room()
        kinds = [AGENT, AGENT]
        if opponent is not None:
            kinds[2 - player] = opponent
        held = HeldGame(Match(game, changed, start=state), (kinds[0], kinds[1]), self.clock())
        self._held |= dict.fromkeys(held.keys, held)
        return held

    def find(self, game_id: str) -> tuple[HeldGame, int]:
        """The game and the seat of a key."""
        held = self._held.get(game_id)
        if held is None:
            raise DuelError(
                "There is no game with this game_id: it never began, was forgotten for want of room, or the server has "
                "been started anew since. begin_game begins another."
            )
        held.used = self.clock()
        return held, held.keys[game_id]

    def _make_room(self) -> None:
        """Those that are over or were left long ago go first; a game that is being played stays."""
        games = set(self._held.values())
        if len(games) < self.most:
            return
        old = [each for each in games if each.match.outcome or self.clock() - each.used > LONG_AGO]
        if not old:
            raise DuelError(f"{self.most:,} games are being played here, and there is no room for another. Try later.")
        gone = min(old, key=lambda each: each.used)
        for key in gone.keys:
            del self._held[key]


def _check_need(game: Game) -> None:
    if not game.faces and not picks_at_once(game):
        raise DuelError(
            f"{game.name} has no luck and no secret picks, so nothing need be held: give play_move the position and a "
            f"move, and ask_player for the move of an opponent."
        )

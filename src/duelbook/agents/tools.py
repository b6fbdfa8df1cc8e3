"""The tools themselves, with the words in which their parameters are described to whoever may call them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, NamedTuple

from pydantic import BeforeValidator, Field

from duelbook.agents import advice, questions
from duelbook.agents.answers import (
    Begun,
    Chosen,
    DuelList,
    GameSeen,
    Hints,
    Judged,
    Reviewed,
    RuleBook,
    Solved,
    Standing,
)
from duelbook.agents.tables import HeldGame, Tables
from duelbook.luck import new_seed
from duelbook.serve.adviser import Adviser

Duel = Annotated[str, Field(description="the id of a duel, as list_duels has it")]
Position = Annotated[
    str | None, Field(description="a position as text, as other tools give it back; without it, the start of the game")
]


def _listed(rules: object) -> object:
    """One text is as good as a list of them."""
    return rules.split() if isinstance(rules, str) else rules


Rules = Annotated[
    Sequence[str],
    BeforeValidator(_listed),
    Field(description='rules other than the book\'s, as in ["goal=20"]; read_rules lists what can change'),
]
Kind = Annotated[str, Field(description=f"one of these: {advice.PLAYERS}")]
Text = Annotated[
    str,
    Field(
        description="one or several games as .duel text: tags, an empty line, and moves, a number before each pair of "
        'them, as in [Game "tower"], an empty line, and 1. build 4 build 4 2. attack *; with cards 1. 7:attack '
        "4:heal, with picks 1. 7/5; at the end 1-0, 0-1, 1/2-1/2 or *"
    ),
]
Key = Annotated[str, Field(description="the key of your seat, as begin_game gave it")]
Move = Annotated[
    str,
    Field(
        description="a move in the words of the game; where both pick at once both picks, as in 7/5; where luck acts, "
        "the card or throw that comes"
    ),
]
Own = Annotated[str, Field(description="your move or pick, in the words of the game")]
Number = Annotated[int, Field(description="which game of the text, from 1")]
Who = Annotated[int, Field(description="your seat: 1 or 2")]
Whose = Annotated[int | None, Field(description="who decides: 1 or 2; needed only where both pick at once")]
Opponent = Annotated[
    str | None,
    Field(description="a program to play against, as ask_player names them; without it, both seats are for agents"),
]


class Told(NamedTuple):
    """A tool, and what is said of it."""

    does: Callable[..., object]
    title: str
    reads_only: bool = True


class Tools:
    """What the tools do. Thinking is left to a process that is stopped when it takes too long."""

    def __init__(self, adviser: Adviser | None = None, tables: Tables | None = None) -> None:
        self.adviser, self.tables = adviser or Adviser(), tables or Tables()

    def all(self) -> list[Told]:
        return [
            Told(self.list_duels, "List the duels"),
            Told(self.read_rules, "Read a rule book"),
            Told(self.legal_moves, "See what may be played"),
            Told(self.play_move, "See what comes of a move"),
            Told(self.ask_player, "Have a program choose a move"),
            Told(self.solve, "Know what a position is worth"),
            Told(self.hint, "Be told what to play, and why"),
            Told(self.judge_record, "Know what every decision lost"),
            Told(self.review_game, "Look back at a game"),
            Told(self.begin_game, "Begin a game with luck or secret picks", reads_only=False),
            Told(self.play_in_game, "Play in such a game", reads_only=False),
            Told(self.look_at_game, "See how such a game stands"),
        ]

    # By the rules alone

    async def list_duels(self) -> DuelList:
        """The duels that can be played here, each with where it begins and every move there is."""
        return questions.list_duels()

    async def read_rules(self, duel: Duel, rules: Rules = ()) -> RuleBook:
        """The rule book of a duel, how its positions are written, and the rules that can be changed."""
        return questions.read_rules(duel, rules)

    async def legal_moves(self, duel: Duel, position: Position = None, rules: Rules = ()) -> Standing:
        """Who acts at a position, and what they may play."""
        return questions.legal_moves(duel, position, rules)

    async def play_move(self, duel: Duel, move: Move, position: Position = None, rules: Rules = ()) -> Standing:
        """The position that follows from a move. Nothing is kept: give the new position with the next call."""
        return questions.play_move(duel, move, position, rules)

    # By the solution

    async def ask_player(
        self, duel: Duel, player: Kind, position: Position = None, seat: Whose = None, rules: Rules = ()
    ) -> Chosen:
        """What a program plays at a position: an opponent of any strength, one move at a time."""
        kind = advice.check_player(player)
        at = None if seat is None else seat - 1
        return await self.adviser.ask(advice.choose, duel, position, tuple(rules), kind, at, new_seed())

    async def solve(self, duel: Duel, position: Position = None, rules: Rules = ()) -> Solved:
        """What a position is worth, exactly: who wins with best play, and every move with what it gives away."""
        return await self.adviser.ask(advice.solve, duel, position, tuple(rules))

    async def hint(self, duel: Duel, position: Position = None, rules: Rules = ()) -> Hints:
        """The best move at a position, what each choice is worth, and why, in sentences."""
        return await self.adviser.ask(advice.give_hint, duel, position, tuple(rules))

    async def judge_record(self, record: Text) -> Judged:
        """What every decision of recorded games lost, in win probability, and the average of each player: the exact
        score of how well somebody played, whoever won."""
        return await self.adviser.ask(advice.judge, record)

    async def review_game(self, record: Text, number: Number = 1) -> Reviewed:
        """A recorded game looked back at: the slips, why each was one, and how luck and skill made the result."""
        return await self.adviser.ask(advice.look_back, record, number)

    # Games that are held

    async def begin_game(
        self,
        duel: Duel,
        opponent: Opponent = None,
        player: Who = 1,
        position: Position = None,
        rules: Rules = (),
    ) -> Begun:
        """Begin a game of a duel with luck or secret picks, of which cards and picks stay hidden until they are due.

        A duel without them needs no game: play_move and ask_player are enough.
        """
        kind = None if opponent is None else advice.check_player(opponent)
        held = self.tables.begin(duel, rules, position, kind, player)
        async with held.turn:
            if kind is not None:
                await self.adviser.ask(advice.get_ready, duel, position, tuple(rules), kind)
            await self._go_on(held)
        return Begun(held.seats(), questions.standing(held.match))

    async def play_in_game(self, game_id: Key, move: Own) -> GameSeen:
        """Play a move in a game that was begun, or make a pick, which stays sealed until both have picked. Cards are
        drawn and the program answers at once."""
        held, seat = self.tables.find(game_id)
        async with held.turn:
            held.act(seat, move)
            await self._go_on(held)
            return held.seen(seat)

    async def look_at_game(self, game_id: Key) -> GameSeen:
        """How a game stands that was begun, what happened in it, and its record."""
        held, seat = self.tables.find(game_id)
        async with held.turn:
            await self._go_on(held)
            return held.seen(seat)

    async def _go_on(self, held: HeldGame) -> None:
        """Whatever happens by itself: cards, and the moves of a program. It is asked by the position alone."""
        match = held.match
        held.deal()
        while (seat := held.waits_for()) is not None:
            where = questions.standing(match)
            seed = match.luck.seat_seed(seat)
            chosen = await self.adviser.ask(
                advice.choose,
                match.game.id,
                where.position,
                tuple(where.rules),
                held.kinds[seat],
                seat,
                seed,
                match.turns,
            )
            held.act(seat, chosen.move)
            held.deal()

"""What agents are answered, as plain values of which every field says what it is.

Positions, moves and rules are texts as everywhere else, players are 1 and 2. Whoever makes a schema of these (as the
tools of MCP have one) finds the words for each field in its metadata.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Turn = Literal["player 1", "player 2", "both", "luck", "over"]
TURNS: tuple[Turn, ...] = ("player 1", "player 2", "both", "luck", "over")
"""By the number of the turn."""


def told(what: str) -> Any:  # as `dataclasses.field` itself, which is of whatever type the field has
    return field(metadata={"description": what})


@dataclass(frozen=True)
class DuelEntry:
    duel: str = told("the id, which every other tool takes")
    name: str = told("its title")
    about: str = told("what it is about, in a sentence")
    start: str = told("the position in which it begins, as text")
    moves: list[str] = told("every move there is, in the words of the game")
    luck: bool = told("whether cards or dice have a say")
    secret_picks: bool = told("whether both players pick at once")


@dataclass(frozen=True)
class DuelList:
    duels: list[DuelEntry] = told("the duels that are installed")


@dataclass(frozen=True)
class KnobEntry:
    name: str = told("a rule that can be changed, as name=value")
    value: str = told("its value here")
    book: str = told("the book's value")
    allowed: str = told("what else it can be")
    meaning: str = told("what it means")


@dataclass(frozen=True)
class RuleBook:
    duel: str = told("the duel's id")
    name: str = told("its title")
    rules: list[str] = told("what differs from the book")
    rules_hash: str = told("a fingerprint of these rules")
    knobs: list[KnobEntry] = told("the rules that can be changed")
    text: str = told("the rule book, in Markdown; it says how positions are written, too")


@dataclass(frozen=True)
class Choices:
    player: int = told("1 or 2")
    moves: list[str] = told("what this player may play now, in the words of the game")


@dataclass(frozen=True)
class Face:
    face: int = told("a card, or a throw")
    chance: float = told("how likely it comes, from 0 to 1")


@dataclass(frozen=True)
class Standing:
    duel: str = told("the duel's id")
    rules: list[str] = told("what differs from the book")
    position: str = told("where the game stands; every other tool takes it as it is")
    turn: Turn = told("who acts now; over: nobody, the game has ended")
    choices: list[Choices] = told("everybody who decides now, with what they may play")
    faces: list[Face] = told("where luck acts: what can come, and how likely")
    said: list[str] = told("the same for people")
    result: str = told("1-0, 0-1, 1/2-1/2, or * while nobody has won")
    reason: str | None = told("how it ended; null while it goes on")


@dataclass(frozen=True)
class MoveValue:
    move: str = told("in the words of the game")
    value: float = told("what it is worth to Player 1 with best play from then on, from -1 (lost) to 1 (won)")
    plies: int | None = told("plies to the end with best play, this one counted, where one side can force it")
    lost: float = told("the win probability that it gives away, from 0 to 1")
    share: float = told("how often a perfect player plays it, from 0 to 1")


@dataclass(frozen=True)
class PlayerMoves:
    player: int = told("1 or 2")
    moves: list[MoveValue] = told("every legal move, the best first")


@dataclass(frozen=True)
class FaceValue:
    face: int = told("a card, or a throw")
    chance: float = told("how likely it comes, from 0 to 1")
    value: float = told("what the position is worth to Player 1 once it is there, from -1 to 1")


@dataclass(frozen=True)
class Solved:
    duel: str = told("the duel's id")
    rules: list[str] = told("what differs from the book")
    position: str = told("the position that was asked about")
    value: float = told("what it is worth to Player 1 with best play: 1 won, -1 lost, 0 drawn or endless")
    low: float = told("what Player 1 can guarantee")
    high: float = told("what Player 2 can hold Player 1 to")
    plies: int | None = told("plies to the end with best play, where one side can force it")
    verdict: str = told("who wins with best play, in a sentence")
    players: list[PlayerMoves] = told("every move of everybody who decides now")
    faces: list[FaceValue] = told("where luck acts: what each face makes of it")
    best_line: list[str] = told("how it goes on with best play, as far as that is certain")


@dataclass(frozen=True)
class HintChoice:
    move: str = told("in the words of the game; before luck acts, what can come")
    best: bool = told("whether nothing is better")
    wins: float = told("the win probability of the player who decides, after it")
    share: float = told("how often a perfect player chooses it; of a card, how often it comes")
    about: str = told("what comes of it, in a few words")


@dataclass(frozen=True)
class PlayerHint:
    player: int = told("whom the hint is for: 1 or 2")
    wins: float = told("the win probability of that player with best play")
    why: str = told("what to do, and why, in a sentence")
    ideas: list[str] = told("what the duel has to say about the best choice")
    choices: list[HintChoice] = told("every choice, the best first")
    best_line: list[str] = told("how it goes on with best play, where that is decided")


@dataclass(frozen=True)
class Hints:
    duel: str = told("the duel's id")
    rules: list[str] = told("what differs from the book")
    position: str = told("the position that was asked about")
    hints: list[PlayerHint] = told("one for everybody who decides now")


@dataclass(frozen=True)
class Chosen:
    duel: str = told("the duel's id")
    rules: list[str] = told("what differs from the book")
    position: str = told("the position that was asked about")
    player: int = told("who plays it: 1 or 2")
    move: str = told("what this kind of player plays here, drawn anew each time where it mixes")


@dataclass(frozen=True)
class JudgedDecision:
    turn: int = told("the turn, from 1")
    player: int = told("1 or 2")
    position: str = told("where it was decided")
    move: str = told("what was played")
    wins: float = told("the win probability of the player before it, with best play")
    lost: float = told("the win probability that it gave away, 0 or more")


@dataclass(frozen=True)
class JudgedPlayer:
    player: int = told("1 or 2")
    name: str = told("what the record calls them")
    decisions: int = told("how many they made")
    lost: float = told("the win probability that all of them gave away together")
    average_loss: float | None = told("and per decision; 0 is perfect play, null where none was made")


@dataclass(frozen=True)
class JudgedGame:
    duel: str = told("the duel's id")
    rules: list[str] = told("what differs from the book")
    result: str = told("1-0, 0-1, 1/2-1/2, or * where nobody won")
    reason: str | None = told("how it ended; null where it is unfinished")
    players: list[JudgedPlayer] = told("what the two of them lost")
    decisions: list[JudgedDecision] = told("every decision")


@dataclass(frozen=True)
class Judged:
    games: list[JudgedGame] = told("every game of the record")


@dataclass(frozen=True)
class Slip:
    turn: int = told("the turn, from 1")
    player: int = told("1 or 2")
    move: str = told("what was played")
    mark: str = told("how bad it was, in a word")
    lost: float = told("the win probability that it gave away, 0 or more")
    better: list[str] = told("what a perfect player plays there")
    why: list[str] = told("the line of play that punishes it, and the ideas behind it")


@dataclass(frozen=True)
class Reviewed:
    duel: str = told("the duel's id")
    heading: str = told("the game in a line")
    curve: list[float] = told("the win probability of Player 1 at the start and after every turn")
    slips: list[Slip] = told("the decisions that gave something away, in their order")
    said: list[str] = told("how luck and skill add up to the result, and what each player lost per decision")


@dataclass(frozen=True)
class Seat:
    player: int = told("1 or 2")
    game_id: str = told("the key of this seat: whoever has it plays for this player, and for nobody else")


@dataclass(frozen=True)
class Begun:
    seats: list[Seat] = told("the keys of the seats that are yours to give; a program's seat has none")
    standing: Standing = told("where the game stands")


@dataclass(frozen=True)
class GameSeen:
    player: int = told("whose seat this is: 1 or 2")
    your_turn: bool = told("whether a move of this player is waited for")
    happened: list[str] = told("what happened since this seat acted last, in the words of the game")
    standing: Standing = told("where the game stands; of a pick that is not shown yet it says nothing")
    record: str = told("the game so far as a .duel record; once it is over, with what proves the cards")

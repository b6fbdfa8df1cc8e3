"""Their game and ours, side by side: the same moves in both, and the first place at which they part.

Of ours every position is kept that agrees with what could be read so far: one where everything is open, several where
a card or another's move was not told. They part where none is left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from duelbook.core import BOTH, DRAW, LUCK, OVER, Game, SomeState
from duelbook.foreign.answers import Answer
from duelbook.foreign.lines import Play, faces, numbers

TURNS, SEALED, JOINT, INSIDE = "turns", "sealed", "joint", "inside"
"""Ways to be driven: each step one player's move; each step one player's pick, the other's after it; each step both
picks; each step a move of Player 1, which somebody inside answers."""
MOVES, EFFECT, END = "moves", "effect", "end"
"""What they can part by: a move that is allowed in one of them alone, what it does, whether it ends and who wins."""
MOST_POSITIONS = 600
"""Where ours may be at so many, nothing is known of it any more."""
_NOT_ALLOWED = re.compile(r"\b(invalid|illegal|not allowed|not legal|cannot|can't|forbidden|refused)\b", re.IGNORECASE)
_INVALID = re.compile(r"\b(invalid|illegal|not allowed|not legal)\b", re.IGNORECASE)
"""What nobody says of a move that was played."""
_WINS = re.compile(
    r"\bplayer\s*([12ab])\b[^.\n]{0,20}?\bw(?:ins|on)\b|\bwinner\W+(?:is\W+)?player\s*([12ab])\b", re.IGNORECASE
)

Done = tuple[int, Any]
"""One thing done: whose turn it was, and the move, the face or the two picks."""
Ours = dict[SomeState, tuple[Done, ...]]
"""Positions of ours, each with a line that leads to it."""


class Reading(NamedTuple):
    """How an environment is driven, and where in what it shows the numbers and the winner stand."""

    way: str
    keys: tuple[str, str] | None = None
    """Where the two main numbers are; None where they cannot be found."""
    relative: bool = False
    """Whether the first of them is that of whoever decides next, not Player 1's."""
    of_mover: bool = True
    """Whether a single reward is that of whoever has just moved, not Player 1's."""


class Parted(NamedTuple):
    """Where they part: what by, the line of ours up to and with this step, and what was seen, in a sentence."""

    by: str
    line: tuple[Done, ...]
    seen: str


class Followed(NamedTuple):
    steps: int
    """So many steps were taken."""
    agreed: int
    """So many of them are as in ours."""
    parted: tuple[Parted, ...]
    ours: Ours
    """What ours may be, where they stopped agreeing or the line ended."""
    ended: bool = False
    """Whether both ended at the same place."""
    told: bool = False
    """Whether it was told who won there, and rightly."""
    sights: tuple[tuple[str, int, tuple[int, int], tuple[Done, ...]], ...] = ()
    """What was shown before each choice, to whom, what ours stands at there, and the line to it."""


def spread(game: Game, ours: Ours) -> Iterator[tuple[SomeState, tuple[Done, ...]]]:
    """These positions, with whatever luck may bring where it acts."""
    for state, line in ours.items():
        if game.turn(game.book, state) == LUCK:
            for face in faces(game, state):
                yield game.deal(game.book, state, face), (*line, (LUCK, face))
        else:
            yield state, line


def actions(way: str, line: Sequence[Play], words: Sequence[Any]) -> list[Any]:
    """What is to be done in theirs for a line of ours. With somebody inside, only Player 1's part of it."""
    done: list[Any] = []
    for at, play in enumerate(line):
        if isinstance(play, tuple):
            one, two = words[play[0]], words[play[1]]
            done += [[one, two]] if way == JOINT else [one, two] if way == SEALED else [one]
        elif way != INSIDE or at % 2 == 0:
            done.append(words[play])
    return done


def parts(way: str, line: Sequence[Play]) -> list[tuple[Any, bool]]:
    """The same in our moves, one for each of their steps, and whether it is only the first half of a round."""
    done: list[tuple[Any, bool]] = []
    for at, play in enumerate(line):
        if isinstance(play, tuple) and way == SEALED:
            done += [(play, True), (play, False)]
        elif isinstance(play, tuple):
            done.append((play if way == JOINT else play[0], False))
        elif way != INSIDE or at % 2 == 0:
            done.append((play, False))
    return done


def after(game: Game, way: str, ours: Ours, play: Any) -> Ours | None:
    """Where ours may stand after this step; None where the move is not one of ours in each of these positions."""
    rules, found = game.book, Ours()
    for state, line in spread(game, ours):
        turn = game.turn(rules, state)
        if turn == OVER:
            continue
        if turn == BOTH:
            seconds: Iterable[int] = game.legal_moves(rules, state, 1) if way == INSIDE else [play[1]]
            one = play if way == INSIDE else play[0]
            for two in seconds:
                found.setdefault(game.resolve(rules, state, one, two), (*line, (BOTH, (one, two))))
            continue
        if not game.legal(rules, state, turn, play):
            return None
        found.setdefault(game.apply(rules, state, play), (*line, (turn, play)))
    return _answered(game, found) if way == INSIDE and game.turn(rules, game.start(rules, 0)) != BOTH else found


def _answered(game: Game, ours: Ours) -> Ours:
    """With every reply of the second player."""
    found = Ours()
    for state, line in spread(game, ours):
        turn = game.turn(game.book, state)
        if turn == OVER:
            found.setdefault(state, line)
        else:
            for move in game.legal_moves(game.book, state, turn):
                found.setdefault(game.apply(game.book, state, move), (*line, (turn, move)))
    return found


def read(reading: Reading, answer: Answer) -> tuple[int, int] | None:
    """The two numbers as they stand there; None where they do not."""
    if reading.keys is None:
        return None
    one, two = (answer.figures.get(key) for key in reading.keys)
    return None if one is None or two is None else (one, two)


def follow(
    game: Game, reading: Reading, line: Sequence[Play], words: Sequence[Any], answers: Sequence[Answer]
) -> Followed:
    """Hold what theirs answered against ours, step by step, until they part or the line ends."""
    begins = game.start(game.book, 0)
    ours: Ours = {begins: ()}
    parted: list[Parted] = []
    agreed, ended, winner_told = 0, False, False
    sights: list[tuple[str, int, tuple[int, int], tuple[Done, ...]]] = [
        (answers[0].sight, _asks(game, begins), numbers(begins), ())
    ]
    steps = parts(reading.way, line)[: len(answers) - 1]
    told = actions(reading.way, line, words)
    if not _fits(reading, answers[0], begins, _asks(game, begins)):
        return Followed(len(steps), 0, (), ours)
    for at, (play, half) in enumerate(steps):
        before, answer = answers[at], answers[at + 1]
        nexts = ours if half else after(game, reading.way, ours, play)
        if not nexts or len(nexts) > MOST_POSITIONS:
            break
        one = next(iter(nexts.values()))
        if half and (answer.terminated and not answer.raised):
            nexts = _forfeited(game, ours, play) or after(game, reading.way, ours, play) or ours
            one = next(iter(nexts.values()))
        mover = _mover(game, ours, second=reading.way == SEALED and not half)
        if left_out(before, told[at]) and not half and not _is_foul(game, ours, play):
            parted.append(Parted(MOVES, one, "its own list of moves leaves the last one out"))
        if answer.raised:
            parted.append(Parted(MOVES, one, f"it fails at the last move with {answer.raised.rstrip('.')}"))
            break
        if answer.truncated and not answer.terminated:
            agreed += 1
            break
        if _more_of(_INVALID, before, answer) and not half and not _is_foul(game, ours, play):
            parted.append(Parted(MOVES, one, "the last move is refused there, as it says so in words"))
            break
        kept = {state: way for state, way in nexts.items() if _agrees(game, reading, answer, state, half=half)}
        if not kept:
            parted.append(_why(game, reading, before, answer, told[at], nexts, one))
            break
        ours = kept
        if answer.terminated:
            winners = {game.winner(game.book, state) for state in kept}
            winner = told_winner(reading, answer, mover)
            if winner is None or winner in winners:
                agreed, ended = agreed + 1, True
                winner_told = winner is not None or winners == {DRAW}
            else:
                line_ = next(iter(kept.values()))
                parted.append(Parted(END, line_, _who(game, winner, winners)))
            break
        agreed += 1
        state, line_ = next(iter(kept.items()))
        if not half:
            sights.append((answer.sight, _asks(game, state), numbers(state), line_))
    return Followed(len(steps), agreed, tuple(parted), ours, ended, winner_told, tuple(sights))


def _is_foul(game: Game, ours: Ours, play: Any) -> bool:
    """Whether somebody breaks a rule by it that lets it count all the same: no list of moves has to hold that."""
    pair = play if isinstance(play, tuple) else (play, play)
    return any(game.foul(game.book, state, seat, pair[seat]) for state in ours for seat in (0, 1))


def _forfeited(game: Game, ours: Ours, play: Any) -> Ours:
    """Where the first pick alone decides it already, whatever the second would have been."""
    return {
        game.resolve(game.book, state, play[0], two): (*line, (BOTH, (play[0], two)))
        for state, line in ours.items()
        if game.foul(game.book, state, 0, play[0])
        for two in game.legal_moves(game.book, state, 1)
    }


def _asks(game: Game, state: SomeState, *, half: bool = False) -> int:
    """Who decides next in ours."""
    turn = game.turn(game.book, state)
    if turn == LUCK:
        return int(game.dialogue.drawer(state))
    return turn if turn in (0, 1) else int(half)


def _mover(game: Game, ours: Ours, *, second: bool) -> int:
    return _asks(game, next(iter(ours)), half=second)


def _fits(reading: Reading, answer: Answer, state: SomeState, asked: int) -> bool:
    if reading.keys is None:
        return True
    seen = read(reading, answer)
    mine = numbers(state)
    return seen == (mine if not reading.relative or asked == 0 else mine[::-1])


def _agrees(game: Game, reading: Reading, answer: Answer, state: SomeState, *, half: bool) -> bool:
    """Whether what was shown may be this position. At the end a number may have stopped at 0, whoever's it is."""
    over = game.turn(game.book, state) == OVER
    if over != answer.terminated:
        return False
    if not over:
        asked = 0 if reading.way == INSIDE else _asks(game, state, half=half)
        return _fits(reading, answer, state, asked)
    seen = read(reading, answer)
    return seen is None or _at_the_end(seen) == _at_the_end(numbers(state))


def _at_the_end(pair: tuple[int, int]) -> tuple[int, ...]:
    return tuple(sorted(max(0, number) for number in pair))


def told_winner(reading: Reading, answer: Answer, mover: int) -> int | None:
    """Who won, as far as it is told: by the rewards, or else in words. None where it is not, or nobody did."""
    if len(answer.rewards) == 2:
        one, two = answer.rewards
        if one != two:
            return 0 if one > two else 1
    elif answer.rewards[0]:
        whose = mover if reading.of_mover and reading.way != INSIDE else 0
        return whose if answer.rewards[0] > 0 else 1 - whose
    said = _WINS.search(answer.said)
    if said:
        return 0 if (said[1] or said[2]).lower() in "1a" else 1
    return None


def _who(game: Game, winner: int, winners: set[int]) -> str:
    (ours, *_) = winners
    book = "nobody wins" if ours == DRAW else f"{game.seats[ours]} wins"
    return f"it says that {game.seats[winner]} wins, and by the book {book}"


def _more_of(words: re.Pattern[str], before: Answer, answer: Answer) -> bool:
    return len(words.findall(answer.said)) > len(words.findall(before.said))


def left_out(before: Answer, action: Any) -> bool:
    """Whether there is a list of what may be played, and this is not on it."""
    return before.listed is not None and not isinstance(action, list) and action not in before.listed


def refuses(reading: Reading, before: Answer, answer: Answer, action: Any) -> str:
    """How the step before this answer was refused, in a few words; nothing where there is no sign of that."""
    if left_out(before, action):
        return "its own list of moves leaves it out"
    if answer.raised:
        return f"it raises {answer.raised.rstrip('.')}"
    if _more_of(_NOT_ALLOWED, before, answer):
        return "it says so in words"
    same = read(reading, before) in (read(reading, answer), (read(reading, answer) or (None,))[::-1])
    if reading.keys is not None and same and min(answer.rewards) < 0:
        return "it ends the game with a penalty" if answer.terminated else "it gives a penalty"
    return ""


def _why(
    game: Game, reading: Reading, before: Answer, answer: Answer, action: Any, nexts: Ours, line: tuple[Done, ...]
) -> Parted:
    """What they part by, where no position of ours agrees."""
    state = next(iter(nexts))
    over = {game.turn(game.book, each) == OVER for each in nexts}
    refusal = refuses(reading, before, answer, action)
    if refusal:
        return Parted(MOVES, line, f"the last move is refused there, as {refusal}")
    told = read(reading, answer)
    if told is not None and len(nexts) > 1:  # those that fit by their numbers tell the story
        fitting = {each: way for each, way in nexts.items() if _at_the_end(told) == _at_the_end(numbers(each))}
        over = {game.turn(game.book, each) == OVER for each in fitting} or over
        state, line = next(iter(fitting.items()), (state, line))
    if not answer.terminated and over == {True}:
        ending = game.dialogue.ending(game.book, state, game.seats).rstrip(".")
        return Parted(END, line, f"it goes on there, and by the book it is over: {ending}")
    if answer.terminated and over == {False}:
        return Parted(END, line, "it is over there, and by the book it goes on")
    mine = numbers(state)
    expected = f"{mine[0]} and {mine[1]}" if len(nexts) == 1 else "none of what can be"
    return Parted(
        EFFECT, line, f"it shows {_shown(game, reading, answer, state)} there, and by the book that is {expected}"
    )


def _shown(game: Game, reading: Reading, answer: Answer, state: SomeState) -> str:
    """The two numbers that were read, Player 1's first."""
    seen = read(reading, answer)
    if seen is None:
        return "no such numbers"
    one, two = seen[::-1] if reading.relative and _asks(game, state) == 1 else seen
    return f"{one} and {two}"

"""What the trace of a pair of games says: how far each was, and who was asked whenever its referee died.

A trace is a list of lines. `+` begins an attempt to play the pair and `=` ends it in peace; an attempt without its end
is a death. `game 17` begins a game, perhaps with the position where it begins behind it; `4` and `7/5` are its steps,
and `clock 0 9.5` says what a seat has left. `?0` says that seat 0 is being asked while no other program runs, `!0` that
this is over. `end`, `fault ...` and `gone` end the game.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from duelbook.arena.play.results import FAULTS, KILLED, Fault, Play, Played
from duelbook.core import DuelError
from duelbook.speech import quote

BEGIN, PEACE, GAME, CLOCK, END, FAULT, GONE = "+", "=", "game", "clock", "end", "fault", "gone"
ASK, ANSWERED = "?", "!"

DEATHS = 3
"""After so many deaths of its referee, with nobody asked, a game is given up."""
ALONE = 2
"""After so many deaths while a program was asked and no other one ran, it is this program's fault."""


LONGEST_NUMBER = 12
"""Digits of a move, a card or the number of a game."""
LONGEST_CLOCK = 1e9
"""Seconds."""


@dataclass
class Begun:
    """One game as far as it was played."""

    number: int
    opening: str = ""
    plays: list[Play] = field(default_factory=list)
    clocks: dict[int, float] = field(default_factory=dict)
    asked: list[int] = field(default_factory=lambda: [0, 0])
    """For each seat, how often the referee died while its program was asked and no other one ran."""
    deaths: int = 0
    """How often it died otherwise."""
    fault: Fault | None = None
    over: bool = False
    gone: bool = False
    """It was given up."""

    def played(self) -> Played:
        return Played(self.number, tuple(self.plays), self.fault)

    @property
    def hopeless(self) -> bool:
        return self.gone or self.deaths >= DEATHS

    def verdict(self) -> str:
        """The line that ends this game, if its referee has died over it too often; otherwise nothing."""
        for seat in (0, 1):
            if self.asked[seat] >= ALONE:
                sentence = (
                    f"The process that refereed the game died {self.asked[seat]} times while this program was being "
                    "asked and no other one ran."
                )
                return f"{FAULT} {json.dumps(Fault(seat, KILLED, sentence))}\n"
        return f"{GONE}\n" if self.hopeless else ""


def read(text: str) -> list[Begun]:
    """The games that a trace tells of, the one under way last. A line that was not written to its end is not there."""
    games: list[Begun] = []
    attempt = False
    asked: int | None = None

    def death() -> None:
        """An attempt has no end: whose game was it?"""
        if attempt and games and not games[-1].over:
            if asked is None:
                games[-1].deaths += 1
            else:
                games[-1].asked[asked] += 1

    for line in text.split("\n")[:-1]:
        word, _, rest = line.partition(" ")
        try:
            if word in (BEGIN, PEACE):
                if word == BEGIN:
                    death()
                attempt, asked = word == BEGIN, None
            elif word == GAME:
                number, _, opening = rest.partition(" ")
                games.append(Begun(_number(number), opening))
            elif word.startswith((ASK, ANSWERED)):
                seat = _seat(word[1:])
                asked = seat if word[0] == ASK else None
            else:
                _go_on(games[-1], word, rest)
        except (ValueError, IndexError, TypeError, RecursionError):
            raise DuelError(f"{quote(line)} is no line of a trace.") from None
    death()
    return games


def _go_on(game: Begun, word: str, rest: str) -> None:
    if game.over:
        raise ValueError
    if word == CLOCK:
        seat, seconds = rest.split()
        game.clocks[_seat(seat)] = _seconds(seconds)
    elif word in (END, FAULT, GONE):
        game.over, game.gone = True, word == GONE
        game.fault = _fault(json.loads(rest)) if word == FAULT else None
    elif "/" in word:
        one, two = word.split("/")
        game.plays.append((_number(one), _number(two)))
    else:
        game.plays.append(_number(word))


def _seat(word: str) -> int:
    return ("0", "1").index(word)


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= LONGEST_NUMBER):
        raise ValueError
    return int(word)


def _seconds(word: str) -> float:
    """What a clock shows. It may be a little overdrawn."""
    seconds = float(word)
    if not -1 <= seconds <= LONGEST_CLOCK:  # no number at all, too
        raise ValueError
    return seconds


def _fault(said: Any) -> Fault:  # what a line of JSON says
    seat, kind, sentence, stderr = said
    if seat not in (0, 1) or kind not in FAULTS or not isinstance(sentence, str) or not isinstance(stderr, str):
        raise ValueError
    return Fault(seat, kind, sentence, stderr)


def forgiven(text: str) -> str:
    """The same games without the deaths, and with none of them given up: for who tries once more."""
    lines = []
    for game in read(text):
        lines.append(game_line(game))
        lines += [step_line(play) for play in game.plays]
        lines += [clock_line(seat, left) for seat, left in game.clocks.items()]
        if game.over and not game.gone:
            lines.append(ending_line(game.fault))
    return "".join(f"{line}\n" for line in lines)


def game_line(game: Begun) -> str:
    return f"{GAME} {game.number} {game.opening}".rstrip()


def clock_line(seat: int, left: float) -> str:
    return f"{CLOCK} {seat} {left!r}"


def step_line(play: Play) -> str:
    return f"{play[0]}/{play[1]}" if isinstance(play, tuple) else str(int(play))


def ending_line(fault: Fault | None) -> str:
    return f"{FAULT} {json.dumps(fault)}" if fault else END

"""Does a game that was played come back from its record as it was?"""

from __future__ import annotations

from collections.abc import Iterator

from duelbook.conformance.mistake import Mistake, mistake, shown
from duelbook.conformance.steps import allowed
from duelbook.core import LUCK, Game
from duelbook.luck import below
from duelbook.match import Match
from duelbook.record import BadRecord, Record, reads, writes


def a_game_reads_back_from_its_record(game: Game, rules: object, seed: int) -> Iterator[Mistake]:
    """A game at random, to its end or the bell, written as text, read and written again."""
    match = Match(game, rules, first=seed % 2, seed=seed)
    while match.outcome is None:
        if match.turn == LUCK:
            match.deal()
        for seat in match.to_act():
            able = allowed(game, rules, match.state, seat)
            match.play(seat, able[below(len(able), seed, match.turns, seat)])
    text = writes(Record(match))
    try:
        (again,) = reads(text, {game.id: game})
    except BadRecord as error:
        place = text.splitlines()[error.line - 1]
        told = f"the record of a game that was played cannot be read, at {shown(place)}: {error.sentence}"
        yield mistake(_speaker(place), place, told)
        return
    if again.match.steps != match.steps or again.match.outcome != match.outcome or writes(again) != text:
        told = f"a game that ended with {shown(match.outcome)} reads back as one with {shown(again.match.outcome)}."
        yield mistake("dialogue.words", again.match.outcome, told)


def _speaker(line: str) -> str:
    """The function whose words a line of a record holds."""
    tag = line.removeprefix("[").partition(" ")[0] if line.startswith("[") else ""
    tags = {"Termination": "dialogue.ending", "Position": "notation.write_position", "Rules": "rules.KNOBS"}
    return tags.get(tag, "dialogue.words")

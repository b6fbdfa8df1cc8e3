"""`.duel` files: a game as text that people can read, write and replay.

The shape is PGN's, because people and tools know it: tags, an empty line, numbered moves in the words of the game.
Reading a file plays it through the referee, so a record that loads is a game that the rules allow.
"""

from duelbook.record.moves import move_text
from duelbook.record.reading import iter_games, reads
from duelbook.record.shape import COACH, GAME_ID, RESULTS, TAKEN_OVER, UNKNOWN_DATE, BadRecord, Record
from duelbook.record.writing import writes

__all__ = [
    "COACH",
    "GAME_ID",
    "RESULTS",
    "TAKEN_OVER",
    "UNKNOWN_DATE",
    "BadRecord",
    "Record",
    "iter_games",
    "move_text",
    "reads",
    "writes",
]

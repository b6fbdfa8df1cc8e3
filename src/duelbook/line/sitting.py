"""From a match to an exit code: who sits where, where the game is kept, and what happens when somebody leaves."""

from __future__ import annotations

import signal
import sys
from datetime import datetime
from pathlib import Path
from types import FrameType

from duelbook.line.console import Console
from duelbook.line.session import EndOfInput, Quit, Session
from duelbook.match import Event, Match
from duelbook.players import seat_player
from duelbook.record import Record, writes
from duelbook.saves import Save, SaveError, new_save, write_atomically

DONE, FAILED, INTERRUPTED = 0, 1, 130


class Keeper:
    """Writes the game down after everything that happens, before anybody is told of it."""

    def __init__(self, record: Record, save: Save | None, copy: Path | None) -> None:
        self.record, self.save, self.copy = record, save, copy
        self.complained = False
        record.match.listen(self.hear)

    def hear(self, event: Event) -> None:
        self.write()

    def write(self) -> bool:
        """True when the game is safe on disk. A disk that fails is reported once and does not stop the game."""
        try:
            text = writes(self.record)
            if self.copy:
                write_atomically(self.copy, text)
            if self.save:
                self.save.write(text)
        except SaveError as error:
            if not self.complained:
                print(f"{error} The game goes on, but it is not saved.", file=sys.stderr)
            self.complained = True
            return False
        self.complained = False
        return self.save is not None or self.copy is not None

    def keep(self, target: str | None) -> str:
        """What the `save` command does, and what it answers."""
        if target is not None:
            path = Path(target).expanduser()
            refuse_to_overwrite(path)
            write_atomically(path, writes(self.record))
            return f"Saved a copy as {path}."
        return f"Saved. {self.how_to_go_on()}" if self.write() else "The game could not be saved."

    def how_to_go_on(self) -> str:
        return f"Go on later with: duelbook resume {self.save.id if self.save else self.copy}"


def refuse_to_overwrite(path: Path) -> None:
    if path.exists():
        raise SaveError(f"{path} exists already; choose another name.")
    if not path.absolute().parent.is_dir():
        raise SaveError(f"The folder {path.absolute().parent} does not exist.")


def start_record(match: Match, kinds: tuple[str, str]) -> Record:
    return Record(match, kinds, datetime.now().strftime("%Y.%m.%d"))


def open_save(match: Match) -> Save | None:
    """A new place for this game, or none, said once, when the state folder cannot be written."""
    try:
        save = new_save(match.game.id, datetime.now().strftime("%Y%m%d-%H%M%S"))
        save.hold()
    except SaveError as error:
        print(f"{error} You can play, but the game will not be saved.", file=sys.stderr)
        return None
    return save


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def play_out(record: Record, save: Save | None, copy: Path | None, console: Console) -> int:
    """Play the match to its end, or until somebody leaves. The game is on disk either way."""
    match = record.match
    keeper = Keeper(record, save, copy)
    players = (seat_player(record.seats[0], match.seed), seat_player(record.seats[1], match.seed))
    session = Session(match, players, console, keeper.keep)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _interrupt)
    code, farewell = DONE, ""
    try:
        keeper.write()
        session.run()
    except Quit:
        farewell = ""
    except EndOfInput:
        code, farewell = FAILED, "The input ended before the game did. "
    except KeyboardInterrupt:
        code, farewell = INTERRUPTED, "\n"
    finally:
        # From here on nothing may stop the game from being written.
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), signal.SIG_IGN)
        match.unseal()
        saved = keeper.write()
    if match.outcome is not None:
        if save:
            save.discard_lock()
            if console.typing:
                console.say("", f"See it again with: duelbook replay {save.id}")
        return DONE
    if saved:
        print(f"{farewell}The game is saved. {keeper.how_to_go_on()}", file=sys.stderr)
    if save:
        save.release()
    return code

"""From a match to an exit code: who sits where, where the game is kept, and what happens when somebody leaves."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from types import FrameType

from duelbook.line.console import Console
from duelbook.line.session import EndOfInput, Quit, Session
from duelbook.match import Event, Match, Prepared, TakenBack
from duelbook.players import seat_player
from duelbook.record import Record, writes
from duelbook.saves import Save, SaveError, new_save, write_atomically
from duelbook.speech import quote

DONE, FAILED, INTERRUPTED = 0, 1, 130


class Keeper:
    """Writes the game down after everything that happens, before anybody is told of it."""

    def __init__(self, record: Record, save: Save | None, copy: Save | None) -> None:
        self.record, self.save, self.copy = record, save, copy
        self.complained_of: list[Save] = []
        record.match.listen(self.hear)

    def hear(self, event: Event) -> None:
        if isinstance(event, TakenBack):  # what was said of moves that are gone goes with them
            steps = len(self.record.match.steps)
            kept = {at: said for at, said in self.record.comments.items() if at <= steps}
            self.record = self.record._replace(comments=kept)
        self.write()

    def write(self) -> bool:
        """True when the game is safe on disk. A disk that fails is reported once and does not stop the game."""
        text = writes(self.record)
        failed = []
        for place in filter(None, (self.save, self.copy)):
            try:
                place.write(text)
            except SaveError as error:
                failed.append(place)
                if place not in self.complained_of:
                    print(f"{error} The game goes on, but it is not saved there.", file=sys.stderr)
        self.complained_of = failed
        main = self.save or self.copy
        return main is not None and main not in failed

    def keep(self, target: str | None) -> str:
        """What the `save` command does, and what it answers."""
        if target is not None:
            path = usable_path(target)
            write_atomically(path, writes(self.record))
            return f"Saved a copy as {path}."
        return f"Saved. {self.how_to_go_on()}" if self.write() else "The game could not be saved."

    def how_to_go_on(self) -> str:
        name = self.save.id if self.save else self.copy and self.copy.path
        return f"Go on later with: {command_name()} resume {name}"


def usable_path(name: str) -> Path:
    """A path that a game can be written to without writing over anything."""
    try:
        path = Path(name).expanduser()
        path.lstat() if "\0" in name else None  # Python 3.11 answers False for a NUL below, where it should refuse
        if path.exists():
            raise SaveError(f"{path} exists already; choose another name.")
        if not path.absolute().parent.is_dir():
            raise SaveError(f"The folder {path.absolute().parent} does not exist.")
    except SaveError:
        raise
    except (ValueError, RuntimeError, OSError):  # a NUL, nobody's home, a name or a folder that the system refuses
        raise SaveError(f"{quote(name)} is no name that a file can have here.") from None
    return path


def command_name() -> str:
    """How this program was started, in the words that start it again."""
    folders = os.environ.get("PATH", "").split(os.pathsep)
    if any((Path(folder) / "duelbook").exists() for folder in folders if folder):
        return "duelbook"
    return "python -m duelbook" if sys.argv[0].endswith("__main__.py") else sys.argv[0]


def start_record(match: Match, kinds: tuple[str, str]) -> Record:
    return Record(match, kinds, datetime.now().strftime("%Y.%m.%d"))


def make_ready(match: Match, kinds: tuple[str, str]) -> None:
    """Have every program that will play load what it needs now: what it lacks is better said before the first move."""
    for seat, kind in enumerate(kinds):
        player = seat_player(kind, match.seed)
        if isinstance(player, Prepared):
            player.prepare(match.view(seat))


def open_save(match: Match) -> Save | None:
    """A new place for this game, or none, said once, when the state folder cannot be written."""
    try:
        save = new_save(match.game.id, datetime.now().strftime("%Y%m%d-%H%M%S"))
        save.hold()
    except SaveError as error:
        print(f"{error} You can play, but the game will not be saved.", file=sys.stderr)
        return None
    return save


def open_copy(path: Path | None) -> Save | None:
    """The file that `--save` names, held so that nobody else plays it meanwhile."""
    if path is None:
        return None
    save = Save(path)
    save.hold()
    return save


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _on_signals(handler: Callable[[int, FrameType | None], None] | signal.Handlers, *names: str) -> None:
    for name in names:
        if hasattr(signal, name):  # not every system has them all
            signal.signal(getattr(signal, name), handler)


def play_out(
    record: Record,
    save: Save | None,
    copy: Save | None,
    console: Console,
    *,
    coaching: bool = False,
    bar: bool = False,
) -> int:
    """Play the match to its end, or until somebody leaves. The game is on disk either way."""
    match = record.match
    keeper = Keeper(record, save, copy)
    players = (seat_player(record.seats[0], match.seed), seat_player(record.seats[1], match.seed))
    session = Session(match, players, console, keeper.keep, coaching=coaching, bar=bar)
    code, farewell = _sit(session, keeper)
    # From here on nothing may stop the game from being written.
    _on_signals(signal.SIG_IGN, *LEAVING)
    match.unseal()
    saved = keeper.write()
    if console.curtain is not None:
        console.curtain.lift()
    with suppress(OSError):
        if match.outcome is not None:
            code = DONE
            if save and console.typing:
                console.say("", f"See it again with: {command_name()} replay {save.id}")
        elif saved and farewell is not None:
            print(f"{farewell}The game is saved. {keeper.how_to_go_on()}", file=sys.stderr)
    if save:
        save.let_go(over=match.outcome is not None)
    if copy:
        copy.let_go(over=True)  # nothing but the file itself stays in the user's folder
    return code


LEAVING = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")


def _sit(session: Session, keeper: Keeper) -> tuple[int, str | None]:
    """The exit code, and how the farewell begins where there is somebody to hear it."""
    try:
        _on_signals(_interrupt, *LEAVING)
        try:
            keeper.write()
            session.run()
        finally:
            _on_signals(signal.SIG_IGN, *LEAVING)
    except Quit:
        return DONE, ""
    except EndOfInput:
        return FAILED, "The input ended before the game did. "
    except KeyboardInterrupt:  # also a second signal, while the first was being answered
        return INTERRUPTED, "\n"
    except BrokenPipeError:
        return FAILED, None
    except OSError:  # the terminal is gone
        return INTERRUPTED, None
    return DONE, ""

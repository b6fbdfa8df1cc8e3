"""Where a game that is being played is kept, and how it is gone on with later."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext, suppress
from datetime import datetime
from pathlib import Path

from duelbook import folders
from duelbook.core import BOTH
from duelbook.disk import reserve
from duelbook.match import Closable, Event, Match, Player, Prepared, TakenBack
from duelbook.patience import patience
from duelbook.players import seat_player
from duelbook.record import GAME_ID, Record, writes
from duelbook.saves import Save, SaveError, new_save
from duelbook.speech import plain, plain_lines, quote
from duelbook.table.begun import is_begun
from duelbook.window import fitted


def to_stderr(sentence: str) -> None:
    print(fitted(plain_lines(sentence), sys.stderr), file=sys.stderr)


NOT_SAVED = "The game is NOT saved: its last moves could not be written."
"""What is said at the end when the disk failed."""
UNSAVED = "This game was not saved."
"""What is said at the end when there was no place for it from the start."""
NOT_BEGUN = "Nothing was decided in this game, so it is not kept."


class Keeper:
    """Writes the game down after everything that happens, before anybody is told of it."""

    def __init__(
        self,
        record: Record,
        save: Save | None,
        copy: Save | None,
        complain: Callable[[str], None] = to_stderr,
    ) -> None:
        """`complain` hears of a disk that fails, in a sentence."""
        if save is not None and save.is_empty() and GAME_ID not in record.extra:
            record = record._replace(extra=record.extra | {GAME_ID: save.id})
        self.record, self.save, self.copy = record, save, copy
        self.complain = complain
        self.complained_of: list[Save] = []
        self._kept_unbegun = save is None or not save.is_empty()
        """Whether the game stays on disk even if nobody decides anything: it was there before, or that was wished."""
        self.players: Sequence[Player | None] = ()
        """Who plays; what programs among them say of their thinking is kept with the game, where that was asked for."""
        match = record.match
        self._steps = len(match.steps)
        match.listen(self.hear)
        if match.game.faces and match.outcome is None:
            match.luck.open(len(match.shown))  # what is promised of cards to come is on disk before the first falls

    def hear(self, event: Event) -> None:
        if isinstance(event, TakenBack):  # what was said of moves that are gone goes with them
            steps = len(self.record.match.steps)
            kept = {at: said for at, said in self.record.comments.items() if at <= steps}
            self.record = self.record._replace(comments=kept)
        match, before = self.record.match, self._steps
        self._steps = len(match.steps)
        if self._steps > before and any(self.players):
            said = thoughts(match.names, self.players, match.steps[-1].turn)
            if said:
                self.record = self.record._replace(comments=self.record.comments | {self._steps: said})
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
                    self.complain(f"{error} The game goes on, but it is not saved there.")
        self.complained_of = failed
        return self.kept() is not None

    def kept(self) -> Save | None:
        """Where the game is safe on disk, as it was when it was last written."""
        return next((place for place in (self.save, self.copy) if place and place not in self.complained_of), None)

    def keep(self, target: str | None) -> str:
        """What the `save` command does, and what it answers."""
        if target is not None:
            copy = reserved(usable_path(target if Path(target).suffix else f"{target}.duel"))
            try:
                copy.write(writes(self.record))
            except SaveError:
                with suppress(OSError):
                    copy.file.unlink()
                raise
            where = "" if copy.path.is_absolute() else f" in {plain(Path.cwd())}"
            return f"Saved a copy as {plain(copy.path)}{where}."
        self._kept_unbegun = True
        return f"Saved. {self.how_to_go_on()}" if self.write() else "The game could not be saved."

    def how_to_go_on(self) -> str:
        """The command that opens this game again, to be played on or, once it is over, to be looked at."""
        place = self.kept()
        if place is None:
            return ""
        over = self.record.match.outcome is not None
        advice, command = ("See it again with", "replay") if over else ("Go on later with", "resume")
        return f"{advice}: {command_name()} {command} {shlex.quote(place.name)}"

    def farewell(self) -> str:
        """What is said to somebody who leaves a game that is not over."""
        return f"The game is saved. {self.how_to_go_on()}" if self.kept() else NOT_BEGUN

    def close(self) -> bool:
        """Write the game for the last time, without picks that were not revealed, and let others have it.

        False when it is not safe on disk, as it should be; what was only opened need not be there.
        """
        match = self.record.match
        match.unseal()
        if match.outcome is None:
            match.put_luck_aside()
        dropped = self._drop_unbegun()
        safe = self.write() or dropped
        for place in filter(None, (self.save, self.copy)):
            place.let_go()
        return safe

    @property
    def only_opened(self) -> bool:
        """Whether nothing has been decided yet, so that whoever leaves now leaves nothing behind."""
        return not self._kept_unbegun and not is_begun(self.record)

    def _drop_unbegun(self) -> bool:
        """Take off the disk what was only opened. False where there is nothing of that kind."""
        if self.save is None or not self.only_opened:
            return False
        with suppress(SaveError):  # then it stays, and can be removed from the shelf
            self.save.remove()
            self.save = None
        return self.save is None


def thoughts(names: Sequence[str], players: Sequence[Player | None], turn: int) -> str:
    """What the programs among those who decided in this turn said of their thinking, where it is to be kept."""
    seats = {0: (0,), 1: (1,), BOTH: (0, 1)}.get(turn, ())
    said = [(names[seat], getattr(players[seat], "thoughts_to_keep", "")) for seat in seats]
    return "; ".join(f"{name}: {words}" for name, words in said if words)


def usable_path(name: str) -> Path:
    """A path that a game can be written to without writing over anything."""
    try:
        path = folders.named(name)
        if os.path.lexists(path):  # also a link that leads nowhere: what it would lead to was not named
            raise SaveError(f"{plain(path)} exists already; choose another name.")
        if not path.absolute().parent.is_dir():
            raise SaveError(f"The folder {plain(path.absolute().parent)} does not exist.")
    except (folders.NoFolder, OSError):  # a name or a folder that the system refuses
        raise SaveError(f"{quote(name)} is not a name that a file can have here.") from None
    return path


def reserved(path: Path) -> Save:
    """The place of a new file, taken at once: whatever comes there in the meantime is not written over."""
    try:
        reserve(path)
    except FileExistsError:
        raise SaveError(f"{plain(path)} exists already; choose another name.") from None
    except OSError as error:
        raise SaveError(f"{plain(path)} could not be written: {error.strerror}.") from None
    return Save(path)


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
        player = seat_player(kind, 0)  # it only gets ready, and makes no choice
        if isinstance(player, Prepared):
            program = isinstance(player, Closable)  # our own players say for themselves what they are at
            waiting = patience(f"Waiting for {match.names[seat]} to get ready ...")
            try:
                with waiting if program else nullcontext() as told:
                    if hasattr(player, "preparing"):
                        player.preparing = told
                    player.prepare(match.view(seat))
            finally:
                let_go([player])


def let_go(players: Iterable[Player | None]) -> None:
    """End what the players have running: nobody is to play on."""
    for player in players:
        if isinstance(player, Closable):
            player.close()


def open_save(match: Match, complain: Callable[[str], None] = to_stderr) -> Save | None:
    """A new place for this game, or none, said once, when the state folder cannot be written."""
    try:
        save = new_save(match.game.id, datetime.now().strftime("%Y%m%d-%H%M%S"))
        save.hold()
    except SaveError as error:
        complain(f"{error} You can play, but the game will not be saved.")
        return None
    return save


def open_copy(path: Path | None) -> Save | None:
    """The file that `--save` names, held so that nobody else plays it meanwhile."""
    if path is None:
        return None
    save = reserved(path)
    save.hold()
    return save

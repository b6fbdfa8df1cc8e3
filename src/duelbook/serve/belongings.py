"""What a terminal keeps of the online games it sits in, so that one can leave and come back: tokens and secrets."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import NamedTuple

from duelbook import folders
from duelbook.core import DuelError
from duelbook.honest.writing import LENGTH
from duelbook.locks import Lock
from duelbook.serve.connection import Place


class Pick(NamedTuple):
    """A pick that is promised, or about to be, and not yet opened."""

    turn: int
    word: str
    salt: bytes


class Belongings(NamedTuple):
    server: str
    """Where the game is. What is kept here is shown to nobody else."""
    secret: bytes
    """That of the chain."""
    token: str
    """Chosen here before anybody sits down: a seat that was taken is known again, though the answer was lost."""
    seat: int = -1
    """-1 until the server has said which."""
    picks: tuple[Pick, ...] = ()
    """Of this turn. The one that was promised is known by its seal."""
    invitation: str = ""
    """What this seat was taken with."""
    friend: str = ""
    """What lets somebody sit down in the other seat."""
    name: str = ""

    @property
    def seated(self) -> bool:
        return self.seat >= 0


def folder() -> Path:
    return folders.state() / "online"


def _file(game: str) -> Path:
    return folder() / f"{game}.json"


def seen_file(game: str) -> Path:
    """Where it is kept what was seen of a game."""
    return folder() / f"{game}.seen"


def find(place: Place) -> Belongings:
    """What is kept of a game, or a new secret for one that is not known here yet. Raises DuelError."""
    file = _file(place.game)
    try:
        if file.stat().st_mode & 0o077:
            file.chmod(0o600)  # a backup may have brought it back for all to read
        found = json.loads(file.read_text(encoding="utf-8"))
        picks = tuple(Pick(int(turn), str(word), bytes.fromhex(salt)) for turn, word, salt in found["picks"])
        mine = Belongings(
            str(found["server"]),
            bytes.fromhex(found["chain"]),
            str(found["token"]),
            int(found["seat"]),
            picks,
            str(found["invitation"]),
            str(found["friend"]),
            str(found["name"]),
        )
    except FileNotFoundError:
        return Belongings(place.server, secrets.token_bytes(LENGTH), secrets.token_urlsafe(24))
    except OSError as error:
        raise DuelError(f"Your seat in this game is kept in {file}, which cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError):
        raise DuelError(f"What was kept of this game in {file} cannot be read.") from None
    if mine.server != place.server:
        game = Place(mine.server, place.game)
        raise DuelError(
            f"You know this game from another address, and only that one is trusted with your seat: {game.link}"
        )
    return mine


def keep(game: str, mine: Belongings) -> None:
    """For this user's eyes alone: whoever has the token has the seat. Raises DuelError where it cannot be written."""
    file = _file(game)
    text = json.dumps(
        {
            "server": mine.server,
            "chain": mine.secret.hex(),
            "token": mine.token,
            "seat": mine.seat,
            "picks": [[pick.turn, pick.word, pick.salt.hex()] for pick in mine.picks],
            "invitation": mine.invitation,
            "friend": mine.friend,
            "name": mine.name,
        }
    )
    new = file.with_suffix(".new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as kept:
            kept.write(text)
            kept.flush()
            os.fsync(kept.fileno())
        new.replace(file)
    except OSError as error:
        why = error.strerror or "the disk refuses"
        raise DuelError(f"What you need to come back to your seat cannot be kept in {file}: {why}.") from None


def hold(game: str) -> Lock:
    """Have this seat to oneself, as long as this process runs. Raises DuelError where another terminal has it."""
    lock = Lock(folder() / f".{game}.lock")
    try:
        folder().mkdir(parents=True, exist_ok=True, mode=0o700)
        free = lock.take()
    except OSError:
        return lock  # a folder that can hold no lock
    if not free:
        raise DuelError("You sit at this game in another terminal already. Close that one, or watch with --watch.")
    return lock


def last_place() -> str:
    """The link of the game where one sat down last, or came back to; empty where there is none."""
    try:
        files = [file for file in folder().glob("*.json") if not file.name.startswith("bot-")]
        latest = max(files, key=lambda file: file.stat().st_mtime)
        return Place(str(json.loads(latest.read_text(encoding="utf-8"))["server"]), latest.stem).link
    except (OSError, ValueError, KeyError, TypeError, DuelError):
        return ""
